"""Reductions of one tile of distances ``D`` to maxima of ``value - gamma * D``.

A tile covers rows ``i0, i0 + 1, ...`` and columns ``j0, j0 + 1, ...`` of the
whole matrix; running maxima are updated in place, so that tiles may come in any
order. Equal maxima keep the smallest column that was seen first.
"""

import numpy as np
from numba import njit

# Maxima do not depend on the order of comparison, so these flags change no result; contraction to fused
# multiply-add would, and stays off.
VECTORISE = {"nnan", "nsz", "reassoc"}
# Columns among which the position of a maximum is searched one by one.
PIECE = 64


@njit(cache=True, nogil=True, fastmath=VECTORISE)
def _peak(row, values, gamma):
    """Largest ``values - gamma * row``."""
    peak = -np.inf
    for j in range(len(row)):
        value = values[j] - gamma * row[j]
        if value > peak:
            peak = value
    return peak


@njit(cache=True, nogil=True)
def _summit(row, values, gamma):
    """Largest ``values - gamma * row``, and the start of the first piece that holds it."""
    peak = -np.inf
    piece = 0
    for j in range(0, len(row), PIECE):
        high = _peak(row[j : j + PIECE], values[j : j + PIECE], gamma)
        if high > peak:
            peak = high
            piece = j
    return peak, piece


@njit(cache=True, nogil=True)
def _locate(row, values, gamma, peak, piece):
    """First position of the peak, from the start of its piece."""
    for j in range(piece, len(row)):
        if values[j] - gamma * row[j] >= peak:
            return j
    return -1


@njit(cache=True, nogil=True)
def segment_max(D, values, gamma, starts, j0, best, where):
    """Per row and segment of columns ``starts[s]:starts[s + 1]``: the maximum and its column."""
    n, m = D.shape
    for s in range(len(starts) - 1):
        low = max(starts[s] - j0, 0)
        high = min(starts[s + 1] - j0, m)
        if low >= high:
            continue
        part = values[j0 + low : j0 + high]
        for i in range(n):
            row = D[i, low:high]
            peak, piece = _summit(row, part, gamma)
            if peak > best[i, s]:
                best[i, s] = peak
                where[i, s] = j0 + low + _locate(row, part, gamma, peak, piece)


@njit(cache=True, nogil=True)
def champions(D, rows, over, under, gamma, floor, hand, best_head, head, best_tail, tail):
    """The best column of every row, and of every column the best row in each hand of rows.

    ``D`` holds the given ``rows`` (rising) of the whole matrix; ``rows[i] // hand`` is the hand of a row. The
    pair (i, j) has the value ``over[i] + under[j] - gamma * D``; row maxima lack ``over``, column maxima ``under``.
    The columns of rows whose best value is not above ``floor`` are not looked for, and columns are left alone if
    ``best_tail`` has no room for hands.
    """
    n = len(D)
    for i in range(n):
        r = rows[i]
        peak, piece = _summit(D[i], under, gamma)
        if peak > best_head[r]:
            best_head[r] = peak
            if over[r] + peak > floor:
                head[r] = _locate(D[i], under, gamma, peak, piece)
    i = 0
    while i < n and len(best_tail) > 0:
        h = rows[i] // hand
        if i + 3 < n and rows[i + 3] // hand == h:
            _column_max_of_four(D[i : i + 4], rows[i : i + 4], over, gamma, best_tail[h], tail[h])
            i += 4
        else:
            _column_max(D[i], rows[i], over, gamma, best_tail[h], tail[h])
            i += 1


@njit(cache=True, nogil=True)
def forbid_equal(D, left, right):
    """Put rows with equal labels infinitely far apart."""
    for i in range(len(D)):
        row = D[i]
        for j in range(len(row)):
            row[j] = np.inf if left[i] == right[j] else row[j]


@njit(cache=True, nogil=True)
def _column_max(row, r, over, gamma, best, where):
    """Let row r compete for the maximum of every column."""
    for j in range(len(row)):
        value = over[r] - gamma * row[j]
        better = value > best[j]
        best[j] = value if better else best[j]
        where[j] = r if better else where[j]


@njit(cache=True, nogil=True)
def _column_max_of_four(D, rows, over, gamma, best, where):
    """Let four rows compete at once: a quarter of the loads and stores of four calls."""
    ra, rb, rc, rd = rows[0], rows[1], rows[2], rows[3]
    oa, ob, oc, od = over[ra], over[rb], over[rc], over[rd]
    da, db, dc, dd = D[0], D[1], D[2], D[3]
    for j in range(len(best)):
        a = oa - gamma * da[j]
        b = ob - gamma * db[j]
        c = oc - gamma * dc[j]
        d = od - gamma * dd[j]
        ab, rab = (b, rb) if b > a else (a, ra)
        cd, rcd = (d, rd) if d > c else (c, rc)
        high, r = (cd, rcd) if cd > ab else (ab, rab)
        better = high > best[j]
        best[j] = high if better else best[j]
        where[j] = r if better else where[j]


@njit(cache=True, nogil=True)
def top(D, values, gamma, j0, best, where):
    """Per row: the few largest values in falling order, and their columns (smallest first among equals)."""
    n, m = D.shape
    k = best.shape[1]
    part = values[j0 : j0 + m]
    for i in range(n):
        row = D[i]
        if _peak(row, part, gamma) <= best[i, k - 1]:
            continue
        for j in range(m):
            value = part[j] - gamma * row[j]
            if value > best[i, k - 1]:
                s = k - 1
                while s > 0 and value > best[i, s - 1]:
                    best[i, s] = best[i, s - 1]
                    where[i, s] = where[i, s - 1]
                    s -= 1
                best[i, s] = value
                where[i, s] = j0 + j
