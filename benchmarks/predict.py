"""Seconds of a prediction against scikit-learn's brute-force nearest neighbours on the same rows.

    python benchmarks/predict.py

Both look at every training row for every query, so the ratio shows what the bounds cost beyond the distances.
The two are called in turn; the ratio is taken within a turn, and the median over the turns is reported.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier

from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

DATA = (
    "make_classification(n_samples=20000, n_features=d, n_informative=d // 2, n_redundant=0, n_classes=K, "
    "n_clusters_per_class=1, flip_y=0.1, random_state=0)"
)
METHODS = ("predict", "predict_proba")
MOST = {2: 2.0, 10: 5.0}  # times the neighbours' seconds, by number of classes


class Row(NamedTuple):
    """Median seconds of one method on one data set."""

    n: int
    n_features: int
    n_classes: int
    gamma: float
    method: str
    ours: float
    neighbours: float
    ratio: float


def seconds(model: Any, method: str, X: Any) -> float:
    """Return the seconds of one call."""
    start = perf_counter()
    getattr(model, method)(X)
    return perf_counter() - start


def draw(n: int, n_queries: int, n_features: int, n_classes: int) -> tuple[Any, Any, Any]:
    """Return training rows, labels and queries."""
    X, y = make_classification(
        n_samples=n + n_queries,
        n_features=n_features,
        n_informative=n_features // 2,
        n_redundant=0,
        n_classes=n_classes,
        n_clusters_per_class=1,
        flip_y=0.1,
        random_state=0,
    )
    return X[:n], y[:n], X[n:]


def measure(n: int, n_features: int, n_classes: int, gamma: float, turns: int) -> list[Row]:
    """Fit both on the first n of 2n rows and time both on the others."""
    from fgac import FGAClassifier

    X, y, queries = draw(n, n, n_features, n_classes)
    ours = FGAClassifier(gamma=gamma, n_jobs=-1).fit(X, y)
    neighbours = KNeighborsClassifier(5, algorithm="brute", n_jobs=-1).fit(X, y)
    rows = []
    for method in METHODS:
        for model in (ours, neighbours):
            seconds(model, method, queries[:100])  # compile, start threads
        pairs = [(seconds(ours, method, queries), seconds(neighbours, method, queries)) for _ in range(turns)]
        mine, theirs = (median(column) for column in zip(*pairs, strict=True))
        ratio = median(own / other for own, other in pairs)
        rows.append(Row(n, n_features, n_classes, gamma, method, mine, theirs, ratio))
        progress(" | ".join(cells(rows[-1])))
    return rows


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    shape = [str(row.n), str(row.n_features), str(row.n_classes), f"{row.gamma:g}", row.method]
    return [*shape, number(row.ours), number(row.neighbours), number(row.ratio)]


def bars(rows: list[Row]) -> list[Bar]:
    """Compare the worst ratio for each number of classes with the most that is allowed."""
    found = []
    for n_classes, most in MOST.items():
        worst = max(row.ratio for row in rows if row.n_classes == n_classes)
        asked = f"{n_classes} classes: at most {most:g} times the neighbours, all rows"
        found.append(Bar(asked, number(worst), worst <= most))
    return found


def text(rows: list[Row], load: OtherLoad) -> str:
    """Return the whole result."""
    header = [
        "training rows = queries",
        "features",
        "classes",
        "gamma",
        "method",
        "fgac s",
        "kNN s",
        "fgac / kNN",
    ]
    table = markdown_table(header, [cells(row) for row in rows])
    notes = (
        f"Data: `{DATA}` (`--rows` changes n_samples), the first half to fit, the second to predict. "
        'kNN: `KNeighborsClassifier(5, algorithm="brute", n_jobs=-1)`; fgac with `n_jobs=-1`.'
    )
    parts = ["# A prediction against nearest neighbours", provenance(load), table, notes, "## Bars"]
    return "\n\n".join([*parts, bars_table(bars(rows))])


def main() -> None:
    """Measure all shapes, print the result and write it down."""
    parser = argparse.ArgumentParser(description="Time predictions against brute-force nearest neighbours.")
    parser.add_argument("-o", "--output", type=Path, help="default: results/predict.md; nothing with other --rows")
    parser.add_argument("--rows", type=int, default=10_000, help="training rows, and as many queries")
    parser.add_argument("--gamma", type=float, nargs="+", default=[1.0, 5.0])
    parser.add_argument("--turns", type=int, default=7, help="calls of each")
    options = parser.parse_args()
    load = OtherLoad()
    rows: list[Row] = []
    for n_features, n_classes, gamma in product((10, 50), MOST, options.gamma):
        rows += measure(options.rows, n_features, n_classes, gamma, options.turns)
    standard = RESULTS / "predict.md" if options.rows == 10_000 else None
    publish(text(rows, load), options.output or standard)


if __name__ == "__main__":
    main()
