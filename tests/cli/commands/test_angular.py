"""fgac with --metric angular: the same model as in Python, its explanations, and errors of one line."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGAClassifier, FGARegressor
from fgac.persistence import load_model
from support.angles import on_sphere
from support.command_line import run, words


@pytest.fixture
def table(tmp_path):
    """Return the path of a table of five numbers, a class and a number."""
    X, y = on_sphere(40, 5, n_classes=2, seed=0)
    frame = pd.DataFrame(X.round(3), columns=list("abcde")).assign(
        kind=np.where(y == 0, "no", "yes"), share=X[:, 0].round(3)
    )
    frame.to_csv(tmp_path / "data.csv", index=False)
    return tmp_path / "data.csv"


def test_fit_predict_and_explain(table, tmp_path):
    model = tmp_path / "model.fgac"
    options = ("-t", "kind", "--drop", "share", "--metric", "angular", "--gamma", "3", "-o", model)
    run("fit", table, *options)
    frame = pd.read_csv(table)
    by_hand = FGAClassifier(metric="angular", gamma=3.0, class_weight="balanced").fit(
        frame[list("abcde")], frame["kind"]
    )
    np.testing.assert_array_equal(load_model(model).beta_, by_hand.beta_)
    frame.drop(columns=["kind", "share"]).to_csv(tmp_path / "new.csv", index=False)
    predicted = run("predict", model, tmp_path / "new.csv")
    assert predicted.stdout.count("\n") == 41
    explained = run("explain", model, tmp_path / "new.csv", "--rows", "1")
    assert "in the model's distance" in words(explained.stdout)


def test_numbers_audits_and_evaluations(table, tmp_path):
    model = tmp_path / "model.fgac"
    numbers = ("-t", "share", "--numbers", "--drop", "kind", "--metric", "angular", "--gamma", "2")
    run("fit", table, *numbers, "-o", model)
    frame = pd.read_csv(table)
    by_hand = FGARegressor(metric="angular", gamma=2.0, target_scale="robust").fit(frame[list("abcde")], frame["share"])
    np.testing.assert_array_equal(load_model(model).fitted_values_, by_hand.fitted_values_)
    classes = ("-t", "kind", "--drop", "share", "--metric", "angular", "--gamma", "2")
    assert "nearest neighbours" in run("evaluate", table, *classes).stdout.lower()
    run("audit", table, *classes)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--metric", "angular"), "hold categories or bools, which have no direction"),
        (("--metric", "angular", "--drop", "kind", "--scale", "rank"), "scale='rank' with metric='angular'"),
        (("--metric", "angular", "--drop", "kind", "--increasing", "a"), "monotonic_cst needs a metric"),
        (("--metric", "cosine"), "angular"),
    ],
)
def test_what_cannot_be(table, tmp_path, options, told):
    """Nothing is written."""
    frame = pd.read_csv(table).assign(y=["u", "v"] * 20)
    frame.drop(columns="share").to_csv(table, index=False)
    code = 2 if "cosine" in options else 1
    answer = run("fit", table, "-t", "y", "--gamma", "2", "-o", tmp_path / "m.fgac", *options, code=code)
    assert told in words(answer.stderr)
    assert not (tmp_path / "m.fgac").exists()
