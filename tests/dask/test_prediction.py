"""Predictions on a cluster are lazy, and those of the local model."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from dask.base import is_dask_collection

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor
from fgac.dask import DaskFGAClassifier, predict
from support.clusters import cut, cut_array, features, mixed_table


@pytest.fixture(scope="module")
def frame():
    """A table with rows that stand for themselves."""
    return mixed_table(120, n_classes=3)


@pytest.fixture(scope="module")
def model(client, frame):
    """A classifier that was fitted on the cluster."""
    return DaskFGAClassifier(gamma=2.0, client=client).fit(cut(frame.drop(columns=["t", "w"]), [50, 70]), "y")


@pytest.fixture(scope="module")
def local(frame):
    """The same, fitted here."""
    return FGAClassifier(gamma=2.0).fit(features(frame), frame["y"])


def test_a_frame_gives_a_series_with_its_index_and_divisions(model, local, frame):
    X = features(frame).set_axis(range(1000, 1120))
    table = dd.from_pandas(X, npartitions=4)
    found = model.predict(table)
    assert is_dask_collection(found)
    assert found.divisions == table.divisions
    assert found.compute().index.tolist() == X.index.tolist()
    assert found.compute().tolist() == local.predict(X).tolist()


def test_probabilities_of_a_frame_have_the_classes_as_columns(model, local, frame):
    found = model.predict_proba(cut(features(frame), [20, 0, 100]))
    assert found.columns.tolist() == ["no", "perhaps", "yes"]
    assert found._meta.dtypes.tolist() == [np.float64] * 3
    assert np.allclose(found.compute(), local.predict_proba(features(frame)), rtol=0, atol=1e-9)


def test_memberships_have_three_parts(model, local, frame):
    found, expected = model.memberships(cut(features(frame), [20, 100])), local.memberships(features(frame))
    for part, known in zip(found, expected, strict=True):
        assert np.allclose(part.compute(), known, rtol=0, atol=1e-9)
    assert found._fields == expected._fields


def test_arrays_keep_their_chunks(client):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    model = DaskFGAClassifier(gamma=2.0, client=client).fit(cut_array(X, 20), cut_array(y, 20))
    local = FGAClassifier(gamma=2.0).fit(X, y)
    table = cut_array(X, 15)
    labels, degrees = model.predict(table), model.predict_proba(table)
    assert labels.chunks == (table.chunks[0],)
    assert degrees.chunks == (table.chunks[0], (2,))
    assert labels.dtype == local.predict(X).dtype
    assert labels.compute().tolist() == local.predict(X).tolist()
    assert np.allclose(degrees.compute(), local.predict_proba(X), rtol=0, atol=1e-9)


def test_chunks_of_unknown_length(client):
    X = np.linspace(0, 1, 40)[:, None]
    y = (X[:, 0] > 0.5).astype(int)
    table, target = cut_array(X, 10), cut_array(y, 10)
    some = table[:, 0] > 0.2
    unknown = table[some]
    model = DaskFGAClassifier(gamma=2.0, client=client).fit(unknown, target[some])
    expected = FGAClassifier(gamma=2.0).fit(X[X[:, 0] > 0.2], y[X[:, 0] > 0.2])
    assert np.allclose(model.beta_, expected.beta_, rtol=0, atol=1e-9)
    assert model.predict(unknown).compute().tolist() == expected.predict(X[X[:, 0] > 0.2]).tolist()


def test_explanations_of_a_few_rows_are_computed(model, local, frame):
    few = features(frame)[:2]
    assert str(model.explain(few, n_arguments=2)) == str(local.explain(few, n_arguments=2))
    assert str(model.explain(cut(few, [1, 1]))) == str(local.explain(few))


@pytest.mark.parametrize("kind", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_any_local_model_predicts_a_dask_table(client, kind):
    frame = mixed_table(60, n_classes=3)
    target = frame["t"] if kind is FGARegressor else frame["y"].map({"no": 0, "perhaps": 1, "yes": 2})
    fitted = kind(gamma=2.0).fit(features(frame), target)
    found = predict(fitted, cut(features(frame), [10, 0, 50]))
    assert np.allclose(found.compute(), fitted.predict(features(frame)), rtol=0, atol=1e-9)


def test_methods_that_a_model_does_not_have_are_refused(client, local, frame):
    with pytest.raises(ValueError, match="method='predict_bounds' is unknown"):
        predict(local, cut(features(frame), [120]), "predict_bounds")


def test_a_table_in_memory_is_refused(model, frame):
    with pytest.raises(TypeError, match="expected a dask DataFrame, a dask Array or the path of a Parquet file"):
        model.predict(features(frame))


def test_no_rows(model, local, frame):
    nothing = model.predict(cut(features(frame)[:0], [0]))
    assert nothing.compute().tolist() == []
    assert isinstance(model.predict_proba(cut(features(frame)[:0], [0])), dd.DataFrame)
    assert not isinstance(nothing, da.Array)
