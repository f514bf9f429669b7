"""Dates from the table to the explanation, and new rows read as the training rows were."""

import json
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier, load_model, save_model
from fgac.persistence import read_notes
from support.command_line import run

DAYS = [date(2023, 12, 1) + timedelta(days=7 * i) for i in range(40)]
FRAME = pl.DataFrame({"when": DAYS, "size": np.arange(40.0) % 6, "y": ["early"] * 20 + ["late"] * 20})


def written(form):
    """Return the table with texts in place of dates."""
    return FRAME.with_columns(pl.col("when").dt.strftime(form))


def predictions(model, new, *options):
    answer = run("predict", model, "-", "-q", *options, stdin=new)
    assert answer.stderr == ""
    return answer.stdout


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d-%b-%Y", "parquet"])
def test_every_way_to_write_dates_gives_the_same_model(tmp_path, form):
    path = tmp_path / ("data.parquet" if form == "parquet" else "data.csv")
    FRAME.write_parquet(path) if form == "parquet" else written(form).write_csv(path)
    options = ["--date", f"when={form}"] if "%b" in form else []
    answer = run("fit", path, "-t", "y", "--gamma", "3", "-o", tmp_path / "m.fgac", *options)
    assert "2023-12-01 to 2024-08-30" in answer.stderr
    python = FGAClassifier(gamma=3.0, metric="learned", scale="auto", class_weight="balanced")
    python.fit(FRAME.drop("y"), FRAME["y"])
    model = load_model(tmp_path / "m.fgac")
    np.testing.assert_array_equal(model.beta_, python.beta_)
    assert model._state.table.columns[0].kind == "date"
    # One row does not tell the order of its days and months.
    day = date(2024, 3, 4)
    new = f"when,size\n{day if form == 'parquet' else day.strftime(form)},3\n"
    text = run("explain", tmp_path / "m.fgac", "-", "-q", stdin=new).stdout
    assert "'when' (2024-03-04 here, 2024-" in text
    assert json.loads(predictions(tmp_path / "m.fgac", new, "-o", tmp_path / "p.json") or "null") is None
    found = json.loads((tmp_path / "p.json").read_text())[0]
    expected = python.memberships(pl.DataFrame({"when": [day], "size": [3.0]})).degree[0]
    np.testing.assert_allclose([found["degree_early"], found["degree_late"]], expected, atol=1e-12)


def test_the_form_is_in_the_model_file(tmp_path):
    run("fit", "-", "-t", "y", "--gamma", "3", "-q", "-o", tmp_path / "m.fgac", stdin=written("%d.%m.%Y").write_csv())
    assert json.loads(read_notes(tmp_path / "m.fgac")["dates"]) == {"when": "dmy"}
    answer = run("predict", tmp_path / "m.fgac", "-", stdin="when,size\n2024-01-31,3\n", code=1)
    assert answer.stderr.startswith("error: column 'when' must hold dates, got '2024-01-31' in row 1; correct it")


def test_a_model_made_in_python_reads_dates_with_the_year_first(tmp_path):
    save_model(FGAClassifier(gamma=3.0).fit(FRAME.drop("y"), FRAME["y"]), tmp_path / "m.fgac")
    assert ",late," in predictions(tmp_path / "m.fgac", "when,size\n2024-08-30,3\n")
    assert len(predictions(tmp_path / "m.fgac", "when,size\n,3\n").splitlines()) == 2


def test_unknown_dates_are_unknown(tmp_path):
    frame = written("%d.%m.%Y").with_columns(when=pl.when(pl.int_range(40) % 5 > 0).then("when"))
    answer = run("fit", "-", "-t", "y", "--gamma", "3", "-o", tmp_path / "m.fgac", stdin=frame.write_csv())
    row = next(line for line in answer.stderr.splitlines() if line.startswith("when"))
    assert row.split() == ["when", "date", "2023-12-08", "to", "2024-08-30", "8"]
    assert len(predictions(tmp_path / "m.fgac", frame.write_csv()).splitlines()) == 41


def test_numbers_in_a_column_of_dates_are_refused(tmp_path):
    FRAME.write_parquet(tmp_path / "data.parquet")
    run("fit", tmp_path / "data.parquet", "-t", "y", "--gamma", "3", "-q", "-o", tmp_path / "m.fgac")
    pl.DataFrame({"when": [19723], "size": [1.0]}).write_parquet(tmp_path / "new.parquet")
    answer = run("predict", tmp_path / "m.fgac", tmp_path / "new.parquet", code=1)
    assert answer.stderr == "error: column 'when' must hold dates, got 19723\n"


@pytest.mark.parametrize("command", ["audit", "evaluate"])
def test_other_commands_take_dates(command):
    answer = run(command, "-", "-t", "y", "--gamma", "3", "-q", "--date", "when", stdin=written("%d.%m.%Y").write_csv())
    assert answer.stderr == ""
