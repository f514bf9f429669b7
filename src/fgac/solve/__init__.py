"""The exact engine: a :class:`Problem` goes in, a :class:`Solution` with its proof comes out."""

from fgac.solve.blocks import Group
from fgac.solve.constraints import Constraints, PairConstraints, Pairs, Pricing
from fgac.solve.engine import prove, solve
from fgac.solve.metric import MetricConstraints
from fgac.solve.problem import Problem
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
