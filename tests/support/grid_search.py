"""What searches over gamma are compared with: a grid search of scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

GAMMAS = (0.5, 1.0, 2.0, 5.0)
# What a search has in common with a plain estimator: the paper's settings, which are no defaults of a search.
PLAIN = {"metric": "euclidean", "scale": "range"}
PLAIN_CLASSES = {**PLAIN, "class_weight": None}


def balanced_where_guesses_are_chance(estimator, X, y, sample_weight=None, n_classes=None):
    """Return the default score of classes, found the slow way: 1/K for every row that no training row argues about."""
    memberships = estimator.memberships(X)
    guess = (memberships.lower.max(axis=1) <= 1e-9) & (memberships.upper.min(axis=1) >= 1 - 1e-9)
    y, predicted = np.asarray(y), estimator.predict(X)
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    recalls = []
    for label in np.unique(y):
        rows = [i for i in range(len(y)) if y[i] == label and weight[i] > 0]
        worth = [1 / n_classes if guess[i] else float(predicted[i] == label) for i in rows]
        if rows:
            recalls.append(np.average(worth, weights=[weight[i] for i in rows]))
    if not guess.any():
        assert np.mean(recalls) == pytest.approx(balanced_accuracy_score(y, predicted, sample_weight=sample_weight))
    return float(np.mean(recalls))


def default_score(y):
    """Return the default score of classes as a scorer for labels like these."""
    n_classes = len(np.unique(np.asarray(y)))

    def score(estimator, X, y, sample_weight=None):
        return balanced_where_guesses_are_chance(estimator, X, y, sample_weight, n_classes)

    return score


def classes_off(order, truth, predicted):
    """Return by how many classes predictions are off, in the mean over the classes; None is the middle class."""
    middle = (len(order) - 1) / 2
    parts = []
    for c, label in enumerate(order):
        off = [
            abs(c - (middle if p is None else order.index(p)))
            for t, p in zip(truth, predicted, strict=True)
            if t == label
        ]
        parts += [np.mean(off)] if off else []
    return float(np.mean(parts))


def scores_of(results):
    """Return the scores of all gammas in all splits, of our results or of a grid search's."""
    n_splits = sum(name.startswith("split") and name.endswith("_test_score") for name in results)
    return np.array([results[f"split{i}_test_score"] for i in range(n_splits)]).T


def assert_like_a_grid_search(found, search):
    """Assert that results, ranks, choice and the model for the chosen gamma are the same."""
    ours, theirs = found.cv_results_, search.cv_results_
    assert ours["params"] == theirs["params"]
    assert [float(gamma) for gamma in ours["param_gamma"]] == [params["gamma"] for params in theirs["params"]]
    np.testing.assert_allclose(scores_of(ours), scores_of(theirs), rtol=0, atol=1e-12)
    for name in ("mean_test_score", "std_test_score"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(ours["rank_test_score"], theirs["rank_test_score"])
    assert found.gamma_ == search.best_params_["gamma"]
    assert found.best_score_ == pytest.approx(search.best_score_, abs=1e-12)
    assert found.n_splits_ == search.n_splits_
    np.testing.assert_allclose(found.beta_, search.best_estimator_.beta_, atol=1e-9)


def certainty(estimator, X, y):
    """Return the mean degree of the true class: a score of a user's, with a real value."""
    degrees = estimator.memberships(X).degree
    return float(degrees[np.arange(len(X)), np.searchsorted(estimator.classes_, y)].mean())
