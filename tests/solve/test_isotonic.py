"""Isotonic regression is the engine's problem with bound 0 along an order: two peers must be reproduced."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.isotonic import IsotonicRegression

from fgac.solve import PairConstraints, Problem, solve
from support.oracles import difference_oracle


def chain(n):
    """Return the constraints a_0 <= a_1 <= ... <= a_(n-1)."""
    return PairConstraints(np.arange(n - 1), np.arange(1, n), np.zeros(n - 1))


def scikit_learn(y, w):
    """Return scikit-learn's isotonic fit."""
    return IsotonicRegression().fit_transform(np.arange(len(y)), y, sample_weight=w)


@pytest.mark.parametrize("n", [2, 10, 100, 400])
@pytest.mark.parametrize("trend", [-1.0, 0.0, 1.0])
def test_chain_with_random_weights(n, trend):
    """Real targets that fall, wander or rise: one block, many blocks, small blocks."""
    rng = np.random.default_rng(n)
    y = trend * np.arange(n) / 10.0 + rng.normal(size=n)
    w = rng.uniform(0.1, 10.0, n)
    np.testing.assert_allclose(solve(Problem(y, chain(n), weights=w)).values, scikit_learn(y, w), atol=1e-10)


@pytest.mark.parametrize("n", [50, 300])
def test_chain_with_ties(n):
    """Targets from four values and weights from three: blocks meet at equal levels."""
    rng = np.random.default_rng(n)
    y, w = rng.integers(0, 4, n).astype(float), rng.integers(1, 4, n).astype(float)
    np.testing.assert_allclose(solve(Problem(y, chain(n), weights=w)).values, scikit_learn(y, w), atol=1e-10)


@given(hnp.arrays(np.int64, st.integers(2, 30), elements=st.integers(-3, 3)))
def test_any_short_chain(y):
    """Whole-number targets without weights."""
    y = y.astype(float)
    expected = scikit_learn(y, np.ones(len(y)))
    np.testing.assert_allclose(solve(Problem(y, chain(len(y)))).values, expected, atol=1e-10)


def test_all_pairs_of_a_chain_change_nothing():
    """Constraints implied by others are harmless: the full order gives the chain's answer."""
    rng = np.random.default_rng(0)
    y, w = rng.normal(size=40), rng.uniform(0.5, 2.0, 40)
    tail, head = np.triu_indices(40, k=1)
    full = solve(Problem(y, PairConstraints(tail, head, np.zeros(len(tail))), weights=w))
    np.testing.assert_allclose(full.values, scikit_learn(y, w), atol=1e-10)


def test_falling_order_is_the_mirror():
    """Reversed constraints give scikit-learn's decreasing fit."""
    rng = np.random.default_rng(1)
    y, w = rng.normal(size=80), rng.uniform(0.5, 2.0, 80)
    falling = PairConstraints(np.arange(1, 80), np.arange(79), np.zeros(79))
    expected = IsotonicRegression(increasing=False).fit_transform(np.arange(80), y, sample_weight=w)
    np.testing.assert_allclose(solve(Problem(y, falling, weights=w)).values, expected, atol=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_partial_order_of_two_features(seed):
    """Rows compared where both features agree on the order (equal rows: both ways)."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(40, 2))
    y, w = rng.normal(size=40), rng.uniform(0.5, 2.0, 40)
    below = (X[:, None, :] <= X[None, :, :]).all(axis=2) & ~np.eye(40, dtype=bool)
    tail, head = np.nonzero(below)
    bound = np.zeros(len(tail))
    expected = difference_oracle(y, tail, head, bound, w)
    solution = solve(Problem(y, PairConstraints(tail, head, bound), weights=w))
    np.testing.assert_allclose(solution.values, expected, atol=1e-7)
