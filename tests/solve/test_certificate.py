"""A solution carries its proof; here every part of it is recomputed over the full constraint set."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from fgac.metrics.distances import Euclidean, Rows
from fgac.solve import MetricConstraints, PairConstraints, Problem, solve
from fgac.solve.solution import certify
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


PARTS = ["largest_violation", "dual_residual", "duality_gap", "complementarity", "rounding"]


def small_solution(**changes):
    """Return the solution of three nodes, with parts of its proof replaced."""
    solution = solve(Problem([1.0, 0.0, 0.3], PairConstraints([0, 1], [1, 2], [0.1, -0.7])))
    assert solution.is_optimal(1e-9)
    return dataclasses.replace(solution, **changes)


@pytest.mark.parametrize("part", PARTS)
def test_is_optimal_can_say_no(part):
    """A solution is not optimal to 1e-9 if any part of its proof is off by 1e-6."""
    worse = small_solution(**{part: 1e-6})
    assert not worse.is_optimal(1e-9)
    assert worse.is_optimal(1e-3)


@pytest.mark.parametrize("part", [*PARTS, "objective"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_proves_nothing(part, value):
    """No comparison with nan, and no infinite tolerance, passes for a proof."""
    assert not small_solution(**{part: value}).is_optimal(1e3)


def test_values_that_are_not_finite_prove_nothing():
    """The values are part of the claim."""
    assert not small_solution(values=np.array([0.5, np.nan, 0.5])).is_optimal(1e3)


@pytest.mark.parametrize("unit", [1e-100, 1e-9, 1.0, 2.0**60, 1e140])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_the_proof_has_no_unit_of_weights(unit, loss):
    """A wrong solution is as wrong, and a right one as right, whatever the weights are multiplied by."""
    constraints = PairConstraints([0, 1], [1, 2], [0.1, 0.1])
    problem = Problem([1.0, 0.0, 0.5], constraints, unit * np.array([1.0, 2.0, 1.0]), loss=loss)
    solution = solve(problem)
    assert solution.is_optimal()
    scale = solution.scale
    wrong = certify(problem, solution.values - 1e-3, problem.targets, solution.active, solution.multipliers, scale)
    assert max(wrong.dual_residual, wrong.complementarity) == pytest.approx(1e-3, rel=0.7)


def test_a_light_node_is_proved_as_well_as_a_heavy_one():
    """Between heavy rows that argue with each other, a light one still gets the value that it asks for."""
    rng = np.random.default_rng(0)
    X, y = rng.random((300, 2)), rng.random(300)
    weights = np.where(rng.random(300) < 0.5, 1.0, 1e-12)
    solution = solve(Problem(y, MetricConstraints(Rows.from_numeric(X), Euclidean(), 0.5), weights))
    assert solution.is_optimal()
    assert solution.dual_residual < 1e-12


def test_a_solution_that_is_not_proved_warns(monkeypatch):
    """Whatever the reason, nobody gets an unproved solution in silence."""
    monkeypatch.setattr("fgac.solve.constraints.PairConstraints.rounding", lambda self, values, slight: 1e-3)
    with pytest.warns(ConvergenceWarning, match="not proved to be optimal"):
        solve(Problem([1.0, 0.0], PairConstraints([0], [1], [0.5])))
