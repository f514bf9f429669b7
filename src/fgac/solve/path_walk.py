"""The walk down the gamma path: stages, candidates, and the proof that they suffice.

Only pairs that are nearly tight can meet next. Gamma falls in stages, each with such candidates; at its end ALL pairs
are compared with what the values can have been in between (their chords, and how far their bends lie off them), and a
stage in which another pair might have been violated is repeated with that pair among the candidates. So the path is
that of the full problem.

Ties, events at exactly the same gamma, are taken apart by lengthening every distance by up to ``LENGTHENING`` of
itself, by an amount that is a fixed function of the pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.solve.forest import Forest
from fgac.solve.pairs import NOTHING, AllPairs, NearPairs, ValueRange
from fgac.solve.problem import Pairs

# Distances are lengthened by at most this share of themselves.
LENGTHENING = 1e-12
# What a pair that is no candidate may be violated by: a few of those.
SLACK = 4e-12
# A stage ends at the latest with this many bends per node.
BENDS_PER_NODE = 24
# Candidates per node: fewer miss pairs, more cost time at every event.
CANDIDATES = 5
# Events at one gamma, per node, that show that rounding makes the walk turn in circles; it then steps this far ahead.
PATIENCE = 50
STEP = 1e-10
# What counts as violated where the walk is put on its feet.
PLANTED = 1e-15


class PathTracker:
    """The state of the walk: trees, what happens next, and what has happened."""

    def __init__(self, targets: Floats, weights: Floats, pairs: AllPairs) -> None:
        from fgac._kernels.path import EdgeHistory, EventQueue

        n = len(targets)
        self.targets, self.weights, self.pairs = targets, weights, pairs
        self.is_tail = np.zeros(n, dtype=np.bool_)
        self.is_tail[pairs.group.tail_nodes] = True
        half = 1 << max(1, (n - 1).bit_length())
        whole, short = np.zeros((3, n), dtype=np.int64), np.zeros(n, dtype=np.int32)
        self.queue = EventQueue(np.zeros(2 * half), whole[0], np.zeros(n), short, whole[1], whole[2])
        room = (BENDS_PER_NODE + 1) * n
        self.history = EdgeHistory(np.zeros((8 * n, 5)), np.empty(room, np.int32), np.empty(room), np.empty(room))
        self.counts = np.zeros(6, dtype=np.int64)
        self.above, self.below = np.zeros(n), np.zeros(n)
        self.largest_violation, self.n_stages, self.reach = 0.0, 0, 1.0
        self._begin()

    @property
    def n_events(self) -> int:
        """Edges that came or went."""
        from fgac._kernels.path import EVENTS

        return int(self.counts[EVENTS])

    def _begin(self) -> None:
        """Solve for gamma so large that only rows at the same place are bound to each other."""
        from fgac._kernels.path import INTERVALS

        y = self.targets
        huge = ValueRange(np.finfo(np.float64).max / 4, y, y)
        same = self.pairs.near(huge, huge, 0.0)
        self.unit = self.pairs.largest_gamma(y) or 1.0
        self._solve_at(*self._ends(same), self.unit)
        self.n_same = int(self.counts[INTERVALS])
        self.candidates = NOTHING
        self._refresh(self.unit)
        now = self._values(self.unit)
        self.largest_gamma = self.pairs.largest_gamma(now)
        here = ValueRange(self.largest_gamma, now, now)
        self._choose(self.pairs.near(here, here, -self.reach))

    def edges(self) -> tuple[Ints, Ints, Floats, Floats, Floats]:
        """What has happened: tails, heads and distances of edges, and the gammas at which each came and went."""
        from fgac._kernels.path import INTERVALS

        intervals = self.history.intervals[: self.counts[INTERVALS]]
        tail, head = intervals[:, 0].astype(np.int64), intervals[:, 1].astype(np.int64)
        apart = intervals[:, 2] > 2 * LENGTHENING / self.unit
        distance = np.where(apart, intervals[:, 2] / (1.0 + LENGTHENING * pair_hash(tail, head)), 0.0)
        start = np.where(np.arange(len(intervals)) < self.n_same, np.inf, intervals[:, 3])
        return tail, head, distance, start, intervals[:, 4].copy()

    def advance(self, gamma: float, goal: float) -> float:
        """Fall towards the goal with candidates that turn out to suffice; return how far it went."""
        from fgac._kernels.path import BREAKPOINTS, deviations

        before = self._snapshot()
        while True:
            self._refresh(gamma)
            start = self._values(gamma)
            stop = self._process_events(gamma, goal)
            end = self._values(stop)
            deviations(gamma, stop, start, end, self.history, self.counts[BREAKPOINTS], self.above, self.below)
            near = self.pairs.near(
                ValueRange(gamma, start + self.above, start - self.below),
                ValueRange(stop, end + self.above, end - self.below),
                -self.reach,
            )
            self.n_stages += 1
            missed = self._unknown(near.where(near.violation > SLACK))
            if not len(missed.tail):
                break
            self._restore(before)
            both = NearPairs.joined([self.candidates, missed])
            self.candidates = both.where(np.argsort(self._keys(both)))
        self._measure(near, end, stop)
        self._choose(near)
        return stop

    def _process_events(self, gamma: float, goal: float) -> float:
        """Let events happen; step over a place where they do not come to an end."""
        from fgac._kernels.path import BREAKPOINTS, CIRCLING, process_events

        self.counts[BREAKPOINTS] = 0
        patience = PATIENCE * len(self.targets)
        stop, status = process_events(
            gamma, goal, self.trees, self.index, self.queue, self.history, self.counts, patience
        )
        if status == CIRCLING:
            edges = self.trees.tail >= 0
            self.history.intervals[self.trees.record[edges], 4] = stop
            stop = max(goal, stop * (1.0 - STEP))
            some = self._ends(self.candidates)
            more = self.trees.tail[edges], self.trees.head[edges], self.trees.length[edges]
            tail, head, length = (np.append(a, b) for a, b in zip(some, more, strict=True))
            self._solve_at(tail, head, length, stop)
            self._refresh(stop)
        self._make_room()
        return float(stop)

    def _solve_at(self, tail: Ints, head: Ints, length: Floats, gamma: float) -> None:
        """Solve on some pairs at one gamma and take over the forest, whose edges become tight there."""
        from fgac._kernels.path import INTERVALS, STANDING, Trees

        forest = Forest(self.targets, self.weights)
        forest.pivot(Pairs(tail.astype(np.int64), head.astype(np.int64), gamma * length), PLANTED)
        used = np.flatnonzero(forest.tail >= 0)
        first, n = int(self.counts[INTERVALS]), len(self.targets)
        self._make_room()
        intervals = np.column_stack([forest.tail, forest.head, forest.bound / gamma, np.full(n, gamma), np.zeros(n)])
        self.history.intervals[first : first + len(used)] = intervals[used]
        self.counts[INTERVALS] += len(used)
        self.counts[STANDING] = 0
        record = np.zeros(n, dtype=np.int64)
        record[used] = first + np.arange(len(used))
        lists = forest.first, forest.after, forest.before, forest.spare
        short, floats = np.full((5, n), -1, dtype=np.int32), np.zeros((4, n))
        self.trees = Trees(
            self.targets, self.weights, forest.tail, forest.head, intervals[:, 2].copy(), *lists, record,
            floats[0], floats[1], short[0], short[1], short[2], short[3], short[4], floats[2], floats[3],
        )  # fmt: skip

    def _make_room(self) -> None:
        """See that the history has room for the intervals of a few edges per node."""
        from fgac._kernels.path import INTERVALS

        intervals = self.history.intervals
        if self.counts[INTERVALS] + 4 * len(self.targets) > len(intervals):
            self.history = self.history._replace(intervals=np.concatenate([intervals, np.zeros_like(intervals)]))

    def _choose(self, near: NearPairs) -> None:
        """Take the most nearly tight pairs as candidates, and aim at as many the next time."""
        wanted = CANDIDATES * len(self.targets)
        if len(near.tail) > wanted:
            self.reach = max(SLACK, -float(np.partition(near.violation, -wanted)[-wanted]))
            near = near.where(near.violation >= -self.reach)
        else:
            self.reach = min(1.0, 1.5 * self.reach)
        self.candidates = near

    def _refresh(self, gamma: float) -> None:
        """List the candidates at their nodes, draw all lines, and find the next event of every tree."""
        from fgac._kernels.path import Candidates, build_queue

        tail, head, length = self._ends(self.candidates)
        owner, other = np.concatenate([tail, head]), np.concatenate([head, tail])
        order = np.argsort(owner, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(self.targets)))])
        self.index = Candidates(
            start, owner[order].astype(np.int32), other[order].astype(np.int32), np.tile(length, 2)[order], self.is_tail
        )
        build_queue(gamma, self.trees, self.index, self.queue, self.counts)

    def _ends(self, near: NearPairs) -> tuple[Ints, Ints, Floats]:
        """Nodes and lengthened distances of some pairs."""
        tail, head = self.pairs.group.tail_nodes[near.tail], self.pairs.group.head_nodes[near.head]
        lots = LENGTHENING * pair_hash(tail, head)
        return tail, head, np.where(near.distance > 0, near.distance * (1.0 + lots), lots / self.unit)

    def _values(self, gamma: float) -> Floats:
        values: Floats = self.trees.mean + gamma * self.trees.slope
        return values

    def _unknown(self, near: NearPairs) -> NearPairs:
        """Those of these pairs that are no candidates (both are sorted)."""
        keys, known = self._keys(near), self._keys(self.candidates)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return near.where(known[place] != keys) if len(known) else near

    def _keys(self, near: NearPairs) -> Ints:
        return near.tail * len(self.pairs.group.head_rows) + near.head

    def _measure(self, near: NearPairs, values: Floats, gamma: float) -> None:
        """Remember the largest violation at the end of a stage."""
        group = self.pairs.group
        gaps = values[group.tail_nodes[near.tail]] - values[group.head_nodes[near.head]] - gamma * near.distance
        self.largest_violation = max(self.largest_violation, float(gaps.max(initial=0.0)))

    def _snapshot(self) -> tuple[Any, Ints, Floats]:
        return _copied(self.trees), self.counts.copy(), self.history.intervals[:, 4].copy()

    def _restore(self, before: tuple[Any, Ints, Floats]) -> None:
        trees, counts, stop = before
        self.trees = _copied(trees)
        self.counts[:] = counts
        self.history.intervals[: len(stop), 4] = stop


def _copied(trees: Any) -> Any:
    return trees._make(array.copy() for array in trees)


def pair_hash(tail: Ints, head: Ints) -> Floats:
    """A number in [0, 1) for every pair, spread evenly, that is always the same for the same pair."""
    mixed = tail.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + head.astype(np.uint64) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
