"""Seconds until a new user's first fit, until everyone's first fit of a later process, and until a command is done.

    python benchmarks/startup.py

The first process finds an empty folder of compiled code, as after an installation; the later ones find it
filled. With the Python of an environment that has another version (``--other``), both are measured turn by turn:

    python benchmarks/startup.py --other /path/to/python --about "Before: commit abc."

scikit-learn imports pandas, and pandas pyarrow, wherever they are installed, for about half a second. What fgac needs
itself is measured in an environment that has it and no extras (``--plain``).

Commands are compared with importing the libraries that they stand on: the processes of a turn follow
one another, the ratio is taken within a turn, and the median over the turns is reported.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from sklearn.datasets import make_classification

from load import OtherLoad
from processes import measure_processes, processes_bars, processes_text
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

IMPORT = """
import json, sys, time
start = time.perf_counter()
import fgac
seconds = time.perf_counter() - start
heavy = [name for name in ("numba", "pandas", "matplotlib") if name in sys.modules]
print(json.dumps({"import": seconds, "heavy": heavy}))
"""
DATA = "make_classification(n_samples=500, n_features=10, flip_y=0.1, random_state=0)"
FIT = f"""
import json, time
from sklearn.datasets import make_classification
X, y = {DATA}
start = time.perf_counter()
from fgac import FGAClassifier
middle = time.perf_counter()
FGAClassifier(n_jobs=-1).fit(X, y)
print(json.dumps({{"import": middle - start, "fit": time.perf_counter() - middle}}))
"""

# What the program fgac does, and then the libraries that the process has loaded, on standard error.
COMMAND = """
import sys
from fgac.cli import main
try:
    main()
finally:
    loaded = [name for name in ("polars", "sklearn", "numba") if name in sys.modules]
    sys.stderr.write("\\n" + " ".join(loaded))
"""
LIBRARIES = "import polars, sklearn, numba"
COMMANDS = {
    "`fgac predict`, 10 rows": ("predict", "model.fgac", "new.csv"),
    "`fgac explain`, 5 rows": ("explain", "model.fgac", "new.csv", "--first", "5"),
    "`fgac predict`, wrong model file": ("predict", "nothing.fgac", "new.csv"),
    "`fgac predict`, wrong table": ("predict", "model.fgac", "nothing.csv"),
}
MOST = 1.25  # times the seconds of the libraries


def run(script: str, cache: str, *arguments: str, folder: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a script in a new process that finds its compiled code in the folder ``cache``."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


def report_of(script: str, cache: str) -> dict[str, Any]:
    """Return what a script printed, with the seconds of its whole process."""
    start = perf_counter()
    done = run(script, cache)
    if done.returncode:
        raise SystemExit(f"a new process failed:\n{done.stderr}")
    result = {**json.loads(done.stdout), "process": perf_counter() - start}
    progress(str(result))
    return result


def medians(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the median of every number, and all else as in the first result."""
    first = results[0]
    return {key: median(r[key] for r in results) if isinstance(first[key], float) else first[key] for key in first}


def measure(turns: int, cache: str) -> dict[str, dict[str, Any]]:
    """Return seconds of fits and of the import, by kind of process."""
    first = report_of(FIT, cache)
    later = medians([report_of(FIT, cache) for _ in range(turns)])
    alone = medians([report_of(IMPORT, cache) for _ in range(turns)])
    return {
        "first fit, no compiled code yet": first,
        "fit in a later process": later,
        "`import fgac` alone": alone,
    }


def write_tables(folder: Path) -> None:
    """Write a training table and 10 new rows as CSV files."""
    X, y = make_classification(n_samples=510, n_features=10, flip_y=0.1, random_state=0)
    names = [f"x{i}" for i in range(X.shape[1])]
    for name, part in (("data.csv", slice(500)), ("new.csv", slice(500, 510))):
        with (folder / name).open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*names, "y"])
            writer.writerows([*row, label] for row, label in zip(X[part].round(4), y[part], strict=True))


def measure_commands(turns: int, cache: str) -> dict[str, dict[str, Any]]:
    """Return seconds of every command, its ratio to importing the libraries, and which of these it has loaded."""
    with TemporaryDirectory() as folder:
        write_tables(Path(folder))
        fit = ("fit", "data.csv", "-t", "y", "--gamma", "1", "-o", "model.fgac", "-q")
        for arguments in (fit, *COMMANDS.values()):  # compile, and fill the caches of files
            run(COMMAND, cache, *arguments, folder=folder)
        libraries: list[float] = []
        seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
        loaded = {}
        for _ in range(turns):
            libraries.append(_timed(LIBRARIES, cache, folder)[0])
            for name, arguments in COMMANDS.items():
                took, done = _timed(COMMAND, cache, folder, *arguments)
                seconds[name].append(took)
                loaded[name] = done.stderr.splitlines()[-1].split()
            progress(f"{libraries[-1]:.3f} s: {', '.join(f'{each[-1]:.3f}' for each in seconds.values())}")
    found: dict[str, dict[str, Any]] = {f"`{LIBRARIES}`": {"process": median(libraries), "ratio": 1.0}}
    for name, own in seconds.items():
        ratio = median(a / b for a, b in zip(own, libraries, strict=True))
        found[name] = {"process": median(own), "ratio": ratio, "loaded": loaded[name]}
    return found


def _timed(script: str, cache: str, folder: str, *arguments: str) -> tuple[float, subprocess.CompletedProcess[str]]:
    start = perf_counter()
    done = run(script, cache, *arguments, folder=folder)
    return perf_counter() - start, done


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


def command_bars(commands: dict[str, dict[str, Any]]) -> list[Bar]:
    """Return what is asked of the commands beside what this run measured."""
    predict, explain, *wrong = (commands[name] for name in COMMANDS)
    heavy = sorted({name for result in wrong for name in result["loaded"]})
    ratios = [(name, result["ratio"]) for name, result in (("predict", predict), ("explain", explain))]
    return [
        *(
            Bar(f"`fgac {name}`, at most {MOST:g} times `{LIBRARIES}`", number(ratio), ratio <= MOST)
            for name, ratio in ratios
        ),
        Bar("a wrong file name loads none of polars, sklearn, numba", ", ".join(heavy) or "none", not heavy),
    ]


def text(
    results: dict[str, dict[str, Any]],
    commands: dict[str, dict[str, Any]],
    processes: tuple[str, list[Bar]],
    turns: tuple[int, int],
    load: OtherLoad,
) -> str:
    """Return the whole result; the section about whole processes comes with its bars."""
    keys = ("import", "fit", "process")
    rows = [[name, *(number(result.get(key)) for key in keys)] for name, result in results.items()]
    table = markdown_table(["process", "import s", "fit s", "whole process s"], rows)
    notes = (
        f"500 rows of `{DATA}`. "
        f"Later processes and the import: median of {turns[0]}. In the first two rows scikit-learn, which makes "
        "the data, is loaded before fgac; the whole process includes that and the start of Python."
    )
    rows = [
        [name, number(result["process"]), number(result["ratio"]), ", ".join(result.get("loaded", [])) or "none"]
        for name, result in commands.items()
    ]
    rows[0][-1] = "all"
    command_table = markdown_table(["process", "whole process s", "ratio", "loads of these"], rows)
    command_notes = (
        f"A model of 500 such rows, with compiled code in the cache. Median of {turns[1]} turns, in each of which the "
        "processes follow one another; the ratio to the first line is taken within a turn."
    )
    section, process_bars = processes
    parts = ["# From nothing to a fitted model", provenance(load), table, notes, section, "## Commands", command_table]
    all_bars = [*process_bars, *bars(*results.values()), *command_bars(commands)]
    return "\n\n".join([*parts, command_notes, "## Bars", bars_table(all_bars)])


def main() -> None:
    """Measure, print the result and write it down."""
    parser = argparse.ArgumentParser(description="Time the first fit of a new environment, of a process, and commands.")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "startup.md")
    parser.add_argument("--turns", type=int, default=5, help="later processes")
    parser.add_argument("--command-turns", type=int, default=15, help="turns of commands")
    parser.add_argument("--other", help="the Python of an environment with another version")
    parser.add_argument("--plain", default=sys.executable, help="the Python of an environment with fgac and no extras")
    parser.add_argument("--about", default="", help="a sentence that says what the other version is")
    options = parser.parse_args()
    load = OtherLoad()
    pythons = [*([options.other] if options.other else []), options.plain]
    libraries, found = measure_processes(pythons, options.turns)
    section = processes_text(libraries, found, options.turns, options.about)
    with TemporaryDirectory() as cache:
        results = measure(options.turns, cache)
        commands = measure_commands(options.command_turns, cache)
    turns = (options.turns, options.command_turns)
    publish(text(results, commands, (section, processes_bars(found)), turns, load), options.output)


if __name__ == "__main__":
    main()
