"""From the state of a fitted regressor and new rows to :class:`~fgac.explanation.RegressionExplanation` values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._progress import steps
from fgac._tolerances import STRENGTH_DIGITS, STRENGTH_TOL
from fgac._typing import Floats, Ints
from fgac.estimators._state import RegressorState
from fgac.explainers.audit_regression import audit_targets
from fgac.explainers.base import N_SUSPECTS, BaseExplainer, ExplainedRow, Options, check_truths, explained_rows
from fgac.explainers.counterfactuals import with_counterfactuals
from fgac.explainers.radius import Moves, distance_moved, round_down
from fgac.explainers.summary import summarise
from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.regression import (
    FeatureEffect,
    RegressionArgument,
    RegressionExplanation,
    RegressionExplanations,
    Span,
)
from fgac.granular.extension import FARTHEST, Bounds
from fgac.metrics.distances import Blockwise, Rows
from fgac.tables.column_values import ReadColumn
from fgac.tables.targets import TargetScale
from fgac.tables.value_kinds import WHOLE, plain_value

# The name of the target among units.
TARGET = "y"
# The largest float.
LARGEST = float(np.finfo(np.float64).max)


def explain(
    state: RegressorState,
    rows: Rows,
    values: Sequence[ReadColumn],
    ids: NDArray[Any],
    *,
    n_arguments: int,
    y: Any,
    units: Mapping[str, str] | None,
    merge_similarity: float,
    audit: bool,
    counterfactuals: Any = None,
) -> RegressionExplanations:
    """Explain the predictions of rows that an estimator has read; see :meth:`fgac.FGARegressor.explain`."""
    options = Options.checked(n_arguments, merge_similarity, units, state.column_names, target=TARGET)
    explained = explained_rows(state, rows, values, ids, check_truths(y, len(rows), what="number", read=float))
    explainer = RegressionExplainer(state, options)
    bounds = state.extension.bounds(rows)
    spans = prediction_intervals(state, rows, values)
    items = [
        explainer.explain(row, Bounds(*(part[row.index] for part in bounds)), span)
        for row, span in steps("explaining", list(zip(explained, spans, strict=True)))
    ]
    items = with_counterfactuals(items, state, values, counterfactuals, units)
    suspects = audit_targets(state, N_SUSPECTS) if audit else None
    return RegressionExplanations(tuple(items), summarise(state), suspects)


def prediction_intervals(state: RegressorState, rows: Rows, values: Sequence[ReadColumn]) -> list[Span | None]:
    """The prediction interval of every row; None if the model was fitted without one."""
    if not state.has_interval:
        return [None] * len(rows)
    share = float(state.params["interval"])
    if state.spread is None:
        # A margin that is not 0 was found on rows held out, by older versions.
        ends, is_tested = state.prediction_interval(rows, values), state.interval_margin != 0
        return [Span(share, float(a), float(b), is_tested) for a, b in zip(*ends, strict=True)]
    ends, spread, room = state.spread.around(state, rows, values)
    parts = zip(*ends, spread, room, strict=True)
    return [Span(share, float(a), float(b), True, float(off), float(wider)) for a, b, off, wider in parts]


@dataclass(frozen=True)
class Side:
    """Training nodes as bounds from below (``sign`` -1: at least) or from above (1: at most).

    ``nodes`` are oriented so that distances count what keeps them from bounding a row from this side.
    """

    sign: float
    nodes: Rows

    def bounds(self, values: Any, steps: Any) -> Any:
        """Bounds that nodes with these values give; ``steps`` are their distances times gamma."""
        return values + self.sign * steps

    def strengths(self, bounds: Any) -> Any:
        """How much of the range from 0 to 1 bounds rule out; negative if they are outside of it."""
        return bounds if self.sign < 0 else 1.0 - bounds


class RegressionExplainer(BaseExplainer):
    """Explains predicted numbers by training rows that bound them from below and from above."""

    # Still finite when rounded to some digits, and times gamma in most cases.
    largest_distance = 1e290

    def __init__(self, state: RegressorState, options: Options) -> None:
        extension, scale = state.extension, state.scale
        super().__init__(state, extension.envelope.rows, options)
        self.scale, self.targets, self.values = scale, state.targets, extension.values
        self.is_directed = extension.is_directed
        self.at_least, self.at_most = (Side(sign, self.nodes.oriented(sign)) for sign in (-1.0, 1.0))
        self.least, self.most = float(state.targets.min()), float(state.targets.max())
        self.usual = scale.ends if not scale.is_constant and scale != TargetScale.of(state.targets) else None
        self.floor, self.ceiling = (float(scale.to_user_scale(x)) for x in (self.values.min(), self.values.max()))
        # A distance of the user's own may break the triangle inequality, and then nothing is guaranteed.
        self.slope = None if isinstance(self.metric, Blockwise) else min(state.slope, LARGEST)

    def explain(self, row: ExplainedRow, seen: Bounds, interval: Span | None) -> RegressionExplanation:
        """Explain one prediction, with these bounds on the scale from 0 to 1."""
        to_user_scale = self.scale.to_user_scale
        return RegressionExplanation(
            index=row.index,
            id=row.id,
            prediction=float(to_user_scale(seen.prediction)),
            truth=row.truth,
            lower=float(to_user_scale(seen.lower)),
            upper=float(to_user_scale(seen.upper)),
            interval=interval,
            least=self.least,
            most=self.most,
            floor=self.floor if self.is_directed else None,
            ceiling=self.ceiling if self.is_directed else None,
            slope=self.slope,
            at_least=self._arguments(row, self.at_least),
            at_most=self._arguments(row, self.at_most),
            attributes=self._feature_effects(row),
            unit=self.options.units.get(TARGET, ""),
            target=self.target,
            unknown=self.unknown_names(row),
            beyond=row.beyond,
            usual=self.usual,
        )

    def _arguments(self, row: ExplainedRow, side: Side) -> tuple[RegressionArgument, ...]:
        """The strongest arguments of one side, of rows that are nearly equal only the strongest."""
        distances = self.distances(row.point, side.nodes)
        ranked = self._rank(distances, side)
        return tuple(self._argument(row, side, ranked[group], distances) for group in self.groups(ranked))

    def _rank(self, distances: Floats, side: Side) -> Ints:
        """Nodes by falling strength, of equally strong ones the nearest first."""
        strengths = side.strengths(side.bounds(self.values, self._steps(distances)))
        is_argument = strengths > STRENGTH_TOL
        if not self.is_directed:
            # The prediction is the middle of two bounds, so the nodes behind them are named even if these rule out
            # nothing. With monotone columns the smallest and the largest fitted value take their place.
            is_argument[np.argmax(strengths)] = True
        nodes = np.flatnonzero(is_argument)
        return nodes[self.by_strength(nodes, strengths[nodes], np.round(distances[nodes], STRENGTH_DIGITS))]

    def mergeable(self, node: int) -> tuple[int, int]:
        """All nodes: by the slope, the values of nodes that are nearly equal are nearly equal, too."""
        return 0, len(self.nodes)

    def _argument(self, row: ExplainedRow, side: Side, group: Ints, distances: Floats) -> RegressionArgument:
        """Nodes that are one argument, the strongest first."""
        node, to_user_scale = int(group[0]), self.scale.to_user_scale
        step = float(self._steps(distances[node]))
        bound = side.bounds(self.values[node], step)
        strength = float(np.clip(side.strengths(bound), 0.0, 1.0))
        parts = self.argument_parts(row, side.nodes, group, float(distances[node]))
        return RegressionArgument(
            **parts,
            target=float(self.targets[node]),
            fitted=float(to_user_scale(self.values[node])),
            allowance=float(self.scale.span * step),
            says=float(to_user_scale(bound)),
            strength=strength,
            unknown_cost=self._unknown_cost(row, side, node, parts["attributes"], strength),
        )

    def _unknown_cost(
        self, row: ExplainedRow, side: Side, node: int, compared: Sequence[FeatureComparison], strength: float
    ) -> float:
        """By how much the bound of a node would be stronger, were the rows equal where a value is unknown in one."""
        nearer = self.known_distance(row, side.nodes[node : node + 1], compared)
        if nearer is None:
            return 0.0
        bound = side.bounds(self.values[node], float(self._steps(nearer)))
        return max(0.0, float(np.clip(side.strengths(bound), 0.0, 1.0)) - strength)

    def _steps(self, distances: Any) -> Any:
        """By how much values may differ over these distances, on the scale from 0 to 1."""
        with np.errstate(over="ignore"):
            return np.minimum(self.gamma * distances, FARTHEST)

    def _feature_effects(self, row: ExplainedRow) -> tuple[FeatureEffect, ...]:
        """The explained row itself, and what a change of each feature alone can do."""
        moves = self.moves(row)
        return tuple(
            self._feature_effect(moves, j, name, value)
            for j, (name, value) in enumerate(zip(self.records.column_names, row.values, strict=True))
        )

    def _feature_effect(self, moves: Moves | None, j: int, name: str, value: Any) -> FeatureEffect:
        assert self.table is not None  # there is a column
        assert moves is not None
        column = self.columns[j]
        step = None if column.is_categorical or value is None else round_down(0.1 * column.scale)
        if step is not None and column.kind in WHOLE:
            step = max(1.0, step)  # from 1 on, round numbers are whole
        # What an unknown value may turn out to be is no change of it.
        moved = None if value is None else distance_moved(moves, j, value, step)
        return FeatureEffect(
            name=name,
            value=plain_value(column.kind, value),
            unit=self.unit_of(column, name),
            is_nominal=column.is_categorical,
            direction=column.direction,
            step=step,
            change=None if self.slope is None or moved is None else min(self.ceiling - self.floor, self.slope * moved),
            weight=column.weight,
            kind=column.kind,
            score=float(np.ptp(self.scale.near(self.targets)) * self.table.score_of_column(j)),
        )
