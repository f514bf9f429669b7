"""``fgac explain`` with a wish: which columns stay as they are, and which rows are as wanted already."""

import json
import re

import polars as pl
import pytest

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.cli.kinds import kind_of
from fgac.estimators._state import state_of
from support.command_line import run, words
from support.loans import loans


@pytest.fixture
def files(loans_folder):
    return loans_folder / "model.fgac", loans_folder / "new.csv"


def changes(files, *options):
    answer = json.loads(run("explain", *files, "--target", "yes", *options, "--json").stdout)
    return [item.get("counterfactuals", []) for item in answer["items"]]


def test_fixed_columns_with_commas_are_those_of_repeated_options(files):
    listed = changes(files, "--fixed", "months, purpose")
    assert listed == changes(files, "--fixed", "months", "--fixed", "purpose")
    assert any(listed)
    assert not {change["column"] for row in listed for one in row for change in one["changes"]} & {"months", "purpose"}
    assert listed != changes(files, "--fixed", "months")


def test_an_unknown_one_among_them_is_told_by_its_name(files):
    answer = run("explain", *files, "--target", "yes", "--fixed", "months,porpose", code=2)
    assert "--fixed 'porpose': there is no such column; did you mean 'purpose'?" in words(answer.stderr)
    every = run("explain", *files, "--target", "yes", "--fixed", "months,amount,purpose,employed", code=2)
    assert "--fixed names all columns of the model" in words(every.stderr)


def test_a_column_whose_own_name_holds_commas_is_one(tmp_path):
    frame = loans().rename({"months": "months, amount"})
    frame.write_csv(tmp_path / "data.csv")
    given = ["-t", "repaid", "--id", "customer", "--gamma", "2", "-o", tmp_path / "m.fgac", "-q"]
    run("fit", tmp_path / "data.csv", *given)
    found = changes((tmp_path / "m.fgac", tmp_path / "data.csv"), "--fixed", "months, amount", "--first", "12")
    changed = {change["column"] for row in found for one in row for change in one["changes"]}
    assert "months, amount" not in changed
    assert "amount" in changed


@pytest.mark.parametrize("suffix", ["", ".txt", ".html"])
def test_the_summary_says_which_rows_are_as_wanted_already(files, tmp_path, suffix):
    predicted = {row["id"]: row["prediction"] for row in json.loads(run("predict", *files, "--json").stdout)}
    as_wanted = [name for name, label in predicted.items() if label == "yes"]
    output = [] if not suffix else ["-o", tmp_path / f"out{suffix}"]
    answer = run("explain", *files, "--target", "yes", "--first", "12", *output, columns=400)
    told = words(re.sub("<[^>]*>", "", output[1].read_text())) if suffix else words(answer.stdout)
    found = re.search(r"told of (\d+) of 12 rows; as wanted already: (\d+) of 12 rows \(([^)]*)\)", told)
    assert found
    assert int(found[2]) == len(as_wanted) > 0
    assert set(re.findall(r"C\d+", found[3])) <= set(as_wanted)
    assert int(found[1]) <= 12 - len(as_wanted)


def test_without_a_wish_no_row_is_as_wanted(files):
    told = words(run("explain", *files, "--changes", "--first", "3").stdout)
    assert re.match(r"What would change predictions: told of \d of 3 rows", told)
    assert "as wanted" not in told.partition(".")[0]
    assert "What would change predictions: told" not in words(run("explain", *files, "--first", "3").stdout)


@pytest.mark.parametrize(
    ("model", "text", "met", "missed"),
    [
        (FGAClassifier(), "2", [2], [1, 3]),
        (FGAOrdinalClassifier(), "2", [2, 3], [1]),
        (FGAOrdinalClassifier(), "<=2", [1, 2], [3]),
        (FGARegressor(), "2", [2.0, 3.5], [1.9]),
        (FGARegressor(), "<=2", [2.0, -1.0], [2.1]),
    ],
)
def test_what_is_as_wanted(model, text, met, missed):
    state = state_of(model.fit(pl.DataFrame({"a": [0.0, 1.0, 2.0]}), [1, 2, 3]))
    kind = kind_of(state)
    goal = kind.read_goal(text, state)
    assert all(kind.meets(label, goal, state) for label in met)
    assert not any(kind.meets(label, goal, state) for label in missed)
