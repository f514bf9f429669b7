"""The angle between rows: a distance for embeddings, counts and pixels, where only proportions mean something.

Two rows are as far apart as their directions: the angle between them, as a share of a half turn. So a row and twice the
row are at distance 0, perpendicular rows at 1/2, and opposite rows at 1. A row of zeros has no direction. It is taken
to be perpendicular to all others, as if it had a column of its own: 1/2 from every direction, and 0 from another row of
zeros. All rows are then points of one sphere, on which angles obey the triangle inequality, as the cosine of an angle
does not.

The arccosine of an inner product would lose half of the digits of small angles. With x and y of length 1::

    angle = 2 arctan(|x - y| / |x + y|)

loses none, and gives 1/2 for a row of zeros without being asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fgac._kernels.layouts import CANCELLATION
from fgac._typing import Floats
from fgac.metrics.rounding import COORDINATE_ERROR, ROUNDOFF, Rounding

if TYPE_CHECKING:
    from fgac.metrics.distances import Rows

# Half of a half turn: what the arctangent of a half angle is divided by.
QUARTER = 0.5 * np.pi
# Numbers near 0 have steps of 2**-1074. A row whose largest coordinate is below this may have lost digits to them.
SMALLEST = 2.0**-1000


def directions(points: Floats) -> Floats:
    """Rows divided by their lengths; those of zeros stay as they are.

    >>> directions(np.array([[3.0, 4.0], [3e-300, 4e-300], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0.6, 0.8],
           [0. , 0. ]])
    """
    if not points.shape[1]:
        return points
    most = np.abs(points).max(axis=1, keepdims=True)
    units = points / np.where(most > 0, most, 1.0)
    return np.asarray(units / np.where(most > 0, np.linalg.norm(units, axis=1, keepdims=True), 1.0))


@dataclass(frozen=True)
class Angular:
    """The angle between rows, divided by pi: a metric on directions, between 0 and 1.

    Rows need not have the length 1. Codes of categories, which have no direction, are not looked at.

    >>> from fgac.metrics.distances import Rows
    >>> rows, out = Rows.from_numeric([[1.0, 0.0], [7.0, 7.0], [-2.0, 0.0], [0.0, 0.0]]), np.empty((1, 4))
    >>> Angular().block(rows[:1], rows, out)
    >>> out
    array([[0.  , 0.25, 1.  , 0.5 ]])
    """

    name: str = "angular"
    tile: tuple[int, int] = (128, 512)

    def block(self, left: Rows, right: Rows, out: Floats) -> None:
        """Write a block of distances into ``out``."""
        from fgac._kernels.distances import half_tangents

        half_tangents(left.numeric, right.numeric, out)
        np.arctan(out, out=out)
        out /= QUARTER

    def rounding(self, rows: Rows) -> Rounding:
        """Errors of directions and of their lengths, in radians over pi; and of inner products, as a share.

        Coordinates that are each off by a share e of themselves turn a row by no more than arcsin(e). A length that is
        off by e turns nothing, but shows as an angle of e in the formula. An inner product of n columns is off by n
        roundings, which is 1 / CANCELLATION as much of the smallest square that is taken from one. A row that
        underflow would turn by more than the last of its digits is :data:`SMALLEST`, and for tables to refuse.
        """
        n = rows.numeric.shape[1]
        # Two roundings for divisions by the largest number and by the length; n / 2 + 3 for the length; 1 to spare.
        turned = COORDINATE_ERROR + (6 + 0.5 * n) * ROUNDOFF
        share = (n + 8) * ROUNDOFF * (1.0 + 1.0 / CANCELLATION)
        # A row of zeros is exact.
        return Rounding(np.where(rows.numeric.any(axis=1), turned / np.pi, 0.0), share)

    def merges(self, rows: Rows) -> bool:
        """Whether rows that are not equal have the same direction in all digits."""
        return len(np.unique(directions(rows.numeric), axis=0)) < len(np.unique(rows.numeric, axis=0))
