"""Section 2.2, fuzzy relations; from Section 2.5 how nominal attributes enter a distance.

A row is a tuple of numbers and category names. What the paper calls the attributes Q is described by a list with one
entry per column: ``("numeric", range)`` or ``("nominal", number of categories)``.
"""

import math


def describe(rows, nominal=()):
    """Return the attributes of training rows: range(q) = max - min, or how many columns One Hot Encoding makes."""
    attributes = []
    for q, column in enumerate(zip(*rows, strict=True)):
        if q in nominal:
            attributes.append(("nominal", len(set(column))))
        else:
            attributes.append(("numeric", max(column) - min(column)))
    return attributes


def triangular_dominance(u_q, v_q, gamma, range_q):
    """Equation (triangular dominance): max(min(1 - gamma (v - u) / range, 1), 0)."""
    return max(min(1 - gamma * scaled(v_q - u_q, range_q), 1), 0)


def triangular_similarity(u_q, v_q, gamma, range_q):
    """Equation (triangular similarity): max(1 - gamma |u - v| / range, 0)."""
    return max(1 - gamma * scaled(abs(u_q - v_q), range_q), 0)


def scaled(difference, range_q):
    """Return a difference divided by range(q); on a constant attribute there is none."""
    return difference / range_q if difference else 0


def difference(u_q, v_q, attribute):
    """Return |u - v| / range(q); Section 2.5: a nominal attribute contributes 1 if the categories differ, else 0."""
    kind, extent = attribute
    if kind == "nominal":
        return int(u_q != v_q)
    return scaled(abs(u_q - v_q), extent)


def excess(u_q, v_q, attribute):
    """Return by how much u falls short of v, (v - u) / range(q), if it does: what dominance subtracts."""
    kind, extent = attribute
    assert kind == "numeric"
    return max(scaled(v_q - u_q, extent), 0)


def size_of(attributes):
    """Return |Q|, Section 2.5: counted after One Hot Encoding."""
    return sum(extent if kind == "nominal" else 1 for kind, extent in attributes)


def supremum_distance(u, v, attributes, shortfall=difference):
    """Return the l_infinity distance on scaled attributes."""
    return max(shortfall(*parts) for parts in zip(u, v, attributes, strict=True))


def euclidean_distance(u, v, attributes, shortfall=difference):
    """Return the Euclidean distance on scaled attributes, divided by sqrt|Q|."""
    total = sum(shortfall(*parts) ** 2 for parts in zip(u, v, attributes, strict=True))
    return math.sqrt(total) / math.sqrt(size_of(attributes))


def similarity(distance, gamma):
    """Equation (general equivalence): R(u, v) = max(1 - gamma d(u, v), 0)."""
    return max(1 - gamma * distance, 0)


def supremum_similarity(gamma, attributes):
    """Return the relation R(u, v) of the supremum distance."""
    return lambda u, v: similarity(supremum_distance(u, v, attributes), gamma)


def euclidean_similarity(gamma, attributes):
    """Return the relation R(u, v) of the Euclidean distance."""
    return lambda u, v: similarity(euclidean_distance(u, v, attributes), gamma)


def least_over_attributes(gamma, attributes, directions=None):
    """Return R(u, v) = min over q of R_q(u, v): dominance where a direction is 1 or -1, similarity elsewhere.

    -1 is the same attribute with its sign turned; on a nominal attribute R_q is 1 - gamma where categories differ.
    """
    directions = directions or [0] * len(attributes)

    def one(u_q, v_q, attribute, direction):
        kind, extent = attribute
        if kind == "nominal":
            return similarity(difference(u_q, v_q, attribute), gamma)
        if direction:
            return triangular_dominance(direction * u_q, direction * v_q, gamma, extent)
        return triangular_similarity(u_q, v_q, gamma, extent)

    return lambda u, v: min(one(*parts) for parts in zip(u, v, attributes, directions, strict=True))


def euclidean_dominance(gamma, attributes, directions):
    """Return the preorder whose distance adds up, as the Euclidean one does, what u lacks to be as good as v.

    The paper defines dominance by the minimum over attributes only; this is the same thought for the other distance.
    """

    def one(u_q, v_q, attribute, direction):
        if attribute[0] == "nominal" or not direction:
            return difference(u_q, v_q, attribute)
        return excess(direction * u_q, direction * v_q, attribute)

    def relation(u, v):
        total = sum(one(*parts) ** 2 for parts in zip(u, v, attributes, directions, strict=True))
        return similarity(math.sqrt(total) / math.sqrt(size_of(attributes)), gamma)

    return relation


def matrix(relation, left, right=None):
    """Return the degrees R(u, v), u down and v across."""
    return [[relation(u, v) for v in (left if right is None else right)] for u in left]


def transposed(R):
    """Return the inverse relation, R^-1(u, v) = R(v, u)."""
    return [list(column) for column in zip(*R, strict=True)]


def is_reflexive(R):
    """R(u, u) = 1."""
    return all(R[u][u] == 1 for u in range(len(R)))


def is_symmetric(R):
    """R(u, v) = R(v, u)."""
    return all(R[u][v] == R[v][u] for u in range(len(R)) for v in range(len(R)))


def worst_intransitivity(R, triplet):
    """Return the largest T(R(u, v), R(v, w)) - R(u, w) over all triples, on the scale of phi: 0 if T-transitive."""
    n = range(len(R))
    return max(triplet.phi(triplet.T(R[u][v], R[v][w])) - triplet.phi(R[u][w]) for u in n for v in n for w in n)
