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


@helper
def _count_below(row, limit):
    """How many numbers are not above a limit."""
    count = np.int32(0)
    for j in range(len(row)):
        count += np.int32(not (row[j] > limit))
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


@kernel
def sift(screen, points, labels, i0, i1, levels, of_tails, of_heads):
    """Do the same for tails ``i0:i1`` and all heads, which are Euclidean points.

    The product of ``left[i]`` and a column of ``right``, which comes in tiles, is the square of their distance minus
    the square of what it would have to be below to be above the floor, up to rounding of at most ``limits[i]``
    (:mod:`fgac.solve.pricing`). Only pairs where it is not above that are compared in double precision. Rows of one
    label form no pair, unless there are no labels.
    """
    left, right, limits = screen
    x, y = points
    x_labels, y_labels = labels
    over, under, gamma = levels
    row_best, row_place = of_tails
    column_best, column_place = of_heads
    n, width, last = i1 - i0, right.shape[2], row_best.shape[1] - 1
    product = np.empty((n, width), dtype=np.float32)
    for tile in range(len(right)):
        np.dot(left[i0:i1], right[tile], product)
        first = tile * width
        for r in range(n):
            i = i0 + r
            limit = limits[i]
            for piece in range(0, width, PIECE):
                part = product[r, piece : piece + PIECE]
                if _count_below(part, limit) == 0:  # hardly any piece has a pair that is left
                    continue
                for k in range(len(part)):
                    if part[k] > limit:
                        continue
                    j = first + piece + k
                    if len(x_labels) and x_labels[i] == y_labels[j]:
                        continue
                    squares = 0.0
                    for f in range(x.shape[1]):
                        squares += (x[i, f] - y[j, f]) ** 2
                    height = over[i] + under[j] - gamma * np.sqrt(squares)
                    if height != height:
                        height = np.inf
                    if not (height <= row_best[i, last]):
                        enter(height, j, i, row_best, row_place)
                    if not (height <= column_best[j, last]):
                        enter(height, i, j, column_best, column_place)
