"""How far predictions of numbers are off, and the intervals that follow.

Predictions of rows that were held out were off by so much: a number that depends on the row, since some are easy and
some are not. :mod:`fgac.selection.spread` learns it like any other number, by a regressor with a distance of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fgac._typing import Floats
from fgac.granular.extension import Interval
from fgac.metrics.distances import Rows
from fgac.tables.column_values import ReadColumn
from fgac.tables.reading import untyped

if TYPE_CHECKING:
    from fgac.estimators._state import RegressorState

# Intervals of rows that are absurdly far off end here, and not at infinity.
LARGEST = 1e300


class Around(NamedTuple):
    """Intervals of rows, their spreads, and by how much the intervals are wider beyond all training rows."""

    interval: Interval
    spread: Floats
    room: Floats


@dataclass(frozen=True, kw_only=True)
class Spread:
    """How far predictions are off, as rows held out have shown, and the interval around a prediction.

    Attributes
    ----------
    state : RegressorState
        A regressor of absolute errors of rows held out: the spread of a row is what it predicts.
    below, above : float
        Where the interval begins and ends, seen from the prediction, in multiples of the spread.
    least : float
        The least spread that is believed.
    """

    state: RegressorState
    below: float
    above: float
    least: float

    def of(self, rows: Rows, values: Sequence[ReadColumn]) -> Floats:
        """By how much predictions of rows are off, about; rows may have been read by another table."""
        table = self.state.table
        own = rows if table is None else table.rows(untyped(values, table.columns))
        return np.maximum(self.least, self.state.bounds(own).prediction)

    def around(self, state: RegressorState, rows: Rows, values: Sequence[ReadColumn]) -> Around:
        """Intervals around predictions, within the targets that were seen unless rows lie beyond all training rows."""
        predicted, spread, room = state.bounds(rows).prediction, self.of(rows, values), room_beyond(state, rows, values)
        lower, upper = predicted + self.below * spread, predicted + self.above * spread
        least, most = state.targets.min(), state.targets.max()
        is_beyond = room > 0
        lower = np.where(is_beyond, lower - room, np.clip(lower, least, most))
        upper = np.where(is_beyond, upper + room, np.clip(upper, least, most))
        return Around(Interval(lower, upper), spread, room)


def room_beyond(state: RegressorState, rows: Rows, values: Sequence[ReadColumn]) -> Floats:
    """By how much the number may go on changing beyond all training rows, where a prediction stays what it is."""
    if state.table is None:
        return np.zeros(len(rows))
    return np.minimum(state.slope * state.table.excess(values), LARGEST)
