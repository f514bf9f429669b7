"""Ties between classes, broken by a rule that does not read their names.

A class whose degree is as large as another's wins if its unclipped *support*, which still tells far from very far, is
larger; if that ties too, the rank of the classes decides.

>>> degree = np.array([[0.5, 0.5], [0.2, 0.8]])
>>> tied = tied_classes(degree)
>>> rows = rows_with_ties(tied)
>>> winners = nearest_class(tied[rows], np.array([[-3.0, -7.0]]), rank=np.array([1, 0]))
>>> np.argmax(lift_winners(degree, rows, winners), axis=1)
array([0, 1])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fgac.distances import Floats, Ints

# Degrees closer than this are tied: they differ by rounding only.
TIE = 1e-9
# How far the winner of a tie is lifted above the others in scores, so that their argmax is the prediction.
NUDGE = 1e-12


def tied_classes(degree: Floats) -> NDArray[np.bool_]:
    """Which classes of each row have its largest degree."""
    return degree >= degree.max(axis=1, keepdims=True) - TIE


def rows_with_ties(tied: NDArray[np.bool_]) -> Ints:
    """Rows in which more than one class has the largest degree."""
    return np.flatnonzero(tied.sum(axis=1) > 1)


def nearest_class(tied: NDArray[np.bool_], support: Floats, rank: Ints) -> Ints:
    """Among tied classes, the one with the largest unclipped support; if that ties too, the first by rank."""
    support = np.where(tied, support, -np.inf)
    best = support >= support.max(axis=1, keepdims=True) - TIE
    return np.argmin(np.where(best & tied, rank, len(rank)), axis=1)


def lift_winners(degree: Floats, rows: Ints, winners: Ints) -> Floats:
    """Degrees in which these classes of these rows stand just above all others."""
    scores = degree.copy()
    scores[rows, winners] = degree[rows].max(axis=1) + NUDGE
    return scores
