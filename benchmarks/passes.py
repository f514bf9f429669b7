"""One pass over all distances between two classes, in two ways: the yardsticks of a fit at scale.

Both are called on the embedded rows (``problems.py``), so neither has to read or scale a table, and on all cores.
"""

from __future__ import annotations

from collections.abc import Callable

from fgac.metrics.distances import Euclidean, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_shape
from fit import distance_pass, seconds
from problems import Dataset

Pass = Callable[[Dataset], None]


def plain_pass(dataset: Dataset) -> None:
    """Compute every distance between the first class and the rest in float64, tile by tile, and do nothing with it.

    Tiles and threads are those of our own library, so that the ratio says how often a fit walks over all distances.
    """
    own, rest = (Rows.from_numeric(dataset.rows[part]) for part in (dataset.labels == 0, dataset.labels != 0))
    metric = Euclidean()
    height, width = tile_shape(metric, -1)

    def task(span: slice) -> None:
        for _ in row_of_tiles(metric, own[span], rest, width):
            pass

    with one_blas_thread():
        in_threads(task, spans(len(own), height), -1, len(own) * len(rest))


PASSES: dict[str, Pass] = {"argmin": distance_pass, "plain": plain_pass}


def least_seconds(dataset: Dataset) -> dict[str, float]:
    """Return the fastest call of each pass: at least two, more of short ones, the passes in turn."""
    found: dict[str, list[float]] = {name: [] for name in PASSES}
    turns = 0
    while turns < 2 or (turns < 50 and sum(map(sum, found.values())) < 2.0):
        for name, times in found.items():
            times.append(seconds(lambda call=PASSES[name]: call(dataset)))
        turns += 1
    return {name: min(times) for name, times in found.items()}
