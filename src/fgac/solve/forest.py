"""Exact least squares under difference constraints: the active-forest method.

At the optimum the tight constraints with a positive multiplier can be chosen to form
a forest. The method keeps such a forest, with values and multipliers that are optimal
for it, and adds violated constraints one by one: a tree joined to another moves as a
rigid body, so every step is one walk over two trees (:mod:`fgac.kernels.forest`). It is
a dual active-set method in which no matrix is ever factorised.

Constraints are generated lazily. A *round* searches the whole problem for the worst
violated pairs of every node (*pricing*; at the start, where all values are targets, these
are simply the nearest rows of other classes) and then pivots until the generated ones hold.
When a search finds nothing, the values are the optimum of the full problem, and that last
search is the proof of feasibility.
"""

from __future__ import annotations

import warnings
from time import perf_counter

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fgac.distances import Floats, Ints
from fgac.solve.coarse import guess
from fgac.solve.constraints import Pairs
from fgac.solve.problem import Problem
from fgac.solve.solution import Solution, certify
from fgac.tiles import one_blas_thread

# Pairs taken per node and round.
PER_NODE = 8
# While violations are large the generated constraints are poor: solving them to the last digit would be wasted.
COARSE, ROUGH = 0.05, 0.03
# The generated constraints are solved this much more tightly than the full problem is asked to be.
INNER = 1e-2
MAX_ROUNDS = 1000
PIVOTS_PER_NODE = 20_000


class Forest:
    """Values of the nodes, and the tight edges with their flows: the state of the method."""

    def __init__(self, targets: Floats, weights: Floats) -> None:
        n = len(targets)
        self.y, self.w = targets, weights
        self.a = targets.copy()
        self.tail = np.full(n, -1, dtype=np.int32)
        self.head = np.full(n, -1, dtype=np.int32)
        self.bound, self.flow = np.zeros(n), np.zeros(n)
        self.first = np.full(n, -1, dtype=np.int32)
        self.after = np.full(2 * n, -1, dtype=np.int32)
        self.before = np.full(2 * n, -1, dtype=np.int32)
        self.spare = np.append(np.arange(n, dtype=np.int32), np.int32(n))
        self.counts = np.zeros(2, dtype=np.int64)
        self.nodes = np.empty((3, n), dtype=np.int32)
        self.below = np.empty(n)

    def ascend(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs and of the forest's edges holds."""
        from fgac.kernels.forest import EXHAUSTED, INFEASIBLE, ascend, settle

        status = ascend(
            *pairs, tol, PIVOTS_PER_NODE * len(self.a),
            self.a, self.w, self.tail, self.head, self.bound, self.flow,
            self.first, self.after, self.before, self.spare, self.counts,
            self.nodes, self.below, np.empty(len(pairs.bound), dtype=np.int64),
        )  # fmt: skip
        if status == INFEASIBLE:
            raise ValueError(
                "no values satisfy the constraints: the bounds around some cycle of pairs add up to less than zero"
            )
        if status == EXHAUSTED:
            warnings.warn(f"stopped after {self.counts[0]} pivots", ConvergenceWarning, stacklevel=3)
        settle(
            self.a, self.y, self.w, self.tail, self.head, self.bound, self.flow,
            self.first, self.after, self.nodes, self.below, np.empty(len(self.a)),
        )  # fmt: skip

    def edges(self) -> tuple[Pairs, Floats]:
        """The edges and their multipliers."""
        used: Ints = np.flatnonzero(self.tail >= 0)
        return Pairs(self.tail[used].astype(np.int64), self.head[used].astype(np.int64), self.bound[used]), self.flow[
            used
        ]


def solve(problem: Problem, *, tol: float = 1e-10, verbose: int = 0) -> Solution:
    """Solve a problem exactly and prove it.

    Parameters
    ----------
    problem : Problem
    tol : float
        Largest violation that is accepted, relative to half the spread of the targets. Rounding leaves about
        1e-15, so the tolerance only decides what counts as violated, not how exact the result is.
    verbose : int
        Print a line per round if positive.

    Returns
    -------
    Solution
        Warns with a :class:`~sklearn.exceptions.ConvergenceWarning` if the tolerance was not reached.
    """
    with one_blas_thread():
        return _solve(problem, tol, verbose)


def _solve(problem: Problem, tol: float, verbose: int) -> Solution:
    """Alternate pricing and pivots until a search of the full problem finds nothing violated."""
    middle = 0.5 * (problem.targets.min() + problem.targets.max())
    scale = float(problem.targets.max() - middle) or 1.0
    forest = Forest(problem.targets - middle, problem.weights)
    start = perf_counter()
    values = guess(problem) - middle
    seconds = {"guess": perf_counter() - start, "pricing": 0.0, "pivots": 0.0}
    generated = 0
    candidates: Pairs | None = None
    for rounds in range(1, MAX_ROUNDS + 1):
        start = perf_counter()
        priced = problem.constraints.price(values, PER_NODE)
        priced_at = perf_counter()
        seconds["pricing"] += priced_at - start
        if verbose > 0:
            _report(rounds, priced.largest, generated, int(forest.counts[0]))
        if priced.largest <= tol * scale and values is forest.a:
            break
        values = forest.a
        generated += len(priced.pairs.bound)
        candidates = _candidates(forest, candidates, priced.pairs, priced.largest)
        largest = max(priced.largest, scale) if rounds == 1 else priced.largest
        coarse = ROUGH * largest if largest > COARSE * scale else 0.0
        pivots = int(forest.counts[0])
        forest.ascend(candidates, max(INNER * tol * scale, coarse))
        seconds["pivots"] += perf_counter() - priced_at
        if int(forest.counts[0]) == pivots and not coarse:
            break
    if priced.largest > tol * scale:
        warnings.warn(
            f"stopped after {rounds} rounds with a largest violation of {priced.largest:.3g}, more than "
            f"tol * scale = {tol * scale:.3g}: the distances are not the same each time they are asked for, or "
            "tol is below the rounding of the numbers",
            ConvergenceWarning,
            stacklevel=3,
        )
    edges, flows = forest.edges()
    active, multipliers = edges.where(flows > 0), flows[flows > 0]
    objective, dual_residual, gap = certify(forest.a, forest.y, forest.w, active, multipliers)
    return Solution(
        values=forest.a + middle,
        active=active,
        multipliers=multipliers,
        objective=objective,
        largest_violation=priced.largest,
        dual_residual=dual_residual,
        duality_gap=gap,
        n_constraints=generated,
        n_rounds=rounds,
        n_pivots=int(forest.counts[0]),
        seconds=seconds,
        scale=scale,
    )


def _candidates(forest: Forest, old: Pairs | None, new: Pairs, largest: float) -> Pairs:
    """What to pivot on: the forest's edges, the new pairs, and the old ones that are nearly tight."""
    parts = [forest.edges()[0], new]
    if old is not None:
        parts.append(old.where(old.violation(forest.a) > -largest))
    return Pairs.joined(parts)


def _report(rounds: int, largest: float, generated: int, pivots: int) -> None:
    print(  # noqa: T201
        f"[fgac] round {rounds}: largest violation {largest:.3g}, {generated} constraints, {pivots} pivots"
    )
