"""Exact fits of up to a million rows: both metrics, two and ten classes, in processor seconds, beside another version.

    python benchmarks/large.py                          # half an hour and a quiet machine
    python benchmarks/large.py --rows 20000 50000       # some sizes only
    python benchmarks/large.py --beside OTHER/src       # the same with the package in another folder, in turn

Every fit runs in a process of its own, after one of 6000 rows that compiles what is needed. Seconds of the processor
are taken beside seconds of the clock, for they depend less on what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

SIZES = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
GAMMA = 2.0
LEAST_ROWS = 100_000  # the exponent is taken from this size on
MOST_ROWS = 100_000  # of ten classes, and of Chebyshev's distance, which takes dozens of rounds beyond
HEADER = ["n", "columns", "metric", "classes", "", "clock s", "processor s"]
HEADER += ["guess", "pricing", "pivots", "rounds", "pivots", "violation", "MB"]
NOTES = f"""\
Data: `make_classification(n_samples=n, n_features=columns, flip_y=0.1, random_state=0)`, with `n_informative=6` where
there are ten classes; gamma {GAMMA:g}; all cores. `processor s` adds up all threads. `guess`, `pricing` and `pivots`:
shares of what the engine counts by the clock. `MB`: peak resident memory of the process, its data, imports and compiled
code included."""
# What one process runs: it prints its result as a line of JSON.
SCRIPT = """
import json, resource, sys, time
from sklearn.datasets import make_classification
from fgac import FGAClassifier
n, columns, classes, metric, gamma = json.loads(sys.argv[1])
def data(n):
    several = {} if classes == 2 else {"n_classes": classes, "n_informative": min(6, columns)}
    several |= {} if classes == 2 else {"n_redundant": min(2, columns - several["n_informative"])}
    return make_classification(n_samples=n, n_features=columns, flip_y=0.1, random_state=0, **several)
model = FGAClassifier(gamma=gamma, metric=metric, n_jobs=-1)
model.fit(*data(6000))
X, y = data(n)
clock, processor = time.perf_counter(), time.process_time()
solution = model.fit(X, y).solution_
clock, processor = time.perf_counter() - clock, time.process_time() - processor
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
print(json.dumps([clock, processor, solution.seconds, solution.n_rounds, solution.n_pivots,
    solution.largest_violation, bool(solution.is_optimal()), solution.objective, memory]))
"""


class Case(NamedTuple):
    """A problem."""

    n: int
    columns: int
    classes: int
    metric: str


class Run(NamedTuple):
    """What one fit took, and what it found."""

    clock: float
    processor: float
    seconds: dict[str, float]
    rounds: int
    pivots: int
    violation: float
    is_optimal: bool
    objective: float
    memory: float


def run(case: Case, source: Path | None) -> Run:
    """Fit in a process of its own, with the installed package or the one in a folder."""
    environment = dict(os.environ) if source is None else {**os.environ, "PYTHONPATH": str(source)}
    given = json.dumps([case.n, case.columns, case.classes, case.metric, GAMMA])
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, given]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Run(*json.loads(done.stdout.splitlines()[-1]))


def cells(case: Case, who: str, found: Run) -> list[str]:
    """Write one row of the table."""
    total = sum(found.seconds.values())
    shares = [f"{found.seconds[part] / total:.0%}" for part in ("guess", "pricing", "pivots")]
    work = [str(found.rounds), str(found.pivots), f"{found.violation:.0e}", f"{found.memory:.0f}"]
    about = [str(case.n), str(case.columns), case.metric, str(case.classes), who]
    return [*about, number(found.clock), number(found.processor), *shares, *work]


def exponent(found: dict[Case, Run], **of: Any) -> float | None:
    """Return the slope of log seconds of the clock against log rows, over large sizes."""
    cases = [case for case in found if all(getattr(case, name) == value for name, value in of.items())]
    sizes = [(case.n, found[case].clock) for case in cases if case.n >= LEAST_ROWS]
    return float(np.polyfit(*np.log(np.array(sizes)).T, 1)[0]) if len(sizes) > 1 else None


def bars(found: dict[Case, Run], others: dict[Case, Run]) -> list[Bar]:
    """Return what is asked beside what was measured, at the largest sizes of this run."""
    n = max(case.n for case in found)
    wide, few = (Case(n, 10, 2, "euclidean"), 0.35), (Case(min(n, 100_000), 5, 2, "euclidean"), 0.4)
    asked = []
    for case, most in (wide, few):
        if case in found and case in others:
            ratio = found[case].processor / others[case].processor
            text = f"{case.n} x {case.columns}: processor seconds, of those of the other version, at most {most:g}"
            asked.append(Bar(text, number(ratio), ratio <= most))
    ratio = found[Case(n, 10, 2, "manhattan")].processor / found[wide[0]].processor
    asked.append(Bar(f"{n} x 10: Manhattan, in Euclidean processor seconds, at most 1.3", number(ratio), ratio <= 1.3))
    slope = exponent(found, columns=10, classes=2, metric="euclidean")
    asked.append(
        Bar(
            f"growth exponent from {LEAST_ROWS} rows on, 10 columns, at most 1.7",
            number(slope),
            None if slope is None else slope <= 1.7,
        )
    )
    proved = all(each.is_optimal for each in found.values())
    same = all(abs(found[case].objective / others[case].objective - 1) <= 1e-9 for case in others)
    asked.append(Bar("every solution is proved", str(proved), proved))
    return [*asked, *([Bar("the objective of the other version, to 1e-9", str(same), same)] if others else [])]


def cases(sizes: Sequence[int]) -> list[Case]:
    """Return all problems, small to large."""
    found = [Case(n, 10, 2, metric) for n in sizes for metric in ("euclidean", "manhattan")]
    found += [Case(n, 10, *kind) for n in sizes for kind in ((2, "chebyshev"), (10, "euclidean")) if n <= MOST_ROWS]
    return found + [Case(n, p, 2, "euclidean") for n in sizes for p in (5, 50) if n <= 100_000]


def main() -> None:
    """Measure everything, print it and write it down."""
    parser = argparse.ArgumentParser(description="Time exact fits of many rows.")
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES, help="numbers of rows")
    parser.add_argument("--beside", type=Path, help="folder with the source of another version")
    parser.add_argument("--beside-rows", type=int, default=100_000, help="most rows that the other version gets")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "large.md")
    options = parser.parse_args()
    load, found, others, rows = OtherLoad(), {}, {}, []
    for case in cases(options.rows):
        found[case] = run(case, None)
        rows.append(cells(case, "this", found[case]))
        if options.beside and case.n <= options.beside_rows:
            others[case] = run(case, options.beside)
            rows.append(cells(case, "other", others[case]))
        progress("\n".join(" | ".join(row) for row in rows[-1 - (case in others) :]))
    parts = ["# An exact fit of very many rows", provenance(load), markdown_table(HEADER, rows), NOTES]
    publish("\n\n".join([*parts, "## Bars", bars_table(bars(found, others))]), options.output)


if __name__ == "__main__":
    main()
