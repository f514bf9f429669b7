"""The properties and propositions of the paper's sections 2 to 4, each for the t-norms it holds for.

Degrees are multiples of a power of two, on which all connectives but division are exact, so that properties of
discontinuous t-norms can be tested without a tolerance that would hide their jumps. ``BENT`` is an isomorphism that
stays exact as well. Powers are tested on continuous t-norms; degrees are compared on the scale of phi, where
rounding is even.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac import FGAClassifier
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
from fgac.fuzzy.owa import resolve_owa, reversal, soft_max, soft_min
from fgac.fuzzy.relations import (
    MetricSimilarity,
    TriangularDominance,
    TriangularSimilarity,
    attribute_ranges,
    euclidean_similarity,
    inverse,
    is_reflexive,
    is_symmetric,
    is_transitive,
)
from fgac.fuzzy.roughsets import (
    adjacent_degrees,
    are_adjacent,
    complement,
    granule,
    is_granularly_representable,
    lower_approximation,
    upper_approximation,
)
from fgac.metrics.distances import Chebyshev, Euclidean, Manhattan
from support.strategies import queries, table_cases

TOLERANCE = 1e-12
# Slopes 1/2, 1 and 2 between multiples of 1/4: exact on such fractions, and far from the identity.
CORNERS = ([0.0, 0.5, 0.75, 1.0], [0.0, 0.25, 0.5, 1.0])
BENT = Isomorphism(lambda x: np.interp(x, *CORNERS), lambda y: np.interp(y, *CORNERS[::-1]), "bent")


def triplets(*t_norms):
    """Return the triplets of t-norms under the identity and the exact isomorphism, named for pytest."""
    pairs = itertools.product(t_norms, (IDENTITY, BENT))
    return [named(ResidualTriplet(t_norm, phi)) for t_norm, phi in pairs]


def named(triplet):
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

few = settings(max_examples=25)
holds_for = pytest.mark.parametrize


def fractions(denominator, *shape):
    """Draw an array of multiples of 1 / denominator in [0, 1]."""
    return hnp.arrays(np.int64, shape, elements=st.integers(0, denominator)).map(lambda k: k / denominator)


xyz = fractions(64, 3, 12)


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


# ----------------------------------------------------------------------------------------------------
# Section 2: fuzzy logic connectives
# ----------------------------------------------------------------------------------------------------


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_definition_of_a_t_norm(triplet, degrees):
    """Commutative, associative, non-decreasing, with 1 neutral."""
    x, y, z = degrees
    T = triplet.t_norm
    assert same(triplet, T(x, y), T(y, x)).all()
    assert same(triplet, T(T(x, y), z), T(x, T(y, z))).all()
    assert at_most(triplet, T(np.minimum(x, z), y), T(np.maximum(x, z), y)).all()
    assert same(triplet, T(x, 1.0), x).all()


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_definition_of_an_implicator(triplet, degrees):
    """Non-increasing in what implies, non-decreasing in what is implied, classical on 0 and 1."""
    x, y, z = degrees
    assert at_most(triplet, triplet.implicator(np.maximum(x, z), y), triplet.implicator(np.minimum(x, z), y)).all()
    assert at_most(triplet, triplet.implicator(y, np.minimum(x, z)), triplet.implicator(y, np.maximum(x, z))).all()
    np.testing.assert_array_equal(triplet.implicator([1, 0, 0, 1], [0, 0, 1, 1]), [0, 1, 1, 1])


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_residual_implicator_is_a_supremum(triplet, degrees):
    """I(x, y) is the supremum of the b with T(x, b) <= y: of those on a grid, the last is at most a step below."""
    x, y, _ = degrees
    grid = np.arange(257) / 256
    candidates = triplet.isomorphism.inverse(grid)
    allowed = at_most(triplet, triplet.t_norm(x[:, None], candidates), y[:, None])
    last = np.where(allowed, grid, 0.0).max(axis=1)
    supremum = triplet.isomorphism(triplet.implicator(x, y))
    assert (last <= supremum + 1e-8).all()
    assert (supremum <= last + 1 / 256 + 1e-8).all()


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(xyz)
def test_residuation(triplet, degrees):
    """T(x, y) <= z exactly if x <= I(y, z); holds exactly for the left-continuous t-norms."""
    x, y, z = degrees
    left = at_most(triplet, triplet.t_norm(x, y), z)
    right = at_most(triplet, x, triplet.implicator(y, z))
    np.testing.assert_array_equal(left, right)


@holds_for("triplet", NOT_LEFT_CONTINUOUS)
def test_residuation_fails(triplet):
    """Drastic: 1 <= I(0.5, 0.25), but T(1, 0.5) > 0.25."""
    assert triplet.implicator(0.5, 0.25) == 1.0
    assert triplet.t_norm(1.0, 0.5) > 0.25


@holds_for("triplet", CONTINUOUS)
@few
@given(xyz)
def test_divisibility(triplet, degrees):
    """min(x, y) = T(x, I(x, y)) = T(y, I(y, x)); holds for continuous t-norms."""
    x, y, _ = degrees
    assert same(triplet, triplet.t_norm(x, triplet.implicator(x, y)), np.minimum(x, y)).all()
    assert same(triplet, triplet.t_norm(y, triplet.implicator(y, x)), np.minimum(x, y)).all()


@holds_for("triplet", triplets(NILPOTENT_MINIMUM, DRASTIC))
def test_divisibility_fails(triplet):
    """Nilpotent minimum and drastic, which jump."""
    x, y = triplet.isomorphism.inverse([0.5, 0.25])
    assert triplet.t_norm(x, triplet.implicator(x, y)) != min(x, y)


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_negator_is_induced_by_the_implicator(triplet, degrees):
    """N(x) = I(x, 0), non-increasing, with N(0) = 1 and N(1) = 0."""
    x, y, _ = degrees
    assert same(triplet, triplet.negator(x), triplet.implicator(x, 0.0)).all()
    assert at_most(triplet, triplet.negator(np.maximum(x, y)), triplet.negator(np.minimum(x, y))).all()
    np.testing.assert_array_equal(triplet.negator([0.0, 1.0]), [1.0, 0.0])


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_property_1_t_norm_is_below_its_parameters(triplet, degrees):
    """T(x, y) <= x and T(x, y) <= y; holds for every t-norm."""
    x, y, _ = degrees
    assert at_most(triplet, triplet.t_norm(x, y), np.minimum(x, y)).all()


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_property_2_implicator_is_above_its_second_parameter(triplet, degrees):
    """I(x, y) >= y; holds for every t-norm."""
    x, y, _ = degrees
    assert at_most(triplet, y, triplet.implicator(x, y)).all()


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(xyz)
def test_property_3_modus_ponens(triplet, degrees):
    """T(x, I(x, y)) <= y; needs left-continuity."""
    x, y, _ = degrees
    assert at_most(triplet, triplet.t_norm(x, triplet.implicator(x, y)), y).all()


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(xyz)
def test_property_4_ordering(triplet, degrees):
    """I(x, y) = 1 exactly if x <= y; needs left-continuity."""
    x, y, _ = degrees
    np.testing.assert_array_equal(same(triplet, triplet.implicator(x, y), 1.0), x <= y)
    assert (triplet.implicator(x, y)[x <= y] == 1.0).all()


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(xyz)
def test_property_5_of_t_norm_and_implicator(triplet, degrees):
    """T(x, I(y, z)) <= I(I(x, y), z); needs left-continuity."""
    x, y, z = degrees
    left = triplet.t_norm(x, triplet.implicator(y, z))
    assert at_most(triplet, left, triplet.implicator(triplet.implicator(x, y), z)).all()


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_property_6_of_t_norm_and_implicator(triplet, degrees):
    """I(T(x, y), z) = I(x, I(y, z)); holds for left-continuous t-norms, and for the drastic one too."""
    x, y, z = degrees
    left = triplet.implicator(triplet.t_norm(x, y), z)
    assert same(triplet, left, triplet.implicator(x, triplet.implicator(y, z))).all()


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(xyz)
def test_property_7_of_implicator_and_negator(triplet, degrees):
    """T(x, N(y)) <= N(I(x, y)); property 5 with z = 0."""
    x, y, _ = degrees
    left = triplet.t_norm(x, triplet.negator(y))
    assert at_most(triplet, left, triplet.negator(triplet.implicator(x, y))).all()


@holds_for("triplet", ALL)
@few
@given(xyz)
def test_property_8_of_implicator_and_negator(triplet, degrees):
    """N(T(x, y)) = I(x, N(y)); property 6 with z = 0."""
    x, y, _ = degrees
    assert same(triplet, triplet.negator(triplet.t_norm(x, y)), triplet.implicator(x, triplet.negator(y))).all()


@holds_for("triplet", NOT_LEFT_CONTINUOUS)
def test_properties_3_4_5_and_7_fail(triplet):
    """Drastic: I(0.5, 0.25) = 1 although 0.5 > 0.25, and what follows from that."""
    T, implicator, N = triplet.t_norm, triplet.implicator, triplet.negator
    assert T(0.5, implicator(0.5, 0.25)) > 0.25
    assert implicator(0.5, 0.25) == 1.0
    assert T(0.5, implicator(0.5, 0.25)) > implicator(implicator(0.5, 0.5), 0.25)
    assert T(0.5, N(0.25)) > N(implicator(0.5, 0.25))


@holds_for("triplet", IMTL)
@few
@given(xyz)
def test_imtl_negator_is_involutive_and_isomorphic_to_the_standard_one(triplet, degrees):
    """N(N(x)) = x and N(x) = phi^-1(1 - phi(x)); nilpotent minimum and what is isomorphic to Łukasiewicz."""
    x = degrees[0]
    assert triplet.is_imtl
    assert same(triplet, triplet.negator(triplet.negator(x)), x).all()
    assert same(triplet, triplet.negator(x), triplet.isomorphism.negator(x)).all()


@holds_for("triplet", NOT_IMTL)
def test_imtl_negator_is_not_involutive(triplet):
    """Minimum, product and drastic know only "not at all" and "fully"."""
    assert not triplet.is_imtl
    assert triplet.negator(triplet.negator(0.5)) != 0.5


@holds_for("triplet", IMTL)
@few
@given(xyz)
def test_imtl_properties(triplet, degrees):
    """I(N(x), N(y)) = I(y, x) and T(x, N(y)) = N(I(x, y)); hold for IMTL triplets."""
    x, y, _ = degrees
    N = triplet.negator
    assert same(triplet, triplet.implicator(N(x), N(y)), triplet.implicator(y, x)).all()
    assert same(triplet, triplet.t_norm(x, N(y)), N(triplet.implicator(x, y))).all()


@holds_for("triplet", NOT_IMTL)
def test_imtl_properties_fail(triplet):
    """Minimum, product and drastic."""
    N = triplet.negator
    assert triplet.t_norm(0.5, N(0.0)) != N(triplet.implicator(0.5, 0.0))
    x, y = (0.25, 0.5) if triplet.generator != DRASTIC else (0.5, 1.0)
    assert triplet.implicator(N(x), N(y)) != triplet.implicator(y, x)


@holds_for("triplet", PHI_LUKASIEWICZ)
@few
@given(xyz)
def test_strong_max_definability(triplet, degrees):
    """max(x, y) = I(I(x, y), y) = I(I(y, x), x); holds for what is isomorphic to Łukasiewicz."""
    x, y, _ = degrees
    assert same(triplet, triplet.implicator(triplet.implicator(x, y), y), np.maximum(x, y)).all()
    assert same(triplet, triplet.implicator(triplet.implicator(y, x), x), np.maximum(x, y)).all()


@holds_for("triplet", triplets(MINIMUM, PRODUCT, NILPOTENT_MINIMUM, DRASTIC))
def test_strong_max_definability_fails(triplet):
    """All other t-norms of the table; the product only at y = 0."""
    x, y = triplet.isomorphism.inverse([0.75, 0.0 if triplet.generator == PRODUCT else 0.5])
    assert not same(triplet, triplet.implicator(triplet.implicator(x, y), y), x)


@holds_for("triplet", IMTL)
@few
@given(xyz)
def test_n_invariance_of_the_average(triplet, degrees):
    """A_N(x, y) = N(A_N(N(x), N(y))), and A_N lies between x and y; for every involutive negator."""
    x, y, _ = degrees
    average = triplet.average(x, y)
    assert same(triplet, average, triplet.negator(triplet.average(triplet.negator(x), triplet.negator(y)))).all()
    assert at_most(triplet, np.minimum(x, y), average).all()
    assert at_most(triplet, average, np.maximum(x, y)).all()


@holds_for("triplet", IMTL)
def test_n_invariance_fails(triplet):
    """Conjunctive operators (a t-norm, the minimum) and disjunctive ones (the maximum) are not N-invariant."""
    x, y = triplet.isomorphism.inverse([0.25, 0.875])
    for operator in (triplet.t_norm, np.minimum, np.maximum):
        assert not same(triplet, operator(x, y), triplet.negator(operator(triplet.negator(x), triplet.negator(y))))


@holds_for("triplet", IMTL)
@few
@given(xyz)
def test_threshold(triplet, degrees):
    """x > N(x) exactly if x > phi^-1(0.5)."""
    x = degrees[0]
    np.testing.assert_array_equal(~at_most(triplet, x, triplet.negator(x)), ~at_most(triplet, x, triplet.threshold))


# ----------------------------------------------------------------------------------------------------
# Section 2: relations
# ----------------------------------------------------------------------------------------------------


@given(table_cases())
def test_triangular_dominance_is_a_preorder(case):
    """Reflexive and transitive for Łukasiewicz (hence for the smaller drastic), over all attributes."""
    dominance = TriangularDominance(case.gamma, attribute_ranges(case.X))
    assert is_reflexive(dominance, case.X)
    assert is_transitive(dominance, LUKASIEWICZ, case.X)
    assert is_transitive(dominance, DRASTIC, case.X)


@given(table_cases())
def test_similarities_are_equivalences(case):
    """Triangular similarity and the whole metric family: reflexive, symmetric, transitive for Łukasiewicz."""
    ranges = attribute_ranges(case.X)
    family = [MetricSimilarity(metric, case.gamma, ranges) for metric in (Euclidean(), Manhattan(), Chebyshev())]
    for relation in (TriangularSimilarity(case.gamma, ranges), euclidean_similarity(case.gamma, ranges), *family):
        assert is_reflexive(relation, case.X)
        assert is_symmetric(relation, case.X)
        assert is_transitive(relation, LUKASIEWICZ, case.X)


@given(table_cases(max_rows=8), st.sampled_from([1.5, 2.0, 3.0]))
def test_similarities_are_equivalences_for_larger_powers(case, exponent):
    """They are transitive for ``T_phi`` of Łukasiewicz with phi(x) = x^a too, if a >= 1 (compared as phi sees them)."""
    for relation in (TriangularSimilarity, TriangularDominance):
        R = relation(case.gamma, attribute_ranges(case.X)).matrix(case.X)
        assert is_transitive(power(exponent)(R), LUKASIEWICZ)


def test_preorder_and_equivalence_fail():
    """Dominance is not symmetric; none is transitive for a larger t-norm, nor for a power below 1."""
    X = np.array([[0.0], [1.0], [2.0]])
    for relation in (TriangularDominance(1.0, (2.0,)), TriangularSimilarity(1.0, (2.0,))):
        for t_norm in (MINIMUM, PRODUCT):
            assert not is_transitive(relation, t_norm, X)
    assert not is_symmetric(TriangularDominance(1.0, (2.0,)), X)
    assert not is_transitive(TriangularSimilarity(1.0, (2.0,)), ResidualTriplet(LUKASIEWICZ, power(0.5)).t_norm, X)


# ----------------------------------------------------------------------------------------------------
# Section 2: fuzzy rough sets and granules
# ----------------------------------------------------------------------------------------------------

relation_and_set = st.tuples(fractions(8, 5, 5), fractions(16, 5))


@holds_for("triplet", ALL)
@few
@given(relation_and_set)
def test_generated_relations_are_preorders(triplet, drawn):
    """What the tests below rest on."""
    R = preorder(triplet, drawn[0])
    assert is_reflexive(R)
    assert is_transitive(triplet.isomorphism(R), triplet.generator)


@holds_for("triplet", IMTL)
@few
@given(relation_and_set)
def test_duality_of_the_approximations(triplet, drawn):
    """N(lower(A)) = upper(coA) and N(upper(A)) = lower(coA), the right sides for the inverse relation; IMTL.

    The paper has the same relation on both sides, which is this for a symmetric one.
    """
    raw, A = drawn
    for symmetric in (False, True):
        R = preorder(triplet, raw, symmetric=symmetric)
        S = R if symmetric else inverse(R)
        coA = complement(A, triplet)
        lower, upper = lower_approximation(A, R, triplet), upper_approximation(A, R, triplet)
        assert same(triplet, triplet.negator(lower), upper_approximation(coA, S, triplet)).all()
        assert same(triplet, triplet.negator(upper), lower_approximation(coA, S, triplet)).all()


@holds_for("triplet", ALL)
@few
@given(relation_and_set)
def test_duality_half_holds_for_every_t_norm(triplet, drawn):
    """N(upper(A)) = lower(coA) needs property 8 only."""
    raw, A = drawn
    R = preorder(triplet, raw)
    upper = upper_approximation(A, R, triplet)
    lower = lower_approximation(complement(A, triplet), inverse(R), triplet)
    assert same(triplet, triplet.negator(upper), lower).all()


@holds_for("triplet", NOT_IMTL)
def test_duality_of_the_approximations_fails(triplet):
    """Minimum, product and drastic: N(lower(A)) is not upper(coA)."""
    R, A = np.array([[1.0, 0.5], [0.5, 1.0]]), [0.0, 1.0]
    lower = lower_approximation(A, R, triplet)
    assert triplet.negator(lower)[1] != upper_approximation(complement(A, triplet), R, triplet)[1]


def test_duality_needs_the_inverse_relation():
    """For a relation that is not symmetric, the same relation on both sides will not do."""
    R, A = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([1.0, 0.0])
    lower = lower_approximation(A, R)
    assert not np.array_equal(1 - lower, upper_approximation(1 - A, R))
    np.testing.assert_array_equal(1 - lower, upper_approximation(1 - A, inverse(R)))


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(relation_and_set)
def test_forms_of_granular_representability(triplet, drawn):
    """Union of granules; T(R(v, u), A(u)) <= A(v); R(v, u) <= I(A(u), A(v)): the same for left-continuous t-norms."""
    raw, A = drawn
    R = preorder(triplet, raw)
    for B in (A, upper_approximation(A, R, triplet)):
        union = np.max([granule(u, B[u], R, triplet) for u in range(5)], axis=0)
        first = at_most(triplet, triplet.t_norm(R, B), B[:, None]).all()
        second = at_most(triplet, R, triplet.implicator(B, B[:, None])).all()
        assert first == second == same(triplet, union, B).all()
        assert is_granularly_representable(B, R, triplet, tol=1e-7) == first


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(relation_and_set)
def test_complement_of_a_representable_set_is_representable(triplet, drawn):
    """Proposition: coA for the inverse relation; holds for left-continuous t-norms, IMTL or not."""
    raw, A = drawn
    R = preorder(triplet, raw)
    A = upper_approximation(A, R, triplet)
    assert is_granularly_representable(A, R, triplet, tol=1e-7)
    assert is_granularly_representable(complement(A, triplet), inverse(R), triplet, tol=1e-7)


@holds_for("triplet", NOT_LEFT_CONTINUOUS)
def test_complement_of_a_representable_set_fails(triplet):
    """Drastic: whoever does not belong fully, does not belong at all."""
    R, A = np.array([[1.0, 0.5], [0.5, 1.0]]), [0.5, 1.0]
    assert is_transitive(R, triplet.t_norm)
    assert is_granularly_representable(A, R, triplet)
    assert not is_granularly_representable(complement(A, triplet), inverse(R), triplet)


def representable_sets(triplet, R):
    """Return all granularly representable sets of three rows whose degrees are quarters on the scale of phi."""
    sets = triplet.isomorphism.inverse(np.array(list(itertools.product(np.arange(5) / 4, repeat=3))))
    unions = triplet.t_norm(R, sets[:, None, :]).max(axis=-1)
    return sets[at_most(triplet, unions, sets).all(axis=1)]


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(fractions(4, 3, 3), fractions(16, 3))
def test_lower_approximation_is_the_largest_representable_set_within(triplet, raw, A):
    """Proposition; needs left-continuity."""
    R = preorder(triplet, raw)
    lower = lower_approximation(A, R, triplet)
    assert is_granularly_representable(lower, R, triplet, tol=1e-7)
    assert at_most(triplet, lower, A).all()
    sets = representable_sets(triplet, R)
    within = at_most(triplet, sets, A).all(axis=1)
    assert at_most(triplet, sets[within], lower).all()


@holds_for("triplet", ALL)
@few
@given(fractions(4, 3, 3), fractions(16, 3))
def test_upper_approximation_is_the_smallest_representable_set_around(triplet, raw, A):
    """Proposition; holds for every t-norm, also the drastic one."""
    R = preorder(triplet, raw)
    upper = upper_approximation(A, R, triplet)
    assert is_granularly_representable(upper, R, triplet, tol=1e-7)
    assert at_most(triplet, A, upper).all()
    sets = representable_sets(triplet, R)
    around = at_most(triplet, A, sets).all(axis=1)
    assert at_most(triplet, upper, sets[around]).all()


@holds_for("triplet", NOT_LEFT_CONTINUOUS)
def test_lower_approximation_is_the_largest_representable_set_fails(triplet):
    """Drastic: it leaves a contradicted set as it is."""
    R, A = np.array([[1.0, 0.5], [0.5, 1.0]]), [1.0, 0.0]
    np.testing.assert_array_equal(lower_approximation(A, R, triplet), A)
    assert not is_granularly_representable(A, R, triplet)


# ----------------------------------------------------------------------------------------------------
# Section 2: ordered weighted averages
# ----------------------------------------------------------------------------------------------------


@given(fractions(64, 9), st.sampled_from(["additive", "exponential", "inverse_additive"]))
def test_owa_bounds(values, name):
    """Soft maximum <= maximum, soft minimum >= minimum, to the last bit; complementary weights swap the two."""
    weights = resolve_owa(name, 9)
    assert values.min() <= soft_min(values, weights) <= soft_max(values, weights) <= values.max()
    assert soft_max(values, reversal(weights)) == pytest.approx(soft_min(values, weights), abs=1e-14)
    assert soft_max(values, resolve_owa("strict", 9)) == values.max()
    assert soft_min(values, resolve_owa("strict", 9)) == values.min()


# ----------------------------------------------------------------------------------------------------
# Section 4: prediction, from degrees that are given
# ----------------------------------------------------------------------------------------------------


def known_and_new(triplet, drawn):
    """Return a representable set on 4 rows, and their relations with 2 more: R(new, known) and R(known, new)."""
    raw, A = drawn
    R = preorder(triplet, raw)
    A = upper_approximation(A, R[:4, :4], triplet)
    return A, R[4:, :4], R[:4, 4:]


drawn_rows = st.tuples(fractions(8, 6, 6), fractions(16, 4))


@holds_for("triplet", ALL)
@few
@given(drawn_rows)
def test_bounds_are_well_defined(triplet, drawn):
    """Proposition: max T(R(x, u), A(u)) <= min I(R(u, x), A(u)) for a representable A; holds for every t-norm."""
    A, to_known, from_known = known_and_new(triplet, drawn)
    lower, upper = upper_approximation(A, to_known, triplet), lower_approximation(A, from_known, triplet)
    assert at_most(triplet, lower, upper).all()


@holds_for("triplet", ALL)
def test_bounds_are_not_well_defined(triplet):
    """A set that contradicts itself has no room for a new row, whatever the t-norm."""
    A, alike = [1.0, 0.0], np.ones((1, 2))
    assert not at_most(triplet, upper_approximation(A, alike, triplet), lower_approximation(A, alike.T, triplet)).all()


@holds_for("triplet", IMTL)
@few
@given(drawn_rows)
def test_prediction_duality(triplet, drawn):
    """Proposition: the bounds of coA are the negated bounds of A, exchanged; holds for IMTL triplets.

    So do their averages: N of the prediction for A is the prediction for coA.
    """
    A, to_known, from_known = known_and_new(triplet, drawn)
    coA = complement(A, triplet)
    lower, upper = upper_approximation(A, to_known, triplet), lower_approximation(A, from_known, triplet)
    co_lower = upper_approximation(coA, inverse(from_known), triplet)
    co_upper = lower_approximation(coA, inverse(to_known), triplet)
    assert same(triplet, co_upper, triplet.negator(lower)).all()
    assert same(triplet, co_lower, triplet.negator(upper)).all()
    prediction = triplet.average(lower, upper)
    assert same(triplet, triplet.negator(prediction), triplet.average(co_lower, co_upper)).all()


@holds_for("triplet", ALL)
@few
@given(drawn_rows)
def test_prediction_duality_half_holds_for_every_t_norm(triplet, drawn):
    """The upper bound of coA is the negated lower bound of A: property 8 only."""
    A, to_known, _ = known_and_new(triplet, drawn)
    co_upper = lower_approximation(complement(A, triplet), inverse(to_known), triplet)
    assert same(triplet, co_upper, triplet.negator(upper_approximation(A, to_known, triplet))).all()


@holds_for("triplet", NOT_IMTL)
def test_prediction_duality_fails(triplet):
    """Minimum, product and drastic: the lower bound of coA is not the negated upper bound of A."""
    A, alike = [0.0], np.array([[0.5]])
    upper = lower_approximation(A, alike, triplet)
    assert upper_approximation(complement(A, triplet), alike, triplet) != triplet.negator(upper)


def adjacent_set(triplet, members, start, R):
    """Return a set whose granules touch: what members leave to the others, then what those leave to the members."""
    A = np.where(members, start, adjacent_degrees(start, members, R, triplet))
    return np.where(members, adjacent_degrees(A, members, R, triplet), A)


@holds_for("triplet", LEFT_CONTINUOUS)
@few
@given(fractions(8, 7, 7), fractions(16, 5), hnp.arrays(bool, 5))
def test_restriction_to_the_class_and_its_complement(triplet, raw, start, members):
    """Proposition: where granules are adjacent, A decides the lower bound alone, coA the upper; left-continuous."""
    R = preorder(triplet, raw)
    A = adjacent_set(triplet, members, start, R[:5, :5])
    assert are_adjacent(A, members, R[:5, :5], triplet, tol=1e-7)
    assert is_granularly_representable(A, R[:5, :5], triplet, tol=1e-7)
    to_known, from_known = R[5:, :5], R[:5, 5:]
    by_members = upper_approximation(A[members], to_known[:, members], triplet)
    by_others = lower_approximation(A[~members], from_known[~members], triplet)
    assert same(triplet, upper_approximation(A, to_known, triplet), by_members).all()
    assert same(triplet, lower_approximation(A, from_known, triplet), by_others).all()


def test_restriction_to_the_class_and_its_complement_fails():
    """A representable set whose granules do not touch: a row outside decides the lower bound."""
    R, A, members = np.eye(2), np.array([0.0, 1.0]), np.array([True, False])
    assert is_granularly_representable(A, R)
    assert not are_adjacent(A, members, R)
    like_the_second = np.array([[0.0, 1.0]])
    assert upper_approximation(A, like_the_second) == 1.0
    assert upper_approximation(A[members], like_the_second[:, members]) == 0.0


@given(table_cases(n_classes=2))
def test_trained_degrees_are_adjacent_and_decide_as_the_paper_says(case):
    """A fitted model of two classes: representable, adjacent, and its bounds are those over all training rows."""
    model = FGAClassifier(gamma=case.gamma).fit(case.X, case.y)
    A = np.clip(np.where(case.y == 1, model.beta_, 1.0 - model.beta_), 0.0, 1.0)
    relation = euclidean_similarity(case.gamma, attribute_ranges(case.X))
    assert is_granularly_representable(A, relation, rows=case.X, tol=1e-8)
    assert are_adjacent(A, case.y == 1, relation, rows=case.X, tol=1e-8)
    Q = queries()
    lower, upper, degree = (part[:, 1] for part in model.memberships(Q))
    np.testing.assert_allclose(upper_approximation(A, relation, rows=case.X, queries=Q), lower, atol=1e-8)
    np.testing.assert_allclose(lower_approximation(A, relation, rows=case.X, queries=Q), upper, atol=1e-8)
    np.testing.assert_allclose(ResidualTriplet().average(lower, upper), degree, atol=1e-12)


# ----------------------------------------------------------------------------------------------------
# Section 4: soft minimum and maximum
# ----------------------------------------------------------------------------------------------------

owas = st.sampled_from(["additive", "exponential", "inverse_additive"])


@holds_for("triplet", ALL)
@few
@given(drawn_rows, owas)
def test_owa_bounds_are_well_defined(triplet, drawn, owa):
    """Soft bounds are wider than the strict ones, hence well-defined for a representable A; every t-norm."""
    A, to_known, from_known = known_and_new(triplet, drawn)
    lower, upper = upper_approximation(A, to_known, triplet), lower_approximation(A, from_known, triplet)
    soft_lower = upper_approximation(A, to_known, triplet, owa=owa)
    soft_upper = lower_approximation(A, from_known, triplet, owa=owa)
    assert (soft_lower <= lower).all()
    assert (soft_upper >= upper).all()
    assert at_most(triplet, soft_lower, soft_upper).all()


@holds_for("t_norm", [LUKASIEWICZ, NILPOTENT_MINIMUM], ids=["lukasiewicz", "nilpotent_minimum"])
@few
@given(drawn_rows, owas, st.sampled_from([None, 1, 3]))
def test_owa_prediction_duality(t_norm, drawn, owa, k):
    """Proposition: with the standard negator, duality holds for complementary weights, and for the mean."""
    triplet = ResidualTriplet(t_norm)
    soft = {"triplet": triplet, "owa": owa, "k": k}
    A, to_known, from_known = known_and_new(triplet, drawn)
    coA = complement(A, triplet)
    lower, upper = upper_approximation(A, to_known, **soft), lower_approximation(A, from_known, **soft)
    co_lower = upper_approximation(coA, inverse(from_known), **soft)
    co_upper = lower_approximation(coA, inverse(to_known), **soft)
    np.testing.assert_allclose(co_upper, 1.0 - lower, atol=TOLERANCE)
    np.testing.assert_allclose(co_lower, 1.0 - upper, atol=TOLERANCE)
    np.testing.assert_allclose(triplet.average(co_lower, co_upper), 1 - triplet.average(lower, upper), atol=TOLERANCE)


@holds_for("triplet", [named(ResidualTriplet(LUKASIEWICZ, power(2))), named(ResidualTriplet(LUKASIEWICZ, BENT))])
def test_owa_prediction_duality_fails(triplet):
    """With another negator, an average of negations is not the negation of an average."""
    A, alike = np.array([1.0, 0.25]), np.ones((1, 2))
    lower = upper_approximation(A, alike, triplet, owa="additive")
    co_upper = lower_approximation(complement(A, triplet), alike.T, triplet, owa="additive")
    assert abs(co_upper - triplet.negator(lower)) > 0.01
