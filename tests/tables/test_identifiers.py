"""Names, numbers and identifiers that nearly every row has its own of do not count, unless the caller says so."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGARegressor,
    FGARegressorCV,
    FRNNClassifier,
    load_model,
    save_model,
)
from fgac.tables.learned_weights import learn_weights
from fgac.tables.table import learn_table

N = 80
RNG = np.random.default_rng(0)
PLAIN = pd.DataFrame({"size": RNG.random(N), "n": RNG.integers(0, 5, N), "colour": RNG.choice(["red", "blue"], N)})
Y = (PLAIN["size"] + 0.3 * (PLAIN["colour"] == "red") + 0.1 * RNG.random(N) > 0.6).to_numpy().astype(int)
NAMES = [f"person {i}" for i in range(N)]
NAMED = PLAIN.assign(name=NAMES)[["name", *PLAIN.columns]]
LEFT_OUT = r"column 'name' has 80 different values in 80 rows.* left out of all distances.*categorical_features"

MODELS = [
    FGAClassifier(gamma=3.0),
    FGAClassifier(gamma=3.0, metric="manhattan", feature_weights="learned"),
    FGAClassifier(gamma=3.0, metric="learned"),
    FGAClassifier(gamma=2.0, owa="additive"),
    FGAClassifier(gamma=2.0, metric="chebyshev", n_neighbors=5),
    FGAClassifierCV(gammas=[1.0, 3.0]),
    FGAOrdinalClassifier(gamma=3.0),
    FGARegressor(gamma=2.0),
    pytest.param(FGARegressorCV(gammas=[1.0, 3.0], metric="learned"), marks=pytest.mark.slow),
    FRNNClassifier(),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_predictions_do_not_depend_on_names(model):
    """They are those of the table without the column, whatever new rows are called."""
    expected = type(model)(**model.get_params()).fit(PLAIN, Y).predict(PLAIN)
    with pytest.warns(UserWarning, match=LEFT_OUT):
        model = type(model)(**model.get_params()).fit(NAMED, Y)
    for names in (NAMES, NAMES[::-1], ["nobody"] * N, [None] * N):
        predicted = model.predict(NAMED.assign(name=pd.Series(names, dtype=object)))
        np.testing.assert_allclose(predicted, expected, atol=1e-9)


@pytest.mark.parametrize("kind", ["polars", "category", "arrow"])
def test_in_every_frame(kind):
    table = {"polars": lambda: pl.from_pandas(NAMED), "category": lambda: NAMED.astype({"name": "category"})}.get(kind)
    table = pytest.importorskip("pyarrow").Table.from_pandas(NAMED) if table is None else table()
    with pytest.warns(UserWarning, match=LEFT_OUT):
        model = FGAClassifier(gamma=3.0).fit(table, Y)
    np.testing.assert_allclose(model.beta_, FGAClassifier(gamma=3.0).fit(PLAIN, Y).beta_, atol=1e-9)
    assert model.feature_weights_.tolist() == [0.0, 1.0, 1.0, 1.0]


def test_names_that_are_asked_for_count():
    model = FGAClassifier(gamma=3.0, categorical_features=["name", "colour"]).fit(NAMED, Y)
    assert model.feature_weights_.tolist() == [1.0] * 4
    assert np.abs(model.beta_ - FGAClassifier(gamma=3.0).fit(PLAIN, Y).beta_).max() > 0.01


def test_columns_of_arrays_are_never_left_out():
    table = np.column_stack([np.arange(N), PLAIN["size"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for which in ("from_dtype", [0]):
            assert FGAClassifier(categorical_features=which).fit(table, Y).feature_weights_.tolist() == [1.0, 1.0]


def test_few_rows_and_repeated_names_are_no_identifiers():
    FGAClassifier().fit(NAMED[:49], Y[:49])
    FGAClassifier().fit(NAMED.assign(name=NAMES[: N // 2] * 2), Y)


def test_unknown_names_do_not_count_as_rows():
    holes = NAMED.assign(name=[name if i < 55 else None for i, name in enumerate(NAMES)])
    with pytest.warns(UserWarning, match="has 55 different values in 55 rows"):
        FGAClassifier().fit(holes, Y)


def test_names_alone_stay():
    with pytest.warns(UserWarning, match="taken as nominal because of its type"):
        model = FGAClassifier().fit(NAMED[["name"]], Y)
    assert model.feature_weights_.tolist() == [1.0]


def test_a_metric_of_the_callers_own_sees_all_columns():
    def distance(A, B):
        return (A[:, None, :] != B[None, :, :]).mean(axis=2)

    with pytest.warns(UserWarning, match="taken as nominal because of its type"):
        model = FGAClassifier(metric=distance).fit(NAMED, Y)
    assert model.feature_weights_.tolist() == [1.0] * 4


def test_weights_are_learned_as_if_names_were_not_there():
    options = {"metric": "manhattan", "scale": "range", "feature_weights": None, "sample_weight": np.ones(N)}
    plain, values = learn_table(PLAIN, categorical_features="from_dtype", **options)
    expected = learn_weights(plain, values, Y, np.ones(N), "manhattan")[0]
    with pytest.warns(UserWarning, match=LEFT_OUT):
        named, values = learn_table(NAMED, categorical_features="from_dtype", **options)
    found = learn_weights(named, values, Y, np.ones(N), "manhattan")[0]
    np.testing.assert_array_equal(found, [0.0, *expected])


def test_model_files_keep_what_is_left_out(tmp_path):
    with pytest.warns(UserWarning, match=LEFT_OUT):
        model = FGAClassifier(gamma=3.0).fit(NAMED, Y)
    save_model(model, tmp_path / "m.fgac")
    np.testing.assert_array_equal(load_model(tmp_path / "m.fgac").predict_proba(NAMED), model.predict_proba(NAMED))
    assert model.explain(NAMED[:1])[0].attributes[0].weight == 0


@pytest.mark.parametrize("values", [np.arange(60), np.arange(60.0) + 1000, np.random.default_rng(0).permutation(60)])
def test_running_numbers_of_a_frame_are_left_out_with_a_warning(values):
    X = pd.DataFrame({"n": values, "a": np.random.default_rng(1).random(60)})
    y = (X.a > 0.5).astype(int)
    with pytest.warns(UserWarning, match="'n' is left out of all distances: it numbers the rows"):
        model = FGAClassifier(gamma=2.0).fit(X, y)
    alone = FGAClassifier(gamma=2.0).fit(X[["a"]], y)
    assert (model.memberships(X).degree == alone.memberships(X[["a"]]).degree).all()


@pytest.mark.parametrize("name", ["id", "ID", "patient_id", "loanId", "row key"])
def test_whole_numbers_named_as_identifiers_are_left_out(name):
    X = pd.DataFrame({name: np.arange(20) ** 2, "a": np.arange(20.0) % 7})
    with pytest.warns(UserWarning, match="identifier"):
        assert FGAClassifier().fit(X, X.a > 3).feature_weights_.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("keeps", [None, []])
def test_numbers_stay_if_the_user_says_what_is_nominal_or_gives_an_array(keeps):
    X = pd.DataFrame({"id": np.arange(60), "a": np.arange(60.0) % 7})
    assert FGAClassifier(categorical_features=keeps).fit(X, X.a > 3).feature_weights_.all()
    assert FGAClassifier().fit(X.to_numpy(), X.a > 3).feature_weights_.all()


def test_dates_and_a_table_of_nothing_else_stay():
    X = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=60), "a": np.arange(60.0) % 7})
    assert FGAClassifier().fit(X, X.a > 3).feature_weights_.all()
    assert FGAClassifier().fit(pd.DataFrame({"n": np.arange(60)}), np.arange(60) > 30).feature_weights_.all()
