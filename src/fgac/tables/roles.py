"""Which columns are categorical: by their types, or by the user's word; and a warning where a type misleads."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from fgac._warnings import warn_caller
from fgac.tables.column_values import CategoricalColumn, NumericColumn, ReadColumn
from fgac.tables.frames import categorical_types, is_frame
from fgac.tables.identifiers import why_identifier
from fgac.tables.value_kinds import DATES

# Of fewer rows, many different values are no surprise.
FEW_ROWS = 50
# Texts that are dates with the year first; others might be something else.
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:.*)?$")
# More different values than this part of the rows are names or identifiers.
NEAR_UNIQUE = 0.5


def categorical_mask(X: Any, names: list[str], categorical_features: Any) -> list[bool]:
    """Whether each column of X is categorical.

    ``categorical_features`` is the estimators' parameter: "from_dtype", names, positions, a mask, or None.

    >>> categorical_mask(np.zeros((2, 3)), ["0", "1", "2"], [2])
    [False, False, True]
    """
    n = len(names)
    if categorical_features is None:
        return [False] * n
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise ValueError(
                f"categorical_features={categorical_features!r} is unknown; expected 'from_dtype', a list of column "
                "names, a list of positions, a mask with one bool per column, or None"
            )
        # A plain array has one type for all columns, which says nothing about any of them.
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
        return _at_positions(given, n)
    return _at_names(given, X, names)


def _at_positions(given: Any, n: int) -> list[bool]:
    if given.min() < 0 or given.max() >= n:
        raise ValueError(
            f"categorical_features={given.tolist()} must be positions from 0 to {n - 1}: X has {n} columns"
        )
    return [j in given for j in range(n)]


def _at_names(given: Any, X: Any, names: list[str]) -> list[bool]:
    if not is_frame(X):
        raise ValueError(
            "categorical_features holds names, but X has no column names; give positions or a mask instead"
        )
    unknown = [name for name in given.tolist() if name not in names]
    if unknown:
        raise ValueError(f"categorical_features names {unknown}, which are not columns of X: {names}")
    return [name in given for name in names]


def warn_of_type(name: str, column: ReadColumn) -> None:
    """Warn of a column whose type makes it nominal, or whose values name the rows, where that may not be meant."""
    if isinstance(column, CategoricalColumn):
        warn_if_doubtful(name, column)
    else:
        warn_of_identifier(name, column)


def warn_if_doubtful(name: str, column: CategoricalColumn) -> None:
    """Warn about a column that is categorical by its type only, and looks as if it were not meant to be."""
    n_rows, n_categories = int((~column.unknown).sum()), len(column.categories)
    odd = [value for value in column.categories if not (isinstance(value, str) and is_number(value))]
    # Two values, as "0" and "1", are as far apart as numbers and as categories.
    if n_categories > 2 and not odd:
        problem = "holds numbers written as text"
    elif n_categories > 10 and len(odd) <= n_categories / 10:
        problem = f"holds numbers, but for {odd[0]!r}" + (f" and {len(odd) - 1} more" if len(odd) > 1 else "")
    elif n_categories > 2 and all(isinstance(value, str) and DATE.match(value) for value in column.categories):
        problem = "holds dates written as text"
    elif is_near_unique(column):
        problem = f"has {n_categories} different values in {n_rows} rows, like an identifier"
    else:
        return
    if column.left_out:
        warn_caller(
            f"column {name!r} {problem}: no two rows would resemble each other in it, so it is left out of all "
            "distances. To keep it, convert it to numbers or dates, or name it and all other nominal columns in "
            "categorical_features"
        )
        return
    warn_caller(
        f"column {name!r} {problem}, and is taken as nominal because of its type: every two different values are then "
        "equally far apart, and each counts as a column. Convert it to numbers or dates, leave it out, or name it in "
        "categorical_features"
    )


def is_near_unique(column: CategoricalColumn) -> bool:
    """Whether more than half of the rows have different categories, like names of people; not of few rows."""
    n_known = int((~column.unknown).sum())
    return n_known >= FEW_ROWS and len(column.categories) > NEAR_UNIQUE * n_known


def without_identifiers(columns: list[ReadColumn], names: list[str]) -> list[ReadColumn]:
    """Columns with those marked as left out that name the rows; all stay if no other would remain."""
    found = [marked(column, name) for column, name in zip(columns, names, strict=True)]
    return found if any(column.counts for column in found) else columns


def marked(column: ReadColumn, name: str) -> ReadColumn:
    """The column, marked as left out if its categories are near-unique, or if its numbers are identifiers."""
    if isinstance(column, CategoricalColumn):
        return replace(column, left_out=True) if is_near_unique(column) else column
    # Dates are all different, too, and measure something.
    return column if column.kind in DATES else replace(column, left_out=why_identifier(name, column.values))


def keep(column: ReadColumn) -> ReadColumn:
    """The column without a mark that it is left out."""
    if isinstance(column, CategoricalColumn):
        return replace(column, left_out=False)
    return replace(column, left_out="")


def warn_of_identifier(name: str, column: NumericColumn) -> None:
    """Warn of numbers that are left out because they name the rows."""
    if column.left_out:
        warn_caller(
            f"column {name!r} is left out of all distances: {column.left_out}. To keep it, give categorical_features "
            "as a list of the nominal columns, or as None"
        )


def is_number(text: str) -> bool:
    """Whether a text reads as a number.

    >>> is_number("1.5"), is_number("1,5")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True
