"""``fgac reproduce``: the experiments of the paper, run again."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fgac.cli import completion
from fgac.cli import options as o

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fgac.experiments.results.findings import Findings


# Modules that the experiments need, and the packages that they come from.
MODULES = {
    "imblearn": "imbalanced-learn",
    "jinja2": "jinja2",
    "matplotlib": "matplotlib",
    "pandas": "pandas",
    "scikit_posthocs": "scikit-posthocs",
}


def reproduce(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Folder for results and report; made if missing.",
            autocompletion=completion.files,
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="FOLDER", help="Folder of the data sets as CSV files.", autocompletion=completion.files
        ),
    ] = None,
    download: Annotated[
        bool, typer.Option("--download", help="Fetch missing data sets first, into FOLDER or OUT/data.")
    ] = False,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="ADDRESS", help="Where to fetch from, if not the repository of the authors."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only the smallest data sets, to see that it works.")] = False,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Run nothing; write the report of the results in OUT.")
    ] = False,
    n_jobs: Annotated[
        int, typer.Option("--n-jobs", metavar="NUMBER", help="Processes; -1 is all cores. Results do not depend on it.")
    ] = -1,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Run the experiments of the paper again and set our numbers beside the published ones.

    Every result is kept in OUT as soon as it is there: a run that was stopped goes on where it was if started
    again. Writes OUT/report.html, report.md, tables and figures. Needs the packages of the extra 'experiments'.
    """
    from fgac.cli.errors import CommandError

    check_packages()  # rather than after hours of experiments
    check_options(output, data, download=download, url=url, report_only=report_only)
    try:
        if download:
            fetch(data or output / "data", url, quiet=quiet)
        if not report_only:
            run(output, data or output / "data", quick=quick, n_jobs=n_jobs, quiet=quiet)
        report(output, json=json, quiet=quiet)
    except FileNotFoundError as error:
        if error.strerror is not None:  # the system's own words
            raise
        raise CommandError(str(error)) from error


def check_packages() -> None:
    """Refuse, before any work is done, if a package is missing."""
    from fgac.cli.errors import UsageError

    missing = [package for module, package in MODULES.items() if find_spec(module) is None]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        raise UsageError(
            f"the experiments need {', '.join(missing)}, which {are} not installed; "
            "run: pip install 'fgac[experiments]'"
        )


def check_options(output: Path, data: Path | None, *, download: bool, url: str | None, report_only: bool) -> None:
    """Refuse options that do not go together."""
    from fgac.cli.errors import UsageError

    if output.exists() and not output.is_dir():
        raise UsageError(f"-o {output}: this is a file; expected a folder")
    if url is not None and not download:
        raise UsageError("--url is for --download; add that, or leave --url out")
    if report_only:
        if data is not None or download:
            raise UsageError("--report-only runs nothing, so it needs no data; leave --data and --download out")
        return
    if data is None and not download:
        raise UsageError("--data is missing: which folder holds the data sets? Or fetch them with --download")
    if data is not None and not data.is_dir() and not download:
        raise UsageError(f"--data {data}: there is no such folder; correct it, or fetch the data sets with --download")


def fetch(folder: Path, url: str | None, *, quiet: bool) -> None:
    """Download the data sets that are not in the folder."""
    from fgac.cli.console import progress
    from fgac.experiments.datasets.download import URL, download

    with progress("fetching data sets", quiet=quiet) as on_progress:
        download(folder, url=url or URL, on_progress=on_progress)


def run(output: Path, folder: Path, *, quick: bool, n_jobs: int, quiet: bool) -> None:
    """Do everything that is not yet done."""
    from fgac.cli.console import note, progress
    from fgac.experiments.results import ionosphere
    from fgac.experiments.running.run import reproduce as run_all

    note(f"results are kept in {output}; stop at any time and start again to go on", quiet=quiet)
    with progress("running", quiet=quiet) as on_progress:
        run_all(folder, output, n_jobs=n_jobs, quick=quick, on_progress=on_progress)
    if not quick:
        ionosphere.write(folder, output)


def report(output: Path, *, json: bool, quiet: bool) -> None:
    """Write the report and say the most important of it."""
    from fgac.cli.console import output_console, working
    from fgac.cli.json_output import print_json
    from fgac.experiments.report.write import write
    from fgac.experiments.results.findings import findings

    with working("writing the report", quiet=quiet):
        found = findings(output)
        path = write(found, output)
    if json:
        bars = [{"bar": bar.name, "found": bar.found, "met": bar.met} for bar in found.bars]
        print_json({"report": str(path), "bars": bars})
    else:
        output_console().print(render(found, path))


def render(found: Findings, path: Path) -> RenderableType:
    """What the report says, in a few lines."""
    from rich.console import Group

    from fgac._printable import printable_line
    from fgac.cli.console import plain_table
    from fgac.experiments.report.sections import verdicts

    table = plain_table("bar", "found", "met")
    for bar in found.bars:
        table.add_row(bar.name, bar.found, {True: "yes", False: "NO", None: "undecided"}[bar.met])
    return Group(table, "", verdicts(found), printable_line(f"Report: {path}"))
