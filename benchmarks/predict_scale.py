"""Seconds of predicting 10 000 rows from 100 000, against nearest neighbours and fuzzy rough nearest neighbours.

    python benchmarks/predict_scale.py              # ten minutes, most of them for fitting
    python benchmarks/predict_scale.py --quick      # small sizes, to see that it runs; nothing is written

All are called in turn; ratios are taken within a turn, and the median over the turns is reported. fuzzy-rough-learn
(``pip install fuzzy-rough-learn``) is asked about fewer rows where all would take minutes: it searches for one row
after the other, so its time is proportional to their number.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from sklearn.neighbors import KNeighborsClassifier

from load import OtherLoad
from predict import METHODS, draw, seconds
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish, version_of

DATA = (
    "make_classification(n_samples=n + 10000, n_features=d, n_informative=d // 2, n_redundant=0, n_classes=K, "
    "n_clusters_per_class=1, flip_y=0.1, random_state=0)"
)
SHAPES = ((100_000, 5, 2), (100_000, 50, 2), (20_000, 50, 10))  # rows, features, classes
MOST = {5: 0.5, 50: 1.0}  # times the neighbours' seconds, by number of features, two classes
MOST_OF_FRNN = 0.1
ENOUGH = 2.0  # seconds that a call of fuzzy-rough-learn should take


class Row(NamedTuple):
    """Median seconds of one method on one data set, and ratios; None: fuzzy-rough-learn is missing or was not asked."""

    n: int
    n_features: int
    n_classes: int
    gamma: float
    method: str
    seconds: list[float | None]
    """Ours, neighbours, fuzzy-rough-learn as it comes and with the Euclidean distance."""
    ratios: list[float | None]
    """Ours to each of the others."""


def frnn(X: Any, y: Any, queries: Any, dissimilarity: str) -> Callable[[], float]:
    """Return a function that tells the seconds of fuzzy-rough-learn, with one thread or all, whichever is faster."""
    from frlearn.classifiers import FRNN
    from frlearn.neighbour_search_methods import KDTree

    def timed(model: Any, n: int) -> float:
        start = perf_counter()
        model(queries[:n])
        return (perf_counter() - start) * len(queries) / n

    models = [FRNN(dissimilarity=dissimilarity, nn_search=KDTree(n_jobs=jobs))(X, y) for jobs in (1, -1)]
    tried = min(100, len(queries))
    best, model = min(((timed(model, tried), model) for model in models), key=lambda pair: pair[0])
    n = max(tried, min(len(queries), int(len(queries) * ENOUGH / best)))
    return lambda: timed(model, n)


def peers(X: Any, y: Any, queries: Any, method: str) -> list[Callable[[], float] | None]:
    """Return what measures each of the others."""
    neighbours = KNeighborsClassifier(5, algorithm="brute", n_jobs=-1).fit(X, y)
    found: list[Callable[[], float] | None] = [lambda: seconds(neighbours, method, queries)]
    try:
        binary = len(set(y)) == 2
        return found + [frnn(X, y, queries, name) if binary else None for name in ("boscovich", "euclidean")]
    except ImportError:
        return [*found, None, None]


def measure(n: int, n_queries: int, n_features: int, n_classes: int, gamma: float, turns: int) -> list[Row]:
    """Fit, and time all on the same queries."""
    from fgac import FGAClassifier

    X, y, queries = draw(n, n_queries, n_features, n_classes)
    model = FGAClassifier(gamma=gamma, n_jobs=-1).fit(X, y)
    rows = []
    for method in METHODS:
        calls = [lambda method=method: seconds(model, method, queries), *peers(X, y, queries, method)]
        calls[0]()  # compile, start threads
        timed = [[call and call() for call in calls] for _ in range(turns)]
        columns = [[one for one in column if one is not None] for column in zip(*timed, strict=True)]
        ratios = [[own / other for own, other in zip(columns[0], column, strict=False)] for column in columns[1:]]
        medians = [median(column) if column else None for column in [*columns, *ratios]]
        rows.append(Row(n, n_features, n_classes, gamma, method, medians[:4], medians[4:]))
        progress(" | ".join(cells(rows[-1])))
    return rows


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    shape = [str(row.n), str(row.n_features), str(row.n_classes), f"{row.gamma:g}", row.method]
    return [*shape, *map(number, row.seconds), *map(number, row.ratios)]


def worst(rows: list[Row], n_features: int, peer: int) -> float | None:
    """Return the largest ratio to a peer with two classes."""
    ratios = [row.ratios[peer] for row in rows if (row.n_features, row.n_classes) == (n_features, 2)]
    return max((ratio for ratio in ratios if ratio is not None), default=None)


def bars(rows: list[Row]) -> list[Bar]:
    """Compare the worst ratios with the most that is allowed."""
    found = []
    for peer, name in enumerate(("the neighbours", "fuzzy-rough-learn")):
        for n_features, most in MOST.items():
            most = (most, MOST_OF_FRNN)[peer]
            ratio = worst(rows, n_features, peer)
            asked = f"{n_features} features: at most {most:g} times {name}"
            found.append(Bar(asked, number(ratio), None if ratio is None else ratio <= most))
    return found


def text(rows: list[Row], load: OtherLoad) -> str:
    """Return the whole result."""
    header = [
        "training rows",
        "features",
        "classes",
        "gamma",
        "method",
        "fgac s",
        "kNN s",
        "FRNN s",
        "FRNN Euclidean s",
    ]
    header += ["fgac / kNN", "fgac / FRNN", "fgac / FRNN Euclidean"]
    peer = version_of("fuzzy-rough-learn")
    notes = (
        f"Data: `{DATA}`, n rows to fit, 10 000 to predict. "
        'kNN: `KNeighborsClassifier(5, algorithm="brute", n_jobs=-1)`; fgac with `n_jobs=-1`. FRNN: '
        f"`frlearn.classifiers.FRNN()` of fuzzy-rough-learn {peer} with the defaults (Manhattan distance, 20 "
        "neighbours in and outside of each class, kd-trees, which are built before the clock starts), with one thread "
        f"or all, whichever was faster, on as many of the queries as take about {ENOUGH:g} s, and the time multiplied; "
        "also with the Euclidean distance, which fgac uses here. The bar is for the defaults."
    )
    title = "# A prediction from 100 000 rows"
    parts = [title, provenance(load), markdown_table(header, [cells(row) for row in rows]), notes, "## Bars"]
    return "\n\n".join([*parts, bars_table(bars(rows))])


def main() -> None:
    """Measure all shapes, print the result and write it down."""
    parser = argparse.ArgumentParser(description="Time predictions from many rows against two kinds of neighbours.")
    parser.add_argument("-o", "--output", type=Path, help="default: results/predict_scale.md; nothing with --quick")
    parser.add_argument("--gamma", type=float, nargs="+", default=[2.0, 5.0])
    parser.add_argument("--turns", type=int, default=5, help="calls of each")
    parser.add_argument("--quick", action="store_true", help="5000 rows and 3000 queries")
    options = parser.parse_args()
    load = OtherLoad()
    rows: list[Row] = []
    for n, n_features, n_classes in SHAPES:
        sizes = (5_000, 3_000) if options.quick else (n, 10_000)
        for gamma in options.gamma:
            rows += measure(*sizes, n_features, n_classes, gamma, options.turns)
    publish(text(rows, load), options.output or (None if options.quick else RESULTS / "predict_scale.md"))


if __name__ == "__main__":
    main()
