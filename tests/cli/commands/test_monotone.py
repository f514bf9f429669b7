"""--increasing and --decreasing: the same model as in Python, and what is said of wrong columns."""

import functools

import numpy as np
import polars as pl
import pytest

from fgac import FGAClassifier, FGAClassifierCV
from fgac.persistence import load_model
from support import command_line

run = functools.partial(command_line.run, columns=200)


@pytest.fixture
def loans(tmp_path):
    """A table of loans: more income and less debt can only be better."""
    rng = np.random.default_rng(0)
    income, debt = rng.integers(1, 90, (2, 80))
    score = income - debt + rng.normal(0, 25, 80)
    frame = pl.DataFrame(
        {
            "income": income,
            "debt": debt,
            "city": rng.choice(["Ghent", "Lviv"], 80),
            "outcome": np.where(score > 0, "paid", "lost"),
        }
    )
    frame.write_csv(tmp_path / "loans.csv")
    return tmp_path / "loans.csv", frame


DIRECTIONS = ("--increasing", "income", "--decreasing", "debt")


def test_fit_trains_what_python_trains(loans, tmp_path):
    file, frame = loans
    told = run("fit", file, "-t", "outcome", "--gamma", "2", "-o", tmp_path / "m.fgac", *DIRECTIONS).output
    searched = {name: FGAClassifierCV().get_params()[name] for name in ("metric", "scale", "class_weight")}
    by_hand = FGAClassifier(gamma=2.0, monotonic_cst={"income": 1, "debt": -1}, **searched)
    by_hand.fit(frame.drop("outcome"), frame["outcome"].to_numpy())
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").beta_, by_hand.beta_)
    assert "only more of 'income' and less of 'debt' can speak for outcome = paid, never the opposite" in told


def test_predictions_of_the_file_are_monotone(loans, tmp_path):
    file, frame = loans
    run("fit", file, "-t", "outcome", "--gamma", "3", "-o", tmp_path / "m.fgac", "-q", *DIRECTIONS)
    model, X = load_model(tmp_path / "m.fgac"), frame.drop("outcome")
    better = X.with_columns(income=X["income"] + 5, debt=X["debt"] - 5)
    assert (model.predict(better) >= model.predict(X)).all()
    assert (model.predict(better) > model.predict(X)).any()


@pytest.mark.parametrize("command", ["evaluate", "audit"])
def test_other_commands_take_directions(loans, command):
    plain = run(command, loans[0], "-t", "outcome", "--gamma", "2", "-q").output
    assert run(command, loans[0], "-t", "outcome", "--gamma", "2", "-q", *DIRECTIONS).output != plain


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("--increasing", "city"), "--increasing 'city': the column holds names, which have no order"),
        (("--decreasing", "dept"), "--decreasing 'dept': there is no such column; did you mean 'debt'?"),
        (("--increasing", "debt", "--decreasing", "debt"), "cannot be both --increasing and --decreasing"),
    ],
)
def test_wrong_columns_are_refused(loans, tmp_path, wrong, message):
    answer = run("fit", loans[0], "-t", "outcome", "-o", tmp_path / "m.fgac", *wrong, code=2)
    assert message in answer.output
    assert not (tmp_path / "m.fgac").exists()


def test_three_classes_are_refused(loans, tmp_path):
    _, frame = loans
    grades = pl.Series("outcome", np.resize(["low", "middle", "high"], len(frame)))
    frame.with_columns(grades).write_csv(tmp_path / "grades.csv")
    answer = run("fit", tmp_path / "grades.csv", "-t", "outcome", "-o", tmp_path / "m.fgac", *DIRECTIONS, code=2)
    assert "need two classes, and there are 3" in answer.output


def test_which_class_is_the_higher_is_said_unless_it_was_named(loans, tmp_path):
    """It is the last by name, which may be the wrong one."""
    fit = ("fit", loans[0], "-t", "outcome", "--gamma", "2", "-o", tmp_path / "m.fgac", "-q", *DIRECTIONS)
    told = " ".join(run(*fit).stderr.split())
    assert "'paid' is taken as the higher of the two classes, because its name comes last: --increasing" in told
    assert "If 'lost' is higher, say --order paid,lost" in told
    assert run(*fit, "--order", "lost,paid").stderr == ""
