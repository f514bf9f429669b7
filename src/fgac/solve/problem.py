"""The problem that every model of this library trains on: a loss, and difference constraints that can be searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from fgac._typing import Bools, Floats, Ints
from fgac.metrics.distances import LARGEST
from fgac.tables.validation import comparable_weights

LOSSES = ("squared_error", "absolute_error", "quantile")


class Pairs(NamedTuple):
    """A list of constraints ``a[tail] - a[head] <= bound``.

    Examples
    --------
    >>> import numpy as np
    >>> from fgac.solve import Pairs
    >>> pairs = Pairs(np.array([0, 1]), np.array([1, 2]), np.array([0.5, 0.25]))
    >>> pairs.violation(np.array([1.0, 0.25, 0.0]))
    array([0.25, 0.  ])
    """

    tail: Ints
    head: Ints
    bound: Floats

    def violation(self, values: Floats) -> Floats:
        """How much each constraint is exceeded; negative where there is room."""
        return values[self.tail] - values[self.head] - self.bound

    def where(self, chosen: Bools) -> Pairs:
        """The constraints chosen by a mask."""
        return Pairs(self.tail[chosen], self.head[chosen], self.bound[chosen])

    def scaled(self, factor: float) -> Pairs:
        """The same pairs with all bounds multiplied by a number."""
        return self._replace(bound=factor * self.bound)

    @staticmethod
    def joined(parts: Sequence[Pairs]) -> Pairs:
        """One list of several."""
        return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class Pricing(NamedTuple):
    """What a search through all constraints found: violated pairs, and the largest violation.

    Examples
    --------
    >>> import numpy as np
    >>> from fgac.solve import PairConstraints
    >>> found = PairConstraints([0, 1], [1, 2], [0.5, 0.25]).price(np.array([1.0, 0.25, 0.0]), 1)
    >>> found.pairs.tail, found.largest
    (array([0, 1]), 0.25)
    """

    pairs: Pairs
    largest: float


def check_largest(violation: Floats) -> float:
    """The largest violation, 0 if there is none; an error if one of them is not a finite number.

    Comparisons with nan are False, and a proof must not rest on that.
    """
    largest = float(violation.max(initial=0.0))
    if not np.isfinite(largest):
        raise ValueError(
            "the violation of a constraint is not a finite number: distances, gamma or targets are too large for "
            "double precision; give them in other units"
        )
    return largest


class Constraints(Protocol):
    """A set of difference constraints that can be searched.

    Examples
    --------
    >>> import numpy as np
    >>> from fgac.solve import Constraints, PairConstraints
    >>> constraints: Constraints = PairConstraints([0, 1], [1, 2], [0.5, 0.25])
    >>> constraints.n_nodes, constraints.price(np.array([1.0, 0.25, 0.0]), 1).largest
    (3, 0.25)
    """

    @property
    def n_nodes(self) -> int:
        """One more than the largest node that is named."""

    def price(self, values: Floats, per_node: int) -> Pricing:
        """Search ALL constraints for the violated ones.

        ``largest`` is exact. If there are very many violated pairs, ``per_node`` of the worst of each node will do.
        """

    def rounding(self, values: Floats, slight: float) -> float:
        """By how much a constraint that these values leave tight may in truth be more violated than ``price`` says.

        Bounds are computed from distances in double precision. The result is a bound of what that hides, cheap to
        compute; a finer one is only looked for where the cheap one is not ``slight``.
        """


@runtime_checkable
class Guessing(Protocol):
    """Constraints that know where a search had better start."""

    def guess(self, problem: Problem) -> Floats | None:
        """Values near the solution of a problem with these constraints; None if the targets will do."""


@dataclass(frozen=True, init=False)
class Problem:
    """A separable loss under difference constraints.

    ::

        minimise    sum_u w_u loss(y_u, a_u)
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
    loss : {"squared_error", "absolute_error", "quantile"}
        ``1/2 (a - y)^2``, ``|a - y|``, or ``p (y - a)`` below and ``(1 - p) (a - y)`` above the target. The last
        two have many optima; the one nearest to the targets in weighted least squares is returned.
    quantile : float
        p, between 0 and 1, for the quantile loss.

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
    loss: str
    quantile: float | None

    def __init__(
        self,
        targets: Any,
        constraints: Constraints,
        weights: Any = None,
        *,
        loss: str = "squared_error",
        quantile: float = 0.5,
    ) -> None:
        targets = np.array(targets, dtype=np.float64)
        weights = np.ones_like(targets) if weights is None else np.array(weights, dtype=np.float64)
        if targets.ndim != 1 or len(targets) == 0:
            raise ValueError(f"targets must be a non-empty list of numbers, got shape {targets.shape}")
        if not np.isfinite(targets).all():
            raise ValueError("targets must be finite numbers, got nan or infinity")
        with np.errstate(over="ignore"):
            spread = float(np.ptp(targets))
        if spread and not 1.0 / LARGEST <= spread <= LARGEST:
            raise ValueError(
                f"targets differ by up to {spread:.3g}; expected between {1.0 / LARGEST:.0e} and "
                f"{LARGEST:.0e}, so that squares are finite and not lost. Give them in another unit"
            )
        if weights.shape != targets.shape:
            raise ValueError(f"weights must have one number per target ({len(targets)}), got shape {weights.shape}")
        if not (np.isfinite(weights).all() and (weights > 0).all()):
            raise ValueError("weights must be positive finite numbers; leave out the nodes of weight 0")
        weights = comparable_weights(weights, "weights")
        if constraints.n_nodes > len(targets):
            raise ValueError(
                f"constraints name node {constraints.n_nodes - 1}, but there are only {len(targets)} targets"
            )
        # A frozen dataclass assigns its fields so, once they have been checked.
        object.__setattr__(self, "targets", targets)
        object.__setattr__(self, "constraints", constraints)
        object.__setattr__(self, "weights", weights)
        if loss not in LOSSES:
            raise ValueError(f"loss={loss!r} is unknown; expected one of {', '.join(map(repr, LOSSES))}")
        if loss == "quantile" and not 0 < quantile < 1:
            raise ValueError(f"quantile={quantile!r} must lie strictly between 0 and 1")
        object.__setattr__(self, "loss", loss)
        object.__setattr__(self, "quantile", None if loss == "squared_error" else quantile)

    def slopes(self) -> tuple[Floats, Floats]:
        """Range of outflow minus inflow that the absolute or quantile loss of every node allows."""
        # The slope of the loss at any value lies between those to the left and to the right of its kink at the target.
        if self.loss == "absolute_error":
            return -self.weights, self.weights
        assert self.quantile is not None
        return -(1 - self.quantile) * self.weights, self.quantile * self.weights
