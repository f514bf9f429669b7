"""Independent solvers: interior points for squares, HiGHS for sums of deviations. They are good to a few digits."""

import numpy as np

from support.oracles import difference_oracle, highs

MOST_VARIABLES = 24
MOST_RATIO = 1e4
BEATEN = 1e-6


def beaten(exact, solution):
    """By how much a solver does better than a solution, in units of a node of the largest weight; 0 if it does not."""
    if len(exact.targets) > MOST_VARIABLES or exact.weights.max() > MOST_RATIO * exact.weights.min():
        return 0.0
    spread = exact.targets.max() - exact.targets.min()
    # No doubles are near enough to the optimum where targets differ in their last digits only.
    if not spread * BEATEN > 1e3 * np.spacing(np.abs(solution.values).max()):
        return 0.0
    n = len(exact.bound)
    # Values of an optimum lie within the range of the targets, so wider bounds cannot matter.
    tail, head = np.nonzero(exact.bound < spread)
    bound = (exact.bound[tail, head] / spread).astype(float)
    head = head + n if exact.copies else head
    targets = ((exact.targets - exact.targets.min()) / spread).astype(float)
    weights = (exact.weights / exact.weights.max()).astype(float)
    power = 2 if exact.loss == "squared_error" else 1
    ours = float(exact.objective(solution.values) / exact.weights.max() / spread**power)
    if exact.loss == "squared_error":
        try:
            values = difference_oracle(targets, tail, head, bound, weights) if len(tail) else targets
        except AssertionError:  # a general solver may find no answer that it can stand by
            return 0.0
        theirs = 0.5 * float((weights * (values - targets) ** 2).sum())
    else:
        p = 0.5 if exact.loss == "absolute_error" else exact.quantile
        factor = 2.0 if exact.loss == "absolute_error" else 1.0
        theirs = highs(targets, weights, factor * (1 - p), factor * p, tail, head, bound)
    return ours - theirs if ours - theirs > BEATEN * max(1.0, ours) else 0.0
