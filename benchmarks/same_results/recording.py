"""Writing down what the installed version gives."""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from same_results.constants import PACKAGES, Plain
from same_results.library import record_approximation, record_engine, record_errors, record_path, record_scikit_learn
from same_results.models import record_setting
from same_results.programs import programs, record_program
from same_results.settings import settings


def recorders(folder: Path, *, with_pages: bool) -> dict[str, Callable[[], Plain]]:
    """What makes the record of every setting."""
    found: dict[str, Callable[[], Plain]] = {
        name: partial(record_setting, setting, folder / f"{name}.fgac", with_pages=with_pages)
        for name, setting in settings().items()
    }
    found |= {
        "path": record_path,
        "engine": record_engine,
        "approximation": record_approximation,
        "scikit_learn": record_scikit_learn,
        "errors": record_errors,
    }
    return found | {
        name: partial(record_program, name, program, folder, with_pages=with_pages)
        for name, program in programs().items()
    }


def record(folder: Path, only: str, *, with_pages: bool) -> None:
    """Write down what the installed version gives."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "versions.json", versions())
    for name, make in recorders(folder, with_pages=with_pages).items():
        if only in name:
            start = time.perf_counter()
            write(folder / f"{name}.json", make())
            print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)


def write(path: Path, value: Plain) -> None:
    """Write JSON; Python writes floats with all their digits."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=None) + "\n", encoding="utf-8")


def versions() -> dict[str, str]:
    """The versions of all that has a say in the numbers."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
