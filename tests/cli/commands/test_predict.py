"""fgac predict: the same predictions as in Python, in every format, and what is refused."""

import json

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier
from fgac.persistence import load_model
from support.command_line import run, table
from support.loans import AWKWARD, TARGET, loans

NUMBERED = "There is no column 'customer', which names the rows; they are numbered from 1 instead.\n"


@pytest.fixture(scope="module")
def loans_model():
    """The model of the folder, trained in Python with the settings of the command."""
    frame = loans()
    model = FGAClassifier(gamma=2.0, metric="learned", scale="auto", class_weight="balanced")
    return model.fit(frame.drop("customer", TARGET), frame[TARGET], ids=frame["customer"].to_list())


@pytest.fixture(scope="module")
def far_apart(loans_folder, tmp_path_factory):
    """A model of distances that grow without end, so that rows far off resemble nothing; ranks end at the extremes."""
    path = tmp_path_factory.mktemp("far") / "model.fgac"
    how = ["--gamma", "2", "--metric", "euclidean", "--scale", "range"]
    run("fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", *how, "-o", path, "-q")
    return path


def expected_predictions(loans_model):
    X = loans(12, seed=1).drop("customer", TARGET)
    predicted, memberships = loans_model.predict(X), loans_model.memberships(X)
    k = np.searchsorted(loans_model.classes_, predicted)
    each = np.arange(12)
    return predicted, *(part[each, k] for part in memberships), memberships.degree


def test_predict_writes_csv_on_stdout(loans_folder, loans_model):
    answer = run("predict", loans_folder / "model.fgac", loans_folder / "new.csv")
    assert answer.stderr == ""
    assert answer.stdout.startswith("id,prediction,degree,lower,upper,margin,guess,degree_no,degree_yes\n")
    rows = table(answer.stdout)
    predicted, lower, upper, degree, degrees = expected_predictions(loans_model)
    assert [row["id"] for row in rows] == loans(12)["customer"].to_list()
    assert rows[-1]["id"] == AWKWARD
    assert [row["prediction"] for row in rows] == predicted.tolist()
    assert {row["guess"] for row in rows} == {"false"}
    for name, values in (("lower", lower), ("upper", upper), ("degree", degree), ("degree_no", degrees[:, 0])):
        np.testing.assert_allclose([float(row[name]) for row in rows], values, atol=5e-7)
    margin = np.abs(degrees[:, 0] - degrees[:, 1])
    np.testing.assert_allclose([float(row["margin"]) for row in rows], margin, atol=5e-7)


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_json_and_parquet_keep_every_digit(loans_folder, loans_model, tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    answer = run("predict", loans_folder / "model.fgac", loans_folder / "new.csv", "-o", path)
    assert answer.stdout == ""
    assert answer.stderr == f"Predicted 12 rows: {path}\n"
    rows = json.loads(path.read_text()) if suffix == ".json" else pl.read_parquet(path).to_dicts()
    np.testing.assert_array_equal([row["degree"] for row in rows], expected_predictions(loans_model)[3])
    assert rows[-1]["id"] == AWKWARD


def test_columns_are_found_by_name(loans_folder):
    mixed = loans(12, seed=1).select("employed", pl.lit("x").alias("other"), "amount", "customer", "purpose", "months")
    again = run("predict", loans_folder / "model.fgac", "-", stdin=mixed.write_csv(separator=";"))
    assert again.stdout == run("predict", loans_folder / "model.fgac", loans_folder / "new.csv").stdout


def test_without_the_id_column_rows_are_numbered_from_one(loans_folder):
    answer = run("predict", loans_folder / "model.fgac", "-", stdin=loans(3, seed=1).drop("customer").write_csv())
    assert [row["id"] for row in table(answer.stdout)] == ["1", "2", "3"]
    assert answer.stderr == NUMBERED
    again = run("predict", loans_folder / "model.fgac", "-", "--id", "months", stdin=loans(3, seed=1).write_csv())
    assert again.stderr == ""
    twice = "id,months,amount,purpose,employed\n7,12,100,car,true\n7,12,100,car,true\n"
    assert run("predict", loans_folder / "model.fgac", "-", "--id", "id", stdin=twice).stderr == (
        "warning: id column 'id' gives several rows the same name: 1 name, 2 rows\n"
    )
    assert [row["id"] for row in table(again.stdout)] == [str(m) for m in loans(3, seed=1)["months"]]


def test_guesses_are_marked_and_counted(far_apart, tmp_path):
    text = "customer,months,amount,purpose,employed\na,9999,100,car,true\nb,12,100,car,true\n"
    answer = run("predict", far_apart, "-", "-q", stdin=text)
    assert [row["guess"] for row in table(answer.stdout)] == ["true", "false"]
    message = "warning: 1 of 2 rows has no comparable case: its prediction is a guess (column guess)\n"
    assert answer.stderr == message
    run("predict", far_apart, "-", "-o", tmp_path / "out.json", stdin=text)
    assert [row["guess"] for row in json.loads((tmp_path / "out.json").read_text())] == [True, False]
    both = run("predict", far_apart, "-", stdin=text.replace("b,12", "b,-9999"))
    assert "2 of 2 rows have no comparable case: their predictions are guesses" in both.stderr


def test_one_row_is_one_row(loans_folder, tmp_path):
    for command, done in (("predict", "Predicted"), ("explain", "Explained")):
        path = tmp_path / f"{command}.json"
        answer = run(command, loans_folder / "model.fgac", "-", "-o", path, stdin=loans(1, seed=1).write_csv())
        assert answer.stderr == f"{done} 1 row: {path}\n"


def test_markers_of_missing_values_can_be_said_and_are_remembered(tmp_path):
    """The list that is given replaces the usual one, and later commands read tables as training did."""
    text = loans().with_columns(purpose=pl.lit("NA"), months=pl.when(pl.int_range(60) < 2).then(-9).otherwise("months"))
    common = ["-t", TARGET, "--id", "customer", "--missing", "-9", "--missing", "none", "--gamma", "2"]
    unlabelled = text.with_columns(repaid=pl.lit("-9"))
    answer = run("fit", "-", *common, "-o", tmp_path / "m.fgac", stdin=unlabelled.write_csv(), code=1)
    assert "values are missing in 'repaid' (60), without which rows are of no use" in answer.stderr
    assert answer.stderr.endswith("Missing are empty cells and -9, none (--missing)\n")
    run("fit", "-", *common, "-o", tmp_path / "m.fgac", "--drop-missing", "-q", stdin=text.write_csv())
    new = ["predict", tmp_path / "m.fgac", "-", "--drop-missing"]
    answer = run(*new, stdin=text.write_csv())
    assert len(table(answer.stdout)) == 58
    assert len(table(run(*new, "--missing", "none", stdin=text.write_csv()).stdout)) == 60


def test_columns_that_lack_are_named(loans_folder):
    text = loans(3).drop("months").rename({"amount": "amounts"}).write_csv()
    answer = run("predict", loans_folder / "model.fgac", "-", stdin=text, code=1)
    assert answer.stderr.startswith("error: standard input lacks columns of the model: 'months', 'amount'; ")
    assert answer.stdout == ""


def test_a_number_that_is_none_is_named(loans_folder):
    text = "months,amount,purpose,employed\n12,100,car,true\n12,lots,car,true\n"
    answer = run("predict", loans_folder / "model.fgac", "-", stdin=text, code=1)
    assert answer.stderr == (
        "error: column 'amount' must hold numbers, got 'lots' in row 2; correct it, or leave the column out\n"
    )


def test_unseen_categories_are_warned_about(loans_folder):
    text = "months,amount,purpose,employed\n12,100,boat,true\n"
    answer = run("predict", loans_folder / "model.fgac", "-", stdin=text)
    assert (
        answer.stderr
        == ("warning: column 'purpose' has values that training did not see ('boat'); they differ from all others\n")
        + NUMBERED
    )


def test_incomplete_rows_are_predicted_and_left_out_on_demand(loans_folder):
    text = "months,amount,purpose,employed\n12,100,car,true\n,100,car,true\n30,9,car,TRUE\n"
    answer = run("predict", loans_folder / "model.fgac", "-", stdin=text)
    assert answer.stderr == NUMBERED
    whole = table(answer.stdout)
    assert [row["id"] for row in whole] == ["1", "2", "3"]
    answer = run("predict", loans_folder / "model.fgac", "-", "--drop-missing", stdin=text)
    assert table(answer.stdout) == [whole[0], whole[2]]  # whatever is missing elsewhere
    assert answer.stderr == (
        "warning: --drop-missing leaves out 1 of 3 rows (33 %), because of 'months' (1); without it, missing values "
        f"count as unknown\n{NUMBERED}1 incomplete row was left out.\n"
    )


@pytest.mark.parametrize("command", ["predict", "explain"])
def test_no_row_is_refused_because_of_empty_cells(loans_folder, command):
    """Neither one in which everything is unknown, nor a column without any value; a blank line is no row."""
    text = "customer,months,amount,purpose,employed\nA,,,,\nB,,100,car,\nC,,,?,true\n,,,,\n"
    answer = run(command, loans_folder / "model.fgac", "-", "-q", stdin=text)
    assert answer.stderr == ""
    if command == "predict":
        assert len(table(answer.stdout)) == 3


def test_what_is_no_model_says_so(loans_folder):
    answer = run("predict", loans_folder / "new.csv", loans_folder / "new.csv", code=1)
    assert "is no model file" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_a_model_without_column_names(loans_folder, tmp_path):
    from fgac.persistence import save_model

    save_model(FGAClassifier().fit([[0.0], [1.0]], ["a", "b"]), tmp_path / "m.fgac")
    answer = run("predict", tmp_path / "m.fgac", loans_folder / "new.csv", code=1)
    assert "trained without column names" in answer.stderr


def test_unknown_output_suffix_is_wrong_usage(loans_folder, tmp_path):
    answer = run("predict", loans_folder / "model.fgac", loans_folder / "new.csv", "-o", tmp_path / "out.xlsx", code=2)
    assert (
        answer.stderr == f"error: -o {tmp_path / 'out.xlsx'}: expected a name that ends in .csv or .json or .parquet\n"
    )


def test_whole_number_classes_stay_whole_numbers(tmp_path):
    text = loans().with_columns(repaid=pl.when(pl.col("repaid") == "no").then(-1).otherwise(10)).write_csv()
    run("fit", "-", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "--gamma", "2", "-q", stdin=text)
    assert load_model(tmp_path / "m.fgac").classes_.tolist() == [-1, 10]
    run("predict", tmp_path / "m.fgac", "-", "-o", tmp_path / "out.json", stdin=text)
    assert {row["prediction"] for row in json.loads((tmp_path / "out.json").read_text())} == {-1, 10}
