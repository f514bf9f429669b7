"""The argument plot: bars hold the strengths, texts the rest, and odd cases are told."""

import dataclasses

import matplotlib.pyplot as plt
import numpy as np
import pytest

from fgac import FGAClassifier
from fgac.explanation.classification import Argument, Explanation, Membership
from fgac.plot import ArgumentDisplay

X = [[0.0], [0.1], [0.4], [0.9], [1.0]]
Y = ["low", "low", "low", "high", "high"]


@pytest.fixture
def model():
    return FGAClassifier(gamma=1.0).fit(X, Y, ids=["p", "q", "r", "s", "t"])


def made(strength=0.4, **changes):
    """An explanation with one argument on each side, of these strengths: 0.4 for, 0.2 against."""
    against = Argument(9, "nine", "dog", 0.5, 0.5, 0.7, 0.7, 0.2, 1.0, (), ("ten", "eleven"))
    favour = Argument(3, "three", "cat", 0.1, 0.9, 0.5, 0.5, strength, 1.0, (), ())
    told = Explanation(
        index=0,
        id="new",
        prediction="cat",
        truth=None,
        lower=strength,
        upper=0.8,
        degree=0.5 * (strength + 0.8),
        margin=0.2,
        runner_up="dog",
        certified_radius=0.1,
        memberships=(Membership("cat", strength, 0.8, 0.6), Membership("dog", 0.2, 1 - strength, 0.4)),
        arguments_for=(favour,),
        arguments_against=(against,),
        rest_for=0.0,
        rest_against=0.0,
        tied=(),
        resembles_nothing=False,
        nearest=None,
        attributes=(),
    )
    return dataclasses.replace(told, **changes)


def left(display):
    return [label.get_text() for label in display.ax_.get_yticklabels()]


def right(display):
    (beside,) = display.ax_.child_axes
    return [label.get_text() for label in beside.get_yticklabels()]


def test_bars_are_as_long_as_the_arguments_are_strong(model):
    told = model.explain([[0.55]], 3)[0]
    display = ArgumentDisplay.from_estimator(model, [[0.55]])
    assert [bar.get_width() for bar in display.bars_for_] == [a.strength for a in told.arguments_for]
    assert [bar.get_width() for bar in display.bars_against_] == [a.strength for a in told.arguments_against]
    assert len(display.bars_for_) == 3
    assert len(display.bars_against_) == 2
    assert {bar.get_x() for bar in display.bars_for_} == {0.0}
    assert np.allclose([bar.get_x() + bar.get_width() for bar in display.bars_against_], 1.0)


def test_bounds_and_degree_are_marked(model):
    lower, upper, degree = (part[0].max() for part in model.memberships([[0.55]]))
    display = ArgumentDisplay.from_estimator(model, [[0.55]])
    told = display.explanation
    assert (told.lower, told.upper, told.degree) == (lower, upper, degree)
    assert np.allclose(display.interval_.get_xdata(), [lower, upper])
    assert np.allclose(display.degree_.get_offsets()[0, 0], degree)
    assert np.isclose(max(bar.get_width() for bar in display.bars_for_), lower)
    assert np.isclose(1 - max(bar.get_width() for bar in display.bars_against_), upper)


def test_texts():
    display = ArgumentDisplay.from_explanation(made())
    assert left(display) == ["for", "three (cat)", "against", "nine +2 (dog)", "degree 0.60"]
    assert right(display) == ["similar, in it", "0.90, 0.50", "similar, not in it", "0.50, 0.70", "0.40 to 0.80"]
    assert sorted(text.get_text() for text in display.ax_.texts) == ["0.20", "0.40"]
    assert display.ax_.get_title() == "Row new: predicted cat"
    assert display.ax_.get_xlabel() == "membership in cat"


@pytest.mark.parametrize(("truth", "ending"), [("cat", " (right)"), ("dog", " (wrong: it is dog)"), (None, "")])
def test_title_says_whether_it_is_right(truth, ending):
    display = ArgumentDisplay.from_explanation(made(truth=truth))
    assert display.ax_.get_title().replace("\n", " ") == "Row new: predicted cat" + ending


def test_title_says_ties():
    display = ArgumentDisplay.from_explanation(made(tied=("cat", "dog")))
    assert display.ax_.get_title() == "Row new: predicted cat\nTied with dog"


def test_number_of_arguments_is_the_caller_s(model):
    display = ArgumentDisplay.from_estimator(model, [[0.55]], n_arguments=1)
    assert (len(display.bars_for_), len(display.bars_against_)) == (1, 1)


def test_names_of_rows_are_the_caller_s(model):
    display = ArgumentDisplay.from_estimator(model, [[0.55]], y=["high"], ids=["Zoë"])
    assert sorted(left(display)[1:4]) == ["p (low)", "q (low)", "r (low)"]
    assert display.ax_.get_title().replace("\n", " ") == "Row Zoë: predicted low (wrong: it is high)"


def test_a_row_that_resembles_nothing():
    model = FGAClassifier(gamma=50.0).fit(X, Y)
    display = ArgumentDisplay.from_estimator(model, [[0.6]])
    assert display.bars_for_ == display.bars_against_ == []
    assert left(display) == ["for", "none", "against", "none", "degree 0.50"]
    assert "No comparable case; the nearest is 2" in display.ax_.get_title().replace("\n", " ")


def test_one_class():
    display = ArgumentDisplay.from_estimator(FGAClassifier().fit(X, ["all"] * 5), [[0.5]])
    assert display.bars_against_ == []
    assert right(display)[-1].endswith("to 1.00")


def test_owa_shows_weights_and_the_rest():
    model = FGAClassifier(gamma=1.0, owa=("additive", 3)).fit(X, Y)
    display = ArgumentDisplay.from_estimator(model, [[0.55]], n_arguments=1)
    told = display.explanation
    assert told.rest_for > 0
    assert right(display)[0] == "similar, in it × weight"
    assert right(display)[1].endswith("× 0.50")
    assert left(display)[2] == "all others"
    assert np.isclose(told.lower, told.arguments_for[0].weight * told.arguments_for[0].strength + told.rest_for)


@pytest.mark.parametrize("strength", [0.0001, 0.1, 0.5, 1.0])
def test_strength_is_written_within_the_axes(strength):
    display = ArgumentDisplay.from_explanation(made(strength))
    display.figure_.canvas.draw()
    box = display.ax_.get_window_extent()
    for text in display.ax_.texts:
        place = text.get_window_extent()
        assert box.x0 <= place.x0
        assert place.x1 <= box.x1


def test_given_axes_are_used(model):
    figure, ax = plt.subplots()
    display = ArgumentDisplay.from_estimator(model, [[0.2]], ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert figure.get_layout_engine() is None
    assert plt.get_fignums() == [figure.number]
    assert display.plot() is display
    assert display.ax_ is not ax


def test_errors(model):
    with pytest.raises(ValueError, match="X has 2 rows; one prediction is drawn"):
        ArgumentDisplay.from_estimator(model, [[0.2], [0.3]])
    with pytest.raises(TypeError, match=r"type Explanations; expected one Explanation, such as clf\.explain\(X\)\[0\]"):
        ArgumentDisplay.from_explanation(model.explain([[0.2]]))
    with pytest.raises(ValueError, match="n_arguments"):
        ArgumentDisplay.from_estimator(model, [[0.2]], n_arguments=0)
