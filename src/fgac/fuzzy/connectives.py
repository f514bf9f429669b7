"""Fuzzy logic: t-norms with their residual implicators and negators, and what an isomorphism makes of them.

"And", "if ... then" and "not" for degrees in [0, 1]; all of them work on arrays, entry by entry:

>>> LUKASIEWICZ([0.75, 0.25], 0.5)
array([0.25, 0.  ])
>>> LUKASIEWICZ.implicator([0.75, 0.25], 0.5)
array([0.75, 1.  ])
>>> LUKASIEWICZ.negator([0.75, 0.25])
array([0.25, 0.75])

Degrees are taken as they come: nothing here checks that they lie in [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._tolerances import ISOMORPHISM_TOL
from fgac._typing import Floats

Unary = Callable[[Floats], Floats]
Binary = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class TNorm:
    """A fuzzy "and": commutative, associative, non-decreasing, with ``T(x, 1) = x``.

    >>> MINIMUM(0.25, [0.5, 1.0])
    array([0.25, 0.25])
    >>> MINIMUM.implicator(0.5, [0.25, 0.5])
    array([0.25, 1.  ])

    Attributes
    ----------
    name : str
        What it is called.
    conjunction, residuum : functions of two arrays
        ``T(x, y)`` and its residual implicator, the largest b (a supremum) with ``T(x, b) <= y``.
    is_continuous : bool
        Then it is divisible: ``T(x, I(x, y)) = min(x, y)``.
    is_left_continuous : bool
        Then, and only then, residuation holds: ``T(x, y) <= z`` exactly if ``x <= I(y, z)``.
    is_imtl : bool
        Whether it is left-continuous and its negator undoes itself, ``N(N(x)) = x``.

    The last three are known facts about the t-norm, not computed.
    """

    name: str
    conjunction: Binary = field(repr=False)
    residuum: Binary = field(repr=False)
    is_continuous: bool = field(repr=False)
    is_left_continuous: bool = field(repr=False)
    is_imtl: bool = field(repr=False)

    def __call__(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """``T(x, y)``: how far x and y hold together."""
        return _plain(self.conjunction(_floats(x), _floats(y)))

    def implicator(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """``I(x, y)``: how far x implies y; 1 where ``x <= y``."""
        return _plain(self.residuum(_floats(x), _floats(y)))

    def negator(self, x: ArrayLike) -> Floats:
        """``N(x) = I(x, 0)``: how far x does not hold."""
        return self.implicator(x, 0.0)


def _floats(x: ArrayLike) -> Floats:
    return np.asarray(x, dtype=np.float64)


def _plain(result: Any) -> Floats:
    """An array as it is, a number instead of an array without axes."""
    return result[()]


def _lukasiewicz(x: Floats, y: Floats) -> Floats:
    # max(0, x + y - 1), but correctly rounded: 1 - larger is exact wherever the result is not 0.
    return np.maximum(0.0, np.minimum(x, y) - (1.0 - np.maximum(x, y)))


def _lukasiewicz_residuum(x: Floats, y: Floats) -> Floats:
    return np.where(x <= y, 1.0, (1.0 - x) + y)


def _minimum_residuum(x: Floats, y: Floats) -> Floats:
    return np.where(x <= y, 1.0, y)


def _product_residuum(x: Floats, y: Floats) -> Floats:
    x, y = np.broadcast_arrays(x, y)
    return np.divide(y, x, out=np.ones(x.shape), where=x > y)


def _drastic(x: Floats, y: Floats) -> Floats:
    return np.where(np.maximum(x, y) == 1.0, np.minimum(x, y), 0.0)


def _drastic_residuum(x: Floats, y: Floats) -> Floats:
    return np.where(x == 1.0, y, 1.0)


def _nilpotent(x: Floats, y: Floats) -> Floats:
    smaller = np.minimum(x, y)
    # x + y > 1, but exact: see above.
    return np.where(smaller > 1.0 - np.maximum(x, y), smaller, 0.0)


def _nilpotent_residuum(x: Floats, y: Floats) -> Floats:
    return np.where(x <= y, 1.0, np.maximum(1.0 - x, y))


MINIMUM = TNorm("minimum", np.minimum, _minimum_residuum, True, True, False)
PRODUCT = TNorm("product", np.multiply, _product_residuum, True, True, False)
LUKASIEWICZ = TNorm("lukasiewicz", _lukasiewicz, _lukasiewicz_residuum, True, True, True)
DRASTIC = TNorm("drastic", _drastic, _drastic_residuum, False, False, False)
NILPOTENT_MINIMUM = TNorm("nilpotent_minimum", _nilpotent, _nilpotent_residuum, False, True, True)

T_NORMS = {t.name: t for t in (MINIMUM, PRODUCT, LUKASIEWICZ, DRASTIC, NILPOTENT_MINIMUM)}
# Where an isomorphism is checked; 256ths are exact in floating point.
GRID = np.linspace(0.0, 1.0, 257)


@dataclass(frozen=True)
class Isomorphism:
    """An increasing bijection phi of [0, 1], given with its inverse: another scale for the same degrees.

    >>> phi = Isomorphism(np.square, np.sqrt)
    >>> phi([0.5, 1.0])
    array([0.25, 1.  ])
    >>> float(phi.negator(0.6).round(12))
    0.8

    Attributes
    ----------
    forward, backward : functions of an array
        phi and its inverse. Checked on a grid when the object is made: 0 to 0, 1 to 1, increasing, and inverse to
        each other; a ValueError says what is wrong.
    name : str
        What it is called.
    """

    forward: Unary = field(repr=False)
    backward: Unary = field(repr=False)
    name: str = "custom"

    def __post_init__(self) -> None:
        _check_bijection(self.forward, self.backward)

    def __call__(self, x: ArrayLike) -> Floats:
        """``phi(x)``."""
        return np.clip(self.forward(_floats(x)), 0.0, 1.0)[()]

    def inverse(self, y: ArrayLike) -> Floats:
        """The x with ``phi(x) = y``."""
        return np.clip(self.backward(_floats(y)), 0.0, 1.0)[()]

    def induced(self, operation: Callable[..., Floats], *degrees: ArrayLike) -> Floats:
        """``phi^-1(operation(phi(x), ...))``: the isomorphic operation.

        >>> float(power(2).induced(np.maximum, 0.25, 0.5))
        0.5
        """
        return self.inverse(operation(*(self(x) for x in degrees)))

    def negator(self, x: ArrayLike) -> Floats:
        """``phi^-1(1 - phi(x))``; every negator that undoes itself is of this form."""
        return self.inverse(1.0 - self(x))

    def average(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """``A_N(x, y) = phi^-1((phi(x) + phi(y)) / 2)``: the mean on the scale of phi.

        It treats a degree and its negation alike: ``N(A_N(x, y)) = A_N(N(x), N(y))``.

        >>> float(power(2).average(0.1, 0.7).round(12))
        0.5
        """
        return self.inverse(0.5 * (self(x) + self(y)))

    @property
    def threshold(self) -> float:
        """``phi^-1(0.5)``: larger degrees outweigh their own negation.

        >>> power(0.5).threshold
        0.25
        """
        return float(self.inverse(0.5))

    @property
    def is_convex(self) -> bool:
        """Whether phi bends upwards everywhere, as far as a grid can tell: then ``1 - phi(1 - d)`` is a metric if d is.

        >>> power(2).is_convex, power(0.5).is_convex
        (True, False)
        """
        return bool((np.diff(self(GRID), 2) >= -ISOMORPHISM_TOL).all())


def _check_bijection(forward: Unary, backward: Unary) -> None:
    image = _values(forward, GRID, "phi")
    if abs(image[0]) > ISOMORPHISM_TOL or abs(image[-1] - 1.0) > ISOMORPHISM_TOL:
        raise ValueError(f"phi must map 0 to 0 and 1 to 1, got phi(0) = {image[0]:g} and phi(1) = {image[-1]:g}")
    flat = np.flatnonzero(~(np.diff(image) > 0))
    if len(flat):
        a, b = GRID[flat[0]], GRID[flat[0] + 1]
        raise ValueError(
            f"phi must be increasing, got phi({a:g}) = {image[flat[0]]:g} and phi({b:g}) = {image[flat[0] + 1]:g}"
        )
    there = _values(backward, np.clip(image, 0.0, 1.0), "the inverse of phi")
    back = _values(forward, np.clip(_values(backward, GRID, "the inverse of phi"), 0.0, 1.0), "phi")
    for result, what in ((there, "inverse(phi(x))"), (back, "phi(inverse(x))")):
        worst = int(np.argmax(np.abs(result - GRID)))
        if abs(result[worst] - GRID[worst]) > ISOMORPHISM_TOL:
            raise ValueError(
                f"phi and its inverse must undo each other, got {what} = {result[worst]:g} for x = {GRID[worst]:g}"
            )


def _values(function: Unary, x: Floats, what: str) -> Floats:
    """Ask a function of the caller's for its values, and check that they are numbers, one for each."""
    try:
        with np.errstate(all="ignore"):
            values = np.asarray(function(x), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must take an array and return an array; np.vectorize makes it so") from error
    if values.shape != x.shape:
        raise ValueError(f"{what} returned shape {values.shape} for an array of shape {x.shape}; expected the same")
    if not np.isfinite(values).all():
        raise ValueError(f"{what} is not a finite number for x = {x[~np.isfinite(values)][0]:g}")
    return values


def _same(x: Floats) -> Floats:
    return x


@dataclass(frozen=True)
class _Power:
    exponent: float

    def __call__(self, x: Floats) -> Floats:
        return x**self.exponent


IDENTITY = Isomorphism(_same, _same, "identity")


def power(exponent: float) -> Isomorphism:
    """``phi(x) = x^a`` with a > 0; above 1 it asks more of a degree before it outweighs its negation, below 1 less.

    >>> power(2).threshold == 0.5**0.5
    True
    >>> power(1) == IDENTITY
    True
    """
    if not (np.isfinite(exponent) and exponent > 0):
        raise ValueError(f"the exponent of a power isomorphism must be a positive number, got {exponent!r}")
    if exponent == 1:
        return IDENTITY
    return Isomorphism(_Power(float(exponent)), _Power(1.0 / exponent), f"power({exponent:g})")


def resolve_isomorphism(isomorphism: Any) -> Isomorphism:
    """Turn the ``isomorphism`` parameter of an estimator into an object.

    ``None`` or "identity", the exponent of the power family, a pair (phi, inverse), or an :class:`Isomorphism`.

    >>> resolve_isomorphism(2.0)
    Isomorphism(name='power(2)')
    """
    if isinstance(isomorphism, Isomorphism):
        return isomorphism
    if isomorphism is None or (isinstance(isomorphism, str) and isomorphism == "identity"):
        return IDENTITY
    if not isinstance(isomorphism, bool) and isinstance(isomorphism, Real):
        return power(float(isomorphism))
    if isinstance(isomorphism, tuple | list) and len(isomorphism) == 2 and all(map(callable, isomorphism)):
        return Isomorphism(*isomorphism)
    raise ValueError(
        f"isomorphism={isomorphism!r} is unknown; expected None, 'identity', the exponent of a power, a pair "
        "(phi, its inverse) of functions of arrays, or an fgac.fuzzy.connectives.Isomorphism"
    )


@dataclass(frozen=True)
class ResidualTriplet:
    """``(T, I, N)``: a t-norm, its residual implicator and its negator, on the scale of an isomorphism.

    ``T_phi(x, y) = phi^-1(T(phi(x), phi(y)))``, and likewise ``I_phi`` and ``N_phi``; they are the residual
    triplet of ``T_phi``.

    >>> triplet = ResidualTriplet(LUKASIEWICZ, power(2))
    >>> triplet.negator([0.0, 0.6, 1.0]).round(6)
    array([1. , 0.8, 0. ])
    >>> triplet.t_norm(0.8, [0.6, 1.0]).round(6)
    array([0. , 0.8])

    Parameters
    ----------
    generator : TNorm
        T; Łukasiewicz by default, the one that training needs.
    isomorphism : Isomorphism
        phi; the identity by default.
    """

    generator: TNorm = LUKASIEWICZ
    isomorphism: Isomorphism = IDENTITY

    def t_norm(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """``T_phi(x, y)``."""
        return self.isomorphism.induced(self.generator, x, y)

    def implicator(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """``I_phi(x, y)``."""
        return self.isomorphism.induced(self.generator.implicator, x, y)

    def negator(self, x: ArrayLike) -> Floats:
        """``N_phi(x) = I_phi(x, 0)``."""
        return self.isomorphism.induced(self.generator.negator, x)

    def average(self, x: ArrayLike, y: ArrayLike) -> Floats:
        """``A_N(x, y)`` for the negator of an IMTL triplet: see :meth:`Isomorphism.average`.

        >>> float(ResidualTriplet(NILPOTENT_MINIMUM).average(0.25, 0.75))
        0.5
        """
        self._needs_involution("average")
        return self.isomorphism.average(x, y)

    @property
    def threshold(self) -> float:
        """``phi^-1(0.5)``, where a degree and its negation are equal."""
        self._needs_involution("threshold")
        return self.isomorphism.threshold

    @property
    def is_continuous(self) -> bool:
        """Whether ``T_phi`` is continuous."""
        return self.generator.is_continuous

    @property
    def is_left_continuous(self) -> bool:
        """Whether ``T_phi`` is left-continuous, so that residuation holds."""
        return self.generator.is_left_continuous

    @property
    def is_imtl(self) -> bool:
        """Whether ``N_phi`` undoes itself."""
        return self.generator.is_imtl

    def _needs_involution(self, what: str) -> None:
        if not self.is_imtl:
            raise ValueError(
                f"the negator of the {self.generator.name} t-norm does not undo itself, so there is no {what} that "
                "treats a degree and its negation alike; use LUKASIEWICZ or NILPOTENT_MINIMUM"
            )


LUKASIEWICZ_TRIPLET = ResidualTriplet(LUKASIEWICZ)
