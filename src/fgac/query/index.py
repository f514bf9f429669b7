"""The rows of an envelope as vectors in single precision, sorted into leaves: made once, whatever is asked later.

Rows that lie together, and have like values, are in one leaf, so that the box around it and its largest value tell much
about all of them (:mod:`fgac.query.leaves`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from fgac._kernels.layouts import LEAF, PER_NODE, SIZE, LeafValues, Leaves, Singles
from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import NORMS, Coordinates, Rows
from fgac.metrics.tiles import aligned, in_threads, spans

# How much a difference of 1 in value counts, beside a step of 1 in a coordinate, where rows are sorted into leaves
# (measured): one value stands against a norm of many coordinates.
VALUE_WEIGHTS = {"euclidean": 4.0, "manhattan": 2.0, "chebyshev": 6.0}
# Sorting a row into a leaf takes as long as so many distances (measured).
SORTING = 64
# Twice the relative rounding error of single precision.
ROUNDING = 2.0**-23
# Rows whose middle is the centre of all.
SAMPLE = 1024


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
        with np.errstate(over="ignore"):  # then no search in single precision is safe, and none is made
            return np.asarray(steps**2 if self.metric == "euclidean" else steps, dtype=np.float32)

    def embed(self, rows: Rows) -> tuple[Singles, Floats]:
        """The vectors of rows, and the most steps that each can be from another at the centre."""
        from fgac._kernels.leaves import embed

        n, p = rows.numeric.shape
        # Kernels take four coordinates at a time: some zeros, at least four coordinates.
        width = max(4, p + -p % 4)
        vectors = np.zeros((n, rows.codes.shape[1] + width + 2), dtype=np.float32)
        norms = np.empty(n)
        shrink = 2.0 * ROUNDING * (p + 4)  # more than rounding can add to a product
        embed(self.kind, self.gamma, self.centre, rows.numeric, rows.codes, shrink, vectors, norms)
        with np.errstate(over="ignore"):
            across = np.linalg.norm(self.gamma * np.append(0.0, rows.mismatch), NORMS[self.metric])
        return vectors, norms + across

    def rounding(self, vectors: Singles, sizes: Floats) -> Floats:
        """More than rounding can amount to, where numbers of these sizes are added up."""
        return ROUNDING * (vectors.shape[1] + 8) * sizes


@dataclass
class LeafIndex:
    """The rows of an envelope in leaves, and what was found out about them.

    Attributes
    ----------
    embedding : Embedding
        How rows were turned into vectors.
    rows : Rows
        The rows as they are.
    leaves : Leaves
        Their vectors, leaf by leaf.
    real : (B, SIZE) array
        False where a block was filled up.
    cuts : array
        Row numbers that no leaf straddles.
    starts : array
        The rows from one of the cuts to the next are in the blocks from one of these to the next.
    weights : (coordinates,) array
        How much a difference of 1 in a coordinate of a vector counts.
    reach : (n,) array
        The most steps that each row can be from one at the centre.
    """

    embedding: Embedding
    rows: Rows
    leaves: Leaves
    real: Bools
    cuts: Ints
    starts: Ints
    weights: Floats
    reach: Floats
    arranged: tuple[Floats, LeafValues] | None = field(default=None, init=False)
    bounds: dict[tuple[int, bool], str | None] = field(default_factory=dict, init=False)

    def arrange(self, values: Floats) -> LeafValues:
        """Values in the order of the leaves; those of the last question are remembered."""
        known = self.arranged
        if known is not None and np.array_equal(known[0], values):
            return known[1]
        made = self._arrange(values)
        self.arranged = values.copy(), made
        return made

    def _arrange(self, values: Floats) -> LeafValues:
        n_queries, n_blocks = len(values), len(self.real)
        sizes = np.abs(np.where(values > -np.inf, values, 0.0)).max(axis=0)
        raised = self.embedding.rounding(self.leaves.vectors, self.reach + sizes)
        placed = aligned((n_queries, *self.real.shape))
        for line, of_rows in zip(placed, values, strict=True):
            line[:] = np.where(self.real, (of_rows + raised)[self.leaves.order], -np.inf)
        n_nodes = self.leaves.low.shape[0]
        maxima = np.full((n_queries, n_nodes * PER_NODE), -np.inf, dtype=np.float32)
        maxima[:, : n_blocks * SIZE // LEAF] = placed.reshape(n_queries, -1, LEAF).max(axis=2)
        maxima = maxima.reshape(n_queries, n_nodes, PER_NODE)
        slack = raised[self.leaves.order].max(axis=1).astype(np.float32)
        return LeafValues(placed, maxima, maxima.max(axis=2), slack)


def build_index(
    rows: Rows, metric: Coordinates, gamma: float, values: Floats, cuts: Ints, n_jobs: int | None
) -> LeafIndex:
    """Embed the rows and sort them into leaves, those between two cuts for themselves, with like values together."""
    from fgac._kernels.leaves import gather

    step = max(1, len(rows) // SAMPLE)
    embedding = Embedding(metric.name, gamma, np.median(rows.numeric[::step], axis=0))
    with np.errstate(over="ignore"):  # what single precision cannot hold is not used
        vectors, reach = embedding.embed(rows)
        vectors[:, -1] = np.where(values > -np.inf, values, 0.0)
    # A categorical column is as wide as its mismatch, however many codes it has.
    widths = gamma * rows.mismatch / rows.codes.max(axis=0, initial=1)
    weights = np.append(widths, np.ones(vectors.shape[1] - len(widths)))
    weights[-2:] = 0.0, VALUE_WEIGHTS[metric.name]
    order, real, starts = build_leaves(vectors, weights, cuts, n_jobs)
    vectors[:, -1] = 1.0
    blocks = aligned((len(order), vectors.shape[1], SIZE))
    spread = spans(len(order), -(-len(order) // 16))
    in_threads(lambda part: gather(vectors, order[part], blocks[part]), spread, n_jobs, vectors.size)
    low, high = boxes(blocks[:, :-2], np.min), boxes(blocks[:, :-2], np.max)
    leaves = Leaves(
        order=order,
        vectors=blocks,
        mismatch=embedding.mismatch(rows),
        low=low,
        high=high,
        node_low=np.ascontiguousarray(low.min(axis=2).T[None]),
        node_high=np.ascontiguousarray(high.max(axis=2).T[None]),
    )
    weights[-1] = 0.0
    return LeafIndex(embedding, rows, leaves, real, cuts, starts, weights, reach)


def build_leaves(vectors: Singles, weights: Floats, cuts: Ints, n_jobs: int | None) -> tuple[Ints, Bools, Ints]:
    """Sort the rows between cuts into leaves; ``weights`` say how much a difference of 1 in a column counts.

    Returns
    -------
    order : (B, SIZE) array
        Rows of each block; the last block before a cut is filled up with one of its rows.
    real : (B, SIZE) array
        False where a block was filled up.
    starts : array
        The blocks of the rows between two cuts are those between two of these.
    """
    from fgac._kernels.leaves import cut

    orders = [np.arange(*pair) for pair in pairwise(cuts)]
    in_threads(lambda order: cut(vectors, weights, LEAF, order), orders, n_jobs, SORTING * len(vectors))
    pairs = [(order, -len(order) % SIZE) for order in orders]
    order = np.concatenate([np.pad(order, (0, gap), mode="edge") if gap else order for order, gap in pairs])
    real = np.concatenate([np.arange(len(order) + gap) < len(order) for order, gap in pairs])
    starts = np.append(0, np.cumsum([(len(order) + gap) // SIZE for order, gap in pairs]))
    return order.reshape(-1, SIZE), real.reshape(-1, SIZE), starts


def boxes(blocks: Singles, reduce: Callable[..., Singles]) -> Singles:
    """The least or largest coordinates of every leaf, node by node; the last node is filled up with its last leaf."""
    n_blocks, n_columns, _ = blocks.shape
    ends = reduce(blocks.reshape(n_blocks, n_columns, SIZE // LEAF, LEAF), axis=3)
    ends = np.moveaxis(ends, 1, 0).reshape(n_columns, -1)
    ends = np.pad(ends, ((0, 0), (0, -ends.shape[1] % PER_NODE)), mode="edge")
    made = aligned((ends.shape[1] // PER_NODE, n_columns, PER_NODE))
    made[:] = ends.reshape(n_columns, -1, PER_NODE).swapaxes(0, 1)
    return made
