"""What ``scale.py`` measured, written as tables and compared with its bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fit_table import limit_bar, outcome_cell
from growth import Line
from isolation import Outcome
from load import OtherLoad
from peers import SOLVERS
from problems import SYNTHETIC
from report import Bar, bars_table, markdown_table, number, provenance

LARGEST = 100_000
MOST_PASSES = 6.0
MOST_MEMORY = 2000.0  # MB
HEADER = [
    *("n", "gamma", "fit s", "argmin pass s", "fit / argmin", "plain pass s", "fit / plain"),
    *("rounds", "constraints", "pivots", "violation", "gap", "extra MB"),
]
NOTES = f"""\
Data: `{SYNTHETIC}`; all cores.

- `fit s`: the whole exact fit, compiled before; median of 5 up to 20 000 rows, the faster of 2 above.
- `argmin pass`: one `pairwise_distances_argmin` of scikit-learn between the classes; `plain pass`: every distance
  between the classes in float64, by our own tiles and threads, and nothing done with it. Both on rows that are scaled
  already; the fastest of at least 2 calls.
- `rounds`: searches of the whole problem; `constraints`: pairs that they generated; `violation`: largest over ALL
  pairs of the two classes.
- `extra MB`: peak resident memory of the fit beyond its data, in a fresh process."""
REST = "reading, scaling, merging, model"


class Fit(NamedTuple):
    """One exact fit at one size: seconds, seconds of the passes by name, the solution, bytes beyond the data."""

    n: int
    gamma: float
    seconds: float
    passes: dict[str, float]
    solution: Any
    extra: float | None


class Against(NamedTuple):
    """Our seconds and the outcome of every general solver on one problem; None where it was not tried."""

    n: int
    gamma: float
    seconds: float
    outcomes: dict[str, Outcome | None]

    def anyone_left(self) -> bool:
        """Whether some solver has not given up yet."""
        return any(outcome is not None and outcome.status == "done" for outcome in self.outcomes.values())

    def outcomes_in_words(self, limit: float) -> str:
        """Write who took how long."""
        return ", ".join(f"{peer} {outcome_cell(outcome, limit)}" for peer, outcome in self.outcomes.items())


def cells(fit: Fit) -> list[str]:
    """Write one row of the table."""
    times = [number(fit.seconds)]
    for name in ("argmin", "plain"):
        times += [number(fit.passes[name]), number(fit.seconds / fit.passes[name])]
    proof = fit.solution
    work = [str(proof.n_rounds), str(proof.n_constraints), str(proof.n_pivots)]
    quality = [f"{proof.largest_violation:.0e}", f"{proof.duality_gap:.0e}"]
    extra = "" if fit.extra is None else f"{fit.extra / 1e6:.0f}"
    return [str(fit.n), f"{fit.gamma:g}", *times, *work, *quality, extra]


def profile_table(fits: Sequence[Fit]) -> str:
    """Return the share of every part of a fit in its seconds."""
    parts = list(dict.fromkeys(part for fit in fits for part in fit.solution.seconds))
    rows = []
    for fit in fits:
        spent = [fit.solution.seconds.get(part, 0.0) for part in parts]
        shares = [each / fit.seconds for each in (*spent, fit.seconds - sum(spent))]
        rows.append([str(fit.n), f"{fit.gamma:g}", number(fit.seconds), *(f"{share:.0%}" for share in shares)])
    return markdown_table(["n", "gamma", "fit s", *parts, REST], rows)


def lines(fits: Sequence[Fit], against: Sequence[Against], gamma: float) -> list[Line]:
    """Return ours, the general solvers' and the pass's seconds by size, at one gamma."""
    here = [fit for fit in fits if fit.gamma == gamma]
    duels = [each for each in against if each.gamma == gamma]
    smallest = here[0].n
    small = [(each.n, each.seconds) for each in duels if each.n < smallest]
    ours = [*small, *((fit.n, fit.seconds) for fit in here)]
    found = [Line("fgac", *zip(*ours, strict=True), from_n=smallest)]
    passes = [fit.passes["argmin"] for fit in here]
    found.append(Line("distance pass", [fit.n for fit in here], passes))
    return found + [solver_line(duels, peer) for peer in SOLVERS if duels]


def solver_line(duels: Sequence[Against], peer: str) -> Line:
    """Return one general solver's seconds up to where it gave up."""
    tried = [(each.n, each.outcomes[peer]) for each in duels if each.outcomes[peer] is not None]
    done = [(n, outcome.value.seconds) for n, outcome in tried if outcome.status == "done"]
    lost = [(n, outcome.status) for n, outcome in tried if outcome.status != "done"]
    return Line(peer, [n for n, _ in done], [t for _, t in done], 2 * duels[0].n, lost[0] if lost else None)


def growth_table(fits: Sequence[Fit], against: Sequence[Against]) -> str:
    """Return the exponents of all lines."""
    rows = []
    for gamma in dict.fromkeys(fit.gamma for fit in fits):
        for line in lines(fits, against, gamma):
            counted = [n for n in line.sizes if n >= line.from_n]
            span = f"{counted[0]} to {counted[-1]}" if counted else ""
            end = f"{line.gave_up[0]} rows ({line.gave_up[1]})" if line.gave_up else ""
            rows.append([line.name, f"{gamma:g}", span, *map(power, (line.exponent(), line.exponent(2))), end])
    return markdown_table(["", "gamma", "n", "exponent", "of the last two sizes", "gave up at"], rows)


def power(exponent: float | None) -> str:
    """Write an exponent."""
    return "" if exponent is None else f"{exponent:.2f}"


def against_table(against: Sequence[Against], limit: float) -> str:
    """Return our seconds beside the general solvers'."""
    rows = []
    for each in against:
        done = [outcome.value.seconds for outcome in each.outcomes.values() if outcome and outcome.status == "done"]
        best = number(min(done) / each.seconds) if done else f"> {number(limit / each.seconds)}"
        outcomes = [outcome_cell(outcome, limit) for outcome in each.outcomes.values()]
        rows.append([str(each.n), f"{each.gamma:g}", number(each.seconds), *outcomes, best])
    return markdown_table(["n", "gamma", "fgac s", *(f"{peer} s" for peer in SOLVERS), "best of them / fgac"], rows)


def bars(fits: Sequence[Fit]) -> list[Bar]:
    """Return what is asked at scale beside what this run measured."""
    worst = max(fit.solution.largest_violation for fit in fits)
    found = [Bar("largest violation over all pairs at most 1e-9, all sizes", number(worst, 2), worst <= 1e-9)]
    large = [fit for fit in fits if fit.n == LARGEST]
    extra = [fit.extra / 1e6 for fit in large if fit.extra is not None]
    found.append(limit_bar(f"n = {LARGEST}: MB more than the data, at most", MOST_MEMORY, extra))
    for gamma in dict.fromkeys(fit.gamma for fit in fits):
        for name in ("argmin", "plain"):
            ratios = [fit.seconds / fit.passes[name] for fit in large if fit.gamma == gamma]
            asked = f"n = {LARGEST}, gamma {gamma:g}: {name} passes over all cross-class distances per fit, at most"
            found.append(limit_bar(asked, MOST_PASSES, ratios))
    return found


def growth_notes(against: Sequence[Against]) -> str:
    """Say over which sizes the exponents are taken, and what they do not say."""
    solvers = ""
    if against:
        solvers = f"; the general solvers' from {2 * against[0].n} rows to the last size that they finished"
    return (
        f"Slopes of log seconds against log rows: ours from the smallest size of the first table on{solvers}. Every "
        "size is a problem of its own, with other clusters, so some are harder than their neighbours."
    )


def text(fits: Sequence[Fit], against: Sequence[Against], limit: float, load: OtherLoad) -> str:
    """Return the whole result."""
    parts = [
        "# An exact fit at scale",
        provenance(load),
        markdown_table(HEADER, [cells(fit) for fit in fits]),
        NOTES,
        "## Where the time goes",
        profile_table(fits),
        "Shares of the seconds of one fit: the parts that the engine counts, and all the rest of `fit`.",
        "## Growth",
        "![seconds against rows, both axes logarithmic](growth.png)",
        growth_table(fits, against),
        growth_notes(against),
    ]
    if against:
        parts += [
            "## Beside general solvers, until they give up",
            against_table(against, limit),
            f"PIQP and Clarabel as in `fit.py`: setup and solve on all pairs that can bind, at most {limit:g} s each.",
        ]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(fits))])
