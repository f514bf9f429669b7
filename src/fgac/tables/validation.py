"""Checks of what the user gives: parameters, labels, distances, and weights of rows and classes.

scikit-learn is imported by the checks that need it: a model that is loaded to predict needs none of them.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import SYMMETRY_TOL
from fgac._typing import Floats, Ints
from fgac._warnings import warn_caller
from fgac.metrics.distances import FARTHEST, LARGEST
from fgac.tables.containers import as_vector, one_target
from fgac.tables.labels import is_missing, plain_name

# Weights between this and its inverse can be added up and divided by each other without a second thought.
MODERATE = 2.0**200
# More different floats than this are hardly classes.
MANY_NUMBERS = 20


def check_positive(name: str, value: Any) -> None:
    """Refuse anything but a positive finite number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} is of type {type(value).__name__}; expected a positive number")
    if not (0 < float(value) < np.inf):
        raise ValueError(f"{name}={value!r} must be a positive finite number")


def check_probability(name: str, value: Any) -> None:
    """Refuse anything but a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} is of type {type(value).__name__}; expected a number from 0 to 1")
    if not 0 <= float(value) <= 1:
        raise ValueError(f"{name}={value!r} must be a number from 0 to 1, such as 0.9")


def check_gamma(name: str, value: Any) -> None:
    """Refuse anything but a positive number whose product with any distance, and whose inverse, are finite."""
    check_positive(name, value)
    if not 1.0 / LARGEST <= float(value) <= LARGEST:
        raise ValueError(
            f"{name}={value!r} must lie between {1.0 / LARGEST:.0e} and {LARGEST:.0e}: beyond, "
            "double precision does not hold its product with distances. Give distances in another unit, or change scale"
        )


def check_count(name: str, value: Any) -> None:
    """Refuse anything but a whole number >= 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name}={value!r} must be a whole number >= 1")


def check_option(name: str, value: Any, options: tuple[Any, ...]) -> None:
    """Refuse anything but one of the options."""
    if not any(value is option or (isinstance(value, str) and value == option) for option in options):
        raise ValueError(f"{name}={value!r} is unknown; expected one of {', '.join(map(repr, options))}")


def check_labels(y: Any, n: int) -> NDArray[Any]:
    """One class label per row, none missing, as an array."""
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import column_or_1d

    y = one_target(y)
    if hasattr(y, "isna") and getattr(y.dtype, "kind", "") in "iu" and not y.isna().any():
        y = y.to_numpy(dtype=np.int64)  # scikit-learn turns pandas' own integers into floats
    labels = column_or_1d(y, warn=True)
    if len(labels) != n:
        raise ValueError(f"X has {n} rows and y has {len(labels)} labels; expected as many labels as rows")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity; leave these rows out")
    if labels.dtype.kind == "O" and any(map(is_missing, labels.tolist())):
        raise ValueError("y contains missing labels (None or NaN); leave these rows out")
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise ValueError(f"{error} To predict numbers, use FGARegressor or FGARegressorCV") from error
    if labels.dtype.kind == "f" and (n_classes := len(np.unique(labels))) > MANY_NUMBERS:
        warn_caller(
            f"y holds {n_classes} different numbers (floats), each of which is taken for a class; to predict numbers, "
            "use FGARegressor or FGARegressorCV, and if they are classes, convert them to int"
        )
    return labels


def check_several_classes(labels: NDArray[Any], weight: Floats | None = None, target: str | None = None) -> None:
    """Refuse labels that are all the same, in rows of positive weight: nothing can be told apart, nor chosen by it.

    ``target`` is what the caller calls them.
    """
    present = labels if weight is None else labels[weight > 0]
    classes = np.unique(present)
    if len(classes) < 2:
        raise ValueError(one_class(plain_name(classes[0]), target or "y"))


def one_class(label: Any, target: str = "y") -> str:
    """What to say of a target that has one class only; the command line says the same.

    >>> print(one_class("no"))
    target 'y' has one class only ('no'); expected two or more
    """
    return f"target {target!r} has one class only ({label!r}); expected two or more"


def check_distances(X: Floats, *, square: bool = False) -> None:
    """Refuse a matrix that cannot hold distances; ``square``: distances among the training rows."""
    if (X < 0).any():
        raise ValueError(f"Negative values in data: precomputed distances must be >= 0, got {X.min()}")
    if square and X.shape[0] != X.shape[1]:
        raise ValueError(
            f"metric='precomputed' needs the square matrix of distances between the training rows, got shape {X.shape}"
        )
    most = LARGEST if square else FARTHEST
    if not X.max(initial=0.0) <= most:
        raise ValueError(f"precomputed distances must be at most {most:.0e}, got {X.max()}; give them in another unit")
    # Distances that were computed pair by pair differ from their mirror image by rounding.
    slack = SYMMETRY_TOL * max(1.0, float(X.max(initial=0.0)))
    if square and (np.abs(X - X.T).max(initial=0.0) > slack or np.abs(np.diag(X)).max(initial=0.0) > slack):
        raise ValueError("precomputed distances must be symmetric with zeros on the diagonal")


def check_sample_weight(sample_weight: Any, n: int) -> Floats:
    """One finite number >= 0 per row, not all 0; ones if none are given."""
    if sample_weight is None:
        return np.ones(n)
    from sklearn.utils import check_array

    sample_weight = as_vector(sample_weight, "sample_weight")
    if isinstance(sample_weight, Real):
        sample_weight = np.full(n, sample_weight)
    weight = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    if weight.shape != (n,):
        raise ValueError(f"sample_weight has shape {weight.shape}, expected ({n},): one weight per row of X")
    if (weight < 0).any():
        raise ValueError(f"sample_weight must not be negative, got {weight.min()}")
    if not (weight > 0).any():
        raise ValueError("sample_weight is zero for every row; at least one row must have a positive weight")
    return comparable_weights(weight, "sample_weight")


def comparable_weights(weight: Floats, name: str) -> Floats:
    """Weights, some of them positive, that can be added up; an error if the smallest would be lost in their sum.

    Weights have no unit. Where their sum might overflow, or they are so small that digits are missing, they are
    multiplied by a power of two, which changes nothing else.

    >>> comparable_weights(np.array([2.0, 0.0, 1.0]), "sample_weight")
    array([2., 0., 1.])
    >>> comparable_weights(np.array([5e-324, 1e-323]), "sample_weight")
    array([0.25, 0.5 ])
    """
    largest, smallest = float(weight.max()), float(weight[weight > 0].min())
    if not 1.0 / MODERATE < largest < MODERATE:
        exponent = -int(np.frexp(largest)[1])
        weight, smallest = np.ldexp(weight, exponent), float(np.ldexp(smallest, exponent))
    total = float(weight.sum())
    if smallest < total * np.finfo(np.float64).eps:
        raise ValueError(
            f"{name} is too uneven: the smallest positive weight is {smallest / total:.1e} of the sum of all, and lost "
            "when they are added in double precision. Give rows that shall not count the weight 0, or cut weights off"
        )
    return weight


def class_weights(class_weight: Any, classes: NDArray[Any], codes: Ints, weight: Floats) -> Floats:
    """What the weights of the rows of every class are multiplied by.

    "balanced" gives every class the same total weight, counting a row as often as its own weight says.

    >>> class_weights("balanced", np.array(["a", "b"]), np.array([0, 0, 0, 1]), np.ones(4))
    array([0.66666667, 2.        ])
    """
    if class_weight is None:
        return np.ones(len(classes))
    factors = comparable_weights(_factors(class_weight, classes, codes, weight), "class_weight")
    comparable_weights(weight * factors[codes], "class_weight times sample_weight")
    return factors


def _factors(class_weight: Any, classes: NDArray[Any], codes: Ints, weight: Floats) -> Floats:
    """The factors of the classes, before it is known whether all weights go together."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(codes, weight, len(classes))
        return totals.sum() / (len(classes) * totals)
    if not isinstance(class_weight, dict):
        raise ValueError(f"class_weight={class_weight!r} is unknown; expected a dict, 'balanced' or None")
    unknown = [label for label in class_weight if label not in set(classes.tolist())]
    if unknown:
        raise ValueError(f"class_weight names {unknown}, which are not among the classes {classes.tolist()}")
    from sklearn.utils.class_weight import compute_class_weight

    # scikit-learn reads the dict: labels left out weigh 1, as in its own classifiers.
    factors = np.asarray(compute_class_weight(class_weight, classes=classes, y=classes[codes]), dtype=np.float64)
    if not (np.isfinite(factors).all() and (factors > 0).all()):
        raise ValueError(f"class_weight={class_weight!r} must hold positive numbers; leave rows out to ignore a class")
    return factors
