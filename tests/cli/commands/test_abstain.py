"""fgac predict --min-confidence: empty cells where the model is not sure enough, as in Python; and fgac evaluate."""

import json
import sqlite3

import numpy as np
import polars as pl
import pytest

from fgac.cli.io import streaming
from fgac.persistence import load_model
from support import house_grades
from support.command_line import run, table
from support.loans import TARGET, loans

FAR = "far,99999,100,car,true\n"


@pytest.fixture(scope="module")
def model(loans_folder, tmp_path_factory):
    """A model that finds nothing comparable to values far away, as ranks do not."""
    path = tmp_path_factory.mktemp("abstaining") / "model.fgac"
    how = ("--gamma", "2", "--metric", "euclidean", "--scale", "range")
    run("fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", *how, "-o", path, "-q")
    return path


@pytest.fixture(scope="module")
def new():
    """New loans, the last of which resembles none."""
    return loans(12, seed=1).drop(TARGET).write_csv() + FAR


def rows_of():
    return loans(12, seed=1).drop("customer", TARGET)


def test_cells_are_empty_where_the_model_is_not_sure(model, new):
    answer = run("predict", model, "-", "--min-confidence", "0.7", stdin=new)
    rows = table(answer.stdout)
    assert answer.stdout.startswith("id,prediction,abstained,degree,")
    predictions, confident = load_model(model).predict_or_abstain(rows_of(), min_confidence=0.7)
    assert 0 < confident.sum() < 12
    expected = [label if sure else "" for label, sure in zip(predictions, confident, strict=True)]
    assert [row["prediction"] for row in rows] == [*expected, ""]
    assert [row["abstained"] for row in rows] == ["false" if label else "true" for label in [*expected, ""]]
    n = 13 - confident.sum()
    assert answer.stderr == (
        f"Abstained from {n} of 13 rows (confidence below 0.7), 1 of them without a comparable case.\n"
    )
    assert run("predict", model, "-", "--min-confidence", "0.7", "-q", stdin=new).stderr == ""


def test_without_the_option_nothing_is_left_out(model, new):
    plain = table(run("predict", model, "-", stdin=new).stdout)
    assert "abstained" not in plain[0]
    answer = run("predict", model, "-", "--min-confidence", "0", stdin=new)
    assert answer.stderr == "Abstained from 0 of 13 rows (confidence below 0).\n"
    assert [row | {"abstained": "false"} for row in plain] == [dict(row) for row in table(answer.stdout)]


@pytest.mark.parametrize("least", ["0.7", "1"])
@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_parts_of_files_keep_their_types(model, new, tmp_path, monkeypatch, suffix, least):
    """Also where a part, or every part, has no prediction."""
    monkeypatch.setattr(streaming, "BLOCK", 80)
    monkeypatch.setattr(streaming, "N_ROWS", 0)
    (tmp_path / "new.csv").write_text(new)
    path = tmp_path / f"out{suffix}"
    run("predict", model, tmp_path / "new.csv", "--min-confidence", least, "-o", path, "-q")
    rows = json.loads(path.read_text()) if suffix == ".json" else pl.read_parquet(path).to_dicts()
    assert [row["prediction"] is None for row in rows] == [row["abstained"] for row in rows]
    assert len(rows) == 13
    assert rows[-1]["abstained"] is True
    if suffix == ".parquet":
        assert pl.read_parquet(path).schema["prediction"] == pl.String


def test_a_database_has_nulls(model, new, tmp_path):
    address = f"sqlite:///{tmp_path / 'out.db'}"
    run("predict", model, "-", "--min-confidence", "0.7", "-o", address, "--table", "t", stdin=new)
    connection = sqlite3.connect(tmp_path / "out.db")
    rows = connection.execute("select prediction is null, abstained from t").fetchall()
    connection.close()
    assert len(rows) == 13
    assert all(bool(empty) == bool(abstained) for empty, abstained in rows)


def test_whole_number_classes_stay_whole_numbers(tmp_path):
    text = loans().with_columns(repaid=pl.when(pl.col("repaid") == "no").then(-1).otherwise(10)).write_csv()
    run("fit", "-", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "--gamma", "2", "-q", stdin=text)
    run("predict", tmp_path / "m.fgac", "-", "--min-confidence", "0.8", "-o", tmp_path / "out.json", stdin=text)
    assert {row["prediction"] for row in json.loads((tmp_path / "out.json").read_text())} == {-1, 10, None}


def test_ordered_classes_and_calibrated_models(grades_folder, tmp_path):
    text = house_grades.houses(12, seed=1).write_csv()
    X = house_grades.houses(12, seed=1).drop("house", "grade")
    run("fit", grades_folder / "data.csv", *house_grades.COMMON, "-o", tmp_path / "m.fgac", "-q")
    for path, least in ((grades_folder / "model.fgac", 0.6), (tmp_path / "m.fgac", 0.8)):
        model = load_model(path)
        rows = table(run("predict", path, "-", "--min-confidence", str(least), "-q", stdin=text).stdout)
        confident = model.predict_or_abstain(X, min_confidence=least).confident
        assert [row["abstained"] for row in rows] == ["false" if sure else "true" for sure in confident]
    probability = np.array([float(row["probability"]) for row in rows])
    np.testing.assert_allclose(probability, model.confidence(X), atol=1e-6)


def test_numbers_have_no_confidence(prices_folder):
    model, data = prices_folder / "model.fgac", prices_folder / "new.csv"
    answer = run("predict", model, data, "--min-confidence", "0.9", code=2)
    assert answer.stderr.startswith(
        "error: --min-confidence 0.9 is for classes, but this model predicts numbers, which have no confidence; leave"
    )
    assert answer.stdout == ""


@pytest.mark.parametrize("least", ["1.5", "-1", "nan", "much"])
def test_what_is_no_share_is_wrong_usage(model, loans_folder, least):
    answer = run("predict", model, loans_folder / "new.csv", f"--min-confidence={least}", code=2)
    assert "--min-confidence" in answer.stderr


def test_evaluate_prints_the_accuracy_of_the_most_confident(loans_folder):
    command = ("evaluate", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "--gamma", "2", "-q")
    found = json.loads(run(*command, "--json").stdout)["coverage"]
    assert [each["share"] for each in found] == [1.0, 0.9, 0.8, 0.5]
    lines = run(*command).stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if "most confident rows" in line)
    for line, each in zip(lines[start + 2 :], found, strict=False):
        assert line.split()[:3] == [f"{100 * each['share']:.0f}", "%", f"{each['accuracy']['mean']:.3f}"]
        assert line.rstrip().endswith(f"{each['min_confidence']:.3f} or more")
