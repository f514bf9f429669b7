"""The one query of the whole library: the upper envelope of envelope.

For a point x and rows v with values, ask for::

    max over v of   value_v - gamma * d(x, v)

and for the v where it is attained. Lower bounds of a class, upper bounds (with
the sign turned), arguments for and against and the most violated constraint of
training are all this query (:mod:`fgac.granular.membership`, :mod:`fgac.solve.pricing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_shape
from fgac.query.leaves import Ask, may_pay, search


class Question(NamedTuple):
    """One value per row, and segments ``starts[i]:starts[i + 1]`` of rows; ``-inf`` leaves a row out."""

    values: Floats
    starts: Ints


@dataclass(frozen=True)
class Envelope:
    """Cones of slope ``gamma`` that stand on ``rows``.

    >>> from fgac.metrics.distances import Euclidean
    >>> envelope = Envelope(Rows.from_numeric([[0.0], [4.0]]), Euclidean(), gamma=0.5)
    >>> value, row = envelope.maxima(Rows.from_numeric([[1.0]]), [envelope.question(np.array([1.0, 0.0]))])
    >>> float(value[0, 0]), int(row[0, 0])
    (0.5, 0)
    """

    rows: Rows
    metric: Metric
    gamma: float
    n_jobs: int | None = None

    def question(self, values: Floats) -> Question:
        """Ask for the maximum over all rows."""
        return Question(values, np.array([0, len(self.rows)]))

    def maxima(self, queries: Rows, questions: Sequence[Question], *, within: float = np.inf) -> tuple[Floats, Ints]:
        """Answer several questions in one walk over the distances, or over those that may matter.

        Parameters
        ----------
        queries : Rows
            The points x.
        questions : list of Question
            Each gives every row a value, and cuts the rows into segments with a maximum of their own.
        within : float, default=inf
            Maxima that are further below the largest one of a query need not be right; they may come out lower.

        Returns
        -------
        best, where : (len(queries), number of all segments) arrays
            Maxima and the rows that attain them (``-inf`` and -1 for an empty segment).
        """
        from fgac._kernels.envelope import segment_max

        found = self._maxima_in_leaves(queries, questions, within)
        if found is not None:
            return found
        ends = np.cumsum([len(q.starts) - 1 for q in questions])
        parts = [slice(end - len(q.starts) + 1, end) for q, end in zip(questions, ends, strict=True)]
        best = np.full((len(queries), ends[-1]), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            for q, part in zip(questions, parts, strict=True):
                segment_max(distances, q.values, self.gamma, q.starts, first, best[span, part], where[span, part])

        self._each_tile(queries, reduce)
        return best, where

    def heights(self, queries: Rows, questions: Sequence[Question]) -> Floats:
        """The same maxima, without the rows that attain them: faster where there are many questions."""
        from fgac._kernels.envelope import stacked_max

        found = self._maxima_in_leaves(queries, questions, np.inf)
        if found is not None:
            return found[0]
        values = np.concatenate([_in_segments(question) for question in questions])
        best = np.full((len(queries), len(values)), -np.inf)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            stacked_max(distances, values, self.gamma, first, best[span])

        self._each_tile(queries, reduce)
        return best

    def top(self, queries: Rows, values: Floats, k: int) -> tuple[Floats, Ints]:
        """The ``k`` largest values of each query in falling order, and their rows (-1 where there are fewer)."""
        from fgac._kernels.envelope import top

        found = self._top_in_leaves(queries, values, k)
        if found is not None:
            return found
        best = np.full((len(queries), k), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            top(distances, values, self.gamma, first, best[span], where[span])

        self._each_tile(queries, reduce)
        return best, where

    def _maxima_in_leaves(
        self, queries: Rows, questions: Sequence[Question], within: float
    ) -> tuple[Floats, Ints] | None:
        """Maxima where leaves pay; a segment of leaves is what no question cuts."""
        metric = self.metric
        cuts = np.unique(np.concatenate([q.starts for q in questions]))
        if self.rows.ordered is not None or not may_pay(metric, int(cuts[-1] - cuts[0]), len(queries)):
            return None
        segments = [np.arange(*pair) for pair in pairwise(cuts)]
        places = [np.searchsorted(cuts, q.starts).tolist() for q in questions]
        asks = [Ask(question, *pair) for question, place in enumerate(places) for pair in pairwise(place)]
        values = np.stack([q.values for q in questions])
        found = search(
            self.rows, metric, self.gamma, queries, values, segments, asks, within=within, n_jobs=self.n_jobs
        )
        return None if found is None else (found[0][:, :, 0], found[1][:, :, 0])

    def _top_in_leaves(self, queries: Rows, values: Floats, k: int) -> tuple[Floats, Ints] | None:
        """The largest values where leaves pay; rows that are left out need no leaves."""
        metric = self.metric
        rows = np.flatnonzero(values > -np.inf)
        if self.rows.ordered is not None or not may_pay(metric, len(rows), len(queries)):
            return None
        found = search(
            self.rows, metric, self.gamma, queries, values[None], [rows], [Ask(0, 0, 1)], k=k, n_jobs=self.n_jobs
        )
        return None if found is None else (found[0][:, 0], found[1][:, 0])

    def _each_tile(self, queries: Rows, reduce: Callable[[slice, int, Floats], None]) -> None:
        height, width = tile_shape(self.metric, self.n_jobs)

        def task(span: slice) -> None:
            for first, distances in row_of_tiles(self.metric, queries[span], self.rows, width):
                reduce(span, first, distances)

        with one_blas_thread():
            in_threads(task, spans(len(queries), height), self.n_jobs, len(queries) * len(self.rows))


def _in_segments(question: Question) -> Floats:
    """One row of values per segment, minus infinity outside of it.

    >>> _in_segments(Question(np.array([0.1, 0.2, 0.3]), np.array([0, 2, 3])))
    array([[ 0.1,  0.2, -inf],
           [-inf, -inf,  0.3]])
    """
    place = np.arange(len(question.values))
    inside = (question.starts[:-1, None] <= place) & (place < question.starts[1:, None])
    return np.where(inside, question.values, -np.inf)
