"""How a command begins and ends as a process: its standard streams, signals that end it, and its exit code.

A stream that is closed, a full disk behind standard output and a reader who leaves are told as such, or in the exit
code. A signal unwinds the command as an exception does, so that temporary files are removed.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from typing import Any

from fgac._atomic import NamedFile
from fgac._printable import printable_line

# Exit codes of programs that a signal ends, as shells tell them: 128 plus its number.
INTERRUPTED = 130
PIPE_CLOSED = 141
# A terminal that is closed (SIGHUP), and whoever asks a program to end (SIGTERM).
SIGNALS = ("SIGHUP", "SIGTERM")

NAMES = {"stdin": "standard input", "stdout": "standard output", "stderr": "standard error"}


class Unheard(NamedFile):
    """Standard error: that nobody can read it is no reason to fail, and could not be told anyway."""

    def write(self, data: Any, /) -> int:
        """Write bytes, or drop them."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def begin() -> None:
    """Make the standard streams fit for use, and let signals clean up."""
    for number, name in enumerate(NAMES):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, _opened(_in_place_of(number), name, "utf-8"))
        elif type(stream) is io.TextIOWrapper and not stream.isatty():
            stream.flush()
            setattr(sys, name, _opened(number, name, stream.encoding))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows a question mark
    for known in (getattr(signal, name) for name in SIGNALS if hasattr(signal, name)):
        if signal.getsignal(known) is signal.SIG_DFL:  # one that is ignored (nohup) stays so
            signal.signal(known, _end_by_signal)


def end(code: int) -> int:
    """Bring to its place what was printed; the exit code, which tells if that failed."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # What could not be written would be tried again at the very end, and fail again.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        if code == 0:
            return tell(error)
    return code


def tell(error: OSError) -> int:
    """Say what the system refused, unless it is only that nobody reads on; and the exit code."""
    if error.errno == errno.EPIPE:
        return PIPE_CLOSED
    sys.stderr.write(f"error: {printable_line(system_message(error))}\n")
    return 1


def system_message(error: OSError) -> str:
    """What the system refused, and which file it is about."""
    why = "it is closed" if error.errno == errno.EBADF else error.strerror or str(error)
    return f"{error.filename}: {why}" if error.filename else why


def _in_place_of(number: int) -> int:
    """A descriptor in the place of a standard stream that is closed; it cannot be used as that stream would be.

    Without it, the next file that is opened would take the number, and what others print would go into that file.
    """
    return os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)


def _opened(handle: int, name: str, encoding: str) -> io.TextIOWrapper:
    """A standard stream whose errors say its name; one that is closed fails when it is used, not before."""
    if name == "stdin":
        return io.TextIOWrapper(io.BufferedReader(NamedFile(handle, "rb", NAMES[name], closefd=False)), encoding)
    kind = Unheard if name == "stderr" else NamedFile
    writer = io.BufferedWriter(kind(handle, "wb", NAMES[name], closefd=False))
    return io.TextIOWrapper(writer, encoding, errors="replace", line_buffering=name == "stderr")


def _end_by_signal(number: int, _: Any) -> None:
    signal.signal(number, signal.SIG_DFL)  # whoever asks twice does not wait
    raise SystemExit(128 + number)
