"""What does the learned distance cost? Choosing gamma with it, beside choosing gamma with a plain distance.

    python benchmarks/learning.py            # all sizes
    python benchmarks/learning.py --quick    # the smallest tables, once; nothing is written

Both searches fit the same tables on one thread, one after the other, several times; the least processor time of each
counts, since other work on the machine can only add to it.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

from sklearn.datasets import make_classification
from threadpoolctl import threadpool_limits

from fgac import FGAClassifierCV
from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

# Rows, classes and repetitions. The bar is for 1000 to 10 000 rows.
TABLES = ((1000, 2, 9), (1000, 5, 9), (3000, 2, 5), (3000, 5, 3), (10_000, 2, 3), (10_000, 5, 2))
QUICK = ((300, 2, 1),)
N_COLUMNS = 10
MOST = 3.0
SEARCHES = {
    "learned": {},
    "Euclidean": {"metric": "euclidean"},
    "Manhattan on ranks": {"metric": "manhattan", "scale": "rank"},
}
TITLE = "# What the learned distance costs"
NOTES = f"""\
Seconds of the processor of `FGAClassifierCV().fit` (learned), and of the same search with plain distances, on tables of
`make_classification` with {N_COLUMNS} columns; gamma is chosen from the same list by five folds. Weights and score are
learned anew in each of them, and on all rows. The least of several runs each."""


class Measured(NamedTuple):
    """Seconds by search, of one size of table."""

    n_rows: int
    n_classes: int
    seconds: dict[str, float]

    def ratio(self, plain: str) -> float:
        """How many times the learned distance takes as long."""
        return self.seconds["learned"] / self.seconds[plain]


def measure(n_rows: int, n_classes: int, repetitions: int) -> Measured:
    """The least processor time of every search, which take turns."""
    X, y = make_classification(n_rows, N_COLUMNS, n_informative=6, n_classes=n_classes, random_state=0)
    seconds = dict.fromkeys(SEARCHES, float("inf"))
    for _ in range(repetitions + 1):  # the first run may compile
        for name, settings in SEARCHES.items():
            start = time.process_time()
            FGAClassifierCV(n_jobs=1, **settings).fit(X, y)
            seconds[name] = min(seconds[name], time.process_time() - start)
    return Measured(n_rows, n_classes, seconds)


def text(found: list[Measured], load: OtherLoad) -> str:
    """Return the page."""
    plain = [name for name in SEARCHES if name != "learned"]
    header = ["rows", "classes", *(f"{name}, s" for name in SEARCHES), *(f"times {name}" for name in plain)]
    lines = [
        [
            str(one.n_rows),
            str(one.n_classes),
            *(number(one.seconds[name]) for name in SEARCHES),
            *(number(one.ratio(name)) for name in plain),
        ]
        for one in found
    ]
    bars = [
        Bar(
            f"{one.n_rows} rows, {one.n_classes} classes: at most {MOST:g} times a search with Euclidean distances",
            number(one.ratio("Euclidean")),
            one.ratio("Euclidean") <= MOST,
        )
        for one in found
    ]
    table = markdown_table(header, lines)
    return f"{TITLE}\n\n{provenance(load)}\n\n{NOTES}\n\n{table}\n\n## Bars\n\n{bars_table(bars)}"


def main() -> None:
    """Measure all sizes."""
    parser = argparse.ArgumentParser(description="What does the learned distance cost?")
    parser.add_argument("--quick", action="store_true", help="the smallest tables, once; nothing is written")
    asked = parser.parse_args()
    load, found = OtherLoad(), []
    with threadpool_limits(1):
        for n_rows, n_classes, repetitions in QUICK if asked.quick else TABLES:
            found.append(measure(n_rows, n_classes, repetitions))
            progress(f"{n_rows} rows, {n_classes} classes: {found[-1].ratio('Euclidean'):.2f} times")
    publish(text(found, load), None if asked.quick else RESULTS / "learning.md")


if __name__ == "__main__":
    main()
