"""Falling lists of the few largest numbers, one list per row."""

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
