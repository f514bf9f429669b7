"""How tests run commands, and read what they print."""

import csv
import io
import warnings

from typer.testing import CliRunner

from fgac.cli.app import app

OTHERS = r"(?!(fgac|tests|support)(\.|$))"


def run(*arguments, stdin=None, code=0, columns=80):
    """Run a command at so many columns; the exit code must be as expected.

    What other packages warn of is left out: pytest asks for warnings that a process of its own would not show.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module=OTHERS)
        answer = CliRunner().invoke(app, [str(a) for a in arguments], env={"COLUMNS": str(columns)}, input=stdin)
    assert answer.exit_code == code, answer.output
    return answer


def words(text):
    """Return a text with its lines joined."""
    return " ".join(text.split())


def table(text):
    """Return the records of a CSV text."""
    return list(csv.DictReader(io.StringIO(text, newline="")))
