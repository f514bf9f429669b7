"""Workbooks: types, sheets, and what stands beside the table."""

import datetime as dt

import polars as pl
import pytest
import xlsxwriter

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.sources import Reading
from fgac.cli.io.streaming import read_batches, read_table
from support.goods import N, new


def workbook(path, sheets):
    """Write lists of rows as sheets; return the path."""
    with xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd hh:mm"}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    return str(path)


def test_values_keep_their_types(tmp_path):
    day, moment = dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 12, 30)
    head = ["id", "size", "when", "moment", "paid", "name"]
    rows = [[1, 0.5, day, moment, True, "Åsa"], [2, None, day, moment, False, None], [3, 2, None, moment, True, "Bo"]]
    frame = read_table(workbook(tmp_path / "t.xlsx", {"loans": [head, *rows]})).frame
    assert frame.columns == head
    kinds = [pl.Int64, pl.Float64, pl.Date, pl.Datetime("ms"), pl.Boolean, pl.String]
    assert frame.dtypes == kinds
    assert [list(row) for row in frame.rows()] == rows


def test_a_text_below_many_numbers_is_not_lost(tmp_path):
    rows = [[i] for i in range(3000)] + [["many"]]
    frame = read_table(workbook(tmp_path / "t.xlsx", {"t": [["a"], *rows]})).frame
    assert frame["a"].to_list()[-2:] == ["2999", "many"]
    assert frame["a"].null_count() == 0


def test_parts_together_are_the_sheet(tmp_path, small):
    frame = new()
    path = workbook(tmp_path / "t.xlsx", {"t": [frame.columns, *map(list, frame.rows())]})
    parts = list(read_batches(path))
    assert len(parts) > 4
    assert sum(map(len, parts)) == N
    assert pl.concat([part.frame for part in parts]).equals(read_table(path).frame)
    assert read_table(path).frame["name"].to_list() == frame["name"].to_list()


def test_blank_rows_and_columns_are_none(tmp_path):
    rows = [["a", None, "b", None], [1, None, "x", 7], [None, None, None, None], [2, None, "y", None]]
    frame = read_table(workbook(tmp_path / "t.xlsx", {"t": rows})).frame
    assert frame.to_dicts() == [{"a": 1, "b": "x", "column_3": 7}, {"a": 2, "b": "y", "column_3": None}]


SHEETS = {"loans": [["a", "b"], [1, 2]], "notes": [["text"], ["x"]], "empty": []}


def test_the_only_sheet_that_holds_anything_is_read(tmp_path):
    path = workbook(tmp_path / "t.xlsx", {"empty": [], "loans": SHEETS["loans"], "also empty": []})
    assert read_table(path).frame.rows() == [(1, 2)]


@pytest.mark.parametrize(("sheet", "names"), [("loans", ["a", "b"]), ("notes", ["text"]), ("2", ["text"])])
def test_sheets_are_chosen(tmp_path, sheet, names):
    assert read_table(workbook(tmp_path / "t.xlsx", SHEETS), None, Reading(sheet=sheet)).names == names


@pytest.mark.parametrize(
    ("sheet", "error", "message"),
    [
        (None, UsageError, "has 3 sheets: 'loans', 'notes', 'empty'; choose one with --sheet"),
        ("loan", UsageError, "--sheet 'loan': there is no such sheet in "),
        ("0", UsageError, "the sheets are 'loans', 'notes', 'empty'"),
        ("empty", CommandError, "sheet 'empty' is empty; expected a row of column names"),
    ],
)
def test_wrong_sheets(tmp_path, sheet, error, message):
    with pytest.raises(error) as told:
        read_table(workbook(tmp_path / "t.xlsx", SHEETS), None, Reading(sheet=sheet))
    assert message in str(told.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "b", "a"], [1, 2, 3]], "sheet 't': several columns are called 'a'"),
        ([[1, 2], [3, 4]], "the first line holds numbers (1, 2)"),
        ([["a", "b"]], "has column names but no rows"),
        ([], "sheet 't' is empty"),
    ],
)
def test_sheets_that_are_no_tables(tmp_path, rows, message):
    with pytest.raises(CommandError) as told:
        read_table(workbook(tmp_path / "t.xlsx", {"t": rows}))
    assert message in str(told.value)


@pytest.mark.parametrize("data", [b"", b"not a workbook", b"PK\x03\x04"])
def test_a_broken_workbook(tmp_path, data):
    (tmp_path / "t.xlsx").write_bytes(data)
    with pytest.raises(CommandError, match=r"t\.xlsx is no workbook that can be read \(") as told:
        read_table(str(tmp_path / "t.xlsx"))
    assert "\n" not in str(told.value)
