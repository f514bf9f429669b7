"""The commands of the program ``fgac``. Nothing heavy is imported before a command does its work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from fgac import __version__
from fgac._printable import printable_line
from fgac.cli.commands.audit import audit
from fgac.cli.commands.demo import demo
from fgac.cli.commands.evaluate import evaluate
from fgac.cli.commands.explain import explain
from fgac.cli.commands.fit import fit
from fgac.cli.commands.plot import plot
from fgac.cli.commands.predict import predict
from fgac.cli.commands.reproduce import reproduce
from fgac.cli.errors import report_errors
from fgac.cli.passwords import without_passwords


class Commands(TyperGroup):
    """The commands; what typer says about wrong options quotes them as :func:`~fgac.cli.errors.say` would."""

    def make_context(self, *given: Any, **options: Any) -> Any:
        """Read the options before the command."""
        with _shown_as_text():
            return super().make_context(*given, **options)

    def invoke(self, ctx: Any) -> Any:
        """Read the options of the command, and run it."""
        with _shown_as_text():
            return super().invoke(ctx)


@contextmanager
def _shown_as_text() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # Errors of typer about usage, and only these, have a message that is shown as it is.
        if isinstance(getattr(error, "message", None), str):
            error.message = printable_line(without_passwords(error.message))  # type: ignore[attr-defined]
        raise


app = typer.Typer(
    name="fgac",
    cls=Commands,
    help="Fuzzy granular approximation classifier: exact, and able to say why.",
    epilog="Exit codes: 0 done, 1 failed, 2 wrong usage, above 128 ended by a signal. FGAC_DEBUG=1 shows where an "
    "error came from.",
    no_args_is_help=True,
    # Installing completion changes files of the user's shell, and tracebacks are shown by FGAC_DEBUG only.
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def paragraphs(text: str) -> str:
    r"""A docstring with every paragraph on one line, so that the help breaks lines where the terminal ends.

    >>> paragraphs("One.\n\nTwo\n    lines.")
    'One.\n\nTwo lines.'
    """
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


# The wrapper is the outermost: whatever goes wrong in any command ends as one message and an exit code.
for command in (fit, predict, explain, plot, audit, evaluate, reproduce, demo):
    app.command(help=paragraphs(command.__doc__ or ""))(report_errors(command))


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        typer.echo(f"fgac {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Fuzzy granular approximation classifier: exact, and able to say why."""
