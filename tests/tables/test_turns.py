"""How far the direction of a row turns when one column changes: held against the angles themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.tables.table import learn_table
from fgac.tables.turns import Turns
from support.angles import angle
from support.property_tests import examples

NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-10, 10, allow_nan=False, allow_subnormal=False))
ROWS = st.lists(st.one_of(NUMBERS, st.none()), min_size=1, max_size=5)
JUST_UNDER, JUST_OVER = 1 - 1e-6, 1 + 1e-6


def table_of(p, weights=None, scale=None):
    """Return a table of p columns whose ranges are 1, 2, 3, ..."""
    X = np.outer([1.0, 2.0], np.arange(1.0, p + 1))
    return learn_table(
        X,
        metric="angular",
        scale=scale,
        categorical_features=None,
        feature_weights=weights,
        sample_weight=np.ones(2),
    )[0]


def coordinates(table, values):
    """Return what the columns of a row count, unknown ones nothing."""
    known = [0.0 if value is None else value for value in values]
    return np.array([c.weight * x / c.scale for c, x in zip(table.columns, known, strict=True)])


@pytest.mark.parametrize("scale", [None, "range"])
@examples(200)
@given(values=ROWS, data=st.data())
def test_moved_is_the_angle(scale, values, data):
    """For any change of any column, of rows of zeros and of single columns too."""
    table = table_of(len(values), np.arange(1.0, len(values) + 1), scale)
    turns = Turns.of(table, values)
    for j, value in enumerate(values):
        there = data.draw(NUMBERS)
        changed = [*values[:j], there, *values[j + 1 :]]
        expected = angle(coordinates(table, values), coordinates(table, changed))
        here, end = (0.0 if each is None else each / table.columns[j].scale for each in (value, there))
        assert turns.moved(j, here, end) == pytest.approx(expected, rel=1e-9, abs=1e-12)
        if value is None:
            assert expected <= turns.moved_from_unknown(j)


@examples(300)
@given(values=ROWS, radius=st.one_of(st.floats(0.0, 1.2), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])))
def test_room_is_sharp(values, radius):
    """A little less turns the row by no more than the radius, a little more by more."""
    turns = Turns.of(table_of(len(values)), values)
    for j, value in enumerate(values):
        here = value or 0.0
        for way in (1, -1):
            room = turns.room(j, here, way, radius)
            assert room >= 0
            if np.isinf(room):
                for far in (1e-3, 1.0, 1e6, 1e12):
                    assert turns.moved(j, here, here + way * far) <= radius + 1e-12
                continue
            assert turns.moved(j, here, here + way * JUST_UNDER * room) <= radius + 1e-12
            beyond = here + way * (JUST_OVER * room + 1e-9)
            assert turns.moved(j, here, beyond) >= radius - 1e-9


def test_a_column_that_dominates():
    """Digits of what is left beside it are not lost."""
    turns = Turns.of(table_of(3), [1e12, 3e-3, 4e-3])
    assert turns.room(0, 1e12, -1, 1e-16) == pytest.approx(1e12 * (1 - 1 / (1 + np.pi * 1e-16 * 2e14)), rel=1e-9)
    assert turns.moved(0, 1e12, 0.5e12) == pytest.approx(5e-15 / np.pi, rel=1e-9)


def test_numbers_of_any_size():
    turns = Turns.of(table_of(2), [3e200, 4e200])
    assert turns.room(0, 3e200, 1, 0.5) == np.inf
    assert np.isfinite(turns.moved(0, 3e200, -1e308))


def test_a_column_without_weight_turns_nothing():
    turns = Turns.of(table_of(2, [1.0, 0.0]), [1.0, None])
    assert turns.moved(1, 0.0, 9.0) == 0.0
    assert turns.moved_from_unknown(1) == 0.0
    assert turns.step(1) == 0.0
