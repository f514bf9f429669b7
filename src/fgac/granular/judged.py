"""Predictions with what they rest on: which of them are guesses, and how strong the strongest arguments are.

A *guess* is a prediction without an argument: no training row is near enough to say anything about the row. This is the
one definition that the choice of gamma, evaluations, abstaining and the command line share; it is made of
:meth:`Memberships.resembles_nothing`, :meth:`AtLeast.resembles_nothing` and :meth:`Extension.bounds_and_strength`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import STRENGTH_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.tables.columns import weighted_percentile


class Judged(NamedTuple):
    """What a model says of rows.

    Attributes
    ----------
    predicted : array of shape (rows,)
        Classes, or numbers.
    guess : array of shape (rows,)
        Which predictions no training row argues for.
    strength : array of shape (rows,)
        Strength of the strongest argument about each row, from 0 to 1.
    degrees : array of shape (rows, classes) or None
        Degrees of membership in every class, ties broken; of ordered classes, those of "at least this class" for every
        class but the lowest; None of numbers.
    winners : array of shape (rows,) or None
        Numbers of the predicted classes; None of numbers.
    """

    predicted: NDArray[Any]
    guess: Bools
    strength: Floats
    degrees: Floats | None = None
    winners: Ints | None = None

    def argued_share(self, weight: Floats | None = None) -> float:
        """The share of the rows whose predictions are no guesses.

        >>> strength = np.array([0.5, 0.0, 0.25, 0.75])
        >>> judged = Judged(np.array(list("abab")), is_guess(strength), strength)
        >>> judged.argued_share(), judged.median_strength()
        (0.75, 0.375)
        """
        return float(np.average(~self.guess, weights=weight))

    def median_strength(self, weight: Floats | None = None) -> float:
        """The median over the rows of the strength of the strongest argument."""
        weight = np.ones(len(self.strength)) if weight is None else weight
        there = weight > 0
        return float(weighted_percentile(self.strength[there], np.array([50.0]), weight[there])[0])


def is_guess(strength: Floats) -> Bools:
    """Which of some rows have no argument, by the strength of their strongest one."""
    return strength <= STRENGTH_TOL
