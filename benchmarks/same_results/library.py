"""What there is beside the estimators: the path, the engine, approximations, errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from numpy.random import default_rng
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fgac
from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGARegressor,
    FGARegressorCV,
    FRNNClassifier,
    audit,
    granular_approximation,
    load_model,
    save_model,
)
from fgac.solve import PairConstraints, Problem, solve
from same_results.constants import Plain
from same_results.data import Case, by_distance, census, distances, drawn, embedded, grid, measured
from same_results.plain_values import hidden, outcome, plain


def record_path() -> Plain:
    """The path of all gammas."""
    three, grown = drawn(75, 3, 3, 1), drawn(400, 3, 2, 19)
    tables: dict[str, tuple[Case, dict[str, Any]]] = {
        "two": (drawn(), {}),
        "three": (three, {"gamma_min": 0.2, "metric": "chebyshev"}),
        "balanced": (three.given(sample_weight=np.arange(75) % 3), {"class_weight": "balanced"}),
        "mixed": (census("three"), {"scale": "rank", "feature_weights": {"age": 2.0}}),
        "monotone": (census("two", "polars"), {"monotonic_cst": {"income": 1}}),
        "grid": (grid(), {"ties": "first"}),
        "iris": (embedded(load_iris), {"feature_weights": "learned"}),
        "one_class": (drawn()._replace(y=["only"] * 60), {}),
        "large": (grown, {"n_jobs": 2}),
    }
    return {name: whole_path(case, given) for name, (case, given) in tables.items()}


def whole_path(case: Case, given: dict[str, Any]) -> Plain:
    """One path: where it bends, and what it is at some gammas."""
    path = fgac.path(case.X, case.y, **given, **case.fit)
    names = ("gamma_min", "gamma_max", "breakpoints", "n_events", "classes_")
    gammas = (path.gamma_min, 0.6, 1.0, 2.5, 10.0, 1e3)
    return {
        "is": repr(path),
        **{name: plain(getattr(path, name)) for name in names},
        **hidden({"largest_violation": path.largest_violation}),
        "beta": {f"{gamma:g}": plain(path.beta(gamma)) for gamma in gammas},
        "solution": {f"{gamma:g}": plain(path.solution(gamma)) for gamma in gammas[:4]},
        "below": outcome(lambda: path.beta(0.01)),
    }


def record_engine() -> Plain:
    """Small problems for the engine: a chain, a tree, pairs at random, with each loss."""
    rng = default_rng(20)
    chain, loose = np.arange(29), rng.integers(0, 30, (2, 120))
    loose = loose[:, loose[0] != loose[1]]
    pairs = {
        "isotonic": PairConstraints(chain, chain + 1, np.zeros(29)),
        "steps": PairConstraints(np.append(chain, chain + 1), np.append(chain + 1, chain), np.full(58, 0.1)),
        "star": PairConstraints(np.zeros(29, dtype=int), chain + 1, rng.random(29)),
        "random": PairConstraints(loose[0], loose[1], rng.random(loose.shape[1]) * 0.3),
        "none": PairConstraints([], [], []),
    }
    targets, weights = rng.normal(0, 1, 30), rng.integers(1, 5, 30)
    losses: dict[str, dict[str, Any]] = {
        "squared": {},
        "absolute": {"loss": "absolute_error"},
        "quantile": {"loss": "quantile", "quantile": 0.2},
    }
    found = {
        f"{name}_{loss}_{'weights' if given is not None else 'plain'}": plain(
            solve(Problem(targets, constraints, given, **what))
        )
        for name, constraints in pairs.items()
        for loss, what in losses.items()
        for given in (None, weights)
    }
    first = solve(Problem(targets, pairs["random"]))
    found["resumed"] = plain(solve(Problem(targets + 0.01, pairs["random"]), start=first.active))
    cycle = PairConstraints([0, 1], [1, 0], [-1.0, 0.5])
    found["infeasible"] = outcome(lambda: plain(solve(Problem([0.0, 1.0], cycle))))
    return found


def record_approximation() -> Plain:
    """The granular approximation of fuzzy sets."""
    rng = default_rng(21)
    rows = rng.random((40, 2))
    relation = np.maximum(0.0, 1.0 - 2.0 * np.abs(rows[:, None] - rows[None]).max(axis=2))
    directed = np.maximum(0.0, 1.0 - 2.0 * np.maximum(0.0, rows[:, None] - rows[None]).max(axis=2))
    degrees = rng.random(40)
    variants: dict[str, dict[str, Any]] = {
        "squared": {},
        "absolute": {"loss": "absolute_error"},
        "quantile": {"loss": "quantile", "quantile": 0.7},
        "power": {"isomorphism": 2.0},
        "neighbors": {"n_neighbors": 4},
        "share": {"n_neighbors": 0.2, "loss": "absolute_error"},
        "weights": {"sample_weight": rng.random(40) + 0.1},
    }
    return {
        f"{name}_{kind}": plain(granular_approximation(degrees, matrix, **given))
        for kind, matrix in (("symmetric", relation), ("directed", directed))
        for name, given in variants.items()
    }


def record_scikit_learn() -> Plain:
    """Searches, pipelines and scores of scikit-learn with our estimators."""
    three, grades, numbers = drawn(75, 3, 3, 1), census("grades"), measured()
    search = GridSearchCV(FGAClassifier(), {"gamma": [0.5, 2.0, 8.0], "metric": ["euclidean", "manhattan"]}, cv=3)
    ordinal = FGAOrdinalClassifier(class_order=["poor", "fair", "good"])
    ordered = GridSearchCV(ordinal, {"gamma": [1.0, 3.0]}, cv=3)
    found = {
        "search": fitted_search(search.fit(three.X, three.y)),
        "ordinal": fitted_search(ordered.fit(grades.X, grades.y)),
        "pipeline": make_pipeline(StandardScaler(), FGAClassifier()).fit(three.X, three.y).predict_proba(three.new),
        "scores": cross_val_score(FGARegressor(gamma=2.0), numbers.X, numbers.y, cv=4),
        "held_out": cross_val_predict(FRNNClassifier(n_neighbors=3), three.X, three.y, cv=4, method="predict_proba"),
        "precomputed": cross_val_score(FGAClassifier(metric="precomputed"), by_distance(three).X, three.y),
    }
    return {name: plain(part) for name, part in found.items()}


def fitted_search(search: GridSearchCV) -> dict[str, Any]:
    """The scores of a grid search, and what it chose."""
    scores = {name: part for name, part in search.cv_results_.items() if name.endswith("_test_score")}
    return {**scores, "best": repr(search.best_params_), "beta": search.best_estimator_.beta_}


def record_errors() -> Plain:
    """What is said about wrong parameters, tables, labels, questions and files."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        calls = {**wrong_parameters(), **wrong_tables(), **wrong_questions(), **wrong_files(folder)}
        return {name: plain(outcome(call, folder)) for name, call in calls.items()}


def wrong_parameters() -> dict[str, Callable[[], Any]]:
    """Parameters that ``fit`` refuses."""
    case, numbers = drawn(20), measured(20)
    wrong: dict[str, tuple[type, dict[str, Any]]] = {
        "gamma_zero": (FGAClassifier, {"gamma": 0.0}),
        "gamma_text": (FGAClassifier, {"gamma": "large"}),
        "metric": (FGAClassifier, {"metric": "cosine"}),
        "scale": (FGAClassifier, {"scale": "log"}),
        "loss": (FGAClassifier, {"loss": "hinge"}),
        "ties": (FGAClassifier, {"ties": "last"}),
        "n_neighbors": (FGAClassifier, {"n_neighbors": 0}),
        "owa": (FGAClassifier, {"owa": "harmonic"}),
        "owa_monotone": (FGAClassifier, {"owa": "additive", "monotonic_cst": [1, 0, 0]}),
        "isomorphism": (FGAClassifier, {"isomorphism": -1.0}),
        "class_weight": (FGAClassifier, {"class_weight": "even"}),
        "weights_length": (FGAClassifier, {"feature_weights": [1.0]}),
        "weights_name": (FGAClassifier, {"feature_weights": {"height": 1.0}}),
        "monotonic": (FGAClassifier, {"monotonic_cst": [2, 0, 0]}),
        "precomputed_weights": (FGAClassifier, {"metric": "precomputed", "feature_weights": [1.0]}),
        "n_jobs": (FGAClassifier, {"n_jobs": 0}),
        "gammas": (FGAClassifierCV, {"gammas": "all"}),
        "gammas_path": (FGAClassifierCV, {"gammas": "path", "owa": "additive"}),
        "gammas_scoring": (FGAClassifierCV, {"gammas": "path", "scoring": "f1_macro"}),
        "class_order": (FGAOrdinalClassifier, {"class_order": ["class a"]}),
        "quantile": (FGARegressor, {"loss": "quantile", "quantile": 1.0}),
        "interval": (FGARegressor, {"interval": 90}),
        "folds": (FGARegressorCV, {"cv": 20}),
        "frnn_neighbors": (FRNNClassifier, {"n_neighbors": 0}),
        "frnn_owa": (FRNNClassifier, {"owa": [0.5, 0.6]}),
    }
    given = {kind: numbers if issubclass(kind, FGARegressor) else case for kind, _ in wrong.values()}
    return {
        name: partial(kind(**parameters).fit, given[kind].X, given[kind].y)
        for name, (kind, parameters) in wrong.items()
    }


def wrong_tables() -> dict[str, Callable[[], Any]]:
    """Tables, labels, weights and ids that ``fit`` refuses."""
    case, frame = drawn(20), census(n=20)
    holes = np.where(np.arange(60).reshape(20, 3) == 31, np.nan, case.X)
    missing = frame.X.assign(income=frame.X["income"].where(frame.X["age"] > 30))
    dates = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=20)})
    fit = FGAClassifier().fit
    return {
        "missing_number": lambda: fit(holes, case.y),
        "missing_in_frame": lambda: fit(missing, frame.y),
        "infinite": lambda: fit(np.where(case.X > 1, np.inf, case.X), case.y),
        "text": lambda: fit([["a"], ["b"]], [0, 1]),
        "dates": lambda: fit(dates, case.y),
        "one_dimension": lambda: fit(case.X[:, 0], case.y),
        "no_rows": lambda: fit(np.empty((0, 2)), []),
        "too_few_labels": lambda: fit(case.X, case.y[:5]),
        "missing_label": lambda: fit(case.X, [None, *case.y[1:]]),
        "numbers_as_labels": lambda: fit(case.X, np.linspace(0.05, 1, 20)),
        "negative_weight": lambda: fit(case.X, case.y, sample_weight=np.arange(20) - 3),
        "no_weight": lambda: fit(case.X, case.y, sample_weight=np.zeros(20)),
        "ids": lambda: fit(case.X, case.y, ids=["a"]),
        "lazy": lambda: fit(pl.DataFrame({"a": [1, 2]}).lazy(), [0, 1]),
        "three_monotone": lambda: FGAClassifier(monotonic_cst=[1, 0, 0]).fit(drawn(20, 3, 3).X, drawn(20, 3, 3).y),
        "not_square": lambda: FGAClassifier(metric="precomputed").fit(np.ones((3, 2)), [0, 1, 1]),
        "not_symmetric": lambda: FGAClassifier(metric="precomputed").fit(np.triu(np.ones((3, 3)), 1), [0, 1, 1]),
        "negative_distance": lambda: FGAClassifier(metric="precomputed").fit(-np.ones((2, 2)), [0, 1]),
        "text_targets": lambda: FGARegressor().fit(case.X, case.y),
        "missing_target": lambda: FGARegressor().fit(case.X, np.full(20, np.nan)),
        "half_a_row": lambda: FRNNClassifier().fit(case.X, case.y, sample_weight=np.full(20, 0.5)),
        "unordered": lambda: FGAOrdinalClassifier(class_order="abc").fit(case.X, case.y),
        "fuzzy_set": lambda: granular_approximation([2.0], [[1.0]]),
        "relation": lambda: granular_approximation([0.5, 0.5], [[1.0]]),
        "path_gamma": lambda: fgac.path(case.X, case.y, gamma_min=-1),
    }


def wrong_questions() -> dict[str, Callable[[], Any]]:
    """What a fitted model refuses to answer."""
    case, frame = drawn(20), census(n=20)
    model, mixed = FGAClassifier().fit(case.X, case.y), FGAClassifier().fit(frame.X, frame.y)
    number = FGARegressor().fit(case.X, np.arange(20.0))
    return {
        "not_fitted": lambda: FGAClassifier().predict(case.X),
        "columns": lambda: model.predict(case.X[:, :2]),
        "names": lambda: mixed.predict(frame.new.rename(columns={"age": "years"})),
        "missing": lambda: mixed.predict(frame.new.assign(age=np.nan)),
        "text_as_number": lambda: mixed.predict(frame.new.assign(age="old")),
        "n_arguments": lambda: model.arguments(case.new, 0),
        "alike": lambda: model.explain(case.new, alike=2.0),
        "units": lambda: mixed.explain(frame.new, units={"height": "cm"}),
        "truth": lambda: model.explain(case.new, y=["class a"]),
        "row_ids": lambda: model.explain(case.new, ids=[1]),
        "audit_by": lambda: audit(model, by="luck"),
        "audit_rows": lambda: audit(model, 0),
        "audit_number": lambda: audit(number),
        "contradictions": lambda: number.contradictions(0),
        "batches": lambda: list(model.predict_batches([case.new, case.new[:, :1]])),
        "batch_method": lambda: list(model.predict_batches([case.new], method="explain")),
    }


def wrong_files(folder: Path) -> dict[str, Callable[[], Any]]:
    """Model files that cannot be read, and models that cannot be written."""
    case = drawn(20)
    whole, cut, other, changed = (folder / f"{name}.fgac" for name in ("whole", "cut", "other", "changed"))
    model = FGAClassifier().fit(case.X, case.y)
    save_model(model, whole)
    content = whole.read_bytes()
    cut.write_bytes(content[: len(content) // 2])
    other.write_text("applicant,income\n", encoding="utf-8")
    place = content.index(b"NUMPY") + 100  # within the first array
    changed.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    return {
        "no_file": lambda: load_model(folder / "nothing.fgac"),
        "folder": lambda: load_model(folder),
        "cut_file": lambda: load_model(cut),
        "other_file": lambda: load_model(other),
        "changed_file": lambda: load_model(changed),
        "unfitted_file": lambda: save_model(FGAClassifier(), whole),
        "function_file": lambda: save_model(FGAClassifier(metric=distances).fit(case.X, case.y), whole),
        "notes": lambda: save_model(model, whole, notes={"n": 1}),
        "pipeline_file": lambda: save_model(make_pipeline(model), whole),
    }
