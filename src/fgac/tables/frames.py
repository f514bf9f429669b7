"""Read pandas, polars and Arrow tables, and arrays, column by column, without importing any of the libraries.

Frames are known by what their types can do: ``iloc`` is pandas' (and theirs who imitate it), ``get_columns`` polars',
``column_names`` Arrow's, and anything else is an array. A value itself may have columns of any name.
"""

from __future__ import annotations

from datetime import date, time, timedelta
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.tables.column_values import CategoricalColumn, NumericColumn
from fgac.tables.dates import is_temporal, object_dates, read_dates
from fgac.tables.labels import is_missing
from fgac.tables.value_kinds import ValueKind

# Names of dtypes, in lower case and without parameters, of pandas, polars and Arrow alike.
CATEGORICAL_DTYPES = {
    *("category", "categorical", "enum", "dictionary", "bool", "boolean"),
    *("object", "string", "large_string", "string_view", "str", "utf8"),
}
# Beyond it there are whole numbers that no float equals.
LARGEST_EXACT = 2**53


def is_pandas(X: Any) -> bool:
    """Whether X is a frame in the manner of pandas."""
    return hasattr(type(X), "iloc") and hasattr(type(X), "columns")


def is_polars(X: Any) -> bool:
    """Whether X is a frame of polars."""
    return hasattr(type(X), "get_columns")


def is_arrow(X: Any) -> bool:
    """Whether X is a table or a record batch of Arrow."""
    return hasattr(type(X), "column_names") and hasattr(type(X), "take")


def is_frame(X: Any) -> bool:
    """Whether X has named columns of their own types, in one of the forms that are read here."""
    return is_pandas(X) or is_polars(X) or is_arrow(X)


def columns_of(X: Any) -> list[Any]:
    """The columns of a frame, or of a matrix."""
    if is_pandas(X):
        return [X.iloc[:, j] for j in range(X.shape[1])]
    if is_polars(X):
        return list(X.get_columns())
    return list(X.columns) if is_arrow(X) else list(X.T)


def labels_of(X: Any) -> list[Any]:
    """What a frame calls its columns."""
    return list(X.column_names if is_arrow(X) else X.columns)


def names_of(X: Any) -> list[str]:
    """Names of the columns, or their positions."""
    return [str(name) for name in (labels_of(X) if is_frame(X) else range(X.shape[1]))]


def take_rows(X: Any, positions: NDArray[np.int64]) -> Any:
    """The rows at these positions; the table itself if they are all of it, in order, to save a copy."""
    if len(positions) == len(X) and (positions == np.arange(len(X))).all():
        return X
    if is_pandas(X):
        return X.iloc[positions]
    return _without_views(X).take(positions) if is_arrow(X) else X[positions]


def take_columns(X: Any, names: list[str]) -> Any:
    """The columns of a frame that have these names, in this order."""
    return X[names] if is_pandas(X) else X.select(names)


def _without_views(X: Any) -> Any:
    """An Arrow table whose texts are of the type from which Arrow can take rows."""
    for j, dtype in enumerate(X.schema.types):
        if str(dtype) == "string_view":
            X = X.set_column(j, X.column_names[j], X.column(j).cast("large_string"))
    return X


def dtypes_of(X: Any) -> list[Any]:
    """Types of the columns of a frame."""
    return list(X.schema.types if is_arrow(X) else X.dtypes)


def categorical_types(X: Any) -> list[bool]:
    """Which columns of a frame hold categories, not numbers, by their types."""
    types = [_plain(dtype) for dtype in dtypes_of(X)]
    if "object" not in types:
        return [name in CATEGORICAL_DTYPES for name in types]
    # Python objects may be anything.
    return [
        name in CATEGORICAL_DTYPES and not (name == "object" and holds_quantities(column))
        for name, column in zip(types, columns_of(X), strict=True)
    ]


def _plain(dtype: Any) -> str:
    """The name of a type in lower case, without its parameters."""
    return str(dtype).lower().partition("(")[0].partition("[")[0].partition("<")[0]


def holds_quantities(column: Any) -> bool:
    """Whether Python objects are numbers, such as Decimals from a data base, or dates, and all of them are.

    >>> holds_quantities([1, None, 2.5]), holds_quantities([1, "two"]), holds_quantities([True, False])
    (True, False, False)
    """
    found = False
    for value in column:
        if is_missing(value):
            continue
        if isinstance(value, bool | np.bool_) or not isinstance(value, Number | date | time | timedelta):
            return False
        found = True
    return found


def number_matrix(X: Any) -> Floats | None:
    """A table of numbers as one matrix, nan where one is missing; None if it is not that simple."""
    if is_pandas(X):
        dtypes = list(X.dtypes)
        if any(getattr(dtype, "kind", "O") not in "iuf" or is_sparse(dtype) for dtype in dtypes):
            return None
        matrix = np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))
    elif is_frame(X) or X.dtype.kind not in "iuf":
        return None
    else:
        dtypes, matrix = [X.dtype], np.asarray(X, dtype=np.float64)
    # Columns of whole numbers that may have been rounded must be looked at one by one.
    whole = any(dtype.kind in "iu" and dtype.itemsize == 8 for dtype in dtypes)
    return None if whole and beyond_exact(matrix).any() else matrix


def whole_types(X: Any) -> list[bool]:
    """Which columns of a table are of a type of whole numbers.

    >>> whole_types(np.array([[1, 2]])), whole_types(np.array([[1.0, 2.0]]))
    ([True, True], [False, False])
    """
    dtypes = dtypes_of(X) if is_frame(X) else [X.dtype] * X.shape[1]
    return [_plain(dtype).startswith(("int", "uint")) for dtype in dtypes]


def is_sparse(dtype: Any) -> bool:
    """Whether a type of pandas stores what differs from a fill value only."""
    return hasattr(dtype, "fill_value")


def read_categories(column: Any) -> CategoricalColumn:
    """The values of a column as categories."""
    # pandas numbers categories by itself, and much faster than a dict does.
    if hasattr(type(column), "factorize"):
        try:
            codes, distinct = column.factorize()
        except TypeError as error:
            raise ValueError(f"column {column.name} holds values that are no names ({error})") from error
        return CategoricalColumn(codes.astype(np.int64), tuple(distinct))
    numbered: dict[Any, int] = {}
    codes = [-1 if is_missing(value) else numbered.setdefault(value, len(numbered)) for value in _listed(column)]
    return CategoricalColumn(np.array(codes, dtype=np.int64), tuple(numbered))


def _listed(column: Any) -> list[Any]:
    """The values of a column as plain Python values."""
    way = next(name for name in ("to_pylist", "to_list", "tolist") if hasattr(type(column), name))
    return list(getattr(column, way)())


def read_numbers(column: Any, name: str, *, is_whole: bool = False) -> NumericColumn:
    """The values of a column as numbers; ``name`` is for the error that says which column has none.

    ``is_whole`` says that the column was of a type of whole numbers, also if it has become floats since.
    """
    floats, kind = _numbers(column, name)
    if kind != "number":
        return NumericColumn(floats, kind=kind)
    return NumericColumn(floats, rounding_of(column, floats), "whole" if is_whole else "number")


def rounding_of(column: Any, floats: Floats) -> float:
    """By how much differences of whole numbers in a column are off because these were rounded to floats, at most.

    >>> rounding_of(np.array([1, 2**53, 2**53 + 1]), np.array([1.0, 2.0**53, 2.0**53]))
    1.0
    """
    if _plain(_dtype(column)).startswith(("float", "double", "half")) or not beyond_exact(floats).any():
        return 0.0
    large = np.flatnonzero(beyond_exact(floats))
    values = _listed(column)
    # Python's whole numbers have no largest one. Smaller ones are exact.
    errors = [int(values[i]) - int(floats[i]) for i in large if isinstance(values[i], Number)]
    errors += [0] * (len(large) < len(floats))
    return float(max(errors, default=0) - min(errors, default=0))


def beyond_exact(floats: Floats) -> NDArray[np.bool_]:
    """Which numbers whole numbers may have been rounded to."""
    return (np.abs(floats) >= LARGEST_EXACT) & np.isfinite(floats)


def _dtype(column: Any) -> Any:
    return column.dtype if hasattr(column, "dtype") else column.type


def _numbers(column: Any, name: str) -> tuple[Floats, ValueKind]:
    """The values of a column as floats, and what they are by their type."""
    dtype = _dtype(column)
    try:
        found = read_dates(column, dtype) if is_temporal(dtype) else None
        if found is None and _plain(dtype) == "object":
            found = object_dates(_listed(column))
    except ValueError as error:
        raise ValueError(f"column {name}: {error}") from error
    return found or (_floats(column, dtype, name), "number")


def _floats(column: Any, dtype: Any, name: str) -> Floats:
    _check_numbers(dtype, name)
    try:
        if hasattr(type(column), "isna"):
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        if hasattr(type(column), "to_physical"):
            if column.dtype.is_nested():
                raise TypeError("lists and structures are no numbers")
            return np.asarray(column.cast(float, strict=True).to_numpy(), dtype=np.float64)
        if hasattr(type(column), "to_pylist"):
            return np.asarray(column.cast("float64", safe=False))  # rounding is measured by itself
        return np.asarray(column, dtype=np.float64)
    except Exception as error:
        raise ValueError(
            f"column {name} has dtype {dtype} and could not be read as numbers; expected numbers or dates, or name "
            "the column in categorical_features"
        ) from error


def _check_numbers(dtype: Any, name: str) -> None:
    """Refuse types that would become numbers nobody meant."""
    kind = getattr(dtype, "kind", "O")
    if kind == "c":
        raise ValueError(
            f"Complex data not supported: column {name} has dtype {dtype}; expected real numbers, such as real and "
            "imaginary parts in columns of their own"
        )
    if is_sparse(dtype):
        raise TypeError(
            f"Sparse data was passed: column {name} has dtype {dtype}, but dense data is required; use "
            "frame.sparse.to_dense(), or astype of these columns"
        )
