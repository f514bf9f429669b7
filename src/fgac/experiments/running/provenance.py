"""Where results come from: versions of packages, and the commit of this source if it is a checkout."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("fgac", "numpy", "scipy", "scikit-learn", "numba", "imbalanced-learn")


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide results.

    >>> "numpy" in versions()
    True
    """
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


@cache
def commit(folder: Path = Path(__file__).parent) -> str | None:
    """The commit of the source, followed by ``+`` if it has been changed since; None if it is not a checkout.

    A folder can lie within somebody else's repository, as an environment does: only a tracked file counts.
    """
    if _git(folder, "ls-files", "--error-unmatch", "../__init__.py") is None:
        return None
    return _git(folder, "describe", "--always", "--dirty=+", "--exclude=*")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
