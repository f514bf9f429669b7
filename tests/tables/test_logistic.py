"""Logistic regression by Newton's method, beside scikit-learn's solvers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from fgac.tables.learned_lines import MOST_NEWTON, general_logistic, logistic
from fgac.tables.logistic import newton


def problem(seed: int, n: int, n_inputs: int, n_classes: int, noise: float = 1.0):
    """Rows whose classes depend on sums of their columns."""
    random = np.random.default_rng(seed)
    inputs = random.normal(size=(n, n_inputs))
    sums = inputs @ random.normal(size=(n_inputs, n_classes)) + noise * random.gumbel(size=(n, n_classes))
    classes = sums.argmax(axis=1)
    classes[:n_classes] = np.arange(n_classes)
    return inputs, classes, random.uniform(0.1, 5.0, n)


@pytest.mark.parametrize("penalty", [100.0, 1.0, 0.1])
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_minimum_that_scikit_learn_finds(seed: int, n_classes: int, penalty: float) -> None:
    inputs, classes, weight = problem(seed, 60 * n_classes, 4, n_classes)
    found = logistic(inputs, classes, weight, penalty)
    peer = LogisticRegression(C=1.0 / penalty, tol=1e-12, max_iter=10_000, solver="newton-cg")
    peer.fit(inputs, classes, weight)
    if n_classes == 2:
        np.testing.assert_allclose(found.slopes[:, 1] - found.slopes[:, 0], peer.coef_[0], atol=1e-6)
        np.testing.assert_allclose(np.diff(found.intercepts), peer.intercept_, atol=1e-6)
    else:
        np.testing.assert_allclose(found.slopes.T, peer.coef_, atol=1e-6)
        np.testing.assert_allclose(found.intercepts, peer.intercept_ - peer.intercept_.mean(), atol=1e-6)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_slope_of_the_loss_is_0(n_classes: int) -> None:
    inputs, classes, weight = problem(5, 300, 6, n_classes)
    slopes, intercepts = newton(inputs, classes, weight, 0.5)
    odds = np.exp(inputs @ slopes + intercepts)
    missed = weight[:, None] * (odds / odds.sum(axis=1, keepdims=True) - (classes[:, None] == np.arange(n_classes)))
    np.testing.assert_allclose(inputs.T @ missed + 0.5 * slopes, 0.0, atol=1e-6)
    np.testing.assert_allclose(missed.sum(axis=0), 0.0, atol=1e-6)


@pytest.mark.parametrize("spread", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_that_a_line_parts_end_at_a_finite_minimum(n_classes: int, spread: float) -> None:
    inputs = spread * np.arange(30.0)[:, None]
    slopes, intercepts = newton(inputs, np.arange(30) * n_classes // 30, np.ones(30), 1e-3)
    assert np.isfinite(slopes).all()
    assert np.isfinite(intercepts).all()
    if spread >= 1.0:
        assert ((inputs @ slopes + intercepts).argmax(axis=1) == np.arange(30) * n_classes // 30).mean() > 0.9


def test_weights_of_very_different_sizes_do_not_hinder_it() -> None:
    inputs, classes, weight = problem(1, 200, 3, 3)
    weight[::7] *= 1e6
    slopes, intercepts = newton(inputs, classes, weight, 1.0)
    odds = np.exp(inputs @ slopes + intercepts)
    missed = weight[:, None] * (odds / odds.sum(axis=1, keepdims=True) - (classes[:, None] == np.arange(3)))
    assert np.abs(inputs.T @ missed + slopes).max() <= 1e-8 * weight.sum()


def test_columns_without_variance_and_columns_that_repeat_each_other_are_no_trouble() -> None:
    inputs, classes, weight = problem(2, 100, 2, 2)
    inputs = np.column_stack([inputs, inputs[:, 0], np.zeros(100)])
    slopes, _ = newton(inputs, classes, weight, 1.0)
    np.testing.assert_allclose(slopes[0], slopes[2], atol=1e-9)
    np.testing.assert_allclose(slopes[3], 0.0, atol=1e-12)


def test_many_coefficients_are_left_to_scikit_learn_and_mean_the_same() -> None:
    for n_classes in (2, 3):
        inputs, classes, weight = problem(3, 200, 5, n_classes)
        ours, theirs = (solve(inputs, classes, weight, 20.0) for solve in (logistic, wide))
        np.testing.assert_allclose(ours.slopes, theirs.slopes[:5], atol=1e-3)


def wide(inputs, classes, weight, penalty):
    """The same problem with columns that are all 0, too many for Newton's method."""
    filled = np.hstack([inputs, np.zeros((len(inputs), MOST_NEWTON + 1))])
    factor = 2.0 if classes.max() == 1 else 1.0
    np.testing.assert_array_equal(
        logistic(filled, classes, weight, penalty).slopes,
        general_logistic(filled, classes, weight, factor * penalty).slopes,
    )
    return logistic(filled, classes, weight, penalty)
