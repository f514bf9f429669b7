"""Seconds of an exact fit against general QP solvers and against one pass over all distances.

    python benchmarks/fit.py DATA_FOLDER            # all data sets: have half an hour and a quiet machine
    python benchmarks/fit.py DATA_FOLDER --quick    # two small ones, to see that it runs

One run gives one table, so every ratio compares times of the same machine on the same day.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from sklearn.metrics import pairwise_distances_argmin

from fit_table import LARGEST, Ours, Row, cells, text
from load import OtherLoad
from memory import extra_memory
from peers import CONSTRAINTS, Peers, add_options
from problems import Dataset, from_folder, synthetic
from report import RESULTS, progress, publish

GAMMAS = (5.0, 2.0, 1.0, 0.5)  # from the fewest constraints that can bind to the most: see Peers


def distance_pass(dataset: Dataset) -> None:
    """Find rows' nearest rows of other classes: the first of two classes, or each class against the rest."""
    rows, labels = dataset.rows, dataset.labels
    n_classes = labels.max() + 1
    for k in range(1 if n_classes == 2 else n_classes):
        pairwise_distances_argmin(rows[labels == k], rows[labels != k])


def warm_up(dataset: Dataset) -> None:
    """Compile on some of the rows, in the same kind of table, and start the threads of the distance pass."""
    from fgac import FGAClassifier

    some = np.arange(0, dataset.n, max(1, dataset.n // 500))
    X = dataset.X.iloc[some] if hasattr(dataset.X, "iloc") else dataset.X[some]
    FGAClassifier(n_jobs=-1).fit(X, dataset.labels[some])
    distance_pass(dataset)


def time_ours(dataset: Dataset, gamma: float) -> Ours:
    """Fit several times and take the median; call the distance pass more often and take its best."""
    from fgac import FGAClassifier

    model = FGAClassifier(gamma=gamma, n_jobs=-1)
    repeats = 7 if dataset.n <= 2000 else 3
    fits = [seconds(lambda: model.fit(dataset.X, dataset.labels)) for _ in range(repeats)]
    passes: list[float] = []
    while len(passes) < 5 or (sum(passes) < 0.5 and len(passes) < 50):
        passes.append(seconds(lambda: distance_pass(dataset)))
    return Ours(median(fits), min(passes), model)


def seconds(call: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    start = perf_counter()
    call()
    return perf_counter() - start


def measure(dataset: Dataset, gammas: Sequence[float], peers: Peers | None, memory_at: int) -> list[Row]:
    """Measure one data set at every gamma."""
    warm_up(dataset)
    rows = []
    for gamma in gammas:
        ours = time_ours(dataset, gamma)
        weigh = dataset.name == f"make_classification {memory_at}"
        extra = extra_memory(dataset.n, gamma) if weigh else None
        outcomes = {which: peers.run(which, dataset, gamma) for which in CONSTRAINTS} if peers else {}
        limit = peers.limit if peers else 0.0
        rows.append(Row(dataset.name, dataset.n, gamma, ours, outcomes, extra, limit))
        progress(" | ".join(cells(rows[-1])))
    return rows


def datasets(folder: Path, quick: bool) -> list[Dataset]:
    """Return the data sets, small to large."""
    if quick:
        return [from_folder(folder, "german"), synthetic(500)]
    small = [from_folder(folder, name) for name in ("pima", "vowel", "german")]
    return [*small, synthetic(1000), synthetic(5000), from_folder(folder, "ring"), synthetic(LARGEST)]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Time the exact fit against its peers.")
    parser.add_argument("folder", type=Path, help="folder with pima, german, vowel and ring as CSV files")
    parser.add_argument("-o", "--output", type=Path, help="default: results/fit.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="two small data sets, gamma = 5, limit of 10 s")
    add_options(parser, 120.0)
    return parser.parse_args()


def main() -> None:
    """Measure everything, print it and write it down."""
    options = arguments()
    load = OtherLoad()
    quick = options.quick
    limit = min(options.limit, 10.0) if quick else options.limit
    peers = None if options.no_peers else Peers(limit, options.memory * 1e9)
    rows: list[Row] = []
    for dataset in datasets(options.folder, quick):
        rows += measure(dataset, (5.0,) if quick else GAMMAS, peers, 500 if quick else LARGEST)
    publish(text(rows, load), options.output or (None if quick else RESULTS / "fit.md"))


if __name__ == "__main__":
    main()
