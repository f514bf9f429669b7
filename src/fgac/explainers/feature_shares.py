"""Which features bring two rows close, and which keep them apart.

A metric adds up what the features contribute: squared differences (Euclidean; of angles, those of the rows divided by
their lengths), differences (Manhattan), or only the largest one (Chebyshev). A feature's share in the distance is its
part of that sum. What it could have contributed at most, had the two rows differed by the whole range of the training
rows, minus what it did contribute, is its part in what the rows agree on.

What two rows differ by in their score (:mod:`fgac.tables.scores`) is told column by column, too: each column has the
share in it that it has in the sums of the two, by how far its own part pulls two classes apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.metrics.angular import Angular, directions
from fgac.metrics.distances import Coordinates, Metric, Rows, code_differences
from fgac.tables.table import Table


def _largest_only(differences: Floats) -> Floats:
    return np.where(differences >= differences.max(axis=1, keepdims=True), differences, 0.0)


# From the differences in all features to the contributions of the features to the distance, by the name of the metric.
CONTRIBUTIONS: dict[str, Callable[[Floats], Floats]] = {
    "euclidean": np.square,
    "manhattan": np.abs,
    "chebyshev": _largest_only,
    "angular": np.square,
}
SQUARED = ("euclidean", "angular")


class FeatureShares:
    """Compares rows feature by feature, in the order of the caller's columns.

    Parameters
    ----------
    table : Table
        How columns became coordinates.
    training : Rows
        The training rows, for the ranges of their columns.
    metric : Metric
        A metric of the user's own is asked for distances with single features made equal, since nothing else says how
        much it makes of each.
    """

    def __init__(self, table: Table, training: Rows, metric: Metric) -> None:
        self.table, self.metric = table, metric
        self.name = metric.name if isinstance(metric, Coordinates | Angular) else None
        self.places = table.places
        training = self._points(training)
        low, high = _corner(training, np.min), _corner(training, np.max)
        ranges = self._differences(low, high)[0]
        if self.name is None:
            self.ranges = np.where(ranges > 0, ranges, 1.0)
            return
        if self.name == "angular":  # what rows have in common in all of training is nothing to agree on
            self.ranges = ranges
            return
        # A constant column, and one of categories, can differ by one scale, or by another category: by its weight.
        weights = np.array([c.weight * table.column_factor for c in table.columns])
        is_categorical = np.array([c.is_categorical for c in table.columns])
        self.ranges = np.where(is_categorical | (ranges == 0), weights, ranges) + self._score_ranges(low, high)

    def compare(self, row: Rows, others: Rows) -> tuple[Floats, Floats, Floats]:
        """Shares ``(close, apart, scored)`` between one row and each of some others, of shape (others, features).

        ``scored`` is the part of ``apart`` that comes from the score.
        """
        row, others = self._points(row), self._points(others)
        differences = np.nan_to_num(self._differences(row, others))
        through_score = self._score_differences(row, others)
        differences += through_score
        if self.name is None:
            with np.errstate(over="ignore"):  # a new row may be any number of ranges away: no room is left
                room = np.maximum(0.0, 1.0 - differences / self.ranges)
            return _shares(room), _shares(self._falls(row, others, differences)), through_score
        # Shares do not depend on the unit; in this one, the largest difference is 1, and no square overflows.
        unit = np.maximum(differences.max(axis=1, keepdims=True), self.ranges.max())
        unit[unit == 0] = 1.0
        power = 2 if self.name in SQUARED else 1
        room = np.maximum(0.0, (self.ranges / unit) ** power - (differences / unit) ** power)
        apart = _shares(CONTRIBUTIONS[self.name](differences / unit))
        return _shares(room), apart, apart * np.divide(through_score, differences, where=differences > 0, out=0 * apart)

    def _points(self, rows: Rows) -> Rows:
        """Rows as points whose differences the metric adds up."""
        return replace(rows, numeric=directions(rows.numeric)) if self.name == "angular" else rows

    def _score_differences(self, row: Rows, others: Rows) -> Floats:
        """How much of the distance comes from the score, feature by feature."""
        score = self.table.score
        if score is None:
            return np.zeros((len(others), len(self.places)))
        n = len(score.slopes)
        distance = np.abs(others.numeric[:, n:] - row.numeric[:, n:]).sum(axis=1, keepdims=True)
        sums = np.zeros((len(others), len(self.places), len(score.intercepts)))
        for j, places in enumerate(self.places):
            for part, place in places:
                if part == "codes":
                    there, here = (score.of_category(place, rows.codes[:, place]) for rows in (others, row))
                else:
                    there, here = (score.of_number(place, rows.numeric[:, place]) for rows in (others, row))
                sums[:, j] += there - here
        return distance * _shares(score.pull(sums))

    def _score_ranges(self, low: Rows, high: Rows) -> Floats:
        """What the score could contribute at most in every feature; see :mod:`fgac.tables.scores` for the bound."""
        score, found = self.table.score, np.zeros(len(self.places))
        if score is None:
            return found
        for j, places in enumerate(self.places):
            for part, place in places:
                if part == "codes":
                    found[j] += score.step(place)
                else:
                    found[j] += score.distance(
                        score.widest_change(place, low.numeric[0, place], high.numeric[0, place])
                    )
        return found

    def _differences(self, row: Rows, others: Rows) -> Floats:
        """How much the features differ on their own, as they enter the metric.

        Rows keep numeric, ordered and categorical coordinates apart, so each column takes the next one of its kind. For
        a metric of the user's own all of them are numeric, categories as well, of which only equality counts.
        """
        numeric, ordered = iter(np.abs(others.numeric - row.numeric).T), iter(_excess(row, others).T)
        categorical = iter(code_differences(row, others, self.name).T)
        all_numeric = self.table.keeps_column_order
        found = []
        for column in self.table.columns:
            if column.direction:
                found.append(next(ordered))
            elif column.is_categorical:
                found.append((next(numeric) > 0) * 1.0 if all_numeric else next(categorical))
            else:
                found.append(next(numeric))
        # What is left are the marks of unknown values: each belongs to the feature that has it.
        for j, mark in zip(self.table.marked, numeric, strict=False):  # the score's coordinates come behind them
            found[j] = self._together(found[j], mark)
        return np.column_stack(found)

    def _together(self, first: Floats, second: Floats) -> Floats:
        """The difference that two coordinates of one feature make together."""
        if self.name == "euclidean":
            return np.hypot(first, second)
        return np.maximum(first, second) if self.name == "chebyshev" else first + second

    def made_equal(self, row: Rows, other: Rows, features: Sequence[int]) -> Rows:
        """One row with the coordinates of another one in some features, so that only the others tell them apart."""
        numeric, codes = row.numeric.copy(), row.codes.copy()
        ordered = None if row.ordered is None else row.ordered.copy()
        for j in features:
            for kind, place in self.places[j]:
                if kind == "ordered" and ordered is not None and other.ordered is not None:
                    ordered[:, place] = other.ordered[:, place]
                elif kind == "codes":
                    codes[:, place] = other.codes[:, place]
                elif kind == "numeric":
                    numeric[:, place] = other.numeric[:, place]
        changed = Rows(numeric, codes, row.mismatch, ordered, row.orientation)
        return changed if self.table.score is None else self.table.score.added(changed)

    def _falls(self, row: Rows, others: Rows, differences: Floats) -> Floats:
        """By how much the distance falls when one feature is made equal; if it never does, the differences."""
        n, m = others.numeric.shape
        before = np.empty((1, n))
        self.metric.block(row, others, before)
        falls = np.empty((n, m))
        for i in range(n):
            trials = Rows(np.repeat(row.numeric, m, axis=0), np.repeat(row.codes, m, axis=0), row.mismatch)
            trials.numeric[np.arange(m), np.arange(m)] = others.numeric[i]
            after = np.empty((m, 1))
            self.metric.block(trials, others[i : i + 1], after)
            falls[i] = np.maximum(0.0, before[0, i] - after[:, 0])
        return np.where(falls.any(axis=1, keepdims=True), falls, differences)


def _shares(parts: Floats) -> Floats:
    """Parts of each row as shares of their sum; all 0 if there are none."""
    total = parts.sum(axis=1, keepdims=True)
    return np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)


def _corner(rows: Rows, extreme: Callable[..., Any]) -> Rows:
    """The smallest or largest coordinates of all rows, as one row."""
    codes = np.zeros((1, rows.codes.shape[1]), dtype=np.int32)
    ordered, orientation = (None, None) if rows.ordered is None else (extreme(rows.ordered, axis=0)[None], -np.ones(1))
    return Rows(extreme(rows.numeric, axis=0)[None], codes, rows.mismatch, ordered, orientation)


def _excess(row: Rows, others: Rows) -> Floats:
    """By how much one row is above each of some others, or below, in the ordered columns, as these are oriented."""
    if row.ordered is None or others.ordered is None or others.orientation is None:
        return np.empty((len(others), 0))
    return np.maximum(0.0, others.orientation[:, None] * (row.ordered - others.ordered))
