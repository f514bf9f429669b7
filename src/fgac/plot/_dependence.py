"""Predictions of rows in which one feature is set to one value after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.estimators._base import read_new_rows
from fgac.estimators._state import ClassState, FittedState, RegressorState, state_of
from fgac.metrics.distances import Rows
from fgac.tables.column_values import CategoricalColumn, NumericColumn, ReadColumn
from fgac.tables.value_kinds import DATES

# How much further than the training rows the values reach, as a share of their range.
MARGIN = 0.08
# Up to so many different numbers are values of their own; of more, the values are equally far apart.
FEW_NUMBERS = 20


class Feature(NamedTuple):
    """One feature, and the values that it is set to.

    Attributes
    ----------
    name : str
    values : array of shape (n_values,)
        Numbers, rising; or categories, the most frequent ones of the training rows first.
    is_categorical, is_date : bool
    training : array of shape (n_rows,) or None
        What the training rows have there, if the model keeps it.
    n_left_out : int
        Categories that are not among the values.
    """

    name: str
    values: NDArray[Any]
    is_categorical: bool
    is_date: bool
    training: NDArray[Any] | None
    n_left_out: int = 0


def column_of(state: FittedState, feature: str | int) -> int:
    """The position of a feature that is given by name or position."""
    if state.table is None:
        raise ValueError("the model knows only distances; there is no column that could change")
    names = list(state.column_names)
    if isinstance(feature, str) and feature not in names:
        raise ValueError(f"feature={feature!r} is no column of the model; expected one of {names}")
    if not isinstance(feature, str | int | np.integer) or isinstance(feature, bool):
        raise TypeError(f"feature={feature!r} is of type {type(feature).__name__}; expected a name or a position")
    column = names.index(feature) if isinstance(feature, str) else int(feature)
    if not 0 <= column < len(names):
        raise ValueError(f"feature={feature!r} is no position of a column; the model has {len(names)}")
    return column


def feature_of(state: FittedState, column: int, given: ReadColumn, n_points: int, max_categories: int) -> Feature:
    """The feature, and values that span those of the training rows, or of the rows given if the model keeps none."""
    assert state.table is not None  # column_of has refused distances
    name, known = state.column_names[column], state.table.columns[column]
    kept = _records(state).values
    training = None if kept is None else kept[column]
    seen = given.to_array() if training is None else training
    if known.is_categorical:
        categories, n = _categories(known.categories or {}, seen, max_categories)
        return Feature(name, categories, True, False, training, n - len(categories))
    numbers = seen[np.isfinite(seen)]
    if not len(numbers):
        raise ValueError(f"feature={name!r} has no known values, so there is nothing to set it to")
    return Feature(name, _numbers(numbers, n_points), False, known.kind in DATES, training)


def _records(state: Any) -> Any:
    """The training rows of a model; those of ordered classes are the same at every boundary."""
    return state.boundaries[0].records if hasattr(state, "boundaries") else state.records


def _numbers(numbers: Floats, n_points: int) -> Floats:
    """Few numbers as they are; of many, equally distant ones from a little below the least to above the largest."""
    distinct = np.unique(numbers)
    if len(distinct) <= min(FEW_NUMBERS, n_points):
        return distinct
    room = MARGIN * (distinct[-1] - distinct[0])
    return np.linspace(distinct[0] - room, distinct[-1] + room, n_points)


def _categories(known: dict[Any, int], seen: NDArray[Any], most: int) -> tuple[NDArray[Any], int]:
    """The most frequent categories, and how many there are."""
    counts = dict.fromkeys(known, 0)
    for category in seen.tolist():
        if category in counts:
            counts[category] += 1
    ranked = sorted(counts, key=lambda category: (-counts[category], known[category]))
    chosen = np.empty(min(most, len(ranked)), dtype=object)
    chosen[:] = ranked[:most]
    return chosen, len(ranked)


def predictions_over(estimator: Any, X: Any, column: int, feature: Feature) -> Floats:
    """What is predicted of every row with every value, an array of shape (n_rows, n_values, n_curves).

    There is a curve for every class, or one of numbers. One value is set in all rows at a time, so that no more than
    one table is held.
    """
    state = state_of(estimator)
    read = read_new_rows(estimator, X)[1]
    found = [_judged(state, _with_value(state, read, column, value, feature)) for value in feature.values.tolist()]
    return np.stack(found, axis=1)


def _with_value(state: FittedState, read: list[ReadColumn], column: int, value: Any, feature: Feature) -> Rows:
    assert state.table is not None
    n = len(read[column])
    same: ReadColumn = (
        CategoricalColumn(np.zeros(n, dtype=np.int64), (value,))
        if feature.is_categorical
        else NumericColumn(np.full(n, float(value)))
    )
    return state.table.rows([same if j == column else each for j, each in enumerate(read)])


def _judged(state: FittedState, rows: Rows) -> Floats:
    """Numbers as one column, or the probability of every class."""
    if isinstance(state, RegressorState):
        return state.bounds(rows).prediction[:, None]
    assert isinstance(state, ClassState)
    judged = state.judged(rows)
    assert judged.degrees is not None  # of classes
    return state.probabilities(judged.degrees)
