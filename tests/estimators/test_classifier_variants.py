"""The paper's variants of the classifier: nearest constraints, ordered weighted averages, isomorphisms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from fgac.fuzzy.connectives import LUKASIEWICZ, ResidualTriplet, power
from fgac.fuzzy.owa import resolve_owa, soft_max, soft_min
from support.oracles import beta_oracle, table_distances
from support.property_tests import examples
from support.strategies import queries, table_cases

Q = queries(3, n=20)
FAMILIES = ["additive", "exponential", "inverse_additive"]


def nearest_of_other_classes(D, y, M):
    """Mark pairs in which one is among the M nearest of other classes of the other, ties at the last place included."""
    chosen = np.zeros(D.shape, dtype=bool)
    for u in range(len(y)):
        others = np.flatnonzero(y != y[u])
        if len(others):
            last = np.sort(D[u, others])[min(M, len(others)) - 1]
            chosen[u, others[D[u, others] <= last + 1e-12]] = True
    return chosen | chosen.T


@pytest.mark.parametrize("M", [1, 2, 4])
@examples(20)
@given(case=table_cases())
def test_nearest_constraints_only(case, M):
    """beta is the optimum under the constraints that the rule names, ties and repeated rows included."""
    model = FGAClassifier(gamma=case.gamma, n_neighbors=M).fit(case.X, case.y)
    D = table_distances(case.X, case.X, case.X)
    kept = np.where(nearest_of_other_classes(D, case.y, M), D, np.inf)
    far = np.where(np.isfinite(kept), kept, 10.0 / case.gamma)
    expected = beta_oracle(far, case.y, case.gamma)
    np.testing.assert_allclose(model.beta_, expected, atol=1e-7)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
@examples(20)
@given(case=table_cases(), random=st.randoms(use_true_random=False))
def test_all_neighbours_are_exact_and_order_is_nothing(case, loss, random):
    """As many neighbours as rows, or all of them as a fraction, is exact training; few depend on no order."""
    exact = FGAClassifier(gamma=case.gamma, loss=loss).fit(case.X, case.y).beta_
    for all_of_them in (len(case.y), 1.0):
        model = FGAClassifier(gamma=case.gamma, loss=loss, n_neighbors=all_of_them).fit(case.X, case.y)
        np.testing.assert_allclose(model.beta_, exact, atol=1e-8)
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    few = FGAClassifier(gamma=case.gamma, loss=loss, n_neighbors=2)
    plain = few.fit(case.X, case.y).beta_
    np.testing.assert_allclose(few.fit(case.X[order], case.y[order]).beta_, plain[order], atol=1e-8)


def memberships_of_rows(model, X, y):
    """Return A_k(u) of every training row by the adjacent-granule formula."""
    D = table_distances(X, X, X)
    degrees = np.empty((len(model.classes_), len(y)))
    for k, label in enumerate(model.classes_):
        own = y == label
        degrees[k] = np.maximum(0.0, (model.beta_[own] - model.gamma * D[:, own]).max(axis=1))
        degrees[k, own] = model.beta_[own]
    return degrees


@pytest.mark.parametrize("owa", [*FAMILIES, "strict"])
@examples(20)
@given(case=table_cases())
def test_owa_bounds_are_the_formula(case, owa):
    """Soft maximum of T and soft minimum of I over all training rows, repeated rows counted as often as they stand."""
    model = FGAClassifier(gamma=case.gamma, owa=owa).fit(case.X, case.y)
    degrees = memberships_of_rows(model, case.X, case.y)
    steps = case.gamma * table_distances(Q, case.X, case.X)
    weights = resolve_owa(owa, len(case.y))
    lower, upper, degree = model.memberships(Q)
    for k in range(len(model.classes_)):
        np.testing.assert_allclose(lower[:, k], soft_max(np.maximum(0, degrees[k] - steps), weights), atol=1e-9)
        np.testing.assert_allclose(upper[:, k], soft_min(np.minimum(1, degrees[k] + steps), weights), atol=1e-9)
    np.testing.assert_allclose(degree, (lower + upper) / 2, atol=1e-12)


@pytest.mark.parametrize("owa", FAMILIES)
@examples(20)
@given(case=table_cases())
def test_owa_widens_the_bounds_and_keeps_duality(case, owa):
    """OWA bounds enclose the plain ones (paper, soft minimum and maximum); with two classes they are dual."""
    soft = FGAClassifier(gamma=case.gamma, owa=owa).fit(case.X, case.y, sample_weight=case.weights)
    plain = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights).memberships(Q)
    lower, upper, degree = soft.memberships(Q)
    assert np.all(lower <= plain.lower + 1e-9)
    assert np.all(upper >= plain.upper - 1e-9)
    if len(soft.classes_) == 2:
        np.testing.assert_allclose(lower[:, 0], 1 - upper[:, 1], atol=1e-9)
        np.testing.assert_allclose(degree.sum(axis=1), 1.0, atol=1e-9)
    times = case.weights.astype(int)
    repeated = FGAClassifier(gamma=case.gamma, owa=owa).fit(np.repeat(case.X, times, 0), np.repeat(case.y, times))
    np.testing.assert_allclose(repeated.memberships(Q).degree, degree, atol=1e-9)


def test_owa_with_weights_of_ones_own():
    """A vector and a function give what the family gives; all weight on the first is no OWA at all."""
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 2)), rng.integers(0, 3, 40)
    named = FGAClassifier(owa="additive").fit(X, y).predict_proba(X)
    vector = np.arange(40, 0, -1) / (40 * 41 / 2)
    for owa in (vector, lambda n: np.arange(n, 0, -1) / (n * (n + 1) / 2)):
        np.testing.assert_allclose(FGAClassifier(owa=owa).fit(X, y).predict_proba(X), named, atol=1e-9)
    first = np.append(np.arange(5, 0, -1) / 15, np.zeros(35))
    np.testing.assert_allclose(
        FGAClassifier(owa=("additive", 5)).fit(X, y).predict_proba(X),
        FGAClassifier(owa=first).fit(X, y).predict_proba(X),
        atol=1e-9,
    )
    strict = FGAClassifier(owa="strict").fit(X, y)
    np.testing.assert_allclose(strict.predict_proba(X), FGAClassifier().fit(X, y).predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("exponent", [1.0, 2.0, 3.5])
@examples(20)
@given(case=table_cases())
def test_isomorphism_is_training_on_another_scale(case, exponent):
    """phi(beta) solves the problem of the dissimilarity 1 - phi(R); bounds are those of T_phi and I_phi."""
    phi = power(exponent)
    model = FGAClassifier(gamma=case.gamma, isomorphism=exponent).fit(case.X, case.y)
    R = np.maximum(0.0, 1 - case.gamma * table_distances(case.X, case.X, case.X))
    scaled = FGAClassifier(metric="precomputed", gamma=1.0).fit(1 - phi(R), case.y)
    np.testing.assert_allclose(phi(model.beta_), scaled.beta_, atol=1e-8)
    RQ = np.maximum(0.0, 1 - case.gamma * table_distances(Q, case.X, case.X))
    triplet = ResidualTriplet(LUKASIEWICZ, phi)
    told, on_scale = model.memberships(Q), scaled.memberships(1 - phi(RQ))
    np.testing.assert_allclose(phi(told.lower), on_scale.lower, atol=1e-8)
    np.testing.assert_allclose(phi(told.upper), on_scale.upper, atol=1e-8)
    np.testing.assert_allclose(told.degree, triplet.average(told.lower, told.upper), atol=1e-6)
    for k, label in enumerate(model.classes_):
        own = case.y == label
        lower = triplet.t_norm(RQ[:, own], model.beta_[own]).max(axis=1)
        np.testing.assert_allclose(phi(told.lower[:, k]), phi(lower), atol=1e-7)


def test_the_identity_is_today_and_others_are_not():
    """Exponent 1 changes nothing; exponent 3 changes predictions; a pair of functions is an isomorphism too."""
    rng = np.random.default_rng(3)
    X = rng.random((60, 2))
    y = (X[:, 0] + 0.3 * rng.random(60) > 0.6).astype(int)
    plain = FGAClassifier(gamma=2.0).fit(X, y)
    same = FGAClassifier(gamma=2.0, isomorphism=1.0).fit(X, y)
    np.testing.assert_allclose(same.beta_, plain.beta_, atol=1e-9)
    cubed = FGAClassifier(gamma=2.0, isomorphism=(lambda x: x**3, np.cbrt)).fit(X, y)
    np.testing.assert_allclose(cubed.beta_, FGAClassifier(gamma=2.0, isomorphism=3).fit(X, y).beta_, atol=1e-6)
    assert np.abs(cubed.beta_ - plain.beta_).max() > 0.01
    for side in cubed.arguments(X[:5]):
        t_norm = ResidualTriplet(LUKASIEWICZ, power(3)).t_norm
        np.testing.assert_allclose(side.strengths**3, t_norm(side.similarities, side.degrees) ** 3, atol=1e-9)


@pytest.mark.parametrize(
    "parameters",
    [
        {"n_neighbors": 0},
        {"n_neighbors": 1.5},
        {"n_neighbors": True},
        {"owa": "harmonic"},
        {"owa": ("additive", 0)},
        {"isomorphism": "cube"},
    ],
    ids=str,
)
def test_wrong_variants_are_named(parameters):
    """The error names the parameter."""
    with pytest.raises(ValueError, match=next(iter(parameters))):
        FGAClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])
