"""Falling lists of the few largest numbers, one list per row.

Lists of the edges at every node of a tree, shared by the forest and the network, and how their loops end.

Half-edge ``2e`` sits at the tail of edge e, ``2e + 1`` at its head. ``first[node]`` is the first half-edge at a node,
or -1; ``after`` and ``before`` link those at one node both ways.
"""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def enter(height, where, i, best, place):
    """Put a number into the falling list of row i, and where it comes from beside it."""
    s = best.shape[1] - 1
    while s > 0 and height > best[i, s - 1]:
        best[i, s] = best[i, s - 1]
        place[i, s] = place[i, s - 1]
        s -= 1
    best[i, s] = height
    place[i, s] = where


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
