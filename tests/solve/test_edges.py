"""The engine at its edges: one node, nothing to keep, extreme steepness, shifted and scaled targets."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from fgac.metrics.distances import Chebyshev, Euclidean, Manhattan, Rows
from fgac.solve import MetricConstraints, PairConstraints, Problem, solve


@pytest.fixture
def cloud():
    """Return forty rows, two of them equal, with targets and weights."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2))
    X[7] = X[31]
    return X, rng.normal(size=40), rng.uniform(0.5, 2.0, 40)


def lipschitz(X, y, w, gamma):
    """Solve a Euclidean Lipschitz regression."""
    return solve(Problem(y, MetricConstraints(Rows.from_numeric(X), Euclidean(), gamma), weights=w))


def no_pairs():
    """Return an empty list of constraints."""
    nothing = np.array([], dtype=int)
    return PairConstraints(nothing, nothing, np.array([], dtype=float))


@pytest.mark.parametrize("n", [1, 5])
def test_without_constraints_the_targets_stay(n):
    """Nothing to keep: values = targets, objective and proof are zero."""
    y = np.linspace(-1.0, 2.0, n)
    solution = solve(Problem(y, no_pairs()))
    np.testing.assert_array_equal(solution.values, y)
    assert solution.objective == solution.largest_violation == solution.dual_residual == 0.0
    assert solution.n_active == 0
    assert solution.is_optimal()


@pytest.mark.parametrize("metric", [Euclidean(), Manhattan(), Chebyshev()])
def test_one_row_has_nobody_to_differ_from(metric):
    """A single row keeps its target."""
    solution = solve(Problem([3.5], MetricConstraints(Rows.from_numeric([[1.0, 2.0]]), metric, gamma=1.0)))
    np.testing.assert_array_equal(solution.values, [3.5])


def test_two_nodes_by_hand():
    """y = (4, 0), weights (1, 3), a_0 - a_1 <= 1: the excess 3 is shared 3 to 1, the multiplier is 2.25."""
    solution = solve(Problem([4.0, 0.0], PairConstraints([0], [1], [1.0]), weights=[1.0, 3.0]))
    np.testing.assert_allclose(solution.values, [1.75, 0.75], atol=1e-14)
    np.testing.assert_allclose(solution.multipliers, [2.25], atol=1e-14)
    assert solution.objective == pytest.approx(0.5 * (2.25**2 + 3 * 0.75**2))


def test_a_negative_bound_forces_a_gap():
    """Equal targets and a_0 <= a_1 - 1: half a step down and half a step up."""
    solution = solve(Problem([0.0, 0.0], PairConstraints([0], [1], [-1.0])))
    np.testing.assert_allclose(solution.values, [-0.5, 0.5], atol=1e-14)


def test_of_two_bounds_on_one_pair_the_tighter_counts():
    """A constraint listed twice with different bounds is as strict as the stricter one."""
    solution = solve(Problem([4.0, 0.0], PairConstraints([0, 0, 0], [1, 1, 1], [3.0, 0.0, 2.0])))
    np.testing.assert_allclose(solution.values, [2.0, 2.0], atol=1e-14)


def test_nearly_flat_gives_the_weighted_mean(cloud):
    """As gamma goes to 0 every value becomes the weighted mean of the targets."""
    X, y, w = cloud
    np.testing.assert_allclose(lipschitz(X, y, w, 1e-13).values, np.average(y, weights=w), atol=1e-10)


def test_very_steep_keeps_the_targets_but_for_equal_rows(cloud):
    """As gamma grows only rows at distance 0 still bind one another, to their weighted mean."""
    X, y, w = cloud
    expected = y.copy()
    expected[[7, 31]] = np.average(y[[7, 31]], weights=w[[7, 31]])
    solution = lipschitz(X, y, w, 1e12)
    np.testing.assert_allclose(solution.values, expected, atol=1e-8)
    assert solution.is_optimal()


@pytest.mark.parametrize("offset", [1e6, -1e6])
def test_shifted_targets_shift_the_values(cloud, offset):
    """Adding a constant to the targets adds it to the values, up to the rounding of the constant itself."""
    X, y, w = cloud
    plain, shifted = lipschitz(X, y, w, 0.5), lipschitz(X, y + offset, w, 0.5)
    np.testing.assert_allclose(shifted.values - offset, plain.values, atol=1e-8)
    assert shifted.objective == pytest.approx(plain.objective, rel=1e-7)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_scaled_targets_scale_the_values(cloud, factor):
    """Targets and bounds times a constant: values times the constant, to the same relative accuracy."""
    X, y, w = cloud
    plain, scaled = lipschitz(X, y, w, 0.5), lipschitz(X, factor * y, w, factor * 0.5)
    np.testing.assert_allclose(scaled.values / factor, plain.values, atol=1e-8)
    violation = scaled.values[:, None] - scaled.values[None, :] - factor * 0.5 * cdist(X, X)
    assert violation.max() <= 1e-9 * factor


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_scaled_weights_change_nothing(cloud, factor):
    """Only ratios of weights count."""
    X, y, w = cloud
    np.testing.assert_allclose(lipschitz(X, y, factor * w, 0.5).values, lipschitz(X, y, w, 0.5).values, atol=1e-9)


def test_weights_of_very_different_size():
    """A row a million times heavier than its neighbour stays, and the neighbour comes to it."""
    solution = solve(Problem([1.0, 0.0], PairConstraints([0], [1], [0.0]), weights=[1e6, 1.0]))
    np.testing.assert_allclose(solution.values, 1e6 / (1e6 + 1.0), atol=1e-12)


def test_rows_far_from_the_origin():
    """Distances must survive rows like 1e6 + x, where a matrix product alone would cancel them away."""
    rng = np.random.default_rng(5)
    X, y = rng.uniform(size=(30, 2)), rng.normal(size=30)
    near, far = lipschitz(X, y, None, 0.5), lipschitz(X + 1e6, y, None, 0.5)
    np.testing.assert_allclose(far.values, near.values, atol=1e-7)


def test_the_input_is_left_alone(cloud):
    """Solving does not write into the caller's arrays."""
    X, y, w = cloud
    copies = X.copy(), y.copy(), w.copy()
    lipschitz(X, y, w, 0.5)
    for before, after in zip(copies, cloud, strict=True):
        np.testing.assert_array_equal(before, after)
