"""Columns that have been read: cutting, repeating and looking up rows of numbers and of categories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.tables.column_values import CategoricalColumn, NumericColumn
from fgac.tables.frames import read_categories, read_numbers

COLOURS = np.array(["red", "green", "blue", "green"], dtype=object)


def test_numbers():
    column = read_numbers(np.array([3, 5, 4]), "size")
    assert not column.is_categorical
    assert (len(column), column.value(1)) == (3, 5.0)
    assert column[[2, 0]].values.tolist() == [4.0, 3.0]
    assert column[[1]].repeat(2).values.tolist() == [5.0, 5.0]


def test_numbers_are_not_copied_before_they_are_kept():
    values = np.array([1.0, 2.0])
    column = read_numbers(values, "size")
    assert column.values is values
    assert not np.shares_memory(column.to_array(), values)


def test_categories():
    column = read_categories(COLOURS)
    assert column.is_categorical
    assert (len(column), column.value(2)) == (4, "blue")
    assert column.to_array().tolist() == COLOURS.tolist()
    assert column[[1]].repeat(3).to_array().tolist() == ["green"] * 3


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), st.data())
def test_cut_columns_know_only_the_categories_they_have(values, data):
    """A fold must not know of categories that only the rows held out have."""
    rows = data.draw(st.lists(st.integers(0, len(values) - 1), min_size=1, max_size=12))
    cut = read_categories(np.array(values, dtype=object))[rows]
    assert cut.to_array().tolist() == [values[i] for i in rows]
    assert sorted(cut.categories) == sorted({values[i] for i in rows})


@pytest.mark.parametrize(
    ("column", "unknown", "is_usable"),
    [
        (NumericColumn(np.array([1.0, 2.0])), [False, False], True),
        (NumericColumn(np.array([1.0, np.inf])), [False, False], False),
        (NumericColumn(np.array([np.nan, 2.0])), [True, False], True),
        (NumericColumn(np.array([np.nan, np.inf])), [True, False], False),
        (CategoricalColumn(np.array([0, 0]), ("a",)), [False, False], True),
        (read_categories(np.array(["a", None], dtype=object)), [False, True], True),
        (CategoricalColumn.unknown_in(2), [True, True], True),
    ],
)
def test_what_is_unknown_and_what_is_of_no_use(column, unknown, is_usable):
    assert column.unknown.tolist() == unknown
    assert column.is_usable() is is_usable
    assert [column.value(i) is None for i in range(2)] == unknown


def test_unknown_values_have_no_value():
    numbers, names = read_numbers(np.array([3.0, np.nan]), "size"), read_categories(np.array(["a", None], dtype=object))
    assert [numbers.value(0), numbers.value(1), names.value(0), names.value(1)] == [3.0, None, "a", None]
    assert numbers.known_values.tolist() == [3.0]
    assert names.to_array().tolist() == ["a", None]
    assert names[[1, 1]].categories == ()
    assert names[[1, 0]].repeat(2).to_array().tolist() == [None, None, "a", "a"]


def test_unusual_categories_are_shown_as_text():
    column = CategoricalColumn(np.array([0, 1, 2]), ((1, 2), np.int64(3), float("nan")))
    assert [column.value(i) for i in range(3)] == ["(1, 2)", 3, "nan"]
    assert column.to_array().tolist() == ["(1, 2)", 3, "nan"]
