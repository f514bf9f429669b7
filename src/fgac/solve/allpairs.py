"""All pairs of a group of rows, searched in blocks for those that are nearly tight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from fgac.distances import Floats, Ints, Metric, Rows
from fgac.solve.search import Group
from fgac.tiles import in_threads, one_blas_thread, spans, tile_area

# Distances of problems up to this size (64 MB) are kept between searches.
KEEP = 8_000_000
# Pairs per row beyond which a limit is too low to be of use.
MOST = 64


class Near(NamedTuple):
    """Pairs that are nearly tight: positions of tails and heads in their group, distances, and how much violated."""

    tail: Ints
    head: Ints
    distance: Floats
    violation: Floats

    def where(self, chosen: Any) -> Near:
        """Some of the pairs."""
        return Near(*(column[chosen] for column in self))


class Spread(NamedTuple):
    """A gamma, and the most that tails and the least that heads may be there, one number per node."""

    gamma: float
    high: Floats
    low: Floats


class AllPairs:
    """The pairs of a group of rows, with the distances kept where there is room for them."""

    def __init__(self, rows: Rows, metric: Metric, group: Group, n_jobs: int | None = None) -> None:
        self.group, self.metric, self.n_jobs = group, metric, n_jobs
        self.tails, self.heads = rows[group.tail_rows], rows[group.head_rows]
        n, m = len(self.tails), len(self.heads)
        self.kept: dict[int, Floats] | None = {} if n * m <= KEEP else None
        self.blocks = spans(n, max(1, (4 if n * m <= KEEP else 1) * tile_area(metric, n_jobs) // m)) if m else []

    def steepest(self, values: Floats) -> float:
        """The largest gamma at which a pair of different places is tight, 0 if there is none."""
        high, low = values[self.group.tail_nodes], values[self.group.head_nodes]

        def steepest(distances: Floats, block: slice) -> float:
            rises = high[block, None] - low
            apart = (distances > 0) & (rises > 0)
            return float(np.divide(rises, distances, out=np.zeros_like(distances), where=apart).max(initial=0.0))

        return max(self._each_block(steepest), default=0.0)

    def near(self, one: Spread, other: Spread, limit: float) -> Near:
        """Pairs violated by more than ``limit`` in one of two situations.

        More than ``MOST`` pairs per row of a block show that the limit is too low; it is raised there, but not above 0.
        """
        from fgac.kernels.path import near_pairs

        tails, heads = self.group.tail_nodes, self.group.head_nodes
        high0, high1, low0, low1 = one.high[tails], other.high[tails], one.low[heads], other.low[heads]

        def find(distances: Floats, block: slice) -> Near:
            bar, room = limit, 16 * (block.stop - block.start)
            most = max(MOST * (block.stop - block.start), room)
            while True:
                i, j, value = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
                found = near_pairs(
                    distances, high0[block], high1[block], low0, low1, one.gamma, other.gamma, bar, i, j, value
                )
                if found <= room:
                    i, j = i[:found], j[:found]
                    return Near(i + block.start, j, distances[i, j], value[:found])
                if found <= most or bar == 0:
                    room = found
                else:
                    bar = bar / 4 if bar < -1e-9 else 0.0

        found = self._each_block(find)
        return Near(*(np.concatenate(column) for column in zip(*found, strict=True))) if found else NOTHING

    def _each_block(self, task: Callable[[Floats, slice], Any]) -> list[Any]:
        """What a function of distances and a block of tails makes of every block, in their order."""
        results: dict[int, Any] = {}

        def run(block: slice) -> None:
            results[block.start] = task(self._distances(block), block)

        with one_blas_thread():
            in_threads(run, self.blocks, self.n_jobs, len(self.tails) * len(self.heads))
        return [results[block.start] for block in self.blocks]

    def _distances(self, block: slice) -> Floats:
        """Distances of some tails to all heads; infinite between rows of one label."""
        if self.kept is not None and block.start in self.kept:
            return self.kept[block.start]
        out = np.empty((block.stop - block.start, len(self.heads)))
        self.metric.block(self.tails[block], self.heads, out)
        labels = self.group.labels
        if labels is not None:
            from fgac.kernels.envelope import forbid_equal

            forbid_equal(out, labels[self.group.tail_rows[block]], labels[self.group.head_rows])
        if self.kept is not None:
            self.kept[block.start] = out
        return out


NOTHING = Near(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))
