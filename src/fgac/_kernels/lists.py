"""Lists that loops share: the few largest numbers of every row, and the edges at every node of a tree.

The edges at a node are linked through their half-edges (:mod:`fgac._kernels.layouts`). ``link`` and
``unlink`` work on the arrays of any tree.
"""

from __future__ import annotations

from fgac._kernels.compiling import helper


@helper
def enter(height, where, i, best, place):
    """Put a number into the falling list of row i, and where it comes from beside it; the last one drops out."""
    s = best.shape[1] - 1
    # Equal numbers stay in the order in which they came.
    while s > 0 and height > best[i, s - 1]:
        best[i, s] = best[i, s - 1]
        place[i, s] = place[i, s - 1]
        s -= 1
    best[i, s] = height
    place[i, s] = where


@helper
def link(e, tail, head, first, after, before):
    """Put an edge at the front of the lists of its two ends."""
    for h, node in ((2 * e, tail[e]), (2 * e + 1, head[e])):
        after[h] = first[node]
        before[h] = -1
        if first[node] >= 0:
            before[first[node]] = h
        first[node] = h


@helper
def unlink(e, tail, head, first, after, before):
    """Take an edge out of the lists of its two ends."""
    for h, node in ((2 * e, tail[e]), (2 * e + 1, head[e])):
        if before[h] >= 0:
            after[before[h]] = after[h]
        else:
            first[node] = after[h]
        if after[h] >= 0:
            before[after[h]] = before[h]
