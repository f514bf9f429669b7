"""From a table to rows that a trained model can judge: columns are found by name, in any order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fgac.cli.console import note
from fgac.cli.errors import CommandError, known_column, nearest_names, warn
from fgac.cli.io.column_types import TRUTH, ColumnInfo, as_text, clean_text, numeric
from fgac.cli.io.date_columns import date_column
from fgac.cli.io.training_table import (
    check_finite,
    complete_rows,
    counted,
    row_ids,
    warn_of_many,
    warn_of_same_names,
)

if TYPE_CHECKING:
    import polars as pl

    from fgac.cli.io.reading import RawTable
    from fgac.cli.model_files import StoredModel
    from fgac.metrics.distances import Rows
    from fgac.tables.columns import Column
    from fgac.tables.table import Table


# Values of a column that training did not see and the warning names.
N_SHOWN = 5
# Names of rows that are remembered, to find those that come again; of longer tables most repetitions are found.
N_NAMES = 100_000


@dataclass(frozen=True)
class NewRows:
    """Rows to judge.

    Attributes
    ----------
    X : the columns that the model compares
    ids : what the rows are called
    truth : their classes or numbers where the table has them, None where it does not
    n_left_out : number of incomplete rows that are not among them
    table : how the model reads columns
    """

    X: pl.DataFrame
    ids: list[Any]
    truth: list[Any] | None
    n_left_out: int
    table: Table

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: list[int]) -> NewRows:
        """Some of the rows."""
        truth = None if self.truth is None else [self.truth[i] for i in rows]
        return NewRows(self.X[rows], [self.ids[i] for i in rows], truth, self.n_left_out, self.table)

    def encoded(self) -> tuple[Rows, list[Any]]:
        """The rows as points between which the model has distances, and the values of their columns."""
        values = self.table.read(self.X)
        return self.table.rows(values), values


def new_rows(
    table: RawTable,
    model: StoredModel,
    *,
    id: str | None = None,
    target: str | None = None,
    drop_missing: bool = False,
    quiet: bool = False,
) -> NewRows:
    """Read a whole table as the model's training data was read, with the true classes where it has them.

    The target column is the one that the model remembers, if the table has it, unless another is named.
    """
    reader = RowReader(model, id=id, drop_missing=drop_missing)
    rows = reader.read(table, _role(target, "target", model, table))
    reader.check_some()
    reader.report(quiet=quiet)
    return rows


class RowReader:
    """Reads a table, or its parts one after the other, as the model's training data was read.

    Columns of the model that are absent are an error, of JSON lines if no line has them; others are ignored. The id
    column is the one that the model remembers, if the table has it, unless another is named. How a row is read does not
    depend on other rows. What is odd about all parts together is collected for :meth:`report`.
    """

    def __init__(self, model: StoredModel, *, id: str | None = None, drop_missing: bool = False) -> None:
        if model.feature_names is None:
            raise CommandError(
                "the model was trained without column names, so columns cannot be found; fit it on a named table"
            )
        if model.state.table is None:
            raise CommandError("the model was trained on distances, not on columns; fit it on a table with columns")
        self.table = model.state.table
        self.model, self.id, self.drop_missing = model, id, drop_missing
        self.feature_names = model.feature_names
        self.source = ""
        self.n_rows = self.n_left_out = self.n_names = 0
        self.names: set[Any] = set()
        self.knows_names = True
        self.unseen: dict[str, list[str]] = {}
        self.missing: dict[str, int] = {}
        self.dates = model.date_forms
        self.absent: CommandError | None = None

    def read(self, table: RawTable, target: str | None = None) -> NewRows:
        """The complete rows of a table, with the classes in the column ``target``."""
        import polars as pl

        self.absent = _absence(self.feature_names, table)
        if self.absent and not table.may_lack:
            raise self.absent
        columns = [self._column(table, column) for column in self.table.columns]
        # Together, for all parts, they are told at the end.
        complete = complete_rows(columns, {}, replace(table, is_part=True), drop=self.drop_missing)
        for column in columns:
            if column.n_missing:
                self.missing[column.name] = self.missing.get(column.name, 0) + column.n_missing
        self.id = _role(self.id, "id", self.model, table)
        ids = row_ids(table, self.id)
        truth = None if target is None else self._true_values(table, target)
        self._count_names(ids)  # of incomplete rows, too: they are named in the file
        self.n_rows += len(ids)
        self.n_left_out += len(ids) - len(complete)
        self.source = table.source
        frame = pl.DataFrame([column.values for column in columns])
        rows = NewRows(frame, ids, truth, len(ids) - len(complete), self.table)
        return rows.take(complete) if rows.n_left_out else rows

    def check_some(self) -> None:
        """Refuse a table of which no row is left, or that lacks columns in all of its parts."""
        if self.absent:  # parts of one table know the columns of those before them
            raise self.absent
        if self.n_left_out == self.n_rows:
            raise CommandError(
                f"{self.source}: every row has a missing value, in {counted(self.missing)}; without --drop-missing, "
                "they count as unknown"
            )

    def report(self, *, quiet: bool) -> None:
        """Say what is odd about the rows that were read."""
        for name, values in self.unseen.items():
            shown = ", ".join(map(repr, values[:N_SHOWN])) + (", ..." if len(values) > N_SHOWN else "")
            warn(f"column {name!r} has values that training did not see ({shown}); they differ from all others")
        warn_of_many(self.n_left_out, self.n_rows, self.missing)
        if self.id is None and "id" in self.model.notes:
            name = self.model.notes["id"]
            note(f"There is no column {name!r}, which names the rows; they are numbered from 1 instead.", quiet=quiet)
        warn_of_same_names(self.id, self.n_names, self.n_rows, at_most=not self.knows_names)

    def _true_values(self, table: RawTable, target: str) -> list[Any]:
        """The classes or numbers in a column, as the model's predictions are written; None where missing."""
        return self.model.kind.true_values(table.columns[target], table, self.model.state)

    def _count_names(self, ids: list[Any]) -> None:
        """Count names that are new, or perhaps new: not all are remembered."""
        new = set(ids) - self.names
        self.n_names += len(new)
        if len(self.names) < N_NAMES:
            self.names |= new
        else:
            self.knows_names = False

    def _column(self, table: RawTable, known: Column) -> ColumnInfo:
        """One column, read as the model knows it."""
        import polars as pl

        from fgac.metrics.distances import UNSEEN
        from fgac.tables.value_kinds import UNITS

        series = table.columns.get(known.name)
        if series is None:  # nobody has said anything about it yet
            series = pl.Series(known.name, [None] * len(table), dtype=pl.String)
        if known.kind in UNITS:  # dates, durations or times of day
            form = self.dates.get(known.name, "ymd")
            return date_column(series, form=form, missing=table.missing, first_row=table.first_row)
        if known.categories is None:
            comma, first = table.decimal_comma, table.first_row
            return check_finite(numeric(series, decimal_comma=comma, missing=table.missing, first_row=first))
        values = known_names(series, known.categories, table.missing)
        distinct = values.drop_nulls().unique(maintain_order=True).to_list()
        unseen = self.unseen.get(known.name, [])
        new = [value for value in distinct if known.category_number(value) == UNSEEN and value not in unseen]
        if new:
            self.unseen[known.name] = (unseen + new)[: N_SHOWN + 1]
        return ColumnInfo(known.name, "nominal", values, values.null_count(), len(distinct), "")


def known_names(series: pl.Series, known: Collection[Any], missing: Sequence[str]) -> pl.Series:
    """Names, written as the model knows them where it does; each by itself, whatever else the column holds.

    >>> import polars as pl
    >>> known_names(pl.Series(["TRUE", "NA", "Maybe"]), ["false", "true"], ["NA"]).to_list()
    ['true', None, 'Maybe']
    >>> known_names(pl.Series([2.0, 1.5]), ["2"], []).to_list(), known_names(pl.Series([2.0]), ["2.0"], []).to_list()
    (['2', '1.5'], ['2.0'])
    """
    import polars as pl

    values = clean_text(series, missing)
    if values.dtype.is_float():  # 2.0 in one file is 2 in the next
        text, whole = values.cast(pl.String), values.cast(pl.Int64, strict=False)
        fits = (whole == values) & ~text.is_in([name for name in known if isinstance(name, str)])
        return whole.cast(pl.String).zip_with(fits.fill_null(False), text)
    values = as_text(values)
    if not set(known) <= TRUTH:
        return values
    lower = values.str.to_lowercase()
    return lower.zip_with(lower.is_in(sorted(TRUTH)).fill_null(False), values)


def _absence(names: list[str], table: RawTable) -> CommandError | None:
    """What to say of columns of the model that a table does not have."""
    absent = [name for name in names if name not in table.columns]
    if not absent:
        return None
    shown = ", ".join(map(repr, absent[:10])) + (f" and {len(absent) - 10} more" if len(absent) > 10 else "")
    hint = nearest_names(absent[0], table.names)
    return CommandError(f"{table.source} lacks columns of the model: {shown}; {hint}")


def _role(given: str | None, role: str, model: StoredModel, table: RawTable) -> str | None:
    """The column of a role: the one that the user names, or the one that the model was trained with."""
    if given is not None:
        return known_column(given, table.names, f"--{role}")
    remembered = model.notes.get(role)
    return remembered if remembered in table.names else None
