"""A change of several columns, brought back toward where the row was as far as the prediction stays as wanted."""

from __future__ import annotations

import math

import numpy as np

from fgac.explainers.changes.cells import nearest_place
from fgac.explainers.changes.lattice import Lattice
from fgac.explainers.changes.search import Found, Search

# A number is brought back by halves of what is left, so many times.
N_HALVES = 20
# In one round so many places between the two ends are looked at.
N_PARTS = 7


def shrunk(search: Search, found: Found) -> list[Found]:
    """Smaller changes of the same columns: brought back in one order, and in the other."""
    orders = [found.columns, found.columns[::-1]]
    ends = [_brought_back(search, found, order) for order in orders]
    cells = np.array(ends)
    of = np.full(len(ends), found.row)
    wanted = search.judge(cells, of).wanted
    distances = search.distances(cells, of)
    return [
        Found(found.row, found.columns, tuple(end[list(found.columns)].tolist()), float(distance))
        for end, is_wanted, distance in zip(cells, wanted, distances, strict=True)
        if is_wanted
    ]


def _brought_back(search: Search, found: Found, order: tuple[int, ...]) -> np.ndarray:
    """The changed row, one column after the other brought back."""
    cells = search.space.asked[found.row].copy()
    cells[list(found.columns)] = found.values
    for j in order:
        _bring_back(search, cells, found.row, j)
    return cells


def _bring_back(search: Search, cells: np.ndarray, i: int, j: int) -> None:
    """Bring one number of a changed row back, in place, for as long as it is as wanted."""
    each, step = search.space.columns[j], search.question.steps.get(j)
    if each.lattice is None:
        return
    start = float(search.here(np.array([i]), j)[0])
    lattice = each.lattice
    if step is not None:
        lattice = Lattice.in_steps(lattice.least, lattice.most, start, step)
    way = 1 if cells[j] > start else -1
    near = nearest_place(lattice, start)
    far = float(lattice.place_of(cells[j])) * way
    low, high = near * way, math.ceil(far - 1e-9)  # as wanted at the high end, the number itself
    while high - low > 1:
        places = np.unique(np.linspace(low, high, N_PARTS + 2).round().astype(np.int64)[1:-1])
        places = places[(places > low) & (places < high)]
        tried = np.tile(cells, (len(places), 1))
        tried[:, j] = lattice.numbers(places * way)
        before = np.full(len(places), search.space.asked[i, j])
        wanted = search.judge(tried, np.full(len(places), i)).wanted
        wanted &= search.question.allows(j, before, tried[:, j])
        first = int(np.argmax(wanted)) if wanted.any() else len(places)
        if first < len(places):
            high, cells[j] = int(places[first]), float(tried[first, j])
        low = int(places[first - 1]) if first else low
