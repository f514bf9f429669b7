"""Where a fit on a cluster starts: the solution for some of the nodes, extended to all of them cell by cell."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac._typing import Floats
from fgac.dask.cells import Cell, joined_rows
from fgac.dask.clients import sent
from fgac.dask.search import Form, Side
from fgac.metrics.distances import Metric
from fgac.metrics.tiles import one_blas_thread
from fgac.solve import MetricConstraints, Problem, solve
from fgac.solve.engine import SUBSAMPLE_STEP, WARM_START_ROWS, WARM_START_TOL, extend
from fgac.solve.pairs import Group

if TYPE_CHECKING:
    from fgac.dask.constraints import CellConstraints

# Nodes that one worker solves for at most.
MOST_GUESSED = 100_000


def guess(constraints: CellConstraints, problem: Problem) -> Floats | None:
    """Values for the first search; None where searching for better ones than the targets does not pay."""
    if constraints.n < WARM_START_ROWS or problem.quantile is not None:
        return None
    step = max(SUBSAMPLE_STEP, -(-constraints.n // MOST_GUESSED))
    client = constraints.client
    targets, weights = constraints.sides(problem.targets), constraints.sides(problem.weights)
    there = sent(client, list(zip(targets, weights, strict=True)))
    held = list(zip(constraints.cells, there, strict=True))
    few = [client.submit(thinned, cell, part, step, pure=False) for cell, part in held]
    settings = constraints.metric, constraints.gamma, constraints.form
    solved = client.submit(solve_few, few, *settings, pure=False)
    found = [client.submit(extended, cell, part, solved, *settings, pure=False) for cell, part in held]
    parts = client.gather(found)
    return np.concatenate([part for side in zip(*parts, strict=True) for part in side])


Given = tuple[tuple[Side, Side], tuple[Side, Side]]


def thinned(cell: Cell, given: Given, step: int) -> tuple[Cell, Floats, Floats]:
    """Every so manieth node of a cell, with the targets and weights of its variables, tails first."""
    (tails, heads), (over, under) = given
    chosen = slice(None, None, step)
    some = Cell(cell.rows[chosen], cell.levels[chosen], cell.weights[chosen])
    return (
        some,
        np.stack([tails.values[chosen], heads.values[chosen]]),
        np.stack([over.values[chosen], under.values[chosen]]),
    )


def solve_few(
    parts: Sequence[tuple[Cell, Floats, Floats]], metric: Metric, gamma: float, form: Form
) -> tuple[Cell, Floats]:
    """The solution for some nodes: one row of values for tails, one for heads."""
    cells = [part[0] for part in parts if len(part[0].rows)]
    rows = joined_rows([cell.rows for cell in cells])
    few = Cell(rows, *(np.concatenate(column) for column in zip(*(cell[1:] for cell in cells), strict=True)))
    targets, weights = (np.concatenate([part[k] for part in parts if len(part[0].rows)], axis=1) for k in (1, 2))
    n = len(rows)
    group, doubled = own_group(few, form)
    constraints = MetricConstraints(rows, metric, gamma, None if group is None else [group])
    first = slice(0, 2 if doubled else 1)
    problem = Problem(targets[first].ravel(), constraints, weights[first].ravel())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a guess needs no proof
        values = solve(problem, tol=WARM_START_TOL).values
    return few, values.reshape(2, n) if doubled else np.stack([values, values])


def own_group(cell: Cell, form: Form) -> tuple[Group | None, bool]:
    """The pairs among the nodes of one cell, None for all of them; and whether nodes have two variables."""
    n = len(cell.rows)
    every = np.arange(n)
    if form == "two classes":
        high, low = every[cell.levels == 1], every[cell.levels == 0]
        return Group(high, high, low, low), False
    if form == "many classes":
        return Group(every, every, every, n + every, labels=cell.levels.astype(np.int64)), True
    return None, False


def extended(cell: Cell, given: Given, solved: tuple[Cell, Floats], metric: Metric, gamma: float, form: Form) -> Any:
    """Targets of the tails, and of the heads, of a cell moved into the bounds that other nodes put on them.

    Nodes with one variable each have it once, so that the second part is empty.
    """
    few, found = solved
    n, m = len(cell.rows), len(few.rows)
    rows = joined_rows([cell.rows, few.rows])
    here, there = np.arange(n), np.arange(n, n + m)
    doubled = form == "many classes"
    shift = n + m if doubled else 0
    # Variables: tails of the cell, of the few, then heads of the cell, of the few, if these are others.
    labels = np.append(cell.levels, few.levels).astype(np.int64) if doubled else None
    group, of_few = Group(here, here, here, shift + here, labels), Group(there, there, there, shift + there, labels)
    if form == "two classes":
        (high, low), (few_high, few_low) = (
            (rows_[levels == 1], rows_[levels == 0]) for rows_, levels in ((here, cell.levels), (there, few.levels))
        )
        group, of_few = Group(high, high, low, low), Group(few_high, few_high, few_low, few_low)
    tails, heads = (side.values for side in given[0])
    targets = np.concatenate([tails, np.zeros(m), heads, np.zeros(m)]) if doubled else np.append(tails, np.zeros(m))
    values = np.concatenate([tails, found[0], heads, found[1]]) if doubled else np.append(tails, found[0])
    constraints, some = (MetricConstraints(rows, metric, gamma, [g]) for g in (group, of_few))
    with one_blas_thread():
        result = extend(constraints, some, values, targets)
    return (result[:n], result[shift : shift + n]) if doubled else (result[:n], np.empty(0))
