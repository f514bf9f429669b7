"""Training rows whose targets other rows contradict, and who does.

Training takes every row u to have a value ``a_u`` near its target, and no two values further apart than their rows
allow: ``a_u - a_v <= gamma d(u, v)``. Where such a constraint binds, it holds u down and v up, and its multiplier says
how strongly. For squared error ``w_u (y_u - a_u)`` is the sum of the multipliers that hold u down minus those that hold
it up. The row behind a constraint need not have an extreme target itself: it may be held by another one in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fgac._tolerances import CONFLICT_DIGITS, CONFLICT_TOL
from fgac._typing import Ints
from fgac.explanation.audit import RegressionAudit, RegressionOpponent, RegressionSuspect
from fgac.tables.labels import plain_name

if TYPE_CHECKING:
    from fgac.estimators.regressor import FGARegressor


def find_contradictions(model: FGARegressor, n_rows: int | None = None) -> RegressionAudit:
    """The same for the method :meth:`fgac.FGARegressor.contradictions`."""
    check_is_fitted(model)
    return audit_targets(model, n_rows)


def audit_targets(model: FGARegressor, n_rows: int | None) -> RegressionAudit:
    """The training rows whose fitted values are furthest from their targets, see :func:`fgac.audit`."""
    if n_rows is not None and (isinstance(n_rows, bool) or not isinstance(n_rows, int | np.integer) or n_rows < 1):
        raise ValueError(f"n_rows={n_rows!r} must be a whole number >= 1, or None for all contradicted rows")
    gaps = model._state.extension.values - model._state.scale.to_unit_scale(model._state.targets)
    sizes = np.abs(gaps)
    nodes = np.flatnonzero(sizes > CONFLICT_TOL)
    order = np.lexsort((nodes, -np.round(sizes[nodes], CONFLICT_DIGITS)))[:n_rows]
    forces = _Forces(model)
    items = tuple(forces.contradiction(int(node), float(gaps[node])) for node in nodes[order])
    return RegressionAudit(items, len(model._state.records.positions))


class _Forces:
    """The binding constraints of a fitted model, seen from the nodes that they hold down, and from those held up."""

    def __init__(self, model: FGARegressor) -> None:
        self.records, self.gamma = model._state.records, model._state.extension.envelope.gamma
        self.targets, self.values = (
            model._state.targets,
            model._state.scale.to_user_scale(model._state.extension.values),
        )
        self.active, self.multipliers = model.solution_.active, model.solution_.multipliers
        n = len(self.values)
        self.down, self.up = (_grouped(ends, n) for ends in (self.active.tail, self.active.head))

    def contradiction(self, node: int, gap: float) -> RegressionSuspect:
        """Tell of one node."""
        row = self._row(node)
        return RegressionSuspect(**row, size=abs(gap), contradicted_by=self._behind(node, held_down=gap < 0))

    def _behind(self, node: int, *, held_down: bool) -> tuple[RegressionOpponent, ...]:
        """The nodes that push one towards where it is, the strongest first."""
        order, starts = self.down if held_down else self.up
        edges = order[starts[node] : starts[node + 1]]
        others = (self.active.head if held_down else self.active.tail)[edges]
        shares = self.multipliers[edges] / (self.multipliers[edges].sum() or 1.0)
        ranked = np.lexsort((others, self.active.bound[edges], -np.round(shares, CONFLICT_DIGITS)))
        ranked = ranked[shares[ranked] > CONFLICT_TOL]  # what rounding has left contradicts nobody
        return tuple(
            RegressionOpponent(
                **self._row(int(others[i])),
                distance=float(self.active.bound[edges[i]]) / self.gamma,
                share=float(shares[i]),
            )
            for i in ranked
        )

    def _row(self, node: int) -> dict[str, Any]:
        """What is told of every row: the first of its node, and the others."""
        first, *others = self.records.of_node(node)
        return {
            "index": int(self.records.positions[first]),
            "id": plain_name(self.records.ids[first]),
            "target": float(self.targets[node]),
            "fitted": float(self.values[node]),
            "alike": tuple(plain_name(self.records.ids[row]) for row in others),
        }


def _grouped(ends: Ints, n: int) -> tuple[Ints, Ints]:
    """Numbers of the edges sorted by one of their ends, and where each node's begin."""
    order = np.argsort(ends, kind="stable")
    return order, np.searchsorted(ends[order], np.arange(n + 1))
