"""The search in leaves: the same query over many rows, most of which bounds in single precision rule out.

Rows that lie together are sorted into *leaves*. For a point x there are two bounds of the largest
``value_v - gamma * d(x, v)`` in a leaf::

    box      largest value in the leaf - gamma * (distance from x to the leaf's bounding box)
    product  largest value_v - gamma * d(x, v), Euclidean distances taken from a matrix product

Boxes cost one distance per leaf and rule out much where there are few coordinates; products cost one cheap distance per
row and rule out nearly everything. Leaves whose bound reaches the best value so far are opened, and rows that may win
are computed in double precision, so the answer is that of all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import numpy as np

from fgac._kernels.layouts import SIZE, ExactRows, LeafPoints, Leaves, Singles
from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import NORMS, Coordinates, Metric, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, rows_per_block, spans

# With fewer rows, points or distances than these, preparing costs more than it saves.
MANY_ROWS, MANY_POINTS, MANY_DISTANCES = 4096, 256, 10**7
# Points that are tried first, to see which share of the rows the bounds leave to compare.
TRIED = 64
# A row that is computed in double precision takes as long as so many in single precision.
EXACT = 32
# The largest share left by boxes that is less work than products, and by any bounds that is less than comparing all
# rows (measured).
BEFORE_PRODUCTS, BEFORE_ALL = 0.35, 0.7
# Sorting a row into a leaf takes as long as so many distances (measured).
SORTING = 64
# Points whose bounds are computed at a time: a larger block of bounds would not stay in the cache.
HEIGHT = 128
# Single precision holds steps and values in this range without underflow or overflow of their squares, and codes up
# to this one exactly.
SMALLEST, LARGEST, LARGEST_CODE = 1e-9, 1e15, 2**24
# Twice the relative rounding error of single precision.
ROUNDING = 2.0**-23


@dataclass(frozen=True)
class Embedding:
    """Rows as vectors in single precision, whose distances are *steps*: gamma times those of the rows.

    Attributes
    ----------
    metric : str
        Name of the metric.
    gamma : float
        Slope of the envelope.
    centre : (p,) array
        Taken off all coordinates, so that no digits are spent on where the data lie.
    """

    metric: str
    gamma: float
    centre: Floats

    @property
    def kind(self) -> int:
        """The kernels' number of the metric."""
        return list(NORMS).index(self.metric)

    def mismatch(self, rows: Rows) -> Singles:
        """Steps between different codes, squared if Euclidean."""
        steps = self.gamma * rows.mismatch
        return np.asarray(steps**2 if self.metric == "euclidean" else steps, dtype=np.float32)

    def embed(self, rows: Rows) -> tuple[Singles, Floats]:
        """The vectors of rows, and the most steps that each can be from another at the centre."""
        from fgac._kernels.leaves import embed

        n, p = rows.numeric.shape
        vectors = np.empty((n, rows.codes.shape[1] + p + 2), dtype=np.float32)
        norms = np.empty(n)
        shrink = 2.0 * ROUNDING * (p + 4)  # more than rounding can add to a product
        embed(self.kind, self.gamma, self.centre, rows.numeric, rows.codes, shrink, vectors, norms)
        across = np.linalg.norm(self.gamma * np.append(0.0, rows.mismatch), NORMS[self.metric])
        return vectors, norms + across


class Segment(NamedTuple):
    """One segment of a query: the largest values among the rows of pieces ``first`` to ``last - 1`` are wanted."""

    query: int
    first: int
    last: int


def build_leaves(
    vectors: Singles, weights: Floats, pieces: Sequence[Ints], n_jobs: int | None
) -> tuple[Ints, Bools, Ints]:
    """Sort the rows of each piece into leaves; ``weights`` say how much a difference of 1 in a coordinate counts.

    Returns
    -------
    order : (L, SIZE) array
        Rows of each leaf; the last leaf of a piece is filled up with one of its rows.
    real : (L, SIZE) array
        False where a leaf was filled up.
    starts : array
        The leaves of piece s are ``starts[s]:starts[s + 1]``.
    """
    from fgac._kernels.leaves import cut

    orders = [piece.copy() for piece in pieces]
    in_threads(lambda order: cut(vectors, weights, order), orders, n_jobs, SORTING * len(vectors))
    pairs = [(order, -len(order) % SIZE) for order in orders]
    order = np.concatenate([np.pad(order, (0, gap), mode="edge") for order, gap in pairs])
    real = np.concatenate([np.arange(len(order) + gap) < len(order) for order, gap in pairs])
    starts = np.append(0, np.cumsum([(len(order) + gap) // SIZE for order, gap in pairs]))
    return order.reshape(-1, SIZE), real.reshape(-1, SIZE), starts


@dataclass(frozen=True)
class Search:
    """Everything a search in leaves needs, but for the points.

    Attributes
    ----------
    embedding : Embedding
        How rows were turned into vectors.
    leaves : Leaves
        The vectors and values of the rows, leaf by leaf.
    rows : ExactRows
        The rows and their values as they are.
    weights : (q + p,) array
        How much a difference of 1 in a coordinate counts.
    segments : (S, 3) array
        Query, first leaf and end of the leaves of every segment.
    scale : float
        Largest number of steps and value on the side of the rows.
    """

    embedding: Embedding
    leaves: Leaves
    rows: ExactRows
    weights: Floats
    segments: Ints
    scale: float

    def run(self, points: Rows, bounds: str, k: int, within: float, n_jobs: int | None) -> tuple[Floats, Ints, float]:
        """The ``k`` largest values of every segment, their rows, and the share of the rows that had to be compared."""
        from fgac._kernels.leaves import cut

        best = np.full((len(points), len(self.segments), k), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)
        order = np.arange(len(points))
        # Points that lie together open the same leaves, which then are in the cache.
        cut(self.embedding.embed(points)[0], self.weights, order)
        spent: list[int] = []

        def task(span: slice) -> None:
            part = order[span]
            some, rows = best[part], where[part]
            spent.append(self._search_leaves(points[part], bounds, within, some, rows))
            best[part], where[part] = some, rows

        height = min(HEIGHT, rows_per_block(self.leaves.maxima.size))
        with one_blas_thread():
            in_threads(task, spans(len(points), height), n_jobs, len(points) * len(self.rows.numeric))
        compared = SIZE * (self.segments[:, 2] - self.segments[:, 1]).sum()
        return best, where, sum(spent) / (len(points) * max(1, compared))

    def is_safe(self, points: Rows) -> bool:
        """Whether single precision can hold all steps, values and codes."""
        scale = self.scale + self.embedding.embed(points)[1].max()
        codes = max(self.rows.codes.max(initial=0), points.codes.max(initial=0))
        return bool(SMALLEST <= scale <= LARGEST and codes <= LARGEST_CODE)

    def _search_leaves(self, points: Rows, kind_of_bounds: str, within: float, best: Floats, where: Ints) -> int:
        """Bound all leaves, and open those that may matter; return the work, in rows compared in single precision."""
        from fgac._kernels.leaves import box_bounds, product_bounds, search_leaves

        embedding, leaves = self.embedding, self.leaves
        x, reach = embedding.embed(points)
        slack = (ROUNDING * (x.shape[1] + 8) * (reach + self.scale)).astype(np.float32)
        bounds = np.empty((len(leaves.values), len(x), len(leaves.order)), dtype=np.float32)
        at = LeafPoints(x, slack, points.numeric, points.codes)
        if kind_of_bounds == "box":
            box_bounds(embedding.kind, at, leaves, bounds)
        else:
            product_bounds(*_factors(x, len(leaves.mismatch)), slack, leaves, bounds)
        n_leaves, n_exact = search_leaves(
            embedding.kind, embedding.gamma, within, self.segments, bounds, leaves, at, self.rows, best, where
        )
        return int(n_leaves) * SIZE + EXACT * int(n_exact)


def _factors(x: Singles, n_codes: int) -> tuple[Singles, Singles]:
    """Codes, and ``[-2x, 1, xx]``, whose product with ``[y, yy, 1]`` is a squared distance; points are columns."""
    columns = np.ascontiguousarray(x.T)
    factors = columns[n_codes:] * np.float32(-2.0)
    factors[-2], factors[-1] = 1.0, columns[-2]
    return columns[:n_codes], factors


def build_search(
    embedding: Embedding,
    rows: Rows,
    values: Floats,
    pieces: Sequence[Ints],
    segments: Sequence[Segment],
    n_jobs: int | None,
) -> Search:
    """Embed the rows, sort them into leaves, and arrange their values in the same order."""
    from fgac._kernels.leaves import gather

    vectors, reach = embedding.embed(rows)
    # A categorical column is as wide as its mismatch, however many codes it has.
    widths = embedding.gamma * rows.mismatch / rows.codes.max(axis=0, initial=1)
    weights = np.append(widths, np.ones(len(embedding.centre)))
    order, real, starts = build_leaves(vectors, weights, pieces, n_jobs)
    leaf_vectors = aligned((len(order), vectors.shape[1], order.shape[1]))
    spread = spans(len(order), -(-len(order) // 16))
    in_threads(lambda part: gather(vectors, order[part], leaf_vectors[part]), spread, n_jobs, vectors.size)
    finite = values[values > -np.inf]
    leaf_values = aligned((len(values), *order.shape))
    leaf_values[:] = np.where(real, values[:, order], -np.inf)
    ranges = np.array([(s.query, starts[s.first], starts[s.last]) for s in segments])
    leaves = Leaves(
        order=order,
        vectors=leaf_vectors,
        mismatch=embedding.mismatch(rows),
        low=np.ascontiguousarray(leaf_vectors[:, :-2].min(axis=2).T),
        high=np.ascontiguousarray(leaf_vectors[:, :-2].max(axis=2).T),
        values=leaf_values,
        maxima=leaf_values.max(axis=2),
    )
    return Search(
        embedding=embedding,
        leaves=leaves,
        rows=ExactRows(rows.numeric, rows.codes, rows.mismatch, values),
        weights=weights,
        segments=ranges,
        scale=float(reach.max() + np.abs(finite).max(initial=0.0)),
    )


def aligned(shape: tuple[int, ...]) -> Singles:
    """An empty array that starts where a line of the cache does, so that no vector straddles two."""
    size = int(np.prod(shape))
    room = np.empty(size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // 4
    return room[start : start + size].reshape(shape)


def may_pay(metric: Metric, n_rows: int, n_points: int) -> TypeGuard[Coordinates]:
    """Whether there are enough rows and points for a search in leaves to be worth a try."""
    many = n_rows >= MANY_ROWS and n_points >= MANY_POINTS and n_rows * n_points >= MANY_DISTANCES
    return many and isinstance(metric, Coordinates) and metric.name in NORMS


def search(
    rows: Rows,
    metric: Coordinates,
    gamma: float,
    points: Rows,
    values: Floats,
    pieces: Sequence[Ints],
    segments: Sequence[Segment],
    *,
    k: int = 1,
    within: float = np.inf,
    n_jobs: int | None = None,
) -> tuple[Floats, Ints] | None:
    """Answer with the help of leaves, or with None where bounds rule out too little.

    Parameters
    ----------
    rows, metric, gamma
        The envelope.
    points : Rows
        The points x.
    values : (number of queries, n) array
        A value of every row for every query; minus infinity leaves a row out.
    pieces : list of arrays
        Row numbers that no segment separates; a leaf lies within one piece.
    segments : list of Segment
        Queries and the pieces over which a maximum is wanted.
    k : int, default=1
        How many of the largest values are wanted.
    within : float, default=inf
        Values that are further below the largest of all segments of a point need not be right; they may come out lower.
    n_jobs : int, default=None
        Threads.

    Returns
    -------
    best, where : (len(points), len(segments), k) arrays, or None
        Falling values, and their rows (-1 where there are fewer).
    """
    embedding = Embedding(metric.name, gamma, rows.numeric.mean(axis=0))
    with np.errstate(over="ignore"):  # what single precision cannot hold is not used
        ready = build_search(embedding, rows, values, pieces, segments, n_jobs)
    if not ready.is_safe(points):
        return None
    euclidean = metric.name == "euclidean"
    bars = [("box", BEFORE_PRODUCTS), ("product", BEFORE_ALL)] if euclidean else [("box", BEFORE_ALL)]
    sample = points[np.linspace(0, len(points) - 1, TRIED).astype(np.int64)]
    for bounds, most in bars:
        if ready.run(sample, bounds, k, within, n_jobs)[2] <= most:
            return ready.run(points, bounds, k, within, n_jobs)[:2]
    return None
