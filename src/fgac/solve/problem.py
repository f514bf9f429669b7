"""The problem that every model of this library trains on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac.distances import Floats
from fgac.solve.constraints import Constraints


@dataclass(frozen=True, init=False)
class Problem:
    """Weighted least squares under difference constraints.

    ::

        minimise    1/2 sum_u w_u (a_u - y_u)^2
        subject to  a_u - a_v <= c(u, v)   for every constrained pair (u, v)

    Isotonic regression, Lipschitz regression and the granular approximation are
    of this form; only the constraints differ.

    Parameters
    ----------
    targets : array of n numbers
        y, one per node.
    constraints : Constraints
        The pairs and their bounds, given by a query, not necessarily as a list.
    weights : array of n positive numbers, optional
        w; all one by default.

    Examples
    --------
    Two nodes that want to be 1 and 0 but may differ by 0.5 at most:

    >>> from fgac.solve import PairConstraints, solve
    >>> solve(Problem([1, 0], PairConstraints([0], [1], [0.5]))).values
    array([0.75, 0.25])
    """

    targets: Floats
    constraints: Constraints
    weights: Floats

    def __init__(self, targets: Any, constraints: Constraints, weights: Any = None) -> None:
        targets = np.array(targets, dtype=np.float64)
        weights = np.ones_like(targets) if weights is None else np.array(weights, dtype=np.float64)
        if targets.ndim != 1 or len(targets) == 0:
            raise ValueError(f"targets must be a non-empty list of numbers, got shape {targets.shape}")
        if not np.isfinite(targets).all():
            raise ValueError("targets must be finite numbers, got nan or infinity")
        if weights.shape != targets.shape:
            raise ValueError(f"weights must have one number per target ({len(targets)}), got shape {weights.shape}")
        if not (np.isfinite(weights).all() and (weights > 0).all()):
            raise ValueError("weights must be positive finite numbers; leave out the nodes of weight 0")
        if constraints.n_nodes > len(targets):
            raise ValueError(
                f"constraints name node {constraints.n_nodes - 1}, but there are only {len(targets)} targets"
            )
        object.__setattr__(self, "targets", targets)
        object.__setattr__(self, "constraints", constraints)
        object.__setattr__(self, "weights", weights)
