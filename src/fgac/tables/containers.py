"""What a user hands over as a table or a column, made ready to be read, or refused with what to do about it.

pandas, polars and Arrow tables and arrays pass as they are. Wrappers (narwhals) are taken off, and what only speaks one
of the exchange protocols becomes a table of a library that is installed, so that no column loses its name. What holds
no rows yet (lazy frames, queries, dask), and arrays whose imaginary parts would be dropped, are refused. Masked values
of a table are unknown; those of a column of labels, weights or ids are refused.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._warnings import warn_caller
from fgac.tables.frames import columns_of, is_frame, is_pandas, names_of
from fgac.tables.labels import is_missing

# What lazy frames, tables of ibis and relations of DuckDB can do, and no table can.
QUERIES = ("collect", "execute", "fetchall")
# What gives the rows of something that has none yet, in the order in which it is recommended.
FETCHERS = ("compute", "toPandas", "collect", "df", "to_pandas", "read_all", "execute")
# Who reads what: an attribute of the type, the module that knows it, and the function there.
READERS = (
    ("__arrow_c_stream__", "pyarrow", "table"),
    ("__arrow_c_stream__", "polars", "DataFrame"),
    ("__dataframe__", "pyarrow.interchange", "from_dataframe"),
    ("__dataframe__", "pandas.api.interchange", "from_dataframe"),
)


def can(value: Any, *names: str) -> bool:
    """Whether the type of a value has all these attributes; the value itself may have columns of any name."""
    return all(hasattr(type(value), name) for name in names)


def as_table(X: Any, name: str = "X") -> Any:
    """A table that :mod:`fgac.tables.frames` can read: a frame of a known library, or what becomes an array.

    >>> as_table([[1.0, 2.0]])
    [[1.0, 2.0]]
    """
    if isinstance(X, list | tuple):
        return X
    X = eager(unmasked(X), name)
    if isinstance(X, np.ndarray):
        _check_one_number_per_cell(X, name)
    if is_frame(X) or isinstance(X, np.ndarray):
        return X
    if type(X) is dict:  # sparse matrices may be dicts, too
        raise TypeError(f"{name} is a dict, which has no rows; give pandas.DataFrame({name}) or an array")
    # A column speaks the protocols too; what has columns is a table.
    if any(can(X, attribute) for attribute in ("columns", "column_names", "schema", "__dataframe__")):
        return exchanged(X, name)
    return X.to_pandas() if can(X, "to_pandas") and not can(X, "__array__") else X


def unmasked(X: Any) -> Any:
    """A masked array as a plain one, nan or None where a value is masked; anything else as it is.

    >>> unmasked(np.ma.masked_array([[1.0, 2.0]], [[False, True]]))
    array([[ 1., nan]])
    """
    if not np.ma.is_masked(X):
        return X
    # Whole numbers become Python's, which are exact, and are looked at one by one.
    return X.filled(np.nan) if X.dtype.kind == "f" else np.where(X.mask, None, X.data.astype(object))


def plain_markers(array: NDArray[Any]) -> NDArray[Any]:
    """An array of Python objects with nan in the place of every marker of a missing value, such as pandas' NA.

    >>> plain_markers(np.array([1, None], dtype=object))
    array([1, nan], dtype=object)
    """
    with np.errstate(invalid="ignore"):  # what Python does with nans is no fault to warn of
        missing = np.frompyfunc(is_missing, 1, 1)(array).astype(bool)
    return np.where(missing, np.nan, array) if missing.any() else array


def as_vector(values: Any, name: str) -> Any:
    """Labels, targets, weights or ids, as a column of pandas or polars or what becomes an array."""
    values = eager(values, name)
    # What Arrow counts are its own scalars; NumPy has plain values.
    return np.asarray(values) if can(values, "to_pylist") else values


def one_target(y: Any) -> Any:
    """Labels or targets, of which every row has one; several columns are refused, and say how to predict them all.

    >>> one_target(np.zeros((30, 2)))
    Traceback (most recent call last):
    ValueError: y has shape (30, 2), which is 2 targets for every row; expected one, an array of shape (30,): fit one \
model for each column, as sklearn.multioutput's MultiOutputClassifier and MultiOutputRegressor do
    """
    y = eager(y, "y")
    shape: tuple[int, ...] = y.shape if hasattr(y, "shape") else np.shape(y) if _is_nested(y) else ()
    if len(shape) == 2 and shape[1] != 1:
        raise ValueError(
            f"y has shape {tuple(shape)}, which is {shape[1]} targets for every row; expected one, an array of shape "
            f"({shape[0]},): fit one model for each column, as sklearn.multioutput's MultiOutputClassifier and "
            "MultiOutputRegressor do"
        )
    if is_frame(y):  # of one column, which scikit-learn takes, with a warning
        _warn_of_column(shape)
        y = columns_of(y)[0]
    return as_vector(y, "y")


def _warn_of_column(shape: tuple[int, ...]) -> None:
    from sklearn.exceptions import DataConversionWarning

    warn_caller(
        f"y is a frame of shape {tuple(shape)}, expected one column, of shape ({shape[0]},); its only column is taken",
        DataConversionWarning,
    )


def _is_nested(y: Any) -> bool:
    """Whether this is a list of lists of equal lengths."""
    rows = isinstance(y, list | tuple) and len(y) > 0 and all(isinstance(row, list | tuple | np.ndarray) for row in y)
    return rows and len({len(row) for row in y}) == 1


def listed(values: Any, name: str) -> list[Any]:
    """The same as plain Python values, None where one is missing."""
    values = eager(values, name)
    return list(values.to_pylist() if can(values, "to_pylist") else values)


def eager(value: Any, name: str) -> Any:
    """What a wrapper of narwhals holds, or the value itself; refused if it has no rows yet, or more than numbers."""
    if isinstance(value, np.ndarray):
        _check_array(value, name)
        return value
    if can(value, "to_native"):
        value = value.to_native()
    if _is_dask(value) or (not can(value, "iloc") and _holds_a_query(value)):
        fetch = next((method for method in FETCHERS if can(value, method)), "fetchall")
        what = "frame" if can(value, "columns") else "array"
        kind = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
        raise TypeError(f"{name} is a lazy {what} ({kind}), without rows as yet; call its {fetch}() first")
    return value


def _is_dask(value: Any) -> bool:
    """Whether dask has yet to compute this; what may hold dask and does not, as xarray's arrays, has no graph."""
    return can(value, "__dask_graph__") and value.__dask_graph__() is not None


def _holds_a_query(value: Any) -> bool:
    """Whether this is a lazy frame, a query of a data base, or a stream that can be read once."""
    return any(can(value, method) for method in QUERIES) or can(value, "read_all", "schema")


def _check_array(array: Any, name: str) -> None:
    """Refuse arrays of which NumPy would drop a part: imaginary parts, and masks."""
    if array.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: {name} is an array of {array.dtype}; expected real numbers, such as real and "
            "imaginary parts in columns of their own"
        )
    if np.ma.is_masked(array):
        raise ValueError(
            f"{name} is a masked array with {np.ma.count_masked(array)} missing (masked) values; expected "
            "one for every row: leave out the rows without"
        )


def _check_one_number_per_cell(array: Any, name: str) -> None:
    """Refuse arrays of named fields."""
    if array.dtype.names is not None:
        raise ValueError(
            f"{name} is a structured array with the fields {list(array.dtype.names)}; give pandas.DataFrame({name}), "
            "or an array of two dimensions"
        )


def exchanged(X: Any, name: str) -> Any:
    """A table of a library that we do not know, as one of a library that we do; columns keep names and types."""
    failures = []
    for protocol, module, function in READERS:
        if can(X, protocol):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)  # of a protocol that the user did not choose
                    table = getattr(import_module(module), function)(X)
                    _check_missing(X, protocol, table)
                    return table
            except Exception as error:
                failures.append(f"{module}: {error}")
    if can(X, "to_pandas"):
        return X.to_pandas()
    why = f"could not be read ({'; '.join(failures)})" if failures else "has columns, but no known way to read them"
    raise TypeError(
        f"{name} is of type {type(X).__module__}.{type(X).__name__}, and it {why}; give a pandas or polars frame, a "
        "pyarrow table or an array"
    )


def _check_missing(X: Any, protocol: str, table: Any) -> None:
    """Refuse a table of pandas in which missing values have become others, as truth values and categories may."""
    if protocol == "__dataframe__" and is_pandas(table):
        given = X.__dataframe__().get_columns()
        lost = [
            name
            for column, name, kept in zip(given, names_of(table), columns_of(table), strict=True)
            if column.null_count and not kept.isna().any()
        ]
        if lost:
            raise ValueError(f"it would lose the missing values in columns {lost}")
