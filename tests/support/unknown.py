"""Tables with missing cells, and the distances between their rows, cell by cell: nothing here imports ``fgac``.

An unknown number stands in the middle of its column, and being unknown is a coordinate of its own, if it is in some
training row. An unknown category is half a mismatch from every other: half of what the metric adds for one.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from support.strategies import GAMMAS

METRICS = ("euclidean", "manhattan", "chebyshev")
SCALES = ("range", "robust", "rank", None)
# What being unknown counts, as a share of a difference of one scale.
SHARE = 0.1
NAMES = ("c", "d")
CELLS = {
    "a": [0.0, 1.0, 2.0, 3.0],
    "b": [-200.0, 0.0, 0.25, 7.5, 30.0],
    "flat": [5.0],
    "e": [0.0, 1.0, 2.0],
    "c": ["x", "y", "z"],
    "d": [True, False],
}
NEW_CELLS = {
    **{name: [*CELLS[name], -0.5, 1.5, 4.5] for name in ("a", "b", "flat", "e")},
    "c": ["x", "y", "z", "never seen"],
    "d": CELLS["d"],
}


class UnknownCase(NamedTuple):
    """A labelled table with missing cells, new rows, and settings."""

    X: pd.DataFrame
    new: pd.DataFrame
    y: np.ndarray
    weights: np.ndarray
    settings: dict[str, Any]

    @property
    def directions(self) -> dict[str, int]:
        """Columns of which more is better, or worse."""
        return self.settings.get("monotonic_cst") or {}

    @property
    def feature_weights(self) -> dict[str, float]:
        """What a difference counts, column by column."""
        given = self.settings["feature_weights"]
        return dict(zip(self.X.columns, [1.0] * self.X.shape[1] if given is None else given, strict=True))


def random_frame(rng, n, cells):
    """Return a frame with missing cells; some of its columns have none but these, and some of its rows."""
    empty_row, columns = rng.random(n) < 0.12, {}
    for name, values in cells.items():
        missing = empty_row | (rng.random(n) < rng.choice([0.0, 0.1, 0.3, 1.0], p=[0.2, 0.3, 0.4, 0.1]))
        column = np.array(values, dtype=object)[rng.integers(0, len(values), n)]
        column[missing] = None if name in NAMES else np.nan
        columns[name] = pd.Series(column, dtype=object if name in NAMES else float)
    return pd.DataFrame(columns)


@st.composite
def unknown_cases(draw, max_rows=12, n_classes=None, directed=False, metrics=METRICS, scales=SCALES):
    """Draw a table in which some cell is known; classes are 0 to k - 1, and all of them occur."""
    k = 2 if directed else n_classes or draw(st.integers(2, 3))
    n = draw(st.integers(k, max_rows))
    settings = {
        "gamma": draw(st.sampled_from(GAMMAS)),
        "metric": draw(st.sampled_from(metrics)),
        "scale": draw(st.sampled_from(scales)),
    }
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names = ["a", "b", "flat", "c", "d"] + ["e"] * directed
    X = random_frame(rng, n, {name: CELLS[name] for name in names})
    if X.isna().all(axis=None):
        X.loc[0, "a"] = 1.0
    weighted = draw(st.booleans())
    settings["feature_weights"] = [1.0, *rng.choice([0.0, 0.5, 1.0, 2.0], len(names) - 1)] if weighted else None
    if directed:
        settings["monotonic_cst"] = {"a": -1, "e": 1}
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    new = random_frame(rng, 6, {name: NEW_CELLS[name] for name in names})
    return UnknownCase(X, new, labels, rng.integers(1, 4, n).astype(float), settings)


@dataclasses.dataclass(frozen=True)
class Place:
    """How one column of the training rows, each repeated as its weight says, makes coordinates of values."""

    values: Any  # of the training rows, those that are known
    unknown: bool  # whether some are not
    scale: str | None

    @classmethod
    def of(cls, column: pd.Series, weights: np.ndarray, scale: str | None) -> Place:
        """Look at a column of the training rows."""
        repeated = column.repeat(weights.astype(int))
        return cls(repeated.dropna().tolist(), bool(repeated.isna().any()), scale)

    @functools.cached_property
    def middle(self) -> float:
        """Where an unknown number stands."""
        return 0.5 if self.scale == "rank" else float(np.median(self.values)) / self.unit

    @functools.cached_property
    def unit(self) -> float:
        """What counts as a difference of 1; 1 where all values are equal."""
        if self.scale is None or self.scale == "rank":
            return 1.0
        low, high = (0, 100) if self.scale == "range" else (1, 99)
        ends = np.percentile(self.values, [low, high], method="averaged_inverted_cdf")
        return float(ends[1] - ends[0]) or 1.0

    @functools.cached_property
    def ranks(self) -> tuple[Any, list[float]]:
        """Return the values, and the share of the rows below each."""
        held = np.array(self.values)
        knots = np.unique(held)
        return knots, [np.mean(held < knot) + 0.5 * np.mean(held == knot) for knot in knots]

    def __call__(self, value: float) -> float:
        """Return where a number stands on the scale of its column."""
        if pd.isna(value):
            return self.middle
        return float(np.interp(value, *self.ranks)) if self.scale == "rank" else value / self.unit


def slow_distances(left, right, case, *, weights=None, unknown_weights=None, orientation=1):
    """Return d(u, v) of all rows of two frames, as the settings of a case say, by loops over cells.

    In columns with a direction it counts by how much u is above v; with an orientation of -1, below. Weights of
    columns, and of being unknown in them, are those of the case unless they are given.
    """
    weights = case.feature_weights if weights is None else weights
    parts, size = [], 0
    for name in case.X.columns:
        place = Place.of(case.X[name], case.weights, case.settings["scale"])
        if not place.values:
            continue
        if name in NAMES:
            size += len(set(place.values))
            # What training did not see differs from all that it saw, and two such names are not told apart.
            u, v = (
                side[name].where(side[name].isna() | side[name].isin(place.values), "unseen") for side in (left, right)
            )
            parts.append(_name_parts(u, v, weights[name], case.settings["metric"]))
            continue
        size += 1
        u = np.array([weights[name] * place(value) for value in left[name]])[:, None]
        v = np.array([weights[name] * place(value) for value in right[name]])[None, :]
        sign = orientation * case.directions.get(name, 0)
        parts.append(np.maximum(0.0, sign * (u - v)) if sign else np.abs(u - v))
        mark = SHARE * weights[name] * place.unknown if unknown_weights is None else unknown_weights[name]
        parts.append(mark * (left[name].isna().to_numpy()[:, None] != right[name].isna().to_numpy()[None, :]))
    return _combined(parts, case.settings["metric"], size, (len(left), len(right)))


def _name_parts(left, right, weight, metric):
    """What categories contribute; half of a mismatch is half of its square in a Euclidean sum."""
    half = np.sqrt(0.5) if metric == "euclidean" else 0.5
    out = np.zeros((len(left), len(right)))
    for i, u in enumerate(left):
        for j, v in enumerate(right):
            if pd.isna(u) or pd.isna(v):
                out[i, j] = 0.0 if pd.isna(u) and pd.isna(v) else half
            else:
                out[i, j] = float(u != v)
    return weight * out


def _combined(parts, metric, size, shape):
    """Join the columns' parts into distances."""
    if not parts:
        return np.zeros(shape)
    stacked = np.array(parts)
    if metric == "euclidean":
        return np.sqrt((stacked**2).sum(axis=0) / size)
    return stacked.sum(axis=0) / size if metric in ("manhattan", "learned") else stacked.max(axis=0)


def small_survey(n=60, seed=0, *, share=0.2):
    """Return a mixed frame with missing cells, two classes and a number that depend on what is known of the rest."""
    rng = np.random.default_rng(seed)
    age, income = rng.integers(18, 80, n).astype(float), rng.normal(30.0, 8.0, n).round(1)
    city = rng.choice(["Ghent", "Catania", "Poznan"], n).astype(object)
    score = (age - 18) / 62 + 0.5 * (city == "Ghent") + 0.2 * rng.random(n)
    age[rng.random(n) < share], income[rng.random(n) < share], city[rng.random(n) < share] = np.nan, np.nan, None
    frame = pd.DataFrame({"age": age, "income": income, "city": city})
    return frame, np.where(score > np.median(score), "yes", "no"), score
