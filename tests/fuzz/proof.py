"""A solution's proof, recomputed in extended precision: largest violation, objective and the bound of the dual.

``is_optimal()`` says that no constraint is violated by more than 1e-9 of the scale (half the spread of the targets),
and that objective and dual bound differ by no more than 1e-9 of the objective, or of the square of the scale. Both are
held against the true distances here, with what the rounding of the values themselves allows.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fuzz.forest import forest_faults
from fuzz.geometry import Long, to_long

CLAIMED = 1e-9
# Objective and bound are sums, of terms that may be much larger than both: one digit is spare.
GAP = 1e-8


@dataclass
class Exact:
    """A problem of differences: ``a[tail] - a[head] <= bound[tail, head]``, infinite where nothing is constrained.

    With ``copies`` the tails are the variables 0..n-1, and the heads are n..2n-1.
    """

    targets: np.ndarray
    weights: np.ndarray
    bound: np.ndarray
    copies: bool
    loss: str = "squared_error"
    quantile: float = 0.5
    units: tuple = ()
    possible: np.ndarray | None = None

    def active_bounds(self, active):
        """Bounds of active pairs, which may also be those that are constrained or not by a last digit."""
        bound, n = self.bound if self.possible is None else self.possible, len(self.bound)
        return bound[np.asarray(active.tail) % n, np.asarray(active.head) % n]

    def violation(self, values):
        """Largest ``a_u - a_v - bound`` over all constrained pairs."""
        values, n = np.asarray(values, dtype=Long), len(self.bound)
        heads = values[n:] if self.copies else values
        excess = values[:n, None] - heads[None, :] - self.bound
        return float(excess.max(initial=0))

    def slopes(self):
        """Range of the slopes of absolute and quantile losses."""
        p = Long(self.quantile)
        if self.loss == "absolute_error":
            return -self.weights, self.weights
        return -(1 - p) * self.weights, p * self.weights

    def objective(self, values):
        """The loss of some values."""
        residual = np.asarray(values, dtype=Long) - self.targets
        if self.loss == "squared_error":
            return (self.weights * residual**2).sum() / 2
        lower, upper = self.slopes()
        return np.maximum(-upper * residual, -lower * residual).sum()

    def dual_bound(self, active, multipliers):
        """What multipliers prove, in the unit of the weights that proves most.

        Weights have no unit: very large and very small ones are multiplied by powers of two before they are used, and
        multipliers come in that unit. ``units`` holds the exponents there may be.
        """
        powers = {sum(chosen) for n in range(len(self.units) + 1) for chosen in combinations(self.units, n)}
        return max(self._dual_bound(active, np.ldexp(to_long(multipliers), power)) for power in powers)

    def _dual_bound(self, active, x):
        """What multipliers prove: no feasible values have a smaller loss. Minus infinity if they prove nothing."""
        tail, head = np.asarray(active.tail), np.asarray(active.head)
        bounds = self.active_bounds(active)
        if (x < 0).any() or not np.isfinite(bounds).all():
            return Long(-np.inf)
        net = np.zeros(len(self.targets), dtype=Long)
        np.add.at(net, tail, x)
        np.add.at(net, head, -x)
        bound = (net * self.targets).sum() - (x * bounds).sum()
        if self.loss == "squared_error":
            return bound - (net**2 / self.weights).sum() / 2
        # Some optimum lies within the range of the targets: a slope that is missed costs no more than that range.
        lower, upper = self.slopes()
        missed = np.maximum(0, np.maximum(net - upper, lower - net))
        return bound - missed.sum() * (self.targets.max() - self.targets.min())


def unit_of(weights):
    """The power of two by which weights are divided where they are beyond measure; none where they are moderate."""
    largest = np.asarray(weights, dtype=Long).max()
    return () if 2.0**-200 < largest < 2.0**200 else (int(np.frexp(largest)[1]),)


def false_proof(exact, solution, rounding=0.0, tol=CLAIMED):
    """What is wrong with a solution that claims to be optimal, as a list of texts."""
    scale = float(exact.targets.max() - exact.targets.min()) / 2 or 1.0
    wrong = []
    if not np.isfinite(solution.values).all():
        return ["values that are not finite"]
    violation = exact.violation(solution.values)
    rounding += 4 * float(np.spacing(np.abs(solution.values).max()))  # no doubles are nearer to the optimum
    slack = CLAIMED * scale + rounding
    if not violation <= max(slack, tol * scale):
        wrong.append(f"violation {violation:.2e}, claimed {solution.largest_violation:.2e} of scale {scale:.2e}")
    objective = exact.objective(solution.values)
    gap = objective - exact.dual_bound(solution.active, solution.multipliers)
    power = 2 if exact.loss == "squared_error" else 1
    unit = max(exact.weights.max() * Long(scale) ** power, objective)
    if not abs(gap) <= GAP * unit + 4 * rounding * exact.weights.sum() * Long(scale) ** (power - 1):
        wrong.append(f"gap {float(gap / unit):.2e} of {float(unit):.2e}, claimed {solution.duality_gap:.2e}")
    elif exact.loss == "squared_error":
        text = forest_faults(exact, solution, max(slack, tol * scale))
        if text:
            wrong.append(f"{text}; residual claimed {solution.dual_residual:.2e} of scale {scale:.2e}")
    return wrong
