"""Exact least squares under difference constraints: the active-forest method.

At the optimum the tight constraints with a positive multiplier can be chosen to form
a forest. The method keeps such a forest, with values and multipliers that are optimal
for it, and adds violated constraints one by one: a tree joined to another moves as a
rigid body, so every step is one walk over two trees (:mod:`fgac._kernels.forest`). It is
a dual active-set method in which no matrix is ever factorised.
"""

from __future__ import annotations

import numpy as np

from fgac._typing import Floats, Ints
from fgac.solve.constraints import PIVOTS_PER_NODE, check_end
from fgac.solve.problem import Pairs


class Forest:
    """Values of the nodes, and the tight edges with their flows: the state of the method."""

    coarse_share = 0.03

    def __init__(self, targets: Floats, weights: Floats) -> None:
        n = len(targets)
        self.y, self.w = targets, weights
        self.a = targets.copy()
        self.tail = np.full(n, -1, dtype=np.int32)
        self.head = np.full(n, -1, dtype=np.int32)
        self.bound, self.flow = np.zeros(n), np.zeros(n)
        self.first = np.full(n, -1, dtype=np.int32)
        self.after = np.full(2 * n, -1, dtype=np.int32)
        self.before = np.full(2 * n, -1, dtype=np.int32)
        self.spare = np.append(np.arange(n, dtype=np.int32), np.int32(n))
        self.counts = np.zeros(2, dtype=np.int64)
        self.nodes = np.empty((3, n), dtype=np.int32)
        self.below = np.empty(n)

    def pivot(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs and of the forest's edges holds."""
        from fgac._kernels.forest import pivot

        status = pivot(
            *pairs, tol, PIVOTS_PER_NODE * len(self.a),
            self.a, self.w, self.tail, self.head, self.bound, self.flow,
            self.first, self.after, self.before, self.spare, self.counts,
            self.nodes, self.below, np.empty(len(pairs.bound), dtype=np.int64),
        )  # fmt: skip
        check_end(status, int(self.counts[0]))
        self._recompute()
        np.maximum(self.flow, 0.0, out=self.flow)

    def insert_edges(self, pairs: Pairs) -> None:
        """Make these tight constraints, which form a forest, the edges of an empty one; some flows may be negative."""
        from fgac._kernels.forest import insert_edges

        insert_edges(
            *pairs, self.tail, self.head, self.bound, self.flow, self.first, self.after, self.before, self.spare,
        )  # fmt: skip
        self._recompute()

    def drop_negative_edges(self) -> None:
        """Remove edges until no flow is negative: then values and flows are those of a state of the method."""
        from fgac._kernels.forest import drop_negative_edges

        while drop_negative_edges(self.tail, self.head, self.flow, self.first, self.after, self.before, self.spare):
            self._recompute()

    def _recompute(self) -> None:
        """Compute values and flows from the edges."""
        from fgac._kernels.forest import recompute

        recompute(
            self.a, self.y, self.w, self.tail, self.head, self.bound, self.flow,
            self.first, self.after, self.nodes, self.below, np.empty(len(self.a)),
        )  # fmt: skip

    def edges(self) -> tuple[Pairs, Floats]:
        """The edges and their multipliers."""
        used: Ints = np.flatnonzero(self.tail >= 0)
        return Pairs(self.tail[used].astype(np.int64), self.head[used].astype(np.int64), self.bound[used]), self.flow[
            used
        ]
