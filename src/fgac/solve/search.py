"""Search all pairs of a group of rows for the constraints that are violated most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fgac.distances import Floats, Ints, Metric, Rows
from fgac.solve.constraints import NDArrayBool, Pairs, Pricing
from fgac.tiles import in_threads, spans, tile_area

# Rows are dealt to this many hands; a search keeps the worst pair of every node in every hand.
HANDS = 32
# A hand has at least this many rows.
SMALLEST = 64
# Rounding of the bounds that let a search skip pairs.
ROUNDING = 1e-14


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


def deal(n: int) -> tuple[Ints, int]:
    """Deal ``range(n)`` like cards, so that neighbours land in different hands; return order and hand size.

    >>> order, size = deal(70)
    >>> order[:4], size
    (array([0, 2, 4, 6]), 64)
    """
    size = max(SMALLEST, -(-n // HANDS))
    hands = -(-n // size)
    return np.concatenate([np.arange(h, n, hands) for h in range(hands)]) if n else np.empty(0, np.int64), size


class GroupSearch:
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
