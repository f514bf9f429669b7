"""Difference constraints ``a[tail] - a[head] <= bound``, as a list or as a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from fgac.distances import Floats, Ints, Metric, Rows
from fgac.tiles import in_threads, spans, tile_area


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

    @staticmethod
    def joined(parts: Sequence[Pairs]) -> Pairs:
        """One list of several."""
        return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


NDArrayBool = np.ndarray[Any, np.dtype[np.bool_]]


class Pricing(NamedTuple):
    """What a search through all constraints found: the worst pairs of every node, and the largest violation."""

    pairs: Pairs
    largest: float


class Constraints(Protocol):
    """A set of difference constraints that can be searched."""

    @property
    def n_nodes(self) -> int:
        """One more than the largest node that is named."""

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search ALL constraints; return up to about ``per_node`` of the worst pairs of each node.

        ``largest`` is exact. Pairs further from being violated than the largest violation may be left out.
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


class Group(NamedTuple):
    """All pairs of a set of tails and a set of heads: row numbers, and the nodes that stand for these rows.

    With ``labels``, one per row of the table, only rows of different labels form a pair. ``mirrored`` says that
    tails and heads are the same rows in the same order and that the problem does not change when every tail
    becomes the head of its row: then a pair (u, v) that matters comes with (v, u), and one is enough to find both.
    """

    tail_rows: Ints
    tail_nodes: Ints
    head_rows: Ints
    head_nodes: Ints
    labels: Ints | None = None
    mirrored: bool = False

    def among(self, stays: NDArrayBool) -> Group:
        """The pairs between rows marked by a mask over all rows."""
        tails, heads = stays[self.tail_rows], stays[self.head_rows]
        return self._replace(
            tail_rows=self.tail_rows[tails],
            tail_nodes=self.tail_nodes[tails],
            head_rows=self.head_rows[heads],
            head_nodes=self.head_nodes[heads],
        )


# Rows are dealt to this many hands; a search keeps the worst pair of every node in every hand.
HANDS = 32
# A hand has at least this many rows.
SMALLEST = 64
# Distances of problems up to this size (64 MB) are kept between searches.
KEEP = 8_000_000
# Rounding of the bounds that let a search skip pairs.
ROUNDING = 1e-14


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
        self._searches = [_GroupSearch(rows, metric, self.gamma, g, n_jobs, n_pairs <= KEEP) for g in groups]

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search all pairs of all groups."""
        found = [search.price(values, per_node) for search in self._searches]
        largest = max((f.largest for f in found), default=0.0)
        pairs = [f.pairs for f in found]
        if not pairs:
            return Pricing(Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)), 0.0)
        joined = Pairs.joined(pairs)
        return Pricing(joined.where(joined.violation(values) > -largest), largest)


def deal(n: int) -> tuple[Ints, int]:
    """Deal ``range(n)`` like cards, so that neighbours land in different hands; return order and hand size.

    >>> order, size = deal(70)
    >>> order[:4], size
    (array([0, 2, 4, 6]), 64)
    """
    size = max(SMALLEST, -(-n // HANDS))
    hands = -(-n // size)
    return np.concatenate([np.arange(h, n, hands) for h in range(hands)]) if n else np.empty(0, np.int64), size


class _GroupSearch:
    """Search of one group: the worst head of every tail in every hand of heads, and the other way round.

    ``bound[h, u]`` is never below the largest violation of tail u with the heads of hand h. It is exact when
    the two were last compared; since then it has risen by at most what u has risen and the heads have fallen.
    So pairs of tails and hands whose bound is not positive need not be compared again: nothing there is violated.
    """

    def __init__(self, rows: Rows, metric: Metric, gamma: float, group: Group, n_jobs: int | None, keep: bool) -> None:
        tails, self.tail_hand = deal(len(group.tail_rows))
        heads, head_hand = deal(len(group.head_rows))
        tail_rows, head_rows = group.tail_rows[tails], group.head_rows[heads]
        self.hands = spans(len(heads), head_hand)
        self.tail_nodes, self.head_nodes = group.tail_nodes[tails], group.head_nodes[heads]
        self.tails, self.heads = rows[tail_rows], rows[head_rows]
        self.labels = None if group.labels is None else (group.labels[tail_rows], group.labels[head_rows])
        self.metric, self.gamma, self.n_jobs, self.mirrored = metric, gamma, n_jobs, group.mirrored
        self.kept: dict[int, Floats] | None = {} if keep else None
        self.bound = np.full((len(self.hands), len(tails)), np.inf)
        self.over, self.under = np.zeros(len(tails)), np.zeros(len(heads))
        self.every = np.arange(len(tails))
        self.floor = -np.inf  # pairs further from being violated than the last largest violation do not matter

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Compare all tails and hands that may hold a violated pair."""
        n, m = len(self.tails), len(self.heads)
        best_head = np.full((len(self.hands), n), -np.inf)
        head = np.zeros(best_head.shape, dtype=np.int64)
        best_tail = np.full((0 if self.mirrored else -(-n // self.tail_hand), m), -np.inf)
        tail = np.zeros(best_tail.shape, dtype=np.int64)
        self._follow(values[self.tail_nodes], -values[self.head_nodes])

        def task(h: int) -> None:
            best_tail[:, self.hands[h]], tail[:, self.hands[h]] = self._compare(
                h, best_head[h], head[h], len(best_tail)
            )

        in_threads(task, range(len(self.hands)), self.n_jobs, n * m)
        best_head += self.over
        best_tail += self.under
        largest = max(0.0, float(best_head.max(initial=-np.inf)))
        s, i = _worst(best_head, per_node, max(-largest, self.floor))
        first = np.array([hand.start for hand in self.hands], dtype=np.int64)
        found = self._pairs(i, first[s] + head[s, i], best_head[s, i])
        if self.mirrored:
            other = Pairs(self.tail_nodes[first[s] + head[s, i]], self.head_nodes[i], found.bound)
        else:
            t, j = _worst(best_tail, per_node, -largest)
            other = self._pairs(tail[t, j], j, best_tail[t, j])
        self.floor = -largest
        return Pricing(Pairs.joined([found, other]), largest)

    def _follow(self, over: Floats, under: Floats) -> None:
        """Let the bounds follow the values (where everything is kept, everything is compared)."""
        if self.kept is None:
            risen, fallen = over - self.over, under - self.under
            for bound, hand in zip(self.bound, self.hands, strict=True):
                bound += risen + (fallen[hand].max() + ROUNDING)
        self.over, self.under = over, under

    def _compare(self, h: int, best_head: Floats, head: Ints, n_tail_hands: int) -> tuple[Floats, Ints]:
        """Compare the heads of one hand with the tails whose bound is positive; return the heads' best tails."""
        from fgac.kernels.envelope import champions

        under = self.under[self.hands[h]]
        best_tail = np.full((n_tail_hands, len(under)), -np.inf)
        tail = np.zeros(best_tail.shape, dtype=np.int64)
        suspects = self.every if self.kept is not None else np.flatnonzero(self.bound[h] > 0)
        for rows, distances in self._tiles(h, suspects):
            champions(
                distances, rows, self.over, under, self.gamma, self.floor,
                self.tail_hand, best_head, head, best_tail, tail,
            )  # fmt: skip
        if self.kept is None:
            self.bound[h, suspects] = best_head[suspects] + self.over[suspects]
        return best_tail, tail

    def _tiles(self, h: int, rows: Ints) -> Iterator[tuple[Ints, Floats]]:
        """Some tails and their distances to one hand of heads, a tile at a time, or from memory."""
        m = self.hands[h].stop - self.hands[h].start
        if self.kept is not None:
            if h not in self.kept:
                self.kept[h] = np.empty((len(rows), m))
                self._block(rows, h, self.kept[h])
            yield rows, self.kept[h]
            return
        height = max(1, tile_area(self.metric, self.n_jobs) // m)
        buffer = np.empty(height * m)
        for span in spans(len(rows), height):
            part = rows[span]
            distances = buffer[: len(part) * m].reshape(len(part), m)
            self._block(part, h, distances)
            yield part, distances

    def _block(self, rows: Ints, h: int, out: Floats) -> None:
        """Distances between some tails and one hand of heads; pairs of one label are infinitely far apart."""
        self.metric.block(
            self.tails if len(rows) == len(self.tails) else self.tails[rows], self.heads[self.hands[h]], out
        )
        if self.labels is not None:
            from fgac.kernels.envelope import forbid_equal

            forbid_equal(out, self.labels[0][rows], self.labels[1][self.hands[h]])

    def _pairs(self, i: Ints, j: Ints, violation: Floats) -> Pairs:
        return Pairs(self.tail_nodes[i], self.head_nodes[j], self.over[i] + self.under[j] - violation)


def _worst(best: Floats, per_node: int, floor: float) -> tuple[Ints, Ints]:
    """Positions of the ``per_node`` largest entries of each column that exceed the floor."""
    chosen = best > floor
    if len(best) > per_node:
        chosen &= best >= np.partition(best, -per_node, axis=0)[-per_node]
    s, i = np.nonzero(chosen)
    return s, i
