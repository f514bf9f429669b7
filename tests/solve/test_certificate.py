"""A solution carries its proof; here every part of it is recomputed over the full constraint set."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist

from fgac.metrics.distances import Euclidean, Rows
from fgac.solve import MetricConstraints, PairConstraints, Problem, solve
from support.oracles import has_cycle, ordered_pairs, recompute_certificate
from support.strategies import difference_cases, regression_cases


def assert_proof_holds(solution, targets, weights, every_pair):
    """Check that the proof is right, and that it is the one reported."""
    proof = recompute_certificate(targets, weights, every_pair, solution)
    assert proof.violation <= 1e-9
    assert proof.dual_residual <= 1e-9
    assert abs(proof.gap) <= 1e-9
    assert proof.complementarity <= 1e-9
    assert solution.objective == pytest.approx(proof.objective, abs=1e-10)
    assert max(0.0, solution.largest_violation) == pytest.approx(proof.violation, abs=1e-10)
    assert solution.dual_residual == pytest.approx(proof.dual_residual, abs=1e-10)
    assert solution.duality_gap == pytest.approx(proof.gap, abs=1e-10)
    assert solution.is_optimal(1e-9)


def assert_active_set_is_sound(solution, n):
    """Check that there is one positive multiplier per active constraint, and that these form a forest."""
    assert np.all(np.asarray(solution.multipliers) > 0.0)
    assert solution.n_active == len(solution.multipliers) == len(solution.active.tail)
    assert not has_cycle(n, solution.active.tail, solution.active.head)


@given(regression_cases())
def test_proof_of_a_metric_problem(case):
    """All ordered pairs of rows are checked, also those the engine never listed."""
    solution = solve(
        Problem(
            case.y,
            MetricConstraints(Rows.from_numeric(case.X), Euclidean(), case.gamma),
            weights=case.weights,
        )
    )
    tail, head = ordered_pairs(len(case.y))
    bound = case.gamma * cdist(case.X, case.X)[tail, head]
    assert_proof_holds(solution, case.y, case.weights, (tail, head, bound))
    assert_active_set_is_sound(solution, len(case.y))
    expected = case.gamma * np.linalg.norm(case.X[solution.active.tail] - case.X[solution.active.head], axis=1)
    np.testing.assert_allclose(solution.active.bound, expected, atol=1e-10)


@given(difference_cases())
def test_proof_of_a_listed_problem(case):
    """The active constraints are among those given."""
    constraints = PairConstraints(case.tail, case.head, case.bound)
    solution = solve(Problem(case.y, constraints, weights=case.weights))
    assert_proof_holds(solution, case.y, case.weights, (case.tail, case.head, case.bound))
    assert_active_set_is_sound(solution, len(case.y))
    given_triples = set(zip(case.tail.tolist(), case.head.tolist(), case.bound.tolist(), strict=True))
    assert set(zip(*(np.asarray(part).tolist() for part in solution.active), strict=True)) <= given_triples


def test_proof_at_a_size_that_needs_pricing():
    """400 rows on a grid: far fewer constraints are generated than the 159600 that hold."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 12, size=(400, 2)).astype(float)
    y, w = rng.normal(size=400), rng.uniform(0.5, 2.0, 400)
    solution = solve(Problem(y, MetricConstraints(Rows.from_numeric(X), Euclidean(), 0.3), weights=w))
    tail, head = ordered_pairs(400)
    assert_proof_holds(solution, y, w, (tail, head, 0.3 * cdist(X, X)[tail, head]))
    assert_active_set_is_sound(solution, 400)
    assert solution.n_active <= solution.n_constraints < len(tail)
    assert solution.n_rounds >= 1
    assert solution.n_pivots >= solution.n_active


def test_seconds_are_told_per_part():
    """The time spent is a dictionary of named parts, none of them negative."""
    solution = solve(Problem([1.0, 0.0], PairConstraints([0], [1], [0.0])))
    assert solution.seconds
    assert all(isinstance(part, str) and spent >= 0.0 for part, spent in solution.seconds.items())


@pytest.mark.parametrize("part", ["largest_violation", "dual_residual", "duality_gap"])
def test_is_optimal_can_say_no(part):
    """A solution is not optimal to 1e-9 if any part of its proof is off by 1e-6."""
    solution = solve(Problem([1.0, 0.0, 0.3], PairConstraints([0, 1], [1, 2], [0.1, -0.7])))
    assert solution.is_optimal(1e-9)
    worse = dataclasses.replace(solution, **{part: 1e-6})
    assert not worse.is_optimal(1e-9)
    assert worse.is_optimal(1e-3)
