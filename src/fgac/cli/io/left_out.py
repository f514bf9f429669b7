"""Columns that are left out unless asked for: identifiers, names that nearly every row has its own of, empty ones."""

from __future__ import annotations

import re
from collections.abc import Collection

from fgac.cli.io.column_types import ColumnInfo

NO_VALUES = "it has no values"

# A column with such a name, and another whole number in every row, holds identifiers, ...
IDENTIFIER = re.compile(r"(?i:id|idx|index|key|uuid|guid)$|.*[\s_.-](?i:id|key)$|.*[a-z]I[dD]$")
# ... if there are so many rows.
SOME_ROWS = 10


def split_off(columns: list[ColumnInfo], asked: Collection[str]) -> tuple[list[ColumnInfo], dict[str, str]]:
    """The columns to learn from, and the names of the others with the reason why they are left out.

    ``asked`` are the columns that the user wants. If no other column would remain, identifiers stay.
    """
    empty = {column.name: NO_VALUES for column in columns if column.n_missing == len(column.values)}
    others = [column for column in columns if column.name not in empty]
    found = {column.name: why for column in others if column.name not in asked and (why := reason(column))}
    if len(found) == len(others):
        found = {}
    return [column for column in others if column.name not in found], {**empty, **found}


def reason(column: ColumnInfo) -> str:
    """Why a column is no measurement, but names the rows; empty if it may be one."""
    from fgac.tables.roles import FEW_ROWS, NEAR_UNIQUE

    n_rows, n = len(column.values), len(column.values) - column.n_missing
    if column.kind == "nominal":
        if n < FEW_ROWS or column.n_distinct <= NEAR_UNIQUE * n:
            return ""
        if column.is_odd_number:  # there is more to say than that the texts differ
            return column.remark
        many = "in every row another" if column.n_distinct == n_rows else f"{column.n_distinct} different"
        return f"{many} text, like an identifier, so that no two rows would resemble each other in it"
    if column.kind != "numeric" or not n or column.n_distinct < n or not is_whole(column):
        return ""
    if n == n_rows >= FEW_ROWS and span(column) == n - 1:
        return "it numbers the rows"
    if n >= SOME_ROWS and IDENTIFIER.match(column.name):
        return "by its name and values, which are all different, it is an identifier"
    return ""


def is_whole(column: ColumnInfo) -> bool:
    """Whether all numbers are whole."""
    present = column.values.drop_nulls()
    return bool((present == present.round()).all())


def span(column: ColumnInfo) -> float:
    """How far the largest number is from the smallest."""
    values = column.values.drop_nulls().to_numpy()
    return float(values.max() - values.min())
