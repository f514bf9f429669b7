"""fgac fit: the same model as in Python, what is said of it, and nothing half-written."""

import io
import zipfile

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier, FGAClassifierCV
from fgac.persistence import load_model, read_notes
from support.command_line import run
from support.loans import TARGET, loans


def searched_settings():
    """Return the settings of a search by default, which the command line has too."""
    return {name: FGAClassifierCV().get_params()[name] for name in ("metric", "scale", "class_weight")}


def test_fit_trains_what_python_trains(loans_folder):
    """With the settings that a search has by default, also if gamma is given."""
    model, frame = load_model(loans_folder / "model.fgac"), loans()
    by_hand = FGAClassifier(gamma=2.0, **searched_settings()).fit(frame.drop("customer", TARGET), frame[TARGET])
    np.testing.assert_array_equal(model.beta_, by_hand.beta_)
    assert model.classes_.tolist() == ["no", "yes"]
    assert list(model.feature_names_in_) == ["months", "amount", "purpose", "employed"]
    assert model.categorical_features == ["purpose", "employed"]
    assert read_notes(loans_folder / "model.fgac") == {"target": "repaid", "id": "customer"}


def test_fit_shows_types_on_stderr_and_the_model_on_stdout(loans_folder, tmp_path):
    answer = run(
        "fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "--gamma", "2"
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


def test_fit_chooses_gamma_and_says_how(loans_folder, tmp_path):
    answer = run("fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation on 60 rows." in answer.stderr
    model = load_model(tmp_path / "m.fgac")
    assert f"{model.gamma:g}, best of 17 by 5-fold cross-validation (balanced accuracy 0." in answer.stdout
    assert "largest that was tried" not in answer.stderr
    frame = loans()
    X, y = frame.drop("customer", TARGET), frame[TARGET].to_numpy()
    search = FGAClassifierCV().fit(X, y)
    assert model.gamma == search.gamma_
    assert f"(balanced accuracy {search.best_score_:.3f}" in answer.stdout
    np.testing.assert_array_equal(model.predict_proba(X), search.predict_proba(X))
    direct = FGAClassifier(gamma=model.gamma, **searched_settings()).fit(X, y)
    np.testing.assert_allclose(model.beta_, direct.beta_, atol=1e-9)
    assert model.explain(X[:1])[0].arguments_for[0].id in frame["customer"].to_list()


def test_fit_chooses_gamma_on_a_sample_and_trains_on_all_rows(loans_folder, tmp_path, monkeypatch):
    monkeypatch.setitem(FGAClassifierCV.__init__.__kwdefaults__, "max_rows", 40)
    answer = run("fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac")
    assert "Choosing gamma by cross-validation of a sample of 40 rows." in answer.stderr
    assert "best of 17 by 5-fold cross-validation of a sample of 40 rows (balanced" in " ".join(answer.stdout.split())
    model, frame = load_model(tmp_path / "m.fgac"), loans()
    X, y = frame.drop("customer", TARGET), frame[TARGET].to_numpy()
    assert model.gamma == FGAClassifierCV(max_rows=40).fit(X, y).gamma_
    direct = FGAClassifier(gamma=model.gamma, **searched_settings()).fit(X, y)
    np.testing.assert_allclose(model.beta_, direct.beta_, atol=1e-9)
    named = {a.id for one in model.explain(X) for a in one.arguments_for}
    assert named <= set(frame["customer"].to_list())


def test_rows_of_weight_0_make_no_sample(loans_folder, tmp_path):
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
    plain = ["--metric", "euclidean"]
    answer = run("fit", "-", "-t", "y", "-o", tmp_path / "m.fgac", "-q", *plain, stdin="\n".join(["x,y", *rows]))
    assert "gamma 100 is the largest that was tried; a larger one may be better (--gamma)" in answer.stderr


def test_one_column_is_one_column(tmp_path):
    answer = run("fit", "-", "-t", "y", "--gamma", "2", "-o", tmp_path / "m.fgac", stdin="x,y\n0,a\n1,b\n")
    assert "2 in 1 column, 0 of them nominal" in answer.stdout


def test_quiet_fit_says_nothing(loans_folder, tmp_path):
    answer = run("fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "-o", tmp_path / "m.fgac", "-q")
    assert answer.output == ""
    assert (tmp_path / "m.fgac").exists()


def test_a_cell_that_is_no_number_is_warned_about_even_when_quiet(tmp_path):
    ages = [str(20 + i % 50) for i in range(450)]
    ages[4] = "unknown"
    frame = pl.DataFrame({"age": ages, "y": ["a", "b"] * 225})
    common = ["fit", "-", "-t", "y", "--gamma", "2", "-o", tmp_path / "m.fgac", "-q"]
    assert run(*common, stdin=frame.write_csv()).stderr == (
        "warning: column 'age': 449 of 450 values are numbers; 'unknown' in row 5 is not: correct it, leave it "
        "empty, or use --nominal 'age'\n"
    )
    assert run(*common, "--nominal", "age", stdin=frame.write_csv()).stderr == ""
    assert run(*common, "--missing", "unknown", "--drop-missing", stdin=frame.write_csv()).stderr == ""
    varied = frame.with_columns(age=pl.Series([age if age == "unknown" else f"{i}.5" for i, age in enumerate(ages)]))
    answer = run(*common, stdin=varied.with_columns(x=pl.Series([1.5, 2.5] * 225)).write_csv())
    assert answer.stderr.startswith(
        "warning: column 'age' is left out: 449 of 450 values are numbers; 'unknown' in row 5"
    )


def test_settings_reach_the_classifier(loans_folder, tmp_path):
    settings = ["--loss", "absolute_error", "--metric", "manhattan", "--scale", "none", "--class-weight", "balanced"]
    columns = ["--id", "customer", "--nominal", "months", "--drop", "purpose"]
    run(
        "fit", loans_folder / "data.csv", "-t", TARGET, *columns, *settings, "--gamma", "1.5", "-o", tmp_path / "m.fgac"
    )
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


def test_ids_only_leaves_values_out(loans_folder, tmp_path):
    common = ["fit", loans_folder / "data.csv", "-t", TARGET, "--id", "customer", "--gamma", "2", "-q"]
    run(*common, "-o", tmp_path / "m.fgac", "--ids-only")
    why = load_model(tmp_path / "m.fgac").explain(loans(3, seed=1).drop("customer", TARGET))[0]
    assert why.arguments_for[0].attributes[0].value is None
    assert str(why.arguments_for[0].id).startswith("C")


def test_an_identifier_is_warned_about_even_when_quiet(loans_folder, tmp_path):
    answer = run("fit", loans_folder / "data.csv", "-t", TARGET, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    assert answer.stderr == (
        "warning: column 'customer' is left out: in every row another text, like an identifier, so that no two rows "
        "would resemble each other in it (--keep 'customer' keeps it, --id 'customer' calls the rows by it)\n"
    )
    assert "customer" not in load_model(tmp_path / "m.fgac").feature_names_in_


@pytest.mark.parametrize("option", ["--keep", "--nominal"])
def test_an_identifier_is_kept_if_it_is_asked_for(loans_folder, tmp_path, option):
    common = ["-t", TARGET, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q"]
    answer = run("fit", loans_folder / "data.csv", *common, option, "customer")
    assert answer.stderr.startswith("warning: column 'customer': in every row another text, like an identifier")
    assert load_model(tmp_path / "m.fgac").feature_names_in_[0] == "customer"


def arrays(path):
    """The bytes of all arrays of a model; its header also holds the time that training took."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".npy")}


def test_csv_parquet_and_stdin_give_the_same_model(loans_folder, tmp_path):
    loans().write_parquet(tmp_path / "data.parquet")
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "-q", "-o"]
    run("fit", tmp_path / "data.parquet", *common, tmp_path / "p.fgac")
    run("fit", "-", *common, tmp_path / "s.fgac", stdin=(loans_folder / "data.csv").read_text())
    expected = arrays(loans_folder / "model.fgac")
    for name in ("p.fgac", "s.fgac"):
        assert arrays(tmp_path / name) == expected
        assert read_notes(tmp_path / name) == {"target": "repaid", "id": "customer"}


def test_unknown_column_suggests_near_names(loans_folder, tmp_path):
    answer = run("fit", loans_folder / "data.csv", "-t", "repayd", "-o", tmp_path / "m.fgac", code=2)
    assert answer.stderr == "error: --target 'repayd': there is no such column; did you mean 'repaid'?\n"
    assert answer.stdout == ""
    assert not list(tmp_path.iterdir())


def test_missing_values_are_unknown_unless_left_out(tmp_path):
    text = loans().with_columns(months=pl.when(pl.int_range(60) < 2).then(None).otherwise("months")).write_csv()
    common = ["fit", "-", "-t", TARGET, "--id", "customer", "--gamma", "2", "-o", tmp_path / "m.fgac"]
    answer = run(*common, stdin=text)
    assert "60 in 4 columns" in answer.stdout
    header, _, months, amount, *_ = answer.stderr.splitlines()
    assert header.split()[-1] == "unknown"
    assert (months.split()[0], months.split()[-1]) == ("months", "2")
    assert (amount.split()[0], amount.split()[-1]) == ("amount", "0")
    kept = load_model(tmp_path / "m.fgac").explain(pl.read_csv(io.StringIO(text))[:1].drop("customer", TARGET))[0]
    assert kept.attributes[0].value is None
    answer = run(*common, "--drop-missing", stdin=text)
    assert "unknown" in answer.stderr  # what was left out is still counted
    assert "2 incomplete rows were left out." in answer.stderr
    assert "58 in 4 columns" in answer.stdout


def test_a_failure_leaves_the_old_model_alone(loans_folder, tmp_path, monkeypatch):
    (tmp_path / "m.fgac").write_text("old")

    def fails(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "m.fgac"))

    monkeypatch.setattr("pathlib.Path.replace", fails)
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "-q"]
    answer = run("fit", loans_folder / "data.csv", *common, "-o", tmp_path / "m.fgac", code=1)
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
