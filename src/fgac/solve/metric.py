"""Constraints between rows of a table whose bounds are their distances."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from fgac.distances import Floats, Metric, Rows
from fgac.solve.blocks import Blocks, Group
from fgac.solve.constraints import Pairs, Pricing
from fgac.solve.search import GroupSearch

# Pairs count as nearly violated within this share of the last largest violation, at first of the spread of the values.
# The more of them are told, the fewer searches there are; where distances are kept, searches are cheap.
NEARLY = 0.05
NEARLY_AT_FIRST = 0.05


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
            groups = [Group(every, every, every, every, labels=every if gamma > 0 else None)]
        self.rows, self.metric, self.gamma = rows, metric, float(gamma)
        self.groups, self.n_jobs = tuple(groups), n_jobs
        self.n_nodes = 1 + max(
            (int(nodes.max(initial=-1)) for g in groups for nodes in (g.tail_nodes, g.head_nodes)), default=-1
        )
        if self.gamma == 0 and any(g.labels is not None for g in groups):
            raise ValueError("gamma=0 with labels: must be positive")
        self.nearly: float | None = None
        self._searches = [GroupSearch(Blocks(rows, metric, group, n_jobs)) for group in groups]
        self._kept = all(search.points is None and search.blocks.kept is not None for search in self._searches)

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search all pairs of all groups."""
        nearly = NEARLY_AT_FIRST * float(np.ptp(values)) if self.nearly is None else self.nearly
        found = [search.price(values, self.gamma, per_node, -nearly) for search in self._searches]
        if not found:
            return Pricing(Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)), 0.0)
        largest = max(f.largest for f in found)
        self.nearly = 0.0 if self._kept else NEARLY * largest
        return Pricing(Pairs.joined([f.pairs for f in found]), largest)

    def at(self, gamma: float) -> MetricConstraints:
        """The same rows with another gamma; distances that are kept serve both."""
        other = copy(self)
        other.gamma, other.nearly = float(gamma), None
        return other
