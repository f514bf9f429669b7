"""Calibration on rows held out: probabilities are frequencies, whatever rows weigh, stand or are called."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from fgac import FGAClassifierCV, FGAOrdinalClassifierCV
from fgac.selection.class_calibration import MANY_ROWS, calibrate, rising_curve
from support.property_tests import examples
from support.strategies import overlapping

GAMMAS = [2.0, 5.0]
PLAIN = {"metric": "manhattan", "gammas": GAMMAS}
SEARCHES = {"classes": FGAClassifierCV(**PLAIN), "ordered": FGAOrdinalClassifierCV(**PLAIN)}
every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


def held_out(n, n_classes=2, seed=0):
    """Return degrees of rows, which say less than they seem to, with true and predicted classes."""
    rng = np.random.default_rng(seed)
    classes = rng.choice(n_classes, n, p=np.arange(1, n_classes + 1) / np.arange(1, n_classes + 1).sum())
    degrees = rng.uniform(0, 0.8, (n, n_classes))
    degrees[np.arange(n), classes] += 0.2
    return degrees, classes, degrees.argmax(axis=1)


def calibrated(n, n_classes=2, weight=None, seed=0, times=None):
    """Return the calibration of such rows, some of which may stand there several times."""
    degrees, classes, winners = held_out(n, n_classes, seed)
    weight = np.ones(n) if weight is None else weight
    rows = np.arange(n) if times is None else np.repeat(np.arange(n), times)
    return calibrate(degrees[rows], classes[rows], winners[rows], weight[rows], n_classes)


SIZES = [(MANY_ROWS + 500, 2), (300, 2), (300, 3), (MANY_ROWS + 500, 3)]
every_size = pytest.mark.parametrize(("n", "n_classes"), SIZES, ids=["curve", "logistic", "three classes", "bent"])
GRID = np.linspace(0, 1, 101)
PAIRS = np.column_stack([1 - GRID, GRID])


# Probabilities


@pytest.mark.parametrize("n", [MANY_ROWS + 500, 300])
def test_probabilities_rise_with_the_degree_and_are_never_certain(n):
    found = calibrated(n).probabilities(PAIRS)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
    assert (np.diff(found[:, 1]) >= 0).all()
    assert found[-1, 1] > found[0, 1] + 0.3
    assert found.min() > 0
    assert found.max() < 1


def test_a_curve_is_never_certain_where_all_rows_agree():
    """With separated classes a share would be 0 or 1; the next row may still be of the other class."""
    x = np.linspace(-1, 1, 2000)
    knots, levels = rising_curve(x, x > 0, np.ones(2000))
    assert 0 < levels.min() < 0.01
    assert 0.99 < levels.max() < 1
    assert (np.diff(knots) > 0).all()


@examples(20)
@given(st.integers(0, 10**6), st.floats(1e-16, 1e-8))
def test_knots_rise_also_where_degrees_differ_in_the_last_digits_only(seed, step):
    """A file of a curve whose knots do not rise would be refused."""
    rng = np.random.default_rng(seed)
    x = 0.3 + step * rng.integers(0, 9, 400)
    knots, levels = rising_curve(x, rng.random(400) < 0.5 + 0.4 * (x > np.median(x)), rng.uniform(0.1, 9, 400))
    assert (np.diff(knots) > 0).all()
    assert (np.diff(levels) >= 0).all()


def test_few_rows_and_absent_classes_teach_nothing():
    degrees, classes, winners = held_out(19)
    assert calibrate(degrees, classes, winners, np.ones(19), 2) is None
    degrees, classes, winners = held_out(100)
    assert calibrate(degrees, classes, winners, np.ones(100), 2) is not None
    assert calibrate(degrees, 0 * classes, winners, np.ones(100), 2) is None


# Weights, order and names


@every_size
def test_weights_have_no_unit(n, n_classes):
    weight = np.random.default_rng(1).uniform(0.5, 2, n)
    degrees = held_out(50, n_classes, seed=2)[0]
    one, other = calibrated(n, n_classes, weight), calibrated(n, n_classes, 1e6 * weight)
    np.testing.assert_allclose(one.probabilities(degrees), other.probabilities(degrees), atol=1e-6)


@every_size
def test_a_row_without_weight_is_absent(n, n_classes):
    weight = np.where(np.arange(n) % 5 == 0, 0.0, 1.0)
    degrees = held_out(50, n_classes, seed=2)[0]
    one, other = calibrated(n, n_classes, weight), calibrated(n, n_classes, times=weight.astype(int))
    np.testing.assert_allclose(one.probabilities(degrees), other.probabilities(degrees), atol=1e-6)
    np.testing.assert_array_equal(one.cases, other.cases)
    assert one.cases.sum() == (weight > 0).sum()


def heavy_and_repeated(n, n_classes):
    """Return probabilities where every third row weighs 2, stands there twice, and is a row like all others."""
    times = np.where(np.arange(n) % 3 == 0, 2, 1)
    degrees = held_out(50, n_classes, seed=2)[0]
    weighed, repeated = calibrated(n, n_classes, times.astype(float)), calibrated(n, n_classes, times=times)
    return [found.probabilities(degrees) for found in (weighed, repeated, calibrated(n, n_classes))]


@pytest.mark.parametrize(("n", "n_classes"), SIZES[1:])
def test_a_row_of_weight_two_is_two_rows(n, n_classes):
    heavy, repeated, light = heavy_and_repeated(n, n_classes)
    np.testing.assert_allclose(heavy, repeated, atol=1e-6)
    assert np.abs(light - repeated).max() > 0.005


def test_a_curve_takes_a_row_of_weight_two_for_nearly_two_rows():
    """Nearly: what smooths it counts in units of the mean weight."""
    heavy, repeated, light = heavy_and_repeated(*SIZES[0])
    assert np.abs(heavy - repeated).mean() < 0.002
    assert np.abs(heavy - repeated).mean() < 0.3 * np.abs(light - repeated).mean()


@every_size
def test_names_of_classes_mean_nothing(n, n_classes):
    """Classes in another order have the same probabilities, in that order."""
    degrees, classes, winners = held_out(n, n_classes)
    order = np.roll(np.arange(n_classes), 1)
    place = np.argsort(order)
    one = calibrate(degrees, classes, winners, np.ones(n), n_classes)
    other = calibrate(degrees[:, order], place[classes], place[winners], np.ones(n), n_classes)
    new = held_out(50, n_classes, seed=2)[0]
    np.testing.assert_allclose(one.probabilities(new)[:, order], other.probabilities(new[:, order]), atol=1e-5)
    np.testing.assert_array_equal(one.cases.sum(), other.cases.sum())


@every_search
def test_neither_the_order_of_rows_nor_names_of_classes_matter(search):
    """Of the whole fit: folds are the same, too."""
    X, y = overlapping()
    new = X[:20] + 0.01
    order = np.random.default_rng(0).permutation(len(X))
    one = clone(search).fit(X, y).predict_proba(new)
    np.testing.assert_allclose(clone(search).fit(X[order], y[order]).predict_proba(new), one, atol=1e-5)
    np.testing.assert_allclose(clone(search).fit(X, 2 - y).predict_proba(new)[:, ::-1], one, atol=1e-5)


# How good they are


def expected_error(probability, truth):
    """Return the expected calibration error of the most probable class, in ten groups of about equal size."""
    confidence, is_right = probability.max(axis=1), probability.argmax(axis=1) == truth
    groups = np.array_split(np.argsort(confidence, kind="stable"), 10)
    return sum(abs(confidence[rows].mean() - is_right[rows].mean()) * len(rows) for rows in groups) / len(truth)


TABLES = {
    "imbalanced": ({"n_informative": 3, "weights": [0.85], "flip_y": 0.1}, 1500, "isotonic"),
    "three classes": ({"n_classes": 3, "n_informative": 4, "flip_y": 0.1}, 1200, "sigmoid"),
}


@pytest.mark.parametrize("table", TABLES)
def test_probabilities_are_frequencies(table):
    """As good as scikit-learn's calibration of the same model, on rows of the same kind that nobody has seen.

    In the mean of three tables: the error of one is as much chance as fault.
    """
    settings, n, method = TABLES[table]
    errors = []
    for seed in (1, 2, 3):
        X, y = make_classification(n + 5000, n_features=6, n_redundant=0, random_state=seed, **settings)
        X, y, X_new, y_new = X[:n], y[:n], X[n:], y[n:]
        model = FGAClassifierCV(gammas=[3.0, 7.0]).fit(X, y)
        ours = model.predict_proba(X_new)
        plain = clone(model.best_estimator_)
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        theirs = CalibratedClassifierCV(plain, method=method, cv=folds, ensemble=False).fit(X, y).predict_proba(X_new)
        assert log_loss(y_new, ours) <= 1.05 * log_loss(y_new, theirs)
        degrees = model.memberships(X_new).degree
        degrees = degrees / degrees.sum(axis=1, keepdims=True)
        errors.append([expected_error(ours, y_new), expected_error(degrees, y_new)])
    ours, uncalibrated = np.mean(errors, axis=0)
    assert ours <= 0.03
    assert uncalibrated > 0.05


# Models


@pytest.fixture(scope="module", params=SEARCHES)
def fitted(request):
    """Return a fitted search, with its table."""
    X, y = overlapping()
    frame = pd.DataFrame(X, columns=[f"column {i}" for i in range(X.shape[1])])
    target = pd.Series(np.array(["low", "middle", "top"])[y], name="grade")
    search = clone(SEARCHES[request.param])
    return search.fit(frame, target), frame, target


def test_predictions_go_by_degree_with_and_without(fitted):
    model, X, y = fitted
    bare = clone(model).set_params(calibrate=False).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), bare.predict(X))
    assert not np.allclose(model.predict_proba(X), bare.predict_proba(X), atol=0.01)
    assert all(each.reliability is None for each in bare.explain(X[:3]))
    if isinstance(model, FGAClassifierCV):
        degree = model.memberships(X).degree
        np.testing.assert_array_equal(degree, bare.memberships(X).degree)
        np.testing.assert_allclose(bare.predict_proba(X), degree / degree.sum(axis=1, keepdims=True), atol=1e-9)


def test_copies_have_the_same_probabilities(fitted):
    model, X, y = fitted
    expected = model.predict_proba(X)
    np.testing.assert_allclose(expected.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_array_equal(model.best_estimator_.predict_proba(X), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), expected)
    np.testing.assert_array_equal(clone(model).fit(X, y).predict_proba(X), expected)


def test_every_row_held_out_is_counted_once(fitted):
    """Also by what explanations say, which name the group of every prediction."""
    model, X, _ = fitted
    found = [each.reliability for each in model.explain(X)]
    groups = {(each.n_cases, each.n_right) for each in found}
    assert sum(cases for cases, _ in groups) <= len(X)
    calibration = model.best_estimator_._state.calibration
    assert calibration.cases.sum() == len(X)
    assert groups <= set(zip(calibration.cases.tolist(), calibration.right.tolist(), strict=True))
    chances = model.predict_proba(X)
    places = np.searchsorted(["low", "middle", "top"], model.predict(X))
    np.testing.assert_allclose([each.probability for each in found], chances[np.arange(len(X)), places], atol=1e-12)


def test_explanations_say_how_often_such_predictions_were_right(fitted, tmp_path):
    model, X, _ = fitted
    one = model.explain(X[:2])[0]
    n_cases, n_right = one.reliability.n_cases, one.reliability.n_right
    sentence = f"such cases, {one.reliability.right_of_100} were right ({n_right} of {n_cases} rows held out)"
    assert sentence in str(one)
    told = json.loads(one.to_json())["reliability"]
    assert told == {"probability": one.reliability.probability, "n_cases": n_cases, "n_right": n_right}


@every_search
def test_a_class_of_one_row_is_no_obstacle(search):
    """The fold that holds the row out does not know its class."""
    X, y = overlapping()
    y = np.where(y == 2, 1, y)
    y[0] = 2
    model = clone(search).fit(X, y)
    found = model.predict_proba(X)
    assert found.shape == (len(X), 3)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
    assert found[:, 2].mean() < 0.1


@every_search
def test_a_class_without_weight_is_no_obstacle(search):
    """The model does not know it, whoever cut the folds."""
    X, y = overlapping()
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    model = clone(search).set_params(cv=cv).fit(X, y, sample_weight=(y < 2).astype(float))
    assert model.predict_proba(X).shape == (len(X), 2)
    assert model.best_estimator_._state.calibration.cases.sum() == (y < 2).sum()
