"""Seconds, memory and growth of an exact fit up to 100 000 rows, against passes over all distances.

    python benchmarks/scale.py              # a quarter of an hour and a quiet machine
    python benchmarks/scale.py --quick      # small sizes, to see that it runs; nothing is written
    python benchmarks/scale.py --no-peers   # our side only

The general solvers get the same problems from 250 rows on, twice as many each time, until they give up.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from fit import seconds, warm_up
from growth import draw
from load import OtherLoad
from memory import extra_memory
from passes import least_seconds
from peers import Peers, add_options
from problems import Dataset, synthetic
from report import RESULTS, progress, publish
from scale_table import Against, Fit, cells, lines, text

SIZES = (5_000, 10_000, 20_000, 50_000, 100_000)
GAMMAS = (5.0, 2.0)
SMALLEST = 250  # rows at which the general solvers begin


def timed_fit(dataset: Dataset, gamma: float, repeats: int) -> tuple[float, Any]:
    """Return the median seconds of a fit, and the solution of that very fit (the lower one of an even number)."""
    from fgac import FGAClassifier

    model = FGAClassifier(gamma=gamma, n_jobs=-1)
    fits = [(seconds(lambda: model.fit(dataset.X, dataset.labels)), model.solution_) for _ in range(repeats)]
    return sorted(fits, key=lambda fit: fit[0])[(repeats - 1) // 2]


def measure(n: int, gammas: Sequence[float]) -> list[Fit]:
    """Measure one size at every gamma, with the passes between the fits."""
    dataset = synthetic(n)
    warm_up(dataset)
    passes, timed = least_seconds(dataset), []
    for gamma in gammas:
        timed.append((gamma, *timed_fit(dataset, gamma, 5 if n <= 20_000 else 2)))
        passes = {name: min(passes[name], again) for name, again in least_seconds(dataset).items()}
    found = [Fit(n, gamma, own, passes, solution, extra_memory(n, gamma)) for gamma, own, solution in timed]
    for fit in found:
        progress(" | ".join(cells(fit)))
    return found


def against_peers(gamma: float, limit: float, memory: float) -> list[Against]:
    """Double the rows until no general solver is left."""
    peers = Peers(limit, memory)
    found: list[Against] = []
    for n in (SMALLEST * 2**i for i in count()):
        dataset = synthetic(n)
        warm_up(dataset)
        own, _ = timed_fit(dataset, gamma, 7)
        found.append(Against(n, gamma, own, peers.run("full", dataset, gamma)))
        progress(f"{n} rows, gamma {gamma:g}: {found[-1].outcomes_in_words(limit)}")
        if not found[-1].anyone_left():
            return found
    raise AssertionError("unreachable")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Time the exact fit up to 100 000 rows.")
    parser.add_argument("-o", "--output", type=Path, help="default: results/scale.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="up to 10 000 rows, limit of 3 s")
    add_options(parser, 60.0)
    return parser.parse_args()


def main() -> None:
    """Measure everything, print it, write it down and draw it."""
    options = arguments()
    load = OtherLoad()
    limit = min(options.limit, 3.0) if options.quick else options.limit
    fits = [fit for n in (SIZES[:2] if options.quick else SIZES) for fit in measure(n, GAMMAS)]
    against: list[Against] = []
    if not options.no_peers:
        against = [each for gamma in GAMMAS for each in against_peers(gamma, limit, options.memory * 1e9)]
    output = options.output or (None if options.quick else RESULTS / "scale.md")
    publish(text(fits, against, limit, load), output)
    if output is not None:
        draw({f"gamma = {gamma:g}": lines(fits, against, gamma) for gamma in GAMMAS}, limit, picture(output))


def picture(output: Path) -> Path:
    """Return where the picture of a result stands."""
    return output.with_name("growth.png")


if __name__ == "__main__":
    main()
