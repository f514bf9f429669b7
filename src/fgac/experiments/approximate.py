"""Granular approximation on some of the constraints: the paper's ``nn``.

Training asks for ``beta_u + beta_v <= 1 + gamma d(u, v)`` for rows of different classes. The paper keeps, for every
row, only the constraints with its ``M = int(nn * n)`` nearest rows of other classes. Where several rows are equally
far, "the M nearest" is ambiguous; here all rows at the distance of the M-th are kept (``ties``), so that the result
does not depend on the order of rows. Taking the first in the table (``index``) is there to compare with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fgac.distances import Floats, Ints, Rows
from fgac.experiments.protocol import distances
from fgac.nodes import Nodes, merge
from fgac.solve import PairConstraints, Problem, Solution, solve
from fgac.solve.constraints import NDArrayBool

LOSSES = {"mse": "squared_error", "mae": "absolute_error"}
# Distances this close, relative to the larger, are equal but for rounding.
EQUAL = 1e-12


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
        both = np.isfinite(near) | np.isfinite(near.T)
        if len(self.nodes.starts) == 3:
            both[: self.nodes.starts[1]] = False  # two classes: each pair once, from the second class to the first
        u, v = np.nonzero(both)
        return Chosen(self.nodes, u, v, self.within[u, v])


@dataclass(frozen=True, eq=False)
class Chosen:
    """Constraints between nodes u and v at distance d, to be solved for any gamma and loss."""

    nodes: Nodes
    u: Ints
    v: Ints
    d: Floats

    def __len__(self) -> int:
        """How many pairs of nodes are constrained."""
        return len(self.u) if len(self.nodes.starts) == 3 else len(self.u) // 2

    def solve(self, gamma: float, loss: str) -> tuple[Floats, Solution]:
        """Beta of every node, and the solution with its proof."""
        nodes, n = self.nodes, len(self.nodes.weights)
        if len(nodes.starts) == 3:
            constraints = PairConstraints(self.u, self.v, gamma * self.d)
            targets = nodes.classes.astype(np.float64)
            solution = solve(Problem(targets, constraints, nodes.weights, loss=LOSSES[loss]))
            beta = np.where(targets == 1, solution.values, 1 - solution.values)
        else:
            constraints = PairConstraints(self.u, n + self.v, gamma * self.d)
            targets, weights = np.repeat([1.0, 0.0], n), np.tile(nodes.weights, 2)
            solution = solve(Problem(targets, constraints, weights, loss=LOSSES[loss]))
            beta = 0.5 * (solution.values[:n] + 1 - solution.values[n:])
        return np.clip(beta, 0.0, 1.0), solution


def _with_ties(near: Floats, nodes: Nodes, wanted: int) -> NDArrayBool:
    """The nearest nodes that fill so many places, and all others as near as the last of them."""
    order = np.argsort(near, axis=1)
    places = np.cumsum(nodes.weights[order], axis=1)
    last = np.minimum(np.count_nonzero(places < wanted, axis=1), len(near) - 1)
    farthest = np.take_along_axis(near, np.take_along_axis(order, last[:, None], axis=1), axis=1)
    within: NDArrayBool = near <= farthest * (1 + EQUAL)
    return within


def _by_index(near: Floats, nodes: Nodes, wanted: int) -> NDArrayBool:
    """The nearest nodes that fill so many places, of equally near ones the first in the table."""
    by_position = np.argsort(nodes.first)
    order = by_position[np.argsort(np.round(near[:, by_position], 12), axis=1, kind="stable")]
    before = np.cumsum(nodes.weights[order], axis=1) - nodes.weights[order]
    chosen = np.zeros(near.shape, dtype=bool)
    np.put_along_axis(chosen, order, before < wanted, axis=1)
    return chosen
