"""How accurate are we? Nested cross-validation on the paper's data sets, against models tuned with equal effort.

    python benchmarks/accuracy.py DATA_FOLDER                        # everything; an hour on one core
    python benchmarks/accuracy.py DATA_FOLDER --models FGAC kNN      # some models: the others keep what they have
    python benchmarks/accuracy.py DATA_FOLDER --quick                # two data sets, fast models; nothing is written
    python benchmarks/accuracy.py --table                            # write the table of what has been measured

Every fold of every model is a line of a journal, written as soon as it is known: a run can be interrupted, and goes
on where it stopped. A line knows the commit that made it; the table tells of all of them.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from accuracy_models import CONTENDERS
from accuracy_table import SEED, text
from fgac.experiments.datasets.files import PAPER, DataSet, load
from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from report import HERE, RESULTS, progress, publish

OUTER = StratifiedKFold(5, shuffle=True, random_state=SEED)
JOURNAL = HERE / "build" / "accuracy.jsonl"
FIELDS = ("data", "model", "fold")
QUICK = (("glass", "breast"), ("FGAC", "FGAC manhattan", "kFRNN", "kNN", "CART", "RBF-SVM"))


def measure(dataset: DataSet, name: str, fold: int) -> dict[str, Any]:
    """Tune a model on the training part of an outer fold, and score it on the rest."""
    X, y = dataset.frame, dataset.y
    train, test = list(OUTER.split(X, y))[fold]
    start = perf_counter()
    tuned = CONTENDERS[name].tune(X.iloc[train].reset_index(drop=True), y[train])
    spent = perf_counter() - start
    score = balanced_accuracy_score(y[test], tuned.model.predict(X.iloc[test]))
    line = {"data": dataset.name, "model": name, "fold": fold, "score": float(score), "seconds": spent}
    line |= {"setting": tuned.setting, "number": tuned.number, "inner_score": tuned.inner_score, "commit": commit()}
    if tuned.weights is not None:
        line["weights"] = dict(zip(X.columns, np.asarray(tuned.weights).tolist(), strict=True))
    return line


def tasks(datasets: list[DataSet], names: list[str]) -> Iterator[tuple[DataSet, str, int]]:
    """Whole data sets one after the other, so that what is known of some is known of all models."""
    for dataset in datasets:
        for name in names:
            for fold in range(OUTER.n_splits):
                yield dataset, name, fold


def run(datasets: list[DataSet], names: list[str], path: Path) -> None:
    """Do what the journal lacks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    wanted = list(tasks(datasets, names))
    journal = Journal(path, FIELDS, {(dataset.name, name, fold): 1 for dataset, name, fold in wanted})
    for i, (dataset, name, fold) in enumerate(wanted, start=1):
        if (dataset.name, name, fold) in journal.finished:
            continue
        line = measure(dataset, name, fold)
        journal.append([line])
        progress(f"{i}/{len(wanted)} {dataset.name} {name} {fold}: {line['score']:.3f}, {line['seconds']:.1f} s")


def main() -> None:
    """Measure what is missing, or write down what has been measured."""
    parser = argparse.ArgumentParser(description="Nested cross-validation against other models.")
    parser.add_argument("folder", type=Path, nargs="?", help="folder with the data sets as CSV files")
    parser.add_argument("--models", nargs="+", choices=list(CONTENDERS), default=list(CONTENDERS), metavar="NAME")
    parser.add_argument("--only", nargs="+", choices=PAPER, default=list(PAPER), metavar="DATA")
    parser.add_argument("--journal", type=Path, nargs="+", default=[JOURNAL], help="new lines go to the first")
    parser.add_argument("--table", action="store_true", help="measure nothing, write the table")
    parser.add_argument("--quick", action="store_true", help="two data sets and fast models; nothing is written")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "accuracy.md")
    options = parser.parse_args()
    if options.table:
        publish(text(options.journal), options.output)
        return
    if options.folder is None:
        parser.error("give the folder with the data sets, or --table")
    warnings.filterwarnings("ignore", message="column .* taken as nominal", category=UserWarning)
    with threadpool_limits(1), tempfile.TemporaryDirectory() as temporary:
        names, models = QUICK if options.quick else (tuple(options.only), options.models)
        path = Path(temporary) / "quick.jsonl" if options.quick else options.journal[0]
        run(load(options.folder, names), list(models), path)
        if options.quick:
            print(text([path]))


if __name__ == "__main__":
    main()
