"""Whether the library still gives the same results: a record of what it says, to be compared after a change.

    cd benchmarks
    python -m same_results record BEFORE          # with the one version installed
    python -m same_results record AFTER           # with the other
    python -m same_results compare BEFORE AFTER   # with the other, which also loads the models of BEFORE

This is for changes that must not change any number: files that move, functions that are cut in two. Only what users
can reach is called (the names in ``fgac``, the engine in ``fgac.solve``, and the program ``fgac``), so that one and the
same code runs before and after. Names that have become better are listed in ``comparing.py``.

A *setting* is an estimator with its data. Of each, FOLDER/setting.json holds the fitted attributes, what the model says
of new rows, explanations and doubted rows as values and as text, and all warnings; FOLDER/setting.fgac is the model
file. Further settings record the path of all gammas, the engine, messages of errors, and the program with its
files. Data are drawn with fixed seeds or come with scikit-learn. Numbers are written with all digits.

``compare`` allows numbers to differ by 1e-12 of max(1, |number|), and nothing else: no text, label, type, key or
order. It also loads every model file of both folders and asks the same questions again. Exit code 1 if anything
differs by more.

Some things are left out or hidden, because they are never the same or may change on purpose:

- seconds, and the version of fgac;
- the residuals that prove a solution optimal, which are rounding: recorded is whether they are below 1e-9;
- the doubted training rows at the end of an explanation, which are asked for on their own here;
- pages of HTML are recorded as a check sum: any change of their looks shows. ``--no-pages`` leaves them out;
- how many constraints, rounds and pivots it took to solve a problem is compared, unless ``--no-effort`` is given.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from same_results.comparing import compare
from same_results.constants import EFFORT
from same_results.recording import record


def main() -> None:
    """Record, or compare two records."""
    parser = argparse.ArgumentParser(description="Record what the library gives, and compare two records.")
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="write down what the installed version gives")
    recording.add_argument("folder", type=Path)
    comparing = commands.add_parser("compare", help="say where two records differ")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--no-effort", action="store_true", help="leave out numbers of constraints and steps")
    comparing.add_argument("--show", type=int, default=0, metavar="NUMBER", help="differences of each setting to print")
    for command in (recording, comparing):
        command.add_argument("--no-pages", action="store_true", help="leave out pages of HTML")
        command.add_argument("--only", default="", metavar="TEXT", help="settings whose names contain this")
    options = parser.parse_args()
    if options.command == "record":
        record(options.folder, options.only, with_pages=not options.no_pages)
        return
    leave_out = (*(("pages",) if options.no_pages else ()), *(EFFORT if options.no_effort else ()))
    raise SystemExit(compare(options.old, options.new, options.only, leave_out, options.show))


if __name__ == "__main__":
    main()
