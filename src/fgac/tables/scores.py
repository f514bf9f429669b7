"""A score: what a simple model makes of a row, as more coordinates of it.

The model adds up, for every class, what the coordinates of the row say, and turns the sums (*logits*) into
probabilities. Two rows differ by as much as their probabilities do: by half the sum of absolute differences, the *total
variation*, which lies between 0 and 1. So a score is nothing but more coordinates, distances stay distances, and a
function that changes slowly with rows may still change quickly along the one direction in which the classes differ.

A score is readable because it is a sum: how far apart the scores of two rows are can be told column by column. What a
numeric coordinate adds is a line with *bends*, so how much a change of it adds at most is found at the bends on its
way, and at its end. And if the logits of a row change by a vector whose entries lie within ``spread`` of each other,
the odds of any two classes change by a factor of at most ``exp(spread)``, and the probabilities of two rows of whose
odds this is true have a total variation of at most::

    tanh(spread / 4) <= spread / 4

(With two classes this is the greatest difference of two points of the logistic curve that are ``spread`` apart. With
more, the set of classes whose probabilities rise makes two of them.)

Of classes that have an order, two rows differ by as much as their probabilities of being at least of a class, in the
mean over all classes but the lowest: a class that is taken for the next one is a smaller difference than one that is
taken for the last. (It is the *earth mover's distance* of the two distributions, divided by the largest there can be.)
It is no more than the total variation: of no set of classes, so of none from some class on, do probabilities differ by
more.

Where a number is to be predicted there is one sum, a prediction of it, and two rows differ by the difference of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.metrics.distances import FARTHEST, Rows

# An interval is cut into so many parts, and the one that counts again, until what is left of it is lost in rounding.
N_PARTS = 64
REFINEMENTS = 8


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
    knots : tuple of arrays of shape (n_knots,)
        Where the lines of the numeric coordinates have bends, in rising order; none at all if there is no array.
    heights : tuple of arrays of shape (n_knots, n_sums)
        What is added at the knots, besides what the slopes add: between knots it lies on the line between them, and
        beyond the outer ones it stays.
    is_ordered : bool
        Whether the classes stand in an order, and rows differ by how far up it they are.

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
    knots: tuple[Floats, ...] = ()
    heights: tuple[Floats, ...] = ()
    is_ordered: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it predicts a number, not classes."""
        return len(self.intercepts) == 1

    # ------------------------------------------------------------------------------------------------
    # What it makes of rows
    # ------------------------------------------------------------------------------------------------

    def sums(self, rows: Rows) -> Floats:
        """The sums, of rows with or without the coordinates of the score."""
        found = np.tile(self.intercepts, (len(rows), 1))
        # One by one: a product of matrices rounds by the number of rows, and equal rows must have equal scores.
        for place in range(len(self.slopes)):
            found += self.of_number(place, rows.numeric[:, place])
        for place, codes in enumerate(rows.codes.T):
            found += self.of_category(place, codes)
        return found

    def of_number(self, place: int, values: Floats) -> Floats:
        """What a numeric coordinate adds, for some values of it."""
        found: Floats = values[:, None] * self.slopes[place]
        if self.knots and len(self.knots[place]):
            for k, heights in enumerate(self.heights[place].T):
                found[:, k] += np.interp(values, self.knots[place], heights)
        return found

    def of_category(self, place: int, codes: NDArray[np.integer[Any]]) -> Floats:
        """What categories add, by their numbers; nothing where there is no number."""
        steps = self._with_unknown(place)
        found: Floats = steps[np.where(codes >= 0, codes, len(steps) - 1)]
        return found

    def _with_unknown(self, place: int) -> Floats:
        """What the categories of a column add, and last what an unknown one adds: nothing."""
        return np.vstack([self.steps[place], np.zeros(len(self.intercepts))])

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
        if self.is_ordered:
            at_least = np.cumsum(found[:, :0:-1], axis=1)[:, ::-1]
            return at_least * (self.weight / at_least.shape[1])
        # Half the sum of absolute differences is the difference itself where there are two of them.
        return found[:, 1:] * self.weight if found.shape[1] == 2 else found * (0.5 * self.weight)

    # ------------------------------------------------------------------------------------------------
    # How far a row moves through it
    # ------------------------------------------------------------------------------------------------

    def pull(self, changes: Floats) -> Floats:
        """By how much changes of the sums, along the last axis, pull two classes apart, or change the number."""
        return np.abs(changes[..., 0]) if self.is_number else np.asarray(np.ptp(changes, axis=-1))

    def distance(self, pull: Any) -> Any:
        """How far a row moves at most if its sums are pulled apart, or its number changes, by so much."""
        return self.weight * (pull if self.is_number else np.tanh(0.25 * pull))

    def moved(self, place: int, here: float, there: float) -> float:
        """How far a row moves at most, through its score, on the way of a numeric coordinate from here to there.

        >>> score = Score(1.0, np.zeros(1), np.zeros((1, 1)), (), (np.array([0.0, 1.0, 2.0]),), (np.eye(3)[:, 1:2],))
        >>> score.moved(0, 0.0, 0.5), score.moved(0, 0.0, 2.0)
        (0.5, 1.0)
        """
        return float(self.moved_each(place, np.array([here]), np.array([there]))[0])

    def moved_each(self, place: int, here: Floats, there: Floats) -> Floats:
        """The same for many ways at once."""
        start = self.of_number(place, here)
        pulls = self.pull(self.of_number(place, there) - start)
        knots = self.knots[place] if self.knots else np.empty(0)
        if len(knots):
            # Sums change along lines between knots, so nowhere are they further apart than at one, or at the end.
            passed = (knots > np.minimum(here, there)[:, None]) & (knots < np.maximum(here, there)[:, None])
            on_the_way = self.pull(self.of_number(place, knots) - start[:, None])
            pulls = np.maximum(pulls, np.where(passed, on_the_way, 0.0).max(axis=1))
        return np.asarray(self.distance(pulls))

    def room(self, place: int, here: float, way: int, radius: float) -> float:
        """How far a numeric coordinate may go, up or down, until the row may have moved by a radius, all in all.

        >>> score = Score(1.0, np.zeros(1), np.zeros((1, 1)), (), (np.array([0.0, 1.0]),), (np.array([[0.0], [3.0]]),))
        >>> score.room(0, 0.0, 1, 2.0), score.room(0, 0.0, -1, 2.0)
        (0.5, 2.0)
        """
        stops = np.append(here, self._stops(place, here, here + way * radius))
        far, changes = np.abs(stops - here), self._changes(place, stops)
        pulls = np.maximum.accumulate(self.pull(changes))
        # How far the row has moved never falls on the way, so the first stop that is too far ends the search.
        too_far = np.flatnonzero(far + self.distance(pulls) > radius)
        if not len(too_far):
            return radius
        # Sums change along lines from the stop before it, which is not too far, to that one.
        last = int(too_far[0]) - 1
        rise, turn = far[last + 1] - far[last], changes[last + 1] - changes[last]
        low, high = 0.0, 1.0
        for _ in range(REFINEMENTS):
            parts = np.linspace(low, high, N_PARTS + 1)
            pull = np.maximum(self.pull(changes[last] + parts[:, None] * turn), pulls[last])
            nearest = int(np.sum(far[last] + parts * rise + self.distance(pull) <= radius)) - 1
            low, high = parts[max(0, nearest)], parts[min(nearest + 1, N_PARTS)]
        return float(far[last] + low * rise)

    def _stops(self, place: int, here: float, there: float) -> Floats:
        """The knots of a coordinate on the way from here to there, and the end of it."""
        knots = self.knots[place] if self.knots else np.empty(0)
        between = knots[(knots > min(here, there)) & (knots < max(here, there))]
        return np.append(between if there > here else between[::-1], there)

    def _changes(self, place: int, stops: Floats) -> Floats:
        """What is added at the stops of a numeric coordinate, compared with the first one.

        On the way from one to the next it changes along lines, so sums are nowhere pulled further apart than at stops.
        """
        found = self.of_number(place, stops)
        return np.asarray(found - found[0])

    def step(self, place: int) -> float:
        """How far a row moves at most, through its score, when one of its categories becomes another, or unknown."""
        return float(self.distance(self.widest_step(place)))

    def widest_step(self, place: int) -> float:
        """What another category, or an unknown one, changes at most: the log-odds of two classes, or the number."""
        return self._widest(self._with_unknown(place))

    def widest_change(self, place: int, low: float, high: float) -> float:
        """The same of a numeric coordinate within some limits."""
        return self._widest(self.of_number(place, np.append(low, self._stops(place, low, high))))

    def _widest(self, sums: Floats) -> float:
        """By how much two of some sums may be pulled apart, or the number may change."""
        if self.is_number:
            return float(np.ptp(sums))
        return max(float(np.ptp(sums - part[:, None], axis=0).max()) for part in sums.T)
