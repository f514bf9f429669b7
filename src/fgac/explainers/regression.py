"""From a fitted regressor and new rows to :class:`~fgac.explanation.regression.RegressionExplanation` values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac._tolerances import ROUND_NUMBER_TOL, STRENGTH_DIGITS, STRENGTH_TOL
from fgac._typing import Floats, Ints
from fgac.explainers.attributes import AttributeShares
from fgac.explainers.audit_regression import audit_targets
from fgac.explainers.base import N_SUSPECTS, check_alike
from fgac.explainers.summary import settings_of
from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.regression import (
    FeatureEffect,
    RegressionArgument,
    RegressionExplanation,
    RegressionExplanations,
    RegressionSummary,
    Span,
)
from fgac.granular.extension import FARTHEST, Bounds
from fgac.metrics.distances import Blockwise, Precomputed, Rows
from fgac.tables.labels import is_missing, plain_name, read_ids
from fgac.tables.validation import check_count

if TYPE_CHECKING:
    from fgac.estimators.regressor import FGARegressor
    from fgac.tables.columns import Column
    from fgac.tables.table import Table


# Distances beyond this are told as this.
FARTHEST_AWAY = 1e290
# The largest float.
LARGEST = float(np.finfo(np.float64).max)
# The name of the target among units.
TARGET = "y"


def explain(
    model: FGARegressor,
    X: Any,
    n_arguments: int = 3,
    *,
    y: Any = None,
    ids: Any = None,
    units: Mapping[str, str] | None = None,
    alike: float = 0.95,
) -> RegressionExplanations:
    """Explain the predictions of some rows; see :meth:`fgac.FGARegressor.explain`."""
    check_count("n_arguments", n_arguments)
    check_alike(alike)
    rows, values = model._read_rows_and_values(X)
    names = read_ids(ids, X, len(rows))
    truths = _truths(y, len(rows))
    witness = RegressionExplainer(model, int(n_arguments), float(alike), _units(units, model))
    bounds = model._state.extension.bounds(rows)
    ends = model._state.prediction_interval(rows) if model._state.interval_ends else None
    items = []
    for i in range(len(rows)):
        span = None if ends is None else Span(float(model.interval or 0), float(ends.lower[i]), float(ends.upper[i]))
        seen = Bounds(*(part[i] for part in bounds))
        readings = [part.value(i) for part in values]
        items.append(witness.explain(i, rows[i : i + 1], readings, seen, span, names[i], truths[i]))
    return RegressionExplanations(tuple(items), summarise(model), audit_targets(model, N_SUSPECTS))


class RegressionExplainer:
    """A fitted regressor that is asked for its reasons, row by row."""

    def __init__(self, model: FGARegressor, n_arguments: int, alike: float, units: Mapping[str, str]) -> None:
        self.extension, self.records, self.scale = model._state.extension, model._state.records, model._state.scale
        self.targets, self.values = model._state.targets, model._state.extension.values
        self.n_arguments, self.alike, self.units = n_arguments, alike, units
        self.metric, self.gamma = self.extension.envelope.metric, self.extension.envelope.gamma
        self.table = None if isinstance(self.metric, Precomputed) else model._state.table
        self.rows = self.extension.envelope.rows
        self.sides = {"at least": self.rows.oriented(-1.0), "at most": self.rows.oriented(1.0)}
        self.shares = None if self.table is None else AttributeShares(self.table, self.rows, self.metric)
        self.near: dict[int, Ints] = {}
        told = [float(self.scale.to_user_scale(x)) for x in (0.0, 1.0)]
        fitted = [float(self.scale.to_user_scale(x)) for x in (self.values.min(), self.values.max())]
        directed = self.extension.is_directed
        self.least, self.most = told
        self.floor = fitted[0] if directed else None
        self.ceiling = fitted[1] if directed else None
        self.room = fitted[1] - fitted[0]
        # A distance of the user's own may break the triangle inequality.
        self.slope = None if isinstance(self.metric, Blockwise) else min(self.gamma * self.scale.span, LARGEST)

    def explain(
        self, index: int, row: Rows, values: list[Any], seen: Bounds, span: Span | None, name: Any, truth: Any
    ) -> RegressionExplanation:
        """Explain one prediction."""
        told = self.scale.to_user_scale
        return RegressionExplanation(
            index=index,
            id=plain_name(name),
            prediction=float(told(seen.prediction)),
            truth=truth,
            lower=float(told(seen.lower)),
            upper=float(told(seen.upper)),
            interval=span,
            least=self.least,
            most=self.most,
            floor=self.floor,
            ceiling=self.ceiling,
            slope=self.slope,
            at_least=self._arguments(row, "at least"),
            at_most=self._arguments(row, "at most"),
            attributes=self._effects(values),
            unit=self.units.get(TARGET, ""),
        )

    def _arguments(self, row: Rows, side: str) -> tuple[RegressionArgument, ...]:
        """The strongest arguments of one side, of rows that are nearly equal only the strongest."""
        distances = self._distances(row, self.sides[side])
        nodes = self._ranked(distances, side)
        found: list[RegressionArgument] = []
        while len(nodes) and len(found) < self.n_arguments:
            same = self._alike(int(nodes[0]), nodes)
            found.append(self._argument(row, side, nodes[same], float(distances[nodes[0]])))
            nodes = nodes[~same]
        return tuple(found)

    def _ranked(self, distances: Floats, side: str) -> Ints:
        """Nodes by falling strength, of equally strong ones the nearest first.

        The strongest is told even if it says nothing: without monotone columns the prediction rests on it.
        """
        steps = self._steps(distances)
        strengths = self.values - steps if side == "at least" else 1.0 - (self.values + steps)
        heard = strengths > STRENGTH_TOL
        if not self.extension.is_directed:
            heard[np.argmax(strengths)] = True
        nodes = np.flatnonzero(heard)
        keys = (nodes, np.round(distances[nodes], STRENGTH_DIGITS), -np.round(strengths[nodes], STRENGTH_DIGITS))
        return nodes[np.lexsort(keys)]

    def _alike(self, node: int, others: Ints) -> Any:
        """Which of some nodes are nearly equal to one; by the slope their values then are, too."""
        if node not in self.near:
            rows = self.rows.without_direction()
            distances = self._distances(rows[node : node + 1], rows)
            self.near[node] = np.flatnonzero(max(1.0, self.gamma) * distances <= 1.0 - self.alike)
        return (others == node) | np.isin(others, self.near[node])

    def _argument(self, row: Rows, side: str, group: Ints, distance: float) -> RegressionArgument:
        """The first node of a group as an argument."""
        node, told = int(group[0]), self.scale.to_user_scale
        rows = np.concatenate([self.records.of_node(int(other)) for other in group])
        first = int(rows[0])
        allowance = float(self._steps(np.float64(distance)))
        says = self.values[node] - allowance if side == "at least" else self.values[node] + allowance
        return RegressionArgument(
            index=int(self.records.positions[first]),
            id=plain_name(self.records.ids[first]),
            target=float(self.targets[node]),
            fitted=float(told(self.values[node])),
            distance=distance,
            similarity=max(0.0, 1.0 - allowance),
            allowance=float(self.scale.span * allowance),
            says=float(told(says)),
            strength=float(np.clip(says if side == "at least" else 1.0 - says, 0.0, 1.0)),
            attributes=self._comparisons(row, self.sides[side][node : node + 1], first),
            alike=tuple(plain_name(name) for name in self.records.ids[rows[1:]]),
        )

    def _distances(self, row: Rows, others: Rows) -> Floats:
        out = np.empty((1, len(others)))
        self.metric.block(row, others, out)
        return np.minimum(out[0], FARTHEST_AWAY)

    def _steps(self, distances: Any) -> Any:
        """By how much values may differ over these distances."""
        with np.errstate(over="ignore"):
            return np.minimum(self.gamma * distances, FARTHEST)

    def _comparisons(self, row: Rows, other: Rows, first: int) -> tuple[FeatureComparison, ...]:
        if self.shares is None:
            return ()
        close, apart = self.shares.compare(row, other)
        side = (
            0 if other.orientation is None else -int(other.orientation[0])
        )  # which side of the other row does not count
        kept, names = self.records.values, self.records.column_names
        values = [None] * len(names) if kept is None else [plain_name(column[first]) for column in kept]
        directions = [side * column.direction for column in self.shares.table.columns]
        parts = zip(names, values, close[0].tolist(), apart[0].tolist(), directions, strict=True)
        return tuple(FeatureComparison(*part) for part in parts)

    def _effects(self, values: list[Any]) -> tuple[FeatureEffect, ...]:
        """The explained row itself, and what a change of each attribute alone can do."""
        if self.table is None:
            return ()
        found = []
        for column, name, value in zip(self.table.columns, self.records.column_names, values, strict=True):
            step = None if column.is_categorical else nice(0.1 * column.scale)
            moved = reach(column, self.table, value, step)
            change = None if self.slope is None else min(self.room, self.slope * moved)
            unit = self.units.get(name, "")
            found.append(
                FeatureEffect(name, value, unit, column.is_categorical, column.direction, step, change, column.weight)
            )
        return tuple(found)


def reach(column: Column, table: Table, value: Any, step: float | None) -> float:
    """How far a change of one column moves a row, up or down, whichever is more."""
    if step is None:
        return column.weight * table.column_factor
    here, *there = column.scaled(np.array([value, value - step, value + step]))
    return column.weight * table.column_factor * float(np.abs(there - here).max())


def nice(x: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not above a number.

    >>> nice(0.37), nice(5.0), nice(14.2)
    (0.2, 5.0, 10.0)
    """
    power = 10.0 ** math.floor(math.log10(x))
    return max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= x * (1 + ROUND_NUMBER_TOL))


def summarise(model: FGARegressor) -> RegressionSummary:
    """What a fitted regressor was trained on, how, and the proof of its optimality."""
    from fgac.estimators.regressor import FGARegressor

    solution, scale = model.solution_, model._state.scale
    return RegressionSummary(
        n_rows=len(model._state.records.positions),
        n_features=int(model.n_features_in_),
        least=float(scale.to_user_scale(0.0)),
        most=float(scale.to_user_scale(1.0)),
        gamma=model._state.extension.envelope.gamma,
        settings=settings_of(model, FGARegressor),
        is_optimal=solution.is_optimal(),
        largest_violation=float(solution.largest_violation),
        dual_residual=float(solution.dual_residual),
        duality_gap=float(solution.duality_gap),
    )


def _truths(y: Any, n: int) -> list[float | None]:
    if y is None:
        return [None] * n
    values = list(y)
    if len(values) != n:
        raise ValueError(f"y must hold one number per explained row: X has {n} rows, got {len(values)} numbers")
    return [None if is_missing(value) else float(value) for value in values]


def _units(units: Mapping[str, str] | None, model: FGARegressor) -> Mapping[str, str]:
    names = list(model._state.records.column_names)
    unknown = [name for name in units or {} if name not in (*names, TARGET)]
    if unknown:
        raise ValueError(
            f"units names {unknown}, which are not columns of the model: {names}; the target is called {TARGET!r}"
        )
    return units or {}
