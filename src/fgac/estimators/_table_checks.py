"""Shape and type of the tables that estimators are given, before a single column is read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from fgac.tables.containers import as_table, plain_markers
from fgac.tables.frames import beyond_exact, is_frame


def frame_or_array(X: Any, estimator: Any, *, distances: bool, names: bool) -> Any:
    """A frame that can be read by name, or an array of two dimensions.

    Parameters
    ----------
    X : what the caller gave
    estimator : the estimator, which errors name
    distances : bool
        Whether the table holds distances.
    names : bool
        Whether the caller says which columns are nominal, so that an array may hold names.
    """
    X = as_table(X)
    if is_frame(X):
        return X
    if hasattr(type(X), "iloc") and X.ndim == 1:
        raise ValueError(
            f"Expected 2D array, got 1D array instead: X is one column of {len(X)} values. Reshape your data: one "
            "row of a frame is frame.iloc[[i]]"
        )
    if distances:
        return check_array(X, dtype=np.float64, estimator=estimator, input_name="X")
    return _numbers_or_names(X, estimator, names=names)


def check_frame(X: Any, estimator: Any, *, distances: bool) -> Any:
    """A table with rows and columns; frames stay frames, unless they hold distances, and arrays have been checked."""
    if not is_frame(X):
        return X
    if distances:
        return check_array(X, dtype=np.float64, estimator=estimator, input_name="X")
    if 0 in X.shape:
        raise ValueError(f"Found a table of shape {X.shape} with 0 sample(s) or 0 feature(s); expected some")
    return X


def _numbers_or_names(X: Any, estimator: Any, *, names: bool) -> NDArray[Any]:
    """Plain arrays are numbers unless the caller names nominal columns."""
    X = np.asarray(X) if isinstance(X, list | tuple) else X
    if isinstance(X, np.ndarray) and X.dtype.kind in "mM":
        # Dates become days when columns are read; here, they would become numbers of whatever unit they have.
        check_array(X.view(np.int64) if X.ndim else X.astype(np.int64), estimator=estimator, input_name="X")
        return X
    if isinstance(X, np.ndarray) and X.dtype.kind == "O":
        X = plain_markers(X)
    # Whole numbers become floats column by column, where it is seen if that loses digits, as it may be of others, too.
    dtype = None if names else [np.float64, np.int64, np.uint64]
    try:
        # Columns are checked one by one, so that errors name them.
        checked = check_array(X, dtype=dtype, ensure_all_finite=False, estimator=estimator, input_name="X")
    except ValueError as error:
        if "could not convert string" not in str(error):
            raise
        raise ValueError(
            f"X is an array that holds text ({error}); expected numbers. Give a frame, or name the nominal columns in "
            "categorical_features"
        ) from error
    rounded = isinstance(X, np.ndarray) and X.dtype.kind == "O" and checked.dtype.kind == "f"
    return X if rounded and beyond_exact(checked).any() else checked
