"""Scores of intervals, beside sums written out, and evaluations that tell them."""

import numpy as np
import pandas as pd
import pytest

from fgac import FGARegressor, FGARegressorCV, evaluate
from fgac.granular.extension import Interval
from fgac.selection.interval_scores import Boosting, interval_numbers


def test_numbers_are_those_of_a_loop():
    rng = np.random.default_rng(0)
    truth, weight = rng.normal(size=50), rng.integers(1, 4, 50).astype(float)
    middle = rng.normal(size=50)
    lower, upper = middle - rng.random(50), middle + rng.random(50)
    held, width, score, *_ = interval_numbers(truth, weight, Interval(lower, upper), 0.8)
    total = [0.0, 0.0, 0.0]
    for y, w, a, b in zip(truth, weight, lower, upper, strict=True):
        total[0] += w * (a <= y <= b)
        total[1] += w * (b - a)
        total[2] += w * (b - a + (2 / 0.2) * (max(a - y, 0) + max(y - b, 0)))
    assert (held, width, score) == pytest.approx(tuple(np.array(total) / weight.sum()))


def test_parts_of_the_rows_are_told_apart():
    """The widest fifth holds all of its rows, the others none; so do the tails that are among them."""
    truth = np.arange(20.0)
    ends = Interval(np.where(truth < 4, -100.0, 50.0), np.full(20, 60.0))
    held, _, _, widest, smallest, largest = interval_numbers(truth, np.ones(20), ends, 0.9)
    assert (held, widest, smallest, largest) == (0.2, 1.0, 1.0, 0.0)


def test_intervals_of_boosted_trees_hold_about_their_share():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=900), "c": rng.choice(["x", "y"], 900)})
    frame.loc[::7, "a"] = np.nan
    y = frame["a"].fillna(0).to_numpy() + (frame["c"] == "x") + 0.3 * rng.normal(size=900)
    lower, upper = Boosting(frame, "from_dtype").intervals(
        y.to_numpy(), np.ones(900), np.arange(600), np.arange(600, 900), 0.8
    )
    assert 0.72 < np.mean((lower <= y[600:]) & (y[600:] <= upper)) < 0.88


def test_evaluations_tell_intervals_if_there_are_some():
    rng = np.random.default_rng(2)
    X = rng.random((120, 2))
    y = 3 * X[:, 0] + 0.2 * rng.normal(size=120)
    plain = {"metric": "euclidean", "gammas": [1.0, 3.0]}
    found = evaluate(FGARegressorCV(interval=0.8, **plain), X, y, n_folds=3).intervals
    assert found.share == 0.8
    assert 0.6 < found.fgac.coverage.mean < 0.95
    assert 0 < found.fgac.width.mean < found.fgac.score.mean < found.boosting.score.mean
    given = evaluate(FGARegressorCV(interval=0.8, **plain), X, y, gamma=3.0, n_folds=3).intervals
    assert 0.6 < given.fgac.coverage.mean < 0.95  # still made of rows held out
    assert evaluate(FGARegressor(), X, y, gamma=1.0, n_folds=3).intervals is None
