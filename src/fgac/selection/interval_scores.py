"""How good intervals of numbers are on rows that were not seen, beside those of boosted trees.

An interval is good if it holds its share of the targets and is narrow; the *interval score* adds both up: the width,
and what a target lies outside, times 2 over the share that may lie outside. The lower, the better. A share that is
right on average may hide rows of which far fewer are held, so it is also told of those with the widest intervals, and
of the smallest and the largest targets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Bools, Floats, Ints
from fgac.granular.extension import Interval
from fgac.selection.scores import IntervalScores, interval
from fgac.selection.spread import quantile
from fgac.tables.column_values import CategoricalColumn
from fgac.tables.reading import ReadTable

# Boosting cannot take more categories of a column.
MOST_CATEGORIES = 255
# What share of the training part its intervals are made to hold their share on.
CALIBRATION = 0.25


def interval_numbers(truth: Floats, weight: Floats, found: Interval, share: float) -> Floats:
    """Coverage, mean width and interval score; then coverage of the widest fifth and of both tails.

    Tails are the tenths of the smallest and the largest targets of these rows.
    """
    lower, upper = found
    width = upper - lower
    held = (lower <= truth) & (truth <= upper)
    missed = np.maximum(0.0, np.maximum(lower - truth, truth - upper))
    scores = width + 2.0 / (1.0 - share) * missed
    low, high = np.quantile(truth, [0.1, 0.9])
    groups = (np.ones(len(truth), dtype=bool), width >= np.quantile(width, 0.8), truth <= low, truth >= high)
    coverage = [mean_of(held, weight, group) for group in groups]
    return np.array([coverage[0], np.average(width, weights=weight), np.average(scores, weights=weight), *coverage[1:]])


def mean_of(held: Bools, weight: Floats, group: Bools) -> float:
    """The share of some rows whose interval holds the target; nan if they have no weight."""
    total = float(weight[group].sum())
    return float(weight[group] @ held[group]) / total if total else float("nan")


def interval_scores(numbers: Floats, n_folds: int) -> IntervalScores:
    """Means of the numbers of all test parts, and intervals of the first three."""
    ratio = 1 / (n_folds - 1)
    widest, smallest, largest = np.nanmean(numbers[:, 3:], axis=0).tolist()
    return IntervalScores(
        coverage=interval(numbers[:, 0], ratio, (0.0, 1.0)),
        width=interval(numbers[:, 1], ratio, (0.0, np.inf)),
        score=interval(numbers[:, 2], ratio, (0.0, np.inf)),
        coverage_of_widest=widest,
        coverage_of_smallest=smallest,
        coverage_of_largest=largest,
    )


class Boosting:
    """Conformalised quantile regression with boosted trees: what most people would take for intervals.

    Two quantiles are fitted to three quarters of the rows, and moved, each by itself, until they hold their share of
    the others.
    """

    def __init__(self, X: Any, categorical_features: Any) -> None:
        columns = ReadTable.of(X, categorical_features).columns
        self.matrix = np.column_stack([_numbers(column) for column in columns])
        self.is_categorical = [
            isinstance(column, CategoricalColumn) and len(column.categories) <= MOST_CATEGORIES for column in columns
        ]

    def intervals(self, y: Floats, weight: Floats, train: Ints, test: Ints, share: float) -> Interval:
        """Intervals of test rows from training rows."""
        from sklearn.ensemble import HistGradientBoostingRegressor

        weight = weight / weight.mean()  # its leaves would take them for numbers of rows
        shuffled = np.random.default_rng(0).permutation(train[weight[train] > 0])
        n_held = max(1, round(CALIBRATION * len(shuffled)))
        held, rest = shuffled[:n_held], shuffled[n_held:]
        ends = []
        for sign, level in ((-1.0, 0.5 - 0.5 * share), (1.0, 0.5 + 0.5 * share)):
            model = HistGradientBoostingRegressor(
                loss="quantile", quantile=level, categorical_features=self.is_categorical, random_state=0
            )
            model.fit(self.matrix[rest], y[rest], sample_weight=weight[rest])
            missed = sign * (y[held] - model.predict(self.matrix[held]))
            margin = quantile(missed, weight[held], n_held, 0.5 + 0.5 * share)
            ends.append(model.predict(self.matrix[test]) + sign * margin)
        lower, upper = ends
        return Interval(np.minimum(lower, upper), np.maximum(lower, upper))


def _numbers(column: Any) -> Floats:
    """A column as numbers, nan where one is unknown; categories are numbered."""
    if not isinstance(column, CategoricalColumn):
        return np.asarray(column.values)
    return np.where(column.codes < 0, np.nan, column.codes)
