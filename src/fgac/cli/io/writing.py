"""Results as files: the suffix says in which form. A file is there whole, or not at all."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fgac._atomic import write_safely
from fgac.cli.errors import UsageError

if TYPE_CHECKING:
    import polars as pl


# Decimals of degrees of membership in CSV; JSON and Parquet keep every digit.
CSV_DECIMALS = 6

Records = Sequence[dict[str, Any]]


def check_output(path: Path | None, suffixes: Sequence[str], *sources: str) -> None:
    """Refuse, before any work is done, an output that could not be written or would replace what is read."""
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageError(f"-o {path}: expected a name that ends in {' or '.join(suffixes)}")
    if path.is_dir():
        raise UsageError(f"-o {path}: this is a folder; expected a file")
    if not path.parent.is_dir():
        raise UsageError(f"-o {path}: there is no folder {path.parent}")
    if any(Path(source).exists() and path.exists() and path.samefile(source) for source in sources):
        raise UsageError(f"-o {path}: this is the file that is read; choose another name")


def write_records(records: Records, path: Path | None, decimals: int | None = CSV_DECIMALS) -> None:
    """Write dicts with the same keys, as :func:`write_frames` does."""
    write_frames([_frame(records)], path, decimals)


def write_frames(frames: Iterable[pl.DataFrame], path: Path | None, decimals: int | None = CSV_DECIMALS) -> None:
    """Write frames of the same columns, one below the other, as CSV, JSON or Parquet.

    Without a path, CSV to standard output. CSV has so many decimals; all, if None. One frame is held at a time:
    together they may be larger than memory.
    """
    suffix = ".csv" if path is None else path.suffix.lower()
    if path is not None and suffix == ".parquet":
        _write_parquet(frames, path)
    else:
        write_parts(_json_parts(frames) if suffix == ".json" else _csv_parts(frames, decimals), path)


def write_parts(parts: Iterable[bytes], path: Path | None) -> None:
    """Write a file, whole or not at all; without a path, the same bytes to standard output, part after part."""
    if path is not None:
        write_safely(path, lambda file: file.writelines(parts))
        return
    sys.stdout.flush()  # what was printed as text comes before these bytes
    for part in parts:
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()


def write_string(text: str, path: Path | None) -> None:
    """Write text to a file or to standard output, in UTF-8."""
    write_parts([text.encode()], path)


def json_text(value: Any) -> str:
    """JSON that people can read, too."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def csv_text(frame: pl.DataFrame, *, header: bool = True, decimals: int | None = CSV_DECIMALS) -> str:
    """CSV, numbers rounded unless there are to be all decimals.

    >>> import polars as pl
    >>> print(csv_text(pl.DataFrame({"id": ['a "b", c'], "degree": [0.1 + 0.2]})), end="")
    id,degree
    "a ""b"", c",0.3
    """
    import polars as pl

    if decimals is not None:
        frame = frame.with_columns(pl.selectors.float().round(decimals))
    return frame.write_csv(include_header=header)


def _csv_parts(frames: Iterable[pl.DataFrame], decimals: int | None) -> Iterator[bytes]:
    header = True
    for frame in frames:
        yield csv_text(frame, header=header, decimals=decimals).encode()
        header = False


def _json_parts(frames: Iterable[pl.DataFrame]) -> Iterator[bytes]:
    """What :func:`json_text` gives for the list of all rows; the rows are flat, so their encoder can be a fast one."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",\n  ", ": ")).encode
    before = "[\n"
    for frame in frames:
        rows = ",\n".join(f" {{\n  {encode(row)[1:-1]}\n }}" for row in frame.iter_rows(named=True))
        if rows:
            yield f"{before}{rows}".encode()
            before = ",\n"
    yield b"[]\n" if before == "[\n" else b"\n]\n"


def _write_parquet(frames: Iterable[pl.DataFrame], path: Path) -> None:
    """Write every frame as a file, then join these: polars cannot add rows to a Parquet file."""
    import polars as pl

    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".fgac-") as folder:
        parts: list[Path] = []
        for frame in frames:
            parts.append(Path(folder, f"{len(parts)}.parquet"))
            frame.write_parquet(parts[-1])
        whole = parts[0]
        if len(parts) > 1:
            whole = Path(folder, "whole.parquet")
            pl.scan_parquet(parts, glob=False).sink_parquet(whole)
        with whole.open("rb") as source:
            write_safely(path, lambda file: shutil.copyfileobj(source, file))


def _frame(records: Records) -> pl.DataFrame:
    """A frame; a column that mixes text and numbers becomes text."""
    import polars as pl

    names = list(records[0]) if records else []
    columns = {name: [record[name] for record in records] for name in names}
    return pl.DataFrame([_series(name, values) for name, values in columns.items()])


def _series(name: str, values: list[Any]) -> pl.Series:
    import polars as pl

    # Ids of training rows may be texts and ids of new rows numbers; a file has one type per column.
    kinds = {type(value) for value in values if value is not None}
    if str in kinds and len(kinds) > 1:
        values = [None if value is None else str(value) for value in values]
    return pl.Series(name, values, strict=False)
