"""Monotone columns: predictions never fall where they must not, and training solves the directed problem exactly."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold

import fgac
from fgac import FGAClassifier, FGAClassifierCV
from support.directed import (
    METRICS,
    NOMINAL,
    directed_distances,
    dominated_pairs,
    extensions,
    isotonic_separation,
    monotone_cases,
    monotone_oracle,
    raised_queries,
)
from support.oracles import difference_oracle
from support.property_tests import examples


def values_of(clf, y):
    """Return how much every training row is in the higher class."""
    return np.where(np.asarray(y) == clf.classes_[1], clf.beta_, 1.0 - clf.beta_)


def table(n=120, seed=0):
    """Return rows of four numbers, the first speaking for class 1, the second against it."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 4))
    return X, (X[:, 0] - X[:, 1] + 0.3 * np.sin(6 * X[:, 2]) + 0.2 * rng.standard_normal(n) > 0.1).astype(int)


@given(monotone_cases(n_classes=2), raised_queries())
@examples(80)
def test_more_of_an_increasing_column_never_lowers_the_class(case, queries):
    """Labels, bounds and degrees of the higher class are monotone, also where classes tie."""
    clf = FGAClassifier(**case.settings).fit(case.X, case.y, sample_weight=case.weights)
    low, high = queries
    assert (clf.predict(high) >= clf.predict(low)).all()
    for before, after in zip(clf.memberships(low), clf.memberships(high), strict=True):
        assert (after[:, 1] >= before[:, 1] - 1e-12).all()


@given(monotone_cases(n_classes=2), raised_queries())
@examples(40)
def test_training_and_bounds_are_those_of_all_directed_pairs(case, queries):
    """A general solver given every ordered pair finds the same memberships, and loops the same bounds."""
    options = case.settings | {"loss": "squared_error"}
    clf = FGAClassifier(**options).fit(case.X, case.y, sample_weight=case.weights)
    gamma, metric = options["gamma"], options["metric"]
    between = directed_distances(case.X, case.X, case.X, metric)
    expected = monotone_oracle(between, case.y.astype(float), gamma, case.weights)
    np.testing.assert_allclose(values_of(clf, case.y), expected, atol=1e-7)
    assert clf.solution_.is_optimal()
    there = directed_distances(queries[0], case.X, case.X, metric)
    back = directed_distances(case.X, queries[0], case.X, metric)
    lower, upper = extensions(values_of(clf, case.y), there, back, gamma)
    found = clf.memberships(queries[0])
    np.testing.assert_allclose(found.lower[:, 1], lower, atol=1e-9)
    np.testing.assert_allclose(found.upper[:, 1], upper, atol=1e-9)


@given(monotone_cases(n_classes=2))
@examples(40)
def test_absolute_error_is_isotonic_separation_if_gamma_is_huge(case):
    """Without columns to be similar in, no isotonic function misplaces less weight: a linear program agrees."""
    X = case.X[:, :2] * [1.0, -1.0]
    clf = FGAClassifier(gamma=1e6, loss="absolute_error", monotonic_cst=[1, 1]).fit(X, case.y, case.weights)
    lost = np.sum(case.weights * (1.0 - clf.beta_))
    assert lost == pytest.approx(isotonic_separation(X, case.y, case.weights), abs=1e-9)


@given(monotone_cases(n_classes=2))
@examples(40)
def test_squared_error_is_isotonic_regression_if_gamma_is_huge(case):
    """The same with least squares, in three dimensions by a general solver, in one by scikit-learn."""
    X = case.X[:, :3] * [1.0, -1.0, 1.0]
    clf = FGAClassifier(gamma=1e6, monotonic_cst=[1, 1, 1]).fit(X, case.y, case.weights)
    u, v = dominated_pairs(X)
    expected = difference_oracle(case.y.astype(float), u, v, np.zeros(len(u)), case.weights)
    np.testing.assert_allclose(values_of(clf, case.y), expected, atol=1e-7)
    line = FGAClassifier(gamma=1e6, monotonic_cst=[1]).fit(X[:, :1], case.y, case.weights)
    isotonic = IsotonicRegression().fit_transform(X[:, 0], case.y, sample_weight=case.weights)
    np.testing.assert_allclose(values_of(line, case.y), isotonic, atol=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_no_direction_is_no_constraint(metric):
    """Zeros for all columns change nothing at all."""
    X, y = table()
    plain = FGAClassifier(gamma=3.0, metric=metric).fit(X, y)
    zeros = FGAClassifier(gamma=3.0, metric=metric, monotonic_cst=[0, 0, 0, 0]).fit(X, y)
    np.testing.assert_array_equal(plain.beta_, zeros.beta_)
    np.testing.assert_array_equal(plain.predict_proba(X), zeros.predict_proba(X))


@pytest.mark.parametrize("metric", METRICS)
def test_a_column_and_its_sign_turned_around_change_nothing(metric):
    """A column of debts is one of credits, negated."""
    X, y = table()
    queries = table(seed=1)[0]
    turned = [-1.0, 1.0, 1.0, 1.0]
    one = FGAClassifier(gamma=3.0, metric=metric, monotonic_cst=[1, -1, 0, 0]).fit(X, y)
    other = FGAClassifier(gamma=3.0, metric=metric, monotonic_cst=[-1, -1, 0, 0]).fit(X * turned, y)
    np.testing.assert_array_equal(one.beta_, other.beta_)
    np.testing.assert_array_equal(one.predict(queries), other.predict(queries * turned))


def test_classes_and_directions_turned_around_change_nothing():
    """What speaks for the first class speaks against the second."""
    X, y = table()
    one = FGAClassifier(gamma=3.0, monotonic_cst=[1, -1, 0, 0]).fit(X, y)
    other = FGAClassifier(gamma=3.0, monotonic_cst=[-1, 1, 0, 0]).fit(X, 1 - y)
    np.testing.assert_allclose(one.beta_, other.beta_, atol=1e-12)
    np.testing.assert_array_equal(one.predict(X), 1 - other.predict(X))


def test_neither_order_nor_names_nor_threads_matter():
    """Rows in another order, other names in the same order, two threads: the same memberships."""
    X, y = table()
    settings = {"gamma": 3.0, "monotonic_cst": [1, -1, 0, 0]}
    one = FGAClassifier(**settings).fit(X, y)
    order = np.random.default_rng(3).permutation(len(y))
    shuffled = FGAClassifier(**settings).fit(X[order], y[order])
    np.testing.assert_array_equal(one.beta_[order], shuffled.beta_)
    names = np.array(["bad", "good"])[y]
    named = FGAClassifier(n_jobs=2, **settings).fit(X, names)
    np.testing.assert_array_equal(one.beta_, named.beta_)
    np.testing.assert_array_equal(np.array(["bad", "good"])[one.predict(X)], named.predict(X))


def test_a_weight_counts_rows():
    """A row of weight 2 stands there twice, one of weight 0 is absent."""
    X, y = table(60)
    times = np.random.default_rng(4).integers(0, 3, len(y))
    settings = {"gamma": 3.0, "monotonic_cst": [1, -1, 0, 0]}
    weighted = FGAClassifier(**settings).fit(X, y, sample_weight=times)
    repeated = FGAClassifier(**settings).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(np.repeat(weighted.beta_, times), repeated.beta_, atol=1e-10)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-10)


def test_columns_by_name_are_columns_by_position():
    """A list, positions, names, a Series; pandas and polars: the same model."""
    X, y = table(60)
    names = ["income", "debt", "age", "height"]
    frame = pd.DataFrame(X, columns=names)
    by_name = {"debt": -1, "income": 1}
    expected = FGAClassifier(monotonic_cst=[1, -1, 0, 0]).fit(X, y).beta_
    for given_, data in (
        ({0: 1, 1: -1}, X),
        (np.array([1, -1, 0, 0]), X),
        (by_name, frame),
        (pd.Series(by_name), frame),
        ({0: 1, "debt": -1}, frame),
        (by_name, pl.DataFrame(X, schema=names)),
    ):
        np.testing.assert_array_equal(FGAClassifier(monotonic_cst=given_).fit(data, y).beta_, expected)


def test_clones_and_pickles():
    """The parameter is kept as it was given, and the fitted model survives."""
    X, y = table(60)
    clf = FGAClassifier(monotonic_cst={0: 1, 1: -1}).fit(X, y)
    assert clone(clf).get_params()["monotonic_cst"] == {0: 1, 1: -1}
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(clf)).predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc"])
def test_choosing_gamma_is_a_grid_search(scoring):
    """The same scores, and the same gamma, with the settings of the search and the folds of scikit-learn."""
    X, y = table()
    gammas, directions, folds = [0.5, 2.0, 5.0, 20.0], {0: 1, 1: -1}, StratifiedKFold(5)
    ours = FGAClassifierCV(gammas=gammas, cv=folds, scoring=scoring, monotonic_cst=directions).fit(X, y)
    plain = FGAClassifier(metric="learned", scale="auto", class_weight="balanced", monotonic_cst=directions)
    grid = GridSearchCV(plain, {"gamma": gammas}, cv=folds, scoring=scoring).fit(X, y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], grid.cv_results_["mean_test_score"], atol=1e-12)
    assert ours.gamma_ == grid.best_params_["gamma"]
    np.testing.assert_array_equal(ours.predict(X), grid.predict(X))


def test_the_path_goes_through_every_fit():
    """The exact path of the directed problem, at any gamma."""
    X, y = table(80)
    path = fgac.path(X, y, monotonic_cst=[1, -1, 0, 0])
    for gamma in (0.5, 0.77, 1.3, 4.0, 30.0):
        fitted = FGAClassifier(gamma=gamma, monotonic_cst=[1, -1, 0, 0]).fit(X, y)
        np.testing.assert_allclose(path.beta(gamma), fitted.beta_, atol=1e-9)
    assert path.classifier(1.3).solution_.is_optimal()


def test_the_audit_blames_a_row_that_is_dominated():
    """A row that is worse than another in everything, and has the better label, is contradicted by it."""
    X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    clf = FGAClassifier(gamma=100.0, monotonic_cst=[1]).fit(X, ["no", "yes", "no", "no", "yes", "yes"])
    suspect = fgac.audit(clf)[0]
    assert suspect.id == 1
    assert suspect.suggestion == "no"
    assert {row.id for row in suspect.contradicted_by} == {2, 3}
    assert all(row.distance == 0.0 for row in suspect.contradicted_by)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ([1, -1], r"shape \(2,\) but the input data X has 4 features"),
        ([1, 2, 0, 0], "holds 2"),
        (["up", 0, 0, 0], "holds 'up'"),
        ({"wealth": 1}, "'wealth', which is no column"),
        ({7: 1}, "7, which is no column"),
    ],
)
def test_wrong_directions_are_refused(given_, message):
    """Errors say what is wrong."""
    X, y = table(20)
    with pytest.raises(ValueError, match=message):
        FGAClassifier(monotonic_cst=given_).fit(X, y)


def test_what_has_no_order_is_refused():
    """Nominal columns, metrics that see no columns, and three classes."""
    X, y = table(20)
    with pytest.raises(ValueError, match="nominal: names have no order"):
        FGAClassifier(monotonic_cst=[1, -1, 0, 1], categorical_features=NOMINAL).fit(X, y)
    for metric in ("precomputed", lambda A, B: np.abs(A[:, None] - B[None]).sum(axis=2)):
        with pytest.raises(ValueError, match="monotonic_cst needs a metric that looks at single columns"):
            FGAClassifier(monotonic_cst={0: 1}, metric=metric).fit(X, y)
    with pytest.raises(ValueError, match="FGAOrdinalClassifier"):
        FGAClassifier(monotonic_cst={0: 1}).fit(X, np.arange(20) % 3)
