"""``--json``: one document on standard output, with the fields that docs/command_line.md names, and finite numbers."""

import json
import math
import re
from pathlib import Path

import pytest

from fgac.cli.json_output import finite
from support.command_line import run
from support.loans import TARGET

PAGE = Path(__file__).parents[3] / "docs" / "command_line.md"


def documented(call):
    """The fields that the page names for a call, those of a field (in brackets behind it) apart."""
    text = PAGE.read_text(encoding="utf-8")
    (cell,) = re.findall(rf"^\| `{re.escape(call)}` \| (.*) \|$", text.partition("## JSON")[2], flags=re.M)
    inner = {name: re.findall(r"`(\w+)`", part) for name, part in re.findall(r"`(\w+)` \(([^()]*`[^()]*)\)", cell)}
    outer = re.sub(r"\([^()]*`[^()]*\)", "", cell)
    return set(re.findall(r"`(\w+)`", outer)), inner


def refused(constant):
    raise AssertionError(f"{constant} is no JSON")


def document(*arguments):
    """The one document that a command prints."""
    return json.loads(run(*arguments, "--json").stdout, parse_constant=refused)


@pytest.fixture
def model(loans_folder):
    return loans_folder / "model.fgac", loans_folder / "new.csv"


def test_predict(model, prices_folder, grades_folder, tmp_path):
    allowed, _ = documented("fgac predict")
    seen = set()
    for folder in (model[0].parent, prices_folder, grades_folder):
        files = folder / "model.fgac", folder / "new.csv"
        rows = document("predict", *files)
        path = tmp_path / "out.json"
        summary = document("predict", *files, "-o", path)
        assert rows == json.loads(path.read_text())  # the same as the file
        assert summary == {"output": str(path), "n_rows": 12, "n_guesses": sum(row["guess"] for row in rows)} | {
            "n_abstained": 0
        }
        assert set(summary) == documented("fgac predict -o FILE")[0]
        seen |= set().union(*rows)
    seen |= set(document("predict", *model, "--min-confidence", "0.9")[0])
    named = {re.sub(r"^(degree|at_least)_.*", r"\1_CLASS", name) for name in seen}
    assert named | {"probability"} == allowed | {"degree_CLASS", "at_least_CLASS"}


def test_explain(model, tmp_path):
    from fgac.explanation import Explanations

    found = document("explain", *model, "--first", "3")
    assert set(found) - {"format"} == documented("fgac explain")[0] - {"format", "from_json"}
    assert len(Explanations.from_json(json.dumps(found))) == 3
    path = tmp_path / "why.html"
    assert document("explain", *model, "-o", path) == {"output": str(path), "n_rows": 12}
    assert documented("fgac explain -o FILE")[0] == {"output", "n_rows"}
    assert path.stat().st_size


def test_audit(model, grades_folder, prices_folder, tmp_path):
    fields, _ = documented("fgac audit")
    for path in (model[0], prices_folder / "model.fgac"):
        assert set(document("audit", path)) == fields - {"boundaries", "boundary"}
    ordered = document("audit", grades_folder / "model.fgac")
    assert set(ordered) == {"boundaries"}
    assert all(set(part) == fields - {"boundaries"} for part in ordered["boundaries"])
    path = tmp_path / "doubted.csv"
    summary = document("audit", model[0], "-o", path, "-n", "4")
    assert set(summary) == documented("fgac audit -o FILE")[0]
    assert summary["n_doubted"] == len(path.read_text().splitlines()) - 1


def test_evaluate(loans_folder, prices_folder, tmp_path):
    fields, _ = documented("fgac evaluate")
    given = ["--gamma", "2", "--repeats", "1", "--folds", "2", "--metric", "euclidean"]
    data = loans_folder / "data.csv"
    classes = document("evaluate", data, "-t", TARGET, *given, "--against", loans_folder / "model.fgac")
    grouped = document("evaluate", data, "-t", TARGET, *given, "--group", "purpose")
    numbers = document("evaluate", prices_folder / "data.csv", "-t", "price", "--numbers", *given)
    assert {*classes, *grouped, *numbers} == fields - {"intervals"}
    path = tmp_path / "scores.json"
    summary = document("evaluate", data, "-t", TARGET, *given, "-o", path)
    assert set(summary) == documented("fgac evaluate -o FILE")[0]
    assert json.loads(path.read_text())["n_rows"] == summary["n_rows"] == 60


def test_info(model, prices_folder):
    fields, inner = documented("fgac info")
    for path in (model[0], prices_folder / "model.fgac"):
        found = document("info", path)
        assert set(found) == fields
        assert set(found["proof"]) == set(inner["proof"])
        assert all(set(column) == set(inner["columns"]) for column in found["columns"])
        assert all(set(each) == set(inner["classes"]) for each in found["classes"] or ())
        assert found["numbers"] is None or set(found["numbers"]) == set(inner["numbers"])


def test_plot(model, tmp_path):
    fields, _ = documented("fgac plot --list")
    for words in (["--list", "--json"], ["--json", "--list"]):
        listed = json.loads(run("plot", *words).stdout)
        assert all(set(each) == fields for each in listed)
    assert [each["picture"] for each in listed] == [
        line.split()[0] for line in run("plot", "--list").stdout.splitlines()
    ]
    pytest.importorskip("matplotlib")
    path = tmp_path / "weights.svg"
    assert document("plot", "weights", model[0], "-o", path) == {"output": str(path), "picture": "weights"}
    assert documented("fgac plot -o FILE")[0] == {"output", "picture"}


@pytest.mark.slow
def test_demo():
    found = document("demo")
    assert set(found) == documented("fgac demo")[0]
    assert found["sure"]["margin"] > found["contested"]["margin"]


def test_a_stream_takes_one_document_only(model):
    """It may be standard output itself."""
    run("predict", *model, "-o", "/dev/null", "--json")
    assert run("predict", *model, "-o", "/dev/null", "--json").stdout == ""


def test_numbers_that_json_lacks_become_null():
    assert finite({"a": [math.inf, {"b": math.nan}], "c": (1, "x", None, True)}) == {
        "a": [None, {"b": None}],
        "c": [1, "x", None, True],
    }
