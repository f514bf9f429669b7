"""fgac predict, explain and audit of ordered classes: the same results as in Python."""

import io
import json

import numpy as np
import polars as pl
import pytest

from fgac import audit
from fgac.cli.cards import text_with_cards
from fgac.cli.io import streaming
from fgac.explanation.ordinal import OrdinalExplanations
from fgac.persistence import load_model
from support.command_line import run, table, words
from support.house_grades import COMMON, ORDER, houses

# predict


def test_predict_gives_the_degree_at_every_boundary(grades_folder):
    model, X = load_model(grades_folder / "model.fgac"), houses(12, seed=1).drop("house", "grade")
    answer = run("predict", grades_folder / "model.fgac", grades_folder / "new.csv", "-q")
    rows = table(answer.stdout)
    names = ["id", "prediction", "degree", "lower", "upper", "margin", "guess", "at_least_fair", "at_least_good"]
    assert list(rows[0]) == names
    assert [row["prediction"] for row in rows] == model.predict(X).tolist()
    degrees = [[float(row["at_least_fair"]), float(row["at_least_good"])] for row in rows]
    np.testing.assert_allclose(degrees, model.at_least(X).degree, atol=1e-6)
    for row, why in zip(rows, model.explain(X), strict=True):
        told = [float(row[name]) for name in ("degree", "lower", "upper", "margin")]
        np.testing.assert_allclose(told, [why.degree, why.lower, why.upper, why.margin], atol=1e-6)
    assert answer.stderr == ""


def test_rows_that_resemble_nothing_are_guesses(grades_folder, tmp_path):
    new = "house,area,age,city\nnear,100,40,Ghent\nfar,9000,-900,Kyiv\n"
    # By ranks no value is farther away than the largest or smallest of training.
    given = ("--gamma", "3", "--metric", "euclidean", "--scale", "range")
    run("fit", grades_folder / "data.csv", *COMMON, *given, "-o", tmp_path / "m.fgac", "-q")
    answer = run("predict", tmp_path / "m.fgac", "-", "-q", stdin=new)
    assert [row["guess"] for row in table(answer.stdout)] == ["false", "true"]
    assert "1 of 2 rows has no comparable case: its prediction is a guess (column guess)" in answer.stderr
    why = load_model(tmp_path / "m.fgac").explain(pl.read_csv(io.StringIO(new)).drop("house"))
    assert [item.resembles_nothing for item in why] == [False, True]


def test_a_table_in_parts_gives_what_it_gives_in_one_piece(grades_folder, monkeypatch):
    whole = run("predict", grades_folder / "model.fgac", grades_folder / "new.csv", "-q").stdout
    monkeypatch.setattr(streaming, "BLOCK", 80)
    monkeypatch.setattr(streaming, "N_ROWS", 0)
    assert len(list(streaming.read_batches(str(grades_folder / "new.csv")))) > 2
    assert run("predict", grades_folder / "model.fgac", grades_folder / "new.csv", "-q").stdout == whole


# explain


def test_explain_says_what_python_says(grades_folder, tmp_path):
    model, frame = load_model(grades_folder / "model.fgac"), houses(12, seed=1)
    asked = {"y": frame["grade"].to_list(), "ids": frame["house"].to_list(), "units": {"age": "years"}}
    by_hand = model.explain(frame.drop("house", "grade"), **asked)
    on_cards = model.explain(frame.drop("house", "grade"), **asked, counterfactuals=True, alternatives=True)
    given = (grades_folder / "model.fgac", grades_folder / "new.csv", "--unit", "age=years", "--no-audit")
    assert run("explain", *given, "--first", "2").stdout == text_with_cards(on_cards[:2]) + "\n"
    run("explain", *given, "-o", tmp_path / "out.json", "-q")
    assert OrdinalExplanations.from_json((tmp_path / "out.json").read_text()) == by_hand
    run("explain", *given, "-o", tmp_path / "out.html", "-q")
    assert "new.csv, explained" in (tmp_path / "out.html").read_text()


def test_csv_has_one_line_per_argument_and_boundary(grades_folder, tmp_path):
    out = tmp_path / "out.csv"
    run("explain", grades_folder / "model.fgac", grades_folder / "new.csv", "-o", out, "-q")
    rows = table(out.read_text())
    assert list(dict.fromkeys(row["id"] for row in rows)) == [f"H{i}" for i in range(12)]
    sides = {label: {row["boundary"] for row in rows if row["prediction"] == label} for label in ORDER}
    assert sides == {"poor": {"at most"}, "fair": {"at least", "at most"}, "good": {"at least"}}
    assert {row["class"] for row in rows} == {"poor", "fair or above", "below good", "good"}


def test_doubtful_rows_have_the_least_margin(grades_folder, tmp_path):
    margins = [
        item.margin
        for item in load_model(grades_folder / "model.fgac").explain(houses(12, seed=1).drop("house", "grade"))
    ]
    out = tmp_path / "out.json"
    run("explain", grades_folder / "model.fgac", grades_folder / "new.csv", "--doubtful", "3", "-o", out, "-q")
    found = OrdinalExplanations.from_json(out.read_text())
    assert [item.margin for item in found] == pytest.approx(sorted(margins)[:3])


def test_training_rows_are_told(grades_folder):
    assert "3 of 3 rows are training rows" in (
        run("explain", grades_folder / "model.fgac", grades_folder / "data.csv", "--first", "3", "-q").stderr
    )
    assert run("explain", grades_folder / "model.fgac", grades_folder / "new.csv", "--first", "3", "-q").stderr == ""


def test_reports_tell_doubted_labels_at_every_boundary(grades_folder, tmp_path):
    """As those of classes without an order do, unless they are not wanted."""
    given = ("explain", grades_folder / "model.fgac", grades_folder / "new.csv", "--first", "2", "-q")
    run(*given, "-o", tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text()
    assert (
        page.index("Doubted labels</h2>") < page.index("<h3>Is grade &gt;= fair?") < page.index("<h3>Is grade = good?")
    )
    run(*given, "--no-audit", "-o", tmp_path / "without.html")
    assert "Is grade &gt;= fair?" not in (tmp_path / "without.html").read_text()


# audit


def test_audit_looks_at_every_boundary(grades_folder, tmp_path):
    model = load_model(grades_folder / "model.fgac")
    audits = [audit(boundary, n_rows=2) for boundary in model.boundaries_]
    answer = run("audit", grades_folder / "model.fgac", "-n", "2", "-q")
    assert "Is grade >= fair?\n" in answer.stdout
    assert "Is grade = good?\n" in answer.stdout
    for suspect in (*audits[0], *audits[1]):
        assert words(suspect.text()) in words(answer.stdout)
    run("audit", grades_folder / "model.fgac", "-n", "2", "-q", "-o", tmp_path / "out.csv")
    expected = [("fair or above", s.id) for s in audits[0]] + [("good", s.id) for s in audits[1]]
    assert [(row["boundary"], row["id"]) for row in table((tmp_path / "out.csv").read_text())] == expected
    run("audit", grades_folder / "model.fgac", "-n", "2", "-q", "-o", tmp_path / "out.json")
    parts = json.loads((tmp_path / "out.json").read_text())["boundaries"]
    assert parts == [
        {"boundary": name, **found.to_dict()} for name, found in zip(["fair or above", "good"], audits, strict=True)
    ]
    run("audit", grades_folder / "model.fgac", "-n", "2", "-q", "-o", tmp_path / "out.txt")
    assert audits[1].text() in (tmp_path / "out.txt").read_text()


def test_audit_of_a_table_trains_with_the_order(grades_folder):
    model = run("audit", grades_folder / "model.fgac", "-n", "2", "--by", "rest", "-q").stdout
    given = ("--gamma", "3", "-n", "2", "--by", "rest", "-q")
    assert run("audit", grades_folder / "data.csv", *COMMON, *given).stdout == model


def test_audit_of_boundaries_as_a_page(grades_folder, tmp_path):
    """Every boundary has a table on it, below its question."""
    run("audit", grades_folder / "model.fgac", "-n", "2", "-o", tmp_path / "out.html", "-q")
    page = (tmp_path / "out.html").read_text()
    assert page.index("<h3>Is grade &gt;= fair?") < page.index("<h3>Is grade = good?")
    assert page.count('<table class="suspects">') == 2
    assert "<b>4</b> labels listed <small>at all boundaries together</small>" in page


def test_audit_by_rows_held_out(grades_folder, tmp_path):
    """A model that has chosen gamma knows them at every boundary; one with a given gamma does not."""
    answer = run("audit", grades_folder / "model.fgac", "--by", "held_out", code=1)
    assert "this model does not know that: its gamma was given" in answer.stderr
    audited = ("audit", grades_folder / "data.csv", *COMMON, "-n", "2", "-q")
    run(*audited, "-o", tmp_path / "out.csv")
    rows = table((tmp_path / "out.csv").read_text())
    assert all(0 <= float(row["held_out"]) <= 1 for row in rows)
    run(*audited, "--by", "held_out", "-o", tmp_path / "same.csv")
    assert table((tmp_path / "same.csv").read_text()) == rows


# evaluate


def test_guesses_are_those_of_the_explanations(tmp_path):
    """A large gamma leaves rows that no training row puts above or below the boundaries next to their class."""
    houses().write_csv(tmp_path / "data.csv")
    houses(40, seed=2).write_csv(tmp_path / "new.csv")
    run("fit", tmp_path / "data.csv", *COMMON, "--gamma", "30", "-o", tmp_path / "model.fgac", "-q")
    rows = table(run("predict", tmp_path / "model.fgac", tmp_path / "new.csv").stdout)
    told = load_model(tmp_path / "model.fgac").explain(houses(40, seed=2).drop("house", "grade"))
    guesses = [row["guess"] == "true" for row in rows]
    assert guesses == [item.resembles_nothing for item in told]
    assert 0 < sum(guesses) < 40
