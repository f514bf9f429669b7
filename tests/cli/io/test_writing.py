"""Results as CSV that a spreadsheet may open."""

import polars as pl
import pytest

from fgac.cli.io.writing import CsvStyle, csv_text
from support.command_line import run, table

SAFE = CsvStyle(spreadsheet_safe=True)


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "=", "-1e"])
def test_formulas_become_text(text):
    frame = pl.DataFrame({"id": [text, "x"]})
    assert table(csv_text(frame, SAFE))[0]["id"] == f"'{text}"
    assert table(csv_text(frame, CsvStyle()))[0]["id"] == text


@pytest.mark.parametrize("text", ["-1", "+2.5", "-1e-3", "plain", "a=b", "1-2", "", "'=1"])
def test_numbers_and_other_text_stay(text):
    assert table(csv_text(pl.DataFrame({"id": [text, "x"]}), SAFE))[0]["id"] == text


def test_columns_of_numbers_stay():
    assert csv_text(pl.DataFrame({"n": [-1, 2], "x": [-0.5, None]}), SAFE) == "n,x\n-1,-0.5\n2,\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of ids and classes that are formulas, and its model."""
    folder = tmp_path_factory.mktemp("formulas")
    rows = "\n".join(f"=cmd|{i},{i % 9},{'-yes' if i % 9 > 4 and i else '@no'}" for i in range(30))
    (folder / "data.csv").write_text(f"row,size,class\n{rows}\n")
    run("fit", folder / "data.csv", "-t", "class", "--id", "row", "--gamma", "1", "-o", folder / "m.fgac", "-q")
    return folder


@pytest.mark.parametrize("command", [["predict", "data.csv"], ["explain", "data.csv"], ["audit"]])
def test_every_command_that_writes_csv_can_make_it_safe(folder, command):
    name, *data = command
    out = folder / f"{name}.csv"
    arguments = [name, folder / "m.fgac", *(folder / file for file in data), "-q", "-o", out]
    run(*arguments)
    assert any(value.startswith("=") for row in table(out.read_text()) for value in row.values())
    run(*arguments, "--spreadsheet-safe")
    cells = [value for row in table(out.read_text()) for value in row.values()]
    assert any(value.startswith("'=") for value in cells)
    assert not any(value.startswith(("=", "@", "-y")) for value in cells)


def test_only_csv_is_made_safe(folder):
    answer = run("audit", folder / "m.fgac", "--spreadsheet-safe", "-o", folder / "audit.json", code=2)
    assert "--spreadsheet-safe is for CSV" in answer.stderr
