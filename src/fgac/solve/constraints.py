"""The two kinds of difference constraints ``a[tail] - a[head] <= bound``: an explicit list, and distances of rows.

Both answer one question of the engine, :meth:`fgac.solve.Constraints.price`: which constraints do these values violate?
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.metrics.distances import LARGEST, Metric, Rows
from fgac.metrics.rounding import Rounding
from fgac.solve.pairs import Blocks, Group
from fgac.solve.pricing import GammaSearch, GroupSearch
from fgac.solve.problem import Pairs, Pricing, check_largest
from fgac.solve.sides import spatial_order

# Pairs within this share of the last largest violation of being violated are returned as well, at first of the range of
# the values: the more pairs the engine knows, the fewer searches it needs. Where distances are kept, searches are cheap
# and only violated pairs are returned.
NEAR_SHARE = 0.05
FIRST_NEAR_SHARE = 0.05
# From so many nodes on a forest does not fit the cache of a core, and keeps them in an order of their own.
MANY_NODES = 20_000


class PairConstraints:
    """Constraints given as an explicit list.

    Parameters
    ----------
    tail, head : arrays of node numbers
    bound : array of numbers
        ``a[tail] - a[head] <= bound``; infinite bounds are no constraints.
    error : number, or array of numbers, default=0.0
        By how much bounds that were computed may be too large.

    Examples
    --------
    >>> from fgac.solve import PairConstraints, Problem, solve
    >>> solve(Problem([1, 0, 0], PairConstraints([0, 0], [1, 2], [0.5, 1.0]))).values
    array([0.75, 0.25, 0.  ])
    """

    def __init__(self, tail: Any, head: Any, bound: Any, error: Any = 0.0) -> None:
        pairs = Pairs(_nodes("tail", tail), _nodes("head", head), np.atleast_1d(np.asarray(bound, np.float64)))
        lengths = tuple(len(column) for column in pairs)
        if len(set(lengths)) > 1:
            raise ValueError(f"tail, head and bound must be equally long, got {lengths}")
        if np.isnan(pairs.bound).any() or (pairs.bound == -np.inf).any():
            raise ValueError("bounds must be numbers or +infinity, got nan or -infinity")
        loops = pairs.tail == pairs.head
        if (pairs.bound[loops] < 0).any():
            raise ValueError("a node cannot be less than itself: a pair (u, u) has a negative bound")
        kept = np.isfinite(pairs.bound) & ~loops
        self.pairs, self.error = pairs.where(kept), np.broadcast_to(error, len(kept))[kept]

    @property
    def n_nodes(self) -> int:
        """One more than the largest node that is named."""
        return int(max(self.pairs.tail.max(initial=-1), self.pairs.head.max(initial=-1))) + 1

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Compare every pair of the list."""
        violation = self.pairs.violation(values)
        largest = check_largest(violation)
        return Pricing(self.pairs.where(violation > -largest), largest)

    def rounding(self, values: Floats, slight: float) -> float:
        """The largest part of a possible violation that is due to errors of the bounds alone."""
        violation = self.pairs.violation(values)
        hidden = np.maximum(0.0, violation + self.error) - np.maximum(0.0, violation)
        return float(hidden.max(initial=0.0))


def _nodes(name: str, nodes: Any) -> Ints:
    """Node numbers as an array, after a check that they are."""
    array = np.atleast_1d(np.asarray(nodes))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name} must be a list of node numbers (integers), got {array.dtype} of shape {array.shape}")
    if (array < 0).any():
        raise ValueError(f"{name} must hold node numbers >= 0, got {array.min()}")
    return array.astype(np.int64)


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

    Examples
    --------
    >>> from fgac.metrics.distances import Manhattan, Rows
    >>> from fgac.solve import MetricConstraints, Problem, solve
    >>> rows = Rows.from_numeric([[0.0], [0.25], [1.0]])
    >>> solve(Problem([1, 0, 0], MetricConstraints(rows, Manhattan(), gamma=1.0))).values
    array([0.625, 0.375, 0.   ])
    """

    def __init__(
        self,
        rows: Rows,
        metric: Metric,
        gamma: float,
        groups: Sequence[Group] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        if not (0 <= gamma <= LARGEST):
            raise ValueError(f"gamma={gamma!r} must be a number from 0 to {LARGEST:.0e}")
        if groups is None:
            every = np.arange(len(rows))
            # Labels that are all different keep a row from forming a pair with itself. With gamma 0 such a pair is
            # never violated, and labels, whose infinite distances would be multiplied by 0, are not allowed.
            groups = [Group(every, every, every, every, labels=every if gamma > 0 else None)]
        self.rows, self.metric, self.gamma = rows, metric, float(gamma)
        self.groups, self.n_jobs = tuple(groups), n_jobs
        self.n_nodes = 1 + max(
            (int(nodes.max(initial=-1)) for g in groups for nodes in (g.tail_nodes, g.head_nodes)), default=-1
        )
        if self.gamma == 0 and any(g.labels is not None for g in groups):
            raise ValueError("gamma=0 with labels: must be positive")
        self._margin: float | None = None
        self._groups = [GroupSearch(Blocks(rows, metric, group, n_jobs)) for group in groups]
        self._kept = all(group.is_kept for group in self._groups)

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search all pairs of all groups for those that are violated, or nearly."""
        margin = FIRST_NEAR_SHARE * float(np.ptp(values)) if self._margin is None else self._margin
        found = [search.price(values, per_node, -margin) for search in self._searches]
        if not found:
            return Pricing(Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)), 0.0)
        largest = max(f.largest for f in found)
        self._margin = 0.0 if self._kept else NEAR_SHARE * largest
        return Pricing(Pairs.joined([f.pairs for f in found]), largest)

    def node_order(self) -> Ints | None:
        """The nodes in an order in which those of rows that lie together follow each other; None if they are few."""
        if self.n_nodes < MANY_NODES or not any(group.sorted for group in self._groups):
            return None
        nodes = np.concatenate([part for g in self.groups for part in (g.tail_nodes, g.head_nodes)])
        rows = np.concatenate([part for g in self.groups for part in (g.tail_rows, g.head_rows)])
        nodes, first = np.unique(nodes, return_index=True)
        rows = rows[first]
        used, of_node = np.unique(rows, return_inverse=True)
        rank = np.empty(len(used), dtype=np.int64)
        rank[spatial_order(self.rows[used])] = np.arange(len(used))
        order: Ints = nodes[np.argsort(rank[of_node], kind="stable")]
        return order

    def rounding(self, values: Floats, slight: float) -> float:
        """How much more a constraint may be violated by the distances of the caller's table than by ours."""
        errors = self._errors
        # Only constraints that can be tight matter, and their bounds are differences of values.
        cheap = errors.bound(self.gamma, float(np.ptp(values)))
        if cheap <= slight:
            return cheap
        return max((largest_hidden_by(group.blocks, values, self.gamma, errors) for group in self._groups), default=0.0)

    @cached_property
    def _searches(self) -> list[GammaSearch]:
        return [group.at(self.gamma) for group in self._groups]

    @cached_property
    def _errors(self) -> Rounding:
        return self.metric.rounding(self.rows)

    def at(self, gamma: float) -> MetricConstraints:
        """The same rows with another gamma; distances that are kept, and the order of rows in blocks, serve both."""
        self._errors  # noqa: B018  (computed here, it is shared too)
        other = copy(self)
        other.gamma, other._margin = float(gamma), None
        vars(other).pop("_searches", None)
        return other


def largest_hidden_by(blocks: Blocks, values: Floats, gamma: float, errors: Rounding) -> float:
    """The largest part of a possible violation of a pair that is due to errors of its distance alone."""
    from fgac._kernels.pairs import largest_hidden

    group = blocks.group
    over, under = values[group.tail_nodes], -values[group.head_nodes]
    of_tails, of_heads = errors.rows[group.tail_rows], errors.rows[group.head_rows]

    def look(distances: Floats, rows: slice, columns: slice) -> float:
        return float(
            largest_hidden(
                distances, over[rows], under[columns], of_tails[rows], of_heads[columns], errors.share, gamma
            )
        )

    return max(blocks.each(look), default=0.0)
