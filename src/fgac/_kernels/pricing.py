"""Search pairs for the constraints ``over[i] + under[j] - gamma * distance <= 0`` that are violated most.

Every tail i and every head j has a falling list of its worst pairs (:class:`~fgac._kernels.layouts.WorstPairs`), which
begins with a floor in every place: a pair enters a list if it is violated by more than the last one there.

A pair whose violation is not a number must not pass for one that holds: it counts as infinitely violated. That is why
comparisons are negated, ``not (x <= y)`` in place of ``x > y``.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, kernel
from fgac._kernels.lists import enter

# Columns of a block that are compared together.
PIECE = 128


@helper
def _count_above(row, base, under, gamma, least, leasts):
    """How many pairs of a row enter a list. Counting takes a tenth of the time of finding the largest."""
    count = np.int64(0)
    for j in range(len(row)):
        height = base + under[j] - gamma * row[j]
        count += (not (height <= least)) | (not (height <= leasts[j]))
    return count


@kernel
def compare(D, i0, j0, levels, of_tails, of_heads):
    """Let the pairs of a block enter the lists of their tails and heads; it begins at tail ``i0`` and head ``j0``."""
    over, under, gamma = levels
    row_best, row_place = of_tails
    column_best, column_place = of_heads
    last = row_best.shape[1] - 1
    m = D.shape[1]
    part = under[j0 : j0 + m]
    # What a pair must exceed to enter the list of its head, side by side, so that the loop that counts is vectorised.
    leasts = column_best[j0 : j0 + m, last].copy()
    for i in range(i0, i0 + len(D)):
        distances = D[i - i0]
        base = over[i]
        for piece in range(0, m, PIECE):
            end = min(m, piece + PIECE)
            least = row_best[i, last]
            if _count_above(distances[piece:end], base, part[piece:end], gamma, least, leasts[piece:end]) == 0:
                continue
            for j in range(piece, end):
                height = base + part[j] - gamma * distances[j]
                if height != height:
                    height = np.inf
                if not (height <= row_best[i, last]):
                    enter(height, j0 + j, i, row_best, row_place)
                if not (height <= leasts[j]):
                    enter(height, i, j0 + j, column_best, column_place)
                    leasts[j] = column_best[j0 + j, last]


@kernel
def merge(pairs, others):
    """Let the entries of other lists enter these."""
    best, place = pairs
    other_best, other_place = others
    last = best.shape[1] - 1
    for j in range(len(best)):
        for s in range(last + 1):
            if other_best[j, s] <= best[j, last]:  # lists fall: the rest is not larger
                break
            enter(other_best[j, s], other_place[j, s], j, best, place)
