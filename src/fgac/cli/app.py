"""The commands of the program ``fgac``. Nothing heavy is imported before a command does its work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from fgac import __version__
from fgac._printable import printable_line
from fgac.cli.commands.audit import audit
from fgac.cli.commands.demo import demo
from fgac.cli.commands.evaluate import evaluate
from fgac.cli.commands.explain import explain
from fgac.cli.commands.fit import fit
from fgac.cli.commands.info import info
from fgac.cli.commands.plot import plot
from fgac.cli.commands.predict import predict
from fgac.cli.commands.reproduce import reproduce
from fgac.cli.errors import report_errors
from fgac.cli.examples import EXAMPLES, examples_text
from fgac.cli.passwords import without_passwords


class PlainFlags:
    """Help that says of switches such as --json no kind of value, since they take none."""

    def get_params(self, ctx: Any) -> Any:
        """Return all options and arguments."""
        params = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False):
                param.metavar = ""
        return params


class Commands(PlainFlags, TyperGroup):
    """The commands; what typer says about wrong options quotes them as :func:`~fgac.cli.errors.say` would."""

    def make_context(self, *given: Any, **options: Any) -> Any:
        """Read the options before the command."""
        with _shown_as_text():
            return super().make_context(*given, **options)

    def invoke(self, ctx: Any) -> Any:
        """Read the options of the command, and run it."""
        with _shown_as_text():
            return super().invoke(ctx)


class WithExamples(PlainFlags, TyperCommand):
    """A command whose help ends with examples; they stand below the panels, so that no line of them is broken."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, then the examples."""
        super().format_help(ctx, formatter)
        formatter.write(f"{examples_text(EXAMPLES[self.name or ''])}\n\n")


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
    epilog="fgac COMMAND --help ends with examples. Exit codes: 0 done, 1 failed, 2 wrong usage, above 128 ended by a "
    "signal. FGAC_DEBUG=1 shows where an error came from.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # tracebacks are shown by FGAC_DEBUG only
    context_settings={"help_option_names": ["-h", "--help"]},
)


def paragraphs(text: str) -> str:
    r"""A docstring with every paragraph on one line, so that the help breaks lines where the terminal ends.

    >>> paragraphs("One.\n\nTwo\n    lines.")
    'One.\n\nTwo lines.'
    """
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


# The commands that people need first, and the others, in this order.
PANELS = {
    "Commands to begin with": (fit, predict, explain, evaluate, audit),
    "More commands": (plot, info, demo, reproduce),
}

# The wrapper is the outermost: whatever goes wrong in any command ends as one message and an exit code.
for panel, commands in PANELS.items():
    for command in commands:
        text = paragraphs(command.__doc__ or "")
        app.command(help=text, cls=WithExamples, rich_help_panel=panel)(report_errors(command))


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
