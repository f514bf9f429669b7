"""The walk down the gamma path: stages, candidates, and the proof that they suffice.

Only pairs that are nearly tight can meet next. Gamma falls in stages, each with such candidates; at its end ALL pairs
are compared with what the values can have been in between (their chords, and how far their bends lie off them), and a
stage in which another pair might have been violated is repeated with that pair among the candidates. So the path is
that of the full problem.

Ties, events at exactly the same gamma, are taken apart by lengthening every distance by up to ``TIES`` of itself, by an
amount that is a fixed function of the pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.solve.forest import Forest
from fgac.solve.pairs import NOTHING, AllPairs, Near, Spread
from fgac.solve.problem import Pairs

# Distances are lengthened by at most this share of themselves.
TIES = 1e-12
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


class Walk:
    """The state of the walk: trees, what happens next, and what has happened."""

    def __init__(self, targets: Floats, weights: Floats, pairs: AllPairs) -> None:
        from fgac._kernels.path import Agenda, Diary

        n = len(targets)
        self.targets, self.weights, self.pairs = targets, weights, pairs
        self.is_tail = np.zeros(n, dtype=np.bool_)
        self.is_tail[pairs.group.tail_nodes] = True
        half = 1 << max(1, (n - 1).bit_length())
        whole, short = np.zeros((3, n), dtype=np.int64), np.zeros(n, dtype=np.int32)
        self.agenda = Agenda(np.zeros(2 * half), whole[0], np.zeros(n), short, whole[1], whole[2])
        room = (BENDS_PER_NODE + 1) * n
        self.diary = Diary(np.zeros((8 * n, 5)), np.empty(room, np.int32), np.empty(room), np.empty(room))
        self.counts = np.zeros(6, dtype=np.int64)
        self.above, self.below = np.zeros(n), np.zeros(n)
        self.largest, self.n_stages, self.reach = 0.0, 0, 1.0
        self._begin()

    @property
    def n_events(self) -> int:
        """Edges that came or went."""
        from fgac._kernels.path import EVENTS

        return int(self.counts[EVENTS])

    def _begin(self) -> None:
        """Solve for gamma so large that only rows at the same place are bound to each other."""
        from fgac._kernels.path import LIVES

        y = self.targets
        huge = Spread(np.finfo(np.float64).max / 4, y, y)
        same = self.pairs.near(huge, huge, 0.0)
        self.unit = self.pairs.steepest(y) or 1.0
        self._plant(*self._ends(same), self.unit)
        self.n_same = int(self.counts[LIVES])
        self.candidates = NOTHING
        self._look(self.unit)
        now = self._values(self.unit)
        self.start = self.pairs.steepest(now)
        here = Spread(self.start, now, now)
        self._choose(self.pairs.near(here, here, -self.reach))

    def edges(self) -> tuple[Ints, Ints, Floats, Floats, Floats]:
        """What has happened: tails, heads and distances of edges, and the gammas at which each came and went."""
        from fgac._kernels.path import LIVES

        lives = self.diary.lives[: self.counts[LIVES]]
        tail, head = lives[:, 0].astype(np.int64), lives[:, 1].astype(np.int64)
        apart = lives[:, 2] > 2 * TIES / self.unit
        distance = np.where(apart, lives[:, 2] / (1.0 + TIES * _lots(tail, head)), 0.0)
        born = np.where(np.arange(len(lives)) < self.n_same, np.inf, lives[:, 3])
        return tail, head, distance, born, lives[:, 4].copy()

    def stage(self, gamma: float, goal: float) -> float:
        """Fall towards the goal with candidates that turn out to suffice; return how far it went."""
        from fgac._kernels.path import BENDS, deviations

        before = self._snapshot()
        while True:
            self._look(gamma)
            start = self._values(gamma)
            stop = self._fall(gamma, goal)
            end = self._values(stop)
            deviations(gamma, stop, start, end, self.diary, self.counts[BENDS], self.above, self.below)
            near = self.pairs.near(
                Spread(gamma, start + self.above, start - self.below),
                Spread(stop, end + self.above, end - self.below),
                -self.reach,
            )
            self.n_stages += 1
            missed = self._unknown(near.where(near.violation > SLACK))
            if not len(missed.tail):
                break
            self._restore(before)
            both = Near.joined([self.candidates, missed])
            self.candidates = both.where(np.argsort(self._keys(both)))
        self._measure(near, end, stop)
        self._choose(near)
        return stop

    def _fall(self, gamma: float, goal: float) -> float:
        """Let events happen; step over a place where they do not come to an end."""
        from fgac._kernels.path import BENDS, CIRCLING, fall

        self.counts[BENDS] = 0
        patience = PATIENCE * len(self.targets)
        stop, status = fall(gamma, goal, self.trees, self.index, self.agenda, self.diary, self.counts, patience)
        if status == CIRCLING:
            edges = self.trees.tail >= 0
            self.diary.lives[self.trees.record[edges], 4] = stop
            stop = max(goal, stop * (1.0 - STEP))
            some = self._ends(self.candidates)
            more = self.trees.tail[edges], self.trees.head[edges], self.trees.length[edges]
            tail, head, length = (np.append(a, b) for a, b in zip(some, more, strict=True))
            self._plant(tail, head, length, stop)
            self._look(stop)
        self._make_room()
        return float(stop)

    def _plant(self, tail: Ints, head: Ints, length: Floats, gamma: float) -> None:
        """Solve on some pairs at one gamma and take over the forest, whose edges begin their lives there."""
        from fgac._kernels.path import LIVES, STANDING, Trees

        forest = Forest(self.targets, self.weights)
        forest.ascend(Pairs(tail.astype(np.int64), head.astype(np.int64), gamma * length), PLANTED)
        used = np.flatnonzero(forest.tail >= 0)
        first, n = int(self.counts[LIVES]), len(self.targets)
        self._make_room()
        lives = np.column_stack([forest.tail, forest.head, forest.bound / gamma, np.full(n, gamma), np.zeros(n)])
        self.diary.lives[first : first + len(used)] = lives[used]
        self.counts[LIVES] += len(used)
        self.counts[STANDING] = 0
        record = np.zeros(n, dtype=np.int64)
        record[used] = first + np.arange(len(used))
        lists = forest.first, forest.after, forest.before, forest.spare
        short, floats = np.full((5, n), -1, dtype=np.int32), np.zeros((4, n))
        self.trees = Trees(
            self.targets, self.weights, forest.tail, forest.head, lives[:, 2].copy(), *lists, record,
            floats[0], floats[1], short[0], short[1], short[2], short[3], short[4], floats[2], floats[3],
        )  # fmt: skip

    def _make_room(self) -> None:
        """See that the diary has room for the lives of a few edges per node."""
        from fgac._kernels.path import LIVES

        lives = self.diary.lives
        if self.counts[LIVES] + 4 * len(self.targets) > len(lives):
            self.diary = self.diary._replace(lives=np.concatenate([lives, np.zeros_like(lives)]))

    def _choose(self, near: Near) -> None:
        """Take the most nearly tight pairs as candidates, and aim at as many the next time."""
        wanted = CANDIDATES * len(self.targets)
        if len(near.tail) > wanted:
            self.reach = max(SLACK, -float(np.partition(near.violation, -wanted)[-wanted]))
            near = near.where(near.violation >= -self.reach)
        else:
            self.reach = min(1.0, 1.5 * self.reach)
        self.candidates = near

    def _look(self, gamma: float) -> None:
        """List the candidates at their nodes, draw all lines, and find the next event of every tree."""
        from fgac._kernels.path import Candidates, begin

        tail, head, length = self._ends(self.candidates)
        owner, other = np.concatenate([tail, head]), np.concatenate([head, tail])
        order = np.argsort(owner, kind="stable")
        start = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(self.targets)))])
        self.index = Candidates(
            start, owner[order].astype(np.int32), other[order].astype(np.int32), np.tile(length, 2)[order], self.is_tail
        )
        begin(gamma, self.trees, self.index, self.agenda, self.counts)

    def _ends(self, near: Near) -> tuple[Ints, Ints, Floats]:
        """Nodes and lengthened distances of some pairs."""
        tail, head = self.pairs.group.tail_nodes[near.tail], self.pairs.group.head_nodes[near.head]
        lots = TIES * _lots(tail, head)
        return tail, head, np.where(near.distance > 0, near.distance * (1.0 + lots), lots / self.unit)

    def _values(self, gamma: float) -> Floats:
        values: Floats = self.trees.mean + gamma * self.trees.slope
        return values

    def _unknown(self, near: Near) -> Near:
        """Those of these pairs that are no candidates (both are sorted)."""
        keys, known = self._keys(near), self._keys(self.candidates)
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return near.where(known[place] != keys) if len(known) else near

    def _keys(self, near: Near) -> Ints:
        return near.tail * len(self.pairs.group.head_rows) + near.head

    def _measure(self, near: Near, values: Floats, gamma: float) -> None:
        """Remember the largest violation at the end of a stage."""
        group = self.pairs.group
        gaps = values[group.tail_nodes[near.tail]] - values[group.head_nodes[near.head]] - gamma * near.distance
        self.largest = max(self.largest, float(gaps.max(initial=0.0)))

    def _snapshot(self) -> tuple[Any, Ints, Floats]:
        return _copied(self.trees), self.counts.copy(), self.diary.lives[:, 4].copy()

    def _restore(self, before: tuple[Any, Ints, Floats]) -> None:
        trees, counts, died = before
        self.trees = _copied(trees)
        self.counts[:] = counts
        self.diary.lives[: len(died), 4] = died


def _copied(trees: Any) -> Any:
    return trees._make(array.copy() for array in trees)


def _lots(tail: Ints, head: Ints) -> Floats:
    """A number in [0, 1) for every pair, spread evenly, that is always the same for the same pair."""
    mixed = tail.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + head.astype(np.uint64) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return (mixed >> np.uint64(11)).astype(np.float64) / 2.0**53
