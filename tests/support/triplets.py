"""Triplets of connectives, and degrees on which they are exact, for the tests of the paper's properties.

Degrees are multiples of a power of two, on which all connectives but division are exact, so that properties of
discontinuous t-norms can be tested without a tolerance that would hide their jumps. ``BENT`` is an isomorphism that
stays exact as well. Powers are tested on continuous t-norms; degrees are compared on the scale of phi, where
rounding is even.
"""

import itertools

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac.fuzzy.connectives import (
    DRASTIC,
    IDENTITY,
    LUKASIEWICZ,
    MINIMUM,
    NILPOTENT_MINIMUM,
    PRODUCT,
    Isomorphism,
    ResidualTriplet,
    power,
)
from support.property_tests import examples

TOLERANCE = 1e-12

# Slopes 1/2, 1 and 2 between multiples of 1/4: exact on such fractions, and far from the identity.
CORNERS = ([0.0, 0.5, 0.75, 1.0], [0.0, 0.25, 0.5, 1.0])
BENT = Isomorphism(lambda x: np.interp(x, *CORNERS), lambda y: np.interp(y, *CORNERS[::-1]), "bent")


def triplets(*t_norms):
    """Return the triplets of t-norms under the identity and the exact isomorphism, named for pytest."""
    pairs = itertools.product(t_norms, (IDENTITY, BENT))
    return [named(ResidualTriplet(t_norm, phi)) for t_norm, phi in pairs]


def named(triplet):
    """Return a triplet as a parameter of pytest that bears its name."""
    return pytest.param(triplet, id=f"{triplet.generator.name}-{triplet.isomorphism.name}")


PHI_LUKASIEWICZ = [
    *triplets(LUKASIEWICZ),
    named(ResidualTriplet(LUKASIEWICZ, power(0.5))),
    named(ResidualTriplet(LUKASIEWICZ, power(2))),
]


CONTINUOUS = [
    *triplets(MINIMUM, PRODUCT),
    *PHI_LUKASIEWICZ,
    named(ResidualTriplet(MINIMUM, power(0.5))),
    named(ResidualTriplet(PRODUCT, power(2))),
]


LEFT_CONTINUOUS = [*CONTINUOUS, *triplets(NILPOTENT_MINIMUM)]
IMTL = [*PHI_LUKASIEWICZ, *triplets(NILPOTENT_MINIMUM)]
ALL = [*LEFT_CONTINUOUS, *triplets(DRASTIC)]
NOT_LEFT_CONTINUOUS = triplets(DRASTIC)
NOT_IMTL = triplets(MINIMUM, PRODUCT, DRASTIC)
few = examples(15)
holds_for = pytest.mark.parametrize


def fractions(denominator, *shape):
    """Draw an array of multiples of 1 / denominator in [0, 1]."""
    return hnp.arrays(np.int64, shape, elements=st.integers(0, denominator)).map(lambda k: k / denominator)


def at_most(triplet, left, right):
    """Compare degrees on the scale of phi."""
    return triplet.isomorphism(left) <= triplet.isomorphism(right) + TOLERANCE


def same(triplet, left, right):
    """Compare degrees on the scale of phi."""
    return np.abs(triplet.isomorphism(left) - triplet.isomorphism(right)) <= TOLERANCE


def preorder(triplet, raw, *, symmetric=False):
    """Return the least T-preorder that contains a relation (for ``T_phi``, built on the scale of phi)."""
    R = np.maximum(raw, raw.T) if symmetric else raw.copy()
    np.fill_diagonal(R, 1.0)
    for v in range(len(R)):
        R = np.maximum(R, triplet.generator(R[:, v, None], R[None, v, :]))
    return triplet.isomorphism.inverse(R)
