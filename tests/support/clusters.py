"""Tables cut into partitions, for tests of estimators on a Dask cluster."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd


def mixed_table(n: int = 240, n_classes: int = 2, seed: int = 0) -> pd.DataFrame:
    """Return rows of numbers, texts, categories, truth values and dates, many equal, some missing; with y, t and w."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(1),
            "b": rng.integers(0, 5, n),
            "colour": rng.choice(["red", "green", "blue"], n),
            "kind": pd.Categorical(rng.choice(list("uvw"), n)),
            "flag": rng.random(n) < 0.3,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 30, n), unit="D"),
        }
    )
    height = frame["a"] + (frame["colour"] == "red") + 0.5 * rng.normal(size=n)
    frame["y"] = np.array(["no", "perhaps", "yes"])[np.digitize(height, [0.3, 1.2][: n_classes - 1])]
    frame["t"] = height.round(1)
    frame["w"] = rng.integers(0, 4, n).astype(float)
    for name in ("a", "colour", "kind"):
        frame.loc[rng.random(n) < 0.08, name] = None
    return frame


def features(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the columns that a model sees."""
    return frame.drop(columns=["y", "t", "w"])


def cut(frame: pd.DataFrame, lengths: list[int]) -> Any:
    """Return a dask frame with partitions of these lengths, which may be 0."""
    ends = np.cumsum([0, *lengths])
    assert ends[-1] == len(frame)
    parts = [frame.iloc[start:stop] for start, stop in pairwise(ends)]
    return dd.from_map(itself, parts, meta=frame.iloc[:0])


def itself(part: Any) -> Any:
    """Return what is given."""
    return part


def cut_array(array: Any, rows: int) -> Any:
    """Return a dask array with chunks of so many rows."""
    array = np.asarray(array)
    return da.from_array(array, chunks=(rows, *array.shape[1:]))
