"""The penalty of the lines of a score is the one with which halves of the rows predict each other best."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss

from fgac.tables import learned_lines
from fgac.tables.learned_lines import PENALTIES, Lines, best_penalty, learn_lines, loss
from fgac.tables.splits import halves


def lengths(n=200, noise=0.05, seed=0):
    """Two lengths that are nearly the same, whose difference decides."""
    rng = np.random.default_rng(seed)
    size, classes = rng.normal(size=n), rng.integers(0, 2, n)
    x = np.column_stack([size, size + noise * (2 * classes - 1) + noise / 2 * rng.normal(size=n)])
    return (x - x.mean(axis=0)) / x.std(axis=0), classes


def accuracy(lines, x, classes):
    return np.mean((x @ lines.slopes + lines.intercepts).argmax(axis=1) == classes)


def test_coefficients_grow_where_a_difference_decides():
    x, classes = lengths()
    found = learn_lines(x, np.ones(2), classes, np.ones(200), regression=False)
    assert accuracy(found, x, classes) > 0.9
    assert found.slopes[0, 1] < 0 < found.slopes[1, 1]


def test_coefficients_stay_small_where_there_is_nothing_to_learn():
    rng = np.random.default_rng(1)
    x, classes = rng.normal(size=(60, 30)), rng.integers(0, 2, 60)
    assert best_penalty(x, classes, np.ones(60), 2) == PENALTIES[0]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_penalty_is_that_of_a_search_by_scikit_learn(n_classes):
    """By scikit-learn's models and its loss."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(120, 3))
    classes = np.digitize(x @ [2.0, -1.0, 0.0] + rng.normal(size=120), [-1.0, 1.0][: n_classes - 1])
    weight = rng.uniform(0.5, 2.0, 120)
    one, other = halves(classes, 1)
    found = []
    for penalty in PENALTIES:
        model = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=10000)
        parts = [
            (a, b, model.fit(x[a], classes[a], weight[a]).predict_proba(x[b])) for a, b in ((one, other), (other, one))
        ]
        found.append(sum(log_loss(classes[b], p, sample_weight=weight[b], normalize=False) for _, b, p in parts))
    assert best_penalty(x, classes, weight, n_classes) == PENALTIES[int(np.argmin(found))]


def test_numbers_have_their_penalty_too():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(80, 2))
    found = learn_lines(x, np.ones(2), x @ [3.0, -1.0], np.ones(80), regression=True)
    np.testing.assert_allclose(found.slopes[:, 0], [3.0, -1.0], rtol=1e-2)
    noise = rng.normal(size=80)
    found = learn_lines(x, np.ones(2), noise, np.ones(80), regression=True)
    np.testing.assert_allclose(found.slopes[:, 0], Ridge(alpha=100.0).fit(x, noise).coef_)


@pytest.mark.parametrize("n", [3, 8, 40])
def test_lines_of_numbers_are_those_of_scikit_learn(n):
    """Also if there are more inputs than rows."""
    rng = np.random.default_rng(5)
    x, y, weight = 1e3 + rng.normal(size=(n, 8)), rng.normal(size=n), rng.uniform(0.1, 3.0, n)
    found, expected = learned_lines.ridge(x, y, weight, 0.5), Ridge(alpha=0.5, solver="svd").fit(x, y, weight)
    np.testing.assert_allclose(found.slopes[:, 0], expected.coef_, atol=1e-10)
    np.testing.assert_allclose(found.intercepts, expected.intercept_, rtol=1e-9)


def test_a_class_of_one_row_does_not_choose():
    x = np.arange(6.0)[:, None]
    assert best_penalty(x, np.array([0, 0, 0, 1, 1, 2]), np.ones(6), 3) == PENALTIES[0]


def test_losses_of_sure_models_are_finite():
    lines = Lines(np.array([[-1e5, 1e5]]), np.zeros(2))
    assert loss(lines, np.array([[1.0]]), np.array([0]), np.ones(1)) == pytest.approx(2e5)


@pytest.mark.parametrize("regression", [False, True])
def test_copies_have_together_what_one_has_alone(regression):
    x, classes = lengths()
    target = classes + 0.5 * x[:, 0] if regression else classes
    alone = learn_lines(x, np.ones(2), target, np.ones(200), regression=regression)
    thrice = learn_lines(x[:, [0, 1, 1, 1]], np.array([1, 3, 3, 3]), target, np.ones(200), regression=regression)
    np.testing.assert_allclose(thrice.slopes[0], alone.slopes[0], rtol=1e-6)
    np.testing.assert_allclose(thrice.slopes[1:].sum(axis=0), alone.slopes[1], rtol=1e-6)


def test_both_ways_to_solve_agree(monkeypatch):
    """Many coefficients are found without second derivatives."""
    rng = np.random.default_rng(4)
    x, classes, weight = rng.normal(size=(90, 4)), rng.integers(0, 3, 90), rng.uniform(0.5, 1.5, 90)
    newton = learned_lines.logistic(x, classes, weight, 3.0)
    monkeypatch.setattr(learned_lines, "MOST_NEWTON", 0)
    np.testing.assert_allclose(learned_lines.logistic(x, classes, weight, 3.0).slopes, newton.slopes, atol=2e-3)
