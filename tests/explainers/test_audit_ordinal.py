"""The audit of ordered classes has what that of classes has: rows held out, doubts of all rows, pages."""

import numpy as np
import pytest

from fgac import FGAClassifierCV, FGAOrdinalClassifier, FGAOrdinalClassifierCV, audit, load_model, save_model
from fgac.estimators._state import state_of
from fgac.explainers.audit import doubts

ORDER = ["poor", "fair", "good"]
WRONG = 7  # a row of the lowest class that is labelled with the highest
PLAIN = {"metric": "manhattan", "gammas": [2.0, 5.0], "class_order": ORDER}


def graded(n=90, seed=1):
    """Return rows, the column that rises with their grades first, and grades, one of them wrong."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.linspace(0, 1, n) + 0.02 * rng.standard_normal(n), rng.random(n)])
    y = np.array(ORDER)[np.digitize(np.linspace(0, 1, n), [0.33, 0.66])]
    y[WRONG] = "good"
    return X, y


@pytest.fixture(scope="module")
def found():
    """Return a model that has chosen gamma."""
    return FGAOrdinalClassifierCV(**PLAIN).fit(*graded())


def test_boundaries_know_the_probability_of_the_own_side(found):
    """Of two classes it is about what a classifier knows; of more, it never contradicts the next boundary."""
    X, y = graded()
    lower, upper = (boundary.held_out for boundary in state_of(found).boundaries)
    assert ((lower >= 0) & (lower <= 1)).all()
    # At least good is at least fair: for the lowest class the lower boundary is harder, for the highest the upper.
    assert (lower[y == "poor"] <= upper[y == "poor"] + 1e-8).all()
    assert (upper[y == "good"] <= lower[y == "good"] + 1e-8).all()
    two = np.where(y == "good", "good", "fair")
    settings = {**PLAIN, "class_order": ["fair", "good"]}
    ordered = FGAOrdinalClassifierCV(**settings).fit(X, two)
    plain = FGAClassifierCV(metric="manhattan", gammas=PLAIN["gammas"]).fit(X, two)
    assert ordered.gamma_ == plain.gamma_
    np.testing.assert_allclose(state_of(ordered).boundaries[0].held_out, state_of(plain).held_out, atol=0.02)


def test_they_count_by_default_and_find_the_wrong_label(found):
    assert audit(found) == audit(found, by="held_out") != audit(found, by="rest")
    assert [each.audit[0].id for each in audit(found, 1)] == [WRONG, WRONG]
    assert all(suspect.held_out < 0.5 for each in audit(found, 1) for suspect in each.audit)
    assert doubts(found).argmax() == WRONG


@pytest.mark.parametrize("by", ["membership", "rest", "held_out"])
def test_the_doubt_of_a_row_is_the_largest_at_any_boundary(found, by):
    of_each = np.array([doubts(boundary, by=by) for boundary in found.boundaries_])
    np.testing.assert_array_equal(doubts(found, by=by), of_each.max(axis=0))


def test_a_single_class_has_no_doubts():
    model = FGAOrdinalClassifier().fit([[0.0], [1.0], [2.0]], [1, 1, 2], sample_weight=[1.0, 1.0, 0.0])
    np.testing.assert_array_equal(doubts(model), [0.0, 0.0, np.nan])


def test_rows_without_weight_have_none():
    X, y = graded()
    weight = np.where(np.arange(len(y)) == 3, 0.0, 1.0)
    model = FGAOrdinalClassifierCV(**PLAIN).fit(X, y, weight)
    for boundary in state_of(model).boundaries:
        assert np.flatnonzero(np.isnan(boundary.held_out)).tolist() == [3]


def test_files_keep_them(found, tmp_path):
    save_model(found, tmp_path / "model.fgac")
    assert audit(load_model(tmp_path / "model.fgac")) == audit(found)


def test_pages_have_a_table_for_every_boundary(found, tmp_path):
    audit(found, 3).to_html(tmp_path / "audit.html", title="Grades & doubts")
    page = (tmp_path / "audit.html").read_text()
    assert "<h1>Grades &amp; doubts</h1>" in page
    for words in ("<h3>Is it fair or above?", "<h3>Is it good?", "<b>6</b> labels listed", "<th>Held out"):
        assert words in page
    fragment = audit(found, 3)._repr_html_()
    assert fragment.count('<table class="suspects">') == 2
    assert "<script" not in fragment
