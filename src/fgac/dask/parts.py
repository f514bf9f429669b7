"""A table on a cluster: its partitions, with those of the target and of the weights, and never computed here."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np

from fgac.tables.labels import plain_name


@dataclass(frozen=True)
class Parts:
    """The partitions of a training table as delayed values, not too many of them.

    ``targets`` and ``weights`` may be names of columns of the tables, which are then read once; ``features`` are those
    that a model sees. ``meta`` is a frame without rows, or an array, that has these.
    """

    tables: list[Any]
    targets: list[Any] | str
    weights: list[Any] | str | None
    features: list[Any] | None
    meta: Any
    target_name: str | None

    def groups(self) -> list[tuple[Any, Any, Any]]:
        """What a task reads of every partition: the table, and the target and the weights if they stand elsewhere."""
        n = len(self.tables)
        targets, weights = (part if isinstance(part, list) else [part] * n for part in (self.targets, self.weights))
        return list(zip(self.tables, targets, weights, strict=True))


def is_frame(X: Any) -> bool:
    """Whether X is a frame of Dask."""
    return isinstance(X, dd.DataFrame)


def is_collection(X: Any) -> bool:
    """Whether X is a table of Dask."""
    return isinstance(X, dd.DataFrame | da.Array)


def table_of(X: Any, name: str = "X", instead: str = "the local estimator") -> Any:
    """A frame or an array of Dask; a Parquet path is opened, and anything else refused."""
    if isinstance(X, str | os.PathLike):
        return dd.read_parquet(os.fspath(X))
    if not is_collection(X):
        raise TypeError(
            f"{name} is of type {type(X).__name__}; expected a dask DataFrame, a dask Array or the path of a Parquet "
            f"file. For a table in memory use {instead}, or dask.dataframe.from_pandas and dask.array.from_array"
        )
    if isinstance(X, da.Array):
        if X.ndim != 2:
            raise ValueError(f"{name} has {X.ndim} dimensions; expected 2, rows and columns")
        if X.numblocks[1] != 1:
            raise ValueError(
                f"{name} is cut along its columns, into chunks of {X.chunks[1]}; expected all columns in every chunk: "
                f"{name}.rechunk({{1: -1}})"
            )
    return X


def parts_of(X: Any, y: Any, sample_weight: Any, most: int, instead: str) -> Parts:
    """The parts of a training table, ``most`` at most; y and the weights may be names of columns of a frame."""
    X = table_of(X, instead=instead)
    if y is None:
        raise ValueError("y is None; expected a dask Series or Array, or the name of a column of X")
    taken = [name for name in (y, sample_weight) if isinstance(name, str)]
    if taken and not is_frame(X):
        raise ValueError(f"{taken[0]!r} is the name of a column, but X is an array; give a dask Array")
    missing = [name for name in taken if name not in list(X.columns)] if taken else []
    if missing:
        raise ValueError(f"X has no column {missing[0]!r}; its columns are {list(X.columns)}")
    features, name = None, y if isinstance(y, str) else None
    if is_frame(X):
        features = [column for column in X.columns if column not in taken]
        meta = X._meta[features]
    else:
        meta = np.empty((0, X.shape[1]), dtype=X.dtype)
    target, weights = (
        column if column is None or isinstance(column, str) else _aligned(X, column, called)
        for column, called in ((y, "y"), (sample_weight, "sample_weight"))
    )
    if isinstance(target, dd.Series) and isinstance(target.name, str) and target.name.strip():
        name = target.name if features is None or target.name not in features else None
    return Parts(_delayed(X, most), _apart(target, most), _apart(weights, most), features, meta, name)


def _apart(column: Any, most: int) -> Any:
    """A column as delayed values; one that is named, or not there, as it is."""
    return column if column is None or isinstance(column, str) else _delayed(column, most)


def _aligned(X: Any, column: Any, name: str) -> Any:
    """A column cut where X is cut."""
    if isinstance(column, dd.DataFrame) and len(column.columns) == 1:
        column = column[column.columns[0]]
    if isinstance(column, da.Array) and column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if not isinstance(column, dd.Series | da.Array):
        raise TypeError(
            f"{name} is of type {type(column).__name__}; expected a dask Series or Array, cut as X is cut, or the name "
            "of a column of X"
        )
    if isinstance(column, da.Array) and column.ndim != 1:
        raise ValueError(f"{name} has {column.ndim} dimensions; expected one value per row")
    if is_frame(X) and isinstance(column, dd.Series) and X.divisions != column.divisions and X.known_divisions:
        column = column.repartition(divisions=X.divisions) if column.known_divisions else column
    if isinstance(X, da.Array) and isinstance(column, da.Array) and X.chunks[0] != column.chunks[0]:
        lengths = _known(X.chunks[0]), _known(column.chunks[0])
        if all(lengths):
            if X.shape[0] != column.shape[0]:
                raise ValueError(f"X has {X.shape[0]} rows and {name} has {column.shape[0]}; expected as many as rows")
            return column.rechunk((X.chunks[0],))
        if any(lengths) and X.numblocks[0] == column.numblocks[0]:
            return column  # every task compares the lengths
    if _n_parts(X) != _n_parts(column):
        raise ValueError(
            f"X has {_n_parts(X)} partitions and {name} has {_n_parts(column)}, and their lengths are not known; cut "
            "both alike, or make lengths known, as by compute_chunk_sizes() of arrays"
        )
    return column


def _known(chunks: Sequence[float]) -> bool:
    return not any(np.isnan(length) for length in chunks)


def _n_parts(collection: Any) -> int:
    return int(collection.numblocks[0] if isinstance(collection, da.Array) else collection.npartitions)


def _delayed(collection: Any, most: int) -> list[Any]:
    """The partitions of a collection as delayed values; neighbours are put together where there are very many.

    A scheduler does not like many tasks, and Dask puts partitions together with less ado than we could.
    """
    n = _n_parts(collection)
    if n > most and isinstance(collection, da.Array):
        if _known(collection.chunks[0]):
            cuts = np.linspace(0, n, most + 1).astype(int)
            sizes = np.add.reduceat(np.array(collection.chunks[0]), cuts[:-1])
            collection = collection.rechunk({0: tuple(sizes.tolist())})
    elif n > most:
        collection = collection.repartition(npartitions=most)
    return list(np.ravel(np.array(collection.to_delayed(), dtype=object)))


def names_of(meta: Any) -> list[str]:
    """Names of the columns, or their positions."""
    return [str(name) for name in (meta.columns if hasattr(meta, "columns") else range(meta.shape[1]))]


def plain_names(classes: Any) -> list[Any]:
    """Labels of classes as names of columns."""
    return [plain_name(label) for label in classes]
