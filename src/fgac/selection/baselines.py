"""Nearest neighbours as a baseline: the same distances, and no model."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.estimators._base import read_rows
from fgac.estimators._state import state_of
from fgac.metrics.angular import directions
from fgac.metrics.distances import UNKNOWN, Rows
from fgac.tables.frames import take_rows

N_NEIGHBOURS = 5

# What a nominal coordinate is multiplied by so that two different categories, each in a coordinate of its own, are
# one mismatch apart.
ONE_HOT = {"euclidean": math.sqrt(0.5), "manhattan": 0.5, "chebyshev": 1.0, "learned": 0.5, "angular": 0.0}
# What scikit-learn calls metrics that have another name here, or that have the same nearest rows.
NEIGHBOURS_METRIC = {"learned": "manhattan", "angular": "euclidean"}


def check_metric(metric: Any) -> None:
    """Refuse distances that scikit-learn's neighbours cannot compute from coordinates."""
    if not (isinstance(metric, str) and metric in ONE_HOT):
        names = ", ".join(map(repr, ONE_HOT))
        raise ValueError(f"metric={metric!r} cannot be compared with nearest neighbours; expected one of {names}")


def nearest_neighbours(model: Any, X: Any, y: NDArray[Any], train: Ints, test: Ints, kind: Any) -> NDArray[Any]:
    """Predictions of the nearest neighbours, for the distances of a trained model."""
    table = state_of(model).table
    known, new = (read_rows(table, take_rows(X, part))[0].without_direction() for part in (train, test))
    sizes = known.codes.max(axis=0, initial=-1) + 1
    neighbours = kind(min(N_NEIGHBOURS, len(train)), metric=NEIGHBOURS_METRIC.get(model.metric, model.metric))
    neighbours.fit(coordinates(known, sizes, model.metric), y[train])
    predicted: NDArray[Any] = neighbours.predict(coordinates(new, sizes, model.metric))
    return predicted


def coordinates(rows: Rows, sizes: NDArray[Any], metric: str) -> Floats:
    """Rows as points of a plain space with the same distances; ``sizes`` are the numbers of categories.

    The first coordinate of a nominal column is for categories that training did not see. Of angles, the order of
    distances is the same: points of a sphere are the nearer, the smaller their angle.

    >>> rows = Rows(np.array([[0.3], [0.3]]), np.array([[0], [-1]], dtype=np.int32), np.array([1.0]))
    >>> coordinates(rows, np.array([2]), "manhattan")
    array([[0.3, 0. , 0.5, 0. ],
           [0.3, 0.5, 0. , 0. ]])
    """
    parts = [with_nothing(directions(rows.numeric)) if metric == "angular" else rows.numeric]
    # An unknown category is the origin, which is half a mismatch from all others; of coordinates of which only the
    # largest difference counts, the point halfway.
    between = 0.5 if metric == "chebyshev" else 0.0
    for codes, size, mismatch in zip(rows.codes.T, sizes, rows.mismatch, strict=True):
        one_hot = np.vstack([np.eye(size + 1), np.full(size + 1, between)])
        parts.append(one_hot[np.where(codes == UNKNOWN, size + 1, codes + 1)] * (mismatch * ONE_HOT[metric]))
    return np.hstack(parts)


def with_nothing(units: Floats) -> Floats:
    """Directions, with one more for rows that have none, which is perpendicular to all others."""
    return np.column_stack([units, ~units.any(axis=1)])
