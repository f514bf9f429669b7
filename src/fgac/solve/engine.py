"""The front door of the engine: generate constraints as they are needed, solve, prove.

A *round* searches the whole problem for the worst violated pairs of every node (*pricing*; at the start,
where all values are targets, these are simply the nearest rows of other classes) and then pivots until the
generated ones hold. When a search finds nothing, the values are the optimum of the full problem, and that last
search is the proof of feasibility.

The nearest pairs are a poor choice of first constraints when gamma is small. So a large problem has a *warm start*
(:mod:`fgac.solve.warm_start`), which only chooses the first constraints: whatever it is, the result is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from fgac._progress import tell
from fgac._tolerances import FACE_TOL, PROOF_TOL, SLIGHT_ROUNDING
from fgac._typing import Floats, Ints
from fgac.metrics.tiles import one_blas_thread
from fgac.solve.constraints import MetricConstraints
from fgac.solve.forest import Forest
from fgac.solve.network import FaceConstraints, Network
from fgac.solve.problem import Constraints, Pairs, Problem
from fgac.solve.solution import Solution, certify, warn_if_unproved
from fgac.solve.state import SolverState
from fgac.solve.warm_start import warm_start

# Pairs taken per node and round.
PER_NODE = 8
# While violations are larger than this share of the scale the generated constraints are poor: solving them to the last
# digit would be wasted.
COARSE = 0.05
# The generated constraints are solved this much more tightly than the full problem is asked to be.
INNER = 1e-2
MAX_ROUNDS = 1000
# What a warm start is solved to, for its extension to the other rows is good to a few hundredths only.
WARM_START_TOL = 1e-3


@dataclass
class SolveStats:
    """What a solve has needed so far: rounds, generated constraints and seconds, and the violation it ended with.

    ``seconds`` are those of the warm start (``guess``), of the searches (``pricing``) and of the ``pivots``.
    """

    largest: float = np.inf
    rounds: int = 0
    constraints: int = 0
    seconds: dict[str, float] = field(default_factory=lambda: {"guess": 0.0, "pricing": 0.0, "pivots": 0.0})


def solve(problem: Problem, *, start: Pairs | None = None, tol: float = 1e-10, verbose: int = 0) -> Solution:
    """Solve a problem exactly and prove it.

    Parameters
    ----------
    problem : Problem
    start : Pairs, optional
        Constraints, forming a forest, that are tight in the solution of a similar problem, such as the ``active`` ones
        for another gamma with their bounds for this one. It saves time and changes nothing else. Only least squares
        makes use of it.
    tol : float
        Largest violation that is accepted, relative to half the spread of the targets. Rounding leaves about
        1e-15, so the tolerance only decides what counts as violated, not how exact the result is.
    verbose : int
        Print a line per round if positive.

    Returns
    -------
    Solution
        Warns with a :class:`~sklearn.exceptions.ConvergenceWarning` if the tolerance was not reached, or if the proof
        does not hold.

    Examples
    --------
    >>> from fgac.solve import PairConstraints, Problem, solve
    >>> solution = solve(Problem([1, 0], PairConstraints([0], [1], [0.5])))
    >>> solution.values, solution.is_optimal()
    (array([0.75, 0.25]), True)
    """
    solution = _solve(problem, start, tol, verbose)
    warn_if_unproved(solution, tol)
    return solution


def _solve(problem: Problem, start: Pairs | None, tol: float, verbose: int) -> Solution:
    """Solve a problem, whatever its proof comes to."""
    middle, scale = _unit(problem)
    stats = SolveStats()
    targets = problem.targets - middle
    with one_blas_thread():
        if problem.quantile is None:
            if start is None:
                forest = Forest(targets, problem.weights, _node_order(problem))
            else:
                forest = _resumed(targets, problem.weights, start)
            values = forest.a if start is not None else _timed_warm_start(problem, middle, stats)
            solve_with_pricing(forest, problem.constraints, values, tol * scale, scale, stats, verbose)
            return _proved(problem, forest.a, middle, forest, stats, scale)
        values = _timed_warm_start(problem, middle, stats)
        a, state = _least_deviations(problem, targets, values, tol * scale, scale, stats, verbose)
    return _proved(problem, a, middle, state, stats, scale)


def prove(problem: Problem, forest: Forest) -> Solution:
    """Measure how well values and multipliers solve a problem, by a search of all constraints; warn if they do not.

    Examples
    --------
    >>> from fgac.solve import PairConstraints, Problem, prove
    >>> from fgac.solve.forest import Forest
    >>> problem = Problem([1, 0], PairConstraints([0], [1], [2.0]))
    >>> forest = Forest(problem.targets, problem.weights)
    >>> prove(problem, forest).values
    array([1., 0.])
    """
    stats = SolveStats(rounds=1, constraints=len(forest.edges()[1]))
    with one_blas_thread():
        start = perf_counter()
        stats.largest = problem.constraints.price(forest.a, 1).largest
        stats.seconds["pricing"] = perf_counter() - start
    middle, scale = _unit(problem)
    solution = _proved(problem, forest.a - middle, middle, forest, stats, scale)
    warn_if_unproved(solution, 0.1 * PROOF_TOL)
    return solution


def _unit(problem: Problem) -> tuple[float, float]:
    """Middle of the targets and half their spread: the problem is solved around the one, in units of the other."""
    low, high = float(problem.targets.min()), float(problem.targets.max())
    middle = 0.5 * low + 0.5 * high  # their sum may be too large for a double
    return middle, high - middle or 1.0


def _proved(
    problem: Problem, a: Floats, middle: float, state: SolverState, stats: SolveStats, scale: float
) -> Solution:
    """The solution, with objective, residual and gap measured from its values and multipliers alone."""
    edges, flows = state.edges()
    active, multipliers = edges.where(flows > 0), flows[flows > 0]
    proof = certify(problem, a, problem.targets - middle, active, multipliers, scale)
    proof = proof._replace(dual_residual=float(np.maximum(proof.dual_residual, state.clipped)))
    return Solution(
        values=a + middle,
        active=active,
        multipliers=multipliers,
        largest_violation=stats.largest,
        n_constraints=stats.constraints,
        n_rounds=stats.rounds,
        n_pivots=state.n_pivots,
        seconds=stats.seconds,
        scale=scale,
        rounding=problem.constraints.rounding(a, SLIGHT_ROUNDING * PROOF_TOL * scale),
        **proof._asdict(),
    )


def _node_order(problem: Problem) -> Ints | None:
    """The order in which a forest keeps the nodes: those of rows that lie together, in a large problem."""
    constraints = problem.constraints
    order = constraints.node_order() if isinstance(constraints, MetricConstraints) else None
    if order is None or len(order) == len(problem.targets):
        return order
    rest = np.ones(len(problem.targets), dtype=bool)
    rest[order] = False
    return np.append(order, np.flatnonzero(rest))


def _resumed(targets: Floats, weights: Floats, start: Pairs) -> Forest:
    """A forest that begins with some tight constraints, less those that would carry a negative multiplier."""
    forest = Forest(targets, weights)
    forest.insert_edges(start)
    forest.drop_negative_edges()
    return forest


def _least_deviations(
    problem: Problem, targets: Floats, values: Floats, tol: float, scale: float, stats: SolveStats, verbose: int
) -> tuple[Floats, SolverState]:
    """Solve for the flow, then look for the values nearest to the targets among all that it proves optimal."""
    lower, upper = problem.slopes()
    network = Network(targets, lower, upper)
    solve_with_pricing(network, problem.constraints, values, tol, scale, stats, verbose)
    n = len(targets)
    face = FaceConstraints(problem.constraints, network.face(FACE_TOL * float(problem.weights.min())), n + 1)
    # The ground is one more node, which cannot move.
    forest = Forest(np.append(targets, 0.0), np.append(problem.weights, np.inf))
    solve_with_pricing(forest, face, np.append(network.a, 0.0), tol, scale, stats, verbose)
    return forest.a[:n], network


def solve_with_pricing(
    state: SolverState,
    constraints: Constraints,
    values: Floats,
    tol: float,
    scale: float,
    stats: SolveStats,
    verbose: int,
) -> None:
    """Alternate pricing and pivots until a search of all constraints finds nothing violated.

    ``values`` are those of the first search: a warm start, or the values that the state begins with.
    """
    candidates: Pairs | None = None
    coarse = 0.0
    for rounds in range(1, MAX_ROUNDS + 1):
        start = perf_counter()
        priced = constraints.price(values, PER_NODE)
        priced_at = perf_counter()
        stats.seconds["pricing"] += priced_at - start
        stats.rounds += 1
        tell("solving", stats.rounds)  # how many rounds there will be, nobody knows
        if verbose > 0:
            _report(stats, priced.largest, state.n_pivots)
        # The first search may have seen values of a warm start, and coarse pivots leave violations on purpose:
        # only a search of values that were solved to the end proves anything.
        if priced.largest <= tol and rounds > 1 and not coarse:
            break
        stats.constraints += len(priced.pairs.bound)
        candidates = _candidates(state, candidates, priced.pairs, priced.largest)
        largest = max(priced.largest, scale) if rounds == 1 else priced.largest
        coarse = state.coarse_share * largest if largest > COARSE * scale else 0.0
        n_pivots = state.n_pivots
        state.pivot(candidates, max(INNER * tol, coarse))
        stats.seconds["pivots"] += perf_counter() - priced_at
        stuck = state.n_pivots == n_pivots and not coarse
        values = state.a
        if stuck:
            break
    stats.largest = priced.largest


def _candidates(state: SolverState, old: Pairs | None, new: Pairs, largest: float) -> Pairs:
    """What to pivot on: the state's edges, the new pairs, and the old ones that are nearly tight."""
    parts = [state.edges()[0], new]
    if old is not None:
        parts.append(old.where(old.violation(state.a) > -largest))
    return Pairs.joined(parts)


def _report(stats: SolveStats, largest: float, n_pivots: int) -> None:
    """Print the line of a round."""
    print(  # noqa: T201
        f"[fgac] round {stats.rounds}: largest violation {largest:.3g}, "
        f"{stats.constraints} constraints, {n_pivots} pivots"
    )


def _timed_warm_start(problem: Problem, middle: float, stats: SolveStats) -> Floats:
    """A warm start around the middle of the targets; its time is noted."""
    begin = perf_counter()
    values = warm_start(problem, _solve_coarsely) - middle
    stats.seconds["guess"] = perf_counter() - begin
    return values


def _solve_coarsely(problem: Problem) -> Floats:
    """Values that are good to a few thousandths."""
    return _solve(problem, None, WARM_START_TOL, 0).values
