"""The paper's approximation: constraints with the nearest rows only.

Exact training needs it no longer; it is here to reproduce published results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._tolerances import EQUAL_DISTANCE_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.tiles import one_blas_thread, rows_per_block, spans


def nearest_pairs(
    rows: Rows, metric: Metric, times: Floats, wanted: float, labels: Ints | None = None
) -> tuple[Ints, Ints, Floats]:
    """Pairs (u, v) in which v is among the ``wanted`` nearest rows of u, and their distances.

    Rows count as often as ``times`` says, so that a row that stands twice fills two places. All rows at the distance
    of the last place are taken: the choice does not depend on the order of rows. With ``labels`` only rows of other
    labels count.
    """
    n = len(rows)
    found: list[tuple[Ints, Ints, Floats]] = []
    with one_blas_thread():
        for span in spans(n, rows_per_block(n)):
            distances = np.empty((span.stop - span.start, n))
            metric.block(rows[span], rows, distances)
            if labels is None:  # a row is not its own neighbour
                distances[np.arange(span.stop - span.start), np.arange(span.start, span.stop)] = np.inf
            else:
                distances[labels[span][:, None] == labels[None, :]] = np.inf
            u, v = np.nonzero(near_enough(distances, times, wanted) & np.isfinite(distances))
            found.append((u + span.start, v, distances[u, v]))
    u, v, d = (np.concatenate(column) for column in zip(*found, strict=True))
    return u, v, d


def near_enough(distances: Floats, times: Floats, wanted: float) -> Bools:
    """Which columns are among the nearest of each row that fill ``wanted`` places, or as near as the last of them.

    >>> near_enough(np.array([[0.3, 0.1, 0.2, 0.2]]), np.ones(4), 2)
    array([[False,  True,  True,  True]])
    """
    order = np.argsort(distances, axis=1)
    places = np.cumsum(times[order], axis=1)
    # Where there are fewer places than are wanted, all columns are near enough.
    last = np.minimum(np.count_nonzero(places < wanted * (1 - EQUAL_DISTANCE_TOL), axis=1), distances.shape[1] - 1)
    farthest = np.take_along_axis(distances, np.take_along_axis(order, last[:, None], axis=1), axis=1)
    near: Bools = distances <= farthest * (1 + EQUAL_DISTANCE_TOL)
    return near


def places(n_neighbors: Any, total: float) -> int:
    """Number of nearest rows: a whole number as it is, a fraction of all rows rounded down, at least one.

    >>> places(5, 100.0), places(0.02, 120.0)
    (5, 2)
    """
    if isinstance(n_neighbors, float):
        return max(1, int(n_neighbors * total))
    return int(n_neighbors)
