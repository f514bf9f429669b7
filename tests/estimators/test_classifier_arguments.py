"""Arguments for and against: the strongest training rows, told with their true numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from support.oracles import NaiveModel, table_distances
from support.strategies import queries, table_cases


def first_of_equal_rows(X, y):
    """Mark the rows that have no equal row of the same class before them."""
    seen, first = set(), []
    for row, label in zip(map(tuple, X), y, strict=True):
        first.append((row, label) not in seen)
        seen.add((row, label))
    return np.array(first)


def assert_arguments_are_true(table, strengths, similarities, beta, n_arguments):
    """Compare one cell (one row, class and side) with the naive strengths of all training rows."""
    indices, table_similarities, table_memberships, table_strengths, table_degrees = table
    may_speak = np.flatnonzero(~np.isnan(strengths))
    n_told = min(n_arguments, len(may_speak))
    told, rest = indices[:n_told], indices[n_told:]
    assert len(set(told.tolist())) == n_told
    assert set(told.tolist()) <= set(may_speak.tolist())
    np.testing.assert_allclose(table_strengths[:n_told], np.sort(strengths[may_speak])[::-1][:n_told], atol=1e-9)
    np.testing.assert_allclose(table_strengths[:n_told], strengths[told], atol=1e-9)
    np.testing.assert_allclose(table_similarities[:n_told], similarities[told], atol=1e-9)
    np.testing.assert_allclose(table_memberships[:n_told], beta[told], atol=1e-12)
    assert np.all(rest == -1)
    added = np.maximum(0.0, table_similarities + table_degrees - 1.0)
    np.testing.assert_allclose(table_strengths[:n_told], added[:n_told], atol=1e-9)
    for numbers in (table_similarities, table_memberships, table_strengths, table_degrees):
        assert np.all(numbers[n_told:] == 0.0)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@given(case=table_cases(max_rows=10), n_arguments=st.integers(1, 6))
def test_arguments_are_the_strongest_rows(case, n_arguments, metric):
    """Indices, similarities, memberships and strengths equal the formulas; missing ones are -1 and 0."""
    model = FGAClassifier(gamma=case.gamma, metric=metric).fit(case.X, case.y)
    naive = NaiveModel(model.beta_, case.y, table_distances(case.X, case.X, case.X, metric=metric), case.gamma)
    Q = queries(4, n=6)
    to_training = table_distances(Q, case.X, case.X, metric=metric)
    arguments = model.arguments(Q, n_arguments=n_arguments)
    first = first_of_equal_rows(case.X, case.y)
    for i, row in enumerate(to_training):
        similarities = np.maximum(0.0, 1.0 - case.gamma * row)
        for column, k in enumerate(naive.classes):
            for side, table in zip(("favour", "against"), arguments, strict=True):
                strengths = np.where(first, naive.strengths(row, k, side), np.nan)
                cell = [part[i, column] for part in table]
                assert_arguments_are_true(cell, strengths, similarities, model.beta_, n_arguments)


@given(table_cases())
def test_arguments_add_up_to_the_prediction(case):
    """The strongest argument for is the lower bound, the strongest against is one minus the upper bound."""
    model = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    Q = np.vstack([queries(5), case.X])
    arguments, memberships = model.arguments(Q, n_arguments=1), model.memberships(Q)
    np.testing.assert_allclose(arguments.arguments_for.strengths[:, :, 0], memberships.lower, atol=1e-9)
    np.testing.assert_allclose(1.0 - arguments.arguments_against.strengths[:, :, 0], memberships.upper, atol=1e-9)


def test_shapes_and_names():
    """Three arguments unless told otherwise; each table has four arrays of (rows, classes, arguments)."""
    X, y = np.arange(20.0)[:, None], np.arange(20) % 3
    arguments = FGAClassifier().fit(X, y).arguments(X[:5])
    assert arguments._fields == ("arguments_for", "arguments_against")
    for table in arguments:
        assert table._fields == ("indices", "similarities", "memberships", "strengths", "degrees")
        assert all(part.shape == (5, 3, 3) for part in table)
        assert np.issubdtype(table.indices.dtype, np.integer)


def test_the_nearest_row_argues_first():
    """Well separated rows: the query's neighbour speaks for its class, the nearest foreign row against."""
    X, y = np.array([[0.0], [1.0], [9.0], [10.0]]), np.array(["a", "a", "b", "b"])
    arguments = FGAClassifier(gamma=1.2).fit(X, y).arguments([[1.5]], n_arguments=2)
    np.testing.assert_array_equal(arguments.arguments_for.indices[0, 0], [1, 0])
    np.testing.assert_array_equal(arguments.arguments_against.indices[0, 0], [2, 3])


def test_rows_of_weight_zero_never_argue():
    """A row of weight 0 is absent: its equal of positive weight is told instead."""
    X, y = [[0.0], [0.0], [1.0]], [0, 0, 1]
    model = FGAClassifier().fit(X, y, sample_weight=[0.0, 1.0, 1.0])
    arguments = model.arguments([[0.2]])
    np.testing.assert_array_equal(arguments.arguments_for.indices[0, 0], [1, -1, -1])


def test_a_single_class_has_nothing_against_it():
    """Without other classes there are no arguments against, and the upper bound stays 1."""
    model = FGAClassifier().fit([[0.0], [1.0]], ["only", "only"])
    arguments = model.arguments([[0.5]])
    assert np.all(arguments.arguments_against.indices == -1)
    assert np.all(arguments.arguments_against.strengths == 0.0)


@pytest.mark.parametrize("n_arguments", [0, -1, 1.5, "three"])
def test_the_number_of_arguments_is_a_positive_whole_number(n_arguments):
    """Anything else is refused, by the parameter's name."""
    model = FGAClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises((ValueError, TypeError), match="n_arguments"):
        model.arguments([[0.5]], n_arguments=n_arguments)


def test_old_names_of_the_two_sides_warn():
    arguments = FGAClassifier().fit([[0.0], [1.0]], ["a", "b"]).arguments([[0.2]])
    with pytest.warns(FutureWarning, match="favour is now called arguments_for"):
        assert arguments.favour is arguments.arguments_for
    with pytest.warns(FutureWarning, match="against is now called arguments_against"):
        assert arguments.against is arguments.arguments_against
