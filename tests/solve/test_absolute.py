"""Absolute and quantile loss: HiGHS agrees on the optimum, and of all optima the canonical one is returned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from fgac import FGAClassifier
from fgac.metrics.distances import Euclidean, Rows
from fgac.solve import MetricConstraints, PairConstraints, Problem, solve
from support.oracles import highs
from support.property_tests import examples
from support.strategies import table_cases

LOSSES = [("absolute_error", 0.5), ("quantile", 0.5), ("quantile", 0.1), ("quantile", 0.8)]


def slopes(loss, p):
    """Return what a unit above and a unit below the target costs."""
    return (1.0, 1.0) if loss == "absolute_error" else (1.0 - p, p)


def random_problem(seed):
    """Return points on a grid or not, labels or numbers, weights, gamma: ties in about half of all cases."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 25), rng.integers(1, 3)
    X = rng.integers(0, 4, (n, d)).astype(float) if rng.random() < 0.5 else rng.random((n, d))
    y = rng.integers(0, 2, n).astype(float) if rng.random() < 0.5 else rng.normal(size=n)
    w = np.ones(n) if rng.random() < 0.5 else rng.uniform(0.1, 3.0, n)
    return X, y, w, float(rng.choice([0.1, 0.5, 1.0, 3.0])), rng


def lipschitz(X, y, w, gamma, loss, p):
    """Return the engine's solution."""
    constraints = MetricConstraints(Rows.from_numeric(X), Euclidean(), gamma)
    return solve(Problem(y, constraints, w, loss=loss, quantile=p))


@pytest.mark.parametrize(("loss", "p"), LOSSES)
@pytest.mark.parametrize("block", range(6))
def test_optimum_is_that_of_highs(loss, p, block):
    """240 random problems: objective equal to 1e-9, with the proof over all pairs."""
    for seed in range(10 * block, 10 * block + 10):
        X, y, w, gamma, _ = random_problem(seed)
        solution = lipschitz(X, y, w, gamma, loss, p)
        tail, head = np.nonzero(~np.eye(len(y), dtype=bool))
        bound = gamma * np.linalg.norm(X[tail] - X[head], axis=1)
        assert solution.objective == pytest.approx(highs(y, w, *slopes(loss, p), tail, head, bound), abs=1e-9)
        assert solution.is_optimal(1e-9)
        assert np.all(solution.values[tail] - solution.values[head] <= bound + 1e-9)


@pytest.mark.parametrize(("loss", "p"), LOSSES)
def test_order_of_nodes_does_not_matter(loss, p):
    """Shuffled nodes get the same values, although the optimum is not unique."""
    for seed in range(100, 120):
        X, y, w, gamma, rng = random_problem(seed)
        order = rng.permutation(len(y))
        plain = lipschitz(X, y, w, gamma, loss, p).values
        shuffled = lipschitz(X[order], y[order], w[order], gamma, loss, p).values
        np.testing.assert_allclose(shuffled, plain[order], atol=1e-9)


def test_the_canonical_optimum_is_nearest_to_the_targets():
    """Every split of a difference of 1 costs the same; the one in the middle is nearest in least squares."""
    free = PairConstraints([0], [1], [0.0])
    np.testing.assert_allclose(solve(Problem([1, 0], free, loss="absolute_error")).values, [0.5, 0.5])
    three = PairConstraints([0, 0], [1, 2], [0.0, 0.0])
    np.testing.assert_allclose(solve(Problem([1, 0, 0], three, loss="absolute_error")).values, [0.0, 0.0, 0.0])
    np.testing.assert_allclose(
        solve(Problem([1, 0], free, [1.0, 3.0], loss="absolute_error")).values, [0.0, 0.0], atol=1e-12
    )


def test_quantile_of_equal_nodes():
    """Nodes that must be equal take a quantile of their targets: between two order statistics, the mean decides."""
    n = 9
    around = np.arange(n)
    ring = PairConstraints(around, np.roll(around, -1), np.zeros(n))
    y = np.arange(n, dtype=float) ** 2
    for p in (0.2, 0.5, 0.7):
        values = solve(Problem(y, ring, loss="quantile", quantile=p)).values
        np.testing.assert_allclose(values, np.quantile(y, p, method="inverted_cdf"), atol=1e-9)


def test_wrong_losses_are_refused():
    """A loss that does not exist, a quantile outside (0, 1)."""
    free = PairConstraints([0], [1], [0.0])
    with pytest.raises(ValueError, match="loss"):
        Problem([1, 0], free, loss="huber")
    with pytest.raises(ValueError, match="quantile"):
        Problem([1, 0], free, loss="quantile", quantile=1.0)
    with pytest.raises(ValueError, match="cycle"):
        solve(Problem([1, 0], PairConstraints([0, 1], [1, 0], [-1.0, 0.5]), loss="absolute_error"))


@examples(25)
@given(table_cases())
def test_classes_by_absolute_error(case):
    """beta costs what HiGHS's does over all pairs of different classes (K = 1 to 6), and lies in [0, 1]."""
    model = FGAClassifier(gamma=case.gamma, loss="absolute_error", scale=None)
    model.fit(case.X, case.y, sample_weight=case.weights)
    beta = model.beta_
    u, v = np.nonzero(np.triu(case.y[:, None] != case.y[None, :]))
    bound = 1 + case.gamma * np.linalg.norm(case.X[u] - case.X[v], axis=1) / np.sqrt(case.X.shape[1])
    assert np.all(beta[u] + beta[v] <= bound + 1e-9)
    assert np.all((beta >= 0) & (beta <= 1))
    m, n = len(u), len(beta)
    where = np.r_[np.arange(m), np.arange(m)]
    sums = sparse.csr_matrix((np.ones(2 * m), (where, np.r_[u, v])), shape=(m, n))
    least = linprog(-case.weights, sums if m else None, bound if m else None, bounds=(0, 1))
    assert np.sum(case.weights * (1 - beta)) == pytest.approx(case.weights.sum() + least.fun, abs=1e-8)


@examples(20)
@given(table_cases(), st.randoms(use_true_random=False))
def test_absolute_error_knows_no_order_and_no_names(case, random):
    """Row order, class names, threads and repetition leave the canonical beta as it is."""
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    model = FGAClassifier(gamma=case.gamma, loss="absolute_error")
    plain = model.fit(case.X, case.y, sample_weight=case.weights).beta_
    names = np.array(["f", "e", "d", "c", "b", "a"])[case.y]
    shuffled = model.set_params(n_jobs=2).fit(case.X[order], names[order], sample_weight=case.weights[order]).beta_
    np.testing.assert_allclose(shuffled, plain[order], atol=1e-8)
    times = case.weights.astype(int)
    repeated = model.fit(np.repeat(case.X, times, axis=0), np.repeat(case.y, times)).beta_
    np.testing.assert_allclose(repeated, np.repeat(plain, times), atol=1e-8)
