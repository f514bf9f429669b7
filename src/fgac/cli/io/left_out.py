"""Columns that are left out unless asked for: identifiers, names that nearly every row has its own of, empty ones."""

from __future__ import annotations

from collections.abc import Collection

from fgac.cli.io.column_types import ColumnInfo

NO_VALUES = "it has no values"


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
    from fgac.tables.identifiers import why_identifier
    from fgac.tables.roles import FEW_ROWS, NEAR_UNIQUE

    n_rows, n = len(column.values), len(column.values) - column.n_missing
    if column.kind == "nominal":
        if n < FEW_ROWS or column.n_distinct <= NEAR_UNIQUE * n:
            return ""
        if column.is_odd_number:  # there is more to say than that the texts differ
            return column.remark
        many = "in every row another" if column.n_distinct == n_rows else f"{column.n_distinct} different"
        return f"{many} text, like an identifier, so that no two rows would resemble each other in it"
    if column.kind != "numeric" or column.n_distinct < n:
        return ""
    return why_identifier(column.name, column.values.cast(float).to_numpy())
