"""``fgac fit``: train a model on a table and write it to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import options as o
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.settings import FitSettings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.cli.io.training_table import TrainingTable
    from fgac.cli.kinds import AnyKind
    from fgac.estimators._state import FittedState
    from fgac.solve import Solution
    from fgac.tables.columns import Column


@takes_groups
def fit(
    data: o.Data,
    target: o.Target,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Model file, model.fgac for example.")],
    *,
    ids_only: Annotated[
        bool,
        typer.Option("--ids-only", help="Keep ids and scaled values of the training rows, not the values as given."),
    ] = False,
    settings: FitSettings,
    reading: Reading,
    quiet: o.Quiet = False,
) -> None:
    """Train on a table and write the model to a file; with --quiet, say nothing but errors and warnings.

    Columns of numbers are taken as numeric, dates as days, all others as names; what was found is shown first. Numbers
    that stand for categories must be named with --nominal. Empty cells count as unknown. Identifiers, and columns
    without values, are left out. The target holds classes, unless --numbers or --order says otherwise. The model file
    contains the training rows.
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
    if quiet:
        return
    # Where the model goes through a stream, that may be standard output.
    console = message_console() if is_stream(output) else output_console()
    print_line(f"Model written to {output}", console)
    console.print(summary(model, settings.kind, table, how))


def summary(model: Any, kind: AnyKind, table: TrainingTable, how: str) -> RenderableType:
    """What was trained, as lines; ``how`` says how gamma was found."""
    from fgac.cli.console import key_value_table
    from fgac.cli.errors import pluralize
    from fgac.estimators._state import state_of

    state = state_of(model)
    columns = state.table.columns
    return key_value_table(
        rows=f"{len(table.y)} in {pluralize(len(table.columns), 'column')}, {len(table.nominal)} of them nominal",
        **kind.summarize_target(state, table),
        gamma=f"{state.gamma:g}, {how}",
        argued=_argued(state),
        **kind.summarize_extras(state),
        monotone=_directions(state, columns, kind),
        weights=_weights(state, columns),
        optimal=_proof(kind.solutions(state)),
        note="The file contains the training rows; give it only to those who may see them.",
    )


def _argued(state: FittedState) -> str:
    """For how many of the rows held out some training row argued, and how strongly."""
    from fgac.cli.evaluation_tables import argued

    found = state.selection
    return "" if found is None else argued(found.argued_share, found.median_strength, "rows held out")


def _proof(solutions: tuple[Solution, ...]) -> str:
    """Whether every problem that was solved is proved to be, and by what."""
    from fgac.cli.console import at_most

    violation = max(solution.largest_violation for solution in solutions)
    gap = max((solution.duality_gap for solution in solutions), key=abs)
    # The signed gap is rounding around 0, so the largest in size is the worst.
    proof = "proved" if all(solution.is_optimal() for solution in solutions) else "NOT proved"
    return f"{proof}: largest violation {at_most(violation)}, duality gap {at_most(gap)}"


def _directions(state: FittedState, columns: Sequence[Column], kind: AnyKind) -> str:
    """Which columns can do what: "only more of 'income' and less of 'debt' can speak for paid, never the opposite"."""
    from fgac.text.words import listed, quoted

    words = {1: "more", -1: "less"}
    parts = [f"{words[column.direction]} of {quoted(column.name)}" for column in columns if column.direction]
    return f"only {listed(parts)} can {kind.direction_effect(state)}, never the opposite" if parts else ""


def _weights(state: FittedState, columns: Sequence[Column]) -> str:
    """How much columns count, if not all the same."""
    if len({column.weight for column in columns}) == 1:
        return ""
    from fgac.cli.console import N_LISTED
    from fgac.text.words import on_one_line

    by_weight = sorted(columns, key=lambda column: -column.weight)
    shown = ", ".join(f"{on_one_line(column.name)} {column.weight:.2g}" for column in by_weight[:N_LISTED])
    return f"{shown} and {len(columns) - N_LISTED} more" if len(columns) > N_LISTED else shown
