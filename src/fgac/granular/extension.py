"""From values of some rows to values of all: the lower and the upper extension of a Lipschitz function.

If values change by at most gamma times the distance, a row u with the value ``a_u`` bounds the value of a row x: it is
at least ``a_u - gamma d(u, x)`` and at most ``a_u + gamma d(x, u)``. The tightest of these bounds are the extensions of
McShane and Whitney; between them lies every function of that slope, and in the middle the prediction::

    lower(x) = max over u of  a_u - gamma d(u, x)
    upper(x) = min over u of  a_u + gamma d(x, u)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows
from fgac.query.envelope import Envelope

# Bounds further off, as multiples of the range of the targets, are cut off here: they bound nothing, and on the user's
# scale they could be more than a float can hold.
FARTHEST = 1e15


class Bounds(NamedTuple):
    """The least and the largest value that rows may have, and the one predicted: arrays of shape (rows,)."""

    lower: Floats
    upper: Floats
    prediction: Floats


class Interval(NamedTuple):
    """Lower and upper ends of intervals, arrays of shape (rows,)."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True)
class Extension:
    """The envelope on nodes with values; where columns are ordered, seen from above and from below.

    With ordered columns a row may have nothing below it, or nothing above. Its bounds are then cut off at the smallest
    and the largest value, as an isotonic function continues its first and last value.

    >>> from fgac.metrics.distances import Euclidean
    >>> envelope = Envelope(Rows.from_numeric([[0.0], [1.0]]), Euclidean(), gamma=2.0)
    >>> found = Extension(envelope, np.array([0.0, 1.0])).bounds(Rows.from_numeric([[0.8]]))
    >>> found.lower.round(2), found.upper.round(2), found.prediction.round(2)
    (array([0.6]), array([1.4]), array([1.]))
    """

    envelope: Envelope
    values: Floats

    @property
    def is_directed(self) -> bool:
        """Whether columns are ordered, so that the way from one row to another is not the way back."""
        return self.envelope.rows.ordered is not None

    @property
    def below(self) -> Envelope:
        """The envelope of lower bounds: what counts is by how much a node is above the row."""
        return replace(self.envelope, rows=self.envelope.rows.oriented(-1.0))

    @property
    def above(self) -> Envelope:
        """The envelope of upper bounds: what counts is by how much a node is below the row."""
        return replace(self.envelope, rows=self.envelope.rows.oriented(1.0))

    def bounds(self, points: Rows) -> Bounds:
        """Both extensions, and the middle between them."""
        return self.bounds_and_strength(points)[0]

    def bounds_and_strength(self, points: Rows) -> tuple[Bounds, Floats]:
        """The same, and the strength of the strongest argument: what share of the range of the targets it rules out.

        The range is that from 0 to 1. Where strength is 0, no node says more than everybody knows.
        """
        lower, below, upper, above = self._extremes(points)
        strength = np.clip(np.maximum(lower, 1.0 - upper), 0.0, 1.0)
        lower, upper = np.clip(lower, -FARTHEST, FARTHEST), np.clip(upper, -FARTHEST, FARTHEST)
        least, most = self.values.min(), self.values.max()
        if self.is_directed:
            lower, upper = np.maximum(lower, least), np.minimum(upper, most)
        # They may cross by rounding, where they meet, or because distances break the triangle inequality.
        lower, upper = np.minimum(lower, upper), np.maximum(lower, upper)
        middle = np.clip(0.5 * lower + 0.5 * upper, least, most)
        if not self.is_directed:  # where one node gives both bounds, the middle is its value, without rounding
            middle = np.where((below == above) & (below >= 0), self.values[below], middle)
        return Bounds(lower, upper, middle), strength

    def _extremes(self, points: Rows) -> tuple[Floats, Ints, Floats, Ints]:
        """Lower bounds and the nodes that give them, upper bounds and the nodes that give them."""
        values = self.values
        if not self.is_directed:
            # Both ways are equally long: one walk over the distances answers both queries.
            envelope = self.envelope
            best, where = envelope.maxima(points, [envelope.query(values), envelope.query(-values)])
            return best[:, 0], where[:, 0], -best[:, 1], where[:, 1]
        least, most = self.below, self.above
        lower, below = least.maxima(points, [least.query(values)])
        upper, above = most.maxima(points, [most.query(-values)])
        return lower[:, 0], below[:, 0], -upper[:, 0], above[:, 0]
