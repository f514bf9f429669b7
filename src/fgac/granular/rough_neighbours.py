"""Fuzzy rough nearest neighbours on nodes: approximations of every class at a new row.

Both approximations of a class at a new row x are soft maxima of similarities ``R(x, u) = max(0, 1 - gamma d(x, u))``::

    upper_k(x) =     soft maximum over u in k      of R(x, u)
    lower_k(x) = 1 - soft maximum over u not in k  of R(x, u)

The second is the soft minimum of ``I(R(x, u), 0) = 1 - R(x, u)``. If ``W(m)`` is the sum of the m first weights, the
soft maximum over a set of rows is the sum, over the levels ``v_1 >= v_2 >= ...`` at which similarities lie, of ::

    W(number of rows of the set with R >= v_j) * (v_j - v_{j+1})

so one sorted list of all similarities serves every class and its complement, and a row that stands in the table m times
counts m times; m need not be whole.

Two averages bear these names, which differ in their weights only (:data:`OVER`). Over a *class*, W are weights for as
many rows as the set has. Over *all* rows, as the paper has it, W are weights for all rows of the table: the rows
outside of the set take part, with ``T(R(x, u), 0) = 0`` or ``I(R(x, u), 1) = 1``, and come last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.granular.membership import (
    Memberships,
    class_tie_order,
    nearest_class,
    nudge_winners,
    rows_with_ties,
    tied_classes,
)
from fgac.granular.nodes import Nodes
from fgac.granular.rank_weights import CumulatedWeights, cumulated_weights
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_area, tile_shape
from fgac.query.envelope import Envelope

# What ordered weighted averages are taken over: the rows of a class (and those of all others), or all rows.
OVER = ("class", "all")
# Up to so many nearest rows of a class are kept in order while distances pass by; beyond, all are sorted at the end.
FEW = 256
# Arrays as large as the sorted similarities of a block of points that are needed at a time.
ARRAYS = 8


@dataclass(frozen=True)
class RoughModel:
    """What prediction needs: an envelope on the training nodes of every class, and how much each rank counts.

    Attributes
    ----------
    envelopes : tuple of K Envelopes
        On the nodes of each class.
    repeats : (n,) array
        How often each node stands in the table; nodes are sorted by class.
    own : tuple of K CumulatedWeights
        ``W`` for the rows of each class.
    others : tuple of K CumulatedWeights
        ``W`` for the rows of all other classes; empty with two classes, whose others are each other, and with one.
    within : tuple of K CumulatedWeights
        ``W`` for the rows of each class by its own size, which breaks ties: it tells how near the rows of a class are,
        and not how many they are.
    tie_order : (K,) array
        Which class wins when nothing else tells two apart; it does not depend on their names.
    n_jobs : int or None
        Threads.
    """

    envelopes: tuple[Envelope, ...]
    repeats: Ints | Floats
    own: tuple[CumulatedWeights, ...]
    others: tuple[CumulatedWeights, ...]
    within: tuple[CumulatedWeights, ...]
    tie_order: Ints
    n_jobs: int | None

    @property
    def starts(self) -> Ints:
        """The nodes of class k are ``starts[k]:starts[k + 1]``."""
        return np.append(0, np.cumsum([len(envelope.rows) for envelope in self.envelopes]))

    def memberships(self, points: Rows) -> Memberships:
        """Approximations and degrees."""
        own, others = self.soft_maxima(points)
        lower, upper = 1.0 - others, own
        return Memberships(lower, upper, 0.5 * (lower + upper))

    def scores(self, points: Rows) -> Floats:
        """Degrees in which ties have been broken: their largest entry is the prediction."""
        degree = self.memberships(points).degree
        tied = tied_classes(degree)
        rows = rows_with_ties(tied)
        if len(rows) == 0:
            return degree
        nearness = replace(self, own=self.within)
        support = nearness.soft_maxima(points[rows], clip=False)[0]
        return nudge_winners(degree, rows, nearest_class(tied[rows], support, self.tie_order))

    def soft_maxima(self, points: Rows, *, clip: bool = True) -> tuple[Floats, Floats]:
        """Soft maxima of the similarities to the rows of each class, and to those of all others.

        Without ``clip`` similarities are ``1 - gamma d``, however far below 0.
        """
        n_classes = len(self.envelopes)
        own, others = np.zeros((2, len(points), n_classes))
        taken = self._taken()
        metric = self.envelopes[0].metric

        def task(span: slice) -> None:
            values, nodes = self._nearest(points[span], taken)
            self._average(np.maximum(0.0, values) if clip else values, nodes, own[span], others[span])

        area = tile_area(metric, self.n_jobs) // (ARRAYS * sum(taken))
        height = max(1, min(metric.tile[0], area))
        with one_blas_thread():
            in_threads(task, spans(len(points), height), self.n_jobs, len(points) * len(self.repeats))
        if n_classes == 2:
            others = own[:, ::-1]
        return (np.clip(own, 0.0, 1.0), np.clip(others, 0.0, 1.0)) if clip else (own, others)

    def _taken(self) -> list[int]:
        """How many of the nearest nodes of each class have a weight in some average; all, if they are not few."""
        taken = []
        for k, envelope in enumerate(self.envelopes):
            weights = [self.own[k], *(other for j, other in enumerate(self.others) if j != k)]
            most = max(W.reach for W in weights)
            taken.append(most if most <= FEW and most < len(envelope.rows) else len(envelope.rows))
        return taken

    def _nearest(self, points: Rows, taken: list[int]) -> tuple[Floats, Ints]:
        """``1 - gamma d`` of so many nearest nodes of each class in one falling order, and the nodes."""
        values, nodes = [], []
        for envelope, start, count in zip(self.envelopes, self.starts[:-1], taken, strict=True):
            n = len(envelope.rows)
            best, where = envelope.top(points, np.ones(n), count) if count < n else _every(envelope, points)
            values.append(best)
            nodes.append(start + where)
        together = np.concatenate(values, axis=1)
        order = np.argsort(-together, axis=1)
        return np.take_along_axis(together, order, axis=1), np.take_along_axis(np.hstack(nodes), order, axis=1)

    def _average(self, values: Floats, nodes: Ints, own: Floats, others: Floats) -> None:
        """Write the soft maxima of values in falling order."""
        steps = -np.diff(values, axis=1, append=0.0)
        repeats = self.repeats[nodes]
        n_at_least = np.cumsum(repeats, axis=1)
        for k, (first, last) in enumerate(zip(self.starts[:-1], self.starts[1:], strict=True)):
            in_class = (nodes >= first) & (nodes < last)
            n_in_class = np.cumsum(repeats * in_class, axis=1)
            own[:, k] = np.einsum("ij,ij->i", self.own[k].at(n_in_class), steps)
            if self.others:
                others[:, k] = np.einsum("ij,ij->i", self.others[k].at(n_at_least - n_in_class), steps)


def _every(envelope: Envelope, points: Rows) -> tuple[Floats, Ints]:
    """``1 - gamma d`` of all nodes, and the nodes."""
    values = np.empty((len(points), len(envelope.rows)))
    width = tile_shape(envelope.metric, envelope.n_jobs)[1]
    for first, distances in row_of_tiles(envelope.metric, points, envelope.rows, width):
        values[:, first : first + distances.shape[1]] = 1.0 - envelope.gamma * distances
    return values, np.broadcast_to(np.arange(len(envelope.rows)), values.shape)


def rough_model(
    nodes: Nodes,
    metric: Metric,
    gamma: float,
    *,
    owa: Any,
    n_neighbors: int | None,
    over: str,
    n_jobs: int | None,
    coordinates: bool,
) -> RoughModel:
    """Build the model from nodes whose weights are repetitions, whole numbers or not.

    ``coordinates`` says that rows have coordinates of their own, not only distances.
    """
    whole = bool((nodes.weights == np.round(nodes.weights)).all())
    repeats = nodes.weights.astype(np.int64) if whole else nodes.weights
    sizes: Floats = np.bincount(nodes.classes, nodes.weights).astype(np.float64)
    parts = [slice(start, end) for start, end in zip(nodes.starts[:-1], nodes.starts[1:], strict=True)]

    def weights(numbers: Floats) -> tuple[CumulatedWeights, ...]:
        # Sets of equal size share their weights, which may be as many as there are rows.
        made = {n: cumulated_weights(owa, n, n_neighbors, whole=whole) for n in set(numbers.tolist())}
        return tuple(made[n] for n in numbers.tolist())

    within, total = weights(sizes), np.full(len(sizes), sizes.sum())
    has_others = len(sizes) > 2
    return RoughModel(
        # The threads are those of soft_maxima, so each query within runs in one.
        envelopes=tuple(Envelope(nodes.rows[part], metric, gamma, n_jobs=1) for part in parts),
        repeats=repeats,
        own=weights(total) if over == "all" else within,
        others=weights(total if over == "all" else total - sizes) if has_others else (),
        within=within,
        tie_order=class_tie_order(
            nodes, _marks(nodes.rows) if coordinates else np.ones(len(nodes.rows)), coordinates=coordinates
        ),
        n_jobs=n_jobs,
    )


def _marks(rows: Rows) -> Floats:
    """One number per row in place of a membership: it tells classes of equal size apart at little cost."""
    return rows.numeric.sum(axis=1) + rows.codes.sum(axis=1)
