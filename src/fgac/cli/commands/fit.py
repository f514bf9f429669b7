"""``fgac fit``: train a model on a table and write it to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import completion
from fgac.cli import options as o
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.settings import FitSettings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.kinds import AnyKind
    from fgac.estimators._state import FittedState


@takes_groups
def fit(
    data: o.Data,
    target: o.Target,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Model file, model.fgac for example.",
            autocompletion=completion.files,
            rich_help_panel=o.OUTPUT,
        ),
    ],
    *,
    ids_only: Annotated[
        bool,
        typer.Option(
            "--ids-only",
            help="Keep ids and scaled values of the training rows, not the values as given.",
            rich_help_panel=o.OUTPUT,
        ),
    ] = False,
    settings: FitSettings,
    reading: Reading,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Train a model on a table and write it to a file.

    Columns of numbers are taken as numeric, dates as days, all others as names; what was found is shown first. Numbers
    that stand for categories must be named with --nominal. Empty cells count as unknown. Identifiers, and columns
    without values, are left out. The target holds classes, unless --numbers or --order says otherwise. The model file
    contains the training rows. With --quiet nothing is said but errors and warnings.
    """
    from fgac._atomic import is_stream
    from fgac.cli.console import message_console, output_console, print_line
    from fgac.cli.io.roles import one_target
    from fgac.cli.io.writing import check_output
    from fgac.cli.model_files import store_model
    from fgac.cli.training import read_training_table, train

    check_output(output, (), data)  # a model file may be called anything
    settings.check()
    column = one_target(target)
    table = read_training_table(data, column, settings, reading, quiet=quiet)
    model, how = train(table, settings, quiet=quiet)
    store_model(model, output, settings.roles(column), values=not ids_only, dates=table.dates)
    if json and not is_stream(output):
        print_info(output)
        return
    if quiet:
        return
    # Where the model goes through a stream, that may be standard output.
    console = message_console() if is_stream(output) else output_console()
    print_line(f"Model written to {output}", console)
    console.print(summary(model, settings.kind, table, how))


def print_info(output: Path) -> None:
    """What is in the file that was written, as ``fgac info --json`` says it."""
    from fgac.cli.json_output import print_json
    from fgac.cli.model_info import info_document
    from fgac.persistence import open_model_file

    print_json(info_document(str(output), open_model_file(output)))


def summary(model: Any, kind: AnyKind, table: TrainingTable, how: str) -> RenderableType:
    """What was trained, as lines; ``how`` says how gamma was found."""
    from fgac.cli.console import key_value_table
    from fgac.cli.errors import pluralize
    from fgac.cli.model_info import HOLDS_ROWS
    from fgac.estimators._state import state_of
    from fgac.explainers.model_facts import model_facts
    from fgac.text.model_facts import directions_text, proof_text, weights_text

    state = state_of(model)
    facts = model_facts(state)
    return key_value_table(
        rows=f"{len(table.y)} in {pluralize(len(table.columns), 'column')}, {len(table.nominal)} of them nominal",
        **kind.summarize_target(state, table),
        gamma=f"{state.gamma:g}, {how}",
        argued=_argued(state),
        **kind.summarize_extras(state),
        monotone=directions_text(facts.columns, kind.direction_effect(state)),
        weights=weights_text(facts.columns),
        optimal=proof_text(facts.proof),
        note=HOLDS_ROWS,
    )


def _argued(state: FittedState) -> str:
    """For how many of the rows held out some training row argued, and how strongly."""
    from fgac.cli.evaluation_tables import argued

    found = state.selection
    return "" if found is None else argued(found.argued_share, found.median_strength, "rows held out")
