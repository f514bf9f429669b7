"""Arrow tables from databases as polars frames: types that polars does not know are told by their column."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError

if TYPE_CHECKING:
    import polars as pl


# Where PostgreSQL's driver tells the type that a column has in the database.
TYPE_KEYS = (b"POSTGRESQL:type", b"ADBC:postgresql:typname")


def regrouped(batches: Iterable[Any], n_rows: int) -> Iterator[Any]:
    """The rows of batches of any size as tables of so many rows, of which the last may have fewer."""
    import pyarrow as pa

    waiting: list[Any] = []
    n_waiting = 0
    for batch in batches:
        waiting.append(batch)
        n_waiting += batch.num_rows
        if n_waiting >= n_rows:
            table = pa.Table.from_batches(waiting)
            whole = n_waiting - n_waiting % n_rows
            yield from (table.slice(start, n_rows) for start in range(0, whole, n_rows))
            waiting, n_waiting = table.slice(whole).to_batches(), n_waiting - whole
    if n_waiting:
        yield pa.Table.from_batches(waiting)


def polars_frame(table: Any, source: str) -> pl.DataFrame:
    """A frame of an Arrow table; numbers of any precision and JSON come as text, and so do UUIDs."""
    import polars as pl

    return pl.DataFrame([_series(table.column(name), table.field(name), source) for name in table.schema.names])


def _series(values: Any, field: Any, source: str) -> pl.Series:
    import polars as pl
    import pyarrow as pa

    kind = field.type
    if isinstance(kind, pa.BaseExtensionType):
        storage = [chunk.storage for chunk in values.chunks]
        values, kind = pa.chunked_array(storage, type=kind.storage_type), kind.storage_type
    if _is_uuid(field) and not pa.types.is_string(kind):
        texts = [None if value is None else str(uuid.UUID(bytes=value)) for value in values.to_pylist()]
        return pl.Series(field.name, texts, dtype=pl.String)
    try:
        return pl.Series(field.name, pl.from_arrow(values))
    except (pl.exceptions.PolarsError, pa.ArrowException) as error:
        raise CommandError(
            f"{source}: column {field.name!r} holds values of type {kind}, which cannot be read; turn them into "
            f"numbers or text in the query, or leave the column out"
        ) from error


def _is_uuid(field: Any) -> bool:
    told = {(field.metadata or {}).get(key) for key in TYPE_KEYS}
    return b"uuid" in told or getattr(field.type, "extension_name", "") == "arrow.uuid"
