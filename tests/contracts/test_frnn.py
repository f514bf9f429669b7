"""FRNNClassifier as an estimator: parameters, searches, and errors in words."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate

from fgac.estimators.frnn import FRNNClassifier


@pytest.fixture(scope="module")
def iris():
    """Return 75 rows of iris."""
    X, y = load_iris(return_X_y=True)
    return X[::2], y[::2]


def test_parameters_are_keyword_only_with_these_defaults():
    """The signature is a promise."""
    assert FRNNClassifier().get_params() == {
        "n_neighbors": None,
        "owa": "additive",
        "over": "class",
        "gamma": 1.0,
        "metric": "euclidean",
        "scale": "auto",
        "categorical_features": "from_dtype",
        "feature_weights": None,
        "n_jobs": None,
    }
    with pytest.raises(TypeError):
        FRNNClassifier(3)


def test_pickle_round_trip(iris):
    """A model from a file predicts what the model in memory predicts."""
    X, y = iris
    model = FRNNClassifier(n_neighbors=3, owa=lambda n: np.ones(n) / n).fit(X, y)
    model.owa = None  # a lambda cannot be pickled, and the fitted model no longer needs it
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_search_over_neighbours_and_weights(iris):
    """Parameters can be searched, and the result is a plain fit with those found."""
    X, y = iris
    search = GridSearchCV(FRNNClassifier(), {"n_neighbors": [1, 5, None], "owa": [None, "additive"]}, cv=3)
    search.fit(X, y)
    direct = FRNNClassifier(**search.best_params_).fit(X, y)
    np.testing.assert_array_equal(search.predict_proba(X), direct.predict_proba(X))
    assert search.best_score_ > 0.9


def test_cross_validation_slices_a_precomputed_matrix(iris):
    """scikit-learn must know that the metric is pairwise, and cut both sides of the matrix."""
    X, y = iris
    folds = StratifiedKFold(3)
    matrix = euclidean_distances(X) / 2.0
    precomputed = cross_validate(FRNNClassifier(metric="precomputed"), matrix, y, cv=folds)["test_score"]
    plain = cross_validate(FRNNClassifier(scale=None), X, y, cv=folds)["test_score"]
    np.testing.assert_allclose(precomputed, plain)


# ----------------------------------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------------------------------

SMALL_X, SMALL_Y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"n_neighbors": 2.0}, "n_neighbors=2.0"),
        ({"n_neighbors": True}, "n_neighbors=True"),
        ({"n_neighbors": "all"}, "n_neighbors='all'.*None"),
        ({"owa": "nonsense"}, "owa='nonsense'.*additive.*exponential.*inverse_additive"),
        ({"owa": 3}, "owa"),
        ({"owa": []}, "owa"),
        ({"owa": [0.7, 0.7]}, "owa.*sum to 1"),
        ({"owa": [1.5, -0.5]}, "owa.*>= 0"),
        ({"owa": [0.5, 0.5], "n_neighbors": 3}, "owa holds 2 weights.*n_neighbors=3"),
        ({"owa": lambda n: [1.0] * (n + 1)}, "owa.*weights"),
        ({"over": "rows"}, "over='rows'.*'class'.*'all'"),
        ({"gamma": 0}, "gamma=0"),
        ({"gamma": "1"}, "gamma='1'"),
        ({"metric": "nonsense"}, "metric='nonsense'.*euclidean"),
        ({"scale": "nonsense"}, "scale='nonsense'.*range"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"feature_weights": [1.0, 2.0]}, "feature_weights"),
        ({"metric": "precomputed", "feature_weights": [1.0]}, "feature_weights.*precomputed"),
        ({"categorical_features": "nonsense"}, "categorical_features"),
    ],
)
def test_wrong_parameters(parameters, words):
    """The message names the parameter and what came."""
    model = FRNNClassifier(**parameters)
    with pytest.raises((ValueError, TypeError), match=words):
        model.fit(SMALL_X, SMALL_Y)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, -1.0, 1.0, 1.0], "negative"),
        ([0.0, 0.0, 0.0, 0.0], "zero for every row"),
        ([1.0, 1.0], "sample_weight"),
        ([1e15, 1.0, 1.0, 1.0], "sample_weight repeats rows"),
    ],
)
def test_weights_that_make_no_sense(weights, words):
    """A weight is a number of repetitions."""
    with pytest.raises(ValueError, match=words):
        FRNNClassifier().fit(SMALL_X, SMALL_Y, sample_weight=weights)


def test_a_function_of_weights_needs_whole_numbers():
    """Which weights there are for two and a half rows, only the families and single weights can tell."""
    model = FRNNClassifier(owa=lambda n: np.ones(n) / n)
    with pytest.raises(ValueError, match=r"sets of 1\.5 rows.*'additive'.*array.*whole numbers"):
        model.fit(SMALL_X, SMALL_Y, sample_weight=[1.0, 0.5, 1.0, 1.0])
    with pytest.raises(ValueError, match="owa='nonsense'"):
        FRNNClassifier(owa="nonsense").fit(SMALL_X, SMALL_Y, sample_weight=[1.0, 0.5, 1.0, 1.0])
    few = model.set_params(n_neighbors=1).fit(SMALL_X, SMALL_Y, sample_weight=[1.0, 0.5, 1.0, 1.0])
    assert np.isfinite(few.memberships(SMALL_X).degree).all()


def test_infinite_values_are_refused_by_column():
    """The message names the column; what is missing is unknown."""
    with pytest.raises(ValueError, match=r"infinity \(inf\) in columns \['1'\]"):
        FRNNClassifier().fit([[0.0, 1.0], [1.0, np.inf], [1.0, np.nan]], [0, 1, 1])
