"""Ranges of numbers of one column, halved again and again, and how far a row moves within each at most."""

from __future__ import annotations

import math

import numpy as np

from fgac.explainers.changes.lattice import Lattice
from fgac.explainers.radius import Moves
from fgac.tables.columns import Column


class Cells:
    """A tree of ranges of places of a lattice, grown where it is needed.

    Cell c holds the places from ``low[c]`` to ``high[c]``, numbers between ``ends[c]``, which count as ``scaled[c]``;
    ``number[c]`` in its middle is the one that is looked at, and no other moves the row further from there than
    ``reach[c]``. What is left are its two children: the places below the middle, and those above.

    Parameters
    ----------
    moves : Moves or None
        How far rows move when a column changes; None where nobody knows.
    j : int
        The column.
    column : Column
    lattice : Lattice
    """

    def __init__(self, moves: Moves | None, j: int, column: Column, lattice: Lattice) -> None:
        self.moves, self.j, self.column, self.lattice = moves, j, column, lattice
        self.low: list[int] = []
        self.high: list[int] = []
        self.middle: list[int] = []
        self.number: list[float] = []
        self.ends: list[tuple[float, float]] = []
        self.scaled: list[tuple[float, float]] = []
        self.reach: list[float] = []
        self.parts: list[tuple[int, int] | None] = []
        self._add(*lattice.ends)

    def children(self, cell: int) -> tuple[int, int]:
        """The cells below and above the middle of a cell; -1 where nothing is left."""
        found = self.parts[cell]
        if found is None:
            middle = self.middle[cell]
            found = self._add(self.low[cell], middle - 1), self._add(middle + 1, self.high[cell])
            self.parts[cell] = found
        return found

    def _add(self, low: int, high: int) -> int:
        if low > high:
            return -1
        middle = self._middle(low, high)
        numbers = self.lattice.numbers(np.array([low, middle, high]))
        least, here, most = self.column.scaled(numbers).tolist()
        self.low.append(low)
        self.high.append(high)
        self.middle.append(middle)
        self.number.append(float(numbers[1]))
        self.ends.append((float(numbers[0]), float(numbers[2])))
        self.scaled.append((least, most))
        self.reach.append(self._reach(least, here, most))
        self.parts.append(None)
        return len(self.low) - 1

    def _middle(self, low: int, high: int) -> int:
        """The place in the middle, by what counts in differences: by rank, if the column counts by its ranks."""
        if self.column.ranks is None or high - low < 2:
            return (low + high) // 2
        ends = self.column.scaled(self.lattice.numbers(np.array([low, high])))
        knots, shares = self.column.ranks
        found = float(self.lattice.place_of(np.interp(ends.mean(), shares, knots)))
        # A long way without training rows, or a short one with many, is halved all the same.
        eighth = (high - low) // 8
        return int(min(max(round(found), low + eighth), high - eighth))

    def _reach(self, low: float, middle: float, high: float) -> float:
        """How far a row moves at most from the middle number to any other one of the cell."""
        if self.moves is None:
            return math.inf
        return max(self.moves.moved(self.j, middle, end) for end in (low, high))


def nearest_place(lattice: Lattice, number: float) -> int:
    """The place that is nearest to a number."""
    first, last = lattice.ends
    return int(np.clip(np.round(lattice.place_of(number)), first, last))
