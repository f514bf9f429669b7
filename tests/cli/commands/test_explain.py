"""fgac explain: rows that were asked for, as text, table and page."""

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier
from fgac.cli.cards import text_with_cards
from fgac.explanation.classification import Explanations
from fgac.text.changes import flips
from support import house_grades
from support.command_line import run, table, words
from support.loans import AWKWARD, TARGET, loans


@pytest.fixture(scope="module")
def loans_model():
    """The model of the folder, trained in Python with the settings of the command."""
    frame = loans()
    model = FGAClassifier(gamma=2.0, metric="learned", scale="auto", class_weight="balanced")
    return model.fit(frame.drop("customer", TARGET), frame[TARGET], ids=frame["customer"].to_list())


def explained(loans_folder, *arguments, stdin=None, data=None):
    return run("explain", loans_folder / "model.fgac", data or loans_folder / "new.csv", *arguments, stdin=stdin)


def test_explain_tells_the_first_rows(loans_folder, loans_model):
    answer = explained(loans_folder)
    frame = loans(12, seed=1)
    expected = loans_model.explain(
        frame.drop("customer", TARGET)[:5],
        y=frame[TARGET].to_list()[:5],
        ids=frame["customer"].to_list()[:5],
        alternatives=True,
        counterfactuals=True,
    )
    assert answer.stdout == text_with_cards(expected) + "\n"
    assert answer.stderr == ("Explaining the first 5 of 12 rows; choose others with --row, --first or --doubtful.\n")


def ids_in(path):
    return [item.id for item in Explanations.from_json(path.read_text())]


def test_rows_can_be_chosen(loans_folder, tmp_path):
    path = tmp_path / "out.json"
    explained(loans_folder, "--row", "C003", "--row", "C001", "-o", path)
    assert ids_in(path) == ["C003", "C001"]
    explained(loans_folder, "--rows", "C003,C001", "--row", AWKWARD, "-o", path)
    assert ids_in(path) == ["C003", "C001", AWKWARD]
    explained(loans_folder, "--first", "2", "-o", path)
    assert ids_in(path) == ["C000", "C001"]
    answer = explained(loans_folder, "-o", path)
    assert len(ids_in(path)) == 12
    assert answer.stderr == f"Explained 12 rows: {path}\n"


def test_the_most_doubtful_rows_come_first(loans_folder, tmp_path):
    explained(loans_folder, "--doubtful", "4", "-o", tmp_path / "out.json")
    margins = [item.margin for item in Explanations.from_json((tmp_path / "out.json").read_text())]
    rows = table(run("predict", loans_folder / "model.fgac", loans_folder / "new.csv").stdout)
    np.testing.assert_allclose(margins, sorted(float(row["margin"]) for row in rows)[:4], atol=1e-6)


def test_units_truth_and_arguments_are_passed_on(loans_folder, tmp_path):
    explained(loans_folder, "--unit", "amount=EUR", "--n-arguments", "2", "-o", tmp_path / "out.json")
    items = Explanations.from_json((tmp_path / "out.json").read_text())
    assert [reading.unit for reading in items[0].attributes] == ["", "EUR", "", ""]
    assert [item.truth for item in items] == loans(12, seed=1)[TARGET].to_list()
    assert max(len(item.arguments_for) for item in items) == 2


def test_truth_may_be_absent_or_partly_missing(loans_folder, tmp_path):
    frame = loans(12, seed=1)
    path = tmp_path / "out.json"
    explained(loans_folder, "-o", path, data="-", stdin=frame.drop(TARGET).write_csv())
    assert {item.truth for item in Explanations.from_json(path.read_text())} == {None}
    some = frame.with_columns(truth=pl.when(pl.int_range(12) > 3).then(TARGET))
    explained(loans_folder, "-o", path, "-t", "truth", data="-", stdin=some.write_csv())
    assert [item.truth for item in Explanations.from_json(path.read_text())] == some["truth"].to_list()


def test_explanations_as_a_table_of_arguments(loans_folder, tmp_path):
    explained(loans_folder, "-o", tmp_path / "out.csv")
    explained(loans_folder, "-o", tmp_path / "out.json")
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


def test_a_row_like_no_other_is_in_the_table_too(loans_folder, tmp_path):
    """Ranks know no row that is far beyond all others, ranges do."""
    common = ["-t", TARGET, "--id", "customer", "--gamma", "2", "--metric", "euclidean", "--scale", "range", "-q"]
    run("fit", loans_folder / "data.csv", *common, "-o", tmp_path / "m.fgac")
    text = "months,amount,purpose,employed\n9999,100,car,true\n"
    run("explain", tmp_path / "m.fgac", "-", "-o", tmp_path / "out.csv", stdin=text)
    (row,) = table((tmp_path / "out.csv").read_text())
    assert (row["side"], row["argument"], row["strength"]) == ("none", "", "")


def test_report_is_written_as_html(loans_folder, tmp_path):
    answer = explained(loans_folder, "-o", tmp_path / "out.html", "--first", "3")
    page = (tmp_path / "out.html").read_text()
    assert page.lower().startswith("<!doctype html>")
    assert "new.csv, explained" in page
    assert "C002" in page
    assert "first 3 of 12 rows of new.csv" in page
    assert answer.stderr.startswith(f"Explained 3 rows: {tmp_path / 'out.html'}\n")


def test_report_says_which_rows_it_explains(loans_folder, tmp_path):
    data = tmp_path / "many.csv"
    loans(60, seed=1).write_csv(data)
    for arguments, told in (
        ([], "first 50 of 60 rows of many.csv"),
        (["--row", "C001"], "1 of 60 rows of many.csv, chosen by hand"),
        (["--doubtful", "2"], "the 2 of 60 rows of many.csv with the least margin"),
        (["--first", "60"], "all 60 rows of many.csv"),
    ):
        explained(loans_folder, "-o", tmp_path / "out.html", *arguments, data=data)
        assert told in (tmp_path / "out.html").read_text()
    explained(loans_folder, "-o", tmp_path / "out.html", data="-", stdin=loans(2, seed=1).write_csv())
    assert "all 2 rows of standard input" in (tmp_path / "out.html").read_text()


def test_the_audit_can_be_left_out(loans_folder, tmp_path):
    for arguments, said in (([], True), (["--no-audit"], False)):
        explained(loans_folder, "-o", tmp_path / "out.html", *arguments)
        explained(loans_folder, "-o", tmp_path / "out.json", *arguments)
        assert ("Doubted labels" in (tmp_path / "out.html").read_text()) == said
        assert (Explanations.from_json((tmp_path / "out.json").read_text()).audit is not None) == said


def test_text_can_go_to_a_file(loans_folder, tmp_path):
    explained(loans_folder, "--first", "2", "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == explained(loans_folder, "--first", "2").stdout


def test_explaining_training_rows_is_warned_about(loans_folder):
    answer = explained(loans_folder, "--first", "3", data=loans_folder / "data.csv")
    assert answer.stderr == (
        "warning: 3 of 3 rows are training rows: on new rows the model is less sure, and errs more\n"
    )
    answer = explained(loans_folder, "--first", "1", data=loans_folder / "data.csv")
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
        (["-t", "rapaid"], "--target 'rapaid': that is neither a class (no, yes) nor a column of the table; did"),
    ],
)
def test_wrong_usage_of_explain(loans_folder, arguments, message):
    answer = run("explain", loans_folder / "model.fgac", loans_folder / "new.csv", *arguments, code=2)
    assert answer.stderr.startswith(f"error: {message}")
    assert answer.stdout == ""


def test_a_class_can_be_asked_about(loans_folder, loans_model, tmp_path):
    """In words, as values and as a table; an unknown class is an error that names the classes."""
    frame = loans(12, seed=1)
    label = loans_model.classes_[0]
    asked = {"y": frame[TARGET].to_list()[:3], "ids": frame["customer"].to_list()[:3], "about": label}
    expected = loans_model.explain(frame.drop("customer", TARGET)[:3], **asked)
    with_changes = loans_model.explain(frame.drop("customer", TARGET)[:3], **asked, counterfactuals=True)
    told = explained(loans_folder, "--first", "3", "--about", label, "-q").stdout
    assert told == text_with_cards(with_changes) + "\n"
    explained(loans_folder, "--first", "3", "--about", label, "--no-audit", "-o", tmp_path / "out.json")
    assert list(Explanations.from_json((tmp_path / "out.json").read_text())) == list(expected)
    explained(loans_folder, "--first", "3", "--about", label, "-o", tmp_path / "out.csv")
    assert set(pl.read_csv(tmp_path / "out.csv")["subject"]) == {label}
    answer = run("explain", loans_folder / "model.fgac", loans_folder / "new.csv", "--about", "perhaps", code=2)
    assert "--about perhaps: there is no such class; expected one of " in answer.stderr


def test_ordered_classes_can_be_asked_about(grades_folder):
    """At their boundaries; numbers have no classes."""
    new, model = grades_folder / "new.csv", grades_folder / "model.fgac"
    predicted = pl.read_csv(run("predict", model, new).stdout.encode())["prediction"][0]
    other = next(label for label in house_grades.ORDER if label != predicted)
    text = run("explain", model, new, "--first", "1", "--about", other, "-q").stdout
    why_not = next(line for line in text.splitlines() if line.startswith("Why is row "))
    assert f"{other}? The prediction is " in why_not


def test_numbers_have_no_classes_to_ask_about(prices_folder):
    answer = run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "--about", "cheap", code=2)
    assert "--about cheap: this model predicts numbers" in answer.stderr


@pytest.mark.parametrize("option", ["--target", "--toward"])
def test_what_would_change_predictions(loans_folder, loans_model, tmp_path, option):
    """A class as the target asks what would change predictions to it; the true classes stay those of the table."""
    path = tmp_path / "out.json"
    asked = ["--fixed", "purpose", "--direction", "months=down", "--step", "amount=500", "--max-features", "2"]
    explained(loans_folder, option, "yes", *asked, "-o", path)
    items = Explanations.from_json(path.read_text())
    settings = {"fixed": ["purpose"], "directions": {"months": "down"}, "steps": {"amount": 500}, "max_features": 2}
    found = loans_model.counterfactuals(loans(12, seed=1).drop("customer", TARGET), "yes", **settings)
    assert [item.truth for item in items] == loans(12, seed=1)[TARGET].to_list()
    told = [[one.row for one in item.counterfactuals] for item in items]
    assert told == [[one.row for one in changes] for changes in found]
    assert any(told)


def test_changes_in_text(loans_folder):
    answer = run("explain", loans_folder / "model.fgac", loans_folder / "new.csv", "--changes", "--first", "2")
    assert words(answer.stdout).count("The prediction would be repaid = ") == 2
    wanted = run("explain", loans_folder / "model.fgac", loans_folder / "new.csv", "-t", "yes")
    assert "predicted as wanted already, or none was found" in words(wanted.stderr)
    without = words(wanted.stderr).partition("(")[2].partition(")")[0].split(", ")
    assert without
    assert set(without) <= {f"C00{i}" for i in range(5)}  # by their names


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_changes_in_tables(loans_folder, tmp_path, suffix):
    """One text beside every argument of a row; the column is there only if changes were asked for."""
    path, read = tmp_path / f"out.{suffix}", getattr(pl, f"read_{suffix}")
    explained(loans_folder, "-o", path)
    assert "changes" not in read(path).columns
    explained(loans_folder, "--changes", "-o", path)
    found = read(path)
    explained(loans_folder, "--changes", "-o", tmp_path / "out.json")
    for item in Explanations.from_json((tmp_path / "out.json").read_text()):
        told = " ".join(flip.text() for flip in flips(item))
        assert told.count(": then repaid = ") == len(item.counterfactuals) > 0
        assert set(found.filter(pl.col("id") == item.id)["changes"]) == {told}


def test_changes_of_numbers_and_ordered_classes(prices_folder, grades_folder, tmp_path):
    for folder, goal in ((prices_folder, "<=100000"), (prices_folder, "100000"), (grades_folder, ">=good")):
        answer = run("explain", folder / "model.fgac", folder / "new.csv", "--target", goal, "-q")
        assert answer.stdout
    wrong = run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "--toward", "cheap", code=2)
    assert "--toward 'cheap': expected a number" in wrong.stderr
    wrong = run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "--target", "cheap", code=2)
    assert "--target 'cheap': that is neither a number (300, or '<=300') nor a column" in words(wrong.stderr)
    wrong = run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "--changes", code=2)
    assert "--changes: say which number is wanted, as in --target 300" in words(wrong.stderr)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fixed", "purpose"], "--fixed is about what would change predictions; add --changes"),
        (["--toward", "maybe"], "--toward 'maybe': target='maybe' is no class of the model"),
        (["--target", "yes", "--toward", "no"], "--target yes and --toward no say the same"),
        (["--changes", "--step", "amount"], "--step 'amount': expected COLUMN=NUMBER"),
        (["--changes", "--step", "amount=much"], "--step amount=much: 'much' is no number"),
        (
            ["--target", "yess"],
            "--target 'yess': that is neither a class (no, yes) nor a column of the table; did you mean",
        ),
        (
            [
                "--changes",
                *(part for name in ("amount", "months", "purpose", "employed") for part in ("--fixed", name)),
            ],
            "--fixed names all columns of the model, so nothing could change",
        ),
        (["--changes", "--fixed", "amont"], "--fixed 'amont': there is no such column; did you mean 'amount' or"),
    ],
)
def test_wrong_questions_about_changes(loans_folder, arguments, message):
    answer = run("explain", loans_folder / "model.fgac", loans_folder / "new.csv", *arguments, code=2)
    assert words(answer.stderr).startswith(f"error: {message}")
