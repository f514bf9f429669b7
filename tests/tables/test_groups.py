"""Folds and samples that keep together what belongs together, and what is refused as a group."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.tables.groups import check_groups, group_folds, nameless_groups, parted_fold, sample_of_groups
from support.property_tests import examples


def problem(seed, n_groups=30, n_classes=3, most_rows=12):
    """Return the groups and the classes of some rows; groups are of different sizes and mostly of one class."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), rng.integers(1, most_rows + 1, n_groups))
    usual = rng.integers(0, n_classes, n_groups)[groups]
    classes = np.where(rng.random(len(groups)) < 0.7, usual, rng.integers(0, n_classes, len(groups)))
    order = rng.permutation(len(groups))
    return groups[order], np.unique(classes[order], return_inverse=True)[1]


@examples(20)
@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(6, 40))
def test_folds_part_the_rows_and_no_group(seed, n_folds, n_groups):
    groups, classes = problem(seed, n_groups)
    folds = group_folds(groups, classes, n_folds)
    assert 2 <= len(folds) <= min(n_folds, n_groups)
    assert parted_fold(folds, groups) is None
    np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(len(groups)))
    for train, test in folds:
        np.testing.assert_array_equal(np.sort([*train, *test]), np.arange(len(groups)))


@pytest.mark.parametrize("seed", range(5))
def test_folds_have_about_the_same_size_and_classes(seed):
    groups, classes = problem(seed, n_groups=60)
    for _, test in group_folds(groups, classes, 5):
        np.testing.assert_allclose(np.bincount(classes[test]), np.bincount(classes) / 5, rtol=0.3)
    for _, test in group_folds(groups, np.zeros_like(groups), 5):
        assert len(test) == pytest.approx(len(groups) / 5, rel=0.1)


def test_another_seed_gives_other_folds():
    """Though groups have different sizes, and large ones are dealt out first."""
    groups, classes = problem(0, n_groups=40, most_rows=30)
    one, other = ({tuple(test) for _, test in group_folds(groups, classes, 5, seed)} for seed in (0, 1))
    assert not one & other
    assert one == {tuple(test) for _, test in group_folds(groups, classes, 5, 0)}


def test_every_fold_has_two_rows_to_test_on():
    groups = np.repeat(np.arange(5), [10, 1, 1, 1, 1])
    folds = group_folds(groups, np.zeros_like(groups), 5)
    assert sorted(len(test) for _, test in folds) == [2, 2, 10]


def test_classes_must_occur_in_two_groups():
    with pytest.raises(ValueError, match="every class occurs in one group only"):
        group_folds(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), 2)


@examples(10)
@given(st.integers(0, 10**6))
def test_numbers_of_groups_come_from_their_rows(seed):
    groups, rows = problem(seed)[0], np.random.default_rng(seed).integers(0, 50, 400)
    rows = rows[: len(groups)]
    found = nameless_groups(groups, rows)
    order = np.random.default_rng(seed + 1).permutation(len(groups))
    names = np.random.default_rng(seed + 2).permutation(groups.max() + 1)
    again = nameless_groups(names[groups][order], rows[order])
    # Groups that hold the same rows may change places.
    held = [[sorted(rows[found == number].tolist()) for number in range(groups.max() + 1)]]
    held += [[sorted(rows[order][again == number].tolist()) for number in range(groups.max() + 1)]]
    assert held[0] == held[1]


def test_samples_hold_whole_groups_and_all_classes():
    groups, classes = np.arange(5000) // 5, np.zeros(5000, dtype=np.int64)
    classes[777] = 1
    taken = sample_of_groups(groups, classes, 300)
    assert len(taken) == 300
    assert 777 in taken
    assert set(np.bincount(groups[taken])) == {0, 5}


def test_few_large_groups_are_not_sampled_whole():
    groups = np.arange(5000) // 500
    assert sample_of_groups(groups, np.zeros(5000, dtype=np.int64), 2000) is None


NAMES = ["b", "a", "b", "c"]
HELD_BY = {
    "list": NAMES,
    "array": np.array(NAMES),
    "objects": np.array(NAMES, dtype=object),
    "pandas": pd.Series(NAMES, dtype="category"),
    "polars": pl.Series(NAMES),
    "arrow": pa.chunked_array([NAMES]),
    "numbers": [3, 1, 3, 2.5],
    "mixed": ["b", 1, "b", (2, 3)],
    "dates": pd.to_datetime(["2024-01-02", "2024-01-01", "2024-01-02", "2024-01-03"]),
}


@pytest.mark.parametrize("groups", HELD_BY.values(), ids=HELD_BY)
def test_whatever_holds_them(groups):
    np.testing.assert_array_equal(check_groups(groups, 4), [0, 1, 0, 2])


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ("subject", TypeError, r"groups='subject' is a text; expected .* X\['subject'\]"),
        (7, TypeError, "of type int; expected one value per row"),
        (["a", "b"], ValueError, "X has 4 rows and groups has 2 values"),
        (["a", None, "b", float("nan")], ValueError, "missing values in 2 rows, the first at position 1"),
        (pd.Series(["a", pd.NA, "b", "b"]), ValueError, "missing values in 1 rows"),
        (np.zeros((4, 2)), ValueError, "groups holds values of type ndarray"),
        (["a", "a", "a", "a"], ValueError, r"all rows belong to one group \('a'\)"),
    ],
)
def test_what_is_refused(groups, error, message):
    with pytest.raises(error, match=message):
        check_groups(groups, 4)


def test_rows_of_weight_0_need_no_group():
    weight = np.array([1.0, 0.0, 1.0, 2.0])
    np.testing.assert_array_equal(check_groups(["a", None, "b", "a"], 4, weight), [0, -1, 1, 0])
    with pytest.raises(ValueError, match="one group"):
        check_groups(["a", "b", "a", "a"], 4, weight)
