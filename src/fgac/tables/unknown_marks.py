"""Whether being unknown says something about the target: a test of chance, column by column.

Where values are missing at random, marks of that are noise, and a forest finds some importance in any noise. So a mark
is only looked at if values are missing more often in one class than in another, or with higher targets than with lower
ones, by more than chance would do once in a hundred columns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import chdtrc

from fgac._typing import Bools, Floats, Ints

# Marks of columns that are missing at random pass the test with this probability.
CHANCE = 0.01


def telling(marks: Floats, targets: Any, weights: Floats, regression: bool) -> Bools:
    """Which marks (columns of 0 and 1) go with the target.

    >>> telling(np.repeat([[1.0], [0.0]], 20, axis=0), np.repeat([0, 1], 20), np.ones(40), regression=False)
    array([ True])
    >>> telling(np.tile([[1.0], [0.0]], (20, 1)), np.repeat([0, 1], 20), np.ones(40), regression=False)
    array([False])
    """
    weights = weights / weights.mean()  # counts, whatever the unit of the weights is
    chance = chance_of_means if regression else chance_of_classes
    return np.array([chance(mark > 0, targets, weights) < CHANCE for mark in marks.T], dtype=np.bool_)


def chance_of_classes(mark: Bools, classes: Ints, weights: Floats) -> float:
    """The probability that classes differ so much in how often a mark is set, by chance alone (chi-squared test)."""
    counts = np.array([np.bincount(classes, weights * side) for side in (mark, ~mark)])
    counts = counts[:, counts.sum(axis=0) > 0]
    if not counts.sum(axis=1).all() or counts.shape[1] < 2:
        return 1.0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float(chdtrc(counts.shape[1] - 1, ((counts - expected) ** 2 / expected).sum()))


def chance_of_means(mark: Bools, targets: Floats, weights: Floats) -> float:
    """The probability that targets with and without a mark differ so much in their mean rank, by chance alone."""
    ranks = np.unique(targets, return_inverse=True)[1].astype(np.float64)
    sizes = [float(weights[side].sum()) for side in (mark, ~mark)]
    deviation = math.sqrt(float(np.cov(ranks, aweights=weights, ddof=0))) if len(ranks) > 1 else 0.0
    if not all(sizes) or not deviation:
        return 1.0
    gap = abs(float(np.average(ranks[mark], weights=weights[mark]) - np.average(ranks[~mark], weights=weights[~mark])))
    return math.erfc(gap / (deviation * math.sqrt(2.0 * (1.0 / sizes[0] + 1.0 / sizes[1]))))
