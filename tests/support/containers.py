"""One table in every container that users have: those of libraries, and those that only speak a protocol.

Libraries that are not installed are left out by the tests that need them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

NAMES = ["size", "count", "colour", "good"]


def columns(n: int = 40, seed: int = 0) -> dict[str, list[Any]]:
    """Return four columns: floats, whole numbers, names and truth values."""
    rng = np.random.default_rng(seed)
    return {
        "size": rng.normal(5.0, 2.0, n).round(2).tolist(),
        "count": rng.integers(0, 9, n).tolist(),
        "colour": ["red", "green", "blue", *rng.choice(["red", "green", "blue"], n - 3).tolist()],
        "good": [True, False, *(rng.random(n - 2) < 0.5).tolist()],
    }


def labels(table: dict[str, list[Any]]) -> list[str]:
    """Return classes that depend on two of the columns."""
    return ["high" if size + 2 * good > 6 else "low" for size, good in zip(table["size"], table["good"], strict=True)]


class Exchanged:
    """A frame of an unknown library: it has columns, and speaks the interchange protocol."""

    def __init__(self, table: dict[str, list[Any]]) -> None:
        # The protocol has no Python objects, which truth values with a missing one would be.
        self.frame = pd.DataFrame(table).astype({name: "boolean" for name in table if name == "good"})

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.frame.shape

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        """Return what the protocol asks for."""
        return self.frame.__dataframe__(nan_as_null, allow_copy)


class Streamed:
    """A frame of an unknown library that gives its columns as a stream of Arrow."""

    def __init__(self, table: dict[str, list[Any]]) -> None:
        self.frame = pl.DataFrame(table)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self.frame.columns

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return what the protocol asks for."""
        return self.frame.__arrow_c_stream__(requested_schema)


def arrow(table: dict[str, list[Any]]) -> Any:
    """Return an Arrow table."""
    return pytest.importorskip("pyarrow").table(table)


def arrow_dictionary(table: dict[str, list[Any]]) -> Any:
    """Return an Arrow table whose names are numbered, in two chunks with a numbering of their own."""
    pa = pytest.importorskip("pyarrow")
    half = len(table["colour"]) // 2
    parts = [pa.array(table["colour"][:half]), pa.array(table["colour"][half:])]
    numbered = pa.chunked_array([part.dictionary_encode() for part in parts])
    return pa.table({**table, "colour": numbered})


def arrow_batch(table: dict[str, list[Any]]) -> Any:
    """Return one record batch of Arrow."""
    return pytest.importorskip("pyarrow").RecordBatch.from_pydict(table)


def arrow_backed(table: dict[str, list[Any]]) -> Any:
    """Return a pandas frame whose columns are Arrow's."""
    return arrow_dictionary(table).to_pandas(types_mapper=pd.ArrowDtype)


def wrapped(table: dict[str, list[Any]]) -> Any:
    """Return a pandas frame within narwhals."""
    return pytest.importorskip("narwhals").from_native(pd.DataFrame(table))


def wrapped_polars(table: dict[str, list[Any]]) -> Any:
    """Return a polars frame within narwhals."""
    return pytest.importorskip("narwhals.stable.v1").from_native(pl.DataFrame(table))


CONTAINERS: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas category": lambda table: pd.DataFrame(table).astype({"colour": "category"}),
    "pandas object": lambda table: pd.DataFrame(table).astype({"colour": object, "good": object}),
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(dtype_backend="numpy_nullable"),
    "pandas small": lambda table: pd.DataFrame(table).astype({"count": "int8"}),
    "pandas arrow": arrow_backed,
    "polars": pl.DataFrame,
    "polars enum": lambda table: pl.DataFrame(table).with_columns(
        pl.col("colour").cast(pl.Enum(["blue", "green", "red"]))
    ),
    "arrow": arrow,
    "arrow dictionary": arrow_dictionary,
    "arrow batch": arrow_batch,
    "narwhals of pandas": wrapped,
    "narwhals of polars": wrapped_polars,
    "interchange": Exchanged,
    "arrow stream": Streamed,
}
