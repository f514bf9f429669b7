"""Boosting of single columns: the compiled half of :mod:`fgac.tables.learned_bends`.

The bins of all columns are numbered one after the other: those of column j are ``first[j]:first[j + 1]``. A row lies in
one bin of every column.
"""

from __future__ import annotations

import numpy as np

from fgac._kernels.compiling import helper, kernel
from fgac._tolerances import GAIN_TOL


@kernel
def boost(bins, first, is_categorical, targets, weights, start, n_rounds, n_leaves, rate, penalty, smallest, is_number):
    """What every bin adds to every sum, after some rounds of one tree per sum.

    Invariant at the start of a round: ``sums[i]`` is ``start`` and what the bins of row i add. With one sum the targets
    are 0 or 1, whose log-odds it is, or numbers (``is_number``); with more they are numbers of classes.
    """
    n_columns, n = bins.shape
    n_sums, n_bins = len(start), first[-1]
    heights, leaves = np.zeros((n_bins, n_sums)), np.zeros((n_bins, n_sums))
    sums = np.empty((n, n_sums))
    for i in range(n):
        for k in range(n_sums):
            sums[i, k] = start[k]
    slope, bend, chances = np.empty(n), np.empty(n), np.empty((n, n_sums))
    slopes, bends, counts = np.empty(n_bins), np.empty(n_bins), np.zeros(n_bins, dtype=np.int64)
    for j in range(n_columns):
        for i in range(n):
            counts[first[j] + bins[j, i]] += 1
    order, chosen = np.arange(n_bins), np.empty(n_sums, dtype=np.int64)
    cuts = np.empty(n_leaves + 1, dtype=np.int64)
    for _ in range(n_rounds):
        if not is_number:
            _chances(sums, chances)
        for k in range(n_sums):
            for i in range(n):
                if is_number:
                    slope[i], bend[i] = weights[i] * (sums[i, 0] - targets[i]), weights[i]
                else:
                    # The class whose sum this is: the second one, if there is but one sum.
                    is_true = 1.0 if targets[i] == (k if n_sums > 1 else 1) else 0.0
                    slope[i] = weights[i] * (chances[i, k] - is_true)
                    bend[i] = weights[i] * chances[i, k] * (1.0 - chances[i, k])
            chosen[k] = -1
            most = 0.0
            for j in range(n_columns):
                low, high = first[j], first[j + 1]
                _add_up(bins[j], low, high, slope, bend, slopes, bends)
                if is_categorical[j]:
                    _sort(order, low, high, slopes, bends, penalty)
                gain, _at = _best_cut(order, low, high, slopes, bends, counts, penalty, smallest)
                if gain > most:
                    most, chosen[k] = gain, j
            if chosen[k] >= 0:
                low, high = first[chosen[k]], first[chosen[k] + 1]
                n_cuts = _grow(order, low, high, cuts, slopes, bends, counts, penalty, smallest)
                for part in range(n_cuts):
                    value = -rate * _leaf(order, cuts[part], cuts[part + 1], slopes, bends, penalty)
                    for t in range(cuts[part], cuts[part + 1]):
                        leaves[order[t], k] = value
                        heights[order[t], k] += value
        for k in range(n_sums):
            j = chosen[k]
            if j >= 0:
                for i in range(n):
                    sums[i, k] += leaves[first[j] + bins[j, i], k]
    return heights


@helper
def _chances(sums, chances):
    """Probabilities of the classes, or of the one class whose log-odds are the only sum."""
    n, n_sums = sums.shape
    for i in range(n):
        if n_sums == 1:
            chances[i, 0] = 1.0 / (1.0 + np.exp(-sums[i, 0]))
        else:
            largest, total = sums[i, 0], 0.0
            for k in range(1, n_sums):
                largest = max(largest, sums[i, k])
            for k in range(n_sums):
                chances[i, k] = np.exp(sums[i, k] - largest)
                total += chances[i, k]
            for k in range(n_sums):
                chances[i, k] /= total


@helper
def _add_up(column, low, high, slope, bend, slopes, bends):
    """First and second derivatives of the loss by the bins of a column."""
    for b in range(low, high):
        slopes[b], bends[b] = 0.0, 0.0
    for i in range(len(column)):
        b = low + column[i]
        slopes[b] += slope[i]
        bends[b] += bend[i]


@helper
def _sort(order, low, high, slopes, bends, penalty):
    """Sort categories by what a leaf of each alone would add: the best two groups are then neighbours."""
    for t in range(low, high):  # by insertion, which leaves equal ones in their order
        ratio = slopes[t] / (bends[t] + penalty)
        place = t
        while place > low and slopes[order[place - 1]] / (bends[order[place - 1]] + penalty) > ratio:
            order[place] = order[place - 1]
            place -= 1
        order[place] = t


@helper
def _leaf(order, low, high, slopes, bends, penalty):
    """Where the loss of some bins would fall most, with the sign turned."""
    slope, bend = 0.0, 0.0
    for t in range(low, high):
        slope += slopes[order[t]]
        bend += bends[order[t]]
    return slope / (bend + penalty)


@helper
def _best_cut(order, low, high, slopes, bends, counts, penalty, smallest):
    """By how much the best cut of some bins lowers the loss, twice over, and where it is; (0, -1) without any."""
    slope, bend, count = 0.0, 0.0, 0
    for t in range(low, high):
        b = order[t]
        slope, bend, count = slope + slopes[b], bend + bends[b], count + counts[b]
    uncut = slope * slope / (bend + penalty)
    left_slope, left_bend, left_count = 0.0, 0.0, 0
    most, at = 0.0, -1
    for t in range(low, high - 1):
        b = order[t]
        left_slope, left_bend, left_count = left_slope + slopes[b], left_bend + bends[b], left_count + counts[b]
        if left_count < smallest:
            continue
        if count - left_count < smallest:
            break
        left = left_slope * left_slope / (left_bend + penalty)
        right = (slope - left_slope) ** 2 / (bend - left_bend + penalty)
        if left + right - uncut > most:
            most, at = left + right - uncut, t + 1
    return (most, at) if most > GAIN_TOL * uncut else (0.0, -1)


@helper
def _grow(order, low, high, cuts, slopes, bends, counts, penalty, smallest):
    """Cut the bins of a column into leaves, where it lowers the loss most; return the number of leaves.

    Invariant: the leaves are ``order[cuts[0]:cuts[1]]``, ``order[cuts[1]:cuts[2]]``, ...
    """
    cuts[0], cuts[1], n_cuts = low, high, 1
    while n_cuts < len(cuts) - 1:
        most, where, at = 0.0, -1, -1
        for part in range(n_cuts):
            gain, place = _best_cut(order, cuts[part], cuts[part + 1], slopes, bends, counts, penalty, smallest)
            if gain > most:
                most, where, at = gain, part, place
        if where < 0:
            break
        for part in range(n_cuts, where, -1):
            cuts[part + 1] = cuts[part]
        cuts[where + 1] = at
        n_cuts += 1
    return n_cuts
