"""New rows to be judged by a model: training rows, mixtures of them, and rows far from everything."""

import numpy as np
import pandas as pd
import polars as pl

from fuzz.geometry import columns_of


def queries_of(case, X, n=6):
    """A few rows with the columns of the table; distances cannot be mixed, and stay as they are."""
    if case.form == "distances":
        return X[:n]
    rng = np.random.default_rng(case.seed + 1)
    columns = [column[rng.integers(0, len(case), n)] for column in columns_of(X)]
    if rng.random() < 0.5:
        column = columns[rng.integers(len(columns))]
        if column.dtype == np.float64:
            column[0], column[1] = 1.7e308, -1.7e308
        elif column.dtype == object and case.form in ("frame", "polars"):
            column[0] = "never seen"
    if case.form == "polars":
        return pl.DataFrame({name: list(part) for name, part in zip(X.columns, columns, strict=True)}, schema=X.schema)
    if case.form in ("frame", "categories"):
        return pd.DataFrame({name: pd.Series(part) for name, part in zip(X.columns, columns, strict=True)})
    return np.column_stack(columns)
