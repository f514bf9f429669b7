"""The model behind explanations: what it was trained on, how, and its proof, for every kind of model."""

import numpy as np
import pytest

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGAOrdinalClassifierCV, FGARegressor
from fgac.estimators._state import state_of
from fgac.explainers.summary import summarise

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 5.0], [4.0, 3.0], [5.0, 4.0]])
GRADES = ["low", "low", "low", "mid", "mid", "top"]


def test_sizes_of_classes_and_of_ordered_classes_are_the_same():
    """Ordered classes are counted by the rows above each boundary."""
    plain = summarise(state_of(FGAClassifier().fit(X, GRADES)))
    ordered = summarise(state_of(FGAOrdinalClassifier(class_order=["low", "mid", "top"]).fit(X, GRADES)))
    assert plain.classes == ordered.classes == ("low", "mid", "top")
    assert plain.class_sizes == ordered.class_sizes == (3, 2, 1)
    assert plain.n_rows == ordered.n_rows == 6
    assert plain.n_features == ordered.n_features == 2


@pytest.mark.parametrize("kind", [FGAClassifier, FGAOrdinalClassifier])
def test_rows_of_weight_zero_do_not_count(kind):
    found = summarise(state_of(kind().fit(X, GRADES, sample_weight=[1, 0, 1, 1, 1, 1])))
    assert (found.n_rows, found.class_sizes) == (5, (2, 2, 1))


def test_one_ordered_class_is_proved_by_nothing():
    found = summarise(state_of(FGAOrdinalClassifier().fit(X, [3] * 6)))
    assert (found.classes, found.class_sizes, found.n_rows) == ((3,), (6,), 6)
    assert (found.is_optimal, found.largest_violation, found.dual_residual, found.duality_gap) == (True, 0.0, 0.0, 0.0)


def test_the_weakest_proof_of_all_boundaries_counts():
    clf = FGAOrdinalClassifier(class_order=["low", "mid", "top"]).fit(X, GRADES)
    found = summarise(state_of(clf))
    assert found.is_optimal
    assert found.largest_violation == max(s.largest_violation for s in clf.solutions_)
    assert found.duality_gap == max(abs(s.duality_gap) for s in clf.solutions_)


def test_numbers_have_a_range():
    found = summarise(state_of(FGARegressor(gamma=2.0).fit(X, [3.0, 7.0, 5.0, 4.0, 6.0, 6.5])))
    assert (found.least, found.most, found.n_rows, found.gamma, found.settings) == (3.0, 7.0, 6, 2.0, {})
    assert found.is_optimal


def test_settings_are_those_of_the_plain_model_as_it_was_fitted():
    """How gamma was chosen is none, nor is what was set after the fit."""
    clf = FGAClassifier(gamma=2.0, metric="manhattan", feature_weights=np.array([1, 2]), ties="nearest").fit(X, GRADES)
    clf.set_params(scale=None)
    assert summarise(state_of(clf)).settings == {"metric": "manhattan", "feature_weights": [1, 2]}
    halves = [(np.arange(6), np.arange(6))]
    for chooser in (FGAClassifierCV(gammas=[1.0], cv=halves), FGAOrdinalClassifierCV(gammas=[1.0], cv=halves)):
        found = summarise(state_of(chooser.fit(X, GRADES))).settings
        assert found == {"metric": "learned", "class_weight": "balanced"}
