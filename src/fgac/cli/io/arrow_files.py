"""Columnar files, Parquet and Arrow's (also called Feather or IPC): typed, and read in slices of rows."""

from __future__ import annotations

import glob
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError
from fgac.cli.io.reading import RawTable, check_cells, check_width, first_line

if TYPE_CHECKING:
    import polars as pl


Parts = Iterator[tuple[RawTable, int, int | None]]

# How files begin: Arrow's file format, and an older one of the same suffix. Arrow's stream format is the third.
ARROW, FEATHER_1 = b"ARROW1", b"FEA1"


def read_parquet(path: str) -> RawTable:
    """Read a whole Parquet file."""
    data = Path(path).read_bytes()
    import polars as pl

    with format_errors(path, "Parquet"):
        check_width(len(pl.read_parquet_schema(io.BytesIO(data))), path)
        return RawTable(check_cells(pl.read_parquet(io.BytesIO(data)), path), path)


def parquet_parts(path: str, n_cells: int) -> Parts:
    """Read a Parquet file, so many cells at a time."""
    Path(path).open("rb").close()  # a file that is not there says so
    import polars as pl

    with format_errors(path, "Parquet"):
        yield from scanned_parts(pl.scan_parquet(path, glob=False), path, n_cells)


def arrow_parts(path: str, n_cells: int) -> Parts:
    """Read an Arrow file, so many cells at a time; one in the stream format as a whole."""
    with Path(path).open("rb") as file:
        beginning = file.read(len(ARROW))
    if beginning.startswith(FEATHER_1):
        raise CommandError(f"{path} is in version 1 of Feather, which is no longer written; save it anew, as version 2")
    import polars as pl

    with format_errors(path, "Arrow"):
        if beginning == ARROW:
            yield from scanned_parts(pl.scan_ipc(glob.escape(path)), path, n_cells)
        else:
            frame = pl.read_ipc_stream(io.BytesIO(Path(path).read_bytes()))
            yield from sliced(RawTable(check_cells(frame, path), path), n_cells)


def scanned_parts(scan: pl.LazyFrame, path: str, n_cells: int) -> Parts:
    """Slices of a file that polars can skip in."""
    import polars as pl

    total: int = scan.select(pl.len()).collect().item()
    width = len(scan.collect_schema())
    check_width(width, path)
    step = max(1, n_cells // max(1, width))
    for start in range(0, max(total, 1), step):
        part = check_cells(scan.slice(start, step).collect(), path)
        yield RawTable(part, path, is_part=total > step), start + len(part), total


def sliced(table: RawTable, n_cells: int) -> Parts:
    """Slices of a table that is in memory."""
    step = max(1, n_cells // max(1, len(table.names)))
    for start in range(0, max(len(table), 1), step):
        part = table.frame.slice(start, step)
        yield RawTable(part, table.source, is_part=len(table) > step), start + len(part), len(table)


@contextmanager
def format_errors(path: str, form: str) -> Iterator[None]:
    """Say that a file is not of a format where polars finds that it is not."""
    import polars as pl

    refused: tuple[type[Any], ...] = (pl.exceptions.PolarsError,)
    try:
        yield
    except refused as error:
        raise CommandError(f"{path} is no {form} file that can be read ({first_line(error)})") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise CommandError(f"{path} is no {form} file that can be read ({first_line(error)})") from error
