"""All pairs of a group of rows: their distances block by block, and those that are nearly tight.

A :class:`Group` says which rows form pairs, :class:`Blocks` walks over their distances without ever holding those of a
large group, and :class:`AllPairs` searches them for the gamma path (:mod:`fgac.solve.path_walk`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from fgac._tolerances import NEAR_PAIR_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import LARGEST, Metric, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, spans, tile_shape

# Distances of groups up to this size (64 MB) are kept between searches, in blocks of this many.
MOST_KEPT = 8_000_000
KEPT_BLOCK = 500_000
# With more nearly tight pairs per row of a block, the limit of what is nearly tight is too low to be of use.
MOST_PER_ROW = 64
# Room for nearly tight pairs that a search begins with, per row of a block.
ROOM_PER_ROW = 16


class Group(NamedTuple):
    """All pairs of a set of tails and a set of heads: row numbers, and the nodes that stand for these rows.

    With ``labels``, one per row of the table, only rows of different labels form a pair. A *mirrored* group has the
    same rows as tails and as heads, in the same order; in the solution the values of the two nodes of a row have the
    same sum for every row, so that a search need not tell which of two rows is the tail.

    Examples
    --------
    >>> import numpy as np
    >>> from fgac.solve import Group
    >>> first, second = np.array([0, 1]), np.array([2, 3])
    >>> group = Group(first, first, second, second)
    >>> group.head_nodes
    array([2, 3])
    """

    tail_rows: Ints
    tail_nodes: Ints
    head_rows: Ints
    head_nodes: Ints
    labels: Ints | None = None
    mirrored: bool = False

    def among(self, stays: Bools) -> Group:
        """The pairs between rows marked by a mask over all rows."""
        tails, heads = stays[self.tail_rows], stays[self.head_rows]
        return self._replace(
            tail_rows=self.tail_rows[tails],
            tail_nodes=self.tail_nodes[tails],
            head_rows=self.head_rows[heads],
            head_nodes=self.head_nodes[heads],
        )


class Blocks:
    """The distances of a group; those of a small one are kept once they are known."""

    def __init__(self, rows: Rows, metric: Metric, group: Group, n_jobs: int | None = None) -> None:
        self.rows, self.metric, self.group, self.n_jobs = rows, metric, group, n_jobs
        self.tails, self.heads = rows[group.tail_rows], rows[group.head_rows]
        n, m = len(self.tails), len(self.heads)
        self.labels = None if group.labels is None else (group.labels[group.tail_rows], group.labels[group.head_rows])
        self.kept: dict[tuple[int, int], Floats] | None = {} if n * m <= MOST_KEPT else None
        height, width = tile_shape(metric, n_jobs) if self.kept is None else (max(1, KEPT_BLOCK // max(1, m)), m)
        self.height, self.column_spans = height, spans(m, max(1, width))

    def each(self, task: Callable[[Floats, slice, slice], Any]) -> list[Any]:
        """What a function of distances, their tails and their heads makes of every block, in order."""
        results: dict[int, list[Any]] = {}

        def run(rows: slice) -> None:
            results[rows.start] = [task(distances, *place) for *place, distances in self.within(rows)]

        # Threads finish in any order; results are gathered in the order of the tails.
        rows = spans(len(self.tails), self.height)
        in_threads(run, rows, self.n_jobs, len(self.tails) * len(self.heads))
        return [result for part in rows for result in results[part.start]]

    def within(self, part: slice) -> Iterator[tuple[slice, slice, Floats]]:
        """Tails, heads and distances of every block among some of the tails."""
        for start in range(part.start, part.stop, self.height):
            rows = slice(start, min(start + self.height, part.stop))
            for columns in self.column_spans:
                yield rows, columns, self._distances(rows, columns)

    def _distances(self, rows: slice, columns: slice) -> Floats:
        """Distances between some tails and some heads; infinite between rows of one label."""
        place = rows.start, columns.start
        if self.kept is not None and place in self.kept:
            return self.kept[place]
        out = np.empty((rows.stop - rows.start, columns.stop - columns.start))
        self.metric.block(self.tails[rows], self.heads[columns], out)
        if self.labels is not None:
            from fgac._kernels.pairs import forbid_equal

            forbid_equal(out, self.labels[0][rows], self.labels[1][columns])
        if self.kept is not None:
            self.kept[place] = out
        return out


class NearPairs(NamedTuple):
    """Pairs that are nearly tight: positions of tails and heads in their group, distances, and violations.

    A violation is negative where a pair is not yet tight.
    """

    tail: Ints
    head: Ints
    distance: Floats
    violation: Floats

    def where(self, chosen: Any) -> NearPairs:
        """The pairs chosen by a mask, or by positions."""
        return NearPairs(*(column[chosen] for column in self))

    @staticmethod
    def joined(parts: Sequence[NearPairs]) -> NearPairs:
        """One list of several."""
        return NearPairs(*(np.concatenate(column) for column in zip(*parts, strict=True))) if parts else NO_PAIRS


NO_PAIRS = NearPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))


class ValueRange(NamedTuple):
    """A gamma, and the most that tails and the least that heads may be there, one number per node."""

    gamma: float
    high: Floats
    low: Floats


class AllPairs:
    """The pairs of a group of rows, searched in blocks for those that are tight or nearly tight."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.group = blocks, blocks.group

    def largest_gamma(self, values: Floats) -> float:
        """The largest gamma at which a pair of rows at different places is tight, 0 if there is none."""
        high, low = values[self.group.tail_nodes], values[self.group.head_nodes]

        def steepest(distances: Floats, rows: slice, columns: slice) -> float:
            rises = high[rows, None] - low[columns]
            apart = (distances > 0) & (rises > 0)
            with np.errstate(over="ignore"):
                return float(np.divide(rises, distances, out=np.zeros_like(distances), where=apart).max(initial=0.0))

        with one_blas_thread():
            largest = max(self.blocks.each(steepest), default=0.0)
        if not largest <= LARGEST:
            raise ValueError(
                f"some rows are so near to each other that only a gamma of {largest:.3g} tells them apart, more than "
                f"{LARGEST:.0e}; give distances in another unit, or change scale"
            )
        return largest

    def near(self, one: ValueRange, other: ValueRange, limit: float) -> NearPairs:
        """Pairs violated by more than ``limit`` in one of two ranges, sorted by tail and head.

        More than ``MOST_PER_ROW`` pairs per row of a block show that the limit is too low; it is raised there, but not
        above 0.
        """
        tails, heads = self.group.tail_nodes, self.group.head_nodes
        high, low = (one.high[tails], other.high[tails]), (one.low[heads], other.low[heads])

        def find(distances: Floats, rows: slice, columns: slice) -> NearPairs:
            found = _near_in_block(
                distances,
                (high[0][rows], high[1][rows]),
                (low[0][columns], low[1][columns]),
                (one.gamma, other.gamma),
                limit,
            )
            return found._replace(tail=found.tail + rows.start, head=found.head + columns.start)

        with one_blas_thread():
            parts = self.blocks.each(find)
        near = NearPairs.joined(parts)
        # Blocks that hold all heads of their tails give sorted pairs; narrower ones do not.
        return near if len(self.blocks.column_spans) == 1 else near.where(np.lexsort([near.head, near.tail]))


def _near_in_block(
    distances: Floats,
    high: tuple[Floats, Floats],
    low: tuple[Floats, Floats],
    gammas: tuple[float, float],
    limit: float,
) -> NearPairs:
    """The nearly tight pairs of one block; ``high`` and ``low`` belong to its rows and columns, at two gammas."""
    from fgac._kernels.pairs import near_pairs

    room = ROOM_PER_ROW * len(distances)
    while True:
        i, j, value = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
        found = near_pairs(distances, *high, *low, *gammas, limit, i, j, value)
        if found <= room:
            i, j = i[:found], j[:found]
            return NearPairs(i, j, distances[i, j], value[:found])
        # All pairs were counted, though not all were written: either there must be more room, or fewer pairs.
        if found <= MOST_PER_ROW * len(distances) or limit == 0:
            room = found
        else:
            limit = limit / 4 if limit < -NEAR_PAIR_TOL else 0.0
