"""Training rows whose targets other rows contradict, and the rows that contradict them.

Training takes every row u to have a value ``a_u`` near its target, and no two values further apart than their rows
allow: ``a_u - a_v <= gamma d(u, v)``. Where such a constraint binds, it holds u down and v up, and its multiplier says
how strongly. For squared error ``w_u (y_u - a_u)`` is the sum of the multipliers that hold u down minus those that hold
it up. The row behind a constraint need not have an extreme target itself: it may be held by another one in turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._tolerances import CONFLICT_DIGITS, CONFLICT_TOL, DOUBT_DIGITS
from fgac._typing import Ints
from fgac.estimators._state import RegressorState
from fgac.explainers.base import named_rows
from fgac.explainers.target_doubts import TargetDoubts, ranking_of_targets, target_doubts
from fgac.explanation.audit import RegressionAudit, RegressionOpponent, RegressionSuspect
from fgac.tables.targets import TargetScale


def audit_targets(state: RegressorState, n_rows: int | None, by: str | None = None) -> RegressionAudit:
    """The training rows with the most contradicted targets, see :func:`fgac.audit`."""
    if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 1):
        raise ValueError(f"n_rows={n_rows!r} must be a whole number >= 1, or None for all contradicted rows")
    gaps = state.extension.values - state.scale.to_unit_scale(state.targets)
    found, n = target_doubts(state, ranking_of_targets(state, by)), len(state.records.positions)
    is_suspect = np.abs(gaps) > CONFLICT_TOL
    if found.held_out is not None:
        # A steep model believes most targets, so that only models that had not seen a row can contradict its target.
        is_suspect |= found.doubts > 1.0
    nodes = np.flatnonzero(is_suspect)
    keys = (nodes, *(-np.round(size[nodes], DOUBT_DIGITS) for size in (np.abs(gaps), found.doubts)))
    order = np.lexsort(keys)[:n_rows]
    conflicts = TargetConflicts(state)
    return RegressionAudit(tuple(conflicts.suspect(int(node), float(gaps[node]), found) for node in nodes[order]), n)


class TargetConflicts:
    """The binding constraints of a fitted regressor, seen from the nodes held down by them, and from those held up."""

    def __init__(self, state: RegressorState) -> None:
        self.records, self.gamma, self.target_name = state.records, state.gamma, state.target_name
        self.targets, self.values = state.targets, state.scale.to_user_scale(state.extension.values)
        self.active, self.multipliers = state.solution.active, state.solution.multipliers
        # Targets may be scaled by another width than their range.
        self.share_of_range = state.scale.width / TargetScale.of(state.targets).width
        n = len(self.values)
        self.down, self.up = (_sorted_by_end(ends, n) for ends in (self.active.tail, self.active.head))

    def suspect(self, node: int, gap: float, found: TargetDoubts) -> RegressionSuspect:
        """One node whose value is so far above its target (or below, if negative), with its doubt and opponents."""
        return RegressionSuspect(
            **self._row(node),
            size=abs(gap) * self.share_of_range,
            contradicted_by=self._opponents(node, held_down=gap < 0) if abs(gap) > CONFLICT_TOL else (),
            target_name=self.target_name,
            doubt=float(found.doubts[node]),
            usual=None if found.usual is None else float(found.usual[node]),
            held_out=None if found.held_out is None else float(found.held_out[node]),
        )

    def _opponents(self, node: int, *, held_down: bool) -> tuple[RegressionOpponent, ...]:
        """The nodes that push one away from its target, the strongest first."""
        order, starts = self.down if held_down else self.up
        edges = order[starts[node] : starts[node + 1]]
        others = (self.active.head if held_down else self.active.tail)[edges]
        shares = self.multipliers[edges] / (self.multipliers[edges].sum() or 1.0)
        ranked = np.lexsort((others, self.active.bound[edges], -np.round(shares, CONFLICT_DIGITS)))
        ranked = ranked[shares[ranked] > CONFLICT_TOL]  # a share that is only rounding contradicts nothing
        return tuple(
            RegressionOpponent(
                **self._row(int(others[i])),
                distance=float(self.active.bound[edges[i]]) / self.gamma,
                share=float(shares[i]),
            )
            for i in ranked
        )

    def _row(self, node: int) -> dict[str, Any]:
        """The fields that suspects and opponents have in common."""
        target, fitted = float(self.targets[node]), float(self.values[node])
        return {**named_rows(self.records, self.records.of_node(node)), "target": target, "fitted": fitted}


def _sorted_by_end(ends: Ints, n: int) -> tuple[Ints, Ints]:
    """Numbers of the edges sorted by one of their ends, and where those of each node begin."""
    order = np.argsort(ends, kind="stable")
    return order, np.searchsorted(ends[order], np.arange(n + 1))
