"""The command line: ``fgac --help`` lists its commands. Needs the extra ``fgac[cli]``.

Results go to standard output or to a file, everything else to standard error. Exit codes: 0 done, 1 failed,
2 wrong usage or the extra is not installed, 130 interrupted, 141 nobody reads the results on, 143 ended by a signal.
"""

from __future__ import annotations

import sys

MISSING_EXTRA = """\
error: the command line needs the package {name!r}, which is not installed.
Install it with:  pip install 'fgac[cli]'
"""


# Packages of the extra ``cli``. Any other module that is missing is a fault, and keeps its traceback.
EXTRA = {"typer", "rich", "polars", "jinja2"}


def main() -> None:
    """Run the command line; the entry point of the ``fgac`` script."""
    from fgac.cli import process

    process.begin()
    try:
        from fgac.cli.app import app

        app()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in EXTRA:
            raise
        sys.stderr.write(MISSING_EXTRA.format(name=name))
        code = 2
    except KeyboardInterrupt:
        code = process.INTERRUPTED
    except OSError as error:  # the help, or the version, cannot be written
        code = process.tell(error)
    raise SystemExit(process.end(code))
