"""What does a user get without tuning? Defaults of everyone on real tables, with what is missing in them.

    python benchmarks/tables.py --cache FOLDER                       # everything; tables are fetched into the folder
    python benchmarks/tables.py --cache FOLDER --methods forest kNN  # some models: the others keep what they have
    python benchmarks/tables.py --cache FOLDER --quick               # two small tables, one seed; nothing is written
    python benchmarks/tables.py --cache FOLDER --table               # write the table of what has been measured

Every table comes out of a package of PyPI (``real_tables.py``). Every score is a line of a journal, written as soon as
it is known: a run can be interrupted, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from real_tables import BY_NAME, Problem, load
from report import HERE, RESULTS, progress, publish
from tables_models import CONTENDERS, FOREST, SUBJECT, argued
from tables_page import text

JOURNAL = HERE / "build" / "tables.jsonl"
FIELDS = ("data", "seed", "model")
SEEDS = tuple(range(5))
SHARE = 0.25
QUICK = (("students", "penguins"), (0,), (SUBJECT, FOREST, "logistic balanced", "kNN"))


def measure(problem: Problem, seed: int, name: str) -> dict[str, Any]:
    """Fit a model to three quarters of the rows, and score it on the rest; time it beside a plain forest."""
    parts = train_test_split(problem.frame, problem.y, test_size=SHARE, stratify=problem.y, random_state=seed)
    found = scores(name, seed, *parts)
    beside = found if name == FOREST else scores(FOREST, seed, *parts)
    line = {"data": problem.table.name, "seed": seed, "model": name, **found, "commit": commit()}
    return line | {"forest_seconds": beside["seconds"]}


def scores(name: str, seed: int, X: Any, X_test: Any, y: Any, y_test: Any) -> dict[str, Any]:
    """Return balanced accuracy, log loss, seconds of the processor and, for ours, the share of argued predictions."""
    start = process_time()
    model = CONTENDERS[name].make(seed).fit(X.reset_index(drop=True), y)
    fitted = process_time()
    rows = X_test.reset_index(drop=True)
    predicted, probabilities = model.predict(rows), model.predict_proba(rows)
    seconds = {"seconds": process_time() - start, "fit_seconds": fitted - start}
    found: dict[str, Any] = {
        "score": float(balanced_accuracy_score(y_test, predicted)),
        "log_loss": float(log_loss(y_test, probabilities, labels=model.classes_)),
        **seconds,
    }
    if hasattr(model, "memberships"):
        found |= {"argued": argued(model, rows), "gamma": float(model.gamma_)}
    return found


def tasks(names: tuple[str, ...], seeds: tuple[int, ...], models: list[str]) -> Iterator[tuple[str, int, str]]:
    """Whole tables one after the other, so that what is known of some is known of all models."""
    for name in names:
        for seed in seeds:
            for model in models:
                yield name, seed, model


def run(wanted: list[tuple[str, int, str]], paths: list[Path], folder: Path) -> None:
    """Do what the journals lack; new lines go to the first."""
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    journals = [Journal(path, FIELDS, dict.fromkeys(wanted, 1)) for path in paths]
    finished = set().union(*(journal.finished for journal in journals))
    table = cache(lambda name: load(BY_NAME[name], folder))
    for i, key in enumerate(wanted, start=1):
        if key in finished:
            continue
        name, seed, model = key
        line = measure(table(name), seed, model)
        journals[0].append([line])
        progress(f"{i}/{len(wanted)} {name} {seed} {model}: {line['score']:.3f}, {line['seconds']:.1f} s")


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Defaults of everyone on real tables.")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the packages that hold the tables")
    parser.add_argument("--tables", nargs="+", choices=list(BY_NAME), default=list(BY_NAME), metavar="TABLE")
    parser.add_argument("--methods", nargs="+", choices=list(CONTENDERS), default=list(CONTENDERS), metavar="NAME")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="SEED")
    parser.add_argument("--journal", type=Path, nargs="+", default=[JOURNAL], help="new lines go to the first")
    parser.add_argument("--table", action="store_true", help="measure nothing, write the table")
    parser.add_argument("--quick", action="store_true", help="two small tables, one seed; nothing is written")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "tables.md")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing, and write down what has been measured."""
    asked = options()
    warnings.filterwarnings("ignore")  # of convergence, of unknown categories: defaults are taken as they are
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        names, seeds, models = QUICK if asked.quick else (asked.tables, asked.seeds, asked.methods)
        paths = [Path(temporary) / "quick.jsonl"] if asked.quick else asked.journal
        if not asked.table:
            run(list(tasks(tuple(names), tuple(seeds), list(models))), paths, asked.cache)
        publish(text(paths, asked.cache), None if asked.quick else asked.output)


if __name__ == "__main__":
    main()
