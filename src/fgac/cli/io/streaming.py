"""Read tables batch after batch, so that a file may be larger than memory; or all batches together."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import IO

from fgac.cli.errors import CommandError
from fgac.cli.io.csv_text import CsvForm, csv_form, decode, parse_csv, parse_rows, unmarked
from fgac.cli.io.quotes import check_closed, last_end
from fgac.cli.io.reading import (
    LONGEST,
    STDIN,
    STDIN_NAME,
    RawTable,
    check_cells,
    check_width,
    is_parquet,
    no_rows,
    parquet_errors,
    read_parquet,
)

# What is read at a time: bytes of a CSV file, cells of a Parquet file. Smaller files are read in one piece.
BLOCK = 2 * 2**20
N_CELLS = 500_000
# Rows of a wide table that are read at a time, if their line of names is as long as they are.
N_ROWS = 20

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


def read_table(path: str, missing: Sequence[str] | None = None) -> RawTable:
    """Read a whole file, or CSV from standard input if the path is ``-``; the user may say what stands for missing.

    It is read in parts, too: its bytes, its text and its frame need not be in memory at once.
    """
    if is_parquet(path):
        table = read_parquet(path)
        if not len(table):
            raise no_rows(path)
        return table if missing is None else replace(table, missing=tuple(missing))
    parts = list(read_batches(path, missing))
    # Imported once there is something to read: a wrong name of a file is answered at once.
    import polars as pl

    frame = parts[0].frame if len(parts) == 1 else pl.concat([part.frame for part in parts], rechunk=True)
    return replace(parts[0], frame=frame, is_part=False)


def _parquet_parts(path: str) -> Parts:
    Path(path).open("rb").close()  # a file that is not there says so
    import polars as pl

    with parquet_errors(path):
        scan = pl.scan_parquet(path, glob=False)
        total = scan.select(pl.len()).collect().item()
        width = len(scan.collect_schema())
        check_width(width, path)
        step = max(1, N_CELLS // max(1, width))
        if total <= step:
            yield read_parquet(path), total, total
            return
        for start in range(0, total, step):
            part = check_cells(scan.slice(start, step).collect(), path)
            yield RawTable(part, path, is_part=True), start + len(part), total


def _csv_parts(path: str) -> Parts:
    source = STDIN_NAME if path == STDIN else path
    with nullcontext(sys.stdin.buffer) if path == STDIN else Path(path).open("rb") as file:
        data, is_whole = _beginning(file, source)
        if is_whole:
            yield parse_csv(data, source), len(data), len(data)
            return
        total, done = _size(file), len(data)
        data = unmarked(data, source)
        form = csv_form(decode(data[: _last_line_end(data)], source), source)
        data = data[len(form.head.encode()) :]
        done -= len(data)
        for block, n_lines in whole_records(file, data, form):
            done += len(block)
            rows = parse_rows(decode(block, source, n_lines), form, n_lines)
            yield RawTable(rows, source, form.decimal_comma, is_part=True), done, total


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


def _size(file: IO[bytes]) -> int | None:
    """How many bytes a file has; None for a stream."""
    try:
        about = os.fstat(file.fileno())
    except OSError:
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None


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
