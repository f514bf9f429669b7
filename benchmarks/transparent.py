"""How good are models that people can follow, and how long are explanations? Nested cross-validation on KEEL's data.

    python benchmarks/transparent.py --cache FOLDER                       # everything; data are fetched into the folder
    python benchmarks/transparent.py --cache FOLDER --models CART kNN     # some models: the others keep what they have
    python benchmarks/transparent.py --cache FOLDER --only iris wine      # some data sets
    python benchmarks/transparent.py --cache FOLDER --quick               # small and cheap; nothing is written
    python benchmarks/transparent.py --table                              # write the page of what has been measured

Every fold of every model is a line of a journal, written as soon as it is known: a run can be interrupted, and goes on
where it stopped. Small data sets come first, each with all its folds and models: a run that is cut is complete on them.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from keel_sets import BY_NAME, Problem, by_size, load
from report import HERE, RESULTS, progress, publish
from tables_models import SUBJECT, argued
from tables_models import forest as plain_forest
from transparent_compare import FIELDS, N_FOLDS
from transparent_models import CONTENDERS, make_ready
from transparent_page import text

OUTER = StratifiedKFold(N_FOLDS, shuffle=True, random_state=20261118)
EXPLAINED = 100  # rows of a fold whose explanations are measured
JOURNAL = HERE / "build" / "transparent.jsonl"
QUICK = (["iris", "hayes-roth"], [SUBJECT, "CART", "logistic regression", "kNN", "naive Bayes"])

Task = tuple[str, bool, int, str]


class Part:
    """One outer fold of a data set, and how long a plain random forest takes for it."""

    def __init__(self, problem: Problem, fold: int) -> None:
        train, test = list(OUTER.split(problem.frame, problem.y))[fold]
        self.X, self.X_test = (problem.frame.iloc[rows].reset_index(drop=True) for rows in (train, test))
        self.y, self.y_test = problem.y[train], problem.y[test]
        start = process_time()
        plain_forest(0).fit(self.X, self.y)
        self.forest_seconds = process_time() - start


def measure(part: Part, name: str) -> dict[str, Any]:
    """Tune a model on the training part of an outer fold; score and explain it on the rest."""
    contender = CONTENDERS[name]
    start = process_time()
    tuned = contender.tune(part.X, part.y)
    seconds = process_time() - start
    model, rows = tuned.model, part.X_test
    found: dict[str, Any] = {
        "score": float(balanced_accuracy_score(part.y_test, model.predict(rows))),
        "log_loss": None,
        "length": None,
        "seconds": seconds,
        "forest_seconds": part.forest_seconds,
        "setting": tuned.setting,
    }
    if hasattr(model, "predict_proba"):
        found["log_loss"] = float(log_loss(part.y_test, model.predict_proba(rows), labels=model.classes_))
    if contender.length is not None:
        found["length"] = contender.length(model, evenly(rows, EXPLAINED), len(part.y))
    if name == SUBJECT:
        found |= {"argued": argued(model, rows), "gamma": float(model.gamma_)}
    return found


def evenly(rows: Any, most: int) -> Any:
    """Return all rows of a frame, or as many as are asked for, spread over it."""
    return rows.iloc[np.unique(np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(int))]


def tasks(names: list[str], models: list[str], *, full: bool) -> Iterator[Task]:
    """Whole data sets one after the other, the small ones first: what is known of some is known of all models."""
    for data in by_size(names, full=full):
        for fold in range(N_FOLDS):
            for model in models:
                yield data, full, fold, model


def run(wanted: list[Task], paths: list[Path], folder: Path) -> None:
    """Do what the journals lack; new lines go to the first."""
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    journals = [Journal(path, FIELDS, dict.fromkeys(wanted, 1)) for path in paths]
    finished = set().union(*(journal.finished for journal in journals))
    problem = lru_cache(1)(lambda data, full: load(BY_NAME[data], folder, full=full))
    part = lru_cache(1)(lambda data, full, fold: Part(problem(data, full), fold))
    for i, key in enumerate(wanted, start=1):
        if key in finished:
            continue
        *where, model = key
        line = dict(zip(FIELDS, key, strict=True)) | measure(part(*where), model) | {"commit": commit()}
        journals[0].append([line])
        progress(f"{i}/{len(wanted)} {key[0]} {key[2]} {model}: {line['score']:.3f}, {line['seconds']:.1f} s")


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Transparent models by nested cross-validation.")
    parser.add_argument("--cache", type=Path, help="folder for the package that holds the data sets")
    parser.add_argument("--only", nargs="+", choices=list(BY_NAME), default=list(BY_NAME), metavar="DATA")
    parser.add_argument("--models", nargs="+", choices=list(CONTENDERS), default=list(CONTENDERS), metavar="NAME")
    parser.add_argument("--journal", type=Path, nargs="+", default=[JOURNAL], help="new lines go to the first")
    parser.add_argument("--full", action="store_true", help="all rows of large data sets, a page of its own")
    parser.add_argument("--table", action="store_true", help="measure nothing, write the page")
    parser.add_argument("--quick", action="store_true", help="two small data sets, cheap models; nothing is written")
    parser.add_argument("-o", "--output", type=Path, help="where the page goes; that of --full is only printed")
    asked = parser.parse_args()
    if asked.cache is None and not asked.table:
        parser.error("give --cache, the folder for the package that holds the data sets, or --table")
    return asked


def main() -> None:
    """Measure what is missing, or write down what has been measured."""
    asked = options()
    warnings.filterwarnings("ignore")  # of convergence, of unknown categories: the score of a setting tells
    if asked.table:
        usual = None if asked.full else RESULTS / "transparent.md"
        publish(text(asked.journal, full=asked.full), asked.output or usual)
        return
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        names, models = QUICK if asked.quick else (asked.only, asked.models)
        paths = [Path(temporary) / "quick.jsonl"] if asked.quick else asked.journal
        make_ready(models)
        run(list(tasks(names, models, full=asked.full)), paths, asked.cache)
        if asked.quick:
            print(text(paths, full=asked.full))


if __name__ == "__main__":
    main()
