"""What is told of a model by itself: lines of ``fgac info`` and of what ``fgac fit`` says, and the JSON of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.cli.kinds import AnyKind
    from fgac.explanation.model_facts import ColumnFacts, ModelFacts
    from fgac.persistence import OpenedFile

HOLDS_ROWS = "The file contains the training rows; give it only to those who may see them."


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
    from fgac.text.model_facts import directions_text, lines, settings_text

    facts, kind = facts_of(opened), kind_of_file(opened)
    state = opened.model if facts.path is None else opened.model.state
    known = {name.replace(" ", "_"): text for name, text in lines(facts)}
    proof = known.pop("optimal")
    table = key_value_table(
        model=facts.estimator,
        **known,
        **kind.summarize_extras(state),
        monotone=directions_text(facts.columns, kind.direction_effect(state)),
        settings=settings_text(facts.settings),
        optimal=proof,
        notes=_notes_text(opened.notes),
        file=f"{_size_text(opened.size)}, format {opened.version}, written by fgac {opened.writer}",
        note=HOLDS_ROWS,
    )
    return Group(table, *(("", columns_table(facts.columns)) if facts.columns else ()))


def columns_table(columns: Sequence[ColumnFacts]) -> RenderableType:
    """The columns that a model compares, those that count most first."""
    from rich.console import Group

    from fgac.cli.console import N_LISTED, plain_table
    from fgac.text.model_facts import column_cells, column_headings

    headings, asked = column_headings(columns)
    table = plain_table(*headings, right=("weight", "in the score"))
    for column in columns[:N_LISTED]:
        table.add_row(*column_cells(column, **asked))
    more = len(columns) - N_LISTED
    return Group(table, f"and {more} more") if more > 0 else table


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
