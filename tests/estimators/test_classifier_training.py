"""Training against two general formulations: ``beta_`` is the unique optimum of the paper's problem."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from support.oracles import beta_oracle, table_distances, training_violation, two_copies_oracle
from support.strategies import table_cases

METRICS = ["euclidean", "manhattan", "chebyshev"]


@pytest.mark.parametrize("n_classes", [2, 3, 4, 5, 6])
@given(data=st.data())
def test_beta_is_the_optimum_of_both_forms(n_classes, data):
    """Ties, duplicates within and across classes, unequal weights, from two to six classes."""
    case = data.draw(table_cases(n_classes=n_classes))
    model = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    distances = table_distances(case.X, case.X, case.X)
    np.testing.assert_allclose(
        model.beta_,
        beta_oracle(distances, case.y, case.gamma, case.weights),
        atol=1e-7,
        err_msg="native form",
    )
    np.testing.assert_allclose(
        model.beta_,
        two_copies_oracle(distances, case.y, case.gamma, case.weights),
        atol=1e-7,
        err_msg="two copies",
    )


@pytest.mark.parametrize("metric", METRICS)
@given(case=table_cases())
def test_every_metric(case, metric):
    """Each metric with its own normalisation, unscaled columns."""
    model = FGAClassifier(gamma=case.gamma, metric=metric, scale=None).fit(case.X, case.y)
    distances = table_distances(case.X, case.X, case.X, metric=metric, scale=None)
    np.testing.assert_allclose(model.beta_, beta_oracle(distances, case.y, case.gamma), atol=1e-7)


@pytest.mark.parametrize("metric", METRICS)
@given(case=table_cases(max_rows=10))
def test_constant_columns_count_but_do_not_differ(case, metric):
    """A constant column adds one to |Q| and nothing to any difference."""
    X = np.column_stack([np.full(len(case.y), 7.0), case.X])
    model = FGAClassifier(gamma=case.gamma, metric=metric).fit(X, case.y)
    distances = table_distances(X, X, X, metric=metric)
    np.testing.assert_allclose(model.beta_, beta_oracle(distances, case.y, case.gamma), atol=1e-7)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("gamma", [0.1, 0.5, 2.0, 1e6])
def test_a_larger_problem(metric, gamma):
    """Ninety rows of three overlapping classes, real-valued, from flat to nearly free."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 30)
    X = rng.normal(size=(90, 3)) + 0.7 * y[:, None]
    model = FGAClassifier(gamma=gamma, metric=metric).fit(X, y)
    distances = table_distances(X, X, X, metric=metric)
    np.testing.assert_allclose(model.beta_, beta_oracle(distances, y, gamma), atol=1e-7)
    assert training_violation(model.beta_, distances, y, gamma) <= 1e-9
    assert model.solution_.is_optimal(1e-9)


@given(table_cases())
def test_the_solution_proves_itself(case):
    """The fitted solution is optimal by its own proof, and no pair of training rows is violated."""
    model = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    assert model.solution_.is_optimal(1e-9)
    distances = table_distances(case.X, case.X, case.X)
    assert training_violation(model.beta_, distances, case.y, case.gamma) <= 1e-9
    assert model.beta_.min() >= -1e-12
    assert model.beta_.max() <= 1 + 1e-12


@given(table_cases())
def test_no_membership_can_be_raised(case):
    """beta_u = min(1, min over other classes of 1 + gamma d - beta_v): as large as the others allow."""
    model = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights)
    room = 1.0 + case.gamma * table_distances(case.X, case.X, case.X) - model.beta_[None, :]
    room[case.y[:, None] == case.y[None, :]] = np.inf
    np.testing.assert_allclose(model.beta_, np.minimum(1.0, room.min(axis=1)), atol=1e-8)


def test_contradicting_rows_split_by_weight():
    """Equal rows with different labels, weights 3 and 1: memberships 3/4 and 1/4, whatever gamma is."""
    X, y = [[0.0], [0.0], [1.0]], ["a", "b", "a"]
    for gamma in (0.1, 1.0, 100.0):
        model = FGAClassifier(gamma=gamma).fit(X, y, sample_weight=[3.0, 1.0, 1e-9])
        np.testing.assert_allclose(model.beta_[:2], [0.75, 0.25], atol=1e-6)
