"""Seconds of the whole gamma path down to 0.5, in fits at gamma 0.5, and how exact it is.

    python benchmarks/path.py DATA_FOLDER            # all data sets; some minutes
    python benchmarks/path.py DATA_FOLDER --quick    # three small ones, to see that it runs; nothing is written

Path and fit are called in turn on one thread. The memberships of the path are compared with those of separate fits at
50 random gammas per data set.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from fit import seconds
from load import OtherLoad
from problems import Dataset, from_folder
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

PAPER = (
    *("australian", "balance", "breast", "bupa", "cleveland", "crx", "german", "glass", "haberman"),
    *("heart", "ionosphere", "mammographic", "pima", "saheart", "spectfheart", "vowel", "wdbc", "wisconsin"),
)
BEYOND = ("iris", "flare", "banana", "phoneme", "ring")
# Those of thousands of rows, and how many rows of them are drawn to see how the cost grows.
LARGE, SHARES = ("banana", "phoneme", "ring"), (500, 1000, 2500)
GRID = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
FLOOR = 0.5
N_GAMMAS = 50
HEADER = [
    *("data", "n", "classes", "fit s", "path s", "path / fit", "11 fits / fit", "events", "events / n"),
    *("gamma max", "difference", "violation"),
]
ELEVEN = ", ".join(f"{gamma:g}" for gamma in GRID)
NOTES = f"""\
- `fit s`: `FGAClassifier(gamma={FLOOR:g}).fit`; `path s`: `fgac.path(X, y, gamma_min={FLOOR:g})`. Medians of 5 calls
  in turn (one call above 2000 rows), on one thread, compiled before, from the same table.
- `11 fits / fit`: separate fits at the paper's eleven gammas ({ELEVEN}), over the same.
- `gamma max`: the gamma above which nothing changes any more.
- `difference`: largest difference between a membership on the path and that of a separate fit, over all rows and
  {N_GAMMAS} gammas, log-uniform between {FLOOR:g} and gamma max. `violation`: by the path's own certificate.
- `banana 500` are 500 rows of banana, drawn at random without repetition (seed 0).
- The median of the bars is over the data sets of the paper's main table; those below the line are not among them."""


class Row(NamedTuple):
    """One data set: median seconds of a fit, of the path and of the grid, and what the path is like."""

    data: Dataset
    fit: float
    path: float
    grid: float
    n_events: int
    gamma_max: float
    difference: float
    violation: float


def measure(dataset: Dataset) -> Row:
    """Time path and fit in turn, then compare them."""
    import fgac

    X, labels = dataset.X, dataset.labels
    found: dict[str, Any] = {}

    def follow() -> None:
        found["path"] = fgac.path(X, labels, gamma_min=FLOOR)

    def fit(gamma: float = FLOOR) -> None:
        fgac.FGAClassifier(gamma=gamma).fit(X, labels)

    small = dataset.n <= 2000
    if small:  # what is larger comes later and finds everything compiled
        follow()
        fit()
    turns = 5 if small else 1
    pairs = [(seconds(follow), seconds(fit)) for _ in range(turns)]
    paths, fits = (median(column) for column in zip(*pairs, strict=True))
    grid = seconds(lambda: [fit(gamma) for gamma in GRID])
    path = found["path"]
    gap = difference(path, dataset)
    row = Row(dataset, fits, paths, grid, path.n_events, path.gamma_max, gap, path.largest_violation)
    progress(" | ".join(cells(row)))
    return row


def sampled(dataset: Dataset, n: int) -> Dataset:
    """Draw some rows of a data set."""
    chosen = np.sort(np.random.default_rng(0).permutation(dataset.n)[:n])
    rows = dataset.X.iloc[chosen].reset_index(drop=True)
    return Dataset(f"{dataset.name} {n}", rows, dataset.labels[chosen], dataset.rows[chosen])


def datasets(folder: Path, name: str) -> list[Dataset]:
    """Return a data set, after parts of it if it is a large one."""
    whole = from_folder(folder, name)
    return [*(sampled(whole, n) for n in SHARES if name in LARGE), whole]


def difference(path: Any, dataset: Dataset) -> float:
    """Return the largest difference of a membership to that of a separate fit, over random gammas."""
    from fgac import FGAClassifier

    gammas = np.exp(np.random.default_rng(0).uniform(np.log(FLOOR), np.log(path.gamma_max), N_GAMMAS))
    worst = 0.0
    for gamma in map(float, gammas):
        beta = FGAClassifier(gamma=gamma).fit(dataset.X, dataset.labels).beta_
        worst = max(worst, float(np.abs(path.beta(gamma) - beta).max()))
    return worst


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    data = row.data
    times = [number(row.fit), number(row.path), number(row.path / row.fit), number(row.grid / row.fit)]
    events = [str(row.n_events), number(row.n_events / data.n, 2), number(row.gamma_max)]
    errors = [tiny(row.difference), tiny(row.violation)]
    return [data.name, str(data.n), str(data.labels.max() + 1), *times, *events, *errors]


def tiny(value: float) -> str:
    """Write an error."""
    return f"{value:.0e}"


def bars(rows: list[Row]) -> list[Bar]:
    """Return what is asked of the path beside what this run measured."""
    ratios = [row.path / row.fit for row in rows if row.data.name in PAPER]
    asked = f"whole path down to gamma {FLOOR:g}, in fits at that gamma, median of the paper's data sets, at most 10"
    found = [Bar(asked, "", None)]
    if ratios:
        spread = f"{number(median(ratios))} (from {number(min(ratios))} to {number(max(ratios))})"
        found = [Bar(asked, spread, median(ratios) <= 10)]
    gap, violation = (max(getattr(row, name) for row in rows) for name in ("difference", "violation"))
    return [
        *found,
        Bar(f"memberships equal those of fits at {N_GAMMAS} gammas to 1e-9, all data sets", tiny(gap), gap <= 1e-9),
        Bar("largest violation on the path at most 1e-9, all data sets", tiny(violation), violation <= 1e-9),
    ]


def text(rows: list[Row], load: OtherLoad) -> str:
    """Return the whole result."""
    inside = [row for row in rows if row.data.name in PAPER]
    beyond = [row for row in rows if row.data.name not in PAPER]
    line = ["—"] * len(HEADER)
    body = [*map(cells, inside), *([line, *map(cells, beyond)] if beyond else [])]
    parts = ["# The whole gamma path against one fit", provenance(load), markdown_table(HEADER, body), NOTES, "## Bars"]
    return "\n\n".join([*parts, bars_table(bars(rows))])


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Time the gamma path against fits.")
    parser.add_argument("folder", type=Path, help="folder with the data sets as CSV files")
    parser.add_argument("-o", "--output", type=Path, help="default: results/path.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="three small data sets")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these data sets; nothing is written without -o")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="column .* taken as nominal", category=UserWarning)
    load = OtherLoad()
    names = options.only or (("glass", "saheart", "iris") if options.quick else (*PAPER, *BEYOND))
    rows = [measure(dataset) for name in names for dataset in datasets(options.folder, name)]
    publish(text(rows, load), options.output or (None if options.quick or options.only else RESULTS / "path.md"))


if __name__ == "__main__":
    main()
