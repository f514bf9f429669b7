"""Opening what is a file of bounded size, and nothing else: no pipe that never ends, no device, no folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO

from fgac.persistence import limits
from fgac.persistence.errors import ModelFileError

# What else may stand where a file is expected, in words.
OTHERS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
WANTED = "expected a file that fgac.save_model wrote"


def open_regular(path: str | Path, max_size: int | None = None) -> tuple[IO[bytes], int]:
    """An open file and its size in bytes; the caller closes it.

    Links are followed. Nothing is read before the size is known to be no more than ``max_size``, see
    :func:`fgac.persistence.limits.largest_file`.
    """
    largest = limits.largest_file(max_size)
    # Opening a pipe would wait for somebody to write to it, so what it is is asked first. And once more of what has
    # been opened, which may be another file by then; without waiting, should that be a pipe.
    _refuse_irregular(path, Path(path).stat())
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        known = os.fstat(handle)
        _refuse_irregular(path, known)
        if known.st_size > largest:
            raise ModelFileError(
                f"{path} has {known.st_size} bytes, and files of more than {largest} are not read; if you trust it, "
                f"say how many may be: load_model(path, max_size=...), or {limits.SIZE_VARIABLE} in the environment"
            )
        return os.fdopen(handle, "rb"), known.st_size
    except BaseException:
        os.close(handle)
        raise


def _refuse_irregular(path: str | Path, known: os.stat_result) -> None:
    if stat.S_ISREG(known.st_mode):
        return
    what = next((name for is_kind, name in OTHERS if is_kind(known.st_mode)), "no file")
    raise ModelFileError(f"{path} is {what}; {WANTED}")
