"""The forest: rounding that must not stay, and the order in which nodes are kept."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fgac.solve import Pairs
from fgac.solve.forest import Forest


def test_an_edge_that_rounding_has_kept_is_dropped():
    """Its flow is below 0 by more than rounding explains: values are then those without it."""
    forest = Forest(np.array([0.0, 1.0]), np.ones(2))
    forest.insert_edges(Pairs(np.array([0]), np.array([1]), np.array([0.5])))
    forest.pivot(Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)), 1e-12)
    np.testing.assert_array_equal(forest.a, [0.0, 1.0])
    assert forest.clipped == 0.0
    assert len(forest.edges()[1]) == 0


@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_in_which_a_forest_keeps_its_nodes_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    n = 30
    targets, weights = rng.integers(0, 2, n).astype(float), rng.uniform(0.5, 2.0, n)
    pairs = Pairs(rng.integers(0, n, 200), rng.integers(0, n, 200), rng.uniform(0, 0.5, 200))
    pairs = pairs.where(pairs.tail != pairs.head)
    forests = [Forest(targets, weights, order) for order in (None, rng.permutation(n))]
    for forest in forests:
        forest.pivot(pairs, 1e-13)
    np.testing.assert_allclose(forests[1].a, forests[0].a, atol=1e-11)
    edges, flows = forests[1].edges()
    net = np.bincount(edges.tail, flows, n) - np.bincount(edges.head, flows, n)
    np.testing.assert_allclose(forests[1].a, targets - net / weights, atol=1e-11)
    np.testing.assert_allclose(edges.violation(forests[1].a), 0.0, atol=1e-11)


def test_a_tree_of_very_many_nodes_leaves_hardly_anything_over_at_its_root():
    """Added up without what rounding loses, the residuals of a tree would leave a hundred times as much."""
    n = 300_000
    targets = np.random.default_rng(0).uniform(size=n)
    forest = Forest(targets, np.ones(n))
    forest.insert_edges(Pairs(np.arange(n - 1), np.arange(1, n), np.full(n - 1, 1e-6)))
    edges, flows = forest.edges()
    net = np.bincount(edges.tail, flows, n) - np.bincount(edges.head, flows, n)
    assert np.abs(forest.a - targets + net).max() < 1e-10
