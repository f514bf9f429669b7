"""From a user's table to rows of a metric space. Roles and scales of columns are decided once, in fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.metrics.distances import Rows
from fgac.tables.columns import (
    Column,
    Labels,
    by_name,
    categorical_mask,
    categories_of,
    check_feature_weights,
    directions_of,
    ranks_of,
    spread_of,
    warn_if_doubtful,
)
from fgac.tables.frames import columns_of, labels, names_of, number_matrix, numbers

# How a difference enters the distance, so that the number of columns does not make everything far apart.
PER_COLUMN = {"euclidean": lambda q: 1.0 / np.sqrt(q), "manhattan": lambda q: 1.0 / q}


@dataclass(frozen=True)
class Table:
    """A learned reading of tables of the same columns: ``rows(read(X))`` are :class:`~fgac.metrics.distances.Rows`.

    ``keeps_column_order`` keeps all columns in one matrix in the user's order (nominal ones as category numbers),
    for metrics of the user's own.
    """

    columns: tuple[Column, ...]
    column_factor: float
    keeps_column_order: bool

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
        return read_columns(X, [c.name for c in self.columns], [c.is_categorical for c in self.columns])

    def rows(self, values: list[Any]) -> Rows:
        """Scale and weight columns that have been read."""
        numeric, codes, mismatch, ordered = [], [], [], []
        for column, part in zip(self.columns, values, strict=True):
            if column.direction:
                ordered.append(column.scaled(part) * (column.direction * column.weight * self.column_factor))
            elif not column.is_categorical:
                numeric.append(column.scaled(part) * (column.weight * self.column_factor))
            elif self.keeps_column_order:
                numeric.append(column.codes(part).astype(np.float64))
            else:
                codes.append(column.codes(part))
                mismatch.append(column.weight * self.column_factor)
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
        nominal = categorical_mask(X, names, categorical_features)
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
    return Table(tuple(columns), float(unit), keeps_column_order=not known), read.values


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
