"""What can go wrong, said in a line or two: an exit code and no traceback."""

from __future__ import annotations

import functools
import os
import traceback
import warnings
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

import typer

from fgac._printable import printable, printable_line
from fgac.cli.passwords import without_passwords
from fgac.cli.process import PIPE_CLOSED, system_message

# Of a longer message, such as one that quotes a cell of a million letters, only the beginning and the end are shown.
MOST_CHARACTERS = 2000

DEBUG = "FGAC_DEBUG"


class CommandError(Exception):
    """The work cannot be done: bad data, an unreadable file."""

    exit_code = 1


class UsageError(CommandError):
    """The command does not fit the data: an unknown column, options that exclude each other."""

    exit_code = 2


def report_errors(command: Callable[..., None]) -> Callable[..., None]:
    """A command that ends with a message on standard error and an exit code where something goes wrong.

    If nobody reads the results on, there is nothing to say. Ctrl-C passes through, and typer ends the program as it
    should; so does an extra that is not installed, which ``main`` reports.
    """

    @functools.wraps(command)
    def reporting(*args: Any, **options: Any) -> None:
        with warnings.catch_warnings():
            # Users of a command have no use for the file and the line that a warning of the library names.
            warnings.showwarning = _show_warning
            try:
                command(*args, **options)
            except (typer.Exit, typer.Abort, ModuleNotFoundError):
                raise
            except BrokenPipeError as error:
                raise typer.Exit(PIPE_CLOSED) from error
            except Exception as error:
                if os.environ.get(DEBUG):
                    typer.echo(printable(without_passwords(traceback.format_exc())), err=True)
                say(f"error: {_message(error)}")
                raise typer.Exit(getattr(error, "exit_code", 1)) from error

    return reporting


def _message(error: Exception) -> str:
    if isinstance(
        error, CommandError | ValueError | TypeError | ImportError
    ):  # said by us, or by the library, for users
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return system_message(error)
    if isinstance(error, MemoryError):
        return "out of memory; train on fewer rows, or on a machine with more"
    return (
        f"unexpected {type(error).__name__}: {error}. This is a fault of fgac, not yours; please report it with what "
        f"{DEBUG}=1 in the environment shows"
    )


def _show_warning(message: Any, *_: Any, **__: Any) -> None:
    warn(str(message))


def warn(text: str) -> None:
    """A warning on standard error."""
    say(f"warning: {text}")


def say(text: str) -> None:
    """A message on standard error: one line, whatever names and values of the user's it quotes."""
    if len(text) > MOST_CHARACTERS:
        text = f"{text[: MOST_CHARACTERS // 2]} [...] {text[-MOST_CHARACTERS // 2 :]}"
    typer.echo(printable_line(without_passwords(text)), err=True)


def pluralize(n: int, thing: str) -> str:
    """A number of things, in words.

    >>> pluralize(1, "row"), pluralize(2, "row")
    ('1 row', '2 rows')
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def known_column(name: str, names: Sequence[str], option: str) -> str:
    """The name, if there is such a column; otherwise say which ones come near."""
    if name in names:
        return name
    raise UsageError(f"{option} {name!r}: there is no such column; {nearest_names(name, names)}")


def few(names: Sequence[str], most: int = 5) -> str:
    """The first names, and how many more there are.

    >>> few(["a", "b", "c"]), few(["a", "b", "c"], most=1)
    ('a, b, c', 'a and 2 more')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def nearest_names(name: str, names: Sequence[str], shown: Sequence[str] | None = None) -> str:
    """A hint: the names that come nearest, or else all columns, which ``shown`` has if not all names are columns.

    >>> nearest_names("Agee", ["age", "income"])
    "did you mean 'age'?"
    >>> nearest_names("x", ["age", "income"])
    "the columns are 'age', 'income'"
    """
    # Most wrong names differ by a letter, or by upper and lower case.
    lower = {other.lower(): other for other in names}
    near = [lower[match] for match in get_close_matches(name.lower(), lower, n=2, cutoff=0.7)]
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"the columns are {few([repr(column) for column in (names if shown is None else shown)], most=8)}"
