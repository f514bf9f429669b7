"""What cannot be fitted on a cluster is refused, in words that say what to do."""

import pickle

import dask.array as da
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from fgac.dask import DaskFGAClassifier, DaskFGAClassifierCV, DaskFGARegressor
from support.clusters import cut, cut_array, features, mixed_table

X, Y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
ARRAY, LABELS = cut_array(X, 5), cut_array(Y, 5)


def test_without_a_client(monkeypatch):
    def nobody():
        raise ValueError("No client found")

    monkeypatch.setattr("fgac.dask.clients.default_client", nobody)
    with pytest.raises(ValueError, match="there is no Dask client to compute with; make one first"):
        DaskFGAClassifier().fit(ARRAY, LABELS)


def test_what_is_no_client():
    with pytest.raises(TypeError, match=r"client='tcp://.*expected a dask\.distributed\.Client"):
        DaskFGAClassifier(client="tcp://127.0.0.1:1").fit(ARRAY, LABELS)


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (X, LABELS, TypeError, "X is of type ndarray; expected a dask DataFrame.*use FGAClassifier"),
        (features(mixed_table(10)), LABELS, TypeError, "X is of type DataFrame; expected a dask DataFrame"),
        (ARRAY, Y, TypeError, "y is of type ndarray; expected a dask Series or Array, cut as X is cut"),
        (ARRAY, None, ValueError, "y is None; expected a dask Series or Array, or the name of a column"),
        (ARRAY, "y", ValueError, "'y' is the name of a column, but X is an array"),
        (ARRAY.rechunk((5, 1)), LABELS, ValueError, r"cut along its columns.*X\.rechunk\(\{1: -1\}\)"),
        (ARRAY[:, 0], LABELS, ValueError, "X has 1 dimensions; expected 2"),
        (ARRAY, ARRAY, ValueError, "y has 2 dimensions; expected one value per row"),
        (ARRAY, LABELS[:7], ValueError, "X has 10 rows and y has 7; expected as many"),
        (ARRAY[ARRAY[:, 0] > 3], LABELS.rechunk(10), ValueError, "X has 2 partitions and y has 1.*compute_chunk_sizes"),
        (ARRAY[ARRAY[:, 0] > 3], LABELS, ValueError, "a partition of X has 3 rows and that of y has 5"),
        (ARRAY[:0], LABELS[:0], ValueError, "all partitions are empty"),
        (cut(mixed_table(10), [10]), "target", ValueError, "X has no column 'target'"),
        (ARRAY, da.from_array(Y.astype(float) / 0.3, chunks=5), ValueError, "use FGARegressor"),
        (da.from_array(np.full((10, 2), np.inf), chunks=(5, 2)), LABELS, ValueError, "contains infinity"),
    ],
)
def test_tables_that_cannot_be_read(client, X, y, error, message):
    with pytest.raises(error, match=message):
        DaskFGAClassifier(client=client).fit(X, y)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.zeros(10), "sample_weight is zero for every row"),
        (-np.ones(10), "sample_weight must hold finite numbers >= 0"),
        (np.where(np.arange(10) == 3, 1e-30, 1.0), "sample_weight is too uneven"),
    ],
)
def test_weights_that_cannot_be_added_up(client, weight, message):
    with pytest.raises(ValueError, match=message):
        DaskFGAClassifier(client=client).fit(ARRAY, LABELS, cut_array(weight, 5))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gamma": -1.0}, "gamma=-1.0 must be a positive finite number"),
        ({"metric": "precomputed"}, "metric='precomputed' needs the distances of all rows in memory"),
        ({"sample_rows": 0}, "sample_rows=0 must be a whole number"),
    ],
)
@pytest.mark.parametrize("kind", [DaskFGAClassifier, DaskFGAClassifierCV, DaskFGARegressor])
def test_parameters(client, kind, settings, message):
    if "gamma" in settings and kind is DaskFGAClassifierCV:
        settings, message = {"max_rows": 0}, "max_rows=0 must be a whole number"
    with pytest.raises(ValueError, match=message):
        kind(client=client, **settings).fit(ARRAY, LABELS)


def test_three_classes_are_not_monotone(client):
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        DaskFGAClassifier(client=client, monotonic_cst=[1, 0]).fit(ARRAY, cut_array(np.arange(10) % 3, 5))


@pytest.mark.parametrize("asked", ["predict", "predict_proba", "memberships", "explain"])
def test_an_unfitted_model_says_so(asked):
    with pytest.raises(NotFittedError):
        getattr(DaskFGAClassifier(), asked)(ARRAY)


@pytest.mark.parametrize("name", ["classes_", "beta_", "solution_", "feature_weights_", "messages_"])
def test_an_unfitted_model_has_no_results(name):
    with pytest.raises(NotFittedError):
        getattr(DaskFGAClassifier(), name)


def test_a_client_is_kept_by_clones_and_not_by_pickles(client):
    model = DaskFGAClassifier(client=client, gamma=3.0)
    assert clone(model).client is client
    again = pickle.loads(pickle.dumps(model))
    assert again.client is None
    assert again.gamma == 3.0


def test_a_fitted_model_is_pickled_as_a_local_one(client):
    model = DaskFGAClassifier(client=client).fit(ARRAY, LABELS)
    with pytest.raises(TypeError, match=r"use to_local\(\), and pickle or save that"):
        pickle.dumps(model)
    assert pickle.loads(pickle.dumps(model.to_local())).predict(X).tolist() == model.predict(ARRAY).compute().tolist()


def test_an_asynchronous_client_is_refused(client, monkeypatch):
    monkeypatch.setattr(type(client), "asynchronous", True)
    with pytest.raises(ValueError, match="the Dask client is asynchronous"):
        DaskFGAClassifier(client=client).fit(ARRAY, LABELS)
