"""Seconds of choosing gamma by cross-validation, against GridSearchCV and against a general QP solver.

    python benchmarks/selection.py DATA_FOLDER            # some minutes
    python benchmarks/selection.py DATA_FOLDER --quick    # one data set, to see that it runs; nothing is written

``FGAClassifierCV`` and scikit-learn's ``GridSearchCV`` over ``FGAClassifier`` try the paper's eleven gammas on the same
five folds by balanced accuracy, both fit the chosen gamma on all rows in the end, and both are called in turn. The same
search with a general solver is extrapolated from one solve: a fold's training rows at the middle gamma, times 55.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from joblib.externals.loky import get_reusable_executor
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from fit import seconds
from fit_table import outcome_cell
from isolation import Outcome, physical_memory
from load import OtherLoad
from path import ELEVEN, GRID
from peers import SOLVERS, Peers
from problems import Dataset, embed, from_folder
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

NAMES = ("german", "vowel", "pima", "phoneme")
OF_THE_BAR = ("german", "vowel")
SCORING = "balanced_accuracy"
# The settings of FGAClassifier, where those of the search are others.
PLAIN = {"metric": "euclidean", "class_weight": None, "calibrate": False}
MIDDLE = sorted(GRID)[len(GRID) // 2]
N_FOLDS = 5
N_FITS = N_FOLDS * len(GRID)
WORKERS = (1, 2)
LIMIT = 120.0  # seconds allowed to a general solver
HEADER = [
    *("data", "n", "workers", "fgac s", "grid s", "grid / fgac"),
    *("gamma", "gamma of grid", "score", "difference"),
]
HEADER_PATH = ["data", "grid s", "path s", "path / grid", "gamma of grid", "gamma", "score of grid", "score"]
NOTES = f"""\
- `fgac s`: `FGAClassifierCV(gammas=..., cv=folds, scoring="{SCORING}")` with plain distances, unweighted classes
  and uncalibrated, as `FGAClassifier` has them; `grid s`: `GridSearchCV(FGAClassifier(),
  {{"gamma": ...}}, cv=folds, scoring="{SCORING}")`. Gammas {ELEVEN}; five stratified
  folds, shuffled, the same for both; both refit the best gamma on all rows. Medians, called in turn, compiled before.
- `workers`: `n_jobs` of both: threads of ours, processes of theirs (started before).
- `score`: best mean score; `difference`: the largest between the two mean scores of a gamma, all gammas."""
NOTES_PATH = """\
`FGAClassifierCV(gammas="path")` knows the scores of every gamma from 0.5 on; one worker, a single call after the search
of the grid. No bar: it answers another question than a grid does."""
NOTES_PEERS = f"""\
One solve of the training problem of one fold at gamma {MIDDLE:g}, in a process of its own, times {N_FITS} fits of the
search (prediction and scoring are left out), over `fgac s` with one worker. The solvers get the pairs that can bind,
assembled beforehand, with the settings of theirs that were fastest here; at most {LIMIT:g} s (`>`: a lower bound)."""


class Row(NamedTuple):
    """One data set and number of workers: median seconds and chosen gammas, ours first; our score, and how equal."""

    data: Dataset
    workers: int
    times: tuple[float, float]
    ratio: float
    gammas: tuple[float, float]
    score: float
    difference: float


class Solves(NamedTuple):
    """One solve of one fold's problem by every general solver, beside our seconds of the whole search."""

    data: Dataset
    n: int
    ours: float
    outcomes: dict[str, Outcome | None]

    def times_slower(self, peer: str) -> float | None:
        """Return the extrapolated search over ours: a lower bound where the solve ran out of time."""
        outcome = self.outcomes[peer]
        if outcome is None or outcome.status not in ("done", "time"):
            return None
        return N_FITS * (outcome.value.seconds if outcome.status == "done" else LIMIT) / self.ours

    def in_words(self, peer: str) -> str:
        """Write the same, with ``>`` where it is a lower bound."""
        outcome = self.outcomes[peer]
        bound = "> " if outcome is not None and outcome.status == "time" else ""
        return bound + number(self.times_slower(peer))


def folds_of(dataset: Dataset) -> list[tuple[Any, Any]]:
    """Return the folds that everyone gets."""
    splitter = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    return list(splitter.split(dataset.labels, dataset.labels))


def measure(dataset: Dataset, workers: int) -> Row:
    """Search with both in turn."""
    from fgac import FGAClassifier, FGAClassifierCV

    how = {"cv": folds_of(dataset), "scoring": SCORING, "n_jobs": workers}
    ours = FGAClassifierCV(gammas=GRID, **PLAIN, **how)
    theirs = GridSearchCV(FGAClassifier(), {"gamma": list(GRID)}, **how)
    small = dataset.n <= 2000
    if small or workers > 1:  # compile, and start the processes
        for model in (ours, theirs):
            model.fit(dataset.X, dataset.labels)
    turns = [
        tuple(seconds(lambda model=model: model.fit(dataset.X, dataset.labels)) for model in (ours, theirs))
        for _ in range(5 if small else 1)
    ]
    mine, other = (median(column) for column in zip(*turns, strict=True))
    ratio = median(grid / own for own, grid in turns)
    gammas = (float(ours.gamma_), float(theirs.best_params_["gamma"]))
    apart = np.abs(ours.cv_results_["mean_test_score"] - theirs.cv_results_["mean_test_score"]).max()
    row = Row(dataset, workers, (mine, other), ratio, gammas, float(ours.best_score_), float(apart))
    progress(" | ".join(cells(row)))
    return row


def along_the_path(row: Row) -> list[str]:
    """Search every gamma from 0.5 on, and write it beside the search of the grid."""
    from fgac import FGAClassifierCV

    dataset = row.data
    model = FGAClassifierCV(gammas="path", **PLAIN, cv=folds_of(dataset), scoring=SCORING, n_jobs=1)
    spent = seconds(lambda: model.fit(dataset.X, dataset.labels))
    times = [number(row.times[0]), number(spent), number(spent / row.times[0])]
    found = [dataset.name, *times, number(row.gammas[0]), number(model.gamma_)]
    return [*found, f"{row.score:.4f}", f"{model.best_score_:.4f}"]


def solve_once(dataset: Dataset, ours: float, peers: Peers) -> Solves:
    """Give the first fold's training rows to the general solvers."""
    train = folds_of(dataset)[0][0]
    X = dataset.X.iloc[train].reset_index(drop=True)
    fold = Dataset(dataset.name, X, dataset.labels[train], embed(X))
    solves = Solves(dataset, fold.n, ours, peers.run("full", fold, MIDDLE))
    progress(" | ".join(peer_cells(solves)))
    return solves


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    times = [*map(number, row.times), number(row.ratio)]
    chosen = [*map(number, row.gammas), f"{row.score:.4f}", f"{row.difference:.0e}"]
    return [row.data.name, str(row.data.n), str(row.workers), *times, *chosen]


def peer_cells(solves: Solves) -> list[str]:
    """Write one row of the table of the general solvers."""
    found = [solves.data.name, str(solves.n), number(solves.ours)]
    for peer, outcome in solves.outcomes.items():
        found += [outcome_cell(outcome, LIMIT), solves.in_words(peer)]
    return found


def bars(rows: list[Row], solved: list[Solves]) -> list[Bar]:
    """Return what is asked of the search beside what this run measured."""
    found = []
    for name in OF_THE_BAR:
        ratios = [row.ratio for row in rows if row.data.name == name and row.workers == 1]
        asked = f"{name}: times faster than GridSearchCV, one worker each, at least 5"
        found += [Bar(asked, number(ratio), ratio >= 5) for ratio in ratios]
    differ = [row.data.name for row in rows if row.gammas[0] != row.gammas[1]]
    found.append(Bar("the gamma that GridSearchCV chooses, all rows", ", ".join(differ) or "the same", not differ))
    for solves in (each for each in solved if each.data.name in OF_THE_BAR):
        asked = f"{solves.data.name}: times faster than a general solver, extrapolated from one solve, at least 1000"
        known = [ratio for ratio in map(solves.times_slower, SOLVERS) if ratio is not None]
        words = ", ".join(f"{peer} {solves.in_words(peer) or 'not done'}" for peer in SOLVERS)
        found.append(Bar(asked, words, min(known) >= 1000 if known else None))
    return found


def text(rows: list[Row], along: list[list[str]], solved: list[Solves], load: OtherLoad) -> str:
    """Return the whole result."""
    columns = [column for peer in SOLVERS for column in (f"{peer} s", f"{N_FITS} {peer} / fgac")]
    peers = markdown_table(["data", "rows of a fold", "fgac s", *columns], map(peer_cells, solved))
    table = markdown_table(HEADER, map(cells, rows))
    parts = ["# Choosing gamma against a grid search", provenance(load), table, NOTES]
    if along:
        parts += ["## Every gamma instead of eleven", markdown_table(HEADER_PATH, along), NOTES_PATH]
    parts += ["## The same search with a general solver", peers, NOTES_PEERS, "## Bars"]
    return "\n\n".join([*parts, bars_table(bars(rows, solved))])


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Time the choice of gamma against GridSearchCV.")
    parser.add_argument("folder", type=Path, help="folder with german, vowel, pima and phoneme as CSV files")
    parser.add_argument("-o", "--output", type=Path, help="default: results/selection.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="german only")
    parser.add_argument("--path", action="store_true", help="also search every gamma from 0.5 on")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="column .* taken as nominal", category=UserWarning)
    load = OtherLoad()
    datasets = [from_folder(options.folder, name) for name in (NAMES[:1] if options.quick else NAMES)]
    rows = [measure(dataset, workers) for workers in WORKERS for dataset in datasets]
    get_reusable_executor().shutdown(wait=True)  # or its processes would count as the load of others
    small = [row for row in rows if row.workers == 1 and row.data.n <= 2000]
    along = [along_the_path(row) for row in small] if options.path else []
    peers = Peers(LIMIT, 0.7 * physical_memory())
    solved = [solve_once(row.data, row.times[0], peers) for row in small]
    publish(text(rows, along, solved, load), options.output or (None if options.quick else RESULTS / "selection.md"))


if __name__ == "__main__":
    main()
