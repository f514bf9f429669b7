"""The properties of fuzzy logic connectives in section 2 of the paper, each for the t-norms it holds for."""

import numpy as np
from hypothesis import given

from fgac.fuzzy.connectives import (
    DRASTIC,
    MINIMUM,
    NILPOTENT_MINIMUM,
    PRODUCT,
)
from support.triplets import (
    ALL,
    CONTINUOUS,
    IMTL,
    LEFT_CONTINUOUS,
    NOT_IMTL,
    NOT_LEFT_CONTINUOUS,
    PHI_LUKASIEWICZ,
    at_most,
    few,
    fractions,
    holds_for,
    same,
    triplets,
)

xyz = fractions(64, 3, 12)


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
