"""Random trees that tell which columns count: the compiled half of :mod:`fgac.tables.learned_weights`.

Classes and numbers are one case: every row adds its value to one of several sums, that of its class (then the value is
1), or the only one (then it is the number). Of some rows of weight W, whose sums are s, the sum of squares of the
values less ``sum(s ** 2) / W`` is what they differ by: W times the Gini impurity, or W times the variance.

Columns are places of values among the different values of the column, 0, 1, 2, ..., so that trees are exact, and rows
can be sorted by counting.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, kernel
from fgac._tolerances import GAIN_TOL, PURE_TOL


@kernel
def grow(places, sums, values, n_sums, reach, n_tried, smallest, random):
    """What the splits of a random tree gain, by columns.

    Parameters
    ----------
    places : integer array of shape (n_columns, n)
        Below n.
    sums, values : arrays of shape (n,)
        Which sum a row adds to, and what: not less than 0.
    reach : array of shape (n,)
        Weights of the rows, added up. The tree sees n rows drawn by their weights; rows drawn t times count t times.
    n_tried : int
        So many columns, drawn anew, are tried for every split; more if all rows are equal in these.
    smallest : int
        Different rows that a leaf has at least.
    random : array of two integers
        The state of the random numbers; it moves on.

    Invariant: the rows of every node are ``rows[low:high]`` for some pair on the stack, or in a leaf.
    """
    n_columns, n = places.shape
    times, rows = np.zeros(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    gains, columns = np.zeros(n_columns), np.arange(n_columns)
    left, total = np.empty(n_sums), np.empty(n_sums)
    order, counts = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    lows, highs, n_open = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), 1
    lows[0], highs[0] = 0, _draw(reach, random, times, rows)
    while n_open:
        n_open -= 1
        low, high = lows[n_open], highs[n_open]
        if high - low < 2 * smallest:
            continue
        weight, squares, uncut = _add_up(rows[low:high], times, sums, values, total)
        if squares - uncut / weight <= PURE_TOL * weight:
            continue
        most, best, at, n_left, differ = 0.0, -1, -1, n_columns, False
        while n_left > 0 and (n_columns - n_left < n_tried or not differ):
            pick = int(_uniform(random) * n_left)
            n_left -= 1
            j = columns[pick]
            columns[pick], columns[n_left] = columns[n_left], j
            if not _sort(rows[low:high], places[j], order, counts):
                continue
            differ = True
            after, cut = _best_cut(
                order[: high - low], places[j], times, sums, values, left, total, weight, uncut, smallest
            )
            if after > most * (1.0 + GAIN_TOL):  # of cuts that gain as much, the first
                most, best, at = after, j, cut
        if best >= 0:
            gains[best] += most - uncut / weight
            middle = low + _divide(rows[low:high], places[best], at)
            lows[n_open], highs[n_open] = low, middle
            lows[n_open + 1], highs[n_open + 1] = middle, high
            n_open += 2
    return gains


@helper
def _uniform(random):
    """A number from 0 to below 1: two multiplicative generators, one less the other (L'Ecuyer, 1988)."""
    random[0] = 40014 * random[0] % 2147483563
    random[1] = 40692 * random[1] % 2147483399
    return ((random[0] - random[1]) % 2147483562) / 2147483562.0


@helper
def _draw(reach, random, times, rows):
    """Count how often every row comes up in as many draws, list those that do, and return how many these are."""
    n, n_drawn = len(reach), 0
    for _ in range(n):
        aim = _uniform(random) * reach[n - 1]
        low, high = 0, n - 1  # the first row that reaches beyond the aim is one of these
        while low < high:
            middle = (low + high) // 2
            if reach[middle] > aim:
                high = middle
            else:
                low = middle + 1
        times[low] += 1
    for i in range(n):
        if times[i]:
            rows[n_drawn] = i
            n_drawn += 1
    return n_drawn


@helper
def _add_up(rows, times, sums, values, total):
    """Weight and sum of squares of some rows, and the sum of their squared sums, which are left in ``total``."""
    for i in rows:
        total[sums[i]] = 0.0
    weight, squares, uncut = 0.0, 0.0, 0.0
    for i in rows:
        part, k = times[i] * values[i], sums[i]
        weight, squares = weight + times[i], squares + part * values[i]
        uncut += part * (2.0 * total[k] + part)
        total[k] += part
    return weight, squares, uncut


@helper
def _sort(rows, column, order, counts):
    """Whether rows differ in a column. If so, ``order`` begins with them in the order of their places.

    By insertion, or by counting where that takes fewer steps.
    """
    n, lowest, highest = len(rows), column[rows[0]], column[rows[0]]
    for i in rows:
        lowest, highest = min(lowest, column[i]), max(highest, column[i])
    if lowest == highest:
        return False
    if highest - lowest > n * n // 4:
        for t in range(n):
            i = rows[t]
            while t > 0 and column[order[t - 1]] > column[i]:
                order[t] = order[t - 1]
                t -= 1
            order[t] = i
        return True
    for place in range(highest - lowest + 1):
        counts[place] = 0
    for i in rows:
        counts[column[i] - lowest] += 1
    before = 0
    for place in range(highest - lowest + 1):
        before, counts[place] = before + counts[place], before
    for i in rows:
        order[counts[column[i] - lowest]] = i
        counts[column[i] - lowest] += 1
    return True


@helper
def _best_cut(order, column, times, sums, values, left, total, weight, uncut, smallest):
    """The cut of some sorted rows with the largest squared sums over weights: these, and the last place before it."""
    for i in order:
        left[sums[i]] = 0.0
    of_left, of_right, weight_left = 0.0, uncut, 0.0
    most, at = 0.0, -1
    for t in range(len(order) - smallest):
        i = order[t]
        part, k = times[i] * values[i], sums[i]
        of_right -= part * (2.0 * (total[k] - left[k]) - part)
        of_left += part * (2.0 * left[k] + part)
        left[k] += part
        weight_left += times[i]
        if t + 1 >= smallest and column[order[t + 1]] > column[i]:
            after = of_left / weight_left + of_right / (weight - weight_left)
            if after > most * (1.0 + GAIN_TOL):
                most, at = after, column[i]
    return most, at


@helper
def _divide(rows, column, at):
    """Bring rows up to a place before the others; return how many they are."""
    low, high = 0, len(rows) - 1
    while low <= high:
        if column[rows[low]] <= at:
            low += 1
        else:
            rows[low], rows[high] = rows[high], rows[low]
            high -= 1
    return low
