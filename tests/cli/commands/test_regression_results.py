"""fgac predict, explain and audit of a regressor: the same results as in Python."""

import io

import numpy as np
import polars as pl
import pytest

from fgac import FGARegressor, audit
from fgac.cli.cards import text_with_cards
from fgac.cli.io import streaming
from fgac.explanation.audit import RegressionAudit
from fgac.explanation.regression import RegressionExplanations
from fgac.persistence import load_model
from support.command_line import run, table, words
from support.house_prices import COMMON, houses, training

# predict


def test_predict_gives_bounds_and_interval_in_full(prices_folder):
    model, X = load_model(prices_folder / "model.fgac"), houses(12, seed=1).drop("house", "price")
    answer = run("predict", prices_folder / "model.fgac", prices_folder / "new.csv", "-q")
    rows = table(answer.stdout)
    assert list(rows[0]) == ["id", "prediction", "lower", "upper", "interval_lower", "interval_upper", "guess"]
    assert [row["id"] for row in rows] == [f"H{i}" for i in range(12)]
    bounds, interval = model.predict_bounds(X), model.predict_interval(X)
    for name in ("prediction", "lower", "upper"):
        np.testing.assert_array_equal([float(row[name]) for row in rows], getattr(bounds, name))
    for name in ("lower", "upper"):
        np.testing.assert_array_equal([float(row[f"interval_{name}"]) for row in rows], getattr(interval, name))
    assert answer.stderr == ""


def test_a_model_without_interval_gives_none(prices_folder, tmp_path):
    run("fit", prices_folder / "data.csv", *COMMON, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    rows = table(run("predict", tmp_path / "m.fgac", prices_folder / "new.csv", "-q").stdout)
    assert list(rows[0]) == ["id", "prediction", "lower", "upper", "guess"]


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet"])
def test_a_table_in_parts_gives_what_it_gives_in_one_piece(prices_folder, tmp_path, monkeypatch, suffix):
    whole = run("predict", prices_folder / "model.fgac", prices_folder / "new.csv", "-q").stdout
    monkeypatch.setattr(streaming, "BLOCK", 80)
    monkeypatch.setattr(streaming, "N_ROWS", 0)
    seen = []
    read = streaming.read_batches
    monkeypatch.setattr(streaming, "read_batches", lambda *given: (seen.append(len(t)) or t for t in read(*given)))
    run("predict", prices_folder / "model.fgac", prices_folder / "new.csv", "-q", "-o", tmp_path / f"out{suffix}")
    assert len(seen) > 2
    assert max(seen) < 12
    reader = {".csv": pl.read_csv, ".json": pl.read_json, ".parquet": pl.read_parquet}[suffix]
    assert reader(tmp_path / f"out{suffix}").rows() == pl.read_csv(io.StringIO(whole)).rows()


# explain


def test_explain_says_what_python_says(prices_folder, tmp_path):
    model, frame = load_model(prices_folder / "model.fgac"), houses(12, seed=1)
    by_hand = model.explain(
        frame.drop("house", "price"),
        y=frame["price"].to_list(),
        ids=frame["house"].to_list(),
        units={"y": "EUR"},
        audit=True,
    )
    given = (prices_folder / "model.fgac", prices_folder / "new.csv", "--unit", "price=EUR")
    assert run("explain", *given, "--first", "2").stdout == text_with_cards(by_hand[:2]) + "\n"
    run("explain", *given, "-o", tmp_path / "out.json", "-q")
    assert RegressionExplanations.from_json((tmp_path / "out.json").read_text()) == by_hand
    run("explain", *given, "-o", tmp_path / "out.html", "-q")
    assert "new.csv, explained" in (tmp_path / "out.html").read_text()
    run("explain", *given, "-o", tmp_path / "out.txt", "-q", "--first", "12")
    assert (tmp_path / "out.txt").read_text() == text_with_cards(by_hand) + "\n"


def test_csv_has_one_line_per_argument(prices_folder, tmp_path):
    run(
        "explain",
        prices_folder / "model.fgac",
        prices_folder / "new.csv",
        "-o",
        tmp_path / "out.csv",
        "-q",
        "--row",
        "H3",
    )
    rows = table((tmp_path / "out.csv").read_text())
    assert {row["id"] for row in rows} == {"H3"}
    assert {row["side"] for row in rows} == {"at least", "at most"}
    first = {side: next(row for row in rows if row["side"] == side) for side in ("at least", "at most")}
    assert float(first["at least"]["says"]) == pytest.approx(float(rows[0]["lower"]))
    assert float(first["at most"]["says"]) == pytest.approx(float(rows[0]["upper"]))
    for row, sign in ((first["at least"], -1), (first["at most"], 1)):
        assert float(row["fitted"]) + sign * float(row["allowance"]) == pytest.approx(float(row["says"]))
    assert float(rows[0]["interval_lower"]) <= float(rows[0]["interval_upper"])
    assert float(rows[0]["truth"]) == houses(12, seed=1)["price"][3]


def test_doubtful_rows_have_the_widest_bounds(prices_folder, tmp_path):
    bounds = load_model(prices_folder / "model.fgac").predict_bounds(houses(12, seed=1).drop("house", "price"))
    widest = np.argsort(bounds.lower - bounds.upper)[:2]
    out = tmp_path / "out.json"
    run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "--doubtful", "2", "-o", out, "-q")
    assert [item.id for item in RegressionExplanations.from_json(out.read_text())] == [f"H{i}" for i in widest]


def test_no_audit_leaves_contradictions_out(prices_folder, tmp_path):
    for given, there in (((), True), (("--no-audit",), False)):
        run(
            "explain",
            prices_folder / "model.fgac",
            prices_folder / "new.csv",
            "-o",
            tmp_path / "out.json",
            "-q",
            *given,
        )
        found = RegressionExplanations.from_json((tmp_path / "out.json").read_text())
        assert (found.contradictions is not None) == there


def test_training_rows_are_told(prices_folder):
    answer = run("explain", prices_folder / "model.fgac", prices_folder / "data.csv", "--first", "3", "-q")
    assert "3 of 3 rows are training rows" in answer.stderr
    assert run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "--first", "3", "-q").stderr == ""


def test_truths_that_are_no_numbers_are_refused(prices_folder):
    answer = run("explain", prices_folder / "model.fgac", prices_folder / "new.csv", "-t", "city", "-q", code=1)
    assert "column 'city' must hold numbers, got 'Lviv'" in answer.stderr


# audit


def test_audit_lists_the_contradictions_of_the_model(prices_folder, tmp_path):
    found = audit(load_model(prices_folder / "model.fgac"), 4)
    answer = run("audit", prices_folder / "model.fgac", "-n", "4", "-q")
    assert "Doubted numbers: the 4 most doubted of 60 rows" in answer.stdout
    for row in found:
        assert words(row.text()) in words(answer.stdout)
    run("audit", prices_folder / "model.fgac", "-n", "4", "-q", "-o", tmp_path / "out.json")
    assert RegressionAudit.from_json((tmp_path / "out.json").read_text()) == found
    run("audit", prices_folder / "model.fgac", "-n", "4", "-q", "-o", tmp_path / "out.csv")
    rows = table((tmp_path / "out.csv").read_text())
    for name in ("target", "fitted", "size", "held_out", "usual", "doubt"):
        assert [float(row[name]) for row in rows] == [getattr(row, name) for row in found]
    assert [row["id"] for row in rows] == [row.id for row in found]
    assert rows[0]["contradicted_by"].split("; ") == [other.id for other in found[0].contradicted_by]


def test_audit_of_a_table_trains_a_regressor(prices_folder):
    answer = run("audit", prices_folder / "data.csv", *COMMON, "--gamma", "1", "-n", "1")
    X, _ = training()
    model = FGARegressor(gamma=1.0, metric="learned", scale="auto", target_scale="robust")
    model.fit(X, houses()["price"], ids=houses()["house"].to_list())
    worst = audit(model, 1)[0]
    assert words(worst.text()) in words(answer.stdout)
    assert worst.held_out is None
    heading = next(line for line in answer.stdout.splitlines() if "contradicted by" in line)
    assert heading.split() == ["row", "price", "taken", "as", "doubt", "contradicted", "by"]


@pytest.mark.parametrize("by", [(), ("--by", "held_out"), ("--by", "rest"), ("--by", "membership")])
def test_audit_by_every_ranking_advises_no_other_gamma(prices_folder, by):
    """Of numbers, smaller ones find less."""
    answer = run("audit", prices_folder / "model.fgac", "-n", "2", *by)
    found = audit(load_model(prices_folder / "model.fgac"), 2, by=by[1] if by else "held_out")
    for row in found:
        assert words(row.text()) in words(answer.stdout)
    assert answer.stderr == ""
    heading = words(next(line for line in answer.stdout.splitlines() if "contradicted by" in line))
    assert ("held out" in heading) == ("rest" not in by and "membership" not in by)
    assert ("share of range" in heading) == ("membership" in by)


def test_audit_by_rows_held_out_needs_some(prices_folder, tmp_path):
    run("fit", prices_folder / "data.csv", *COMMON, "--gamma", "2", "-o", tmp_path / "m.fgac", "-q")
    answer = run("audit", tmp_path / "m.fgac", "--by", "held_out", code=1)
    assert "this model does not know that: its gamma was given" in answer.stderr
    answer = run("audit", prices_folder / "data.csv", *COMMON, "--gamma", "2", "--by", "held_out", code=2)
    assert "--by held_out needs cross-validation" in answer.stderr


def test_consistent_numbers_have_no_contradiction(tmp_path):
    answer = run(
        "audit",
        "-",
        "-t",
        "y",
        "--numbers",
        "--gamma",
        "2",
        "--metric",
        "euclidean",
        "-q",
        stdin="x,y\n1,1\n2,2\n3,3\n",
    )
    assert answer.stdout == "No number is contradicted: all 3 rows have the values that were observed.\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("-o", "out.html"), "an audit of numbers is written as .csv, .json, .parquet or .txt, not as .html"),
        (("--numbers",), "is a model, which knows what it predicts; leave --numbers out, or give a table"),
    ],
)
def test_audit_refuses_what_is_for_classes(prices_folder, tmp_path, monkeypatch, given, message):
    monkeypatch.chdir(tmp_path)
    answer = run("audit", prices_folder / "model.fgac", *given, "-q", code=2)
    assert message in answer.stderr
    assert list(tmp_path.iterdir()) == []
