"""The front door of the engine: generate constraints solve_with_pricing, solve, prove.

A *round* searches the whole problem for the worst violated pairs of every node (*pricing*; at the start,
where all values are targets, these are simply the nearest rows of other classes) and then pivots until the
generated ones hold. When a search finds nothing, the values are the optimum of the full problem, and that last
search is the proof of feasibility.

A first guess from a subsample problem, to know early which constraints will matter.

The nearest pairs are a poor guess of the tight ones when gamma is small. One node in sixteen
already gives values good to a few hundredths; extend to all nodes they show nearly the right
pairs. The guess only chooses the first constraints: whatever it is, the result is the same.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from fgac._typing import Bools, Floats, Ints
from fgac._warnings import caller_stacklevel
from fgac.metrics.tiles import one_blas_thread
from fgac.query.envelope import Envelope
from fgac.solve.constraints import MetricConstraints
from fgac.solve.forest import Forest
from fgac.solve.network import FaceConstraints, Network
from fgac.solve.problem import Constraints, Pairs, Problem
from fgac.solve.solution import Solution, certify

THIN = 16
# Below this number of rows a guess costs more than it saves.
WORTHWHILE = 1500
GUESS_TOL = 1e-3


def rows_used(constraints: MetricConstraints) -> Ints:
    """The rows that stand in any pair."""
    return np.unique(np.concatenate([rows for g in constraints.groups for rows in (g.tail_rows, g.head_rows)]))


def subsample(constraints: MetricConstraints, used: Ints) -> MetricConstraints:
    """The constraints between every sixteenth of the rows that are used; nodes keep their numbers."""
    stays = np.zeros(len(constraints.rows), dtype=bool)
    stays[used[::THIN]] = True
    groups = [group.among(stays) for group in constraints.groups]
    return MetricConstraints(constraints.rows, constraints.metric, constraints.gamma, groups, constraints.n_jobs)


def extend(constraints: MetricConstraints, thin: MetricConstraints, values: Floats, targets: Floats) -> Floats:
    """Targets moved into the bounds that the subsample nodes put on every node."""
    lower, upper = np.full(len(targets), -np.inf), np.full(len(targets), np.inf)

    def envelope_at(rows: Ints, nodes: Ints, points: Ints, sign: float) -> Floats:
        few = constraints.rows[rows].oriented(-sign)
        envelope = Envelope(few, constraints.metric, constraints.gamma, constraints.n_jobs)
        return envelope.maxima(constraints.rows[points], [envelope.query(sign * values[nodes])])[0][:, 0]

    for group, few in zip(constraints.groups, thin.groups, strict=True):
        for tails, few_heads in matching(group.tail_rows, few.head_rows, group.labels):
            nodes = group.tail_nodes[tails]
            above = -envelope_at(few.head_rows[few_heads], few.head_nodes[few_heads], group.tail_rows[tails], -1.0)
            upper[nodes] = np.minimum(upper[nodes], above)
        for heads, few_tails in matching(group.head_rows, few.tail_rows, group.labels):
            nodes = group.head_nodes[heads]
            below = envelope_at(few.tail_rows[few_tails], few.tail_nodes[few_tails], group.head_rows[heads], 1.0)
            lower[nodes] = np.maximum(lower[nodes], below)
    return np.maximum(lower, np.minimum(upper, targets))


def matching(rows: Ints, few: Ints, labels: Ints | None) -> list[tuple[Bools, Bools]]:
    """Masks of rows and of the few others that they form pairs with: all, or label by label those of other labels."""
    if labels is None or len(np.unique(labels)) == len(labels):  # a row's own value bounds it rightly
        return [(np.ones(len(rows), dtype=bool), np.ones(len(few), dtype=bool))]
    return [(labels[rows] == k, labels[few] != k) for k in np.unique(labels[rows])]


def warm_start(problem: Problem) -> Floats:
    """Values near the solution, or simply the targets where looking for better ones does not pay."""
    constraints = problem.constraints
    if not isinstance(constraints, MetricConstraints) or constraints.n_nodes < WORTHWHILE:
        return problem.targets
    used = rows_used(constraints)
    if len(used) < WORTHWHILE:
        return problem.targets
    thin = subsample(constraints, used)
    values = solve(Problem(problem.targets, thin, problem.weights), tol=GUESS_TOL).values
    return extend(constraints, thin, values, problem.targets)


# Pairs taken per node and round.
PER_NODE = 8
# While violations are large the generated constraints are poor: solving them to the last digit would be wasted.
COARSE = 0.05
# The generated constraints are solved this much more tightly than the full problem is asked to be.
INNER = 1e-2
MAX_ROUNDS = 1000


class SolverState(Protocol):
    """Values that are optimal under some of the constraints, and a way to take more into account.

    ``coarse_share`` is the share of the largest violation that may be left while constraints are still poor.
    """

    counts: Ints
    coarse_share: float

    @property
    def a(self) -> Floats:
        """Values of the nodes."""

    def pivot(self, pairs: Pairs, tol: float) -> None:
        """Pivot until every one of these pairs holds."""

    def edges(self) -> tuple[Pairs, Floats]:
        """The tight constraints of the state and their multipliers."""


@dataclass
class SolveStats:
    """What it took."""

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
        Warns with a :class:`~sklearn.exceptions.ConvergenceWarning` if the tolerance was not reached.
    """
    middle, scale = _unit(problem)
    stats = SolveStats()
    targets = problem.targets - middle
    with one_blas_thread():
        if problem.quantile is None:
            forest = Forest(targets, problem.weights) if start is None else _resumed(targets, problem.weights, start)
            values = forest.a if start is not None else _guessed(problem, middle, stats)
            solve_with_pricing(forest, problem.constraints, values, tol * scale, scale, stats, verbose)
            return _proved(problem, forest.a, middle, forest, stats, scale)
        values = _guessed(problem, middle, stats)
        a, state = _least_deviations(problem, targets, values, tol * scale, scale, stats, verbose)
    return _proved(problem, a, middle, state, stats, scale)


def prove(problem: Problem, forest: Forest) -> Solution:
    """Measure how well values and multipliers solve a problem, by a search of all constraints."""
    stats = SolveStats(rounds=1, constraints=len(forest.edges()[1]))
    with one_blas_thread():
        start = perf_counter()
        stats.largest = problem.constraints.price(forest.a, 1).largest
        stats.seconds["pricing"] = perf_counter() - start
    middle, scale = _unit(problem)
    return _proved(problem, forest.a - middle, middle, forest, stats, scale)


def _unit(problem: Problem) -> tuple[float, float]:
    """Middle of the targets and half their spread: the problem is solved around the one, in units of the other."""
    middle = 0.5 * float(problem.targets.min() + problem.targets.max())
    return middle, float(problem.targets.max() - middle) or 1.0


def _proved(
    problem: Problem, a: Floats, middle: float, state: SolverState, stats: SolveStats, scale: float
) -> Solution:
    edges, flows = state.edges()
    active, multipliers = edges.where(flows > 0), flows[flows > 0]
    objective, dual_residual, gap = certify(problem, a, problem.targets - middle, active, multipliers)
    return Solution(
        values=a + middle,
        active=active,
        multipliers=multipliers,
        objective=objective,
        largest_violation=stats.largest,
        dual_residual=dual_residual,
        duality_gap=gap,
        n_constraints=stats.constraints,
        n_rounds=stats.rounds,
        n_pivots=int(state.counts[0]),
        seconds=stats.seconds,
        scale=scale,
    )


def _resumed(targets: Floats, weights: Floats, start: Pairs) -> Forest:
    """A forest that begins with some tight constraints, less those that would carry a negative multiplier."""
    forest = Forest(targets, weights)
    forest.insert_edges(start)
    forest.drop_negative_edges()
    return forest


def _guessed(problem: Problem, middle: float, stats: SolveStats) -> Floats:
    """A guess of the solution around the middle, and what it took."""
    begin = perf_counter()
    values = warm_start(problem) - middle
    stats.seconds["guess"] = perf_counter() - begin
    return values


def _least_deviations(
    problem: Problem, targets: Floats, values: Floats, tol: float, scale: float, stats: SolveStats, verbose: int
) -> tuple[Floats, SolverState]:
    """Solve for the flow, then look for the values nearest to the targets among all that it proves optimal."""
    lower, upper = problem.slopes()
    network = Network(targets, lower, upper)
    solve_with_pricing(network, problem.constraints, values, tol, scale, stats, verbose)
    n = len(targets)
    face = FaceConstraints(problem.constraints, network.face(1e-9 * float(problem.weights.min())), n + 1)
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

    ``values`` are what the first search looks at: a guess of the solution, or where the state begins.
    """
    candidates: Pairs | None = None
    coarse = 0.0
    for rounds in range(1, MAX_ROUNDS + 1):
        start = perf_counter()
        priced = constraints.price(values, PER_NODE)
        priced_at = perf_counter()
        stats.seconds["pricing"] += priced_at - start
        stats.rounds += 1
        if verbose > 0:
            _report(stats, priced.largest, int(state.counts[0]))
        if priced.largest <= tol and rounds > 1 and not coarse:
            break
        stats.constraints += len(priced.pairs.bound)
        candidates = _candidates(state, candidates, priced.pairs, priced.largest)
        largest = max(priced.largest, scale) if rounds == 1 else priced.largest
        coarse = state.coarse_share * largest if largest > COARSE * scale else 0.0
        pivots = int(state.counts[0])
        state.pivot(candidates, max(INNER * tol, coarse))
        stats.seconds["pivots"] += perf_counter() - priced_at
        stuck = int(state.counts[0]) == pivots and not coarse
        values = state.a
        if stuck:
            break
    stats.largest = priced.largest
    if priced.largest > tol:
        warnings.warn(
            f"stopped after {rounds} rounds with a largest violation of {priced.largest:.3g}, more than the tolerance "
            f"{tol:.3g}: the distances are not the same each time they are asked for, or tol is below the rounding "
            "of the numbers",
            ConvergenceWarning,
            stacklevel=caller_stacklevel(),
        )


def _candidates(state: SolverState, old: Pairs | None, new: Pairs, largest: float) -> Pairs:
    """What to pivot on: the state's edges, the new pairs, and the old ones that are nearly tight."""
    parts = [state.edges()[0], new]
    if old is not None:
        parts.append(old.where(old.violation(state.a) > -largest))
    return Pairs.joined(parts)


def _report(stats: SolveStats, largest: float, pivots: int) -> None:
    print(  # noqa: T201
        f"[fgac] round {stats.rounds}: largest violation {largest:.3g}, "
        f"{stats.constraints} constraints, {pivots} pivots"
    )
