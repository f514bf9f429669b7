"""How good is our regression without tuning? Defaults of everyone on real tables: numbers, and intervals of them.

    python benchmarks/regression.py --cache FOLDER               # everything; tables are fetched into the folder
    python benchmarks/regression.py --cache FOLDER --models EBM  # some models: the others keep what they have
    python benchmarks/regression.py --cache FOLDER --quick       # one small table, two folds; nothing is written
    python benchmarks/regression.py --cache FOLDER --table       # write the table of what has been measured

Every table comes out of a package of PyPI (``number_tables.py``). Every score is a line of a journal, written as soon
as it is known: a run can be interrupted, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from functools import lru_cache
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import KFold
from threadpoolctl import threadpool_limits

from fgac.estimators._state import state_of
from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from fgac.selection.interval_scores import Boosting, interval_numbers
from number_tables import ALSO, MEASURED_ON, Numbers, load_numbers
from regression_page import text
from regression_peers import CONTENDERS, EBM, FOREST, SHARE, SUBJECT
from report import HERE, RESULTS, progress, publish

JOURNAL = HERE / "build" / "regression.jsonl"
FIELDS = ("data", "fold", "model")
N_FOLDS = 5
FOLDS = KFold(N_FOLDS, shuffle=True, random_state=20261118)
MOST_ROWS = 2000
NAMES = (
    "apartments",
    "players",
    "Boston",
    "doctors",
    "diamonds",
    "cars",
    "California",
    "trial",
    "professors",
    "Ontario",
)
BY_NAME = {table.name: table for table in (*ALSO, *MEASURED_ON) if table.name in NAMES}
QUICK = (["cars"], [0, 1], [name for name in CONTENDERS if name != EBM])


def measure(data: Numbers, fold: int, name: str) -> dict[str, Any]:
    """Fit a model to four fifths of the rows, and score it on the rest; time it beside a forest."""
    train, test = list(FOLDS.split(data.y))[fold]
    found = scores(name, data, train, test)
    beside = found if name == FOREST else scores(FOREST, data, train, test)
    line = {"data": data.name, "fold": fold, "model": name, **found, "commit": commit()}
    return line | {"forest_seconds": beside["seconds"]}


def scores(name: str, data: Numbers, train: Any, test: Any) -> dict[str, Any]:
    """Return R2, mean absolute error over that of the median, and seconds; of ours also arguments and intervals."""
    X, new = (data.frame.iloc[rows].reset_index(drop=True) for rows in (train, test))
    y, truth = data.y[train], data.y[test]
    start = process_time()
    model = CONTENDERS[name]().fit(X, y)
    predicted = model.predict(new)
    found: dict[str, Any] = {
        "seconds": process_time() - start,
        "r2": float(r2_score(truth, predicted)),
        "error": mean_absolute_error(truth, predicted) / np.mean(np.abs(truth - np.median(y))),
    }
    if name == SUBJECT:
        guesses = state_of(model).bounds_and_guesses(model._read_rows(new))[1]
        theirs = Boosting(data.frame, "from_dtype").intervals(data.y, np.ones(len(data.y)), train, test, SHARE)
        both = {"interval": model.predict_interval(new), "boosted_interval": theirs}
        for what, ends in both.items():
            numbers = interval_numbers(truth, np.ones(len(test)), ends, SHARE)
            numbers[1:3] /= np.std(data.y)
            found[what] = numbers.tolist()
        found |= {"argued": float(1 - guesses.mean()), "gamma": float(model.gamma_)}
    return found


def run(wanted: list[tuple[str, int, str]], paths: list[Path], folder: Path) -> None:
    """Do what the journals lack; new lines go to the first."""
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    journals = [Journal(path, FIELDS, dict.fromkeys(wanted, 1)) for path in paths]
    finished = set().union(*(journal.finished for journal in journals))
    table = lru_cache(1)(lambda name: load_numbers(BY_NAME[name], folder, MOST_ROWS))
    for i, key in enumerate(wanted, start=1):
        if key in finished:
            continue
        name, fold, model = key
        line = measure(table(name), fold, model)
        journals[0].append([line])
        progress(f"{i}/{len(wanted)} {name} {fold} {model}: {line['r2']:.3f}, {line['seconds']:.1f} s")


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Defaults of everyone on real tables with numbers to predict.")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the packages that hold the tables")
    parser.add_argument("--tables", nargs="+", choices=NAMES, default=list(NAMES), metavar="TABLE")
    parser.add_argument("--models", nargs="+", choices=list(CONTENDERS), default=list(CONTENDERS), metavar="NAME")
    parser.add_argument("--journal", type=Path, nargs="+", default=[JOURNAL], help="new lines go to the first")
    parser.add_argument("--table", action="store_true", help="measure nothing, write the table")
    parser.add_argument("--quick", action="store_true", help="one small table, two folds; nothing is written")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "regression.md")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing, and write down what has been measured."""
    asked = options()
    warnings.filterwarnings("ignore")  # of convergence, of unknown categories: defaults are taken as they are
    names, folds, models = QUICK if asked.quick else (asked.tables, list(range(N_FOLDS)), asked.models)
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        paths = [Path(temporary) / "quick.jsonl"] if asked.quick else asked.journal
        if not asked.table:
            run([(name, fold, model) for name in names for fold in folds for model in models], paths, asked.cache)
        about = {name: (BY_NAME[name], load_numbers(BY_NAME[name], asked.cache, MOST_ROWS)) for name in names}
        publish(text(paths, about, MOST_ROWS, N_FOLDS), None if asked.quick else asked.output)


if __name__ == "__main__":
    main()
