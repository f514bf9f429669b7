"""Section 2.3, fuzzy rough and granularly representable sets; from Section 3.2 the adjacency of granules.

A fuzzy set is a list of degrees A[u]. A relation is a matrix R[u][v]; the approximations may be asked at other rows
than those of A, then the matrix holds their degrees: ``lower`` takes R[v][u] and ``upper`` R[u][v], with v in U.
"""


def complement(A, triplet):
    """Section 2.2: coA(u) = N(A(u))."""
    return [triplet.N(degree) for degree in A]


def lower_approximation(A, R, triplet):
    """Equation (fuzzy rough approximations): min over v of I(R(v, u), A(v))."""
    return [min(lower_terms(A, R, triplet, u)) for u in range(len(R[0]))]


def upper_approximation(A, R, triplet):
    """Equation (fuzzy rough approximations): max over v of T(R(u, v), A(v))."""
    return [max(upper_terms(A, R, triplet, u)) for u in range(len(R))]


def lower_terms(A, R, triplet, u):
    """Return I(R(v, u), A(v)) for all v."""
    return [triplet.I(R[v][u], A[v]) for v in range(len(A))]


def upper_terms(A, R, triplet, u):
    """Return T(R(u, v), A(v)) for all v."""
    return [triplet.T(R[u][v], A[v]) for v in range(len(A))]


def granule(u, level, R, triplet):
    """Equation (granule): the degrees T(R(v, u), level) of all v."""
    return [triplet.T(R[v][u], level) for v in range(len(R))]


def inverse_granule(u, level, R, triplet):
    """Equation (granule of the inverse relation): the degrees T(R(u, v), level) of all v."""
    return [triplet.T(R[u][v], level) for v in range(len(R))]


def union_of_granules(A, R, triplet):
    """The union, by max, of the granules R+_A(u)(u) of all u: equal to A where A is granularly representable."""
    granules = [granule(u, A[u], R, triplet) for u in range(len(A))]
    return [max(degrees) for degrees in zip(*granules, strict=True)]


def misfit_of_union(A, R, triplet):
    """How far A is from the union of its granules, on the scale of phi."""
    union = union_of_granules(A, R, triplet)
    return max(abs(triplet.phi(a) - triplet.phi(b)) for a, b in zip(A, union, strict=True))


def misfit_of_t_norm(A, R, triplet):
    """Equation (granular representability), left: the largest T(R(v, u), A(u)) - A(v), on the scale of phi."""
    n = range(len(A))
    return max(triplet.phi(triplet.T(R[v][u], A[u])) - triplet.phi(A[v]) for u in n for v in n)


def misfit_of_implicator(A, R, triplet):
    """Equation (granular representability), right: the largest R(v, u) - I(A(u), A(v)), on the scale of phi."""
    n = range(len(A))
    return max(triplet.phi(R[v][u]) - triplet.phi(triplet.I(A[u], A[v])) for u in n for v in n)


def adjacent_degrees(A, members, R, triplet):
    """Equation (adjacent granules) of Section 3.2.

    For u in A: the min over w in coA of I(R(w, u), A(w)); for v in coA: the max over w in A of T(R(v, w), A(w)). Over
    no rows at all a minimum is 1 and a maximum 0.
    """
    inside = [w for w in range(len(A)) if members[w]]
    outside = [w for w in range(len(A)) if not members[w]]
    return [
        min((triplet.I(R[w][u], A[w]) for w in outside), default=1)
        if members[u]
        else max((triplet.T(R[u][w], A[w]) for w in inside), default=0)
        for u in range(len(A))
    ]
