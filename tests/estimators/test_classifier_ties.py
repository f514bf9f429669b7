"""Ties are not rare: far from all training rows every class has degree 1/2, and someone must decide."""

import numpy as np
import pytest

from fgac import FGAClassifier

X = np.array([[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]])
LETTERS = np.array(["a", "a", "a", "b", "b", "b"])
SWAPPED = np.array(["b", "b", "b", "a", "a", "a"])
FAR = np.array([[-1000.0], [1000.0]])


def test_a_far_point_is_a_tie():
    """Both classes have the lower bound 0 and the upper bound 1 there."""
    memberships = FGAClassifier().fit(X, LETTERS).memberships(FAR)
    np.testing.assert_array_equal(memberships.lower, np.zeros((2, 2)))
    np.testing.assert_array_equal(memberships.upper, np.ones((2, 2)))


def test_nearest_gives_a_far_point_the_class_on_its_side():
    """The unclipped lower bounds still know which class is nearer."""
    np.testing.assert_array_equal(FGAClassifier().fit(X, LETTERS).predict(FAR), ["a", "b"])


def test_nearest_does_not_read_class_names():
    """Swapped names, swapped labels."""
    np.testing.assert_array_equal(FGAClassifier(ties="nearest").fit(X, SWAPPED).predict(FAR), ["b", "a"])


@pytest.mark.parametrize("labels", [LETTERS, SWAPPED], ids=["letters", "swapped"])
def test_first_gives_every_tie_to_the_first_class(labels):
    """The paper's rule: the first class in sorted order, whatever lies near."""
    np.testing.assert_array_equal(FGAClassifier(ties="first").fit(X, labels).predict(FAR), ["a", "a"])


def test_nearest_is_the_default():
    """ties="nearest" need not be asked for."""
    assert FGAClassifier().ties == "nearest"


def test_three_classes_far_away():
    """All three tie at 1/2; the nearest of them wins."""
    table, y = np.array([[0.0], [5.0], [10.0]]), np.array(["z", "m", "a"])
    model = FGAClassifier(gamma=3.0).fit(table, y)
    np.testing.assert_array_equal(model.predict(FAR), ["z", "a"])
    np.testing.assert_array_equal(FGAClassifier(gamma=3.0, ties="first").fit(table, y).predict(FAR), ["a", "a"])


def test_a_lead_is_not_a_tie():
    """Where degrees differ by more than rounding both rules agree."""
    Q = np.linspace(-1.0, 11.0, 50)[:, None]
    by_nearest, by_first = (FGAClassifier(ties=ties).fit(X, LETTERS) for ties in ("nearest", "first"))
    degree = by_nearest.memberships(Q).degree
    clear = np.abs(degree[:, 0] - degree[:, 1]) > 1e-6
    assert clear.sum() > 30
    np.testing.assert_array_equal(by_nearest.predict(Q)[clear], by_first.predict(Q)[clear])


def test_heavier_class_wins_where_distances_cannot_tell():
    """At a place both classes share, the lower bounds are the memberships: the heavier class wins."""
    table, y = np.zeros((3, 1)), np.array(["a", "b", "b"])
    np.testing.assert_array_equal(FGAClassifier().fit(table, y).predict([[0.0], [50.0]]), ["b", "b"])


@pytest.mark.parametrize("names", [["a", "b"], ["b", "a"]])
def test_a_perfect_tie_does_not_follow_the_alphabet(names):
    """Even a perfectly symmetric point gets the same class under both namings."""
    y = np.array(names)
    model = FGAClassifier().fit([[0.0], [1.0]], y)
    renamed = FGAClassifier().fit([[0.0], [1.0]], y[::-1])
    swap = dict(zip(y, y[::-1], strict=True))
    assert renamed.predict([[0.5]])[0] == swap[model.predict([[0.5]])[0]]
