"""fit, predict, explain and audit on small tables: from the file to the result, and nothing half-written."""

import json
import zipfile

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier
from fgac.explainers.audit_classification import audit
from fgac.explanation.classification import Explanations
from fgac.persistence import load_model, read_notes
from fgac.selection.rules import choose_gamma
from support.command_line import run, table

TARGET = "repaid"
NUMBERED = "There is no column 'customer', which names the rows; they are numbered from 1 instead.\n"
AWKWARD = 'No. 7, "the\nold" mill; east'


def loans(n=60, seed=0):
    """Made-up loans: two numbers, two nominal columns, an identifier and a class that depends on all."""
    rng = np.random.default_rng(seed)
    months, amount = rng.integers(6, 60, n), rng.integers(500, 20000, n).astype(float)
    purpose = rng.choice(["car", "house", "a, b"], n)
    employed = rng.choice(["true", "false"], n)
    score = amount / 20000 + months / 60 - (purpose == "house") * 0.5 - (employed == "true") * 0.4
    return pl.DataFrame(
        {
            "customer": [f"C{i:03d}" for i in range(n - 1)] + [AWKWARD],
            "months": months,
            "amount": amount,
            "purpose": purpose,
            "employed": employed,
            "repaid": np.where(score + rng.normal(0, 0.1, n) > np.median(score), "no", "yes"),
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with data.csv, new.csv and the model that was trained on the former."""
    folder = tmp_path_factory.mktemp("loans")
    loans().write_csv(folder / "data.csv")
    loans(12, seed=1).write_csv(folder / "new.csv")
    run("fit", folder / "data.csv", "-t", TARGET, "--id", "customer", "--gamma", "2", "-o", folder / "model.fgac", "-q")
    return folder


@pytest.fixture(scope="module")
def by_hand():
    """The same model, trained in Python."""
    frame = loans()
    X = frame.drop("customer", TARGET)
    return FGAClassifier(gamma=2.0).fit(X, frame[TARGET].to_numpy(), ids=frame["customer"].to_list())


# fit


def test_fit_trains_what_python_trains(folder, by_hand):
    model = load_model(folder / "model.fgac")
    np.testing.assert_array_equal(model.beta_, by_hand.beta_)
    assert model.classes_.tolist() == ["no", "yes"]
    assert list(model.feature_names_in_) == ["months", "amount", "purpose", "employed"]
    assert model.categorical_features == ["purpose", "employed"]
    assert read_notes(folder / "model.fgac") == {"target": "repaid", "id": "customer"}


def test_fit_shows_types_on_stderr_and_the_model_on_stdout(folder, tmp_path):
    answer = run(
        "fit", folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "--gamma", "2"
    )
    lines = [line.split(maxsplit=2) for line in answer.stderr.splitlines()]
    assert ["months", "numeric"] in [line[:2] for line in lines]
    assert ["purpose", "nominal"] in [line[:2] for line in lines]
    assert "Not as meant?" in answer.stderr
    assert "60 in 4 columns, 2 of them nominal" in answer.stdout
    sizes = dict(loans()[TARGET].value_counts().iter_rows())
    assert f"no ({sizes['no']}), yes ({sizes['yes']})" in answer.stdout
    assert answer.stdout.startswith(f"Model written to {tmp_path / 'm.fgac'}\n")
    assert "2, as given" in answer.stdout
    assert "contains the training rows" in answer.stdout
    assert max(map(len, (answer.stdout + answer.stderr).splitlines()[1:])) <= 80


def test_fit_chooses_gamma_and_says_how(folder, tmp_path):
    answer = run("fit", folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation on 60 rows." in answer.stderr
    model = load_model(tmp_path / "m.fgac")
    assert f"{model.gamma:g}, best of 17 by 5-fold cross-validation (balanced accuracy 0." in answer.stdout
    assert "largest that was tried" not in answer.stderr
    frame = loans()
    X, y = frame.drop("customer", TARGET), frame[TARGET].to_numpy()
    assert model.gamma == choose_gamma(FGAClassifier(), X, y).gamma_
    np.testing.assert_allclose(model.beta_, FGAClassifier(gamma=model.gamma).fit(X, y).beta_, atol=1e-9)
    assert model.explain(X[:1])[0].arguments_for[0].id in frame["customer"].to_list()


def test_fit_chooses_gamma_on_a_sample_and_trains_on_all_rows(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("fgac.selection.grid.MAX_ROWS", 40)
    answer = run("fit", folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation on 60 rows, on a sample of 40 rows." in answer.stderr
    assert "best of 17 by 5-fold cross-validation of a sample of 40 rows (balanced" in " ".join(answer.stdout.split())
    model, frame = load_model(tmp_path / "m.fgac"), loans()
    direct = FGAClassifier(gamma=model.gamma).fit(frame.drop("customer", TARGET), frame[TARGET].to_numpy())
    np.testing.assert_allclose(model.beta_, direct.beta_, atol=1e-9)
    named = {a.id for one in model.explain(frame.drop("customer", TARGET)) for a in one.arguments_for}
    assert named <= set(frame["customer"].to_list())


def test_rows_of_weight_0_make_no_sample(folder, tmp_path):
    """They do not take part in the choice, and stand in the model as they stand in the table."""
    text = loans().with_columns(n=(pl.int_range(pl.len()) % 3 > 0).cast(pl.Int64)).write_csv()
    answer = run("fit", "-", "-t", TARGET, "--id", "customer", "--weight", "n", "-o", tmp_path / "m.fgac", stdin=text)
    assert "Choosing gamma by cross-validation on 40 rows." in answer.stderr
    assert "5-fold cross-validation (balanced accuracy 0." in answer.stdout
    beta = load_model(tmp_path / "m.fgac").beta_
    assert np.isnan(beta).tolist() == [i % 3 == 0 for i in range(60)]


def test_fit_warns_if_the_largest_gamma_is_the_best(tmp_path):
    """Stripes so fine that no gamma is large enough."""
    rows = [f"{i / 1000},{'ab'[i // 4 % 2]}" for i in range(1000)]
    answer = run("fit", "-", "-t", "y", "-o", tmp_path / "m.fgac", "-q", stdin="\n".join(["x,y", *rows]))
    assert "gamma 100 is the largest that was tried; a larger one may be better (--gamma)" in answer.stderr


def test_one_column_is_one_column(tmp_path):
    answer = run("fit", "-", "-t", "y", "--gamma", "2", "-o", tmp_path / "m.fgac", stdin="x,y\n0,a\n1,b\n")
    assert "2 in 1 column, 0 of them nominal" in answer.stdout


def test_quiet_fit_says_nothing(folder, tmp_path):
    answer = run("fit", folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "-q")
    assert answer.output == ""
    assert (tmp_path / "m.fgac").exists()


def test_a_cell_that_is_no_number_is_warned_about_even_when_quiet(tmp_path):
    ages = [str(20 + i % 50) for i in range(450)]
    ages[4] = "unknown"
    frame = pl.DataFrame({"age": ages, "y": ["a", "b"] * 225})
    common = ["fit", "-", "-t", "y", "--gamma", "2", "-o", tmp_path / "m.fgac", "-q"]
    assert run(*common, stdin=frame.write_csv()).stderr == (
        "warning: column 'age': 449 of 450 values are numbers; 'unknown' in row 5 is not: correct it (or leave it "
        "empty and use --drop-missing), or use --nominal 'age'\n"
    )
    assert run(*common, "--nominal", "age", stdin=frame.write_csv()).stderr == ""
    assert run(*common, "--missing", "unknown", "--drop-missing", stdin=frame.write_csv()).stderr == ""


def test_settings_reach_the_classifier(folder, tmp_path):
    settings = ["--loss", "absolute_error", "--metric", "manhattan", "--scale", "none", "--class-weight", "balanced"]
    columns = ["--id", "customer", "--nominal", "months", "--drop", "purpose"]
    run("fit", folder / "data.csv", "-t", TARGET, *columns, *settings, "--gamma", "1.5", "-o", tmp_path / "m.fgac")
    model = load_model(tmp_path / "m.fgac")
    assert (model.loss, model.metric, model.scale, model.class_weight) == (
        "absolute_error",
        "manhattan",
        None,
        "balanced",
    )
    assert list(model.feature_names_in_) == ["months", "amount", "employed"]
    assert model.categorical_features == ["months", "employed"]


def test_weights_are_used_and_are_no_feature(tmp_path):
    loans().with_columns(times=pl.Series([2, 1] * 30)).write_csv(tmp_path / "data.csv")
    pl.concat([loans()[i : i + 1] for i in range(60) for _ in range(2 - i % 2)]).write_csv(tmp_path / "repeated.csv")
    common = ["-t", TARGET, "--drop", "customer", "--gamma", "2", "-q", "-o"]
    run("fit", tmp_path / "data.csv", "--weight", "times", *common, tmp_path / "a.fgac")
    run("fit", tmp_path / "repeated.csv", *common, tmp_path / "b.fgac")
    a, b = load_model(tmp_path / "a.fgac"), load_model(tmp_path / "b.fgac")
    np.testing.assert_allclose(np.repeat(a.beta_, [2, 1] * 30), b.beta_, atol=1e-9)
    assert "times" not in a.feature_names_in_


def test_ids_only_leaves_values_out(folder, tmp_path):
    common = ["fit", folder / "data.csv", "-t", TARGET, "--id", "customer", "--gamma", "2", "-q"]
    run(*common, "-o", tmp_path / "m.fgac", "--ids-only")
    why = load_model(tmp_path / "m.fgac").explain(loans(3, seed=1).drop("customer", TARGET))[0]
    assert why.arguments_for[0].attributes[0].value is None
    assert str(why.arguments_for[0].id).startswith("C")


def test_an_identifier_is_warned_about_even_when_quiet(folder, tmp_path):
    answer = run("fit", folder / "data.csv", "-t", TARGET, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    assert answer.stderr.startswith("warning: column 'customer': in every row another text, like an identifier")
    assert "--drop 'customer' or --id 'customer'" in answer.stderr


def arrays(path):
    """The bytes of all arrays of a model; its header also holds the time that training took."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".npy")}


def test_csv_parquet_and_stdin_give_the_same_model(folder, tmp_path):
    loans().write_parquet(tmp_path / "data.parquet")
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "-q", "-o"]
    run("fit", tmp_path / "data.parquet", *common, tmp_path / "p.fgac")
    run("fit", "-", *common, tmp_path / "s.fgac", stdin=(folder / "data.csv").read_text())
    expected = arrays(folder / "model.fgac")
    for name in ("p.fgac", "s.fgac"):
        assert arrays(tmp_path / name) == expected
        assert read_notes(tmp_path / name) == {"target": "repaid", "id": "customer"}


def test_unknown_column_suggests_near_names(folder, tmp_path):
    answer = run("fit", folder / "data.csv", "-t", "repayd", "-o", tmp_path / "m.fgac", code=2)
    assert answer.stderr == "error: --target 'repayd': there is no such column; did you mean 'repaid'?\n"
    assert answer.stdout == ""
    assert not list(tmp_path.iterdir())


def test_missing_values_fail_unless_left_out(tmp_path):
    text = loans().with_columns(months=pl.when(pl.int_range(60) < 2).then(None).otherwise("months")).write_csv()
    common = ["fit", "-", "-t", TARGET, "--id", "customer", "--gamma", "2", "-o", tmp_path / "m.fgac"]
    answer = run(*common, stdin=text, code=1)
    assert answer.stderr == (
        "error: standard input: values are missing in 'months' (2); fgac needs complete rows. Fill them in, leave "
        "columns out (--drop COLUMN), or leave the 2 incomplete of 60 rows out (--drop-missing). Missing are empty "
        "cells and ?, NA, N/A, n/a, NaN, nan, null, NULL (--missing)\n"
    )
    assert not list(tmp_path.iterdir())
    answer = run(*common, "--drop-missing", stdin=text)
    assert "2 incomplete rows were left out." in answer.stderr
    assert "58 in 4 columns" in answer.stdout


def test_a_failure_leaves_the_old_model_alone(folder, tmp_path, monkeypatch):
    (tmp_path / "m.fgac").write_text("old")

    def fails(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "m.fgac"))

    monkeypatch.setattr("pathlib.Path.replace", fails)
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "-q"]
    answer = run("fit", folder / "data.csv", *common, "-o", tmp_path / "m.fgac", code=1)
    assert answer.stderr == f"error: {tmp_path / 'm.fgac'}: No space left on device\n"
    assert answer.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["m.fgac"]
    assert (tmp_path / "m.fgac").read_text() == "old"


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("nowhere/m.fgac", "there is no folder"),
        (".", "this is a folder; expected a file"),
        ("data.csv", "this is the file that is read; choose another name"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_work(tmp_path, output, message):
    loans().write_csv(tmp_path / "data.csv")
    answer = run("fit", tmp_path / "data.csv", "-t", TARGET, "-o", tmp_path / output, code=2)
    assert message in answer.stderr
    assert (tmp_path / "data.csv").read_text() == loans().write_csv()


def test_a_table_that_is_not_there(tmp_path):
    answer = run("fit", tmp_path / "none.csv", "-t", "y", "-o", tmp_path / "m.fgac", code=1)
    assert answer.stderr == f"error: {tmp_path / 'none.csv'}: No such file or directory\n"


# predict


def expected_predictions(by_hand):
    X = loans(12, seed=1).drop("customer", TARGET)
    predicted, memberships = by_hand.predict(X), by_hand.memberships(X)
    k = np.searchsorted(by_hand.classes_, predicted)
    each = np.arange(12)
    return predicted, *(part[each, k] for part in memberships), memberships.degree


def test_predict_writes_csv_on_stdout(folder, by_hand):
    answer = run("predict", folder / "model.fgac", folder / "new.csv")
    assert answer.stderr == ""
    assert answer.stdout.startswith("id,prediction,degree,lower,upper,margin,guess,degree_no,degree_yes\n")
    rows = table(answer.stdout)
    predicted, lower, upper, degree, degrees = expected_predictions(by_hand)
    assert [row["id"] for row in rows] == loans(12)["customer"].to_list()
    assert rows[-1]["id"] == AWKWARD
    assert [row["prediction"] for row in rows] == predicted.tolist()
    assert {row["guess"] for row in rows} == {"false"}
    for name, values in (("lower", lower), ("upper", upper), ("degree", degree), ("degree_no", degrees[:, 0])):
        np.testing.assert_allclose([float(row[name]) for row in rows], values, atol=5e-7)
    margin = np.abs(degrees[:, 0] - degrees[:, 1])
    np.testing.assert_allclose([float(row["margin"]) for row in rows], margin, atol=5e-7)


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
def test_json_and_parquet_keep_every_digit(folder, by_hand, tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    answer = run("predict", folder / "model.fgac", folder / "new.csv", "-o", path)
    assert answer.stdout == ""
    assert answer.stderr == f"Predicted 12 rows: {path}\n"
    rows = json.loads(path.read_text()) if suffix == ".json" else pl.read_parquet(path).to_dicts()
    np.testing.assert_array_equal([row["degree"] for row in rows], expected_predictions(by_hand)[3])
    assert rows[-1]["id"] == AWKWARD


def test_columns_are_found_by_name(folder):
    mixed = loans(12, seed=1).select("employed", pl.lit("x").alias("other"), "amount", "customer", "purpose", "months")
    again = run("predict", folder / "model.fgac", "-", stdin=mixed.write_csv(separator=";"))
    assert again.stdout == run("predict", folder / "model.fgac", folder / "new.csv").stdout


def test_without_the_id_column_rows_are_numbered_from_one(folder):
    answer = run("predict", folder / "model.fgac", "-", stdin=loans(3, seed=1).drop("customer").write_csv())
    assert [row["id"] for row in table(answer.stdout)] == ["1", "2", "3"]
    assert answer.stderr == NUMBERED
    again = run("predict", folder / "model.fgac", "-", "--id", "months", stdin=loans(3, seed=1).write_csv())
    assert again.stderr == ""
    twice = "id,months,amount,purpose,employed\n7,12,100,car,true\n7,12,100,car,true\n"
    assert run("predict", folder / "model.fgac", "-", "--id", "id", stdin=twice).stderr == (
        "warning: id column 'id' gives several rows the same name: 1 name, 2 rows\n"
    )
    assert [row["id"] for row in table(again.stdout)] == [str(m) for m in loans(3, seed=1)["months"]]


def test_guesses_are_marked_and_counted(folder, tmp_path):
    text = "customer,months,amount,purpose,employed\na,9999,100,car,true\nb,12,100,car,true\n"
    answer = run("predict", folder / "model.fgac", "-", "-q", stdin=text)
    assert [row["guess"] for row in table(answer.stdout)] == ["true", "false"]
    message = "warning: 1 of 2 rows resembles no training row: its prediction is a guess (column guess)\n"
    assert answer.stderr == message
    run("predict", folder / "model.fgac", "-", "-o", tmp_path / "out.json", stdin=text)
    assert [row["guess"] for row in json.loads((tmp_path / "out.json").read_text())] == [True, False]
    both = run("predict", folder / "model.fgac", "-", stdin=text.replace("b,12", "b,-9999"))
    assert "2 of 2 rows resemble no training row: their predictions are guesses" in both.stderr


def test_one_row_is_one_row(folder, tmp_path):
    for command, done in (("predict", "Predicted"), ("explain", "Explained")):
        path = tmp_path / f"{command}.json"
        answer = run(command, folder / "model.fgac", "-", "-o", path, stdin=loans(1, seed=1).write_csv())
        assert answer.stderr == f"{done} 1 row: {path}\n"


def test_markers_of_missing_values_can_be_said_and_are_remembered(tmp_path):
    """The list that is given replaces the usual one, and later commands read tables as training did."""
    text = loans().with_columns(purpose=pl.lit("NA"), months=pl.when(pl.int_range(60) < 2).then(-9).otherwise("months"))
    common = ["-t", TARGET, "--id", "customer", "--missing", "-9", "--missing", "none", "--gamma", "2"]
    answer = run("fit", "-", *common, "-o", tmp_path / "m.fgac", stdin=text.write_csv(), code=1)
    assert "values are missing in 'months' (2);" in answer.stderr
    assert answer.stderr.endswith("Missing are empty cells and -9, none (--missing)\n")
    run("fit", "-", *common, "-o", tmp_path / "m.fgac", "--drop-missing", "-q", stdin=text.write_csv())
    new = ["predict", tmp_path / "m.fgac", "-", "--drop-missing"]
    answer = run(*new, stdin=text.write_csv())
    assert len(table(answer.stdout)) == 58
    assert len(table(run(*new, "--missing", "none", stdin=text.write_csv()).stdout)) == 60


def test_columns_that_lack_are_named(folder):
    text = loans(3).drop("months").rename({"amount": "amounts"}).write_csv()
    answer = run("predict", folder / "model.fgac", "-", stdin=text, code=1)
    assert answer.stderr.startswith("error: standard input lacks columns of the model: 'months', 'amount'; ")
    assert answer.stdout == ""


def test_a_number_that_is_none_is_named(folder):
    text = "months,amount,purpose,employed\n12,100,car,true\n12,lots,car,true\n"
    answer = run("predict", folder / "model.fgac", "-", stdin=text, code=1)
    assert answer.stderr == (
        "error: column 'amount' must hold numbers, got 'lots' in row 2; correct it, or leave the column out\n"
    )


def test_unseen_categories_are_warned_about(folder):
    text = "months,amount,purpose,employed\n12,100,boat,true\n"
    answer = run("predict", folder / "model.fgac", "-", stdin=text)
    assert (
        answer.stderr
        == ("warning: column 'purpose' has values that training did not see ('boat'); they differ from all others\n")
        + NUMBERED
    )


def test_incomplete_rows_are_left_out_on_demand(folder):
    text = "months,amount,purpose,employed\n12,100,car,true\n,100,car,true\n30,9,car,TRUE\n"
    answer = run("predict", folder / "model.fgac", "-", stdin=text, code=1)
    assert answer.stderr == (
        "error: standard input: values are missing in 'months' (1); fgac needs complete rows. Fill them in, or leave "
        "the 1 incomplete of 3 rows out (--drop-missing). Missing are empty cells and ?, NA, N/A, n/a, NaN, nan, null, "
        "NULL (--missing)\n"
    )
    answer = run("predict", folder / "model.fgac", "-", "--drop-missing", stdin=text)
    assert [row["id"] for row in table(answer.stdout)] == ["1", "3"]
    assert answer.stderr == NUMBERED + "1 incomplete row was left out.\n"


def test_what_is_no_model_says_so(folder):
    answer = run("predict", folder / "new.csv", folder / "new.csv", code=1)
    assert "is no model file" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_a_model_without_column_names(folder, tmp_path):
    from fgac.persistence import save_model

    save_model(FGAClassifier().fit([[0.0], [1.0]], ["a", "b"]), tmp_path / "m.fgac")
    answer = run("predict", tmp_path / "m.fgac", folder / "new.csv", code=1)
    assert "trained without column names" in answer.stderr


def test_unknown_output_suffix_is_wrong_usage(folder, tmp_path):
    answer = run("predict", folder / "model.fgac", folder / "new.csv", "-o", tmp_path / "out.xlsx", code=2)
    assert (
        answer.stderr == f"error: -o {tmp_path / 'out.xlsx'}: expected a name that ends in .csv or .json or .parquet\n"
    )


def test_whole_number_classes_stay_whole_numbers(tmp_path):
    text = loans().with_columns(repaid=pl.when(pl.col("repaid") == "no").then(-1).otherwise(10)).write_csv()
    run("fit", "-", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "--gamma", "2", "-q", stdin=text)
    assert load_model(tmp_path / "m.fgac").classes_.tolist() == [-1, 10]
    run("predict", tmp_path / "m.fgac", "-", "-o", tmp_path / "out.json", stdin=text)
    assert {row["prediction"] for row in json.loads((tmp_path / "out.json").read_text())} == {-1, 10}


# explain


def explained(folder, *arguments, stdin=None, data=None):
    return run("explain", folder / "model.fgac", data or folder / "new.csv", *arguments, stdin=stdin)


def test_explain_tells_the_first_rows(folder, by_hand):
    answer = explained(folder)
    frame = loans(12, seed=1)
    expected = by_hand.explain(
        frame.drop("customer", TARGET)[:5], y=frame[TARGET].to_list()[:5], ids=frame["customer"].to_list()[:5]
    )
    assert answer.stdout == expected.text() + "\n"
    assert answer.stderr == ("Explaining the first 5 of 12 rows; choose others with --row, --first or --doubtful.\n")


def ids_in(path):
    return [item.id for item in Explanations.from_json(path.read_text())]


def test_rows_can_be_chosen(folder, tmp_path):
    path = tmp_path / "out.json"
    explained(folder, "--row", "C003", "--row", "C001", "-o", path)
    assert ids_in(path) == ["C003", "C001"]
    explained(folder, "--rows", "C003,C001", "--row", AWKWARD, "-o", path)
    assert ids_in(path) == ["C003", "C001", AWKWARD]
    explained(folder, "--first", "2", "-o", path)
    assert ids_in(path) == ["C000", "C001"]
    answer = explained(folder, "-o", path)
    assert len(ids_in(path)) == 12
    assert answer.stderr == f"Explained 12 rows: {path}\n"


def test_the_most_doubtful_rows_come_first(folder, tmp_path):
    explained(folder, "--doubtful", "4", "-o", tmp_path / "out.json")
    margins = [item.margin for item in Explanations.from_json((tmp_path / "out.json").read_text())]
    rows = table(run("predict", folder / "model.fgac", folder / "new.csv").stdout)
    np.testing.assert_allclose(margins, sorted(float(row["margin"]) for row in rows)[:4], atol=1e-6)


def test_units_truth_and_arguments_are_passed_on(folder, tmp_path):
    explained(folder, "--unit", "amount=EUR", "--n-arguments", "2", "-o", tmp_path / "out.json")
    items = Explanations.from_json((tmp_path / "out.json").read_text())
    assert [reading.unit for reading in items[0].attributes] == ["", "EUR", "", ""]
    assert [item.truth for item in items] == loans(12, seed=1)[TARGET].to_list()
    assert max(len(item.arguments_for) for item in items) == 2


def test_truth_may_be_absent_or_partly_missing(folder, tmp_path):
    frame = loans(12, seed=1)
    path = tmp_path / "out.json"
    explained(folder, "-o", path, data="-", stdin=frame.drop(TARGET).write_csv())
    assert {item.truth for item in Explanations.from_json(path.read_text())} == {None}
    some = frame.with_columns(truth=pl.when(pl.int_range(12) > 3).then(TARGET))
    explained(folder, "-o", path, "-t", "truth", data="-", stdin=some.write_csv())
    assert [item.truth for item in Explanations.from_json(path.read_text())] == some["truth"].to_list()


def test_explanations_as_a_table_of_arguments(folder, tmp_path):
    explained(folder, "-o", tmp_path / "out.csv")
    explained(folder, "-o", tmp_path / "out.json")
    rows = table((tmp_path / "out.csv").read_text())
    items = Explanations.from_json((tmp_path / "out.json").read_text())
    expected = [
        (str(item.id), side, str(argument.id), round(argument.strength, 6))
        for item in items
        for side, part in (("for", item.arguments_for), ("against", item.arguments_against))
        for argument in part
    ]
    told = [(row["id"], row["side"], row["argument"], float(row["strength"])) for row in rows if row["side"] != "none"]
    assert told == expected


def test_strengths_of_the_table_can_be_recomputed(tmp_path):
    """Also for three classes, where an argument is in the predicted class to less than it is in its own."""
    frame = loans().with_columns(kind=pl.Series(["a", "b", "c"] * 20))
    common = ["-t", "kind", "--id", "customer", "--gamma", "1", "-q"]
    run("fit", "-", *common, "-o", tmp_path / "m.fgac", stdin=frame.write_csv())
    run("explain", tmp_path / "m.fgac", "-", "-o", tmp_path / "out.csv", "-q", stdin=frame.write_csv())
    rows = [row for row in table((tmp_path / "out.csv").read_text()) if row["side"] != "none"]
    similarity, degree, strength = (
        np.array([float(row[name]) for row in rows]) for name in ("similarity", "argument_degree", "strength")
    )
    np.testing.assert_allclose(strength, np.maximum(0, similarity + degree - 1), atol=2e-6)
    assert any(row["argument_degree"] != row["membership"] for row in rows)


def test_a_row_like_no_other_is_in_the_table_too(folder, tmp_path):
    text = "months,amount,purpose,employed\n9999,100,car,true\n"
    explained(folder, "-o", tmp_path / "out.csv", data="-", stdin=text)
    (row,) = table((tmp_path / "out.csv").read_text())
    assert (row["side"], row["argument"], row["strength"]) == ("none", "", "")


def test_report_is_written_as_html(folder, tmp_path):
    answer = explained(folder, "-o", tmp_path / "out.html", "--first", "3")
    page = (tmp_path / "out.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "new.csv, explained" in page
    assert "C002" in page
    assert "first 3 of 12 rows of new.csv" in page
    assert answer.stderr == f"Explained 3 rows: {tmp_path / 'out.html'}\n"


def test_report_says_which_rows_it_explains(folder, tmp_path):
    data = tmp_path / "many.csv"
    loans(60, seed=1).write_csv(data)
    for arguments, told in (
        ([], "first 50 of 60 rows of many.csv"),
        (["--row", "C001"], "1 of 60 rows of many.csv, chosen by hand"),
        (["--doubtful", "2"], "the 2 of 60 rows of many.csv with the least margin"),
        (["--first", "60"], "all 60 rows of many.csv"),
    ):
        explained(folder, "-o", tmp_path / "out.html", *arguments, data=data)
        assert told in (tmp_path / "out.html").read_text()
    explained(folder, "-o", tmp_path / "out.html", data="-", stdin=loans(2, seed=1).write_csv())
    assert "all 2 rows of standard input" in (tmp_path / "out.html").read_text()


def test_the_audit_can_be_left_out(folder, tmp_path):
    for arguments, said in (([], True), (["--no-audit"], False)):
        explained(folder, "-o", tmp_path / "out.html", *arguments)
        explained(folder, "-o", tmp_path / "out.json", *arguments)
        assert ("Doubted labels" in (tmp_path / "out.html").read_text()) == said
        assert (Explanations.from_json((tmp_path / "out.json").read_text()).audit is not None) == said


def test_text_can_go_to_a_file(folder, tmp_path):
    explained(folder, "--first", "2", "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == explained(folder, "--first", "2").stdout


def test_explaining_training_rows_is_warned_about(folder):
    answer = explained(folder, "--first", "3", data=folder / "data.csv")
    assert answer.stderr == (
        "warning: 3 of 3 rows are training rows: on new rows the model is less sure, and errs more\n"
    )
    answer = explained(folder, "--first", "1", data=folder / "data.csv")
    assert answer.stderr.startswith("warning: 1 of 1 row is a training row: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--first", "2", "--doubtful", "2"], "--first and --doubtful exclude each other; choose one"),
        (
            ["--row", "C999"],
            "--row 'C999': there is no such row; the rows are called C000, C001, C002, C003, C004, ...",
        ),
        (["--unit", "amount"], "--unit 'amount': expected COLUMN=UNIT, as in age=years"),
        (["--unit", "amount2=EUR"], "--unit 'amount2': there is no such column; did you mean 'amount'?"),
        (["-t", "rapaid"], "--target 'rapaid': there is no such column; did you mean 'repaid'?"),
    ],
)
def test_wrong_usage_of_explain(folder, arguments, message):
    answer = run("explain", folder / "model.fgac", folder / "new.csv", *arguments, code=2)
    assert answer.stderr.startswith(f"error: {message}")
    assert answer.stdout == ""


# audit


def test_audit_of_a_model_and_of_its_table_agree(folder, tmp_path, by_hand):
    expected = audit(by_hand, n_rows=5)
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "-q"]
    run("audit", folder / "model.fgac", "-n", "5", "-o", tmp_path / "model.json")
    run("audit", folder / "data.csv", *common, "-n", "5", "-o", tmp_path / "table.json")
    assert json.loads((tmp_path / "model.json").read_text()) == json.loads(expected.to_json())
    assert (tmp_path / "table.json").read_text() == (tmp_path / "model.json").read_text()


def test_audit_is_readable_on_stdout(folder, by_hand):
    answer = run("audit", folder / "model.fgac", "-n", "8")
    suspects = audit(by_hand, n_rows=8)
    assert answer.stdout.startswith("Doubted labels: the 8 most doubted of 60 rows\n")
    for suspect in suspects:
        assert f"{suspect.doubt:.3f}" in answer.stdout
        assert " ".join(suspect.text().split()) in " ".join(answer.stdout.split())
    assert max(map(len, answer.stdout.splitlines())) <= 80
    one = run("audit", folder / "model.fgac", "-n", "1").stdout
    assert one.startswith("Doubted labels: the most doubted of 60 rows\n")


def test_audit_advises_a_smaller_gamma_unless_one_was_given(folder):
    advice = "gamma 2 may have been chosen for prediction, and be large for finding wrong labels: try a smaller one "
    with_table = f"{advice}(--gamma, with the table instead of the model)"
    assert run("audit", folder / "model.fgac").stderr == f"{with_table} and --by rest.\n"
    assert run("audit", folder / "model.fgac", "--by", "rest").stderr == f"{with_table}.\n"
    assert run("audit", folder / "model.fgac", "-q").stderr == ""
    table_of = ["audit", folder / "data.csv", "-t", TARGET, "--id", "customer"]
    assert "try a smaller one" not in run(*table_of, "--gamma", "2").stderr
    assert "try a smaller one (--gamma) and --by rest." in run(*table_of).stderr


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_audit_as_a_table(folder, tmp_path, by_hand, suffix):
    path = tmp_path / f"out{suffix}"
    run("audit", folder / "model.fgac", "-n", "4", "--by", "rest", "-o", path)
    rows = table(path.read_text()) if suffix == ".csv" else pl.read_parquet(path).to_dicts()
    suspects = audit(by_hand, n_rows=4, by="rest")
    assert [row["id"] for row in rows] == [suspect.id for suspect in suspects]
    assert [row["suggestion"] for row in rows] == [suspect.suggestion for suspect in suspects]
    np.testing.assert_allclose([float(row["doubt"]) for row in rows], [s.doubt for s in suspects], atol=5e-7)


def test_audit_as_html_and_text(folder, tmp_path, by_hand):
    for suffix in (".html", ".txt"):
        answer = run("audit", folder / "model.fgac", "-n", "2", "-o", tmp_path / f"out{suffix}")
        assert answer.stderr.startswith(f"Audited 60 rows, 2 doubted labels: {tmp_path / f'out{suffix}'}\n")
    assert (tmp_path / "out.txt").read_text() == audit(by_hand, n_rows=2).text() + "\n"
    page = (tmp_path / "out.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<h1>Doubted labels</h1>" in page
    assert str(audit(by_hand, n_rows=1)[0].id) in page


def test_audit_needs_a_target_exactly_with_a_table(folder):
    answer = run("audit", folder / "data.csv", code=2)
    assert answer.stderr == "error: --target is missing: which column of the table holds the classes?\n"
    answer = run("audit", folder / "model.fgac", "-t", TARGET, code=2)
    assert "is taken for a model because of its name" in answer.stderr


def test_audit_of_labels_that_nothing_contradicts():
    answer = run("audit", "-", "-t", "y", "--gamma", "2", "-q", stdin="x,y\n0,a\n0.5,a\n9,b\n10,b\n")
    assert answer.stdout == "No label is contradicted: all 4 rows fully belong to their classes.\n"
