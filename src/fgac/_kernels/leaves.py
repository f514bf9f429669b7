"""The search in leaves: ``SIZE`` rows that lie together, opened only where a bound says that they may matter.

Bounds and tests are in single precision and give way by ``slack``, more than their rounding can amount to, so what they
leave out is surely beaten. What they let pass is computed in double precision from the rows themselves.

*Steps* are ``gamma * distance``. A vector has the codes of a row, as numbers, then its centred coordinates times
gamma, their squared norm, and 1; there are as many codes as there are mismatches. Euclidean steps stay squared until
the last moment, and their mismatches are squared already. An unknown code is half a mismatch from all others
(:mod:`fgac._kernels.distances`), squared or not.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, inlined, kernel
from fgac._kernels.layouts import SIZE, UNKNOWN

# Rows of a part that are compared to find the coordinate in which it is spread most.
SAMPLE = 256

EUCLIDEAN, MANHATTAN, CHEBYSHEV = range(3)

# Maxima do not depend on the order of comparison, so these flags change no result; they let loops be vectorised.
VECTORISE = {"nnan", "nsz", "reassoc"}
ZERO = np.float32(0.0)
HALF = np.float32(0.5)
NO_CODE = np.float32(UNKNOWN)


@kernel
def embed(kind, gamma, centre, numeric, codes, shrink, vectors, norms):
    """Write vectors, and how many steps their coordinates are from the centre. Squares are made less by ``shrink``."""
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
        vectors[i, q + p] = squares * (1.0 - shrink)
        vectors[i, q + p + 1] = 1.0


@kernel
def gather(vectors, order, out):
    """Write the vectors of each leaf, coordinate by coordinate."""
    for leaf in range(len(order)):
        for f in range(vectors.shape[1]):
            for j in range(SIZE):
                out[leaf, f, j] = vectors[order[leaf, j], f]


@kernel
def cut(vectors, weights, order):
    """Rearrange ``order``, row numbers of ``vectors``, so that each ``SIZE`` of them in turn lie together.

    Parts are halved, at a multiple of ``SIZE``, in the coordinate with the largest weighted deviation.
    """
    parts = [(0, len(order))]
    while len(parts) > 0:
        start, stop = parts.pop()
        n_leaves = -(-(stop - start) // SIZE)
        if n_leaves < 2:
            continue
        part = order[start:stop].copy()
        widest = _widest(vectors, weights, part)
        if widest < 0:
            continue
        keys = np.empty(len(part), dtype=np.float32)
        for i in range(len(part)):
            keys[i] = vectors[part[i], widest]
        middle = SIZE * (n_leaves // 2)  # all leaves of a piece but the last are full
        order[start:stop] = part[np.argpartition(keys, middle)]
        parts.append((start, start + middle))
        parts.append((start + middle, stop))


@helper
def _widest(vectors, weights, part):
    """The coordinate that deviates most in a sample of the part; -1 if all are constant there."""
    widest, largest = -1, 0.0
    step = max(1, len(part) // SAMPLE)
    for f in range(len(weights)):
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


@kernel
def box_bounds(kind, points, leaves, out):
    """Write ``out[query, point, leaf]``: the largest value of the leaf minus the steps to its bounding box.

    A code outside of the range of the codes in a leaf differs from all of them, by half if any of these is unknown.
    """
    x, slack = points.vectors, points.slack
    low, high, mismatch, maxima = leaves.low, leaves.high, leaves.mismatch, leaves.maxima
    n_leaves = low.shape[1]
    steps = np.empty(n_leaves, dtype=np.float32)
    for i in range(len(x)):
        steps[:] = ZERO
        for f in range(len(low)):
            at, left, right = x[i, f], low[f], high[f]
            for j in range(n_leaves):
                gap = max(max(left[j] - at, at - right[j]), ZERO)
                if f < len(mismatch):
                    half = (at == NO_CODE) | (left[j] == NO_CODE)
                    gap = (mismatch[f] * HALF if half else mismatch[f]) if gap > ZERO else ZERO
                elif kind == EUCLIDEAN:
                    gap *= gap
                steps[j] = max(steps[j], gap) if kind == CHEBYSHEV else steps[j] + gap
        if kind == EUCLIDEAN:
            for j in range(n_leaves):
                steps[j] = np.sqrt(steps[j])
        for q in range(len(maxima)):
            for j in range(n_leaves):
                out[q, i, j] = maxima[q, j] - steps[j] + slack[i]


@kernel
def product_bounds(codes, factors, slack, leaves, out):
    """Write ``out[query, point, leaf]``: the largest ``value - steps`` of the leaf, Euclidean, by matrix products.

    The product of a leaf's coordinates after the codes with ``factors`` holds squared steps. Points are columns, so
    that all loops run over them.
    """
    vectors, mismatch, values = leaves.vectors, leaves.mismatch, leaves.values
    n = len(slack)
    steps = np.empty((SIZE, n), dtype=np.float32)
    flat = steps.reshape(SIZE * n)
    peak = np.empty(n, dtype=np.float32)
    for leaf in range(len(vectors)):
        np.dot(vectors[leaf, len(mismatch) :].T, factors, steps)
        for f in range(len(mismatch)):
            for j in range(SIZE):
                code = vectors[leaf, f, j]
                half = mismatch[f] * HALF
                apart = half if code == NO_CODE else mismatch[f]
                for i in range(n):
                    steps[j, i] += ZERO if codes[f, i] == code else (half if codes[f, i] == NO_CODE else apart)
        for i in range(SIZE * n):
            flat[i] = np.sqrt(max(flat[i], ZERO))
        for q in range(len(values)):
            v = values[q, leaf]
            peak[:] = -np.inf
            # Four rows at a time: the running maximum is read and written once for all of them.
            for j in range(0, SIZE, 4):
                for i in range(n):
                    ab = max(v[j] - steps[j, i], v[j + 1] - steps[j + 1, i])
                    cd = max(v[j + 2] - steps[j + 2, i], v[j + 3] - steps[j + 3, i])
                    peak[i] = max(peak[i], max(ab, cd))
            for i in range(n):
                out[q, i, leaf] = peak[i] + slack[i]


@helper(fastmath=VECTORISE)
def _peak(kind, steps, values):
    """Largest ``values - steps``."""
    peak = np.float32(-np.inf)
    for j in range(len(steps)):
        value = values[j] - (np.sqrt(steps[j]) if kind == EUCLIDEAN else steps[j])
        if value > peak:
            peak = value
    return peak


@helper(fastmath=VECTORISE)
def _highest(row):
    """Position of the largest entry."""
    high = np.float32(-np.inf)
    for j in range(len(row)):
        if row[j] > high:
            high = row[j]
    for j in range(len(row)):
        if row[j] >= high:
            return j
    return 0


@inlined
def _leaf_steps(kind, x, i, vectors, leaf, mismatch, steps):
    """Steps from point i to the rows of a leaf, Euclidean ones squared."""
    for j in range(SIZE):
        steps[j] = ZERO
    for f in range(x.shape[1] - 2):
        at = x[i, f]
        if f < len(mismatch):
            half = mismatch[f] * HALF
            apart = half if at == NO_CODE else mismatch[f]
            for j in range(SIZE):
                code = vectors[leaf, f, j]
                gap = ZERO if code == at else (half if code == NO_CODE else apart)
                steps[j] = max(steps[j], gap) if kind == CHEBYSHEV else steps[j] + gap
        elif kind == EUCLIDEAN:
            for j in range(SIZE):
                steps[j] += (at - vectors[leaf, f, j]) * (at - vectors[leaf, f, j])
        elif kind == MANHATTAN:
            for j in range(SIZE):
                steps[j] += abs(at - vectors[leaf, f, j])
        else:
            for j in range(SIZE):
                steps[j] = max(steps[j], abs(at - vectors[leaf, f, j]))


@inlined
def _exact_distance(kind, i, points, u, rows):
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
def _insert(value, row, best, where):
    """Keep the largest values in falling order, the smallest row first among equals."""
    s = len(best)
    while s > 0 and (value > best[s - 1] or (value == best[s - 1] and row < where[s - 1])):
        if s < len(best):
            best[s], where[s] = best[s - 1], where[s - 1]
        s -= 1
    if s < len(best):
        best[s], where[s] = value, row


@kernel
def search_leaves(kind, gamma, within, segments, bounds, leaves, points, rows, best, where):
    """Find the largest values in the leaves whose bounds reach them.

    ``segments`` holds a query and a range of leaves in each line; ``best[point, segment]`` and ``where`` have room for
    as many maxima as are wanted. What is more than ``within`` below the largest value of all segments may be missed.
    The leaf of the largest bound comes first, so that the others are opened only if they can beat a good value.
    Returns how many leaves were opened, and how many rows were computed in double precision.

    Invariant: a leaf that was left out is surely beaten, for its bound is below the values that are there, and these
    only grow. The bound of a leaf that was opened becomes minus infinity.
    """
    x, slack = points.vectors, points.slack
    vectors, leaf_values, mismatch, order = leaves.vectors, leaves.values, leaves.mismatch, leaves.order
    # Steps start where a line of the cache does: a vector that straddles two costs twice the time.
    room = np.empty(2 * SIZE, dtype=np.float32)
    start = (-room.ctypes.data % 64) // 4
    steps = room[start : start + SIZE]
    opened = np.empty(bounds.shape[2] + 1, dtype=np.int64)
    n_leaves = n_exact = 0
    k = best.shape[2]
    for i in range(len(x)):
        for first in (True, False):
            common = best[i, :, 0].max() - within  # values below need not be right
            for a in range(len(segments)):
                q, start, stop = segments[a]
                if first:
                    start += _highest(bounds[q, i, start:stop])
                    stop = min(stop, start + 1)
                least = max(best[i, a, k - 1], common)
                m = 0
                # List the leaves that reach, without a branch, which would be hard to predict.
                for leaf in range(start, stop):
                    opened[m] = leaf
                    m += bounds[q, i, leaf] >= least
                for leaf in opened[:m]:
                    least = max(best[i, a, k - 1], common)
                    if bounds[q, i, leaf] < least or bounds[q, i, leaf] == -np.inf:
                        continue
                    bounds[q, i, leaf] = -np.inf
                    n_leaves += 1
                    _leaf_steps(kind, x, i, vectors, leaf, mismatch, steps)
                    # In the first leaf nothing is known yet: its own largest value, less the slack, is a good limit.
                    if first and k == 1:
                        least = max(least, _peak(kind, steps, leaf_values[q, leaf]) - slack[i])
                    floor = np.float32(least - slack[i])
                    # Reach and steps are compared squared if Euclidean. Counting is vectorised; most leaves end here.
                    hits = 0
                    for j in range(SIZE):
                        reach = leaf_values[q, leaf, j] - floor
                        hits += (reach >= ZERO) & ((reach * reach if kind == EUCLIDEAN else reach) >= steps[j])
                    n_exact += hits
                    if hits == 0:
                        continue
                    for j in range(SIZE):
                        reach = leaf_values[q, leaf, j] - floor
                        if reach >= ZERO and (reach * reach if kind == EUCLIDEAN else reach) >= steps[j]:
                            u = order[leaf, j]
                            d = _exact_distance(kind, i, points, u, rows)
                            _insert(rows.values[q, u] - gamma * d, u, best[i, a], where[i, a])
    return n_leaves, n_exact
