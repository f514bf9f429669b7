"""The propositions about prediction in section 4 of the paper, each for the t-norms it holds for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac import FGAClassifier
from fgac.fuzzy.connectives import (
    LUKASIEWICZ,
    NILPOTENT_MINIMUM,
    ResidualTriplet,
    power,
)
from fgac.fuzzy.relations import (
    coordinate_ranges,
    euclidean_similarity,
    inverse,
)
from fgac.fuzzy.roughsets import (
    adjacent_degrees,
    are_adjacent,
    complement,
    is_granularly_representable,
    lower_approximation,
    upper_approximation,
)
from support.strategies import queries, table_cases
from support.triplets import (
    ALL,
    BENT,
    IMTL,
    LEFT_CONTINUOUS,
    NOT_IMTL,
    TOLERANCE,
    at_most,
    few,
    fractions,
    holds_for,
    named,
    preorder,
    same,
)

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
    relation = euclidean_similarity(case.gamma, coordinate_ranges(case.X))
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
