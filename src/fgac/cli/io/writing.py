"""Results as files: the suffix says in which form. A file is there whole, or not at all.

A pipe, a terminal or ``/dev/stdout`` as output takes what comes, part after part.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fgac._atomic import errors_name, is_stream, write_safely
from fgac._printable import printable, printable_json
from fgac.cli.errors import CommandError, UsageError
from fgac.cli.io.addresses import file_of
from fgac.cli.io.series import typed_series

if TYPE_CHECKING:
    import polars as pl


# Decimals of degrees of membership in CSV; JSON and Parquet keep every digit.
CSV_DECIMALS = 6

Records = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class CsvStyle:
    """How results are written as CSV: to so many decimals, or all if None; and whether formulas become text."""

    decimals: int | None = CSV_DECIMALS
    spreadsheet_safe: bool = False


# How text begins that spreadsheets take for a formula, though it came from a cell of the user's.
FORMULA = r"^[=+\-@\t\r]"


def check_output(path: Path | None, suffixes: Sequence[str], *sources: str) -> None:
    """Refuse, before any work is done, an output that could not be written or would replace what is read."""
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"-o {path}: this is a folder; expected a file")
    if is_stream(path):
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise UsageError(f"-o {path}: expected a name that ends in {' or '.join(suffixes)}")
    if not path.parent.is_dir():
        raise UsageError(f"-o {path}: there is no folder {path.parent}")
    files = [file_of(source) for source in sources]
    if any(file.exists() and path.exists() and path.samefile(file) for file in files):
        raise UsageError(f"-o {path}: this is the file that is read; choose another name")


def form_of(path: Path | None, suffixes: Sequence[str], otherwise: str = "") -> str:
    """In which form to write, as a suffix; ``otherwise`` if there is no path, or a stream's name does not say it."""
    suffix = "" if path is None else path.suffix.lower()
    return suffix if suffix in suffixes else otherwise


def check_spreadsheet_safe(wanted: bool, form: str) -> None:
    """Refuse to make an output safe for spreadsheets that is no CSV."""
    if wanted and form != ".csv":
        raise UsageError("--spreadsheet-safe is for CSV; leave it out, or write CSV (-o FILE.csv)")


def write_records(records: Records, path: Path | None, form: str, style: CsvStyle) -> None:
    """Write dicts with the same keys, as :func:`write_frames` does."""
    write_frames([_frame(records)], path, form, style)


def write_frames(frames: Iterable[pl.DataFrame], path: Path | None, form: str, style: CsvStyle) -> None:
    """Write frames of the same columns, one below the other, as CSV, JSON or Parquet; without a path, to stdout.

    One frame is held at a time: together they may be larger than memory.
    """
    if path is not None and form == ".parquet":
        _write_parquet(frames, path)
    else:
        write_parts(_json_parts(frames) if form == ".json" else _csv_parts(frames, style), path)


def write_parts(parts: Iterable[bytes], path: Path | None) -> None:
    """Write a file, whole or not at all; without a path, the same bytes to standard output, part after part."""
    if path is not None:
        write_safely(path, lambda file: _pour(parts, file))
        return
    sys.stdout.flush()  # what was printed as text comes before these bytes
    _pour(parts, sys.stdout.buffer)


def _pour(parts: Iterable[bytes], file: IO[bytes]) -> None:
    """Write part after part; to a terminal, with escapes for what would command it."""
    shown = file.isatty()
    for part in parts:
        file.write(printable(part.decode()).encode() if shown else part)
        file.flush()


def write_string(text: str, path: Path | None) -> None:
    """Write text to a file or to standard output, in UTF-8."""
    write_parts([text.encode()], path)


def json_text(value: Any) -> str:
    """JSON that people can read, too."""
    return printable_json(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)) + "\n"


def csv_text(frame: pl.DataFrame, style: CsvStyle, *, header: bool = True) -> str:
    """CSV, numbers rounded unless there are to be all decimals.

    >>> import polars as pl
    >>> print(csv_text(pl.DataFrame({"id": ['a "b", c'], "degree": [0.1 + 0.2]}), CsvStyle()), end="")
    id,degree
    "a ""b"", c",0.3
    """
    import polars as pl

    if style.decimals is not None:
        frame = frame.with_columns(pl.selectors.float().round(style.decimals))
    if style.spreadsheet_safe:
        frame = frame.with_columns(_without_formulas(pl.col(pl.String)))
    return frame.write_csv(include_header=header)


def _without_formulas(text: Any) -> Any:
    """Text with an apostrophe before it where a spreadsheet would compute it; numbers are left as they are."""
    import polars as pl

    is_number = text.cast(pl.Float64, strict=False).is_not_null()
    return pl.when(text.str.contains(FORMULA) & ~is_number).then(pl.lit("'") + text).otherwise(text).name.keep()


def _csv_parts(frames: Iterable[pl.DataFrame], style: CsvStyle) -> Iterator[bytes]:
    header = True
    for frame in frames:
        yield csv_text(frame, style, header=header).encode()
        header = False


def _json_parts(frames: Iterable[pl.DataFrame]) -> Iterator[bytes]:
    """What :func:`json_text` gives for the list of all rows; the rows are flat, so their encoder can be a fast one."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",\n  ", ": ")).encode
    before = "[\n"
    for frame in frames:
        rows = ",\n".join(f" {{\n  {encode(row)[1:-1]}\n }}" for row in frame.iter_rows(named=True))
        if rows:
            yield printable_json(f"{before}{rows}").encode()
            before = ",\n"
    yield b"[]\n" if before == "[\n" else b"\n]\n"


def _write_parquet(frames: Iterable[pl.DataFrame], path: Path) -> None:
    """Write every frame as a file, then join these: polars cannot add rows to a Parquet file."""
    import polars as pl

    # Beside the file, where there is room for it; but not beside a pipe, or in /dev.
    with tempfile.TemporaryDirectory(dir=None if is_stream(path) else path.parent, prefix=".fgac-") as folder:
        parts: list[Path] = []
        for frame in frames:
            parts.append(Path(folder, f"{len(parts)}.parquet"))
            frame.write_parquet(part := io.BytesIO())
            with errors_name(str(path)):  # polars would say of a full disk that the file is out of specification
                parts[-1].write_bytes(part.getbuffer())
        whole = parts[0]
        if len(parts) > 1:
            whole = Path(folder, "whole.parquet")
            try:
                pl.scan_parquet(parts, glob=False).sink_parquet(whole)
            except (pl.exceptions.PolarsError, OSError) as error:
                raise CommandError(f"{path} cannot be written ({str(error).partition(chr(10))[0]})") from error
        with whole.open("rb") as source:
            write_safely(path, lambda file: shutil.copyfileobj(source, file))


def _frame(records: Records) -> pl.DataFrame:
    """A frame; a column that mixes text and numbers becomes text."""
    import polars as pl

    names = list(records[0]) if records else []
    columns = {name: [record[name] for record in records] for name in names}
    return pl.DataFrame([typed_series(name, values) for name, values in columns.items()])
