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


@kernel
def largest_hidden(D, over, under, of_rows, of_columns, share, gamma):
    """The largest possible violation of a pair, less its computed one (or 0), if distances have errors.

    A distance may be too long by ``of_rows + of_columns + share * distance``. Rows at distance 0 are equal.
    """
    worst = 0.0
    for i in range(len(D)):
        for j in range(D.shape[1]):
            distance = D[i, j]
            if distance == 0.0:
                continue
            shortest = max(0.0, distance * (1.0 - share) - of_rows[i] - of_columns[j])
            step = over[i] + under[j]
            worst = max(worst, step - gamma * shortest - max(0.0, step - gamma * distance))
    return worst


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
