"""Seconds of an exact fit with absolute error against HiGHS on the full linear programme.

    python benchmarks/absolute.py DATA_FOLDER [-o benchmarks/results/absolute.md]

German and vowel at gamma 0.5, 1, 2 and 5; HiGHS gets all pairs of different classes, in the form ``maximise sum beta``
subject to ``beta_u + beta_v <= 1 + gamma d`` and ``0 <= beta <= 1``, and once more without the pairs that can never
bind (``gamma d >= 1``), which a user would have to know about. Both must reach the same loss.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from load import OtherLoad
from problems import Dataset, Pairs, from_folder, full_pairs
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

GAMMAS = (0.5, 1.0, 2.0, 5.0)
HEADER = [
    *("data", "gamma", "pairs", "fgac s", "HiGHS s", "HiGHS / fgac", "pairs that can bind", "HiGHS s", "HiGHS / fgac"),
    *("loss", "difference", "violation", "gap"),
]


def all_pairs(dataset: Dataset) -> Pairs:
    """Every pair of rows of different classes, once."""
    u, v = np.nonzero(np.triu(dataset.labels[:, None] != dataset.labels[None, :]))
    return Pairs(u, v, np.linalg.norm(dataset.rows[u] - dataset.rows[v], axis=1))


def highs(dataset: Dataset, gamma: float, pairs: Pairs) -> tuple[float, float]:
    """Return seconds and loss of the linear programme (assembling it is not timed)."""
    u, v, distance = pairs
    m = len(u)
    where = np.r_[np.arange(m), np.arange(m)]
    sums = sparse.csr_matrix((np.ones(2 * m), (where, np.r_[u, v])), shape=(m, dataset.n))
    start = perf_counter()
    result = linprog(-np.ones(dataset.n), sums, 1 + gamma * distance, bounds=(0, 1), method="highs")
    return perf_counter() - start, dataset.n + result.fun


def measure(dataset: Dataset, gamma: float) -> tuple[list[str], float]:
    """Time both on one problem; return the table's row and the ratio."""
    from fgac import FGAClassifier

    model = FGAClassifier(gamma=gamma, loss="absolute_error", n_jobs=-1)
    model.fit(dataset.X, dataset.labels)
    ours = []
    for _ in range(5):
        start = perf_counter()
        model.fit(dataset.X, dataset.labels)
        ours.append(perf_counter() - start)
    every, binding = all_pairs(dataset), full_pairs(dataset, gamma)
    seconds, loss = highs(dataset, gamma, every)
    fewer, _ = highs(dataset, gamma, binding)
    reached = float(np.sum(1 - model.beta_))
    proof = model.solution_
    own = median(ours)
    ratio = seconds / own
    row = [dataset.name, number(gamma), str(len(every.u)), number(own), number(seconds), number(ratio)]
    row += [str(len(binding.u)), number(fewer), number(fewer / own), f"{reached:.6f}"]
    row += [number(abs(reached - loss)), number(proof.largest_violation), number(abs(proof.duality_gap))]
    progress(" | ".join(row))
    return row, ratio


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Time the exact fit with absolute error against HiGHS.")
    parser.add_argument("folder", type=Path, help="folder with german and vowel as CSV files")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS / "absolute.md")
    options = parser.parse_args()
    load = OtherLoad()
    measured = [
        measure(dataset, gamma)
        for dataset in (from_folder(options.folder, name) for name in ("german", "vowel"))
        for gamma in GAMMAS
    ]
    least = min(ratio for _, ratio in measured)
    bars = [Bar("at least 20 times faster than HiGHS on all pairs, all rows of the table", number(least), least >= 20)]
    text = "\n\n".join(
        [
            "# A fit with absolute error against HiGHS",
            provenance(load),
            markdown_table(HEADER, [row for row, _ in measured]),
            "## Bars",
            bars_table(bars),
        ]
    )
    publish(text + "\n", options.output)


if __name__ == "__main__":
    main()
