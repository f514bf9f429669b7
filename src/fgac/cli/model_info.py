"""What is told of a model by itself: lines of ``fgac info`` and of what ``fgac fit`` says, and the JSON of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.cli.kinds import AnyKind
    from fgac.explanation.model_facts import ColumnFacts, ModelFacts, PathFacts, ProofFacts
    from fgac.persistence import OpenedFile

HOLDS_ROWS = "The file contains the training rows; give it only to those who may see them."
# Classes that are listed one by one; the others are only counted.
N_CLASSES = 12


def facts_of(opened: OpenedFile) -> ModelFacts:
    """What is known of the model in a file, or of the path of models."""
    from fgac.estimators._state import FittedState
    from fgac.explainers.model_facts import model_facts, path_facts

    return model_facts(opened.model) if isinstance(opened.model, FittedState) else path_facts(opened.model)


def kind_of_file(opened: OpenedFile) -> AnyKind:
    """The kind of the model; a path holds models of classes."""
    from fgac.cli.kinds import kind_of
    from fgac.estimators._state import FittedState

    return kind_of(opened.model if isinstance(opened.model, FittedState) else opened.model.state)


def info_document(path: str, opened: OpenedFile) -> dict[str, Any]:
    """Everything that is known of a model file, as JSON has it; the fields are described in docs/command_line.md."""
    from fgac._serialize import to_plain

    return {
        "file": path,
        "bytes": opened.size,
        "format_version": opened.version,
        "written_by": opened.writer,
        "holds_training_rows": True,
        **to_plain(facts_of(opened)),
        "notes": dict(opened.notes),
    }


def info_lines(opened: OpenedFile) -> RenderableType:
    """What is known of a model file, as lines, with a table of its columns."""
    from rich.console import Group

    from fgac.cli.console import key_value_table

    facts, kind = facts_of(opened), kind_of_file(opened)
    state = opened.model if facts.path is None else opened.model.state
    lines = key_value_table(
        model=f"{facts.estimator}, predicts {facts.predicts}",
        predicts=facts.target or "",
        **_target_lines(facts, kind),
        rows=f"{facts.n_rows} training rows",
        gamma=gamma_text(facts),
        path="" if facts.path is None else path_text(facts.path),
        metric=_metric_text(facts),
        loss=facts.loss.replace("_", " "),
        cross_validated=_selection_text(facts),
        calibrated=_calibrated_text(facts),
        **kind.summarize_extras(state),
        monotone=directions_text(facts.columns, kind.direction_effect(state)),
        settings=_settings_text(facts.settings),
        optimal=proof_text(facts.proof),
        notes=_notes_text(opened.notes),
        file=f"{_size_text(opened.size)}, format {opened.version}, written by fgac {opened.writer}",
        note=HOLDS_ROWS,
    )
    return Group(lines, *(("", columns_table(facts.columns)) if facts.columns else ()))


def columns_table(columns: Sequence[ColumnFacts]) -> RenderableType:
    """The columns that a model compares, those that count most first."""
    from rich.console import Group

    from fgac.cli.console import N_LISTED, plain_table
    from fgac.text.words import on_one_line

    score = ("in the score",) if any(column.score_weight for column in columns) else ()
    ways = ("direction",) if any(column.direction for column in columns) else ()
    table = plain_table("column", "kind", "weight", *score, *ways, right=("weight", *score))
    for column in columns[:N_LISTED]:
        kind = column.kind if column.n_categories is None else f"{column.kind} ({column.n_categories})"
        cells = [f"{column.weight:.3g}", *(f"{column.score_weight:.3g}" for _ in score)]
        cells += [{1: "rising", -1: "falling", 0: ""}[column.direction] for _ in ways]
        table.add_row(on_one_line(column.name), kind, *cells)
    more = len(columns) - N_LISTED
    return Group(table, f"and {more} more") if more > 0 else table


def gamma_text(facts: ModelFacts) -> str:
    """Gamma, and where it comes from."""
    if facts.path is not None:
        return ""
    return f"{facts.gamma:g}, {'as given' if facts.selection is None else 'chosen by cross-validation'}"


def path_text(path: PathFacts) -> str:
    """Between which gammas there is a model, and how often it changes."""
    found = f"a model for every gamma from {path.gamma_min:g} on, the same from {path.gamma_max:g} on"
    return f"{found}; {path.n_events} events at {path.n_breakpoints} gammas"


def proof_text(proof: ProofFacts) -> str:
    """Whether every problem that was solved is proved to be, and by what."""
    from fgac.cli.console import at_most

    said = "proved" if proof.is_optimal else "NOT proved"
    return f"{said}: largest violation {at_most(proof.largest_violation)}, duality gap {at_most(proof.duality_gap)}"


def directions_text(columns: Sequence[ColumnFacts], effect: str) -> str:
    """Which columns can do what: "only more of 'income' and less of 'debt' can speak for paid, never the opposite"."""
    from fgac.text.words import listed, quoted

    words = {1: "more", -1: "less"}
    parts = [f"{words[column.direction]} of {quoted(column.name)}" for column in columns if column.direction]
    return f"only {listed(parts)} can {effect}, never the opposite" if parts else ""


def weights_text(columns: Sequence[ColumnFacts]) -> str:
    """How much columns count, if not all the same."""
    if len({column.weight for column in columns}) == 1:
        return ""
    from fgac.cli.console import N_LISTED
    from fgac.text.words import on_one_line

    shown = ", ".join(f"{on_one_line(column.name)} {column.weight:.2g}" for column in columns[:N_LISTED])
    return f"{shown} and {len(columns) - N_LISTED} more" if len(columns) > N_LISTED else shown


def _target_lines(facts: ModelFacts, kind: Any) -> dict[str, str]:
    from fgac.text.words import format_number

    if facts.classes is None:
        assert facts.numbers is not None  # what is not classes is numbers
        return {"numbers": f"{format_number(facts.numbers.least)} to {format_number(facts.numbers.most)}"}
    sizes = [f"{each.label} ({each.n_rows})" for each in facts.classes]
    more = len(sizes) - N_CLASSES
    shown = kind.separator.join(sizes[:N_CLASSES])
    return {"classes": f"{shown} and {more} more" if more > 0 else shown}


def _metric_text(facts: ModelFacts) -> str:
    scale = "" if facts.scale in (None, "auto") else f", scale {facts.scale}"
    return f"{facts.metric}{scale}"


def _selection_text(facts: ModelFacts) -> str:
    from fgac.text.held_out import describe

    return "" if facts.selection is None else describe(facts.selection).removeprefix("cross-validated ")


def _calibrated_text(facts: ModelFacts) -> str:
    if facts.classes is None:
        return ""
    return "yes, on rows held out" if facts.calibrated else "no: degrees are not probabilities"


def _settings_text(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r:.60}" for name, value in settings.items())


def _notes_text(notes: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value:.60}" for name, value in notes.items() if name != "target")


def _size_text(n_bytes: int) -> str:
    """The size of a file in words.

    >>> _size_text(900), _size_text(23_456), _size_text(12_345_678)
    ('900 bytes', '23 kB', '12.3 MB')
    """
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    return f"{n_bytes / 1000:.0f} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:.1f} MB"
