"""The walk down the gamma path: stages, candidates, and the proof that they suffice.

Only pairs that are nearly tight can meet next. Gamma falls in stages, each with such candidates; at its end ALL pairs
are compared with what the values can have been in between (their chords, and how far their breakpoints lie off them),
and a stage in which another pair might have been violated is repeated with that pair among the candidates. So the path
is that of the full problem.

Ties, events at exactly the same gamma, are taken apart by lengthening every distance by up to ``EVENT_SPREAD`` of
itself, by an amount that is a fixed function of the pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fgac._kernels.layouts import (
    BREAKPOINTS,
    CIRCLING,
    EVENTS,
    HEAD,
    INTERVALS,
    LENGTH,
    STANDING,
    START,
    STOP,
    TAIL,
    Candidates,
    EdgeHistory,
    EventQueue,
    PathTrees,
)
from fgac._tolerances import CANDIDATE_TOL, EVENT_SPREAD, PATH_START_TOL, PATH_STEP
from fgac._typing import Floats, Ints
from fgac.solve.forest import Forest
from fgac.solve.pairs import NO_PAIRS, AllPairs, NearPairs, ValueRange
from fgac.solve.problem import Pairs

# A stage ends at the latest with this many breakpoints per node: their record must fit into memory.
BREAKPOINTS_PER_NODE = 24
# Candidates per node: fewer miss pairs, more cost time at every event.
CANDIDATES_PER_NODE = 5
# Events at one gamma, per node, that show that rounding makes the walk turn in circles.
PATIENCE = 50


class Snapshot(NamedTuple):
    """What is needed to repeat a stage: the trees, the counts, and where the intervals of edges had stopped."""

    trees: PathTrees
    counts: Ints
    stops: Floats


class PathTracker:
    """Follows the solution as gamma falls: trees of tight constraints, their next events, and all past ones.

    Attributes
    ----------
    unit : float
        The largest gamma at which a pair of targets is tight: the unit of gamma.
    largest_gamma : float
        The largest gamma at which anything happens.
    candidates : NearPairs
        The pairs that may become tight in the present stage, sorted.
    reach : float
        How far a pair may be from being tight to be a candidate.
    largest_violation : float
        Over all pairs, at the ends of all stages.
    n_stages : int
        Searches of all pairs.
    """

    def __init__(self, targets: Floats, weights: Floats, pairs: AllPairs) -> None:
        n = len(targets)
        self.targets, self.weights, self.pairs = targets, weights, pairs
        self.is_tail = np.zeros(n, dtype=np.bool_)
        self.is_tail[pairs.group.tail_nodes] = True
        self.queue = _empty_queue(n)
        room = (BREAKPOINTS_PER_NODE + 1) * n
        self.history = EdgeHistory(np.zeros((8 * n, 5)), np.empty(room, np.int32), np.empty(room), np.empty(room))
        self.counts = np.zeros(6, dtype=np.int64)
        self.above, self.below = np.zeros(n), np.zeros(n)
        self.largest_violation, self.n_stages, self.reach = 0.0, 0, 1.0
        self._begin()

    @property
    def n_events(self) -> int:
        """Edges that came or went."""
        return int(self.counts[EVENTS])

    @property
    def n_intervals(self) -> int:
        """Intervals that have been recorded."""
        return int(self.counts[INTERVALS])

    def _begin(self) -> None:
        """Solve for gamma so large that only rows at the same place are bound to each other."""
        y = self.targets
        # At the largest number that may be multiplied by a distance, only pairs at distance 0 are violated.
        huge = ValueRange(np.finfo(np.float64).max / 4, y, y)
        same = self.pairs.near(huge, huge, 0.0)
        self.unit = self.pairs.largest_gamma(y) or 1.0
        self._solve_at(*self._ends(same), self.unit)
        self.n_same = self.n_intervals
        self.candidates = NO_PAIRS
        self._refresh(self.unit)
        now = self._values(self.unit)
        self.largest_gamma = self.pairs.largest_gamma(now)
        here = ValueRange(self.largest_gamma, now, now)
        self._choose(self.pairs.near(here, here, -self.reach))

    def edges(self) -> tuple[Ints, Ints, Floats, Floats, Floats]:
        """Tails, heads and true distances of all edges so far, and the gammas at which each started and stopped."""
        intervals = self.history.intervals[: self.n_intervals]
        tail, head = intervals[:, TAIL].astype(np.int64), intervals[:, HEAD].astype(np.int64)
        length = intervals[:, LENGTH]
        apart = length > 2 * EVENT_SPREAD / self.unit
        distance = np.where(apart, length / (1.0 + EVENT_SPREAD * pair_hash(tail, head)), 0.0)
        # Rows at the same place are bound to each other from infinity on.
        start = np.where(np.arange(len(intervals)) < self.n_same, np.inf, intervals[:, START])
        return tail, head, distance, start, intervals[:, STOP].copy()

    def advance(self, gamma: float, goal: float) -> float:
        """Fall towards the goal with candidates that turn out to suffice; return the gamma that was reached."""
        from fgac._kernels.path import deviations

        before = self._snapshot()
        while True:
            self._refresh(gamma)
            start = self._values(gamma)
            stop = self._process_events(gamma, goal)
            end = self._values(stop)
            deviations(gamma, stop, start, end, self.history, self.counts[BREAKPOINTS], self.above, self.below)
            # In between, a value lies at most `above` over its chord and `below` under it. Chords and bounds are lines
            # in gamma: a pair that these ranges do not violate at either end is violated nowhere.
            near = self.pairs.near(
                ValueRange(gamma, start + self.above, start - self.below),
                ValueRange(stop, end + self.above, end - self.below),
                -self.reach,
            )
            self.n_stages += 1
            missed = self._unknown(near.where(near.violation > CANDIDATE_TOL))
            if not len(missed.tail):
                break
            self._restore(before)
            both = NearPairs.joined([self.candidates, missed])
            self.candidates = both.where(np.argsort(self._keys(both)))
        self._measure(near, end, stop)
        self._choose(near)
        return stop

    def _process_events(self, gamma: float, goal: float) -> float:
        """Let events happen; step over a gamma at which they do not come to an end."""
        from fgac._kernels.path import process_events

        self.counts[BREAKPOINTS] = 0
        patience = PATIENCE * len(self.targets)
        stop, status = process_events(
            gamma, goal, self.trees, self.index, self.queue, self.history, self.counts, patience
        )
        if status == CIRCLING:
            stop = self._step_over(stop, goal)
        self._make_room()
        return float(stop)

    def _step_over(self, gamma: float, goal: float) -> float:
        """End all intervals at this gamma, solve anew a little below on candidates and edges; return that gamma."""
        trees = self.trees
        edges = trees.tail >= 0
        self.history.intervals[trees.interval[edges], STOP] = gamma
        gamma = max(goal, gamma * (1.0 - PATH_STEP))
        tail, head, length = self._ends(self.candidates)
        tail, head = np.append(tail, trees.tail[edges]), np.append(head, trees.head[edges])
        self._solve_at(tail, head, np.append(length, trees.length[edges]), gamma)
        self._refresh(gamma)
        return gamma

    def _solve_at(self, tail: Ints, head: Ints, length: Floats, gamma: float) -> None:
        """Solve on some pairs at one gamma and take over the forest; the intervals of its edges start there."""
        forest = Forest(self.targets, self.weights)
        forest.pivot(Pairs(tail.astype(np.int64), head.astype(np.int64), gamma * length), PATH_START_TOL)
        n, tree = len(self.targets), forest.tree
        interval = self._record_start(forest, gamma)
        self.counts[STANDING] = 0
        short, floats = np.full((5, n), -1, dtype=np.int32), np.zeros((4, n))
        self.trees = PathTrees(
            y=self.targets,
            w=self.weights,
            tail=tree.tail,
            head=tree.head,
            length=tree.bound / gamma,
            first=tree.first,
            after=tree.after,
            before=tree.before,
            spare=tree.spare,
            interval=interval,
            mean=floats[0],
            slope=floats[1],
            tree=short[0],
            chain=short[1],
            size=short[2],
            order=short[3],
            via=short[4],
            constant=floats[2],
            linear=floats[3],
        )

    def _record_start(self, forest: Forest, gamma: float) -> Ints:
        """Record that all edges of a forest start at this gamma; return the line of the record of every edge."""
        n, first, tree = len(self.targets), self.n_intervals, forest.tree
        used = np.flatnonzero(tree.tail >= 0)
        self._make_room()
        started = np.column_stack([tree.tail, tree.head, tree.bound / gamma, np.full(n, gamma), np.zeros(n)])
        self.history.intervals[first : first + len(used)] = started[used]
        self.counts[INTERVALS] += len(used)
        interval = np.zeros(n, dtype=np.int64)
        interval[used] = first + np.arange(len(used))
        return interval

    def _make_room(self) -> None:
        """See that the history has room for the intervals of a few edges per node."""
        intervals = self.history.intervals
        if self.n_intervals + 4 * len(self.targets) > len(intervals):
            self.history = self.history._replace(intervals=np.concatenate([intervals, np.zeros_like(intervals)]))

    def _choose(self, near: NearPairs) -> None:
        """Take the most nearly tight pairs as candidates, and aim at as many the next time."""
        wanted = CANDIDATES_PER_NODE * len(self.targets)
        # The next search reaches as far as the last pair that is taken now, or half as far again if there are too few.
        if len(near.tail) > wanted:
            self.reach = max(CANDIDATE_TOL, -float(np.partition(near.violation, -wanted)[-wanted]))
            near = near.where(near.violation >= -self.reach)
        else:
            self.reach = min(1.0, 1.5 * self.reach)
        self.candidates = near

    def _refresh(self, gamma: float) -> None:
        """List the candidates at their nodes, compute all lines, and find the next event of every tree."""
        from fgac._kernels.path import build_queue

        tail, head, length = self._ends(self.candidates)
        owner, other = np.concatenate([tail, head]), np.concatenate([head, tail])
        order = np.argsort(owner, kind="stable")  # candidates of a node stay sorted
        self.index = Candidates(
            start=np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(self.targets)))]),
            owner=owner[order].astype(np.int32),
            other=other[order].astype(np.int32),
            length=np.tile(length, 2)[order],
            is_tail=self.is_tail,
        )
        build_queue(gamma, self.trees, self.index, self.queue, self.counts)

    def _ends(self, near: NearPairs) -> tuple[Ints, Ints, Floats]:
        """Nodes and lengthened distances of some pairs; a distance of 0 becomes a tiny one."""
        tail, head = self.pairs.group.tail_nodes[near.tail], self.pairs.group.head_nodes[near.head]
        share = EVENT_SPREAD * pair_hash(tail, head)
        return tail, head, np.where(near.distance > 0, near.distance * (1.0 + share), share / self.unit)

    def _values(self, gamma: float) -> Floats:
        """Values of the nodes, from their lines."""
        values: Floats = self.trees.mean + gamma * self.trees.slope
        return values

    def _unknown(self, near: NearPairs) -> NearPairs:
        """Those of these pairs that are no candidates (both are sorted)."""
        keys, known = self._keys(near), self._keys(self.candidates)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return near.where(known[place] != keys) if len(known) else near

    def _keys(self, near: NearPairs) -> Ints:
        """One number per pair, in the order in which pairs are sorted."""
        return near.tail * len(self.pairs.group.head_rows) + near.head

    def _measure(self, near: NearPairs, values: Floats, gamma: float) -> None:
        """Keep the largest violation, by true distances, at the end of a stage."""
        group = self.pairs.group
        gaps = values[group.tail_nodes[near.tail]] - values[group.head_nodes[near.head]] - gamma * near.distance
        self.largest_violation = max(self.largest_violation, float(gaps.max(initial=0.0)))

    def _snapshot(self) -> Snapshot:
        return Snapshot(_copied(self.trees), self.counts.copy(), self.history.intervals[:, STOP].copy())

    def _restore(self, before: Snapshot) -> None:
        self.trees = _copied(before.trees)
        self.counts[:] = before.counts
        self.history.intervals[: len(before.stops), STOP] = before.stops


def _empty_queue(n: int) -> EventQueue:
    """Room for the next events of n trees; the tournament has a power of two of entries, and as many games."""
    half = 1 << max(1, (n - 1).bit_length())
    whole = np.zeros((3, n), dtype=np.int64)
    return EventQueue(
        keys=np.zeros(2 * half),
        event=whole[0],
        dry_at=np.zeros(n),
        dry=np.zeros(n, dtype=np.int32),
        searched=whole[1],
        changed=whole[2],
    )


def _copied(trees: PathTrees) -> PathTrees:
    return PathTrees._make(array.copy() for array in trees)


def pair_hash(tail: Ints, head: Ints) -> Floats:
    """A number in [0, 1) for every pair, spread evenly, that is always the same for the same pair."""
    # Multiply by odd constants and fold the high bits back, so that neighbouring nodes get unrelated numbers.
    mixed = tail.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed += head.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
