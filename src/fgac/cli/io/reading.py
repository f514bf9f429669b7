"""Tables as they stand in files, and what of them is refused because nobody can mean it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from fgac.cli.errors import CommandError
from fgac.cli.options import MISSING

if TYPE_CHECKING:
    import polars as pl


# A value, or a record of a CSV file, of more bytes is refused: what never ends must not fill the memory.
LONGEST = 16 * 2**20
# A table with more columns is refused: most likely its rows are its columns, or another sign separates them.
MOST_COLUMNS = 200_000


@dataclass(frozen=True)
class RawTable:
    """A table as it stands in the file: every column of a CSV file is text.

    Attributes
    ----------
    frame : polars frame
    source : what the file is called in messages
    decimal_comma : whether ``1,5`` may be a number, because commas do not separate columns
    missing : texts that say that a value is missing, beside the empty one
    first_row : number of its first row in the file
    is_part : whether this is a part of the rows only
    may_lack : whether a column that is not there is missing in these rows, and may be there in other parts
    """

    frame: pl.DataFrame
    source: str
    decimal_comma: bool = False
    missing: tuple[str, ...] = MISSING
    first_row: int = 1
    is_part: bool = False
    may_lack: bool = False

    @cached_property
    def columns(self) -> dict[str, pl.Series]:
        """The columns by their names; a frame would look for each from its first."""
        return {column.name: column for column in self.frame.get_columns()}

    @cached_property
    def names(self) -> list[str]:
        """Names of the columns."""
        return self.frame.columns

    @property
    def span(self) -> str:
        """Which rows of the file these are."""
        return f"rows {self.first_row} to {self.first_row + len(self) - 1}"

    @property
    def place(self) -> str:
        """The file, and which part of it this is."""
        return f"{self.source}, {self.span}" if self.is_part else self.source

    def __len__(self) -> int:
        return self.frame.height


def no_rows(source: str) -> CommandError:
    """What to say of a table without rows."""
    return CommandError(f"{source} has column names but no rows")


def check_cells(frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """Refuse text as long as a file; in Parquet, a small file may hold it. Reading text makes several copies of it."""
    import polars as pl

    longest = frame.select(pl.selectors.string().str.len_bytes().max())
    for name, length in ((column.name, column.max()) for column in longest.get_columns()):
        if isinstance(length, int) and length > LONGEST:
            raise CommandError(
                f"{source}: a value of column {name!r} has {length:,} bytes, more than {LONGEST:,}; shorten it, or "
                "leave the column out of the file"
            )
    return frame


def check_width(n_columns: int, source: str) -> None:
    """Refuse a table of more columns than anyone can mean, before time and memory go into them."""
    if n_columns > MOST_COLUMNS:
        raise CommandError(
            f"{source} has {n_columns:,} columns, more than {MOST_COLUMNS:,}; are rows and columns swapped? Leave out "
            "columns that tell little"
        )


def first_line(error: Exception) -> str:
    """The first line of what another package says of an error."""
    return str(error).strip().partition("\n")[0]
