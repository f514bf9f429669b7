"""A curve along one numeric feature, and the predictions of a regressor at every point of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fgac._typing import Floats
from fgac.estimators._base import read_new_rows
from fgac.estimators._state import RegressorState, state_of
from fgac.estimators.regressor import FGARegressor
from fgac.granular.extension import Bounds, Interval
from fgac.tables.column_values import NumericColumn, ReadColumn
from fgac.tables.table import Table
from fgac.tables.value_kinds import DATES

# How much further than the rows the curve reaches, as a share of their range.
MARGIN = 0.05
# A curve of one column bends at every training row; of more rows the bends are too close to be seen.
MOST_BENDS = 2000


class Curve(NamedTuple):
    """One regressor along one feature.

    Attributes
    ----------
    grid : array of shape (n_points,)
        Values of the feature.
    bounds : Bounds
        Lower bound, upper bound and prediction at each.
    interval : Interval or None
        Ends of the prediction interval, if the model has one.
    name : str
        The feature.
    place : float or None
        The feature of the row that is followed, if one was given.
    """

    grid: Floats
    bounds: Bounds
    interval: Interval | None
    name: str
    place: float | None
    is_date: bool


def curve_of(model: FGARegressor, X: Any, column: int, n_points: int) -> Curve:
    """The predictions of one row (or of no other columns than this one) while one feature changes."""
    state: RegressorState = state_of(model)
    assert state.table is not None  # feature_column has refused distances
    values = [] if X is None else read_new_rows(model, X)[1]
    value = None if X is None else values[column].value(0)
    place = None if value is None else float(value)
    grid = _grid(state, column, place, n_points)
    varied = _varied(state.table, values, column, grid)
    rows = state.table.rows(varied)
    interval = state.prediction_interval(rows, varied) if state.has_interval else None
    is_date = state.table.columns[column].kind in DATES
    return Curve(grid, state.bounds(rows), interval, state.column_names[column], place, is_date)


def feature_column(state: RegressorState, feature: str | int | None) -> int:
    """The position of the feature that changes."""
    if state.table is None:
        raise ValueError("the model knows only distances; a curve needs a column that changes")
    names = list(state.column_names)
    if feature is None:
        if len(names) > 1:
            raise ValueError(
                f"feature is missing; the model has several columns, so name the one that changes: {names}"
            )
        feature = 0
    if isinstance(feature, str) and feature not in names:
        raise ValueError(f"feature={feature!r} is no column of the model; expected one of {names}")
    column = names.index(feature) if isinstance(feature, str) else int(feature)
    if not 0 <= column < len(names):
        raise ValueError(f"feature={feature!r} is no position of a column; the model has {len(names)}")
    if state.table.columns[column].is_categorical:
        raise ValueError(f"feature={names[column]!r} is nominal; a curve needs numbers")
    return column


def training_points(state: RegressorState) -> Floats | None:
    """Feature, target and fitted value of the training rows of a model with one column; None if it keeps no values."""
    records = state.records
    if not records.values:
        return None
    fitted = state.scale.to_user_scale(state.extension.values)
    return np.column_stack([records.values[0], state.targets[records.nodes], fitted[records.nodes]])


def _grid(state: RegressorState, column: int, place: float | None, n_points: int) -> Floats:
    """Values of the feature: a little beyond those of the training rows and of the row that is marked."""
    kept = state.records.values
    if kept:
        low, high = float(np.nanmin(kept[column])), float(np.nanmax(kept[column]))
    else:  # the model keeps no values: one unit of the scale around the row
        assert state.table is not None
        unit = state.table.columns[column].scale
        low, high = (place or 0.0) - 0.5 * unit, (place or 0.0) + 0.5 * unit
    if place is not None:
        low, high = min(low, place), max(high, place)
    room = MARGIN * (high - low) or 1.0
    points = np.linspace(low - room, high + room, n_points)
    # Where the curve bends it needs a point, or corners would be cut: at training rows and at the row that is marked.
    bends = kept[column] if kept and len(kept) == 1 and len(kept[column]) <= MOST_BENDS else np.empty(0)
    bends = bends[~np.isnan(bends)]  # rows of which the feature is unknown are nowhere on the curve
    return np.unique(np.concatenate([points, bends, [] if place is None else [place]]))


def _varied(table: Table, values: list[ReadColumn], column: int, grid: Floats) -> list[ReadColumn]:
    """The columns of one row many times, with other values of one feature."""
    rest = range(len(table.columns))
    return [NumericColumn(grid) if j == column else values[j].repeat(len(grid)) for j in rest]
