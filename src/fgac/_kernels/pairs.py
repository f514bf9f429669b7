"""Loops over the pairs of one block of distances ``D``: which form a constraint, and which are nearly tight."""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, kernel


@kernel
def forbid_equal(D, left, right):
    """Put rows with equal labels infinitely far apart."""
    for i in range(len(D)):
        row = D[i]
        for j in range(len(row)):
            row[j] = np.inf if left[i] == right[j] else row[j]


# Maxima do not depend on the order of comparison, so these flags change no result; they let the loop be vectorised.
@helper(fastmath={"nnan", "nsz", "reassoc"})
def _highest(row, low0, low1, high0, high1, gamma0, gamma1):
    """Largest violation in a row of distances, at either gamma."""
    peak = -np.inf
    for j in range(len(row)):
        value = max(high0 - low0[j] - gamma0 * row[j], high1 - low1[j] - gamma1 * row[j])
        if value > peak:
            peak = value
    return peak


@kernel
def near_pairs(D, high0, high1, low0, low1, gamma0, gamma1, limit, row, column, value):
    """List the pairs that are violated by more than ``limit`` at either gamma; return how many there are.

    Those beyond the room to write are only counted. ``high`` belong to the rows of ``D``, ``low`` to its columns.
    """
    n, m = D.shape
    room = len(row)
    found = 0
    for i in range(n):
        # Hardly any row has a pair to list, and a maximum is found faster than pairs are compared one by one.
        if _highest(D[i], low0, low1, high0[i], high1[i], gamma0, gamma1) <= limit:
            continue
        for j in range(m):
            d = D[i, j]
            violation = max(high0[i] - low0[j] - gamma0 * d, high1[i] - low1[j] - gamma1 * d)
            if violation > limit:
                if found < room:
                    row[found], column[found], value[found] = i, j, violation
                found += 1
    return found
