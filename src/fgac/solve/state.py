"""What the engine asks of a method, and how the loops of the methods end.

There are two: the forest for least squares (:mod:`fgac.solve.forest`) and the network for absolute and quantile loss
(:mod:`fgac.solve.network`).
"""

from __future__ import annotations

from typing import Protocol

from fgac._kernels.layouts import EXHAUSTED, INFEASIBLE
from fgac._typing import Floats
from fgac._warnings import warn_caller
from fgac.solve.problem import Pairs

# A method that needs more pivots than this per node is not going to end.
PIVOTS_PER_NODE = 20_000


class SolverState(Protocol):
    """Values that are optimal under some of the constraints, and a way to take more into account.

    ``coarse_share`` is the share of the largest violation that may be left while constraints are still poor,
    ``clipped`` the largest multiplier below 0 that was taken for rounding, as a share of the weight of a node.
    """

    coarse_share: float
    clipped: float

    @property
    def a(self) -> Floats:
        """Values of the nodes."""

    @property
    def n_pivots(self) -> int:
        """Steps so far."""

    def pivot(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs holds."""

    def edges(self) -> tuple[Pairs, Floats]:
        """The tight constraints of the state and their multipliers."""


def check_end(status: int, n_pivots: int) -> None:
    """Raise or warn if the loop of a method ended otherwise than solved."""
    if status == INFEASIBLE:
        raise ValueError(
            "no values satisfy the constraints: the bounds around some cycle of pairs add up to less than zero. If "
            "they are distances, doubles cannot hold such small ones beside such large ones: give another scale"
        )
    if status == EXHAUSTED:
        from sklearn.exceptions import ConvergenceWarning

        warn_caller(f"stopped after {n_pivots} pivots", ConvergenceWarning)
