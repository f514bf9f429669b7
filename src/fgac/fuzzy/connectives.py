"""Fuzzy logic: t-norms with their residual implicators and negators, and what an isomorphism makes of them.

"And", "if ... then" and "not" for degrees in [0, 1]; all of them work on arrays, entry by entry:

>>> LUKASIEWICZ([0.75, 0.25], 0.5)
array([0.25, 0.  ])
>>> LUKASIEWICZ.implicator([0.75, 0.25], 0.5)
array([0.75, 1.  ])
>>> LUKASIEWICZ.negator([0.75, 0.25])
array([0.25, 0.75])

Degrees are taken as they come: nothing here checks that they lie in [0, 1]. T-norms are defined in
:mod:`fgac.fuzzy.t_norms`, isomorphisms in :mod:`fgac.fuzzy.isomorphisms`; both are also found here, beside
:class:`ResidualTriplet`, which joins them.
"""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from fgac._typing import Floats
from fgac.fuzzy.isomorphisms import IDENTITY, Isomorphism, power, resolve_isomorphism
from fgac.fuzzy.t_norms import DRASTIC, LUKASIEWICZ, MINIMUM, NILPOTENT_MINIMUM, PRODUCT, T_NORMS, TNorm

__all__ = [
    "DRASTIC",
    "IDENTITY",
    "LUKASIEWICZ",
    "LUKASIEWICZ_TRIPLET",
    "MINIMUM",
    "NILPOTENT_MINIMUM",
    "PRODUCT",
    "T_NORMS",
    "Isomorphism",
    "ResidualTriplet",
    "TNorm",
    "power",
    "resolve_isomorphism",
]


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
