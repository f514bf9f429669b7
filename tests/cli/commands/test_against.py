"""fgac evaluate --against: another model on the same parts, with its own settings and columns."""

import json

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from fgac import FGAClassifier, evaluate, load_model, save_model
from fgac.cli.app import app


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table and a model of fewer columns for every kind of target."""
    folder = tmp_path_factory.mktemp("against")
    rng = np.random.default_rng(0)
    score = rng.normal(size=60)
    trade = np.where(rng.random(60) < 0.5, "baker", "smith")
    pl.DataFrame(
        {
            "number": [f"loan {i}" for i in range(60)],
            "income": (3000 + 500 * (score + rng.normal(0, 0.4, 60))).round(),
            "when": [f"{1 + i % 28}.{1 + i % 12}.2024" for i in range(60)],
            "trade": [None if i == 7 else each for i, each in enumerate(trade)],
            "paid": np.where(score > 0, "yes", "no"),
            "grade": np.array(["poor", "fair", "good"])[np.digitize(score, [-0.5, 0.5])],
            "rent": (700 + 100 * score).round(2),
        }
    ).write_csv(folder / "loans.csv")
    for kind, options in KINDS.items():
        others = [name for name in ("paid", "grade", "rent") if name != options[1]]
        drop = [part for name in (*others, "income") for part in ("--drop", name)]
        done = run("fit", folder / "loans.csv", *options, *drop, "-o", folder / f"{kind}.fgac", *FIXED)
        assert done.exit_code == 0, done.stderr
    return folder


KINDS = {
    "classes": ("-t", "paid"),
    "order": ("-t", "grade", "--order", "poor,fair,good"),
    "numbers": ("-t", "rent", "--numbers"),
}
FIXED = ("--id", "number", "--gamma", "2", "--metric", "manhattan", "--date", "when=%d.%m.%Y")


def evaluated(folder, kind, *more):
    others = [name for name in ("paid", "grade", "rent") if name != KINDS[kind][1]]
    drop = [part for name in (*others, "when") for part in ("--drop", name)]
    plain = ("--id", "number", "--gamma", "2", "--metric", "manhattan", "--folds", "3", "--repeats", "1")
    return run(
        "evaluate", folder / "loans.csv", *KINDS[kind], *drop, *plain, "--against", folder / f"{kind}.fgac", *more
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_numbers_and_words(folder, kind):
    done = evaluated(folder, kind)
    assert done.exit_code == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert f"the model with these settings is better than the one of {kind}.fgac by" in words
    assert "clearly better." in words
    found = json.loads(evaluated(folder, kind, "--json").stdout)["against"]
    first = found["differences"][0]
    assert first["lead"]["mean"] == pytest.approx(first["model"]["mean"] - first["other"]["mean"])
    assert found["gammas"] == [2.0] * 3
    assert f"{first['lead']['mean']:+.3f}" in done.stdout


def test_it_is_what_python_computes(folder):
    """The other model has columns that this one leaves out, a date and an unknown trade."""
    found = json.loads(evaluated(folder, "classes", "--json").stdout)["against"]
    table = pl.read_csv(folder / "loans.csv").with_columns(pl.col("when").str.to_date("%d.%m.%Y"))
    other, y = load_model(folder / "classes.fgac"), table["paid"].to_numpy()
    model = FGAClassifier(metric="manhattan", class_weight="balanced")
    expected = evaluate(
        model, table[["income", "trade"]], y, gamma=2.0, n_folds=3, against=(other, table[["when", "trade"]])
    )
    for one, ours in zip(found["differences"], expected.against.differences, strict=True):
        assert one["lead"]["mean"] == pytest.approx(ours.lead.mean)
        assert one["other"]["mean"] == pytest.approx(ours.other.mean)


def test_models_that_do_not_match_are_refused(folder, tmp_path):
    table = folder / "loans.csv"
    done = run("evaluate", table, "-t", "rent", "--numbers", "--against", folder / "classes.fgac")
    assert done.exit_code == 2
    assert "this model predicts classes, and the options ask for numbers" in done.stderr
    done = run("evaluate", table, "-t", "grade", "--against", folder / "classes.fgac")
    assert done.exit_code == 2
    assert "this model predicts 'paid', and --target is 'grade'" in done.stderr
    pl.read_csv(table).drop("when").write_csv(tmp_path / "narrow.csv")
    done = run("evaluate", tmp_path / "narrow.csv", "-t", "paid", "--gamma", "2", "--against", folder / "classes.fgac")
    assert done.exit_code == 1
    assert "the table lacks 'when', which this model compares" in done.stderr
    save_model(FGAClassifier().fit([[0.0], [1.0]], ["yes", "no"]), tmp_path / "bare.fgac")
    done = run("evaluate", table, "-t", "paid", "--against", tmp_path / "bare.fgac")
    assert done.exit_code == 2
    assert "without names of columns" in done.stderr
    done = run("evaluate", table, "-t", "paid", "--against", table)
    assert done.exit_code == 1
    assert "loans.csv" in done.stderr


def test_rows_that_are_dropped_for_one_model_only_are_refused(folder):
    done = evaluated(folder, "classes", "--drop", "trade", "--drop-missing")
    assert done.exit_code == 1
    assert "leave --drop-missing out" in done.stderr
