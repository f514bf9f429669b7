"""Reductions of one tile of distances ``D`` to maxima of ``value - gamma * D``.

A tile covers rows ``i0, i0 + 1, ...`` and columns ``j0, j0 + 1, ...`` of the
whole matrix; running maxima are updated in place, so that tiles may come in any
order. Equal maxima keep the smallest column that was seen first.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, kernel
from fgac._kernels.lists import enter

# Columns that are compared together: most pieces hold no new maximum, and counting finds that out quickly.
PIECE = 64
# Sides of the squares in which a tile is transposed.
SQUARE = 16


@helper
def _count_above(row, values, gamma, least):
    """How many ``values - gamma * row`` are above a number. Counting takes a fifth of the time of a maximum."""
    count = np.int64(0)
    for j in range(len(row)):
        count += values[j] - gamma * row[j] > least
    return count


@kernel
def segment_max(D, values, gamma, starts, j0, best, where):
    """Per row and segment of columns ``starts[s]:starts[s + 1]``: the maximum and its column."""
    n, m = D.shape
    for s in range(len(starts) - 1):
        low = max(starts[s] - j0, 0)
        high = min(starts[s + 1] - j0, m)
        for i in range(n):
            largest = best[i, s]
            for first in range(low, high, PIECE):
                last = min(first + PIECE, high)
                if _count_above(D[i, first:last], values[j0 + first : j0 + last], gamma, largest) == 0:
                    continue
                for j in range(first, last):
                    value = values[j0 + j] - gamma * D[i, j]
                    if value > largest:
                        largest = value
                        where[i, s] = j0 + j
            best[i, s] = largest


@helper
def _raise_maxima(value, steps, maxima):
    """Raise every maximum to ``value - steps``: maxima side by side are vectorised, one after the other not."""
    for i in range(len(steps)):
        height = value - steps[i]
        maxima[i] = height if height > maxima[i] else maxima[i]


@helper
def _transposed(D, gamma):
    """``gamma * D``, rows and columns exchanged, in small squares that stay in the cache."""
    n, m = D.shape
    transposed = np.empty((m, n))
    for i0 in range(0, n, SQUARE):
        for j0 in range(0, m, SQUARE):
            for j in range(j0, min(m, j0 + SQUARE)):
                for i in range(i0, min(n, i0 + SQUARE)):
                    transposed[j, i] = gamma * D[i, j]
    return transposed


@kernel
def stacked_max(D, values, gamma, j0, best):
    """Per row of the tile and set of values (rows of ``values``): the maximum over its columns."""
    steps = _transposed(D, gamma)
    maxima = best.T.copy()
    for j in range(len(steps)):
        for s in range(len(values)):
            if values[s, j0 + j] > -np.inf:  # outside of its segment a row has no value
                _raise_maxima(values[s, j0 + j], steps[j], maxima[s])
    # In loops: numba takes three seconds to compile the assignment of one array to another, for its error message.
    for s in range(len(maxima)):
        for i in range(len(best)):
            best[i, s] = maxima[s, i]


@kernel
def top(D, values, gamma, j0, best, where):
    """Per row: the few largest values in falling order, and their columns (smallest first among equals)."""
    n, m = D.shape
    k = best.shape[1]
    part = values[j0 : j0 + m]
    for i in range(n):
        row = D[i]
        if _count_above(row, part, gamma, best[i, k - 1]) == 0:  # nothing above the last of the list
            continue
        for j in range(m):
            value = part[j] - gamma * row[j]
            if value > best[i, k - 1]:
                enter(value, j0 + j, i, best, where)
