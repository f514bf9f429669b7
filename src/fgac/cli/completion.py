"""What a shell offers when TAB is pressed: columns of the table that was named, pictures, and names of settings.

Nothing that takes long is imported, and no more than the first line of a table is read. Where nothing is offered,
shells complete names of files.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

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


class InBash(str):
    r"""A name with what bash would take for more than a letter escaped; it begins as the plain name does.

    typer offers only what begins as the word that was typed, of which bash has taken the escapes.

    >>> InBash("paid back"), InBash("paid back").startswith("paid b")
    ('paid\\ back', True)
    """

    name: str

    def __new__(cls, name: str) -> InBash:
        """Escape what is neither a letter, nor a digit, nor a harmless sign."""
        escaped = super().__new__(cls, re.sub(r"([^\w@%+=:,./-])", r"\\\1", name))
        escaped.name = name
        return escaped

    def startswith(self, *given: Any) -> bool:
        """Whether the name begins like that."""
        return self.name.startswith(*given)


def _offered(names: Sequence[str], incomplete: str) -> list[str]:
    """Names that begin as what was typed, as bash needs them: in a quotation that was begun nothing is escaped."""
    found = [name for name in names if name.startswith(incomplete)]
    in_bash = os.environ.get(ASKING) == "complete_bash"
    return [InBash(name) for name in found] if in_bash and not _begins_a_quotation() else found


def _begins_a_quotation() -> bool:
    """Whether the word that is typed in bash begins with a quotation mark."""
    return os.environ.get("COMP_WORDS", "").rpartition("\n")[2].startswith(("'", '"'))
