"""Databases for tests: the same calls whatever program they belong to."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import polars as pl

from fgac.cli.io.addresses import Address, parse_address
from fgac.cli.io.databases import open_adbc, open_sqlite


@dataclass(frozen=True)
class Database:
    """A database that tests fill and look into."""

    url: str

    @property
    def address(self) -> Address:
        """The address, taken apart."""
        return parse_address(self.url)

    def connection(self) -> Any:
        """A new connection."""
        address = self.address
        return open_sqlite(address.where, "rwc") if address.kind == "sqlite" else open_adbc(address, read_only=False)

    def do(self, *statements: str) -> None:
        """Execute statements, and commit."""
        with closing(self.connection()) as connection:
            with closing(connection.cursor()) as cursor:
                for statement in statements:
                    cursor.execute(statement)
            connection.commit()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows that a query gives."""
        with closing(self.connection()) as connection, closing(connection.cursor()) as cursor:
            cursor.execute(query)
            return [tuple(row) for row in cursor.fetchall()]

    def put(self, frame: pl.DataFrame, name: str) -> None:
        """Make a table of a frame."""
        with closing(self.connection()) as connection:
            with closing(connection.cursor()) as cursor:
                cursor.execute(f'drop table if exists "{name}"')
                if self.address.kind == "sqlite":
                    columns = ", ".join(f'"{column}"' for column in frame.columns)
                    cursor.execute(f'create table "{name}" ({columns})')
                    marks = ", ".join("?" * frame.width)
                    cursor.execute("begin")
                    cursor.executemany(f'insert into "{name}" values ({marks})', frame.iter_rows())
                    cursor.execute("commit")
                else:
                    cursor.adbc_ingest(name, frame.to_arrow(compat_level=pl.CompatLevel.oldest()), mode="create")
            connection.commit()

    def tables(self) -> set[str]:
        """The names of all tables."""
        if self.address.kind == "sqlite":
            return {name for (name,) in self.rows("select name from sqlite_master")}
        hidden = "('pg_catalog', 'information_schema')"
        return {
            name
            for (name,) in self.rows(
                f"select table_name from information_schema.tables where table_schema not in {hidden}"
            )
        }
