"""Tables, bars and the record of where a number came from."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from load import OtherLoad

HERE = Path(__file__).parent
RESULTS = HERE / "results"
PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "piqp", "clarabel")


class Bar(NamedTuple):
    """What was asked, what was measured, and whether it was reached (None: not measured in this run)."""

    asked: str
    measured: str
    met: bool | None


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with some significant digits and no exponent where that stays readable.

    >>> number(0.012345), number(1234.5), number(3e-12), number(None)
    ('0.0123', '1234', '3e-12', '')
    """
    if value is None:
        return ""
    if value == 0 or 1e-4 <= abs(value) < 1000:
        return f"{value:.{digits}g}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.0e}"


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an aligned Markdown table."""
    body = [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(header, *body, strict=True)]
    lines = [header, ["-" * width for width in widths], *body]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def bars_table(bars: Iterable[Bar]) -> str:
    """Return one line per bar: asked, measured, met or not."""
    words = {True: "met", False: "NOT met", None: "not measured"}
    return markdown_table(["bar", "measured", ""], [[bar.asked, bar.measured, words[bar.met]] for bar in bars])


def provenance(load: OtherLoad | None = None) -> str:
    """Return date, commit (a + after it: changed since), processors, versions and, if given, the load by others."""
    return provenance_of(_commit(), PACKAGES) + ("" if load is None else f" {load.sentence()}")


def provenance_of(commits: str, packages: Iterable[str]) -> str:
    """Return the date, the commits at which the lines of a journal were made, processors and versions."""
    versions = ", ".join(f"{package} {version_of(package)}" for package in packages)
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commits}, {os.cpu_count()} CPUs ({platform.machine()}), "
        f"Python {platform.python_version()}, {versions}."
    )


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def progress(text: str) -> None:
    """Tell on stderr what has been done, so that stdout holds the result only."""
    print(text, file=sys.stderr, flush=True)


def publish(text: str, path: Path | None) -> None:
    """Print the result and, if there is a path, write it there through a temporary name."""
    print(text)
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text + "\n", encoding="utf-8")
    temporary.replace(path)
    progress(f"written: {path}")
