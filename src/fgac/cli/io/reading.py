"""Read tables: CSV with a header (comma, semicolon or tab; UTF-8) and Parquet, by the suffix of the file."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fgac.cli.errors import CommandError, UsageError
from fgac.cli.options import MISSING

if TYPE_CHECKING:
    import polars as pl


CSV = (".csv", ".tsv", ".txt")
PARQUET = (".parquet", ".pq")
STDIN = "-"
STDIN_NAME = "standard input"
SEPARATORS = "\t;,"

# How many records are looked at to find the separator.
N_LOOK = 50


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
    """

    frame: pl.DataFrame
    source: str
    decimal_comma: bool = False
    missing: tuple[str, ...] = MISSING
    first_row: int = 1
    is_part: bool = False

    @property
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


@dataclass(frozen=True)
class CsvForm:
    """How a CSV file is written: what its beginning says about the rest.

    Attributes
    ----------
    source : what the file is called in messages
    separator : what stands between fields
    names : the columns
    head : the text before the first row
    n_lines : how many lines that is
    """

    source: str
    separator: str
    names: list[str]
    head: str
    n_lines: int

    @property
    def decimal_comma(self) -> bool:
        """Whether ``1,5`` may be a number."""
        return self.separator != ","


def is_table(path: str) -> bool:
    """Whether this names a table, and not a model."""
    return path == STDIN or Path(path).suffix.lower() in CSV + PARQUET


def is_parquet(path: str) -> bool:
    """Whether a table is a Parquet file, and not CSV; an error if the path names no table."""
    if not is_table(path):
        raise UsageError(
            f"{path}: a table ends in {', '.join(CSV + PARQUET)}, got {Path(path).suffix or 'no suffix'!r}; save it as "
            "CSV (UTF-8) or Parquet first"
        )
    return Path(path).suffix.lower() in PARQUET


def check_table(path: str) -> None:
    """Refuse a path that names no table, or no file that can be read, before anything slow is imported or done."""
    is_parquet(path)
    # To open a pipe is to wait for its writer, and to close it again would be the writer's end.
    if path != STDIN and not stat.S_ISFIFO(Path(path).stat().st_mode):
        Path(path).open("rb").close()


def read_table(path: str, missing: Sequence[str] | None = None) -> RawTable:
    """Read a file, or CSV from standard input if the path is ``-``; the user may say what stands for missing values."""
    if is_parquet(path):
        table = read_parquet(path)
    elif path == STDIN:
        table = parse_csv(sys.stdin.buffer.read(), STDIN_NAME)
    else:
        table = parse_csv(Path(path).read_bytes(), path)
    if not len(table):
        raise no_rows(table.source)
    return table if missing is None else replace(table, missing=tuple(missing))


def no_rows(source: str) -> CommandError:
    """What to say of a table without rows."""
    return CommandError(f"{source} has column names but no rows")


def read_parquet(path: str) -> RawTable:
    """Read a Parquet file."""
    data = Path(path).read_bytes()
    import polars as pl

    with parquet_errors(path):
        return RawTable(pl.read_parquet(io.BytesIO(data)), path)


@contextmanager
def parquet_errors(path: str) -> Iterator[None]:
    """Say that a file is no Parquet file where polars finds that it is none."""
    import polars as pl

    try:
        yield
    except pl.exceptions.PolarsError as error:
        raise CommandError(f"{path} is no Parquet file that can be read ({_first_line(error)})") from error


def parse_csv(data: bytes, source: str) -> RawTable:
    r"""Make a table of the bytes of a CSV file.

    >>> table = parse_csv("name;size\nÅsa;1,5\n".encode(), "people.csv")
    >>> table.names, table.frame.rows(), table.decimal_comma
    (['name', 'size'], [('Åsa', '1,5')], True)
    """
    # Every cell stays text: which columns hold numbers is found later, from all rows and the user's options.
    text = decode(unmarked(data, source), source)
    form = csv_form(text, source)
    return RawTable(parse_rows(text[len(form.head) :], form), source, form.decimal_comma)


def csv_form(text: str, source: str) -> CsvForm:
    """How a CSV file is written that begins with this text."""
    if not text.strip():
        raise CommandError(f"{source} is empty; expected a line of column names, then one line per row")
    separator = find_separator(text)
    file = io.StringIO(text, newline="")
    reader = csv.reader(file, delimiter=separator)
    try:
        header = next(record for record in reader if record)
    except csv.Error as error:
        raise CommandError(
            f"{source}: the column names cannot be read ({error}); is a quotation mark not closed?"
        ) from error
    return CsvForm(source, separator, column_names(header, source), text[: file.tell()], reader.line_num)


def parse_rows(text: str, form: CsvForm, n_lines: int | None = None) -> pl.DataFrame:
    """Read rows of a CSV file, all or those after so many lines; blank lines are none."""
    import polars as pl

    try:
        # polars takes the first line for names; ours, which are trimmed and never blank, replace them.
        data = (form.head + text).encode()
        frame = pl.read_csv(data, separator=form.separator, infer_schema=False, new_columns=form.names)
    except pl.exceptions.PolarsError:
        frame = None
    if frame is None or frame.width != len(form.names):  # the forgiving reader also knows which line is wrong
        frame = parse_slowly(text, form, form.n_lines if n_lines is None else n_lines)
    return frame.filter(~pl.all_horizontal(pl.all().is_null())) if frame.width > 1 else frame


def parse_slowly(text: str, form: CsvForm, n_lines: int) -> pl.DataFrame:
    """Read CSV record by record, and name the first line that does not fit."""
    import polars as pl

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=form.separator)
    width = len(form.names)
    records = []
    try:
        for record in reader:
            if len(record) > width:
                raise CommandError(
                    f"{form.source}, line {n_lines + reader.line_num}: {len(record)} fields, but there are {width} "
                    'column names; put a value that contains the separator in double quotes ("...")'
                )
            if record:
                records.append([value or None for value in record] + [None] * (width - len(record)))
    except csv.Error as error:
        raise CommandError(f"{form.source}, line {n_lines + reader.line_num}: {error}") from error
    return pl.DataFrame(records, schema=dict.fromkeys(form.names, pl.String), orient="row")


def unmarked(data: bytes, source: str) -> bytes:
    """The beginning of a text file, or all of it, without its byte order mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise CommandError(f"{source} is in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)")
    if b"\0" in data[:4096]:
        raise CommandError(f"{source} is no text file; expected CSV, or a Parquet file whose name ends in .parquet")
    return data.removeprefix(codecs.BOM_UTF8)


def decode(data: bytes, source: str, n_lines: int = 0) -> str:
    """Text in UTF-8, after so many lines of its file."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = n_lines + data[: error.start].count(b"\n") + 1
        raise CommandError(
            f"{source}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8 "
            "(iconv -f WINDOWS-1252 -t UTF-8, for example)"
        ) from error


def find_separator(text: str) -> str:
    r"""The separator that gives the first records the same number of fields, and the most of them.

    If two fit, it is not the comma: that stands in numbers and names as well.

    >>> find_separator("size, in cm;weight\n1,5;2\n")
    ';'
    """
    widths = {separator: _widths(text, separator) for separator in SEPARATORS}
    fitting = {separator: found[0] for separator, found in widths.items() if found[0] > 1 and len(set(found)) == 1}
    best = fitting or {separator: found[0] for separator, found in reversed(widths.items())}
    return max(best, key=best.__getitem__)


def _widths(text: str, separator: str) -> list[int]:
    """Numbers of fields in the first records."""
    records = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return [len(record) for record in itertools.islice(records, N_LOOK) if record] or [0]
    except csv.Error:
        return [0]


def column_names(header: list[str], source: str) -> list[str]:
    """Names of the columns; one without a name is called after its place."""
    names = [name.strip() or f"column_{place}" for place, name in enumerate(header, start=1)]
    if all(_is_number(name) for name in names):
        raise CommandError(
            f"{source}: the first line holds numbers ({', '.join(names[:4])}{', ...' if len(names) > 4 else ''}); "
            "expected the names of the columns: add them as a first line"
        )
    double = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if double:
        raise CommandError(f"{source}: several columns are called {double[0]!r}; give every column its own name")
    return names


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
