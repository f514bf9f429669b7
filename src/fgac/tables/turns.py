"""How far the direction of a row turns when one of its columns changes.

All that a change of one column does takes place in one plane: that of the column and of the rest of the row. There the
row is the point (r, x), r being the length of the rest and x the coordinate of the column, and it becomes (r, x')::

    angle between them  =  |arctan(x' / r) - arctan(x / r)|

which only rises as x' goes away from x. The way until an angle psi is reached, upwards, is found by turning the point::

    x' - x  =  sin(psi) (r^2 + x^2) / (r cos(psi) - x sin(psi))

and is without end if the denominator is not positive: the angle with the column's own axis is never reached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.tables.columns import Column
from fgac.tables.table import Table

# What a row of zeros is from every direction, and so the most that a value in place of an unknown one, a 0, can turn.
RIGHT_ANGLE = 0.5


@dataclass(frozen=True)
class Turns:
    """One row, seen as a direction: what :class:`~fgac.tables.table.Table` knows of moves, for angles.

    Attributes
    ----------
    table : Table
    length : float
        Length of the row.
    rests : array of shape (n_columns,)
        Lengths of the row without each of its columns.

    >>> from fgac.tables.columns import Column
    >>> turns = Turns.of(Table((Column("a"), Column("b")), 1.0, keeps_column_order=False), [1.0, 1.0])
    >>> turns.moved(0, 1.0, 0.0), turns.room(0, 1.0, -1, 0.25), turns.room(0, 1.0, 1, 0.3)
    (0.25, 1.0, inf)
    """

    table: Table
    length: float
    rests: Floats

    @classmethod
    def of(cls, table: Table, values: Sequence[Any]) -> Turns:
        """The row with these values, None where one is unknown."""
        sizes = np.abs([_coordinate(table, j, value) for j, value in enumerate(values)])
        # From both ends, because what is left after a subtraction would have lost digits; and without squares, which
        # leave the range of a double where numbers do not.
        before = np.append(0.0, np.hypot.accumulate(sizes))
        behind = np.append(0.0, np.hypot.accumulate(sizes[::-1]))[::-1]
        return cls(table, float(before[-1]), np.hypot(before[:-1], behind[1:]))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the table."""
        return self.table.columns

    @property
    def keeps_column_order(self) -> bool:
        """Whether a metric of the user's own is to see the columns: never."""
        return self.table.keeps_column_order

    def step(self, j: int) -> float:
        """How far another category moves the row: categories have no weight."""
        return self.table.step(j)

    def moved(self, j: int, here: float, there: float) -> float:
        """The angle by which the row turns while a number of a column goes from here to there, as a share of pi."""
        if not self.table.factor(j) or here == there:
            return 0.0
        r, x, to = float(self.rests[j]), self.table.place(j, here), self.table.place(j, there)
        if not r and not (x and to):
            return RIGHT_ANGLE  # from or to a row of zeros
        unit = max(r, abs(x), abs(to))
        r, x, to = r / unit, x / unit, to / unit
        return math.atan2(r * abs(to - x), r * r + x * to) / math.pi

    def moved_each(self, j: int, here: Floats, there: Floats) -> Floats:
        """The same for many ways at once."""
        return np.array([self.moved(j, *ends) for ends in zip(here.tolist(), there.tolist(), strict=True)])

    def room(self, j: int, here: float, way: int, radius: float) -> float:
        """How far a number of a column may go on its scale, up or down, while the row turns by at most a radius."""
        if not self.length:
            return math.inf if radius > RIGHT_ANGLE else 0.0
        factor, r = self.table.factor(j), float(self.rests[j]) / self.length
        x = way * self.table.place(j, here) / self.length
        if radius > 1.0 or (radius == 1.0 and r):
            return math.inf
        if not r:  # the row is this column and nothing else: on the way to 0 it does not turn at all
            return math.inf if x > 0 else abs(here)
        sine, cosine = math.sin(math.pi * radius), math.cos(math.pi * radius)
        left = r * cosine - x * sine
        return math.inf if left <= 0 else sine * (r * r + x * x) / left * (self.length / factor)

    def moved_from_unknown(self, j: int) -> float:
        """How far the row turns at most when an unknown value becomes known: as far as from 0 to anything."""
        return RIGHT_ANGLE if self.columns[j].weight else 0.0


def _coordinate(table: Table, j: int, value: Any) -> float:
    """The coordinate of a value; 0 of one that is unknown, or a category, which has none."""
    column = table.columns[j]
    return 0.0 if value is None or column.is_categorical else table.place(j, float(column.scaled(float(value))))
