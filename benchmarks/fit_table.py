"""What ``fit.py`` measured, written as a table and compared with its bars."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from isolation import Outcome
from load import OtherLoad
from peers import CONSTRAINTS, SOLVERS
from problems import SYNTHETIC
from report import Bar, bars_table, markdown_table, number, provenance

ABOUT_1000 = ("pima", "german", "vowel", "make_classification 1000")
LARGEST = 20_000
PROOF = ("rounds", "pivots", "constraints", "violation", "gap", "difference to QP")
NOTES = f"""\
`make_classification n` is `{SYNTHETIC}`.

- `fit s`: the whole exact fit, compiled before, median of 7 (n up to 2000) or 3.
- `PIQP`, `Clarabel`: setup and solve of the same problem, on all pairs of rows that can bind (`full`) and on
  the pairs of each row with its 2 % nearest rows of other classes (`2 %`). Not tried: this solver ran out of
  time or memory on as many constraints or fewer.
- `full / fit`, `2 % / fit`: the faster of the two over ours. With `>`: none finished, the limit over ours.
- `pass s`: one `pairwise_distances_argmin` between the classes, on the same scaled rows and all cores; the
  fastest of at least 5 calls, because a single busy moment elsewhere multiplies so short a time.
- `violation`, `gap`: proof of our solution over all constraints. `difference to QP`: largest difference of a
  membership to a general solver's full solution (that solver's tolerance is about 1e-8).
- `extra MB`: peak resident memory of the fit beyond its data."""


class Ours(NamedTuple):
    """One exact fit: its median seconds, the least seconds of a distance pass, and the fitted model."""

    seconds: float
    distance_pass: float
    model: Any


class Row(NamedTuple):
    """All that is known about one data set at one gamma."""

    dataset: str
    n: int
    gamma: float
    ours: Ours
    peers: dict[str, dict[str, Outcome | None]]
    """Outcome by constraint set and peer; None where it was not tried."""
    extra: float | None
    """Bytes of memory beyond the data, where measured."""
    limit: float
    """Seconds allowed to a peer."""

    def tried(self, which: str) -> list[Outcome]:
        """Return the outcomes of the peers that were tried on one constraint set."""
        return [outcome for outcome in self.peers.get(which, {}).values() if outcome is not None]

    def best_peer(self, which: str) -> float | None:
        """Return the seconds of the fastest peer that finished."""
        return min((each.value.seconds for each in self.tried(which) if each.status == "done"), default=None)

    def times_faster(self, which: str) -> float | None:
        """Return the best peer's seconds over ours; the limit over ours if none finished in time."""
        best = self.best_peer(which)
        if best is None and any(outcome.status == "time" for outcome in self.tried(which)):
            best = self.limit
        return None if best is None else best / self.ours.seconds

    def disagreement(self) -> float | None:
        """Return our largest difference to the first peer that solved the full problem."""
        solved = [outcome.value.beta for outcome in self.tried("full") if outcome.status == "done"]
        return float(np.abs(self.ours.model.beta_ - solved[0]).max()) if solved else None


def header() -> list[str]:
    """Return the names of the columns, in the order of ``cells``."""
    compared: list[str] = []
    for which in CONSTRAINTS:
        compared += [f"{peer} {which}" for peer in SOLVERS] + [f"{which} / fit"]
    return ["data", "n", "gamma", "fit s", *compared, "pass s", "fit / pass", *PROOF, "extra MB"]


def cells(row: Row) -> list[str]:
    """Write one row of the table."""
    compared: list[str] = []
    for which in CONSTRAINTS:
        outcomes = row.peers.get(which, {})
        compared += [outcome_cell(outcomes.get(peer), row.limit) for peer in SOLVERS]
        compared.append(("" if row.best_peer(which) else "> ") + number(row.times_faster(which)))
    compared = [cell if cell != "> " else "" for cell in compared]
    seconds, distance_pass, _ = row.ours
    times = [number(distance_pass), number(seconds / distance_pass)]
    extra = "" if row.extra is None else f"{row.extra / 1e6:.0f}"
    return [row.dataset, str(row.n), f"{row.gamma:g}", number(seconds), *compared, *times, *proof(row), extra]


def proof(row: Row) -> list[str]:
    """Write how our solution was found and how good it is, in the order of ``PROOF``."""
    solution = row.ours.model.solution_
    work = [str(solution.n_rounds), str(solution.n_pivots), str(solution.n_constraints)]
    quality = [f"{solution.largest_violation:.0e}", f"{solution.duality_gap:.0e}"]
    return [*work, *quality, number(row.disagreement(), 1)]


def outcome_cell(outcome: Outcome | None, limit: float) -> str:
    """Write a peer's seconds, or why there are none."""
    if outcome is None:
        return "not tried"
    if outcome.status == "done":
        return number(outcome.value.seconds)
    return f"> {limit:g} s" if outcome.status == "time" else outcome.status


def bars(rows: Sequence[Row]) -> list[Bar]:
    """Return what is asked of the fit beside what this run measured."""
    found = [speed_bar(rows, name, "full", 50) for name in ABOUT_1000]
    found += [speed_bar(rows, name, "2 %", 5) for name in ABOUT_1000]
    for what in ("largest_violation", "duality_gap"):
        worst = max(abs(float(getattr(row.ours.model.solution_, what))) for row in rows)
        found.append(Bar(f"{what.replace('_', ' ')} at most 1e-9, all rows", number(worst, 2), worst <= 1e-9))
    large = [row for row in rows if row.n == LARGEST]
    passes = [row.ours.seconds / row.ours.distance_pass for row in large if row.gamma >= 1]
    extra = [row.extra / 1e6 for row in large if row.extra is not None]
    found.append(limit_bar(f"n = {LARGEST}, gamma >= 1: distance passes per fit, at most", 10, passes))
    found.append(limit_bar(f"n = {LARGEST}: MB more than the data, at most", 1000, extra))
    return found


def speed_bar(rows: Sequence[Row], name: str, which: str, least: float) -> Bar:
    """Compare the median over the gammas of one data set."""
    ratios = [row.times_faster(which) for row in rows if row.dataset == name]
    known = [ratio for ratio in ratios if ratio is not None]
    asked = f"{name}: times faster than the best general solver, {which} set, median over gamma, at least {least}"
    return Bar(asked, number(median(known)), median(known) >= least) if known else Bar(asked, "", None)


def limit_bar(asked: str, most: float, measured: Sequence[float]) -> Bar:
    """Compare the worst of some numbers with the most that is allowed."""
    asked = f"{asked} {most:g}"
    return Bar(asked, number(max(measured)), max(measured) <= most) if measured else Bar(asked, "", None)


def text(rows: Sequence[Row], load: OtherLoad) -> str:
    """Return the whole result: where it came from, the table, the bars."""
    table = markdown_table(header(), [cells(row) for row in rows])
    parts = [
        "# An exact fit against its peers",
        provenance(load),
        table,
        NOTES,
        "## Bars",
        bars_table(bars(rows)),
    ]
    return "\n\n".join(parts)
