"""Pivots of the active-forest method (:mod:`fgac.solve.forest`) on a :class:`~fgac._kernels.layouts.Tree`.

Invariant between pivots: the edges form a forest, every edge is tight and carries
a flow that is not negative, and ``w * (a - y) + outflow - inflow == 0`` at every
node. So values and multipliers always belong together, the values are the optimum
under the forest's constraints alone, and only other constraints can be violated.

Helpers take the arrays that they need: handing them the whole tuple costs as much as the walk over a small tree, and
putting their text in the place of several calls makes the compiler work for seconds.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, inlined, kernel
from fgac._kernels.layouts import EXHAUSTED, INFEASIBLE, SOLVED
from fgac._kernels.lists import link, unlink

# Unsigned numbers need no check for negative ones when they index an array.
Index = np.uintp


@inlined
def _insert(u, v, cost, amount, tree):
    """Put a tight edge into a free slot and link it at both ends."""
    tree.spare[-1] -= 1
    e = tree.spare[tree.spare[-1]]
    tree.tail[e], tree.head[e], tree.bound[e], tree.flow[e] = u, v, cost, amount
    link(e, tree.tail, tree.head, tree.first, tree.after, tree.before)


@kernel
def insert_edges(pairs, tree):
    """Put edges that form a forest into it, without flow."""
    for i in range(len(pairs.tail)):
        _insert(pairs.tail[i], pairs.head[i], pairs.bound[i], 0.0, tree)


@helper
def _remove(e, tail, head, flow, first, after, before, spare):
    """Unlink an edge and free its slot."""
    unlink(e, tail, head, first, after, before)
    tail[e] = -1
    flow[e] = 0.0
    spare[spare[-1]] = e
    spare[-1] += 1


@kernel
def drop_negative_edges(tree):
    """Remove the edges whose flow is negative; return how many there were."""
    tail, head, flow = tree.tail, tree.head, tree.flow
    dropped = 0
    for e in range(len(tail)):
        if tail[e] >= 0 and flow[e] < 0.0:
            _remove(e, tail, head, flow, tree.first, tree.after, tree.before, tree.spare)
            dropped += 1
    return dropped


@helper
def _walk(root, order, tail, head, first, after, via, w, below):
    """List the tree of ``root`` in ``order``, parents before children; return its size.

    ``via[z]`` becomes the edge from z to its parent (-1 at the root), ``below[z]`` the weight of z itself.
    """
    order[0] = root
    via[root] = -1
    size = 1
    i = 0
    # order[:i] have been visited, order[i:size] are their children that have not.
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


@helper
def _weigh(order, size, tail, head, via, below):
    """Turn weights into ``below[z]``, the share of the subtree at z in the tree's weight; return that weight.

    A node of infinite weight cannot move: the share of a subtree is 1 with it and 0 without.
    """
    # Children come before parents: below[z] is complete when it is added to that of the parent.
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


@helper
def _step_limit(order, size, end, via, flow, below):
    """The largest step before a flow of this tree runs dry, and the edge that does.

    The tree moves rigidly, so the edge above a subtree changes its flow at the rate of the subtree's share: it
    falls when it points away from the root of a tree that sinks, towards the root of a tree that rises. So ``end``,
    the ends of edges at which a flow that falls has its subtree, is ``head`` of a tree that sinks, ``tail`` of one
    that rises.
    """
    step = np.inf
    dry = -1
    for i in range(1, size):
        z = Index(order[i])
        e = Index(via[z])
        # A product in place of a quotient: a share of 0 never limits the step, and divisions are slow.
        if Index(end[e]) == z and flow[e] < step * below[z]:
            step = flow[e] / below[z]
            dry = via[z]
    return step, dry


@helper
def _move(order, size, shift, step, end, via, a, flow, below):
    """Shift the whole tree and update the flows on its edges; ``end`` as in ``_step_limit``."""
    a[order[0]] += shift
    for i in range(1, size):
        z = Index(order[i])
        a[z] += shift
        e = Index(via[z])
        if Index(end[e]) == z:
            flow[e] = max(0.0, flow[e] - step * below[z])
        else:
            flow[e] += step * below[z]


@inlined
def _turn_cycle(u, v, tail, head, via, flow):
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


@inlined
def _pivot(u, v, cost, tree):
    """Raise the multiplier of the violated constraint (u, v) until it is tight; False if that never happens.

    A tree is walked again only after it has lost an edge (its size is then set to 0).
    """
    a, w, tail, head, flow = tree.a, tree.w, tree.tail, tree.head, tree.flow
    first, after, before, spare = tree.first, tree.after, tree.before, tree.spare
    via, below, counts = tree.via, tree.below, tree.counts
    order_u, order_v = tree.order, tree.other_order
    size_u = size_v = 0
    total_u = total_v = 0.0
    amount = 0.0
    # Both ends are in one tree exactly if the walk from u has set via[v].
    via[v] = -2
    while True:
        counts[0] += 1
        if size_u == 0:
            size_u = _walk(u, order_u, tail, head, first, after, via, w, below)
            counts[1] += size_u
            if via[v] != -2 and size_v == 0:
                step, dry = _turn_cycle(u, v, tail, head, via, flow)
                if dry < 0:
                    return False
                amount += step
                _remove(dry, tail, head, flow, first, after, before, spare)
                size_u = 0
                via[v] = -2
                continue
            total_u = _weigh(order_u, size_u, tail, head, via, below)
        if size_v == 0:
            size_v = _walk(v, order_v, tail, head, first, after, via, w, below)
            counts[1] += size_v
            total_v = _weigh(order_v, size_v, tail, head, via, below)
        step = (a[u] - a[v] - cost) / (1.0 / total_u + 1.0 / total_v)
        # The tree of u sinks, that of v rises.
        limit_u, dry_u = _step_limit(order_u, size_u, head, via, flow, below)
        limit_v, dry_v = _step_limit(order_v, size_v, tail, via, flow, below)
        step = min(step, limit_u, limit_v)
        _move(order_u, size_u, -step / total_u, step, head, via, a, flow, below)
        _move(order_v, size_v, step / total_v, step, tail, via, a, flow, below)
        amount += step
        if step < limit_u and step < limit_v:
            _insert(u, v, cost, amount, tree)
            return True
        if step == limit_u:
            _remove(dry_u, tail, head, flow, first, after, before, spare)
            size_u = 0
        else:
            _remove(dry_v, tail, head, flow, first, after, before, spare)
            size_v = 0


@kernel
def pivot(pairs, tol, max_pivots, tree):
    """Pivot on the violated ones of some pairs, worst first, until none is left; return how it ended.

    The worst are taken first by halving a threshold, which needs a third of the pivots of plain sweeps.
    """
    us, vs, costs, a = pairs.tail, pairs.head, pairs.bound, tree.a
    todo = np.empty(len(us), dtype=np.int64)
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
        # todo[:left] holds the pairs that were violated and have not been tight since.
        while left:
            threshold = max(tol, 0.5 * worst)
            kept = 0
            worst = 0.0
            for k in range(left):
                i = todo[k]
                violation = a[us[i]] - a[vs[i]] - costs[i]
                if violation > threshold:
                    if tree.counts[0] >= max_pivots:
                        return EXHAUSTED
                    if not _pivot(us[i], vs[i], costs[i], tree):
                        return INFEASIBLE
                elif violation > tol:
                    todo[kept] = i
                    kept += 1
                    worst = max(worst, violation)
            left = kept


@kernel
def recompute(tree):
    """Compute values and flows afresh from the forest alone, so that no rounding of the pivots remains.

    Flows that ought to be zero may come out a little below. A node of infinite weight, at most one, must be the last:
    it is the root of its tree and stays at its target.

    The root of a tree is its heaviest node, and flows are added up with twice the digits of a double. So the rounding
    of the values, which is left over at the root, is a small part of its weight, and a light node gets the flow that
    it asks for, however much more passes through it: every flow is right to its last digit.
    """
    a, y, w, tail, head, bound, flow = tree.a, tree.y, tree.w, tree.tail, tree.head, tree.bound, tree.flow
    first, after, via, below, order = tree.first, tree.after, tree.via, tree.below, tree.order
    excess, rest = np.empty(len(a)), np.empty(len(a))
    via[:] = -2
    for start in range(len(a) - 1, -1, -1):
        if via[start] != -2:  # listed with the tree of another root
            continue
        size = _walk(start, order, tail, head, first, after, via, w, below)
        root = start
        for i in range(1, size):
            if w[order[i]] > w[root]:
                root = order[i]
        if root != start:
            _walk(root, order, tail, head, first, after, via, w, below)
        # Values relative to the root, parents first, and the shift that makes the weighted residuals add up to zero.
        a[root] = 0.0
        total = w[root]
        mean, lost = w[root] * y[root], 0.0
        for i in range(1, size):
            z = order[i]
            e = via[z]
            parent = tail[e] + head[e] - z
            a[z] = a[parent] + bound[e] if tail[e] == z else a[parent] - bound[e]
            total += w[z]
            # With what rounding loses: a shift that is off a little is off as often as the tree has nodes.
            term = w[z] * (y[z] - a[z])
            added = mean + term
            part = added - mean
            lost += (mean - (added - part)) + (term - part)
            mean = added
        mean = (mean + lost) / total if total < np.inf else y[root]
        for i in range(size):
            z = order[i]
            a[z] += mean
            excess[z] = w[z] * (a[z] - y[z]) if w[z] < np.inf else 0.0
            rest[z] = 0.0
        # Children first: the edge to the parent carries what its whole subtree must send out or take in.
        for i in range(size - 1, 0, -1):
            z = order[i]
            e = via[z]
            amount = excess[z] + rest[z]
            flow[e] = -amount if tail[e] == z else amount
            parent = tail[e] + head[e] - z
            # The sum of two doubles, and exactly what is lost when it is rounded (Knuth).
            total = excess[parent] + excess[z]
            part = total - excess[parent]
            rest[parent] += ((excess[parent] - (total - part)) + (excess[z] - part)) + rest[z]
            excess[parent] = total
