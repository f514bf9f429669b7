"""Membership intervals: every row's bounds and degree are drawn, sorted, and marked by the truth."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from fgac import FGAClassifier, FRNNClassifier
from fgac.plot import MembershipDisplay


@pytest.fixture(scope="module")
def flowers():
    X, codes = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"])[codes]
    model = FGAClassifier(gamma=3.0).fit(X[::2], y[::2])
    return model, X[1::2], y[1::2]


def lines(display):
    return np.array([[part[0, 0], part[0, 1], part[1, 1]] for part in display.intervals_.get_segments()])


def test_intervals_are_the_bounds_of_the_predicted_class(flowers):
    model, X, y = flowers
    display = MembershipDisplay.from_estimator(model, X, y)
    bounds, predicted = model.memberships(X), np.searchsorted(model.classes_, model.predict(X))
    rows = np.arange(len(X))
    place, lower, upper = lines(display).T
    assert np.array_equal(lower, bounds.lower[rows, predicted])
    assert np.array_equal(upper, bounds.upper[rows, predicted])
    assert np.array_equal(place[display.order_], rows)
    assert np.array_equal(bounds.degree[rows, predicted][display.order_], np.sort(bounds.degree.max(axis=1)))


def test_marks_tell_right_from_wrong(flowers):
    model, X, y = flowers
    display = MembershipDisplay.from_estimator(model, X, y)
    wrong, right = display.marks_
    mistakes = np.flatnonzero(model.predict(X) != y)
    assert 0 < len(mistakes) < len(y)
    assert len(wrong.get_offsets()) == len(mistakes)
    assert len(wrong.get_offsets()) + len(right.get_offsets()) == len(y)
    assert np.allclose(np.sort(wrong.get_offsets()[:, 1]), np.sort(model.memberships(X).degree[mistakes].max(axis=1)))
    assert wrong.get_paths()[0].vertices.shape != right.get_paths()[0].vertices.shape, "not by colour alone"
    texts = [text.get_text() for text in display.legend_.get_texts()]
    assert texts == [f"wrong ({len(mistakes)} of 75)", f"right ({75 - len(mistakes)} of 75)"]


def test_a_target_shows_its_members(flowers):
    model, X, y = flowers
    display = MembershipDisplay.from_estimator(model, X, y, target="virginica")
    others, members = display.marks_
    assert np.allclose(np.sort(members.get_offsets()[:, 1]), np.sort(model.memberships(X).degree[y == "virginica", 2]))
    assert len(others.get_offsets()) == 50
    assert display.legend_.get_texts()[1].get_text() == "in class virginica (25 of 75)"


def test_without_the_truth_there_is_one_kind_of_mark(flowers):
    model, X, _ = flowers
    display = MembershipDisplay.from_estimator(model, X)
    assert len(display.marks_) == 1
    assert display.legend_ is None


@pytest.mark.parametrize("target", [None, "setosa"])
def test_explanations_give_the_same_picture(flowers, target):
    model, X, y = flowers
    one = MembershipDisplay.from_estimator(model, X[30:50], y[30:50], target=target)
    other = MembershipDisplay.from_explanations(model.explain(X[30:50], y=y[30:50]), target=target)
    assert np.array_equal(lines(one), lines(other))
    for ours, theirs in zip(one.marks_, other.marks_, strict=True):
        assert np.array_equal(ours.get_offsets(), theirs.get_offsets())


def test_two_classes_have_a_threshold(flowers):
    X = [[0.0], [0.4], [0.6], [1.0]]
    model = FGAClassifier(gamma=1.0).fit(X, [0, 0, 1, 1])
    assert MembershipDisplay.from_estimator(model, X).threshold == 0.5
    assert MembershipDisplay.from_explanations(model.explain(X)).threshold == 0.5
    assert MembershipDisplay.from_estimator(flowers[0], flowers[1]).threshold is None
    for exponent in (2.0, 0.5):
        bent = FGAClassifier(gamma=1.0, isomorphism=exponent).fit(X, [0, 0, 1, 1])
        assert MembershipDisplay.from_estimator(bent, X).threshold == pytest.approx(0.5 ** (1 / exponent))
        assert MembershipDisplay.from_explanations(bent.explain(X)).threshold == pytest.approx(0.5 ** (1 / exponent))


def test_fuzzy_rough_neighbours_too(flowers):
    _, X, y = flowers
    display = MembershipDisplay.from_estimator(FRNNClassifier().fit(X, y), X, y)
    assert len(lines(display)) == len(X)


def test_a_single_row_and_many(flowers):
    model, X, _ = flowers
    for rows in (X[:1], np.tile(X, (20, 1))):
        display = MembershipDisplay.from_estimator(model, rows, by_margin=False)
        display.figure_.canvas.draw()
        low, high = display.ax_.get_xlim()
        assert low < 0
        assert high > len(rows) - 1


def test_given_axes_are_used(flowers):
    model, X, y = flowers
    figure, ax = plt.subplots()
    display = MembershipDisplay.from_estimator(model, X, y, ax=ax)
    assert display.ax_ is ax
    assert display.legend_ is ax.get_legend()
    assert figure.get_layout_engine() is None
    assert MembershipDisplay.from_estimator(model, X, y, ax=ax, legend=False).legend_ is None


def test_errors(flowers):
    model, X, y = flowers
    with pytest.raises(TypeError, match="type DummyClassifier; expected a classifier of fgac"):
        MembershipDisplay.from_estimator(DummyClassifier().fit(X, y), X)
    with pytest.raises(ValueError, match="target='rose' is no class of the model; expected one of 'setosa'"):
        MembershipDisplay.from_estimator(model, X, target="rose")
    with pytest.raises(ValueError, match="X has 75 rows and y has 2 labels"):
        MembershipDisplay.from_estimator(model, X, y[:2])
    with pytest.raises(ValueError, match="there are no explanations to draw"):
        MembershipDisplay.from_explanations([])
    with pytest.raises(TypeError, match="type Explanation; expected a sequence of Explanation"):
        MembershipDisplay.from_explanations(model.explain(X[:1])[0])
