"""From values of some rows to values of all: the lower and the upper extension of a Lipschitz function.

If values change by at most gamma times the distance, a row u with the value ``a_u`` says of a row x that its value is
at least ``a_u - gamma d(u, x)`` and at most ``a_u + gamma d(x, u)``. What all rows say together are the extensions of
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

# Bounds that are further off, as multiples of the range of the targets, say nothing that a float could hold.
FARTHEST = 1e15


class Bounds(NamedTuple):
    """What training rows say about rows: their values are at least, and at most, and best taken as, arrays."""

    lower: Floats
    upper: Floats
    prediction: Floats


class Interval(NamedTuple):
    """Lower and upper ends of intervals, arrays of shape (rows,)."""

    lower: Floats
    upper: Floats


class NodeBounds(NamedTuple):
    """What single nodes say about rows, most telling first; arrays of shape (rows, nodes).

    ``nodes`` are -1 where there are fewer. ``bounds`` are what they say: at least, or at most.
    """

    nodes: Ints
    bounds: Floats


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
        """The envelope that says "at least": what counts is by how much a node is above the row."""
        return replace(self.envelope, rows=self.envelope.rows.oriented(-1.0))

    @property
    def above(self) -> Envelope:
        """The envelope that says "at most": what counts is by how much a node is below the row."""
        return replace(self.envelope, rows=self.envelope.rows.oriented(1.0))

    def bounds(self, points: Rows) -> Bounds:
        """Both extensions, and the middle between them."""
        lower, below, upper, above = self._extremes(points)
        lower, upper = np.clip(lower, -FARTHEST, FARTHEST), np.clip(upper, -FARTHEST, FARTHEST)
        least, most = self.values.min(), self.values.max()
        if self.is_directed:
            lower, upper = np.maximum(lower, least), np.minimum(upper, most)
        upper = np.maximum(lower, upper)  # they may cross by rounding, where they meet
        middle = np.clip(0.5 * lower + 0.5 * upper, least, most)
        if not self.is_directed:  # one node says both: the middle is its value, whatever is lost to rounding
            middle = np.where((below == above) & (below >= 0), self.values[below], middle)
        return Bounds(lower, upper, middle)

    def _extremes(self, points: Rows) -> tuple[Floats, Ints, Floats, Ints]:
        values = self.values
        if not self.is_directed:
            envelope = self.envelope
            best, where = envelope.maxima(points, [envelope.query(values), envelope.query(-values)])
            return best[:, 0], where[:, 0], -best[:, 1], where[:, 1]
        least, most = self.below, self.above
        lower, below = least.maxima(points, [least.query(values)])
        upper, above = most.maxima(points, [most.query(-values)])
        return lower[:, 0], below[:, 0], -upper[:, 0], above[:, 0]

    def strongest_lower(self, points: Rows, k: int) -> NodeBounds:
        """The ``k`` nodes that say "at least" the most."""
        bounds, nodes = self.below.top(points, self.values, k)
        return NodeBounds(nodes, bounds)

    def strongest_upper(self, points: Rows, k: int) -> NodeBounds:
        """The ``k`` nodes that say "at most" the least."""
        bounds, nodes = self.above.top(points, -self.values, k)
        return NodeBounds(nodes, -bounds)
