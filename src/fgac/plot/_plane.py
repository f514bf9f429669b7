"""A plane of two numeric features, and the memberships that models give to every point of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.estimators._base import read_new_rows
from fgac.estimators._state import ClassifierState, state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.tables.column_values import NumericColumn
from fgac.tables.containers import as_table
from fgac.tables.frames import is_frame
from fgac.tables.reading import ReadTable

# How much further than the rows the plane reaches, as a share of their range.
MARGIN = 0.06


class Space(NamedTuple):
    """One model on the plane: arrays of shape (height, width, classes), and the memberships of its rows.

    ``lead`` is by how much a class is ahead of the best other one, ties broken: positive where it is predicted.
    """

    gamma: float
    degree: Floats
    lead: Floats
    beta: Floats


@dataclass(frozen=True)
class Plane:
    """A grid of points, the names of the two features, and the training rows with their classes.

    Training rows are none if the model keeps no values.
    """

    across: Floats
    up: Floats
    columns: tuple[str, str]
    points: Floats
    codes: Ints

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top edge of the outermost cells, whose middles are the grid."""
        half = [0.5 * (line[1] - line[0]) for line in (self.across, self.up)]
        return (
            float(self.across[0] - half[0]),
            float(self.across[-1] + half[0]),
            float(self.up[0] - half[1]),
            float(self.up[-1] + half[1]),
        )

    def grid(self) -> ReadTable:
        """All points as a table that has been read, row by row from the bottom."""
        across, up = np.meshgrid(self.across, self.up)
        return ReadTable(list(self.columns), [NumericColumn(across.ravel()), NumericColumn(up.ravel())])


def check_plane(model: FGAClassifier, X: Any) -> None:
    """Refuse tables that are no plane, before anything is fitted."""
    if isinstance(model.metric, str) and model.metric == "precomputed":
        raise ValueError("metric='precomputed' knows distances only; a plane needs two columns of numbers")
    shape = np.shape(X)
    if len(shape) != 2 or shape[1] != 2:
        raise ValueError(
            f"X has the shape {shape}; a plane needs exactly two columns of numbers, so fit a model on two"
        )


def plane_of(state: ClassifierState, X: Any, n_cells: int) -> Plane:
    """The plane that the rows of X span, with the training rows on it."""
    assert state.table is not None  # check_plane has refused distances
    columns, records = state.table.columns, state.records
    categorical = [column.name for column in columns if column.is_categorical]
    if categorical:
        raise ValueError(f"column {categorical[0]} is nominal; a plane needs two columns of numbers")
    X = as_table(X)
    values = state.table.read(X if is_frame(X) else np.asarray(X))
    known = [part.known_values for part in values if isinstance(part, NumericColumn)]
    unknown = [column.name for column, part in zip(columns, known, strict=True) if not len(part)]
    if unknown:
        raise ValueError(f"X holds no known value in column {unknown[0]}; a plane spans the rows of X: give some")
    across, up = (_line(part, n_cells) for part in known)
    first, second = (column.name if is_frame(X) else f"feature {column.name}" for column in columns)
    points = np.empty((0, 2)) if records.values is None else np.column_stack(records.values).astype(np.float64)
    return Plane(across, up, (first, second), points, records.codes[: len(points)])


def _line(values: NDArray[Any], n_cells: int) -> Floats:
    """Middles of cells along one axis."""
    low, high = float(np.min(values)), float(np.max(values))
    beyond = MARGIN * (high - low) or 0.5  # a column of one value has no range
    return np.linspace(low - beyond, high + beyond, n_cells)


def space_of(model: FGAClassifier, plane: Plane) -> Space:
    """One model on the plane."""
    state: ClassifierState = state_of(model)
    rows, _ = read_new_rows(model, plane.grid())
    memberships, scores = state.predictor.memberships_and_scores(rows)
    shape = len(plane.up), len(plane.across), len(state.classes)
    beta = state.beta[state.records.positions]
    return Space(state.gamma, memberships.degree.reshape(shape), _leads(scores).reshape(shape), beta)


def _leads(scores: Floats) -> Floats:
    """Every score minus the best of the others."""
    if scores.shape[1] == 1:
        return np.ones_like(scores)
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(scores == best, scores - second, scores - best)
