"""The parts of the report, each a list of headings, paragraphs, tables and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from fgac.experiments.claims.base import Reading
from fgac.experiments.claims.reasons import REASONS, UNKNOWN
from fgac.experiments.datasets.files import DAMAGE
from fgac.experiments.report.document import Block, Grid, Heading, Items, Mark, Paragraph, Picture
from fgac.experiments.results import published
from fgac.experiments.results.comparison import Cell, cells
from fgac.experiments.results.findings import Findings
from fgac.experiments.results.score_table import ScoreTable, together
from fgac.experiments.results.statistics import average_ranks
from fgac.experiments.results.tables import MODELS

TITLE = "The experiments of the paper, run again"
NAMES = {"fgac": "FGAC", "kfrnn": "kFRNN", "knn": "kNN", "lvq": "LVQ", "cart": "CART"}
SAID = {True: "yes", False: "no", None: "–"}


def opening(found: Findings) -> list[Block]:
    """What this is, and how far the run got."""
    n = len([name for name in found.scores.datasets if name in published.PAPER])
    blocks: list[Block] = [
        Heading(TITLE, 1),
        Paragraph(f"About: {published.CITATION} Scores are balanced accuracies from 5-fold cross-validation."),
        Paragraph(
            "There are two runs. The run as published follows the published script, which chooses the best of "
            "eleven settings by the folds that also give the score, so that every score is a little too good. Where "
            "the script is not what the text of the paper says (it divides numbers by the range between their 1st and "
            "99th percentile, not by their range, and takes the nearest rows of other classes, not of all), the run "
            "does as the script does. The run as we would do it chooses settings within each training part (nested "
            "cross-validation), trains FGAC on all constraints, balances classes by weights and breaks ties by "
            "distance, not by the names of classes."
        ),
    ]
    if not found.complete:
        blocks.append(
            Paragraph(
                f"This is a part of the run: {n} of {len(published.PAPER)} data sets have results, not all of them for "
                "every method. Tests over data sets then mean little, and bars are left undecided."
            )
        )
    return blocks


def summary(found: Findings) -> list[Block]:
    """The answer in a few sentences."""
    met = Counter(bar.met for bar in found.bars)
    stated = [(c.statement.agrees(c.printed), c.statement.agrees(c.ours)) for c in found.statements]
    lines = [
        f"Bars: {met[True]} of {len(found.bars)} met, {met[False]} missed, {met[None]} undecided.",
        verdicts(found),
        f"Of the {len(stated)} p-values and ranks in the text, {sum(own for own, _ in stated)} follow from the paper's "
        f"own printed tables, and {sum(ours for _, ours in stated)} come out of our run to the digits stated.",
        f"Cells that differ by more than 0.005: {len(found.differences)} of {_n_cells(found)}.",
    ]
    return [Heading("In short"), Items(tuple(lines))]


def verdicts(found: Findings) -> str:
    """How many conclusions of the paper are confirmed, if all results are there."""
    if not found.complete:
        return "Conclusions of the paper are not counted, because results are missing."
    counts = Counter(conclusion.verdict for conclusion in found.conclusions)
    return (
        f"Conclusions of the paper: {counts['confirmed']} of {len(found.conclusions)} confirmed, "
        f"{counts['not confirmed']} not confirmed, {counts['in one run only']} confirmed in one of our two runs only, "
        f"{counts['not tested']} not tested."
    )


def _n_cells(found: Findings) -> int:
    return sum(len(cells(name, found.tables[name])) for name in published.TABLES)


def bars(found: Findings) -> list[Block]:
    """What was asked of the run as published."""
    rows = tuple((bar.name, bar.wanted, bar.found, _verdict(bar.met)) for bar in found.bars)
    return [
        Heading("How near the run as published comes"),
        Grid(("what", "bar", "found", "met"), rows, words=(0, 1, 2, 3)),
        Paragraph("By column, on the data sets that the paper names, differences of scores to three decimals:"),
        Grid(
            ("table and column", "cells", "equal", "within 0.005", "within 0.010", "within 0.015", "mean", "largest"),
            tuple(
                (
                    a.name,
                    *map(str, (a.n, a.exact, a.noted, a.within_10, a.within_15)),
                    f"{a.mean:.4f}",
                    f"{a.largest:.3f}",
                )
                for a in found.agreements
                if a.n
            ),
        ),
    ]


def _verdict(met: bool | None) -> str | Mark:
    return {True: "yes", None: "undecided"}.get(met) or Mark("no")


def conclusions(found: Findings) -> list[Block]:
    """Every conclusion, four times."""
    rows = []
    for c in found.conclusions:
        verdict = c.verdict if c.verdict in ("confirmed", "not tested") else Mark(c.verdict)
        readings = (_reading(reading) for reading in (c.printed, c.as_published, c.as_we_would))
        rows.append((c.section, c.claim, c.stated, *readings, verdict, c.note))
    return [
        Heading("The conclusions of the paper"),
        Paragraph(
            "Each is looked at in the paper's own printed tables and in our two runs. An entry gives the numbers and "
            "whether the conclusion follows from them (yes, no) at the level 0.05; a dash means that those tables do "
            "not speak about it. The verdict is about our runs."
        ),
        Grid(
            ("section", "claim", "stated", "printed tables", "ours, as published", "ours, nested", "verdict", "note"),
            tuple(rows),
            words=tuple(range(8)),
        ),
    ]


def _reading(reading: Reading) -> str:
    return SAID[reading.holds] + (f": {reading.value}" if reading.value else "")


def statements(found: Findings) -> list[Block]:
    """Every p-value and rank of the text."""
    rows = []
    for checked in found.statements:
        s = checked.statement
        own = s.rounded(checked.printed)
        rows.append(
            (
                s.section,
                s.name,
                s.kind,
                s.rounded(s.stated),
                own if s.agrees(checked.printed) else Mark(own),
                s.rounded(checked.ours),
            )
        )
    return [
        Heading("The p-values and ranks in the text"),
        Paragraph(
            "Recomputed from the tables that the paper prints, and from ours. Marked numbers do not agree with the "
            "stated ones to the digits stated, although they are made of the paper's own tables."
        ),
        Grid(
            ("section", "name", "kind", "stated", "from printed tables", "from our run"), tuple(rows), words=(0, 1, 2)
        ),
    ]


def published_tables(found: Findings) -> list[Block]:
    """The four tables, ours with their differences."""
    blocks: list[Block] = [
        Heading("The tables, as published"),
        Paragraph(
            "Our scores; in brackets, where it is not 0, the difference to the published score in thousandths. "
            "Differences of more than 5 thousandths are marked. iris and flare are in tables of the paper, but not "
            "among the data sets that it describes: they stand last and take part in no test."
        ),
    ]
    for name, title in published.TABLES.items():
        found_cells = cells(name, found.tables[name])
        if found_cells:
            blocks += [Heading(title, 3), _table(found_cells, published.tables()[name].columns)]
    described = found.tables["transparent_as_described"]
    if np.isfinite(described.values).any():
        blocks += [
            Heading("The last table with kFRNN as the text describes it", 3),
            Paragraph(
                "The published kFRNN columns come out with the supremum similarity; the text says Euclidean. This is "
                "what the Euclidean similarity gives."
            ),
            _plain(described.only(published.PAPER)),
        ]
    return blocks


def _table(found: Sequence[Cell], columns: Sequence[str]) -> Grid:
    by_place = {(cell.dataset, cell.column): cell for cell in found}
    order = (*published.PAPER, *published.APART)
    datasets = sorted({cell.dataset for cell in found}, key=order.index)
    rows = [(row, *(_score(by_place.get((row, column))) for column in columns)) for row in datasets]
    return Grid(("data set", *columns), tuple(rows))


def _score(cell: Cell | None) -> str | Mark:
    if cell is None:
        return "–"
    if cell.difference == 0:
        return f"{cell.ours:.3f}"
    text = f"{cell.ours:.3f} ({1000 * cell.difference:+.0f})".replace("-", "−")
    return text if cell.within(0.005) else Mark(text)


def _plain(table: ScoreTable, last: tuple[str, Sequence[float]] | None = None) -> Grid:
    rows = [
        (name, *(f"{value:.3f}" if np.isfinite(value) else "–" for value in values))
        for name, values in zip(table.rows, table.values, strict=True)
    ]
    if last is not None:
        rows.append((last[0], *(f"{value:.2f}" for value in last[1])))
    return Grid(("data set", *(NAMES.get(column, column) for column in table.columns)), tuple(rows))


def nested(found: Findings) -> list[Block]:
    """The run as we would do it."""
    table = together({"nested": found.nested.only(published.PAPER)}, [f"nested.{model}" for model in MODELS])
    if not table.rows:
        return []
    table = ScoreTable("nested", table.rows, MODELS, table.values)
    blocks: list[Block] = [
        Heading("As we would do it"),
        Paragraph("Nested cross-validation on the same five outer folds."),
        _plain(table, ("average rank", average_ranks(table.values).tolist())),
    ]
    gains = [
        f"{NAMES[model]} {gap:+.3f}".replace("-", "−")
        for model in MODELS
        if (gap := _optimism(found, model)) == gap  # a NaN is not equal to itself
    ]
    if gains:
        blocks.append(
            Paragraph(
                "Mean score as published minus mean nested score: "
                + ", ".join(gains)
                + ". This is what choosing on the scored folds adds, and all else that the runs do differently."
            )
        )
    return blocks


def _optimism(found: Findings, model: str) -> float:
    both = together(
        {"models": found.tables["models"].only(published.PAPER), "nested": found.nested},
        [f"models.{model}", f"nested.{model}"],
    )
    return float(np.mean(both.values[:, 0] - both.values[:, 1])) if len(both.rows) else float("nan")


def pictures(drawn: Sequence[Picture]) -> list[Block]:
    """The figures."""
    return [Heading("Figures"), *drawn] if drawn else []


def differences(found: Findings) -> list[Block]:
    """Every cell that differs, with what may be the reason."""
    rows = tuple(
        (
            c.table,
            c.dataset,
            c.column,
            f"{c.published:.3f}",
            f"{c.ours:.3f}",
            f"{c.difference:+.3f}".replace("-", "−"),
            c.reasons,
        )
        for c in found.differences
    )
    used = Counter(name for cell in found.differences for name in cell.reasons.split("; "))
    texts = [f"{reason.name} ({used[reason.name]} cells): {reason.text}" for reason in REASONS if used[reason.name]]
    if used[UNKNOWN]:
        texts.append(f"{UNKNOWN} ({used[UNKNOWN]} cells): none of the above applies.")
    blocks: list[Block] = [Heading("Every cell that differs by more than 0.005")]
    if not rows:
        return [*blocks, Paragraph("There is none.")]
    return [
        *blocks,
        Paragraph("Reasons are possible ones; none is proved for a single cell."),
        Items(tuple(texts)),
        Grid(
            ("table", "data set", "column", "published", "ours", "difference", "possible reasons"),
            rows,
            words=(0, 1, 2, 6),
        ),
    ]


def origin(found: Findings) -> list[Block]:
    """Data and software."""
    o = found.origin
    lines = [
        DAMAGE,
        f"{o.n_results} results, {o.seconds / 60:.1f} minutes of computing in all.",
        f"Seed: {', '.join(o.seeds) or 'not told'}.",
        f"Commit: {', '.join(o.commits) or 'not a checkout'}.",
        *(f"Versions: {versions}." for versions in o.versions),
    ]
    if o.largest_violation is not None:
        lines.append(f"The largest violation of a constraint in any training problem is {o.largest_violation:.1e}.")
    return [Heading("Data and software"), Items(tuple(lines))]
