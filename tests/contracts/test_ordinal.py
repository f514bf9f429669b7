"""FGAOrdinalClassifier as an estimator: its parameters, and searches for gamma."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fgac import FGAOrdinalClassifier


def ordered(n=100, seed=0):
    """Return rows and three classes in the order of their names."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 2))
    return X, np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.2 * rng.standard_normal(n), [0.35, 0.65])]


def test_gamma_is_chosen_by_a_grid_search():
    """Also within a pipeline, also with an order that is not sorted."""
    X, y = ordered()
    estimator = FGAOrdinalClassifier(class_order=["c", "b", "a"], monotonic_cst=[-1, 0])
    search = GridSearchCV(estimator, {"gamma": [0.5, 2.0, 8.0]}, scoring="balanced_accuracy").fit(X, y)
    alone = [
        cross_val_score(clone(estimator).set_params(gamma=g), X, y, scoring="balanced_accuracy").mean()
        for g in (0.5, 2.0, 8.0)
    ]
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], alone)
    assert search.best_estimator_.class_order_.tolist() == ["c", "b", "a"]
    assert search.best_score_ > 0.5
    pipeline = make_pipeline(StandardScaler(), FGAOrdinalClassifier(monotonic_cst=[1, 0])).fit(X, y)
    assert pipeline.score(X, y) > 0.5


def test_parameters_are_keyword_only_with_these_defaults():
    """The signature is a promise."""
    assert FGAOrdinalClassifier().get_params() == {
        "class_order": None,
        "gamma": 1.0,
        "loss": "squared_error",
        "metric": "euclidean",
        "scale": "auto",
        "categorical_features": "from_dtype",
        "feature_weights": None,
        "monotonic_cst": None,
        "class_weight": None,
        "ties": "nearest",
        "tol": 1e-10,
        "n_jobs": None,
        "verbose": 0,
    }
    with pytest.raises(TypeError):
        FGAOrdinalClassifier(["a", "b"])


@pytest.mark.parametrize(
    ("name", "value"),
    [("gamma", 0.0), ("gamma", "2"), ("loss", "huber"), ("ties", "last"), ("tol", -1.0), ("n_jobs", 0)],
)
def test_wrong_parameters_are_refused(name, value):
    """Before anything is computed, with the name of the parameter."""
    X, y = ordered(20)
    with pytest.raises((ValueError, TypeError), match=name):
        FGAOrdinalClassifier(**{name: value}).fit(X, y)
