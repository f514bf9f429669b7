"""The result of ``accuracy.py`` as Markdown, from the lines of its journals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from accuracy_models import CONTENDERS, LEARNED, N_TREES
from fgac.experiments.datasets.files import DAMAGE, DAMAGED, PAPER
from fgac.experiments.results.statistics import average_ranks, friedman, holm, wilcoxon
from path import ELEVEN
from report import PACKAGES, Bar, bars_table, markdown_table, number, provenance_of

SUBJECT = "FGAC score"
SEED = 20261121
PLAIN, FOREST, MACHINE = "FGAC", "random forest", "RBF-SVM"
FOUR = (SUBJECT, "kFRNN", "kNN", "CART")
N_FOLDS = 5
LEAST = 0.02
WANTED, SLACK = 0.792, 0.002
SUMMARY = [
    *("model", "", "mean", "without \\*", "rank of all", "rank of transparent", "rank of four"),
    *("p", "s", "at an end"),
]
PROTOCOL = f"""\
Balanced accuracy by nested cross-validation: five stratified outer folds (shuffled, seed {SEED}). Within each
training part every model chooses one of its eleven settings by the balanced accuracy of three stratified inner folds,
is fitted to the whole training part with it, and scored on the rest. Scales, repeated rows and learned weights come
from the training part alone. All models see the same folds.

- FGAC: gamma {ELEVEN}; Euclidean unless it says otherwise; `class_weight="balanced"`.
- "ranks": `metric="{LEARNED["metric"]}", scale="{LEARNED["scale"]}"`. FGAC learned: the same with
  `feature_weights="learned"`, and with `scale="range"` where it says so; the same gammas. kNN learned and kFRNN
  learned: ranks with the weights that FGAC learns from the same rows, of inner folds and of the whole training part.
- FGAC score: `metric="learned"`, that is ranks, learned weights and a score; the same gammas and folds.
- How weights and scores are learned was chosen on folds of other seeds, and frozen before this seed was looked at.
- kNN, kFRNN: eleven k from 1 to 50 (kFRNN: or all), in our distances, rows of small classes repeated.
- CART: least leaf (1, 5, 15) and pruning; random forest: {N_TREES} trees, share of columns and least leaf; gradient
  boosting: `HistGradientBoostingClassifier`, rate, iterations and leaves, native categories; RBF-SVM: C and width, on
  standardised columns. All four with `class_weight="balanced"`, categories one-hot but for boosting.
- \\* {DAMAGE}"""
NOTES = f"""\
- `mean` over the data sets, `without *` over those whose files are whole; average ranks among all models, among the
  transparent ones, and among {", ".join(FOUR[:-1])} and {FOUR[-1]}; equal scores share their ranks.
- `p`: Wilcoxon's signed-rank test against {SUBJECT} over the data sets, corrected by Holm.
- `s`: seconds of all fits, inner and outer, on one thread; the machine did other work as well: orders of magnitude.
- `at an end`: in how many outer folds the first and the last gamma or k was chosen; many mean that the list may be too
  short."""


class Scores(NamedTuple):
    """Mean balanced accuracy: a row per data set, a column per model that has all folds of all of them."""

    lines: pd.DataFrame
    table: pd.DataFrame
    unfinished: dict[str, int]

    @property
    def transparent(self) -> list[str]:
        """Models that a person can follow."""
        return [name for name in self.table if CONTENDERS[name].transparent]

    def ranks(self, names: list[str]) -> dict[str, float]:
        """Average ranks among some models."""
        found = [name for name in names if name in self.table]
        return dict(zip(found, average_ranks(self.table[found].to_numpy()).tolist(), strict=True))


def read(paths: list[Path]) -> Scores:
    """Read journals; of lines about the same fold the last counts."""
    records = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    lines = pd.DataFrame(records).drop_duplicates(["data", "model", "fold"], keep="last")
    known = [name for name in CONTENDERS if name in set(lines["model"])]
    data = [name for name in PAPER if name in set(lines["data"])]
    counts = lines.groupby("model").size()
    whole = [name for name in known if counts[name] == N_FOLDS * len(data)]
    means = lines.pivot_table(index="data", columns="model", values="score", aggfunc="mean")
    left_out = {name: int(counts[name]) for name in known if name not in whole}
    return Scores(lines, means.loc[data, whole], left_out)


def provenance(lines: pd.DataFrame) -> str:
    """Return the date, the commits at which lines were made, and versions."""
    commits = ", ".join(f"{commit} ({count} folds)" for commit, count in lines["commit"].value_counts().items())
    return provenance_of(commits, (*PACKAGES[:5], "imbalanced-learn"))


def score_table(scores: Scores) -> str:
    """Return the scores of every data set, the best in bold."""
    table = scores.table
    body = []
    for name, row in table.iterrows():
        cells = [f"**{score:.3f}**" if score == row.max() else f"{score:.3f}" for score in row]
        body.append([f"{name} \\*" if name in DAMAGED else str(name), *cells])
    body.append(["mean", *(f"{score:.3f}" for score in table.mean())])
    return markdown_table(["data", *table.columns], body)


def summary(scores: Scores) -> str:
    """Return one line per model: mean, ranks, how it compares with ours, and what it cost."""
    table = scores.table
    whole = table.drop(index=list(DAMAGED), errors="ignore").mean()
    ranks = [scores.ranks(names) for names in (list(table), scores.transparent, list(FOUR))]
    p = p_values(scores)
    body = []
    for name in table.mean().sort_values(ascending=False).index:
        own = scores.lines[scores.lines["model"] == name]
        kind = "transparent" if CONTENDERS[name].transparent else "black box"
        places = [f"{rank[name]:.2f}" if name in rank else "" for rank in ranks]
        end = [number(p.get(name), 2), f"{own['seconds'].sum():.0f}", at_the_ends(own)]
        body.append([name, kind, f"{table[name].mean():.4f}", f"{whole[name]:.4f}", *places, *end])
    return markdown_table(SUMMARY, body)


def at_the_ends(own: pd.DataFrame) -> str:
    """Say how often the first and the last setting was chosen, where settings are numbers."""
    if own["setting"].map(lambda setting: isinstance(setting, list)).any():
        return ""
    last = CONTENDERS[own["model"].iloc[0]].n_settings - 1
    return f"{(own['number'] == 0).sum()} and {(own['number'] == last).sum()} of {len(own)}"


def p_values(scores: Scores) -> dict[str, float]:
    """Corrected p-values of our model against every other one."""
    if SUBJECT not in scores.table:
        return {}
    others = [name for name in scores.table if name != SUBJECT]
    raw = [wilcoxon(scores.table[SUBJECT].to_numpy(), scores.table[name].to_numpy()) for name in others]
    return dict(zip(others, holm(raw).tolist(), strict=True))


def statement(scores: Scores) -> str:
    """Say whether the models differ at all, and from whom ours does."""
    found = []
    for words, names in (("all models", list(scores.table)), ("the transparent ones", scores.transparent)):
        if len(names) > 2:
            found.append(f"Friedman's test that {words} are alike: p = {friedman(scores.table[names].to_numpy()):.2g}.")
    p = p_values(scores)
    better, worse = (
        [name for name in p if p[name] < 0.05 and sign * (mean_of(scores, SUBJECT) - mean_of(scores, name)) > 0]
        for sign in (1, -1)
    )
    if p:
        found.append(f"{SUBJECT} is better than {listed(better)} and worse than {listed(worse)} at the level 0.05.")
    if scores.unfinished:
        words = [f"{name} ({count} folds)" for name, count in scores.unfinished.items()]
        found.append(f"Not measured on all data sets, and left out: {listed(words)}.")
    return " ".join(found)


def listed(names: list[str]) -> str:
    """Write names one after the other."""
    return ", ".join(names) or "none"


def mean_of(scores: Scores, name: str) -> float:
    """Mean over the data sets."""
    return float(scores.table[name].mean())


def weights_table(scores: Scores) -> str:
    """Return how many columns learned weights leave, and which count most."""
    own = scores.lines[(scores.lines["model"] == SUBJECT)]
    body = []
    for name in scores.table.index:
        folds = pd.DataFrame(own.loc[own["data"] == name, "weights"].tolist())
        mean = folds.mean().sort_values(ascending=False)
        largest = ", ".join(f"{column} {weight:.2f}" for column, weight in mean.iloc[:4].items())
        zeros = (folds == 0).sum(axis=1)
        body.append([name, str(folds.shape[1]), f"{zeros.mean():.1f}", largest])
    header = ["data", "columns", "of weight 0", "largest weights, mean of the folds"]
    return markdown_table(header, body)


def bars(scores: Scores) -> list[Bar]:
    """Return what is asked of learned weights beside what was measured."""
    asked = f"mean balanced accuracy of {SUBJECT} above plain {PLAIN} by at least {LEAST}"
    below = f"mean balanced accuracy of {SUBJECT} not below {FOREST}"
    best = f"best average rank of {SUBJECT} among"
    sets = ((listed(list(FOUR[1:])), list(FOUR)), ("all transparent models", scores.transparent))
    if SUBJECT not in scores.table:
        return [Bar(words, "", None) for words in (asked, *(f"{best} {who}" for who, _ in sets), below)]
    own = mean_of(scores, SUBJECT)
    found = []
    if PLAIN in scores.table:
        gain = own - mean_of(scores, PLAIN)
        found.append(Bar(asked, f"{gain:+.4f} ({own:.4f} against {mean_of(scores, PLAIN):.4f})", gain >= LEAST))
    for who, names in sets:
        ranks = scores.ranks(names)
        words = ", ".join(f"{name} {rank:.2f}" for name, rank in sorted(ranks.items(), key=lambda item: item[1]))
        found.append(Bar(f"{best} {who}", words, ranks[SUBJECT] <= min(ranks.values())))
    found.append(Bar(f"mean balanced accuracy of {SUBJECT} at least {WANTED}", f"{own:.4f}", own >= WANTED))
    if MACHINE in scores.table:
        beside = mean_of(scores, MACHINE)
        asked = f"mean balanced accuracy of {SUBJECT} not below {MACHINE} minus {SLACK}"
        found.append(Bar(asked, f"{own:.4f} against {beside:.4f}", own >= beside - SLACK))
    if FOREST in scores.table:
        found.append(Bar(below, f"{own:.4f} against {mean_of(scores, FOREST):.4f}", own >= mean_of(scores, FOREST)))
    return found


def text(paths: list[Path]) -> str:
    """Return the whole result."""
    scores = read(paths)
    parts = ["# Accuracy by nested cross-validation", provenance(scores.lines), PROTOCOL]
    parts += ["## Models", summary(scores), NOTES, statement(scores), "## Data sets", score_table(scores)]
    if SUBJECT in scores.table:
        parts += ["## What the learned weights leave", weights_table(scores)]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(scores))])
