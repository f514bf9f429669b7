"""Tables without rows as yet, and values that would become other numbers, are refused with what to do about them."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from fgac import FGAClassifier, FGARegressor

N = 12
X = np.random.default_rng(0).random((N, 2))
Y = np.arange(N) % 2
FRAME = pd.DataFrame(X, columns=["a", "b"])


def dask_array():
    return pytest.importorskip("dask.array").from_array(X)


def dask_frame():
    pytest.importorskip("pyarrow")
    return pytest.importorskip("dask.dataframe").from_pandas(FRAME, npartitions=2)


def wrapped_lazy():
    return pytest.importorskip("narwhals").from_native(pl.LazyFrame({"a": X[:, 0], "b": X[:, 1]}))


def arrow_reader():
    return pytest.importorskip("pyarrow").Table.from_pydict({"a": X[:, 0], "b": X[:, 1]}).to_reader()


class Query:
    """Stands in for a table of a data base: it knows its columns, and has no rows before it is executed."""

    columns = ("a", "b")

    def execute(self):
        return FRAME

    def __arrow_c_stream__(self, requested_schema=None):
        raise AssertionError("the query was executed")


LAZY = {
    "dask array": (dask_array, r"lazy array \(dask\.Array\).*compute\(\)"),
    "dask frame": (dask_frame, r"lazy frame \(dask\.DataFrame\).*compute\(\)"),
    "polars": (lambda: pl.LazyFrame({"a": X[:, 0]}), r"lazy frame \(polars\.LazyFrame\).*collect\(\)"),
    "narwhals": (wrapped_lazy, r"lazy frame \(polars\.LazyFrame\).*collect\(\)"),
    "query": (Query, r"lazy frame .*Query.*execute\(\)"),
    "stream": (arrow_reader, r"lazy .*RecordBatchReader.*read_all\(\)"),
    "duckdb": (lambda: pytest.importorskip("duckdb").sql("select 1 as a"), r"lazy frame \(duckdb\..*df\(\)"),
}


@pytest.mark.parametrize(("make", "message"), LAZY.values(), ids=LAZY)
def test_what_has_no_rows_yet(make, message):
    lazy = make()
    with pytest.raises(TypeError, match=f"X is a {message}"):
        FGAClassifier().fit(lazy, Y)
    with pytest.raises(TypeError, match=f"X is a {message}"):
        FGAClassifier().fit(FRAME, Y).predict(lazy)
    for kind in (FGAClassifier, FGARegressor):
        with pytest.raises(TypeError, match=f"y is a {message}"):
            kind().fit(FRAME, lazy)
    with pytest.raises(TypeError, match=f"sample_weight is a {message}"):
        FGAClassifier().fit(FRAME, Y, sample_weight=lazy)


@pytest.mark.parametrize("fill", [scipy.sparse.csr_matrix, scipy.sparse.csr_array, scipy.sparse.coo_array])
def test_sparse_matrices(fill):
    with pytest.raises(TypeError, match="dense"):
        FGAClassifier().fit(fill(X), Y)


def test_sparse_columns():
    with pytest.raises(TypeError, match=r"column b has dtype Sparse.*to_dense"):
        FGAClassifier().fit(FRAME.astype({"b": pd.SparseDtype(float)}), Y)


@pytest.mark.parametrize(
    "table",
    [X.astype(complex), FRAME.astype({"b": complex}), FRAME.astype({"b": np.complex64})],
    ids=["array", "column", "single precision"],
)
def test_complex_numbers(table):
    with pytest.raises(ValueError, match=r"Complex data not supported.*imaginary"):
        FGAClassifier().fit(table, Y)
    with pytest.raises(ValueError, match=r"Complex data not supported.*imaginary"):
        FGAClassifier().fit(X if isinstance(table, np.ndarray) else FRAME, Y).predict(table)


def test_masks_are_not_dropped():
    """Of rows, what is masked is unknown; of what every row must have, it is missing."""
    mask = np.arange(2 * N).reshape(N, 2) < 3
    with pytest.raises(ValueError, match=r"y is a masked array with 3 missing"):
        FGAClassifier().fit(X, np.ma.masked_array(np.arange(N), np.arange(N) < 3))
    expected = FGAClassifier().fit(np.where(mask, np.nan, X), Y).beta_
    np.testing.assert_array_equal(FGAClassifier().fit(np.ma.masked_array(X, mask), Y).beta_, expected)
    whole = np.ma.masked_array(np.round(8 * X).astype(int), mask)
    expected = FGAClassifier().fit(np.where(mask, np.nan, np.round(8 * X)), Y).beta_
    np.testing.assert_array_equal(FGAClassifier().fit(whole, Y).beta_, expected)
    np.testing.assert_array_equal(FGAClassifier().fit(np.ma.masked_array(X), Y).beta_, FGAClassifier().fit(X, Y).beta_)


def test_dates_may_be_classes():
    days = np.datetime64("2026-01-01") + Y
    assert FGAClassifier().fit(X, days).classes_.tolist() == [date(2026, 1, 1), date(2026, 1, 2)]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.array([(1.0, 2.0)] * N, dtype=[("a", float), ("b", float)]), r"structured array .*'a', 'b'.*DataFrame"),
        ({"a": X[:, 0]}, r"X is a dict.*DataFrame"),
        (pl.DataFrame({"a": [{"u": 1}] * N}), r"column a has dtype Struct"),
        (pl.DataFrame({"a": [[1.0]] * N}), r"column a has dtype List"),
        (pd.DataFrame({"a": [[1.0]] * N}), r"column a holds values that are no names"),
        (pd.DataFrame({"a": [Decimal("sNaN"), Decimal(1)] * (N // 2)}), r"column a .* could not be read as numbers"),
    ],
    ids=["fields", "dict", "structures", "lists", "objects", "signalling nan"],
)
def test_what_is_no_number(table, message):
    with pytest.raises((ValueError, TypeError), match=message):
        FGAClassifier().fit(table, Y)


def test_decimals_are_numbers():
    """Data bases give them as Python objects, polars and Arrow have a type for them."""
    values = [Decimal(i) / 4 for i in range(N)]
    expected = FGAClassifier().fit(pd.DataFrame({"a": np.arange(N) / 4}), Y).beta_
    tables = [pd.DataFrame({"a": pd.Series(values, dtype=object)}), pl.DataFrame({"a": values})]
    for table in tables:
        np.testing.assert_allclose(FGAClassifier().fit(table, Y).beta_, expected, atol=1e-12)


def test_objects_that_are_all_numbers_are_numbers():
    """With one name among them they are names."""
    numbers = pd.DataFrame({"a": pd.Series([1, 2.5, *range(N - 2)], dtype=object)})
    np.testing.assert_array_equal(FGAClassifier().fit(numbers, Y).beta_, FGAClassifier().fit(numbers * 1.0, Y).beta_)
    numbers.loc[3, "a"] = "many"
    assert FGAClassifier().fit(numbers, Y)._state.table.columns[0].is_categorical
    truth = pd.DataFrame({"a": pd.Series([True, False] * (N // 2), dtype=object)})
    assert FGAClassifier().fit(truth, Y)._state.table.columns[0].is_categorical


LONG = 2**60 + np.arange(N)


@pytest.mark.parametrize(
    "table",
    [
        LONG[:, None],
        LONG[:, None].tolist(),
        LONG[:, None].astype(object),
        2**10 * LONG[:, None].astype(object),
        LONG[:, None].astype(np.uint64),
        -LONG[:, None],
        pd.DataFrame({0: LONG}),
        pd.DataFrame({0: pd.array(LONG, dtype="Int64")}),
        pd.DataFrame({0: LONG.astype(object)}),
        pd.DataFrame({0: [Decimal(int(value)) for value in LONG]}),
        pl.DataFrame({"0": LONG}),
        pl.DataFrame({"0": LONG.astype(np.uint64)}),
    ],
    ids=[
        "array",
        "list",
        "object array",
        "beyond 64 bits",
        "unsigned",
        "negative",
        "pandas",
        "nullable",
        "objects",
        "decimals",
        "polars",
        "polars unsigned",
    ],
)
def test_whole_numbers_that_floats_cannot_tell_apart(table):
    """They are no numbers, but may be names."""
    with pytest.raises(ValueError, match=r"column 0 holds whole numbers beyond 2\*\*53.*categorical_features"):
        FGAClassifier().fit(table, Y)
    FGAClassifier(categorical_features=[0]).fit(table, Y)


def test_the_same_in_arrow():
    """Arrow refuses to round such numbers, unless it is told to."""
    pa = pytest.importorskip("pyarrow")
    for dtype in (pa.int64(), pa.uint64()):
        with pytest.raises(ValueError, match=r"column a holds whole numbers beyond 2\*\*53"):
            FGAClassifier().fit(pa.table({"a": pa.array(LONG, dtype)}), Y)
        FGAClassifier().fit(pa.table({"a": pa.array(2**55 * np.arange(N), dtype)}), Y)


def test_large_whole_numbers_are_numbers_where_rounding_does_not_matter():
    """Nanoseconds of a year are rounded to 256 of them, which changes no distance that anyone could see."""
    stamps = 1_700_000_000_000_000_000 + 10**15 * np.arange(N)[:, None]
    expected = FGAClassifier().fit(np.arange(float(N))[:, None], Y)
    model = FGAClassifier().fit(stamps, Y)
    np.testing.assert_allclose(model.beta_, expected.beta_, atol=1e-9)
    assert model.predict(stamps[:1] + 1).tolist() == expected.predict([[0.0]]).tolist()


def test_small_types_are_read_exactly():
    for dtype in (np.int8, np.uint8, np.float16, np.float32, bool):
        column = (np.arange(N) % 2).astype(dtype)[:, None]
        np.testing.assert_array_equal(FGAClassifier().fit(column, Y).beta_, FGAClassifier().fit(column * 1.0, Y).beta_)
