"""One process at a time in a folder of results."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = ".lock"


class InUse(RuntimeError, ValueError):
    """Another process works in the folder."""


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Hold the folder while inside; refuse if another process does.

    The system lets go of the lock when the process that holds it ends, however it ends. The file may stay behind;
    nobody holds it then, and the next process takes it over.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, locked(folder):
    ...     sorted(file.name for file in Path(folder).iterdir())
    ['.lock']
    """
    path = Path(folder) / NAME
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _take(handle):
            holder = os.read(handle, 100).decode(errors="replace").strip()
            raise InUse(
                f"another run is at work in {folder}{f' ({holder})' if holder else ''}; wait until it ends, or give "
                "another folder"
            )
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()}\n".encode(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    """Lock an open file without waiting; whether that worked."""
    try:
        import fcntl
    except ModuleNotFoundError:  # pragma: no cover - Windows
        return _take_on_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _take_on_windows(handle: int) -> bool:  # pragma: no cover
    from importlib import import_module

    msvcrt = import_module("msvcrt")
    # A byte far behind the text, so that others may read who holds it.
    os.lseek(handle, 1 << 20, os.SEEK_SET)
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    finally:
        os.lseek(handle, 0, os.SEEK_SET)
    return True
