"""A model that is loaded equals the model that was saved, to the last bit."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from fgac import FGAClassifier
from fgac.fuzzy.connectives import power
from fgac.persistence import save_model
from support.model_files import COLOURS, assert_equal_models, assert_same, mixed_table, round_trip
from support.strategies import queries, table_cases

SETTINGS = {
    "defaults": {},
    "gamma": {"gamma": 3.7},
    "whole gamma": {"gamma": 2},
    "numpy gamma": {"gamma": np.float32(1.3), "verbose": np.int64(0), "n_neighbors": np.int8(2)},
    "absolute": {"loss": "absolute_error"},
    "manhattan": {"metric": "manhattan"},
    "chebyshev": {"metric": "chebyshev"},
    "robust": {"scale": "robust"},
    "unscaled": {"scale": None, "gamma": 0.2},
    "neighbours": {"n_neighbors": 2},
    "share of neighbours": {"n_neighbors": 0.5},
    "owa": {"owa": "additive"},
    "owa of pairs": {"owa": ("exponential", 3)},
    "owa of weights": {"owa": np.full(12, 1 / 12)},
    "owa of a list": {"owa": [0.25] * 4 + [0.0] * 8},
    "owa of a pair with weights": {"owa": (np.full(4, 0.25), 4)},
    "power": {"isomorphism": 2.5},
    "identity": {"isomorphism": "identity"},
    "power below 1": {"isomorphism": 0.5, "owa": "inverse_additive"},
    "power object": {"isomorphism": power(3)},
    "power below 1 alone": {"isomorphism": 0.3},
    "neighbours among all": {"n_neighbors": 4, "neighbors_among": "all"},
    "names": {"categorical_features": ["colour", "old"]},
    "positions": {"categorical_features": np.array([1, 2])},
    "objects": {"categorical_features": np.array(["colour", "old"], dtype=object)},
    "mask": {"categorical_features": (False, True, True)},
    "weights": {"feature_weights": [1.0, 0.25, 0.0]},
    "weights array": {"feature_weights": np.array([1, 2, 3])},
    "balanced": {"class_weight": "balanced"},
    "class weights": {"class_weight": {"a": 1, "b": 2.5, "c": np.float64(0.3)}},
    "first": {"ties": "first", "n_jobs": 2, "tol": 1e-8},
}


@pytest.mark.slow
@pytest.mark.parametrize("two_classes", [False, True])
@pytest.mark.parametrize("params", SETTINGS.values(), ids=SETTINGS)
def test_every_setting_comes_back_to_the_last_bit(params, two_classes, tmp_path):
    X, y = mixed_table()
    if two_classes:
        y = np.where(y == "c", "b", y)
        params = {**params, "class_weight": {"a": 2.0, "b": 1.0}} if "class_weight" in params else params
    clf = FGAClassifier(**params).fit(X, y, sample_weight=[1, 2, 1, 1, 1, 1, 0, 1, 1, 3])
    new = X.assign(height=X["height"] * 1.3 + 0.05).iloc[::-1]
    assert_equal_models(clf, round_trip(clf, tmp_path), new)


@pytest.mark.parametrize("params", [{}, {"owa": "additive"}, {"isomorphism": 2.0}, {"n_neighbors": 3}])
@pytest.mark.parametrize("order", ["C", "F"])
def test_distances_come_back(params, order, tmp_path):
    points = np.random.default_rng(3).uniform(size=(14, 2))
    D = np.asarray(np.abs(points[:, None] - points).sum(axis=2), order=order)
    clf = FGAClassifier(metric="precomputed", **params).fit(D[:9, :9], np.arange(9) % 3, ids=list("abcdefghi"))
    assert_equal_models(clf, round_trip(clf, tmp_path), D[9:, :9])


@given(
    case=table_cases(),
    metric=st.sampled_from(["euclidean", "manhattan", "chebyshev", "angular"]),
    isomorphism=st.sampled_from([None, 2.0, 0.7]),
    owa=st.sampled_from([None, "additive"]),
)
def test_random_tables_come_back(tmp_path_factory, case, metric, isomorphism, owa):
    clf = FGAClassifier(gamma=case.gamma, metric=metric, isomorphism=isomorphism, owa=owa)
    clf.fit(case.X, case.y, sample_weight=case.weights)
    assert_equal_models(clf, round_trip(clf, tmp_path_factory.mktemp("files")), queries())


LABELS = {
    "texts": np.array(["yes", "no", "yes", "może być"]),
    "objects": np.array(["yes", "no", "yes", "maybe"], dtype=object),
    "ints": np.array([3, -1, 3, 7]),
    "small ints": np.array([3, 1, 3, 7], dtype=np.uint8),
    "bools": np.array([True, False, True, True]),
    "floats": np.array([0.0, 1.0, 0.0, 2.0], dtype=np.float32),
    "one class": np.array(["x"] * 4),
    "pandas": pd.Series(["yes", "no", "yes", "maybe"], dtype="category"),
    "dates": np.array(["2020-01-01", "2021-01-01", "2020-01-01", "2021-01-01"], dtype="datetime64[D]"),
}


@pytest.mark.parametrize("y", LABELS.values(), ids=LABELS)
def test_labels_keep_their_kind(y, tmp_path):
    weights = dict.fromkeys(np.unique(np.asarray(y)).tolist(), 2.0)
    clf = FGAClassifier(class_weight=weights if np.asarray(y).dtype.kind != "M" else None)
    clf.fit([[0.0], [1.0], [2.0], [2.5]], y)
    loaded = round_trip(clf, tmp_path)
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert_equal_models(clf, loaded, [[0.4], [9.0]])


IDS = {
    "ints": [10, 20, 30, 40],
    "texts": ["å", "b\n", "", "d"],
    "bools": [True, False, True, True],
    "floats": [0.5, -0.0, np.inf, np.nan],
    "mixed": [1, "a", (2, 3), None],
    "dates": pd.date_range("2020-01-01", periods=4),
    "long ints": [10**30, 2, 3, 4],
}


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_ids_come_back(ids, tmp_path):
    clf = FGAClassifier().fit([[0.0], [1.0], [2.0], [2.5]], [0, 0, 1, 1], ids=ids)
    loaded = round_trip(clf, tmp_path)
    assert_same(clf._state.records.ids, loaded._state.records.ids)
    assert loaded.explain([[0.1]])[0].arguments_for[0].id == clf.explain([[0.1]])[0].arguments_for[0].id


CATEGORIES = {
    "texts": ["a", "b", "ż", "a", "'"],
    "ints": [3, -1, 3, 10**20, 2],
    "bools": [True, False, True, True, False],
    "floats": [0.5, np.inf, 0.5, -np.inf, 1e-300],
    "mixed": [1, "1", 2.5, "b", False],
}


@pytest.mark.parametrize("as_frame", [False, True])
@pytest.mark.parametrize("values", CATEGORIES.values(), ids=CATEGORIES)
def test_categories_keep_their_kind(values, as_frame, tmp_path):
    column = np.empty((5, 1), dtype=object)
    column[:, 0] = values
    X = pd.DataFrame(column, columns=["thing"]) if as_frame else column
    clf = FGAClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1, 1])
    loaded = round_trip(clf, tmp_path)
    assert_equal_models(clf, loaded, X)
    assert_same(clf._state.table.columns[0].categories, loaded._state.table.columns[0].categories)


@pytest.mark.parametrize("dtype", ["category", "Int64", "float32", "bool", "string"])
def test_typed_columns_of_pandas_come_back(dtype, tmp_path):
    X = pd.DataFrame({"thing": pd.Series([1, 0, 1, 1]).astype(dtype), "number": [0.1, 0.2, 0.3, 0.4]})
    clf = FGAClassifier(categorical_features=["thing"]).fit(X, [0, 1, 0, 1])
    assert_equal_models(clf, round_trip(clf, tmp_path), X)


def test_frames_of_polars_come_back(tmp_path):
    X = pl.DataFrame({"colour": COLOURS[:4], "number": [1, 2, 3, 4]})
    clf = FGAClassifier().fit(X, [0, 1, 0, 1])
    assert_equal_models(clf, round_trip(clf, tmp_path), X)


@pytest.mark.parametrize("index", [[0, 1], ["b", "a"]], ids=["positions", "names"])
def test_a_series_as_a_parameter_comes_back_as_a_dict(tmp_path, index):
    """Its names decide which column has which weight, so they must not be lost."""
    X = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    clf = FGAClassifier(feature_weights=pd.Series([1.0, 2.0], index=index)).fit(X, [0, 1])
    loaded = round_trip(clf, tmp_path)
    assert loaded.feature_weights == dict(zip(index, [1.0, 2.0], strict=True))
    assert_same(clf.predict_proba(X + 0.1), loaded.predict_proba(X + 0.1))
    assert_same(clone(loaded).fit(X, [0, 1]).predict_proba(X + 0.1), loaded.predict_proba(X + 0.1))


def test_a_loaded_model_is_an_estimator_like_any_other(tmp_path):
    X, y = mixed_table()
    clf = FGAClassifier(gamma=2.0).fit(X, y)
    loaded = round_trip(clf, tmp_path)
    assert_same(loaded.beta_, clone(loaded).fit(X, y).beta_)
    assert loaded.solution_.is_optimal()
    with pytest.raises(ValueError, match="feature names should match"):
        loaded.predict(X[["colour", "height", "old"]])
    save_model(loaded, tmp_path / "again.fgac")
    assert (tmp_path / "again.fgac").read_bytes() == (tmp_path / "model.fgac").read_bytes()


def test_parameters_changed_after_fit_do_not_change_what_is_stored(tmp_path):
    X, y = mixed_table()
    clf = FGAClassifier(gamma=2.0, isomorphism=2.0, owa="additive").fit(X, y)
    told = clf.predict_proba(X)
    clf.set_params(gamma=9.0, isomorphism=None, owa=None, metric="manhattan")
    loaded = round_trip(clf, tmp_path)
    assert_same(loaded.predict_proba(X), told)
    assert loaded.get_params() == clf.get_params()
