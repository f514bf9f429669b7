"""From a user's table to rows of a metric space. Roles and scales of columns are decided once, in fit."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac.distances import Floats, Rows
from fgac.frames import columns_of, is_frame, labels, names_of, nominal_types, number_matrix, numbers
from fgac.warned import callers_level

Labels = tuple[NDArray[np.int64], list[Any]]
Ranks = tuple[tuple[float, ...], tuple[float, ...]]

# Ranks are known exactly at so many values, and linear between them.
N_KNOTS = 256

# How a difference enters the distance, so that the number of columns does not make everything far apart.
PER_COLUMN = {"euclidean": lambda q: 1.0 / np.sqrt(q), "manhattan": lambda q: 1.0 / q}


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
    def is_nominal(self) -> bool:
        """Whether values are names, not numbers."""
        return self.categories is not None

    def places(self, values: Any) -> Any:
        """Numbers as they count in differences: on the column's scale, or as shares of the training rows."""
        return values / self.scale if self.ranks is None else np.interp(values, *self.ranks)

    def codes(self, values: Labels) -> NDArray[np.int32]:
        """Category numbers; -1 for a category that fit did not see."""
        assert self.categories is not None
        numbers, distinct = values
        return np.array([self.categories.get(value, -1) for value in distinct], dtype=np.int32)[numbers]


@dataclass(frozen=True)
class Table:
    """A learned reading of tables of the same columns: ``rows(read(X))`` are :class:`~fgac.distances.Rows`.

    ``in_order`` keeps all columns in one matrix in the user's order (nominal ones as category numbers),
    for metrics of the user's own.
    """

    columns: tuple[Column, ...]
    unit: float
    in_order: bool

    def weighted(self, weights: Floats) -> Table:
        """The same reading with other weights of the columns."""
        columns = (
            replace(column, weight=weight) for column, weight in zip(self.columns, weights.tolist(), strict=True)
        )
        return replace(self, columns=tuple(columns))

    def read(self, X: Any) -> list[Any]:
        """The columns of a table, numbers or names, as they are."""
        if isinstance(X, ReadTable):
            return X.values
        return read_columns(X, [c.name for c in self.columns], [c.is_nominal for c in self.columns])

    def rows(self, values: list[Any]) -> Rows:
        """Scale and weight columns that have been read."""
        numeric, codes, mismatch, ordered = [], [], [], []
        for column, part in zip(self.columns, values, strict=True):
            if column.direction:
                ordered.append(column.places(part) * (column.direction * column.weight * self.unit))
            elif not column.is_nominal:
                numeric.append(column.places(part) * (column.weight * self.unit))
            elif self.in_order:
                numeric.append(column.codes(part).astype(np.float64))
            else:
                codes.append(column.codes(part))
                mismatch.append(column.weight * self.unit)
        n = len((numeric or codes or ordered)[0])
        empty = np.empty((n, 0))
        return Rows(
            np.ascontiguousarray(np.column_stack(numeric) if numeric else empty),
            np.ascontiguousarray(np.column_stack(codes) if codes else empty, dtype=np.int32),
            np.array(mismatch, dtype=np.float64),
            np.ascontiguousarray(np.column_stack(ordered)) if ordered else None,
            np.ones(n) if ordered else None,
        )


@dataclass(frozen=True)
class ReadTable:
    """A table whose columns have been read: their names, which of them are nominal, and their values.

    It can be learned from, and cut, many times.
    """

    names: list[str]
    nominal: list[bool]
    values: list[Any]

    @classmethod
    def of(cls, X: Any, categorical_features: Any) -> ReadTable:
        """Read a table."""
        names = names_of(X)
        nominal = nominal_mask(X, names, categorical_features)
        return cls(names, nominal, read_columns(X, names, nominal))

    def __len__(self) -> int:
        first = self.values[0]
        return len(first[0] if self.nominal[0] else first)

    def __getitem__(self, rows: Any) -> ReadTable:
        cut = [
            labels_among(part, rows) if is_name else part[rows]
            for part, is_name in zip(self.values, self.nominal, strict=True)
        ]
        return ReadTable(self.names, self.nominal, cut)


def labels_among(values: Labels, rows: Any) -> Labels:
    """The labels of some rows, with a list of those that are among them.

    >>> labels_among((np.array([0, 1, 2, 1]), ["red", "green", "blue"]), np.array([3, 2]))
    (array([0, 1]), ['green', 'blue'])
    """
    seen, codes = np.unique(values[0][rows], return_inverse=True)
    return codes, [values[1][label] for label in seen]


def learn_table(
    X: Any,
    *,
    metric: Any,
    scale: str | None,
    categorical_features: Any,
    feature_weights: Any,
    sample_weight: Floats,
    monotonic_cst: Any = None,
) -> tuple[Table, list[Any]]:
    """Decide roles, scales and categories from the training table (rows of weight 0 already left out), and read it."""
    read = X if isinstance(X, ReadTable) else ReadTable.of(X, categorical_features)
    weights = check_feature_weights(by_name(feature_weights, read.names), len(read.names))
    directions = directions_of(monotonic_cst, read.names, read.nominal)
    columns = []
    parts = zip(read.values, read.names, weights.tolist(), read.nominal, directions, strict=True)
    for part, name, weight, is_name, direction in parts:
        if is_name:
            columns.append(Column(name, weight=weight, categories=categories_of(part)))
            if isinstance(categorical_features, str):
                warn_if_doubtful(name, part)
        else:
            spread = spread_of(part, scale, sample_weight)
            if not np.isfinite(spread):
                raise ValueError(f"column {name} ranges from {part.min()} to {part.max()}, more than a float can hold")
            ranks = ranks_of(part, sample_weight) if scale == "rank" else None
            columns.append(Column(name, weight=weight, scale=spread or 1.0, direction=direction, ranks=ranks))
    n_columns = sum(1 if c.categories is None else len(c.categories) for c in columns)
    known = isinstance(metric, str)
    unit = PER_COLUMN[metric](n_columns) if known and metric in PER_COLUMN else 1.0
    return Table(tuple(columns), float(unit), in_order=not known), read.values


def read_columns(X: Any, names: list[str], nominal: list[bool]) -> list[Any]:
    """Numeric columns as floats, nominal ones as objects; an error names the columns with missing values."""
    values: list[Any] = []
    missing: list[str] = []
    infinite: list[str] = []
    matrix = None if any(nominal) else number_matrix(X)
    columns = columns_of(X) if matrix is None else list(matrix.T)
    for column, name, is_name in zip(columns, names, nominal, strict=True):
        part = labels(column) if is_name else numbers(column, name)
        values.append(part)
        if is_name:
            if (part[0] < 0).any():
                missing.append(name)
        elif not np.isfinite(part).all():
            (missing if np.isnan(part).any() else infinite).append(name)
    if missing:
        raise ValueError(
            f"Input X contains NaN or other missing values in columns {missing}; fgac needs complete rows: "
            "fill them in (sklearn.impute) or leave these rows or columns out"
        )
    if infinite:
        raise ValueError(f"Input X contains infinity (inf) in columns {infinite}; expected finite numbers")
    return values


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
        stacklevel=callers_level(),
    )


def is_number(text: str) -> bool:
    """Whether a text reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def nominal_mask(X: Any, names: list[str], categorical_features: Any) -> list[bool]:
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
        return nominal_types(X) if is_frame(X) else [False] * n
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
