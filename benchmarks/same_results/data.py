"""Tables that settings are fitted to: drawn with fixed seeds, or embedded in scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
from numpy.random import Generator, default_rng

from same_results.constants import Floats


class Case(NamedTuple):
    """Rows to learn from, new rows to ask about, and what else ``fit`` and ``explain`` are given."""

    X: Any
    y: Any
    new: Any
    fit: dict[str, Any] = {}
    explain: dict[str, Any] = {}

    def given(self, **fit: Any) -> Case:
        """The same with more for ``fit``."""
        return self._replace(fit={**self.fit, **fit})


def asked(X: Floats, rng: Generator) -> Floats:
    """New rows: near training rows, between two, equal to one, and further and further away from all."""
    near = X[:4] + rng.normal(0, 0.1 * X.std(axis=0) + 1e-3, X[:4].shape)
    first, second = X[rng.integers(0, len(X), (2, 4))]
    middle = X.mean(axis=0)
    far = middle + np.outer([3.0, 1e4], np.ptp(X, axis=0) + 1.0)
    return np.vstack([near[:2], far, X[:1], 0.5 * (first + second), near[2:], X[-1:] * (1 + 1e-9), -far[:1]])


def drawn(n: int = 60, columns: int = 3, classes: int = 2, seed: int = 0, spread: float = 1.0) -> Case:
    """Classes of equal size that overlap."""
    rng = default_rng(seed)
    codes = rng.permutation(np.arange(n) % classes)
    X = rng.normal(0, spread, (classes, columns))[codes] + rng.normal(0, 1, (n, columns))
    return Case(X, np.array([f"class {chr(97 + code)}" for code in codes]), asked(X, rng))


def measured(n: int = 60, columns: int = 3, seed: int = 0) -> Case:
    """Numbers that depend on columns, with noise."""
    rng = default_rng(seed)
    X = rng.random((n, columns)) * 10.0 ** np.arange(columns)
    y = 40.0 * np.sin(3.0 * X[:, 0]) + X @ np.linspace(5.0, 0.5, columns) + rng.normal(0, 8.0, n)
    return Case(X, y, asked(X, rng))


def numbered(case: Case) -> Case:
    """The same with class numbers as labels."""
    return case._replace(y=np.unique(case.y, return_inverse=True)[1])


def grid(classes: int = 2) -> Case:
    """Rows on a grid, where distances are equal by the dozen and ties have to be decided."""
    X = np.array([(i, j) for i in range(7) for j in range(7)], dtype=float)
    y = ((X[:, 0] + 2 * X[:, 1]) % 7 % classes).astype(int)
    between = np.array([[0.5, 0.5], [3.0, 3.0], [3.5, 3.0], [20.0, 20.0], [1.5, 2.5], [6.0, 0.0], [2.0, 2.5]])
    return Case(X, y, between)


def repeated(seed: int = 3) -> Case:
    """Rows that stand in the table several times, some of them with different labels."""
    case = drawn(30, 2, 3, seed)
    X, y = np.vstack([case.X, case.X[:12], case.X[:4]]), np.concatenate([case.y, case.y[:8], case.y[[9, 8, 11, 10]]])
    return case._replace(X=X, y=np.concatenate([y, case.y[[1, 2, 3, 0]]]))


def distances(A: Floats, B: Floats) -> Floats:
    """A metric of one's own: every distance between the rows of two blocks."""
    return np.asarray(np.sqrt(np.abs(A[:, None, :] - B[None, :, :])).sum(axis=2) / A.shape[1])


class Distances:
    """The same as an object."""

    def pairwise(self, A: Floats, B: Floats) -> Floats:
        """Every distance between the rows of two blocks."""
        return distances(A, B)


def by_distance(case: Case) -> Case:
    """The same rows by nothing but their distances."""
    gaps = [np.abs(rows[:, None, :] - case.X[None, :, :]).sum(axis=2) / 10.0 for rows in (case.X, case.new)]
    return case._replace(X=gaps[0], new=gaps[1])


def people(n: int, seed: int) -> dict[str, Any]:
    """Made-up people: numbers, names and a truth value."""
    rng = default_rng(seed)
    return {
        "income": rng.lognormal(8.0, 0.5, n).round(2),
        "age": rng.integers(18, 80, n),
        "city": rng.choice(["Ghent", "Lviv", "Novi Sad", "Poznań"], n),
        "debt": rng.exponential(2000.0, n).round(),
        "owner": rng.random(n) < 0.4,
        "job": rng.choice(["baker", "clerk", "smith"], n),
    }


def new_people(seed: int) -> dict[str, Any]:
    """People of whom one lives in a city that training did not see, and one is richer than all."""
    columns = people(10, seed)
    columns["city"] = np.where(np.arange(10) == 1, "Oz", columns["city"])
    columns["job"] = np.where(np.arange(10) == 3, "poet", columns["job"])
    columns["income"][2] *= 1000.0
    return columns


def worth(columns: dict[str, Any], seed: int) -> Floats:
    """What is to be learned about people, with noise."""
    noise = default_rng(seed + 100).normal(0, 0.3, len(columns["income"]))
    places = 0.5 * (columns["city"] == "Ghent") + 0.3 * columns["owner"] - 0.2 * (columns["job"] == "smith")
    return np.asarray(np.log(columns["income"]) - 2e-4 * columns["debt"] + places + 0.005 * columns["age"] + noise)


def table(columns: dict[str, Any], library: str, first: str = "P") -> Any:
    """People as a frame of pandas, with an index of names, or of polars."""
    if library == "polars":
        return pl.DataFrame(columns).with_columns(pl.col("city").cast(pl.Categorical))
    frame = pd.DataFrame(columns, index=[f"{first}{i:03d}" for i in range(len(columns["age"]))])
    return frame.astype({"city": "category", "job": "object"})


def census(kind: str = "two", library: str = "pandas", n: int = 80, seed: int = 0) -> Case:
    """People and what is to be predicted: one of two or three classes, ordered grades, or a number."""
    columns = people(n, seed)
    value = worth(columns, seed)
    cut = np.digitize(value, np.quantile(value, [0.5] if kind == "two" else [0.3, 0.7]))
    names = {"two": ["reject", "approve"], "three": ["yes", "no", "ask"], "grades": ["poor", "fair", "good"]}
    y = (1000.0 * value).round(1) if kind == "number" else np.array(names[kind])[cut]
    units = {"age": "years", "income": "EUR"} | ({"y": "EUR a year"} if kind == "number" else {})
    truth = [4000.0, np.nan, 5000.0, 6000.0, 7000.0, 8000.0] if kind == "number" else list(y[:6])
    return Case(
        table(columns, library), y, table(new_people(seed + 50), library, "N"), {}, {"units": units, "y": truth}
    )


def embedded(load: Callable[..., Any], step: int = 1, *, frame: bool = False) -> Case:
    """Every so many rows of data that come with scikit-learn; some others are asked about, and their truth is told."""
    data = load(as_frame=frame)
    labels = np.asarray(data.target)
    labels = np.asarray(data.target_names)[labels] if hasattr(data, "target_names") else labels
    rows = np.arange(len(labels))
    train, test = rows[rows % step == 0] if step > 1 else rows[rows % 10 != 5], rows[rows % 30 == 5]
    known, new = (data.data.iloc[part] if frame else data.data[part] for part in (train, test))
    return Case(known, labels[train], new, {}, {"y": labels[test][:6]})
