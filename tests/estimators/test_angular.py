"""Models of directions: what is promised of every distance holds for angles, in every use that a model has."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

import fgac
from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, FGARegressorCV, FRNNClassifier
from support.angles import angles, on_sphere
from support.oracles import (
    NaiveModel,
    beta_oracle,
    difference_oracle,
    highs,
    ordered_pairs,
    training_violation,
    two_copies_oracle,
)
from support.property_tests import examples
from support.strategies import queries, table_cases


def directed(case):
    """Return the rows of a case around 0, so that all directions, opposite rows and rows of zeros are there."""
    return case.X - 1.0


@examples(40)
@given(case=table_cases())
def test_beta_is_the_optimum_that_a_general_solver_finds(case):
    """Of any number of classes, with weights, rows of zeros, multiples and opposite rows."""
    X = directed(case)
    model = FGAClassifier(metric="angular", gamma=case.gamma).fit(X, case.y, sample_weight=case.weights)
    D = angles(X, X)
    for oracle in (beta_oracle, two_copies_oracle):
        np.testing.assert_allclose(model.beta_, oracle(D, case.y, case.gamma, case.weights), atol=1e-7)
    assert training_violation(model.beta_, D, case.y, case.gamma) <= 1e-9
    solution = model.solution_
    assert solution.is_optimal()
    assert solution.rounding < 1e-12
    assert solution.rounding > 0 or not X.any(axis=1).all()  # rows of zeros are exact


@examples(30)
@given(case=table_cases())
def test_predictions_are_those_of_the_paper(case):
    """Bounds that do not cross, degrees and labels, from distances computed pair by pair."""
    X, Q = directed(case), queries(3, n=15) - 1.0
    model = FGAClassifier(metric="angular", gamma=case.gamma).fit(X, case.y, sample_weight=case.weights)
    naive = NaiveModel(model.beta_, case.y, angles(X, X), case.gamma)
    found, to_training = model.memberships(Q), angles(Q, X)
    np.testing.assert_allclose(found.lower, naive.lower(to_training), atol=1e-9)
    np.testing.assert_allclose(found.upper, naive.upper(to_training), atol=1e-9)
    assert (found.lower <= found.upper + 1e-12).all()
    acceptable = naive.acceptable(to_training)
    predicted = np.searchsorted(model.classes_, model.predict(Q))
    assert acceptable[np.arange(len(Q)), predicted].all()


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_numbers_are_the_optimum_that_a_general_solver_finds(loss):
    X, _ = on_sphere(40, 6, seed=3)
    X[0] = 0.0
    y = X[:, 0] / np.maximum(1e-9, np.linalg.norm(X, axis=1)) + 0.2 * np.random.default_rng(0).normal(size=40)
    model = FGARegressor(metric="angular", gamma=1.5, loss=loss).fit(X, y)
    assert model.solution_.is_optimal()
    tail, head = ordered_pairs(40)
    bound = 1.5 * np.ptp(y) * angles(X, X)[tail, head]
    if loss == "squared_error":
        np.testing.assert_allclose(model.fitted_values_, difference_oracle(y, tail, head, bound), atol=1e-7)
    else:
        best = highs(y, np.ones(40), 1.0, 1.0, tail, head, bound)
        assert np.abs(model.fitted_values_ - y).sum() == pytest.approx(best, abs=1e-7)


def test_many_columns_are_solved_and_proved():
    X, y = on_sphere(300, 300, n_classes=4, seed=1, spread=1.2)
    model = FGAClassifier(metric="angular", gamma=4.0).fit(X, y)
    assert model.solution_.is_optimal()
    assert training_violation(model.beta_, distances(X), y, 4.0) <= 1e-10
    assert model.score(*on_sphere(300, 300, n_classes=4, seed=1, spread=1.2)) == 1.0


def distances(X):
    """Return angles by the arccosine, which is good to 1e-8 for all but small ones."""
    units = X / np.linalg.norm(X, axis=1, keepdims=True)
    return np.arccos(np.clip(units @ units.T, -1.0, 1.0)) / np.pi


def test_only_directions_count():
    """Rows of any length give the same model and the same predictions."""
    X, y = on_sphere(80, 10, seed=0)
    Q, _ = on_sphere(40, 10, seed=1)
    lengths = 10.0 ** np.random.default_rng(0).uniform(-60, 60, (80, 1))
    one = FGAClassifier(metric="angular", gamma=4.0).fit(X, y)
    other = FGAClassifier(metric="angular", gamma=4.0).fit(lengths * X, y)
    np.testing.assert_allclose(other.beta_, one.beta_, atol=1e-9)
    np.testing.assert_allclose(other.memberships(1e9 * Q).degree, one.memberships(Q).degree, atol=1e-9)


def test_the_order_of_rows_does_not_matter():
    X, y = on_sphere(80, 10, seed=0)
    order = np.random.default_rng(0).permutation(80)
    one, other = (FGAClassifier(metric="angular", gamma=4.0).fit(X[each], y[each]) for each in (np.arange(80), order))
    np.testing.assert_allclose(other.beta_, one.beta_[order], atol=1e-12)


@pytest.mark.parametrize(
    "setting", [{"owa": "additive"}, {"isomorphism": 2.0}, {"isomorphism": 0.5}, {"n_neighbors": 5}]
)
def test_variants(setting):
    X, y = on_sphere(60, 5, seed=2)
    model = FGAClassifier(metric="angular", gamma=3.0, **setting).fit(X, y)
    assert model.solution_.is_optimal()
    bounds = model.memberships(on_sphere(30, 5, seed=3)[0])
    assert (bounds.lower <= bounds.upper + 1e-12).all()


def test_the_gamma_path_is_that_of_single_fits():
    X, y = on_sphere(50, 5, n_classes=2, seed=2, spread=1.5)
    X[:2], X[2] = 3.0 * X[4:6], 0.0
    path = fgac.path(X, y, metric="angular", gamma_min=0.7)
    for gamma in (0.8, 2.0, 9.0, 40.0):
        expected = FGAClassifier(metric="angular", gamma=gamma).fit(X, y)
        np.testing.assert_allclose(path.beta(gamma), expected.beta_, atol=1e-9)
    assert path.solution(2.0).is_optimal()


MODELS = {
    "classes": FGAClassifier(gamma=4.0),
    "search": FGAClassifierCV(gammas=[2.0, 5.0], cv=3),
    "path": FGAClassifierCV(gammas="path", cv=2, class_weight=None),
    "order": FGAOrdinalClassifier(gamma=4.0),
    "neighbours": FRNNClassifier(n_neighbors=5),
    "numbers": FGARegressor(gamma=2.0, interval=0.8),
    "search for numbers": FGARegressorCV(gammas=[1.0, 3.0], cv=3),
}


@pytest.mark.parametrize("name", MODELS)
def test_every_estimator(name):
    """It predicts, and its copies predict the same."""
    X, y = on_sphere(60, 6, n_classes=2, seed=4)
    target = X[:, 0] / np.linalg.norm(X, axis=1) if "numbers" in name else y
    X[3, 2] = np.nan
    model = clone(MODELS[name]).set_params(metric="angular").fit(X, target)
    assert model.score(X, target) > 0.8
    for copy in (pickle.loads(pickle.dumps(model)), clone(model).fit(X, target)):
        np.testing.assert_array_equal(copy.predict(X), model.predict(X))


def test_audits_name_the_rows_that_contradict():
    X, y = on_sphere(80, 10, seed=0, spread=0.4)
    y[7] = (y[7] + 1) % 3
    suspects = fgac.audit(FGAClassifier(metric="angular", gamma=3.0).fit(X, y))
    assert suspects[0].index == 7
    assert "contradict" in suspects.text()


def test_evaluation_beside_nearest_neighbours():
    """These have the same nearest rows, rows of zeros included."""
    X, y = on_sphere(90, 10, seed=0)
    X[::9] = 0.0
    found = fgac.evaluate(FGAClassifier(metric="angular"), X, y, gamma=4.0, n_folds=3)
    assert found.fgac.accuracy.mean > 0.8
    assert found.neighbours.accuracy.mean > 0.8


def test_in_a_pipeline():
    """The caller's columns have radii in their own units."""
    X, y = on_sphere(60, 4, seed=5)
    frame = pd.DataFrame(100.0 * X, columns=list("abcd"))
    model = make_pipeline(MaxAbsScaler(), FGAClassifier(metric="angular", gamma=3.0)).fit(frame, y)
    for one in fgac.explain(model, frame[:10]):
        row = frame.iloc[one.index]
        for feature in one.attributes:
            for sign in (-1, 1):
                step = 1e6 if feature.radius is None else 0.9999 * feature.radius
                moved = row.to_frame().T.assign(**{feature.name: row[feature.name] + sign * step})
                assert one.certified_radius < 1e-6 or model.predict(moved)[0] == one.prediction
