"""A file of results that only grows, one JSON object per line, and survives being killed.

The lines of a task are written at once and brought to the disk before the next. After an interruption the file can
end in a part of a task: that part is cut off, and the task is done again. A task whose lines are all there is never
done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Key = tuple[Any, ...]


class Journal:
    """Lines of finished tasks.

    Parameters
    ----------
    path : path
    fields : names of the fields that tell which task a line belongs to
    sizes : dict of Key -> int
        How many lines each task has. Lines of tasks that are not among these are left alone.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder) / "lines.jsonl", ("task",), {("a",): 2, ("b",): 1})
    ...     journal.append([{"task": "a", "value": 1}, {"task": "a", "value": 2}])
    ...     again = Journal(journal.path, ("task",), {("a",): 2, ("b",): 1})
    >>> again.finished
    {('a',)}
    """

    def __init__(self, path: str | Path, fields: tuple[str, ...], sizes: Mapping[Key, int]) -> None:
        self.path = Path(path)
        self.fields = fields
        self.sizes = dict(sizes)
        self.finished = self._recover() if self.path.exists() else set()

    def append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Write all lines of one task."""
        text = "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines)
        handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            written, data = 0, text.encode()
            while written < len(data):  # once, unless the disk is full or the system says otherwise
                written += os.write(handle, data[written:])
            os.fsync(handle)
        finally:
            os.close(handle)

    def _recover(self) -> set[Key]:
        """Cut off what an interruption left half-written; return the keys of the tasks that are whole."""
        counts: dict[Key, int] = {}
        ends: dict[Key, int] = {}
        begins: dict[Key, int] = {}
        position = 0
        data = self.path.read_bytes()
        for number, raw in enumerate(data.splitlines(keepends=True), start=1):
            key = self._key(raw, number, last=position + len(raw) == len(data))
            if key is None:
                break
            begins.setdefault(key, position)
            position += len(raw)
            ends[key] = position
            counts[key] = counts.get(key, 0) + 1
        return self._whole(counts, begins, ends, position, len(data))

    def _key(self, raw: bytes, number: int, *, last: bool) -> Key | None:
        """The task of a line; None for a last line that is not whole."""
        try:
            if not raw.endswith(b"\n"):
                raise ValueError("the line does not end")
            line = json.loads(raw)
            return tuple(line[field] for field in self.fields)
        except (ValueError, KeyError, TypeError) as error:
            if last:
                return None
            raise ValueError(
                f"line {number} of {self.path} is not a result ({error}); this program writes no such line, so the "
                "file was changed: repair it, or give another folder"
            ) from error

    def _whole(
        self, counts: dict[Key, int], begins: dict[Key, int], ends: dict[Key, int], position: int, size: int
    ) -> set[Key]:
        """Tasks with all their lines; the last one may lack some, which are then cut off with it."""
        whole = set()
        end = position
        for key, count in counts.items():
            if key not in self.sizes:
                continue
            if count == self.sizes[key]:
                whole.add(key)
            elif count < self.sizes[key] and ends[key] == position:
                end = begins[key]
            else:
                raise ValueError(
                    f"{self.path} holds {count} lines of {'/'.join(map(str, key))}, expected {self.sizes[key]}; it was "
                    "made by another version or changed by hand: give another folder"
                )
        if end < size:
            with self.path.open("r+b") as file:
                file.truncate(end)
                file.flush()
                os.fsync(file.fileno())
        return whole
