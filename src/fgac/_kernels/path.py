"""Events of the gamma path (:mod:`fgac.solve.path`): trees of tight constraints that meet and break as gamma falls.

In a tree T every constraint ``a_u - a_v <= gamma d(u, v)`` on an edge is tight, so the values of its nodes are lines
in gamma, ``a_z = mean_T + gamma * slope_z``: the slopes follow the distances along the tree, the mean is that of the
targets. Flows are lines as well. So as gamma falls, only two things can happen to a tree: the flow on one of its edges
runs dry and it breaks there, or a constraint with another tree becomes tight and they become one. (Between two nodes
of one tree the gap is a multiple of gamma and does not change its sign.) Every tree knows the largest gamma at which
something happens to it; the largest of all is next.
"""

from __future__ import annotations

from fgac._kernels.compiling import helper, kernel
from fgac._kernels.layouts import (
    ARRIVED,
    BREAKPOINTS,
    CIRCLING,
    EVENTS,
    FULL,
    HEAD,
    INTERVALS,
    LENGTH,
    STANDING,
    START,
    STOP,
    TAIL,
    TIME,
    VISITS,
)
from fgac._kernels.lists import link, unlink
from fgac._tolerances import PATH_EVENT_TOL


@helper
def _set_key(keys, i, value):
    """Enter the gamma of tree i into the tournament, and play its games again up to the first that stays as it was."""
    k = (len(keys) >> 1) + i
    keys[k] = value
    k >>= 1
    while k:
        best = max(keys[2 * k], keys[2 * k + 1])
        if keys[k] == best:
            break
        keys[k] = best
        k >>= 1


@helper
def _winner(keys):
    """The tree with the largest gamma: down from the top, always to the entry that won."""
    half = len(keys) >> 1
    k = 1
    while k < half:
        k = 2 * k if keys[2 * k] == keys[k] else 2 * k + 1
    return k - half


@helper
def _walk(root, trees):
    """List the tree of ``root``, parents first, with slopes relative to the root; means of targets and slopes."""
    tail, head, length, first, after = trees.tail, trees.head, trees.length, trees.first, trees.after
    order, via, slope, tree, y, w = trees.order, trees.via, trees.slope, trees.tree, trees.y, trees.w
    order[0] = root
    via[root] = -1
    slope[root] = 0.0
    size = 1
    i = 0
    # order[:i] have been visited, order[i:size] are their children that have not.
    weight = target = steep = 0.0
    while i < size:
        z = order[i]
        i += 1
        tree[z] = root
        up, here = via[z], slope[z]
        weight += w[z]
        target += w[z] * y[z]
        steep += w[z] * here
        h = first[z]
        while h >= 0:
            e = h >> 1
            if e != up:
                other = tail[e] if h & 1 else head[e]
                slope[other] = here + length[e] if h & 1 else here - length[e]
                via[other] = e
                order[size] = other
                size += 1
            h = after[h]
    return size, target / weight, steep / weight


@helper
def _compute_lines(root, trees, queue):
    """Compute the lines of a tree, and when which of its edges runs dry."""
    tail, head = trees.tail, trees.head
    order, via, slope, mean, chain = trees.order, trees.via, trees.slope, trees.mean, trees.chain
    y, w, constant, linear = trees.y, trees.w, trees.constant, trees.linear
    size, target, steep = _walk(root, trees)
    next_node = -1
    # Residuals are lines in gamma too, w (a - y) = constant + gamma linear.
    for i in range(size - 1, -1, -1):
        z = order[i]
        chain[z] = next_node
        next_node = z
        mean[z] = target
        slope[z] -= steep
        constant[z] = w[z] * (target - y[z])
        linear[z] = w[z] * slope[z]
    at = 0.0
    dry = -1
    # Children first: the edge to the parent carries the residuals of the whole subtree.
    for i in range(size - 1, 0, -1):
        z = order[i]
        e = via[z]
        p, q = constant[z], linear[z]
        up = tail[e] + head[e] - z
        constant[up] += p
        linear[up] += q
        if tail[e] == z:
            p, q = -p, -q
        if p < -PATH_EVENT_TOL and q > 0 and -p > at * q:  # the flow p + gamma q falls with gamma
            at = -p / q
            dry = e
    trees.size[root], queue.dry_at[root], queue.dry[root] = size, at, dry
    return size


@helper
def _refresh(root, gamma, trees, candidates, queue, time):
    """Find the next event of a tree: its own, or the first candidate with another tree to become tight.

    A tree of more than half of the nodes is searched from the others: every pair is listed at both ends.
    """
    start, other, length, is_tail = candidates.start, candidates.other, candidates.length, candidates.is_tail
    mean, slope, tree, chain = trees.mean, trees.slope, trees.tree, trees.chain
    at, event = min(gamma, queue.dry_at[root]), queue.dry[root]
    inside = 2 * trees.size[root] <= len(tree)
    z = root if inside else 0
    while 0 <= z < len(tree):
        if inside or tree[z] != root:
            sign = 1.0 if is_tail[z] else -1.0
            level, steep = mean[z], slope[z]
            for k in range(start[z], start[z + 1]):
                o = other[k]
                gap = sign * (level - mean[o])
                # The pair is tight where closing * gamma == gap. If that lies above the present gamma, rounding has
                # let it pass, and it happens now.
                if gap > PATH_EVENT_TOL and (tree[o] == root) != inside:
                    closing = length[k] - sign * (steep - slope[o])
                    if closing * at < gap:
                        at = gamma if closing * gamma <= gap else gap / closing
                        event = -2 - k
        z = chain[z] if inside else z + 1
    queue.event[root] = event
    queue.searched[root] = time
    _set_key(queue.keys, root, at)


@helper
def _record_breakpoints(root, gamma, trees, history, counts):
    """Record the values of a tree whose lines have bent."""
    k = counts[BREAKPOINTS]
    z = root
    while z >= 0:
        history.node[k], history.gamma[k], history.value[k] = z, gamma, trees.mean[z] + gamma * trees.slope[z]
        k += 1
        z = trees.chain[z]
    counts[BREAKPOINTS] = k


@helper
def _start_tree(root, gamma, trees, queue, history, counts):
    """Compute the lines of a tree that an event has made, and record where they bend."""
    counts[VISITS] += _compute_lines(root, trees, queue)
    queue.changed[root] = counts[TIME]
    _record_breakpoints(root, gamma, trees, history, counts)


@helper
def _break(e, root, gamma, trees, candidates, queue, history, counts):
    """Remove a dry edge; its tree becomes two."""
    u, v = trees.tail[e], trees.head[e]
    history.intervals[trees.interval[e], STOP] = gamma
    unlink(e, trees.tail, trees.head, trees.first, trees.after, trees.before)
    trees.tail[e] = -1
    trees.spare[trees.spare[-1]] = e
    trees.spare[-1] += 1
    # Neither of the two new trees need have the old root, whose key must not stay.
    _set_key(queue.keys, root, 0.0)
    _start_tree(u, gamma, trees, queue, history, counts)
    _start_tree(v, gamma, trees, queue, history, counts)
    _refresh(u, gamma, trees, candidates, queue, counts[TIME])
    _refresh(v, gamma, trees, candidates, queue, counts[TIME])


@helper
def _join(k, root, gamma, trees, candidates, queue, history, counts):
    """Candidate k is tight: make one tree of two."""
    u, v = candidates.owner[k], candidates.other[k]
    _set_key(queue.keys, trees.tree[u], 0.0)
    _set_key(queue.keys, trees.tree[v], 0.0)
    if not candidates.is_tail[u]:
        u, v = v, u
    trees.spare[-1] -= 1
    e = trees.spare[trees.spare[-1]]
    trees.tail[e], trees.head[e], trees.length[e] = u, v, candidates.length[k]
    link(e, trees.tail, trees.head, trees.first, trees.after, trees.before)
    line = counts[INTERVALS]
    intervals = history.intervals
    intervals[line, TAIL], intervals[line, HEAD], intervals[line, LENGTH] = u, v, candidates.length[k]
    intervals[line, START], intervals[line, STOP] = gamma, 0.0
    trees.interval[e] = line
    counts[INTERVALS] += 1
    _start_tree(root, gamma, trees, queue, history, counts)
    _refresh(root, gamma, trees, candidates, queue, counts[TIME])


@kernel
def build_queue(gamma, trees, candidates, queue, counts):
    """Draw all lines from the edges, and find the next event of every tree."""
    tree = trees.tree
    tree[:] = -1
    queue.keys[:] = 0.0
    queue.changed[:] = 0
    counts[TIME] = 1
    for z in range(len(tree)):
        if tree[z] < 0:
            _compute_lines(z, trees, queue)
    for z in range(len(tree)):
        if tree[z] == z:
            _refresh(z, gamma, trees, candidates, queue, 1)


@kernel
def process_events(gamma, floor, trees, candidates, queue, history, counts, patience):
    """Let gamma fall from event to event, to the floor or until there is no more room to write; where and why it ends.

    Invariant: no event of any tree lies above the largest key. An event that was found before the other tree came to
    be may be out of date; it is searched for again when its turn comes, for meanwhile the other tree has found their
    next meeting.
    """
    half = len(queue.keys) >> 1
    while True:
        root = _winner(queue.keys)
        at = queue.keys[half + root]
        if at <= floor:
            return floor, ARRIVED
        event = queue.event[root]
        if event < -1:
            u, v = candidates.owner[-2 - event], candidates.other[-2 - event]
            if max(queue.changed[trees.tree[u]], queue.changed[trees.tree[v]]) > queue.searched[root]:
                _refresh(root, gamma, trees, candidates, queue, counts[TIME])
                continue
        # An event bends the lines of at most all nodes and starts at most one interval.
        if counts[BREAKPOINTS] + len(trees.tree) > len(history.node) or counts[INTERVALS] == len(history.intervals):
            return gamma, FULL
        counts[STANDING] = 0 if at < gamma else counts[STANDING] + 1
        if counts[STANDING] > patience:
            return gamma, CIRCLING
        gamma = min(gamma, at)
        counts[EVENTS] += 1
        counts[TIME] += 1
        if event >= 0:
            _break(event, root, gamma, trees, candidates, queue, history, counts)
        else:
            _join(-2 - event, root, gamma, trees, candidates, queue, history, counts)


@kernel
def deviations(first, last, start, end, history, n_breakpoints, above, below):
    """How far every node's breakpoints lie above and below the chord of its values at the first and the last gamma."""
    above[:] = 0.0
    below[:] = 0.0
    for i in range(n_breakpoints):
        z = history.node[i]
        share = (first - history.gamma[i]) / (first - last) if first > last else 0.0
        off = history.value[i] - start[z] - share * (end[z] - start[z])
        above[z] = max(above[z], off)
        below[z] = max(below[z], -off)
