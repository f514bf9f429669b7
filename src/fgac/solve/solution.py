"""The answer of the engine, which carries its own proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac._typing import Floats
from fgac.solve.problem import Pairs

if TYPE_CHECKING:
    from fgac.solve.problem import Problem


@dataclass(frozen=True)
class Solution:
    """Values of all nodes, the multipliers that prove them optimal, and the work that finding them took.

    Attributes
    ----------
    values : array
        The optimal a, one per node.
    active, multipliers : Pairs, array
        The tight constraints with a positive multiplier; they form a forest.
    objective : float
        ``1/2 sum w (a - y)^2``, or the sum of the weighted absolute or quantile losses.
    largest_violation : float
        Largest ``a_u - a_v - c(u, v)`` over ALL constraints of the problem, not only the generated ones
        (0 if none is violated).
    dual_residual : float
        Largest ``|w (a - y) + outflow - inflow|`` of a node, with multipliers that are all >= 0; for absolute and
        quantile loss, by how much outflow minus inflow leaves the range of the loss's slopes.
    duality_gap : float
        Objective minus the dual bound that the multipliers prove.
    n_constraints, n_rounds, n_pivots : int
        Constraints generated, passes over the full problem, steps of the forest.
    seconds : dict
        Seconds spent in ``guess`` (warm start), ``pricing`` (search for violated constraints) and ``pivots``. They are
        no part of what was found: equal solutions are equal, and their pickles too; one that was loaded has none.
    scale : float
        Unit of the tolerance: half the spread of the targets.
    """

    values: Floats
    active: Pairs
    multipliers: Floats
    objective: float
    largest_violation: float
    dual_residual: float
    duality_gap: float
    n_constraints: int
    n_rounds: int
    n_pivots: int
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    scale: float = 1.0

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled and hashed: all but the seconds, so that equal fits give equal files."""
        return {name: value for name, value in vars(self).items() if name != "seconds"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({"seconds": {}, **state})

    @property
    def n_active(self) -> int:
        """Number of constraints with a positive multiplier."""
        return len(self.multipliers)

    def is_optimal(self, tol: float = 1e-9) -> bool:
        """Whether the proof holds up to ``tol``, relative to the scale of targets and objective."""
        # Residuals are sums of multipliers, and have their rounding; the gap is measured in units of the objective.
        return bool(
            self.largest_violation <= tol * self.scale
            and self.dual_residual <= tol * self.scale * max(1.0, self.multipliers.max(initial=0.0) / self.scale)
            and abs(self.duality_gap) <= tol * max(self.scale**2, self.objective)
        )


def certify(
    problem: Problem, values: Floats, targets: Floats, active: Pairs, multipliers: Floats
) -> tuple[float, float, float]:
    """Objective, dual residual and duality gap, computed from nothing but values and multipliers.

    With ``net``, the outflow minus the inflow of a node, the dual bound is the minimum over all a of the loss
    plus ``sum x (a_u - a_v - c)``. For squared error it is attained at ``a = y - net / w``; for the others
    ``net`` must lie between the slopes of the loss, and the loss itself adds nothing.
    """
    n = len(values)
    net = np.bincount(active.tail, multipliers, n) - np.bincount(active.head, multipliers, n)
    residual = values - targets
    bound = float(np.sum(net * targets) - np.sum(multipliers * active.bound))
    if problem.quantile is None:
        objective = 0.5 * float(np.sum(problem.weights * residual**2))
        dual_residual = float(np.abs(problem.weights * residual + net).max())
        return objective, dual_residual, objective - (bound - 0.5 * float(np.sum(net**2 / problem.weights)))
    lower, upper = problem.slopes()
    objective = float(np.sum(np.maximum(-upper * residual, -lower * residual)))
    return objective, float(np.maximum(net - upper, lower - net).max(initial=0.0)), objective - bound
