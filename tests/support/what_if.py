"""Models of many kinds on tables of every kind of column, and rows in which one cell after the other is changed."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGAOrdinalClassifierCV,
    FGARegressor,
    FGARegressorCV,
)
from fgac.estimators._state import state_of
from fgac.explainers.portable import portable, portable_row
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.explanation.regression import RegressionExplanation

NUMERIC, EVERY = ("size", "count", "weight"), ("size", "count", "flag", "weight", "since", "town", "own")


def table(n: int, seed: int = 0, *, unknown: float = 0.0, columns: tuple[str, ...] = EVERY) -> pd.DataFrame:
    """Return a table with numbers, whole numbers, 0 and 1, dates, categories and truth values, some unknown."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.normal(10.0, 3.0, n).round(3),
            "count": rng.integers(0, 9, n).astype(float),
            "flag": rng.integers(0, 2, n).astype(float),
            "weight": rng.lognormal(0.0, 1.0, n),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 2000, n), unit="D"),
            "town": rng.choice(["Oslo", "Rome", "<b>Bonn</b>", "7"], n).astype(object),
            "own": rng.choice([True, False], n).astype(object),
        }
    )[list(columns)]
    return frame.mask(rng.random(frame.shape) < unknown)


def numbers(frame: pd.DataFrame, seed: int = 0) -> np.ndarray[Any, Any]:
    """Return a number for every row that depends on its columns, and on chance."""
    rng = np.random.default_rng(seed + 1)
    found = frame["size"].fillna(10.0) / 3.0 + 0.4 * frame["count"].fillna(4.0) + rng.normal(0.0, 0.7, len(frame))
    if "town" in frame:
        found = found + 1.5 * (frame["town"] == "Oslo") - 0.5 * frame["own"].isna()
    return found.to_numpy()


def classes(frame: pd.DataFrame, n_classes: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Return a class for every row: its number, in so many steps."""
    found = numbers(frame, seed)
    return np.digitize(found, np.quantile(found, np.linspace(0, 1, n_classes + 1)[1:-1]))


@dataclass(frozen=True)
class Case:
    """A fitted model and the table of whose rows others are made."""

    name: str
    model: Any
    frame: pd.DataFrame

    def plain(self) -> dict[str, Any]:
        """Return the model as the script takes it."""
        return portable(state_of(self.model))

    def edits(self, n: int, seed: int) -> pd.DataFrame:
        """Return rows, each like the one before but for one cell; now and then a fresh row."""
        rng = np.random.default_rng(seed)
        columns = {name: [] for name in self.frame}
        row: dict[str, Any] = {}
        for i in range(n):
            if i % 20 == 0:
                row = self.frame.iloc[int(rng.integers(len(self.frame)))].to_dict()
            name = str(rng.choice(list(row)))
            row = {**row, name: self.new_cell(name, rng)}
            for key, value in row.items():
                columns[key].append(value)
        return pd.DataFrame({key: pd.Series(values, dtype=self.frame[key].dtype) for key, values in columns.items()})

    def new_cell(self, name: str, rng: np.random.Generator) -> Any:
        """Return a value for a cell: unknown, of some training row, near one, or like none."""
        column = self.frame[name]
        known = column.dropna()
        value = known.iloc[int(rng.integers(len(known)))]
        kind = rng.random()
        if kind < 0.15:
            return None
        if kind < 0.5:
            return value
        if name in ("town", "own"):
            return "never seen"
        if name == "since":
            return value + pd.Timedelta(days=int(rng.integers(-3000, 3000)))
        return float(value) + rng.normal() * (3.0 if kind < 0.95 else 300.0)

    def rows(self, edits: pd.DataFrame) -> tuple[Any, list[list[Any]]]:
        """Return explanations of rows, and the rows as the script takes them."""
        found, state = self.model.explain(edits), state_of(self.model)
        return found, [portable_row(state.table, item.attributes) for item in found]


def _unfitted() -> dict[str, tuple[Any, pd.DataFrame, Any]]:
    """Return models of every kind, with tables: metrics, scales, directions, missing cells, classes and numbers."""
    full, gaps, plain = table(60), table(70, 1, unknown=0.2), table(50, 2, columns=NUMERIC)
    zeros = plain.copy()
    zeros.iloc[3] = 0.0
    up = [1, -1, 0]
    return {
        "two classes": (FGAClassifier(gamma=1.0), full, classes(full, 2)),
        "three, manhattan": (FGAClassifier(gamma=4.0, metric="manhattan"), full, classes(full, 3)),
        "five, chebyshev, first": (FGAClassifier(gamma=0.7, metric="chebyshev", ties="first"), gaps, classes(gaps, 5)),
        "gaps, ranks": (FGAClassifier(gamma=3.0, metric="manhattan", scale="rank"), gaps, classes(gaps, 3)),
        "gaps, robust": (FGAClassifier(gamma=1.2, scale="robust"), gaps, classes(gaps, 2)),
        "weights": (FGAClassifier(gamma=3.0, feature_weights=[0, 2, 1]), plain, classes(plain, 3)),
        "angles": (FGAClassifier(gamma=9.0, metric="angular"), zeros, classes(plain, 3)),
        "one class": (FGAClassifier(), plain, np.zeros(len(plain), dtype=int)),
        "monotone": (FGAClassifier(gamma=2.0, monotonic_cst=up), plain, classes(plain, 2)),
        "learned, two": (FGAClassifier(metric="learned", gamma=3.0), gaps, classes(gaps, 2)),
        "learned, four": (FGAClassifier(metric="learned", gamma=5.0), full, classes(full, 4)),
        "calibrated": (FGAClassifierCV(cv=3), gaps, classes(gaps, 2)),
        "calibrated, three": (FGAClassifierCV(cv=3), gaps, classes(gaps, 3)),
        "ordered": (FGAOrdinalClassifier(gamma=1.0), gaps, classes(gaps, 4)),
        "ordered, monotone": (
            FGAOrdinalClassifier(gamma=3.0, metric="manhattan", monotonic_cst=up),
            plain,
            classes(plain, 4),
        ),
        "ordered, learned": (FGAOrdinalClassifierCV(cv=3), gaps, classes(gaps, 3)),
        "numbers": (FGARegressor(gamma=0.7), gaps, numbers(gaps)),
        "numbers, quantiles": (FGARegressor(gamma=2.0, interval=0.8, metric="manhattan"), full, numbers(full)),
        "numbers, monotone": (FGARegressor(gamma=1.0, monotonic_cst=up, interval=0.8), plain, numbers(plain)),
        "numbers, angles": (FGARegressor(gamma=3.0, metric="angular"), zeros, numbers(plain)),
        "numbers, learned": (FGARegressorCV(cv=3, interval=0.9), gaps, numbers(gaps)),
    }


@cache
def case(name: str) -> Case:
    """Return a model of some kind, fitted once."""
    model, frame, y = _unfitted()[name]
    return Case(name, model.fit(frame, y, ids=[f"row {i}" for i in range(len(y))]), frame)


NAMES = tuple(_unfitted())


def cases() -> list[Case]:
    """Return the models of every kind."""
    return [case(name) for name in NAMES]


# ----------------------------------------------------------------------------------------------------
# The answer of the script beside the explanation of the model
# ----------------------------------------------------------------------------------------------------


def differences(e: Any, answer: dict[str, Any], labels: list[Any]) -> list[str]:
    """Return what differs between an explanation and the answer of the script, by name."""
    if isinstance(e, RegressionExplanation):
        pairs = [(e.prediction, answer["prediction"]), (e.lower, answer["lower"]), (e.upper, answer["upper"])]
        found = [] if all(near(*pair) for pair in pairs) else [f"bounds {pairs}"]
        ends = None if e.interval is None else [e.interval.lower, e.interval.upper]
        found += [] if near(ends, answer["interval"]) else [f"interval {ends} {answer['interval']}"]
        found += argued(e.at_least, answer["atLeast"], NUMBER) + argued(e.at_most, answer["atMost"], NUMBER)
    else:
        k = answer["prediction"]
        found = [] if labels[k] == e.prediction else [f"label {labels[k]}, not {e.prediction}"]
        pairs = [(getattr(e, name), answer[name][k]) for name in ("lower", "upper", "degree")]
        pairs += [(e.margin, answer["margin"]), (e.certified_radius, answer["radius"])]
        found += [] if all(near(*pair) for pair in pairs) else [f"memberships {pairs}"]
        ours = None if e.reliability is None else list(dataclasses.astuple(e.reliability))
        theirs = answer.get("reliability") and [answer["reliability"][key] for key in ("confidence", "cases", "right")]
        found += [] if near(ours, theirs) else [f"reliability {ours} {theirs}"]
        if isinstance(e, OrdinalExplanation):
            for part, other in ((e.at_least, answer["below"]), (e.at_most, answer["above"])):
                found += (
                    []
                    if part is None
                    else differences(part, other, [part.memberships[0].label, part.memberships[1].label])
                )
        else:
            found += class_differences(e, answer, labels)
    found += [] if e.resembles_nothing == answer["resemblesNothing"] else ["resemblesNothing"]
    names = [value.name for value in e.attributes]
    for name in ("unknown", "beyond"):
        ours = [names.index(one) for one in getattr(e, name)]
        found += [] if ours == answer.get(name, ours) else [f"{name} {ours} {answer[name]}"]
    return found


def class_differences(e: Any, answer: dict[str, Any], labels: list[Any]) -> list[str]:
    """Return what differs about all classes, and in the arguments about one."""
    memberships = [[getattr(m, name) for m in e.memberships] for name in ("lower", "upper", "degree")]
    found = [] if near(memberships, [answer[name] for name in ("lower", "upper", "degree")]) else ["degrees"]
    if e.runner_up is not None and labels[answer["runnerUp"]] != e.runner_up:
        found.append(f"runner-up {e.runner_up}")
    found += [] if [labels[k] for k in answer["tied"]] == list(e.tied) else [f"tied {e.tied} {answer['tied']}"]
    found += argued(e.arguments_for, answer["argumentsFor"], CLASS)
    found += argued(e.arguments_against, answer["argumentsAgainst"], CLASS)
    ours, theirs = (e.nearest,) if e.nearest else (), [answer["nearest"]] if answer["nearest"] else []
    # Of rows that are equally near, the last digit of an angle decides which is named.
    return found + argued(ours, theirs, NEAREST, by_id=False)


CLASS = ("strength", "similarity", "distance", "membership", "degree")
NUMBER = ("strength", "similarity", "distance", "target", "fitted", "says")
NEAREST = ("strength", "similarity", "distance")


def argued(arguments: Any, answers: list[dict[str, Any]], names: tuple[str, ...], *, by_id: bool = True) -> list[str]:
    """Return what differs between arguments of one side."""
    ours = [[getattr(a, name) for name in names] for a in arguments]
    theirs = [[a[name] for name in names] for a in answers]
    rows = [(a.id, list(a.alike)) for a in arguments], [(a["id"], a["alike"]) for a in answers]
    return [] if near(ours, theirs) and (rows[0] == rows[1] or not by_id) else [f"arguments {rows} {ours} {theirs}"]


def near(ours: Any, theirs: Any) -> bool:
    """Whether numbers agree to 1e-9, relative to their size where they are larger than 1."""
    if ours is None or theirs is None:
        return ours is None and theirs is None
    ours, theirs = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    return ours.shape == theirs.shape and bool(np.allclose(ours, theirs, rtol=1e-9, atol=1e-9))


def labels_of(model: Any) -> list[Any]:
    """Return the labels of a model's classes in their order; none of numbers."""
    return [label.item() for label in getattr(state_of(model), "classes", ())]
