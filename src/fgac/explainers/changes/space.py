"""Rows as one matrix of floats: numbers as they are, categories by their positions, nan where a value is unknown.

In this form a row is copied, changed in some columns, and handed to the model's own table, which makes of it what it
makes of a caller's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._serialize import FieldsOnly
from fgac._typing import Floats
from fgac.explainers.changes.lattice import Lattice
from fgac.explanation.arguments import Value
from fgac.metrics.distances import Rows
from fgac.tables.column_values import CategoricalColumn, NumericColumn, ReadColumn
from fgac.tables.columns import Column
from fgac.tables.labels import is_missing, plain_name
from fgac.tables.table import Table
from fgac.tables.value_kinds import DATES, days_in, plain_value


@dataclass(frozen=True)
class SpaceColumn:
    """One column: its role in the model, and the values that it may change to.

    Attributes
    ----------
    name : what explanations call it
    column : its role
    categories : those of the training rows in the order of their numbers, then those that only other rows have
    n_known : how many of them training saw
    lattice : the numbers that it may change to; None of categories, and where training knew one number at most
    """

    name: str
    column: Column
    categories: tuple[Any, ...] = ()
    n_known: int = 0
    lattice: Lattice | None = None

    def told(self, number: float) -> Value | None:
        """A value as explanations tell it: dates as texts, whole numbers whole, None if unknown."""
        if np.isnan(number):
            return None
        if self.column.is_categorical:
            return plain_name(self.categories[int(number)])
        told: Value = plain_value(self.column.kind, float(number))
        return told

    def as_told(self, numbers: Floats) -> Floats:
        """Numbers without what is lost when they are told: parts of milliseconds of dates."""
        if self.column.kind not in DATES:
            return numbers
        distinct, which = np.unique(numbers, return_inverse=True)
        told = [x if np.isnan(x) else days_in(str(plain_value(self.column.kind, x))) for x in distinct.tolist()]
        return np.array(told, dtype=np.float64)[which]


@dataclass(frozen=True, eq=False)
class Space(FieldsOnly):
    """The columns of a model, its training rows in them, and the rows that are asked about.

    Attributes
    ----------
    table : how the model reads columns
    columns : one per column of the model
    known : the training rows
    asked : the rows that are asked about
    """

    table: Table
    columns: tuple[SpaceColumn, ...]
    known: Floats
    asked: Floats

    @classmethod
    def of(
        cls, table: Table, names: Sequence[str], known: Sequence[NDArray[Any]], asked: Sequence[ReadColumn]
    ) -> Space:
        """The space of a model with these training rows, and of rows that it has read."""
        columns, trained, rows = [], [], []
        for name, column, values, part in zip(names, table.columns, known, asked, strict=True):
            if column.is_categorical:
                found, here, there = _categorical(name, column, values, part)
            else:
                found, here, there = _numeric(name, column, values, part)
            columns.append(found)
            trained.append(here)
            rows.append(there)
        return cls(table, tuple(columns), np.column_stack(trained), np.column_stack(rows))

    def read(self, cells: Floats) -> list[ReadColumn]:
        """Rows of such a matrix as columns that a table can scale."""
        return [_read(column, part) for column, part in zip(self.columns, cells.T, strict=True)]

    def rows(self, cells: Floats) -> Rows:
        """Rows of such a matrix as the model sees them."""
        return self.table.rows(self.read(cells))

    @cached_property
    def counting(self) -> list[int]:
        """Columns whose change can matter, and that may change to something."""
        return [
            j
            for j, each in enumerate(self.columns)
            if (each.column.weight or self.table.keeps_column_order) and (each.lattice or each.n_known > 1)
        ]

    def told(self, cells: Floats) -> dict[str, Value | None]:
        """One row by the names of its columns."""
        return {each.name: each.told(number) for each, number in zip(self.columns, cells, strict=True)}


def _numeric(name: str, column: Column, values: NDArray[Any], part: ReadColumn) -> tuple[SpaceColumn, Floats, Floats]:
    """A column of numbers, of training rows and of others."""
    assert isinstance(part, NumericColumn)
    plain = SpaceColumn(name, column)
    here = plain.as_told(np.asarray(values, dtype=np.float64))
    seen = here[~np.isnan(here)]
    if not len(seen) or seen.min() == seen.max():
        return plain, here, part.values
    lattice = Lattice.of(column.kind, float(seen.min()), float(seen.max()), seen)
    return SpaceColumn(name, column, lattice=lattice), here, part.values


def _categorical(
    name: str, column: Column, values: NDArray[Any], part: ReadColumn
) -> tuple[SpaceColumn, Floats, Floats]:
    """A column of categories, of training rows and of others; one of which nothing was known has none that counts."""
    assert isinstance(part, CategoricalColumn)
    assert column.categories is not None
    categories = sorted(column.categories, key=column.categories.__getitem__)
    numbers: dict[Any, float] = {}
    for value in part.categories:
        known = column.category_number(value)
        # A category that training did not see is a further one, which no row changes to.
        numbers[value] = known if known >= 0 else len(categories)
        if known < 0:
            categories.append(value)
    of_rows = np.array([*(numbers[value] for value in part.categories), np.nan], dtype=np.float64)
    here = np.array(
        [np.nan if is_missing(value) else column.category_number(value) for value in values], dtype=np.float64
    )
    found = SpaceColumn(name, column, tuple(categories), len(column.categories))
    return found, here, of_rows[part.codes]


def _read(column: SpaceColumn, cells: Floats) -> ReadColumn:
    if not column.column.is_categorical:
        return NumericColumn(np.ascontiguousarray(cells))
    codes = np.where(np.isnan(cells), -1.0, cells).astype(np.int64)
    return CategoricalColumn(codes, column.categories)
