"""Tables of all kinds of columns for tests of counterfactuals, and what must hold of every one, whatever the model.

Predictions are asked of frames that are made of what a counterfactual tells, and of nothing else.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

import fgac

NUMBERS = ("size", "share")
WHOLES = ("rooms", "owned")
COLUMNS = (*NUMBERS, *WHOLES, "built", "colour")
# Columns whose values training must have seen, by what they are compared with.
TOLERANCE = 1e-9


class ChangeCase(NamedTuple):
    """A fitted model, new rows, what is wanted, and what may change."""

    model: Any
    X_train: pd.DataFrame
    X: pd.DataFrame
    target: Any
    question: dict[str, Any]


def make_table(rng: np.random.Generator, n: int, *, missing: float) -> pd.DataFrame:
    """Numbers, whole numbers, 0 and 1, dates and categories, some of them unknown."""
    table = pd.DataFrame(
        {
            "size": rng.normal(50, 20, n).round(2),
            "share": rng.uniform(0, 1, n) ** 3,
            "rooms": rng.integers(1, 9, n).astype(float),
            "owned": rng.integers(0, 2, n).astype(float),
            "built": pd.Timestamp("2001-03-01") + pd.to_timedelta(rng.integers(0, 4000, n), unit="D"),
            "colour": rng.choice(["red", "green", "blue"], n),
        }
    )
    # Twenty whole numbers make a whole column.
    gaps = rng.uniform(size=table.shape) < missing
    gaps[:2] = False
    return table.mask(gaps)


def signal(table: pd.DataFrame, rng: np.random.Generator) -> np.ndarray:
    """A number that depends on all columns."""
    filled = table.assign(size=table["size"].fillna(50), rooms=table["rooms"].fillna(4), share=table["share"].fillna(0))
    return np.asarray(
        filled["size"] / 40 + filled["rooms"] / 4 + (table["colour"] == "red") + 2 * filled["share"]
    ) + rng.normal(0, 0.3, len(table))


def labels(kind: str, values: np.ndarray) -> Any:
    """Targets of a kind of model."""
    if kind == "numbers":
        return values * 100
    cuts = np.quantile(values, [0.35, 0.7])
    names = np.array(["low", "middle", "high"])
    if kind == "two":
        return np.where(values > cuts[0], "yes", "no")
    return names[np.searchsorted(cuts, values)]


def fitted(kind: str, settings: dict[str, Any], X: pd.DataFrame, y: Any) -> Any:
    """A fitted model of a kind."""
    if kind == "numbers":
        return fgac.FGARegressor(**settings).fit(X, y)
    if kind == "ordered":
        return fgac.FGAOrdinalClassifier(class_order=["low", "middle", "high"], **settings).fit(X, y)
    return fgac.FGAClassifier(**settings).fit(X, y)


TARGETS: dict[str, list[Any]] = {
    "two": [None, "yes", "no"],
    "three": [None, "low", "high"],
    "ordered": [None, "middle", "high", (None, "low"), ("middle", "middle")],
    "numbers": [300.0, (None, 250.0), (260.0, 320.0)],
}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"metric": "manhattan", "scale": "rank"},
    {"metric": "chebyshev", "scale": "robust"},
    {"metric": "learned"},
    {"monotonic_cst": {"size": 1, "rooms": 1}},
    {"feature_weights": {"share": 0.0, "colour": 3.0}},
]
QUESTIONS: list[dict[str, Any]] = [
    {},
    {"n": 1, "max_features": 1},
    {"fixed": ["size", "built"], "max_features": 2},
    {"directions": {"size": 1, "rooms": -1, "share": "up"}},
    {"steps": {"size": 2.5, "rooms": 2, "built": 7}},
    {"n": 6, "max_features": 4},
]


@st.composite
def change_cases(draw: Any) -> ChangeCase:
    """Draw a case."""
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    kind = draw(st.sampled_from(list(TARGETS)))
    settings = {"gamma": draw(st.sampled_from([0.7, 2.0, 6.0, 25.0])), **draw(st.sampled_from(SETTINGS))}
    if kind == "three" and "monotonic_cst" in settings:
        del settings["monotonic_cst"]
    missing = draw(st.sampled_from([0.0, 0.1]))
    X_train = make_table(rng, 60, missing=missing)
    model = fitted(kind, settings, X_train, labels(kind, signal(X_train, rng)))
    X = make_table(rng, 6, missing=2 * missing)
    if draw(st.booleans()):
        X.loc[0, "size"], X.loc[1, "colour"] = 500.0, "never seen"
    return ChangeCase(model, X_train, X, draw(st.sampled_from(TARGETS[kind])), draw(st.sampled_from(QUESTIONS)))


def frame_of(row: dict[str, Any]) -> pd.DataFrame:
    """The frame that a user would make of a told row."""
    frame = pd.DataFrame([row])
    for name in (*NUMBERS, *WHOLES):
        frame[name] = frame[name].astype(float)
    frame["built"] = pd.to_datetime(frame["built"])
    frame["colour"] = frame["colour"].astype(object)
    return frame


def is_wanted(model: Any, target: Any, before: Any, after: Any) -> bool:
    """Whether a prediction is as wanted."""
    if isinstance(model, fgac.FGARegressor):
        low, high = target if isinstance(target, tuple) else (target, None)
        return (low is None or after >= low) and (high is None or after <= high)
    if target is None:
        return after != before
    if isinstance(model, fgac.FGAOrdinalClassifier):
        order = list(model.class_order_)
        low, high = target if isinstance(target, tuple) else (target, None)
        place = order.index(after)
        return (low is None or place >= order.index(low)) and (high is None or place <= order.index(high))
    return after == target


def number(value: Any) -> Any:
    """A number or a date as a number."""
    is_date = isinstance(value, str | pd.Timestamp)
    return (pd.Timestamp(value) - pd.Timestamp("1970-01-01")).days if is_date else value
