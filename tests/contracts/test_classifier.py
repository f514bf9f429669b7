"""FGAClassifier as an estimator: its parameters, and the tools of scikit-learn that build on it."""

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from fgac import FGAClassifier


@pytest.fixture(scope="module")
def iris():
    """Return 75 rows of iris."""
    X, y = load_iris(return_X_y=True)
    return X[::2], y[::2]


def test_parameters_are_keyword_only_with_these_defaults():
    """The signature is a promise."""
    defaults = FGAClassifier().get_params()
    assert defaults["tol"] > 0
    del defaults["tol"]
    assert defaults == {
        "gamma": 1.0,
        "loss": "squared_error",
        "metric": "euclidean",
        "scale": "auto",
        "categorical_features": "from_dtype",
        "feature_weights": None,
        "monotonic_cst": None,
        "class_weight": None,
        "n_neighbors": None,
        "neighbors_among": "others",
        "owa": None,
        "isomorphism": None,
        "ties": "nearest",
        "n_jobs": None,
        "verbose": defaults["verbose"],
    }
    assert not defaults["verbose"]
    with pytest.raises(TypeError):
        FGAClassifier(1.0)


def test_repr_tells_what_was_changed():
    """The representation names the parameters that are not at their defaults."""
    assert repr(FGAClassifier(gamma=2.0, ties="first")) == "FGAClassifier(gamma=2.0, ties='first')"


def test_fit_leaves_parameters_alone(iris):
    """Fitting only adds attributes that end in an underscore."""
    weights = [1.0, 2.0, 1.0, 0.5]
    model = FGAClassifier(feature_weights=weights, class_weight="balanced")
    before = dict(vars(model))
    model.fit(*iris)
    assert {name: value for name, value in vars(model).items() if name in before} == before
    assert all(name.endswith("_") or name.startswith("_") for name in set(vars(model)) - set(before))
    assert weights == [1.0, 2.0, 1.0, 0.5]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_pickle_round_trip(iris, metric):
    """A model from a file predicts what the model in memory predicts."""
    X, y = iris
    model = FGAClassifier(metric=metric).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(copy.arguments(X).arguments_for.indices, model.arguments(X).arguments_for.indices)
    assert copy.solution_.is_optimal()


def test_set_output_does_not_apply():
    """A classifier transforms nothing, so it offers no set_output."""
    assert not hasattr(FGAClassifier(), "set_output")


def test_grid_search_over_gamma(iris):
    """A search refits with the gamma it found, and the result is a plain fit with that gamma."""
    X, y = iris
    search = GridSearchCV(FGAClassifier(), {"gamma": [0.01, 1.0, 5.0]}, cv=3).fit(X, y)
    direct = FGAClassifier(gamma=search.best_params_["gamma"]).fit(X, y)
    np.testing.assert_array_equal(search.predict_proba(X), direct.predict_proba(X))
    assert search.best_score_ > 0.9


def test_cross_validation_slices_a_precomputed_matrix(iris):
    """scikit-learn must know that the metric is pairwise, and cut both sides of the matrix."""
    X, y = iris
    folds = StratifiedKFold(3)
    matrix = euclidean_distances(X) / 2.0
    precomputed = cross_validate(FGAClassifier(metric="precomputed"), matrix, y, cv=folds)["test_score"]
    plain = cross_validate(FGAClassifier(scale=None), X, y, cv=folds)["test_score"]
    np.testing.assert_allclose(precomputed, plain)


def test_sample_weight_is_routed_through_a_pipeline(iris):
    """With metadata routing each fold's model gets the weights of its own training rows."""
    X, y = iris
    weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    folds = StratifiedKFold(3)
    with sklearn.config_context(enable_metadata_routing=True):
        classifier = FGAClassifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        result = cross_validate(
            Pipeline([("scaler", scaler), ("classifier", classifier)]),
            X,
            y,
            cv=folds,
            # Not the pipeline's own score, which asks for no weights in scikit-learn 1.6.
            scoring=make_scorer(accuracy_score).set_score_request(sample_weight=True),
            params={"sample_weight": weights},
            return_estimator=True,
        )
        own = [
            pipeline.score(X[test], y[test], sample_weight=weights[test])
            for (_, test), pipeline in zip(folds.split(X, y), result["estimator"], strict=True)
        ]
    np.testing.assert_array_equal(own, result["test_score"])
    for (train, _), pipeline in zip(folds.split(X, y), result["estimator"], strict=True):
        scaled = StandardScaler().fit_transform(X[train])
        expected = FGAClassifier().fit(scaled, y[train], sample_weight=weights[train])
        np.testing.assert_allclose(pipeline["classifier"].beta_, expected.beta_, atol=1e-9)
