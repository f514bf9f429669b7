"""T-norms, the fuzzy "and", each with its residual implicator ("if ... then") and negator ("not").

>>> LUKASIEWICZ([0.75, 0.25], 0.5)
array([0.25, 0.  ])
>>> PRODUCT.implicator([0.75, 0.25], 0.5).round(3)
array([0.667, 1.   ])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._typing import Floats

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
    return np.where(x <= y, 1.0, (1.0 - x) + y)  # in this order: 1 - x is exact for x of at least 1/2


def _minimum_residuum(x: Floats, y: Floats) -> Floats:
    return np.where(x <= y, 1.0, y)


def _product_residuum(x: Floats, y: Floats) -> Floats:
    # y / x is computed only where it is less than 1, so that nothing is divided by 0.
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
