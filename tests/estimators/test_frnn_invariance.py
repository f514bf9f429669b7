"""Fuzzy rough nearest neighbours: what must not matter, and where rows tie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

from fgac.estimators.frnn import FRNNClassifier
from support.neighbours import FAMILIES, NEIGHBOURS, Q, assert_close, rms
from support.property_tests import examples
from support.strategies import table_cases

SETTINGS = [
    {},
    {"n_neighbors": 1},
    {"n_neighbors": 3, "owa": "exponential"},
    {"owa": "inverse_additive", "metric": "chebyshev"},
    {"owa": None, "scale": "robust"},
]


@pytest.mark.parametrize("parameters", SETTINGS)
@examples(15)
@given(case=table_cases())
def test_repetition_is_weight(case, parameters):
    """A row of weight 3 is the row three times: the same approximations, labels and ties."""
    times = case.weights.astype(int)
    weighted = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y, sample_weight=case.weights)
    repeated = clone(weighted).fit(np.repeat(case.X, times, axis=0), np.repeat(case.y, times))
    assert_close(weighted.memberships(Q), repeated.memberships(Q), atol=1e-12)
    np.testing.assert_array_equal(weighted.predict(Q), repeated.predict(Q))


@examples(15)
@given(table_cases())
def test_repetition_is_weight_in_a_matrix(case):
    """The same where rows are known by their distances only, and equal rows are not seen to be equal."""
    times = case.weights.astype(int)
    X = np.repeat(case.X, times, axis=0)
    model = FRNNClassifier(gamma=case.gamma, n_neighbors=4, metric="precomputed")
    weighted = clone(model).fit(rms(case.X, case.X), case.y, sample_weight=case.weights)
    repeated = clone(model).fit(rms(X, X), np.repeat(case.y, times))
    assert_close(weighted.memberships(rms(Q, case.X)), repeated.memberships(rms(Q, X)))


@pytest.mark.parametrize("parameters", SETTINGS)
@examples(15)
@given(case=table_cases())
def test_weight_zero_is_absence(case, parameters):
    """Rows of weight 0, an outlier and a class of its own among them, change nothing."""
    X = np.vstack([case.X, [[1000.0, -1000.0], [1.0, 1.0]]])
    y, weights = np.append(case.y, [0, 99]), np.append(case.weights, [0.0, 0.0])
    plain = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y, sample_weight=case.weights)
    padded = clone(plain).fit(X, y, sample_weight=weights)
    assert_close(padded.memberships(Q), plain.memberships(Q), atol=0.0)
    np.testing.assert_array_equal(padded.predict(Q), plain.predict(Q))


def test_heavy_rows_cost_no_memory():
    """A million repetitions are counted, not made."""
    heavy = FRNNClassifier(n_neighbors=2).fit([[0.0], [1.0]], [0, 1], sample_weight=[10**6, 3 * 10**6])
    np.testing.assert_allclose(heavy.memberships([[0.25]]).upper, [[0.75, 0.25]])


@pytest.mark.parametrize("parameters", SETTINGS)
@examples(15)
@given(case=table_cases(), random=st.randoms(use_true_random=False))
def test_order_of_rows(case, random, parameters):
    """Shuffled rows: the same approximations and labels."""
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    plain = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y)
    shuffled = clone(plain).fit(case.X[order], case.y[order])
    assert_close(shuffled.memberships(Q), plain.memberships(Q), atol=0.0)
    np.testing.assert_array_equal(shuffled.predict(Q), plain.predict(Q))


@pytest.mark.parametrize("names", [["f", "e", "d", "c", "b", "a"], ["b", "d", "a", "f", "c", "e"]])
@pytest.mark.parametrize("parameters", SETTINGS)
@examples(15)
@given(case=table_cases())
def test_names_of_classes(case, names, parameters):
    """Renamed classes: the same approximations and labels, ties included, if there is anything to tell them by."""
    contents = [sorted(map(tuple, case.X[case.y == k])) for k in np.unique(case.y)]
    assume(all(contents.count(rows) == 1 for rows in contents))
    names = np.array(names)
    plain = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y)
    renamed = clone(plain).fit(case.X, names[case.y])
    columns = np.searchsorted(renamed.classes_, names[plain.classes_])
    assert_close([part[:, columns] for part in renamed.memberships(Q)], plain.memberships(Q))
    np.testing.assert_array_equal(renamed.predict(Q), names[plain.predict(Q)])


LETTERS = np.array(["a", "a", "a", "b", "b", "b"])
SIDES = np.array([[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]])


@pytest.mark.parametrize("k", NEIGHBOURS)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("labels", [LETTERS, LETTERS[::-1]], ids=["letters", "swapped"])
def test_a_far_row_goes_to_the_class_on_its_side(labels, family, k):
    """It resembles nothing, so both degrees are 1/2, but one class is nearer."""
    model = FRNNClassifier(owa=family, n_neighbors=k).fit(SIDES, labels)
    far = [[-1000.0], [1000.0]]
    np.testing.assert_array_equal(model.memberships(far).degree, np.full((2, 2), 0.5))
    np.testing.assert_array_equal(model.predict(far), [labels[0], labels[-1]])
    np.testing.assert_array_equal(model.decision_function(far) > 0, labels[[0, -1]] == "b")


def test_the_larger_class_wins_where_distances_cannot_tell():
    """At a place that both classes share."""
    model = FRNNClassifier().fit(np.zeros((3, 1)), ["a", "b", "b"])
    np.testing.assert_array_equal(model.predict([[0.0], [50.0]]), ["b", "b"])


@examples(15)
@given(table_cases())
def test_scores_and_probabilities_agree_with_predictions(case):
    """Their argmax is the prediction; probabilities are degrees brought to a sum of 1."""
    model = FRNNClassifier(gamma=case.gamma).fit(case.X, case.y)
    labels, proba, degree = model.predict(Q), model.predict_proba(Q), model.memberships(Q).degree
    np.testing.assert_array_equal(model.classes_[np.argmax(proba, axis=1)], labels)
    np.testing.assert_allclose(proba, degree / degree.sum(axis=1, keepdims=True), atol=1e-9)
    decision = model.decision_function(Q)
    chosen = (decision > 0).astype(int) if len(model.classes_) == 2 else np.argmax(decision, axis=1)
    np.testing.assert_array_equal(model.classes_[chosen], labels)
