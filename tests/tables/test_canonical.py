"""Rows numbered by what they hold: neither their order nor the names of classes matter."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fgac.tables.canonical import canonical_order, distance_numbers, nameless_classes, row_numbers
from fgac.tables.column_values import CategoricalColumn, NumericColumn


@st.composite
def tables(draw):
    """Return a few columns with ties and unknown values, classes and weights, and another order of the rows."""
    n = draw(st.integers(1, 12))
    numbers = draw(st.lists(st.sampled_from([0.0, -0.0, 1.5, np.nan]), min_size=n, max_size=n))
    codes = draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    weight = draw(st.lists(st.sampled_from([1.0, 2.5]), min_size=n, max_size=n))
    order = draw(st.permutations(range(n)))
    return np.array(numbers), np.array(codes), np.array(labels), np.array(weight), np.array(order)


def numbered(numbers, codes, names=("x", "y", "z")):
    """Return the numbers of rows."""
    return row_numbers([NumericColumn(numbers), CategoricalColumn(codes, names)])


@given(tables())
def test_the_order_of_rows_and_the_names_of_classes_do_not_matter(case):
    """Rows that stand at the same place are equal in everything."""
    numbers, codes, labels, weight, order = case
    found, turned = numbered(numbers, codes), numbered(numbers[order], codes[order])
    np.testing.assert_array_equal(found[order], turned)
    classes = nameless_classes(found, labels, weight)
    names = np.array(["m", "c", "z"])[labels]
    others = nameless_classes(turned, names[order], weight[order])
    one, other = canonical_order(found, classes, weight), canonical_order(turned, others, weight[order])
    rows = np.column_stack([np.nan_to_num(numbers, nan=9.0), codes, weight])
    np.testing.assert_array_equal(rows[one], rows[order][other])
    np.testing.assert_array_equal(classes[one], others[other])


@given(tables())
def test_equal_rows_have_one_number_and_others_have_others(case):
    numbers, codes, *_ = case
    values = [(9.0 if np.isnan(x) else x + 0.0, code) for x, code in zip(numbers, codes, strict=True)]
    found = numbered(numbers, codes)
    for i, one in enumerate(values):
        for j, other in enumerate(values):
            assert (found[i] == found[j]) == (one == other)
            assert (found[i] < found[j]) == ((one[0], one[1] % 4) < (other[0], other[1] % 4)), "unknown comes last"


def test_categories_count_by_their_texts_not_by_their_codes():
    """Codes come from the order in which categories were seen, or from their type."""
    one = row_numbers([CategoricalColumn(np.array([0, 1, 1]), ("red", "blue"))])
    other = row_numbers([CategoricalColumn(np.array([1, 0, 0]), ("blue", "red"))])
    np.testing.assert_array_equal(one, other)


def test_classes_that_hold_the_same_rows_have_different_numbers():
    assert sorted(nameless_classes(np.array([0, 0]), np.array(["a", "b"]), np.ones(2))) == [0, 1]


def test_distances_number_rows_whichever_stand_first():
    points = np.random.default_rng(0).random((9, 2))
    distances = np.abs(points[:, None] - points).sum(axis=2)
    order = np.random.default_rng(1).permutation(9)
    found = distance_numbers(distances)
    np.testing.assert_array_equal(found[order], distance_numbers(distances[np.ix_(order, order)]))
    assert sorted(found) == list(range(9))
