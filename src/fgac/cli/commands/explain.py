"""``fgac explain``: predictions with the training rows that argue for and against them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from fgac.cli import options as o
from fgac.cli.change_options import ChangeOptions, note_unanswered, wanted_summary
from fgac.cli.errors import CommandError, UsageError, pluralize, warn
from fgac.cli.io.sources import Reading
from fgac.cli.option_groups import takes_groups
from fgac.cli.row_choice import RowChoice

if TYPE_CHECKING:
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.io.writing import CsvStyle
    from fgac.cli.kinds import AnyKind
    from fgac.cli.model_files import StoredModel
    from fgac.report.what_if import WhatIf


SUFFIXES = (".html", ".json", ".csv", ".parquet", ".txt")
# Forms that have room for training rows that others contradict.
WITH_AUDIT = (".html", ".json")
# Forms that begin with a card.
WITH_CARDS = ("", ".txt", ".html")
# A page in which values can be changed is as confidential as a model file.
HOLDS_ROWS = "The page contains the training rows; give it only to those who may see them"


@takes_groups
def explain(
    model: o.Model,
    data: o.Data,
    output: o.Output = None,
    *,
    choice: RowChoice,
    changes: ChangeOptions,
    reading: Reading,
    n_arguments: Annotated[
        int, typer.Option("--n-arguments", min=1, metavar="NUMBER", help="Arguments on each side.")
    ] = 3,
    about: Annotated[
        str | None,
        typer.Option(
            "--about",
            metavar="CLASS",
            help="Explain why rows are, or are not, of this class, instead of the predicted one.",
        ),
    ] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option(
            "--unit", metavar="COLUMN=UNIT", help="Unit of a column, or of predicted numbers, as in age=years. Repeat."
        ),
    ] = None,
    no_audit: Annotated[
        bool,
        typer.Option("--no-audit", help="Leave out what is said about doubted labels, or numbers, of training rows."),
    ] = False,
    what_if: Annotated[
        bool | None,
        typer.Option(
            "--what-if/--no-what-if",
            help="In .html, let a reader change values of a row and see what the model makes of them; the file then "
            "holds the training rows. By default if these take up to 2 MB.",
        ),
    ] = None,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    spreadsheet_safe: o.SpreadsheetSafe = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Explain predictions: how sure they are, which training rows argue for and against them, what would change them.

    Plain text on standard output (the first 5 rows unless --row, --first or --doubtful says otherwise), or a file:
    .html a report for the browser (first 50 rows), .json everything, .csv and .parquet one line per argument (and
    what would change the prediction as one text, in the column changes), .txt text. CSV that is opened in a
    spreadsheet: see --spreadsheet-safe.
    """
    from fgac.cli.console import note, note_left_out
    from fgac.cli.io.new_rows import new_rows
    from fgac.cli.io.sources import short_name
    from fgac.cli.io.streaming import read_table
    from fgac.cli.io.writing import CsvStyle, check_output, check_spreadsheet_safe, form_of
    from fgac.cli.json_output import print_written
    from fgac.cli.model_files import check_files, read_model

    check_output(output, SUFFIXES, data, model)
    form = ".json" if json and output is None else form_of(output, SUFFIXES)
    check_what_if(what_if, form)
    check_spreadsheet_safe(spreadsheet_safe, form)
    choice.check()
    check_files(model, data, reading)
    stored = read_model(model)
    units = stored.kind.read_units(unit or (), stored.feature_names or [], stored.target)
    stored.kind.check_about(about, stored.state)
    table = read_table(data, stored.missing_markers(missing), reading)
    truth = changes.truth_column(table.names, stored)
    asked = changes.settings(table.names, stored)
    rows = new_rows(table, stored, id=id, target=truth, drop_missing=drop_missing, quiet=quiet)
    note_left_out(rows.n_left_out, quiet=quiet)
    source = short_name(data)
    chosen, which = chosen_rows(choice, stored, rows, source, form, quiet=quiet)
    audit = form in WITH_AUDIT and not no_audit
    found = explained(
        stored,
        chosen,
        n_arguments,
        units,
        audit=audit,
        about=about,
        changes=asked,
        cards=form in WITH_CARDS,
        quiet=quiet,
    )
    warn_if_known(found, stored.kind)
    if asked is not None:
        note_unanswered(found, quiet=quiet)
    if found.model.selection is not None:
        from fgac.text.held_out import describe

        note(f"The model: {describe(found.model.selection)}.", quiet=quiet)
    title = f"{source}, explained" if stored.target is None else f"{stored.target} in {source}, explained"
    part = changeable(found, stored, what_if) if form == ".html" else None
    page = Page(title, which, len(chosen) < len(rows), part)
    style = CsvStyle(stored.kind.csv_decimals, spreadsheet_safe)
    summary = "" if asked is None else wanted_summary(found, asked, changes.goal(table.names), stored)
    write(found, stored.kind, output, form, page, style, summary=summary)
    if output is not None:
        note(f"Explained {pluralize(len(found), 'row')}: {output}", quiet=quiet)
        if json:
            print_written(output, n_rows=len(found))
    if part is not None:
        note(f"{part.notice or HOLDS_ROWS}.", quiet=quiet)


def chosen_rows(
    choice: RowChoice, stored: StoredModel, rows: NewRows, source: str, form: str, *, quiet: bool
) -> tuple[NewRows, str]:
    """The rows to explain, and which rows of the source these are, in words."""
    from fgac.cli.console import note

    chosen = choice.positions(stored, rows, form)
    if len(chosen) < len(rows) and choice.is_default:
        hint = "choose others with --row, --first or --doubtful"
        note(f"Explaining the first {len(chosen)} of {len(rows)} rows; {hint}.", quiet=quiet)
    return rows.take(chosen), choice.describe(len(chosen), len(rows), source, stored.kind.least_certain)


def explained(
    stored: StoredModel,
    rows: NewRows,
    n_arguments: int,
    units: dict[str, str],
    *,
    audit: bool,
    about: str | None,
    changes: dict[str, Any] | None,
    cards: bool,
    quiet: bool,
) -> Any:
    """Explanations of some rows, of a class if one is given; if asked with what would change them, and doubted rows."""
    from fgac.cli.console import working

    with working("explaining", quiet=quiet):
        return stored.kind.explain(
            stored.state,
            rows,
            n_arguments=n_arguments,
            units=units,
            audit=audit,
            about=about,
            counterfactuals=changes,
            cards=cards,
        )


def warn_if_known(found: Any, kind: AnyKind) -> None:
    """Warn if most of the rows are training rows, about which the model is surer than about others."""
    n_known = sum(is_training_row(item, kind) for item in found)
    if 2 * n_known > len(found):
        are = "is a training row" if n_known == 1 else "are training rows"
        warn(f"{n_known} of {pluralize(len(found), 'row')} {are}: on new rows the model is less sure, and errs more")


def is_training_row(explanation: Any, kind: AnyKind) -> bool:
    """Whether an explained row is one of those that speak for it most strongly."""
    # A distance of 0 alone is no sign: a new row may have the values of a training row.
    firsts = [side[0] for side in kind.supporting_sides(explanation) if side]
    return any(first.distance == 0 and explanation.id in (first.id, *first.alike) for first in firsts)


class Page(NamedTuple):
    """What stands above explanations in HTML."""

    title: str
    note: str
    is_chosen: bool
    what_if: WhatIf | None


def check_what_if(what_if: bool | None, form: str) -> None:
    """Refuse to let a reader change values where nothing can be computed."""
    if what_if and form != ".html":
        raise UsageError("--what-if is for a report in HTML; write one (-o report.html), or leave it out")


def changeable(found: Any, stored: StoredModel, what_if: bool | None) -> WhatIf | None:
    """The part of a page in which a reader changes values, if it is to have one."""
    from fgac.report.what_if import what_if_part

    try:
        return what_if_part(found, stored.state, what_if)
    except ValueError as error:
        raise CommandError(
            str(error).replace("leave what_if out, or set it to False", "leave --what-if out")
        ) from error


def write(
    found: Any, kind: AnyKind, output: Path | None, form: str, page: Page, style: CsvStyle, *, summary: str
) -> None:
    """Write explanations in the form that the output asks for.

    The summary is of what would change them, if that was asked: then text begins with it, pages have it in their note,
    and tables have a column of changes.
    """
    from fgac.cli.cards import print_explanations, text_with_cards
    from fgac.cli.explanation_tables import with_changes
    from fgac.cli.io.writing import write_records, write_string
    from fgac.cli.json_output import print_json

    if output is None and form == ".json":
        print_json(found.to_dict())
    elif output is None:
        print_explanations(found, summary)
    elif form == ".html":
        note = ". ".join(filter(None, (page.note, summary)))
        found.to_html(output, **page._replace(note=note)._asdict())
    elif form == ".json":
        found.to_json(output)
    elif form in (".csv", ".parquet"):
        tell = with_changes if summary else (lambda records, _: records)
        records = [record for item in found for record in tell(kind.argument_rows(item), item)]
        write_records(records, output, form, style)
    else:
        write_string(text_with_cards(found, summary) + "\n", output)
