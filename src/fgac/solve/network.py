"""Exact absolute and quantile loss under difference constraints: the network simplex method.

The dual of ``minimise sum w_u L_p(y_u, a_u) subject to a_u - a_v <= c(u, v)`` is a flow of least cost:
constraint (u, v) carries its multiplier at cost c, and node u may send out between ``-(1 - p) w_u`` and
``p w_u`` more than it takes in, at a profit of y_u. With the ground as one more node its bases are
spanning trees; the potentials of a tree are values a in which all its arcs are tight, and an arc may enter
the tree exactly if its constraint is violated (:mod:`fgac._kernels.network`). So constraints are generated
as they are needed, by the same search as for least squares.

The optimum is not unique. Of all optimal values the engine returns the one that is nearest to the targets in
weighted least squares: it is unique, so it depends neither on the order of nodes nor on how it was found. It is
itself a least-squares problem under difference constraints, and the forest solves it: every arc with a positive
flow stays tight, and a node that sends out all it may stays at or below its target (at or above, if it takes
in all it may).
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.layouts import Shorts, SpanningTree
from fgac._typing import Floats
from fgac.solve.problem import Constraints, Pairs, Pricing, check_largest
from fgac.solve.state import PIVOTS_PER_NODE, check_end


class Network:
    """Potentials of the nodes, and a spanning tree with its flows: the state of the method."""

    coarse_share = 0.01
    clipped = 0.0

    def __init__(self, targets: Floats, lower: Floats, upper: Floats) -> None:
        n = len(targets)
        nodes, ground, free = np.arange(n, dtype=np.int32), np.full(n, n, np.int32), np.full(n + 1, -1, np.int32)
        first, after, before = _ground_lists(n)
        # The first tree holds all ground arcs, without flow: every node is at its target.
        self.tree = SpanningTree(
            a=np.append(targets, 0.0),
            y=targets,
            tail=np.append(ground, free),
            head=np.append(nodes, free),
            bound=np.append(-targets, np.zeros(n + 1)),
            flow=np.zeros(2 * n + 1),
            lower=np.append(lower, np.zeros(n + 1)),
            upper=np.append(upper, np.full(n + 1, np.inf)),
            is_basic=np.arange(2 * n + 1) < n,
            parent=np.append(ground, np.int32(-1)),
            via=np.append(nodes, np.int32(-1)),
            depth=np.append(np.ones(n, dtype=np.int32), np.int32(0)),
            first=first,
            after=after,
            before=before,
            spare=np.append(np.arange(n, 2 * n + 1, dtype=np.int32), np.int32(n + 1)),
            counts=np.zeros(2, dtype=np.int64),
            order=np.empty(n + 1, dtype=np.int32),
        )

    @property
    def a(self) -> Floats:
        """Values of the nodes."""
        return self.tree.a[:-1]

    @property
    def n_pivots(self) -> int:
        """Steps so far."""
        return int(self.tree.counts[0])

    def pivot(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs holds (the cost of the dual flow falls meanwhile)."""
        from fgac._kernels.network import pivot, recompute

        status = pivot(pairs, tol, PIVOTS_PER_NODE * len(self.a), self.tree)
        check_end(status, self.n_pivots)
        recompute(self.tree)

    def edges(self) -> tuple[Pairs, Floats]:
        """The constraints in the tree and their multipliers."""
        tree, n = self.tree, len(self.a)
        used = n + np.flatnonzero(tree.is_basic[n:])
        pairs = Pairs(tree.tail[used].astype(np.int64), tree.head[used].astype(np.int64), tree.bound[used])
        return pairs, tree.flow[used]

    def face(self, tol: float) -> Pairs:
        """Constraints that, with those of the problem, leave exactly the optimal values; the ground is node n."""
        tree, n = self.tree, len(self.a)
        pairs, flows = self.edges()
        tight = pairs.where(flows > tol)
        ground, sent = tree.tail[:n].astype(np.int64), tree.flow[:n]
        nodes = np.arange(n)
        # A node that sends more than the least it may is not above its target, one that sends less than the most is not
        # below: in between, a node is at its target.
        below = sent > tree.lower[:n] + tol
        above = sent < tree.upper[:n] - tol
        return Pairs.joined(
            [
                Pairs(tight.head, tight.tail, -tight.bound),
                Pairs(nodes[below], ground[below], tree.y[below]),
                Pairs(ground[above], nodes[above], -tree.y[above]),
            ]
        )


def _ground_lists(n: int) -> tuple[Shorts, Shorts, Shorts]:
    """``first``, ``after`` and ``before`` of all ground arcs: half-edge ``2z`` at the ground, ``2z + 1`` at node z."""
    nodes = np.arange(n, dtype=np.int32)
    first = np.append(2 * nodes + 1, np.int32(0))
    after = np.full(4 * n + 2, -1, dtype=np.int32)
    before = after.copy()
    after[2 * nodes[:-1]] = 2 * nodes[1:]
    before[2 * nodes[1:]] = 2 * nodes[:-1]
    return first, after, before


class FaceConstraints:
    """The constraints of a problem together with a list of pairs, such as those of the optimal face."""

    def __init__(self, constraints: Constraints, pairs: Pairs, n_nodes: int) -> None:
        self.constraints, self.pairs, self.n_nodes = constraints, pairs, n_nodes

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search the constraints of the problem and compare the pairs of the list."""
        priced = self.constraints.price(values, per_node)
        violation = self.pairs.violation(values)
        largest = max(priced.largest, check_largest(violation))
        return Pricing(Pairs.joined([priced.pairs, self.pairs.where(violation > -largest)]), largest)

    def rounding(self, values: Floats, slight: float) -> float:
        """That of the constraints of the problem; the pairs of the list follow from its solution."""
        return self.constraints.rounding(values, slight)
