"""Seconds until a new user's first fit, and until everyone's first fit of a later process.

    python benchmarks/startup.py

The first process finds an empty folder of compiled code, as after an installation; the later ones find it
filled.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

IMPORT = """
import json, sys, time
start = time.perf_counter()
import fgac
seconds = time.perf_counter() - start
heavy = [name for name in ("numba", "pandas", "matplotlib") if name in sys.modules]
print(json.dumps({"import": seconds, "heavy": heavy}))
"""
FIT = """
import json, time
from sklearn.datasets import make_classification
X, y = make_classification(n_samples=500, n_features=10, flip_y=0.1, random_state=0)
start = time.perf_counter()
from fgac import FGAClassifier
middle = time.perf_counter()
FGAClassifier(n_jobs=-1).fit(X, y)
print(json.dumps({"import": middle - start, "fit": time.perf_counter() - middle}))
"""


def run(script: str, cache: str) -> dict[str, Any]:
    """Run a script in a new process and return what it printed, with the seconds of the whole process."""
    start = perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"a new process failed:\n{done.stderr}")
    result = {**json.loads(done.stdout), "process": perf_counter() - start}
    progress(str(result))
    return result


def medians(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of every number, and all else as in the first result."""
    first = results[0]
    return {key: median(r[key] for r in results) if isinstance(first[key], float) else first[key] for key in first}


def measure(turns: int) -> dict[str, dict[str, Any]]:
    """Return seconds by kind of process."""
    with TemporaryDirectory() as cache:
        first = run(FIT, cache)
        later = medians([run(FIT, cache) for _ in range(turns)])
        alone = medians([run(IMPORT, cache) for _ in range(turns)])
    return {
        "first fit, no compiled code yet": first,
        "fit in a later process": later,
        "`import fgac` alone": alone,
    }


def bars(first: dict[str, Any], later: dict[str, Any], alone: dict[str, Any]) -> list[Bar]:
    """Return what is asked of the start beside what this run measured."""
    heavy = ", ".join(alone["heavy"]) or "none"
    return [
        Bar(
            "first fit of 500 rows, compilation included, at most 10 s",
            number(first["fit"]),
            first["fit"] <= 10,
        ),
        Bar("fit of 500 rows in a later process, at most 1 s", number(later["fit"]), later["fit"] <= 1),
        Bar("`import fgac` loads none of numba, pandas, matplotlib", heavy, not alone["heavy"]),
    ]


def text(results: dict[str, dict[str, Any]], turns: int, load: OtherLoad) -> str:
    """Return the whole result."""
    keys = ("import", "fit", "process")
    rows = [[name, *(number(result.get(key)) for key in keys)] for name, result in results.items()]
    table = markdown_table(["process", "import s", "fit s", "whole process s"], rows)
    notes = (
        "500 rows of `make_classification(n_samples=500, n_features=10, flip_y=0.1, random_state=0)`. "
        f"Later processes and the import: median of {turns}. In the first two rows scikit-learn, which makes "
        "the data, is loaded before fgac; the whole process includes that and the start of Python."
    )
    parts = ["# From nothing to a fitted model", provenance(load), table, notes, "## Bars"]
    return "\n\n".join([*parts, bars_table(bars(*results.values()))])


def main() -> None:
    """Measure, print the result and write it down."""
    parser = argparse.ArgumentParser(description="Time the first fit of a new environment and of a new process.")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "startup.md")
    parser.add_argument("--turns", type=int, default=5, help="later processes")
    options = parser.parse_args()
    load = OtherLoad()
    publish(text(measure(options.turns), options.turns, load), options.output)


if __name__ == "__main__":
    main()
