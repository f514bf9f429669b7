"""Slow, readable twins of the library, written from the formulas alone.

Nothing here imports ``fgac``: a general interior-point solver for the training problems, and plain loops for
distances, bounds and arguments. The tests ask the library for the same numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import clarabel
import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog

# ----------------------------------------------------------------------------------------------------
# Least squares under linear constraints
# ----------------------------------------------------------------------------------------------------


def quadratic_program(targets, weights, matrix, bound):
    """Minimise 1/2 sum w (a - y)^2 subject to ``matrix @ a <= bound``, by Clarabel and one polishing step.

    The solver works on the deviation ``a - y``. Its own answer is good to about 1e-6 where a constraint is
    only just active, so the constraints it holds for active are then solved as equations; the result must be
    feasible and close to where it started. Where rounding stops the solver early, it is asked again for less.
    """
    targets, weights, bound = (np.asarray(part, dtype=float) for part in (targets, weights, bound))
    matrix = sparse.csr_matrix(matrix)
    if matrix.shape[0] == 0:
        return targets.copy()
    room = bound - matrix @ targets
    scale = 1.0 + np.abs(room).max()
    for tolerance in (1e-12, 1e-10, 1e-8):
        rough, multipliers = _interior_point(weights / weights.max(), matrix, room / scale, tolerance)
        active = multipliers > room / scale - matrix @ rough
        deviation = _solve_as_equations(weights / weights.max(), matrix[active].toarray(), room[active] / scale)
        if np.abs(deviation - rough).max() <= 1e-4 and (matrix @ deviation - room / scale).max() <= 1e-10:
            return targets + scale * deviation
    raise AssertionError("the general solver found no answer it can stand by")


def _interior_point(weights, matrix, room, tolerance):
    """Return Clarabel's deviation and multipliers."""
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = tolerance
    n_rows, n_columns = matrix.shape
    quadratic = sparse.csc_matrix(sparse.diags(weights))
    cone = [clarabel.NonnegativeConeT(n_rows)]
    solver = clarabel.DefaultSolver(quadratic, np.zeros(n_columns), matrix.tocsc(), room, cone, options)
    answer = solver.solve()
    return np.array(answer.x), np.array(answer.z)


def _solve_as_equations(weights, rows, room):
    """Minimise sum w z^2 subject to ``rows @ z == room`` through the normal equations."""
    multipliers = np.linalg.lstsq((rows / weights) @ rows.T, room, rcond=1e-12)[0]
    return (rows.T @ multipliers) / weights


def difference_oracle(targets, tail, head, bound, weights=None):
    """Minimise 1/2 sum w (a - y)^2 subject to ``a[tail] - a[head] <= bound``, an explicit list."""
    targets = np.asarray(targets, dtype=float)
    weights = np.ones(len(targets)) if weights is None else np.asarray(weights, dtype=float)
    return quadratic_program(targets, weights, _signed_rows(len(targets), tail, head, sign=-1.0), bound)


def _signed_rows(n, tail, head, sign):
    """Return the matrix whose row i holds 1 at ``tail[i]`` and ``sign`` at ``head[i]``."""
    m = len(tail)
    row = np.arange(m)
    entries = np.concatenate([np.ones(m), np.full(m, sign)])
    places = (np.concatenate([row, row]), np.concatenate([tail, head]).astype(int))
    return sparse.csr_matrix((entries, places), shape=(m, n))


def ordered_pairs(n, groups=None):
    """Return tail and head of every ordered pair of different rows (of different groups, where given)."""
    allowed = ~np.eye(n, dtype=bool)
    if groups is not None:
        groups = np.asarray(groups)
        allowed &= groups[:, None] != groups[None, :]
    return np.nonzero(allowed)


# ----------------------------------------------------------------------------------------------------
# Training of the classifier, in two forms
# ----------------------------------------------------------------------------------------------------


def beta_oracle(distances, labels, gamma, weights=None):
    """Solve the paper's problem as it stands.

    Minimise sum w (1 - beta)^2 subject to 0 <= beta <= 1 and, for u and v of different classes,
    beta_u + beta_v <= 1 + gamma d(u, v).
    """
    n = len(labels)
    tail, head = ordered_pairs(n, labels)
    tail, head = tail[tail < head], head[tail < head]
    pairs = _signed_rows(n, tail, head, sign=1.0)
    room = 1.0 + gamma * np.asarray(distances)[tail, head]
    matrix = sparse.vstack([pairs, sparse.eye(n), -sparse.eye(n)])
    bound = np.concatenate([room, np.ones(n), np.zeros(n)])
    weights = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    return quadratic_program(np.ones(n), weights, matrix, bound)


def two_copies_oracle(distances, labels, gamma, weights=None):
    """Solve the same problem as differences.

    Copies u+ (target 1) and u- (target 0) of each row, a[u+] - a[v-] <= gamma d(u, v) for different classes.
    """
    n = len(labels)
    tail, head = ordered_pairs(n, labels)
    targets = np.concatenate([np.ones(n), np.zeros(n)])
    weights = np.ones(n) if weights is None else np.asarray(weights, dtype=float)
    bound = gamma * np.asarray(distances)[tail, head]
    copies = difference_oracle(targets, tail, head + n, bound, np.concatenate([weights, weights]))
    return (copies[:n] + 1.0 - copies[n:]) / 2.0


def training_violation(beta, distances, labels, gamma):
    """Return the largest beta_u + beta_v - 1 - gamma d(u, v) over all pairs of different classes."""
    labels = np.asarray(labels)
    excess = beta[:, None] + beta[None, :] - 1.0 - gamma * np.asarray(distances)
    return excess[labels[:, None] != labels[None, :]].max()


# ----------------------------------------------------------------------------------------------------
# The proof that comes with a solution
# ----------------------------------------------------------------------------------------------------


class Certificate(NamedTuple):
    """What a least-squares solution must show about itself."""

    objective: float
    violation: float
    dual_residual: float
    gap: float
    complementarity: float


def recompute_certificate(targets, weights, every_pair, solution) -> Certificate:
    """Recompute a solution's proof by hand; ``every_pair`` = (tail, head, bound) of ALL constraints."""
    a, multipliers = np.asarray(solution.values), np.asarray(solution.multipliers)
    tail, head, bound = (np.asarray(part) for part in every_pair)
    flow = net_outflow(len(a), solution.active, multipliers)
    objective = 0.5 * np.sum(weights * (a - targets) ** 2)
    dual = np.sum(flow * targets - 0.5 * flow**2 / weights) - np.sum(multipliers * solution.active.bound)
    slack = solution.active.bound - a[solution.active.tail] + a[solution.active.head]
    return Certificate(
        objective=objective,
        violation=max(0.0, np.max(a[tail] - a[head] - bound, initial=0.0)),
        dual_residual=np.max(np.abs(weights * (a - targets) + flow)),
        gap=objective - dual,
        complementarity=np.max(np.abs(multipliers * slack), initial=0.0),
    )


def net_outflow(n, active, multipliers):
    """Return per node: the multipliers of constraints that leave it minus those that enter it."""
    flow = np.zeros(n)
    for tail, head, amount in zip(active.tail, active.head, multipliers, strict=True):
        flow[tail] += amount
        flow[head] -= amount
    return flow


def has_cycle(n, tail, head):
    """Tell whether the without_direction graph of these edges holds a cycle."""
    root = list(range(n))

    def find(node):
        while root[node] != node:
            node = root[node]
        return node

    for u, v in zip(tail, head, strict=True):
        if find(u) == find(v):
            return True
        root[find(u)] = find(v)
    return False


# ----------------------------------------------------------------------------------------------------
# Distances between rows of a table
# ----------------------------------------------------------------------------------------------------


def table_distances(A, B, fitted_on, *, nominal=(), metric="euclidean", scale="range", feature_weights=None):
    """Return the paper's distances between the rows of two tables, column by column.

    ``fitted_on`` is the training table: it gives the scales of numeric columns and the categories of nominal
    ones.
    """
    A, B, fitted_on = (np.asarray(table, dtype=object) for table in (A, B, fitted_on))
    n_columns = fitted_on.shape[1]
    feature_weights = np.ones(n_columns) if feature_weights is None else feature_weights
    differences, size = [], 0
    for j in range(n_columns):
        if j in nominal:
            difference = np.array([[float(a != b) for b in B[:, j]] for a in A[:, j]])
            size += len(set(fitted_on[:, j]))
        else:
            a, b = A[:, j].astype(float), B[:, j].astype(float)
            difference = np.abs(a[:, None] - b[None, :]) / column_scale(fitted_on[:, j].astype(float), scale)
            size += 1
        differences.append(feature_weights[j] * difference)
    return _combine(np.array(differences), metric, size)


def column_scale(column, scale):
    """Return what a numeric column is divided by; 1 where it is constant."""
    if scale is None:
        return 1.0
    low, high = (0, 100) if scale == "range" else (1, 99)
    return np.diff(np.percentile(column, [low, high], method="averaged_inverted_cdf"))[0] or 1.0


def _combine(differences, metric, size):
    """Join the columns' differences into one distance."""
    if metric == "euclidean":
        return np.sqrt((differences**2).sum(axis=0)) / np.sqrt(size)
    if metric == "manhattan":
        return differences.sum(axis=0) / size
    assert metric == "chebyshev"
    return differences.max(axis=0)


# ----------------------------------------------------------------------------------------------------
# Prediction
# ----------------------------------------------------------------------------------------------------


class NaiveModel(NamedTuple):
    """A trained model as the paper has it: memberships of the training rows, their classes and distances."""

    beta: np.ndarray
    labels: np.ndarray
    distances: np.ndarray  # among the training rows
    gamma: float

    @property
    def classes(self):
        """The classes in sorted order."""
        return np.unique(self.labels)

    def members(self, k):
        """Return the numbers of the training rows of class ``k``."""
        return [u for u, label in enumerate(self.labels) if label == k]

    def others(self, k):
        """Return the numbers of the training rows of all other classes."""
        return [u for u, label in enumerate(self.labels) if label != k]

    def unclipped_lower(self, to_training):
        """Return max over u in k of beta_u - gamma d(x, u), not clipped at 0."""
        return np.array(
            [
                [max(self.beta[u] - self.gamma * row[u] for u in self.members(k)) for k in self.classes]
                for row in to_training
            ]
        )

    def lower(self, to_training):
        """Return L_k(x), the left-hand bound of the paper."""
        return np.maximum(0.0, self.unclipped_lower(to_training))

    def membership_elsewhere(self):
        """Return A_k(u) by the adjacent-granule formula (it is only used for rows outside k)."""
        return self.lower(self.distances)

    def upper(self, to_training):
        """Return U_k(x), the right-hand bound of the paper; 1 where no other class exists."""
        elsewhere = self.membership_elsewhere()
        bounds = np.ones((len(to_training), len(self.classes)))
        for i, row in enumerate(to_training):
            for column, k in enumerate(self.classes):
                for u in self.others(k):
                    bounds[i, column] = min(bounds[i, column], elsewhere[u, column] + self.gamma * row[u])
        return bounds

    def degree(self, to_training):
        """Return the predicted membership degrees, the means of both bounds."""
        return (self.lower(to_training) + self.upper(to_training)) / 2.0

    def acceptable(self, to_training, ties="nearest", tolerance=1e-8):
        """Return an n x K mask of the classes that may be predicted.

        More than one is acceptable only where the rule of ``ties`` leaves a tie, or within rounding of one.
        """
        degree = self.degree(to_training)
        tied = degree >= degree.max(axis=1, keepdims=True) - tolerance
        if ties == "first":
            return tied & (np.cumsum(tied, axis=1) == 1)
        nearness = np.where(tied, self.unclipped_lower(to_training), -np.inf)
        return nearness >= nearness.max(axis=1, keepdims=True) - tolerance

    def strengths(self, row, k, side):
        """Return, for one row of distances, the strength of each training row's argument; nan: no say.

        In favour speak the rows of ``k`` with T(R(x, u), beta_u), against speak the others with
        T(R(x, u), 1 - A_k(u)).
        """
        column = list(self.classes).index(k)
        value = np.full(len(self.labels), np.nan)
        if side == "favour":
            value[self.members(k)] = self.beta[self.members(k)]
        else:
            value[self.others(k)] = 1.0 - self.membership_elsewhere()[self.others(k), column]
        similarity = np.maximum(0.0, 1.0 - self.gamma * np.asarray(row))
        return np.where(np.isnan(value), np.nan, np.maximum(0.0, value + similarity - 1.0))


def highs(y, w, over, under, tail, head, bound):
    """Solve the linear programme with variables a, (a - y)+ and (y - a)+; return its optimum."""
    n, m = len(y), len(tail)
    where = np.r_[np.arange(m), np.arange(m)]
    difference = sparse.csr_matrix((np.repeat([1.0, -1.0], m), (where, np.r_[tail, head])), shape=(m, 3 * n))
    residual = sparse.hstack([sparse.eye(n), -sparse.eye(n), sparse.eye(n)]).tocsr()
    cost = np.r_[np.zeros(n), over * w, under * w]
    bounds = [(None, None)] * n + [(0, None)] * (2 * n)
    result = linprog(cost, difference if m else None, bound if m else None, residual, y, bounds)
    assert result.status == 0
    return result.fun
