"""CSV with a header: comma, semicolon or tab between fields. Every cell stays text."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError
from fgac.cli.io.quotes import check_closed
from fgac.cli.io.reading import LONGEST, RawTable, check_width

if TYPE_CHECKING:
    import polars as pl


SEPARATORS = "\t;,"

# How many records are looked at to find the separator.
N_LOOK = 50


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


def parse_csv(data: bytes, source: str) -> RawTable:
    r"""Make a table of the bytes of a CSV file.

    >>> table = parse_csv("name;size\nÅsa;1,5\n".encode(), "people.csv")
    >>> table.names, table.frame.rows(), table.decimal_comma
    (['name', 'size'], [('Åsa', '1,5')], True)
    """
    # Every cell stays text: which columns hold numbers is found later, from all rows and the user's options.
    data = unmarked(data, source)
    text = decode(data, source)
    form = csv_form(text, source)
    check_closed(data, form.separator, source)
    return RawTable(parse_rows(text[len(form.head) :], form), source, form.decimal_comma)


def csv_form(text: str, source: str) -> CsvForm:
    """How a CSV file is written that begins with this text."""
    if not text.strip():
        raise CommandError(f"{source} is empty; expected a line of column names, then one line per row")
    first = re.match(r"\s*([^\r\n]*)", text)
    if first:
        check_width(max(map(first[1].count, SEPARATORS)) + 1, source)  # before there is a list of them
    separator = find_separator(text)
    file = io.StringIO(text, newline="")
    reader = fields(file, separator)
    try:
        header = next(record for record in reader if record)
    except csv.Error as error:
        raise CommandError(f"{source}: the column names cannot be read ({error})") from error
    head = text[: file.tell()]
    check_closed(head.encode(), separator, source)
    return CsvForm(source, separator, column_names(header, source), head, reader.line_num)


def fields(file: Iterable[str], separator: str) -> Any:
    """The records of a text as lists of fields."""
    csv.field_size_limit(LONGEST)  # else, a cell of a length that polars reads is an error here
    return csv.reader(file, delimiter=separator)


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

    reader = fields(io.StringIO(text, newline=""), form.separator)
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
        raise CommandError(f"{source} is in UTF-16; add --encoding utf-16")
    if b"\0" in data[:4096]:
        raise CommandError(
            f"{source} is no text file; expected CSV, or a file whose name says what it is (.parquet, .xlsx); text in "
            "UTF-16 needs --encoding utf-16"
        )
    return data.removeprefix(codecs.BOM_UTF8)


def decode(data: bytes, source: str, n_lines: int = 0) -> str:
    """Text in UTF-8, after so many lines of its file."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = n_lines + data[: error.start].count(b"\n") + 1
        raise CommandError(
            f"{source}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8; say with --encoding how the file is "
            "written, windows-1252 or latin-1 for example"
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
    records = fields(io.StringIO(text, newline=""), separator)
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
    name, n = Counter(names).most_common(1)[0]  # the first of those that come most often
    if n > 1:
        raise CommandError(f"{source}: several columns are called {name!r}; give every column its own name")
    return names


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
