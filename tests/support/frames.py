"""One mixed table in every form a user may bring it: pandas, polars, arrays of objects, arrays of codes."""

from __future__ import annotations

import numpy as np

NAMES = ["age", "income", "city", "colour", "member"]
NOMINAL = (2, 3, 4)
CITIES = ["Ghent", "Catania", "Poznan", "Portsmouth"]
COLOURS = ["red", "green", "blue"]


def mixed_columns(n=36, seed=0):
    """Return a dictionary of columns (two numeric, three nominal) and three class labels."""
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(18, 80, n),
        "income": rng.normal(30.0, 8.0, n).round(1),
        "city": np.array(CITIES, dtype=object)[np.r_[0:4, rng.integers(0, 4, n - 4)]],
        "colour": np.array(COLOURS, dtype=object)[np.r_[0:3, rng.integers(0, 3, n - 3)]],
        "member": np.r_[[True, False], rng.integers(0, 2, n - 2).astype(bool)],
    }
    return columns, rng.integers(0, 3, n)


def as_objects(columns):
    """Return the table as an array of Python objects."""
    return np.array([list(row) for row in zip(*columns.values(), strict=True)], dtype=object)


def as_codes(columns):
    """Return the table as numbers, categories replaced by arbitrary codes."""
    codes = {"city": CITIES, "colour": COLOURS, "member": [True, False]}
    numbers = [
        [10 * codes[name].index(value) for value in column] if name in codes else column
        for name, column in columns.items()
    ]
    return np.column_stack(numbers).astype(float)


def as_pandas(columns, text="category"):
    """Return a DataFrame; ``text`` is the dtype of the columns of strings."""
    import pandas as pd

    frame = pd.DataFrame(columns)
    return frame.astype({"city": text, "colour": text})


def as_polars(columns, text="String"):
    """Return a polars frame; ``text`` names the polars dtype of the columns of strings."""
    import polars as pl

    frame = pl.DataFrame({name: column.tolist() for name, column in columns.items()})
    return frame.with_columns(pl.col("city", "colour").cast(getattr(pl, text)))
