"""--group: rows that belong together, in the commands that cross-validate; and a warning where nobody says so."""

import json

import numpy as np
import polars as pl
import pytest

from fgac import load_model
from support.command_line import run, words
from support.subjects import table_of_subjects

NUMBERS = ("-t", "number", "--numbers", "--drop", "mood", "--metric", "euclidean")
CLASSES = ("-t", "mood", "--drop", "number", "--metric", "euclidean")
GROUP = ("--group", "subject")
WARNING = "column 'subject' may name what rows belong to: 24 values with 5 rows each"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A table of 24 subjects with 5 rows each."""
    file = tmp_path_factory.mktemp("subjects") / "data.csv"
    table_of_subjects(n=24, n_rows=5).write_csv(file)
    return file


def test_fit_chooses_gamma_for_new_groups(data, tmp_path):
    answer = run("fit", data, *NUMBERS, *GROUP, "-o", tmp_path / "m.fgac")
    assert "on 120 rows, folds of whole groups by 'subject'." in words(answer.output)
    assert "by 5-fold cross-validation of 24 whole groups by 'subject' (R2 " in words(answer.output)
    assert "for new groups)" in words(answer.output)
    assert "warning" not in answer.output
    model = load_model(tmp_path / "m.fgac")
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert model._state.selection.n_groups == 24


def test_predict_needs_no_group(data, tmp_path):
    run("fit", data, *CLASSES, *GROUP, "-o", tmp_path / "m.fgac", "-q")
    both = [run("predict", tmp_path / "m.fgac", data, "-q").stdout]
    pl.read_csv(data).drop("subject").write_csv(tmp_path / "new.csv")
    both += [run("predict", tmp_path / "m.fgac", tmp_path / "new.csv", "-q").stdout]
    assert both[0] == both[1]


def test_evaluate_is_of_new_groups(data, tmp_path):
    answer = run("evaluate", data, *NUMBERS, *GROUP, "--repeats", "1", "-o", tmp_path / "told.json")
    assert "How well number is predicted for rows of new groups by 'subject':" in words(answer.output)
    assert "5-fold cross-validation, 120 rows in 24 groups by 'subject', folds of whole groups" in words(answer.output)
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["n_groups"] == 24
    blind = json.loads(run("evaluate", data, *NUMBERS, "--drop", "subject", "--repeats", "1", "--json", "-q").stdout)
    assert "n_groups" not in blind
    assert blind["fgac"]["r2"]["mean"] > 0.5 > 0.2 > told["fgac"]["r2"]["mean"]


def test_fewer_folds_have_a_reason(data, tmp_path):
    frame = pl.read_csv(data)
    frame.with_columns(site=pl.Series(np.arange(120) % 4)).write_csv(tmp_path / "sites.csv")
    how = ("--gamma", "2", "--drop", "subject", "--group", "site", "--repeats", "1")
    answer = run("evaluate", tmp_path / "sites.csv", *CLASSES, *how)
    assert "4 folds instead of 5: some class occurs in no more groups by 'site'." in words(answer.output)


def test_audit_holds_out_whole_groups(data):
    answer = run("audit", data, *CLASSES, *GROUP, "--id", "subject", "--by", "held_out", "-n", "3")
    assert "S-0" in answer.stdout
    assert "whole groups by 'subject'" in words(answer.output)


@pytest.mark.parametrize("role", [(), ("--drop", "subject"), ("--id", "subject")], ids=["feature", "dropped", "id"])
def test_a_warning_where_nobody_says_so(data, tmp_path, role):
    answer = run("fit", data, *NUMBERS, *role, "-o", tmp_path / "m.fgac", "-q")
    assert WARNING in answer.stderr
    assert answer.stderr.count("may name") == 1
    assert "use --group 'subject'" in answer.stderr
    assert ("--keep" in answer.stderr) == (role == ())


def test_evaluate_warns_once(data):
    answer = run("evaluate", data, *CLASSES, "--folds", "2", "--repeats", "1", "-q")
    assert answer.stderr.count("may name") == 1


@pytest.mark.parametrize("role", [("--keep", "subject"), ("--nominal", "subject"), ("--gamma", "2")])
def test_no_warning(data, tmp_path, role):
    """What the user wants as a feature is one, and without cross-validation there are no scores."""
    assert "may name" not in run("fit", data, *NUMBERS, *role, "-o", tmp_path / "m.fgac", "-q").stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--group", "subjet"), "--group 'subjet': there is no such column; did you mean 'subject'?"),
        (("--group", "number"), "column 'number' cannot be both --target and --group; choose one"),
        ((*GROUP, "--nominal", "subject"), "column 'subject' cannot be both --group and --nominal; choose one"),
        ((*GROUP, "--keep", "subject"), "column 'subject' cannot be both --group and --keep; choose one"),
    ],
)
def test_what_cannot_be(data, tmp_path, options, message):
    assert message in words(run("fit", data, *NUMBERS, *options, "-o", tmp_path / "m.fgac", code=2).stderr)


def test_groups_that_are_missing(data, tmp_path):
    frame = pl.read_csv(data).with_columns(subject=pl.when(pl.int_range(120) % 10 == 0).then(None).otherwise("subject"))
    frame.write_csv(tmp_path / "holes.csv")
    answer = run("fit", tmp_path / "holes.csv", *NUMBERS, *GROUP, "-o", tmp_path / "m.fgac", code=1)
    assert "values are missing in 'subject' (12), without which rows are of no use" in words(answer.stderr)
    answer = run("fit", tmp_path / "holes.csv", *NUMBERS, *GROUP, "--drop-missing", "-o", tmp_path / "m.fgac")
    assert "12 incomplete rows were left out" in answer.stderr


def test_one_group(data, tmp_path):
    pl.read_csv(data).with_columns(subject=pl.lit("S-1")).write_csv(tmp_path / "one.csv")
    answer = run("fit", tmp_path / "one.csv", *NUMBERS, *GROUP, "-o", tmp_path / "m.fgac", code=1)
    assert "all rows belong to one group ('S-1')" in words(answer.stderr)


def test_another_model_is_compared_on_the_same_groups(data, tmp_path):
    """The column of groups is a feature of neither."""
    run("fit", data, *NUMBERS, *GROUP, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    how = (*NUMBERS, *GROUP, "--gamma", "2", "--folds", "2", "--repeats", "1", "--against", tmp_path / "m.fgac")
    found = json.loads(run("evaluate", data, *how, "--json", "-q").stdout)
    assert found["n_groups"] == 24
    assert [one["lead"]["mean"] for one in found["against"]["differences"]] == [0.0, 0.0]
