"""Problems that cannot be solved, or make no sense, are refused in words."""

import numpy as np
import pytest

from fgac.metrics.distances import Euclidean, Rows
from fgac.solve import Group, MetricConstraints, PairConstraints, Problem, solve


def solve_pairs(targets, tail, head, bound, weights=None):
    """State and solve a listed problem; wherever it is refused, it is refused inside this call."""
    return solve(Problem(targets, PairConstraints(tail, head, bound), weights=weights))


@pytest.mark.parametrize(
    ("tail", "head", "bound"),
    [
        ([0, 1], [1, 0], [-1.0, 0.5]),
        ([0, 1, 2], [1, 2, 0], [1.0, 1.0, -2.5]),
        ([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [0.0, 0.0, 0.0, -1e-3, 5.0]),
        ([2], [2], [-1.0]),
    ],
    ids=["two nodes", "three nodes", "cycle of four with a small deficit", "a node below itself"],
)
def test_a_negative_cycle_is_infeasible(tail, head, bound):
    """Bounds around a cycle that add up to less than zero leave no solution."""
    with pytest.raises(ValueError, match=r"(?i)infeasible|cycle|itself|contradict"):
        solve_pairs([0.0, 1.0, 2.0, 3.0], tail, head, bound)


def test_a_long_negative_cycle_among_good_constraints():
    """A ring of 60 nodes hidden among 500 loose constraints."""
    rng = np.random.default_rng(0)
    ring = np.arange(60)
    tail = np.concatenate([ring, rng.integers(0, 60, 500)])
    head = np.concatenate([(ring + 1) % 60, (tail[60:] + rng.integers(1, 60, 500)) % 60])
    bound = np.concatenate([np.full(60, -0.01), np.full(500, 10.0)])
    with pytest.raises(ValueError, match=r"(?i)infeasible|cycle|itself|contradict"):
        solve_pairs(rng.normal(size=60), tail, head, bound)


def test_a_zero_cycle_is_feasible():
    """Bounds around a cycle that add up to zero fix the differences and leave one freedom."""
    solution = solve_pairs([0.0, 0.0, 3.0], [0, 1, 2], [1, 2, 0], [1.0, 1.0, -2.0])
    np.testing.assert_allclose(solution.values, [2.0, 1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_targets_must_be_finite(bad):
    """A target that is no number is refused by name."""
    with pytest.raises(ValueError, match=r"(?i)target"):
        solve_pairs([0.0, bad], [0], [1], [0.0])


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_weights_must_be_positive_and_finite(bad):
    """The engine knows no absent nodes: a weight is a positive number."""
    with pytest.raises(ValueError, match=r"(?i)weight"):
        solve_pairs([0.0, 1.0], [0], [1], [0.0], weights=[1.0, bad])


@pytest.mark.parametrize("weights", [[1.0], [1.0, 1.0, 1.0], [[1.0, 1.0]]])
def test_one_weight_per_target(weights):
    """Weights of another length or shape are refused."""
    with pytest.raises(ValueError, match=r"(?i)weight"):
        solve_pairs([0.0, 1.0], [0], [1], [0.0], weights=weights)


@pytest.mark.parametrize(
    ("tail", "head", "bound"), [([0, 1], [1], [0.0]), ([0], [1], [0.0, 1.0]), ([0], [1, 0], [0.0])]
)
def test_lists_of_one_length(tail, head, bound):
    """Tail, head and bound describe the same constraints."""
    with pytest.raises(ValueError, match=r"(?i)length|long|shape"):
        solve_pairs([0.0, 1.0], tail, head, bound)


@pytest.mark.parametrize(("tail", "head"), [([0], [2]), ([-1], [0]), ([5], [0])])
def test_node_numbers_within_range(tail, head):
    """A node that does not exist is refused; a negative number does not count from the end."""
    with pytest.raises(ValueError, match=r"(?i)node|range|index"):
        solve_pairs([0.0, 1.0], tail, head, [0.0])


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_bounds_must_be_numbers(bad):
    """A bound that is no number, or that nothing can keep, is refused."""
    with pytest.raises(ValueError, match=r"(?i)bound"):
        solve_pairs([0.0, 1.0], [0], [1], [bad])


def test_as_many_rows_as_targets():
    """A metric problem needs one row per target."""
    rows = Rows.from_numeric([[0.0], [1.0], [2.0]])
    with pytest.raises(ValueError, match=r"(?i)row|target|length"):
        solve(Problem([0.0, 1.0], MetricConstraints(rows, Euclidean(), gamma=1.0)))


@pytest.mark.parametrize("gamma", [-1.0, np.nan])
def test_steepness_must_be_a_number_and_not_negative(gamma):
    """A negative gamma would reward distance."""
    with pytest.raises(ValueError, match=r"(?i)gamma"):
        solve(Problem([0.0, 1.0], MetricConstraints(Rows.from_numeric([[0.0], [1.0]]), Euclidean(), gamma=gamma)))


def test_rows_must_be_finite():
    """A row with a hole has no distances."""
    with pytest.raises(ValueError, match=r"(?i)nan|finite|missing"):
        solve(Problem([0.0, 1.0], MetricConstraints(Rows.from_numeric([[0.0], [np.nan]]), Euclidean(), gamma=1.0)))


def test_groups_name_nodes_that_exist():
    """A group whose nodes reach beyond the targets is refused."""
    rows, two = Rows.from_numeric([[0.0], [1.0]]), np.arange(2)
    with pytest.raises(ValueError, match=r"(?i)node|target"):
        solve(Problem([0.0, 1.0], MetricConstraints(rows, Euclidean(), 1.0, groups=[Group(two, two, two, two + 2)])))
