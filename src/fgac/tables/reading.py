"""Columns of a user's table that have been read, before anything is decided about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fgac.tables.column_values import CategoricalColumn, ReadColumn
from fgac.tables.columns import Column
from fgac.tables.frames import (
    columns_of,
    is_frame,
    names_of,
    number_matrix,
    read_categories,
    read_numbers,
    whole_types,
)
from fgac.tables.roles import categorical_mask, without_identifiers


@dataclass(frozen=True)
class ReadTable:
    """A table whose columns have been read, and can be learned from, and cut, many times."""

    names: list[str]
    columns: list[ReadColumn]

    @classmethod
    def of(cls, X: Any, categorical_features: Any) -> ReadTable:
        """Read a table; columns of a frame that name the rows are left out, unless the user says what is what.

        An array has no names and no types, and all of its columns are meant. What has been read stays as it is.
        """
        if isinstance(X, cls):
            return X
        names = names_of(X)
        columns = read_columns(X, names, categorical_mask(X, names, categorical_features))
        decides = isinstance(categorical_features, str) and is_frame(X)
        return cls(names, without_identifiers(columns, names) if decides else columns)

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, rows: Any) -> ReadTable:
        return ReadTable(self.names, [column[rows] for column in self.columns])


def untyped(read: Sequence[ReadColumn], columns: Sequence[Column]) -> list[ReadColumn]:
    """Columns that have been read, but for those in which nothing was known in fit: they have no type of their own."""
    pairs = zip(read, columns, strict=True)
    return [CategoricalColumn.unknown_in(len(part)) if column.is_empty else part for part, column in pairs]


def read_columns(X: Any, names: list[str], is_categorical: list[bool]) -> list[ReadColumn]:
    """Read the columns of a frame or an array; an error names the columns with infinite values."""
    columns: list[ReadColumn] = []
    infinite: list[str] = []
    # One conversion of the whole table is much faster than one per column.
    matrix = None if any(is_categorical) else number_matrix(X)
    parts = columns_of(X) if matrix is None else list(matrix.T)
    for part, name, is_name, is_whole in zip(parts, names, is_categorical, whole_types(X), strict=True):
        column = read_categories(part) if is_name else read_numbers(part, name, is_whole=is_whole)
        columns.append(column)
        if not column.is_usable():
            infinite.append(name)
    if infinite:
        raise ValueError(
            f"Input X contains infinity (inf) in columns {infinite}; expected finite numbers, or nan where one is "
            "unknown"
        )
    return columns
