"""Pivots of the active-forest method (:mod:`fgac.solve.forest`), on plain arrays.

==========  ====================================================================
``a, y, w``  value, target and weight of every node
``tail, head, bound, flow``  the forest: edge e says ``a[tail] - a[head] <= bound``
            and carries the multiplier ``flow``; a free slot has ``tail == -1``
``first``   first half-edge at a node, or -1; half-edge ``2e`` sits at the tail of
            edge e, ``2e + 1`` at its head
``after, before``  doubly linked list of the half-edges at one node
``spare``   stack of free slots; its height is ``spare[-1]``
==========  ====================================================================

Invariant between pivots: the edges form a forest, every edge is tight and carries
a flow that is not negative, and ``w * (a - y) + outflow - inflow == 0`` at every
node. So values and multipliers always belong together, the values are the optimum
under the forest's constraints alone, and only other constraints can be violated.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fgac._kernels.lists import EXHAUSTED, INFEASIBLE, SOLVED, link, unlink

# Unsigned numbers need no check for negative ones when they index an array.
Index = np.uintp


@njit(cache=True, nogil=True)
def _insert(u, v, cost, amount, tail, head, bound, flow, first, after, before, spare):
    """Put a tight edge into a free slot and link it at both ends."""
    spare[-1] -= 1
    e = spare[spare[-1]]
    tail[e], head[e], bound[e], flow[e] = u, v, cost, amount
    link(e, tail, head, first, after, before)


@njit(cache=True, nogil=True)
def insert_edges(us, vs, costs, tail, head, bound, flow, first, after, before, spare):
    """Put edges that form a forest into it, without flow."""
    for i in range(len(us)):
        _insert(us[i], vs[i], costs[i], 0.0, tail, head, bound, flow, first, after, before, spare)


@njit(cache=True, nogil=True)
def drop_negative_edges(tail, head, flow, first, after, before, spare):
    """Remove the edges whose flow is negative; return how many there were."""
    dropped = 0
    for e in range(len(tail)):
        if tail[e] >= 0 and flow[e] < 0.0:
            _remove(e, tail, head, flow, first, after, before, spare)
            dropped += 1
    return dropped


@njit(cache=True, nogil=True)
def _remove(e, tail, head, flow, first, after, before, spare):
    """Unlink an edge and free its slot."""
    unlink(e, tail, head, first, after, before)
    tail[e] = -1
    flow[e] = 0.0
    spare[spare[-1]] = e
    spare[-1] += 1


@njit(cache=True, nogil=True)
def _walk(root, tail, head, first, after, w, order, via, below):
    """List the tree of ``root``, parents before children; return its size.

    ``via[z]`` becomes the edge from z to its parent (-1 at the root), ``below[z]`` the weight of z itself.
    """
    order[0] = root
    via[root] = -1
    size = 1
    i = 0
    while i < size:
        z = Index(order[i])
        i += 1
        below[z] = w[z]
        up = via[z]
        h = first[z]
        while h >= 0:
            e = h >> 1
            if e != up:
                other = Index(tail[Index(e)] if h & 1 else head[Index(e)])
                via[other] = e
                order[size] = other
                size += 1
            h = after[Index(h)]
    return size


@njit(cache=True, nogil=True)
def _weigh(order, size, via, tail, head, below):
    """Turn weights into ``below[z]``, the share of the subtree at z in the tree's weight; return that weight.

    A node of infinite weight cannot move: the share of a subtree is 1 with it and 0 without.
    """
    for i in range(size - 1, 0, -1):
        z = Index(order[i])
        e = Index(via[z])
        below[Index(tail[e]) + Index(head[e]) - z] += below[z]
    total = below[Index(order[0])]
    for i in range(size):
        z = Index(order[i])
        if total < np.inf:
            below[z] /= total
        else:
            below[z] = 1.0 if below[z] == np.inf else 0.0
    return total


@njit(cache=True, nogil=True)
def _step_limit(order, size, sinks, via, tail, flow, below):
    """The largest step before a flow of this tree runs dry, and the edge that does.

    The tree moves rigidly, so the edge above a subtree changes its flow at the rate of the subtree's share: it
    falls when it points away from the root of a tree that ``sinks``, towards the root of a tree that rises.
    """
    step = np.inf
    dry = -1
    for i in range(1, size):
        z = Index(order[i])
        e = Index(via[z])
        if (Index(tail[e]) == z) != sinks and flow[e] < step * below[z]:
            step = flow[e] / below[z]
            dry = via[z]
    return step, dry


@njit(cache=True, nogil=True)
def _move(order, size, total, step, sinks, via, tail, a, flow, below):
    """Shift the whole tree by ``step / total`` and update the flows on its edges."""
    shift = -step / total if sinks else step / total
    a[order[0]] += shift
    for i in range(1, size):
        z = Index(order[i])
        a[z] += shift
        e = Index(via[z])
        if (Index(tail[e]) == z) == sinks:
            flow[e] += step * below[z]
        else:
            flow[e] = max(0.0, flow[e] - step * below[z])


@njit(cache=True, nogil=True)
def _turn_cycle(u, v, via, tail, head, flow):
    """Push flow around the cycle that edge (u, v) closes, until a tree edge runs dry.

    Edges that lead from u to v lose what the new edge gains. Returns the amount and
    the dry edge, or -1 if none can run dry: then the bounds around the cycle add up
    to less than zero and no values satisfy them.
    """
    amount = np.inf
    dry = -1
    z = v
    while z != u:
        e = via[z]
        if head[e] == z and flow[e] < amount:
            amount = flow[e]
            dry = e
        z = tail[e] + head[e] - z
    z = v
    while dry >= 0 and z != u:
        e = via[z]
        flow[e] += -amount if head[e] == z else amount
        z = tail[e] + head[e] - z
    return amount, dry


@njit(cache=True, nogil=True)
def _pivot(u, v, cost, a, w, tail, head, bound, flow, first, after, before, spare, nodes, below, counts):
    """Raise the multiplier of the violated constraint (u, v) until it is tight; False if that never happens.

    A tree is walked again only after it has lost an edge (its size is then set to 0).
    """
    order_u, order_v, via = nodes[0], nodes[1], nodes[2]
    size_u = size_v = 0
    total_u = total_v = 0.0
    amount = 0.0
    via[v] = -2
    while True:
        counts[0] += 1
        if size_u == 0:
            size_u = _walk(u, tail, head, first, after, w, order_u, via, below)
            counts[1] += size_u
            if via[v] != -2 and size_v == 0:
                step, dry = _turn_cycle(u, v, via, tail, head, flow)
                if dry < 0:
                    return False
                amount += step
                _remove(dry, tail, head, flow, first, after, before, spare)
                size_u = 0
                via[v] = -2
                continue
            total_u = _weigh(order_u, size_u, via, tail, head, below)
        if size_v == 0:
            size_v = _walk(v, tail, head, first, after, w, order_v, via, below)
            counts[1] += size_v
            total_v = _weigh(order_v, size_v, via, tail, head, below)
        step = (a[u] - a[v] - cost) / (1.0 / total_u + 1.0 / total_v)
        limit_u, dry_u = _step_limit(order_u, size_u, True, via, tail, flow, below)
        limit_v, dry_v = _step_limit(order_v, size_v, False, via, tail, flow, below)
        step = min(step, limit_u, limit_v)
        _move(order_u, size_u, total_u, step, True, via, tail, a, flow, below)
        _move(order_v, size_v, total_v, step, False, via, tail, a, flow, below)
        amount += step
        if step < limit_u and step < limit_v:
            _insert(u, v, cost, amount, tail, head, bound, flow, first, after, before, spare)
            return True
        if step == limit_u:
            _remove(dry_u, tail, head, flow, first, after, before, spare)
            size_u = 0
        else:
            _remove(dry_v, tail, head, flow, first, after, before, spare)
            size_v = 0


@njit(cache=True, nogil=True)
def pivot(
    us, vs, costs, tol, max_pivots,
    a, w, tail, head, bound, flow, first, after, before, spare, counts, nodes, below, todo,
):  # fmt: skip
    """Pivot on violated candidates ``a[us] - a[vs] <= costs``, worst first, until none is left.

    The worst are taken first by halving a threshold, which needs a third of the pivots
    of plain sweeps. ``counts`` gathers pivots and visited nodes; ``nodes``, ``below`` and ``todo`` are room to work.
    """
    while True:
        left = 0
        worst = 0.0
        for i in range(len(us)):
            violation = a[us[i]] - a[vs[i]] - costs[i]
            if violation > tol:
                todo[left] = i
                left += 1
                worst = max(worst, violation)
        if left == 0:
            return SOLVED
        while left:
            threshold = max(tol, 0.5 * worst)
            kept = 0
            worst = 0.0
            for k in range(left):
                i = todo[k]
                violation = a[us[i]] - a[vs[i]] - costs[i]
                if violation > threshold:
                    if counts[0] >= max_pivots:
                        return EXHAUSTED
                    if not _pivot(
                        us[i], vs[i], costs[i],
                        a, w, tail, head, bound, flow, first, after, before, spare, nodes, below, counts,
                    ):  # fmt: skip
                        return INFEASIBLE
                elif violation > tol:
                    todo[kept] = i
                    kept += 1
                    worst = max(worst, violation)
            left = kept


@njit(cache=True, nogil=True)
def recompute(a, y, w, tail, head, bound, flow, first, after, nodes, below, excess):
    """Compute values and flows afresh from the forest alone, so that no rounding of the pivots remains.

    Flows that ought to be zero may come out a little below. A node of infinite weight, at most one, must be the last:
    it is the root of its tree and stays at its target.
    """
    order, via = nodes[0], nodes[1]
    via[:] = -2
    for root in range(len(a) - 1, -1, -1):
        if via[root] != -2:
            continue
        size = _walk(root, tail, head, first, after, w, order, via, below)
        a[root] = 0.0
        total = w[root]
        mean = w[root] * y[root]
        for i in range(1, size):
            z = order[i]
            e = via[z]
            parent = tail[e] + head[e] - z
            a[z] = a[parent] + bound[e] if tail[e] == z else a[parent] - bound[e]
            total += w[z]
            mean += w[z] * (y[z] - a[z])
        mean = mean / total if total < np.inf else y[root]
        for i in range(size):
            z = order[i]
            a[z] += mean
            excess[z] = w[z] * (a[z] - y[z]) if w[z] < np.inf else 0.0
        for i in range(size - 1, 0, -1):
            z = order[i]
            e = via[z]
            flow[e] = -excess[z] if tail[e] == z else excess[z]
            excess[tail[e] + head[e] - z] += excess[z]
