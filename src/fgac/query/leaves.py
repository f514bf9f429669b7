"""The same query over many rows: nearly all of them are surely beaten, and bounds in single precision tell which.

Rows are sorted into *leaves* that lie together. For a query x there are two bounds of the largest
``value_v - gamma * d(x, v)`` in a leaf::

    box      largest value in the leaf - gamma * (distance from x to the leaf's bounding box)
    product  largest value_v - gamma * d(x, v), Euclidean distances taken from a matrix product

Boxes cost one distance per leaf and tell much where there are few coordinates; products cost one cheap distance per
row and tell nearly everything. Leaves whose bound reaches the best value so far are looked at closely, and what may
win is computed in double precision, so the answer is that of all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Coordinates, Metric, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, rows_per_block, spans

Singles = NDArray[np.float32]

# Orders of the norms behind the metrics, in the order of the kernels' numbers of kinds.
NORMS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}
# With fewer rows, queries or distances than these, preparing costs more than it saves.
MANY_ROWS, MANY_QUERIES, MANY_DISTANCES = 4096, 256, 10**7
# So many queries are tried to see which share of the rows bounds leave to look at. A row that is computed in double
# precision counts as many.
TRIED, EXACT = 64, 32
# The largest share that is less work than products, or than going without bounds (measured).
BEFORE_PRODUCTS, BEFORE_ALL = 0.35, 0.7
# Sorting a row into a leaf takes as long as so many distances.
SORTING = 64
# Queries that are bounded at a time.
HEIGHT = 128
# Steps and values outside of this range, and codes above that, do not suit single precision.
SMALLEST, LARGEST, LARGEST_CODE = 1e-9, 1e15, 2**24
# Twice the relative rounding error of single precision.
ROUNDING = 2.0**-23


@dataclass(frozen=True)
class Chart:
    """Rows as points in single precision, whose distances are *steps*: gamma times those of the rows.

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

    def place(self, rows: Rows) -> tuple[Singles, Floats]:
        """The points of rows, and the most steps that each can be from another at the centre."""
        from fgac._kernels.leaves import place

        n, p = rows.numeric.shape
        points = np.empty((n, rows.codes.shape[1] + p + 2), dtype=np.float32)
        norms = np.empty(n)
        shrink = 2.0 * ROUNDING * (p + 4)  # more than rounding can add to a product
        place(self.kind, self.gamma, self.centre, rows.numeric, rows.codes, shrink, points, norms)
        across = np.linalg.norm(self.gamma * np.append(0.0, rows.mismatch), NORMS[self.metric])
        return points, norms + across


class Ask(NamedTuple):
    """Ask for the largest values of a question in segments ``first`` to ``last - 1``."""

    question: int
    first: int
    last: int


def grow(
    points: Singles, weights: Floats, segments: Sequence[Ints], n_jobs: int | None
) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """Sort the rows of each segment into leaves; ``weights`` tell how much a difference of 1 in a coordinate counts.

    Returns
    -------
    order : (L, SIZE) array
        Rows of each leaf; the last leaf of a segment is filled up with one of its rows.
    real : (L, SIZE) array
        False where it was filled up.
    starts : array
        The leaves of segment s are ``starts[s]:starts[s + 1]``.
    """
    from fgac._kernels.leaves import SIZE, cut

    orders = [segment.copy() for segment in segments]
    in_threads(lambda order: cut(points, weights, order), orders, n_jobs, SORTING * len(points))
    pairs = [(order, -len(order) % SIZE) for order in orders]
    order = np.concatenate([np.pad(order, (0, gap), mode="edge") for order, gap in pairs])
    real = np.concatenate([np.arange(len(order) + gap) < len(order) for order, gap in pairs])
    starts = np.append(0, np.cumsum([(len(order) + gap) // SIZE for order, gap in pairs]))
    return order.reshape(-1, SIZE), real.reshape(-1, SIZE), starts


@dataclass(frozen=True)
class Search:
    """Questions about rows in L leaves.

    Attributes
    ----------
    rows : Rows
        The rows as they are.
    chart : Chart
        How they were turned into points.
    order : (L, SIZE) array
        Rows of each leaf.
    points : (L, q + p + 2, SIZE) array
        Their points, as columns.
    boxes : (q + p, L) arrays
        Smallest and largest coordinates.
    values : (number of questions, n) array
        Values of all rows.
    leaf_values : (number of questions, L, SIZE) array
        The same in the order of the leaves, minus infinity where a leaf was filled up.
    peaks : (number of questions, L) array
        The largest of them in each leaf.
    weights : (q + p,) array
        How much a difference of 1 in a coordinate counts.
    asks : (A, 3) array
        Question, first leaf and end of the leaves that are asked about.
    scale : float
        Largest number of steps and value on the side of the rows.
    """

    rows: Rows
    chart: Chart
    order: Ints
    points: Singles
    boxes: tuple[Singles, Singles]
    values: Floats
    leaf_values: Singles
    peaks: Singles
    weights: Floats
    asks: Ints
    scale: float

    def run(self, queries: Rows, bounds: str, k: int, within: float, n_jobs: int | None) -> tuple[Floats, Ints, float]:
        """The ``k`` largest values of every ask, their rows, and the share of the rows that had to be looked at."""
        from fgac._kernels.leaves import cut

        best = np.full((len(queries), len(self.asks), k), -np.inf)
        where = np.full(best.shape, -1, dtype=np.int64)
        order = np.arange(len(queries))
        cut(self.chart.place(queries)[0], self.weights, order)  # queries that lie together look into the same leaves
        spent: list[int] = []

        def task(span: slice) -> None:
            part = order[span]
            some, rows = best[part], where[part]
            spent.append(self._climb(queries[part], bounds, within, some, rows))
            best[part], where[part] = some, rows

        height = min(HEIGHT, rows_per_block(self.peaks.size))
        with one_blas_thread():
            in_threads(task, spans(len(queries), height), n_jobs, len(queries) * len(self.rows))
        asked = self.order.shape[1] * (self.asks[:, 2] - self.asks[:, 1]).sum()
        return best, where, sum(spent) / (len(queries) * max(1, asked))

    def is_safe(self, queries: Rows) -> bool:
        """Whether single precision can hold all steps, values and codes."""
        scale = self.scale + self.chart.place(queries)[1].max()
        codes = max(self.rows.codes.max(initial=0), queries.codes.max(initial=0))
        return bool(SMALLEST <= scale <= LARGEST and codes <= LARGEST_CODE)

    def _climb(self, queries: Rows, kind_of_bounds: str, within: float, best: Floats, where: Ints) -> int:
        """Bound all leaves, and look into those that may matter."""
        from fgac._kernels.leaves import box_bounds, climb, product_bounds

        kind, mismatch = self.chart.kind, self.chart.mismatch(self.rows)
        x, reach = self.chart.place(queries)
        slack = (ROUNDING * (x.shape[1] + 8) * (reach + self.scale)).astype(np.float32)
        bounds = np.empty((len(self.values), len(x), len(self.order)), dtype=np.float32)
        if kind_of_bounds == "box":
            box_bounds(kind, x, *self.boxes, mismatch, slack, self.peaks, bounds)
        else:
            product_bounds(*_factors(x, len(mismatch)), slack, self.points, mismatch, self.leaf_values, bounds)
        n_leaves, n_exact = climb(
            kind,
            self.chart.gamma,
            within,
            self.asks,
            bounds,
            slack,
            x,
            self.points,
            mismatch,
            self.leaf_values,
            self.order,
            (queries.numeric, queries.codes),
            (self.rows.numeric, self.rows.codes, self.rows.mismatch),
            self.values,
            best,
            where,
        )
        return int(n_leaves) * self.order.shape[1] + EXACT * int(n_exact)


def _factors(x: Singles, n_codes: int) -> tuple[Singles, Singles]:
    """Codes, and ``[-2x, 1, xx]``, whose product with ``[y, yy, 1]`` is a squared distance; queries are columns."""
    columns = np.ascontiguousarray(x.T)
    factors = columns[n_codes:] * np.float32(-2.0)
    factors[-2], factors[-1] = 1.0, columns[-2]
    return columns[:n_codes], factors


def plant(
    chart: Chart, rows: Rows, values: Floats, segments: Sequence[Ints], asks: Sequence[Ask], n_jobs: int | None
) -> Search:
    """Prepare a search."""
    from fgac._kernels.leaves import gather

    points, reach = chart.place(rows)
    # A nominal column is as wide as its mismatch, however many codes it has.
    widths = chart.gamma * rows.mismatch / rows.codes.max(axis=0, initial=1)
    weights = np.append(widths, np.ones(len(chart.centre)))
    order, real, starts = grow(points, weights, segments, n_jobs)
    leaves = aligned((len(order), points.shape[1], order.shape[1]))
    spread = spans(len(order), -(-len(order) // 16))
    in_threads(lambda part: gather(points, order[part], leaves[part]), spread, n_jobs, points.size)
    finite = values[values > -np.inf]
    leaf_values = aligned((len(values), *order.shape))
    leaf_values[:] = np.where(real, values[:, order], -np.inf)
    ranges = np.array([(a.question, starts[a.first], starts[a.last]) for a in asks])
    sides = (leaves[:, :-2].min(axis=2), leaves[:, :-2].max(axis=2))
    return Search(
        rows=rows,
        chart=chart,
        order=order,
        points=leaves,
        boxes=(np.ascontiguousarray(sides[0].T), np.ascontiguousarray(sides[1].T)),
        values=values,
        leaf_values=leaf_values,
        peaks=leaf_values.max(axis=2),
        weights=weights,
        asks=ranges,
        scale=float(reach.max() + np.abs(finite).max(initial=0.0)),
    )


def aligned(shape: tuple[int, ...]) -> Singles:
    """An empty array that starts where a line of the cache does, so that no vector straddles two."""
    size = int(np.prod(shape))
    room = np.empty(size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // 4
    return room[start : start + size].reshape(shape)


def may_pay(metric: Metric, n_rows: int, n_queries: int) -> TypeGuard[Coordinates]:
    """Whether a search in leaves is worth a try."""
    many = n_rows >= MANY_ROWS and n_queries >= MANY_QUERIES and n_rows * n_queries >= MANY_DISTANCES
    return many and isinstance(metric, Coordinates) and metric.name in NORMS


def search(
    rows: Rows,
    metric: Coordinates,
    gamma: float,
    queries: Rows,
    values: Floats,
    segments: Sequence[Ints],
    asks: Sequence[Ask],
    *,
    k: int = 1,
    within: float = np.inf,
    n_jobs: int | None = None,
) -> tuple[Floats, Ints] | None:
    """Answer with the help of leaves, or with None where bounds tell too little.

    Parameters
    ----------
    rows, metric, gamma
        The envelope.
    queries : Rows
        The points x.
    values : (number of questions, n) array
        A value of every row for every question; minus infinity leaves a row out.
    segments : list of arrays
        Rows that are asked about together.
    asks : list of Ask
        What is asked.
    k : int, default=1
        How many of the largest values are wanted.
    within : float, default=inf
        Values that are further below the largest of all asks need not be right; they may come out lower.
    n_jobs : int, default=None
        Threads.

    Returns
    -------
    best, where : (len(queries), len(asks), k) arrays, or None
        Falling values, and their rows (-1 where there are fewer).
    """
    chart = Chart(metric.name, gamma, rows.numeric.mean(axis=0))
    ready = plant(chart, rows, values, segments, asks, n_jobs)
    if not ready.is_safe(queries):
        return None
    euclidean = metric.name == "euclidean"
    bars = [("box", BEFORE_PRODUCTS), ("product", BEFORE_ALL)] if euclidean else [("box", BEFORE_ALL)]
    sample = queries[np.linspace(0, len(queries) - 1, TRIED).astype(np.int64)]
    for bounds, most in bars:
        if ready.run(sample, bounds, k, within, n_jobs)[2] <= most:
            return ready.run(queries, bounds, k, within, n_jobs)[:2]
    return None
