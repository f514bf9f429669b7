"""Ranges of numbers of one column, halved again and again, and how far a row moves within each at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.explainers.changes.lattice import Lattice
from fgac.tables.columns import Column

# Fewer places are halved as they are.
FEW = 64
# Children that nobody has asked for yet, and those that there are not.
UNKNOWN, NONE = -2, -1


class Tree(NamedTuple):
    """What a range is cut from.

    Attributes
    ----------
    moves : how far rows move when a column changes (:class:`~fgac.tables.table.Table` or
        :class:`~fgac.tables.turns.Turns`); None where nobody knows
    j : the column
    column : its role
    lattice : the numbers that it may change to
    factor : what a difference of one scale counts at least
    """

    moves: Any
    j: int
    column: Column
    lattice: Lattice
    factor: float

    def middles(self, ranges: Sequence[tuple[int, int]], low: Floats, high: Floats) -> list[int]:
        """The places in the middle, by what counts in differences: by rank, if the column counts by its ranks."""
        halves = [(low + high) // 2 for low, high in ranges]
        if self.column.ranks is None:
            return halves
        knots, shares = self.column.ranks
        found = self.lattice.place_of(np.interp(0.5 * low + 0.5 * high, shares, knots)).tolist()
        # A long way without training rows, or a short one with many, is halved all the same.
        return [
            half
            if last - first < FEW
            else min(max(round(place), first + (last - first) // 8), last - (last - first) // 8)
            for half, place, (first, last) in zip(halves, found, ranges, strict=True)
        ]

    def scaled(self, numbers: Floats) -> Floats:
        """Numbers as they count in differences."""
        return np.asarray(self.column.scaled(numbers.ravel())).reshape(numbers.shape)


class Cells:
    """Ranges of places of lattices, cut in two where that is needed, those of many columns at once.

    Cell c belongs to ``trees[tree[c]]`` and holds the places between two, with one in their middle that is looked at:
    ``places[c]``. The numbers there are ``numbers[c]``, which count as ``scaled[c]``. ``least_reach[c]`` is how far a
    row moves at least from the middle to one of the ends, as far as that is known. ``steps[t]`` is the step of a tree.
    What is left are its two children:
    the places below the middle, and those above.
    """

    def __init__(self) -> None:
        self.trees: list[Tree] = []
        self.places: list[tuple[int, int, int]] = []
        self.tree, self.steps = np.empty(0, dtype=np.int64), np.empty(0)
        self.numbers, self.scaled = np.empty((0, 3)), np.empty((0, 3))
        self.least_reach, self._reach = np.empty(0), np.empty(0)
        self._children = np.empty((0, 2), dtype=np.int64)

    def plant(self, trees: Sequence[Tree]) -> Ints:
        """Add trees; the cells that hold all that there is of each."""
        first = len(self.trees)
        self.trees += trees
        self.steps = np.array([tree.lattice.step for tree in self.trees])
        return self._add(np.arange(first, len(self.trees)), [tree.lattice.ends for tree in trees])

    def children(self, cells: Ints) -> Ints:
        """The cells below and above the middles of some cells, an array of shape (n, 2); -1 where nothing is left."""
        new = np.unique(cells[self._children[cells, 0] == UNKNOWN])
        places = [self.places[c] for c in new.tolist()]
        halves = [half for low, middle, high in places for half in ((low, middle - 1), (middle + 1, high))]
        there = np.flatnonzero([low <= high for low, high in halves])
        added = np.full(len(halves), NONE)
        added[there] = self._add(np.repeat(self.tree[new], 2)[there], [halves[k] for k in there.tolist()])
        self._children[new] = added.reshape(-1, 2)
        return self._children[cells]

    def reach(self, cells: Ints) -> Floats:
        """How far a row moves at most from the middle number of each of some cells to any other one in it."""
        new = np.unique(cells[np.isnan(self._reach[cells])])
        for tree, those in _by_tree(self.tree[new]):
            moves, j = self.trees[tree].moves, self.trees[tree].j
            low, middle, high = self.scaled[new[those]].T
            far = (
                [np.full(len(those), np.inf)]
                if moves is None
                else [moves.moved_each(j, middle, x) for x in (low, high)]
            )
            self._reach[new[those]] = np.max(far, axis=0)
        return self._reach[cells]

    def _add(self, trees: Ints, ranges: Sequence[tuple[int, int]]) -> Ints:
        """Add cells from the first to the last place of some ranges."""
        first, numbers, scaled = len(self.places), np.empty((len(trees), 3)), np.empty((len(trees), 3))
        least, middles = np.empty(len(trees)), np.empty(len(trees), dtype=object)
        for place, those in _by_tree(trees):
            tree = self.trees[place]
            part = [ranges[k] for k in those.tolist()]
            ends = np.column_stack([tree.lattice.numbers(side) for side in zip(*part, strict=True)])
            low, high = tree.scaled(ends).T
            found = tree.middles(part, low, high)
            middle = tree.lattice.numbers(found)
            here = tree.scaled(middle)
            middles[those] = found
            numbers[those] = np.column_stack([ends[:, 0], middle, ends[:, 1]])
            scaled[those] = np.column_stack([low, here, high])
            least[those] = tree.factor * np.maximum(here - low, high - here)
        self.places += [(low, middle, high) for (low, high), middle in zip(ranges, middles.tolist(), strict=True)]
        self.tree = np.append(self.tree, trees)
        self.numbers, self.scaled = np.vstack([self.numbers, numbers]), np.vstack([self.scaled, scaled])
        self.least_reach = np.append(self.least_reach, least)
        self._reach = np.append(self._reach, np.full(len(trees), np.nan))
        self._children = np.vstack([self._children, np.full((len(trees), 2), UNKNOWN)])
        return np.arange(first, first + len(trees))


def _by_tree(trees: Ints) -> Iterator[tuple[int, Ints]]:
    """The trees of some cells, and the positions of each one's cells."""
    order = np.argsort(trees, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(trees[order])) + 1):
        if len(part):
            yield int(trees[part[0]]), part


def nearest_place(lattice: Lattice, number: float) -> int:
    """The place that is nearest to a number."""
    first, last = lattice.ends
    return min(max(round(float(lattice.place_of(number))), first), last)
