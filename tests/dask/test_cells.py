"""Rows go to the cells they lie in, and blocks tell what they hold, whatever the order of their rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.dask.blocks import column_of, joined_columns, object_kinds, tally
from fgac.dask.cells import cell_of, make_tree
from fgac.dask.learning import digests
from fgac.tables.column_values import CategoricalColumn, NumericColumn
from fgac.tables.reading import ReadTable

numbers = st.lists(st.sampled_from([0.0, -0.0, 1.0, 2.5, float("nan")]), max_size=12)


@given(first=numbers, second=numbers)
def test_a_column_is_what_its_tallies_say(first, second):
    weights = [np.arange(len(part)) % 3 + 1.0 for part in (first, second)]
    parts = [NumericColumn(np.array(part, dtype=float)) for part in (first, second)]
    column, weight = column_of([tally(part, w) for part, w in zip(parts, weights, strict=True)])
    whole = np.append(parts[0].values, parts[1].values)
    known = ~np.isnan(whole)
    assert len(column) == len(whole)
    expected = sorted(zip(whole[known], np.concatenate(weights)[known], strict=True))
    held = ~np.isnan(column.values)
    assert sorted(zip(column.values[held], weight[held], strict=True)) == expected


def test_categories_of_blocks_are_put_together():
    one = CategoricalColumn(np.array([0, 1, -1]), ("red", "blue"))
    other = CategoricalColumn(np.array([0, 0]), ("blue",))
    column, _ = column_of([tally(one, np.ones(3)), tally(other, np.ones(2))])
    assert sorted(map(str, column.to_array())) == ["None", "blue", "blue", "blue", "red"]
    assert joined_columns([one, other]).to_array().tolist() == ["red", "blue", None, "blue", "blue"]


def test_whole_numbers_that_floats_do_not_hold_are_known_across_blocks():
    parts = [NumericColumn(np.array([2.0**53]), 0.0, "whole"), NumericColumn(np.array([2.0**53 + 2]), 0.0, "whole")]
    assert column_of([tally(part, np.ones(1)) for part in parts])[0].rounding == 2.0


@given(seed=st.integers(0, 30), n_cells=st.integers(1, 9))
def test_equal_rows_are_in_one_cell(seed, n_cells):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 4, (60, 2)).astype(float)
    cells = cell_of(points, make_tree([points[:25]], n_cells))
    assert cells.min() >= 0
    assert cells.max() < n_cells
    for point in np.unique(points, axis=0):
        assert len(np.unique(cells[(points == point).all(axis=1)])) == 1


def test_cells_are_of_about_equal_size():
    points = np.random.default_rng(0).normal(size=(6000, 3))
    counts = np.bincount(cell_of(points, make_tree([points[:2000]], 7)), minlength=7)
    assert counts.min() > 600
    assert counts.max() < 1100


def test_rows_that_nothing_tells_apart_are_one_cell():
    assert cell_of(np.ones((5, 2)), make_tree([np.ones((5, 2))], 4)).tolist() == [0] * 5
    assert cell_of(np.empty((3, 0)), make_tree([np.empty((3, 0))], 4)).tolist() == [0] * 3


def test_digests_depend_on_what_a_row_holds():
    read = ReadTable(
        ["a", "b"], [NumericColumn(np.array([1.0, 1.0, np.nan])), CategoricalColumn(np.array([0, 1, -1]), ("x", "y"))]
    )
    other = ReadTable(
        ["a", "b"], [NumericColumn(np.array([np.nan, 1.0])), CategoricalColumn(np.array([-1, 0]), ("y",))]
    )
    first, second = digests(read, np.array(["u", "v", "u"])), digests(other, np.array(["u", "v"]))
    assert len(set(first.tolist())) == 3
    assert second.tolist() == [first[2], first[1]]


@pytest.mark.parametrize(
    ("values", "expected"), [([None, 3], (True, True)), ([None], (False, False)), (["a", 3], (True, False))]
)
def test_what_python_objects_are_is_asked_of_every_block(values, expected):
    assert object_kinds({"a": values}, ["a"]) == [expected]
