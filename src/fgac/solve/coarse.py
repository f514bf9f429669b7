"""A first guess from a thinned problem, to know early which constraints will matter.

The nearest pairs are a poor guess of the tight ones when gamma is small. One node in sixteen
already gives values good to a few hundredths; extended to all nodes they show nearly the right
pairs. The guess only chooses the first constraints: whatever it is, the result is the same.
"""

from __future__ import annotations

import numpy as np

from fgac.distances import Floats, Ints
from fgac.envelope import Envelope
from fgac.solve.constraints import NDArrayBool
from fgac.solve.metric import MetricConstraints
from fgac.solve.problem import Problem

THIN = 16
# Below this number of rows a guess costs more than it saves.
WORTHWHILE = 1500
GUESS_TOL = 1e-3


def rows_used(constraints: MetricConstraints) -> Ints:
    """The rows that stand in any pair."""
    return np.unique(np.concatenate([rows for g in constraints.groups for rows in (g.tail_rows, g.head_rows)]))


def thinned(constraints: MetricConstraints, used: Ints) -> MetricConstraints:
    """The constraints between every sixteenth of the rows that are used; nodes keep their numbers."""
    stays = np.zeros(len(constraints.rows), dtype=bool)
    stays[used[::THIN]] = True
    groups = [group.among(stays) for group in constraints.groups]
    return MetricConstraints(constraints.rows, constraints.metric, constraints.gamma, groups, constraints.n_jobs)


def extended(constraints: MetricConstraints, thin: MetricConstraints, values: Floats, targets: Floats) -> Floats:
    """Targets moved into the bounds that the thinned nodes put on every node."""
    lower, upper = np.full(len(targets), -np.inf), np.full(len(targets), np.inf)

    def cones(rows: Ints, nodes: Ints, queries: Ints, sign: float) -> Floats:
        few = constraints.rows[rows].turned(-sign)
        envelope = Envelope(few, constraints.metric, constraints.gamma, constraints.n_jobs)
        return envelope.maxima(constraints.rows[queries], [envelope.question(sign * values[nodes])])[0][:, 0]

    for group, few in zip(constraints.groups, thin.groups, strict=True):
        for tails, few_heads in matching(group.tail_rows, few.head_rows, group.labels):
            nodes = group.tail_nodes[tails]
            above = -cones(few.head_rows[few_heads], few.head_nodes[few_heads], group.tail_rows[tails], -1.0)
            upper[nodes] = np.minimum(upper[nodes], above)
        for heads, few_tails in matching(group.head_rows, few.tail_rows, group.labels):
            nodes = group.head_nodes[heads]
            below = cones(few.tail_rows[few_tails], few.tail_nodes[few_tails], group.head_rows[heads], 1.0)
            lower[nodes] = np.maximum(lower[nodes], below)
    return np.maximum(lower, np.minimum(upper, targets))


def matching(rows: Ints, few: Ints, labels: Ints | None) -> list[tuple[NDArrayBool, NDArrayBool]]:
    """Masks of rows and of the few others that they form pairs with: all, or label by label those of other labels."""
    if labels is None or len(np.unique(labels)) == len(labels):  # a row's own value bounds it rightly
        return [(np.ones(len(rows), dtype=bool), np.ones(len(few), dtype=bool))]
    return [(labels[rows] == k, labels[few] != k) for k in np.unique(labels[rows])]


def guess(problem: Problem) -> Floats:
    """Values near the solution, or simply the targets where looking for better ones does not pay."""
    from fgac.solve.engine import solve

    constraints = problem.constraints
    if not isinstance(constraints, MetricConstraints) or constraints.n_nodes < WORTHWHILE:
        return problem.targets
    used = rows_used(constraints)
    if len(used) < WORTHWHILE:
        return problem.targets
    thin = thinned(constraints, used)
    values = solve(Problem(problem.targets, thin, problem.weights), tol=GUESS_TOL).values
    return extended(constraints, thin, values, problem.targets)
