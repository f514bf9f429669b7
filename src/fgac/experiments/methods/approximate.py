"""Granular approximation on some of the constraints: the paper's ``nn``.

Training asks for ``beta_u + beta_v <= 1 + gamma d(u, v)`` for rows of different classes. The published script keeps,
for every row, only the constraints with its ``M = int(nn * n)`` nearest rows of other classes (the text says: of all
rows; that is ``neighbors_among="all"`` of :class:`~fgac.FGAClassifier`). Where several rows are equally far, "the M
nearest" is ambiguous; here all rows at the distance of the M-th are kept (``ties``), so that the result does not depend
on the order of rows. Taking the first in the table (``index``) is there to compare with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fgac._tolerances import EQUAL_DISTANCE_DIGITS
from fgac._typing import Bools, Floats, Ints
from fgac.experiments.methods.protocol import distances
from fgac.granular.nodes import Nodes, merge
from fgac.granular.training import between, form, memberships_of
from fgac.metrics.distances import Rows
from fgac.solve import Problem, Solution, solve
from fgac.solve.nearest import near_enough

LOSSES = {"mse": "squared_error", "mae": "absolute_error"}


@dataclass(frozen=True, eq=False)
class Training:
    """Distinct training rows and the distances between them.

    Equal rows of a class are one node that counts as often as they stand there; that changes no beta.
    """

    nodes: Nodes
    within: Floats
    relation: str

    @classmethod
    def of(cls, rows: Floats, classes: Ints, relation: str) -> Training:
        """Gather equal rows and compute distances."""
        nodes = merge(Rows.from_numeric(rows), classes, int(classes.max()) + 1, np.ones(len(rows)))
        return cls(nodes, distances(nodes.rows.numeric, nodes.rows.numeric, relation), relation)

    def to(self, test: Floats) -> Floats:
        """Distances of other rows to the nodes."""
        return distances(test, self.nodes.rows.numeric, self.relation)

    def chosen(self, nn: float, neighbours: str = "ties") -> Chosen:
        """The constraints of a fraction ``nn`` of nearest rows; all of them if it is 1."""
        classes = self.nodes.classes
        near = np.where(classes[:, None] != classes[None, :], self.within, np.inf)
        wanted = int(nn * self.nodes.weights.sum())
        if nn < 1:
            rule = {"ties": _with_ties, "index": _by_index}[neighbours]
            near = np.where(rule(near, self.nodes, max(1, wanted)), near, np.inf)
        u, v = np.nonzero(np.triu(np.isfinite(near) | np.isfinite(near.T)))
        return Chosen(self.nodes, u, v, self.within[u, v])


@dataclass(frozen=True, eq=False)
class Chosen:
    """Constraints between nodes u < v at distance d, each pair once, to be solved for any gamma and loss."""

    nodes: Nodes
    u: Ints
    v: Ints
    d: Floats

    def __len__(self) -> int:
        """How many pairs of nodes are constrained."""
        return len(self.u)

    def solve(self, gamma: float, loss: str) -> tuple[Floats, Solution]:
        """Beta of every node, and the solution with its proof."""
        targets, weights, _ = form(self.nodes)
        constraints = between(self.nodes, self.u, self.v, gamma * self.d)
        solution = solve(Problem(targets, constraints, weights, loss=LOSSES[loss]))
        return memberships_of(self.nodes, solution.values), solution


def _with_ties(near: Floats, nodes: Nodes, wanted: int) -> Bools:
    """The nearest nodes that fill so many places, and all others as near as the last of them."""
    return near_enough(near, nodes.weights, wanted)


def _by_index(near: Floats, nodes: Nodes, wanted: int) -> Bools:
    """The nearest nodes that fill so many places, of equally near ones the first in the table."""
    by_position = np.argsort(nodes.first)
    order = by_position[np.argsort(np.round(near[:, by_position], EQUAL_DISTANCE_DIGITS), axis=1, kind="stable")]
    before = np.cumsum(nodes.weights[order], axis=1) - nodes.weights[order]
    chosen = np.zeros(near.shape, dtype=bool)
    np.put_along_axis(chosen, order, before < wanted, axis=1)
    return chosen
