"""The decision space: shades, borders and training rows are those of the models, and only planes are drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_blobs, make_classification
from sklearn.pipeline import make_pipeline

from fgac import FGAClassifier, FGAClassifierCV
from fgac.plot import DecisionSpaceDisplay
from fgac.plot.decision_space import TWO_CLASSES

SQUARE = np.array([[0.0, 0.0], [1.0, 2.0], [0.2, 1.5], [0.9, 0.3]])
SIDES = ["left", "right", "left", "right"]


def drawn(X=SQUARE, y=SIDES, *, estimator=None, **options):
    options = {"gammas": [2.0], "grid_resolution": 9, **options}
    return DecisionSpaceDisplay.from_estimator(estimator or FGAClassifier(), X, y, **options)


def grid_of(display):
    return np.column_stack([part.ravel() for part in np.meshgrid(display.plane.across, display.plane.up)])


def test_shade_is_the_degree_of_the_second_class():
    display = drawn(gammas=[5.0, 1.0])
    for gamma, surface in zip([5.0, 1.0], display.surfaces_, strict=True):
        model = FGAClassifier(gamma=gamma).fit(SQUARE, SIDES)
        expected = model.memberships(grid_of(display)).degree[:, 1].reshape(9, 9)
        assert np.array_equal(surface.get_array(), expected)
        assert surface.get_clim() == (0, 1)


def test_choosers_are_drawn_with_the_gamma_they_chose_or_with_others():
    X, y = make_classification(n_samples=60, n_features=2, n_redundant=0, random_state=10)
    chooser = FGAClassifierCV(gammas=[1.0, 3.0], ties="first").fit(X, y)
    own = drawn(X, y, estimator=chooser, gammas=None)
    assert [ax.get_title(loc="left") or ax.get_title() for ax in own.axes_] == [f"γ = {chooser.gamma_:g}"]
    plain = FGAClassifier(ties="first", metric="learned", class_weight="balanced")  # as the search is by itself
    for estimator in (chooser, FGAClassifierCV(ties="first")):
        others = drawn(X, y, estimator=estimator, gammas=[5.0])
        direct = drawn(X, y, estimator=plain, gammas=[5.0])
        assert np.array_equal(others.surfaces_[0].get_array(), direct.surfaces_[0].get_array())


def test_shade_of_a_target():
    one, other = drawn(target="left").surfaces_[0], drawn(target="right").surfaces_[0]
    assert np.allclose(one.get_array() + other.get_array(), 1)
    assert one.get_cmap()(0.0) == other.get_cmap()(1.0)


def test_cells_lie_around_the_grid():
    display = drawn()
    left, right, bottom, top = display.surfaces_[0].get_extent()
    across, up = display.plane.across, display.plane.up
    assert np.isclose((left + (right - left) / 18), across[0])
    assert np.isclose((top - (top - bottom) / 18), up[-1])
    assert display.ax_.get_xlim() == (left, right)
    assert across[0] < SQUARE[:, 0].min()
    assert across[-1] > SQUARE[:, 0].max()


def test_border_is_where_the_prediction_changes():
    X, y = make_classification(100, n_features=2, n_redundant=0, random_state=10)
    display = DecisionSpaceDisplay.from_estimator(FGAClassifier(gamma=3.0).fit(X, y), X, grid_resolution=80)
    (border,) = display.borders_
    (path,) = border.get_paths()
    model = FGAClassifier(gamma=3.0).fit(X, y)
    degree = model.memberships(path.vertices).degree
    assert len(path.vertices) > 50
    assert np.abs(degree[:, 1] - degree[:, 0]).max() < 0.05


def test_training_rows_are_as_large_as_their_memberships():
    model = FGAClassifier(gamma=1.0).fit(SQUARE, SIDES)
    display = drawn(gammas=[1.0])
    for k, marks in enumerate(display.points_[0]):
        rows = np.flatnonzero(np.array(SIDES) == model.classes_[k])
        assert np.array_equal(marks.get_offsets(), SQUARE[rows])
        assert np.allclose(marks.get_sizes(), 6 + 40 * model.beta_[rows] ** 2)


def test_more_than_two_classes_have_their_colours():
    X, y = make_blobs(30, centers=3, random_state=0)
    display = drawn(X, y, grid_resolution=12)
    image = display.surfaces_[0].get_array()
    assert image.shape == (12, 12, 3)
    model = FGAClassifier(gamma=2.0).fit(X, y)
    predicted = model.predict(grid_of(display)).reshape(12, 12)
    hue = image - image.min(axis=-1, keepdims=True)
    hue = hue / hue.max(axis=-1, keepdims=True)
    for k in range(3):
        assert np.ptp(hue[predicted == k], axis=0).max() < 1e-9, "the hue tells the class, the depth the degree"
    assert len(display.borders_) == 3
    assert display.colorbar_.ax.get_ylabel().replace("\n", " ") == "degree of the predicted class"


def test_rows_that_resemble_nothing_have_a_border_too():
    display = drawn(gammas=[100.0])
    assert len(display.borders_) == 1
    assert np.median(np.asarray(display.surfaces_[0].get_array())) == 0.5


def test_one_class_has_no_border():
    display = drawn(y=["same"] * 4)
    assert display.borders_ == []


def test_one_value_only():
    X = np.column_stack([SQUARE[:, 0], np.ones(4)])
    low, high = drawn(X).ax_.get_ylim()
    assert low < 0.6 < 1.4 < high


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_name_the_axes(frame):
    X = frame({"width $": SQUARE[:, 0], "height": SQUARE[:, 1]})
    display = drawn(X, gammas=[1, 2])
    assert [ax.get_xlabel() for ax in display.axes_] == ["width $"] * 2
    assert [ax.get_ylabel() for ax in display.axes_] == ["height", ""]
    assert np.array_equal(display.surfaces_[0].get_array(), drawn(gammas=[1]).surfaces_[0].get_array())


def test_arrays_and_lists_are_the_same():
    display = drawn(SQUARE.tolist())
    assert display.ax_.get_xlabel() == "feature 0"
    assert np.array_equal(display.surfaces_[0].get_array(), drawn().surfaces_[0].get_array())


def test_a_fitted_model_is_drawn_as_it_is():
    model = FGAClassifier(gamma=4.0).fit(SQUARE, SIDES, sample_weight=[1, 1, 0, 1])
    display = DecisionSpaceDisplay.from_estimator(model, SQUARE, grid_resolution=9)
    assert display.ax_.get_title() == "γ = 4"
    assert [len(marks.get_offsets()) for marks in display.points_[0]] == [1, 2], "rows of weight 0 are left out"


def test_the_estimator_is_not_changed():
    model = FGAClassifier(gamma=4.0).fit(SQUARE, SIDES)
    drawn(estimator=model, gammas=[1, 2])
    assert model.gamma == 4.0
    assert not hasattr(drawn(estimator=FGAClassifier()), "beta_")


def test_panels():
    display = drawn(gammas=[1, 2, 3, 4, 5])
    assert [ax.get_title() for ax in display.axes_] == [f"γ = {k}" for k in range(1, 6)]
    assert len({ax.get_xlim() for ax in display.axes_}) == 1
    assert drawn(gammas=[1, 1.0, 2]).axes_.shape == (2,)


def test_given_axes():
    figure, axes = plt.subplots(1, 2)
    display = drawn(gammas=[1, 2], ax=axes)
    assert list(display.axes_) == list(axes)
    figure, ax = plt.subplots()
    assert drawn(ax=ax).ax_ is ax
    display = drawn(gammas=[1, 2], ax=ax)
    assert display.figure_ is figure
    assert not ax.axison
    with pytest.raises(ValueError, match="there are 3 panels to draw, got 2 axes; give 3, or one to divide"):
        drawn(gammas=[1, 2, 3], ax=axes)


def test_explanations_can_be_left_out():
    display = drawn(colorbar=False, legend=False)
    assert display.colorbar_ is None
    assert display.legend_ is None
    assert display.figure_.legends == []


def test_shades_of_two_classes_get_lighter_all_the_way():
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    weights = np.array([0.299, 0.587, 0.114])
    grey = (
        LinearSegmentedColormap.from_list("", [to_rgb(c) for c in TWO_CLASSES])(np.linspace(0, 1, 50))[:, :3] @ weights
    )
    assert (np.diff(grey) > 0).all()
    assert grey[24] - grey[0] > 0.15
    assert grey[-1] - grey[24] > 0.08


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (np.zeros((4, 3)), {}, r"X has the shape \(4, 3\); a plane needs exactly two columns of numbers"),
        ([1.0, 2.0], {}, r"X has the shape \(2,\); a plane needs exactly two columns"),
        (pd.DataFrame({"a": [1, 2, 3, 4], "b": list("xyxy")}), {}, "column b is nominal; a plane needs two columns"),
        (SQUARE, {"gammas": []}, r"gammas=\[\] must be a list of positive numbers"),
        (SQUARE, {"gammas": 3.0}, r"gammas=3\.0 must be a list of positive numbers"),
        (SQUARE, {"gammas": [1, -1]}, "a value of gammas=-1 must be a positive finite number"),
        (SQUARE, {"y": None}, "y is missing; models are fitted here"),
        (SQUARE, {"y": ["a"]}, "X has 4 rows and y has 1 labels"),
        (SQUARE, {"target": "up"}, "target='up' is no class of the model; expected one of 'left', 'right'"),
        (SQUARE, {"grid_resolution": 1}, "grid_resolution=1 must be a whole number >= 2"),
        (SQUARE, {"estimator": FGAClassifier(metric="precomputed")}, "metric='precomputed' knows distances only"),
    ],
)
def test_errors(X, options, message):
    with pytest.raises(ValueError, match=message):
        drawn(X, **options)


def test_wrong_estimators():
    with pytest.raises(TypeError, match=r"type Pipeline; expected an FGAClassifier.*its last step"):
        drawn(estimator=make_pipeline(FGAClassifier()))
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        DecisionSpaceDisplay.from_estimator(FGAClassifier(), SQUARE)
