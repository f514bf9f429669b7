"""Do probabilities mean what they say? Frequencies on real tables, beside scikit-learn's calibration of the same model.

    python benchmarks/calibration.py --cache FOLDER                    # all tables of 1000 rows and more
    python benchmarks/calibration.py --cache FOLDER --tables weather   # some of them; nothing is written

Every row is predicted once, in four shuffled, stratified folds. ``CalibratedClassifierCV`` gets the classifier with the
settings and the gamma that ``FGAClassifierCV`` has chosen on the same rows, and five folds.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from fgac import FGAClassifierCV
from real_tables import BY_NAME, Problem, load
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

FEWEST = 1000  # rows of a table
N_FOLDS, N_GROUPS = 4, 10
WITHIN, MOST = 1.05, 0.03  # of the other's log loss, and of the calibration error
TITLE = "# Probabilities beside scikit-learn's calibration"
NOTES = f"""\
Tables of `tables.md` with at least {FEWEST} rows; every row is predicted once, in {N_FOLDS} folds. `calibrated` is
`FGAClassifierCV()`; `scikit-learn` is `CalibratedClassifierCV` (logistic up to 1000 training rows, else isotonic; five
folds) around the same classifier with the same gamma. The expected calibration error is that of the most probable
class, in {N_GROUPS} groups of equal size."""


class Probabilities(NamedTuple):
    """Out of fold, of all rows."""

    calibrated: Any
    scikit_learn: Any


def calibration_error(probability: Any, truth: Any) -> float:
    """How far confidence is from the frequency of being right, in groups of rows of about equal confidence."""
    confidence, is_right = probability.max(axis=1), probability.argmax(axis=1) == truth
    groups = np.array_split(np.argsort(confidence, kind="stable"), N_GROUPS)
    return sum(abs(confidence[rows].mean() - is_right[rows].mean()) * len(rows) for rows in groups) / len(truth)


def out_of_fold(problem: Problem) -> Probabilities:
    """Predict every row by models that have not seen it."""
    found = Probabilities(*(np.empty((len(problem.y), len(problem.classes))) for _ in Probabilities._fields))
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(problem.frame, problem.y):
        X, y = problem.frame.iloc[train].reset_index(drop=True), problem.y[train]
        rows = problem.frame.iloc[test].reset_index(drop=True)
        model = FGAClassifierCV().fit(X, y)
        method = "sigmoid" if len(y) <= FEWEST else "isotonic"
        other = CalibratedClassifierCV(
            clone(model.best_estimator_), method=method, cv=StratifiedKFold(5, shuffle=True, random_state=0)
        )
        found.calibrated[test] = model.predict_proba(rows)
        found.scikit_learn[test] = other.fit(X, y).predict_proba(rows)
    return found


def text(found: dict[str, tuple[Problem, Probabilities]]) -> str:
    """Return the page."""
    lines, losses, errors = [], [], []
    for name, (problem, probabilities) in found.items():
        loss = [log_loss(problem.y, part) for part in probabilities]
        error = [calibration_error(part, problem.y) for part in probabilities]
        losses.append(loss)
        errors.append(error)
        lines.append([name, str(len(problem.y)), *(f"{x:.3f}" for x in (*loss, *error))])
    means = [f"{x:.3f}" for x in (*np.mean(losses, axis=0), *np.mean(errors, axis=0))]
    what = [field.replace("_", "-") for field in Probabilities._fields]
    header = ["table", "rows", *(f"log loss, {name}" for name in what), *(f"error, {name}" for name in what)]
    ratios = [loss[0] / loss[1] for loss in losses]
    worst = [error[0] for error in errors]
    bars = [
        Bar(
            f"log loss at most {WITHIN:g} of scikit-learn's calibration",
            f"mean ratio {number(float(np.mean(ratios)))}, worst {number(max(ratios))}",
            max(ratios) <= WITHIN,
        ),
        Bar(
            f"expected calibration error at most {MOST:g} on every table of {FEWEST} rows and more",
            f"mean {np.mean(worst):.3f}, worst {max(worst):.3f}",
            max(worst) <= MOST,
        ),
    ]
    table = markdown_table(header, [*lines, ["mean", "", *means]])
    return f"{TITLE}\n\n{provenance()}\n\n{NOTES}\n\n{table}\n\n## Bars\n\n{bars_table(bars)}"


def main() -> None:
    """Measure all tables, or those that are named."""
    parser = argparse.ArgumentParser(description="Do probabilities mean what they say?")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the packages that hold the tables")
    parser.add_argument("--tables", nargs="+", choices=list(BY_NAME), metavar="TABLE")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "calibration.md")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    found = {}
    with threadpool_limits(1):
        for name in asked.tables or list(BY_NAME):
            problem = load(BY_NAME[name], asked.cache)
            if len(problem.y) >= FEWEST:
                found[name] = problem, out_of_fold(problem)
                progress(f"{name}: {log_loss(problem.y, found[name][1].calibrated):.3f}")
    publish(text(found), None if asked.tables else asked.output)


if __name__ == "__main__":
    main()
