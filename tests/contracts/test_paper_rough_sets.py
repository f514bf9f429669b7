"""The properties of relations, fuzzy rough sets, granules and averages in section 2 of the paper."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.fuzzy.connectives import (
    DRASTIC,
    LUKASIEWICZ,
    MINIMUM,
    PRODUCT,
    ResidualTriplet,
    power,
)
from fgac.fuzzy.owa import resolve_owa, reversal, soft_max, soft_min
from fgac.fuzzy.relations import (
    MetricSimilarity,
    TriangularDominance,
    TriangularSimilarity,
    coordinate_ranges,
    euclidean_similarity,
    inverse,
    is_reflexive,
    is_symmetric,
    is_transitive,
)
from fgac.fuzzy.roughsets import (
    complement,
    granule,
    is_granularly_representable,
    lower_approximation,
    upper_approximation,
)
from fgac.metrics.distances import Chebyshev, Euclidean, Manhattan
from support.strategies import table_cases
from support.triplets import (
    ALL,
    IMTL,
    LEFT_CONTINUOUS,
    NOT_IMTL,
    NOT_LEFT_CONTINUOUS,
    at_most,
    few,
    fractions,
    holds_for,
    preorder,
    same,
)

# ----------------------------------------------------------------------------------------------------
# Section 2: relations
# ----------------------------------------------------------------------------------------------------


@given(table_cases())
def test_triangular_dominance_is_a_preorder(case):
    """Reflexive and transitive for Łukasiewicz (hence for the smaller drastic), over all attributes."""
    dominance = TriangularDominance(case.gamma, coordinate_ranges(case.X))
    assert is_reflexive(dominance, case.X)
    assert is_transitive(dominance, LUKASIEWICZ, case.X)
    assert is_transitive(dominance, DRASTIC, case.X)


@given(table_cases())
def test_similarities_are_equivalences(case):
    """Triangular similarity and the whole metric family: reflexive, symmetric, transitive for Łukasiewicz."""
    ranges = coordinate_ranges(case.X)
    family = [MetricSimilarity(metric, case.gamma, ranges) for metric in (Euclidean(), Manhattan(), Chebyshev())]
    for relation in (TriangularSimilarity(case.gamma, ranges), euclidean_similarity(case.gamma, ranges), *family):
        assert is_reflexive(relation, case.X)
        assert is_symmetric(relation, case.X)
        assert is_transitive(relation, LUKASIEWICZ, case.X)


@given(table_cases(max_rows=8), st.sampled_from([1.5, 2.0, 3.0]))
def test_similarities_are_equivalences_for_larger_powers(case, exponent):
    """They are transitive for ``T_phi`` of Łukasiewicz with phi(x) = x^a too, if a >= 1 (compared as phi sees them)."""
    for relation in (TriangularSimilarity, TriangularDominance):
        R = relation(case.gamma, coordinate_ranges(case.X)).matrix(case.X)
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
