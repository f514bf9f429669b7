"""The solution for every gamma: from infinity downwards, event by event.

The values that solve the least-squares problem under ``a_u - a_v <= gamma d(u, v)`` are piecewise linear in gamma
(:mod:`fgac._kernels.path` says why), and their tight constraints form a forest that changes by one edge at a time. So
the whole path is a list of edges with the gammas between which each is tight, and the solution for any gamma takes one
walk over those that are tight there.

Ties, events at exactly the same gamma, are taken apart by a tiny lengthening of distances
(:mod:`fgac.solve.path_walk`). The values are then computed from the true distances; how far that is from the optimum is
measured wherever it is asked for (:meth:`fgac.GammaPath.solution`), and stays around 1e-12.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fgac._typing import Floats, Ints
from fgac.solve.forest import Forest
from fgac.solve.pairs import AllPairs
from fgac.solve.path_walk import TIES, Walk
from fgac.solve.problem import Pairs

# A stage ends when gamma has fallen by this factor.
FALL = 1.4


@dataclass(frozen=True)
class EdgePath:
    """The tight constraints of a problem for every gamma, and the values they make.

    Attributes
    ----------
    targets, weights : arrays
        Of the nodes.
    tail, head, distance : arrays
        The edges: ``a[tail] - a[head] == gamma * distance`` where edge e is tight.
    born, died : arrays
        It is tight for ``died[e] < gamma <= born[e]``.
    start, floor : float
        Above ``start`` nothing changes (0 if nothing ever does); below ``floor`` nothing is known.
    n_events, n_stages : int
        Edges that came or went; searches of all pairs.
    largest_violation : float
        The largest violation of any constraint, over all pairs, at the ends of all stages.
    """

    targets: Floats
    weights: Floats
    tail: Ints
    head: Ints
    distance: Floats
    born: Floats
    died: Floats
    start: float
    floor: float
    n_events: int
    n_stages: int
    largest_violation: float

    def bends(self) -> Floats:
        """The gammas of the events, falling, those of a tie as one."""
        events = np.concatenate([self.born, self.died])
        events = np.sort(events[np.isfinite(events) & (events > 0)])[::-1]
        apart = events[:-1] > events[1:] * (1.0 + 10 * TIES)
        return events[np.append(np.ones(min(1, len(events)), dtype=bool), apart)]

    def forest(self, gamma: float) -> Forest:
        """Values and multipliers for one gamma, in time proportional to the number of edges."""
        tight = (self.died < gamma) & (gamma <= self.born)
        forest = Forest(self.targets, self.weights)
        forest.plant(Pairs(self.tail[tight], self.head[tight], gamma * self.distance[tight]))
        np.maximum(forest.flow, 0.0, out=forest.flow)
        return forest


def trace(targets: Floats, weights: Floats, pairs: AllPairs, floor: float, verbose: int = 0) -> EdgePath:
    """Follow the solution from infinite gamma down to the floor.

    Examples
    --------
    Two nodes at distance 1 that want to be 1 and 0 let go of their targets when gamma falls below 1:

    >>> from fgac.metrics.distances import Euclidean, Rows
    >>> from fgac.solve.pairs import Blocks, Group
    >>> one, two = np.array([0]), np.array([1])
    >>> pairs = AllPairs(Blocks(Rows.from_numeric([[0.0], [1.0]]), Euclidean(), Group(one, one, two, two)))
    >>> path = trace(np.array([1.0, 0.0]), np.ones(2), pairs, 0.1)
    >>> path.start, path.forest(2.0).a, path.forest(0.5).a
    (1.0, array([1., 0.]), array([0.75, 0.25]))
    """
    walk = Walk(targets, weights, pairs)
    gamma = walk.start
    while gamma > floor:
        gamma = walk.stage(gamma, max(floor, gamma / FALL))
        if verbose > 0:
            print(f"[fgac] gamma {gamma:.4g}: {walk.n_events} events, {walk.n_stages} searches")  # noqa: T201
    tail, head, distance, born, died = walk.edges()
    return EdgePath(
        targets=targets,
        weights=weights,
        tail=tail,
        head=head,
        distance=distance,
        born=born,
        died=died,
        start=walk.start,
        floor=floor,
        n_events=walk.n_events,
        n_stages=walk.n_stages,
        largest_violation=walk.largest,
    )
