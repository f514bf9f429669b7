"""Section 7.2, arguments for the classification: which rows they are, and how strong."""


def strengths_for(A, to, triplet):
    """T(R(x, u), A(u)): how strongly every u speaks for x in A."""
    return [triplet.T(similar, degree) for similar, degree in zip(to, A, strict=True)]


def strengths_against(A, back, triplet):
    """T(R(u, x), N(A(u))): how strongly every u speaks against x in A."""
    return [triplet.T(similar, triplet.N(degree)) for similar, degree in zip(back, A, strict=True)]


def strongest(strengths, among):
    """Return the rows ``among`` which the argument is sought, strongest first."""
    return sorted(among, key=lambda u: -strengths[u])
