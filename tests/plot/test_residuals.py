"""Residuals: the dots hold what the model says, and rows outside of their intervals are marked and named."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from fgac import FGAClassifier, FGARegressor, FGARegressorCV
from fgac.plot import ResidualsDisplay

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.random((80, 2)), columns=["a", "b"], index=[f"flat {i}" for i in range(80)])
Y = (X["a"] + RNG.normal(0, 0.2, 80)).rename("rent")


@pytest.fixture(scope="module")
def model():
    return FGARegressor(gamma=1.0, interval=0.5).fit(X[:50], Y[:50])


def test_dots_and_lines_hold_what_the_model_says(model):
    display = ResidualsDisplay.from_estimator(model, X[50:], Y[50:])
    predicted, (lower, upper) = model.predict(X[50:]), model.predict_interval(X[50:])
    outside = (Y[50:] < lower) | (Y[50:] > upper)
    assert 0 < outside.sum() < 30
    np.testing.assert_array_equal(display.is_outside, outside)
    for dots, rows in ((display.inside_, ~outside), (display.outside_, outside)):
        expected = np.column_stack([predicted, Y[50:] - predicted])[rows]
        np.testing.assert_allclose(dots.get_offsets(), expected)
    ends = np.array([segment[:, 1] for segment in display.intervals_.get_segments()])
    np.testing.assert_allclose(ends, np.column_stack([lower - predicted, upper - predicted]))
    n = int((~outside).sum())
    title = display.ax_.get_title().replace("\n", " ").replace("\xa0", " ")
    assert title == f"Residuals: {n} of 30 targets ({100 * n / 30:.0f} %) lie within their 50 % intervals"
    assert display.ax_.get_xlabel() == "predicted rent"
    assert [text.get_text() for text in display.legend_.get_texts()][1:] == [f"within ({n})", f"outside ({30 - n})"]


def test_the_farthest_outside_are_named(model):
    display = ResidualsDisplay.from_estimator(model, X[50:], Y[50:], n_labels=2)
    lower, upper = model.predict_interval(X[50:])
    far = np.maximum(lower - Y[50:].to_numpy(), Y[50:].to_numpy() - upper)
    assert display.labels_ == [X.index[50:][i] for i in np.argsort(-far)[:2]]
    display.figure_.canvas.draw()
    assert ResidualsDisplay.from_estimator(model, X[50:], Y[50:], n_labels=0).labels_ == []


def test_without_intervals():
    """Nothing is outside, no legend is needed, and the title says by how much predictions are off."""
    plain = FGARegressor().fit(X[:50], Y[:50])
    display = ResidualsDisplay.from_estimator(plain, X[50:], Y[50:])
    assert display.outside_ is display.intervals_ is display.legend_ is None
    error = np.abs(Y[50:] - plain.predict(X[50:])).mean()
    assert f"off by {error:.3g} on average" in display.ax_.get_title().replace("\n", " ")


def test_intervals_of_a_search_are_drawn():
    """They are made in another way, of rows held out."""
    search = FGARegressorCV(gammas=[1.0, 3.0], cv=2, interval=0.8).fit(X[:50], Y[:50])
    display = ResidualsDisplay.from_estimator(search, X[50:], Y[50:])
    np.testing.assert_array_equal(np.column_stack([display.lower, display.upper]).T, search.predict_interval(X[50:]))
    assert display.expected == 0.8


def test_predictions_of_any_model(model):
    lower, upper = model.predict_interval(X[50:])
    display = ResidualsDisplay.from_predictions(Y[50:], model.predict(X[50:]), interval=(lower, upper), expected=0.5)
    other = ResidualsDisplay.from_estimator(model, X[50:], Y[50:])
    assert display.labels_ == other.labels_
    assert display.ax_.get_title() == other.ax_.get_title()
    with pytest.raises(ValueError, match="interval has 1 parts; expected two arrays"):
        ResidualsDisplay.from_predictions([1.0], [1.0], interval=[[0.0]])
    with pytest.raises(ValueError, match="X has 2 rows and y has 1 targets"):
        ResidualsDisplay.from_predictions([1.0, 2.0], [1.0])


def test_other_frames_ids_and_axes(model):
    figure, ax = plt.subplots()
    table = pl.DataFrame({"a": X["a"][50:].to_list(), "b": X["b"][50:].to_list()})
    ids = [f"a very long name of a flat, number {i}" for i in range(30)]
    display = ResidualsDisplay.from_estimator(model, table, Y[50:].to_list(), ids=ids, ax=ax, legend=False)
    assert display.figure_ is figure
    assert display.legend_ is None
    assert set(display.labels_) <= set(ids)
    figure.canvas.draw()


def test_errors(model):
    with pytest.raises(ValueError, match=r"X is missing; .*held out.*cross_val_predict"):
        ResidualsDisplay.from_estimator(model)
    with pytest.raises(ValueError, match="y is missing"):
        ResidualsDisplay.from_estimator(model, X)
    with pytest.raises(TypeError, match="of type FGAClassifier; expected an FGARegressor"):
        ResidualsDisplay.from_estimator(FGAClassifier(), X, Y)
    with pytest.raises(NotFittedError):
        ResidualsDisplay.from_estimator(FGARegressor(), X, Y)
