"""The engine against a general QP solver: directed lists, and Lipschitz regression under each metric."""

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist

from fgac.metrics.distances import Chebyshev, Euclidean, Manhattan, Rows
from fgac.solve import Group, MetricConstraints, PairConstraints, Problem, solve
from support.oracles import beta_oracle, difference_oracle, ordered_pairs
from support.strategies import difference_cases, regression_cases

METRICS = {"euclidean": Euclidean(), "cityblock": Manhattan(), "chebyshev": Chebyshev()}


def lipschitz_oracle(case, metric):
    """Solve a Lipschitz regression over all ordered pairs by the general solver."""
    tail, head = ordered_pairs(len(case.y))
    bound = case.gamma * cdist(case.X, case.X, metric)[tail, head]
    return difference_oracle(case.y, tail, head, bound, case.weights)


def lipschitz_solution(case, metric, **options):
    """Solve the same problem by the library."""
    constraints = MetricConstraints(Rows.from_numeric(case.X), metric, case.gamma, **options)
    return solve(Problem(case.y, constraints, weights=case.weights))


@given(difference_cases())
def test_directed_constraints(case):
    """Bounds that differ per direction, may be negative and may be listed twice."""
    problem = Problem(case.y, PairConstraints(case.tail, case.head, case.bound), weights=case.weights)
    expected = difference_oracle(case.y, case.tail, case.head, case.bound, case.weights)
    np.testing.assert_allclose(solve(problem).values, expected, atol=1e-7)


@pytest.mark.parametrize("metric", METRICS)
@given(case=regression_cases(n_features=2))
def test_lipschitz_regression_on_a_grid(case, metric):
    """Two features, equal rows with different targets, equal distances everywhere."""
    np.testing.assert_allclose(
        lipschitz_solution(case, METRICS[metric]).values, lipschitz_oracle(case, metric), atol=1e-7
    )


@given(regression_cases(n_features=1))
def test_lipschitz_regression_on_a_line(case):
    """One feature: every triple of rows is degenerate, for distances add up along the line."""
    np.testing.assert_allclose(
        lipschitz_solution(case, Euclidean()).values, lipschitz_oracle(case, "euclidean"), atol=1e-7
    )


@pytest.mark.parametrize("n_features", [1, 2])
@pytest.mark.parametrize("gamma", [0.2, 1.0, 5.0])
def test_lipschitz_regression_of_a_noisy_curve(n_features, gamma):
    """Real-valued rows and targets, 60 rows, all 3540 constraints given to the general solver."""
    rng = np.random.default_rng(n_features)
    X = rng.uniform(0.0, 3.0, size=(60, n_features))
    y = np.sin(3.0 * X).sum(axis=1) + rng.normal(0.0, 0.4, 60)
    w = rng.uniform(0.2, 3.0, 60)
    tail, head = ordered_pairs(60)
    expected = difference_oracle(y, tail, head, gamma * cdist(X, X)[tail, head], w)
    solution = solve(Problem(y, MetricConstraints(Rows.from_numeric(X), Euclidean(), gamma=gamma), weights=w))
    np.testing.assert_allclose(solution.values, expected, atol=1e-7)


def others(labels, k, offset=0):
    """Return all pairs from rows of class ``k`` to rows of other classes, whose nodes start at ``offset``."""
    inside, outside = np.flatnonzero(labels == k), np.flatnonzero(labels != k)
    return Group(inside, inside, outside, outside + offset)


@given(regression_cases())
def test_groups_say_which_pairs_are_constrained(case):
    """Only rows of different thirds are compared, in both directions."""
    thirds = np.arange(len(case.y)) % 3
    tail, head = ordered_pairs(len(case.y), thirds)
    bound = case.gamma * cdist(case.X, case.X)[tail, head]
    expected = difference_oracle(case.y, tail, head, bound, case.weights)
    solution = lipschitz_solution(case, Euclidean(), groups=[others(thirds, k) for k in np.unique(thirds)])
    np.testing.assert_allclose(solution.values, expected, atol=1e-7)


@given(regression_cases())
def test_groups_may_give_a_row_two_nodes(case):
    """Two copies of every row, constrained from the first to the second across classes: the beta problem."""
    n, labels = len(case.y), np.arange(len(case.y)) % 3
    groups = [others(labels, k, offset=n) for k in np.unique(labels)]
    constraints = MetricConstraints(Rows.from_numeric(case.X), Euclidean(), case.gamma, groups=groups)
    targets = np.concatenate([np.ones(n), np.zeros(n)])
    copies = solve(Problem(targets, constraints, weights=np.tile(case.weights, 2))).values
    expected = beta_oracle(cdist(case.X, case.X), labels, case.gamma, case.weights)
    np.testing.assert_allclose((copies[:n] + 1.0 - copies[n:]) / 2.0, expected, atol=1e-7)


@given(regression_cases())
def test_a_list_and_a_query_are_the_same_problem(case):
    """All pairs as an explicit list give what the lazily priced query gives."""
    tail, head = ordered_pairs(len(case.y))
    bound = case.gamma * cdist(case.X, case.X)[tail, head]
    listed = solve(Problem(case.y, PairConstraints(tail, head, bound), weights=case.weights))
    np.testing.assert_allclose(listed.values, lipschitz_solution(case, Euclidean()).values, atol=1e-9)


@given(regression_cases())
def test_threads_do_not_change_the_solution(case):
    """Two threads give what one gives."""
    one, two = (lipschitz_solution(case, Euclidean(), n_jobs=n_jobs).values for n_jobs in (1, 2))
    np.testing.assert_allclose(one, two, atol=1e-12)
