"""Walk over a matrix of distances tile by tile, in threads, without ever holding it whole."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.metrics.distances import Metric, Precomputed, Rows

# scikit-learn's default, in MiB.
DEFAULT_MEMORY = 1024
# Where memory suffices for the tiles of this many threads, their number, which takes time to find, need not be known.
MANY_THREADS = 256
# Distances that make it worthwhile to start one more thread: some milliseconds.
SHARE = 2_000_000


def tile_area(metric: Metric, n_jobs: int | None) -> int:
    """Distances in one tile: what the metric likes, all threads together within scikit-learn's ``working_memory``."""
    liked = metric.tile[0] * metric.tile[1]
    budget = working_memory() // 8
    return liked if liked * MANY_THREADS <= budget else max(1, min(liked, budget // _n_threads(n_jobs)))


def tile_shape(metric: Metric, n_jobs: int | None) -> tuple[int, int]:
    """Rows and columns of one tile: as wide as the metric likes, if the area allows."""
    area = tile_area(metric, n_jobs)
    width = min(metric.tile[1], area)
    return area // width, width


def rows_per_block(n: int) -> int:
    """Rows of n numbers to hold at once where a few such blocks must fit into scikit-learn's ``working_memory``."""
    return max(1, working_memory() // (8 * 16 * n))


def working_memory() -> int:
    """scikit-learn's ``working_memory`` in bytes."""
    if "sklearn" not in sys.modules:
        # Nobody can have set it in this process, and importing scikit-learn takes longer than a small prediction.
        return int(os.environ.get("SKLEARN_WORKING_MEMORY", DEFAULT_MEMORY)) * 2**20
    from sklearn import get_config

    return int(get_config()["working_memory"] * 2**20)


def _n_threads(n_jobs: int | None) -> int:
    """The number of threads that ``n_jobs`` stands for."""
    from joblib import effective_n_jobs

    n_threads: int = effective_n_jobs(n_jobs)
    return n_threads


def spans(n: int, size: int) -> list[slice]:
    """Cut ``range(n)`` into slices of ``size``.

    >>> spans(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(i, min(i + size, n)) for i in range(0, n, size)]


def row_of_tiles(metric: Metric, left: Rows, right: Rows, width: int) -> Iterator[tuple[int, Floats]]:
    """Yield ``(first column, distances)`` for every tile between ``left`` and all of ``right``.

    The array is overwritten by the next tile, and not to be written to: it may be the caller's own matrix.
    """
    ready = metric.ready(left, right) if isinstance(metric, Precomputed) and len(right) <= width else None
    if ready is not None:
        yield 0, ready
        return
    # Narrower tiles at the end use the front of the same buffer, so that every tile is contiguous.
    buffer = np.empty(len(left) * min(width, len(right)))
    for columns in spans(len(right), width):
        part = right[columns]
        distances = buffer[: len(left) * len(part)].reshape(len(left), len(part))
        metric.block(left, part, distances)
        yield columns.start, distances


@cache
def _blas() -> Any:
    """The linear algebra libraries of this process (the one that numba calls among them)."""
    import scipy.linalg.cython_blas  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[Any]:
    """Keep every matrix product within the thread that computes it: threads are put around the tiles, not inside."""
    return _blas().limit(limits=1, user_api="blas")


def in_threads(task: Callable[[Any], None], items: Iterable[Any], n_jobs: int | None, work: int) -> None:
    """Run the task on every item in ``n_jobs`` threads.

    ``work`` is the number of distances that all tasks compute together; a little work is done without threads.
    """
    items = list(items)
    # Asking for the number of cores takes longer than a little work.
    workers = 1 if work < SHARE else min(_n_threads(n_jobs), len(items), 1 + work // SHARE)
    if workers <= 1:
        for item in items:
            task(item)
        return
    with ThreadPoolExecutor(workers) as pool:
        # Results are taken so that an exception of a task is raised here.
        for _ in pool.map(task, items):
            pass


def aligned(shape: tuple[int, ...], kind: Any = np.float32) -> Any:
    """An array of zeros that starts where a line of the cache does, so that no vector straddles two.

    >>> aligned((2, 3)).ctypes.data % 64
    0
    """
    size, item = int(np.prod(shape)), np.dtype(kind).itemsize
    room = np.zeros(size + 64 // item, dtype=kind)
    start = -room.ctypes.data % 64 // item
    return room[start : start + size].reshape(shape)
