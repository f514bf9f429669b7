"""Pivots of the network simplex method (:mod:`fgac.solve.network`) on a :class:`~fgac._kernels.layouts.SpanningTree`.

Nodes ``0 .. n - 1`` are those of the problem, node n is the ground. Arc ``z < n`` leads from
the ground to node z and its ``flow`` is what z sends out more than it takes in; arcs
``n .. 2n`` are slots for constraints ``a[tail] - a[head] <= bound``. The ground arc of z
has the bound ``-y[z]``, so that ``a[z] == y[z]`` where it is tight (``a[n] == 0``).

Invariant between pivots: the arcs in the tree span all nodes and are tight, every other ground
arc is at one of its limits, flows are conserved at every node and within their limits, and from
every node some flow can still be sent to the ground along the tree (a *strongly feasible* tree,
which the choice of the leaving arc keeps, and which makes pivots that move no flow end).

All helpers are inlined: handing a tuple of arrays to a function costs more than most of them do.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import inlined, kernel
from fgac._kernels.layouts import EXHAUSTED, INFEASIBLE, SOLVED
from fgac._kernels.lists import link, unlink


@inlined
def _room(forward, flow, lower, upper):
    """How much more flow an arc can carry forwards, or backwards."""
    return upper - flow if forward else flow - lower


@inlined
def _apex(s, t, tree):
    """Where the ways from s and from t to the ground meet."""
    parent, depth = tree.parent, tree.depth
    while s != t:
        if depth[s] >= depth[t]:
            s = parent[s]
        else:
            t = parent[t]
    return s


@inlined
def _leaving(s, t, apex, own, tree):
    """The flow that can go from s to t by the entering arc and back through the tree, and the arc that stops it.

    Of several that stop it, the last one on the way round from the apex leaves: that keeps the tree strongly
    feasible. Returns the amount, the arc (-1 for the entering arc itself) and whether it lies on t's side.
    """
    parent, via, tail, head = tree.parent, tree.via, tree.tail, tree.head
    flow, lower, upper = tree.flow, tree.lower, tree.upper
    amount, arc, side = own, -1, False
    # The way round goes from the apex down to s, over the entering arc, and from t up to the apex. On the side of s it
    # is walked backwards, so only a smaller room replaces an arc; on the side of t an equal one does.
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


@inlined
def _push(s, t, apex, amount, tree):
    """Send flow from t to s through the tree."""
    parent, via, tail, head, flow = tree.parent, tree.via, tree.tail, tree.head, tree.flow
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


@inlined
def _hang(root, e, tree):
    """Hang the subtree of ``root`` on arc e: new parents, depths and potentials, all shifted alike; return its size."""
    a, tail, head, first, after = tree.a, tree.tail, tree.head, tree.first, tree.after
    parent, via, depth, order = tree.parent, tree.via, tree.depth, tree.order
    above = tail[e] + head[e] - root
    value = a[above] + tree.bound[e] if tail[e] == root else a[above] - tree.bound[e]
    shift = value - a[root]
    parent[root] = above
    via[root] = e
    order[0] = root
    size = 1
    i = 0
    # order[:i] hang where they belong, the parents of order[i:size] do.
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


@inlined
def _enter(e, forward, tree):
    """Let arc e enter, with rising (``forward``) or falling flow; False if nothing ever stops the flow."""
    tail, head, flow, lower, upper = tree.tail, tree.head, tree.flow, tree.lower, tree.upper
    s, t = (tail[e], head[e]) if forward else (head[e], tail[e])
    apex = _apex(s, t, tree)
    own = upper[e] - lower[e]
    amount, arc, side = _leaving(s, t, apex, own, tree)
    if amount == np.inf:
        return False
    tree.counts[0] += 1
    _push(s, t, apex, amount, tree)
    flow[e] += amount if forward else -amount
    if arc < 0:
        flow[e] = upper[e] if forward else lower[e]
        return True
    # The leaving arc is at a limit but for rounding, which would add up.
    flow[arc] = upper[arc] if upper[arc] - flow[arc] < flow[arc] - lower[arc] else lower[arc]
    tree.is_basic[arc], tree.is_basic[e] = False, True
    unlink(arc, tree.tail, tree.head, tree.first, tree.after, tree.before)
    link(e, tree.tail, tree.head, tree.first, tree.after, tree.before)
    tree.counts[1] += _hang(t if side else s, e, tree)
    if arc >= len(tree.y):  # a constraint, which carries no flow now; a ground arc keeps its place
        tail[arc] = -1
        tree.spare[tree.spare[-1]] = arc
        tree.spare[-1] += 1
    return True


@inlined
def _discontent(value, target, flow, upper, is_basic):
    """How much a ground arc wants to enter the tree."""
    if is_basic:
        return 0.0
    return value - target if flow == upper else target - value


@inlined
def _violated(pairs, tol, tree, todo):
    """Write into ``todo`` which pairs, and which ground arcs (after the last pair), want to enter."""
    us, vs, costs = pairs.tail, pairs.head, pairs.bound
    a, y, flow, upper, is_basic = tree.a, tree.y, tree.flow, tree.upper, tree.is_basic
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
        violation = _discontent(a[z], y[z], flow[z], upper[z], is_basic[z])
        if violation > tol:
            todo[left] = m + z
            left += 1
            worst = max(worst, violation)
    return left, worst


@kernel
def pivot(pairs, tol, max_pivots, tree):
    """Pivot until no pair is violated and every ground arc is content; return how it ended.

    The worst enter first, by halving a threshold.
    """
    us, vs, costs = pairs.tail, pairs.head, pairs.bound
    a, y, flow, upper, is_basic = tree.a, tree.y, tree.flow, tree.upper, tree.is_basic
    m = len(us)
    todo = np.empty(m + len(y), dtype=np.int64)
    while True:
        left, worst = _violated(pairs, tol, tree, todo)
        if left == 0:
            return SOLVED
        # todo[:left] holds the pairs and ground arcs that wanted to enter and have not since.
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
                    violation = _discontent(a[z], y[z], flow[z], upper[z], is_basic[z])
                if violation > threshold:
                    if tree.counts[0] >= max_pivots:
                        return EXHAUSTED
                    if i < m:
                        tree.spare[-1] -= 1
                        e = tree.spare[tree.spare[-1]]
                        tree.tail[e], tree.head[e], tree.bound[e], flow[e] = us[i], vs[i], costs[i], 0.0
                        forward = True
                    else:
                        e = i - m
                        forward = flow[e] != upper[e]
                    if not _enter(e, forward, tree):
                        return INFEASIBLE
                elif violation > tol:
                    todo[kept] = i
                    kept += 1
                    worst = max(worst, violation)
            left = kept


@kernel
def recompute(tree):
    """Compute potentials and flows afresh from the tree alone, so that no rounding of the pivots remains."""
    a, tail, head, bound, via = tree.a, tree.tail, tree.head, tree.bound, tree.via
    first, after, order, flow = tree.first, tree.after, tree.order, tree.flow
    n = len(tree.y)
    a[n] = 0.0
    order[0] = n
    size = 1
    i = 0
    # Potentials follow the arcs from the ground: those of order[:size] are known.
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
    excess = np.empty(len(a))
    for z in range(n):
        excess[z] = 0.0 if tree.is_basic[z] else flow[z]
    excess[n] = 0.0
    # Children first: the arc to the parent carries the excess of the whole subtree.
    for i in range(size - 1, 0, -1):
        z = order[i]
        e = via[z]
        flow[e] = min(tree.upper[e], max(tree.lower[e], excess[z] if tail[e] == z else -excess[z]))
        excess[tree.parent[z]] += excess[z]
