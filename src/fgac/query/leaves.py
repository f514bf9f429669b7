"""The search in leaves: the same query over many rows, most of which bounds in single precision rule out.

Rows that lie together, and have like values, are sorted into *leaves*. For a point x there are two bounds of the
largest ``value_v - gamma * d(x, v)`` among some rows::

    box      their largest value - gamma * (distance from x to their bounding box)
    product  largest value_v - gamma * d(x, v), Euclidean distances taken from a matrix product

Boxes cost one distance per leaf, and those around whole nodes of leaves less; they rule out much where there are few
coordinates, or few that count. Products cost one cheap distance per row and rule out nearly everything. What is left is
compared in single precision, and rows that may win are computed in double precision, so the answer is that of all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import numpy as np

from fgac._kernels.layouts import BLOCKS, LEAF, PER_NODE, SIZE, BoxRoom, ExactRows, LeafPoints, LeafValues, Singles
from fgac._typing import Floats, Ints
from fgac.metrics.distances import NORMS, Coordinates, Metric, Rows
from fgac.metrics.tiles import aligned, in_threads, one_blas_thread, rows_per_block, spans
from fgac.query.index import LeafIndex

# With fewer rows, points or distances than these, preparing costs more than it saves.
MANY_ROWS, MANY_POINTS, MANY_DISTANCES = 4096, 256, 10**7
# A distance of more columns than these counts as several.
MANY_COLUMNS = 16
# Points that are tried first, to see which share of the rows the bounds leave to compare.
TRIED = 64
# Nanoseconds of parts of the work, fixed ones and those per coordinate (measured on one machine; only ratios matter):
# of the boxes of a node, of the rows of a block, of a row in a product, of a row that was opened after a product, of a
# row that is compared in double precision beside all others, and of one that is compared alone.
NODE, BLOCK, PRODUCT, OPENED, COMPARED, EXACT = (15, 4.0), (30, 1.8), (0.33, 0.025), (0.1, 0.05), (0.5, 0.12), (60, 2)
# Points whose bounds are computed at a time: a larger block of bounds would not stay in the cache.
HEIGHT = 128
# Single precision holds steps and values in this range without underflow or overflow of their squares, and codes up
# to this one exactly.
SMALLEST, LARGEST, LARGEST_CODE = 1e-9, 1e15, 2**24
# Below all that a bound can be but minus infinity, which is that of rows that are left out.
LOWEST = -3e38


class Segment(NamedTuple):
    """One segment of a query: the largest values among the rows ``first`` to ``last - 1`` are wanted."""

    query: int
    first: int
    last: int


class Question(NamedTuple):
    """What is asked: ``k`` largest values of each segment, or as many as are within a limit of the largest of all.

    ``values`` has a line for every query, minus infinity where a row is left out.
    """

    values: Floats
    segments: Sequence[Segment]
    k: int = 1
    within: float = np.inf


def answer(index: LeafIndex, points: Rows, question: Question, n_jobs: int | None) -> tuple[Floats, Ints] | None:
    """The ``k`` largest values of every segment and their rows, or None where bounds rule out too little.

    Returns
    -------
    best, where : (len(points), len(segments), k) arrays, or None
        Falling values, and their rows (-1 where there are fewer).
    """
    if not _is_safe(index, points, question):
        return None
    search = Search(index, question, index.arrange(question.values), n_jobs)
    key = question.k, question.within < np.inf
    if key not in index.bounds:
        index.bounds[key] = search.choose(points)
    bounds = index.bounds[key]
    return None if bounds is None else search.run(points, bounds)[:2]


def _is_safe(index: LeafIndex, points: Rows, question: Question) -> bool:
    """Whether single precision can hold all steps, values and codes."""
    finite = question.values[question.values > -np.inf]
    scale = index.reach.max() + index.embedding.embed(points)[1].max(initial=0.0) + np.abs(finite).max(initial=0.0)
    codes = max(index.rows.codes.max(initial=0), points.codes.max(initial=0))
    return bool(SMALLEST <= scale <= LARGEST and codes <= LARGEST_CODE)


@dataclass(frozen=True)
class Search:
    """A question to an index."""

    index: LeafIndex
    question: Question
    values: LeafValues
    n_jobs: int | None

    @property
    def segments(self) -> Ints:
        """Query, first block and end of the blocks of every segment."""
        index = self.index
        first, last = (np.searchsorted(index.cuts, [s[end] for s in self.question.segments]) for end in (1, 2))
        queries = [s.query for s in self.question.segments]
        return np.column_stack([queries, index.starts[first], index.starts[last]]).astype(np.int64)

    def choose(self, points: Rows) -> str | None:
        """The bounds that leave least work, as some of the points tell; None: comparing all rows is less."""
        sample = points[np.linspace(0, len(points) - 1, min(TRIED, len(points))).astype(np.int64)]
        n_rows = SIZE * sum(end - start for _, start, end in self.segments.tolist())
        costs = {None: n_rows * self._price(COMPARED), "box": self.run(sample, "box")[2]}
        if self.index.embedding.metric == "euclidean" and n_rows * self._price(PRODUCT) < costs["box"]:
            costs["product"] = self.run(sample, "product")[2]
        return min(costs, key=lambda bounds: costs[bounds])

    def _price(self, cost: tuple[float, float]) -> float:
        """What one unit of a part of the work costs."""
        fixed, per_coordinate = cost
        return fixed + per_coordinate * self.index.leaves.low.shape[1]

    def run(self, points: Rows, bounds: str) -> tuple[Floats, Ints, float]:
        """The ``k`` largest values of every segment, their rows, and about the nanoseconds that a point takes."""
        from fgac._kernels.leaves import cut

        index, segments = self.index, self.segments
        best = np.full((len(points), len(segments), self.question.k), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)
        order = np.arange(len(points))
        # Points that lie together open the same leaves, which then are in the cache.
        vectors, reach = index.embedding.embed(points)
        cut(vectors, index.weights, LEAF, order)
        slack = index.embedding.rounding(vectors, reach).astype(np.float32)
        rows = ExactRows(index.rows.numeric, index.rows.codes, index.rows.mismatch, self.question.values)
        spent: list[float] = []

        def task(span: slice) -> None:
            part = order[span]
            at = LeafPoints(vectors[part], slack[part], points.numeric[part], points.codes[part])
            some, numbers = best[part], where[part]
            search = self._search_boxes if bounds == "box" else self._search_blocks
            spent.append(search(segments, at, rows, some, numbers))
            best[part], where[part] = some, numbers

        width = index.leaves.node_low.shape[2] if bounds == "box" else self.values.values[:, :, 0].size
        height = min(HEIGHT, rows_per_block(width))
        with one_blas_thread():
            in_threads(task, spans(len(points), height), self.n_jobs, len(points) * len(index.rows))
        return best, where, sum(spent) / max(1, len(points))

    def _search_boxes(self, segments: Ints, at: LeafPoints, rows: ExactRows, best: Floats, where: Ints) -> float:
        """Search by boxes; return the work."""
        from fgac._kernels.boxes import begin_with, excesses, open_nodes

        embedding, leaves, values = self.index.embedding, self.index.leaves, self.values
        n, n_segments = best.shape[:2]
        n_nodes = leaves.node_low.shape[2]
        room = BoxRoom(
            near=aligned((n, n_nodes)),
            floors=np.full((n, n_segments), LOWEST, dtype=np.float32),
            box=aligned((PER_NODE,)),
            steps=aligned((SIZE,)),
            active=np.empty(n_segments, dtype=np.int64),
            listed=np.empty(BLOCKS, dtype=np.int64),
            reached=np.empty(BLOCKS, dtype=np.bool_),
        )

        metric = (0,) * (embedding.kind + 1)

        def visit(visits: Ints) -> Ints:
            shared = (segments, leaves, values, at, rows, room, best, where)
            return np.array(open_nodes(metric, embedding.gamma, self.question.within, visits, *shared))

        first = np.empty((n, n_segments), dtype=np.int64)
        begin_with(metric, at.vectors, segments, leaves, values, room.near, first)
        # Every point begins with one block of every segment, so that it knows good values when it comes to all nodes.
        point, segment = np.nonzero(first >= 0)
        done = visit(np.column_stack([first[point, segment], point, point + 1, segment]))
        excess = np.empty(n_nodes, dtype=np.float32)
        excesses(segments, values, room.near, room.floors, excess)
        order = np.argsort(-excess)
        order = order[excess[order] >= 0]
        # A node stays in the cache while all points that it may matter to look at it.
        done += visit(np.column_stack([order, np.zeros_like(order), np.full_like(order, n), np.full_like(order, -1)]))
        return float(done @ [self._price(part) for part in (NODE, BLOCK, EXACT)])

    def _search_blocks(self, segments: Ints, at: LeafPoints, rows: ExactRows, best: Floats, where: Ints) -> float:
        """Bound all blocks by products, and open those that may matter; return the work."""
        from fgac._kernels.products import product_bounds, search_blocks

        leaves, values = self.index.leaves, self.values
        bounds = np.empty((len(values.values), len(best), len(leaves.order)), dtype=np.float32)
        codes, factors = _factors(at.vectors, len(leaves.mismatch))
        product_bounds(codes, factors, at.slack, leaves, values.values, bounds)
        gamma, within = self.index.embedding.gamma, self.question.within
        n_blocks, n_exact = search_blocks(gamma, within, segments, bounds, leaves, values, at, rows, best, where)
        n_rows = len(best) * SIZE * (segments[:, 2] - segments[:, 1]).sum()
        parts = (n_rows, PRODUCT), (SIZE * n_blocks, OPENED), (n_exact, EXACT)
        return float(sum(number * self._price(part) for number, part in parts))


def _factors(x: Singles, n_codes: int) -> tuple[Singles, Singles]:
    """Codes, and ``[-2x, 1, xx]``, whose product with ``[y, yy, 1]`` is a squared distance; points are columns."""
    columns = np.ascontiguousarray(x.T)
    factors = columns[n_codes:] * np.float32(-2.0)
    factors[-2], factors[-1] = 1.0, columns[-2]
    return columns[:n_codes], factors


def may_pay(metric: Metric, rows: Rows, n_points: int) -> TypeGuard[Coordinates]:
    """Whether there are enough rows and points for a search in leaves to be worth a try."""
    n_distances = len(rows) * n_points * max(1.0, rows.numeric.shape[1] / MANY_COLUMNS)
    many = len(rows) >= MANY_ROWS and n_points >= MANY_POINTS and n_distances >= MANY_DISTANCES
    return many and isinstance(metric, Coordinates) and metric.name in NORMS
