"""Options of how a table is read, where its name does not say it."""

from __future__ import annotations

import codecs
from typing import Annotated

import typer

SOURCE = "Source"


def encoding(value: str | None) -> str | None:
    """Refuse names that are no encoding of text."""
    if value is None:
        return None
    try:
        "".encode(value)  # text to text, such as rot13, and bytes to bytes are refused, too
        codecs.getincrementaldecoder(value)
    except LookupError:
        raise typer.BadParameter(
            f"{value!r} is no encoding; expected utf-8, utf-16, latin-1 or windows-1252, for example"
        ) from None
    return value


Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        callback=encoding,
        help="How text is written, if not in UTF-8: utf-16, latin-1, windows-1252 and so on.",
        rich_help_panel=SOURCE,
    ),
]


Sheet = Annotated[
    str | None,
    typer.Option("--sheet", metavar="NAME", help="Sheet of a workbook, if it has several.", rich_help_panel=SOURCE),
]


Sql = Annotated[
    str | None,
    typer.Option(
        "--sql",
        metavar="QUERY",
        help="What to read of a database: a select statement. Nothing is changed by it.",
        rich_help_panel=SOURCE,
    ),
]
