"""What searches over gamma are compared with: a grid search of scikit-learn."""

import numpy as np
import pytest

GAMMAS = (0.5, 1.0, 2.0, 5.0)


def scores_of(results):
    """Return the scores of all gammas in all splits, of our results or of a grid search's."""
    n_splits = sum(name.startswith("split") for name in results)
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
