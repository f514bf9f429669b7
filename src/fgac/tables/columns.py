"""What fit decides about one column: the scale or the ranks of its numbers, or the numbers of its categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.tables.column_values import CategoricalColumn, ReadColumn

Ranks = tuple[tuple[float, ...], tuple[float, ...]]

# Ranks are known exactly at so many values, and linear between them, so that what a model keeps of a column does not
# grow with the number of training rows.
N_KNOTS = 256


@dataclass(frozen=True)
class Column:
    """The role of one column: numeric with a scale, or categorical with the categories that fit saw.

    ``direction`` is 1 for a numeric column of which more is better, -1 if less is. ``ranks`` are some values and the
    shares of the training rows below them, of a column whose values count by their rank.
    """

    name: str
    scale: float = 1.0
    weight: float = 1.0
    categories: dict[Any, int] | None = None
    direction: int = 0
    ranks: Ranks | None = None
    origin: float = 0.0

    @property
    def is_categorical(self) -> bool:
        """Whether values are categories, not numbers."""
        return self.categories is not None

    def scaled(self, values: Any) -> Any:
        """Numbers as they count in differences: on the column's scale, or as shares of the training rows."""
        return values / self.scale if self.ranks is None else np.interp(values, *self.ranks)

    def codes(self, column: CategoricalColumn) -> NDArray[np.int32]:
        """Category numbers; -1 for a category that fit did not see."""
        assert self.categories is not None
        # Categories are looked up once each, not once per row.
        return np.array([self.categories.get(value, -1) for value in column.categories], dtype=np.int32)[column.codes]


def learn_column(
    name: str, read: ReadColumn, *, scale: str | None, weight: float, direction: int, sample_weight: Floats
) -> Column:
    """Decide about a column from its values in the training rows.

    ``scale`` is "range", "robust", "rank" or None, as in the estimators; ``weight`` and ``direction`` are the user's.
    """
    if isinstance(read, CategoricalColumn):
        return Column(name, weight=weight, categories=number_categories(read))
    values = read.values
    spread = spread_of(values, scale, sample_weight)
    if not np.isfinite(spread):
        raise ValueError(f"column {name} ranges from {values.min()} to {values.max()}, more than a float can hold")
    ranks = ranks_of(values, sample_weight) if scale == "rank" else None
    # A constant column has no spread; its differences in training are 0 on any scale.
    return Column(name, weight=weight, scale=spread or 1.0, direction=direction, ranks=ranks)


def number_categories(column: CategoricalColumn) -> dict[Any, int]:
    """Number the categories, in an order that does not depend on the rows.

    >>> number_categories(CategoricalColumn(np.array([0, 1, 0]), ("red", "blue")))
    {'blue': 0, 'red': 1}
    """
    try:
        ordered = sorted(column.categories)
    except TypeError:  # values of several types have no order of their own
        ordered = sorted(column.categories, key=lambda value: (type(value).__name__, repr(value)))
    return {value: code for code, value in enumerate(ordered)}


def spread_of(values: Floats, scale: str | None, sample_weight: Floats) -> float:
    """What counts as a difference of 1 in a numeric column.

    >>> spread_of(np.array([3.0, 5.0, 7.0]), "range", np.ones(3))
    4.0
    """
    if scale is None:
        return 1.0
    if scale in ("range", "rank"):
        low, high = values.min(), values.max()
    else:
        low, high = weighted_percentile(values, np.array([1.0, 99.0]), sample_weight)
    return float(high) - float(low)


def ranks_of(values: Floats, weight: Floats) -> Ranks:
    """Values, and the share of all rows that lie below each, with half of those that are equal to it.

    >>> ranks_of(np.array([5.0, 7.0, 7.0, 90.0]), np.ones(4))
    ((5.0, 7.0, 90.0), (0.125, 0.5, 0.875))
    """
    distinct, which = np.unique(values, return_inverse=True)
    # Equal values are added in the order of their weights, so that rounding does not depend on the order of the rows.
    order = np.lexsort([weight, which])
    held = np.add.reduceat(weight[order], np.searchsorted(which[order], np.arange(len(distinct))))
    shares = (np.cumsum(held) - 0.5 * held) / held.sum()
    if len(distinct) > N_KNOTS:
        # Knots at equal steps of the share, not of the value: where rows are dense, so are the knots.
        kept = np.unique(np.searchsorted(shares, np.linspace(shares[0], shares[-1], N_KNOTS)).clip(0, len(shares) - 1))
        distinct, shares = distinct[kept], shares[kept]
    return tuple(distinct.tolist()), tuple(shares.tolist())


def weighted_percentile(values: Floats, percent: Floats, weight: Floats) -> Floats:
    """Percentiles of values repeated as often as their weights say, linear between neighbours.

    Whole numbers count as repetitions, exactly as ``np.percentile`` of the repeated values; other weights are
    first brought to a mean of one.

    >>> weighted_percentile(np.array([1.0, 2.0]), np.array([50.0]), np.array([3.0, 1.0]))
    array([1.])
    """
    if (weight != np.round(weight)).any():
        weight = weight * (len(weight) / weight.sum())
    order = np.argsort(values, kind="stable")
    end = np.cumsum(weight[order])
    start = end - weight[order]
    # A value of weight w fills w places: its first and its last place are knots between which it does not change.
    places = np.column_stack([start, np.maximum(start, end - 1)]).ravel()
    return np.interp(percent / 100 * max(0.0, end[-1] - 1), places, np.repeat(values[order], 2))
