"""Whether this version is as fast as another one: the same work in two environments, turn by turn.

    python benchmarks/versions.py PYTHON_OF_THE_OTHER_ENVIRONMENT

Each turn starts a process in either environment, which first does every task once, so that nothing is compiled while
the clock runs. A ratio is the median over the turns of this version's seconds by the other's in the same turn: what
else the machine does in a turn slows both. Seconds are those of the processor, not of the wall clock.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median

from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

# What is slower by this much in a median of turns is slower.
NOISE = 1.05

WORK = """
import json, time, warnings
import numpy as np
from sklearn.datasets import make_classification, make_regression
import fgac
from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, FGARegressorCV

def classes(n, k=2, p=10):
    return make_classification(n, p, n_informative=p - 2, n_redundant=0, n_classes=k, flip_y=0.1, random_state=0)

X, y = classes(5000)
A, b = classes(1000)
V, v = classes(1000, k=8)
D, d = classes(500)
R, r = make_regression(1000, 5, noise=20.0, random_state=0)
P, q = classes(10000)
model = FGAClassifier(gamma=2.0).fit(P, q)
many = FGAClassifier(gamma=2.0).fit(V, v)
tasks = {
    "fit, 5000 x 10, gamma 0.5": lambda: FGAClassifier(gamma=0.5).fit(X, y),
    "fit, 5000 x 10, gamma 2": lambda: FGAClassifier(gamma=2.0).fit(X, y),
    "fit, 5000 x 10, gamma 5": lambda: FGAClassifier(gamma=5.0).fit(X, y),
    "fit, 1000 x 10, 8 classes, gamma 2": lambda: FGAClassifier(gamma=2.0).fit(V, v),
    "fit, 1000 x 10, absolute error, gamma 2": lambda: FGAClassifier(gamma=2.0, loss="absolute_error").fit(A, b),
    "fit, 1000 x 10, Manhattan, ranks, learned weights": lambda: FGAClassifier(
        gamma=5.0, metric="manhattan", scale="rank", feature_weights="learned"
    ).fit(A, b),
    "fit, 8 ordered classes, 1000 x 10": lambda: FGAOrdinalClassifier(gamma=2.0).fit(V, v),
    "fit, regression, 1000 x 5": lambda: FGARegressor(gamma=2.0).fit(R, r),
    "path, 500 x 10": lambda: fgac.path(D, d),
    "choice of gamma, 1000 x 10": lambda: FGAClassifierCV().fit(A, b),
    "choice of gamma, 1000 x 10, 8 classes": lambda: FGAClassifierCV().fit(V, v),
    "choice of gamma, regression, 500 x 5": lambda: FGARegressorCV().fit(R[:500], r[:500]),
    "prediction, 10 000 from 10 000": lambda: model.predict(P + 0.01),
    "degrees, 10 000 from 10 000": lambda: model.predict_proba(P + 0.01),
    "prediction, 8 classes, 1000 from 1000": lambda: many.predict(V + 0.01),
    "explanations of 20 rows": lambda: many.explain(V[:20] + 0.01),
}
seconds = {}
for name, task in tasks.items():
    task()
for name, task in tasks.items():
    times = []
    for _ in range(3):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    seconds[name] = min(times)
print(json.dumps(seconds))
"""


def run(python: str) -> dict[str, float]:
    """Return the seconds of every task in one environment."""
    done = subprocess.run([python, "-c", WORK], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python} failed:\n{done.stderr}")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(other: str, turns: int) -> dict[str, tuple[float, float, float]]:
    """Return for every task the medians of the other and of this version, and that of their ratio."""
    pairs = []
    for turn in range(turns + 1):  # the first turn compiles, and does not count
        order = [other, sys.executable] if turn % 2 else [sys.executable, other]
        found = {python: run(python) for python in order}
        pairs.append((found[other], found[sys.executable]))
        progress(f"turn {turn} of {turns}")
    found = {}
    for name in pairs[0][0]:
        before, after = ([pair[i][name] for pair in pairs[1:]] for i in (0, 1))
        ratio = median(new / old for old, new in zip(before, after, strict=True))
        found[name] = (median(before), median(after), ratio)
    return found


def text(found: dict[str, tuple[float, float, float]], turns: int, load: OtherLoad, about: str) -> str:
    """Return the whole result."""
    rows = [[name, number(old), number(new), f"{ratio:.2f}"] for name, (old, new, ratio) in found.items()]
    table = markdown_table(["task", "before s", "now s", "ratio"], rows)
    middle = median(ratio for *_, ratio in found.values())
    worst = max(found, key=lambda name: found[name][2])
    bars = [
        Bar("median ratio of all tasks at most 1", f"{middle:.2f}", middle <= 1.005),
        Bar(f"no task more than {NOISE:g} times as long", f"{found[worst][2]:.2f} ({worst})", found[worst][2] <= NOISE),
    ]
    notes = f"{about} Seconds of the processor, least of 3 in each of {turns} turns; medians over the turns."
    parts = ["# As fast as before?", provenance(load), notes, table, "## Bars", bars_table(bars)]
    return "\n\n".join(parts)


def main() -> None:
    """Measure, print the result and write it down."""
    parser = argparse.ArgumentParser(description="Compare the speed of this version with that of another environment.")
    parser.add_argument("other", help="the Python of an environment with the other version")
    parser.add_argument("--about", default="", help="a sentence that says what the other version is")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "versions.md")
    options = parser.parse_args()
    load = OtherLoad()
    publish(text(measure(options.other, options.turns), options.turns, load, options.about), options.output)


if __name__ == "__main__":
    main()
