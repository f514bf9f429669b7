"""Distances between two blocks of rows, written into a contiguous ``out``.

A row has numeric coordinates and codes of categories. Two rows whose codes differ in column f differ by ``mismatch[f]``
there, whatever the codes are, unless one of them is ``UNKNOWN``: then the metric adds half of what it adds for a
mismatch. Half is the least that keeps the triangle inequality, for two categories may be a mismatch apart. It is also
what points give: a category is one coordinate among many, and an unknown one the origin.

The functions that end in ``_above`` add ordered coordinates to distances that are there: by how much the left row is
above the right one if the orientation of the right one is 1, or below it if that is -1.

Loops over the right rows come innermost and read one coordinate of all of them side by side, which is why ``right`` is
transposed first: so they are vectorised.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, inlined, kernel
from fgac._kernels.layouts import CANCELLATION, UNKNOWN


@helper
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


@inlined
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


@inlined
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


@inlined
def _add_codes_and_root(left_codes, right_codes, mismatch, out):
    """Add the squares of different codes to sums of squares, and take the roots."""
    codes = right_codes.T.copy()
    for i in range(len(out)):
        row = out[i]
        for f in range(len(mismatch)):
            code = left_codes[i, f]
            extra = mismatch[f] * mismatch[f]
            half = 0.5 * extra
            apart = half if code == UNKNOWN else extra
            for j in range(len(row)):
                row[j] += 0.0 if codes[f, j] == code else (half if codes[f, j] == UNKNOWN else apart)
        for j in range(len(row)):
            row[j] = np.sqrt(row[j])


@kernel
def euclidean(left, right, left_codes, right_codes, mismatch, out):
    """Root of the sum of squared differences: exact, and for few coordinates no slower than a product."""
    _squares(left, right, out)
    _add_codes_and_root(left_codes, right_codes, mismatch, out)


@kernel
def euclidean_by_product(left, right, left_codes, right_codes, mismatch, out):
    """The same for many coordinates. Whoever has few need not wait until it is compiled."""
    _squares_by_product(left, right, out)
    _add_codes_and_root(left_codes, right_codes, mismatch, out)


@kernel
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
            half = 0.5 * mismatch[f]
            apart = half if code == UNKNOWN else mismatch[f]
            for j in range(len(row)):
                row[j] += 0.0 if codes[f, j] == code else (half if codes[f, j] == UNKNOWN else apart)


@kernel
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
            half = 0.5 * mismatch[f]
            apart = half if code == UNKNOWN else mismatch[f]
            for j in range(len(row)):
                gap = 0.0 if codes[f, j] == code else (half if codes[f, j] == UNKNOWN else apart)
                row[j] = max(row[j], gap)


@kernel
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


@kernel
def manhattan_above(left, right, orientation, out):
    """Sum of excesses."""
    y = right.T.copy()
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                row[j] += max(0.0, orientation[j] * (x - y[f, j]))


@kernel
def chebyshev_above(left, right, orientation, out):
    """Largest excess."""
    y = right.T.copy()
    for i in range(len(left)):
        row = out[i]
        for f in range(len(y)):
            x = left[i, f]
            for j in range(len(row)):
                row[j] = max(row[j], orientation[j] * (x - y[f, j]))


@helper
def _directions(rows):
    """Rows divided by their lengths, and the squares of the lengths they then have: 1 up to rounding, or 0.

    Dividing by the largest number first keeps squares in range, and gives multiples of a row the same digits.
    """
    n, p = rows.shape
    units = np.zeros((n, p))
    squares = np.zeros(n)
    for i in range(n):
        most = 0.0
        for f in range(p):
            most = max(most, abs(rows[i, f]))
        if most == 0.0:
            continue
        length = 0.0
        for f in range(p):
            units[i, f] = rows[i, f] / most
            length += units[i, f] * units[i, f]
        length = np.sqrt(length)
        for f in range(p):
            units[i, f] /= length
            squares[i] += units[i, f] * units[i, f]
    return units, squares


@kernel
def half_tangents(left, right, out):
    """Tangents of half the angles between rows: ``|x - y| / |x + y|`` for rows x and y divided by their lengths.

    A row of zeros, which has no direction, gets 1, as if it were perpendicular to all others, and 0 with another one.
    """
    x, xx = _directions(left)
    y, yy = _directions(right)
    np.dot(x, y.T, out)
    for i in range(len(x)):
        row = out[i]
        for j in range(len(y)):
            both, product = xx[i] + yy[j], 2.0 * row[j]
            across, along = both - product, both + product
            # What has lost digits is added up again: of rows that point nearly the same way, or opposite ways.
            if across < CANCELLATION * both:
                across = 0.0
                for f in range(x.shape[1]):
                    across += (x[i, f] - y[j, f]) ** 2
            elif along < CANCELLATION * both:
                along = 0.0
                for f in range(x.shape[1]):
                    along += (x[i, f] + y[j, f]) ** 2
            if across == 0.0:
                row[j] = 0.0
            else:
                row[j] = np.sqrt(across / along) if along > 0.0 else np.inf
