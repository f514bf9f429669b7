"""A first guess from a thinned problem, to know early which constraints will matter.

The nearest pairs are a poor guess of the tight ones when gamma is small. One node in sixteen
already gives values good to a few hundredths; extended to all nodes they show nearly the right
pairs. The guess only chooses the first constraints: whatever it is, the result is the same.
"""

from __future__ import annotations

import numpy as np

from fgac.distances import Floats, Ints
from fgac.envelope import Envelope
from fgac.solve.constraints import Group, MetricConstraints
from fgac.solve.problem import Problem

THIN = 16
# Below this number of rows a guess costs more than it saves.
WORTHWHILE = 4000
GUESS_TOL = 1e-3


def rows_used(constraints: MetricConstraints) -> Ints:
    """The rows that stand in any pair."""
    return np.unique(np.concatenate([rows for g in constraints.groups for rows in (g.tail_rows, g.head_rows)]))


def thinned(constraints: MetricConstraints, used: Ints) -> MetricConstraints:
    """The constraints between every sixteenth of the rows that are used; nodes keep their numbers."""
    stays = np.zeros(len(constraints.rows), dtype=bool)
    stays[used[::THIN]] = True
    groups = []
    for group in constraints.groups:
        tails, heads = stays[group.tail_rows], stays[group.head_rows]
        groups.append(
            Group(group.tail_rows[tails], group.tail_nodes[tails], group.head_rows[heads], group.head_nodes[heads])
        )
    return MetricConstraints(constraints.rows, constraints.metric, constraints.gamma, groups, constraints.n_jobs)


def extended(constraints: MetricConstraints, thin: MetricConstraints, values: Floats, targets: Floats) -> Floats:
    """Targets moved into the bounds that the thinned nodes put on every node."""
    lower, upper = np.full(len(targets), -np.inf), np.full(len(targets), np.inf)

    def cones(rows: Ints, nodes: Ints, queries: Ints, sign: float) -> Floats:
        envelope = Envelope(constraints.rows[rows], constraints.metric, constraints.gamma, constraints.n_jobs)
        return envelope.maxima(constraints.rows[queries], [envelope.question(sign * values[nodes])])[0][:, 0]

    for group, few in zip(constraints.groups, thin.groups, strict=True):
        above = -cones(few.head_rows, few.head_nodes, group.tail_rows, -1.0)
        below = cones(few.tail_rows, few.tail_nodes, group.head_rows, 1.0)
        upper[group.tail_nodes] = np.minimum(upper[group.tail_nodes], above)
        lower[group.head_nodes] = np.maximum(lower[group.head_nodes], below)
    return np.maximum(lower, np.minimum(upper, targets))


def guess(problem: Problem) -> Floats:
    """Values near the solution, or simply the targets where looking for better ones does not pay."""
    from fgac.solve.forest import solve

    constraints = problem.constraints
    if not isinstance(constraints, MetricConstraints) or constraints.n_nodes < WORTHWHILE:
        return problem.targets
    used = rows_used(constraints)
    if len(used) < WORTHWHILE:
        return problem.targets
    thin = thinned(constraints, used)
    values = solve(Problem(problem.targets, thin, problem.weights), tol=GUESS_TOL).values
    return extended(constraints, thin, values, problem.targets)
