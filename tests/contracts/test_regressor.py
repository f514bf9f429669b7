"""FGARegressor as an estimator: its parameters, tables, targets, and errors in words."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import is_regressor
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV, KFold, cross_validate

from fgac import FGARegressor, audit


@pytest.fixture(scope="module")
def data():
    """Return 60 rows and targets."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, X[:, 0] + np.abs(X[:, 1]) + 0.2 * rng.normal(size=60)


@pytest.fixture(scope="module")
def houses():
    """Return a frame with a nominal column, and prices."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"area": rng.uniform(40, 200, 50), "town": rng.choice(["Gent", "Lund", "Pisa"], 50)})
    return frame, frame["area"] * np.where(frame["town"] == "Lund", 4.0, 2.0) + rng.normal(size=50)


def test_parameters_are_keyword_only_with_these_defaults():
    """The signature is a promise."""
    assert FGARegressor().get_params() == {
        "gamma": 1.0,
        "loss": "squared_error",
        "quantile": 0.5,
        "target_scale": "range",
        "interval": None,
        "metric": "euclidean",
        "scale": "auto",
        "categorical_features": "from_dtype",
        "feature_weights": None,
        "monotonic_cst": None,
        "tol": 1e-10,
        "n_jobs": None,
        "verbose": 0,
    }
    assert is_regressor(FGARegressor())
    with pytest.raises(TypeError):
        FGARegressor(1.0)


@pytest.mark.parametrize("method", ["predict", "predict_bounds", "predict_interval", "explain"])
def test_methods_need_a_fitted_model(method):
    """Before fit every method says that fit is missing."""
    with pytest.raises(NotFittedError):
        getattr(FGARegressor(), method)([[0.0]])
    with pytest.raises(NotFittedError):
        audit(FGARegressor())
    with pytest.raises(NotFittedError), pytest.warns(FutureWarning, match="contradictions"):
        FGARegressor().contradictions()


def test_frames_of_pandas_and_polars_are_the_same_table(houses):
    """Names of columns are kept, nominal columns are compared as names, and their order is checked."""
    frame, prices = houses
    one = FGARegressor(gamma=3.0).fit(frame, prices)
    other = FGARegressor(gamma=3.0).fit(pl.DataFrame(frame.to_dict("list")), pl.Series(prices.to_numpy()))
    np.testing.assert_array_equal(one.predict(frame[:9]), other.predict(pl.DataFrame(frame[:9].to_dict("list"))))
    assert list(one.feature_names_in_) == ["area", "town"]
    assert one.score(frame, prices) > 0.9
    with pytest.raises(ValueError, match="feature names"):
        one.predict(frame[["town", "area"]])


def test_a_town_that_training_did_not_see_is_like_none(houses):
    """It is predicted nevertheless, between what the others say."""
    frame, prices = houses
    model = FGARegressor(gamma=3.0).fit(frame, prices)
    found = model.predict_bounds(pd.DataFrame({"area": [100.0], "town": ["Oslo"]}))
    assert found.lower[0] < found.prediction[0] < found.upper[0]


def test_precomputed_distances_are_the_same_model(data):
    """A matrix of the distances that the table would give."""
    X, y = data
    matrix = euclidean_distances(X) / np.sqrt(3)
    given, own = FGARegressor(metric="precomputed").fit(matrix, y), FGARegressor(scale=None).fit(X, y)
    np.testing.assert_allclose(given.predict(matrix[:7]), own.predict(X[:7]), atol=1e-9)
    scores = cross_validate(FGARegressor(metric="precomputed"), matrix, y, cv=KFold(3))["test_score"]
    np.testing.assert_allclose(scores, cross_validate(FGARegressor(scale=None), X, y, cv=KFold(3))["test_score"])


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series, lambda y: np.array(y, dtype=np.float32)])
def test_targets_of_every_kind(kind):
    """Whole numbers, floats, bools and nullable numbers are numbers."""
    X = [[0.0], [1.0], [3.0]]
    np.testing.assert_allclose(FGARegressor(gamma=9.0).fit(X, kind([1, 2, 4])).predict(X), [1.0, 2.0, 4.0])
    np.testing.assert_allclose(FGARegressor(gamma=9.0).fit(X, kind([True, False, True])).predict(X), [1.0, 0.0, 1.0])


def test_nullable_numbers_of_pandas_are_numbers():
    """Unless one of them is missing."""
    X = [[0.0], [1.0]]
    fitted = FGARegressor(gamma=9.0).fit(X, pd.Series([1, 2], dtype="Int64"))
    np.testing.assert_array_equal(fitted.predict(X), [1.0, 2.0])
    with pytest.raises(ValueError, match="y contains NaN"):
        FGARegressor().fit(X, pd.Series([1, None], dtype="Int64"))


@pytest.mark.parametrize(
    ("y", "told"),
    [
        ([1.0, np.nan, 2.0], "Input y contains NaN or infinity; leave these rows out"),
        ([1.0, np.inf, 2.0], "Input y contains NaN or infinity; leave these rows out"),
        (["low", "low", "high"], "a regressor needs numbers: convert them, or use FGAClassifier"),
        ([1.0, 2.0], "X has 3 rows and y has 2 targets"),
        ([[1.0, 2.0]] * 3, "expected one"),
        ([-1e308, 0.0, 1e308], "y ranges from -1e\\+308 to 1e\\+308, more than a float can hold"),
        (np.array(["2020-01-01"] * 3, dtype="datetime64[D]"), "expected numbers: convert them"),
    ],
)
def test_wrong_targets_are_refused_in_words(y, told):
    """Every error says what to do."""
    with pytest.raises(ValueError, match=told):
        FGARegressor().fit([[0.0], [1.0], [2.0]], y)


def test_a_column_of_targets_is_taken_with_a_warning():
    """As everywhere in scikit-learn."""
    with pytest.warns(DataConversionWarning):
        FGARegressor().fit([[0.0], [1.0]], [[1.0], [2.0]])


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"gamma": 0.0}, "gamma=0.0 must be a positive finite number"),
        ({"gamma": "1"}, "expected a positive number"),
        ({"loss": "huber"}, "loss='huber' is unknown; expected one of 'squared_error', 'absolute_error', 'quantile'"),
        ({"quantile": 1.0}, "quantile=1.0 must be a number between 0 and 1"),
        ({"interval": 90}, "interval=90 must be a number between 0 and 1, such as 0.9"),
        ({"interval": True}, "interval=True must be"),
        ({"tol": -1.0}, "tol=-1.0"),
        ({"metric": "cosine"}, "metric='cosine' is unknown"),
        ({"verbose": None}, "verbose=None"),
        ({"monotonic_cst": [1, 1]}, "monotonic_cst"),
        ({"monotonic_cst": [1], "metric": euclidean_distances}, "monotonic_cst needs a metric"),
    ],
)
def test_wrong_parameters_are_refused_in_words(settings, told):
    """Before anything is computed."""
    with pytest.raises((ValueError, TypeError), match=told):
        FGARegressor(**settings).fit([[0.0], [1.0]], [0.0, 1.0])


def test_search_and_metadata_routing(data):
    """A grid search works, and weights are routed to every fold."""
    X, y = data
    search = GridSearchCV(FGARegressor(), {"gamma": [0.01, 1.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"gamma": 1.0}
    weights = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        model = FGARegressor().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        result = cross_validate(model, X, y, cv=KFold(3), params={"sample_weight": weights}, return_estimator=True)
    for (train, _), fitted in zip(KFold(3).split(X), result["estimator"], strict=True):
        expected = FGARegressor().fit(X[train], y[train], sample_weight=weights[train])
        np.testing.assert_allclose(fitted.predict(X), expected.predict(X), atol=1e-12)


def test_threads_change_nothing(data):
    """Two threads give what one gives."""
    X, y = data
    one, two = (FGARegressor(n_jobs=n, interval=0.8).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.fitted_values_, two.fitted_values_)
    np.testing.assert_array_equal(one.predict_interval(X), two.predict_interval(X))


def test_progress_is_printed_if_asked_for(data, capsys):
    """And nothing is, if not."""
    FGARegressor().fit(*data)
    assert capsys.readouterr().out == ""
    FGARegressor(verbose=1).fit(*data)
    assert "round 1" in capsys.readouterr().out
