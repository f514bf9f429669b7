"""The one query of the whole library: the upper envelope of cones.

For a point x and rows v with values, ask for::

    max over v of   value_v - gamma * d(x, v)

and for the v where it is attained. Lower bounds of a class, upper bounds (with
the sign turned), arguments for and against and the most violated constraint of
training are all this query (:mod:`fgac.membership`, :mod:`fgac.solve.search`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fgac.distances import Floats, Ints, Metric, Rows
from fgac.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_shape


class Question(NamedTuple):
    """One value per row, and segments ``starts[i]:starts[i + 1]`` of rows; ``-inf`` leaves a row out."""

    values: Floats
    starts: Ints


@dataclass(frozen=True)
class Envelope:
    """Cones of slope ``gamma`` that stand on ``rows``.

    >>> from fgac.distances import Euclidean
    >>> cones = Envelope(Rows.from_numeric([[0.0], [4.0]]), Euclidean(), gamma=0.5)
    >>> value, row = cones.maxima(Rows.from_numeric([[1.0]]), [cones.question(np.array([1.0, 0.0]))])
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

    def maxima(self, queries: Rows, questions: Sequence[Question]) -> tuple[Floats, Ints]:
        """Answer several questions in one walk over the distances.

        Parameters
        ----------
        queries : Rows
            The points x.
        questions : list of Question
            Each gives every row a value, and cuts the rows into segments with a maximum of their own.

        Returns
        -------
        best, where : (len(queries), number of all segments) arrays
            Maxima and the rows that attain them (``-inf`` and -1 for an empty segment).
        """
        from fgac.kernels.envelope import segment_max

        ends = np.cumsum([len(q.starts) - 1 for q in questions])
        parts = [slice(end - len(q.starts) + 1, end) for q, end in zip(questions, ends, strict=True)]
        best = np.full((len(queries), ends[-1]), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            for q, part in zip(questions, parts, strict=True):
                segment_max(distances, q.values, self.gamma, q.starts, first, best[span, part], where[span, part])

        self._each_tile(queries, reduce)
        return best, where

    def top(self, queries: Rows, values: Floats, k: int) -> tuple[Floats, Ints]:
        """The ``k`` largest values of each query in falling order, and their rows (-1 where there are fewer)."""
        from fgac.kernels.envelope import top

        best = np.full((len(queries), k), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)

        def reduce(span: slice, first: int, distances: Floats) -> None:
            top(distances, values, self.gamma, first, best[span], where[span])

        self._each_tile(queries, reduce)
        return best, where

    def _each_tile(self, queries: Rows, reduce: Callable[[slice, int, Floats], None]) -> None:
        height, width = tile_shape(self.metric, self.n_jobs)

        def task(span: slice) -> None:
            for first, distances in row_of_tiles(self.metric, queries[span], self.rows, width):
                reduce(span, first, distances)

        with one_blas_thread():
            in_threads(task, spans(len(queries), height), self.n_jobs, len(queries) * len(self.rows))
