"""JSON lines: every line is an object, its keys are the columns. A key that a line lacks is missing in that row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import CommandError
from fgac.cli.io.csv_text import decode, unmarked
from fgac.cli.io.reading import LONGEST, RawTable, check_width
from fgac.cli.io.series import typed_series

if TYPE_CHECKING:
    import polars as pl

    from fgac.cli.io.text_files import TextFile


EXPECTED = 'expected one object per line, such as {"age": 42, "class": "yes"}'


def json_parts(text: TextFile, block: int) -> Iterator[tuple[RawTable, int, int | None]]:
    """Tables of about so many bytes; and how many bytes of how many are done."""
    names: dict[str, None] = {}  # a column of the first part may be missing in the next
    done = n_lines = 0
    for data in whole_lines(text, block):
        if not done:
            data = unmarked(data, text.source)
        records = parse_lines(decode(data, text.source, n_lines), text.source, n_lines)
        names.update(dict.fromkeys(key for record in records for key in record))
        check_width(len(names), text.source)
        done += len(data)
        n_lines += data.count(b"\n")
        frame = records_frame(records, list(names))
        yield RawTable(frame, text.source, is_part=True, may_lack=True), *text.progress(done)


def whole_lines(text: TextFile, block: int) -> Iterator[bytes]:
    """Blocks of a file that end where a line does."""
    data = b""
    while more := text.file.read(block):
        cut = more.rfind(b"\n") + 1
        if cut:
            yield data + more[:cut]
            data = more[cut:]
        else:
            data += more
        if len(data) > LONGEST:
            raise CommandError(f"{text.source} has a line of more than {LONGEST >> 20} MB; {EXPECTED}")
    if data:
        yield data


def parse_lines(text: str, source: str, n_lines: int = 0) -> list[dict[str, Any]]:
    r"""The objects in the lines of a text, which come after so many others; blank lines are none.

    >>> parse_lines('{"a": 1}\n\n{"a": null, "b": "x"}\n', "data.jsonl")
    [{'a': 1}, {'a': None, 'b': 'x'}]
    """
    records = []
    for place, line in enumerate(text.split("\n"), start=n_lines + 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{source}, line {place}: this is no JSON ({error}); {EXPECTED}") from error
        if not isinstance(record, dict):
            raise CommandError(f"{source}, line {place}: {line.strip()[:40]!r} is no JSON object; {EXPECTED}")
        records.append(record)
    return records


def records_frame(records: list[dict[str, Any]], names: list[str]) -> pl.DataFrame:
    """A frame of records, with null where one lacks a key."""
    import polars as pl

    return pl.DataFrame([typed_series(name, [record.get(name) for record in records]) for name in names])
