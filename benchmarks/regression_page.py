"""The result of ``regression.py`` as Markdown, from the lines of its journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from regression_peers import CONTENDERS, EBM, FOREST, NEIGHBOURS, SHARE, SUBJECT
from report import Bar, bars_table, markdown_table, provenance_of
from tables_page import left_out, source, value_table

PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "pandas", "interpret-core")
WITHIN = 0.02  # of EBM
HELD = 0.02  # by which coverage may be off
TITLE = "# Numbers on real tables"
PROTOCOL = """\
Tables with numbers to predict that travel inside packages of PyPI, chosen before anything was measured on them; what
our defaults do was decided on other tables (those of `CHOSEN_ON` in `benchmarks/number_tables.py` and drawn ones). Of
more than {most} rows, {most} are drawn. {folds} folds, the same for all models, which have their defaults (one thread).
All get the same columns; what a model cannot read is prepared as for the [tables of classes](tables.md)."""
NOTES = """\
- R2: the mean over the folds of the share of the variance that is explained. Error: the mean absolute error, over that
  of always saying the median of the training part.
- `time`: seconds of the processor of `fit` and `predict`, over those of the forest, which runs on the same fold right
  after; the median, and the largest. Ours includes learning intervals."""
INTERVALS = f"""\
Intervals for {SHARE:.0%} of the targets: ours (`FGARegressorCV(interval={SHARE:g})`), and quantiles of boosted trees,
conformalised on a quarter of the training part. Widths and interval scores (width, and {2 / (1 - SHARE):.0f} times what
a target lies outside; the lower, the better) in standard deviations of the target. Widest: the share that is held among
the fifth of the rows with the widest intervals; smallest, largest: among the tenths of the smallest and the largest
targets."""


class Results:
    """Lines of journals; of lines about the same task the last counts. Models that lack some are told, not compared."""

    def __init__(self, paths: list[Path]) -> None:
        records = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
        self.lines = pd.DataFrame(records).drop_duplicates(["data", "fold", "model"], keep="last")
        wanted = len(self.lines[["data", "fold"]].drop_duplicates())
        counts = self.lines.groupby("model").size()
        self.models = [name for name in CONTENDERS if counts.get(name, 0) == wanted]
        self.unfinished = {name: int(counts[name]) for name in CONTENDERS if 0 < counts.get(name, 0) < wanted}
        self.data = list(dict.fromkeys(self.lines["data"]))

    def means(self, what: str) -> pd.DataFrame:
        """A row per table, a column per model: means over the folds."""
        table = self.lines.pivot_table(index="data", columns="model", values=what, aggfunc="mean")
        return table.reindex(index=self.data, columns=self.models)

    def beside(self, name: str) -> tuple[int, int, float, float]:
        """On how many tables and folds a model is measured, and the mean R2 of it and of ours on these folds.

        The folds of a table count as much together as those of any other.
        """
        both = self.lines.pivot_table(index=["data", "fold"], columns="model", values="r2")[[name, SUBJECT]].dropna()
        means = both.groupby("data").mean()
        return len(means), len(both), float(means[name].mean()), float(means[SUBJECT].mean())

    def intervals(self, what: str) -> pd.DataFrame:
        """Coverage, width, score, and coverage of parts, of every table."""
        own = self.lines[self.lines["model"] == SUBJECT]
        names = ["held", "width", "score", "widest", "smallest", "largest"]
        numbers = pd.DataFrame(own[what].tolist(), columns=names, index=own["data"])
        return numbers.groupby(level=0).mean().reindex(self.data)


def summary(results: Results) -> str:
    """Return one line per model, the best first."""
    r2, errors = results.means("r2"), results.means("error").mean()
    ranks = r2.rank(axis=1, ascending=False).mean()
    ratio = results.lines.assign(ratio=results.lines["seconds"] / results.lines["forest_seconds"])
    body = []
    for name in r2.mean().sort_values(ascending=False).index:
        times = ratio.loc[ratio["model"] == name, "ratio"]
        numbers = [f"{r2[name].mean():.4f}", f"{ranks[name]:.2f}", f"{errors[name]:.4f}"]
        body.append([name, *numbers, f"{times.median():.2g} (at most {times.max():.2g})"])
    return markdown_table(["model", "R2", "rank", "error", "time"], body)


def interval_table(results: Results) -> str:
    """Return both kinds of intervals, table by table."""
    both = {"ours": results.intervals("interval"), "boosting": results.intervals("boosted_interval")}
    names = list(next(iter(both.values())).columns)
    body = [
        [str(data), who, *(f"{part.loc[data, name]:.3f}" for name in names)]
        for data in results.data
        for who, part in both.items()
    ]
    body += [["mean", who, *(f"{value:.3f}" for value in part.mean())] for who, part in both.items()]
    return markdown_table(["table", "intervals", *names], body)


def bars(results: Results) -> list[Bar]:
    """Return what is asked of our defaults beside what was measured."""
    r2 = results.means("r2").mean()
    found = [
        Bar(f"mean R2 above that of {peer}", f"{r2[SUBJECT]:.4f} against {r2[peer]:.4f}", bool(r2[SUBJECT] > r2[peer]))
        for peer in (FOREST, NEIGHBOURS)
        if peer in results.models
    ]
    if EBM in results.models or EBM in results.unfinished:
        n, folds, theirs, ours = results.beside(EBM)
        words = f"mean R2 not below that of EBM minus {WITHIN}, on the {folds} folds of {n} tables that it has"
        found.append(Bar(words, f"{ours:.4f} against {theirs:.4f}", ours >= theirs - WITHIN))
    own, boosted = (results.intervals(what).mean() for what in ("interval", "boosted_interval"))
    off = abs(own["held"] - SHARE)
    found.append(
        Bar(f"intervals for {SHARE:.0%}: share held, off by at most {HELD}", f"{own['held']:.3f}", off <= HELD)
    )
    words = "interval score not above that of conformalised boosting"
    found.append(Bar(words, f"{own['score']:.3f} against {boosted['score']:.3f}", own["score"] <= boosted["score"]))
    return found


def descriptions(about: Mapping[str, tuple[Any, Any]]) -> str:
    """Return what the tables are."""
    body = []
    for name, (table, data) in about.items():
        missing = f"{100 * np.mean(data.frame.isna().to_numpy()):.2g} %"
        size = [str(len(data.y)), str(data.frame.shape[1]), missing]
        body.append([name, table.about, *size, left_out(table), source(table)])
    header = ["table", "rows, and what is asked", "rows", "columns", "cells missing", "left out", "from"]
    return markdown_table(header, body)


def text(paths: list[Path], about: Mapping[str, tuple[Any, Any]], most: int, folds: int) -> str:
    """Return the whole result."""
    results = Results(paths)
    own = results.lines[results.lines["model"] == SUBJECT]
    commits = ", ".join(str(commit) for commit in own["commit"].unique())
    parts = [TITLE, provenance_of(commits, PACKAGES), PROTOCOL.format(most=most, folds=folds)]
    parts += ["## Models", summary(results), NOTES]
    if results.unfinished:
        words = ", ".join(f"{name} ({count} folds)" for name, count in results.unfinished.items())
        parts.append(f"Not measured on all tables and folds, and left out: {words}.")
    guesses = 100 * (1 - own.groupby("data")["argued"].mean())
    said = f"Predictions of ours without an argument: {guesses.median():.2f} % in the median over the tables"
    parts.append(f"{said}, {guesses.max():.2f} % on the worst ({guesses.idxmax()}).")
    parts += ["## R2", value_table(results.means("r2"), 3, smallest=False)]
    parts += ["## Intervals", INTERVALS, interval_table(results)]
    parts += ["## Tables", descriptions(about), "## Bars", bars_table(bars(results))]
    return "\n\n".join(parts) + "\n"
