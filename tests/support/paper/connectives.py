"""Section 2.1, fuzzy logic connectives; and from Section 4.1 the averaging operator and the threshold."""

import math


def t_minimum(x, y):
    """Table 1: T_M."""
    return min(x, y)


def i_minimum(x, y):
    """Table 1: the R-implicator of T_M."""
    return 1 if x <= y else y


def t_product(x, y):
    """Table 1: T_P."""
    return x * y


def i_product(x, y):
    """Table 1: the R-implicator of T_P."""
    return 1 if x <= y else y / x


def t_lukasiewicz(x, y):
    """Table 1: T_L."""
    return max(0, x + y - 1)


def i_lukasiewicz(x, y):
    """Table 1: the R-implicator of T_L."""
    return min(1, 1 - x + y)


def t_drastic(x, y):
    """Table 1: T_D."""
    return min(x, y) if max(x, y) == 1 else 0


def i_drastic(x, y):
    """Table 1: the R-implicator of T_D."""
    return y if x == 1 else 1


def t_nilpotent_minimum(x, y):
    """Table 1: T_nM."""
    return min(x, y) if x + y > 1 else 0


def i_nilpotent_minimum(x, y):
    """Table 1: the R-implicator of T_nM."""
    return 1 if x <= y else max(1 - x, y)


T_NORMS = {
    "minimum": (t_minimum, i_minimum),
    "product": (t_product, i_product),
    "lukasiewicz": (t_lukasiewicz, i_lukasiewicz),
    "drastic": (t_drastic, i_drastic),
    "nilpotent_minimum": (t_nilpotent_minimum, i_nilpotent_minimum),
}


def residual_implicator(t_norm, x, y):
    """I_T(x, y) = sup {b in [0, 1] : T(x, b) <= y}, by halving: T(x, b) does not fall with b."""
    if t_norm(x, 1.0) <= y:
        return 1.0
    inside, outside = 0.0, 1.0
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if t_norm(x, middle) <= y else (inside, middle)
    return inside


def standard_negator(x):
    """N_s(x) = 1 - x."""
    return 1 - x


class Isomorphism:
    """A bijection phi of [0, 1] with its inverse; where it is convex, max(1 - gamma d, 0) is transitive for T_L,phi."""

    def __init__(self, phi, inverse, name, *, convex):
        self.phi, self.inverse, self.name, self.convex = phi, inverse, name, convex


IDENTITY = Isomorphism(lambda x: x, lambda x: x, "identity", convex=True)


def power(exponent):
    """Return phi(x) = x^a."""
    return Isomorphism(lambda x: x**exponent, lambda x: x ** (1 / exponent), f"power {exponent}", convex=exponent >= 1)


def broken_line(xs, ys, name, *, convex):
    """Return a phi of straight pieces through the given points; on few binary digits it is exact."""
    return Isomorphism(lambda x: _on_line(x, xs, ys), lambda y: _on_line(y, ys, xs), name, convex=convex)


def _on_line(x, xs, ys):
    """Return the value at x of a line through points."""
    for left, right, low, high in zip(xs[:-1], xs[1:], ys[:-1], ys[1:], strict=True):
        if x <= right:
            return low + (x - left) * (high - low) / (right - left)
    return ys[-1]


SINE = Isomorphism(
    lambda x: math.sin(math.pi * x / 2), lambda x: 2 * math.asin(min(x, 1)) / math.pi, "sine", convex=False
)
BENT_LINE = ((0.0, 0.5, 0.75, 1.0), (0.0, 0.25, 0.5, 1.0))
S_LINE = ((0.0, 0.25, 0.75, 1.0), (0.0, 0.125, 0.875, 1.0))
BENT = broken_line(*BENT_LINE, "bent", convex=True)
S_SHAPED = broken_line(*S_LINE, "s-shaped", convex=False)


class Triplet:
    """The residual triplet (T_phi, I_phi, N_phi): B_phi(x, y) = phi^-1(B(phi(x), phi(y))), and N(x) = I(x, 0)."""

    def __init__(self, name="lukasiewicz", isomorphism=IDENTITY):
        self.plain_t_norm, self.plain_implicator = T_NORMS[name]
        self.isomorphism = isomorphism
        self.name = f"{name}, {isomorphism.name}"

    def phi(self, x):
        """The isomorphism itself."""
        return self.isomorphism.phi(x)

    def T(self, x, y):
        """T_phi."""
        return self.isomorphism.inverse(self.plain_t_norm(self.phi(x), self.phi(y)))

    def I(self, x, y):  # noqa: E743, the paper's name
        """I_phi."""
        return self.isomorphism.inverse(self.plain_implicator(self.phi(x), self.phi(y)))

    def N(self, x):
        """N_phi, the negator induced by I_phi."""
        return self.I(x, 0)

    def average(self, x, y):
        """Equation of A_N in Section 4.1: phi^-1 of the mean of phi(x) and phi(y); phi_N is phi for an IMTL triplet."""
        return self.isomorphism.inverse((self.phi(x) + self.phi(y)) / 2)

    def threshold(self):
        """Section 4.1: phi^-1(0.5), above which a degree exceeds its negation."""
        return self.isomorphism.inverse(0.5)


LUKASIEWICZ = Triplet()
