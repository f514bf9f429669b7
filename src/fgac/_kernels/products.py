"""The search by products, for Euclidean rows of many coordinates: bounds of blocks of ``SIZE`` rows.

Boxes rule nothing out where there are many coordinates, but squared steps come from a matrix product, so that the
largest ``value - steps`` of every block costs little. Blocks whose bound reaches the best value so far are opened, and
rows that may win are computed in double precision (:mod:`fgac._kernels.leaves`).
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, inlined, kernel
from fgac._kernels.layouts import SIZE, UNKNOWN
from fgac._kernels.leaves import EUCLIDEAN, exact_distance, insert

# Maxima do not depend on the order of comparison, so these flags change no result; they let loops be vectorised.
VECTORISE = {"nnan", "nsz", "reassoc"}
ZERO = np.float32(0.0)
HALF = np.float32(0.5)
NO_CODE = np.float32(UNKNOWN)


@kernel
def product_bounds(codes, factors, slack, leaves, values, out):
    """Write ``out[query, point, block]``: the largest ``value - steps`` of the block, by matrix products.

    The product of a block's coordinates after the codes with ``factors`` holds squared steps. Points are columns, so
    that all loops run over them.
    """
    vectors, mismatch = leaves.vectors, leaves.mismatch
    n = len(slack)
    steps = np.empty((SIZE, n), dtype=np.float32)
    flat = steps.reshape(SIZE * n)
    peak = np.empty(n, dtype=np.float32)
    for block in range(len(vectors)):
        np.dot(vectors[block, len(mismatch) :].T, factors, steps)
        for f in range(len(mismatch)):
            for j in range(SIZE):
                code = vectors[block, f, j]
                half = mismatch[f] * HALF
                apart = half if code == NO_CODE else mismatch[f]
                for i in range(n):
                    steps[j, i] += ZERO if codes[f, i] == code else (half if codes[f, i] == NO_CODE else apart)
        for i in range(SIZE * n):
            flat[i] = np.sqrt(max(flat[i], ZERO))
        for q in range(len(values)):
            v = values[q, block]
            peak[:] = -np.inf
            # Four rows at a time: the running maximum is read and written once for all of them.
            for j in range(0, SIZE, 4):
                for i in range(n):
                    ab = max(v[j] - steps[j, i], v[j + 1] - steps[j + 1, i])
                    cd = max(v[j + 2] - steps[j + 2, i], v[j + 3] - steps[j + 3, i])
                    peak[i] = max(peak[i], max(ab, cd))
            for i in range(n):
                out[q, i, block] = peak[i] + slack[i]


@helper(fastmath=VECTORISE)
def _peak(steps, values):
    """Largest ``values - steps``, from squared steps."""
    peak = np.float32(-np.inf)
    for j in range(len(steps)):
        value = values[j] - np.sqrt(steps[j])
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
def _block_steps(x, i, vectors, block, mismatch, steps):
    """Squared steps from point i to the rows of a block."""
    for j in range(SIZE):
        steps[j] = ZERO
    for f in range(x.shape[1] - 2):
        at = x[i, f]
        if f < len(mismatch):
            half = mismatch[f] * HALF
            apart = half if at == NO_CODE else mismatch[f]
            for j in range(SIZE):
                code = vectors[block, f, j]
                steps[j] += ZERO if code == at else (half if code == NO_CODE else apart)
        else:
            for j in range(SIZE):
                steps[j] += (at - vectors[block, f, j]) * (at - vectors[block, f, j])


@kernel
def search_blocks(gamma, within, segments, bounds, leaves, values, points, rows, best, where):
    """Find the largest values in the blocks whose bounds reach them.

    ``segments`` holds a query and a range of blocks in each line; ``best[point, segment]`` and ``where`` have room for
    as many maxima as are wanted. What is more than ``within`` below the largest value of all segments may be missed.
    The block of the largest bound comes first, so that the others are opened only if they can beat a good value.
    Returns how many blocks were opened, and how many rows were computed in double precision.

    Invariant: a block that was left out is surely beaten, for its bound is below the values that are there, and these
    only grow. The bound of a block that was opened becomes minus infinity.
    """
    x, slack = points.vectors, points.slack
    vectors, mismatch, order = leaves.vectors, leaves.mismatch, leaves.order
    # Steps start where a line of the cache does: a vector that straddles two costs twice the time.
    room = np.empty(2 * SIZE, dtype=np.float32)
    start = (-room.ctypes.data % 64) // 4
    steps = room[start : start + SIZE]
    opened = np.empty(bounds.shape[2] + 1, dtype=np.int64)
    n_blocks = n_exact = 0
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
                # List the blocks that reach, without a branch, which would be hard to predict.
                for block in range(start, stop):
                    opened[m] = block
                    m += bounds[q, i, block] >= least
                for block in opened[:m]:
                    least = max(best[i, a, k - 1], common)
                    if bounds[q, i, block] < least or bounds[q, i, block] == -np.inf:
                        continue
                    bounds[q, i, block] = -np.inf
                    n_blocks += 1
                    _block_steps(x, i, vectors, block, mismatch, steps)
                    line = values.values[q, block]
                    # In the first block nothing is known yet: its own largest value, less what rounding may have added
                    # to it, is a good limit.
                    if first and k == 1:
                        least = max(least, _peak(steps, line) - 2.0 * (slack[i] + values.slack[block]))
                    floor = np.float32(least - slack[i])
                    # Reach and steps are compared squared. Counting is vectorised; most blocks end here.
                    hits = 0
                    for j in range(SIZE):
                        reach = line[j] - floor
                        hits += (reach >= ZERO) & (reach * reach >= steps[j])
                    n_exact += hits
                    if hits == 0:
                        continue
                    for j in range(SIZE):
                        reach = line[j] - floor
                        if reach >= ZERO and reach * reach >= steps[j]:
                            u = order[block, j]
                            d = exact_distance(EUCLIDEAN, i, points, u, rows)
                            insert(rows.values[q, u] - gamma * d, u, best[i, a], where[i, a])
    return n_blocks, n_exact
