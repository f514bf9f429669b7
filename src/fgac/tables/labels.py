"""Labels of classes, values of cells and ids of rows as plain Python values, and whether one is missing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Label


def plain_name(name: Any) -> Label:
    """A label or id as a plain Python value; anything unusual (dates, tuples) as its text.

    >>> plain_name(np.int64(3)), plain_name(np.str_("a")), plain_name((1, 2))
    (3, 'a', '(1, 2)')
    """
    if isinstance(name, np.generic):
        name = name.item()
    # JSON has no nan and no infinity, so that they too become texts.
    plain = isinstance(name, str | int | bool) or (isinstance(name, float) and math.isfinite(name))
    return name if plain else str(name)


def plain_or_unknown(value: Any) -> Label | None:
    """A value of a cell as a plain Python value, None if it is missing.

    >>> plain_or_unknown(np.float64(2.5)), plain_or_unknown(float("nan"))
    (2.5, None)
    """
    return None if is_missing(value) else plain_name(value)


def is_missing(value: Any) -> bool:
    """Whether a value is None, nan or a marker that refuses to be compared, as pandas' NA and signalling nans do.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    try:
        return value is None or bool(value != value)
    except (TypeError, ArithmeticError):
        return True
    except ValueError:  # an array is no single value, and not a missing one
        return False


def read_ids(ids: Any, X: Any, n: int) -> NDArray[Any]:
    """Names of the n rows of X: those given, or the index of a pandas frame, or positions.

    >>> read_ids(["a", "b"], None, 2), read_ids(["a", 7], None, 2)
    (array(['a', 'b'], dtype='<U1'), array(['a', '7'], dtype='<U1'))
    """
    if ids is None:
        X = X.to_native() if hasattr(type(X), "to_native") else X  # what narwhals wraps may have an index
        ids = X.index if hasattr(type(X), "iloc") else np.arange(n)
    if hasattr(type(ids), "to_pylist"):  # Arrow's scalars are no plain values
        ids = ids.to_pylist()
    # The usual case, positions or an integer index, needs no look at every single id.
    if getattr(getattr(ids, "dtype", None), "kind", "") == "i" and np.shape(ids) == (n,):
        return np.array(ids, dtype=np.int64)
    ids = list(ids)
    if len(ids) != n:
        raise ValueError(f"ids must name every row: X has {n} rows, got {len(ids)} ids")
    array = np.empty(n, dtype=object)
    array[:] = [plain_name(name) for name in ids]
    # Model files hold arrays of one type: ids of several types all become texts.
    kinds = {type(name) for name in array}
    try:
        return array.astype(kinds.pop()) if len(kinds) == 1 else array.astype(str)
    except OverflowError:  # whole numbers too long for 64 bits
        return array.astype(str)
