"""Columns that have been read: numbers as floats, categories as codes into the list of those that occur.

A table keeps its columns in this form between reading and scaling, so that it can be cut into folds, learned from and
explained without looking at the user's frame again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints, Label
from fgac.tables.labels import plain_name
from fgac.tables.value_kinds import ValueKind

Defect = Literal["missing", "infinite"]


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """The numbers of one column, nan where one is missing.

    ``rounding`` is by how much differences are off at most, because whole numbers that no float equals were rounded;
    ``kind`` is what the numbers are, by the type of the column.

    >>> column = NumericColumn(np.array([3.0, 5.0, 4.0]))
    >>> len(column), column[[2, 0]].values, column.value(1)
    (3, array([4., 3.]), 5.0)
    """

    values: Floats
    rounding: float = 0.0
    kind: ValueKind = "number"
    is_categorical: ClassVar[bool] = False

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Any) -> NumericColumn:
        """The column of some rows."""
        return replace(self, values=self.values[rows])

    def value(self, i: int) -> float:
        """The number of row i."""
        return float(self.values[i])

    def to_array(self) -> NDArray[Any]:
        """A copy of the numbers."""
        return np.array(self.values)

    def repeat(self, n: int) -> NumericColumn:
        """Every row n times."""
        return replace(self, values=np.repeat(self.values, n))

    def defect(self) -> Defect | None:
        """Why the column cannot be used: it has missing values, or infinite ones."""
        # Nearly all columns are finite, and need one pass only.
        if np.isfinite(self.values).all():
            return None
        return "missing" if np.isnan(self.values).any() else "infinite"


@dataclass(frozen=True, eq=False)
class CategoricalColumn:
    """The categories of one column: ``categories[codes[i]]`` is that of row i, a code of -1 marks a missing value.

    Every category occurs in some row, whichever rows the column has been cut to.

    >>> column = CategoricalColumn(np.array([0, 1, 2, 1]), ("red", "green", "blue"))
    >>> column.value(2), column.to_array().tolist()
    ('blue', ['red', 'green', 'blue', 'green'])
    >>> column[[3, 2]]
    CategoricalColumn(codes=array([0, 1]), categories=('green', 'blue'))
    """

    codes: Ints
    categories: tuple[Any, ...]
    is_categorical: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> CategoricalColumn:
        """The column of some rows, without the categories that these do not have."""
        # Categories that only other rows have must not count: those of a fold are learned from its rows alone.
        seen, codes = np.unique(self.codes[rows], return_inverse=True)
        return CategoricalColumn(codes, tuple(self.categories[code] for code in seen))

    def value(self, i: int) -> Label:
        """The category of row i as a plain Python value."""
        return plain_name(self.categories[self.codes[i]])

    def to_array(self) -> NDArray[Any]:
        """The categories of all rows as plain Python values."""
        # np.array would make numbers of numbers, and one long text type of texts.
        names = np.empty(len(self.categories), dtype=object)
        names[:] = [plain_name(category) for category in self.categories]
        return names[self.codes]

    def repeat(self, n: int) -> CategoricalColumn:
        """Every row n times."""
        return CategoricalColumn(np.repeat(self.codes, n), self.categories)

    def defect(self) -> Defect | None:
        """Why the column cannot be used: it has missing values."""
        return "missing" if (self.codes < 0).any() else None


ReadColumn = NumericColumn | CategoricalColumn
