"""Scores without ceremony: scikit-learn's checks of every call take longer than small predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

LabelScore = Callable[..., float]
Scorer = Callable[..., float]


def accuracy(y: Any, predicted: Any, weight: Any = None) -> float:
    """Share of rows whose class is predicted, as :func:`sklearn.metrics.accuracy_score`."""
    return float(np.average(predicted == y, weights=weight))


def balanced_accuracy(y: Any, predicted: Any, weight: Any = None) -> float:
    """Mean over the classes of the same, as :func:`sklearn.metrics.balanced_accuracy_score`."""
    weight = np.ones(len(predicted)) if weight is None else np.asarray(weight, dtype=np.float64)
    codes = np.unique(y, return_inverse=True)[1]
    totals = np.bincount(codes, weight)
    right = np.bincount(codes, weight * (predicted == y))
    return float(np.mean(right[totals > 0] / totals[totals > 0]))


def label_score(scoring: Any) -> LabelScore | None:
    """The function of true and predicted labels behind a common kind of score; None if it is another.

    >>> label_score("balanced_accuracy")(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))
    0.8333333333333333
    """
    if scoring is None:
        return accuracy
    return (
        {"accuracy": accuracy, "balanced_accuracy": balanced_accuracy}.get(scoring)
        if isinstance(scoring, str)
        else None
    )


def quick_scorer(scoring: Any) -> Scorer | None:
    """The scorer of a common kind of score; None if it is another."""
    score = label_score(scoring)

    def scorer(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        assert score is not None
        return score(y, estimator.predict(X), sample_weight)

    return scorer if score is not None else None
