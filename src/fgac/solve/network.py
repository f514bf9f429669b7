"""Exact absolute and quantile loss under difference constraints: the network simplex method.

The dual of ``minimise sum w_u L_p(y_u, a_u) subject to a_u - a_v <= c(u, v)`` is a flow of least cost:
constraint (u, v) carries its multiplier at cost c, and node u may send out between ``-(1 - p) w_u`` and
``p w_u`` more than it takes in, at a profit of y_u. With the ground as one more node its bases are
spanning trees; the potentials of a tree are values a in which all its arcs are tight, and an arc may enter
the tree exactly if its constraint is violated (:mod:`fgac._kernels.network`). So constraints are generated
lazily by the same search as for least squares.

The optimum is not unique. Of all optimal values the engine returns the one that is nearest to the targets in
weighted least squares: it is unique, so it depends neither on the order of nodes nor on how it was found. It is
itself a least-squares problem under difference constraints, and the forest solves it: every arc with a positive
flow stays tight, and a node that sends out all it may stays at or below its target (at or above, if it takes
in all it may).
"""

from __future__ import annotations

import numpy as np

from fgac._typing import Floats
from fgac.solve.constraints import PIVOTS_PER_NODE, check_end
from fgac.solve.problem import Constraints, Pairs, Pricing


class Network:
    """Potentials of the nodes, and a spanning tree with its flows: the state of the method."""

    coarse_share = 0.01

    def __init__(self, targets: Floats, lower: Floats, upper: Floats) -> None:
        n = len(targets)
        nodes, ground = np.arange(n, dtype=np.int32), np.full(n, n, dtype=np.int32)
        self.y = targets
        self.potential = np.append(targets, 0.0)
        self.tail = np.append(ground, np.full(n + 1, -1, dtype=np.int32))
        self.head = np.append(nodes, np.full(n + 1, -1, dtype=np.int32))
        self.bound = np.append(-targets, np.zeros(n + 1))
        self.flow = np.zeros(2 * n + 1)
        self.lower = np.append(lower, np.zeros(n + 1))
        self.upper = np.append(upper, np.full(n + 1, np.inf))
        self.tree = np.arange(2 * n + 1) < n
        self.parent = np.append(ground, np.int32(-1))
        self.via = np.append(nodes, np.int32(-1))
        self.depth = np.append(np.ones(n, dtype=np.int32), np.int32(0))
        self.spare = np.append(np.arange(n, 2 * n + 1, dtype=np.int32), np.int32(n + 1))
        self._link_ground_arcs(n)
        self.order = np.empty(n + 1, dtype=np.int32)
        self.counts = np.zeros(2, dtype=np.int64)

    def _link_ground_arcs(self, n: int) -> None:
        """Chain the half-edges of all ground arcs: ``2z`` at the ground, ``2z + 1`` at node z."""
        nodes = np.arange(n, dtype=np.int32)
        self.first = np.append(2 * nodes + 1, np.int32(0))
        self.after = np.full(4 * n + 2, -1, dtype=np.int32)
        self.before = self.after.copy()
        self.after[2 * nodes[:-1]] = 2 * nodes[1:]
        self.before[2 * nodes[1:]] = 2 * nodes[:-1]

    @property
    def a(self) -> Floats:
        """Values of the nodes."""
        return self.potential[:-1]

    def pivot(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs holds (the dual flow descends in cost meanwhile)."""
        from fgac._kernels.network import pivot, recompute

        tree = (
            self.potential, self.tail, self.head, self.bound, self.flow, self.lower, self.upper, self.tree,
            self.parent, self.via, self.depth, self.first, self.after,
        )  # fmt: skip
        todo = np.empty(len(pairs.bound) + len(self.y), dtype=np.int64)
        limit = PIVOTS_PER_NODE * len(self.y)
        status = pivot(*pairs, self.y, tol, limit, *tree, self.before, self.spare, self.order, todo, self.counts)
        check_end(status, int(self.counts[0]))
        recompute(*tree, self.order, np.empty(len(self.potential)))

    def edges(self) -> tuple[Pairs, Floats]:
        """The constraints in the tree and their multipliers."""
        n = len(self.y)
        used = n + np.flatnonzero(self.tree[n:])
        pairs = Pairs(self.tail[used].astype(np.int64), self.head[used].astype(np.int64), self.bound[used])
        return pairs, self.flow[used]

    def face(self, tol: float) -> Pairs:
        """Constraints that, with those of the problem, leave exactly the optimal values; the ground is node n."""
        n = len(self.y)
        pairs, flows = self.edges()
        tight = pairs.where(flows > tol)
        ground, sent = self.tail[:n].astype(np.int64), self.flow[:n]
        nodes = np.arange(n)
        below = sent > self.lower[:n] + tol
        above = sent < self.upper[:n] - tol
        return Pairs.joined(
            [
                Pairs(tight.head, tight.tail, -tight.bound),
                Pairs(nodes[below], ground[below], self.y[below]),
                Pairs(ground[above], nodes[above], -self.y[above]),
            ]
        )


class FaceConstraints:
    """The constraints of a problem together with a list."""

    def __init__(self, constraints: Constraints, pairs: Pairs, n_nodes: int) -> None:
        self.constraints, self.pairs, self.n_nodes = constraints, pairs, n_nodes

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search both."""
        priced = self.constraints.price(values, per_node)
        violation = self.pairs.violation(values)
        largest = max(priced.largest, float(violation.max(initial=0.0)))
        return Pricing(Pairs.joined([priced.pairs, self.pairs.where(violation > -largest)]), largest)
