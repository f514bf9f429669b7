"""Logistic regression of small tables by Newton's method.

Halves of rows and penalties make it dozens of small problems in one search for gamma. A general solver spends most of
its time there on checking what it is given; and its result, which depends on its version, would be part of a model.
"""

from __future__ import annotations

import numpy as np

from fgac._tolerances import GRADIENT_TOL
from fgac._typing import Floats, Ints

MOST_STEPS = 100
# A step is halved until the loss falls by this part of what its slope promises, and given up after so many halvings.
PROMISED = 1e-4
MOST_HALVINGS = 30
# What is added to second derivatives, in units of each and of the largest: where all rows are predicted surely, that of
# an intercept vanishes.
RIDGE, LEAST = 1e-12, 1e-30


def newton(inputs: Floats, classes: Ints, weight: Floats, penalty: float) -> tuple[Floats, Floats]:
    """Slopes of shape (n_inputs, n_classes) and intercepts that minimise a loss, the intercepts adding up to 0.

    The loss is the sum over the rows of weight times minus the logarithm of the probability of their class, plus half
    the penalty times the sum of the squared slopes. It is convex, and its minimum unique.

    Parameters
    ----------
    inputs : array of shape (n_samples, n_inputs)
    classes : array of shape (n_samples,)
        Class numbers from 0 on, all of which are there.
    weight : array of shape (n_samples,)
        Positive.
    penalty : float
        Positive.

    >>> slopes, intercepts = newton(np.array([[-1.0], [1.0]]), np.array([0, 1]), np.ones(2), 1.0)
    >>> slopes.round(3), np.abs(intercepts).round(3)
    (array([[-0.521,  0.521]]), array([0., 0.]))
    """
    n_inputs, n_classes = inputs.shape[1], int(classes.max()) + 1
    columns = np.hstack([inputs, np.ones((len(inputs), 1))])
    is_true = classes[:, None] == np.arange(n_classes)
    punished = np.append(np.full(n_inputs, penalty), 0.0)[:, None]
    shares = np.log(weight @ is_true)
    found = np.zeros((n_inputs + 1, n_classes))
    found[-1] = shares - shares.mean()
    before, chances = _loss(columns, found, is_true, weight, punished)
    for _ in range(MOST_STEPS):
        slope = columns.T @ (weight[:, None] * (chances - is_true)) + punished * found
        if np.abs(slope).max() <= GRADIENT_TOL * weight.sum():
            break
        way = _way(columns, chances, weight, punished, slope)
        promised, length = float((way * slope).sum()), 1.0
        for _ in range(MOST_HALVINGS):
            after, moved = _loss(columns, found - length * way, is_true, weight, punished)
            if after <= before - PROMISED * length * promised:
                break
            length *= 0.5
        else:  # rounding hides what is left to gain
            break
        found, before, chances = found - length * way, after, moved
    return found[:-1], found[-1] - found[-1].mean()


def _loss(columns: Floats, found: Floats, is_true: Floats, weight: Floats, punished: Floats) -> tuple[float, Floats]:
    """What is minimised, and the probabilities of the classes."""
    logits = columns @ found
    logits -= logits.max(axis=1, keepdims=True)
    odds = np.exp(logits)
    total = odds.sum(axis=1)
    lost = weight @ (np.log(total) - logits[is_true])
    return float(lost + 0.5 * (punished * found**2).sum()), odds / total[:, None]


def _way(columns: Floats, chances: Floats, weight: Floats, punished: Floats, slope: Floats) -> Floats:
    """Newton's step: the slope of the loss, divided by its second derivatives."""
    n, n_classes = slope.shape
    if n_classes == 2:
        # The coefficients of the second class are those of the first with their signs turned: half of them are enough.
        curved = weight * chances[:, 0] * chances[:, 1]
        second = 2.0 * (columns.T * curved) @ columns + np.diag(punished[:, 0])
        first = np.linalg.solve(_safe(second), slope[:, 0])
        return np.column_stack([first, -first])
    second = np.empty((n_classes, n, n_classes, n))
    for k in range(n_classes):
        for m in range(k + 1):
            curved = weight * chances[:, k] * ((k == m) - chances[:, m])
            second[k, :, m] = second[m, :, k] = (columns.T * curved) @ columns
        second[k, :, k] += np.diag(punished[:, 0])
    # Intercepts that all rise alike change nothing. Their sum is 0, and stays so if a change of it costs something.
    second[:, -1, :, -1] += weight.sum()
    way = np.linalg.solve(_safe(second.reshape(n_classes * n, -1)), slope.T.reshape(-1))
    return np.ascontiguousarray(way.reshape(n_classes, n).T)


def _safe(second: Floats) -> Floats:
    """Second derivatives that can be divided by."""
    curved = np.diag(second)
    return second + np.diag(RIDGE * curved + LEAST * curved.max())
