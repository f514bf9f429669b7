"""Section 4, prediction for unseen objects.

``to`` holds R(x, u) and ``back`` R(u, x) for one new row x and all training rows u; for a similarity they are equal.
"""

from support.paper.owa import lower_weights, owa, upper_weights


def terms_of_lower_bound(A, to, triplet):
    """T(R(x, u), A(u)) for every u."""
    return [triplet.T(similar, degree) for similar, degree in zip(to, A, strict=True)]


def terms_of_upper_bound(A, back, triplet):
    """I(R(u, x), A(u)) for every u."""
    return [triplet.I(similar, degree) for similar, degree in zip(back, A, strict=True)]


def bounds(A, to, back, triplet):
    """Equation (bounds): max T(R(x, u), A(u)) <= A(x) <= min I(R(u, x), A(u)), over all of U."""
    lower = max(terms_of_lower_bound(A, to, triplet), default=0)
    upper = min(terms_of_upper_bound(A, back, triplet), default=1)
    return lower, upper


def restricted_bounds(A, members, to, back, triplet):
    """The proposition for binary classification: the max over the class alone, the min over its complement."""
    inside = [u for u in range(len(A)) if members[u]]
    outside = [u for u in range(len(A)) if not members[u]]
    lower, _ = bounds([A[u] for u in inside], [to[u] for u in inside], [back[u] for u in inside], triplet)
    _, upper = bounds([A[u] for u in outside], [to[u] for u in outside], [back[u] for u in outside], triplet)
    return lower, upper


def soft_bounds(A, to, back, triplet, family, k=None):
    """Section 4.3: OWA with W_U of T(R(x, u), A(u)), and with W_L of I(R(u, x), A(u)), u in U."""
    n = len(A)
    lower = owa(upper_weights(family, n, k), terms_of_lower_bound(A, to, triplet))
    upper = owa(lower_weights(family, n, k), terms_of_upper_bound(A, back, triplet))
    return lower, upper


def binary_decision(degree, triplet):
    """Section 4.1: 1 if A(x) > N(A(x)), else 0; a tie gives 0."""
    return 1 if degree > triplet.N(degree) else 0


def memberships_in_class(k, classes, beta, R, triplet):
    """Section 4.2: A_k(u) = beta_u for u of class k, else the max over v of class k of T(R(u, v), beta_v)."""
    own = [v for v in range(len(classes)) if classes[v] == k]
    return [beta[u] if classes[u] == k else max(triplet.T(R[u][v], beta[v]) for v in own) for u in range(len(classes))]


def class_bounds(k, A_k, classes, to, back, triplet, owa=None):
    """Section 4.2: the max over class k, the min over U without it; ``owa`` is a family, or a pair with k values."""
    if owa is None:
        return restricted_bounds(A_k, [label == k for label in classes], to, back, triplet)
    family, count = owa if isinstance(owa, tuple) else (owa, None)
    return soft_bounds(A_k, to, back, triplet, family, count)


def decision(degrees):
    """Section 4.2: argmax over k of the averaged bounds, the first of equal ones."""
    return max(range(len(degrees)), key=lambda k: (degrees[k], -k))


def predict(classes, beta, R, to, back, triplet, owa=None):
    """Return (lower, upper, degree) of every class 0, 1, ... for one new row."""
    answer = []
    for k in sorted(set(classes)):
        A_k = memberships_in_class(k, classes, beta, R, triplet)
        lower, upper = class_bounds(k, A_k, classes, to, back, triplet, owa)
        answer.append((lower, upper, triplet.average(lower, upper)))
    return answer
