"""Distances on the scale of an isomorphism: ``1 - phi(similarity)``.

Bounds do not cross if similarity R is transitive for the t-norm that phi makes of Lukasiewicz's, that is, if
``1 - phi(R)`` obeys the triangle inequality. Which similarity belongs to a distance d therefore depends on phi:

- If phi is convex, as powers with an exponent >= 1 are, ``R = max(0, 1 - gamma d)`` will do. ``1 - phi(1 - t)`` is then
  concave, increasing and 0 at 0, and such a function of a metric is a metric (:class:`Dissimilarity`).
- For any other phi it is ``R = phi^-1(max(0, 1 - gamma d))``. On the scale of phi that is the similarity of the
  identity again: distances stay as they are, and degrees are those of the Lukasiewicz connectives on another scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fgac._typing import Floats
from fgac.fuzzy.connectives import IDENTITY, Isomorphism
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.rounding import Rounding

# Degrees between which the slope of an isomorphism is measured, and one more.
GRID = 257


@dataclass(frozen=True)
class Dissimilarity:
    """The metric ``1 - phi(1 - gamma d)`` of another metric d, where ``gamma d <= 1``; ``gamma d`` beyond.

    phi should be convex. With the connectives that phi induces, everything that the identity computes with ``gamma d``
    is computed with this one, and taken back by the inverse of phi. Beyond similarity 0 nothing counts as an argument;
    the distance only goes on growing there so that the nearest row stays the nearest.

    >>> import numpy as np
    >>> from fgac.fuzzy.connectives import power
    >>> from fgac.metrics.distances import Euclidean
    >>> out = np.empty((1, 2))
    >>> metric = Dissimilarity(Euclidean(), 0.5, power(2))
    >>> metric.block(Rows.from_numeric([[0.0]]), Rows.from_numeric([[1.0], [4.0]]), out)
    >>> out
    array([[0.75, 2.  ]])
    """

    metric: Metric
    gamma: float
    isomorphism: Isomorphism

    @property
    def tile(self) -> tuple[int, int]:
        """The tile of the metric underneath."""
        return self.metric.tile

    def block(self, left: Rows, right: Rows, out: Floats) -> None:
        """Write a block of dissimilarities into ``out``."""
        self.metric.block(left, right, out)
        out *= self.gamma
        bend(out, self.isomorphism)

    def rounding(self, rows: Rows) -> Rounding:
        """Errors of ``gamma d``, times the steepest that phi is."""
        errors = self.metric.rounding(rows)
        slope = steepest(self.isomorphism)
        return Rounding(slope * self.gamma * errors.rows, slope * errors.share)

    def merges(self, rows: Rows) -> bool:
        """What has no distance has no dissimilarity."""
        return self.metric.merges(rows)


def steepest(isomorphism: Isomorphism) -> float:
    """The steepest slope of phi between neighbours of a fine grid; infinite slopes are told as very large ones.

    >>> from fgac.fuzzy.connectives import power
    >>> steepest(power(2))
    1.99609375
    """
    degrees = np.linspace(0.0, 1.0, GRID)
    return float(np.diff(isomorphism(degrees)).max() * (GRID - 1))


def bend(steps: Floats, isomorphism: Isomorphism) -> None:
    """Turn ``gamma d`` into ``1 - phi(1 - gamma d)`` in place, where it is less than 1."""
    near = steps < 1.0  # phi is defined on [0, 1] only
    steps[near] = 1.0 - isomorphism(1.0 - steps[near])


def bent_metric(metric: Metric, gamma: float, isomorphism: Isomorphism) -> tuple[Metric, float]:
    """What constraints and envelopes are made of: a metric on the scale of phi, and the factor of its distances.

    >>> from fgac.fuzzy.connectives import power
    >>> from fgac.metrics.distances import Euclidean
    >>> bent_metric(Euclidean(), 2.0, IDENTITY) == bent_metric(Euclidean(), 2.0, power(0.5)) == (Euclidean(), 2.0)
    True
    >>> bent_metric(Euclidean(), 2.0, power(3))[1]
    1.0
    """
    return bent(metric, gamma, isomorphism) if isomorphism.is_convex else (metric, gamma)


def bent(metric: Metric, gamma: float, isomorphism: Isomorphism) -> tuple[Metric, float]:
    """The same for a similarity of ``max(0, 1 - gamma d)``, whether or not that is transitive."""
    if isomorphism == IDENTITY:
        return metric, gamma
    # phi bends gamma d as a whole, so gamma goes into the metric.
    return Dissimilarity(metric, gamma, isomorphism), 1.0
