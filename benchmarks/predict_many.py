"""Processor time of predicting from a million rows: Euclidean, Manhattan and learned distances, gaps and categories.

    python benchmarks/predict_many.py              # ten minutes
    python benchmarks/predict_many.py --quick      # 20 000 rows, to see that it runs; nothing is written

The memberships of so many rows are not solved for, which would take the longest time by far: a model of the first
20 000 rows is fitted, and every other row gets the largest membership in its class that this model allows. The rows are
searched as in a solved model.
"""

from __future__ import annotations

import argparse
import resource
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier

from load import OtherLoad
from predict import draw
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

FITTED = 20_000
BRUTE = 1_000  # queries for the neighbours, whose time is proportional to their number
CASES = [(5, "euclidean"), (10, "euclidean"), (10, "manhattan"), (10, "learned, gaps"), (10, "chebyshev")]
MOST = {5: 0.05, 10: 0.3}


class Row(NamedTuple):
    """Milliseconds of processor time for each row that is predicted."""

    n: int
    n_features: int
    distance: str
    first: float
    labels: float
    degrees: float
    neighbours: float | None


def with_gaps(X: Any, seed: int) -> pd.DataFrame:
    """Return the table with a twentieth of its cells missing, and two columns of categories."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(np.where(rng.random(X.shape) < 0.05, np.nan, X)).add_prefix("x")
    names = np.array(["red", "green", "blue", "grey"])
    table["colour"] = names[np.clip(0.7 * X[:, 0] + rng.normal(size=len(X)) + 1.5, 0, 3).astype(int)]
    table["town"] = np.char.add("town ", rng.integers(0, 12, size=len(X)).astype(str))
    table.loc[rng.random(len(X)) < 0.05, "colour"] = None
    return table


def predictor(X: Any, y: Any, gamma: float, metric: str) -> tuple[Any, Any]:
    """Return a predictor of all rows, and the small model that reads rows as it does."""
    from fgac import FGAClassifier
    from fgac.granular.nodes import merge
    from fgac.granular.predictor import class_predictor

    small = FGAClassifier(gamma=gamma, metric=metric, n_jobs=-1).fit(X[:FITTED], y[:FITTED])
    state = small._state
    rows = small._read_rows(X)
    upper = np.concatenate(
        [state.predictor.memberships(rows[i : i + 100_000]).upper for i in range(0, len(y), 100_000)]
    )
    nodes = merge(rows, y, 2, np.ones(len(y)))
    beta = upper[np.arange(len(y)), y][nodes.first]
    return small, class_predictor(
        nodes, beta, nodes.rows, state.metric, gamma, coordinates=True, multiplicity=nodes.weights, n_jobs=-1
    )


def clock(call: Any) -> float:
    """Return the processor time of a call, of all its threads."""
    start = process_time()
    call()
    return process_time() - start


def measure(n: int, n_queries: int, n_features: int, distance: str, gamma: float, turns: int) -> Row:
    """Time one kind of distance."""
    X, y, queries = draw(n, n_queries, n_features, 2)
    neighbours = None
    if distance == "euclidean":
        knn = KNeighborsClassifier(5, algorithm="brute", n_jobs=-1).fit(X, y)
        neighbours = min(clock(lambda: knn.predict(queries[:BRUTE])) for _ in range(turns)) / min(BRUTE, n_queries)
    if distance.endswith("gaps"):
        X, queries = with_gaps(X, 0), with_gaps(queries, 1)
    small, model = predictor(X, y, gamma, distance.split(",")[0])
    points = small._read_rows(queries)
    model.winners(points[:300])  # compile
    first = clock(lambda: model.winners(points))
    labels = min(clock(lambda: model.winners(points)) for _ in range(turns))
    model.memberships(points[:300])
    degrees = min(clock(lambda: model.memberships(points)) for _ in range(turns))
    seconds = [first, labels, degrees]
    row = Row(n, n_features, distance, *(1e3 * s / n_queries for s in seconds), neighbours and 1e3 * neighbours)
    progress(" | ".join(cells(row)))
    return row


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    ratios = [None if row.neighbours is None else own / row.neighbours for own in (row.labels, row.degrees)]
    times = [row.first, row.labels, row.degrees, row.neighbours]
    return [str(row.n), str(row.n_features), row.distance, *map(number, times), *map(number, ratios)]


def text(rows: list[Row], gamma: float, load: OtherLoad) -> str:
    """Return the whole result."""
    header = ["training rows", "features", "distance", "first call ms", "predict ms", "predict_proba ms", "kNN ms"]
    header += ["predict / kNN", "predict_proba / kNN"]
    notes = (
        "Milliseconds of processor time (both threads together) for each of 10 000 rows that are predicted, the least "
        f"of a few turns, gamma {gamma:g}. Rows were sorted before, which takes about half a second. kNN: "
        f'`KNeighborsClassifier(5, algorithm="brute", n_jobs=-1)` on {BRUTE} of them. Data as in predict_scale.md, two '
        "classes; gaps: a twentieth of the cells missing, and columns of 4 and of 12 categories. The memberships of "
        f"training rows are not solved for: a model of {FITTED} rows is, and the others get the largest membership in "
        f"their class that it allows. Peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB."
    )
    table = markdown_table(header, [cells(row) for row in rows])
    found = []
    for p, most in MOST.items():
        of_neighbours = [r for r in rows if r.n_features == p and r.neighbours]
        for method, part in (("predict", "labels"), ("predict_proba", "degrees")):
            ratio = next((getattr(r, part) / r.neighbours for r in of_neighbours), None)
            asked = f"{p} features: at most {most:g} times the neighbours ({method})"
            found.append(Bar(asked, number(ratio), None if ratio is None else ratio <= most))
    title = "# A prediction from a million rows"
    return "\n\n".join([title, provenance(load), table, notes, "## Bars", bars_table(found)])


def main() -> None:
    """Measure all, print the result and write it down."""
    parser = argparse.ArgumentParser(description="Time predictions from a million rows.")
    parser.add_argument("-o", "--output", type=Path, help="default: results/predict_many.md; nothing with --quick")
    parser.add_argument("--gamma", type=float, default=2.0)
    parser.add_argument("--turns", type=int, default=3, help="calls of each")
    parser.add_argument("--quick", action="store_true", help="20 000 rows")
    options = parser.parse_args()
    load = OtherLoad()
    n = FITTED if options.quick else 1_000_000
    rows = [measure(n, 10_000, p, distance, options.gamma, options.turns) for p, distance in CASES]
    publish(text(rows, options.gamma, load), options.output or (None if options.quick else RESULTS / "predict_many.md"))


if __name__ == "__main__":
    main()
