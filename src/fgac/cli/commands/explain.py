"""``fgac explain``: predictions with the training rows that argue for and against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from fgac.cli import options as o
from fgac.cli.errors import UsageError, known_column, pluralize, warn

if TYPE_CHECKING:
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.model_files import Model
    from fgac.explanation.classification import Explanations
    from fgac.explanation.ordinal import OrdinalExplanations
    from fgac.explanation.regression import RegressionExplanations

    AnyExplanations: TypeAlias = Explanations | OrdinalExplanations | RegressionExplanations


SUFFIXES = (".html", ".json", ".csv", ".parquet", ".txt")

# Rows that are explained unless the user says which: more text than this nobody reads.
N_DEFAULT = {"": 5, ".txt": 5, ".html": 50}


def explain(
    model: o.Model,
    data: o.Data,
    output: o.Output = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            "--row",
            "--rows",
            metavar="ID",
            help="Explain this row: its id if there is an id column, else its number from 1. Repeat for several.",
        ),
    ] = None,
    first: Annotated[
        int | None, typer.Option("--first", min=1, metavar="NUMBER", help="Explain the first rows.")
    ] = None,
    doubtful: Annotated[
        int | None,
        typer.Option(
            "--doubtful",
            min=1,
            metavar="NUMBER",
            help="Explain the rows with the least margin, of numbers those with the widest bounds.",
        ),
    ] = None,
    n_arguments: Annotated[
        int, typer.Option("--n-arguments", min=1, metavar="NUMBER", help="Arguments on each side.")
    ] = 3,
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
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column of the true classes or numbers, if known. By default the one the model was trained on, if it "
            "is there.",
            rich_help_panel=o.COLUMNS,
        ),
    ] = None,
    id: o.Id = None,
    drop_missing: o.DropMissing = False,
    missing: o.Missing = None,
    quiet: o.Quiet = False,
) -> None:
    """Explain predictions: how sure they are, and which training rows argue for and against them.

    Plain text on standard output (the first 5 rows unless --row, --first or --doubtful says otherwise), or a file:
    .html a report for the browser (first 50 rows), .json everything, .csv and .parquet one line per argument,
    .txt text.
    """
    from fgac.cli.console import note, note_left_out, working
    from fgac.cli.io.new_rows import new_rows
    from fgac.cli.io.reading import STDIN, read_table
    from fgac.cli.io.writing import check_output
    from fgac.cli.model_files import csv_decimals, load, markers, predicts_numbers

    check_output(output, SUFFIXES, data, model)
    check_choice(row, first, doubtful)
    clf, notes = load(model)
    units = units_for(clf, unit or (), notes.get("target"))
    rows = new_rows(
        read_table(data, markers(missing, notes)),
        clf,
        notes,
        id=id,
        target=target,
        drop_missing=drop_missing,
        quiet=quiet,
    )
    note_left_out(rows.n_left_out, quiet=quiet)
    chosen = choose(clf, rows, row, first, doubtful, "" if output is None else output.suffix.lower())
    if len(chosen) < len(rows) and not (row or first or doubtful):
        hint = "choose others with --row, --first or --doubtful"
        note(f"Explaining the first {len(chosen)} of {len(rows)} rows; {hint}.", quiet=quiet)
    source = "standard input" if data == STDIN else Path(data).name
    least = "the widest bounds" if predicts_numbers(clf) else "the least margin"
    told = which_rows(len(chosen), len(rows), source, row, doubtful, least)
    rows = rows.take(chosen)
    with working("explaining", quiet=quiet):
        found = clf.explain(rows.X, n_arguments, y=rows.truth, ids=rows.ids, units=units)
    found = without_audit(found) if no_audit else found
    warn_if_known(found)
    write(found, output, csv_decimals(clf), title=f"{source}, explained", note=told)
    if output is not None:
        note(f"Explained {pluralize(len(found), 'row')}: {output}", quiet=quiet)


def which_rows(n: int, n_rows: int, source: str, row: list[str] | None, doubtful: int | None, least: str) -> str:
    """Say which rows of a table are explained.

    >>> which_rows(50, 150, "new.csv", None, None, "the least margin")
    'first 50 of 150 rows of new.csv'
    """
    if row:
        return f"{n} of {pluralize(n_rows, 'row')} of {source}, chosen by hand"
    if doubtful:
        return f"the {n} of {pluralize(n_rows, 'row')} of {source} with {least}"
    return (
        f"all {n_rows} rows of {source}" if n == n_rows > 1 else f"first {n} of {pluralize(n_rows, 'row')} of {source}"
    )


def without_audit(found: AnyExplanations) -> AnyExplanations:
    """The same without what is said about training rows that others contradict."""
    parts = {name: None for name in ("audit", "contradictions") if hasattr(found, name)}
    return replace(found, **parts)  # type: ignore[arg-type]


def warn_if_known(found: AnyExplanations) -> None:
    """Warn if most of the rows are training rows, about which the model is surer than about others."""
    known = [item for item in found if _is_itself(item)]
    if 2 * len(known) > len(found):
        are = "is a training row" if len(known) == 1 else "are training rows"
        warn(f"{len(known)} of {pluralize(len(found), 'row')} {are}: on new rows the model is less sure, and errs more")


def _is_itself(item: Any) -> bool:
    """Whether an explained row is one of those that speak for it most strongly."""
    parts = getattr(item, "boundaries", (item,))  # of ordered classes, there are two explanations
    sides = [side for part in parts for side in (getattr(part, "arguments_for", ()), getattr(part, "at_least", ()))]
    return any(side[0].distance == 0 and item.id in (side[0].id, *side[0].alike) for side in sides if side)


def check_choice(row: list[str] | None, first: int | None, doubtful: int | None) -> None:
    """Refuse two ways of choosing rows at once."""
    given = [name for name, value in (("--row", row), ("--first", first), ("--doubtful", doubtful)) if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other; choose one")


def units_for(model: Model, given: Sequence[str], target: str | None) -> dict[str, str]:
    """Units by column, as the model takes them: that of the numbers it predicts goes by a name of its own."""
    from fgac.cli.model_files import predicts_numbers
    from fgac.explainers.regression import TARGET

    names = [str(name) for name in getattr(model, "feature_names_in_", ())]
    if not predicts_numbers(model) or target is None or target in names:
        return read_units(given, names)
    units = read_units(given, [*names, target])
    if target in units and TARGET in names:
        raise UsageError(
            f"--unit {target}={units[target]}: the target has no unit of its own if a column is {TARGET!r}"
        )
    return {TARGET if name == target else name: unit for name, unit in units.items()}


def read_units(given: Sequence[str], names: list[str]) -> dict[str, str]:
    """Units by column.

    >>> read_units(["age=years"], ["age"])
    {'age': 'years'}
    """
    units = {}
    for text in given:
        name, equals, unit = text.rpartition("=")
        if not equals or not name:
            raise UsageError(f"--unit {text!r}: expected COLUMN=UNIT, as in age=years")
        units[known_column(name, names, "--unit")] = unit
    return units


def choose(
    clf: Model, rows: NewRows, row: list[str] | None, first: int | None, doubtful: int | None, suffix: str
) -> list[int]:
    """Positions of the rows to explain."""
    n = len(rows)
    if row:
        return [place for name in row for place in find_rows(name, rows)]
    if doubtful:
        import numpy as np

        from fgac.cli.commands.predict import predictions

        found = predictions(clf, rows)
        margins = (found["margin"] if "margin" in found.columns else found["lower"] - found["upper"]).to_numpy()
        return np.argsort(margins, kind="stable")[:doubtful].tolist()
    return list(range(min(n, first or N_DEFAULT.get(suffix, n))))


def find_rows(name: str, rows: NewRows) -> list[int]:
    """Positions of the rows with an id; ids may be joined by commas."""
    names = [str(each) for each in rows.ids]
    parts = [name] if name in names or "," not in name else [part.strip() for part in name.split(",")]
    unknown = [part for part in parts if part not in names]
    if unknown:
        shown = ", ".join(names[:5]) + (f", ... {names[-1]}" if len(names) > 5 else "")
        raise UsageError(f"--row {unknown[0]!r}: there is no such row; the rows are called {shown}")
    return [place for part in parts for place, each in enumerate(names) if each == part]


def write(found: AnyExplanations, output: Path | None, decimals: int | None, *, title: str, note: str) -> None:
    """Write explanations in the form that the output asks for."""
    from fgac.cli.console import print_text
    from fgac.cli.explanation_tables import records
    from fgac.cli.io.writing import write_records, write_string

    suffix = "" if output is None else output.suffix.lower()
    if output is None:
        print_text(found.text())
    elif suffix == ".html":
        found.to_html(output, title=title, note=note)
    elif suffix == ".json":
        found.to_json(output)
    elif suffix == ".txt":
        write_string(found.text() + "\n", output)
    else:
        write_records([record for item in found for record in records(item)], output, decimals)
