"""What the theory promises about memberships: order of the bounds, duality, steepness, certified radius."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from support.oracles import table_distances
from support.strategies import queries, table_cases


def fit(case, **parameters):
    """Fit with the case's gamma and weights."""
    return FGAClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y, sample_weight=case.weights)


@given(table_cases())
def test_the_degree_lies_between_its_bounds(case):
    """0 <= lower <= degree <= upper <= 1 for every class, at any point."""
    memberships = fit(case).memberships(np.vstack([queries(1), case.X]))
    rounding = 1e-12
    assert memberships.lower.min() >= 0.0
    assert memberships.upper.max() <= 1.0
    assert np.all(memberships.lower <= memberships.degree + rounding)
    assert np.all(memberships.degree <= memberships.upper + rounding)


@given(table_cases(n_classes=2))
def test_two_classes_are_dual(case):
    """With two classes the lower bound of one is one minus the upper bound of the other."""
    memberships = fit(case).memberships(np.vstack([queries(2), case.X]))
    np.testing.assert_allclose(memberships.lower[:, 0], 1.0 - memberships.upper[:, 1], atol=1e-9)
    np.testing.assert_allclose(memberships.lower[:, 1], 1.0 - memberships.upper[:, 0], atol=1e-9)


@given(table_cases())
def test_training_rows_keep_their_memberships(case):
    """At a training row the lower bound of its own class is its beta (granular representability)."""
    model = fit(case)
    lower = model.memberships(case.X).lower
    np.testing.assert_allclose(lower[np.arange(len(case.y)), case.y], model.beta_, atol=1e-8)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@given(case=table_cases())
def test_memberships_are_no_steeper_than_gamma(case, metric):
    """|degree(x) - degree(x')| <= gamma d(x, x') for all points and classes, and so for both bounds."""
    Q = np.vstack([queries(3), case.X])
    allowed = case.gamma * table_distances(Q, Q, case.X, metric=metric) + 1e-9
    for part in fit(case, metric=metric).memberships(Q):
        steps = np.abs(part[:, None, :] - part[None, :, :]).max(axis=2)
        assert np.all(steps <= allowed)


@pytest.mark.parametrize("ties", ["nearest", "first"])
@given(case=table_cases(), seed=st.integers(0, 1000))
def test_the_certified_radius_never_lies(case, ties, seed):
    """With margin m between the two largest degrees no point closer than m / (2 gamma) has another label."""
    rng = np.random.default_rng(seed)
    model = fit(case, scale=None, ties=ties)
    Q = rng.uniform(-1.0, 4.0, size=(30, 2))
    degrees = np.sort(model.memberships(Q).degree, axis=1)
    radius = (degrees[:, -1] - degrees[:, -2]) / (2.0 * case.gamma)
    direction = rng.normal(size=Q.shape)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True) / np.sqrt(2.0)  # length 1 in d = norm / sqrt|Q|
    moved = Q + 0.999 * radius[:, None] * direction
    certified = radius > 1e-6
    np.testing.assert_array_equal(model.predict(moved)[certified], model.predict(Q)[certified])


@given(table_cases())
def test_small_gamma_trusts_the_weight_of_classes(case):
    """As gamma goes to 0 all rows look alike: with two classes beta is the class's share of the weight."""
    y = (case.y > 0).astype(int)
    model = FGAClassifier(gamma=1e-9).fit(case.X, y, sample_weight=case.weights)
    share = np.bincount(y, weights=case.weights) / case.weights.sum()
    np.testing.assert_allclose(model.beta_, share[y], atol=1e-7)
