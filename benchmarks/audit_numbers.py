"""How well an audit finds wrong numbers, against the held-out residuals of forests and of boosted trees.

    python benchmarks/audit_numbers.py --cache FOLDER [-o benchmarks/results/audit_numbers.md]
    python benchmarks/audit_numbers.py --cache FOLDER --only cars --seeds 1   # some of it; only the journal is written
    python benchmarks/audit_numbers.py --cache FOLDER --quick                 # three small tables; nothing is written

In every table 5 or 10 % of the targets change places among themselves, so that none stays where it was. Every method
sees the table with the wrong targets only and ranks all rows; what is right is used for nothing but the score. How to
rank was decided on some tables (``CHOSEN`` of ``number_tables.py``) with other seeds; the others were not looked at
before. All scores of a table, a rate and a seed are lines of a journal, written as soon as they are known: a run can be
interrupted, and goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.metrics import average_precision_score
from sklearn.model_selection import KFold, cross_val_predict
from threadpoolctl import threadpool_limits

from audit_numbers_page import NAMES, text
from fgac import FGARegressorCV
from fgac.estimators._state import state_of
from fgac.experiments.running.journal import Journal
from fgac.experiments.running.provenance import commit
from fgac.explainers.audit import doubts
from number_tables import CHOSEN, OTHERS, Numbers, load
from report import HERE, RESULTS, progress, publish

JOURNAL = HERE / "build" / "audit_numbers.jsonl"
FIELDS = ("data", "rate", "seed")
RATES = (0.05, 0.1)
SEEDS = dict.fromkeys(OTHERS, 3) | dict.fromkeys(CHOSEN, 1)
QUICK = ("ozone", "births", "Friedman 1")

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def displaced(y: Floats, rate: float, seed: int) -> tuple[Floats, Bools]:
    """Targets of which this part has changed places, each with the next, and which rows have another target now.

    >>> y, wrong = displaced(np.arange(20.0), 0.1, 0)
    >>> wrong.sum(), sorted(y) == list(range(20)), (y[wrong] != np.arange(20)[wrong]).all()
    (np.int64(2), True, np.True_)
    """
    rng = np.random.default_rng([seed, round(1000 * rate)])
    rows = rng.permutation(len(y))[: max(2, round(rate * len(y)))]
    noisy = y.copy()
    noisy[rows] = y[np.roll(rows, 1)]
    return noisy, noisy != y


def rankings(numbers: Numbers, y: Floats, seed: int) -> tuple[Any, dict[str, Floats]]:
    """Our model, and doubts of all rows by every method; larger is more doubtful."""
    model = FGARegressorCV().fit(numbers.frame, y)
    found = {"fgac": doubts(model), "fgac rest": doubts(model, by="rest")}
    found["fgac fitted"] = doubts(model, by="membership")
    found["fgac held out"] = np.abs(y - state_of(model).held_out)
    # Trees see one column per category, and forests the medians in place of missing numbers.
    table = pd.get_dummies(numbers.frame, dtype=float)
    filled = table.fillna(table.median()).fillna(0.0)
    folds = KFold(5, shuffle=True, random_state=seed)
    for name, peer, columns in (
        ("RF", RandomForestRegressor(random_state=seed), filled),
        ("HGB", HistGradientBoostingRegressor(random_state=seed), table),
    ):
        found[name] = np.abs(y - cross_val_predict(peer, columns.to_numpy(), y, cv=folds))
    return model, found


def measure(numbers: Numbers, rate: float, seed: int) -> Iterator[dict[str, Any]]:
    """Average precision of every ranking."""
    y, wrong = displaced(numbers.y, rate, seed)
    model, found = rankings(numbers, y, seed)
    contradicted = float(np.mean(found["fgac fitted"] > 1e-9))
    common = {"data": numbers.name, "rate": rate, "seed": seed, "n": len(y), "contradicted": contradicted}
    common |= {"gamma": float(model.gamma_), "r2": float(model.best_score_), "commit": commit()}
    for name in NAMES:
        yield {**common, "ranking": name, "ap": float(average_precision_score(wrong, found[name]))}


def run(wanted: list[tuple[str, float, int]], path: Path, folder: Path) -> None:
    """Do what the journal lacks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(path, FIELDS, dict.fromkeys(wanted, len(NAMES)))
    table = cache(lambda name: load(name, folder))
    for i, (name, rate, seed) in enumerate(wanted, start=1):
        if (name, rate, seed) not in journal.finished:
            lines = list(measure(table(name), rate, seed))
            journal.append(lines)
            progress(f"{i}/{len(wanted)} {name} {rate:.0%} {seed}: {lines[0]['ap']:.3f}")


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description="Compare how well rankings find wrong numbers.")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the packages that hold the tables")
    parser.add_argument("--only", nargs="+", choices=list(SEEDS), metavar="NAME", help="some tables")
    parser.add_argument("--seeds", type=int, help="at most so many seeds of each")
    parser.add_argument("--journal", type=Path, default=JOURNAL)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "audit_numbers.md")
    parser.add_argument("--quick", action="store_true", help="one seed, three tables, nothing written")
    return parser.parse_args()


def main() -> None:
    """Measure what is missing; print it, and write it down if it is all there is to measure."""
    asked = options()
    warnings.filterwarnings("ignore")  # of columns that are taken as categories: defaults are taken as they are
    names = QUICK if asked.quick else asked.only or list(SEEDS)
    most = 1 if asked.quick else asked.seeds or max(SEEDS.values())
    wanted = [(name, rate, seed) for seed in range(most) for name in names for rate in RATES if seed < SEEDS[name]]
    with tempfile.TemporaryDirectory() as temporary, threadpool_limits(1):
        path = Path(temporary, "quick.jsonl") if asked.quick else asked.journal
        run(wanted, path, asked.cache)
        lines = pd.read_json(path, lines=True)
    keys = pd.MultiIndex.from_frame(lines[list(FIELDS)])
    is_whole = len(wanted) == len(RATES) * sum(SEEDS.values())
    publish(text(lines[keys.isin(wanted)]) + "\n", asked.output if is_whole else None)


if __name__ == "__main__":
    main()
