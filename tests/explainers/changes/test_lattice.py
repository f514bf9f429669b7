"""Numbers in steps: decimals, whole numbers, dates and what callers give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.explainers.changes.cells import Cells, Tree, nearest_place
from fgac.explainers.changes.lattice import Lattice
from fgac.tables.columns import Column
from support.property_tests import examples

ENDS = st.floats(-1e12, 1e12, allow_subnormal=False)


@examples(200)
@given(ENDS, ENDS)
def test_numbers_fill_the_range_in_small_steps(one, other):
    least, most = sorted((one, other))
    if least == most:
        return
    lattice = Lattice.of("number", least, most)
    first, last = lattice.ends
    numbers = lattice.numbers(np.array([first, first + 1, last - 1, last]))
    assert numbers[0] == least
    assert numbers[-1] == most
    assert (np.diff(numbers[:2]) <= 1.001e-6 * (most - least)).all()
    assert (numbers >= least).all()
    assert (numbers <= most).all()
    middle = 0.5 * least + 0.5 * most
    assert abs(lattice.number(nearest_place(lattice, middle)) - middle) <= 1e-6 * (most - least)


@pytest.mark.parametrize(
    ("least", "most"), [(1e-320, 2e-320), (-1e300, 1e300), (1e15, 1e15 + 1), (0.0, 5e-324), (-3e-200, 7e-200)]
)
def test_ranges_at_the_ends_of_what_floats_hold(least, most):
    lattice = Lattice.of("number", least, most)
    numbers = lattice.numbers(np.array(lattice.ends))
    assert np.isfinite(numbers).all()
    assert least <= numbers[0] <= numbers[1] <= most


def test_numbers_are_decimals():
    """What is told has few digits, and not those of a sum of steps."""
    lattice = Lattice.of("number", 0.3, 7.7)
    assert lattice.number(1234567) == 1.234567
    steps = Lattice.in_steps(0.0, 5.0, 2.4, 0.1)
    assert steps.number(-7) == 1.7
    assert steps.ends == (-24, 26)
    assert steps.number(-24) == 0.0


def test_numbers_keep_to_the_decimals_of_training_rows():
    marks = np.arange(300) / 10
    assert Lattice.of("number", 0.0, 29.9, marks).step == 0.1
    assert Lattice.of("number", 0.0, 29.9, marks[:10]).step == 1e-5  # too few to tell
    assert Lattice.of("number", 0.0, 29.9, np.append(marks, 0.125)).step == 1e-3
    assert Lattice.of("number", 0.0, 29.9, np.append(marks, 1 / 3)).step == 1e-5
    assert Lattice.of("duration", 0.0, 29.9, marks).step == 1e-5  # tenths of days are none that people have


@examples(100)
@given(st.integers(1, 5), st.lists(st.integers(-(10**6), 10**6), min_size=30, max_size=60, unique=True))
def test_all_numbers_of_training_rows_can_be_changed_to(digits, whole):
    seen = np.array(whole) / 10.0**digits
    lattice = Lattice.of("number", float(seen.min()), float(seen.max()), seen)
    assert [lattice.number(nearest_place(lattice, number)) for number in seen.tolist()] == seen.tolist()


def test_whole_numbers_days_and_seconds():
    assert Lattice.of("whole", -2.0, 3.0).ends == (-2, 3)
    assert Lattice.of("date", 19723.0, 19730.0).numbers(np.array([19725])).tolist() == [19725.0]
    moments = Lattice.of("moment", 19723.0, 19724.0)
    assert moments.number(nearest_place(moments, 19723.25)) == pytest.approx(19723.25)


class Plain:
    """Moves of one column that counts as it is."""

    def moved_each(self, j, here, there):
        """Return the differences."""
        return np.abs(there - here)


@examples(50)
@given(st.integers(1, 3000), st.booleans())
def test_cells_hold_every_place_once(n, by_rank):
    """A cell, its middle left out, is its children; all places are within its reach."""
    ranks = ((0.0, 1.0, n * 0.5, float(n)), (0.1, 0.2, 0.8, 0.9)) if by_rank and n > 2 else None
    column, cells = Column("a", ranks=ranks), Cells()
    queue, seen = cells.plant([Tree(Plain(), 0, column, Lattice.of("whole", 0.0, float(n)), 1.0)]), []
    while len(queue):
        low, middle, high = np.array([cells.places[c] for c in queue]).T
        assert (low <= middle).all()
        assert (middle <= high).all()
        np.testing.assert_array_equal(cells.numbers[queue], np.column_stack([low, middle, high]))
        reach = cells.reach(queue)
        assert (cells.least_reach[queue] <= reach + 1e-12).all()
        for end in (low, high):
            assert (np.abs(column.scaled(end) - column.scaled(middle)) <= reach + 1e-12).all()
        seen += middle.tolist()
        children = cells.children(queue).ravel()
        queue = children[children >= 0]
    assert sorted(seen) == list(range(n + 1))
