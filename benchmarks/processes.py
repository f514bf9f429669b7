"""Seconds of the processor that whole processes take: the first one, which compiles, and later ones.

Used by ``startup.py``. Two versions are measured turn by turn, if there are two.
"""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Sequence
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from report import Bar, markdown_table, number, progress

LIBRARIES = "import sklearn.base, numba"
MOST_FIRST, MOST_LATER = 8.0, 2.0
DATA = """
import numpy as np
random = np.random.default_rng(0)
X = random.normal(size=(150, 4))
level = X[:, 0] + random.normal(size=150)
y, ordered = (level > 0).astype(int), np.digitize(level, [-1.0, 0.0, 1.0])
"""
MAIN_TASK = "FGAClassifier()"
TASKS = {
    MAIN_TASK: "y",
    "FGAClassifier(metric='manhattan')": "y",
    "FGAOrdinalClassifier()": "ordered",
    "FGARegressor()": "level",
    "FGAClassifierCV()": "y",
}


class Seconds(NamedTuple):
    """Of a task in one version: the first process, and the median of later ones."""

    first: float
    later: float


def processor_seconds(python: str, script: str, cache: str) -> float:
    """Seconds of the processor, user and system, that a process takes from its start to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run([python, "-c", script], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python} failed:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_processes(pythons: Sequence[str], turns: int) -> tuple[float, dict[str, list[Seconds]]]:
    """Return the seconds of the libraries alone, and of every task in every version."""
    libraries, found = [], {}
    for task, target in TASKS.items():
        script = f"{DATA}\nfrom fgac import {task.partition('(')[0]}\n{task}.fit(X, {target}).predict(X)"
        with TemporaryDirectory() as folder:
            caches = [f"{folder}/{i}" for i in range(len(pythons))]
            first = [processor_seconds(python, script, cache) for python, cache in zip(pythons, caches, strict=True)]
            later: list[list[float]] = [[] for _ in pythons]
            for _ in range(turns):
                libraries.append(processor_seconds(pythons[-1], LIBRARIES, folder))
                for seconds, python, cache in zip(later, pythons, caches, strict=True):
                    seconds.append(processor_seconds(python, script, cache))
        found[task] = [Seconds(one, median(more)) for one, more in zip(first, later, strict=True)]
        progress(f"{task}: {found[task]}, libraries {median(libraries):.2f}")
    return median(libraries), found


def processes_text(libraries: float, found: dict[str, list[Seconds]], turns: int, about: str) -> str:
    """Return the section: a table and notes."""
    rows = []
    for task, versions in found.items():
        seconds = [number(one) for version in versions for one in version]
        rows.append(
            [f"`{task}`", *seconds, f"{versions[-1].first / libraries:.2f}", f"{versions[-1].later / libraries:.2f}"]
        )
    names = ["first s", "later s"]
    columns = [f"before: {name}" for name in names] + names if about else names
    table = markdown_table(["fit and predict", *columns, "first, ratio", "later, ratio"], rows)
    notes = (
        "Seconds of the processor of whole processes that fit 150 x 4 numbers and predict them. "
        f"{about} The first process finds no compiled code, later ones (median of {turns}) find all. Ratios of this "
        f"version are to `{LIBRARIES}`, {number(libraries)} s, which every such process must do."
    )
    return "\n\n".join(["## Whole processes", table, notes])


def processes_bars(found: dict[str, list[Seconds]]) -> list[Bar]:
    """Return what is asked of the first and of later processes beside what this run measured."""
    first, later = found[MAIN_TASK][-1]
    return [
        Bar(f"first process, at most {MOST_FIRST:g} s of the processor", number(first), first <= MOST_FIRST),
        Bar(f"later processes, at most {MOST_LATER:g} s of the processor", number(later), later <= MOST_LATER),
    ]
