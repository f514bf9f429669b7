"""Distances between two blocks of rows, written into a contiguous ``out``.

A row has numeric coordinates and codes of categories. Two rows whose codes differ in
column f differ by ``mismatch[f]`` there, whatever the codes are.

The functions that end in ``_above`` add ordered coordinates to distances that are there: by how much the left row is
above the right one if the orientation of the right one is 1, or below it if that is -1.

Loops over the right rows come innermost and read one coordinate of all of them side by side, which is why ``right`` is
transposed first: so they are vectorised.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from fgac._kernels.layouts import CANCELLATION, DIRECT


@njit(cache=True, nogil=True)
def _centred(rows, centre):
    """Rows minus the centre, and their squared norms."""
    n, p = rows.shape
    moved = np.empty((n, p))
    norms = np.zeros(n)
    for i in range(n):
        for f in range(p):
            moved[i, f] = rows[i, f] - centre[f]
            norms[i] += moved[i, f] * moved[i, f]
    return moved, norms


@njit(cache=True, nogil=True)
def _squares(left, right, out):
    """Sums of squared differences, coordinate by coordinate."""
    y = right.T.copy()
    out[:] = 0.0
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                difference = x - y[f, j]
                row[j] += difference * difference


@njit(cache=True, nogil=True)
def _squares_by_product(left, right, out):
    """Sums of squared differences, through one matrix product."""
    n, p = left.shape
    m = len(right)
    centre = np.zeros(p)
    for j in range(m):
        for f in range(p):
            centre[f] += right[j, f] / m
    # Norms and products of points near the origin lose fewer digits.
    x, xx = _centred(left, centre)
    y, yy = _centred(right, centre)
    np.dot(x, y.T, out)
    for i in range(n):
        row = out[i]
        near = 0
        for j in range(m):
            both = xx[i] + yy[j]
            d2 = both - 2.0 * row[j]
            near |= d2 < CANCELLATION * both
            row[j] = d2
        # Hardly any row has a near one, so that the second loop is rarely entered.
        if near:
            for j in range(m):
                if row[j] < CANCELLATION * (xx[i] + yy[j]):
                    d2 = 0.0
                    for f in range(p):
                        d2 += (left[i, f] - right[j, f]) ** 2
                    row[j] = d2


@njit(cache=True, nogil=True)
def euclidean(left, right, left_codes, right_codes, mismatch, out):
    """Root of the sum of squared differences."""
    if left.shape[1] <= DIRECT:
        _squares(left, right, out)
    else:
        _squares_by_product(left, right, out)
    codes = right_codes.T.copy()
    for i in range(len(left)):
        row = out[i]
        for f in range(len(mismatch)):
            code = left_codes[i, f]
            extra = mismatch[f] * mismatch[f]
            for j in range(len(row)):
                row[j] += extra if codes[f, j] != code else 0.0
        for j in range(len(row)):
            row[j] = np.sqrt(row[j])


@njit(cache=True, nogil=True)
def manhattan(left, right, left_codes, right_codes, mismatch, out):
    """Sum of absolute differences."""
    y = right.T.copy()
    codes = right_codes.T.copy()
    out[:] = 0.0
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                row[j] += abs(x - y[f, j])
        for f in range(len(mismatch)):
            code = left_codes[i, f]
            for j in range(len(row)):
                row[j] += mismatch[f] if codes[f, j] != code else 0.0


@njit(cache=True, nogil=True)
def chebyshev(left, right, left_codes, right_codes, mismatch, out):
    """Largest absolute difference."""
    y = right.T.copy()
    codes = right_codes.T.copy()
    out[:] = 0.0
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                row[j] = max(row[j], abs(x - y[f, j]))
        for f in range(len(mismatch)):
            code = left_codes[i, f]
            for j in range(len(row)):
                row[j] = max(row[j], mismatch[f] if codes[f, j] != code else 0.0)


@njit(cache=True, nogil=True)
def euclidean_above(left, right, orientation, out):
    """Root of the sum of squared excesses and of the squares that are there."""
    y = right.T.copy()
    for i in range(len(left)):
        row = out[i]
        for j in range(len(row)):
            row[j] *= row[j]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                excess = max(0.0, orientation[j] * (x - y[f, j]))
                row[j] += excess * excess
        for j in range(len(row)):
            row[j] = np.sqrt(row[j])


@njit(cache=True, nogil=True)
def manhattan_above(left, right, orientation, out):
    """Sum of excesses."""
    y = right.T.copy()
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                row[j] += max(0.0, orientation[j] * (x - y[f, j]))


@njit(cache=True, nogil=True)
def chebyshev_above(left, right, orientation, out):
    """Largest excess."""
    y = right.T.copy()
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                row[j] = max(row[j], orientation[j] * (x - y[f, j]))
