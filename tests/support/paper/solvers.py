"""General solvers for the training problems: constraints are rows of ``G @ a <= h``, bounds are 0 <= a <= 1.

Linear programs go to HiGHS. Quadratic ones, ``minimise sum (a - target)^2``, are least-distance programs, which Lawson
and Hanson turn into nonnegative least squares; that is exact to rounding. Clarabel, an interior-point method, solves
them too, less sharply: the two must agree.
"""

import clarabel
import numpy as np
import scipy.sparse as sparse
from scipy.optimize import linprog, nnls

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
    and r is what is left of these equations, then x = -r / r_last.
    """
    G, h = within_bounds(np.asarray(G, dtype=float), np.asarray(h, dtype=float))
    target = np.asarray(target, dtype=float)
    C, d = -G, G @ target - h
    goal = np.append(np.zeros(len(target)), 1.0)
    equations = np.vstack([C.T, d])
    z, _ = nnls(equations, goal, maxiter=100 * len(d))
    rest = equations @ z - goal
    a = target - rest[:-1] / rest[-1]
    assert (G @ a - h).max() <= 1e-9, "the least-distance program was not solved"
    return a


def interior_point(target, G, h):
    """The same by Clarabel, good to about 1e-6."""
    G, h = within_bounds(np.asarray(G, dtype=float), np.asarray(h, dtype=float))
    target = np.asarray(target, dtype=float)
    options = clarabel.DefaultSettings()
    options.verbose = False
    options.tol_gap_abs = options.tol_gap_rel = options.tol_feas = 1e-11
    curvature = sparse.csc_matrix(2.0 * np.eye(len(target)))
    cone = [clarabel.NonnegativeConeT(len(h))]
    solver = clarabel.DefaultSolver(curvature, -2.0 * target, sparse.csc_matrix(G), h, cone, options)
    return np.array(solver.solve().x)
