"""Section 6, the statistics: average ranks, Wilcoxon's and Friedman's tests, and Holm's procedure.

A table is a list of rows, one per data set, with one score per model.
"""

import math

from scipy.special import gammaincc


def ranks(values):
    """Rank numbers from 1, the smallest first; equal ones share the mean of their ranks."""
    return [sum(1 for w in values if w < v) + (sum(1 for w in values if w == v) + 1) / 2 for v in values]


def ranks_in_order(values):
    """The same, but of equal ones the first has the better rank: so the average ranks in the text come out."""
    order = sorted(range(len(values)), key=lambda i: (values[i], i))
    return [order.index(i) + 1 for i in range(len(values))]


def average_ranks(table, ranks=ranks):
    """Return the mean rank of every model, 1 for the best score of a data set."""
    by_row = [ranks([-score for score in row]) for row in table]
    return [sum(column) / len(table) for column in zip(*by_row, strict=True)]


def wilcoxon_statistic(first, second):
    """Return the smaller of the two sums of signed ranks, and the ranks of the differences that are not zero."""
    gaps = [a - b for a, b in zip(first, second, strict=True) if a != b]
    ranked = ranks([abs(gap) for gap in gaps])
    above = sum(rank for rank, gap in zip(ranked, gaps, strict=True) if gap > 0)
    return min(above, sum(ranked) - above), ranked


def wilcoxon_exact(first, second):
    """Two-sided p-value of the signed-rank test by Wilcoxon's table, which counts all assignments of signs to 1, 2, ...

    A statistic between two entries of the table, as shared ranks make it, is looked up at the next one.
    """
    least, ranked = wilcoxon_statistic(first, second)
    ways = [1]  # in how many ways some of the ranks so far add up to 0, 1, 2, ...
    for rank in range(1, len(ranked) + 1):
        without, with_it = ways + [0] * rank, [0] * rank + ways
        ways = [one + other for one, other in zip(without, with_it, strict=True)]
    return min(1.0, 2.0 * sum(ways[: math.ceil(least) + 1]) / 2 ** len(ranked))


def wilcoxon_normal(first, second):
    """Two-sided p-value by the normal approximation, its variance corrected for shared ranks."""
    least, ranked = wilcoxon_statistic(first, second)
    mean, variance = sum(ranked) / 2, sum(rank**2 for rank in ranked) / 4
    return math.erfc(abs(least - mean) / math.sqrt(variance) / math.sqrt(2))


def wilcoxon(first, second):
    """By the table while no difference is zero, else by the normal approximation; so the text's numbers come out."""
    _, ranked = wilcoxon_statistic(first, second)
    return (wilcoxon_exact if len(ranked) == len(first) else wilcoxon_normal)(first, second)


def friedman(table):
    """p-value of Friedman's chi-squared test, corrected for equal scores in a row."""
    n, k = len(table), len(table[0])
    by_row = [ranks(row) for row in table]
    totals = [sum(column) for column in zip(*by_row, strict=True)]
    spread = sum((rank - (k + 1) / 2) ** 2 for row in by_row for rank in row)
    statistic = (k - 1) * sum((total - n * (k + 1) / 2) ** 2 for total in totals) / spread
    return float(gammaincc((k - 1) / 2, statistic / 2))


def holm(p_values):
    """Adjusted p-values: the i-th smallest of m times m - i + 1, at least the one before, at most 1."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for place, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def final_p_value(p_values):
    """Section 6.2: the maximum of the adjusted p-values."""
    return max(holm(p_values))
