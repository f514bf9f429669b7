"""What the explainers of all kinds of models share."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac.tables.labels import is_missing, plain_name

if TYPE_CHECKING:
    pass


# Distances that a float cannot hold are told as the largest that it can.
FARTHEST = float(np.finfo(np.float64).max)
# Training rows that the explanations' audit tells of.
N_SUSPECTS = 10


def check_alike(alike: Any) -> None:
    """Refuse anything but a similarity that rows can have."""
    if isinstance(alike, bool) or not isinstance(alike, Real) or not 0 < float(alike) <= 1:
        raise ValueError(f"alike={alike!r} must be a similarity in (0, 1]; 1 tells only equal rows as one argument")


def check_truths(y: Any, n: int) -> list[Any]:
    """One known class per explained row; None where it is not known."""
    if y is None:
        return [None] * n
    labels = list(y)
    if len(labels) != n:
        raise ValueError(f"y must hold one label per explained row: X has {n} rows, got {len(labels)} labels")
    return [None if is_missing(label) else plain_name(label) for label in labels]


def check_units(units: Mapping[str, str] | None, names: tuple[str, ...]) -> Mapping[str, str]:
    """Units of columns that there are."""
    unknown = [name for name in units or {} if name not in names]
    if unknown:
        raise ValueError(f"units names {unknown}, which are not columns of the model: {list(names)}")
    return units or {}
