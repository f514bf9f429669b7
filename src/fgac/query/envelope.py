"""The one query of the whole library: the upper envelope of values that fall with the distance.

For a point x and rows v with values, ask for::

    max over v of   value_v - gamma * d(x, v)

and for the v where it is attained. Lower bounds of a class, upper bounds (with
the sign turned), arguments for and against and the most violated constraint of
training are all this query (:mod:`fgac.granular.membership`, :mod:`fgac.solve.pricing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

import numpy as np

from fgac._serialize import FieldsOnly
from fgac._typing import Floats, Ints
from fgac.metrics.distances import Coordinates, Metric, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_shape
from fgac.query.index import LeafIndex, build_index
from fgac.query.leaves import Question, Segment, answer, may_pay


class Query(NamedTuple):
    """A value per row (``-inf`` leaves a row out), and the segments of rows with a maximum of their own.

    Segment s holds the rows ``starts[s]:starts[s + 1]``.
    """

    values: Floats
    starts: Ints

    def in_segments(self) -> Floats:
        """One row of values per segment, minus infinity outside of it.

        >>> Query(np.array([0.1, 0.2, 0.3]), np.array([0, 2, 3])).in_segments()
        array([[ 0.1,  0.2, -inf],
               [-inf, -inf,  0.3]])
        """
        row = np.arange(len(self.values))
        inside = (self.starts[:-1, None] <= row) & (row < self.starts[1:, None])
        return np.where(inside, self.values, -np.inf)


@dataclass
class Memory:
    """What an envelope has found out, to answer the next question sooner."""

    asked: int = 0
    index: LeafIndex | None = None
    # Threads that ask about parts of the points share one index.
    lock: Lock = field(default_factory=Lock)


@dataclass(frozen=True)
class Envelope(FieldsOnly):
    """The rows under an envelope, the metric, and the slope ``gamma`` at which values fall with the distance.

    >>> from fgac.metrics.distances import Euclidean
    >>> envelope = Envelope(Rows.from_numeric([[0.0], [4.0]]), Euclidean(), gamma=0.5)
    >>> value, row = envelope.maxima(Rows.from_numeric([[1.0]]), [envelope.query(np.array([1.0, 0.0]))])
    >>> float(value[0, 0]), int(row[0, 0])
    (0.5, 0)
    """

    rows: Rows
    metric: Metric
    gamma: float
    n_jobs: int | None = None

    @cached_property
    def _memory(self) -> Memory:
        return Memory()

    def query(self, values: Floats) -> Query:
        """The query for the maximum over all rows: one segment."""
        return Query(values, np.array([0, len(self.rows)]))

    def maxima(self, points: Rows, queries: Sequence[Query], *, within: float = np.inf) -> tuple[Floats, Ints]:
        """Answer several queries in one walk over the distances, or over those that may matter.

        Parameters
        ----------
        points : Rows
            The points x.
        queries : list of Query
            Each gives every row a value, and cuts the rows into segments with a maximum of their own.
        within : float, default=inf
            Maxima that are further below the largest one of a point need not be right; they may come out lower.

        Returns
        -------
        best, where : (len(points), number of all segments) arrays
            Maxima and the rows that attain them (``-inf`` and -1 for an empty segment).
        """
        from fgac._kernels.envelope import segment_max

        found = self._maxima_in_leaves(points, queries, within)
        if found is not None:
            return found
        # Arrays of its own for every query are contiguous, so that the kernel is compiled for such arrays only.
        bests = [np.full((len(points), len(q.starts) - 1), -np.inf) for q in queries]
        wheres = [np.full(best.shape, -1, dtype=np.int64) for best in bests]

        def reduce(span: slice, first: int, distances: Floats) -> None:
            for q, best, where in zip(queries, bests, wheres, strict=True):
                segment_max(distances, q.values, self.gamma, q.starts, first, best[span], where[span])

        self._each_tile(points, reduce)
        return np.hstack(bests), np.hstack(wheres)

    def heights(self, points: Rows, queries: Sequence[Query]) -> Floats:
        """The maxima alone, without the rows that attain them: faster where there are many queries."""
        from fgac._kernels.envelope import stacked_max

        found = self._maxima_in_leaves(points, queries, np.inf)
        if found is not None:
            return found[0]
        # One line of values per segment: rows outside of it cost nothing, for the kernel skips them.
        values = np.concatenate([query.in_segments() for query in queries])
        best = np.full((len(points), len(values)), -np.inf)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            stacked_max(distances, values, self.gamma, first, best[span])

        self._each_tile(points, reduce)
        return best

    def top(self, points: Rows, values: Floats, k: int) -> tuple[Floats, Ints]:
        """The ``k`` largest values at each point in falling order, and their rows (-1 where there are fewer)."""
        from fgac._kernels.envelope import top

        found = self._top_in_leaves(points, values, k)
        if found is not None:
            return found
        best = np.full((len(points), k), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            top(distances, values, self.gamma, first, best[span], where[span])

        self._each_tile(points, reduce)
        return best, where

    def _maxima_in_leaves(self, points: Rows, queries: Sequence[Query], within: float) -> tuple[Floats, Ints] | None:
        """Maxima by a search in leaves, or None where that does not pay."""
        cuts = np.unique(np.concatenate([q.starts for q in queries]))
        index = self._index(points, queries[0].values, cuts)
        if index is None:
            return None
        segments = [Segment(number, *pair) for number, q in enumerate(queries) for pair in pairwise(q.starts.tolist())]
        question = Question(np.stack([q.values for q in queries]), segments, within=within)
        found = answer(index, points, question, self.n_jobs)
        return None if found is None else (found[0][:, :, 0], found[1][:, :, 0])

    def _top_in_leaves(self, points: Rows, values: Floats, k: int) -> tuple[Floats, Ints] | None:
        """The ``k`` largest values by a search in leaves, or None where that does not pay."""
        index = self._index(points, values, np.array([0, len(values)]))
        if index is None:
            return None
        question = Question(values[None], [Segment(0, 0, len(values))], k=k)
        found = answer(index, points, question, self.n_jobs)
        return None if found is None else (found[0][:, 0], found[1][:, 0])

    def _index(self, points: Rows, values: Floats, cuts: Ints) -> LeafIndex | None:
        """The rows in leaves, none of which straddles a cut; None where they are not worth making, or not yet.

        They are made when so many points have been asked about, one after the other or at once, that comparing these
        with all rows takes as long; until then that is what is done. The answer is the same.
        """
        if self.rows.ordered is not None:
            return None
        with self._memory.lock:
            index = self._memory.index
            if index is not None and np.isin(cuts, index.cuts).all():
                return index
            self._memory.asked += len(points)
            if not may_pay(self.metric, self.rows, self._memory.asked):
                return None
            if index is not None:
                cuts = np.union1d(cuts, index.cuts)
            self._memory.index = build_index(self.rows, self.metric, self.gamma, values, cuts, self.n_jobs)
            return self._memory.index

    def _each_tile(self, points: Rows, reduce: Callable[[slice, int, Floats], None]) -> None:
        """Call ``reduce(points of the tile, its first row, distances)`` for every tile of the matrix of distances.

        A task covers the tiles of some points from the first to the last row, so no two threads write the same line
        of a result, and equal maxima are met in the order of the rows.
        """
        # Sums, no products: a point has the same distances alone and among others, and those that a search computes.
        metric = replace(self.metric, only_sums=True) if isinstance(self.metric, Coordinates) else self.metric
        height, width = tile_shape(metric, self.n_jobs)

        def task(span: slice) -> None:
            for first, distances in row_of_tiles(metric, points[span], self.rows, width):
                reduce(span, first, distances)

        with one_blas_thread():
            in_threads(task, spans(len(points), height), self.n_jobs, len(points) * len(self.rows))
