"""Workbooks (.xlsx and its kin, .ods): one sheet, whose first row holds the names of the columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.csv_text import column_names
from fgac.cli.io.reading import RawTable, check_cells, check_width, first_line

if TYPE_CHECKING:
    import polars as pl


def read_excel(path: str, sheet: str | None) -> RawTable:
    """Read a sheet: the one that is named, or the only one that holds anything."""
    import fastexcel

    with excel_errors(path):
        book = fastexcel.read_excel(path)
        name = chosen_sheet(book, path, sheet)
        head = book.load_sheet(name, header_row=None, n_rows=1, dtypes="string").to_polars()
        if not head.width:
            raise CommandError(f"{path}: sheet {name!r} is empty; expected a row of column names, then the rows")
        check_width(head.width, path)
        # From all rows: a column whose first thousand cells are numbers may hold a text in the next.
        frame = book.load_sheet(name, schema_sample_rows=None).to_polars()
    names = [value or "" for value in head.row(0)]
    kept = [place for place, called in enumerate(names) if called or frame.to_series(place).null_count() < len(frame)]
    names = column_names([names[place] for place in kept], f"{path}, sheet {name!r}")
    columns = [plain(frame.to_series(place)).alias(called) for place, called in zip(kept, names, strict=True)]
    return RawTable(check_cells(_without_blank_rows(columns), path), path)


def chosen_sheet(book: Any, path: str, sheet: str | None) -> str:
    """The name of the sheet to read; ``sheet`` is its name, or its number from 1."""
    names = list(book.sheet_names)
    shown = ", ".join(map(repr, names[:10])) + (", ..." if len(names) > 10 else "")
    if sheet is None:
        full = [name for name in names if book.load_sheet(name, header_row=None, n_rows=1).width]
        if len(full) > 1:
            raise UsageError(f"{path} has {len(names)} sheets: {shown}; choose one with --sheet")
        return full[0] if full else names[0]
    if sheet in names:
        return sheet
    if sheet.isdecimal() and 1 <= int(sheet) <= len(names):
        return str(names[int(sheet) - 1])
    raise UsageError(f"--sheet {sheet!r}: there is no such sheet in {path}; the sheets are {shown}")


def plain(values: pl.Series) -> pl.Series:
    """Whole numbers and days as such; a workbook stores both as numbers with a fraction.

    >>> import polars as pl
    >>> plain(pl.Series([1.0, None, 2.0])).dtype, plain(pl.Series([1.0, 2.5])).dtype
    (Int64, Float64)
    """
    import polars as pl

    if values.dtype.is_float():
        if bool((values.is_finite() & (values == values.round()) & (values.abs() < 2**53)).all()):
            return values.cast(pl.Int64)
    elif isinstance(values.dtype, pl.Datetime):
        days = values.cast(pl.Date)
        return days if bool((days.cast(values.dtype) == values).all()) else values
    return values


def _without_blank_rows(columns: list[pl.Series]) -> pl.DataFrame:
    import polars as pl

    frame = pl.DataFrame(columns)
    return frame.filter(~pl.all_horizontal(pl.all().is_null())) if frame.width > 1 else frame


@contextmanager
def excel_errors(path: str) -> Iterator[None]:
    """Say that a file is no workbook where its reader finds that it is none."""
    import fastexcel

    try:
        yield
    except fastexcel.FastExcelError as error:
        raise CommandError(f"{path} is no workbook that can be read ({first_line(error)})") from error
