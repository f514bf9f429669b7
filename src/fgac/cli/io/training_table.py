"""From a table and the user's words to what ``fit`` takes: features, labels, ids and weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError, pluralize, warn
from fgac.cli.io.column_types import ColumnInfo, infer_column, nominal, numeric
from fgac.cli.io.date_columns import date_column
from fgac.cli.io.left_out import split_off
from fgac.cli.io.repeats import repeated_identifiers

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from fgac.cli.io.reading import RawTable
    from fgac.cli.io.roles import Roles
    from fgac.cli.kinds import AnyKind

# A larger part of the rows that is left out because of missing values is worth a warning.
MANY_ROWS = 0.2


@dataclass(frozen=True)
class TrainingTable:
    """What ``fit`` takes, and how it was read.

    ``n_left_out`` rows were left out because of missing values, and columns for the reasons in ``left_out``. ``groups``
    say what rows belong together, by the column ``group``. Without them, ``repeats`` are the columns that seem to name
    such groups, with how often their values occur.
    """

    X: pl.DataFrame
    y: NDArray[Any]
    ids: list[Any]
    weights: NDArray[np.float64] | None
    columns: list[ColumnInfo] = field(repr=False)
    n_left_out: int
    target: str
    left_out: dict[str, str] = field(default_factory=dict)
    groups: list[Any] | None = None
    group: str | None = None
    repeats: dict[str, str] = field(default_factory=dict)

    @property
    def nominal(self) -> list[str]:
        """Names of the nominal columns."""
        return [column.name for column in self.columns if column.kind == "nominal"]

    @property
    def dates(self) -> dict[str, str]:
        """How dates are written in the columns that hold texts of them."""
        return {column.name: column.form for column in self.columns if column.form}


def training_table(table: RawTable, roles: Roles, kind: AnyKind) -> TrainingTable:
    """Read a table as training data of a kind of model."""
    import numpy as np
    import polars as pl

    roles.check(table.names)
    dates = roles.dates(table.names)
    said = {"nominal": roles.nominal, "numeric": roles.numeric, "date": dates}
    kinds = {name: kind for kind, names in said.items() for name in names}
    found = [_column(table, name, kinds.get(name), dates.get(name)) for name in roles.features(table.names)]
    columns, left_out = split_off(found, roles.asked)
    if not columns:
        raise CommandError(f"{table.source}: no column but {roles.target!r} has any values to learn from")
    targets = kind.read_target(table.columns[roles.target], table)
    weights, groups = _weights(table, roles.weight), _groups(table, roles.group)
    extra = {roles.target: [target is None for target in targets]}
    extra.update({each.name: each.is_null().to_list() for each in (weights, groups) if each is not None})
    complete = complete_rows(columns, extra, table, drop=roles.drop_missing)
    ids = row_ids(table, roles.id)  # of all rows, so that numbers are those in the file
    warn_of_same_names(roles.id, len(set(ids)), len(ids))
    y = [targets[i] for i in complete]
    kind.check_target(y, roles.target)
    return TrainingTable(
        X=pl.DataFrame([column.values for column in columns])[complete],
        y=np.array(y),
        ids=[ids[i] for i in complete],
        weights=None if weights is None else weights[complete].to_numpy(),
        columns=columns,
        n_left_out=len(table) - len(complete),
        target=roles.target,
        left_out=left_out,
        groups=None if groups is None else groups[complete].to_list(),
        group=roles.group,
        repeats=repeated_identifiers(table, roles, found) if groups is None else {},
    )


def _column(table: RawTable, name: str, said: str | None, pattern: str | None = None) -> ColumnInfo:
    """One column, taken as the user says, or else as its values look; dates may be written after a pattern."""
    series = table.columns[name]
    if said == "date":
        return date_column(series, form=pattern, missing=table.missing)
    if said == "nominal":
        return nominal(series, missing=table.missing)
    if said == "numeric":
        return check_finite(numeric(series, decimal_comma=table.decimal_comma, missing=table.missing))
    column = infer_column(series, decimal_comma=table.decimal_comma, missing=table.missing)
    if column.kind == "date":
        otherwise = f"; or take it as names (--nominal {name!r}), or leave it out (--drop {name!r})"
        return date_column(series, form=None, missing=table.missing, otherwise=otherwise)
    if column.kind == "unusable":
        raise CommandError(
            f"column {name!r} {column.remark}; expected numbers or text: leave it out with --drop {name!r}"
        )
    return check_finite(column)


def check_finite(column: ColumnInfo) -> ColumnInfo:
    """Refuse infinite numbers."""
    import numpy as np

    if column.kind == "numeric" and bool(np.isinf(column.values.to_numpy()).any()):
        raise CommandError(f"column {column.name!r} holds infinite numbers; correct them, or leave the column out")
    return column


def _weights(table: RawTable, name: str | None) -> pl.Series | None:
    if name is None:
        return None
    series = table.columns[name]
    values = check_finite(numeric(series, decimal_comma=table.decimal_comma, missing=table.missing)).values
    if bool((values < 0).any()) or not bool((values > 0).any()):
        raise CommandError(f"--weight {name!r} must hold numbers >= 0, not all of them 0")
    return values


def _groups(table: RawTable, name: str | None) -> pl.Series | None:
    """What rows belong together, as texts."""
    return None if name is None else nominal(table.columns[name], missing=table.missing).values


def complete_rows(columns: list[ColumnInfo], extra: dict[str, list[bool]], table: RawTable, *, drop: bool) -> list[int]:
    """Positions of the rows to use: all, or with ``drop`` those in which nothing is missing.

    ``extra`` says in which rows other columns have no value: the target, the weights and the groups of training data,
    without which a row is of no use. Some row of a table must be complete, but not of every part of it.
    """
    import numpy as np

    missing = {column.name: column.values.is_null().to_list() for column in columns if column.n_missing and drop}
    missing.update({name: mask for name, mask in extra.items() if any(mask)})
    n_rows = len(table)
    incomplete = np.any(list(missing.values()), axis=0) if missing else np.zeros(n_rows, dtype=bool)
    if not incomplete.any():
        return list(range(n_rows))
    counts = counted({name: sum(mask) for name, mask in missing.items()})
    if not drop:
        raise CommandError(
            f"{table.place}: values are missing in {counts}, without which rows are of no use. Fill them in, or leave "
            f"out all rows in which anything is missing (--drop-missing). Missing are empty cells and "
            f"{', '.join(table.missing)} (--missing)"
        )
    if incomplete.all() and not table.is_part:
        raise CommandError(
            f"{table.source}: every row has a missing value, in {counts}; without --drop-missing, they count as unknown"
        )
    if not table.is_part:
        warn_of_many(int(incomplete.sum()), n_rows, {name: sum(mask) for name, mask in missing.items()})
    return np.flatnonzero(~incomplete).tolist()


def counted(missing: dict[str, int]) -> str:
    """Columns with how many values are missing in each.

    >>> counted({"age": 3, "income": 1})
    "'age' (3), 'income' (1)"
    """
    shown = ", ".join(f"{name!r} ({n})" for name, n in list(missing.items())[:10])
    return shown + (f" and {pluralize(len(missing) - 10, 'more column')}" if len(missing) > 10 else "")


def warn_of_many(n_left_out: int, n_rows: int, missing: dict[str, int]) -> None:
    """Say because of which columns rows are left out, if these are many."""
    if n_left_out > MANY_ROWS * n_rows:
        by_count = dict(sorted(missing.items(), key=lambda item: -item[1]))
        warn(
            f"--drop-missing leaves out {n_left_out} of {n_rows} rows ({100 * n_left_out / n_rows:.0f} %), because of "
            f"{counted(by_count)}; without it, missing values count as unknown"
        )


def row_ids(table: RawTable, name: str | None) -> list[Any]:
    """What the rows are called: the id column as it stands, or their numbers from 1."""
    import polars as pl

    if name is None:
        return list(range(table.first_row, table.first_row + len(table)))
    series = table.columns[name]
    # Names of rows are only shown and compared: whatever is no whole number becomes its text.
    series = series if series.dtype.is_integer() else series.cast(pl.String)
    missing = series.is_null() | (series.cast(pl.String) == "")
    if bool(missing.any()):
        row = table.first_row + int(missing.arg_max() or 0)
        among = table.span if table.is_part else "all"
        raise CommandError(f"id column {name!r} is empty in row {row} ({int(missing.sum())} in {among}); fill it in")
    return series.to_list()


def warn_of_same_names(id: str | None, n_names: int, n_rows: int, *, at_most: bool = False) -> None:
    """Say that rows cannot be told apart by their names, if so; ``at_most``: of the names only this is known."""
    if n_names < n_rows:
        names = f"{'at most ' if at_most else ''}{pluralize(n_names, 'name')}"
        warn(f"id column {id!r} gives several rows the same name: {names}, {n_rows} rows")
