"""What is known of a fitted model by itself, in lines of a name and some words: for notebooks and ``fgac info``."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fgac.explanation.model_facts import ColumnFacts, ModelFacts, PathFacts, ProofFacts
from fgac.text.held_out import describe as describe_selection
from fgac.text.words import format_number, format_value, in_list, listed, on_one_line, quoted

# Classes, columns and settings that are listed one by one; the others are only counted.
N_CLASSES, N_COLUMNS = 12, 40


def lines(facts: ModelFacts) -> Iterator[tuple[str, str]]:
    """What is known of a model but for its columns: names, and what is to be said about them.

    >>> from fgac import FGAClassifier
    >>> from fgac.estimators._state import state_of
    >>> from fgac.explainers.model_facts import model_facts
    >>> facts = model_facts(state_of(FGAClassifier(gamma=2.0).fit([[0.0], [1.0]], ["no", "yes"])))
    >>> [text for name, text in lines(facts) if name in ("classes", "gamma", "rows")]
    ['no (1), yes (1)', '2 training rows', '2, as given']
    """
    what = f"{facts.target} ({facts.predicts})" if facts.target else facts.predicts
    yield "predicts", on_one_line(what)
    if facts.numbers is not None:
        yield "numbers", f"{format_number(facts.numbers.least)} to {format_number(facts.numbers.most)}"
    if facts.classes is not None:
        yield "classes", classes_text(facts)
    yield "rows", f"{facts.n_rows} training rows"
    if facts.path is None:
        yield "gamma", f"{facts.gamma:g}, {'as given' if facts.selection is None else 'chosen by cross-validation'}"
    else:
        yield "path", path_text(facts.path)
    yield "metric", facts.metric if facts.scale in (None, "auto") else f"{facts.metric}, scale {facts.scale}"
    yield "loss", facts.loss.replace("_", " ")
    if facts.selection is not None:
        yield "cross validated", describe_selection(facts.selection).removeprefix("cross-validated ")
    if facts.classes is not None:
        yield "calibrated", "yes, on rows held out" if facts.calibrated else "no: degrees are no probabilities"
    yield "optimal", proof_text(facts.proof)


def classes_text(facts: ModelFacts) -> str:
    """The classes and how many rows they have, from the lowest where they have an order."""
    sizes = [f"{format_value(each.label)} ({each.n_rows})" for each in facts.classes or ()]
    more = len(sizes) - N_CLASSES
    shown = (" < " if facts.predicts == "ordered classes" else ", ").join(sizes[:N_CLASSES])
    return f"{shown} and {more} more" if more > 0 else shown


def path_text(path: PathFacts) -> str:
    """Between which gammas there is a model, and how often it changes."""
    found = f"a model for every gamma from {path.gamma_min:g} on, the same from {path.gamma_max:g} on"
    return f"{found}; {path.n_events} events at {path.n_breakpoints} gammas"


def proof_text(proof: ProofFacts) -> str:
    """Whether every problem that was solved is proved to be, and by what."""
    said = "proved" if proof.is_optimal else "NOT proved"
    return f"{said}: largest violation {at_most(proof.largest_violation)}, duality gap {at_most(proof.duality_gap)}"


def at_most(value: float) -> str:
    """The least power of ten that is not below a residual, so that rounding noise does not show.

    >>> at_most(3.1e-15)
    'at most 1e-14'
    >>> at_most(-0.0)
    '0'
    """
    if not math.isfinite(value):
        return "unknown"
    if abs(value) == 0:  # of -0.0, too
        return "0"
    return f"at most 1e{math.ceil(math.log10(abs(value))):d}"


def directions_text(columns: Sequence[ColumnFacts], effect: str) -> str:
    """Which columns can do what: "only more of 'income' and less of 'debt' can speak for paid, never the opposite"."""
    words = {1: "more", -1: "less"}
    ordered = sorted((column for column in columns if column.direction), key=lambda column: -column.direction)
    parts = [f"{words[column.direction]} of {quoted(column.name)}" for column in ordered]
    return f"only {listed(parts)} can {effect}, never the opposite" if parts else ""


def weights_text(columns: Sequence[ColumnFacts]) -> str:
    """How much columns count, if not all the same."""
    if len({column.weight for column in columns}) == 1:
        return ""
    shown = ", ".join(f"{in_list(on_one_line(column.name))} {column.weight:.2g}" for column in columns[:N_COLUMNS])
    return f"{shown} and {len(columns) - N_COLUMNS} more" if len(columns) > N_COLUMNS else shown


def settings_text(settings: Mapping[str, Any]) -> str:
    """Parameters that are not at their defaults."""
    return ", ".join(f"{name}={value!r:.60}" for name, value in settings.items())


def column_cells(column: ColumnFacts, *, score: bool, way: bool) -> list[str]:
    """A column as cells of a table: its name, kind and weight, and if asked its share of the score and direction."""
    kind = column.kind if column.n_categories is None else f"{column.kind} ({column.n_categories})"
    cells = [on_one_line(column.name), kind, f"{column.weight:.3g}"]
    cells += [f"{column.score_weight:.3g}"] if score else []
    return cells + ([{1: "rising", -1: "falling", 0: ""}[column.direction]] if way else [])


def column_headings(columns: Sequence[ColumnFacts]) -> tuple[list[str], dict[str, bool]]:
    """The headings of such a table, and what to ask :func:`column_cells` for."""
    asked = {
        "score": any(column.score_weight for column in columns),
        "way": any(column.direction for column in columns),
    }
    more = [*(["in the score"] if asked["score"] else []), *(["direction"] if asked["way"] else [])]
    return ["column", "kind", "weight", *more], asked
