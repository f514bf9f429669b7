"""The result of ``missing.py`` as Markdown, from the lines of its journals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from report import PACKAGES, Bar, bars_table, markdown_table, provenance_of

NATIVE = "as they are"
AS_IT_COMES = "as it comes"
REMOVED = ((0.1, False), (0.3, False), (0.1, True), (0.3, True))
WITHIN = 0.005
KEYS = ["data", "situation", "seed", "model"]
PROTOCOL = """\
Balanced accuracy of `FGAClassifierCV` on a quarter of the rows (stratified splits, the same for all), learned from the
rest. "as they are": it is given tables with their missing cells. The others: the same model behind an imputer that has
seen the training rows only. "median": medians, and the most frequent category. "kNN", "iterative": scikit-learn's
`KNNImputer` and `IterativeImputer` with their defaults, on standardised numbers and columns of 0 and 1 for categories,
of which the largest decides.

Real tables come with missing cells ("as it comes"). Out of the paper's data sets, which are whole, cells are taken, of
the rows to learn from and of the others: each with the same probability, or "by class", where it grows evenly from 0 in
one class to its most in another. There a missing cell tells something about the class, also in the rows that are
predicted, and imputers hide it: the bars look at each kind by itself, since a mean over all would hide a loss."""


def situation_name(share: float, by_class: bool) -> str:
    """Say what is missing.

    >>> situation_name(0.1, True)
    '10 % by class'
    """
    return f"{100 * share:.0f} % {'by class' if by_class else 'at random'}"


def read(paths: list[Path], setting: str) -> pd.DataFrame:
    """Return one row per data set, situation and seed, one column per method that was measured on all of them."""
    records = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    lines = pd.DataFrame(records)
    lines = lines[lines["setting"] == setting].drop_duplicates(KEYS, keep="last")
    return lines.pivot_table(index=KEYS[:3], columns="model", values="score", sort=False).dropna()


def commits(paths: list[Path], setting: str) -> str:
    """Return the commits at which lines were made."""
    lines = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    return ", ".join(dict.fromkeys(str(line["commit"]) for line in lines if line["setting"] == setting))


def provenance(found: str) -> str:
    """Return the date, commits and versions."""
    return provenance_of(found, (*PACKAGES[:5], "pandas"))


def summary(scores: pd.DataFrame) -> str:
    """Return the means of every situation, the best in bold."""
    body = []
    for name, part in scores.groupby(level="situation", sort=False):
        count = part.index.get_level_values("data").nunique()
        body.append([f"{name} ({count} tables)", *bold(means(part))])
    body.append(["all", *bold(means(scores))])
    return markdown_table(["missing", *scores.columns], body)


def bold(row: pd.Series) -> list[str]:
    """Write scores, the best in bold."""
    return [f"**{score:.4f}**" if score == row.max() else f"{score:.4f}" for score in row]


def means(part: pd.DataFrame) -> pd.Series:
    """Means over tables and situations, each counted once, whatever the number of its seeds."""
    return part.groupby(level=["data", "situation"]).mean().mean()


def per_table(scores: pd.DataFrame) -> str:
    """Return the mean over the seeds of every table in every situation."""
    table = scores.groupby(level=["data", "situation"], sort=False).mean()
    body = [[str(data), str(situation), *bold(row)] for (data, situation), row in table.iterrows()]
    return markdown_table(["data", "missing", *table.columns], body)


def bars(scores: pd.DataFrame) -> list[Bar]:
    """Return what is asked beside what was measured: for all, and for each kind by itself."""
    situation = scores.index.get_level_values("situation")
    kinds = (("real tables", AS_IT_COMES), ("taken out at random", "at random"), ("taken out by class", "by class"))
    found = []
    for words, part in (("all", scores), *((words, scores[situation.str.endswith(end)]) for words, end in kinds)):
        asked = f"{words}: mean balanced accuracy with cells as they are, not below the best imputer's minus {WITHIN}"
        peers = [name for name in scores if name != NATIVE]
        if NATIVE not in scores or not peers or part.empty:
            found.append(Bar(asked, "", None))
            continue
        mean = means(part)
        best = mean[peers].idxmax()
        measured = f"{mean[NATIVE]:.4f} against {mean[best]:.4f} ({best})"
        found.append(Bar(asked, measured, bool(mean[NATIVE] >= mean[best] - WITHIN)))
    return found


def text(paths: list[Path], setting: str, how: dict[str, Any]) -> str:
    """Return the whole result."""
    scores = read(paths, setting)
    seeds = scores.index.get_level_values("seed").nunique()
    given = ", ".join(f"`{name}={value!r}`" for name, value in how.items()) or "its defaults"
    protocol = f"{PROTOCOL}\n\nThe model has {given}, for all methods alike; {seeds} seeds."
    parts = ["# Missing cells as they are, and filled in", provenance(commits(paths, setting)), protocol]
    parts += ["## Means", summary(scores), "## Tables", per_table(scores)]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(scores))])
