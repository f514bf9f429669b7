"""What a query on a database gives, part after part: SQLite through Python's own module, the others through ADBC.

Nothing is changed by reading: files are opened for reading only, and PostgreSQL is told that the transaction reads.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fgac.cli.errors import CommandError
from fgac.cli.io.reading import RawTable, check_cells, check_width
from fgac.cli.io.series import typed_series

if TYPE_CHECKING:
    import polars as pl

    from fgac.cli.io.addresses import Address


_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


def query_parts(address: Address, sql: str, n_cells: int) -> Iterator[tuple[RawTable, int, int | None]]:
    """The rows that a query gives, so many cells at a time."""
    if not _COMMENT.sub("", sql).strip(" \t\r\n;"):  # some versions of drivers end the program there
        _names([], address)
    n_rows = 0
    for frame in (_sqlite_frames if address.kind == "sqlite" else _adbc_frames)(address, _one_query(sql), n_cells):
        n_rows += frame.height
        yield RawTable(check_cells(frame, address.shown), address.shown, is_part=True), n_rows, None


def _one_query(sql: str) -> str:
    """A query that may be put into another: no semicolon at its end, and no comment that goes on."""
    return f"{sql.strip().rstrip(';').rstrip()}\n"


def _sqlite_frames(address: Address, sql: str, n_cells: int) -> Iterator[pl.DataFrame]:
    with sqlite_errors(address), closing(open_sqlite(address.where, "ro")) as connection:
        cursor = connection.execute(sql)
        names = _names([column[0] for column in cursor.description or ()], address)
        step = max(1, n_cells // len(names))
        while rows := cursor.fetchmany(step):
            yield _frame(names, rows)


def _frame(names: list[str], rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    import polars as pl

    columns = zip(names, zip(*rows, strict=True), strict=True)
    return pl.DataFrame([typed_series(name, list(values)) for name, values in columns])


def _names(names: list[str], address: Address) -> list[str]:
    """The columns of a result; an error if there are none, or two have the same name."""
    if not names:
        raise CommandError(f"{address.shown}: the query gives no table; expected one such as select * from loans")
    check_width(len(names), address.shown)
    name, n = Counter(names).most_common(1)[0]
    if n > 1:
        raise CommandError(f"{address.shown}: several columns of the query are called {name!r}; rename them with as")
    return names


def open_sqlite(path: str, mode: str) -> sqlite3.Connection:
    """Open a file of SQLite: ``ro`` to read, ``rw`` to write, ``rwc`` to make it if need be."""
    # Transactions begin and end where we say so; several threads may take turns with a generator.
    address = f"file:{quote(str(Path(path).absolute()))}?mode={mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


@contextmanager
def sqlite_errors(address: Address) -> Iterator[None]:
    """Errors of SQLite as ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise CommandError(f"{address.shown}: {address.reason(error)}") from error


def _adbc_frames(address: Address, sql: str, n_cells: int) -> Iterator[pl.DataFrame]:
    from fgac.cli.io.arrow_batches import polars_frame, regrouped

    with (
        adbc_errors(address),
        closing(open_adbc(address, read_only=True)) as connection,
        closing(connection.cursor()) as cursor,
    ):
        if address.kind == "postgresql":
            cursor.execute("set transaction read only")
        cursor.execute(sql)
        names = _names(_described(cursor), address)
        with cursor.fetch_record_batch() as reader:
            for table in regrouped(reader, max(1, n_cells // len(names))):
                yield polars_frame(table, address.shown)


def _described(cursor: Any) -> list[str]:
    """The columns of a result; none if there is no result."""
    try:
        return [column[0] for column in cursor.description or ()]
    except ValueError:  # what ADBC says if a statement was none
        return []


def open_adbc(address: Address, *, read_only: bool) -> Any:
    """Connect to DuckDB or PostgreSQL; a transaction begins, and is undone unless it is committed."""
    if address.kind == "postgresql":
        from adbc_driver_postgresql import dbapi

        return dbapi.connect(address.where)
    import adbc_driver_duckdb
    from adbc_driver_manager import dbapi

    options = {"path": address.where} | ({"access_mode": "READ_ONLY"} if read_only else {})
    return dbapi.connect(
        driver=adbc_driver_duckdb.driver_path(), entrypoint="duckdb_adbc_init", db_kwargs=options, autocommit=False
    )


@contextmanager
def adbc_errors(address: Address) -> Iterator[None]:
    """Errors of a database, or of the way to it, as ours."""
    import adbc_driver_manager
    import pyarrow as pa

    try:
        yield
    except (adbc_driver_manager.Error, pa.ArrowException, OSError) as error:
        raise CommandError(f"{address.shown}: {address.reason(error)}") from error
