"""Results as files: the suffix says in which form. A file is there whole, or not at all."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from fgac.cli.failure import Misused
from fgac.plain import write_safely

# Degrees of membership are told to so many decimals in CSV; JSON and Parquet keep every digit.
CSV_DECIMALS = 6

Records = Sequence[dict[str, Any]]


def check_output(path: Path | None, suffixes: Sequence[str], *sources: str) -> None:
    """Refuse, before any work is done, an output that could not be written or would replace what is read."""
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise Misused(f"-o {path}: expected a name that ends in {' or '.join(suffixes)}")
    if path.is_dir():
        raise Misused(f"-o {path}: this is a folder; expected a file")
    if not path.parent.is_dir():
        raise Misused(f"-o {path}: there is no folder {path.parent}")
    if any(Path(source).exists() and path.exists() and path.samefile(source) for source in sources):
        raise Misused(f"-o {path}: this is the file that is read; choose another name")


def write_records(records: Records, path: Path | None) -> None:
    """Write dicts with the same keys as CSV, JSON or Parquet; without a path, as CSV to standard output."""
    suffix = ".csv" if path is None else path.suffix.lower()
    if suffix == ".json":
        data = json_text(list(records)).encode()
    elif suffix == ".csv":
        data = csv_text(records).encode()
    else:
        data = _parquet(records)
    write_bytes(data, path)


def write_bytes(data: bytes, path: Path | None) -> None:
    """Write a file, whole or not at all; without a path, the same bytes to standard output."""
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return

    def write(file: IO[bytes]) -> None:
        file.write(data)

    write_safely(path, write)


def write_string(text: str, path: Path | None) -> None:
    """Write text to a file or to standard output, in UTF-8."""
    write_bytes(text.encode(), path)


def json_text(value: Any) -> str:
    """JSON that people can read, too."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def csv_text(records: Records) -> str:
    """CSV with a header.

    >>> print(csv_text([{"id": 'a "b", c', "degree": 0.1 + 0.2}]), end="")
    id,degree
    "a ""b"", c",0.3
    """
    import polars as pl

    return _frame(records).with_columns(pl.selectors.float().round(CSV_DECIMALS)).write_csv()


def _parquet(records: Records) -> bytes:
    file = io.BytesIO()
    _frame(records).write_parquet(file)
    return file.getvalue()


def _frame(records: Records) -> Any:
    """A frame; a column that mixes text and numbers becomes text."""
    import polars as pl

    names = list(records[0]) if records else []
    columns = {name: [record[name] for record in records] for name in names}
    return pl.DataFrame([_series(name, values) for name, values in columns.items()])


def _series(name: str, values: list[Any]) -> Any:
    import polars as pl

    kinds = {type(value) for value in values if value is not None}
    if str in kinds and len(kinds) > 1:
        values = [None if value is None else str(value) for value in values]
    return pl.Series(name, values, strict=False)
