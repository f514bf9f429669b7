"""Rows as vectors in single precision, sorted so that those that lie together follow each other.

*Steps* are ``gamma * distance``. A vector has the codes of a row, as numbers, then its centred coordinates times
gamma, zeros that make these a multiple of four, their squared norm, and 1; there are as many codes as mismatches.
Euclidean steps stay squared until the last moment, and their mismatches are squared already. An unknown code is half a
mismatch from all others (:mod:`fgac._kernels.distances`), squared or not.

Bounds and tests on vectors give way by a *slack*, more than their rounding can amount to, so what they leave out is
surely beaten. What they let pass is computed in double precision from the rows themselves, with the sums in the order
of :mod:`fgac._kernels.distances`, so that the last digit does not depend on the way by which a distance was found.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, inlined, kernel
from fgac._kernels.layouts import PER_NODE, SIZE, UNKNOWN

# Rows of a part that are compared to find the coordinate in which it is spread most.
SAMPLE = 256

EUCLIDEAN, MANHATTAN, CHEBYSHEV = range(3)


@kernel
def embed(kind, gamma, centre, numeric, codes, shrink, vectors, norms):
    """Write vectors into zeros, and how many steps coordinates are from the centre; squares are less by ``shrink``."""
    n, p = numeric.shape
    q = codes.shape[1]
    for i in range(n):
        for f in range(q):
            vectors[i, f] = codes[i, f]
        norm = squares = 0.0
        for f in range(p):
            at = gamma * (numeric[i, f] - centre[f])
            vectors[i, q + f] = at
            squares += at * at
            norm = max(norm, abs(at)) if kind == CHEBYSHEV else norm + abs(at)
        norms[i] = np.sqrt(squares) if kind == EUCLIDEAN else norm
        vectors[i, -2] = squares * (1.0 - shrink)
        vectors[i, -1] = 1.0


@kernel
def gather(vectors, order, out):
    """Write the vectors of each block, coordinate by coordinate."""
    for block in range(len(order)):
        for f in range(vectors.shape[1]):
            for j in range(SIZE):
                out[block, f, j] = vectors[order[block, j], f]


@kernel
def cut(vectors, weights, size, order):
    """Rearrange ``order``, row numbers of ``vectors``, so that each ``size`` of them in turn lie together.

    So do each ``size * PER_NODE`` of them, and each ``PER_NODE`` times as many, and so on. Parts are halved, at a
    multiple of the largest of these numbers that is smaller, in the column with the largest weighted deviation.
    """
    parts = [(0, len(order))]
    while len(parts) > 0:
        start, stop = parts.pop()
        if stop - start <= size:
            continue
        part = order[start:stop].copy()
        widest = _widest(vectors, weights, part)
        if widest < 0:
            continue
        unit = size
        while PER_NODE * unit < stop - start:
            unit *= PER_NODE
        halves = -(-(stop - start) // unit)
        middle = unit * max(1, halves // 2)
        keys = np.empty(len(part), dtype=np.float32)
        for i in range(len(part)):
            keys[i] = vectors[part[i], widest]
        order[start:stop] = part[np.argpartition(keys, middle)]
        parts.append((start, start + middle))
        parts.append((start + middle, stop))


@helper
def _widest(vectors, weights, part):
    """The column that deviates most in a sample of the part; -1 if all are constant there."""
    widest, largest = -1, 0.0
    step = max(1, len(part) // SAMPLE)
    for f in range(len(weights)):
        if weights[f] == 0.0:
            continue
        origin = vectors[part[0], f]
        total, squares, n = 0.0, 0.0, 0
        for i in range(0, len(part), step):
            value = np.float64(vectors[part[i], f] - origin)
            total += value
            squares += value * value
            n += 1
        variance = (squares / n - (total / n) ** 2) * weights[f] ** 2
        if variance > largest:
            widest, largest = f, variance
    return widest


@inlined
def exact_distance(kind, i, points, u, rows):
    """The distance of point i and row u in double precision."""
    x, x_codes = points.numeric, points.codes
    y, y_codes, mismatch = rows.numeric, rows.codes, rows.mismatch
    p = x.shape[1]
    distance = 0.0
    for f in range(p + len(mismatch)):
        gap = abs(x[i, f] - y[u, f]) if f < p else mismatch[f - p]
        gap = gap * gap if kind == EUCLIDEAN else gap
        if f >= p:
            code, other = x_codes[i, f - p], y_codes[u, f - p]
            gap = 0.0 if code == other else (0.5 * gap if code == UNKNOWN or other == UNKNOWN else gap)
        distance = max(distance, gap) if kind == CHEBYSHEV else distance + gap
    return np.sqrt(distance) if kind == EUCLIDEAN else distance


@helper
def insert(value, row, best, where):
    """Keep the largest values in falling order, the smallest row first among equals, and no row twice."""
    s = len(best)
    if not (value > best[s - 1] or (value == best[s - 1] and row < where[s - 1])):
        return False
    for place in range(s):
        if where[place] == row:
            return False
    while s > 0 and (value > best[s - 1] or (value == best[s - 1] and row < where[s - 1])):
        if s < len(best):
            best[s], where[s] = best[s - 1], where[s - 1]
        s -= 1
    best[s], where[s] = value, row
    return True
