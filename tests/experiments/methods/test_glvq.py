"""Generalised learning vector quantisation: prototypes go down the gradient."""

import numpy as np
import pytest
from sklearn.base import clone

from fgac._kernels.glvq import descend
from fgac.experiments.methods.glvq import GLVQ

pandas = pytest.importorskip("pandas")
pytest.importorskip("imblearn")


def naive_step(X, codes, order, prototypes, per_class, step):
    """A pass of GLVQ with derivatives by differences of the loss itself."""

    def loss(x, code, points):
        d = ((x - points) ** 2).sum(axis=1)
        same = np.arange(len(points)) // per_class == code
        a, b = d[same].min(), d[~same].min()
        return 1 / (1 + np.exp(-(a - b) / (a + b)))

    points = prototypes.copy()
    for i in order:
        slope = np.empty_like(points)
        for place in np.ndindex(*points.shape):
            nudge = np.zeros_like(points)
            nudge[place] = 1e-6
            slope[place] = (loss(X[i], codes[i], points + nudge) - loss(X[i], codes[i], points - nudge)) / 2e-6
        points -= step * slope
    return points


def test_prototypes_go_down_the_gradient():
    """The compiled pass against one that knows only the loss."""
    random = np.random.default_rng(1)
    X, codes = random.normal(size=(12, 3)), random.integers(0, 3, 12)
    prototypes = random.normal(size=(6, 3))
    expected = naive_step(X, codes, np.arange(12), prototypes, 2, 0.3)
    descend(X, codes, np.arange(12), prototypes, 2, 0.3)
    np.testing.assert_allclose(prototypes, expected, atol=1e-7)


def test_prototypes_tell_classes_apart():
    """Two prototypes per class learn what one cannot: the outer rows of a line are one class."""
    X = np.concatenate([np.linspace(-2, -1, 30), np.linspace(-0.5, 0.5, 30), np.linspace(1, 2, 30)])[:, None]
    y = np.repeat(["out", "in", "out"], 30)
    one, three = (GLVQ(n_prototypes=n, random_state=0).fit(X, y) for n in (1, 3))
    assert three.score(X, y) > one.score(X, y)
    np.testing.assert_array_equal(clone(three).fit(X, y).prototypes_, three.prototypes_)
    assert three.prototypes_.shape == (6, 1)


def test_prototypes_need_two_classes():
    with pytest.raises(ValueError, match="one class only, a"):
        GLVQ().fit([[0.0], [1.0]], ["a", "a"])


def test_rows_on_a_prototype_do_no_harm():
    """Where both distances are 0 there is no direction."""
    model = GLVQ(random_state=0).fit([[0.0], [0.0], [0.0], [0.0]], [0, 0, 1, 1])
    assert np.isfinite(model.prototypes_).all()
    prototypes = np.zeros((2, 1))
    descend(np.zeros((1, 1)), np.array([0]), np.array([0]), prototypes, 1, 0.1)
    np.testing.assert_array_equal(prototypes, 0.0)
