"""Predictions of tables on a cluster: lazy, partition by partition, by a model that is one delayed value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np
import pandas as pd
from dask.delayed import delayed

from fgac.dask.parts import is_frame, plain_names, table_of
from fgac.estimators._batches import no_results

# Methods whose results are named tuples.
PARTED = ("memberships", "predict_bounds", "predict_interval")


def predict(model: Any, X: Any, method: str = "predict") -> Any:
    """Judge a dask table by a fitted model, lazily: nothing is computed before the result is.

    The model goes to the workers once, as one delayed value, and every partition is judged where it is.

    Parameters
    ----------
    model : fitted estimator of this package
        Such as :class:`fgac.FGAClassifier`, or what :func:`fgac.load_model` gives.
    X : dask DataFrame, dask Array, or path of a Parquet file
    method : str, default="predict"
        What is asked, as in :meth:`fgac.FGAClassifier.predict_batches`.

    Returns
    -------
    dask Series, DataFrame or Array
        Of a frame a Series or a frame with its index and divisions, columns named by the classes; of an array an array
        with its chunks of rows. Of methods that give a named tuple, one with such parts.

    Examples
    --------
    >>> import dask.array as da
    >>> from fgac import FGAClassifier
    >>> from fgac.dask import predict
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> predict(clf, da.from_array(np.array([[0.2], [0.7]]), chunks=(1, 1))).compute()
    array(['low', 'high'], dtype='<U4')
    """
    from sklearn.utils.validation import check_is_fitted

    from fgac.tables.validation import check_option

    check_is_fitted(model)
    check_option("method", method, tuple(no_results(model)))
    return judged(delayed(model), X, method, no_results(model)[method], getattr(model, "classes_", None))


def judged(model: Any, X: Any, method: str, nothing: Any, classes: Any) -> Any:
    """The same by a delayed model; ``nothing`` is the result of no rows."""
    X = table_of(X, instead=f"{method} of the local model")
    parts = list(nothing) if method in PARTED else [nothing]
    found = _of_frame(model, X, method, parts, classes) if is_frame(X) else _of_array(model, X, method, parts)
    return type(nothing)(*found) if method in PARTED else found[0]


def _of_frame(model: Any, X: Any, method: str, parts: list[Any], classes: Any) -> list[Any]:
    """One collection for every part of the result, of one pass over the frame."""
    names = [_names(part, classes) for part in parts]
    columns = [f"{k}:{name}" for k, held in enumerate(names) for name in held]
    types = [part.dtype for part, held in zip(parts, names, strict=True) for _ in held]
    meta = pd.DataFrame({name: pd.Series([], dtype=_plain(kind)) for name, kind in zip(columns, types, strict=True)})
    meta.index = X._meta.index
    all_parts = X.map_partitions(judge_frame, model, method, columns, meta=meta)
    found = []
    for k, (part, held) in enumerate(zip(parts, names, strict=True)):
        if part.ndim == 1:
            found.append(all_parts[f"{k}:{held[0]}"].rename(None))
        else:
            some = all_parts[[f"{k}:{name}" for name in held]]
            found.append(some.rename(columns={f"{k}:{name}": name for name in held}))
    return found


def _names(part: Any, classes: Any) -> list[Any]:
    if part.ndim == 1:
        return ["value"]
    return plain_names(classes) if part.shape[1] == len(classes) else list(range(part.shape[1]))


def _plain(dtype: Any) -> Any:
    return object if dtype.kind in "US" else dtype


def judge_frame(X: Any, model: Any, method: str, columns: Sequence[str]) -> Any:
    """What a model says of one partition of a frame, all parts side by side."""
    blocks = _answer(model, X, method)
    flat = [column for block in blocks for column in (block.T if block.ndim == 2 else [block])]
    found = {name: pd.Series(column, index=X.index) for name, column in zip(columns, flat, strict=True)}
    return pd.DataFrame(found, index=X.index, columns=list(columns))


def _of_array(model: Any, X: Any, method: str, parts: list[Any]) -> list[Any]:
    """One array for every part of the result, of one pass over the array."""
    answers = [delayed(_answer)(model, part, method) for part in np.ravel(np.array(X.to_delayed(), dtype=object))]
    found = []
    for k, part in enumerate(parts):
        chunks = [
            da.from_delayed(answer[k], (n, *part.shape[1:]), dtype=part.dtype)
            for answer, n in zip(answers, X.chunks[0], strict=True)
        ]
        found.append(da.concatenate(chunks, axis=0, allow_unknown_chunksizes=True))
    return found


def _answer(model: Any, X: Any, method: str) -> list[Any]:
    """What a model says of one partition, part by part; a partition may be empty."""
    found = getattr(model, method)(X) if len(X) else no_results(model)[method]
    return list(found) if method in PARTED else [found]
