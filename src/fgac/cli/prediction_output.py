"""Where ``fgac predict`` writes: standard output, a file or another stream, or a table of a database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fgac._atomic import is_stream
from fgac.cli import completion
from fgac.cli import options as o
from fgac.cli.errors import UsageError
from fgac.cli.io.addresses import is_address, parse_address

if TYPE_CHECKING:
    import polars as pl

    from fgac.cli.io.database_tables import DatabaseTable


SUFFIXES = (".csv", ".json", ".parquet")


@dataclass(frozen=True)
class PredictionOutput:
    """The options of the output."""

    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            # Addresses as long as that of PostgreSQL would be cut off in the help; that of DATA tells them all.
            help="Write here; the suffix tells how. Or a database, with --table: an address like those of DATA.",
            autocompletion=completion.files,
            rich_help_panel=o.OUTPUT,
        ),
    ] = None
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="NAME", help="Table of the database that is to be made, or SCHEMA.NAME."),
    ] = None
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the table if there is one of this name; without it, an error.")
    ] = False
    spreadsheet_safe: o.SpreadsheetSafe = False

    def check(self, *sources: str) -> None:
        """Refuse, before anything heavy is loaded, options that do not go together and files that cannot be written."""
        from fgac.cli.io.writing import check_output, check_spreadsheet_safe

        if self.output is not None and is_address(self.output):
            address = parse_address(self.output)
            if self.table is None:
                raise UsageError(f"--table is missing: what shall the table in {address.shown} be called?")
            check_spreadsheet_safe(self.spreadsheet_safe, "")
            return
        for option, given in (("--table", self.table is not None), ("--replace", self.replace)):
            if given:
                raise UsageError(f"{option} is for a database; leave it out, or give the address of one (-o ADDRESS)")
        check_output(self._path, SUFFIXES, *sources)
        check_spreadsheet_safe(self.spreadsheet_safe, self._form)

    def check_table(self) -> None:
        """Refuse a table of a database that cannot be made."""
        if self._table is not None:
            self._table.check()

    def write(self, frames: Iterable[pl.DataFrame], csv_decimals: int | None, *, json: bool = False) -> None:
        """Write frames of the same columns, one below the other: whole, or not at all; to standard output as JSON."""
        from fgac.cli.io.writing import CsvStyle, write_frames

        if self._table is not None:
            self._table.write(frames)
        else:
            form = ".json" if json and self._path is None else self._form
            write_frames(frames, self._path, form, CsvStyle(csv_decimals, self.spreadsheet_safe))

    @property
    def is_stream(self) -> bool:
        """Whether what is written goes through a pipe, a terminal or the like."""
        return self._path is not None and is_stream(self._path)

    @property
    def written(self) -> Path | str:
        """The file that was written, or the table of a database as it is shown."""
        return self._path or self.shown

    @property
    def shown(self) -> str:
        """The output in messages."""
        return str(self._table or self._path)

    @cached_property
    def _path(self) -> Path | None:
        return None if self.output is None or is_address(self.output) else Path(self.output)

    @cached_property
    def _table(self) -> DatabaseTable | None:
        from fgac.cli.io.database_tables import DatabaseTable

        if self.output is None or not is_address(self.output):
            return None
        return DatabaseTable(parse_address(self.output), self.table or "", self.replace)

    @property
    def _form(self) -> str:
        from fgac.cli.io.writing import form_of

        return form_of(self._path, SUFFIXES, ".csv")
