"""The exact engine: a :class:`Problem` goes in, a :class:`Solution` with its proof comes out."""

from __future__ import annotations

from fgac.solve.constraints import MetricConstraints, PairConstraints
from fgac.solve.engine import prove, solve
from fgac.solve.pairs import Group
from fgac.solve.problem import Constraints, Pairs, Pricing, Problem
from fgac.solve.solution import Solution

__all__ = [
    "Constraints",
    "Group",
    "MetricConstraints",
    "PairConstraints",
    "Pairs",
    "Pricing",
    "Problem",
    "Solution",
    "prove",
    "solve",
]
