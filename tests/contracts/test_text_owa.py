"""Section 2.4 of the paper, written down again (``support/paper/owa.py``), against the library's averages."""

import numpy as np
import pytest

from fgac.fuzzy import owa as ours
from fgac.fuzzy.connectives import ResidualTriplet
from fgac.fuzzy.roughsets import lower_approximation, upper_approximation
from support.paper import owa as text
from support.paper import rough_sets
from support.paper.connectives import LUKASIEWICZ

FAMILIES = {
    "strict": ours.strict,
    "additive": ours.additive,
    "exponential": ours.exponential,
    "inverse_additive": ours.inverse_additive,
}
families = pytest.mark.parametrize("family", FAMILIES)
COUNTS = (1, 2, 3, 7, 50, 60)
CLOSE = {"rtol": 1e-13, "atol": 1e-15}


@families
@pytest.mark.parametrize("n", COUNTS)
def test_weights(family, n):
    """W_U as the complement of the W_L that is printed, and back; they sum to 1."""
    W_U, W_L = text.upper_weights(family, n), text.lower_weights(family, n)
    np.testing.assert_allclose(FAMILIES[family](n), W_U, **CLOSE)
    np.testing.assert_allclose(ours.reversal(FAMILIES[family](n)), W_L, **CLOSE)
    np.testing.assert_allclose(ours.resolve_owa(family, n), W_U, **CLOSE)
    assert sum(W_L) == pytest.approx(1.0, abs=1e-14)


@families
@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("k", [1, 2, 5, 50, 1000])
def test_first_k_weights(family, n, k):
    """Section 6.1: only the first k values of W_U are not zero."""
    found = ours.resolve_owa(family, n, k=k)
    np.testing.assert_allclose(found, text.upper_weights(family, n, k), **CLOSE)
    assert (found > 0).sum() == (1 if family == "strict" else min(k, n))


@pytest.mark.parametrize("n", [2000, 100_000])
def test_weights_of_many_values(n):
    """What the formulas say where 2^n has long overflowed."""
    exponential = [0.5**i for i in range(1, 60)]  # 2^(n - i) / (2^n - 1), the 1 being nothing beside 2^n
    np.testing.assert_allclose(ours.exponential(n)[:59], exponential, rtol=1e-14)
    assert ours.exponential(n).sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(ours.additive(n)[[0, -1]], [2 / (n + 1), 2 / n / (n + 1)], rtol=1e-12)
    D_n = sum(1 / i for i in range(1, n + 1))
    np.testing.assert_allclose(ours.inverse_additive(n)[[0, -1]], [1 / D_n, 1 / n / D_n], rtol=1e-12)


@families
@pytest.mark.parametrize("n", [1, 2, 9, 40])
@pytest.mark.parametrize("k", [None, 1, 4])
def test_operators(family, n, k):
    """OWA_W(V) on values with ties, several at once; soft bounds lie within the strict ones."""
    rng = np.random.default_rng(n)
    V = rng.integers(0, 6, (5, n)) / 5
    weights = ours.resolve_owa(family, n, k=k)
    soft_max = [text.owa(text.upper_weights(family, n, k), values) for values in V.tolist()]
    soft_min = [text.owa(text.lower_weights(family, n, k), values) for values in V.tolist()]
    np.testing.assert_allclose(ours.soft_max(V, weights), soft_max, rtol=0, atol=1e-14)
    np.testing.assert_allclose(ours.soft_min(V, weights), soft_min, rtol=0, atol=1e-14)
    np.testing.assert_allclose(ours.soft_max(V.T, weights, axis=0), soft_max, rtol=0, atol=1e-14)
    assert (ours.soft_max(V, weights) <= V.max(axis=1)).all()
    assert (ours.soft_min(V, weights) >= V.min(axis=1)).all()


@families
@pytest.mark.parametrize("k", [None, 2, 5])
def test_values_that_stand_several_times(family, k):
    """A value that stands m times counts as m values."""
    rng = np.random.default_rng(3)
    values, times = rng.integers(0, 4, (6, 5)) / 4, rng.integers(1, 4, 5)
    n = int(times.sum())
    cumulative = ours.cumulative_owa(family, n, k)
    found = ours.soft_max_of_repeated(values, times.astype(float), cumulative)
    expected = [text.owa(text.upper_weights(family, n, k), np.repeat(row, times).tolist()) for row in values]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


@families
@pytest.mark.parametrize("k", [None, 2])
def test_soft_approximations(family, k):
    """Approximations with OWA in place of min and max."""
    rng = np.random.default_rng(5)
    A, R = rng.uniform(size=8), rng.uniform(size=(8, 3))
    soft = {"triplet": ResidualTriplet(), "owa": family, "k": k}
    lower = [
        text.owa(text.lower_weights(family, 8, k), rough_sets.lower_terms(A.tolist(), R.tolist(), LUKASIEWICZ, u))
        for u in range(3)
    ]
    upper = [
        text.owa(text.upper_weights(family, 8, k), rough_sets.upper_terms(A.tolist(), R.T.tolist(), LUKASIEWICZ, u))
        for u in range(3)
    ]
    np.testing.assert_allclose(lower_approximation(A, R, **soft), lower, rtol=0, atol=1e-12)
    np.testing.assert_allclose(upper_approximation(A, R.T, **soft), upper, rtol=0, atol=1e-12)
