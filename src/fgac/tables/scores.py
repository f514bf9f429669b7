"""A score: what a simple model makes of a row, as more coordinates of it.

The model adds up, for every class, what the coordinates of the row say, and turns the sums (*logits*) into
probabilities. Two rows differ by as much as their probabilities do: by half the sum of absolute differences, the *total
variation*, which lies between 0 and 1. So a score is nothing but more coordinates, distances stay distances, and a
function that changes slowly with rows may still change quickly along the one direction in which the classes differ.

A score is readable because it is a sum: how far apart the scores of two rows are can be told column by column. And it
moves no faster than the columns do. If the logits of a row change by a vector whose entries lie within ``spread`` of
each other, the odds of any two classes change by a factor of at most ``exp(spread)``, and the probabilities of two rows
of whose odds this is true have a total variation of at most::

    tanh(spread / 4) <= spread / 4

(With two classes this is the greatest difference of two points of the logistic curve that are ``spread`` apart. With
more, the set of classes whose probabilities rise makes two of them.)

Where a number is to be predicted there is one sum, a prediction of it, and two rows differ by the difference of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.metrics.distances import FARTHEST, Rows


@dataclass(frozen=True)
class Score:
    """A sum over the coordinates of rows, for every class or for a number, and what a difference of scores counts.

    Attributes
    ----------
    weight : float
        The distance of two rows whose scores have nothing in common, or whose numbers are 1 apart, and which are equal
        otherwise.
    intercepts : array of shape (n_sums,)
    slopes : array of shape (n_numeric, n_sums)
        What is added per unit of the numeric coordinates.
    steps : tuple of arrays of shape (n_categories, n_sums)
        What is added for the categories; nothing for those that are unknown, or new.

    >>> score = Score(0.5, np.zeros(2), np.array([[-1.0, 1.0]]), ())
    >>> rows = Rows.from_numeric(np.array([[0.0], [9.0]]))
    >>> score.added(rows).numeric.round(3)
    array([[0.  , 0.25],
           [9.  , 0.5 ]])
    """

    weight: float
    intercepts: Floats
    slopes: Floats
    steps: tuple[Floats, ...]

    @property
    def n_coordinates(self) -> int:
        """How many coordinates it adds: of two classes, one is enough."""
        n = len(self.intercepts)
        return 1 if n == 2 else n

    @property
    def is_number(self) -> bool:
        """Whether it predicts a number, not classes."""
        return len(self.intercepts) == 1

    def sums(self, rows: Rows) -> Floats:
        """The sums, of rows with or without the coordinates of the score."""
        found = np.tile(self.intercepts, (len(rows), 1))
        # One by one: a product of matrices rounds by the number of rows, and equal rows must have equal scores.
        for slopes, part in zip(self.slopes, rows.numeric.T, strict=False):
            found += part[:, None] * slopes
        for steps, codes in zip(self.steps, rows.codes.T, strict=True):
            found += step_of(steps, codes)
        return found

    def probabilities(self, rows: Rows) -> Floats:
        """What the sums make of the classes: numbers that rise with them, and add up to 1."""
        logits = self.sums(rows)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def added(self, rows: Rows) -> Rows:
        """Rows with the coordinates of their score, in place of those they may have."""
        own = rows.numeric[:, : len(self.slopes)]
        return replace(rows, numeric=np.ascontiguousarray(np.hstack([own, self._coordinates(rows)])))

    def _coordinates(self, rows: Rows) -> Floats:
        if self.is_number:
            return np.clip(self.weight * self.sums(rows), -FARTHEST, FARTHEST)
        found = self.probabilities(rows)
        # Half the sum of absolute differences is the difference itself where there are two of them.
        return found[:, 1:] * self.weight if found.shape[1] == 2 else found * (0.5 * self.weight)

    def pull(self, changes: Floats) -> Floats:
        """By how much changes of the sums, along the last axis, pull two classes apart, or change the number."""
        return np.abs(changes[..., 0]) if self.is_number else np.asarray(np.ptp(changes, axis=-1))

    def slope(self, place: int) -> float:
        """How far a row moves at most, through its score, per unit of a numeric coordinate."""
        return self.weight * (1.0 if self.is_number else 0.25) * float(self.pull(self.slopes[place]))

    def step(self, place: int) -> float:
        """How far a row moves at most, through its score, when one of its categories becomes another, or unknown."""
        widest = self.widest_step(place)
        return self.weight * (widest if self.is_number else float(np.tanh(0.25 * widest)))

    def widest_step(self, place: int) -> float:
        """What another category, or an unknown one, changes at most: the log-odds of two classes, or the number."""
        steps = np.vstack([self.steps[place], np.zeros(len(self.intercepts))])
        if self.is_number:
            return float(np.ptp(steps))
        return float(np.ptp(steps[:, :, None] - steps[:, None, :], axis=0).max())


def step_of(steps: Floats, codes: NDArray[np.integer[Any]]) -> Floats:
    """Logits of categories by their numbers; none where there is no number."""
    padded = np.vstack([steps, np.zeros(steps.shape[1])])
    found: Floats = padded[np.where(codes >= 0, codes, len(steps))]
    return found
