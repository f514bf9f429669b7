"""Difference constraints ``a[tail] - a[head] <= bound``: what the engine asks of them, and an explicit list."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fgac.distances import Floats, Ints
from fgac.warned import callers_level

NDArrayBool = np.ndarray[Any, np.dtype[np.bool_]]


class Pairs(NamedTuple):
    """A list of constraints ``a[tail] - a[head] <= bound``."""

    tail: Ints
    head: Ints
    bound: Floats

    def violation(self, values: Floats) -> Floats:
        """How much each constraint is exceeded; negative where there is room."""
        return values[self.tail] - values[self.head] - self.bound

    def where(self, chosen: NDArrayBool) -> Pairs:
        """The constraints chosen by a mask."""
        return Pairs(self.tail[chosen], self.head[chosen], self.bound[chosen])

    def scaled(self, factor: float) -> Pairs:
        """The same pairs with all bounds multiplied by a number."""
        return self._replace(bound=factor * self.bound)

    @staticmethod
    def joined(parts: Sequence[Pairs]) -> Pairs:
        """One list of several."""
        return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class Pricing(NamedTuple):
    """What a search through all constraints found: violated pairs, and the largest violation."""

    pairs: Pairs
    largest: float


# A method that needs more pivots than this per node is not going to end.
PIVOTS_PER_NODE = 20_000


def check_end(status: int, pivots: int) -> None:
    """Raise or warn if the loop of a method ended otherwise than solved."""
    from fgac.kernels.halfedges import EXHAUSTED, INFEASIBLE

    if status == INFEASIBLE:
        raise ValueError(
            "no values satisfy the constraints: the bounds around some cycle of pairs add up to less than zero"
        )
    if status == EXHAUSTED:
        warnings.warn(f"stopped after {pivots} pivots", ConvergenceWarning, stacklevel=callers_level())


class Constraints(Protocol):
    """A set of difference constraints that can be searched."""

    @property
    def n_nodes(self) -> int:
        """One more than the largest node that is named."""

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search ALL constraints for the violated ones.

        ``largest`` is exact. If there are very many violated pairs, ``per_node`` of the worst of each node will do.
        """


class PairConstraints:
    """Constraints given as an explicit list.

    Parameters
    ----------
    tail, head : arrays of node numbers
    bound : array of numbers
        ``a[tail] - a[head] <= bound``; infinite bounds are no constraints.
    """

    def __init__(self, tail: Any, head: Any, bound: Any) -> None:
        pairs = Pairs(_nodes("tail", tail), _nodes("head", head), np.atleast_1d(np.asarray(bound, np.float64)))
        lengths = tuple(len(column) for column in pairs)
        if len(set(lengths)) > 1:
            raise ValueError(f"tail, head and bound must be equally long, got {lengths}")
        if np.isnan(pairs.bound).any() or (pairs.bound == -np.inf).any():
            raise ValueError("bounds must be numbers or +infinity, got nan or -infinity")
        loops = pairs.tail == pairs.head
        if (pairs.bound[loops] < 0).any():
            raise ValueError("a node cannot be less than itself: a pair (u, u) has a negative bound")
        self.pairs = pairs.where(np.isfinite(pairs.bound) & ~loops)

    @property
    def n_nodes(self) -> int:
        """One more than the largest node that is named."""
        return int(max(self.pairs.tail.max(initial=-1), self.pairs.head.max(initial=-1))) + 1

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Look at every pair of the list."""
        violation = self.pairs.violation(values)
        largest = float(violation.max(initial=0.0))
        return Pricing(self.pairs.where(violation > -largest), largest)


def _nodes(name: str, nodes: Any) -> Ints:
    array = np.atleast_1d(np.asarray(nodes))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"{name} must be a list of node numbers (integers), got {array.dtype} of shape {array.shape}")
    if (array < 0).any():
        raise ValueError(f"{name} must hold node numbers >= 0, got {array.min()}")
    return array.astype(np.int64)
