"""How well an audit finds wrong labels, against cleanlab and the disagreement of neighbours.

    python benchmarks/audit.py DATA_FOLDER [-o benchmarks/results/audit.md]
    python benchmarks/audit.py DATA_FOLDER --only wdbc --seeds 1   # some of it; nothing is written but the journal

In six data sets 5, 10 and 20 % of the labels are replaced by another class, five times over. Every method sees the
noisy labels only and ranks all rows; what is right is used for nothing but the score. Gamma of ours, C of the logistic
regression and k of the neighbours are chosen on the noisy labels. How to rank by ours was decided on the OTHER data
sets, which are measured as well, with fewer seeds. All scores of a data set, a rate and a seed are lines of a journal,
written as soon as they are known: a run can be interrupted, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from cleanlab.rank import get_label_quality_scores
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from audit_page import NAMES, NEIGHBOURS, OTHERS, SIX, text
from fgac import FGAClassifierCV
from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from fgac.explainers.audit import doubts
from fgac.tables.splits import stratified_folds
from problems import Dataset, embed, from_folder
from report import HERE, RESULTS, progress, publish

JOURNAL = HERE / "build" / "audit.jsonl"
FIELDS = ("data", "rate", "seed")
RATES = (0.05, 0.1, 0.2)
SEEDS = dict.fromkeys(SIX, 5) | dict.fromkeys(OTHERS, 2)
QUICK = (*SIX[:2], OTHERS[0])
MAX_ROWS = 2000

METHODS = {"self": "self_confidence", "margin": "normalized_margin"}
GRIDS: dict[str, list[Callable[[], Any]]] = {
    "LR": [
        lambda C=C: make_pipeline(StandardScaler(), LogisticRegression(C=C, max_iter=5000))
        for C in (0.01, 0.1, 1.0, 10.0)
    ],
    "kNN": [lambda k=k: KNeighborsClassifier(k) for k in (5, 10, 20, 40)],
    "RF": [lambda: RandomForestClassifier(100, random_state=0)],
}

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def sample(dataset: Dataset) -> Dataset:
    """At most MAX_ROWS rows, the same ones every time."""
    if dataset.n <= MAX_ROWS:
        return dataset
    kept = np.sort(np.random.default_rng(0).permutation(dataset.n)[:MAX_ROWS])
    X = dataset.X.iloc[kept].reset_index(drop=True)
    return Dataset(dataset.name, X, dataset.labels[kept], embed(X))


def flipped(labels: NDArray[np.int64], rate: float, seed: int) -> tuple[NDArray[np.int64], Bools]:
    """Labels of which this part has another class, each of them with equal chance, and which rows these are."""
    rng = np.random.default_rng([seed, round(1000 * rate)])
    n, n_classes = len(labels), labels.max() + 1
    rows = rng.permutation(n)[: round(rate * n)]
    noisy = labels.copy()
    noisy[rows] = (labels[rows] + rng.integers(1, n_classes, len(rows))) % n_classes
    return noisy, np.isin(np.arange(n), rows)


def rankings(dataset: Dataset, labels: NDArray[np.int64]) -> tuple[float, dict[str, Floats]]:
    """Our gamma, and doubts of all rows by every method; larger is more doubtful."""
    model = FGAClassifierCV().fit(dataset.X, labels)
    found = {"fgac": doubts(model), "fgac rest": doubts(model, by="rest")}
    found["fgac 1-beta"] = doubts(model, by="membership")
    # Columns as each model likes them: logistic regression and trees one-hot, neighbours in the distance of ours.
    tables = {"LR": one_hot(dataset.X), "RF": one_hot(dataset.X), "kNN": dataset.rows}
    for name, grid in GRIDS.items():
        chances = max((out_of_fold(make, tables[name], labels) for make in grid), key=lambda p: log_score(p, labels))
        for short, method in METHODS.items():
            found[f"{name} {short}"] = -get_label_quality_scores(labels, chances, method=method)
    found["disagree"] = disagreement(dataset.rows, labels)
    return model.gamma_, found


def one_hot(X: pd.DataFrame) -> Floats:
    """Numbers as they are, one column per category."""
    return pd.get_dummies(X).to_numpy(dtype=np.float64)


def out_of_fold(make: Callable[[], Any], table: Floats, labels: NDArray[np.int64]) -> Floats:
    """Probabilities of every row by a model that has not seen it: the same five folds for all."""
    chances = np.zeros((len(labels), labels.max() + 1))
    for train, test in stratified_folds(labels, 5):
        model = make().fit(table[train], labels[train])
        chances[np.ix_(test, model.classes_)] = model.predict_proba(table[test])
    return chances


def log_score(chances: Floats, labels: NDArray[np.int64]) -> float:
    """Mean log-probability of the labels, by which settings are chosen."""
    return float(np.log(np.maximum(chances[np.arange(len(labels)), labels], 1e-3)).mean())


def disagreement(rows: Floats, labels: NDArray[np.int64]) -> Floats:
    """Share of the nearest other rows that have another label."""
    near = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(rows).kneighbors(return_distance=False)
    return np.mean(labels[near] != labels[:, None], axis=1)


def precision_at_k(wrong: Bools, doubt: Floats) -> float:
    """Share of wrong labels among the k most doubtful, k being their number; rows that tie share the last places.

    >>> precision_at_k(np.array([True, False, True, False]), np.array([0.9, 0.5, 0.5, 0.1]))
    0.75
    """
    k = int(wrong.sum())
    last = np.partition(doubt, -k)[-k]
    above, tied = doubt > last, doubt == last
    return float((wrong[above].sum() + (k - above.sum()) * wrong[tied].mean()) / k)


def measure(dataset: Dataset, rate: float, seed: int) -> Iterator[dict[str, Any]]:
    """Average precision and precision at k of every ranking."""
    noisy, wrong = flipped(dataset.labels, rate, seed)
    gamma, found = rankings(dataset, noisy)
    contradicted = float(np.mean(found["fgac 1-beta"] > 0))
    common = {"data": dataset.name, "rate": rate, "seed": seed, "gamma": float(gamma), "contradicted": contradicted}
    common |= {**support_in_top(found, wrong), "commit": commit()}
    for name in NAMES:
        doubt = found[name]
        scores = {"ap": float(average_precision_score(wrong, doubt)), "precision": precision_at_k(wrong, doubt)}
        yield {**common, "ranking": name, **scores}


def support_in_top(found: dict[str, Floats], wrong: Bools) -> dict[str, float | None]:
    """Mean support by their own class of the rows with the least membership: of wrong labels, and of right ones."""
    beta = 1 - found["fgac 1-beta"]
    top = np.zeros(len(wrong), dtype=bool)
    top[np.argsort(beta, kind="stable")[: wrong.sum()]] = True
    top &= beta < 1  # the support of a row that nothing contradicts is no part of its doubt
    support = 2 * (1 - found["fgac rest"]) - beta
    means = {"support of wrong": support[top & wrong], "support of right": support[top & ~wrong]}
    return {name: float(part.mean()) if len(part) else None for name, part in means.items()}


def run(wanted: list[tuple[str, float, int]], path: Path, folder: Path) -> None:
    """Do what the journal lacks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(path, FIELDS, dict.fromkeys(wanted, len(NAMES)))
    dataset = cache(lambda name: sample(from_folder(folder, name)))
    for i, (name, rate, seed) in enumerate(wanted, start=1):
        if (name, rate, seed) not in journal.finished:
            lines = list(measure(dataset(name), rate, seed))
            journal.append(lines)
            progress(f"{i}/{len(wanted)} {name} {rate:.0%} {seed}: {lines[0]['ap']:.3f}")


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Compare how well rankings find wrong labels.")
    parser.add_argument("folder", type=Path, help="folder with the data sets as CSV files")
    parser.add_argument("--only", nargs="+", choices=list(SEEDS), metavar="NAME", help="some data sets")
    parser.add_argument("--seeds", type=int, help="at most so many seeds of each")
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "audit.md")
    parser.add_argument("--quick", action="store_true", help="one seed, three data sets, nothing written")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing; print it, and write it down if it is all there is to measure."""
    asked = options()
    warnings.filterwarnings("ignore", message="column .* taken as nominal", category=UserWarning)
    names = QUICK if asked.quick else asked.only or list(SEEDS)
    most = 1 if asked.quick else asked.seeds or max(SEEDS.values())
    wanted = [(name, rate, seed) for name in names for rate in RATES for seed in range(min(most, SEEDS[name]))]
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary, "quick.jsonl") if asked.quick else asked.journal
        run(wanted, path, asked.folder)
        lines = pd.read_json(path, lines=True)
    keys = pd.MultiIndex.from_frame(lines[list(FIELDS)])
    is_whole = len(wanted) == len(RATES) * sum(SEEDS.values())
    publish(text(lines[keys.isin(wanted)]) + "\n", asked.output if is_whole else None)


if __name__ == "__main__":
    main()
