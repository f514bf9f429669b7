"""Pictures of regressors: what is drawn is what the model says."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from fgac import FGAClassifier, FGARegressor, FGARegressorCV
from fgac.plot.number_line import NumberLineDisplay
from fgac.plot.regression import RegressionDisplay

ROWS, TARGETS = [[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0]


@pytest.fixture
def line():
    """Return a model of one column."""
    return FGARegressor(gamma=2.0, interval=0.5).fit(ROWS, TARGETS)


@pytest.fixture
def houses():
    """Return a model with a nominal column, and its frame."""
    frame = pd.DataFrame({"area": [50.0, 80.0, 100.0, 150.0], "town": ["Gent", "Gent", "Lund", "Lund"]})
    return FGARegressor(gamma=2.0).fit(frame, [100.0, 150.0, 400.0, 600.0]), frame


def labels_of(display):
    """Return the texts of a legend."""
    return [text.get_text() for text in display.legend_.get_texts()]


def test_curve_and_bounds_are_those_of_the_model(line):
    """At every point of the grid, which has all training rows among its points."""
    display = RegressionDisplay.from_estimator(line)
    x, y = display.line_.get_data()
    np.testing.assert_allclose(y, line.predict(x[:, None]))
    assert set(np.ravel(ROWS)) <= set(x)
    low, high = line.predict_interval(x[:, None])
    np.testing.assert_allclose([end.get_ydata() for end in display.interval_], [low, high])
    np.testing.assert_allclose(display.targets_.get_offsets(), np.column_stack([np.ravel(ROWS), TARGETS]))
    np.testing.assert_allclose(display.fitted_.get_offsets()[:, 1], line.fitted_values_)
    assert display.star_ is None
    assert display.ax_.get_xlabel() == "x0"
    assert labels_of(display) == ["at least, at most", "prediction", "interval", "target", "taken as"]
    display.figure_.draw_without_rendering()


def test_arguments_lead_to_the_row_that_is_marked(line):
    """From the values of the training rows to what they say."""
    display = RegressionDisplay.from_estimator(line, [[2.0]])
    assert display.star_.get_offsets().tolist() == [[2.0, 22.5]]
    drawn = [line.get_xydata().tolist() for line in display.arguments_]
    assert drawn == [
        [[3.0, 25.0], [2.0, 15.0]],
        [[4.0, 35.0], [2.0, 15.0]],
        [[0.0, 10.0], [2.0, 30.0]],
        [[3.0, 25.0], [2.0, 35.0]],
    ]
    assert labels_of(display)[-3:] == ["says at least", "says at most", "this row"]


def test_one_attribute_of_several_changes(houses):
    """All others stay as they are in the row; training rows are not drawn."""
    model, frame = houses
    display = RegressionDisplay.from_estimator(model, frame[2:3], feature="area")
    x, y = display.line_.get_data()
    np.testing.assert_allclose(y, model.predict(pd.DataFrame({"area": x, "town": "Lund"})))
    assert display.targets_ is None
    assert display.ax_.get_title() == "Row 2: predicted 400"
    assert RegressionDisplay.from_estimator(model, frame[2:3], feature=0).name == "area"


def test_one_prediction_on_a_line(line):
    """Lines from values to what rows say, the bounds, the interval and the truth."""
    display = NumberLineDisplay.from_estimator(line, [[2.0]], y=[24.0], ids=["new"])
    assert display.ax_.get_title() == "Row new: predicted 22.5 (true ×: 24)"
    assert [drawn.get_xdata().tolist() for drawn in display.lines_least_] == [[25.0, 15.0], [35.0, 15.0]]
    assert [drawn.get_xdata().tolist() for drawn in display.lines_most_] == [[10.0, 30.0], [25.0, 35.0]]
    assert display.interval_.get_xdata().tolist() == [15.0, 30.0]
    assert display.prediction_.get_offsets().tolist() == [[22.5, 2.0]]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["1", "2", "together", "0", "1"]
    display.figure_.draw_without_rendering()


def test_odd_cases_are_drawn(line):
    """A row far from all, equal targets, a model that chose its gamma, monotone columns, axes that are given."""
    far = NumberLineDisplay.from_estimator(line, [[1000.0]])
    assert "No comparable case" in far.ax_.get_title().replace("\n", " ")
    flat = FGARegressor().fit([[0.0], [1.0]], [7.0, 7.0])
    NumberLineDisplay.from_estimator(flat, [[0.5]]).figure_.draw_without_rendering()
    RegressionDisplay.from_estimator(flat, [[0.5]]).figure_.draw_without_rendering()
    chosen = FGARegressorCV(gammas=[2.0], cv=2, monotonic_cst=[1]).fit(ROWS, TARGETS)
    below = NumberLineDisplay.from_estimator(chosen, [[-50.0]])
    assert below.lines_least_ == []
    _, (left, right) = plt.subplots(1, 2)
    assert RegressionDisplay.from_estimator(chosen, ax=left).ax_ is left
    assert NumberLineDisplay.from_estimator(chosen, [[2.0]], ax=right).ax_ is right


def test_names_with_dollars_are_no_formulas(line):
    """They are drawn as they are."""
    model = FGARegressor().fit(pd.DataFrame({"a$b$": [0.0, 1.0]}), [0.0, 1.0], ids=["$x$", "y_$"])
    RegressionDisplay.from_estimator(model).figure_.draw_without_rendering()
    row = pd.DataFrame({"a$b$": [0.3]}, index=["$row$"])
    NumberLineDisplay.from_estimator(model, row).figure_.draw_without_rendering()


def test_wrong_requests_are_refused_in_words(line, houses):
    """Every error says what to give instead."""
    model, frame = houses
    matrix = np.array([[0.0, 1.0], [1.0, 0.0]])
    cases = [
        (lambda: RegressionDisplay.from_estimator(model, frame[:1]), "feature is missing"),
        (lambda: RegressionDisplay.from_estimator(model, frame[:1], feature="price"), "'price' is no column"),
        (lambda: RegressionDisplay.from_estimator(model, frame[:1], feature=5), "no position of a column"),
        (lambda: RegressionDisplay.from_estimator(model, frame[:1], feature="town"), "'town' is nominal"),
        (lambda: RegressionDisplay.from_estimator(model, feature="area"), "give one row as X"),
        (lambda: RegressionDisplay.from_estimator(line, ROWS), "X has 4 rows; one is marked"),
        (lambda: NumberLineDisplay.from_estimator(line, ROWS), "X has 4 rows; one prediction is drawn"),
        (
            lambda: RegressionDisplay.from_estimator(FGARegressor(metric="precomputed").fit(matrix, [0.0, 1.0])),
            "knows only distances",
        ),
    ]
    for draw, told in cases:
        with pytest.raises(ValueError, match=told):
            draw()
    classifier = FGAClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="expected an FGARegressor"):
        RegressionDisplay.from_estimator(classifier)
    with pytest.raises(TypeError, match="expected one RegressionExplanation"):
        NumberLineDisplay.from_explanation(classifier.explain([[0.5]])[0])
    with pytest.raises(NotFittedError):
        RegressionDisplay.from_estimator(FGARegressor())
