"""The published protocol: folds, repetition of rows, scales, distances, near constraints."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from fgac.experiments.methods import protocol
from fgac.experiments.methods.approximate import Training

pytest.importorskip("pandas")
pytest.importorskip("imblearn")


def some_rows(seed, n=60, n_classes=3, grid=None):
    """Rows with two numbers and a column of 0 and 1, unequal classes, some rows equal."""
    random = np.random.default_rng(seed)
    X = np.column_stack([random.normal(size=(n, 2)) * [1.0, 40.0], random.integers(0, 2, n)])
    if grid is not None:
        X[:, :2] = np.round(X[:, :2] / [1.0, 40.0] * grid)
    y = np.append(np.arange(n_classes), np.minimum(random.geometric(0.5, n - n_classes) - 1, n_classes - 1))
    X[1::7] = X[0]
    return X, y


def test_folds_are_those_of_the_published_runs():
    """Stratified, shuffled, seed 10: pinned, since everything depends on them."""
    y = np.repeat([0, 1], [10, 5])
    tests = [test.tolist() for _, test in protocol.splits(y)]
    assert sorted(position for test in tests for position in test) == list(range(15))
    assert tests == [[5, 6, 14], [1, 4, 13], [2, 8, 10], [3, 7, 12], [0, 9, 11]]
    assert all((y[test] == 1).sum() == 1 for test in tests)


def test_oversampling_repeats_rows_until_classes_are_equal():
    """Rows are only repeated: the first ones are the given ones."""
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 1, 1, 2])
    rows, classes = protocol.oversampled(X, y)
    np.testing.assert_array_equal(rows[:8], X)
    np.testing.assert_array_equal(np.bincount(classes), [5, 5, 5])
    for row, code in zip(rows[:, 0], classes, strict=True):
        assert y[int(row)] == code
    again, _ = protocol.oversampled(X, y)
    np.testing.assert_array_equal(again, rows)


@pytest.mark.parametrize(("relation", "nominal"), [("euclidean", np.sqrt(0.5)), ("supremum", 1.0)])
def test_scale_is_that_of_the_training_rows(relation, nominal):
    """The range from the 1st to the 99th percentile of the training rows is 1; the test rows have no say."""
    train = np.column_stack([np.linspace(0, 100, 101), np.arange(101) % 2])
    a, b = protocol.scaled(train, np.array([[1.0, 1.0], [99.0, 0.0]]), relation)
    assert b[1, 0] - b[0, 0] == pytest.approx(1.0)
    assert b[:, 1].tolist() == [nominal, 0.0]
    assert set(a[:, 1]) == {0.0, nominal}
    c, _ = protocol.scaled(train, np.array([[1e9, 0.0]]), relation)
    np.testing.assert_array_equal(a, c)
    assert train[-1, 0] == 100.0, "the given rows are left as they are"


def test_columns_keep_their_roles_in_the_test_part():
    """A numeric column whose test values happen to be 0 and 1 is scaled as in training."""
    train = np.array([[0.0], [50.0], [100.0]])
    _, b = protocol.scaled(train, np.array([[0.0], [1.0]]), "euclidean")
    assert b[1, 0] - b[0, 0] == pytest.approx(1 / 98)


def test_tables_without_numbers_can_be_scaled():
    """As breast, whose columns are all nominal."""
    a, _ = protocol.scaled(np.eye(3), np.eye(3), "euclidean")
    np.testing.assert_allclose(a, np.eye(3) * np.sqrt(0.5))
    # Two different categories differ in two columns, which add up to 1 under the root.
    assert protocol.distances(a[:1], a[1:2], "euclidean")[0, 0] == pytest.approx(1 / np.sqrt(3))


@pytest.mark.parametrize("relation", protocol.RELATIONS)
@pytest.mark.parametrize("n_classes", [2, 4])
@given(seed=st.integers(0, 1000))
def test_all_constraints_give_the_memberships_of_the_classifier(relation, n_classes, seed):
    """Repeated rows are one node here and there."""
    X, y = some_rows(seed, n_classes=n_classes)
    X, _ = protocol.scaled(X, X, relation)
    training = Training.of(X, y, relation)
    beta, solution = training.chosen(1.0).solve(2.0, "mse")
    metric = "chebyshev" if relation == "supremum" else relation
    model = FGAClassifier(gamma=2.0, metric=metric, scale=None, categorical_features=None).fit(X, y)
    np.testing.assert_allclose(beta[training.nodes.node_of_row], model.beta_, atol=1e-9)
    assert solution.is_optimal()
    counts = np.bincount(training.nodes.classes)
    assert len(training.chosen(1.0)) == (counts.sum() ** 2 - (counts**2).sum()) // 2


@pytest.mark.parametrize("loss", ["mse", "mae"])
@pytest.mark.parametrize("n_classes", [2, 4])
@given(seed=st.integers(0, 1000))
def test_near_constraints_with_ties_are_those_of_the_classifier(loss, n_classes, seed):
    """Also on a grid, where many distances are equal."""
    X, y = some_rows(seed, n_classes=n_classes, grid=2)
    training = Training.of(X, y, "euclidean")
    beta, _ = training.chosen(0.1).solve(0.7, loss)
    full = {"mse": "squared_error", "mae": "absolute_error"}[loss]
    options = {"gamma": 0.7, "scale": None, "loss": full, "categorical_features": None}
    model = FGAClassifier(n_neighbors=0.1, **options).fit(X, y)
    np.testing.assert_allclose(beta[training.nodes.node_of_row], model.beta_, atol=1e-9)


def pairs(training, nn, neighbours):
    """The constrained pairs as pairs of positions of first rows."""
    chosen = training.chosen(nn, neighbours)
    first = training.nodes.first
    return {frozenset((int(first[u]), int(first[v]))) for u, v in zip(chosen.u, chosen.v, strict=True)}


def test_rules_for_equally_near_rows():
    """Row 0 may keep one of rows 1, 2 and 3, which are equally far and have nearer rows of their own."""
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [1.1, 0.0], [0.0, 1.1], [-1.1, 0.0]])
    y = np.array([0, 1, 1, 1, 0, 0, 0])
    training = Training.of(X, y, "euclidean")
    own = {frozenset(pair) for pair in [(1, 4), (2, 5), (3, 6)]}
    assert pairs(training, 0.2, "index") == own | {frozenset((0, 1))}
    assert pairs(training, 0.2, "ties") == own | {frozenset((0, k)) for k in (1, 2, 3)}


@pytest.mark.parametrize("neighbours", ["ties", "index"])
def test_repeated_rows_fill_places(neighbours):
    """A row that stands twice fills both places of row 0, which has none left for row 3."""
    X, y = np.array([[0.0], [0.1], [0.1], [0.5], [0.51], [0.52]]), np.array([0, 1, 1, 1, 0, 0])
    kept = pairs(Training.of(X, y, "euclidean"), 0.34, neighbours)
    assert frozenset((0, 1)) in kept
    assert frozenset((0, 3)) not in kept
    X[2] = 0.2
    assert frozenset((0, 3)) not in pairs(Training.of(X, y, "euclidean"), 0.34, neighbours)
    assert frozenset((0, 3)) in pairs(Training.of(X, y, "euclidean"), 0.51, neighbours)


@given(seed=st.integers(0, 1000), nn=st.sampled_from([0.02, 0.1, 0.5]))
def test_ties_do_not_depend_on_the_order_of_rows(seed, nn):
    """The same betas for shuffled rows."""
    X, y = some_rows(seed, grid=1)
    order = np.random.default_rng(seed).permutation(len(X))
    training, shuffled = Training.of(X, y, "supremum"), Training.of(X[order], y[order], "supremum")
    beta, _ = training.chosen(nn).solve(0.5, "mse")
    again, _ = shuffled.chosen(nn).solve(0.5, "mse")
    np.testing.assert_allclose(beta[training.nodes.node_of_row][order], again[shuffled.nodes.node_of_row], atol=1e-9)


@given(seed=st.integers(0, 1000))
def test_the_first_rows_are_part_of_those_with_ties(seed):
    """Whoever takes all equally near rows takes the first of them."""
    X, y = some_rows(seed, grid=1)
    training = Training.of(X, y, "euclidean")
    assert pairs(training, 0.05, "index") <= pairs(training, 0.05, "ties")
    assert pairs(training, 0.9, "index") <= pairs(training, 1.0, "ties")
