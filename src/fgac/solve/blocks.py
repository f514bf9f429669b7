"""The distances of all pairs of a group of rows, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from fgac.distances import Floats, Ints, Metric, Rows
from fgac.solve.constraints import NDArrayBool
from fgac.tiles import in_threads, spans, tile_shape

# Distances of groups up to this size (64 MB) are kept between searches, in blocks of this many.
KEEP = 8_000_000
KEPT_BLOCK = 500_000


class Group(NamedTuple):
    """All pairs of a set of tails and a set of heads: row numbers, and the nodes that stand for these rows.

    With ``labels``, one per row of the table, only rows of different labels form a pair.
    """

    tail_rows: Ints
    tail_nodes: Ints
    head_rows: Ints
    head_nodes: Ints
    labels: Ints | None = None

    def among(self, stays: NDArrayBool) -> Group:
        """The pairs between rows marked by a mask over all rows."""
        tails, heads = stays[self.tail_rows], stays[self.head_rows]
        return self._replace(
            tail_rows=self.tail_rows[tails],
            tail_nodes=self.tail_nodes[tails],
            head_rows=self.head_rows[heads],
            head_nodes=self.head_nodes[heads],
        )


class Blocks:
    """The distances of a group; small ones are kept once they are known."""

    def __init__(self, rows: Rows, metric: Metric, group: Group, n_jobs: int | None = None) -> None:
        self.rows, self.metric, self.group, self.n_jobs = rows, metric, group, n_jobs
        self.tails, self.heads = rows[group.tail_rows], rows[group.head_rows]
        n, m = len(self.tails), len(self.heads)
        self.labels = None if group.labels is None else (group.labels[group.tail_rows], group.labels[group.head_rows])
        self.kept: dict[tuple[int, int], Floats] | None = {} if n * m <= KEEP else None
        height, width = tile_shape(metric, n_jobs) if self.kept is None else (max(1, KEPT_BLOCK // max(1, m)), m)
        self.height, self.column_spans = height, spans(m, max(1, width))

    def each(self, task: Callable[[Floats, slice, slice], Any]) -> list[Any]:
        """What a function of distances, their tails and their heads makes of every block, in order."""
        results: dict[int, list[Any]] = {}

        def run(rows: slice) -> None:
            results[rows.start] = [task(distances, *place) for *place, distances in self.within(rows)]

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
            from fgac.kernels.search import forbid_equal

            forbid_equal(out, self.labels[0][rows], self.labels[1][columns])
        if self.kept is not None:
            self.kept[place] = out
        return out
