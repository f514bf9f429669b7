"""Conclusions of Sections 6.3 and 7.3: FGAC and other methods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fgac._tolerances import TABLE_SCORE_TOL
from fgac.experiments.claims.base import (
    SILENT,
    Conclusion,
    Evidence,
    Reading,
    alike,
    different,
    p_value,
    stated,
    tested,
)
from fgac.experiments.results import published
from fgac.experiments.results.score_table import ScoreTable, together
from fgac.experiments.results.statistics import LEAST_ROWS, against_others, average_ranks, friedman
from fgac.experiments.results.tables import FEW, MODELS, Scores

# Scores that differ by more would be told apart in the paper's tables.
DECISIVE = 0.0005


def _nested(evidence: Evidence) -> ScoreTable | None:
    table = together({"nested": evidence.nested.only(published.PAPER)}, [f"nested.{model}" for model in MODELS])
    return table if len(table.rows) >= LEAST_ROWS else None


def _fourth(table: ScoreTable | None) -> Reading:
    if table is None or len(table.rows) < LEAST_ROWS:
        return SILENT
    ranks = average_ranks(table.values)
    worse = int(np.count_nonzero(ranks > ranks[0]))
    return Reading(", ".join(f"{rank:.2f}" for rank in ranks), worse == 1 and bool(ranks[-1] > ranks[0]))


def _pairs(table: ScoreTable | None) -> Reading:
    if table is None or len(table.rows) < LEAST_ROWS:
        return SILENT
    values = against_others(table, table.columns[0]).p_values
    return Reading(f"p = {', '.join(map(p_value, values))}", all(map(alike, values)))


def about_models(evidence: Evidence) -> Iterator[Conclusion]:
    """FGAC against four other methods."""
    columns = [f"models.{model}" for model in MODELS]
    printed, ours = together(evidence.printed, columns), together(evidence.ours, columns)
    nested = _nested(evidence)
    n_rows = 0 if nested is None else len(nested.rows)
    apart = "" if n_rows in (0, len(published.PAPER)) else f" The second run has {n_rows} data sets."
    p_nested = float("nan") if nested is None else friedman(nested.values)
    yield Conclusion(
        "models_differ",
        "6.3",
        "The five methods differ.",
        f"p = {stated('models_differ')}",
        tested("models_differ", evidence.printed, different),
        tested("models_differ", evidence.ours, different),
        Reading(f"p = {p_value(p_nested)}", different(p_nested)) if p_nested == p_nested else SILENT,
        note=f"Friedman.{apart}",
    )
    yield Conclusion(
        "models_ranks",
        "6.3",
        "FGAC is fourth of five by average rank: only CART is worse.",
        stated(*(f"models_rank_{model}" for model in MODELS)),
        _fourth(printed),
        _fourth(ours),
        _fourth(nested),
        note="Average ranks of FGAC, kFRNN, kNN, LVQ, CART; equal scores share theirs (the paper ranks them in "
        "the order of the columns).",
    )
    pairs = [f"models_against_{model}" for model in MODELS[1:]]
    yield Conclusion(
        "models_pairs",
        "6.3",
        "No method is significantly better than FGAC, nor FGAC than CART.",
        f"p = {stated(*pairs)}",
        _pairs(printed),
        _pairs(ours),
        _pairs(nested),
        note="Wilcoxon without correction, FGAC against kFRNN, kNN, LVQ, CART. Not significant is not equal: the test "
        "has 18 pairs to go by.",
    )


def about_ionosphere(evidence: Evidence) -> Iterator[Conclusion]:
    """The data set on which FGAC leads most."""
    printed = published.tables()["models"]
    yield Conclusion(
        "ionosphere",
        "6.3",
        "FGAC is the best method on ionosphere, its largest lead in the table.",
        "0.938",
        _wins(printed),
        _wins(evidence.ours["models"]),
        _wins(evidence.nested),
        note="Balanced accuracy of FGAC, kFRNN, kNN, LVQ, CART.",
    )
    found = evidence.ionosphere
    if found is None:
        return
    scores = [f"{found[key]['score']:.3f}" for key in ("first_as_named", "first_swapped", "nearest_as_named")]
    same = abs(found["first_as_named"]["score"] - found["first_swapped"]["score"]) < DECISIVE
    yield Conclusion(
        "ionosphere_names",
        "6.3",
        "This does not depend on which of the two classes is named first.",
        "not mentioned",
        as_published=Reading(f"{scores[0]}; names swapped: {scores[1]}", same),
        note=f"{found['tied']:.0%} of the test rows resemble nothing, both classes tie, and the first one wins. The "
        f"rule that the nearer class wins gives {scores[2]} for both orders of the names.",
    )


def _wins(table: ScoreTable) -> Reading:
    if not all(("ionosphere", model) in table for model in MODELS):
        return SILENT
    row = [table["ionosphere", model] for model in MODELS]
    return Reading(", ".join(f"{score:.3f}" for score in row), row[0] > max(row[1:]))


def about_transparency(evidence: Evidence) -> Iterator[Conclusion]:
    """FGAC against nearest neighbours with few neighbours."""
    yield Conclusion(
        "many_neighbours",
        "7.3",
        "kNN and kFRNN reach most of their scores with more than 5 neighbours.",
        "",
        as_published=_many(evidence.scores),
        note="Number of data sets whose best setting is above 5, or all.",
    )
    yield Conclusion(
        "transparent_differ",
        "7.3",
        "FGAC and the transparent variants of kNN and kFRNN (k = 1, k <= 5) differ.",
        "p of order 1e-9",
        tested("transparent_differ", evidence.printed, different),
        tested("transparent_differ", evidence.ours, different),
        note="Friedman.",
    )
    yield Conclusion(
        "transparent_wins",
        "7.3",
        "FGAC is the best of them on most data sets.",
        "13 of 18, counted in the table",
        _most_wins(evidence.printed["transparent"]),
        _most_wins(evidence.ours["transparent"]),
    )
    yield Conclusion(
        "transparent_best",
        "7.3",
        "FGAC is significantly the best of them.",
        f"p = {stated('transparent_best')}",
        tested("transparent_best", evidence.printed, different),
        tested("transparent_best", evidence.ours, different),
        note="Holm with Wilcoxon; kFRNN has the supremum similarity, with which alone the published columns come out.",
    )
    yield Conclusion(
        "transparent_best_as_described",
        "7.3",
        "FGAC is significantly the best of them, with kFRNN as the text describes it.",
        f"p = {stated('transparent_best')}",
        as_published=_best_of(evidence.ours.get("transparent_as_described")),
        note="Holm with Wilcoxon; kFRNN has the Euclidean similarity, as in the comparison of five methods.",
    )


def _many(scores: Scores) -> Reading:
    datasets = [name for name in scores.datasets if name in published.PAPER]
    counts = {}
    for method in ("knn", "kfrnn"):
        settings = [scores.best(dataset, method).setting for dataset in datasets]
        if not settings or None in settings:
            return SILENT
        counts[method] = sum(isinstance(k, str) or (k is not None and k > FEW) for k in settings)
    text = ", ".join(f"{count} of {len(datasets)} ({method})" for method, count in counts.items())
    return Reading(text, all(count > len(datasets) / 2 for count in counts.values()))


def _most_wins(table: ScoreTable) -> Reading:
    known = table.values[np.isfinite(table.values).all(axis=1)]
    if len(known) < LEAST_ROWS:
        return SILENT
    wins = int(np.count_nonzero(known[:, 0] >= known.max(axis=1) - TABLE_SCORE_TOL))
    return Reading(f"{wins} of {len(known)}", wins > len(known) / 2)


def _best_of(table: ScoreTable | None) -> Reading:
    """Whether FGAC is significantly the best of a table."""
    if table is None:
        return SILENT
    complete = table.values[np.isfinite(table.values).all(axis=1)]
    if len(complete) < LEAST_ROWS:
        return SILENT
    final = against_others(ScoreTable(table.name, (), table.columns, complete), "fgac").final
    ranks = average_ranks(complete)
    return Reading(f"p = {p_value(final)}", different(final) and bool(ranks[0] == ranks.min()))
