"""The answer of the engine, which carries its own proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fgac._tolerances import PROOF_TOL
from fgac._typing import Floats
from fgac._warnings import warn_caller
from fgac.solve.problem import Pairs

if TYPE_CHECKING:
    from fgac.solve.problem import Problem


# Rounding of a multiplier, and of the sum of a few, as a share of it.
LAST_DIGITS = 8 * 2.0**-53


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
        Largest ``|a - y + (outflow - inflow) / w|`` of a node, with multipliers that are all >= 0; for absolute and
        quantile loss, by what share of the weight, in units of ``scale``, outflow minus inflow leaves the range of the
        loss's slopes. Measured node by node, so that a node of little weight counts as much as any other. Multipliers
        are right to their last digit, and what that digit cannot express is not counted; a multiplier that came out
        below 0 and was set to 0 is, as a share of the weight of its nodes.
    duality_gap : float
        Objective minus the dual bound that the multipliers prove.
    n_constraints, n_rounds, n_pivots : int
        Constraints generated, passes over the full problem, steps of the forest.
    seconds : dict
        Seconds spent in ``guess`` (warm start), ``pricing`` (search for violated constraints) and ``pivots``. They are
        no part of what was found: equal solutions are equal, and their pickles too; one that was loaded has none.
    scale : float
        Unit of the tolerance: half the spread of the targets.
    loss_unit : float
        Unit of the gap: the loss of a node of mean weight that is off its target by ``scale``.
    complementarity : float
        Largest room that an active constraint has left (they should be tight), times its multiplier as a share of the
        weight of either end, if that is below 1: a multiplier that no node would notice need not be there. For absolute
        and quantile loss also the largest share of the gap of a single node, divided by its weight.
    rounding : float
        A bound of what computing distances in double precision may hide: a tight constraint of the caller's table is
        violated by at most ``largest_violation + rounding``, and a multiplier may belong to a bound that is off by
        ``rounding``. For a list of constraints it is 0, for the list is the problem.

    Notes
    -----
    Violation, residual and complementarity together are the conditions of Karush, Kuhn and Tucker, each measured where
    it occurs. They do not depend on the unit of the weights: values that meet them up to e are the exact solution for
    targets and bounds that differ from the given ones by no more than e.

    Examples
    --------
    >>> from fgac.solve import PairConstraints, Problem, solve
    >>> solution = solve(Problem([1, 0], PairConstraints([0], [1], [0.5])))
    >>> solution.values, solution.multipliers
    (array([0.75, 0.25]), array([0.25]))
    >>> solution.is_optimal(), solution.duality_gap
    (True, 0.0)
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
    loss_unit: float = 1.0
    complementarity: float = 0.0
    rounding: float = 0.0

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled and hashed: all but the seconds, so that equal fits give equal files."""
        return {name: value for name, value in vars(self).items() if name != "seconds"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({"seconds": {}, **state})

    @property
    def n_active(self) -> int:
        """Number of constraints with a positive multiplier."""
        return len(self.multipliers)

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_solution, or_none

        return or_none(of_solution, self)

    def is_optimal(self, tol: float = PROOF_TOL) -> bool:
        """Whether the proof holds up to ``tol``, relative to the scale of targets and objective.

        What rounding of the distances may hide is counted in full. Anything that is not finite proves nothing.
        """
        gap = abs(self.duality_gap) + self.rounding * float(self.multipliers.sum())
        # Written with <=, which is False for nan; an infinite objective would allow any gap.
        return bool(
            np.isfinite(self.values).all()
            and np.isfinite(self.objective)
            and self.largest_violation + self.rounding <= tol * self.scale
            and self.dual_residual <= tol * self.scale
            and self.complementarity <= tol * self.scale
            and gap <= tol * max(self.loss_unit, self.objective)
        )


class Proof(NamedTuple):
    """What values and multipliers prove: see :class:`Solution`."""

    objective: float
    dual_residual: float
    duality_gap: float
    complementarity: float
    loss_unit: float


def certify(
    problem: Problem, values: Floats, targets: Floats, active: Pairs, multipliers: Floats, scale: float
) -> Proof:
    """Objective, residual, gap and complementarity, computed from nothing but values and multipliers.

    Maxima are NumPy's, which keep what is not a number; Python's ``max(0.0, nan)`` is 0.

    With ``net``, the outflow minus the inflow of a node, the dual bound is the minimum over all a of the loss
    plus ``sum x (a_u - a_v - c)``. For squared error it is attained at ``a = y - net / w``; for the others
    ``net`` must lie between the slopes of the loss, and the loss itself adds nothing.
    """
    weights = problem.weights
    n = len(values)
    net = np.bincount(active.tail, multipliers, n) - np.bincount(active.head, multipliers, n)
    residual = values - targets
    bound = float(np.sum(net * targets) - np.sum(multipliers * active.bound))
    noticed = np.minimum(1.0, multipliers / np.minimum(weights[active.tail], weights[active.head]))
    room = float((noticed * np.abs(active.violation(values))).max(initial=0.0))
    mean_weight = float(weights.mean())
    if problem.quantile is None:
        objective = 0.5 * float(np.sum(weights * residual**2))
        # net / w first: its square may leave the range of a double where weights do.
        gap = objective - (bound - 0.5 * float(np.sum(net / weights * net)))
        passing = np.bincount(active.tail, multipliers, n) + np.bincount(active.head, multipliers, n)
        missed = np.abs(residual + net / weights) - LAST_DIGITS * passing / weights
        return Proof(objective, float(np.maximum(0.0, missed.max())), gap, room, mean_weight * scale**2)
    lower, upper = problem.slopes()
    losses = np.maximum(-upper * residual, -lower * residual)
    objective = float(np.sum(losses))
    outside = np.maximum(net - upper, lower - net) / weights
    # Summed over nodes and constraints, these gaps are the duality gap.
    gap_of_node = np.abs((losses + net * residual) / weights)
    return Proof(
        objective,
        scale * float(np.maximum(0.0, outside.max())),
        objective - bound,
        float(np.maximum(room, gap_of_node.max())),
        mean_weight * scale,
    )


def warn_if_unproved(solution: Solution, tol: float) -> None:
    """Warn if a solution violates a constraint by more than it was asked to, or if its proof does not hold.

    ``tol`` is what the solver was asked for. The proof may miss by ten times that, for its parts are sums.
    """
    reached = solution.largest_violation <= tol * solution.scale
    if reached and solution.is_optimal(max(10 * tol, PROOF_TOL)):
        return
    from sklearn.exceptions import ConvergenceWarning

    if not reached:
        why = "the distances are not the same each time they are asked for, or tol is below the rounding of the numbers"
    elif not solution.largest_violation + solution.rounding <= max(10 * tol, PROOF_TOL) * solution.scale:
        why = "gamma is so large that the rounding of the distances decides, or whole numbers are beyond 2**53"
    else:
        why = "weights, or targets, are so different that double precision cannot tell what the smallest ones ask for"
    warn_caller(
        f"the solution is not proved to be optimal: largest violation {solution.largest_violation:.3g}, of which "
        f"rounding may hide another {solution.rounding:.3g}; dual residual {solution.dual_residual:.3g}, "
        f"complementarity {solution.complementarity:.3g}, duality gap {solution.duality_gap:.3g}, in units of "
        f"{solution.scale:.3g} (tolerance {tol:.3g}). Perhaps {why}",
        ConvergenceWarning,
    )
