"""Random trees: a compiled one is that of a plain search, and forests are those of scikit-learn in the mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fgac._kernels.trees import grow
from fgac.tables.learned_weights import SEEDS, SMALLEST_LEAF, importances, merge_equal_rows, split_columns
from support.property_tests import examples

N_TREES = 400


class Numbers:
    """The random numbers of the loop, in whole numbers of any length."""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def uniform(self):
        self.first = 40014 * self.first % 2147483563
        self.second = 40692 * self.second % 2147483399
        return (self.first - self.second) % 2147483562 / 2147483562


def by_search(columns, sums, values, weights, n_tried, smallest, numbers):
    """The same tree by trying every cut, with every sum added up anew."""
    reach = np.cumsum(weights)
    n, gains, remaining = len(weights), np.zeros(len(columns)), list(range(len(columns)))
    times = np.bincount(
        [np.searchsorted(reach, numbers.uniform() * reach[-1], side="right") for _ in range(n)], None, n
    )

    def kept(rows):
        """Squared sums over the weight: what remains of the squares if all values are their means."""
        return np.sum(np.bincount(sums[rows], (times * values)[rows]) ** 2) / times[rows].sum()

    def split(rows):
        if len(rows) < 2 * smallest or times[rows] @ values[rows] ** 2 - kept(rows) < 1e-12:
            return
        tried, best = 0, (0.0, -1, 0.0)
        left, differ = len(columns), False
        while left and (tried < n_tried or not differ):
            pick = int(numbers.uniform() * left)
            left, tried = left - 1, tried + 1
            j = remaining[pick]
            remaining[pick], remaining[left] = remaining[left], j
            column = columns[j][rows]
            differ = differ or np.ptp(column) > 0
            for cut in np.unique(column)[:-1]:
                below, above = rows[column <= cut], rows[column > cut]
                if min(len(below), len(above)) >= smallest and kept(below) + kept(above) > best[0] + 1e-10:
                    best = kept(below) + kept(above), j, cut
        if best[1] >= 0:
            gains[best[1]] += best[0] - kept(rows)
            split(rows[columns[best[1]][rows] > best[2]])
            split(rows[columns[best[1]][rows] <= best[2]])

    split(np.flatnonzero(times))
    return gains


@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))
@examples(60)
def test_a_tree_is_that_of_a_plain_search(seed, n, n_columns, n_sums, smallest):
    rng = np.random.default_rng(seed)
    # Few places and many: rows are sorted by counting, or by insertion.
    places = np.array([rng.integers(0, min(n, top), n) for top in rng.choice([2, 5, 60], n_columns)], dtype=np.int32)
    sums, values, weights = rng.integers(0, n_sums, n), rng.uniform(0.1, 1.0, n), rng.uniform(0.1, 3.0, n)
    n_tried = int(rng.integers(1, n_columns + 1))
    random, numbers = np.array([seed + 1, 777]), Numbers(seed + 1, 777)
    for _ in range(2):  # the second goes on with the random numbers where the first stopped
        found = grow(places, sums, values, n_sums, np.cumsum(weights), n_tried, smallest, random)
        assert found == pytest.approx(by_search(places, sums, values, weights, n_tried, smallest, numbers), abs=1e-9)
    assert random.tolist() == [numbers.first, numbers.second]


def classes(rng, n):
    """Numbers and categories, three classes of unequal weight, and many rows that are equal."""
    x = np.column_stack([rng.normal(size=n), rng.integers(0, 5, n), rng.integers(0, 4, n), rng.normal(size=n).round(1)])
    y = np.digitize(x[:, 0] + (x[:, 2] == 1) + 0.3 * x[:, 3] + rng.normal(0, 0.5, n), [0.0, 1.5])
    return x, y, np.array([1.0, 0.5, 3.0])[y], np.array([False, False, True, False])


def two_classes(rng, n):
    """Two classes, and columns that count only together."""
    x = rng.uniform(-1, 1, size=(n, 9))
    return x, (x[:, 0] * x[:, 1] > 0).astype(int), np.ones(n), np.zeros(9, dtype=bool)


def numbers(rng, n):
    """A number, rows of all weights, and categories."""
    x = np.column_stack([rng.normal(size=(n, 3)), rng.integers(0, 6, n)])
    y = x[:, 0] ** 2 + 0.5 * x[:, 1] + (x[:, 3] > 3) + rng.normal(0, 0.3, n)
    return x, y, rng.uniform(0.1, 3.0, n), np.array([False, False, False, True])


@pytest.mark.parametrize(("make", "n"), [(classes, 300), (two_classes, 200), (numbers, 250), (numbers, 40)])
def test_forests_are_those_of_scikit_learn_in_the_mean(make, n):
    """Of shares that differ by chance from tree to tree, means differ by no more than their standard errors allow."""
    x, y, weight, is_categorical = make(np.random.default_rng(5), n)
    regression = make is numbers
    sample = merge_equal_rows(x, y, weight, regression)
    places, owners = split_columns(sample.rows, is_categorical)
    n, n_tried = len(sample.weights), int(np.sqrt(len(owners)))
    targets = sample.targets if regression else sample.targets.astype(np.int64)
    sums, values = (np.zeros(n, dtype=np.int64), targets / np.ptp(y)) if regression else (targets, np.ones(n))
    random, rng = np.array(SEEDS), np.random.default_rng(0)
    ours, theirs = np.zeros((2, N_TREES, len(owners)))
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    for t in range(N_TREES):
        ours[t] = grow(
            places, sums, values, int(sums.max()) + 1, np.cumsum(sample.weights), n_tried, SMALLEST_LEAF, random
        )
        times = np.bincount(rng.choice(n, n, p=sample.weights / sample.weights.sum()), minlength=n)
        drawn = np.flatnonzero(times)
        tree = kind(max_features=n_tried, min_samples_leaf=SMALLEST_LEAF, random_state=t)
        theirs[t] = tree.fit(places.T[drawn], targets[drawn], times[drawn]).feature_importances_
    ours /= ours.sum(axis=1, keepdims=True)
    errors = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / N_TREES)
    assert (np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4 * errors).all()


@given(st.integers(0, 1000), st.booleans())
@examples(15)
def test_what_counts_of_numbers_is_their_order(seed, regression):
    rng = np.random.default_rng(seed)
    x, is_categorical = rng.normal(size=(80, 3)), np.zeros(3, dtype=bool)
    y = rng.normal(size=80) if regression else rng.integers(0, 3, 80)
    plain, bent = (
        importances(merge_equal_rows(part, y, np.ones(80), regression), is_categorical, regression)
        for part in (x, np.exp(5 * x))
    )
    assert (plain == bent).all()
