"""Where transformed columns come from, and their values taken back."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)

from fgac.explainers.lineage import lineage

FRAME = pd.DataFrame(
    {"a": [1.0, 4.0, 2.0, 9.0], "b": [10.0, 40.0, 20.0, 35.0], "c": ["x", "y", "x", "z"], "d": ["u", "u", "v", "u"]}
)
NUMBERS = FRAME[["a", "b"]]


def traced(transformer, X):
    """Return the lineage of a transformer, its values as columns, and what comes back of them."""
    values = np.asarray(transformer.fit_transform(X))
    found = lineage(transformer, X.shape[1])
    assert len(found.origins) == values.shape[1]
    return found, found.back(list(values.T))


def assert_back(found, X, columns):
    for column, values in zip(X, found, strict=True):
        if column in columns:
            assert np.asarray(values, dtype=object).tolist() == pytest.approx(X[column].tolist())
        else:
            assert values is None


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler(), MaxAbsScaler(), RobustScaler()], ids=str)
def test_scalers_have_a_slope_and_a_way_back(scaler):
    found, back = traced(scaler, NUMBERS)
    values = scaler.transform(NUMBERS)
    for j, origin in enumerate(found.origins):
        assert origin.column == j
        step = (NUMBERS.iloc[1, j] - NUMBERS.iloc[0, j]) / (values[1, j] - values[0, j])
        assert origin.slope == pytest.approx(step)
    assert_back(back, NUMBERS, "ab")


@pytest.mark.parametrize("scaler", [PowerTransformer(), MinMaxScaler(clip=True)], ids=str)
def test_other_scalers_have_a_way_back_only(scaler):
    found, back = traced(scaler, NUMBERS)
    assert [(origin.column, origin.slope) for origin in found.origins] == [(0, None), (1, None)]
    assert_back(back, NUMBERS, "ab")


@pytest.mark.parametrize("drop", [None, "first", "if_binary"])
def test_one_hot_columns(drop):
    found, back = traced(OneHotEncoder(drop=drop, sparse_output=False), FRAME[["c", "d"]])
    n_first = {None: 3, "first": 2, "if_binary": 3}[drop]
    assert [origin.column for origin in found.origins].count(0) == n_first
    assert all(origin.is_category and origin.slope is None for origin in found.origins)
    assert [part.tolist() for part in back] == [FRAME["c"].tolist(), FRAME["d"].tolist()]


COLUMNS = {
    "names": ["a", "b"],
    "positions": [0, 1],
    "negative": [-4, -3],
    "slice": slice("a", "b"),
    "numbers": slice(0, 2),
    "mask": [True, True, False, False],
    "selector": make_column_selector(dtype_include="number"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_may_be_named_in_every_way(name):
    before = ColumnTransformer([("c", OrdinalEncoder(), ["c"]), ("n", StandardScaler(), COLUMNS[name])])
    found, back = traced(before, FRAME)
    assert [origin.column for origin in found.origins] == [2, 0, 1]
    assert back[3] is None
    assert back[2].tolist() == FRAME["c"].tolist()
    assert np.asarray(back[1], dtype=float).tolist() == pytest.approx(FRAME["b"].tolist())


def test_what_remains_may_pass():
    before = ColumnTransformer([("n", StandardScaler(), ["b"]), ("no", "drop", ["c"])], remainder="passthrough")
    found, back = traced(before, FRAME)
    assert [origin.column for origin in found.origins] == [1, 0, 3]
    assert found.origins[1].slope == 1.0
    assert back[0].tolist() == FRAME["a"].tolist()
    assert back[2] is None


def test_one_step_after_the_other():
    found, back = traced(make_pipeline(StandardScaler(), "passthrough", MinMaxScaler()), NUMBERS)
    assert [origin.slope for origin in found.origins] == pytest.approx([8.0, 30.0])
    assert_back(back, NUMBERS, "ab")


def test_imputers_leave_empty_columns_out_and_mark_what_was_missing():
    X = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [np.nan] * 3, "c": [4.0, 5.0, 6.0]})
    found, back = traced(SimpleImputer(), X)
    assert [origin.column for origin in found.origins] == [0, 2]
    assert back[0].tolist() == [1.0, 2.0, 3.0]
    found, back = traced(SimpleImputer(add_indicator=True), X[["a", "c"]])
    assert [(origin.column, origin.slope) for origin in found.origins] == [(0, 1.0), (1, 1.0), (0, None)]
    assert back[0].tolist() == [1.0, None, 3.0]
    names = pd.DataFrame({"job": ["nurse", np.nan, "nurse"]}, dtype=object)
    assert traced(SimpleImputer(strategy="most_frequent"), names)[1][0].tolist() == ["nurse"] * 3
    assert [origin.column for origin in traced(KNNImputer(), X[["a", "c"]])[0].origins] == [0, 1]


def test_columns_side_by_side():
    union = FeatureUnion([("same", "passthrough"), ("scaled", MinMaxScaler()), ("pca", PCA(1)), ("no", "drop")])
    found, back = traced(union, NUMBERS)
    assert [origin.column for origin in found.origins] == [0, 1, 0, 1, None]
    assert_back(back, NUMBERS, "ab")


@pytest.mark.parametrize("transformer", [PCA(2), PolynomialFeatures(2), KBinsDiscretizer(2, encode="ordinal")], ids=str)
def test_nothing_wrong_is_said_of_what_is_not_known(transformer):
    found, back = traced(transformer, NUMBERS)
    assert all(origin.slope is None for origin in found.origins)
    assert all(values is None for values in back)


def test_functions_of_single_cells():
    logs = FunctionTransformer(np.log1p, inverse_func=np.expm1)
    found, back = traced(logs, NUMBERS)
    assert [(origin.column, origin.slope) for origin in found.origins] == [(0, None), (1, None)]
    assert_back(back, NUMBERS, "ab")
    assert traced(FunctionTransformer(np.log1p), NUMBERS)[1] == [None, None]


def test_steps_after_one_that_tells_nothing():
    sums = FunctionTransformer(lambda X: np.asarray(X).sum(axis=1, keepdims=True))
    found, back = traced(make_pipeline(sums, StandardScaler()), NUMBERS)
    assert [origin.column for origin in found.origins] == [None]
    assert back == [None, None]
