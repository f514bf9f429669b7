"""The paper's approximation: constraints with the nearest rows only.

Exact training needs it no longer; it is here to reproduce published results. The M nearest rows of a row can be counted
in two ways (``AMONG``): among the *others*, those that can constrain it, so that M constraints remain; or, as the text
of the paper has it, among *all* rows, also where a constraint with them says nothing, as with the row itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._tolerances import EQUAL_DISTANCE_TOL, WHOLE_PLACES_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.tiles import one_blas_thread, rows_per_block, spans

AMONG = ("others", "all")


def nearest_pairs(
    rows: Rows, metric: Metric, times: Floats, wanted: float, labels: Ints | None = None, among: str = "others"
) -> tuple[Ints, Ints, Floats]:
    """Pairs (u, v) in which v is among the ``wanted`` nearest rows of u, and their distances.

    Rows count as often as ``times`` says, so that a row that stands twice fills two places. All rows at the distance
    of the last place are taken: the choice does not depend on the order of rows. With ``labels`` only pairs of
    different labels are returned, without them all pairs of different rows. ``among`` says who fills places: "others",
    only rows that can form a pair with u, or "all" rows, u itself and rows of its own label included.
    """
    n = len(rows)
    found: list[tuple[Ints, Ints, Floats]] = []
    with one_blas_thread():
        for span in spans(n, rows_per_block(n)):
            distances = np.empty((span.stop - span.start, n))
            metric.block(rows[span], rows, distances)
            pairs = _pairs(span, n, labels)
            counted = np.where(pairs, distances, np.inf) if among == "others" else distances
            u, v = np.nonzero(near_enough(counted, times, wanted) & pairs)
            found.append((u + span.start, v, distances[u, v]))
    u, v, d = (np.concatenate(column) for column in zip(*found, strict=True))
    return u, v, d


def _pairs(span: slice, n: int, labels: Ints | None) -> Bools:
    """Which of some rows form a pair with which of all: those of other labels, or those that are not the row itself."""
    if labels is None:
        labels = np.arange(n)
    different: Bools = labels[span][:, None] != labels[None, :]
    return different


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

    A product that misses a whole number by rounding is that number: 0.29 times 100 is 28.999999999999996.

    >>> places(5, 100.0), places(0.02, 120.0), places(0.29, 100.0)
    (5, 2, 29)
    """
    if isinstance(n_neighbors, float):
        return max(1, int(n_neighbors * total * (1 + WHOLE_PLACES_TOL)))
    return int(n_neighbors)


def check_neighbors(n_neighbors: Any) -> None:
    """Refuse anything but a number of rows, a fraction of them, or None."""
    whole = isinstance(n_neighbors, int | np.integer) and not isinstance(n_neighbors, bool) and n_neighbors >= 1
    part = isinstance(n_neighbors, float) and 0 < n_neighbors <= 1
    if not (n_neighbors is None or whole or part):
        raise ValueError(f"n_neighbors={n_neighbors!r} must be a whole number >= 1, a fraction in (0, 1] or None")
