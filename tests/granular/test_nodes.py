"""Equal rows of one class are one node."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fgac.granular.nodes import merge, orient_classes
from fgac.metrics.distances import Rows

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2), st.integers(1, 3)), min_size=1)


def rows_of(numbers, codes):
    return Rows(np.array(numbers, dtype=float)[:, None], np.array(codes, dtype=np.int32)[:, None], np.ones(1))


@given(ROWS)
def test_nodes_by_loops(rows):
    """Every distinct (class, number, code) is one node: sorted, with its weights added, in the place of its rows."""
    numbers, codes, classes, weights = map(list, zip(*rows, strict=True))
    nodes = merge(rows_of(numbers, codes), np.array(classes), 3, np.array(weights, dtype=float))
    keys = list(zip(classes, numbers, codes, strict=True))
    distinct = sorted(set(keys))
    assert nodes.weights.tolist() == [
        sum(weight for key, weight in zip(keys, weights, strict=True) if key == node) for node in distinct
    ]
    assert [distinct[node] for node in nodes.node_of_row] == keys
    assert nodes.first.tolist() == [keys.index(node) for node in distinct]
    assert nodes.classes.tolist() == [k for k, _, _ in distinct]
    for k in range(3):
        assert [distinct[node][0] for node in nodes.of_class(k)] == [k] * classes_in(distinct, k)


def classes_in(distinct, k):
    return sum(node[0] == k for node in distinct)


def test_rows_known_by_distances_only_stay_apart():
    nodes = merge(rows_of([1, 1, 1], [0, 0, 0]), np.array([1, 0, 1]), 2, np.ones(3), distinct=True)
    assert nodes.first.tolist() == [1, 0, 2]
    assert nodes.weights.tolist() == [1.0, 1.0, 1.0]


def test_classes_look_at_each_other():
    """Of two classes, rows of the lower one count by how far others are above, those of the higher by how far below."""
    plain = merge(rows_of([1, 2], [0, 0]), np.array([0, 1]), 2, np.ones(2))
    assert orient_classes(plain) is plain
    ordered = Rows(
        np.empty((2, 0)), np.empty((2, 0), dtype=np.int32), np.empty(0), np.array([[1.0], [2.0]]), np.ones(2)
    )
    nodes = orient_classes(merge(ordered, np.array([0, 1]), 2, np.ones(2)))
    assert nodes.rows.orientation.tolist() == [1.0, -1.0]
