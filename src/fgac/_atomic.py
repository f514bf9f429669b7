"""Files that are written whole or not at all; pipes, terminals and other streams, which cannot be, part by part."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

# Folders whose names stand for descriptors that this process has open: /dev/stdout is a link into one of them.
DESCRIPTORS = ("/dev/fd", "/proc/self/fd")
BESIDE = "the new file is made beside the old one, so its folder must allow new files"


class NamedFile(io.FileIO):
    """An open file whose errors say its name: "out.csv: No space left on device"."""

    def __init__(self, handle: int, mode: str, name: str, *, closefd: bool = True) -> None:
        super().__init__(handle, mode, closefd=closefd)
        self.called = name

    def write(self, data: Any, /) -> int:
        """Write bytes; an error says where."""
        with errors_name(self.called):
            return super().write(data)

    def readinto(self, buffer: Any, /) -> int:
        """Read bytes; an error says where."""
        with errors_name(self.called):
            return super().readinto(buffer)

    def readall(self) -> bytes:
        """Read all there is; an error says where."""
        with errors_name(self.called):
            return super().readall()


class Stream(NamedFile):
    """Something that takes bytes one after the other, such as a pipe; nobody may go back in it."""

    def seekable(self) -> bool:
        """No, even where it is a file: others may have written to it before."""
        return False

    def tell(self) -> int:
        """Where it began, nobody knows."""
        raise io.UnsupportedOperation("a stream has no positions")


@contextmanager
def errors_name(name: str) -> Iterator[None]:
    """Errors of the system inside bear this name of a file."""
    try:
        yield
    except OSError as error:
        error.filename = name
        raise


def write_safely(path: str | Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write a file under a temporary name beside its place, then rename it: it is there whole, or not at all.

    Of a link, the file that it points to is replaced. What is no regular file is never replaced: bytes go through a
    pipe, a terminal, or ``/dev/stdout`` as they come; anything else is refused.
    """
    if is_stream(path):
        with io.BufferedWriter(_open_stream(path)) as file:
            write(file)
        return
    target = Path(os.path.realpath(path))  # the file that a link points to
    # The name is known before the file is there, so that whatever interrupts us can be followed by its removal.
    name = target.with_name(f".fgac-{os.urandom(8).hex()}.tmp")
    try:
        with io.BufferedWriter(NamedFile(_new_file(name, str(path)), "wb", str(path))) as file:
            write(file)
        name.chmod(_permissions(target))  # a temporary file is private
        with errors_name(str(path)):
            name.replace(target)
    except BaseException:  # an interrupt, too, must not leave the temporary file behind
        name.unlink(missing_ok=True)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""

    def write(file: IO[bytes]) -> None:
        file.write(text.encode())

    write_safely(path, write)


def is_stream(path: str | Path) -> bool:
    """Whether a path names a stream: a pipe, a terminal or another such device, or an open descriptor.

    A file that is there, or may be made, is none; anything else, such as a folder, a socket or a disk, is refused.
    """
    if _descriptor(path) is not None:
        return True
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False  # to be made, or the attempt says why not
    if stat.S_ISREG(mode):
        return False
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "this is a folder; expected a file", str(path))
    what = "a disk" if stat.S_ISBLK(mode) else "a socket"
    raise OSError(errno.EINVAL, f"this is {what}; expected a file or a pipe", str(path))


def _open_stream(path: str | Path) -> Stream:
    descriptor = _descriptor(path)
    for printed in filter(None, (sys.stdout, sys.stderr)):
        printed.flush()  # what was printed before these bytes comes before them
    with errors_name(str(path)):
        # Without the flag that makes files: if the pipe is gone by now, that is an error. A copy of an open
        # descriptor goes on where others stopped; to open it anew would begin again and overwrite what they wrote.
        handle = os.open(path, os.O_WRONLY) if descriptor is None else os.dup(descriptor)
    return Stream(handle, "wb", str(path))


def _descriptor(path: str | Path) -> int | None:
    """The descriptor of this process that a path stands for, following links; None if it stands for none."""
    path = Path(path)
    folders = {*DESCRIPTORS, *map(os.path.realpath, DESCRIPTORS)}
    for _ in range(40):  # as many links as systems follow
        if path.name.isdecimal() and path.name.isascii() and os.path.realpath(path.parent) in folders:
            return int(path.name)
        if not path.is_symlink():
            return None
        path = path.parent / path.readlink()
    return None


def _new_file(name: Path, called: str) -> int:
    """Open a new, private file; an error names the file as the user calls it, and not by a name of ours."""
    try:
        return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        why = f" ({BESIDE})" if isinstance(error, PermissionError) else ""
        raise type(error)(error.errno, f"{error.strerror}{why}", called) from error


def _permissions(path: Path) -> int:
    """Permissions of the file that is replaced, or those a new file would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
