"""Which attributes bring two rows close, and which keep them apart.

A metric adds up what the attributes contribute: squared differences (Euclidean), differences (Manhattan), or only the
largest one (Chebyshev). An attribute's share in the distance is its part of that sum. What it could have contributed
at most, had the two rows differed by the whole range of the training rows, minus what it did contribute, is its
part in what the rows agree on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.metrics.distances import Coordinates, Metric, Rows
from fgac.tables.table import Table


def _largest_only(differences: Floats) -> Floats:
    return np.where(differences >= differences.max(axis=1, keepdims=True), differences, 0.0)


# What attributes with these differences contribute to the distance.
CONTRIBUTIONS: dict[str, Callable[[Floats], Floats]] = {
    "euclidean": np.square,
    "manhattan": np.abs,
    "chebyshev": _largest_only,
}


class AttributeShares:
    """Compares rows attribute by attribute, in the order of the caller's columns.

    Parameters
    ----------
    table : Table
        How columns became coordinates.
    training : Rows
        The training rows, for the ranges of their columns.
    metric : Metric
        What a metric of the user's own makes of single attributes has to be tried out.
    """

    def __init__(self, table: Table, training: Rows, metric: Metric) -> None:
        self.table, self.metric = table, metric
        self.name = metric.name if isinstance(metric, Coordinates) else None
        self.ranges = self._differences(_corner(training, np.min), _corner(training, np.max))[0]
        weights = np.array([c.weight * table.column_factor for c in table.columns])
        nominal = np.array([c.is_categorical for c in table.columns])
        ours = np.where(nominal | (self.ranges == 0), weights, self.ranges)
        self.ranges = ours if self.name is not None else np.where(self.ranges > 0, self.ranges, 1.0)

    def compare(self, row: Rows, others: Rows) -> tuple[Floats, Floats]:
        """Shares ``(close, apart)`` between one row and each of some others, arrays of shape (others, attributes)."""
        differences = np.nan_to_num(self._differences(row, others))
        if self.name is None:
            room = np.maximum(0.0, 1.0 - differences / self.ranges)
            return _shares(room), _shares(self._tried_out(row, others, differences))
        unit = np.maximum(differences.max(axis=1, keepdims=True), self.ranges.max())
        unit[unit == 0] = 1.0
        power = 2 if self.name == "euclidean" else 1
        room = np.maximum(0.0, (self.ranges / unit) ** power - (differences / unit) ** power)
        return _shares(room), _shares(CONTRIBUTIONS[self.name](differences / unit))

    def _differences(self, row: Rows, others: Rows) -> Floats:
        """How much the attributes differ, as they enter the metric."""
        numeric, ordered = iter(np.abs(others.numeric - row.numeric).T), iter(_excess(row, others).T)
        unequal = (others.codes != row.codes) | (others.codes < 0)
        nominal = iter((unequal * others.mismatch).T)
        mixed = self.table.keeps_column_order
        columns = [
            next(ordered if c.direction else nominal if c.is_categorical and not mixed else numeric)
            for c in self.table.columns
        ]
        return np.column_stack(
            [
                (d > 0) * 1.0 if c.is_categorical and mixed else d
                for c, d in zip(self.table.columns, columns, strict=True)
            ]
        )

    def _tried_out(self, row: Rows, others: Rows, differences: Floats) -> Floats:
        """By how much the distance falls when one attribute is made equal; if it never does, the differences."""
        n, m = others.numeric.shape
        before = np.empty((1, n))
        self.metric.block(row, others, before)
        fall = np.empty((n, m))
        for i in range(n):
            trials = Rows(np.repeat(row.numeric, m, axis=0), np.repeat(row.codes, m, axis=0), row.mismatch)
            trials.numeric[np.arange(m), np.arange(m)] = others.numeric[i]
            after = np.empty((m, 1))
            self.metric.block(trials, others[i : i + 1], after)
            fall[i] = np.maximum(0.0, before[0, i] - after[:, 0])
        return np.where(fall.any(axis=1, keepdims=True), fall, differences)


def _shares(parts: Floats) -> Floats:
    """Parts of each row as shares of their sum; all 0 if there are none."""
    total = parts.sum(axis=1, keepdims=True)
    return np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)


def _corner(rows: Rows, extreme: Callable[..., Any]) -> Rows:
    """The smallest or largest coordinates of all rows."""
    codes = np.zeros((1, rows.codes.shape[1]), dtype=np.int32)
    ordered, orientation = (None, None) if rows.ordered is None else (extreme(rows.ordered, axis=0)[None], -np.ones(1))
    return Rows(extreme(rows.numeric, axis=0)[None], codes, rows.mismatch, ordered, orientation)


def _excess(row: Rows, others: Rows) -> Floats:
    """By how much one row is above, or below, each of some others in the ordered columns, as they face."""
    if row.ordered is None or others.ordered is None or others.orientation is None:
        return np.empty((len(others), 0))
    return np.maximum(0.0, others.orientation[:, None] * (row.ordered - others.ordered))
