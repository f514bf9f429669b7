"""Columns whose rows are compared by direction (``metric="angular"``): numbers that are counted from 0.

The direction of a row depends on where 0 is, so numbers are not moved by an origin, and there are no ranks, which are
counted from the smallest number of a column. An unknown number adds nothing to a direction: it is 0, and being unknown
is no coordinate. Categories and dates have no 0 to begin with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.metrics.angular import SMALLEST
from fgac.metrics.distances import Rows
from fgac.tables.column_values import NumericColumn, ReadColumn
from fgac.tables.columns import Column
from fgac.tables.value_kinds import DATES


def compares_directions(metric: Any) -> bool:
    """Whether a metric, as estimators take it, is one of directions.

    >>> compares_directions("angular"), compares_directions("euclidean")
    (True, False)
    """
    return isinstance(metric, str) and metric == "angular"


def directed_columns(names: list[str], columns: Sequence[ReadColumn], weights: Floats) -> list[ReadColumn]:
    """Columns that have been read, if all that count can be part of a direction; an error names the others.

    Whole numbers that were rounded to floats are off by a share of themselves, which is part of what any direction is
    off by, however much their differences lose.
    """
    parts = list(zip(names, columns, weights.tolist(), strict=True))
    counting = [(name, part) for name, part, weight in parts if weight and part.counts]
    categorical = [name for name, part in counting if part.is_categorical]
    if categorical:
        raise ValueError(
            f"metric='angular' compares the directions of rows of numbers, but columns {categorical} hold categories "
            "or bools, which have no direction; turn them into numbers first, as scikit-learn's OneHotEncoder does, "
            "leave them out, or give them the weight 0 in feature_weights"
        )
    dates = [name for name, part in counting if isinstance(part, NumericColumn) and part.kind in DATES]
    if dates:
        raise ValueError(
            f"metric='angular' compares the directions of rows of numbers, which are counted from 0, but columns "
            f"{dates} hold dates; give durations since some day instead, leave them out, or give them the weight 0 in "
            "feature_weights"
        )
    return [replace(part, rounding=0.0) if isinstance(part, NumericColumn) else part for part in columns]


def counted_from_zero(column: Column) -> Column:
    """A column in which unknown numbers are 0, and nothing besides."""
    return replace(column, middle=0.0, unknown_weight=0.0)


def check_lengths(rows: Rows, table_columns: Sequence[Column], columns: Sequence[ReadColumn]) -> None:
    """Refuse training rows whose numbers are so small that their direction is lost."""
    largest = np.abs(rows.numeric).max(axis=1, initial=0.0)
    short = largest < SMALLEST
    if not short.any():
        return
    for column, part in zip(table_columns, columns, strict=True):
        if isinstance(part, NumericColumn) and column.weight and (part.values[short & ~part.unknown] != 0).any():
            raise ValueError(
                f"some rows hold no number but such as are lost in double precision (below {SMALLEST:.0e}, after scale "
                f"{column.scale:.3g} and weight {column.weight:.3g} of column {column.name}), and have no direction "
                "left; give the columns in another unit, or use other weights"
            )
