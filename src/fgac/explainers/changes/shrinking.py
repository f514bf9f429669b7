"""Changes of several columns, brought back toward where the rows were as far as predictions stay as wanted.

One number after the other is brought back, those of all changes at once. Every round looks at some places between the
nearest number that is as wanted and the furthest place that is not, and goes on between two of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fgac._typing import Floats, Ints
from fgac.explainers.changes.cells import nearest_place
from fgac.explainers.changes.lattice import ON_LATTICE, Lattice, numbers_at
from fgac.explainers.changes.search import Found, Search

# In one round so many places between the two ends are looked at.
N_PARTS = 3
# A number is brought back to so small a part of its whole way, or to one step.
FINEST = 4096


@dataclass
class _Way:
    """The way back of one number of a changed row: not as wanted at the low end, as wanted at the high one."""

    change: int
    column: int
    lattice: Lattice
    side: int
    low: int
    high: int
    enough: int

    def places(self) -> list[int]:
        """The places to look at, from the low end on."""
        span = self.high - self.low
        parts = min(N_PARTS + 1, span)
        return [self.low + span * k // parts for k in range(1, parts)]


def shrunk(search: Search, found: Sequence[Found]) -> list[Found]:
    """Smaller changes of the same columns: each brought back in the order of its columns, and in the other one."""
    both = [*found, *found]
    orders = [each.columns for each in found] + [each.columns[::-1] for each in found]
    of = np.array([each.row for each in both], dtype=np.int64)
    cells = search.space.asked[of]
    for k, each in enumerate(both):
        cells[k, list(each.columns)] = each.values
    for turn in range(max((len(order) for order in orders), default=0)):
        ways = [
            way
            for k, order in enumerate(orders)
            if turn < len(order)
            for way in _way_back(search, k, int(of[k]), order[turn], cells[k])
        ]
        while ways:
            ways = _round(search, ways, cells, of)
    return _kept(search, both, cells, of)


def _way_back(search: Search, change: int, i: int, j: int, cells: Floats) -> Iterator[_Way]:
    """The way back of a number; none of a category."""
    each, step = search.space.columns[j], search.question.steps.get(j)
    if each.lattice is None:
        return
    start = float(search.here[i, j])
    lattice = each.lattice
    if step is not None:
        lattice = Lattice.in_steps(lattice.least, lattice.most, start, step)
    side = 1 if cells[j] > start else -1
    low = nearest_place(lattice, start) * side
    high = math.ceil(float(lattice.place_of(cells[j])) * side - ON_LATTICE)
    if high - low > 1:
        yield _Way(change, j, lattice, side, low, high, max(1, (high - low) // FINEST))


def _round(search: Search, ways: Sequence[_Way], cells: Floats, of: Ints) -> list[_Way]:
    """Look at some places of every way, take the nearest one that is as wanted, and give the ways that go on."""
    places = [way.places() for way in ways]
    which = np.repeat(np.arange(len(ways)), [len(part) for part in places])
    change = np.array([way.change for way in ways])[which]
    column = np.array([way.column for way in ways])[which]
    signed = [way.side * place for way, part in zip(ways, places, strict=True) for place in part]
    numbers = numbers_at([way.lattice for way in ways], which, signed)
    tried = cells[change]
    tried[np.arange(len(tried)), column] = numbers
    wanted = search.judge(tried, of[change]).wanted
    wanted &= search.allows(of[change], column, numbers)
    good, start = wanted.tolist(), 0
    for way, part in zip(ways, places, strict=True):
        end = start + len(part)
        first = good.index(True, start, end) - start if True in good[start:end] else len(part)
        if first < len(part):
            way.high = part[first]
            cells[way.change, way.column] = numbers[start + first]
        way.low = part[first - 1] if first else way.low
        start = end
    return [way for way in ways if way.high - way.low > way.enough]


def _kept(search: Search, found: Sequence[Found], cells: Floats, of: Ints) -> list[Found]:
    """The changes that were brought back, as they are now."""
    if not found:
        return []
    _, distances = search.judge_and_measure(cells, of)
    return [
        Found(each.row, each.columns, tuple(end[list(each.columns)].tolist()), distance)
        for each, end, distance in zip(found, cells, distances.tolist(), strict=True)
        if distance < np.inf
    ]
