"""Pivots of the network simplex method (:mod:`fgac.solve.network`), on plain arrays.

Nodes ``0 .. n - 1`` are those of the problem, node n is the ground. Arc ``z < n`` leads from
the ground to node z and its ``flow`` is what z sends out more than it takes in; arcs
``n .. 2n - 1`` are slots for constraints ``a[tail] - a[head] <= bound``. The ground arc of z
has the bound ``-y[z]``, so that ``a[z] == y[z]`` where it is tight (``a[n] == 0``).

==========  ====================================================================
``a``       potential of every node
``tail, head, bound``  ends and bound of every arc; a free slot has ``tail == -1``
``flow, lower, upper``  flow of every arc and its limits
``tree``    whether an arc is in the tree
``parent, via, depth``  the tree, rooted at the ground: the arc to the parent
``first, after, before``  half-edges ``2e`` (tail) and ``2e + 1`` (head) of the tree's arcs at every node
``spare``   stack of free slots; its height is ``spare[-1]``
==========  ====================================================================

Invariant between pivots: the arcs in the tree span all nodes and are tight, every other ground
arc is at one of its limits, flows are conserved at every node and within their limits, and from
every node some flow can still be sent to the ground along the tree (a *strongly feasible* tree,
which the choice of the leaving arc keeps, and which makes pivots that move no flow end).

Functions called for every arc take numbers, not arrays: handing over an array costs more than the work.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fgac._kernels.lists import EXHAUSTED, INFEASIBLE, SOLVED, link, unlink


@njit(cache=True, nogil=True)
def _room(forward, flow, lower, upper):
    """How much more flow an arc can carry forwards, or backwards."""
    return upper - flow if forward else flow - lower


@njit(cache=True, nogil=True)
def _apex(s, t, parent, depth):
    """Where the ways from s and from t to the ground meet."""
    while s != t:
        if depth[s] >= depth[t]:
            s = parent[s]
        else:
            t = parent[t]
    return s


@njit(cache=True, nogil=True)
def _leaving(s, t, apex, own, parent, via, tail, head, flow, lower, upper):
    """The flow that can go from s to t by the entering arc and back through the tree, and the arc that stops it.

    Of several that stop it, the last one on the way round from the apex leaves: that keeps the tree strongly
    feasible. Returns the amount, the arc (-1 for the entering arc itself) and whether it lies on t's side.
    """
    amount, arc, side = own, -1, False
    z = s
    while z != apex:
        e = via[z]
        room = _room(head[e] == z, flow[e], lower[e], upper[e])
        if room < amount:
            amount, arc = room, e
        z = parent[z]
    z = t
    while z != apex:
        e = via[z]
        room = _room(tail[e] == z, flow[e], lower[e], upper[e])
        if room <= amount:
            amount, arc, side = room, e, True
        z = parent[z]
    return amount, arc, side


@njit(cache=True, nogil=True)
def _push(s, t, apex, amount, parent, via, tail, head, flow):
    """Send flow from t to s through the tree."""
    z = s
    while z != apex:
        e = via[z]
        flow[e] += amount if head[e] == z else -amount
        z = parent[z]
    z = t
    while z != apex:
        e = via[z]
        flow[e] += amount if tail[e] == z else -amount
        z = parent[z]


@njit(cache=True, nogil=True)
def _hang(root, e, a, tail, head, bound, first, after, parent, via, depth, order):
    """Hang the subtree of ``root`` on arc e: new parents, depths and potentials, all shifted alike."""
    above = tail[e] + head[e] - root
    value = a[above] + bound[e] if tail[e] == root else a[above] - bound[e]
    shift = value - a[root]
    parent[root] = above
    via[root] = e
    order[0] = root
    size = 1
    i = 0
    while i < size:
        z = order[i]
        i += 1
        a[z] += shift
        depth[z] = depth[parent[z]] + 1
        h = first[z]
        while h >= 0:
            other_arc = h >> 1
            if other_arc != via[z]:
                child = tail[other_arc] if h & 1 else head[other_arc]
                parent[child] = z
                via[child] = other_arc
                order[size] = child
                size += 1
            h = after[h]
    return size


@njit(cache=True, nogil=True)
def _enter(
    e, forward, a, tail, head, bound, flow, lower, upper, tree,
    parent, via, depth, first, after, before, spare, order, counts,
):  # fmt: skip
    """Let arc e enter, with rising (``forward``) or falling flow; False if nothing ever stops the flow."""
    s, t = (tail[e], head[e]) if forward else (head[e], tail[e])
    apex = _apex(s, t, parent, depth)
    own = upper[e] - lower[e]
    amount, arc, side = _leaving(s, t, apex, own, parent, via, tail, head, flow, lower, upper)
    if amount == np.inf:
        return False
    counts[0] += 1
    _push(s, t, apex, amount, parent, via, tail, head, flow)
    flow[e] += amount if forward else -amount
    n = len(a) - 1
    if arc < 0:
        flow[e] = upper[e] if forward else lower[e]
        return True
    flow[arc] = upper[arc] if upper[arc] - flow[arc] < flow[arc] - lower[arc] else lower[arc]
    tree[arc], tree[e] = False, True
    unlink(arc, tail, head, first, after, before)
    link(e, tail, head, first, after, before)
    counts[1] += _hang(t if side else s, e, a, tail, head, bound, first, after, parent, via, depth, order)
    if arc >= n:
        tail[arc] = -1
        spare[spare[-1]] = arc
        spare[-1] += 1
    return True


@njit(cache=True, nogil=True)
def _discontent(value, target, flow, upper, in_tree):
    """How much a ground arc wants to enter the tree."""
    if in_tree:
        return 0.0
    return value - target if flow == upper else target - value


@njit(cache=True, nogil=True)
def _violated(us, vs, costs, y, tol, a, tree, flow, upper, todo):
    """Write into ``todo`` which pairs, and which ground arcs (after the last pair), want to enter."""
    m = len(us)
    left = 0
    worst = 0.0
    for i in range(m):
        violation = a[us[i]] - a[vs[i]] - costs[i]
        if violation > tol:
            todo[left] = i
            left += 1
            worst = max(worst, violation)
    for z in range(len(y)):
        violation = _discontent(a[z], y[z], flow[z], upper[z], tree[z])
        if violation > tol:
            todo[left] = m + z
            left += 1
            worst = max(worst, violation)
    return left, worst


@njit(cache=True, nogil=True)
def pivot(
    us, vs, costs, y, tol, max_pivots, a, tail, head, bound, flow, lower, upper, tree,
    parent, via, depth, first, after, before, spare, order, todo, counts,
):  # fmt: skip
    """Pivot until no candidate ``a[us] - a[vs] <= costs`` is violated and every ground arc is content.

    The worst enter first, by halving a threshold. ``counts`` gathers pivots and moved nodes.
    """
    m = len(us)
    while True:
        left, worst = _violated(us, vs, costs, y, tol, a, tree, flow, upper, todo)
        if left == 0:
            return SOLVED
        while left:
            threshold = max(tol, 0.5 * worst)
            kept = 0
            worst = 0.0
            for k in range(left):
                i = todo[k]
                if i < m:
                    violation = a[us[i]] - a[vs[i]] - costs[i]
                else:
                    z = i - m
                    violation = _discontent(a[z], y[z], flow[z], upper[z], tree[z])
                if violation > threshold:
                    if counts[0] >= max_pivots:
                        return EXHAUSTED
                    if i < m:
                        spare[-1] -= 1
                        e = spare[spare[-1]]
                        tail[e], head[e], bound[e], flow[e] = us[i], vs[i], costs[i], 0.0
                        forward = True
                    else:
                        e = i - m
                        forward = flow[e] != upper[e]
                    if not _enter(
                        e, forward, a, tail, head, bound, flow, lower, upper, tree,
                        parent, via, depth, first, after, before, spare, order, counts,
                    ):  # fmt: skip
                        return INFEASIBLE
                elif violation > tol:
                    todo[kept] = i
                    kept += 1
                    worst = max(worst, violation)
            left = kept


@njit(cache=True, nogil=True)
def recompute(a, tail, head, bound, flow, lower, upper, tree, parent, via, depth, first, after, order, excess):
    """Compute potentials and flows afresh from the tree alone, so that no rounding of the pivots remains."""
    n = len(a) - 1
    a[n] = 0.0
    order[0] = n
    size = 1
    i = 0
    while i < size:
        z = order[i]
        i += 1
        h = first[z]
        while h >= 0:
            e = h >> 1
            if z == n or e != via[z]:
                child = tail[e] if h & 1 else head[e]
                a[child] = a[z] + bound[e] if tail[e] == child else a[z] - bound[e]
                order[size] = child
                size += 1
            h = after[h]
    for z in range(n):
        excess[z] = 0.0 if tree[z] else flow[z]
    excess[n] = 0.0
    for i in range(size - 1, 0, -1):
        z = order[i]
        e = via[z]
        flow[e] = min(upper[e], max(lower[e], excess[z] if tail[e] == z else -excess[z]))
        excess[parent[z]] += excess[z]
