"""What people see: tables and progress. Results on standard output, everything else on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from fgac._printable import printable, printable_line
from fgac.cli.errors import say, warn
from fgac.cli.io.left_out import NO_VALUES
from fgac.cli.progress import progress as progress
from fgac.cli.progress import working as working

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from fgac.cli.io.column_types import ColumnInfo
    from fgac.cli.io.training_table import TrainingTable


# Columns that are listed one by one; the others are only counted.
N_LISTED = 40
# Variables of the environment by which rich takes a stream for a terminal that is none.
TERMINAL_VARIABLES = ("FORCE_COLOR", "TTY_COMPATIBLE")


def output_console() -> Console:
    """Standard output."""
    from fgac.cli.safe_rich import SafeConsole

    return SafeConsole()


def message_console() -> Console:
    """Standard error."""
    from fgac.cli.safe_rich import SafeConsole

    return SafeConsole(stderr=True)


def may_be_terminal(stream: TextIO) -> bool:
    """Whether rich could take a stream for a terminal; if not, there is no need to wait for its import."""
    return stream.isatty() or any(os.environ.get(name) for name in TERMINAL_VARIABLES)


def note(text: str, *, quiet: bool) -> None:
    """A remark on standard error."""
    if not quiet:
        say(text)


def note_left_out(n: int, *, quiet: bool) -> None:
    """Say how many incomplete rows were left out, if any were."""
    if n:
        note(f"{n} incomplete {'row was' if n == 1 else 'rows were'} left out.", quiet=quiet)


def plain_table(*headings: str, right: Sequence[str] = ()) -> Table:
    """An empty table with a line under its head; the columns named in ``right`` are aligned to the right."""
    from rich import box

    from fgac.cli.safe_rich import SafeTable

    table = SafeTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", overflow="fold")
    return table


def key_value_table(**lines: str) -> RenderableType:
    """Names and what is to be said about them, in two columns."""
    from fgac.cli.safe_rich import SafeTable

    table = SafeTable.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in lines.items():
        if text:
            table.add_row(name.replace("_", " "), text)
    return table


def show_columns(table: TrainingTable, *, quiet: bool) -> None:
    """The columns and what they are taken for, with warnings about odd ones."""
    from fgac.text.words import on_one_line

    if not quiet:
        # Where nothing is unknown, there is no column that says so.
        unknown = ("unknown",) if any(column.n_missing for column in table.columns) else ()
        listing = plain_table("column", "taken as", "values", *unknown, right=unknown)
        for column in table.columns[:N_LISTED]:
            listing.add_row(
                on_one_line(column.name), column.kind, column.summary, *(str(column.n_missing) for _ in unknown)
            )
        console = message_console()
        console.print(listing)
        rest = table.columns[N_LISTED:]
        if rest:
            console.print(f"and {len(rest)} more: {_count(rest)}")
        if any(column.few for column in table.columns):
            console.print("Whole numbers are numbers even if few are different; codes of categories need --nominal.")
        console.print("Not as meant? Use --nominal, --numeric, --date, --keep or --drop COLUMN.\n")
    note_left_out(table.n_left_out, quiet=quiet)
    # Warnings come also with --quiet: whoever runs a command from a script must see what is odd about the data.
    _warn_of_columns(table.left_out)
    odd = [column for column in table.columns if column.remark]
    for column in odd[:N_LISTED]:
        warn(f"column {column.name!r}: {column.remark}")
    if len(odd) > N_LISTED:
        warn(f"and {len(odd) - N_LISTED} more columns that are odd in such ways")


def _warn_of_columns(left_out: dict[str, str]) -> None:
    """Say which columns are left out, and how to keep those that have values."""
    for name, why in list(left_out.items())[:N_LISTED]:
        how = "" if why == NO_VALUES else f" (--keep {name!r} keeps it, --id {name!r} calls the rows by it)"
        warn(f"column {name!r} is left out: {why}{how}")
    if len(left_out) > N_LISTED:
        warn(f"and {len(left_out) - N_LISTED} more columns are left out for such reasons")


def _count(columns: Sequence[ColumnInfo]) -> str:
    kinds = [column.kind for column in columns]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))


def print_text(text: str) -> None:
    """Text on standard output, wrapped for a terminal only."""
    from fgac.cli.io.writing import write_string

    if may_be_terminal(sys.stdout) and (console := output_console()).is_terminal:
        console.print(text)
    else:
        write_string(f"{printable(text)}\n", None)


def print_line(text: str, console: Console) -> None:
    """A line that may name files, and is not broken where the terminal ends."""
    console.print(printable_line(text), soft_wrap=True)
