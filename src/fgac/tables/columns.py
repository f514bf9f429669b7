"""What fit decides about one column: the scale or the ranks of its numbers, or the numbers of its categories."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._serialize import FieldsOnly
from fgac._tolerances import ROUNDED_INTEGER_TOL, WHOLE_PLACES_TOL
from fgac._typing import Floats
from fgac.metrics.distances import UNKNOWN, UNSEEN
from fgac.tables.column_values import CategoricalColumn, ReadColumn
from fgac.tables.value_kinds import ValueKind, learned_kind

Ranks = tuple[tuple[float, ...], tuple[float, ...]]

# Numbers that are further from 0 than this many times their spread are counted from the least of them: divided by the
# spread as they are, they would lose the digits in which they differ. All of them are then less than a factor of two
# apart, so that the subtraction is exact (Sterbenz).
FAR = 2.0

# What being unknown counts, as a share of what a difference of one scale counts. Much more keeps rows apart that may
# well be alike; nothing would make an unknown value equal to the one in the middle.
UNKNOWN_SHARE = 0.1

# Ranks are known exactly at so many values, and linear between them, so that what a model keeps of a column does not
# grow with the number of training rows.
N_KNOTS = 256


@dataclass(frozen=True)
class Column(FieldsOnly):
    """The role of one column: numeric with a scale, or categorical with the categories that fit saw.

    ``direction`` is 1 for a numeric column of which more is better, -1 if less is. ``ranks`` are some values and the
    shares of the training rows below them, of a column whose values count by their rank. ``origin`` is subtracted
    before numbers are divided by the scale. ``middle`` is where an unknown number stands, as it counts in differences,
    and ``unknown_weight`` what being unknown counts besides: a coordinate of its own, which columns without unknown
    training values do without. ``kind`` is what the numbers are, for those who speak about them.
    """

    name: str
    scale: float = 1.0
    weight: float = 1.0
    categories: dict[Any, int] | None = None
    direction: int = 0
    ranks: Ranks | None = None
    origin: float = 0.0
    middle: float = 0.0
    unknown_weight: float = 0.0
    kind: ValueKind = "number"

    @property
    def is_categorical(self) -> bool:
        """Whether values are categories, not numbers."""
        return self.categories is not None

    @cached_property
    def _rank_arrays(self) -> tuple[Floats, Floats]:
        """The ranks as arrays: tuples of hundreds of numbers take longer to read than to use."""
        assert self.ranks is not None
        return np.array(self.ranks[0]), np.array(self.ranks[1])

    @property
    def is_empty(self) -> bool:
        """Whether nothing was known in it: it has no category, and whatever new rows hold there counts for nothing."""
        return self.categories == {}

    def scaled(self, values: Any) -> Any:
        """Numbers as they count in differences: on the column's scale, or as shares of the training rows.

        Unknown ones (nan) stand in the middle.
        """
        values = np.asarray(values, dtype=np.float64)
        unknown = np.isnan(values)
        if self.ranks is not None:
            # np.interp gives nan for nan, but tells nobody which of its results are.
            places = interpolated(np.where(unknown, self.ranks[0][0], values), *self._rank_arrays)
        else:
            with np.errstate(over="ignore"):  # new numbers may be any number of scales away
                places = (values - self.origin) / self.scale
        return np.where(unknown, self.middle, places) if unknown.any() else places

    def beyond(self, number: float) -> bool:
        """Whether a number lies beyond those of all training rows, and counts as if it stood where ranks end.

        On other scales it is further away by as much as it is larger.

        >>> column = Column("age", ranks=((20.0, 60.0), (0.25, 0.75)))
        >>> column.beyond(61.0), column.beyond(60.0), column.beyond(float("nan"))
        (True, False, False)
        """
        return self.ranks is not None and (number < self.ranks[0][0] or number > self.ranks[0][-1])

    def excess(self, numbers: Floats) -> Floats:
        """How many times their range numbers lie beyond those of all training rows, where ranks end; else 0.

        >>> column = Column("age", ranks=((20.0, 60.0), (0.25, 0.75)))
        >>> column.excess(np.array([10.0, 30.0, 70.0, np.nan]))
        array([0.25, 0.  , 0.25, 0.  ])
        """
        if self.ranks is None:
            return np.zeros(len(numbers))
        low, high = self.ranks[0][0], self.ranks[0][-1]
        with np.errstate(over="ignore"):
            found = np.maximum(low - numbers, numbers - high) / (high - low or self.scale)
        return np.fmax(found, 0.0)  # of nan and 0 it is 0

    def codes(self, column: CategoricalColumn) -> NDArray[np.int32]:
        """Category numbers; ``UNSEEN`` for a category that fit did not see, ``UNKNOWN`` where there is none."""
        # Categories are looked up once each, not once per row; a code of -1, unknown, is the last entry.
        numbers = [*(self.category_number(value) for value in column.categories), UNKNOWN]
        return np.array(numbers, dtype=np.int32)[column.codes]

    def category_number(self, value: Any) -> int:
        """The number of a category, ``UNSEEN`` if fit did not see it.

        What is text in one table may be a number or a truth value in another, as in a file and in a frame: a value
        that is not known as it is counts as the category of another type that is written like it.

        >>> column = Column("own", categories={"false": 0, "true": 1})
        >>> column.category_number(True), column.category_number("True")
        (1, -1)
        """
        assert self.categories is not None
        found = self.categories.get(value)
        return self._written_alike.get((isinstance(value, str), written(value)), UNSEEN) if found is None else found

    @cached_property
    def _written_alike(self) -> dict[tuple[bool, str], int]:
        """Numbers of categories by how they are written, for values that are text where these are not, or vice versa.

        Categories that are written alike, as 1 and True, cannot be told apart so, and are left out.
        """
        assert self.categories is not None
        keys = [((not isinstance(value, str), written(value)), code) for value, code in self.categories.items()]
        counts = Counter(key for key, _ in keys)
        return {key: code for key, code in keys if counts[key] == 1}


def learn_column(
    name: str,
    read: ReadColumn,
    *,
    scale: str | None,
    weight: float,
    direction: int,
    sample_weight: Floats,
    moves: bool = True,
) -> Column:
    """Decide about a column from its values in the training rows; one in which nothing is known gets no weight.

    ``scale`` is "range", "robust", "rank" or None, as in the estimators; ``weight`` and ``direction`` are the user's.
    ``moves`` says whether numbers may be moved by an origin: not if a metric of the user's own is to see them.
    """
    if isinstance(read, CategoricalColumn):
        return Column(name, weight=weight if read.counts else 0.0, categories=number_categories(read))
    weight = weight if read.counts else 0.0
    known = ~read.unknown
    if not known.any():
        return Column(name, weight=0.0, categories={})
    all_known = bool(known.all())
    values, sample_weight = (read.values, sample_weight) if all_known else (read.values[known], sample_weight[known])
    _check_rounding(name, read.rounding, values)
    low, high = span_of(values, scale, sample_weight)
    spread = high - low
    if not np.isfinite(spread):
        raise ValueError(
            f"column {name} ranges from {values.min()} to {values.max()}, more than a float can hold; give it in "
            "another unit"
        )
    # A constant column has no spread; its differences in training are 0 on any scale.
    unit = 1.0 if scale is None else spread or 1.0
    unknown_weight = 0.0 if all_known else UNKNOWN_SHARE * weight
    kind = learned_kind(values, read.kind)
    if scale == "rank":
        ranks = ranks_of(values, sample_weight)
        return Column(name, unit, weight, None, direction, ranks, 0.0, 0.5, unknown_weight, kind)
    origin = low if moves and np.abs(values).max() > FAR * spread else 0.0
    middle = (float(weighted_percentile(values, np.array([50.0]), sample_weight)[0]) - origin) / unit
    return Column(name, unit, weight, None, direction, None, origin, middle, unknown_weight, kind)


def _check_rounding(name: str, rounding: float, values: Floats) -> None:
    """Refuse whole numbers whose differences are lost in floats, such as long identifiers."""
    width = float(values.max()) - float(values.min())
    if rounding > ROUNDED_INTEGER_TOL * width:
        raise ValueError(
            f"column {name} holds whole numbers beyond 2**53, whose differences are off by up to {rounding:.0f} "
            f"as floats, in a range of {width:.0f}: distances would be wrong. If it is an identifier, leave it out "
            "or name it in categorical_features; otherwise subtract its smallest value first"
        )


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


def written(value: Any) -> str:
    """A category as text files have it, truth values in small letters and whole numbers without a point.

    >>> written(np.bool_(True)), written("FALSE"), written(2.0), written("Lier")
    ('true', 'false', '2', 'Lier')
    """
    value = value.item() if isinstance(value, np.generic) else value
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return text.lower() if text.lower() in ("true", "false") else text


def span_of(values: Floats, scale: str | None, sample_weight: Floats) -> tuple[float, float]:
    """Between which values a numeric column lies, or nearly all of it if its scale is "robust".

    >>> span_of(np.array([3.0, 5.0, 7.0]), "range", np.ones(3))
    (3.0, 7.0)
    """
    if scale == "robust":
        low, high = weighted_percentile(values, np.array([1.0, 99.0]), sample_weight)
        return float(low), float(high)
    return float(values.min()), float(values.max())


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


def interpolated(values: Floats, knots: Floats, shares: Floats) -> Floats:
    """The shares at some values, linear between the knots.

    >>> interpolated(np.array([1.0, 5e-324]), np.array([0.0, 5e-324, 2.0]), np.array([0.1, 0.5, 0.9]))
    array([0.7, 0.5])
    """
    found = np.interp(values, knots, shares)
    if np.isfinite(found).all():
        return found
    # Between knots that are closest to each other the slope is infinite, and np.interp not to be used.
    after = np.searchsorted(knots, values).clip(1, len(knots) - 1)
    low, high = knots[after - 1], knots[after]
    part = ((np.clip(values, low, high) - low) / (high - low)).clip(0.0, 1.0)
    return shares[after - 1] + part * (shares[after] - shares[after - 1])


def weighted_percentile(values: Floats, percent: Floats, weight: Floats) -> Floats:
    """The values below which some percentages of the weight lie; halfway between two where the share ends between them.

    Weights have no unit: what counts is their shares. A value of weight 2 is one that is there twice, and a table that
    is there twice has the percentiles of one.

    >>> weighted_percentile(np.array([1.0, 2.0, 9.0]), np.array([50.0]), np.array([2.0, 1.0, 1.0]))
    array([1.5])
    """
    order = np.argsort(values, kind="stable")
    values, below = values[order], np.cumsum(weight[order] / weight.sum())
    wanted, last = np.asarray(percent) / 100.0, len(values) - 1
    # Sums of shares are rounded, so a share that ends with a value may seem to end just before it, or behind.
    first, second = (np.searchsorted(below, wanted + sign * WHOLE_PLACES_TOL).clip(0, last) for sign in (-1.0, 1.0))
    return 0.5 * values[first] + 0.5 * values[second]
