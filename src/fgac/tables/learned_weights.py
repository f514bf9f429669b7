"""Feature weights learned from the training rows: which columns count in a distance, and how much.

A forest of random trees measures how much each column helps to predict the target: its *importance*, here as a
multiple of what an equal share would be, rounded to halves. So columns that help about equally count equally, those
that help little count for nothing, and a person can read the numbers. The weights make every column's part of the mean
distance between two rows proportional to its importance::

    weight_j = importance_j / mean |x_j - x'_j|        (over all pairs of training rows, on the column's scale)

so a column of twice the importance counts twice as much, however its values are spread: a few values far out do not
make it count for nothing. Ranks differ by 1/3 in the mean where no values are equal, and are taken to do so always.

Columns that repeat each other count once, all of them together (:mod:`fgac.tables.repeated_columns`).

Being unknown is a column of its own to the forest where it goes with the target (:mod:`fgac.tables.unknown_marks`): it
then counts by the same rule, and at least by a small share of the weight of its column. Where values are missing at
random, an unknown one stands in the middle of its column, and that is all.

The forest sees equal rows once, with their weights added, in the order of their values, and classes under numbers that
do not come from their names. So the weights depend neither on the order of the rows nor on what classes are called,
and a row of weight 2 is two rows. The trees draw columns by their positions: in another order, columns of about equal
importance may come out with weights that differ by a step or two.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._progress import steps
from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import LARGEST
from fgac.tables.column_values import CategoricalColumn, ReadColumn
from fgac.tables.columns import UNKNOWN_SHARE
from fgac.tables.repeated_columns import repeated
from fgac.tables.splits import stratified_sample
from fgac.tables.table import Table
from fgac.tables.unknown_marks import telling

N_TREES = 40
# Trees that end in single rows find importance in noise, above all in columns of many different values.
SMALLEST_LEAF = 3
# Importances are multiples of this part of an equal share: between two forests they differ by about as much.
STEP = 0.5
# Mean difference of two numbers drawn evenly from 0 to 1, as ranks are.
BETWEEN_RANKS = 1.0 / 3.0
# More rows than this hardly change which columns count, but take time.
MAX_ROWS = 5000
# What the random numbers of the forest begin with.
SEEDS = (12345, 67890)


class TrainingSample(NamedTuple):
    """Distinct training rows with their targets, in an order that depends on nothing but their values.

    Categorical columns hold category numbers. After the columns of the table come marks, 0 or 1, of what is unknown.
    Where the rows stand elsewhere, numbers may stand for them.
    """

    rows: Any
    targets: Any
    weights: Floats


def learn_weights(
    table: Table, values: list[ReadColumn], target: Any, weight: Floats, metric: Any, *, regression: bool = False
) -> tuple[Floats, Floats]:
    """Two weights >= 0 per column, learned from training rows: of differences, and of being unknown.

    Parameters
    ----------
    table : Table
        What fit has decided about the columns; the weights it has for them do not matter.
    values : list of columns
        As ``table`` has read them, of the training rows of positive weight.
    target : array of shape (n_samples,)
        Class numbers, or numbers to predict.
    weight : array of shape (n_samples,)
        Weights of rows, those of their classes included.
    metric : str or any other metric
        What the weights are for. It fixes their size, such that gamma keeps its meaning: two rows that differ as
        much as possible in every column are as far apart as without weights.
    regression : bool, default=False
        Whether the target is a number to predict.

    Returns
    -------
    weights, unknown_weights : arrays of shape (n_features,)
        Weights are all 1 if there is nothing to learn: one class, or rows too few or too equal for a tree. Being
        unknown has a weight where that goes with the target.

    Examples
    --------
    The second column says nothing about the class:

    >>> from fgac.tables.table import learn_table
    >>> X = np.column_stack([np.arange(40.0), np.arange(40.0) % 5])
    >>> table, values = learn_table(
    ...     X,
    ...     metric="manhattan",
    ...     scale="range",
    ...     categorical_features=None,
    ...     feature_weights=None,
    ...     sample_weight=np.ones(40),
    ... )
    >>> learn_weights(table, values, np.arange(40) >= 20, np.ones(40), "manhattan")[0]
    array([2., 0.])
    """
    n = len(table.columns)
    kept = [j for j, part in enumerate(values) if part.counts]
    if not kept:
        return np.zeros(n), np.zeros(n)
    if len(kept) < n:  # the others are as if they were not there
        some = replace(table, columns=tuple(table.columns[j] for j in kept))
        both = learn_weights(some, [values[j] for j in kept], target, weight, metric, regression=regression)
        weights, unknown_weights = np.zeros(n), np.zeros(n)
        weights[kept], unknown_weights[kept] = both
        return weights, unknown_weights
    sample = merge_equal_rows(plain_matrix(table, values), np.asarray(target), weight, regression)
    tells = telling(sample.rows[:, n:], sample.targets, sample.weights, regression)
    marked = np.array(table.marked, dtype=np.int64)[tells]
    sample = sample._replace(rows=sample.rows[:, np.append(np.ones(n, dtype=bool), tells)])
    is_categorical = np.array([column.is_categorical for column in table.columns] + [False] * len(marked))
    shares = _shares(sample, is_categorical, n, metric, regression)
    if shares.any():
        found = _weights_of(shares, table, sample, is_categorical)
        found = found / size_of(found[:n] if found[:n].any() else found, metric)
    else:
        found = np.append(np.ones(n), np.zeros(len(marked)))
    weights, unknown_weights = found[:n], np.zeros(n)
    unknown_weights[marked] = np.maximum(found[n:], UNKNOWN_SHARE * weights[marked])
    return weights, unknown_weights


def _shares(sample: TrainingSample, is_categorical: Bools, n: int, metric: Any, regression: bool) -> Floats:
    """What every one of n columns, and every mark behind them, is to have of the mean distance.

    Of columns that repeat each other the forest sees the first, and all of them have its share together.
    """
    kept, place, copies = np.unique(repeated(sample.rows, is_categorical), return_inverse=True, return_counts=True)
    some = sample._replace(rows=sample.rows[:, kept])
    importance = importances(subsample(some, regression), is_categorical[kept], regression)
    if not importance.any():
        return np.zeros(len(is_categorical))
    shares = round_importances(importance, int((kept < n).sum()))[place.reshape(-1)]
    return np.asarray(shares / copies_count(copies[place.reshape(-1)], metric))


def copies_count(copies: Ints, metric: Any) -> Floats:
    """By what the weight of each of some copies of a column is divided, for them to be as long as the column alone.

    >>> copies_count(np.array([1, 4]), "manhattan"), copies_count(np.array([1, 4]), "euclidean")
    (array([1., 4.]), array([1., 2.]))
    """
    power = {"euclidean": 0.5, "chebyshev": 0.0}.get(metric, 1.0) if isinstance(metric, str) else 1.0
    return np.asarray(copies**power)


def _weights_of(shares: Floats, table: Table, sample: TrainingSample, is_categorical: Bools) -> Floats:
    """Weights that give every column, and every mark, its share of the mean distance."""
    weights = np.zeros(len(shares))
    for j in np.flatnonzero(shares):
        if j < len(table.columns) and table.columns[j].ranks is not None:
            apart = BETWEEN_RANKS
        else:
            apart = mean_difference(sample.rows[:, j], sample.weights, is_categorical=bool(is_categorical[j]))
        # Without a scale, numbers may be so close to each other that no weight makes their differences count.
        with np.errstate(over="ignore", divide="ignore"):
            weights[j] = min(shares[j] / apart, LARGEST)
    return weights


def plain_matrix(table: Table, values: list[ReadColumn]) -> Floats:
    """All columns in one matrix: category numbers, and numbers on the scales of their columns, without weights.

    Behind them are marks of what is unknown in the columns where that is a coordinate.
    """
    parts = zip(table.columns, values, strict=True)
    return np.column_stack(
        [
            *(
                column.codes(part) if isinstance(part, CategoricalColumn) else column.scaled(part.values)
                for column, part in parts
            ),
            *(values[j].unknown for j in table.marked),
        ]
    )


def round_importances(importance: Floats, n: int) -> Floats:
    """Importances as multiples of an equal share of n columns, in halves; the largest never becomes 0.

    >>> round_importances(np.array([0.22, 0.18, 0.56, 0.04]), 4)
    array([1. , 0.5, 2. , 0. ])
    """
    return np.round(importance * (n / importance.sum()) / STEP) * STEP


def merge_equal_rows(rows: Floats, targets: Any, weights: Floats, regression: bool) -> TrainingSample:
    """Equal rows of equal targets once, with added weights, sorted by value; classes under numbers without names."""
    number = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    if not regression:
        targets = np.unique(targets, return_inverse=True)[1]
    # Equal rows are added in the order of their weights, so that rounding does not depend on the order of the rows.
    order = np.lexsort([weights, targets, number])
    same = (np.diff(number[order]) == 0) & (np.diff(targets[order]) == 0)
    starts = np.flatnonzero(np.append(True, ~same))
    first, added = order[starts], np.add.reduceat(weights[order], starts)
    targets = targets[first]
    if not regression:
        # Other numbers of the classes mean another order among equal rows of several classes.
        targets = number_by_rows(targets, number[first], added)
        again = np.lexsort([targets, number[first]])
        first, targets, added = first[again], targets[again], added[again]
    return TrainingSample(rows[first], targets, added)


def number_by_rows(classes: Ints, rows: Ints, weights: Floats) -> Ints:
    """Number classes by the rows they hold and their weights; classes for which these are equal can change places.

    >>> number_by_rows(np.array([1, 0, 0]), np.array([0, 1, 2]), np.ones(3))
    array([0, 1, 1])
    """
    parts = np.split(np.argsort(classes, kind="stable"), np.cumsum(np.bincount(classes))[:-1])
    held = [list(zip(rows[part].tolist(), weights[part].tolist(), strict=True)) for part in parts]
    number = np.empty(len(parts), dtype=np.int64)
    number[sorted(range(len(parts)), key=held.__getitem__)] = np.arange(len(parts))
    return number[classes]


def subsample(sample: TrainingSample, regression: bool) -> TrainingSample:
    """At most :data:`MAX_ROWS` rows, of every class in proportion, which together weigh as much as all of the class."""
    labels = np.zeros(len(sample.weights), dtype=np.int64) if regression else sample.targets
    taken = stratified_sample(labels, np.arange(len(labels)), MAX_ROWS)
    total, part = np.bincount(labels, sample.weights), np.bincount(labels[taken], sample.weights[taken])
    factor = np.divide(total, part, out=np.ones(len(total)), where=part > 0)
    return TrainingSample(sample.rows[taken], sample.targets[taken], sample.weights[taken] * factor[labels[taken]])


def importances(sample: TrainingSample, is_categorical: Bools, regression: bool) -> Floats:
    """By how much each column makes the target purer in the splits of a random forest; all 0 if there are none.

    Every tree draws as many rows as there are merged ones, by their weights: rows that are repeated make no other
    forest than rows that weigh more, and of classes that count alike each tree sees as many rows.
    """
    places, owners = split_columns(sample.rows, is_categorical)
    if not owners.size:
        return np.zeros(len(is_categorical))
    from fgac._kernels.trees import grow

    n, n_tried = len(sample.weights), math.isqrt(len(owners))
    if regression:
        sums, n_sums, values = np.zeros(n, dtype=np.int64), 1, unit_range(sample.targets)
    else:
        sums, n_sums, values = sample.targets.astype(np.int64), int(sample.targets.max()) + 1, np.ones(n)
    reach, random, found = np.cumsum(sample.weights), np.array(SEEDS), np.zeros(len(owners))
    for _ in steps("learning weights of columns", range(N_TREES)):
        gains = grow(places, sums, values, n_sums, reach, n_tried, SMALLEST_LEAF, random)
        gained = gains.sum()
        if gained > 0:
            found += gains / gained
    return np.bincount(owners, found, len(is_categorical)).astype(np.float64)


def split_columns(rows: Floats, is_categorical: Bools) -> tuple[NDArray[np.int32], Ints]:
    """What trees can split on, and the column each is of: places of numbers, and one 0/1 column per category.

    Categories of fewer rows than a leaf needs are left out, and so are constant columns.

    >>> places, owners = split_columns(np.array([[0.5, 7.0], [0.1, 7.0], [0.5, 7.0]]), np.array([False, False]))
    >>> places, owners
    (array([[1, 0, 1]], dtype=int32), array([0]))
    """
    columns: list[Any] = []
    owners = []
    for j, part in enumerate(rows.T):
        found, place, counts = np.unique(part, return_inverse=True, return_counts=True)
        if is_categorical[j]:
            held = found[(counts >= SMALLEST_LEAF) & (counts < len(part))]
            columns += [part == held_one for held_one in held]
            owners += [j] * len(held)
        elif len(found) > 1:
            columns.append(place)
            owners.append(j)
    places = np.array(columns, dtype=np.int32).reshape(len(columns), len(rows))
    return places, np.array(owners, dtype=np.int64)


def unit_range(values: Floats) -> Floats:
    """Numbers as places between the least (0) and the greatest (1); all 0 if they are equal.

    >>> unit_range(np.array([20.0, 60.0, 30.0]))
    array([0.  , 1.  , 0.25])
    """
    half = values / 2  # whose differences a float can hold, whatever the values are
    low, width = half.min(), half.max() - half.min()
    return np.asarray((half - low) / width) if width > 0 else np.zeros(len(values))


def mean_difference(values: Floats, weights: Floats, *, is_categorical: bool) -> float:
    """Mean distance of two rows in one column, both drawn by their weights.

    >>> mean_difference(np.array([0.0, 1.0, 1.0]), np.array([2.0, 1.0, 1.0]), is_categorical=False)
    0.5
    """
    shares = weights / weights.sum()
    if is_categorical:
        codes = np.unique(values, return_inverse=True)[1]
        return float(1.0 - np.sum(np.bincount(codes, shares) ** 2))
    order = np.argsort(values, kind="stable")
    sorted_values, shares = values[order] - values[order[0]], shares[order]
    # A value is above what comes before it and below what comes after it: of all pairs, it is the larger one in those
    # with the weight before it, and the smaller one in those with the weight after it.
    before = np.cumsum(shares) - shares
    return float(2.0 * np.sum(shares * sorted_values * (2.0 * before + shares - 1.0)))


def size_of(weights: Floats, metric: Any) -> float:
    """By how much weights make the largest possible distance longer than it is without.

    >>> size_of(np.array([3.0, 1.0]), "manhattan"), size_of(np.array([4.0, 1.0]), "chebyshev")
    (2.0, 4.0)
    """
    # Squares of weights that are all tiny would be lost; a power of two changes no digit.
    power = -int(np.frexp(weights.max())[1])
    weights = np.ldexp(weights, power)
    if isinstance(metric, str) and metric == "euclidean":
        size = np.sqrt(np.mean(weights**2))
    else:
        size = weights.max() if isinstance(metric, str) and metric == "chebyshev" else weights.mean()
    return float(np.ldexp(size, -power))
