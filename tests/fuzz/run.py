"""Judge many random problems: ``python tests/fuzz/run.py --problems 20000 --seed 0 --jobs 2 --minutes 120``.

Every problem follows from its seed. Problems are judged in processes of their own, and those that fail are made small
and printed as a few lines that fail by themselves. ``--output FILE`` keeps the summary, as in
``benchmarks/results/fuzz.md``; ``--seed N --problems 1`` judges one problem.
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from threading import Lock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path = [path for path in sys.path if Path(path or ".").resolve() != Path(__file__).resolve().parent]

from fuzz.cases import make_case  # noqa: E402
from fuzz.shrink import reproducer, shrink  # noqa: E402
from fuzz.summary import Summary  # noqa: E402
from fuzz.workers import Worker  # noqa: E402

# Of each kind of fault in each kind of problem so many are made small.
SHRUNK = 2
PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "pandas", "polars", "clarabel")


class Run:
    """A run: takes seeds, judges them, and reports faults as they come."""

    def __init__(self, arguments):
        self.end = time.monotonic() + 60 * arguments.minutes
        self.seeds = iter(range(arguments.seed, arguments.seed + arguments.problems))
        self.n_shrunk = {}
        self.lock, self.summary, self.shrunk = Lock(), Summary(), arguments.shrink

    def work(self):
        """Judge problems in one process until there are no more."""
        worker = Worker()
        while time.monotonic() < self.end:
            with self.lock:
                seed = next(self.seeds, None)
            if seed is None:
                break
            case = make_case(seed)
            outcome = worker.judge(case)
            with self.lock:
                self.summary.add(outcome)
            for kind in dict.fromkeys(kind for kind, _ in outcome.faults):
                self.report(worker, case, kind, outcome)
        worker.close()

    def report(self, worker, case, kind, outcome):
        """Print a fault; the first of its kind are made small before."""
        text = next(text for k, text in outcome.faults if k == kind)
        key = (kind, case.kind)
        with self.lock:
            n = self.n_shrunk[key] = self.n_shrunk.get(key, 0) + 1
            print(f"seed {case.seed}: {case.kind}, {case.table}, {len(case)} rows: {kind}: {text[:300]}", flush=True)
        if n > self.shrunk or kind == "slow":
            return
        small = shrink(case, lambda candidate: kind in dict(worker.judge(candidate).faults))
        text = dict(worker.judge(small).faults).get(kind, "(not every time)")
        with self.lock:
            print(f"--- {kind}, from seed {case.seed}: {text[:400]}\n{reproducer(small)[:3000]}\n---", flush=True)


def provenance():
    """When what was run, on what."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {done.stdout.strip() or 'unknown'}, {os.cpu_count()} CPUs "
        f"({platform.machine()}), Python {platform.python_version()}, {versions}."
    )


def main():
    """Read the options, run, print and keep the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=120, help="stop after so long")
    parser.add_argument("--shrink", type=int, default=SHRUNK, help="make so many faults of each kind small")
    parser.add_argument("--output", type=Path, help="a file for the summary, in Markdown")
    arguments = parser.parse_args()
    run, start = Run(arguments), time.monotonic()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for done in [pool.submit(run.work) for _ in range(arguments.jobs)]:
            done.result()
    text = (
        f"# Random problems, judged in extended precision\n\n{provenance()}\n\n`python tests/fuzz/run.py --problems "
        f"{arguments.problems} --seed {arguments.seed}` judged {run.summary.n_problems} problems in "
        f"{(time.monotonic() - start) / 60:.0f} minutes, in {arguments.jobs} processes.\n\n{run.summary.markdown()}\n"
    )
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    sys.exit(bool(run.summary.n_faulty))


if __name__ == "__main__":
    main()
