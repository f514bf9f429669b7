"""Section 2.1 of the paper, written down again (``support/paper/connectives.py``), against the library's connectives.

Degrees are multiples of 1/8, so that t-norms that jump are compared without a tolerance that would hide a jump.
Powers round, so continuous t-norms are compared under them, on the scale of phi; "bent" is exact.
"""

import itertools

import numpy as np
import pytest

from fgac.fuzzy.connectives import (
    DRASTIC,
    LUKASIEWICZ,
    MINIMUM,
    NILPOTENT_MINIMUM,
    PRODUCT,
    ResidualTriplet,
    resolve_isomorphism,
)
from support.paper import connectives as text
from support.settings_of_paper import ISOMORPHISMS

OURS = {
    "minimum": MINIMUM,
    "product": PRODUCT,
    "lukasiewicz": LUKASIEWICZ,
    "drastic": DRASTIC,
    "nilpotent_minimum": NILPOTENT_MINIMUM,
}
CONTINUOUS = ("minimum", "product", "lukasiewicz")
IMTL = ("lukasiewicz", "nilpotent_minimum")
EXACT_PHI = ("identity", "bent", "s-shaped")
GRID = np.arange(9) / 8.0
PAIRS = np.array(list(itertools.product(GRID, GRID)))
TRIPLES = np.array(list(itertools.product(GRID, GRID, GRID)))
RANDOM = np.random.default_rng(0).uniform(size=(400, 3))
CLOSE = {"rtol": 0, "atol": 1e-12}

JOINED = [(name, phi) for name, phi in itertools.product(OURS, ISOMORPHISMS) if name in CONTINUOUS or phi in EXACT_PHI]
names = pytest.mark.parametrize("name", OURS)
isomorphisms = pytest.mark.parametrize("phi", ISOMORPHISMS)


def entry_by_entry(function, *columns):
    """Apply a function of numbers to every row of some columns."""
    return np.array([float(function(*map(float, row))) for row in zip(*columns, strict=True)])


@names
def test_table_of_t_norms(name):
    t_norm, implicator = text.T_NORMS[name]
    x, y = PAIRS.T
    np.testing.assert_array_equal(OURS[name](x, y), entry_by_entry(t_norm, x, y))
    np.testing.assert_array_equal(OURS[name].implicator(x, y), entry_by_entry(implicator, x, y))
    np.testing.assert_array_equal(OURS[name].negator(GRID), entry_by_entry(lambda d: implicator(d, 0), GRID))


@names
def test_implicators_are_the_suprema_that_define_them(name):
    """I_T(x, y) = sup {b : T(x, b) <= y}, found by halving."""
    expected = entry_by_entry(lambda x, y: text.residual_implicator(text.T_NORMS[name][0], x, y), *PAIRS.T)
    np.testing.assert_allclose(OURS[name].implicator(*PAIRS.T), expected, **CLOSE)


@pytest.mark.parametrize(("name", "phi"), JOINED)
def test_isomorphic_triplets(name, phi):
    theirs, ours = triplets(name, phi)
    for x, y in (RANDOM[:, :2].T, PAIRS.T):
        same_on_phi(ours, ours.t_norm(x, y), entry_by_entry(theirs.T, x, y))
        same_on_phi(ours, ours.negator(x), entry_by_entry(theirs.N, x))
    x, y = RANDOM[:, :2].T  # on the grid rounding of phi decides whether x <= y
    same_on_phi(ours, ours.implicator(x, y), entry_by_entry(theirs.I, x, y))


def triplets(name, phi):
    """Return a triplet of the paper and the library's."""
    theirs, setting = ISOMORPHISMS[phi]
    return text.Triplet(name, theirs), ResidualTriplet(OURS[name], resolve_isomorphism(setting))


def same_on_phi(triplet, ours, theirs):
    """Compare degrees where their rounding is even; where phi is flat, degrees themselves are less certain."""
    np.testing.assert_allclose(triplet.isomorphism(ours), triplet.isomorphism(theirs), **CLOSE)


@isomorphisms
def test_negators_isomorphic_to_the_standard_one(phi):
    """N = phi^-1(N_s(phi)); it is involutive."""
    theirs, ours = ISOMORPHISMS[phi][0], resolve_isomorphism(ISOMORPHISMS[phi][1])
    x = RANDOM[:, 0]
    expected = entry_by_entry(lambda d: theirs.inverse(text.standard_negator(theirs.phi(d))), x)
    np.testing.assert_allclose(ours.negator(x), expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours(ours.negator(x)), 1 - ours(x), **CLOSE)
    np.testing.assert_allclose(ours(ours.negator(ours.negator(x))), ours(x), **CLOSE)


@isomorphisms
def test_averaging_operator(phi):
    """A_N, its threshold, and N-invariance: A(x, y) = N(A(N(x), N(y)))."""
    theirs, ours = triplets("lukasiewicz", phi)
    x, y = RANDOM[:, :2].T
    average = ours.average(x, y)
    same_on_phi(ours, average, entry_by_entry(theirs.average, x, y))
    same_on_phi(ours, average, ours.negator(ours.average(ours.negator(x), ours.negator(y))))
    assert (np.minimum(x, y) - 1e-12 <= average).all()
    assert (average <= np.maximum(x, y) + 1e-12).all()
    assert ours.threshold == pytest.approx(theirs.threshold(), abs=1e-12)
    outweighs = entry_by_entry(lambda d: d > theirs.N(d), x).astype(bool)
    np.testing.assert_array_equal(x > ours.threshold, outweighs)


# ----------------------------------------------------------------------------------------------------
# The properties as they are printed, of the library's connectives
# ----------------------------------------------------------------------------------------------------

# T, J and N are the t-norm, its implicator and its negator.
TRIPLET_PROPERTIES = {
    "T is smaller": lambda T, J, N, x, y, z: (T(x, y) <= x) & (T(x, y) <= y),
    "I is greater": lambda T, J, N, x, y, z: J(x, y) >= y,
    "modus ponens": lambda T, J, N, x, y, z: T(x, J(x, y)) <= y,
    "ordering": lambda T, J, N, x, y, z: (x <= y) == (J(x, y) == 1),
    "T within I": lambda T, J, N, x, y, z: T(x, J(y, z)) <= J(J(x, y), z),
    "I of T": lambda T, J, N, x, y, z: J(T(x, y), z) == J(x, J(y, z)),
    "T and N": lambda T, J, N, x, y, z: T(x, N(y)) <= N(J(x, y)),
    "N of T": lambda T, J, N, x, y, z: N(T(x, y)) == J(x, N(y)),
    "residuation": lambda T, J, N, x, y, z: (T(x, y) <= z) == (x <= J(y, z)),
}
IMTL_PROPERTIES = {
    "contraposition": lambda T, J, N, x, y: J(N(x), N(y)) == J(y, x),
    "N of I": lambda T, J, N, x, y: T(x, N(y)) == N(J(x, y)),
    "involutive": lambda T, J, N, x, y: N(N(x)) == x,
}
EXACT = [name for name in OURS if name not in ("product", "drastic")]


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("claim", TRIPLET_PROPERTIES)
def test_properties_of_residual_triplets(name, claim):
    """Equations (1a) to (1h), and residuation, where they can be checked without rounding."""
    ours = OURS[name]
    assert TRIPLET_PROPERTIES[claim](ours, ours.implicator, ours.negator, *TRIPLES.T).all()


@pytest.mark.parametrize("name", IMTL)
@pytest.mark.parametrize("claim", IMTL_PROPERTIES)
def test_properties_of_imtl_triplets(name, claim):
    ours = OURS[name]
    assert IMTL_PROPERTIES[claim](ours, ours.implicator, ours.negator, *PAIRS.T).all()
    assert ours.is_imtl


@pytest.mark.parametrize("name", CONTINUOUS)
def test_divisibility(name):
    """min(x, y) = T(x, I(x, y)) for continuous t-norms."""
    x, y = PAIRS.T
    np.testing.assert_allclose(OURS[name](x, OURS[name].implicator(x, y)), np.minimum(x, y), **CLOSE)


def test_strong_max_definability():
    """max(x, y) = I(I(x, y), y) for the Lukasiewicz t-norm."""
    x, y = PAIRS.T
    I = LUKASIEWICZ.implicator  # noqa: E741, the paper's name
    np.testing.assert_array_equal(np.maximum(x, y), I(I(x, y), y))
    np.testing.assert_array_equal(np.maximum(x, y), I(I(y, x), x))
