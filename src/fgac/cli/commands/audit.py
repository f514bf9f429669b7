"""``fgac audit``: training rows whose labels, or numbers, the rest of the data contradicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fgac.cli import completion
from fgac.cli import options as o
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.settings import Settings

if TYPE_CHECKING:
    from fgac.cli.kinds import AnyKind
    from fgac.estimators._state import FittedState


SUFFIXES = (".csv", ".json", ".parquet", ".html", ".txt")


@takes_groups
def audit(
    data: Annotated[str, typer.Argument(metavar="DATA|MODEL", help=f"{o.TABLE_HELP} Or a model file.")],
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column to predict.",
            autocompletion=completion.columns,
            rich_help_panel=o.COLUMNS,
        ),
    ] = None,
    output: o.Output = None,
    n_rows: Annotated[int, typer.Option("--n-rows", "-n", min=1, metavar="NUMBER", help="How many to show.")] = 20,
    by: Annotated[
        o.RankBy | None,
        typer.Option(
            "--by",
            metavar="NAME",
            parser=o.one_of(o.RankBy),
            autocompletion=completion.names_of(o.RankBy),
            help="Doubt is membership: what rows of other classes take from the label; rest: also what rows of its "
            "own class do not give; or held_out: the mean of that and of what a model says that had not seen the row. "
            "By default held_out where the model has it, else rest. Of numbers, membership: how far others push the "
            "number; rest: beside what is usual; held_out: also how far off a model is that had not seen the row.",
        ),
    ] = None,
    *,
    settings: Settings,
    reading: Reading,
    spreadsheet_safe: o.SpreadsheetSafe = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """List the training rows whose labels are most in doubt.

    Doubt is how little the other rows, and a model that had not seen the row, speak for its label (see --by). It is no
    proof of a mistake: a row may be rare and right. Give a table and its --target, or a model that was trained on it.
    With --gamma and with more than 5000 rows there is no such model: only the other rows count then, and a gamma that
    was chosen for prediction may be large for finding wrong labels. Of ordered classes every boundary is audited. Of
    numbers, rows are listed whose numbers others contradict, first those that are most times as far off as is usual.
    Readable text on standard output, or a .csv, .json, .parquet, .txt or (of classes) .html file. CSV that is opened
    in a spreadsheet: see --spreadsheet-safe.
    """
    from fgac.cli.audit_tables import write_audit
    from fgac.cli.console import note, working
    from fgac.cli.io.roles import one_target
    from fgac.cli.io.writing import check_output, check_spreadsheet_safe, form_of

    check_output(output, SUFFIXES, data)
    form = ".json" if json and output is None else form_of(output, SUFFIXES)
    check_spreadsheet_safe(spreadsheet_safe, form)
    settings.check()
    settings.kind.check_audit(output)  # before training, which may take long
    check_held_out(by, data, settings)
    column = one_target(target) if target else None
    state, kind = audited_model(data, column, settings, reading, quiet=quiet)
    kind.check_audit(output)  # a model in a file may be of another kind than the options say
    with working("auditing", quiet=quiet):
        found = kind.audit(state, n_rows, by)
    write_audit(found, output, form, spreadsheet_safe=spreadsheet_safe)
    if output is not None:
        note(f"Audited {found.count()}: {output}", quiet=quiet)
        if json:
            from fgac.cli.json_output import print_written

            print_written(output, n_rows=found.found.n_rows, n_doubted=found.n_doubted)
    if kind.gains_by_smaller_gamma and settings.gamma is None and not counts_held_out(state, by):
        note(gamma_advice(state.gamma, data, by), quiet=quiet)


def audited_model(
    data: str, target: str | None, settings: Settings, reading: Reading, *, quiet: bool
) -> tuple[FittedState, AnyKind]:
    """The state of the model in a file, or of one that is trained on a table; and the kind of the model."""
    from fgac.cli.console import note
    from fgac.cli.errors import UsageError
    from fgac.cli.io.sources import is_table
    from fgac.cli.model_files import read_model
    from fgac.cli.training import read_training_table, train

    if not is_table(data):
        check_model_options(data, target, settings, reading)
        stored = read_model(data)
        return stored.state, stored.kind
    if not target:
        raise UsageError(f"--target is missing: which column of the table holds the {settings.kind.target_holds}?")
    table = read_training_table(data, target, settings, reading, quiet=quiet)
    model, how = train(table, settings, quiet=quiet)
    note(f"gamma {model.gamma:g}, {how}", quiet=quiet)
    from fgac.estimators._state import state_of

    return state_of(model), settings.kind


def check_model_options(data: str, target: str | None, settings: Settings, reading: Reading) -> None:
    """Refuse options that a model, which is trained already, has answers to."""
    from fgac.cli.errors import UsageError

    if target:
        raise UsageError(
            f"{data} is taken for a model because of its name, and a model knows its target; leave --target out, "
            "or give a table (.csv, .parquet, .xlsx, ...)"
        )
    for option, given in (("--numbers", settings.numbers), ("--order", settings.order)):
        if given:
            raise UsageError(f"{data} is a model, which knows what it predicts; leave {option} out, or give a table")
    if reading.given:
        raise UsageError(f"{data} is taken for a model because of its name; leave {reading.given} out, or give a table")


def check_held_out(by: o.RankBy | None, data: str, settings: Settings) -> None:
    """Refuse to count what models say that had not seen a row, where there will be none."""
    from fgac.cli.errors import UsageError
    from fgac.cli.io.sources import is_table

    if by is o.RankBy.held_out and settings.gamma is not None and is_table(data):
        raise UsageError(
            "--by held_out needs cross-validation, and with --gamma there is none; leave --gamma out, or use --by rest"
        )


def counts_held_out(state: FittedState, by: o.RankBy | None) -> bool:
    """Whether what models say that had not seen a row is part of the doubt."""
    return by in (None, o.RankBy.held_out) and getattr(state, "knows_held_out", False)


def gamma_advice(gamma: float, data: str, by: o.RankBy | None) -> str:
    """What may find more wrong labels than a gamma that is good for prediction."""
    from fgac.cli.io.sources import is_table

    where = "" if is_table(data) else ", with the table instead of the model"
    rest = " and --by rest" if by is o.RankBy.membership else ""
    return (
        f"gamma {gamma:g} may have been chosen for prediction, and be large for finding wrong labels: "
        f"try a smaller one (--gamma{where}){rest}."
    )
