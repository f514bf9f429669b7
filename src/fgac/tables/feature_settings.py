"""What the user says about single features: their weights and their directions, one entry per column."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Floats


def feature_weights_of(feature_weights: Any, names: list[str]) -> Floats:
    """One finite number >= 0 per column, not all 0, given in their order or by their names; 1 where none is given.

    >>> feature_weights_of({"age": 2.0}, ["income", "age"])
    array([1., 2.])
    """
    n, given = len(names), _in_column_order(feature_weights, names)
    if given is None:
        return np.ones(n)
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"feature_weights={given!r} must hold one number per column ({n}), or be 'learned'") from error
    if weights.shape != (n,):
        raise ValueError(f"feature_weights must hold one number per column ({n}), got shape {weights.shape}")
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise ValueError(f"feature_weights must be finite, >= 0 and not all 0, got {weights.tolist()}")
    return weights


def _in_column_order(feature_weights: Any, names: list[str]) -> Any:
    """Weights given by names in the order of the columns; anything else as it is."""
    if not hasattr(feature_weights, "keys"):
        return feature_weights
    if list(feature_weights.keys()) == list(range(len(names))):  # a Series that names positions
        return [feature_weights[position] for position in range(len(names))]
    given = {str(name): feature_weights[name] for name in feature_weights.keys()}  # noqa: SIM118 (a pandas Series)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(f"feature_weights names {unknown}, which are not columns of X: {names}")
    return [given.get(name, 1.0) for name in names]


def directions_of(monotonic_cst: Any, names: list[str], is_categorical: list[bool]) -> list[int]:
    """1, 0 or -1 for every column, given in their order, or by their names or positions.

    >>> directions_of({"debt": -1}, ["income", "debt"], [False, False])
    [0, -1]
    """
    if monotonic_cst is None:
        return [0] * len(names)
    given = _by_column(monotonic_cst, names) if hasattr(monotonic_cst, "keys") else list(monotonic_cst)
    if len(given) != len(names):
        raise ValueError(f"monotonic_cst has shape ({len(given)},) but the input data X has {len(names)} features.")
    wrong = [value for value in given if isinstance(value, str) or value not in (-1, 0, 1)]
    if wrong:
        raise ValueError(
            f"monotonic_cst holds {wrong[0]!r}; must be 1 (more speaks for the higher class or number), -1 (less does) "
            "or 0, for every column or by name, as in {'income': 1}"
        )
    for name, is_name, direction in zip(names, is_categorical, given, strict=True):
        if is_name and direction:
            raise ValueError(
                f"monotonic_cst={int(direction)} for column {name!r}, which is nominal: names have no order. Convert "
                "it to numbers, or leave it out of monotonic_cst"
            )
    return [int(direction) for direction in given]


def _by_column(given: Any, names: list[str]) -> list[Any]:
    """Values given by names or positions of columns; 0 for those that are not named."""
    chosen = [0] * len(names)
    for key in given.keys():  # noqa: SIM118 (a pandas Series)
        place = key if isinstance(key, int | np.integer) else names.index(str(key)) if str(key) in names else -1
        if not 0 <= place < len(names):
            raise ValueError(f"monotonic_cst names {key!r}, which is no column of X; expected some of {names}")
        chosen[place] = given[key]
    return chosen
