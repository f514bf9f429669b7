"""Read tables batch after batch, so that a file may be larger than memory; or all batches together."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import IO

from fgac.cli.errors import CommandError
from fgac.cli.io.addresses import parse_address
from fgac.cli.io.arrow_files import arrow_parts, parquet_parts, read_parquet, sliced
from fgac.cli.io.csv_text import CsvForm, csv_form, decode, parse_csv, parse_rows, unmarked
from fgac.cli.io.databases import query_parts
from fgac.cli.io.excel import read_excel
from fgac.cli.io.json_lines import json_parts
from fgac.cli.io.quotes import check_closed, last_end
from fgac.cli.io.reading import LONGEST, RawTable, no_rows
from fgac.cli.io.sources import Reading, check_table, source_form, source_name
from fgac.cli.io.text_files import TextFile, open_text

# What is read at a time: bytes of a text file, cells of other tables. Smaller ones are read in one piece.
BLOCK = 2 * 2**20
N_CELLS = 500_000
# Rows of a wide table that are read at a time, if their line of names is as long as they are.
N_ROWS = 20

Report = Callable[[int, int | None], None]
Parts = Iterator[tuple[RawTable, int, int | None]]


def read_batches(
    path: str, missing: Sequence[str] | None = None, report: Report | None = None, reading: Reading | None = None
) -> Generator[RawTable, None, None]:
    """Read a file, CSV from standard input, or what a query gives, part after part.

    When a part is done with, ``report`` is called with what is done and what there is: bytes of a text file, rows of
    other files, or the rows of a stream or a query and None.
    """
    n_rows = 0
    for table, done, total in _parts(path, reading or Reading()):
        table = replace(table, first_row=n_rows + 1, missing=table.missing if missing is None else tuple(missing))
        n_rows += len(table)
        if len(table):
            yield table
        del table  # before the next one is read
        if report is not None:
            report(n_rows if total is None else done, total)
    if not n_rows:
        raise no_rows(source_name(path))


def read_table(path: str, missing: Sequence[str] | None = None, reading: Reading | None = None) -> RawTable:
    """Read a whole table; the user may say what stands for missing.

    It is read in parts, too: its bytes, its text and its frame need not be in memory at once.
    """
    form = source_form(path)
    if form == "parquet":
        (reading or Reading()).check(path)
        table = read_parquet(path)
        if not len(table):
            raise no_rows(path)
        return table if missing is None else replace(table, missing=tuple(missing))
    parts = list(read_batches(path, missing, None, reading))
    # Imported once there is something to read: a wrong name of a file is answered at once.
    import polars as pl

    # Parts of a source without types may differ in them, and in their columns.
    frames = [part.frame for part in parts]
    if len(frames) > 1:
        frames = [pl.concat(frames, how="vertical" if form == "csv" else "diagonal_relaxed", rechunk=True)]
    return replace(parts[0], frame=frames[0], is_part=False)


def _parts(path: str, reading: Reading) -> Parts:
    """The parts of a source of any form, with what is done and what there is."""
    check_table(path, reading)
    form = source_form(path)
    if form == "parquet":
        return parquet_parts(path, N_CELLS)
    if form == "arrow":
        return arrow_parts(path, N_CELLS)
    if form == "excel":
        return sliced(read_excel(path, reading.sheet), N_CELLS)
    if form == "sql":
        return query_parts(parse_address(path), reading.sql or "", N_CELLS)
    return _text_parts(path, form, reading.encoding)


def _text_parts(path: str, form: str, encoding: str | None) -> Parts:
    with open_text(path, encoding) as text:
        yield from json_parts(text, BLOCK) if form == "jsonl" else _csv_parts(text)


def _csv_parts(text: TextFile) -> Parts:
    file, source = text.file, text.source
    data, is_whole = _beginning(file, source)
    if is_whole:
        yield parse_csv(data, source), *text.progress(len(data))
        return
    done = len(data)
    data = unmarked(data, source)
    form = csv_form(decode(data[: _last_line_end(data)], source), source)
    data = data[len(form.head.encode()) :]
    done -= len(data)
    for block, n_lines in whole_records(file, data, form):
        done += len(block)
        rows = parse_rows(decode(block, source, n_lines), form, n_lines)
        yield RawTable(rows, source, form.decimal_comma, is_part=True), *text.progress(done)


def _beginning(file: IO[bytes], source: str) -> tuple[bytes, bool]:
    """The first block of a file, in which a line ends; and whether that is all there is."""
    data = file.read(BLOCK)
    is_whole = len(data) < BLOCK
    while not is_whole and not _last_line_end(data):
        if len(data) > LONGEST:
            raise CommandError(
                f"{source} has no line end in its first {len(data)} bytes; expected a line of column names, then one "
                "line per row"
            )
        more = file.read(len(data))
        data, is_whole = data + more, len(more) < len(data)
    return data, is_whole


def _last_line_end(data: bytes) -> int:
    """Where the last line ends; 0 if none does. After a last carriage return, a line feed may still come."""
    return max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1


def whole_records(file: IO[bytes], data: bytes, form: CsvForm) -> Iterator[tuple[bytes, int]]:
    r"""Cut a CSV file into blocks where a record ends, with the number of lines before each.

    ``data`` is what was read after the column names.

    >>> import io
    >>> form = CsvForm("data.csv", ",", ["a", "b"], "a,b\n", 1)
    >>> list(whole_records(io.BytesIO(b'\n2,x'), b'0,"x\ny"\n1,x', form))
    [(b'0,"x\ny"\n1,x\n', 1), (b'2,x', 4)]
    """
    end = b"\r" if form.head.endswith("\r") else b"\n"
    n_lines = form.n_lines
    # Of a wide table, a block of the usual size would hold a few rows only.
    size = max(BLOCK, min(LONGEST, N_ROWS * len(form.head)))
    while more := file.read(max(size, len(data))):
        data += more
        cut = last_end(data, form.separator, end)
        if cut:
            yield data[:cut], n_lines
            n_lines += data.count(end, 0, cut)
            data = data[cut:]
        elif len(data) > LONGEST:
            limit = f"{LONGEST >> 20} MB"
            check_closed(data, form.separator, form.source, n_lines, within=limit)
            raise CommandError(
                f"{form.source}, line {n_lines + 1}: the line that begins here is longer than {limit}; "
                "expected one line per row"
            )
    if data:
        check_closed(data, form.separator, form.source, n_lines)
        yield data, n_lines
