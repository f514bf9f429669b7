"""How accurate predictions are if a model may abstain from those that it is least sure of.

Predictions are taken in the order of their confidence, the surest first, until they cover a share of the rows. Rows of
equal confidence come together: where a share ends among them, their accuracy counts as if they came in any order, so
nothing depends on the order of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import SCORE_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.selection.scores import CoverageScore, interval

# The shares of the rows that evaluations tell the accuracy of.
SHARES = (1.0, 0.9, 0.8, 0.5)


class CoverageCurve(NamedTuple):
    """One point for every different confidence, from the largest on.

    Attributes
    ----------
    confidence : array of shape (points,)
    coverage : array of shape (points,)
        Share of the rows that are at least so confident; rises to 1.
    accuracy, balanced_accuracy : arrays of shape (points,)
        Of these rows; the latter is the mean recall of the classes that occur among them.
    """

    confidence: Floats
    coverage: Floats
    accuracy: Floats
    balanced_accuracy: Floats


def coverage_curve(y: NDArray[Any], predicted: NDArray[Any], confidence: Floats, weight: Floats) -> CoverageCurve:
    """Accuracy of the most confident rows, for every share of them at which confidence falls.

    >>> y, predicted = np.array(["a", "a", "b", "b"]), np.array(["a", "a", "b", "a"])
    >>> curve = coverage_curve(y, predicted, np.array([0.9, 0.9, 0.7, 0.0]), np.ones(4))
    >>> curve.coverage, curve.accuracy, curve.balanced_accuracy
    (array([0.5 , 0.75, 1.  ]), array([1.  , 1.  , 0.75]), array([1.  , 1.  , 0.75]))
    """
    levels, place, n = _levels(confidence)
    right = weight * (y == predicted)
    covered, hits = _so_far(place, weight, n), _so_far(place, right, n)
    recalls, n_there = np.zeros(n), np.zeros(n)
    for label in np.unique(y):
        own = y == label
        size = _so_far(place[own], weight[own], n)
        there = size > 0
        recalls[there] += _so_far(place[own], right[own], n)[there] / size[there]
        n_there += there
    return CoverageCurve(levels, covered / covered[-1], hits / covered, recalls / n_there)


def accuracy_at(shares: Sequence[float], confidence: Floats, right: Bools, weight: Floats) -> Floats:
    """Accuracy and least confidence of the most confident shares of some rows, one row for each share.

    >>> right = np.array([True, True, True, False])
    >>> accuracy_at([1.0, 0.5], np.array([0.9, 0.8, 0.6, 0.6]), right, np.ones(4))
    array([[0.75, 0.6 ],
           [1.  , 0.8 ]])
    """
    levels, place, n = _levels(confidence)
    covered, hits = _so_far(place, weight, n), _so_far(place, weight * right, n)
    wanted = np.array(shares) * covered[-1]
    # Within a level hits grow evenly, as they do on average whatever the order.
    accuracy = np.interp(wanted, np.append(0.0, covered), np.append(0.0, hits)) / wanted
    # Sums of weights are rounded, so a share that ends with a level may seem to end just behind it.
    reached = np.searchsorted(covered, wanted * (1.0 - SCORE_TOL))
    return np.column_stack([accuracy, levels[np.minimum(reached, n - 1)]])


def coverage_scores(shares: Sequence[float], covered: Floats, n_folds: int) -> tuple[CoverageScore, ...]:
    """Means and intervals over test parts of what :func:`accuracy_at` gives for each."""
    return tuple(
        CoverageScore(share, interval(part[:, 0], 1 / (n_folds - 1), (0.0, 1.0)), float(part[:, 1].mean()))
        for share, part in zip(shares, covered.swapaxes(0, 1), strict=True)
    )


def _levels(confidence: Floats) -> tuple[Floats, Ints, int]:
    """The different confidences from the largest on, the place of each row among them, and their number."""
    levels, place = np.unique(-confidence, return_inverse=True)
    return -levels + 0.0, place, len(levels)


def _so_far(place: Ints, values: Floats, n: int) -> Floats:
    """Sums of the values of each place and those before it."""
    return np.cumsum(np.bincount(place, values, minlength=n))
