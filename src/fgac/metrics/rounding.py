"""How far distances computed in double precision may be from those of the caller's table.

A coordinate is a number of the table after three or four roundings (origin, scale, weight), so it is off by at most
``COORDINATE_ERROR`` of itself. A row is then off by that share of its norm, and, because a metric obeys the triangle
inequality, a distance by no more than its two rows are. Adding up differences, and the matrix product of many columns,
add an error that is a share of the distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fgac._typing import Floats

# The unit roundoff of a double.
ROUNDOFF = 2.0**-53
COORDINATE_ERROR = 4 * ROUNDOFF


class Rounding(NamedTuple):
    """Bounds of the errors of distances: of every row, and a share of the distance itself.

    ``|computed - true| <= rows[u] + rows[v] + share * computed``. Two rows that are equal in all coordinates have the
    distance 0, which is exact.

    >>> Rounding(np.array([0.25, 0.5]), 0.125).bound(2.0, 1.0)
    2.125
    """

    rows: Floats
    share: float

    def bound(self, gamma: float, range_: float) -> float:
        """A bound of the error of ``gamma * distance`` for all pairs for which that is within a range."""
        return float(2 * gamma * self.rows.max(initial=0.0) + self.share * range_)

    @classmethod
    def none(cls, n: int) -> Rounding:
        """Of n rows whose distances are what the caller says they are."""
        return cls(np.zeros(n), ROUNDOFF)


def rounding_of_points(points: Floats, order: float, n_sums: int, lost: float = 1.0) -> Rounding:
    """The errors of distances in the norm of some order; ``lost`` is a factor for sums that lose digits."""
    norms = np.linalg.norm(points, ord=order, axis=1) if points.shape[1] else np.zeros(len(points))
    return Rounding(COORDINATE_ERROR * norms, (n_sums + 8) * ROUNDOFF * lost)
