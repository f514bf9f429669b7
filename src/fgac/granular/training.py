"""Training: the granular approximation of a classification, as a problem of the exact engine.

The paper's beta, the membership of every row in its own class, solves::

    minimise sum w_u loss(1, beta_u)   subject to   beta_u + beta_v <= 1 + gamma d(u, v)

for u and v of different classes, with squared or absolute error. With two classes ``a = beta`` on one
and ``a = 1 - beta`` on the other turn the sums into differences. With more, every node u gets two variables: u+ has
the target 1, u- the target 0, and ``a_{u+} - a_{v-} <= gamma d(u, v)``; by symmetry ``a_{u-} = 1 - a_{u+}`` at the
optimum that the engine returns, which is unique, so ``beta = (a_{u+} + 1 - a_{u-}) / 2``.
"""

from __future__ import annotations

import numpy as np

from fgac._typing import Floats, Ints
from fgac.granular.nodes import Nodes
from fgac.metrics.distances import Metric
from fgac.solve import Constraints, Group, MetricConstraints, PairConstraints, Problem, Solution, solve
from fgac.solve.nearest import nearest_pairs, places
from fgac.solve.pairs import AllPairs, Blocks
from fgac.solve.path import EdgePath, trace


def own_memberships(
    nodes: Nodes,
    metric: Metric,
    gamma: float,
    *,
    loss: str,
    n_neighbors: float | None,
    neighbors_among: str,
    multiplicity: Floats,
    tol: float,
    n_jobs: int | None,
    verbose: int,
) -> tuple[Floats, Solution]:
    """Solve for beta, one per node; also the Solution, with its proof.

    ``multiplicity`` says how many rows each node stands for, when rows are counted for ``n_neighbors``, and
    ``neighbors_among`` which of them are (:mod:`fgac.solve.nearest`).
    """
    targets, weights, groups = form(nodes, loss)
    constraints: Constraints
    if n_neighbors is None:
        constraints = MetricConstraints(nodes.rows, metric, gamma, groups, n_jobs)
    else:
        wanted = places(n_neighbors, float(multiplicity.sum()))
        constraints = nearest_constraints(nodes, metric, gamma, wanted, multiplicity, neighbors_among)
    solution = solve(Problem(targets, constraints, weights, loss=loss), tol=tol, verbose=verbose)
    return memberships_of(nodes, solution.values), solution


def whole_path(nodes: Nodes, metric: Metric, floor: float, n_jobs: int | None, verbose: int = 0) -> EdgePath:
    """Solve the least-squares problem for every gamma from infinity down to the floor."""
    targets, weights, groups = form(nodes)
    return trace(targets, weights, AllPairs(Blocks(nodes.rows, metric, groups[0], n_jobs)), floor, verbose)


def form(nodes: Nodes, loss: str = "squared_error") -> tuple[Floats, Floats, list[Group]]:
    """Targets and weights of the problem's variables, and the pairs of them that are constrained."""
    return two_classes(nodes) if len(nodes.starts) == 3 else many_classes(nodes, loss)


def memberships_of(nodes: Nodes, a: Floats) -> Floats:
    """Beta of every node, from the values of the problem's variables."""
    n = len(nodes.weights)
    beta = np.where(nodes.classes == 1, a, 1 - a) if len(nodes.starts) == 3 else 0.5 * (a[:n] + 1 - a[n:])
    return np.clip(beta, 0.0, 1.0)  # rounding may leave [0, 1] by a last digit


def nearest_constraints(
    nodes: Nodes, metric: Metric, gamma: float, wanted: float, multiplicity: Floats, among: str = "others"
) -> PairConstraints:
    """The paper's approximation: every row and those of its most similar rows that are of other classes.

    A pair is constrained if one of the two is among the most similar rows of the other. These are counted among the
    rows of other classes, or among all.
    """
    u, v, d = nearest_pairs(nodes.rows, metric, multiplicity, wanted, nodes.classes, among)
    errors = metric.rounding(nodes.rows)
    error = np.where(d > 0, gamma * (errors.rows[u] + errors.rows[v] + errors.share * d), 0.0)
    return between(nodes, u, v, gamma * d, error)


def between(nodes: Nodes, u: Ints, v: Ints, bound: Floats, error: Floats | None = None) -> PairConstraints:
    """The constraints ``beta_u + beta_v <= 1 + bound`` of some pairs of nodes of different classes."""
    if error is None:
        error = np.zeros(len(bound))
    if len(nodes.starts) == 3:
        # The tail of a constraint is the variable that wants to be 1: the node of the higher class.
        low = nodes.classes[u] == 0
        return PairConstraints(np.where(low, v, u), np.where(low, u, v), bound, error)
    n = len(nodes.weights)
    # Both u+ with v- and v+ with u-: without the second the two halves of the problem would not be symmetric.
    return PairConstraints(np.append(u, v), n + np.append(v, u), np.append(bound, bound), np.append(error, error))


def two_classes(nodes: Nodes) -> tuple[Floats, Floats, list[Group]]:
    """One variable per node: its target is 0 for the first class, 1 for the second."""
    low, high = nodes.of_class(0), nodes.of_class(1)
    return nodes.classes.astype(np.float64), nodes.weights, [Group(high, high, low, low)]


def many_classes(nodes: Nodes, loss: str) -> tuple[Floats, Floats, list[Group]]:
    """Two variables per node: ``u`` for u+ and ``n + u`` for u-.

    Only the least squares are unique, so that the two must mirror each other: absolute errors have solutions on the
    way that do not.
    """
    n = len(nodes.weights)
    targets = np.repeat([1.0, 0.0], n)
    every = np.arange(n)
    mirrored = loss == "squared_error"
    group = Group(every, every, every, n + every, labels=nodes.classes, mirrored=mirrored)
    return targets, np.tile(nodes.weights, 2), [group]
