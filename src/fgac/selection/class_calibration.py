"""Calibration: what degrees mean as probabilities, learned from rows that were held out in cross-validation.

Degrees of the chosen gamma are at hand: every row that was held out was judged by a model that had not seen it. They
are compared with the classes of these rows, by the weights of the rows as they were given: balanced classes make
degrees fair to small classes, but how often a class occurs is part of a probability.

Many rows of two classes are fitted by isotonic regression, which assumes nothing but that a larger degree is no smaller
probability; each of its levels counts one more row, of the overall share of the class, so that no probability is 0 or
1. Fewer rows, or more classes, are fitted by a logistic model of the degrees; many rows let its logits bend.

What models that had not seen a row say of its label is also kept, row by row: audits of labels use it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from fgac._typing import Bools, Floats, Ints
from fgac.estimators._state import ClassifierState, ClassState, OrdinalState
from fgac.granular.calibration import Calibration, bent, excess
from fgac.selection.choice import GammaChoice
from fgac.selection.folds import Material

State = TypeVar("State", bound=ClassState)

# Fewer rows than this of two classes are fitted by a logistic model: steps of isotonic regression would follow noise.
MANY_ROWS = 1000
# With fewer rows there is nothing to learn.
FEWEST_ROWS = 20
# The inverse of the penalty on squared coefficients, per row that is unlike all others: slight, for there are few
# coefficients. So weights have no unit, and yet a row of weight 2 counts as two equal rows.
C = 100.0
# How far the gradient may be from 0. Newton needs ten steps or so; where gradients alone are followed, the order of the
# rows shows in the fourth digit.
TOL = 1e-10
# Predictions are counted in so many groups of about equal size, of at least so many cases.
N_GROUPS, GROUP_SIZE = 10, 25
# Degrees that differ in later digits are the same. So knots of curves, which are means of them, stay apart.
DIGITS = 9
NONE: Floats = np.empty(0)
HALF = 0.5


def with_calibration(state: State, material: Material, choice: GammaChoice) -> State:
    """A state that knows what its degrees mean as probabilities, where enough rows were held out to tell."""
    if not choice.degrees:
        return state
    weight = np.ones(len(material.y)) if material.weight is None else material.weight
    number = {label: k for k, label in enumerate(state.classes.tolist())}
    # Rows without weight may be of a class that the model does not know.
    classes = np.array([number.get(label, -1) for label in material.y.tolist()])
    # Of ordered classes there are degrees of being above each boundary.
    ordered = isinstance(state, OrdinalState)
    of_all = of_ordered_classes if ordered else of_classes
    known = [np.unique(classes[train][weight[train] > 0]) for train, _ in material.splits]
    degrees = np.concatenate([of_all(*part, len(number)) for part in zip(choice.degrees, known, strict=True)])
    winners = (degrees > HALF).sum(axis=1) if ordered else degrees.argmax(axis=1)
    tests = np.concatenate([test for _, test in material.splits])
    calibration = calibrate(degrees, classes[tests], winners, weight[tests], len(number))
    state = replace(state, calibration=calibration)
    if calibration is None or not held_out_once(material.splits, weight > 0):
        return state
    probabilities = np.full((len(classes), len(number)), np.nan)
    probabilities[tests] = calibration.probabilities(degrees)
    return with_held_out(state, np.where((weight > 0)[:, None], probabilities, np.nan), classes)


def with_held_out(state: State, probabilities: Floats, classes: Ints) -> State:
    """A state that knows how probable the own class of every row is, by a model that had not seen the row.

    Of ordered classes every boundary knows how probable the own side of every row is.
    """
    # Later digits depend on the order of the rows and of the classes, and would order rows that are alike.
    if isinstance(state, OrdinalState):
        sides = []
        for c, boundary in enumerate(state.boundaries, start=1):
            above = probabilities[:, c:].sum(axis=1)
            own = np.where(classes >= c, above, 1.0 - above)
            sides.append(replace(boundary, held_out=np.clip(own, 0.0, 1.0).round(DIGITS)))
        return replace(state, boundaries=tuple(sides))
    if isinstance(state, ClassifierState):
        return replace(state, held_out=probabilities[np.arange(len(classes)), classes].round(DIGITS))
    return state


def held_out_once(splits: Sequence[tuple[Ints, Ints]], present: Bools) -> bool:
    """Whether every row that is present was judged exactly once, by a model that was not trained on it.

    >>> halves = [(np.array([0, 1]), np.array([2, 3])), (np.array([2, 3]), np.array([0, 1]))]
    >>> held_out_once(halves, np.ones(4, dtype=bool)), held_out_once(halves, np.ones(5, dtype=bool))
    (True, False)
    """
    rows, times = np.arange(len(present)), np.zeros(len(present), dtype=np.int64)
    for train, test in splits:
        if np.isin(rows[test], rows[train]).any():
            return False
        np.add.at(times, test, 1)
    return bool((times[present] == 1).all())


def of_classes(degrees: Floats, known: Ints, n_classes: int) -> Floats:
    """Degrees in all classes, of a model that knew some: nothing speaks for a class that it did not know.

    >>> of_classes(np.array([[0.7, 0.3]]), known=np.array([0, 2]), n_classes=3)
    array([[0.7, 0. , 0.3]])
    """
    full = np.zeros((len(degrees), n_classes))
    full[:, known] = degrees
    return full


def of_ordered_classes(degrees: Floats, known: Ints, n_classes: int) -> Floats:
    """Degrees of "at least this class" for all classes but the lowest, of a model that knew some of them.

    At least a class that it did not know is at least the next one that it knew.

    >>> of_ordered_classes(np.array([[0.7]]), known=np.array([1, 3]), n_classes=5)
    array([[1. , 0.7, 0.7, 0. ]])
    """
    sure = np.ones((len(degrees), 1))
    return np.hstack([sure, degrees, 0.0 * sure])[:, np.searchsorted(known, np.arange(1, n_classes))]


def calibrate(degrees: Floats, classes: Ints, winners: Ints, weight: Floats, n_classes: int) -> Calibration | None:
    """Learn probabilities from degrees of rows held out.

    Parameters
    ----------
    degrees : array of shape (rows, degrees)
    classes, winners : arrays of shape (rows,)
        Numbers of the true and of the predicted classes.
    weight : array of shape (rows,)
        Weights of the rows; rows without weight do not count.
    n_classes : int

    Returns
    -------
    Calibration or None
        None if there are too few rows, or none of some class.
    """
    there = weight > 0
    degrees, classes, winners, weight = degrees[there], classes[there], winners[there], weight[there]
    if len(classes) < FEWEST_ROWS or len(np.unique(classes)) < n_classes:
        return None
    weight = weight / weight.mean()
    if n_classes == 2 and len(classes) >= MANY_ROWS:
        curve = rising_curve(excess(degrees), classes == 1, weight)
        fitted = Calibration(np.empty((0, 0)), NONE, *curve, NONE, *np.zeros((2, 1), dtype=np.int64))
    else:
        model = logistic(bent(degrees) if len(classes) >= MANY_ROWS else degrees, classes, weight)
        fitted = Calibration(*model, NONE, NONE, NONE, *np.zeros((2, 1), dtype=np.int64))
    confidence = fitted.probabilities(degrees)[np.arange(len(classes)), winners]
    groups = counted(confidence, winners == classes)
    return Calibration(fitted.coefficients, fitted.intercepts, fitted.knots, fitted.levels, *groups)


def rising_curve(x: Floats, is_second: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Points of a rising curve from an excess of degrees to the share of rows of the second class.

    >>> knots, levels = rising_curve(np.array([-1.0, -1.0, 1.0, 1.0]), np.array([0, 0, 1, 1]), np.ones(4))
    >>> knots, levels.round(3)
    (array([-1.,  1.]), array([0.167, 0.833]))
    """
    from sklearn.isotonic import IsotonicRegression

    x = x.round(DIGITS)
    level = IsotonicRegression(out_of_bounds="clip").fit(x, is_second, weight).predict(x)
    step = np.unique(level, return_inverse=True)[1]
    size = np.bincount(step, weight)
    knots = np.bincount(step, weight * x) / size
    smooth = (np.bincount(step, weight * is_second) + np.average(is_second, weights=weight)) / (size + 1.0)
    return knots, np.asarray(IsotonicRegression().fit(knots, smooth, size).predict(knots), dtype=np.float64)


def logistic(degrees: Floats, classes: Ints, weight: Floats) -> tuple[Floats, Floats]:
    """Coefficients and intercepts of a logistic model of the degrees, one column per class."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    n_unlike = len(np.unique(np.column_stack([degrees.round(DIGITS), classes]), axis=0))
    model = LogisticRegression(C=C * n_unlike / weight.sum(), solver="newton-cg", tol=TOL, max_iter=100)
    with warnings.catch_warnings():
        # As good as it is after so many steps, it is a probability.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(degrees, classes, weight)
    coefficients, intercepts = model.coef_.T, model.intercept_
    if len(intercepts) == 1:  # with two classes scikit-learn has one logit, that of the second
        coefficients, intercepts = np.hstack([0.0 * coefficients, coefficients]), np.append(0.0, intercepts)
    return np.ascontiguousarray(coefficients), intercepts


def counted(confidence: Floats, is_right: Floats) -> tuple[Floats, Ints, Ints]:
    """Groups of predictions by confidence: their limits, and in each the number of cases and of those that were right.

    >>> limits, cases, right = counted(np.repeat([0.5, 0.9], 40), np.arange(80) % 4 > 0)
    >>> limits, cases, right
    (array([0.5]), array([40, 40]), array([30, 30]))
    """
    n_groups = int(np.clip(len(confidence) // GROUP_SIZE, 1, N_GROUPS))
    shares = np.arange(1, n_groups) / n_groups
    limits = np.unique(np.quantile(confidence, shares, method="lower")) if n_groups > 1 else NONE
    limits = limits[limits < confidence.max()]
    group = np.searchsorted(limits, confidence)
    cases = np.bincount(group, minlength=len(limits) + 1)
    return limits, cases, np.bincount(group, is_right, minlength=len(limits) + 1).astype(np.int64)
