"""From a table to rows that a trained model can judge: columns are found by name, in any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.cli.failure import Failed, known_column, nearest_names, warn
from fgac.cli.kinds import Found, label_values, nominal, numeric
from fgac.cli.screen import note
from fgac.cli.training import check_finite, complete_rows, row_ids

if TYPE_CHECKING:
    import polars as pl

    from fgac import FGAClassifier
    from fgac.cli.reading import RawTable


@dataclass(frozen=True)
class NewRows:
    """Rows to judge. ``truth`` are their classes where the table has them, None where it does not."""

    X: pl.DataFrame
    ids: list[Any]
    truth: list[Any] | None
    n_left_out: int

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: list[int]) -> NewRows:
        """Some of the rows."""
        truth = None if self.truth is None else [self.truth[i] for i in rows]
        return NewRows(self.X[rows], [self.ids[i] for i in rows], truth, self.n_left_out)


def new_rows(
    table: RawTable,
    clf: FGAClassifier,
    notes: Mapping[str, str],
    *,
    id: str | None = None,
    target: str | None = None,
    drop_missing: bool = False,
    quiet: bool = False,
) -> NewRows:
    """Read a table as the model's training data was read.

    Columns of the model that are absent are an error, others are ignored. The id and target columns are those that
    the model remembers, if the table has them, unless others are named.
    """
    import polars as pl

    if not hasattr(clf, "feature_names_in_"):
        raise Failed("the model was trained without column names, so columns cannot be found; fit it on a named table")
    _check_present(list(clf.feature_names_in_), table)
    columns = [_column(table, column) for column in clf._table.columns]
    complete = complete_rows(columns, {}, table, drop=drop_missing)
    id = _role(id, "id", notes, table)
    if id is None and "id" in notes:
        note(
            f"There is no column {notes['id']!r}, which names the rows; they are numbered from 1 instead.", quiet=quiet
        )
    ids = row_ids(table, id)
    target = _role(target, "target", notes, table)
    truth = None if target is None else true_labels(table.frame.get_column(target), clf, table.missing)
    return NewRows(
        X=pl.DataFrame([column.values for column in columns])[complete],
        ids=[ids[i] for i in complete],
        truth=None if truth is None else [truth[i] for i in complete],
        n_left_out=len(table) - len(complete),
    )


def _check_present(names: list[str], table: RawTable) -> None:
    absent = [name for name in names if name not in table.names]
    if absent:
        shown = ", ".join(map(repr, absent[:10])) + (f" and {len(absent) - 10} more" if len(absent) > 10 else "")
        hint = nearest_names(absent[0], table.names)
        raise Failed(f"{table.source} lacks columns of the model: {shown}; {hint}")


def _column(table: RawTable, known: Any) -> Found:
    """One column, read as the model knows it."""
    series = table.frame.get_column(known.name)
    if not known.is_nominal:
        return check_finite(numeric(series, decimal_comma=table.decimal_comma, missing=table.missing))
    column = nominal(series, missing=table.missing)
    unseen = [
        value for value in column.values.drop_nulls().unique(maintain_order=True) if value not in known.categories
    ]
    if unseen:
        shown = ", ".join(map(repr, unseen[:5])) + (", ..." if len(unseen) > 5 else "")
        warn(f"column {known.name!r} has values that training did not see ({shown}); they differ from all others")
    return column


def _role(given: str | None, role: str, notes: Mapping[str, str], table: RawTable) -> str | None:
    if given is not None:
        return known_column(given, table.names, f"--{role}")
    remembered = notes.get(role)
    return remembered if remembered in table.names else None


def true_labels(series: pl.Series, clf: FGAClassifier, missing: Sequence[str]) -> list[Any]:
    """Labels as the model's classes are written, None where missing."""
    if clf.classes_.dtype.kind in "iu":
        return label_values(series, missing=missing)
    return nominal(series, missing=missing).values.to_list()
