"""What a shell offers when TAB is pressed: columns of the table that was named, pictures, and names of settings.

Nothing that takes long is imported, and no more than the first line of a table is read. Where nothing is offered,
shells complete names of files.
"""

from __future__ import annotations

import csv
import os
import shlex
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path

import typer

# Tables whose first line is read, and no more of it than this.
TEXT_TABLES = (".csv", ".tsv", ".txt")
LONGEST_LINE = 100_000
SEPARATORS = ",;\t|"
# How typer tells which shell asks.
ASKING = "_FGAC_COMPLETE"


def columns(ctx: typer.Context, incomplete: str) -> list[str]:
    """The columns of the first table among the words that were typed, if that is a file of text."""
    # An option whose value is being typed keeps arguments from being told apart: they are left over then.
    words = [word for word in (ctx.params.get("data"), *ctx.args) if isinstance(word, str)]
    tables = (Path(word) for word in words if word.lower().endswith(TEXT_TABLES))
    table = next((path for path in tables if path.is_file()), None)
    return [] if table is None else _offered(column_names(table), incomplete)


def files(incomplete: str) -> list[str]:
    """Nothing: shells then offer files. What typer offers for a path would keep them from it."""
    return []


def names_of(names: type[StrEnum]) -> Callable[[str], list[str]]:
    """A function that offers the values of a setting."""

    def offer(incomplete: str) -> list[str]:
        return _offered([str(name) for name in names], incomplete)

    return offer


def pictures(incomplete: str) -> list[str]:
    """The pictures of ``fgac plot``."""
    from fgac.cli.pictures import PICTURES

    return _offered(list(PICTURES), incomplete)


def column_names(path: Path) -> list[str]:
    """The names in the first line of a table of text; none if they cannot be told at a glance."""
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST_LINE).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return []
    if not line.endswith(("\n", "\r")):  # too long, or the only line
        return []
    separator = max(SEPARATORS, key=line.count)
    try:
        names = next(csv.reader([line.rstrip("\r\n")], delimiter=separator), [])
    except csv.Error:
        return []
    # A name that would command the terminal is not sent to one.
    return [name for name in names if name and name.isprintable()]


def _offered(names: Sequence[str], incomplete: str) -> list[str]:
    """Names that begin as what was typed; bash puts them on the line as they are, so they are quoted for it."""
    found = [name for name in names if name.startswith(incomplete.lstrip("'\""))]
    return [shlex.quote(name) for name in found] if os.environ.get(ASKING) == "complete_bash" else found
