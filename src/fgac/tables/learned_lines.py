"""What columns add to a score, by a linear model: straight lines, and a step for every category.

Logistic regression of classes, or ridge regression of a number. How freely the coefficients may grow is up to the rows:
each half of them is predicted by the model of the other half, and the penalty with which that succeeds best is taken.
Where single columns say little but their differences much (the lengths of an animal, of which one must be subtracted
from another), coefficients must be large and of opposite signs; where columns are many and rows are few, large ones
would only repeat the rows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fgac._tolerances import LOSS_TOL
from fgac._typing import Floats, Ints
from fgac.metrics.tiles import one_blas_thread
from fgac.tables.logistic import newton
from fgac.tables.splits import halves

# By what squares of the coefficients are punished, in units of the mean weight of a row: the first one, or a later one.
PENALTIES = (100.0, 10.0, 1.0, 0.1)
MOST_STEPS = 1000
# Second derivatives of more coefficients than this take longer than many steps without them.
MOST_NEWTON = 200


class Lines(NamedTuple):
    """What is added per unit of every input, and what the sums start from."""

    slopes: Floats
    intercepts: Floats


def learn_lines(inputs: Floats, copies: Ints, targets: Any, weight: Floats, *, regression: bool) -> Lines:
    """Fit a linear model with the penalty that suits the rows.

    Parameters
    ----------
    inputs : array of shape (n_samples, n_inputs)
        On scales that can be compared.
    copies : array of shape (n_inputs,)
        How many of the inputs say the same as each. Together they have the coefficient that one of them would have.
    targets : array of shape (n_samples,)
        Class numbers from 0 on, all of which are there, or numbers to predict.
    weight : array of shape (n_samples,)
        Weights of the rows.
    regression : bool
        Whether the targets are numbers to predict.

    >>> x = np.arange(8.0)[:, None]
    >>> learn_lines(x, np.ones(1), 2.0 * x[:, 0] + 1.0, np.ones(8), regression=True).slopes.round(2)
    array([[2.]])
    """
    weight = weight / weight.mean()
    n_sums = 1 if regression else int(targets.max()) + 1
    if not inputs.shape[1]:
        return Lines(np.zeros((0, n_sums)), np.zeros(n_sums))
    # Were an input there c times, a sum of coefficients would be punished c times less than one; hence the root of c.
    roots = np.sqrt(copies)
    inputs = inputs / roots
    with one_blas_thread():  # several add up in another order
        slopes, intercepts = fitted(inputs, targets, weight, n_sums, best_penalty(inputs, targets, weight, n_sums))
    return Lines(slopes / roots[:, None], intercepts)


def best_penalty(inputs: Floats, targets: Any, weight: Floats, n_sums: int) -> float:
    """The penalty with which halves of the rows predict each other best; of equally good ones the largest.

    It is the largest of all if a class has a single row, and so is missing in a half.
    """
    classes: Ints = np.zeros(len(targets), dtype=np.int64) if n_sums == 1 else targets.astype(np.int64)
    if np.bincount(classes).min() < 2:
        return PENALTIES[0]
    one, other = halves(classes, 1)
    best, least = PENALTIES[0], np.inf
    for penalty in PENALTIES:  # all of them: losses may rise before they fall
        found = 0.0
        for seen, unseen in ((one, other), (other, one)):
            lines = fitted(inputs[seen], targets[seen], weight[seen], n_sums, penalty)
            found += loss(lines, inputs[unseen], targets[unseen], weight[unseen])
        if found < least * (1.0 - LOSS_TOL):
            best, least = penalty, found
    return best


def fitted(inputs: Floats, targets: Any, weight: Floats, n_sums: int, penalty: float) -> Lines:
    """The lines of a model with a penalty."""
    return ridge(inputs, targets, weight, penalty) if n_sums == 1 else logistic(inputs, targets, weight, penalty)


def logistic(inputs: Floats, targets: Ints, weight: Floats, penalty: float) -> Lines:
    """Log-odds of all classes."""
    n_classes = int(targets.max()) + 1
    if n_classes == 2:
        # Slopes of two classes are half of the one line that tells them apart, with either sign.
        penalty = 2.0 * penalty
    if inputs.shape[1] * (1 if n_classes == 2 else n_classes) <= MOST_NEWTON:
        return Lines(*newton(inputs, targets, weight, penalty))
    return general_logistic(inputs, targets, weight, penalty)


def general_logistic(inputs: Floats, targets: Ints, weight: Floats, penalty: float) -> Lines:
    """The same by scikit-learn, without second derivatives."""
    from sklearn.linear_model import LogisticRegression

    is_binary = int(targets.max()) == 1
    strength = 2.0 / penalty if is_binary else 1.0 / penalty
    model = LogisticRegression(C=strength, solver="lbfgs", max_iter=MOST_STEPS).fit(inputs, targets, weight)
    # With two classes the model knows the second one's logit alone; halves of it say the same of both.
    signs = np.array([[-0.5], [0.5]]) if is_binary else np.ones((len(model.intercept_), 1))
    return Lines(np.ascontiguousarray((signs * model.coef_).T), signs[:, 0] * model.intercept_)


def ridge(inputs: Floats, targets: Floats, weight: Floats, penalty: float) -> Lines:
    """Predictions of a number: the slopes minimise squared errors plus the penalty times their squares.

    >>> ridge(np.array([[-1.0], [1.0]]), np.array([0.0, 4.0]), np.ones(2), 2.0)
    Lines(slopes=array([[1.]]), intercepts=array([2.]))
    """
    share = weight / weight.sum()
    centres, middle = share @ inputs, share @ targets
    roots = np.sqrt(weight)
    apart, off = roots[:, None] * (inputs - centres), roots * (targets - middle)
    n, n_inputs = inputs.shape
    if n_inputs <= n:
        slopes = np.linalg.solve(apart.T @ apart + penalty * np.eye(n_inputs), apart.T @ off)
    else:  # as many equations as rows say the same
        slopes = apart.T @ np.linalg.solve(apart @ apart.T + penalty * np.eye(n), off)
    return Lines(slopes[:, None], np.array([middle - centres @ slopes]))


def loss(lines: Lines, inputs: Floats, targets: Any, weight: Floats) -> float:
    """What is punished, besides large coefficients: squared errors, or minus logarithms of probabilities."""
    sums = inputs @ lines.slopes + lines.intercepts
    if len(lines.intercepts) == 1:
        return float(weight @ (sums[:, 0] - targets) ** 2)
    top = sums.max(axis=1)
    logarithms = top + np.log(np.exp(sums - top[:, None]).sum(axis=1))
    return float(weight @ (logarithms - sums[np.arange(len(sums)), targets]))
