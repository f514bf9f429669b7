"""Scores of predictions of rows that were held out. By default, **a guess is worth a guess**.

The gamma that predicts best may have nothing to say: the larger it is, the fewer training rows are near enough to a new
one to be an argument, and where there is none the prediction is a guess, by the nearest row. A model that is to give
reasons is not chosen for its guesses. So a prediction without an argument scores what the best constant answer would,
one that does not look at the row, whatever was guessed:

- classes, balanced accuracy: ``1 / K`` of a right answer (any constant class has this balanced accuracy);
- ordered classes, the number of classes off: that of always saying the middle class. Of an even number of classes two
  are the middle, and the mean of both counts; with two classes it is one half, as above;
- numbers, R2: that of the mean of the training targets.

Scores that a caller names, or gives as a function, are what they are in scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.granular.judged import Judged

# score(y, judged, constant, sample_weight=None): constant is the mean of the training targets, None of classes.
HeldOutScore = Callable[..., float]


def argued_balanced_accuracy(n_classes: int) -> HeldOutScore:
    """Balanced accuracy in which a guess is ``1 / n_classes`` right.

    >>> judged = Judged(np.array(list("aaab")), np.array([False, True, False, False]), np.ones(4))
    >>> argued_balanced_accuracy(2)(np.array(list("aabb")), judged, None)
    0.625
    """

    def score(y: Any, judged: Judged, constant: None, sample_weight: Any = None) -> float:
        right = np.where(judged.guess, 1.0 / n_classes, judged.predicted == y)
        return mean_by_class(np.unique(y, return_inverse=True)[1], right, sample_weight)

    return score


def argued_minus_classes_off(order: Sequence[Any]) -> HeldOutScore:
    """Minus the number of classes that predictions are off, where a guess is off as far as the middle class is.

    >>> judged = Judged(np.array(["poor", "fair", "poor"]), np.array([False, False, True]), np.ones(3))
    >>> argued_minus_classes_off(["poor", "fair", "good"])(np.array(["poor", "poor", "good"]), judged, None)
    -0.75
    """
    place = {label: i for i, label in enumerate(order)}
    middle = 0.5 * (len(order) - 1)

    def score(y: Any, judged: Judged, constant: None, sample_weight: Any = None) -> float:
        codes, others = (np.array([place[label] for label in labels.tolist()]) for labels in (y, judged.predicted))
        off = np.abs(codes - np.where(judged.guess, middle, others))
        return -mean_by_class(codes, off, sample_weight)

    return score


def argued_r2(y: Any, judged: Judged, constant: float, sample_weight: Any = None) -> float:
    """R2 in which a guess is the mean of the training targets."""
    return r2(y, np.where(judged.guess, constant, judged.predicted), sample_weight)


def of_predictions(score: Callable[..., float]) -> HeldOutScore:
    """A score that looks at nothing but predictions."""

    def score_of(y: Any, judged: Judged, constant: Any, **params: Any) -> float:
        return float(score(y, judged.predicted, **params))

    return score_of


def label_score(scoring: Any) -> HeldOutScore | None:
    """The function behind a common name of a score of classes; None if it is another.

    >>> judged = Judged(np.array([0, 0, 1, 1]), np.zeros(4, dtype=bool), np.ones(4))
    >>> label_score("balanced_accuracy")(np.array([0, 0, 0, 1]), judged, None)
    0.8333333333333333
    """
    known = {"accuracy": accuracy, "balanced_accuracy": balanced_accuracy}
    found = known.get(scoring) if isinstance(scoring, str) else None
    return None if found is None else of_predictions(found)


def r2(y: Any, predicted: Any, sample_weight: Any = None) -> float:
    """1 less the share of squared errors that is left, as :func:`sklearn.metrics.r2_score`.

    >>> r2(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]))
    0.5
    """
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    # Squares of large numbers would overflow; a power of two changes no digit.
    power = -int(np.frexp(max(np.abs(y).max(), np.abs(predicted).max()))[1])
    y, predicted = np.ldexp(y, power), np.ldexp(predicted, power)
    left = np.sum(weight * (y - predicted) ** 2)
    total = np.sum(weight * (y - np.average(y, weights=weight)) ** 2)
    if total == 0:  # numbers that are all equal have nothing to be told apart by
        return 1.0 if left == 0 else 0.0
    return float(1.0 - left / total)


def accuracy(y: Any, predicted: Any, sample_weight: Any = None) -> float:
    """Share of rows whose class is predicted, as :func:`sklearn.metrics.accuracy_score`."""
    return float(np.average(predicted == y, weights=sample_weight))


def balanced_accuracy(y: Any, predicted: Any, sample_weight: Any = None) -> float:
    """Mean over the classes of the same, as :func:`sklearn.metrics.balanced_accuracy_score`."""
    return mean_by_class(np.unique(y, return_inverse=True)[1], predicted == y, sample_weight)


def mean_by_class(codes: NDArray[Any], values: NDArray[Any], sample_weight: Floats | None) -> float:
    """The mean over the classes that occur of the mean over their rows.

    >>> mean_by_class(np.array([0, 0, 2]), np.array([1.0, 0.0, 1.0]), None)
    0.75
    """
    weight = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    sizes, sums = np.bincount(codes, weight), np.bincount(codes, weight * values)
    return float(np.mean(sums[sizes > 0] / sizes[sizes > 0]))
