"""Search all pairs of two sides, block by block, for the constraints that are violated most.

A block of tails and a block of heads have 64 times 64 pairs. Most are done with in one of four ways, the cheapest
first: all rows have one label; their boxes are far apart; an earlier search has proved that the pairs have room, and
values have risen by less since then; or their heights in narrow numbers, rounded upwards, are all below what matters.
Only pairs that are left by all of these are compared in double precision. So what is left out is surely violated by no
more than the floor, or by no more than what the full lists of both ends hold.

Lists are those of :mod:`fgac._kernels.pricing`. Pairs within one side enter the same lists at both ends.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, inlined, kernel
from fgac._kernels.layouts import NO_PROOF, SIZE, UNKNOWN
from fgac._kernels.lists import enter
from fgac._kernels.vectors import first_bit, heads_above, heads_below, narrow_maxima, narrow_sums, products
from fgac._tolerances import SINGLE_TOL

EUCLIDEAN, MANHATTAN, CHEBYSHEV = range(3)
MOST = 65535


@helper
def _box_tops(kind, i, first, last, of_tails, of_heads, n_numeric, tops):
    """Write how much pairs of block i of tails and some blocks of heads are violated at most, by their boxes alone."""
    tops[:] = 0.0
    for f in range(len(of_heads.low)):
        left, right = of_tails.low[f, i], of_tails.high[f, i]
        low, high = of_heads.low[f, first:last], of_heads.high[f, first:last]
        for j in range(len(tops)):
            gap = max(0.0, left - high[j])
            if f < n_numeric:  # tails that are below heads in an ordered column are not away from them
                gap = max(gap, low[j] - right)
            if kind == EUCLIDEAN:
                gap *= gap
            tops[j] = max(tops[j], gap) if kind == CHEBYSHEV else tops[j] + gap
    highest = of_heads.highest[first:last]
    for j in range(len(tops)):
        tops[j] = of_tails.highest[i] + highest[j] - (np.sqrt(tops[j]) if kind == EUCLIDEAN else tops[j])


@inlined
def _is_done(i, j, top, floor, labels, proofs):
    """Whether two blocks need no look at their pairs."""
    if labels[0][i] >= 0 and labels[0][i] == labels[1][j]:
        return True
    if top <= floor:
        return True
    search = proofs.seen[i, j]
    if search == 0:
        return False
    risen = proofs.rise_of_tails[search, i] + proofs.rise_of_heads[search, j]
    return proofs.room[i, j] * proofs.unit - proofs.depth + risen <= floor


@inlined
def _note(i, j, top, search, proofs):
    """Note that no pair of two blocks is violated by more than ``top``, as far as a byte can hold it."""
    level = np.ceil((top + proofs.depth) / proofs.unit)
    holds = level < NO_PROOF
    proofs.seen[i, j] = search if holds else 0
    proofs.room[i, j] = max(level, 0.0) if holds else 0


@inlined
def _distance(kind, i, j, x, y, x_ordered, y_ordered, x_codes, y_codes, mismatch):
    """The distance of tail i and head j in double precision."""
    distance = 0.0
    for f in range(x.shape[1]):
        gap = abs(x[i, f] - y[j, f])
        if kind == EUCLIDEAN:
            gap *= gap
        distance = max(distance, gap) if kind == CHEBYSHEV else distance + gap
    for f in range(len(mismatch)):
        code, other = x_codes[i, f], y_codes[j, f]
        half = code == UNKNOWN or other == UNKNOWN
        gap = 0.0 if code == other else (0.5 * mismatch[f] if half else mismatch[f])
        distance = max(distance, gap) if kind == CHEBYSHEV else distance + gap
    for f in range(x_ordered.shape[1]):
        gap = max(0.0, x_ordered[i, f] - y_ordered[j, f])
        distance = max(distance, gap) if kind == CHEBYSHEV else distance + gap
    return np.sqrt(distance) if kind == EUCLIDEAN else distance


@inlined
def _height(kind, a, b, tails, heads, mismatch, levels, within):
    """By how much tail a and head b are violated; minus infinity if they are no pair."""
    x, y = tails, heads
    distance = _distance(kind, a, b, x.numeric, y.numeric, x.ordered, y.ordered, x.codes, y.codes, mismatch)
    height = levels.over[a] + levels.under[b] - levels.gamma * distance
    if height != height:
        height = np.inf
    if (within and b <= a) or (len(tails.labels) > 0 and tails.labels[a] == heads.labels[b]):
        height = -np.inf
    return height


@inlined
def _limit(height, screen):
    """The narrow number that no pair exceeds which is violated by less than this."""
    return np.uint16(min(max(np.floor((height + screen.depth) / screen.step), 0.0), MOST))


@helper
def _enter_narrow(kind, i, j, heights, screen, sides, levels, lists, limits):
    """Let the pairs of two blocks that matter enter the lists of both ends."""
    tails, heads, mismatch, within = sides
    (best, place), (head_best, head_place) = lists
    of_tails, of_heads, low_of_tails, low_of_heads = limits
    last = best.shape[1] - 1
    for r in range(SIZE):
        bits = heads_above(heights, r, of_tails[i, r], of_heads[j])
        while bits != 0:
            c = first_bit(bits)
            bits = bits & (bits - np.uint64(1))
            a, b = i * SIZE + r, j * SIZE + c
            height = _height(kind, a, b, tails, heads, mismatch, levels, within)
            if height > best[a, last]:
                enter(height, b, a, best, place)
                of_tails[i, r] = _limit(best[a, last], screen)
            if height > head_best[b, last]:
                enter(height, a, b, head_best, head_place)
                of_heads[j, c] = _limit(head_best[b, last], screen)
    low_of_tails[i], low_of_heads[j] = of_tails[i].min(), of_heads[j].min()


@kernel
def last_of_best(kind, blocks, others, labels, n_numeric, n_best, first, last, cuts):
    """Write how promising the last of the most promising block pairs of some blocks is, by the centres of blocks."""
    tops = np.empty(len(others.highest))
    best, where = np.empty((1, n_best)), np.empty((1, n_best), dtype=np.int64)
    for i in range(first, last):
        _box_tops(kind, i, 0, len(tops), blocks, others, n_numeric, tops)
        best[:] = -np.inf
        for j in range(len(tops)):
            if tops[j] > best[0, n_best - 1] and (labels[0][i] < 0 or labels[0][i] != labels[1][j]):
                enter(tops[j], j, 0, best, where)
        cuts[i] = best[0, n_best - 1]


@kernel
def search_narrow(kind, tile, best, floor, screen, sides, levels, boxes, proofs, lists, limits):
    """Search the pairs of some blocks of tails and of heads by narrow numbers; return how many block pairs it took.

    ``best`` says by the centres of blocks what is promising, and whether that is wanted, or the rest: the lists of the
    worst pairs fill sooner if what is promising comes first.
    """
    first_tail, last_tail, first_head, last_head, search = tile
    tails, heads, _, within = sides
    labels = tails.label_of_block, heads.label_of_block
    low_of_tails, low_of_heads = limits[2], limits[3]
    heights = np.empty((SIZE, SIZE), dtype=np.uint16)
    tops, hopes = np.empty((2, last_head - first_head))
    centres, (cuts, head_cuts), wanted = best
    n_numeric = tails.numeric.shape[1]
    looked = 0
    for i in range(first_tail, last_tail):
        _box_tops(kind, i, first_head, last_head, centres[0], centres[1], n_numeric, hopes)
        _box_tops(kind, i, first_head, last_head, boxes[0], boxes[1], n_numeric, tops)
        for j in range(max(i, first_head) if within else first_head, last_head):
            if (hopes[j - first_head] >= min(cuts[i], head_cuts[j])) != wanted:
                continue
            top = tops[j - first_head]
            if _is_done(i, j, top, floor, labels, proofs):
                continue
            looked += 1
            if kind == MANHATTAN:
                peak = narrow_sums(screen.tails[i], screen.heads[j], heights, screen.n_numbers, screen.n_ordered)
            else:
                peak = narrow_maxima(screen.tails[i], screen.heads[j], heights, screen.n_numbers, screen.n_ordered)
            _note(i, j, min(top, peak * screen.step - screen.depth), search, proofs)
            if peak > min(low_of_tails[i], low_of_heads[j]):
                _enter_narrow(kind, i, j, heights, screen, sides, levels, lists, limits)
    return looked


@inlined
def _spare(height, floor, gamma):
    """How much nearer than at the floor a pair must be that is violated by more than this; rounded downwards."""
    return np.float32((height - floor) / gamma * (1.0 - SINGLE_TOL))


@helper
def _enter_below(i, j, numbers, screen, floor, sides, levels, lists, spares):
    """Let the pairs of two blocks that matter enter the lists of both ends, by the products of their vectors.

    A pair is of use only if it is violated by more than what the list of either end ends with, which is s times gamma
    above the floor. Then its distance is below t - s, and its product below ``-s (2 t - s)``.
    """
    tails, heads, mismatch, within = sides
    (best, place), (head_best, head_place) = lists
    of_tails, of_heads = spares
    last = best.shape[1] - 1
    for r in range(SIZE):
        a = i * SIZE + r
        bits = heads_below(numbers, r, (screen.limits[i, r], screen.reaches[i, r], of_tails[i, r]), of_heads[j])
        while bits != 0:
            c = first_bit(bits)
            bits = bits & (bits - np.uint64(1))
            b = j * SIZE + c
            height = _height(EUCLIDEAN, a, b, tails, heads, mismatch, levels, within)
            if height > best[a, last]:
                enter(height, b, a, best, place)
                of_tails[i, r] = _spare(best[a, last], floor, levels.gamma)
                if within:
                    of_heads[i, 1, r] = of_tails[i, r]
            if height > head_best[b, last]:
                enter(height, a, b, head_best, head_place)
                of_heads[j, 1, c] = _spare(head_best[b, last], floor, levels.gamma)
                if within:
                    of_tails[j, c] = of_heads[j, 1, c]


@kernel
def search_products(tile, best, floor, screen, sides, levels, boxes, proofs, lists, spares):
    """Search the pairs of some blocks of Euclidean points; return how many block pairs it took to look at them.

    The product of two vectors is ``d^2 - t^2``, up to rounding, where t is the distance at which the pair would be at
    the floor (:mod:`fgac.solve.screens`). If it is at least p in all pairs of two blocks, and t at most T, then d
    exceeds t by at least ``sqrt(T^2 + p) - T``.
    """
    first_tail, last_tail, first_head, last_head, search = tile
    tails, heads, _, within = sides
    labels = tails.label_of_block, heads.label_of_block
    numbers = np.empty((SIZE, SIZE), dtype=np.float32)
    tops, hopes = np.empty((2, last_head - first_head))
    centres, (cuts, head_cuts), wanted = best
    n_numeric = tails.numeric.shape[1]
    looked = 0
    for i in range(first_tail, last_tail):
        _box_tops(EUCLIDEAN, i, first_head, last_head, centres[0], centres[1], n_numeric, hopes)
        _box_tops(EUCLIDEAN, i, first_head, last_head, boxes[0], boxes[1], n_numeric, tops)
        error = np.float64(screen.limits[i].max())
        for j in range(max(i, first_head) if within else first_head, last_head):
            if (hopes[j - first_head] >= min(cuts[i], head_cuts[j])) != wanted:
                continue
            top = tops[j - first_head]
            if _is_done(i, j, top, floor, labels, proofs):
                continue
            looked += 1
            surely = np.float64(products(screen.tails[i], screen.heads[j], numbers)) - error
            if surely > 0.0:
                farthest = (boxes[0].highest[i] + boxes[1].highest[j] - floor) / levels.gamma
                room = surely / (np.sqrt(farthest * farthest + surely) + max(farthest, 0.0))
                _note(i, j, min(top, floor - levels.gamma * room), search, proofs)
                continue
            proofs.seen[i, j] = 0
            _enter_below(i, j, numbers, screen, floor, sides, levels, lists, spares)
    return looked


@kernel
def list_pairs(lists, orders, floor, within, tail, head, violation):
    """Write the pairs of all lists, each once; return how many there are."""
    (best, place), (head_best, head_place) = lists
    tail_order, head_order = orders
    length = best.shape[1]
    n = 0
    for a in range(len(best)):
        for s in range(length):
            if best[a, s] <= floor:  # lists fall
                break
            b = place[a, s]
            if within and b < a and _is_listed(a, best, place, b, floor):
                continue
            tail[n], head[n], violation[n] = tail_order[a], head_order[b], best[a, s]
            n += 1
    if within:
        return n
    for b in range(len(head_best)):
        for s in range(length):
            if head_best[b, s] <= floor:
                break
            a = head_place[b, s]
            if not _is_listed(b, best, place, a, floor):
                tail[n], head[n], violation[n] = tail_order[a], head_order[b], head_best[b, s]
                n += 1
    return n


@helper
def _is_listed(other, best, place, a, floor):
    """Whether the list of a holds the other end; without lists, none does."""
    if len(best) == 0:
        return False
    for s in range(best.shape[1]):
        if best[a, s] <= floor:
            return False
        if place[a, s] == other:
            return True
    return False
