"""Write the report of a run: tables as CSV, figures, and both as Markdown and HTML."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from fgac._atomic import write_text
from fgac.experiments.report import figures, sections
from fgac.experiments.report.document import Block, Picture, html, markdown
from fgac.experiments.results import published
from fgac.experiments.results.comparison import cells
from fgac.experiments.results.findings import Findings, findings
from fgac.experiments.results.score_table import ScoreTable, together
from fgac.experiments.results.statistics import SIGNIFICANT, pairwise
from fgac.experiments.results.tables import MODELS

MODEL_NAMES = tuple(sections.NAMES[model] for model in MODELS)
CRITICAL = "A bar joins a set of models of which no two differ at the level 0.05 (Wilcoxon with Holm's correction)."


def write_report(out: str | Path) -> Path:
    """Read the results in a folder and write the report there.

    Parameters
    ----------
    out : path
        Holds ``results.jsonl`` and, if that part was run, ``nnstudy.jsonl`` and ``ionosphere.json``.

    Returns
    -------
    Path
        Of ``report.html``, beside ``report.md`` and the folders ``tables`` and ``figures``.
    """
    return write(findings(out), out)


def write(found: Findings, out: str | Path) -> Path:
    """Write the report of what was found into a folder; returns the path of ``report.html``."""
    out = Path(out)
    write_tables(found, _folder(out / "tables"))
    drawn = draw(found, _folder(out / "figures"))
    blocks = document(found, drawn)
    write_text(out / "report.md", markdown(blocks))
    write_text(out / "report.html", html(blocks, out))
    return out / "report.html"


def document(found: Findings, drawn: Sequence[Picture]) -> list[Block]:
    """The whole report."""
    return [
        *sections.opening(found),
        *sections.summary(found),
        *sections.bars(found),
        *sections.conclusions(found),
        *sections.statements(found),
        *sections.pictures(drawn),
        *sections.published_tables(found),
        *sections.nested(found),
        *sections.differences(found),
        *sections.origin(found),
    ]


def draw(found: Findings, folder: Path) -> list[Picture]:
    """Draw every figure for which there are results."""
    drawn = []
    ours = {name: table.only(published.PAPER) for name, table in found.tables.items()}
    if found.study is not None:
        figures.draw_study(found.study, folder / "nn_study.png")
        n = len(found.study.datasets)
        text = f"What a part of the constraints changes, and what it saves; means over {n} data sets."
        drawn.append(_picture(folder, "nn_study.png", text))
    figures.draw_decision_spaces(folder / "decision_spaces.png")
    drawn.append(
        _picture(folder, "decision_spaces.png", "Decision spaces of 100 made-up rows for three values of gamma.")
    )
    for name, columns, title, names in DIAGRAMS:
        source = {**ours, "nested": found.nested.only(published.PAPER)}
        table = together(source, columns)
        file = f"ranks_{name}.png"
        if figures.draw_critical_difference(table, folder / file, names=names, title=title):
            drawn.append(_picture(folder, file, f"{title}: average ranks. {CRITICAL} {_pairs(table, names)}"))
    some = [name for name in published.TABLES if cells(name, found.tables[name])]
    if some:
        figures.draw_scatter(found.tables, folder / "agreement.png", names=some)
        text = "Our scores minus the published ones; the grey band is ± 0.005."
        drawn.append(_picture(folder, "agreement.png", text))
    return drawn


def _pairs(table: ScoreTable, names: Sequence[str]) -> str:
    """Which pairs differ, since a bar can pass over a model that is not of its set."""
    p_values = pairwise(table)
    every = list(combinations(range(len(names)), 2))
    different = [pair for pair in every if p_values[pair] < SIGNIFICANT]
    if len(different) in (0, len(every)):
        return "No two differ." if not different else "All pairs differ."
    few = min(different, [pair for pair in every if pair not in different], key=len)
    text = ", ".join(f"{names[i]} and {names[j]}" for i, j in few)
    return f"{'Pairs that differ' if few == different else 'All pairs differ but'}: {text}."


def _picture(folder: Path, file: str, text: str) -> Picture:
    return Picture(f"{folder.name}/{file}", text)


VERSION_NAMES = ("MAE supremum", "MAE Euclidean", "MSE supremum", "MSE Euclidean")
# Which rank diagrams are drawn: name, columns, title, names of the columns.
DIAGRAMS = (
    (
        "versions",
        tuple(f"nn.{version}_nn2" for version in ("mae_supremum", "mae_euclidean", "mse_supremum", "mse_euclidean")),
        "Versions of FGAC, nn = 0.02",
        VERSION_NAMES,
    ),
    (
        "owa",
        ("nn.mse_euclidean_nn2", "owa.mse_euclidean_add", "owa.mse_euclidean_exp", "owa.mse_euclidean_invadd"),
        "FGAC (MSE, Euclidean) without and with OWA",
        ("without", "additive", "exponential", "inverse additive"),
    ),
    ("models", tuple(f"models.{model}" for model in MODELS), "Five methods, as published", MODEL_NAMES),
    ("nested", tuple(f"nested.{model}" for model in MODELS), "Five methods, nested cross-validation", MODEL_NAMES),
    (
        "transparent",
        tuple(f"transparent.{column}" for column in ("fgac", "knn_k5", "kfrnn_k5", "knn_k1", "kfrnn_k1")),
        "Transparent methods, as published",
        ("FGAC", "kNN (k ≤ 5)", "kFRNN (k ≤ 5)", "kNN (k = 1)", "kFRNN (k = 1)"),
    ),
)


def write_tables(found: Findings, folder: Path) -> None:
    """Every table of the report as CSV."""
    for name, table in found.tables.items():
        write_text(folder / f"{name}.csv", table.csv(6))
    for name, table in published.tables().items():
        write_text(folder / f"{name}_published.csv", table.csv())
        write_text(folder / f"{name}_difference.csv", _difference(name, found).csv())
    write_text(folder / "nested.csv", found.nested.csv(6))
    _write(folder / "settings.csv", ("dataset", "method", "setting", "score"), _settings(found))
    _write(
        folder / "bars.csv",
        ("name", "wanted", "found", "met"),
        ((b.name, b.wanted, b.found, b.met) for b in found.bars),
    )
    _write(
        folder / "differences.csv",
        ("table", "dataset", "column", "published", "ours", "difference", "possible_reasons"),
        (
            (c.table, c.dataset, c.column, c.published, round(c.ours, 6), c.difference, c.reasons)
            for c in found.differences
        ),
    )
    _write(
        folder / "statements.csv",
        ("section", "name", "kind", "stated", "from_printed_tables", "from_our_run"),
        (
            (s.statement.section, s.statement.name, s.statement.kind, s.statement.stated, s.printed, s.ours)
            for s in found.statements
        ),
    )
    _write(folder / "conclusions.csv", CONCLUSION_FIELDS, (_conclusion(c) for c in found.conclusions))
    if found.study is not None:
        _write(folder / "nn_study.csv", ("loss", "relation", "gamma", "nn", *MEASURES), _study(found))


CONCLUSION_FIELDS = (
    "name",
    "section",
    "claim",
    "stated",
    "printed",
    "printed_holds",
    "as_published",
    "as_published_holds",
    "nested",
    "nested_holds",
    "verdict",
    "note",
)


MEASURES = ("difference", "share_of_constraints", "share_of_time")


def _conclusion(c: Any) -> tuple[Any, ...]:
    readings = [
        part for reading in (c.printed, c.as_published, c.as_we_would) for part in (reading.value, reading.holds)
    ]
    return (c.name, c.section, c.claim, c.stated, *readings, c.verdict, c.note)


def _study(found: Findings) -> Iterable[tuple[Any, ...]]:
    assert found.study is not None
    for panel, curves in found.study.curves.items():
        for gamma, curve in curves.items():
            for nn, *values in curve:
                yield (*panel, gamma, nn, *(round(value, 6) for value in values))


def _settings(found: Findings) -> Iterable[tuple[Any, ...]]:
    methods = sorted({result.method for result in found.scores.results if result.run == "published"})
    for dataset in found.scores.datasets:
        for method in methods:
            best = found.scores.best(dataset, method)
            if best.setting is not None:
                yield dataset, method, best.setting, round(best.score, 6)


def _difference(name: str, found: Findings) -> ScoreTable:
    """Ours minus published, cell by cell."""
    printed = published.tables()[name]
    values = np.full(printed.values.shape, np.nan)
    for cell in cells(name, found.tables[name]):
        values[printed.rows.index(cell.dataset), printed.columns.index(cell.column)] = cell.difference
    return ScoreTable(name, printed.rows, printed.columns, values)


def _write(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    write_text(path, file.getvalue())


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
