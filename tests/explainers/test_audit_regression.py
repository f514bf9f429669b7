"""The audit of a regressor: whose target the rest contradicts, and that it all adds up."""

import numpy as np
import pytest
from hypothesis import given

from fgac import FGARegressor, audit
from support.strategies import regression_cases

ROWS, TARGETS = [[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0]


@pytest.fixture(scope="module")
def four():
    """Return four rows on a line, of which the second and the third contradict each other."""
    return FGARegressor(gamma=2.0).fit(ROWS, TARGETS)


def test_contradicted_rows_of_four(four):
    """Two rows that pull each other, and who they are."""
    found = audit(four)
    assert found.n_rows == 4
    assert [(row.id, row.target, row.fitted) for row in found] == [(1, 20.0, 25.0), (2, 40.0, 35.0)]
    assert [row.size for row in found] == pytest.approx([0.125, 0.125])
    assert [(row.id, round(row.distance, 9), row.share) for row in found[0].contradicted_by] == [(2, 0.125, 1.0)]
    assert found.to_frame()["by_id"].tolist() == [2, 1]
    assert audit(four, 1).items == found.items[:1]
    words = (
        "Row 1 has the target 20, but is taken as 25: row 2 (target 40, taken as 35, distance 0.125) contradicts it."
    )
    assert str(audit(four, by="membership")[0]) == words
    assert str(found[0]) == f"{words} Row 1 is 2.0 times as far off as rows usually are."


@given(regression_cases())
def test_contradictions_are_the_rows_off_their_targets_and_forces_add_up(case):
    """Every row that is off is told, once, and pushed the way it went by somebody."""
    model = FGARegressor(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    found = audit(model, by="membership")
    off = np.abs(model.fitted_values_ - case.y) / (np.ptp(case.y) or 1.0)
    told = [name for row in found for name in (row.id, *row.alike)]
    assert sorted(told) == np.flatnonzero(off > 1e-9).tolist()
    assert [row.size for row in found] == pytest.approx(sorted((row.size for row in found), reverse=True))
    assert sorted(row.id for row in audit(model)) == sorted(row.id for row in found)
    for row in found:
        assert sum(other.share for other in row.contradicted_by) == pytest.approx(1.0)
        for other in row.contradicted_by:  # it is as far away as it may be, on the side of the target's opposite
            assert (other.fitted - row.fitted) * (row.fitted - row.target) >= -1e-9


def test_nothing_contradicts_targets_of_a_steep_model():
    """Then this is said."""
    found = audit(FGARegressor(gamma=100.0).fit(ROWS, TARGETS))
    assert len(found) == 0
    assert found.text() == "No training row contradicts the target of another."


@pytest.mark.parametrize("n_rows", [0, -1, 2.0, "3", True])
def test_wrong_numbers_of_rows_are_refused(four, n_rows):
    with pytest.raises(ValueError, match=r"n_rows=.* must be a whole number >= 1, or None for all contradicted rows"):
        audit(four, n_rows)
