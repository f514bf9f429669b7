"""Regularisation over gamma: the lines hold what the models of the grid say."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

import fgac
from fgac import FGAClassifier, FGAClassifierCV, FRNNClassifier
from fgac.plot import GammaDisplay
from fgac.selection.grid import GAMMAS
from fgac.selection.rules import choose_gamma

GRID = [5.0, 0.5, 2.0]
X, CODES = load_iris(return_X_y=True)
X, Y = X[::3], np.array(["setosa", "versicolor", "virginica"])[CODES[::3]]


@pytest.fixture(scope="module")
def models():
    return [FGAClassifier(gamma=gamma).fit(X, Y) for gamma in sorted(GRID)]


def test_lines_hold_what_the_models_say(models):
    display = GammaDisplay.from_estimator(FGAClassifier(), X, Y, gammas=GRID)
    for line in (*display.consistency_, display.objective_, display.n_active_):
        assert np.array_equal(line.get_xdata(), sorted(GRID))
    for k, line in zip(np.unique(Y), display.consistency_, strict=True):
        assert np.allclose(line.get_ydata(), [model.beta_[k == Y].mean() for model in models])
    assert np.array_equal(display.objective_.get_ydata(), [model.solution_.objective for model in models])
    assert np.array_equal(display.n_active_.get_ydata(), [model.solution_.n_active for model in models])
    assert [text.get_text() for text in display.legend_.get_texts()] == ["setosa", "versicolor", "virginica"]
    assert len({(line.get_linestyle(), line.get_marker()) for line in display.consistency_}) == 3


def test_without_folds_the_gamma_of_the_estimator_is_marked():
    display = GammaDisplay.from_estimator(FGAClassifier(gamma=3.0), X, Y, gammas=GRID)
    assert display.accuracy_ is None
    assert len(display.axes_) == 3
    assert [line.get_xdata()[0] for line in display.chosen_] == [3.0] * 3
    assert display.axes_[-1].get_xlabel() == "γ (dashed: chosen, 3)"


def test_with_folds_the_best_gamma_is_marked():
    display = GammaDisplay.from_estimator(FGAClassifier(gamma=3.0), X, Y, gammas=GRID, cv=3)
    chooser = choose_gamma(FGAClassifier(), X, Y, gammas=sorted(GRID), n_folds=3)
    assert np.array_equal(display.accuracy_.get_ydata(), chooser.cv_results_["mean_test_score"])
    assert [line.get_xdata()[0] for line in display.chosen_] == [chooser.gamma_] * 4
    assert display.axes_[-1].get_xlabel() == f"γ (dashed: best, {chooser.gamma_:g})"


def test_a_fitted_chooser_is_drawn_like_the_model_it_chose(models):
    """Its gamma is marked, and copies have its other settings."""
    chooser = FGAClassifierCV(gammas=[1.0, 3.0], cv=3, class_weight="balanced").fit(X, Y)
    display = GammaDisplay.from_estimator(chooser, X, Y, gammas=GRID)
    plain = GammaDisplay.from_estimator(chooser.best_estimator_, X, Y, gammas=GRID)
    assert display.chosen == chooser.gamma_
    assert np.array_equal(display.objective, plain.objective)
    assert not np.allclose(display.objective, [model.solution_.objective for model in models])


def test_a_chooser_that_is_not_fitted_has_no_gamma_to_mark():
    with pytest.raises(NotFittedError):
        GammaDisplay.from_estimator(FGAClassifierCV(), X, Y, gammas=GRID)
    display = GammaDisplay.from_estimator(FGAClassifierCV(), X, Y, cv=2)
    assert tuple(display.gammas) == GAMMAS
    plain = FGAClassifier(metric="learned", class_weight="balanced")  # as the search is by itself
    assert display.chosen == GammaDisplay.from_estimator(plain, X, Y, cv=2).chosen


def test_a_gamma_outside_of_the_grid_is_in_the_picture():
    display = GammaDisplay.from_estimator(FGAClassifier(gamma=50.0), X, Y, gammas=GRID)
    assert display.ax_.get_xlim()[1] > 50


def test_one_gamma_and_one_class():
    display = GammaDisplay.from_estimator(FGAClassifier(gamma=2.0), X, ["all"] * len(X), gammas=[2.0])
    display.figure_.canvas.draw()
    assert display.consistency_[0].get_ydata().tolist() == [1.0]
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["2"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames(frame, models):
    table = frame({f"column {j}": X[:, j] for j in range(4)})
    display = GammaDisplay.from_estimator(FGAClassifier(), table, Y.tolist(), gammas=[2.0], cv=2)
    assert np.isclose(display.objective[0], models[1].solution_.objective)


def test_the_estimator_is_not_changed():
    estimator = FGAClassifier(gamma=3.0)
    GammaDisplay.from_estimator(estimator, X, Y, gammas=GRID)
    assert estimator.gamma == 3.0
    assert not hasattr(estimator, "beta_")


def test_given_axes():
    figure, axes = plt.subplots(2, 2)
    display = GammaDisplay.from_estimator(FGAClassifier(), X, Y, gammas=GRID, cv=2, ax=axes)
    assert list(display.axes_) == list(axes.ravel())
    figure, ax = plt.subplots()
    display = GammaDisplay.from_estimator(FGAClassifier(), X, Y, gammas=GRID, ax=ax)
    assert display.figure_ is figure
    assert len(figure.axes) == 4, "the given axes stay as the frame of the three"


def test_a_path_is_drawn_like_the_models_of_its_gammas(models):
    path = fgac.path(X, Y)
    display = GammaDisplay.from_path(path, gammas=np.array(GRID), chosen=2.0)
    plain = GammaDisplay.from_estimator(FGAClassifier(gamma=2.0), X, Y, gammas=np.array(GRID))
    assert np.array_equal(display.gammas, plain.gammas)
    assert np.allclose(display.consistency, plain.consistency)
    assert np.allclose(display.objective, plain.objective)
    assert np.array_equal(display.n_active, [path.solution(gamma).n_active for gamma in sorted(GRID)])
    assert [line.get_xdata()[0] for line in display.chosen_] == [2.0] * 3


def test_a_path_is_drawn_from_its_first_to_its_last_gamma():
    """Nothing is marked; many gammas have marks here and there only."""
    path = fgac.path(X, Y)
    display = GammaDisplay.from_path(path)
    assert (display.gammas[0], len(display.gammas)) == (path.gamma_min, 60)
    assert display.gammas[-1] == pytest.approx(path.gamma_max)
    assert display.chosen_ == []
    assert display.ax_.get_xlabel() == "γ"
    assert display.objective_.get_markevery() == 3
    flat = GammaDisplay.from_path(fgac.path([[0.0], [0.0]], ["a", "b"]))
    assert flat.consistency.tolist() == [[0.5, 0.5]] * 60


def test_only_paths_are_drawn_as_paths():
    with pytest.raises(TypeError, match=r"type FGAClassifier; expected a GammaPath, which fgac\.path makes"):
        GammaDisplay.from_path(FGAClassifier())
    with pytest.raises(ValueError, match="below gamma_min"):
        GammaDisplay.from_path(fgac.path(X, Y), gammas=[0.1])


def test_errors():
    with pytest.raises(TypeError, match="type FRNNClassifier; expected an FGAClassifier"):
        GammaDisplay.from_estimator(FRNNClassifier(), X, Y)
    with pytest.raises(ValueError, match="gammas='abc' must be a list of positive numbers"):
        GammaDisplay.from_estimator(FGAClassifier(), X, Y, gammas="abc")
    with pytest.raises(ValueError, match="y is missing"):
        GammaDisplay.from_estimator(FGAClassifier(), X, None)
    with pytest.raises(ValueError, match=r"all rows are of one class.*leave cv out"):
        GammaDisplay.from_estimator(FGAClassifier(), X, ["a"] * len(X), cv=2)
