"""The granular approximation of a fuzzy set under any T-preorder, against independent solvers and the paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fgac import FGAClassifier, granular_approximation
from fgac.fuzzy.connectives import LUKASIEWICZ, ResidualTriplet, power
from fgac.fuzzy.relations import Isomorphic, TriangularDominance, TriangularSimilarity, is_transitive
from fgac.fuzzy.roughsets import (
    are_adjacent,
    is_granularly_representable,
    lower_approximation,
    upper_approximation,
)
from fgac.metrics.distances import Rows
from support.oracles import difference_oracle, highs

RELATIONS = {"similarity": TriangularSimilarity, "dominance": TriangularDominance}
POINTS = arrays(float, st.tuples(st.integers(1, 9), st.just(2)), elements=st.integers(0, 3).map(float))
SETS = st.integers(0, 2**32 - 1).map(np.random.default_rng)


def problem(kind, X, rng, gamma=0.7):
    """Return a T-preorder on the points and a fuzzy set, some of it crisp."""
    relation = RELATIONS[kind](gamma=gamma, ranges=(3.0, 3.0)).matrix(X)
    observed = rng.random(len(X))
    return relation, np.where(rng.random(len(X)) < 0.3, np.round(observed), observed)


def pairs(relation):
    """Return tails, heads and bounds: B(v) - B(u) <= 1 - R(u, v)."""
    u, v = np.nonzero(~np.eye(len(relation), dtype=bool))
    return v, u, 1.0 - relation[u, v]


@pytest.mark.parametrize("kind", RELATIONS)
@given(X=POINTS, rng=SETS)
def test_squared_error_equals_the_oracle(kind, X, rng):
    """The membership is that of a general QP solver, for symmetric and for directed relations."""
    relation, observed = problem(kind, X, rng)
    result = granular_approximation(observed, relation)
    expected = difference_oracle(observed, *pairs(relation))
    np.testing.assert_allclose(result.membership, expected, atol=1e-7)
    assert result.solution.is_optimal(1e-9)


@pytest.mark.parametrize("kind", RELATIONS)
@pytest.mark.parametrize("p", [0.2, 0.5, 0.7])
@given(X=POINTS, rng=SETS)
def test_quantile_loss_equals_highs(kind, p, X, rng):
    """The quantile loss is that of the linear programme."""
    relation, observed = problem(kind, X, rng)
    result = granular_approximation(observed, relation, "quantile", quantile=p)
    least = highs(observed, np.ones(len(X)), 1 - p, p, *pairs(relation))
    assert result.solution.objective == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("kind", RELATIONS)
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile"])
@given(X=POINTS, rng=SETS)
def test_between_the_approximations(kind, loss, X, rng):
    """lower <= result <= upper, and the result is granularly representable."""
    relation, observed = problem(kind, X, rng)
    triplet = ResidualTriplet(LUKASIEWICZ)
    result = granular_approximation(observed, relation, loss, quantile=0.3).membership
    assert is_granularly_representable(result, relation, triplet)
    assert np.all(result >= lower_approximation(observed, relation, triplet) - 1e-9)
    assert np.all(result <= upper_approximation(observed, relation, triplet) + 1e-9)


@given(X=POINTS, rng=SETS)
def test_scaled_losses_on_the_scale_of_an_isomorphism(X, rng):
    """phi(result) solves the problem of phi(A) and phi(R); a representable set is its own approximation."""
    phi = power(2.0)
    relation, observed = problem("similarity", X, rng)
    assert is_transitive(relation, ResidualTriplet(LUKASIEWICZ, phi).t_norm)
    result = granular_approximation(observed, relation, isomorphism=phi).membership
    scaled = granular_approximation(phi(observed), phi(relation)).membership
    np.testing.assert_allclose(phi(result), scaled, atol=1e-9)
    again = granular_approximation(result, relation, isomorphism=phi).membership
    np.testing.assert_allclose(phi(again), phi(result), atol=1e-9)


@pytest.mark.parametrize("kind", RELATIONS)
@pytest.mark.parametrize("exponent", [0.3, 0.5, 2.0, 3.0, 6.0])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
@given(X=POINTS, rng=SETS)
def test_results_are_representable_and_adjacent_on_every_scale(kind, exponent, loss, X, rng):
    """What the library returns for T_phi it also recognises, near 0, where a root magnifies errors, as elsewhere."""
    phi = power(exponent)
    triplet = ResidualTriplet(LUKASIEWICZ, phi)
    relation = Isomorphic(RELATIONS[kind](gamma=0.7, ranges=(3.0, 3.0)), phi).matrix(X)
    assert is_transitive(relation, triplet)
    members = rng.random(len(X)) < 0.5
    result = granular_approximation(members.astype(float), relation, loss, isomorphism=phi).membership
    assert is_granularly_representable(result, relation, triplet)
    assert are_adjacent(result, members, relation, triplet)
    other = granular_approximation(rng.random(len(X)), relation, loss, isomorphism=phi).membership
    assert is_granularly_representable(other, relation, triplet)


@pytest.mark.parametrize("exponent", [2.0, 3.0])
def test_what_is_not_representable_is_still_seen(exponent):
    """A degree that misses by 1e-6 on the scale of phi is refused."""
    phi = power(exponent)
    triplet, similar = ResidualTriplet(LUKASIEWICZ, phi), phi.inverse(np.array([[1.0, 0.75], [0.75, 1.0]]))
    fits, misses = phi.inverse([0.5, 0.25]), phi.inverse([0.5, 0.25 - 1e-6])
    assert is_granularly_representable(fits, similar, triplet)
    assert not is_granularly_representable(misses, similar, triplet)
    assert are_adjacent(fits, [True, False], similar, triplet)
    assert not are_adjacent(misses, [True, False], similar, triplet)


def test_a_crisp_set_is_a_class():
    """The approximation of a class is what the classifier estimates."""
    rng = np.random.default_rng(1)
    X, y = rng.random((30, 2)), rng.integers(0, 2, 30)
    model = FGAClassifier(gamma=2.0, metric="chebyshev").fit(X, y)
    relation = TriangularSimilarity(gamma=2.0, ranges=tuple(np.ptp(X, axis=0).tolist()))
    estimated = granular_approximation(y.astype(float), relation, rows=X).membership
    np.testing.assert_allclose(np.where(y == 1, model.beta_, 1 - model.beta_), estimated, atol=1e-9)


def test_neighbours_and_weights():
    """All neighbours are all constraints; few give a smaller loss; a weight of 2 is a repeated element."""
    rng = np.random.default_rng(2)
    X, observed = rng.random((25, 2)), rng.random(25)
    relation = TriangularSimilarity(gamma=1.0, ranges=(1.0, 1.0)).matrix(Rows.from_numeric(X))
    exact = granular_approximation(observed, relation)
    np.testing.assert_allclose(
        granular_approximation(observed, relation, n_neighbors=24).membership, exact.membership, atol=1e-9
    )
    few = granular_approximation(observed, relation, n_neighbors=0.1)
    assert few.solution.objective < exact.solution.objective - 1e-6
    twice = np.append(np.arange(25), 3)
    repeated = granular_approximation(observed[twice], relation[np.ix_(twice, twice)]).membership
    weights = np.where(np.arange(25) == 3, 2.0, 1.0)
    weighted = granular_approximation(observed, relation, sample_weight=weights).membership
    np.testing.assert_allclose(repeated[:25], weighted, atol=1e-9)


@pytest.mark.parametrize(
    ("fuzzy_set", "relation", "message"),
    [
        ([0.5, 2.0], np.eye(2), "between 0 and 1"),
        ([[0.5]], np.eye(1), "fuzzy_set"),
        ([0.5, 0.5], np.eye(3), "relation"),
        ([0.5, 0.5], np.array([[1.0, -0.1], [0.0, 1.0]]), "between 0 and 1"),
        ([0.5, 0.5], np.zeros((2, 2)), "reflexive"),
    ],
)
def test_what_is_no_fuzzy_set_or_relation(fuzzy_set, relation, message):
    """Wrong input is named."""
    with pytest.raises(ValueError, match=message):
        granular_approximation(fuzzy_set, relation)


@pytest.mark.parametrize(
    ("loss", "p", "dual"), [("squared_error", 0.5, 0.5), ("absolute_error", 0.5, 0.5), ("quantile", 0.3, 0.7)]
)
@given(X=POINTS, rng=SETS)
def test_losses_preserve_duality(loss, p, dual, X, rng):
    """L_p(y, z) = L_1-p(N(y), N(z)): the complement is approximated, for the inverse relation, by the complement."""
    relation, observed = problem("dominance", X, rng)
    plain = granular_approximation(observed, relation, loss, quantile=p).membership
    complement = granular_approximation(1.0 - observed, relation.T, loss, quantile=dual).membership
    np.testing.assert_allclose(complement, 1.0 - plain, atol=1e-8)


def test_a_loss_that_is_not_symmetric_has_another_dual():
    """With the same p on both sides duality holds for p = 1/2 only; equal elements show where it fails."""
    ones = np.ones((3, 3))
    low = granular_approximation([0.0, 0.5, 1.0], ones, "quantile", quantile=0.2).membership
    np.testing.assert_allclose(low, 0.0, atol=1e-9)
    same_p = granular_approximation([1.0, 0.5, 0.0], ones, "quantile", quantile=0.2).membership
    assert np.abs(same_p - (1.0 - low)).max() > 0.5
