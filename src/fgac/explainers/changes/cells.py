"""Ranges of numbers of one column, halved again and again, and how far a row moves within each at most."""

from __future__ import annotations

import math

import numpy as np

from fgac.explainers.changes.lattice import Lattice
from fgac.explainers.radius import Moves
from fgac.tables.columns import Column

# Fewer places are halved as they are.
FEW = 64


class Cells:
    """A tree of ranges of places of a lattice, grown where it is needed.

    Cell c holds the places from ``low[c]`` to ``high[c]``, numbers between ``ends[c]``, which count as ``scaled[c]``;
    ``number[c]`` in its middle is the one that is looked at. ``least_reach[c]`` is how far a row moves at least from
    there to one of the ends, as far as that is known. What is left are its two children: the places below the middle,
    and those above.

    Parameters
    ----------
    moves : Moves or None
        How far rows move when a column changes; None where nobody knows.
    j : int
        The column.
    column : Column
    lattice : Lattice
    factor : float
        What a difference of one scale counts at least.
    """

    def __init__(self, moves: Moves | None, j: int, column: Column, lattice: Lattice, factor: float) -> None:
        self.moves, self.j, self.column, self.lattice, self.factor = moves, j, column, lattice, factor
        self.low: list[int] = []
        self.high: list[int] = []
        self.middle: list[int] = []
        self.number: list[float] = []
        self.ends: list[tuple[float, float]] = []
        self.scaled: list[tuple[float, float, float]] = []
        self.least_reach: list[float] = []
        self._reach: dict[int, float] = {}
        self._parts: dict[int, tuple[int, int]] = {}
        self._add(*lattice.ends)

    def reach(self, cell: int) -> float:
        """How far a row moves at most from the middle number of a cell to any other one in it."""
        if self.moves is None:
            return math.inf
        if cell not in self._reach:
            low, middle, high = self.scaled[cell]
            self._reach[cell] = max(self.moves.moved(self.j, middle, end) for end in (low, high))
        return self._reach[cell]

    def children(self, cell: int) -> tuple[int, int]:
        """The cells below and above the middle of a cell; -1 where nothing is left."""
        if cell not in self._parts:
            middle = self.middle[cell]
            self._parts[cell] = self._add(self.low[cell], middle - 1), self._add(middle + 1, self.high[cell])
        return self._parts[cell]

    def _add(self, low: int, high: int) -> int:
        if low > high:
            return -1
        middle = self._middle(low, high)
        numbers = [self.lattice.number(place) for place in (low, middle, high)]
        least, here, most = self.column.scaled(np.array(numbers)).tolist()
        self.low.append(low)
        self.high.append(high)
        self.middle.append(middle)
        self.number.append(numbers[1])
        self.ends.append((numbers[0], numbers[2]))
        self.scaled.append((least, here, most))
        self.least_reach.append(self.factor * max(here - least, most - here))
        return len(self.low) - 1

    def _middle(self, low: int, high: int) -> int:
        """The place in the middle, by what counts in differences: by rank, if the column counts by its ranks."""
        if self.column.ranks is None or high - low < FEW:
            return (low + high) // 2
        knots, shares = self.column.ranks
        ends = self.column.scaled(np.array([self.lattice.number(low), self.lattice.number(high)]))
        found = float(self.lattice.place_of(np.interp(0.5 * ends[0] + 0.5 * ends[1], shares, knots)))
        # A long way without training rows, or a short one with many, is halved all the same.
        eighth = (high - low) // 8
        return int(min(max(round(found), low + eighth), high - eighth))


def nearest_place(lattice: Lattice, number: float) -> int:
    """The place that is nearest to a number."""
    first, last = lattice.ends
    return int(np.clip(np.round(lattice.place_of(number)), first, last))
