"""All pairs of a group of rows, searched in blocks for those that are nearly tight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fgac.distances import Floats, Ints
from fgac.solve.blocks import Blocks
from fgac.tiles import one_blas_thread

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

    @staticmethod
    def joined(parts: Sequence[Near]) -> Near:
        """One list of several."""
        return Near(*(np.concatenate(column) for column in zip(*parts, strict=True))) if parts else NOTHING


class Spread(NamedTuple):
    """A gamma, and the most that tails and the least that heads may be there, one number per node."""

    gamma: float
    high: Floats
    low: Floats


class AllPairs:
    """The pairs of a group of rows."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.group = blocks, blocks.group

    def steepest(self, values: Floats) -> float:
        """The largest gamma at which a pair of different places is tight, 0 if there is none."""
        high, low = values[self.group.tail_nodes], values[self.group.head_nodes]

        def steepest(distances: Floats, rows: slice, columns: slice) -> float:
            rises = high[rows, None] - low[columns]
            apart = (distances > 0) & (rises > 0)
            return float(np.divide(rises, distances, out=np.zeros_like(distances), where=apart).max(initial=0.0))

        with one_blas_thread():
            return max(self.blocks.each(steepest), default=0.0)

    def near(self, one: Spread, other: Spread, limit: float) -> Near:
        """Pairs violated by more than ``limit`` in one of two situations, sorted by tail and head.

        More than ``MOST`` pairs per row of a block show that the limit is too low; it is raised there, but not above 0.
        """
        from fgac.kernels.path import near_pairs

        tails, heads = self.group.tail_nodes, self.group.head_nodes
        high0, high1, low0, low1 = one.high[tails], other.high[tails], one.low[heads], other.low[heads]

        def find(distances: Floats, rows: slice, columns: slice) -> Near:
            bar, room = limit, 16 * len(distances)
            while True:
                i, j, value = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
                found = near_pairs(
                    distances, high0[rows], high1[rows], low0[columns], low1[columns], one.gamma, other.gamma,
                    bar, i, j, value,
                )  # fmt: skip
                if found <= room:
                    i, j = i[:found], j[:found]
                    return Near(i + rows.start, j + columns.start, distances[i, j], value[:found])
                if found <= MOST * len(distances) or bar == 0:
                    room = found
                else:
                    bar = bar / 4 if bar < -1e-9 else 0.0

        with one_blas_thread():
            parts = self.blocks.each(find)
        near = Near.joined(parts)
        return near if len(self.blocks.column_spans) == 1 else near.where(np.lexsort([near.head, near.tail]))


NOTHING = Near(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))
