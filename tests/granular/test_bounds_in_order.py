"""Bounds never cross: for no isomorphism, relation, estimator or setting, in memberships and in explanations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.fuzzy.connectives import LUKASIEWICZ, Isomorphism, ResidualTriplet, power
from fgac.fuzzy.relations import Isomorphic, MetricSimilarity, is_transitive
from fgac.granular.dissimilarity import Dissimilarity, bent_metric
from fgac.metrics.distances import Chebyshev, Euclidean, Manhattan, Rows
from support.directed import monotone_cases, raised_queries
from support.property_tests import examples
from support.strategies import queries, regression_cases, table_cases

Q = queries(5, n=15)


def s_shaped(strength):
    """Return an isomorphism that is flat at both ends, neither convex nor concave."""
    knots = np.array([0.0, 0.5 - strength, 0.5 + strength, 1.0])
    heights = np.array([0.0, 0.1, 0.9, 1.0])
    return Isomorphism(lambda x: np.interp(x, knots, heights), lambda y: np.interp(y, heights, knots), "s-shaped")


ISOMORPHISMS = st.one_of(
    st.sampled_from([0.2, 0.5, 0.8, 1.0, 1.5, 2.0, 5.0]).map(power),
    st.floats(0.1, 8.0).map(power),
    st.floats(0.05, 0.35).map(s_shaped),
    st.sampled_from(
        [
            Isomorphism(lambda x: np.expm1(2 * x) / np.expm1(2), lambda y: np.log1p(y * np.expm1(2)) / 2, "convex"),
            Isomorphism(lambda y: np.log1p(y * np.expm1(2)) / 2, lambda x: np.expm1(2 * x) / np.expm1(2), "concave"),
        ]
    ),
)


def no_metric(A, B):
    """Return squared differences, which break the triangle inequality."""
    return np.square(A[:, None, :] - B[None, :, :]).mean(axis=2)


SETTINGS = st.fixed_dictionaries(
    {
        "isomorphism": st.one_of(st.none(), ISOMORPHISMS),
        "owa": st.sampled_from([None, "additive", "exponential", "inverse_additive", ("additive", 3)]),
        "loss": st.sampled_from(["squared_error", "absolute_error"]),
        "metric": st.sampled_from(["euclidean", "manhattan", "chebyshev", no_metric]),
        "n_neighbors": st.sampled_from([None, 1, 3, 0.3]),
        "neighbors_among": st.sampled_from(["others", "all"]),
        "ties": st.sampled_from(["nearest", "first"]),
    }
)


def assert_in_order(memberships):
    """Check that the lower bound is nowhere above the upper one, and the degree between them."""
    lower, upper, degree = memberships[:3]
    assert (lower <= upper).all()
    assert (lower <= degree + 1e-9).all()
    assert (degree <= upper + 1e-9).all()


@examples(150)
@given(case=table_cases(), setting=SETTINGS)
def test_of_classes(case, setting):
    """Memberships and explanations of every setting, rows that contradict each other included."""
    model = FGAClassifier(gamma=case.gamma, **setting).fit(case.X, case.y, case.weights)
    assert_in_order(model.memberships(Q))
    for e in model.explain(Q[::3]):
        assert 0.0 <= e.lower <= e.upper <= 1.0
        assert all(0.0 <= m.lower <= m.upper <= 1.0 for m in e.memberships)
        assert e.text()


@examples(50)
@given(case=monotone_cases(n_classes=2), rows=raised_queries(), isomorphism=ISOMORPHISMS, owa=st.booleans())
def test_of_ordered_columns(case, rows, isomorphism, owa):
    """Directed relations, with averages and without."""
    model = FGAClassifier(**case.settings, isomorphism=isomorphism, owa="additive" if owa else None)
    model.fit(case.X, case.y, case.weights)
    assert_in_order(model.memberships(rows[0]))
    assert all(e.lower <= e.upper for e in model.explain(rows[0]))


@examples(40)
@given(case=monotone_cases(), rows=raised_queries())
def test_of_ordered_classes(case, rows):
    """Memberships in classes, at boundaries, and in explanations."""
    model = FGAOrdinalClassifier(**case.settings).fit(case.X, case.y, case.weights)
    assert_in_order(model.memberships(rows[0]))
    assert_in_order(model.at_least(rows[0]))
    for e in model.explain(rows[0]):
        assert e.lower <= e.upper
        assert all(level.lower <= level.upper for level in e.levels)


@pytest.mark.parametrize("metric", ["euclidean", no_metric])
@examples(40)
@given(case=regression_cases())
def test_of_numbers(case, metric):
    """Regression, also with distances that break the triangle inequality; there, too, both sides count alike."""
    model = FGARegressor(gamma=case.gamma, metric=metric).fit(case.X, case.y, case.weights)
    assert_in_order(model.predict_bounds(Q))
    assert all(e.lower <= e.upper for e in model.explain(Q[::3]))
    turned = FGARegressor(gamma=case.gamma, metric=metric).fit(case.X, -case.y, case.weights)
    np.testing.assert_allclose(turned.predict(Q), -model.predict(Q), atol=1e-6)


# ----------------------------------------------------------------------------------------------------
# Why
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", [Euclidean(), Manhattan(), Chebyshev()], ids=["euclidean", "manhattan", "chebyshev"])
@examples(40)
@given(case=table_cases(), phi=ISOMORPHISMS)
def test_similarity_is_transitive_for_the_t_norm_in_use(case, metric, phi):
    """The relation that an estimator makes of a distance is a T_phi-equivalence, whatever phi."""
    rows = Rows.from_numeric(case.X)
    bent, gamma = bent_metric(metric, case.gamma, phi)
    steps = np.empty((len(rows), len(rows)))
    bent.block(rows, rows, steps)
    similarity = phi.inverse(np.maximum(0.0, 1.0 - gamma * steps))
    assert is_transitive(similarity, ResidualTriplet(LUKASIEWICZ, phi))
    assert isinstance(bent, Dissimilarity) == (phi.is_convex and phi != power(1))


def test_the_plain_similarity_is_not_transitive_for_a_root():
    """Three rows in a line: each neighbour is similar by 0.5, so the ends would have to be similar, too."""
    relation, line = MetricSimilarity(Euclidean(), 1.0), [[0.0], [0.5], [1.0]]
    root = ResidualTriplet(LUKASIEWICZ, power(0.5))
    assert not is_transitive(relation, root, line)
    assert is_transitive(Isomorphic(relation, power(0.5)), root, line)


@pytest.mark.parametrize("exponent", [0.2, 0.5, 0.9])
@given(case=table_cases())
def test_below_1_degrees_are_those_of_the_identity_on_another_scale(case, exponent):
    """phi(R) is the similarity of the identity, so labels are its labels, and degrees their phi^-1."""
    plain = FGAClassifier(gamma=case.gamma).fit(case.X, case.y)
    model = FGAClassifier(gamma=case.gamma, isomorphism=exponent).fit(case.X, case.y)
    phi = power(exponent)
    for part, expected in zip(model.memberships(Q), plain.memberships(Q), strict=True):
        np.testing.assert_allclose(phi(part), expected, atol=1e-9)
    np.testing.assert_allclose(phi(model.beta_), plain.beta_, atol=1e-9)


def test_rows_that_contradict_each_other_leave_the_interval_between_their_bounds():
    """One neighbour each: 0.24 and 0.43 are not told of each other, and together belong too much to their classes."""
    X, y = np.array([[0.09], [0.24], [0.8], [0.58], [0.09], [0.43]]), np.array([0, 0, 1, 0, 1, 1])
    model = FGAClassifier(n_neighbors=1, scale=None, gamma=1.0).fit(X, y)
    strengths = model.beta_ - np.abs(X[:, 0] - 0.3)
    at_least, at_most = strengths[y == 0].max(), 1 - strengths[y == 1].max()
    assert at_least > at_most + 0.1
    lower, upper, degree = (part[0, 0] for part in model.memberships([[0.3]]))
    np.testing.assert_allclose([lower, upper], [at_most, at_least], atol=1e-9)
    assert degree == pytest.approx((at_least + at_most) / 2)
    e = model.explain([[0.3]])[0]
    assert f"(at least {at_most:.2f}, at most {at_least:.2f})" in e.text()
    assert f"so this row belongs to class 0 to at least {at_least:.2f}" in e.text()
    assert f"so this row belongs to class 0 to at most {at_most:.2f}" in e.text()
    assert f"contradict each other: some say at least {at_least:.2f}, others at most {at_most:.2f}." in e.text()
