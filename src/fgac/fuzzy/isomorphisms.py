"""Isomorphisms: increasing bijections of [0, 1], other scales for the same degrees.

An isomorphism phi makes of every operation B on degrees another one, ``phi^-1(B(phi(x), ...))``, that has the same
properties. So what is proved and computed for the Łukasiewicz t-norm holds for all t-norms isomorphic to it.

>>> power(2)([0.5, 1.0])
array([0.25, 1.  ])
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
        # At once, not when it is used: a wrong inverse would only show as wrong predictions.
        _check_bijection(self.forward, self.backward)

    def __call__(self, x: ArrayLike) -> Floats:
        """``phi(x)``."""
        # Functions of the caller's may leave [0, 1] by rounding, and the inverse may not be defined there.
        return np.clip(self.forward(np.asarray(x, dtype=np.float64)), 0.0, 1.0)[()]

    def inverse(self, y: ArrayLike) -> Floats:
        """The x with ``phi(x) = y``."""
        return np.clip(self.backward(np.asarray(y, dtype=np.float64)), 0.0, 1.0)[()]

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
        with np.errstate(all="ignore"):  # infinite and undefined values are reported below, by where they occur
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


# A class and not a closure, so that powers are equal to each other and can be pickled.
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
