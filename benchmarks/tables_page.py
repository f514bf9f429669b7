"""The result of ``tables.py`` as Markdown, from the lines of its journals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from real_tables import BY_NAME, RealTable, load
from report import Bar, bars_table, markdown_table, provenance_of
from tables_models import CONTENDERS, FOREST, SUBJECT

PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "pandas", "interpret-core")
WITHIN = 0.005  # of the best balanced peer
MEDIAN, WORST = 0.01, 0.05  # of predictions without an argument
TITLE = "# Defaults of everyone on real tables"
PROTOCOL = """\
Tables that travel inside packages of PyPI, chosen for their variety before anything was measured on them; none was left
out afterwards. Three quarters of the rows, stratified, are learned from, the rest is predicted; the same splits for
all models, means over the seeds. Every model has its defaults (one thread). "balanced": `class_weight="balanced"`, or
the same as weights of rows. All get the same columns: without ids and leaks, dates as days, text as categories.
Boosting (`HistGradientBoostingClassifier`) and EBM (`ExplainableBoostingClassifier`) take categories and missing cells
as they are, as `FGAClassifierCV` does; the random forest takes missing numbers, and categories one-hot; kNN and
logistic regression get medians for missing numbers, categories one-hot, standardised columns."""
NOTES = """\
- Balanced accuracy, log loss of `predict_proba` and average rank of balanced accuracy, over the tables.
- `time`: seconds of the processor of `fit`, `predict` and `predict_proba`, over those of the plain forest, which runs
  on the same split right after; the median over tables and seeds, and the largest.
- Log loss is infinite in principle where a class of probability 0 comes true; scikit-learn counts 36 for it. kNN and
  forests pay this price."""


class Results(NamedTuple):
    """Lines of journals, and the models that have been measured on all tables and seeds of any."""

    lines: pd.DataFrame
    models: list[str]
    unfinished: dict[str, int]

    def means(self, what: str) -> pd.DataFrame:
        """A row per table, a column per model: means over the seeds."""
        table = self.lines.pivot_table(index="data", columns="model", values=what, aggfunc="mean", observed=True)
        return table.reindex(index=self.data, columns=self.models)

    @property
    def data(self) -> list[str]:
        """Tables, in the order of the list."""
        return [name for name in BY_NAME if name in set(self.lines["data"])]

    @property
    def peers(self) -> list[str]:
        """Balanced models of others."""
        return [name for name in self.models if CONTENDERS[name].balanced and name != SUBJECT]

    def beside(self, name: str) -> tuple[int, float, float]:
        """Of a model that is not finished: runs, its mean balanced accuracy, and that of ours on the same runs.

        Runs of a table count as much together as those of any other.
        """
        scores = self.lines.pivot_table(index=["data", "seed"], columns="model", values="score", observed=True)
        both = scores[[name, SUBJECT]].dropna()
        means = both.groupby("data").mean().mean()
        return len(both), float(means[name]), float(means[SUBJECT])


def read(paths: list[Path]) -> Results:
    """Read journals; of lines about the same task the last counts."""
    records = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    lines = pd.DataFrame(records).drop_duplicates(["data", "seed", "model"], keep="last")
    lines = lines[lines["model"].isin(list(CONTENDERS))]
    wanted = len(lines[["data", "seed"]].drop_duplicates())
    counts = lines.groupby("model").size()
    known = [name for name in CONTENDERS if name in counts]
    whole = [name for name in known if counts[name] == wanted]
    return Results(lines, whole, {name: int(counts[name]) for name in known if name not in whole})


def provenance(lines: pd.DataFrame) -> str:
    """Return the date, the commits at which lines were made, and versions."""
    own = lines[lines["model"] == SUBJECT]
    commits = ", ".join(str(commit) for commit in (own if len(own) else lines)["commit"].unique())
    return provenance_of(commits, PACKAGES)


def summary(results: Results) -> str:
    """Return one line per model, the most accurate first."""
    score, loss = results.means("score"), results.means("log_loss")
    ranks = score.rank(axis=1, ascending=False).mean()
    ratio = results.lines.assign(ratio=results.lines["seconds"] / results.lines["forest_seconds"])
    body = []
    for name in score.mean().sort_values(ascending=False).index:
        times = ratio.loc[ratio["model"] == name, "ratio"]
        numbers = [f"{score[name].mean():.4f}", f"{ranks[name]:.2f}", f"{loss[name].mean():.3f}"]
        body.append([name, *numbers, f"{times.median():.2g} (at most {times.max():.2g})"])
    return markdown_table(["model", "balanced accuracy", "rank", "log loss", "time"], body)


def value_table(table: pd.DataFrame, digits: int, *, smallest: bool) -> str:
    """Return the values of every table, the best in bold."""
    body = []
    for name, row in table.round(digits).iterrows():
        best = row.min() if smallest else row.max()
        cells = [f"**{value:.{digits}f}**" if value == best else f"{value:.{digits}f}" for value in row]
        body.append([str(name), *cells])
    body.append(["mean", *(f"{value:.{digits}f}" for value in table.mean())])
    return markdown_table(["table", *table.columns], body)


def arguments(results: Results) -> str:
    """Return the share of guesses and the gammas of our model."""
    own = results.lines[results.lines["model"] == SUBJECT]
    body = []
    for name in results.data:
        part = own[own["data"] == name]
        gammas = ", ".join(f"{gamma:g}" for gamma in sorted(part["gamma"].unique()))
        body.append([name, f"{100 * (1 - part['argued']).mean():.2f} %", gammas])
    return markdown_table(["table", "guesses", "gammas chosen"], body)


def descriptions(names: list[str], folder: Path) -> str:
    """Return what the tables are."""
    body = []
    for name in names:
        problem = load(BY_NAME[name], folder)
        shares = np.bincount(problem.y) / len(problem.y)
        size = [str(len(problem.y)), str(problem.frame.shape[1]), f"{100 * problem.missing:.2g} %"]
        classes = f"{len(shares)}, the rarest {100 * shares.min():.2g} %"
        body.append([name, problem.table.about, *size, classes, left_out(problem.table), source(problem.table)])
    header = ["table", "rows, and what is asked", "rows", "columns", "cells missing", "classes", "left out", "from"]
    return markdown_table(header, body)


def left_out(table: RealTable) -> str:
    """Say which columns are not given to the models, and why."""
    ids = [f"{name} (id)" for name in table.ids]
    return ", ".join([*ids, *(f"{name} ({why})" for name, why in table.leaks.items())])


def source(table: RealTable) -> str:
    """Say from which package a table is."""
    return f"{table.package}: {table.member.rpartition('/')[2]}"


def bars(results: Results) -> list[Bar]:
    """Return what is asked of our defaults beside what was measured."""
    asked = (
        f"predictions without an argument, median over the tables at most {100 * MEDIAN:g} %",
        f"predictions without an argument, worst table at most {100 * WORST:g} %",
        f"mean balanced accuracy of {SUBJECT} not below the best balanced peer's minus {WITHIN}",
        f"mean log loss of {SUBJECT} not above the plain random forest's",
    )
    if SUBJECT not in results.models or FOREST not in results.models or not results.peers:
        return [Bar(words, "", None) for words in asked]
    guesses = 1 - results.means("argued")[SUBJECT]
    score, loss = results.means("score").mean(), results.means("log_loss").mean()
    best = score[results.peers].idxmax()
    found = [
        Bar(asked[0], f"{100 * guesses.median():.2f} %", bool(guesses.median() <= MEDIAN)),
        Bar(asked[1], f"{100 * guesses.max():.2f} % ({guesses.idxmax()})", bool(guesses.max() <= WORST)),
        Bar(
            asked[2],
            f"{score[SUBJECT]:.4f} against {score[best]:.4f} ({best})",
            bool(score[SUBJECT] >= score[best] - WITHIN),
        ),
        Bar(asked[3], f"{loss[SUBJECT]:.3f} against {loss[FOREST]:.3f}", bool(loss[SUBJECT] <= loss[FOREST])),
    ]
    for name in results.unfinished:
        if CONTENDERS[name].balanced:
            runs, theirs, ours = results.beside(name)
            words = f"mean balanced accuracy not below that of {name} minus {WITHIN}, on the {runs} runs that it has"
            found.append(Bar(words, f"{ours:.4f} against {theirs:.4f}", ours >= theirs - WITHIN))
    return found


def text(paths: list[Path], folder: Path) -> str:
    """Return the whole result."""
    results = read(paths)
    seeds = results.lines["seed"].nunique()
    parts = [TITLE, provenance(results.lines), f"{PROTOCOL} {len(results.data)} tables, {seeds} seeds."]
    parts += ["## Models", summary(results), NOTES]
    if results.unfinished:
        words = ", ".join(f"{name} ({count} runs)" for name, count in results.unfinished.items())
        parts.append(f"Not measured on all tables and seeds, and left out: {words}.")
    parts += ["## Balanced accuracy", value_table(results.means("score"), 3, smallest=False)]
    parts += ["## Log loss", value_table(results.means("log_loss"), 3, smallest=True)]
    if SUBJECT in results.models:
        parts += ["## Arguments", arguments(results)]
    parts += ["## Tables", descriptions(results.data, folder)]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(results))])
