"""Values to begin with: the solution for some of the rows, extended to all.

One row in a few already gives values good to some hundredths, and extended to all nodes they show nearly the right
pairs. The few rows, if they are still many, are begun with in the same way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fgac._typing import Floats, Ints
from fgac.solve.constraints import MetricConstraints
from fgac.solve.pairs import Blocks, Group
from fgac.solve.pricing import GroupSearch
from fgac.solve.problem import Guessing, Problem
from fgac.solve.search import Ends

# A warm start solves for one row in so many. In few columns, where boxes rule out many pairs, extending the solution
# of more rows costs little, and trees are large, so that a better start spares the most.
SUBSAMPLE_STEP, FINE_STEP, FEW_COLUMNS = 8, 4, 6
# Below this number of rows a warm start costs more than it saves.
WARM_START_ROWS = 1500


def warm_start(problem: Problem, solve: Callable[[Problem], Floats]) -> Floats:
    """Values near the solution, or simply the targets where searching for better ones does not pay."""
    constraints = problem.constraints
    if isinstance(constraints, Guessing):
        guessed = constraints.guess(problem)
        return problem.targets if guessed is None else guessed
    if not isinstance(constraints, MetricConstraints) or constraints.n_nodes < WARM_START_ROWS:
        return problem.targets
    used = rows_used(constraints)
    if len(used) < WARM_START_ROWS:
        return problem.targets
    few = subsample(constraints, used)
    values = solve(Problem(problem.targets, few, problem.weights))
    return extend(constraints, few, values, problem.targets)


def rows_used(constraints: MetricConstraints) -> Ints:
    """The rows that stand in any pair."""
    return np.unique(np.concatenate([rows for g in constraints.groups for rows in (g.tail_rows, g.head_rows)]))


def subsample(constraints: MetricConstraints, used: Ints) -> MetricConstraints:
    """The constraints between some of the rows that are used; nodes keep their numbers."""
    stays = np.zeros(len(constraints.rows), dtype=bool)
    plain = constraints.rows.without_direction()
    is_few = plain.numeric.shape[1] + plain.codes.shape[1] <= FEW_COLUMNS
    stays[used[:: FINE_STEP if is_few else SUBSAMPLE_STEP]] = True
    groups = [group.among(stays) for group in constraints.groups]
    return MetricConstraints(constraints.rows, constraints.metric, constraints.gamma, groups, constraints.n_jobs)


def extend(constraints: MetricConstraints, few: MetricConstraints, values: Floats, targets: Floats) -> Floats:
    """Targets moved into the bounds that the nodes of a subsample put on every node.

    How far a target is beyond the strictest bound is its largest violation.
    """
    fall, rise = np.zeros(len(targets)), np.zeros(len(targets))
    for group, some in zip(constraints.groups, few.groups, strict=True):
        tails, heads = np.arange(len(group.tail_rows)), np.arange(len(group.head_rows))
        upper = group._replace(head_rows=some.head_rows, tail_nodes=tails, head_nodes=_after(tails, some.head_rows))
        known = np.append(targets[group.tail_nodes], values[some.head_nodes])
        violated = _worst(constraints, upper, known, (True, False))
        np.maximum.at(fall, group.tail_nodes, violated[tails])
        if group.mirrored:
            np.maximum.at(rise, group.head_nodes, violated[tails])
            continue
        lower = group._replace(tail_rows=some.tail_rows, head_nodes=heads, tail_nodes=_after(heads, some.tail_rows))
        known = np.append(targets[group.head_nodes], values[some.tail_nodes])
        violated = _worst(constraints, lower, known, (False, True))
        np.maximum.at(rise, group.head_nodes, violated[heads])
    return np.where(rise > 0, targets + rise, targets - fall)


def _after(nodes: Ints, rows: Ints) -> Ints:
    """Numbers for the nodes of some rows, after those of others."""
    return len(nodes) + np.arange(len(rows))


def _worst(constraints: MetricConstraints, group: Group, values: Floats, ends: Ends) -> Floats:
    """The largest violation of every tail, or of every head, of a group; 0 if there is none."""
    blocks = Blocks(constraints.rows, constraints.metric, group._replace(mirrored=False), constraints.n_jobs)
    pairs = GroupSearch(blocks).at(constraints.gamma).price(values, 1, 0.0, ends).pairs
    worst = np.zeros(len(values))
    for nodes in (pairs.tail, pairs.head):
        np.maximum.at(worst, nodes, pairs.violation(values))
    return worst
