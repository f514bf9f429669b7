"""Accuracy against coverage: the lines hold what the confident predictions say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, FRNNClassifier
from fgac.plot import CoverageDisplay

X, CODES = load_iris(return_X_y=True)
X, Y = X[:, :2], np.array(["setosa", "versicolor", "virginica"])[CODES]


@pytest.fixture(scope="module", params=[FGAClassifier, FGAOrdinalClassifier])
def model(request):
    return request.param(gamma=4.0).fit(X[::2], Y[::2])


def test_lines_hold_what_the_confident_predictions_say(model):
    display = CoverageDisplay.from_estimator(model, X[1::2], Y[1::2])
    for share, accuracy, least in zip(display.coverage, display.accuracy, display.confidence, strict=True):
        predictions, confident = model.predict_or_abstain(X[1::2], min_confidence=least)
        assert share == pytest.approx(confident.mean())
        assert accuracy == pytest.approx(accuracy_score(Y[1::2][confident], predictions[confident]))
    assert display.coverage[-1] == 1.0
    assert display.balanced_accuracy[-1] == pytest.approx(balanced_accuracy_score(Y[1::2], model.predict(X[1::2])))
    for line, values in ((display.line_, display.accuracy), (display.balanced_, display.balanced_accuracy)):
        np.testing.assert_array_equal(line.get_xdata(), display.coverage)
        np.testing.assert_array_equal(line.get_ydata(), values)
    assert [text.get_text() for text in display.legend_.get_texts()] == ["accuracy", "balanced accuracy"]
    assert display.line_.get_linestyle() != display.balanced_.get_linestyle(), "not by colour alone"


def test_predictions_of_any_model(model):
    display = CoverageDisplay.from_estimator(model, X[1::2], Y[1::2])
    same = CoverageDisplay.from_predictions(
        pd.Series(Y[1::2]), pl.Series(model.predict(X[1::2])), pl.Series(model.confidence(X[1::2])), legend=False
    )
    np.testing.assert_array_equal(same.accuracy, display.accuracy)
    assert same.legend_ is None
    assert same.plot() is same


def test_weights_count_as_repetitions(model):
    weight = np.arange(75) % 3
    display = CoverageDisplay.from_estimator(model, X[1::2], Y[1::2], sample_weight=weight)
    each = np.repeat(np.arange(75), weight)
    repeated = CoverageDisplay.from_estimator(model, X[1::2][each], Y[1::2][each])
    np.testing.assert_allclose(display.coverage, repeated.coverage)
    np.testing.assert_allclose(display.accuracy, repeated.accuracy)


def test_one_confidence_is_one_point():
    display = CoverageDisplay.from_predictions(["a", "b"], ["a", "a"], [0.5, 0.5])
    assert display.line_.get_marker() == "o"
    assert display.accuracy.tolist() == [0.5]


def test_given_axes(model):
    figure, ax = plt.subplots()
    display = CoverageDisplay.from_estimator(model, X, Y, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_errors(model):
    for other in (FRNNClassifier(), FGARegressor()):
        with pytest.raises(TypeError, match=f"type {type(other).__name__}; expected a classifier of fgac"):
            CoverageDisplay.from_estimator(other, X, Y)
    with pytest.raises(NotFittedError):
        CoverageDisplay.from_estimator(FGAClassifier(), X, Y)
    with pytest.raises(ValueError, match="y is missing"):
        CoverageDisplay.from_estimator(model, X, None)
    with pytest.raises(ValueError, match="expected as many labels as rows"):
        CoverageDisplay.from_predictions(["a"], ["a", "b"], [0.1, 0.2])
    for wrong in ([], [0.5, np.nan], [[0.5, 0.5]]):
        with pytest.raises(ValueError, match=r"confidence of shape .* must hold one finite number per row"):
            CoverageDisplay.from_predictions(["a", "b"], ["a", "b"], wrong)
