"""Columns of a table: their roles, scales, ranks, categories, weights and directions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac._warnings import caller_stacklevel
from fgac.tables.frames import categorical_types, is_frame

Labels = tuple[NDArray[np.int64], list[Any]]
Ranks = tuple[tuple[float, ...], tuple[float, ...]]

# Ranks are known exactly at so many values, and linear between them.
N_KNOTS = 256


@dataclass(frozen=True)
class Column:
    """Role of one column: numeric with a scale, or nominal with the categories that fit saw.

    ``direction`` is 1 for a numeric column of which more is better, -1 if less is. ``ranks`` are some values and the
    shares of the training rows below them, of a column whose values count by their rank.
    """

    name: str
    scale: float = 1.0
    weight: float = 1.0
    categories: dict[Any, int] | None = None
    direction: int = 0
    ranks: Ranks | None = None

    @property
    def is_categorical(self) -> bool:
        """Whether values are names, not numbers."""
        return self.categories is not None

    def scaled(self, values: Any) -> Any:
        """Numbers as they count in differences: on the column's scale, or as shares of the training rows."""
        return values / self.scale if self.ranks is None else np.interp(values, *self.ranks)

    def codes(self, values: Labels) -> NDArray[np.int32]:
        """Category numbers; -1 for a category that fit did not see."""
        assert self.categories is not None
        numbers, distinct = values
        return np.array([self.categories.get(value, -1) for value in distinct], dtype=np.int32)[numbers]


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
    places = np.column_stack([start, np.maximum(start, end - 1)]).ravel()
    return np.interp(percent / 100 * max(0.0, end[-1] - 1), places, np.repeat(values[order], 2))


def categories_of(values: Labels) -> dict[Any, int]:
    """Number the categories, in an order that does not depend on the rows."""
    seen = values[1]
    try:
        ordered = sorted(seen)
    except TypeError:
        ordered = sorted(seen, key=lambda value: (type(value).__name__, repr(value)))
    return {value: code for code, value in enumerate(ordered)}


def warn_if_doubtful(name: str, values: Labels) -> None:
    """Warn about a column that is nominal by its type only, and looks as if it were not meant to be."""
    codes, distinct = values
    odd = [value for value in distinct if not (isinstance(value, str) and is_number(value))]
    if len(distinct) > 2 and not odd:
        problem = "holds numbers written as text"
    elif len(distinct) > 10 and len(odd) <= len(distinct) / 10:
        problem = f"holds numbers, but for {odd[0]!r}" + (f" and {len(odd) - 1} more" if len(odd) > 1 else "")
    elif len(codes) >= 50 and len(distinct) > len(codes) / 2:
        problem = f"has {len(distinct)} different values in {len(codes)} rows, like an identifier"
    else:
        return
    warnings.warn(
        f"column {name!r} {problem}, and is taken as nominal because of its type: every two different values are then "
        "equally far apart, and each counts as a column. Convert it to numbers, leave it out, or name it in "
        "categorical_features",
        UserWarning,
        stacklevel=caller_stacklevel(),
    )


def is_number(text: str) -> bool:
    """Whether a text reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def categorical_mask(X: Any, names: list[str], categorical_features: Any) -> list[bool]:
    """Which columns are nominal, by their types or by the caller's word."""
    n = len(names)
    if categorical_features is None:
        return [False] * n
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise ValueError(
                f"categorical_features={categorical_features!r} is unknown; expected 'from_dtype', a list of column "
                "names, a list of positions, a mask with one bool per column, or None"
            )
        return categorical_types(X) if is_frame(X) else [False] * n
    given = np.asarray(categorical_features)
    if given.size == 0:
        return [False] * n
    if given.ndim != 1 or given.dtype.kind not in "biuUOT":
        raise ValueError(f"categorical_features={categorical_features!r} must be a list of names, positions or bools")
    if given.dtype.kind == "b":
        if len(given) != n:
            raise ValueError(f"categorical_features is a mask of {len(given)} bools, but X has {n} columns")
        return [bool(value) for value in given]
    if given.dtype.kind in "iu":
        if given.min() < 0 or given.max() >= n:
            raise ValueError(
                f"categorical_features={given.tolist()} must be positions from 0 to {n - 1}: X has {n} columns"
            )
        return [j in given for j in range(n)]
    if not is_frame(X):
        raise ValueError(
            "categorical_features holds names, but X has no column names; give positions or a mask instead"
        )
    unknown = [name for name in given.tolist() if name not in names]
    if unknown:
        raise ValueError(f"categorical_features names {unknown}, which are not columns of X: {names}")
    return [name in given for name in names]


def by_name(feature_weights: Any, names: list[str]) -> Any:
    """Weights given by the names of columns, in the order of the columns; those that are not named weigh 1.

    >>> by_name({"age": 2.0}, ["income", "age"])
    [1.0, 2.0]
    """
    if not hasattr(feature_weights, "keys"):
        return feature_weights
    if list(feature_weights.keys()) == list(range(len(names))):  # a Series that names positions
        return [feature_weights[position] for position in range(len(names))]
    given = {str(name): feature_weights[name] for name in feature_weights.keys()}  # noqa: SIM118 (a pandas Series)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(f"feature_weights names {unknown}, which are not columns of X: {names}")
    return [given.get(name, 1.0) for name in names]


def check_feature_weights(feature_weights: Any, n: int) -> Floats:
    """One finite number >= 0 per column, not all 0."""
    if feature_weights is None:
        return np.ones(n)
    try:
        weights = np.asarray(feature_weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"feature_weights={feature_weights!r} must hold one number per column ({n}), or be 'learned'"
        ) from error
    if weights.shape != (n,):
        raise ValueError(f"feature_weights must hold one number per column ({n}), got shape {weights.shape}")
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise ValueError(f"feature_weights must be finite, >= 0 and not all 0, got {weights.tolist()}")
    return weights


def directions_of(monotonic_cst: Any, names: list[str], nominal: list[bool]) -> list[int]:
    """1, 0 or -1 for every column, given in their order, or by their names or positions.

    >>> directions_of({"debt": -1}, ["income", "debt"], [False, False])
    [0, -1]
    """
    if monotonic_cst is None:
        return [0] * len(names)
    given = _by_column(monotonic_cst, names) if hasattr(monotonic_cst, "keys") else list(monotonic_cst)
    if len(given) != len(names):
        raise ValueError(f"monotonic_cst has shape ({len(given)},) but the input data X has {len(names)} features.")
    wrong = [value for value in given if isinstance(value, str) or value not in (-1, 0, 1)]
    if wrong:
        raise ValueError(
            f"monotonic_cst holds {wrong[0]!r}; must be 1 (more speaks for the higher class or number), -1 (less does) "
            "or 0, for every column or by name, as in {'income': 1}"
        )
    for name, is_name, direction in zip(names, nominal, given, strict=True):
        if is_name and direction:
            raise ValueError(
                f"monotonic_cst={int(direction)} for column {name!r}, which is nominal: names have no order. Convert "
                "it to numbers, or leave it out of monotonic_cst"
            )
    return [int(direction) for direction in given]


def _by_column(given: Any, names: list[str]) -> list[Any]:
    """Values given by names or positions of columns; 0 for those that are not named."""
    chosen = [0] * len(names)
    for key in given.keys():  # noqa: SIM118 (a pandas Series)
        place = key if isinstance(key, int | np.integer) else names.index(str(key)) if str(key) in names else -1
        if not 0 <= place < len(names):
            raise ValueError(f"monotonic_cst names {key!r}, which is no column of X; expected some of {names}")
        chosen[place] = given[key]
    return chosen
