"""Bounds, degrees, labels and probabilities against plain loops over the paper's formulas."""

import numpy as np
import pytest
from hypothesis import given

from fgac import FGAClassifier
from support.oracles import NaiveModel, table_distances
from support.strategies import queries, table_cases


def fit_both(case, **parameters):
    """Fit both, the naive model from the library's memberships; return them, queries and distances."""
    metric = parameters.get("metric", "euclidean")
    model = FGAClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y, sample_weight=case.weights)
    naive = NaiveModel(model.beta_, case.y, table_distances(case.X, case.X, case.X, metric=metric), case.gamma)
    Q = np.vstack([queries(len(case.y)), case.X])
    return model, naive, Q, table_distances(Q, case.X, case.X, metric=metric)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@given(case=table_cases())
def test_memberships_equal_the_formulas(case, metric):
    """Lower bound, upper bound and their mean, at training rows, between them and far away."""
    model, naive, Q, to_training = fit_both(case, metric=metric)
    memberships = model.memberships(Q)
    assert memberships._fields == ("lower", "upper", "degree")
    np.testing.assert_allclose(memberships.lower, naive.lower(to_training), atol=1e-9)
    np.testing.assert_allclose(memberships.upper, naive.upper(to_training), atol=1e-9)
    np.testing.assert_allclose(memberships.degree, naive.degree(to_training), atol=1e-9)


@pytest.mark.parametrize("ties", ["nearest", "first"])
@given(case=table_cases())
def test_labels_follow_the_rule(case, ties):
    """The label has the largest degree; ties by the unclipped lower bounds, or by order."""
    model, naive, Q, to_training = fit_both(case, ties=ties)
    columns = np.searchsorted(model.classes_, model.predict(Q))
    acceptable = naive.acceptable(to_training, ties)
    assert acceptable[np.arange(len(Q)), columns].all()


@given(table_cases())
def test_probabilities_are_degrees_made_to_sum_to_one(case):
    """predict_proba divides the degrees of a row by their sum."""
    model, naive, Q, to_training = fit_both(case)
    probabilities = model.predict_proba(Q)
    degree = naive.degree(to_training)
    np.testing.assert_allclose(probabilities, degree / degree.sum(axis=1, keepdims=True), atol=1e-9)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, atol=1e-12)
    assert probabilities.min() >= 0.0


@pytest.mark.parametrize("ties", ["nearest", "first"])
@given(case=table_cases())
def test_scores_agree_with_labels(case, ties):
    """The largest entry of decision_function and of predict_proba is the label predict gives, ties included."""
    model, _, Q, _ = fit_both(case, ties=ties)
    labels, scores = model.predict(Q), model.decision_function(Q)
    by_score = (scores > 0.0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    np.testing.assert_array_equal(model.classes_[by_score], labels)
    np.testing.assert_array_equal(model.classes_[model.predict_proba(Q).argmax(axis=1)], labels)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_shape_of_the_decision_function(n_classes):
    """One column of signed scores for two classes, one column per class for more."""
    X = np.arange(12.0)[:, None]
    scores = FGAClassifier().fit(X, np.arange(12) % n_classes).decision_function(X[:5])
    assert scores.shape == ((5,) if n_classes == 2 else (5, n_classes))


@given(table_cases())
def test_prediction_in_pieces_is_prediction_at_once(case):
    """A row's memberships do not depend on the rows asked with it."""
    model, _, Q, _ = fit_both(case)
    at_once = model.memberships(Q).degree
    one_by_one = np.vstack([model.memberships(Q[i : i + 1]).degree for i in range(len(Q))])
    np.testing.assert_allclose(at_once, one_by_one, atol=1e-12)


def test_blocks_do_not_change_predictions():
    """A working memory too small for one block gives the numbers of a large one, training included."""
    import sklearn

    rng = np.random.default_rng(0)
    X, y, Q = rng.normal(size=(300, 4)), rng.integers(0, 3, 300), rng.normal(size=(500, 4))
    large = FGAClassifier(gamma=2.0).fit(X, y)
    with sklearn.config_context(working_memory=1):
        small = FGAClassifier(gamma=2.0).fit(X, y)
        np.testing.assert_allclose(small.memberships(Q).degree, large.memberships(Q).degree, atol=1e-9)
    np.testing.assert_allclose(small.beta_, large.beta_, atol=1e-9)
