"""The search by boxes: nodes, and blocks in them, opened only where bounds of their leaves say so.

The largest ``value - steps`` in a leaf of ``LEAF`` rows, or in a node, is at most its largest value minus the steps to
its bounding box. Rows of an opened block are compared in single precision, side by side, and only those that may win
are computed in double precision (:mod:`fgac._kernels.leaves`).

A loop over rows is fast if it is compiled for one metric. So kernels are told the metric by a tuple whose length is one
more than the number of its kind: lengths are known when a loop is compiled.

Several *segments* are searched at a time, each a query and the blocks over which its maximum is wanted: steps are
computed once for all of them. A ``floor`` of a point and a segment is what bounds have to reach, their slack taken off.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import inlined, kernel
from fgac._kernels.layouts import BLOCKS, LEAF, PER_NODE, SIZE, UNKNOWN
from fgac._kernels.leaves import CHEBYSHEV, EUCLIDEAN, MANHATTAN, exact_distance, insert

ZERO = np.float32(0.0)
HALF = np.float32(0.5)
# Below all that a bound can be but minus infinity, which is that of rows that are left out.
LOWEST = np.float32(-3e38)
TWICE = np.float32(2.0)
NO_CODE = np.float32(UNKNOWN)
# Leaves of a block.
PER_BLOCK = SIZE // LEAF


@inlined
def _box_steps(kind, x, i, low, high, node, mismatch, steps):
    """Write the steps from point i to the boxes of a node, side by side.

    A code outside of the range of the codes in a box differs from all of them, by half if any of these is unknown.
    """
    n = low.shape[2]
    for j in range(n):
        steps[j] = ZERO
    for f in range(low.shape[1]):
        at = x[i, f]
        if f < len(mismatch):
            whole = mismatch[f]
            half = whole * HALF
            least = half if at == NO_CODE else whole
            for j in range(n):
                left = low[node, f, j]
                gap = half if left == NO_CODE else least
                gap = gap if (left > at) | (at > high[node, f, j]) else ZERO
                steps[j] = max(steps[j], gap) if kind == CHEBYSHEV else steps[j] + gap
        elif kind == EUCLIDEAN:
            for j in range(n):
                gap = max(max(low[node, f, j] - at, at - high[node, f, j]), ZERO)
                steps[j] += gap * gap
        elif kind == MANHATTAN:
            for j in range(n):
                steps[j] += max(max(low[node, f, j] - at, at - high[node, f, j]), ZERO)
        else:
            for j in range(n):
                steps[j] = max(steps[j], max(low[node, f, j] - at, at - high[node, f, j]))
    if kind == EUCLIDEAN:
        for j in range(n):
            steps[j] = np.sqrt(steps[j])


@inlined
def _row_steps(kind, x, i, vectors, block, mismatch, steps):
    """Write the steps from point i to the rows of a block, Euclidean ones squared."""
    for j in range(SIZE):
        steps[j] = ZERO
    for f in range(len(mismatch)):
        at = x[i, f]
        half = mismatch[f] * HALF
        apart = half if at == NO_CODE else mismatch[f]
        for j in range(SIZE):
            code = vectors[block, f, j]
            gap = ZERO if code == at else (half if code == NO_CODE else apart)
            steps[j] = max(steps[j], gap) if kind == CHEBYSHEV else steps[j] + gap
    for f in range(len(mismatch), x.shape[1] - 2, 4):  # sums are read and written once for four coordinates
        at, bt, ct, dt = x[i, f], x[i, f + 1], x[i, f + 2], x[i, f + 3]
        for j in range(SIZE):
            u, v = at - vectors[block, f, j], bt - vectors[block, f + 1, j]
            w, z = ct - vectors[block, f + 2, j], dt - vectors[block, f + 3, j]
            if kind == EUCLIDEAN:
                steps[j] += (u * u + v * v) + (w * w + z * z)
            elif kind == MANHATTAN:
                steps[j] += (abs(u) + abs(v)) + (abs(w) + abs(z))
            else:
                steps[j] = max(steps[j], max(max(abs(u), abs(v)), max(abs(w), abs(z))))


@kernel
def begin_with(metric, x, segments, leaves, values, near, nodes):
    """Write the steps from points to nodes, and the node with the largest bound of every point and segment, or -1."""
    kind = len(metric) - 1
    for i in range(len(x)):
        _box_steps(kind, x, i, leaves.node_low, leaves.node_high, 0, leaves.mismatch, near[i])
        for a in range(len(segments)):
            q, start, stop = segments[a]
            node, highest = -1, LOWEST
            for j in range(start // BLOCKS, -(-stop // BLOCKS)):
                bound = values.node_maxima[q, j] - near[i, j]
                if bound > highest:
                    node, highest = j, bound
            nodes[i, a] = node


@kernel
def excesses(segments, values, near, floors, out):
    """Write how far the bound of every node is above the floor of some point, at most."""
    out[:] = LOWEST
    for a in range(len(segments)):
        q, start, stop = segments[a]
        for i in range(len(near)):
            floor = floors[i, a]
            for j in range(start // BLOCKS, -(-stop // BLOCKS)):
                out[j] = max(out[j], values.node_maxima[q, j] - near[i, j] - floor)


@kernel
def open_nodes(metric, gamma, within, visits, segments, leaves, values, points, rows, room, best, where):
    """Search nodes for the largest values of points.

    Every line of ``visits`` has a node, the first point it is searched for and the end of these points, and a segment,
    of which only the block with the largest bound is opened; or -1: all segments, and all blocks that reach.
    ``best[point, segment]`` and ``where`` have room for as many maxima as are wanted. What is more than ``within``
    below the largest value of all segments may be missed.
    Returns how many nodes and blocks were opened, and how many rows were computed in double precision.

    Invariant: what is left out is surely beaten, for its bound is below a floor, and floors only rise.
    """
    kind = len(metric) - 1
    x, slack = points.vectors, points.slack
    vectors, mismatch, low, high = leaves.vectors, leaves.mismatch, leaves.low, leaves.high
    all_values, maxima, node_maxima = values.values, values.maxima, values.node_maxima
    near, floors, box, steps, active, listed, reached = room
    last = best.shape[2] - 1
    n_nodes = n_blocks = n_exact = 0
    for visit in range(len(visits)):
        node, first_point, end_point, only = visits[visit]
        for i in range(first_point, end_point):
            n_active = 0
            for a in range(len(segments)):
                q, start, stop = segments[a]
                inside = start < (node + 1) * BLOCKS and stop > node * BLOCKS and (only < 0 or a == only)
                if inside and node_maxima[q, node] - near[i, node] >= floors[i, a]:
                    active[n_active] = a
                    n_active += 1
            if n_active == 0:
                continue
            n_nodes += 1
            _box_steps(kind, x, i, low, high, node, mismatch, box)
            m = 0
            if only < 0:
                for part in range(BLOCKS):
                    reached[part] = False
                for s in range(n_active):
                    a = active[s]
                    q, floor = segments[a, 0], floors[i, a]
                    for leaf in range(PER_NODE):
                        reached[leaf // PER_BLOCK] |= maxima[q, node, leaf] - box[leaf] >= floor
                for part in range(BLOCKS):  # without a branch, which would be hard to predict
                    listed[m] = part
                    m += reached[part]
            else:
                q, start, stop = segments[only]
                highest = LOWEST
                for leaf in range(PER_NODE):
                    bound = maxima[q, node, leaf] - box[leaf]
                    if bound > highest and start <= node * BLOCKS + leaf // PER_BLOCK < stop:
                        listed[0], m, highest = leaf // PER_BLOCK, 1, bound
            for place in range(m):
                part = listed[place]
                block = node * BLOCKS + part
                is_open = False
                for s in range(n_active):
                    a = active[s]
                    q, start, stop = segments[a]
                    floor = floors[i, a]
                    if block < start or block >= stop:
                        continue
                    reaches = False
                    for leaf in range(part * PER_BLOCK, (part + 1) * PER_BLOCK):
                        reaches |= maxima[q, node, leaf] - box[leaf] >= floor
                    if not reaches:  # the floor has risen
                        continue
                    if not is_open:
                        is_open = True
                        n_blocks += 1
                        _row_steps(kind, x, i, vectors, block, mismatch, steps)
                    # Reach and steps are compared squared if Euclidean. Counting is vectorised; most blocks end here.
                    hits = np.int32(0)
                    for j in range(SIZE):
                        reach = all_values[q, block, j] - floor
                        hits += np.int32(
                            (reach >= ZERO) & ((reach * reach if kind == EUCLIDEAN else reach) >= steps[j])
                        )
                    if hits == 0:
                        continue
                    slip = slack[i]
                    if last == 0:
                        # The best of the block, less what rounding may have added to it, is a limit already.
                        peak = LOWEST
                        for j in range(SIZE):
                            fall = np.sqrt(steps[j]) if kind == EUCLIDEAN else steps[j]
                            peak = max(peak, all_values[q, block, j] - fall)
                        floor = max(floor, peak - TWICE * (slip + values.slack[block]) - slip)
                    better = False
                    for j in range(SIZE):
                        reach = all_values[q, block, j] - floor
                        if reach >= ZERO and (reach * reach if kind == EUCLIDEAN else reach) >= steps[j]:
                            u = leaves.order[block, j]
                            value = rows.values[q, u] - gamma * exact_distance(kind, i, points, u, rows)
                            better |= insert(value, u, best[i, a], where[i, a])
                            n_exact += 1
                    if better:
                        floor = max(floor, np.float32(best[i, a, last] - slip))
                        if within < np.inf:
                            common = np.float32(best[i, a, 0] - within - slip)
                            for b in range(len(segments)):
                                floors[i, b] = max(floors[i, b], common)
                    floors[i, a] = max(floors[i, a], floor)
    return n_nodes, n_blocks, n_exact
