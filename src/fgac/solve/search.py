"""The search of a large group: in blocks, by screens, and with what earlier searches have proved.

A search of all pairs proves of every two blocks by how much their pairs are violated at most. As long as the values of
the tails in the one rise, and those of the heads in the other fall, by no more than that leaves, the next searches
need not look at them (:class:`Proofs`). The largest violation that the last search reports is therefore one of all
pairs, though it may have looked at few.

Blocks are gathered into parts, and two parts are a *tile*. Tiles that have no part in common are searched at the same
time, and which these are does not depend on the number of threads: so neither does the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from fgac._kernels.layouts import (
    NO_PROOF,
    SIZE,
    Boxes,
    Certificates,
    Factors,
    Halves,
    Levels,
    Narrow,
    Singles,
    WorstPairs,
)
from fgac._typing import Floats, Ints
from fgac.metrics.distances import NORMS, Coordinates, Rows
from fgac.metrics.tiles import aligned, in_threads, spans
from fgac.solve.pairs import Blocks
from fgac.solve.problem import Pairs, Pricing, check_largest
from fgac.solve.screens import NarrowScreen, ProductScreen
from fgac.solve.sides import boxes_of, centres_of, highest_of, sorted_side, values_of, with_values

EUCLIDEAN, MANHATTAN, CHEBYSHEV = range(len(NORMS))

# Blocks of a part at most: those of heads stay in a core's cache while the tails pass by.
PART = 256
# Parts of a side at least, from this number of pairs on: so many threads have something to do.
FEWEST_PARTS, MANY_PAIRS = 8, 20_000_000
# Room is proved up to this share of the range of heights, in so many levels.
DEPTH, LEVELS = 1 / 16, 200
# Blocks of the other side that are searched first, by the promise of their centres.
BEST = 2
# Searches whose values are kept; then all proofs are given up.
MOST_SEARCHES = 100
# Whether the worst pairs of tails, and of heads, are wanted.
Ends = tuple[bool, bool]
BOTH: Ends = (True, True)
# The two values of rows that are uneven by less than this share of the range of values are searched for what that may
# hide; before that, values are on their way, and any pairs will do that are nearly the worst.
NEARLY_EVEN = 1e-6


class Sorted:
    """A group whose tails and heads are sorted into blocks; what does not depend on gamma.

    Attributes
    ----------
    sides : tuple of Side
        Tails and heads; twice the same if pairs are searched within one side.
    """

    def __init__(self, blocks: Blocks, metric: Coordinates, rows: Rows) -> None:
        group = blocks.group
        self.group, self.n_jobs = group, blocks.n_jobs
        self.kind = list(NORMS).index(metric.name)
        self.mismatch, self.within = rows.mismatch, group.mirrored
        labels: list[Ints | None] = [None, None]
        if blocks.labels is not None:
            both = np.unique(np.concatenate(blocks.labels), return_inverse=True)[1]
            labels = list(np.split(both, [len(blocks.labels[0])]))
        tails = sorted_side(rows[group.tail_rows], labels[0])
        heads = tails if self.within else sorted_side(rows[group.head_rows], labels[1])
        self.sides = tails, heads
        self.n_blocks = tuple(len(side.label_of_block) for side in self.sides)
        self.n_pairs = len(group.tail_rows) * len(group.head_rows)

    def waves(self) -> Iterator[list[tuple[slice, slice]]]:
        """All tiles, in lists whose tiles have no part in common."""
        fewest = FEWEST_PARTS if self.n_pairs >= MANY_PAIRS else 1
        parts = [spans(n, max(1, min(PART, -(-n // fewest)))) for n in self.n_blocks]
        yield from waves_within(parts[0]) if self.within else waves_between(*parts)


def waves_between(tails: list[slice], heads: list[slice]) -> Iterator[list[tuple[slice, slice]]]:
    """All tiles of some parts of tails and of heads.

    >>> [len(wave) for wave in waves_between([slice(0, 1)], [slice(0, 1), slice(1, 2)])]
    [1, 1]
    """
    n = max(len(tails), len(heads))
    for turn in range(n):
        pairs = ((i, (i + turn) % n) for i in range(len(tails)))
        if wave := [(tails[i], heads[j]) for i, j in pairs if j < len(heads)]:
            yield wave


def waves_within(parts: list[slice]) -> Iterator[list[tuple[slice, slice]]]:
    """All tiles of two parts of one side, and of every part with itself: a tournament in which all meet.

    >>> [len(wave) for wave in waves_within(spans(5, 1))]
    [5, 2, 2, 2, 2, 2]
    """
    yield [(part, part) for part in parts]
    n = len(parts) + len(parts) % 2
    for turn in range(n - 1):
        # One stays, and the others go round; who meets a number that nobody has is free.
        ring = [0, *(1 + (turn + k) % (n - 1) for k in range(n - 1))]
        meet = (sorted((ring[k], ring[n - 1 - k])) for k in range(n // 2))
        if wave := [(parts[i], parts[j]) for i, j in meet if j < len(parts)]:
            yield wave


class Proofs:
    """What searches have proved of every two blocks, and how values have risen since then."""

    def __init__(self, n_blocks: tuple[int, ...], depth: float) -> None:
        self.seen, self.room = np.zeros(n_blocks, np.uint8), np.zeros(n_blocks, np.uint8)
        self.depth, self.unit = depth, depth / LEVELS
        self.over: list[Floats] = []
        self.under: list[Floats] = []

    def certificates(self, levels: Levels) -> Certificates:
        """The proofs as they stand before a search with these values, which are kept to compare later ones with."""
        if len(self.over) == min(MOST_SEARCHES, NO_PROOF - 1):
            self.seen[:] = 0
            self.over, self.under = [], []
        self.over.append(levels.over)
        self.under.append(levels.under)
        rises = [
            np.stack([np.zeros(len(now) // SIZE), *(highest_of(now - before) for before in kept)])
            for now, kept in ((levels.over, self.over), (levels.under, self.under))
        ]
        return Certificates(self.seen, self.room, rises[0], rises[1], self.unit, self.depth)

    @property
    def search(self) -> int:
        """The number of the last search, the first being 1."""
        return len(self.over)


class BlockSearch:
    """Searches a sorted group at one gamma, again and again.

    Attributes
    ----------
    looked : int
        At how many pairs of blocks the last search had to look.
    """

    def __init__(self, sorted_group: Sorted, gamma: float) -> None:
        self.sorted, self.gamma = sorted_group, gamma
        self.boxes = [boxes_of(side, gamma) for side in sorted_group.sides]
        self.centres = [centres_of(side, gamma) for side in sorted_group.sides]
        self.proofs: Proofs | None = None
        self.narrow: NarrowScreen | None = None
        self.products = ProductScreen(sorted_group.sides, gamma) if sorted_group.kind == EUCLIDEAN else None
        self.looked = 0

    def price(self, values: Floats, per_node: int, floor: float, ends: Ends = BOTH) -> Pricing | None:
        """Search for pairs that are violated by more than a floor; None where no screen can tell.

        Within one side, u+ and v- have the height of v+ and u- if the two values of a row are as far from the middle.
        Where they are not, pairs are searched by the mean of both, which is off by no more than they are uneven.
        """
        group, (tails, heads) = self.sorted.group, self.sorted.sides
        over, under = values[group.tail_nodes], -values[group.head_nodes]
        uneven = np.zeros(len(over))
        if self.sorted.within:
            uneven, over = 0.5 * (over - under), 0.5 * (over + under)
            under = over
            if np.ptp(uneven) < NEARLY_EVEN * np.ptp(over):
                floor -= float(np.ptp(uneven))
        levels = Levels(values_of(tails, over), values_of(heads, under), self.gamma)
        with np.errstate(over="ignore", invalid="ignore"):  # what numbers cannot tell is left to others
            screen = self._screen(levels, floor)
        if screen is None:
            return None
        # Nothing enters a list that is not wanted.
        starts = [floor if wanted else np.inf for wanted in ends]
        lists = _empty_lists(len(tails.order), per_node, starts[0])
        both = lists, lists if self.sorted.within else _empty_lists(len(heads.order), per_node, starts[1])
        self._search(screen, levels, floor, both)
        found = [WorstPairs(each.best[:n], each.place[:n]) for each, n in zip(both, _lengths(both, ends), strict=True)]
        return self._found((found[0], found[1]), floor, over, under, uneven)

    def _screen(self, levels: Levels, floor: float) -> Narrow | Factors | None:
        """The screen for these values."""
        reach = float(levels.over.max() + levels.under.max())
        if not np.isfinite(reach) or not np.isfinite(levels.over.min() + levels.under.min()):
            return None
        if self.proofs is None:
            spread = float(np.ptp(levels.over) + np.ptp(levels.under))
            self.proofs = Proofs(self.sorted.n_blocks, DEPTH * spread or 1.0)
        if self.products is not None:
            return self.products.at(levels.over - floor, levels.under)
        depth = max(self.proofs.depth, -1.25 * floor)
        found = None if self.narrow is None or depth > self.narrow.depth else self.narrow.at(*levels[:2])
        if found is None:
            self.narrow = self._narrow(max(reach, depth), depth)
            found = self.narrow.at(*levels[:2])
        return found

    def _narrow(self, reach: float, depth: float) -> NarrowScreen:
        by_maxima = self.sorted.kind == CHEBYSHEV
        return NarrowScreen(self.sorted.sides, self.gamma, self.sorted.mismatch, reach, depth, by_maxima)

    def _search(
        self, screen: Narrow | Factors, levels: Levels, floor: float, lists: tuple[WorstPairs, WorstPairs]
    ) -> None:
        """Search all tiles, those of a wave in threads."""
        from fgac._kernels.screening import search_narrow, search_products

        assert self.proofs is not None
        kind, (tails, heads), within = self.sorted.kind, self.sorted.sides, self.sorted.within
        proofs = self.proofs.certificates(levels)
        boxes = with_values(self.boxes[0], levels.over), with_values(self.boxes[1], levels.under)
        sides = tails, heads, self.sorted.mismatch, within
        limits = _limits(screen, lists, within)
        spares = _spares(levels, floor, lists) if isinstance(screen, Factors) else None
        one, other = (c._replace(highest=b.highest) for c, b in zip(self.centres, boxes, strict=True))
        centres, number = (one, other), self.proofs.search
        cuts = self._cuts(centres)
        looked: list[int] = []

        def search(tile: tuple[slice, slice], wanted: bool) -> None:
            i, j = tile
            best = centres, cuts, wanted
            place = i.start, i.stop, j.start, j.stop, number
            if isinstance(screen, Narrow):
                n = search_narrow(kind, place, best, floor, screen, sides, levels, boxes, proofs, lists, limits)
            else:
                n = search_products(place, best, floor, screen, sides, levels, boxes, proofs, lists, spares)
            looked.append(n)

        for wanted in (True, False):
            for wave in self.sorted.waves():
                in_threads(partial(search, wanted=wanted), wave, self.sorted.n_jobs, self.sorted.n_pairs // 2)
        self.looked = sum(looked)

    def _cuts(self, centres: tuple[Boxes, Boxes]) -> tuple[Floats, Floats]:
        """How promising the block pairs are that are searched first, for every block of tails and of heads."""
        from fgac._kernels.screening import last_of_best

        (kind, tails, heads), found = (self.sorted.kind, *self.sorted.sides), []
        for one, other, labels in (
            (centres[0], centres[1], (tails.label_of_block, heads.label_of_block)),
            (centres[1], centres[0], (heads.label_of_block, tails.label_of_block)),
        ):
            n = len(one.highest)
            cuts = np.empty(n)

            def cut(
                part: slice, one: Boxes = one, other: Boxes = other, labels: Any = labels, to: Floats = cuts
            ) -> None:
                last_of_best(kind, one, other, labels, tails.numeric.shape[1], BEST, part.start, part.stop, to)

            in_threads(cut, spans(n, max(1, -(-n // FEWEST_PARTS))), self.sorted.n_jobs, n * len(other.highest))
            found.append(cuts)
        return found[0], found[1]

    def _found(
        self, lists: tuple[WorstPairs, WorstPairs], floor: float, over: Floats, under: Floats, uneven: Floats
    ) -> Pricing:
        """The pairs in the lists, and the largest violation of any pair, listed or not."""
        from fgac._kernels.screening import list_pairs

        group, within = self.sorted.group, self.sorted.within
        room = sum(int(np.count_nonzero(each.best[:, :] > floor)) for each in lists[: 1 if within else 2])
        i, j, violation = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
        orders = self.sorted.sides[0].order, self.sorted.sides[1].order
        n = list_pairs(lists, orders, floor, within, i, j, violation)
        i, j, violation = i[:n], j[:n], violation[:n]
        bound = over[i] + under[j] - violation
        pairs = Pairs(group.tail_nodes[i], group.head_nodes[j], bound)
        if not within:
            return Pricing(pairs, check_largest(violation))
        other = Pairs(group.tail_nodes[j], group.head_nodes[i], bound)
        largest = check_largest(violation + np.abs(uneven[i] - uneven[j]))
        unlisted = float(lists[0].best[:, -1].max(initial=floor) + np.ptp(uneven))
        return Pricing(Pairs.joined([pairs, other]), max(largest, unlisted, 0.0))


def _lengths(lists: tuple[WorstPairs, WorstPairs], ends: Ends) -> list[int]:
    """How many lists of tails and of heads there are that are wanted."""
    return [len(each.best) if wanted else 0 for each, wanted in zip(lists, ends, strict=True)]


def _limits(
    screen: Narrow | Factors, lists: tuple[WorstPairs, WorstPairs], within: bool
) -> tuple[Halves, Halves, Halves, Halves]:
    """The heights in narrow numbers above which a pair is of use to a tail or a head, and the lowest of a block."""
    both = []
    for each in lists:
        limits = aligned((len(each.best) // SIZE, SIZE), np.uint16)
        if isinstance(screen, Narrow):
            height = each.best[:, -1].reshape(-1, SIZE)
            limits[:] = np.clip(np.floor((height + screen.depth) / screen.step), 0, np.iinfo(np.uint16).max)
        both.append(limits)
    tails, heads = both[0], both[0] if within else both[1]
    lowest = tails.min(axis=1)
    return tails, heads, lowest, lowest if within else heads.min(axis=1)


def _spares(levels: Levels, floor: float, lists: tuple[WorstPairs, WorstPairs]) -> tuple[Singles, Singles]:
    """How much nearer than at the floor pairs must be, to begin with; beside those of heads, their part of t."""
    both = [((each.best[:, -1] - floor) / levels.gamma).reshape(-1, SIZE) for each in lists]
    tails, heads = aligned(both[0].shape, np.float32), aligned((len(both[1]), 2, SIZE), np.float32)
    tails[:], heads[:, 1] = both
    heads[:, 0] = (levels.under / levels.gamma).reshape(-1, SIZE)
    return tails, heads


def _empty_lists(n: int, length: int, floor: float) -> WorstPairs:
    """Lists of n nodes that admit what is above the floor."""
    return WorstPairs(np.full((n, length), floor), np.zeros((n, length), dtype=np.int64))
