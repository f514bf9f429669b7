"""The command line: ``fgac --help`` lists its commands. Needs the extra ``fgac[cli]``.

Results go to standard output or to a file, everything else to standard error. Exit codes: 0 done, 1 failed,
2 wrong usage or the extra is not installed, 130 interrupted.
"""

from __future__ import annotations

import io
import sys

MISSING_EXTRA = """\
error: the command line needs the package {name!r}, which is not installed.
Install it with:  pip install 'fgac[cli]'
"""


# Packages of the extra ``cli``. Any other module that is missing is a fault, and keeps its traceback.
EXTRA = {"typer", "rich", "polars", "jinja2"}


def main() -> None:
    """Run the command line; the entry point of the ``fgac`` script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows a question mark
    try:
        from fgac.cli.app import app

        app()
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in EXTRA:
            raise
        sys.stderr.write(MISSING_EXTRA.format(name=name))
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        # 128 plus the number of the signal is what a shell expects of an interrupted program.
        raise SystemExit(130) from None
