"""Problems: a table, answers, weights and settings, made from a seed."""

from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import polars as pl

from fuzz import answers
from fuzz.columns import NASTY, ORDINARY, grid, names
from fuzz.settings import KINDS, settings_of

# Kinds of problems, and how often they come.
FREQUENT = ("FGAClassifier", "FGARegressor", "path", "FGAOrdinalClassifier")
RARE = tuple(kind for kind in KINDS if kind not in FREQUENT)
NUMBERS = ("FGARegressor", "FGARegressorCV", "solve")
SEARCHES = ("FGAClassifierCV", "FGARegressorCV", "FGAOrdinalClassifierCV")


@dataclass(frozen=True)
class Case:
    """One problem; ``form`` says in what the columns are handed over: an array, a frame, or distances."""

    kind: str
    columns: tuple
    answers: np.ndarray
    weight: np.ndarray | None
    settings: dict = field(default_factory=dict)
    form: str = "array"
    table: str = "ordinary"
    large: bool = False
    seed: int = 0

    def __len__(self):
        return len(self.answers)

    def take(self, rows):
        """The problem of some of the rows."""
        weight = None if self.weight is None else self.weight[rows]
        return replace(self, columns=tuple(c[rows] for c in self.columns), answers=self.answers[rows], weight=weight)

    def X(self):
        """The table as the estimator gets it."""
        named = {f"c{j}": column for j, column in enumerate(self.columns)}
        if self.form == "frame":
            return pd.DataFrame(named)
        if self.form == "categories":  # pandas' own types
            return pd.DataFrame({name: pd.Series(column).astype(pandas_type(column)) for name, column in named.items()})
        if self.form == "polars":
            return pl.DataFrame(
                {name: column.tolist() if column.dtype == object else column for name, column in named.items()}
            )
        if self.form == "distances":
            return distances_of(np.column_stack([np.asarray(c, dtype=float) for c in self.columns]))
        if self.form == "object":
            return np.column_stack([np.asarray(column).astype(object) for column in self.columns])
        return np.column_stack(self.columns)


def pandas_type(column):
    """The type that pandas itself has for a column: categories of names, and integers that may be missing."""
    if column.dtype == object:
        return "category"
    return {"int64": "Int64", "uint64": "UInt64", "bool": "boolean"}.get(str(column.dtype), column.dtype)


def distances_of(matrix):
    """Distances that a caller may have computed: sums of absolute differences."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.abs(matrix[:, None, :] - matrix[None, :, :]).sum(axis=2)


def make_case(seed):
    """The problem of a seed."""
    rng = np.random.default_rng(seed)
    kind = str(rng.choice(FREQUENT if rng.random() < 0.7 else RARE))
    n = n_rows(rng, kind)
    table, columns = make_columns(rng, n)
    if kind in ("solve", "granular_approximation"):  # they know numbers only
        columns = [column if column.dtype != object else grid(rng, n) for column in columns]
    form = make_form(rng, columns)
    y = answers.targets(rng, n) if kind in NUMBERS else answers.labels(rng, n)
    if kind == "granular_approximation":
        y = rng.choice([rng.random(n), rng.integers(0, 2, n).astype(float)])
    if kind in SEARCHES:  # every class needs two rows for two folds
        y = y if kind == "FGARegressorCV" else np.resize(answers.labels(rng, n // 2, 2), n)
    settings, form = settings_of(rng, kind, columns, form, y)
    if form == "distances":
        columns = tuple(np.asarray(c, dtype=float) for c in columns)
    weight = answers.sample_weight(rng, n)
    if kind == "FRNNClassifier" and weight is not None:  # there a weight says how often a row stands there
        weight = np.minimum(np.ceil(weight), 1e3)
    return Case(kind, tuple(columns), y, weight, settings, form, table, bool(rng.random() < 0.3), seed)


def make_form(rng, columns):
    """In what the columns are handed over; only frames hold names."""
    frames = ["frame", "frame", "categories"]
    if not any(column.dtype == np.float16 for column in columns):
        frames.append("polars")
    if any(column.dtype == object for column in columns):
        return str(rng.choice(frames))
    return str(rng.choice([*frames, *["array"] * 7, "object"]))


def n_rows(rng, kind):
    """How many rows: mostly few, for much can be checked of few."""
    if kind in SEARCHES:
        return int(rng.integers(8, 25))
    form = rng.random()
    if form < 0.55:
        return int(rng.integers(1, 16))
    if form < 0.95 or kind in ("granular_approximation", "solve"):
        return int(rng.integers(10, 61))
    return int(rng.integers(100, 500)) if form < 0.99 else int(rng.integers(500, 1500))


def make_columns(rng, n):
    """Columns of a table, and what kind of table it is."""
    q = int(rng.choice([1, 1, 2, 2, 3, 4, 6, 12]))
    form = rng.random()
    if form < 0.3:
        columns, table = [rng.choice(ORDINARY)(rng, n) for _ in range(q)], "ordinary"
    elif form < 0.65:
        one = rng.choice(NASTY)
        columns, table = [one(rng, n) for _ in range(q)], one.__name__
    elif form < 0.85:
        columns, table = [rng.choice([*ORDINARY, *NASTY])(rng, n) for _ in range(q)], "mixed"
    else:
        columns = [rng.choice([*ORDINARY, names, names, *NASTY])(rng, n) for _ in range(q)]
        columns[0], table = names(rng, n), "names"
    if rng.random() < 0.25:  # repeated rows
        rows = rng.integers(0, max(1, n // 2), n)
        columns = [column[rows] for column in columns]
    return table, columns
