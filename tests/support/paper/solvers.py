"""General solvers for the training problems: constraints are rows of ``G @ a <= h``, bounds are 0 <= a <= 1.

Linear programs go to HiGHS. Quadratic ones, ``minimise sum (a - target)^2``, are least distances, which Lawson and
Hanson turn into nonnegative least squares: exact to rounding, also where constraints differ by 1e-6 only. Clarabel, an
interior-point method that is good to about 1e-6, must agree.
"""

import clarabel
import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog

SHARP = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def linear_program(cost, G, h, *, equal_to=None, upper=1.0):
    """Minimise ``cost @ a`` subject to ``G @ a <= h``, ``E @ a == e`` and 0 <= a <= upper, by HiGHS."""
    E, e = equal_to or (None, None)
    bounds = [(0.0, None if np.isinf(top) else top) for top in np.broadcast_to(upper, len(cost))]
    answer = linprog(cost, A_ub=G, b_ub=h, A_eq=E, b_eq=e, bounds=bounds, method="highs", options=SHARP)
    assert answer.status == 0, answer.message
    return answer.x


def within_bounds(G, h):
    """Add 0 <= a <= 1 to the constraints."""
    n = G.shape[1]
    return np.vstack([G, np.eye(n), -np.eye(n)]), np.concatenate([h, np.ones(n), np.zeros(n)])


def least_squares(target, G, h):
    """Minimise the sum of (a - target)^2 subject to ``G @ a <= h`` and 0 <= a <= 1, exactly.

    With x = a - target: minimise |x| subject to C x >= d. If z >= 0 comes nearest to solving ``C' z = 0, d' z = 1``
    and r is what is left of these equations, then x = -r / r_last (Lawson and Hanson, "least distance programming").
    """
    G, h = within_bounds(G, h)
    equations = np.vstack([-G.T, G @ target - h])
    goal = np.append(np.zeros(len(target)), 1.0)
    rest = equations @ nonnegative_least_squares(equations, goal) - goal
    a = target - rest[:-1] / rest[-1]
    assert (G @ a - h).max() <= 1e-10, "the program was not solved"
    return a


def nonnegative_least_squares(equations, goal):
    """Minimise |E z - f| over z >= 0, by Lawson and Hanson's active set; E may have far more columns than rows."""
    columns = equations / np.linalg.norm(equations, axis=0).clip(1e-300)
    z, used = np.zeros(columns.shape[1]), np.zeros(columns.shape[1], dtype=bool)
    refused = used.copy()
    while True:
        pull = np.where(used | refused, -np.inf, columns.T @ (goal - columns @ z))
        if pull.max() <= 1e-14:
            return z / np.linalg.norm(equations, axis=0).clip(1e-300)
        best = int(pull.argmax())
        used[best] = True
        wanted = _unconstrained(columns, goal, used)
        if wanted[best] <= 0.0:  # its pull was rounding
            used[best], refused[best] = False, True
            continue
        while wanted[used].min() <= 0.0:
            falling = used & (wanted <= 0.0)
            step = (z[falling] / (z[falling] - wanted[falling])).min()
            z = z + step * (wanted - z)
            used &= z > 1e-15
            z[~used] = 0.0
            wanted = _unconstrained(columns, goal, used)
        z, refused[:] = wanted, False


def _unconstrained(columns, goal, used):
    """Least squares on some of the columns."""
    z = np.zeros(len(used))
    z[used] = np.linalg.lstsq(columns[:, used], goal, rcond=None)[0]
    return z


def interior_point(target, G, h):
    """The same by Clarabel."""
    G, h = within_bounds(G, h)
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-11
    curvature = sparse.csc_matrix(2.0 * np.eye(len(target)))
    cone = [clarabel.NonnegativeConeT(len(h))]
    answer = clarabel.DefaultSolver(curvature, -2.0 * target, sparse.csc_matrix(G), h, cone, options).solve()
    return np.array(answer.x)
