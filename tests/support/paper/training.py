"""Section 3, granular approximations, and Section 5, their approximate calculation.

All problems are solved on the scale of phi, as the paper does: alpha_u = phi(A_hat(u)). ``neighbours[u]`` lists the v
whose constraint with u is kept; by default all rows.
"""

import numpy as np

from support.paper.solvers import least_squares, linear_program


def granular_approximation(observed, R, triplet, loss, *, p=0.5, neighbours=None, solve=least_squares):
    """Return the A_hat of the general problem, for T isomorphic to T_L, on the scale of phi.

    ``loss`` is "squared_error", the quadratic program, or "quantile", the linear program with p; the absolute error is
    the quantile loss of p = 1/2.
    """
    target = np.array([triplet.phi(degree) for degree in observed], dtype=float)
    G, h = representability(R, triplet, neighbours)
    if loss == "squared_error":
        return solve(target, G, h)
    return quantile_program(target, G, h, 0.5 if loss == "absolute_error" else p)


def representability(R, triplet, neighbours=None):
    """T(R(u, v), A(v)) <= A(u) as rows of G @ alpha <= h: alpha_v - alpha_u <= 1 - R_phi(u, v)."""
    n = len(R)
    rows, bounds = [], []
    for u in range(n):
        for v in range(n) if neighbours is None else neighbours[u]:
            row = np.zeros(n)
            row[v] += 1.0
            row[u] -= 1.0
            rows.append(row)
            bounds.append(1.0 - triplet.phi(R[u][v]))
    return np.array(rows).reshape(-1, n), np.array(bounds)


def quantile_program(target, G, h, p):
    """Equation (linear program): minimise p sum x + (1 - p) sum y with x - y = A_phi - alpha, x >= 0, y >= 0."""
    n = len(target)
    cost = np.concatenate([np.zeros(n), np.full(n, p), np.full(n, 1.0 - p)])
    equations = np.hstack([np.eye(n), np.eye(n), -np.eye(n)])
    upper = np.concatenate([np.ones(n), np.full(2 * n, np.inf)])
    wide = np.hstack([G, np.zeros((len(G), 2 * n))])
    return linear_program(cost, wide, h, equal_to=(equations, target), upper=upper)[:n]


def own_memberships(classes, R, triplet, loss, *, neighbours=None, solve=least_squares):
    """Return the beta of the problem in the alternative notation, for two or more classes, on the scale of phi.

    "absolute_error" is the linear program, "squared_error" the quadratic one (which is minimised).
    """
    n = len(classes)
    G, h = compatibility(classes, R, triplet, neighbours)
    if loss == "squared_error":
        return solve(np.ones(n), G, h)
    return linear_program(-np.ones(n), G, h)


def compatibility(classes, R, triplet, neighbours=None):
    """T(beta_u, beta_v) <= I(R(u, v), S(u, v)) as rows: alpha_u + alpha_v <= 1 + M_phi(u, v), M = I(R, S)."""
    n = len(classes)
    rows, bounds = [], []
    for u in range(n):
        for v in range(n) if neighbours is None else neighbours[u]:
            row = np.zeros(n)
            row[u] += 1.0
            row[v] += 1.0
            rows.append(row)
            bounds.append(1.0 + triplet.phi(triplet.I(R[u][v], int(classes[u] == classes[v]))))
    return np.array(rows).reshape(-1, n), np.array(bounds)


def alternative_notation(memberships, members, triplet):
    """Section 3.2: beta_u = A_hat(u) for u in A, N(A_hat(u)) for u in coA; it is its own inverse."""
    return [a if inside else triplet.N(a) for a, inside in zip(memberships, members, strict=True)]


def most_similar(R, M, *, among=None, ties=False):
    """Section 5: for every u the v with the M largest R(u, v) of all v in U, u itself being one of them.

    ``among[u]`` lists other candidates, where a reader prefers them. The paper does not say which of several equally
    similar rows to take: with ``ties`` all of them, else such rows should not occur.
    """
    chosen = []
    for u, degrees in enumerate(R):
        candidates = range(len(R)) if among is None else among[u]
        ranked = sorted(candidates, key=[-degree for degree in degrees].__getitem__)
        last = degrees[ranked[:M][-1]] if ranked else 0
        chosen.append([v for v in ranked if degrees[v] >= last - 1e-12] if ties else ranked[:M])
    return chosen


def of_other_classes(classes):
    """Return for every u the rows of other classes: the candidates that the published experiments used."""
    return [[v for v in range(len(classes)) if classes[v] != classes[u]] for u in range(len(classes))]
