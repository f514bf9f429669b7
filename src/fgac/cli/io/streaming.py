"""Read tables batch after batch, so that a file may be larger than memory."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO

from fgac.cli.errors import CommandError
from fgac.cli.io.reading import (
    STDIN,
    STDIN_NAME,
    CsvForm,
    RawTable,
    csv_form,
    decode,
    is_parquet,
    no_rows,
    parquet_errors,
    parse_csv,
    parse_rows,
    read_parquet,
    unmarked,
)

# What is read at a time: bytes of a CSV file, cells of a Parquet file. Smaller files are read in one piece.
BLOCK = 2 * 2**20
N_CELLS = 500_000
# A record is shorter than this: a quotation mark that is never closed must not fill the memory.
LONGEST = 64 * 2**20

Report = Callable[[int, int | None], None]
Parts = Iterator[tuple[RawTable, int, int | None]]


def read_batches(path: str, missing: Sequence[str] | None = None, report: Report | None = None) -> Iterator[RawTable]:
    """Read a file, or CSV from standard input, part after part.

    When a part is done with, ``report`` is called with what is done and what there is: bytes of a CSV file, rows of
    a Parquet file, or the rows of a stream and None.
    """
    n_rows = 0
    for table, done, total in _parquet_parts(path) if is_parquet(path) else _csv_parts(path):
        table = replace(table, first_row=n_rows + 1, missing=table.missing if missing is None else tuple(missing))
        n_rows += len(table)
        if len(table):
            yield table
        del table  # before the next one is read
        if report is not None:
            report(n_rows if total is None else done, total)
    if not n_rows:
        raise no_rows(STDIN_NAME if path == STDIN else path)


def _parquet_parts(path: str) -> Parts:
    import polars as pl

    Path(path).open("rb").close()  # a file that is not there says so
    with parquet_errors(path):
        scan = pl.scan_parquet(path, glob=False)
        total = scan.select(pl.len()).collect().item()
        step = max(1, N_CELLS // max(1, len(scan.collect_schema())))
        if total <= step:
            yield read_parquet(path), total, total
            return
        for start in range(0, total, step):
            part = scan.slice(start, step).collect()
            yield RawTable(part, path, is_part=True), start + len(part), total


def _csv_parts(path: str) -> Parts:
    source = STDIN_NAME if path == STDIN else path
    with nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb") as file:
        data = file.read(BLOCK)
        if len(data) < BLOCK:
            yield parse_csv(data, source), len(data), len(data)
            return
        total, done = _size(file), len(data)
        data = unmarked(data, source)
        form = csv_form(decode(data[: _last_line_end(data, source)], source), source)
        data = data[len(form.head.encode()) :]
        done -= len(data)
        for block, n_lines in whole_records(file, data, form):
            done += len(block)
            rows = parse_rows(decode(block, source, n_lines), form, n_lines)
            yield RawTable(rows, source, form.decimal_comma, is_part=True), done, total


def _size(file: IO[bytes]) -> int | None:
    """How many bytes a file has; None for a stream."""
    try:
        about = os.fstat(file.fileno())
    except OSError:
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


def _last_line_end(data: bytes, source: str) -> int:
    end = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
    if not end:
        raise CommandError(f"{source} has no line end in its first {len(data)} bytes; expected a line of column names")
    return end


def whole_records(file: IO[bytes], data: bytes, form: CsvForm) -> Iterator[tuple[bytes, int]]:
    r"""Cut a CSV file into blocks where a record ends, with the number of lines before each.

    ``data`` is what was read after the column names.

    >>> import io
    >>> form = CsvForm("data.csv", ",", ["a", "b"], "a,b\n", 1)
    >>> list(whole_records(io.BytesIO(b'\n2,"'), b'0,"x\ny"\n1,x', form))
    [(b'0,"x\ny"\n1,x\n', 1), (b'2,"', 4)]
    """
    end = b"\r" if form.head.endswith("\r") else b"\n"
    n_lines = form.n_lines
    while more := file.read(max(BLOCK, len(data))):
        data += more
        cut = last_end(data, form.separator, end)
        if cut:
            yield data[:cut], n_lines
            n_lines += data.count(end, 0, cut)
            data = data[cut:]
        elif len(data) > LONGEST:
            raise CommandError(
                f"{form.source}, line {n_lines + 1}: the record that begins here is longer than {LONGEST >> 20} MB; is "
                "a quotation mark not closed?"
            )
    if data:
        yield data, n_lines


def last_end(data: bytes, separator: str, end: bytes) -> int:
    r"""Where the last record ends that ends in the data; 0 if none does.

    Line ends in quotation marks do not count. A mark within a value, as in ``6" tall``, quotes nothing.

    >>> last_end(b'1,2\n3,"a\nb', ",", b"\n"), last_end(b'6",2\n3,"a\nb"\n', ",", b"\n")
    (4, 13)
    """
    quoted = re.compile(rb'"(?<![^%b\r\n]")[^"]*(?:""[^"]*)*"?' % separator.encode())
    cut = start = 0
    for match in quoted.finditer(data):
        cut = max(cut, data.rfind(end, start, match.start()) + 1)
        start = match.end()
        if start == len(data):  # not closed, or perhaps not: another mark may follow
            return cut
    return max(cut, data.rfind(end, start) + 1)
