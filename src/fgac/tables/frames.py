"""Read pandas and polars frames, and arrays, column by column, without importing pandas or polars.

Frames are known by what they can do: ``iloc`` is pandas', ``get_columns`` polars', and anything else is an array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac.tables.column_values import CategoricalColumn, NumericColumn
from fgac.tables.labels import is_missing

# Names of dtypes, in lower case and without parameters, of pandas and polars alike.
CATEGORICAL_DTYPES = {
    *("category", "categorical", "enum", "bool", "boolean"),
    *("object", "string", "large_string", "str", "utf8"),
}


def is_frame(X: Any) -> bool:
    """Whether X has named columns of their own types."""
    return hasattr(type(X), "columns") and hasattr(type(X), "dtypes")


def columns_of(X: Any) -> list[Any]:
    """The columns of a frame, or of a matrix."""
    if hasattr(X, "iloc"):
        return [X.iloc[:, j] for j in range(X.shape[1])]
    if is_frame(X):
        return list(X.get_columns())
    return list(X.T)


def names_of(X: Any) -> list[str]:
    """Names of the columns, or their positions."""
    return [str(name) for name in (X.columns if is_frame(X) else range(X.shape[1]))]


def take_rows(X: Any, positions: NDArray[np.int64]) -> Any:
    """The rows at these positions; the table itself if they are all of it, in order, to save a copy."""
    if len(positions) == len(X) and (positions == np.arange(len(X))).all():
        return X
    return X.iloc[positions] if hasattr(X, "iloc") else X[positions]


def categorical_types(X: Any) -> list[bool]:
    """Which columns of a frame hold categories, not numbers, by their types."""
    names = (str(dtype).lower().partition("(")[0].partition("[")[0] for dtype in X.dtypes)
    return [name in CATEGORICAL_DTYPES for name in names]


def number_matrix(X: Any) -> Floats | None:
    """A table of numbers as one matrix, nan where one is missing; None if it is not that simple."""
    if not is_frame(X):
        return X if X.dtype == np.float64 else None
    if hasattr(X, "iloc") and all(getattr(dtype, "kind", "O") in "iuf" for dtype in X.dtypes):
        return np.asarray(X.to_numpy(dtype=np.float64, na_value=np.nan))
    return None


def read_categories(column: Any) -> CategoricalColumn:
    """The values of a column as categories."""
    # pandas numbers categories by itself, and much faster than a dict does.
    if hasattr(column, "factorize"):
        try:
            codes, distinct = column.factorize()
        except TypeError as error:
            raise ValueError(f"column {column.name} holds values that are no names ({error})") from error
        return CategoricalColumn(codes.astype(np.int64), tuple(distinct))
    numbered: dict[Any, int] = {}
    values = column.to_list() if hasattr(column, "to_list") else column.tolist()
    codes = [-1 if is_missing(value) else numbered.setdefault(value, len(numbered)) for value in values]
    return CategoricalColumn(np.array(codes, dtype=np.int64), tuple(numbered))


def read_numbers(column: Any, name: str) -> NumericColumn:
    """The values of a column as numbers; ``name`` is for the error that says which column has none."""
    return NumericColumn(_floats(column, name))


def _floats(column: Any, name: str) -> Floats:
    try:
        # Dates would turn into nanoseconds or days, depending on the library: no scale that anyone has chosen.
        if getattr(column.dtype, "kind", "O") in "mM":
            raise TypeError("dates and durations have no scale of their own")
        if hasattr(column, "isna"):
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        if hasattr(column, "to_physical"):
            if column.dtype.is_temporal():
                raise TypeError("dates and durations have no scale of their own")
            return np.asarray(column.cast(float, strict=True).to_numpy(), dtype=np.float64)
        return np.asarray(column, dtype=np.float64)
    except Exception as error:
        raise ValueError(
            f"column {name} has dtype {column.dtype} and could not be read as numbers; expected numbers (turn dates "
            "into days, say), or name the column in categorical_features"
        ) from error
