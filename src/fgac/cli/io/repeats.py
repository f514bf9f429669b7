"""Columns that seem to name what rows belong to, though nobody said so with ``--group``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import warn
from fgac.cli.io.column_types import ColumnInfo, infer_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.roles import Roles
    from fgac.cli.io.training_table import TrainingTable


def repeated_identifiers(table: RawTable, roles: Roles, features: Sequence[ColumnInfo]) -> dict[str, str]:
    """Columns that seem to name groups of rows, with how often their values occur.

    Columns that are dropped and the one that names the rows are looked at, too: whoever drops the name of a person
    still has the rows of one on both sides of a fold. What the user wants as a feature is one.
    """
    from fgac.tables.repeated_identifiers import repeats_like_a_group, told_repeats

    comma, missing = table.decimal_comma, table.missing
    others = [table.columns[name] for name in (roles.id, *roles.drop) if name is not None]
    found = {}
    for column in [*features, *(infer_column(each, decimal_comma=comma, missing=missing) for each in others)]:
        counts = None if column.name in roles.asked else value_counts(column)
        # Whatever the column is called, the user says that it names something.
        name = "id" if column.name == roles.id else column.name
        if counts is not None and repeats_like_a_group(name, counts):
            found[column.name] = told_repeats(counts)
    return found


def value_counts(column: ColumnInfo) -> NDArray[Any] | None:
    """How many rows have each value; None if the column measures something, or is not known in many rows."""
    from fgac.tables.repeated_identifiers import MOST_UNKNOWN

    known = column.values.drop_nulls()
    if len(known) < (1.0 - MOST_UNKNOWN) * len(column.values) or column.kind not in ("numeric", "nominal"):
        return None
    if column.kind == "numeric" and bool((known != known.round()).any()):
        return None
    return known.value_counts()["count"].to_numpy()


def warn_of_repeats(table: TrainingTable) -> None:
    """Say that scores are of known groups, where a column seems to name such groups."""
    from fgac.tables.repeated_identifiers import without

    for name, repeats in list(table.repeats.items())[:1]:  # others most likely name the same
        is_feature = any(column.name == name for column in table.columns)
        advice = f"use --group {name!r}" + (f"; if it is a feature, --keep {name!r}" if is_feature else "")
        warn(f"column {name!r} may name what rows belong to: {repeats}. {without('--group', advice)}")
