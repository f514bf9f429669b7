"""Weights of rows and classes."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_class_weight

from fgac.distances import Floats, Ints


def check_sample_weight(sample_weight: Any, n: int) -> Floats:
    """One finite number >= 0 per row, not all 0; ones if none are given."""
    if sample_weight is None:
        return np.ones(n)
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n, sample_weight)
    weight = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    if weight.shape != (n,):
        raise ValueError(f"sample_weight has shape {weight.shape}, expected ({n},): one weight per row of X")
    if (weight < 0).any():
        raise ValueError(f"sample_weight must not be negative, got {weight.min()}")
    if not (weight > 0).any():
        raise ValueError("sample_weight is zero for every row; at least one row must have a positive weight")
    return weight


def class_weights(class_weight: Any, classes: NDArray[Any], codes: Ints, weight: Floats) -> Floats:
    """One factor per class.

    "balanced" gives every class the same total weight, counting a row as often as its own weight says.

    >>> class_weights("balanced", np.array(["a", "b"]), np.array([0, 0, 0, 1]), np.ones(4))
    array([0.66666667, 2.        ])
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(codes, weight, len(classes))
        return totals.sum() / (len(classes) * totals)
    if not isinstance(class_weight, dict):
        raise ValueError(f"class_weight={class_weight!r} is unknown; expected a dict, 'balanced' or None")
    unknown = [label for label in class_weight if label not in set(classes.tolist())]
    if unknown:
        raise ValueError(f"class_weight names {unknown}, which are not among the classes {classes.tolist()}")
    factors = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes[codes]), dtype=np.float64)
    if not (np.isfinite(factors).all() and (factors > 0).all()):
        raise ValueError(f"class_weight={class_weight!r} must hold positive numbers; leave rows out to ignore a class")
    return factors
