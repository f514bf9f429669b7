"""Constraints between rows of a table whose bounds are their distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fgac.distances import Floats, Metric, Rows
from fgac.solve.constraints import Pairs, Pricing
from fgac.solve.search import Group, GroupSearch

# Distances of problems up to this size (64 MB) are kept between searches.
KEEP = 8_000_000


class MetricConstraints:
    """Constraints ``a_u - a_v <= gamma * d(u, v)`` between the rows of a table.

    Searched tile by tile; the matrix of distances is kept only where it is small.

    Parameters
    ----------
    rows : Rows
    metric : Metric
    gamma : float
    groups : list of Group, optional
        Which pairs are constrained. Every pair of different rows, in both directions, by default.
    n_jobs : int, optional
        Threads of the search.
    """

    def __init__(
        self,
        rows: Rows,
        metric: Metric,
        gamma: float,
        groups: Sequence[Group] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        if not (0 <= gamma < np.inf):
            raise ValueError(f"gamma={gamma!r} must be a finite number that is not negative")
        if groups is None:
            every = np.arange(len(rows))
            groups = [Group(every, every, every, every)]
        self.rows, self.metric, self.gamma = rows, metric, float(gamma)
        self.groups, self.n_jobs = tuple(groups), n_jobs
        self.n_nodes = 1 + max(
            (int(nodes.max(initial=-1)) for g in groups for nodes in (g.tail_nodes, g.head_nodes)), default=-1
        )
        if self.gamma == 0 and any(g.labels is not None for g in groups):
            raise ValueError("gamma=0 with labels: must be positive")
        n_pairs = sum(len(g.tail_rows) * len(g.head_rows) for g in groups)
        self._searches = [GroupSearch(rows, metric, self.gamma, g, n_jobs, n_pairs <= KEEP) for g in groups]

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search all pairs of all groups."""
        found = [search.price(values, per_node) for search in self._searches]
        largest = max((f.largest for f in found), default=0.0)
        pairs = [f.pairs for f in found]
        if not pairs:
            return Pricing(Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)), 0.0)
        joined = Pairs.joined(pairs)
        return Pricing(joined.where(joined.violation(values) > -largest), largest)
