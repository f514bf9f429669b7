"""Small models of every kind as files, and a judge: what happens to whoever loads a changed file and uses its model."""

import math
import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGARegressor,
    FGARegressorCV,
    audit,
    load_model,
    save_model,
)
from fgac.persistence import ModelFileError, read_notes
from fgac.tables.column_values import CategoricalColumn, NumericColumn
from fgac.tables.reading import ReadTable

rng = np.random.default_rng(5)
WIDTH, HEIGHT = rng.normal(size=(2, 12)).round(2)
FRAME = pd.DataFrame({"width": WIDTH, "height": HEIGHT})
MIXED = FRAME.assign(colour=["red", "green", "blue", "green"] * 3, old=[True, False, True] * 4)
MATRIX = FRAME.to_numpy()
DISTANCES = np.abs(MATRIX[:, None] - MATRIX).sum(axis=2)
TWO = np.where(WIDTH + 0.4 * HEIGHT > 0.2, "large", "small")
THREE = np.where(HEIGHT > 0.5, "tall", np.where(WIDTH > 0.2, "wide", "little"))
PRICES = 10 + 3 * WIDTH - 2 * HEIGHT
ORDER = ["little", "wide", "tall"]
WEIGHTS = np.array([1, 2, 1, 0, 1, 1, 1, 3, 1, 1, 0, 1.0])

# Of every kind, and of everything that a file can hold: estimator, rows, targets, what fit is given beside.
MODELS = {
    "numbers": (FGAClassifier(gamma=2.0), FRAME, TWO, {}),
    "array": (FGAClassifier(scale="robust", metric="manhattan"), MATRIX, THREE, {"sample_weight": WEIGHTS}),
    "mixed": (FGAClassifier(class_weight={"tall": 2.0}), MIXED, THREE, {"ids": list("abcdefghijkl")}),
    "ranks": (FGAClassifier(scale="rank", feature_weights=[1.0, 2.0, 0.5, 1.0]), MIXED, TWO, {}),
    "learned": (FGAClassifier(feature_weights="learned", metric="chebyshev"), FRAME, TWO, {}),
    "monotone": (FGAClassifier(gamma=2.0, monotonic_cst={"width": 1, "height": -1}), MIXED, TWO, {}),
    "family": (FGAClassifier(owa="inverse_additive"), FRAME, THREE, {"sample_weight": WEIGHTS}),
    "weights": (FGAClassifier(owa=(np.full(4, 0.25), 4)), FRAME, TWO, {"sample_weight": WEIGHTS}),
    "power": (FGAClassifier(gamma=2.0, isomorphism=2.0, owa=("additive", 3)), MIXED, THREE, {}),
    "root": (FGAClassifier(isomorphism=0.5, loss="absolute_error"), FRAME, THREE, {}),
    "distances": (FGAClassifier(metric="precomputed", gamma=0.3), DISTANCES, THREE, {"sample_weight": WEIGHTS}),
    "neighbours": (FGAClassifier(n_neighbors=3), FRAME, TWO.astype(object), {}),
    "one class": (FGAClassifier(), FRAME, ["x"] * 12, {}),
    "dates": (FGAClassifier(), MATRIX, np.where(TWO == "large", "2020-01-01", "2021-01-01").astype("M8[D]"), {}),
    "chosen": (FGAClassifierCV(gammas=[1.0, 3.0], cv=2), FRAME, np.arange(12) % 2, {}),
    "angles": (FGAClassifier(metric="angular", gamma=2.0), MATRIX, THREE, {"sample_weight": WEIGHTS}),
    "ordinal": (FGAOrdinalClassifier(class_order=ORDER), MIXED, THREE, {"sample_weight": WEIGHTS}),
    "ordinal monotone": (FGAOrdinalClassifier(class_order=ORDER, monotonic_cst=[1, 0], scale="rank"), FRAME, THREE, {}),
    "regressor": (FGARegressor(gamma=2.0), MIXED, PRICES, {"sample_weight": WEIGHTS}),
    "interval": (FGARegressorCV(gammas=[1.0], cv=2, interval=0.8), FRAME, PRICES, {}),
    "isotonic": (
        FGARegressor(monotonic_cst={"width": 1}, metric="manhattan", loss="absolute_error"),
        FRAME,
        PRICES,
        {},
    ),
    "constant": (FGARegressor(metric="chebyshev", scale=None), MATRIX, np.full(12, 3.0), {}),
    "distant": (FGARegressor(metric="precomputed", gamma=0.1), DISTANCES, PRICES, {}),
}
WITHOUT_VALUES = {"ranks", "regressor"}


@cache
def seeds():
    """Return small model files of every kind, by name."""
    found = {}
    for name, (model, X, y, more) in MODELS.items():
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            path = Path(folder, "model.fgac")
            save_model(model.fit(X, y, **more), path, values=name not in WITHOUT_VALUES, notes={"target": "y"})
            found[name] = path.read_bytes()
    for path in sorted(Path(__file__).parents[1].glob("persistence/written_*/*.fgac")):
        found[f"{path.parent.name}/{path.stem}"] = path.read_bytes()
    return found


@dataclass(frozen=True)
class Verdict:
    """What became of a file: a word of ``OUTCOMES``, and the message or the number behind it."""

    outcome: str
    told: str


# What may become of a file, and what may not.
GOOD = ("refused", "loaded")
BAD = ("foreign exception", "refused by accident", "many lines", "warning", "not finite", "memory", "hung", "crashed")
OUTCOMES = (*GOOD, *BAD)
# What zipfile and json say about bytes that are not theirs is told in their words; other errors mean a missing check.
THEIR_WORDS = ("BadZipFile", "JSONDecodeError", "UnicodeDecodeError", "EOFError", "NotImplementedError", "RuntimeError")


def judged(path):
    """Load a file, and use its model in every way; say what happened."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        verdict = _judged(path)
    if caught and verdict.outcome in GOOD:
        return Verdict("warning", str(caught[0].message))
    return verdict


def _judged(path):
    """Judge, but for warnings."""
    try:
        read_notes(path)
        model = load_model(path)
    except ModelFileError as error:
        return _refusal(str(error), path)
    except MemoryError as error:
        return Verdict("memory", repr(error))
    except BaseException as error:
        return Verdict("foreign exception", f"in loading: {error!r:.300}")
    try:
        odd = [name for name, result in used(model) if not _is_finite(result)]
    except MemoryError as error:
        return Verdict("memory", repr(error))
    except BaseException as error:
        return Verdict("foreign exception", f"in use: {error!r:.300}")
    return Verdict("not finite", odd[0]) if odd else Verdict("loaded", type(model).__name__)


def _refusal(message, path):
    """Return the verdict on an error that refused a file."""
    if "MemoryError" in message:
        return Verdict("memory", message)
    if "\n" in message or "\r" in message:
        return Verdict("many lines", message)
    told = message.removeprefix(f"{path} ")
    error = told.removeprefix("is damaged or cut short (").split(":")[0]
    if told.startswith("is damaged or cut short (") and error not in THEIR_WORDS:
        return Verdict("refused by accident", told)
    return Verdict("refused", told)


def used(model):
    """Yield everything that a model says of a few ordinary rows, and of its own."""
    X = new_rows(model._state)
    names = {
        FGAClassifier: ("predict", "predict_proba", "decision_function", "memberships", "arguments"),
        FGAOrdinalClassifier: ("predict", "predict_proba", "decision_function", "at_least"),
        FGARegressor: ("predict", "predict_bounds", "predict_interval"),
    }[type(model)]
    for name in names:
        yield name, getattr(model, name)(X)
    explanations = model.explain(X, ids=list(range(4)), audit=True)
    yield "explain", [explanation.to_dict() for explanation in explanations]
    yield "text", [explanation.text() for explanation in explanations]
    yield "audit", audit(model).to_json()
    with tempfile.TemporaryDirectory() as folder:
        save_model(model, Path(folder, "again.fgac"))


def new_rows(state):
    """Return four rows that the table of a state can read: numbers of ordinary size, categories known and unknown."""
    if state.table is None:
        return np.abs(np.arange(4.0 * state.header.n_features).reshape(4, -1) % 7)
    columns = []
    for column in state.table.columns:
        if column.categories is None:
            columns.append(NumericColumn(np.array([0.0, 1.0, -3.5, 1e6])))
        else:
            columns.append(CategoricalColumn(np.array([0, 1, 0, 1]), (next(iter(column.categories)), "unheard of")))
    return ReadTable([column.name for column in state.table.columns], columns)


def _is_finite(result):
    """Whether no number in a result is infinite or nan."""
    if isinstance(result, np.ndarray):
        return result.dtype.kind != "f" or bool(np.isfinite(result).all())
    if isinstance(result, float):
        return math.isfinite(result)
    if isinstance(result, dict):
        return all(map(_is_finite, result.values()))
    if isinstance(result, list | tuple):
        return all(map(_is_finite, result))
    return True
