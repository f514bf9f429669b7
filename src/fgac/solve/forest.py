"""Exact least squares under difference constraints: the active-forest method.

At the optimum the tight constraints with a positive multiplier can be chosen to form
a forest. The method keeps such a forest, with values and multipliers that are optimal
for it, and adds violated constraints one by one: a tree joined to another moves as a
rigid body, so every step is one walk over two trees (:mod:`fgac._kernels.forest`). It is
a dual active-set method in which no matrix is ever factorised.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.layouts import Tree
from fgac._tolerances import FLOW_TOL
from fgac._typing import Floats, Ints
from fgac.solve.problem import Pairs
from fgac.solve.state import PIVOTS_PER_NODE, check_end

# Pivots are resumed so often where rounding has made a flow negative; then it is set to 0, and counted as an error.
MOST_REPEATS = 4


class Forest:
    """Values of the nodes, and the tight edges with their flows: the state of the method.

    Parameters
    ----------
    targets, weights : arrays
        Of the nodes.
    order : array, optional
        The nodes in the order in which they are kept. Where nodes that lie together are kept together, a walk over a
        tree finds them in the cache.
    """

    coarse_share = 0.03
    clipped = 0.0

    def __init__(self, targets: Floats, weights: Floats, order: Ints | None = None) -> None:
        n = len(targets)
        self.order, self.place = order, None
        if order is not None:
            targets, weights = targets[order], weights[order]
            self.place = np.empty(n, dtype=np.int64)
            self.place[order] = np.arange(n)
        # A forest has fewer edges than nodes, so that n slots suffice.
        ends, lists, room = (np.full(shape, -1, dtype=np.int32) for shape in ((3, n), (2, 2 * n), (3, n)))
        self.tree = Tree(
            a=targets.copy(),
            y=targets,
            w=weights,
            tail=ends[0],
            head=ends[1],
            bound=np.zeros(n),
            flow=np.zeros(n),
            first=ends[2],
            after=lists[0],
            before=lists[1],
            spare=np.append(np.arange(n, dtype=np.int32), np.int32(n)),
            counts=np.zeros(2, dtype=np.int64),
            order=room[0],
            other_order=room[1],
            via=room[2],
            below=np.empty(n),
        )

    @property
    def a(self) -> Floats:
        """Values of the nodes."""
        return self.tree.a if self.place is None else self.tree.a[self.place]

    def _placed(self, pairs: Pairs) -> Pairs:
        """Pairs of nodes as pairs of the places where these are kept."""
        return pairs if self.place is None else Pairs(self.place[pairs.tail], self.place[pairs.head], pairs.bound)

    @property
    def n_pivots(self) -> int:
        """Steps so far."""
        return int(self.tree.counts[0])

    def pivot(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs and of the forest's edges holds."""
        from fgac._kernels.forest import pivot

        placed, most = self._placed(pairs), PIVOTS_PER_NODE * len(self.tree.a)
        for _ in range(MOST_REPEATS):
            check_end(pivot(placed, tol, most, self.tree), self.n_pivots)
            # Thousands of pivots have added up rounding; the edges alone say what values and flows are.
            self.recompute()
            if self._most_negative() <= FLOW_TOL:
                break
            # In large trees rounding may have kept an edge that should have been dropped.
            self.drop_negative_edges()
        self.clip_flows()

    def insert_edges(self, pairs: Pairs) -> None:
        """Make these tight constraints, which form a forest, the edges of an empty one; some flows may be negative."""
        from fgac._kernels.forest import insert_edges

        insert_edges(self._placed(pairs), self.tree)
        self.recompute()

    def drop_negative_edges(self) -> None:
        """Remove edges until no flow is negative: then values and flows are those of a state of the method."""
        from fgac._kernels.forest import drop_negative_edges

        # Without an edge the flows of its tree change, and others may become negative.
        while drop_negative_edges(self.tree):
            self.recompute()

    def recompute(self) -> None:
        """Compute values and flows from the edges."""
        from fgac._kernels.forest import recompute

        recompute(self.tree)

    def clip_flows(self) -> None:
        """Set flows to zero that rounding has made negative, and note how much their nodes notice of it."""
        self.clipped = self._most_negative()
        self.tree.flow[self.tree.flow < 0] = 0.0

    def _most_negative(self) -> float:
        """The largest flow below 0, as a share of the weight of the lighter node of its edge."""
        tree = self.tree
        negative = np.flatnonzero(tree.flow < 0)
        lighter = np.minimum(tree.w[tree.tail[negative]], tree.w[tree.head[negative]])
        return float((-tree.flow[negative] / lighter).max(initial=0.0))

    def edges(self) -> tuple[Pairs, Floats]:
        """The edges and their multipliers."""
        tree = self.tree
        used: Ints = np.flatnonzero(tree.tail >= 0)
        tail, head = tree.tail[used].astype(np.int64), tree.head[used].astype(np.int64)
        if self.order is not None:
            tail, head = self.order[tail], self.order[head]
        return Pairs(tail, head, tree.bound[used]), tree.flow[used]
