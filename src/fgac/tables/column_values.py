"""Columns that have been read: numbers as floats, categories as codes into the list of those that occur.

A table keeps its columns in this form between reading and scaling, so that it can be cut into folds, learned from and
explained without looking at the user's frame again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Bools, Floats, Ints, Label
from fgac.tables.labels import plain_name
from fgac.tables.value_kinds import ValueKind


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """The numbers of one column, nan where one is unknown.

    ``rounding`` is by how much differences are off at most, because whole numbers that no float equals were rounded;
    ``kind`` is what the numbers are, by the type of the column. ``left_out`` says why they are not to count, as they
    name the rows and measure nothing; it is empty if they do count.

    >>> column = NumericColumn(np.array([3.0, 5.0, 4.0]))
    >>> len(column), column[[2, 0]].values, column.value(1)
    (3, array([4., 3.]), 5.0)
    """

    values: Floats
    rounding: float = 0.0
    kind: ValueKind = "number"
    left_out: str = ""
    is_categorical: ClassVar[bool] = False

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> NumericColumn:
        """The column of some rows."""
        return replace(self, values=self.values[rows])

    @property
    def unknown(self) -> Bools:
        """Which rows have no number here."""
        return np.isnan(self.values)

    @property
    def counts(self) -> bool:
        """Whether the column has a say in distances: something is known in it, and it is not left out."""
        return not self.left_out and not self.unknown.all()

    @property
    def known_values(self) -> Floats:
        """The numbers that are known."""
        return self.values[~self.unknown]

    def value(self, i: int) -> float | None:
        """The number of row i, None if it is unknown."""
        return None if np.isnan(self.values[i]) else float(self.values[i])

    def to_array(self) -> NDArray[Any]:
        """A copy of the numbers."""
        return np.array(self.values)

    def repeat(self, n: int) -> NumericColumn:
        """Every row n times."""
        return replace(self, values=np.repeat(self.values, n))

    def is_usable(self) -> bool:
        """Whether no number is infinite; unknown ones are welcome."""
        return not np.isinf(self.values).any()


@dataclass(frozen=True, eq=False)
class CategoricalColumn:
    """The categories of one column: ``categories[codes[i]]`` is that of row i, a code of -1 marks an unknown one.

    Every category occurs in some row, whichever rows the column has been cut to. ``left_out`` says that nearly every
    row has one of its own, like a name or an identifier, so that the column is not to count.

    >>> column = CategoricalColumn(np.array([0, 1, 2, 1]), ("red", "green", "blue"))
    >>> column.value(2), column.to_array().tolist()
    ('blue', ['red', 'green', 'blue', 'green'])
    >>> column[[3, 2]]
    CategoricalColumn(codes=array([0, 1]), categories=('green', 'blue'), left_out=False)
    """

    codes: Ints
    categories: tuple[Any, ...]
    left_out: bool = False
    is_categorical: ClassVar[bool] = True

    @classmethod
    def unknown_in(cls, n: int) -> CategoricalColumn:
        """A column of n rows in which nothing is known."""
        return cls(np.full(n, -1), ())

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> CategoricalColumn:
        """The column of some rows, without the categories that these do not have."""
        # Categories that only other rows have must not count: those of a fold are learned from its rows alone.
        seen, codes = np.unique(self.codes[rows], return_inverse=True)
        n_unknown = int(seen[:1].sum() < 0)  # -1 comes first
        categories = tuple(self.categories[code] for code in seen[n_unknown:])
        return CategoricalColumn(codes - n_unknown, categories, self.left_out)

    @property
    def unknown(self) -> Bools:
        """Which rows have no category here."""
        return self.codes < 0

    @property
    def counts(self) -> bool:
        """Whether the column has a say in distances: something is known in it, and it is not left out."""
        return bool(self.categories) and not self.left_out

    def value(self, i: int) -> Label | None:
        """The category of row i as a plain Python value, None if it is unknown."""
        return None if self.codes[i] < 0 else plain_name(self.categories[self.codes[i]])

    def to_array(self) -> NDArray[Any]:
        """The categories of all rows as plain Python values, None where unknown."""
        # np.array would make numbers of numbers, and one long text type of texts. A code of -1 is the last entry.
        names = np.empty(len(self.categories) + 1, dtype=object)
        names[:] = [*(plain_name(category) for category in self.categories), None]
        return names[self.codes]

    def repeat(self, n: int) -> CategoricalColumn:
        """Every row n times."""
        return replace(self, codes=np.repeat(self.codes, n))

    def is_usable(self) -> bool:
        """Categories always are; unknown ones are welcome."""
        return True


ReadColumn = NumericColumn | CategoricalColumn
