"""How far a row may move before its label can change, and how far a change of one feature moves it.

Every degree changes by at most gamma times the distance that the row moves, so the lead of one class over another by at
most twice that: within ``(margin - tie) / (2 gamma)`` the label stays, where ``tie`` is by how much degrees may differ
and still count as equal, for the label of a tie is decided otherwise. In ordered columns, moves that can only be for
the label do not even count. With an isomorphism this holds on its scale, where similarity is transitive. Averaged on
the other scale (OWA), or with distances that may not obey the triangle inequality, nothing is guaranteed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fgac._tolerances import RANK_TOL, ROUND_NUMBER_TOL, TIE_TOL
from fgac._typing import Floats
from fgac.fuzzy.connectives import Isomorphism
from fgac.metrics.distances import Blockwise, Metric
from fgac.tables.columns import Column
from fgac.tables.table import Table
from fgac.tables.turns import Turns

# Steps below this are not rounded: a power of ten that is smaller has few digits, or none.
SMALLEST_STEP = 1e-300
# An isomorphism that leaves all of these as they are is the identity, whoever made it.
PROBE = np.linspace(0.0, 1.0, 9)
# Where, between two degrees, it is asked how far a tie may be apart on the scale of an isomorphism.
PLACES = np.linspace(0.0, 1.0, 257)
# A tie is recognised by numbers that are rounded, so a little more than its tolerance is taken off.
TIED = 1.001


class RobustnessRadius:
    """The distance that rows may move without a change of label, for the predictions of one model.

    >>> from fgac.fuzzy.connectives import IDENTITY
    >>> from fgac.metrics.distances import Euclidean
    >>> radius = RobustnessRadius(Euclidean(), 2.0, IDENTITY, averaged=False).radius(np.array([0.1, 0.9]), 1, 0)
    >>> radius < 0.2, round(radius, 6)
    (True, 0.2)

    Parameters
    ----------
    metric, gamma, isomorphism
        Of the model; the metric before the isomorphism bends it.
    averaged : bool
        Whether bounds are ordered weighted averages.
    bent : bool
        Whether the isomorphism bends similarity, see :mod:`fgac.granular.dissimilarity`.
    """

    def __init__(
        self, metric: Metric, gamma: float, isomorphism: Isomorphism, *, averaged: bool, bent: bool = False
    ) -> None:
        self.gamma, self.phi, self.bent = gamma, isomorphism, bent
        is_curved = not np.array_equal(self.phi(PROBE), PROBE)
        # Similarity that is bent keeps its slope only if the scale is convex, as it is unless an older version made
        # the model. Averages on the user's scale do not even then.
        keeps_slope = not is_curved or ((not bent or self.phi.is_convex) and not averaged)
        self.holds = keeps_slope and not isinstance(metric, Blockwise)

    def radius(self, degree: Floats, k: int, second: int | None) -> float | None:
        """How far a row in class k may move, if ``second`` has the next largest degree; None without guarantee."""
        if not self.holds:
            return None
        if second is None:
            return float(self.reach(np.ones(1))[0])
        first, other = (float(self.phi(degree[c])) for c in (k, second))
        # Where the two meet, their degrees are at least in the middle.
        return float(self.reach(np.array([first - other]), least=0.5 * (first + other))[0])

    def reach(self, leads: Floats, least: float = 0.0) -> Floats:
        """How far rows must move at least until leads like these, on the scale of the isomorphism, are those of a tie.

        0 where nothing is guaranteed. ``least`` is what degrees that tie are at least, on that scale.

        >>> from fgac.fuzzy.connectives import IDENTITY
        >>> from fgac.metrics.distances import Euclidean
        >>> RobustnessRadius(Euclidean(), 2.0, IDENTITY, averaged=False).reach(np.array([0.8, 0.0])).round(6)
        array([0.2, 0. ])
        """
        if not self.holds:
            return np.zeros(len(leads))
        leads = np.clip(leads - self._tie(least), 0.0, 2.0)
        # What a move by r takes off a degree on the scale of phi is gamma r, or 1 - phi(1 - gamma r) where it is bent.
        reach = 1.0 - np.asarray(self.phi.inverse(1.0 - 0.5 * leads)) if self.bent else 0.5 * leads
        return np.asarray(np.maximum(0.0, reach) / self.gamma)

    def _tie(self, least: float) -> float:
        """How far apart degrees that tie may be: they tie on the user's scale, and on that of phi it may be more."""
        if self.phi(PROBE).tolist() == PROBE.tolist():
            return TIED * TIE_TOL
        start = max(0.0, float(self.phi.inverse(np.array(min(1.0, least)))) - TIE_TOL)
        places = np.minimum(1.0, np.append(start + (1.0 - start) * PLACES, 1.0 - TIE_TOL))
        return TIED * float(np.max(self.phi(np.minimum(1.0, places + TIE_TOL)) - self.phi(places)))


# How far rows move when a column changes: the same for all rows of a table, or that of one row, where angles count.
Moves = Table | Turns


def allowance(moves: Moves, j: int, radius: float | None, value: Any, direction: int = 0) -> float | None:
    """By how much one column alone may change within a radius, in its own units; None if no change of it matters.

    Another category moves the row by the weight of the column, or not far enough to matter, or too far: 0. So does a
    value that takes the place of an unknown one (None). With a ``direction`` of 1 or -1 a change that way does not
    matter, and only the other way is asked about.
    """
    column = moves.columns[j]
    is_new = value is None and not moves.keeps_column_order
    moved = moves.moved_from_unknown(j) if is_new else moves.step(j)
    # A metric of the user's own sees categories as numbers, and may do with them what it likes, weight or not.
    if moved == 0 and not (column.is_categorical and moves.keeps_column_order):
        return None
    if radius is None:
        return 0.0
    if value is None or column.is_categorical:
        return None if moved < radius else 0.0
    here = float(column.scaled(np.array(float(value))))
    rooms = []
    for way in (1, -1):
        far = moves.room(j, here, way, radius)
        if column.ranks is None:
            rooms.append(far * column.scale)
        elif way != direction:
            rooms.append(way * (crossing(column, float(value), way * far) - float(value)))
    room = min(rooms)
    return room if np.isfinite(room) else None


def crossing(column: Column, value: float, far: float) -> float:
    """The value whose rank differs by ``far`` from the rank of another value; infinite where there is none.

    >>> column = Column("age", ranks=((20.0, 30.0, 70.0), (0.0, 0.5, 1.0)))
    >>> crossing(column, 30.0, 0.25), crossing(column, 30.0, -0.6)
    (50.0, -inf)
    """
    assert column.ranks is not None
    knots, shares = column.ranks
    rank = float(column.scaled(value)) + far
    if not shares[0] - RANK_TOL <= rank <= shares[-1] + RANK_TOL:
        return float(np.copysign(np.inf, far))
    return float(np.interp(rank, shares, knots))


def distance_moved(moves: Moves, j: int, value: Any, step: float | None) -> float:
    """How far a change of one column by a step, up or down, moves a row at most; None is another category."""
    if step is None:
        return moves.step(j)
    # By rank, the same step is a longer way where many training rows are, so both ends are looked at.
    here, *there = moves.columns[j].scaled(np.array([value, value - step, value + step])).tolist()
    return max(moves.moved(j, here, end) for end in there)


def round_down(x: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not above a number >= 0.

    >>> round_down(0.37), round_down(5.0), round_down(14.2)
    (0.2, 5.0, 10.0)
    """
    if x < SMALLEST_STEP:
        return x
    power = 10.0 ** math.floor(math.log10(x))
    return max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= x * (1 + ROUND_NUMBER_TOL))
