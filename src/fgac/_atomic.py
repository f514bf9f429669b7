"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO


def write_safely(path: str | Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write a file under a temporary name beside its place, then rename it: it is there whole, or not at all."""
    path = Path(os.path.realpath(path))  # the file that a link points to
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".fgac-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        Path(name).chmod(_permissions(path))  # a temporary file is private
        Path(name).replace(path)
    except BaseException:  # an interrupt, too, must not leave the temporary file behind
        Path(name).unlink(missing_ok=True)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""

    def write(file: IO[bytes]) -> None:
        file.write(text.encode())

    write_safely(path, write)


def _permissions(path: Path) -> int:
    """Permissions of the file that is replaced, or those a new file would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
