"""Section 2.4, ordered weighted averages; from Section 6.1 the first k weights."""

from fractions import Fraction


def owa(weights, values):
    """OWA_W(V) = sum of w_i v_(i), v_(i) the i-th largest of V."""
    return sum(w * v for w, v in zip(weights, sorted(values, reverse=True), strict=True))


def complementary(weights):
    """Return the weights with (W)_i = (W')_(n - i + 1)."""
    return list(reversed(weights))


def w_min(n):
    """(0, ..., 0, 1)."""
    return [0] * (n - 1) + [1]


def w_l_additive(n):
    """(2 / n(n + 1), 4 / n(n + 1), ..., 2 / (n + 1))."""
    return [float(Fraction(2 * i, n * (n + 1))) for i in range(1, n + 1)]


def w_l_exponential(n):
    """(1 / (2^n - 1), 2 / (2^n - 1), ..., 2^(n-1) / (2^n - 1))."""
    return [float(Fraction(2 ** (i - 1), 2**n - 1)) for i in range(1, n + 1)]


def w_l_inverse_additive(n):
    """(1 / (n D_n), 1 / ((n - 1) D_n), ..., 1 / D_n), D_n = sum of 1 / i."""
    d_n = sum(Fraction(1, i) for i in range(1, n + 1))
    return [float(1 / ((n - i + 1) * d_n)) for i in range(1, n + 1)]


W_L = {
    "strict": w_min,
    "additive": w_l_additive,
    "exponential": w_l_exponential,
    "inverse_additive": w_l_inverse_additive,
}


def lower_weights(family, n, k=None):
    """W_L for n values; Section 6.1: with k only the last k are not zero, and they are those of the family."""
    k = n if k is None else min(k, n)
    return [0] * (n - k) + W_L[family](k)


def upper_weights(family, n, k=None):
    """W_U, complementary to W_L; only the first k are not zero."""
    return complementary(lower_weights(family, n, k))
