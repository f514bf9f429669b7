"""Ordered classes as boundaries: being of a class is being above one boundary AND not above the next.

Every boundary is a problem of two classes of its own. All of them see the same rows, weights and gamma, so that
memberships above a boundary do not rise from one boundary to the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fgac._tolerances import STRENGTH_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.granular.membership import Memberships


class AtLeast(NamedTuple):
    """How true it is that rows are of a class or above, arrays of shape (rows, classes - 1).

    Column i is about class i + 1 from the lowest: every row is at least of the lowest class.
    """

    lower: Floats
    upper: Floats
    degree: Floats

    def resembles_nothing(self, winners: Ints) -> Bools:
        """Which rows no training row puts above or below the boundaries next to their classes, ``winners``.

        >>> at_least = AtLeast(np.array([[0.5, 0.0]] * 2), np.ones((2, 2)), np.array([[0.75, 0.5]] * 2))
        >>> at_least.resembles_nothing(np.array([1, 2]))
        array([False,  True])
        """
        return self.strongest(winners) <= STRENGTH_TOL

    def strongest(self, winners: Ints) -> Floats:
        """The strength of the strongest argument at the boundaries next to the classes of rows, ``winners``.

        An argument may put a row above such a boundary or below it. A single class has no boundaries, and nothing
        speaks against it: 1.

        >>> at_least = AtLeast(np.array([[0.5, 0.0]] * 2), np.ones((2, 2)), np.array([[0.75, 0.5]] * 2))
        >>> at_least.strongest(np.array([1, 2]))
        array([0.5, 0. ])
        """
        if not self.lower.shape[1]:
            return np.ones(len(self.lower))
        # Below the first class and above the last is no boundary that could say anything.
        beside = np.pad(np.maximum(self.lower, 1.0 - self.upper), ((0, 0), (1, 1)))
        rows = np.arange(len(beside))
        return np.maximum(beside[rows, winners], beside[rows, winners + 1])


def nested(boundaries: list[Memberships], n_rows: int) -> AtLeast:
    """Memberships of rows above some boundaries; they are nested but for rounding, which is taken out."""
    parts = []
    for name in AtLeast._fields:
        columns = np.empty((n_rows, len(boundaries)))
        for i, memberships in enumerate(boundaries):
            columns[:, i] = getattr(memberships, name)[:, 1]
        parts.append(np.minimum.accumulate(columns, axis=1))
    return AtLeast(*parts)


def summed_up(judged: list[tuple[Memberships, Floats]], n_rows: int) -> tuple[AtLeast, Ints]:
    """Nested memberships above some boundaries, and how many of these each row is above, ties broken."""
    winners = np.zeros(n_rows, dtype=np.int64)
    for _, scores in judged:
        winners += np.argmax(scores, axis=1)
    return nested([memberships for memberships, _ in judged], n_rows), winners


def memberships_of(at_least: AtLeast) -> Memberships:
    """A row is of class c if it is at least of c AND not at least of the next class: the smaller of both."""
    lower, upper, degree = at_least

    def both(this: Floats, following: Floats) -> Floats:
        return np.minimum(_from_lowest(this), 1.0 - _to_highest(following))

    return Memberships(both(lower, upper), both(upper, lower), both(degree, degree))


def degrees_by_class(at_least: Floats) -> Floats:
    """By how much degrees of "at least this class" fall from one class to the next; they sum to 1.

    >>> degrees_by_class(np.array([[0.75, 0.5]]))
    array([[0.25, 0.25, 0.5 ]])
    """
    return _from_lowest(at_least) - _to_highest(at_least)


def _from_lowest(at_least: Floats) -> Floats:
    """Degrees of "at least" for every class; for the lowest it is 1."""
    return np.pad(at_least, ((0, 0), (1, 0)), constant_values=1.0)


def _to_highest(at_least: Floats) -> Floats:
    """Degrees of "at least the next class" for every class; after the highest there is none."""
    return np.pad(at_least, ((0, 0), (0, 1)), constant_values=0.0)
