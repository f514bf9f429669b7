"""The smallest tables: one class, one row, two rows, nothing but duplicates."""

import numpy as np
import pytest

from fgac import FGAClassifier

METRICS = ["euclidean", "manhattan", "chebyshev"]


@pytest.mark.parametrize("metric", METRICS)
def test_a_single_class_is_always_predicted(metric):
    """Nothing contradicts a single class: beta and upper bound are 1, the lower bound falls with distance."""
    model = FGAClassifier(metric=metric, scale=None).fit([[0.0], [1.0], [1.0]], ["only"] * 3)
    np.testing.assert_array_equal(model.beta_, [1.0, 1.0, 1.0])
    memberships = model.memberships([[1.25], [99.0]])
    np.testing.assert_allclose(memberships.lower, [[0.75], [0.0]], atol=1e-12)
    np.testing.assert_allclose(memberships.upper, [[1.0], [1.0]])
    np.testing.assert_array_equal(model.predict([[0.5], [99.0]]), ["only", "only"])
    np.testing.assert_allclose(model.predict_proba([[0.5], [99.0]]), 1.0)
    assert model.solution_.is_optimal()


@pytest.mark.parametrize("metric", METRICS)
def test_a_single_row(metric):
    """One row is one class."""
    model = FGAClassifier(metric=metric).fit([[3.0, 4.0]], [7])
    np.testing.assert_array_equal(model.beta_, [1.0])
    np.testing.assert_array_equal(model.predict([[3.0, 4.0], [0.0, 0.0]]), [7, 7])


@pytest.mark.parametrize("metric", METRICS)
def test_two_rows_by_hand(metric):
    """Two rows a range apart in the only column: distance 1. With gamma = 0.5 the memberships share 1.5."""
    model = FGAClassifier(gamma=0.5, metric=metric).fit([[10.0], [20.0]], ["a", "b"])
    np.testing.assert_allclose(model.beta_, [0.75, 0.75], atol=1e-12)
    memberships = model.memberships([[12.0]])
    np.testing.assert_allclose(memberships.lower, [[0.65, 0.35]], atol=1e-12)
    np.testing.assert_allclose(memberships.upper, [[0.65, 0.35]], atol=1e-12)
    np.testing.assert_array_equal(model.predict([[12.0], [17.0]]), ["a", "b"])


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_nothing_but_duplicates(n_classes):
    """Equal rows of K classes: every membership is 1/2, and predicting them is a guess that must not fail."""
    model = FGAClassifier().fit(np.ones((n_classes, 2)), np.arange(n_classes))
    np.testing.assert_allclose(model.beta_, 0.5, atol=1e-12)
    assert model.predict([[1.0, 1.0]])[0] in range(n_classes)
    np.testing.assert_allclose(model.predict_proba([[1.0, 1.0]]), 1.0 / n_classes, atol=1e-12)


def test_an_empty_table_is_refused():
    """No rows: a clear error."""
    with pytest.raises(ValueError, match=r"(?i)sample"):
        FGAClassifier().fit(np.empty((0, 2)), np.empty(0))


def test_equal_rows_of_one_class_have_equal_memberships():
    """Merged rows are expanded again: one beta per row as given."""
    X, y = [[0.0], [1.0], [0.0], [1.0], [0.0]], ["a", "b", "a", "b", "b"]
    beta = FGAClassifier(gamma=0.5).fit(X, y).beta_
    assert beta.shape == (5,)
    assert beta[0] == beta[2]
    assert beta[1] == beta[3]


@pytest.mark.parametrize("labels", [[0, 1], [True, False], ["x", "y"], [-3, 10]])
def test_labels_come_back_as_they_went_in(labels):
    """Classes keep their values and their type."""
    y = np.array(labels)
    model = FGAClassifier().fit([[0.0], [1.0]], y)
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), y)
    assert model.predict([[0.0]]).dtype == y.dtype
    np.testing.assert_array_equal(model.classes_, np.unique(y))
