"""The oracles themselves, on problems small enough to solve by hand, and against one another."""

import numpy as np
import pytest
from hypothesis import given

from support.oracles import (
    NaiveModel,
    beta_oracle,
    difference_oracle,
    has_cycle,
    table_distances,
    training_violation,
    two_copies_oracle,
)
from support.strategies import table_cases


def test_two_nodes_in_the_wrong_order_meet_at_the_weighted_mean():
    """y = (4, 0), weights (1, 3), a_0 <= a_1: both become 1."""
    np.testing.assert_allclose(difference_oracle([4.0, 0.0], [0], [1], [0.0], [1.0, 3.0]), [1.0, 1.0], atol=1e-12)


def test_two_rows_share_the_contradiction():
    """At distance 0.5, gamma = 1, the memberships share 1.5: 0.75 each; with weights 1 and 4: 0.6, 0.9."""
    distances = np.array([[0.0, 0.5], [0.5, 0.0]])
    np.testing.assert_allclose(beta_oracle(distances, [0, 1], 1.0), [0.75, 0.75], atol=1e-12)
    np.testing.assert_allclose(beta_oracle(distances, [0, 1], 1.0, [1.0, 4.0]), [0.6, 0.9], atol=1e-12)


@given(table_cases())
def test_both_forms_of_training_agree_and_are_feasible(case):
    """The native problem and the two-copies problem have one optimum, and it keeps every constraint."""
    distances = table_distances(case.X, case.X, case.X)
    native = beta_oracle(distances, case.y, case.gamma, case.weights)
    copies = two_copies_oracle(distances, case.y, case.gamma, case.weights)
    np.testing.assert_allclose(native, copies, atol=1e-8)
    assert training_violation(native, distances, case.y, case.gamma) <= 1e-9


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("euclidean", np.sqrt((0.5**2 + 1.0) / 4.0)), ("manhattan", 1.5 / 4.0), ("chebyshev", 1.0)],
)
def test_table_distance_by_hand(metric, expected):
    """Half the range apart and another of three categories: |Q| = 1 + 3."""
    table = [[0.0, "a"], [5.0, "b"], [10.0, "c"]]
    assert table_distances(table, table, table, nominal=(1,), metric=metric)[0, 1] == pytest.approx(expected)


def test_naive_bounds_by_hand():
    """Two rows at distance 0.5 with beta = 0.75, gamma = 1: at the first row L = 0.75 and U = 0.25 + 0.5."""
    distances = np.array([[0.0, 0.5], [0.5, 0.0]])
    model = NaiveModel(np.array([0.75, 0.75]), np.array([0, 1]), distances, gamma=1.0)
    np.testing.assert_allclose(model.lower(distances[:1]), [[0.75, 0.25]])
    np.testing.assert_allclose(model.upper(distances[:1]), [[0.75, 0.25]])
    np.testing.assert_allclose(model.strengths(distances[0], 0, "favour"), [0.75, np.nan])
    np.testing.assert_allclose(model.strengths(distances[0], 0, "against"), [np.nan, 0.25])


def test_cycles_are_found():
    """Three edges on three nodes close a cycle, two do not, two equal edges do."""
    assert has_cycle(3, [0, 1, 2], [1, 2, 0])
    assert not has_cycle(3, [0, 1], [1, 2])
    assert has_cycle(2, [0, 1], [1, 0])
