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

from fgac._tolerances import EVENT_SPREAD
from fgac._typing import Bools, Floats, Ints
from fgac.solve.forest import Forest
from fgac.solve.pairs import AllPairs
from fgac.solve.path_walk import PathTracker
from fgac.solve.problem import Pairs

# A stage ends when gamma has fallen by this factor: longer stages need more candidates, shorter ones more searches.
STAGE_FACTOR = 1.4
# Flows of lighter nodes would be too near to what counts as rounding on the path.
MOST_UNEVEN = 1e-8


@dataclass(frozen=True)
class EdgePath:
    """The tight constraints of a problem for every gamma, and the values that follow from them.

    Attributes
    ----------
    targets, weights : arrays
        Of the nodes.
    tail, head, distance : arrays
        The edges: ``a[tail] - a[head] == gamma * distance`` where an edge is tight.
    start, stop : arrays
        As gamma falls, edge e becomes tight at ``start[e]`` and ceases to be at ``stop[e]``: it is tight for
        ``stop[e] < gamma <= start[e]``.
    largest_gamma, floor : float
        Above the first nothing changes (0 if nothing ever does); below the second nothing is known.
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
    start: Floats
    stop: Floats
    largest_gamma: float
    floor: float
    n_events: int
    n_stages: int
    largest_violation: float

    def breakpoints(self) -> Floats:
        """The gammas of the events, falling, those of a tie as one."""
        events = np.concatenate([self.start, self.stop])
        events = np.sort(events[np.isfinite(events) & (events > 0)])[::-1]
        # Events of a tie are as far apart as their lengthened distances.
        apart = events[:-1] > events[1:] * (1.0 + 10 * EVENT_SPREAD)
        return events[np.append(np.ones(min(1, len(events)), dtype=bool), apart)]

    def forest(self, gamma: float) -> Forest:
        """Values and multipliers for one gamma, in time proportional to the number of edges."""
        tight = (self.stop < gamma) & (gamma <= self.start)
        self._check_forest(tight, gamma)
        forest = Forest(self.targets, self.weights)
        forest.insert_edges(Pairs(self.tail[tight], self.head[tight], gamma * self.distance[tight]))
        forest.clip_flows()  # negative ones are rounding where an edge starts or stops
        return forest

    def _check_forest(self, tight: Bools, gamma: float) -> None:
        """Refuse edges with a circle, which a path from a file may hold, and the compiled loops would never leave."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        n, ends = len(self.targets), (self.tail[tight], self.head[tight])
        n_trees = connected_components(coo_array((np.ones(len(ends[0])), ends), shape=(n, n)), directed=False)[0]
        if n_trees + len(ends[0]) != n:
            raise ValueError(
                f"the constraints that are tight at gamma={gamma:g} go round in a circle, which those of a path never "
                "do; the file that it is from has been changed: compute the path again"
            )


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
    >>> path.largest_gamma, path.forest(2.0).a, path.forest(0.5).a
    (1.0, array([1., 0.]), array([0.75, 0.25]))
    """
    # Weights have no unit, but what counts as rounding of a flow is a number: it is measured in the largest of them.
    shares = weights / weights.max()
    if shares.min() < MOST_UNEVEN:
        raise ValueError(
            f"weights are too uneven for the path: the smallest is {shares.min():.1e} of the largest, expected at "
            f"least {MOST_UNEVEN:g}. Fit a model for each gamma of interest instead"
        )
    tracker = PathTracker(targets, shares, pairs)
    gamma = tracker.largest_gamma
    while gamma > floor:
        gamma = tracker.advance(gamma, max(floor, gamma / STAGE_FACTOR))
        if verbose > 0:
            print(f"[fgac] gamma {gamma:.4g}: {tracker.n_events} events, {tracker.n_stages} searches")  # noqa: T201
    tail, head, distance, start, stop = tracker.edges()
    return EdgePath(
        targets=targets,
        weights=weights,
        tail=tail,
        head=head,
        distance=distance,
        start=start,
        stop=stop,
        largest_gamma=tracker.largest_gamma,
        floor=floor,
        n_events=tracker.n_events,
        n_stages=tracker.n_stages,
        largest_violation=tracker.largest_violation,
    )
