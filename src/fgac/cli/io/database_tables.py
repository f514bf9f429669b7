"""Predictions as a table of a database: there whole, or not at all, and never in the place of another unasked.

While rows are predicted, results wait in files. Only then is the database opened for writing: it may be the one that
is read, and nobody else waits for it longer than need be. One transaction makes the table and fills it.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac._atomic import errors_name
from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.addresses import Address
from fgac.cli.io.databases import adbc_errors, open_adbc, open_sqlite, sqlite_errors
from fgac.cli.io.sources import check_driver

if TYPE_CHECKING:
    import polars as pl


# How many tables or views have a name; of servers, in a schema, which is the usual one if it is empty.
EXISTS = {
    "sqlite": "select count(*) from sqlite_master where lower(name) = lower(?)",
    "duckdb": "select count(*) from information_schema.tables where lower(table_name) = lower($1) "
    "and table_schema = coalesce(nullif($2, ''), current_schema())",
    "postgresql": "select count(*) from pg_class join pg_namespace on pg_namespace.oid = relnamespace "
    "where relname = $1 and nspname = coalesce(nullif($2, ''), current_schema())",
}
# Types of SQLite for those of polars; everything else is text.
SQLITE_TYPES = {"Boolean": "INTEGER", "Float": "REAL", "Int": "INTEGER", "UInt": "INTEGER"}


@dataclass(frozen=True)
class DatabaseTable:
    """A table that is to be written; ``replace``: also if there is one of its name."""

    address: Address
    name: str
    replace: bool = False

    def __str__(self) -> str:
        return f"table {self.name!r} of {self.address.shown}"

    def check(self) -> None:
        """Refuse, before any work is done, a table that is there already, or a database that cannot be opened."""
        if not self.name.strip():
            raise UsageError("--table is empty; expected the name of a table")
        file = self.address.file
        if file is not None and not file.parent.is_dir():
            raise UsageError(f"-o {self.address.shown}: there is no folder {file.parent}")
        check_driver(self.address)
        if file is not None and not file.exists():
            return
        with self._connection(write=False) as connection:
            self._check_absent(connection)

    def write(self, frames: Iterable[pl.DataFrame]) -> None:
        """Write frames of the same columns, one below the other."""
        file = self.address.file
        with tempfile.TemporaryDirectory(dir=None if file is None else file.parent, prefix=".fgac-") as folder:
            parts = _put_aside(frames, folder)
            is_new = file is not None and not file.exists()
            try:
                with self._connection(write=True) as connection:
                    self._check_absent(connection)
                    self._fill(connection, parts)
            except BaseException:
                if is_new and file is not None:
                    file.unlink(missing_ok=True)
                raise

    def _check_absent(self, connection: Any) -> None:
        if self.replace:
            return
        with closing(connection.cursor()) as cursor:
            cursor.execute(EXISTS[self.address.kind], self._key())
            found = cursor.fetchone()[0]
        if found:
            raise CommandError(
                f"there is already a {self}; give another name with --table, or replace it with --replace"
            )

    @property
    def _place(self) -> tuple[str | None, str]:
        """The schema, None if it is not named, and the table; SQLite has no schemas."""
        schema, dot, name = self.name.rpartition(".")
        return (schema, name) if dot and self.address.kind != "sqlite" else (None, self.name)

    def _key(self) -> tuple[str, ...]:
        """What :data:`EXISTS` asks for."""
        schema, name = self._place
        return (name,) if self.address.kind == "sqlite" else (name, schema or "")

    def _fill(self, connection: Any, parts: list[Path]) -> None:
        import polars as pl

        frames = (pl.read_ipc(io.BytesIO(part.read_bytes())) for part in parts)
        schema, name = self._place
        with closing(connection.cursor()) as cursor:
            if self.address.kind == "sqlite":
                _fill_sqlite(cursor, self.name, frames, replace=self.replace)
                return
            if self.replace:
                cursor.execute(f"drop table if exists {'.'.join(quoted(part) for part in (schema, name) if part)}")
            mode = "create"
            for frame in frames:
                rows = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
                cursor.adbc_ingest(name, rows, mode=mode, db_schema_name=schema)
                mode = "append"
        connection.commit()

    @contextmanager
    def _connection(self, *, write: bool) -> Iterator[Any]:
        """An open database, whose errors are ours; what is not committed is undone."""
        if self.address.kind == "sqlite":
            with sqlite_errors(self.address), closing(open_sqlite(self.address.where, "rwc" if write else "ro")) as c:
                yield c
        else:
            with adbc_errors(self.address), closing(open_adbc(self.address, read_only=not write)) as c:
                yield c


def _put_aside(frames: Iterable[pl.DataFrame], folder: str) -> list[Path]:
    """Write every frame as a file, and name the files in order."""
    parts: list[Path] = []
    for frame in frames:
        parts.append(Path(folder, f"{len(parts)}.arrow"))
        with errors_name(folder), parts[-1].open("wb") as file:
            frame.write_ipc(file)
    return parts


def _fill_sqlite(cursor: Any, name: str, frames: Iterator[pl.DataFrame], *, replace: bool) -> None:
    """Make a table and fill it, in one transaction."""
    cursor.execute("begin immediate")
    if replace:
        cursor.execute(f"drop table if exists {quoted(name)}")
    made = False
    for frame in frames:
        if not made:
            columns = ", ".join(f"{quoted(column)} {sqlite_type(kind)}" for column, kind in frame.schema.items())
            cursor.execute(f"create table {quoted(name)} ({columns})")
            made = True
        signs = ", ".join("?" * frame.width)
        cursor.executemany(f"insert into {quoted(name)} values ({signs})", frame.iter_rows())
    cursor.execute("commit")


def sqlite_type(kind: Any) -> str:
    """The type of a column in SQLite.

    >>> import polars as pl
    >>> sqlite_type(pl.Int64), sqlite_type(pl.Float64), sqlite_type(pl.String)
    ('INTEGER', 'REAL', 'TEXT')
    """
    return SQLITE_TYPES.get(str(kind).rstrip("0123456789"), "TEXT")


def quoted(name: str) -> str:
    """A name in a statement, whatever letters it has.

    >>> quoted('my "best" table')
    '"my ""best"" table"'
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
