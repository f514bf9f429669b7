"""Checks of estimators, tables and options, with errors that say what to give instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.tables.validation import check_gamma, check_labels


def check_classifier(estimator: Any, *, fitted: bool, kind: type = FGAClassifier) -> None:
    """Refuse what is no classifier of this kind, or not fitted if it should be."""
    if not isinstance(estimator, kind):
        expected = "a classifier of fgac" if kind is not FGAClassifier else "an FGAClassifier"
        raise TypeError(
            f"estimator is of type {type(estimator).__name__}; expected {expected}. Of a search give "
            "best_estimator_, of a pipeline its last step, with X as it comes out of the steps before; of an "
            "FGAOrdinalClassifier one of its boundaries_"
        )
    if fitted:
        check_is_fitted(estimator)


def check_regressor(estimator: Any) -> None:
    """Refuse what is no fitted FGARegressor."""
    if not isinstance(estimator, FGARegressor):
        raise TypeError(
            f"estimator is of type {type(estimator).__name__}; expected an FGARegressor. Of a search give "
            "best_estimator_, of a pipeline its last step, with X as it comes out of the steps before"
        )
    check_is_fitted(estimator)


def distinct_gammas(gammas: Any) -> tuple[float, ...]:
    """Positive finite numbers, at least one, in the order given and without repetition.

    A picture takes what a search for gamma refuses (sets, repeated numbers), and has no list of its own to offer.

    >>> distinct_gammas([2, 1, 2.0])
    (2.0, 1.0)
    """
    values = tuple(gammas) if isinstance(gammas, Iterable) and not isinstance(gammas, str) else ()
    if not values:
        raise ValueError(f"gammas={gammas!r} must be a list of positive numbers, such as [0.5, 1, 2, 5]")
    for value in values:
        check_gamma("a value of gammas", value)
    return tuple(dict.fromkeys(float(value) for value in values))


def check_class(label: Any, classes: NDArray[Any]) -> int:
    """The position of a class among the classes of a model."""
    # As plain Python values: NumPy compares texts with numbers in its own way.
    found = [k for k, name in enumerate(classes.tolist()) if name == label]
    if not found:
        known = ", ".join(map(repr, classes.tolist()[:10])) + (", ..." if len(classes) > 10 else "")
        raise ValueError(f"target={label!r} is no class of the model; expected one of {known}")
    return found[0]


def check_truth(y: Any, n: int) -> NDArray[Any]:
    """One known class per row, from which models are fitted."""
    if y is None:
        raise ValueError("y is missing; models are fitted here, so give the class of every row of X")
    return check_labels(y, n)


def check_one_row(X: Any) -> None:
    """Refuse tables of several rows where one prediction is drawn."""
    # Anything but a table is left to the estimator, which knows what to say about it.
    if len(np.shape(X)) == 2 and n_rows(X) != 1:
        raise ValueError(f"X has {n_rows(X)} rows; one prediction is drawn, so give one row, such as X[:1]")


def n_rows(X: Any) -> int:
    """Number of rows of a frame, an array or nested lists."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
