"""What training on a cluster would send and hold: computed from the numbers of nodes, cells, rounds and pairs.

    python benchmarks/dask_messages.py [--rows 100_000_000] [--columns 10] [--workers 64] [--memory 16]

Nothing is trained. What is not known before a fit (rounds, pairs and pivots per row) is what fits of up to a million
rows needed; see docs/scaling.md.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

from report import markdown_table

# Of fits of 50 000 to 1 000 000 rows with ten columns: rounds, violated pairs received and kept per row, and pivots.
ROUNDS, PAIRS_PER_ROW, PIVOTS_PER_ROW = 6, 30, 4.8
# Bytes: a value; a pair (two node numbers and a bound); a node in the client (class or target, weight, value, tree).
VALUE, PAIR, CLIENT_NODE = 8, 24, 120
# Pairs of rows that a core looks at in a second, in a full pass of ten columns, as measured on one core.
PAIRS_PER_SECOND = 1.0e9
# Pivots in a second, of trees as large as those of a million rows.
PIVOTS_PER_SECOND = 55_000
MOST_CELLS = 64


class Plan(NamedTuple):
    """A table and a cluster."""

    rows: int
    columns: int
    workers: int
    memory: float


def simulate(plan: Plan) -> list[tuple[str, str]]:
    """Return what is sent, held and computed, line by line."""
    cells = max(1, min(MOST_CELLS, round((8 * plan.workers) ** 0.5)))
    row = VALUE * (plan.columns + 2)
    in_cell = plan.rows / cells
    values = ROUNDS * plan.rows * VALUE
    # A worker that searches cells (i, j) needs the values of both; spread evenly, it meets most cells in a round.
    met = min(cells, 2 * -(-cells * cells // plan.workers))
    pairs = PAIRS_PER_ROW * plan.rows * PAIR
    held = PAIRS_PER_ROW * plan.rows * (PAIR + 16) / ROUNDS + CLIENT_NODE * plan.rows
    passes = ROUNDS * (0.5 * plan.rows) ** 2 / PAIRS_PER_SECOND
    return [
        ("table in memory", size(plan.rows * row)),
        ("cells", str(cells)),
        ("one cell", size(in_cell * row)),
        ("two cells and their lists, in a task", size(2 * in_cell * (row + 16 * 8))),
        ("fits into a worker", "yes" if 2 * in_cell * (row + 128) < 0.6 * plan.memory * 2**30 else "NO"),
        ("tasks of a round", str(cells * cells + 2 * cells)),
        ("values sent by the client in all rounds", size(values)),
        ("values received by all workers in a round", size(plan.workers * met * in_cell * VALUE)),
        ("cells received by all workers in a round, at most", size(plan.workers * met * in_cell * row)),
        ("pairs received by the client in all rounds", size(pairs)),
        ("held by the client", size(held)),
        ("pivots", f"{PIVOTS_PER_ROW * plan.rows:.2g}, {time(PIVOTS_PER_ROW * plan.rows / PIVOTS_PER_SECOND)}"),
        ("full passes over all pairs", f"{time(passes)} of a core, {time(passes / plan.workers)} of all"),
    ]


def size(count: float) -> str:
    """Return a number of bytes as people read it."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def time(seconds: float) -> str:
    """Return a number of seconds as people read it."""
    for unit, length in (("years", 3.15e7), ("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} s"


def main() -> None:
    """Print the table of one plan, or of several sizes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000, 100_000_000])
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--workers", type=int, default=64, help="threads of all workers together")
    parser.add_argument("--memory", type=float, default=16.0, help="GB for each")
    given = parser.parse_args()
    plans = [simulate(Plan(rows, given.columns, given.workers, given.memory)) for rows in given.rows]
    lines = [[name, *(plan[k][1] for plan in plans)] for k, (name, _) in enumerate(plans[0])]
    print(markdown_table(["", *(f"{rows:,} rows".replace(",", " ") for rows in given.rows)], lines))


if __name__ == "__main__":
    main()
