"""Lists of the edges at every node of a tree, shared by the forest and the network, and how their loops end.

Half-edge ``2e`` sits at the tail of edge e, ``2e + 1`` at its head. ``first[node]`` is the first half-edge at a node,
or -1; ``after`` and ``before`` link those at one node both ways.
"""

from numba import njit

SOLVED, INFEASIBLE, EXHAUSTED = 0, 1, 2


@njit(cache=True, nogil=True)
def link(e, tail, head, first, after, before):
    """Put an edge into the lists of its two ends."""
    for h, node in ((2 * e, tail[e]), (2 * e + 1, head[e])):
        after[h] = first[node]
        before[h] = -1
        if first[node] >= 0:
            before[first[node]] = h
        first[node] = h


@njit(cache=True, nogil=True)
def unlink(e, tail, head, first, after, before):
    """Take an edge out of the lists of its two ends."""
    for h, node in ((2 * e, tail[e]), (2 * e + 1, head[e])):
        if before[h] >= 0:
            after[before[h]] = after[h]
        else:
            first[node] = after[h]
        if after[h] >= 0:
            before[after[h]] = before[h]
