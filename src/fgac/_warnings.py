"""Warnings that point at the caller's line, however deep in the library they arise."""

from __future__ import annotations

import warnings
from inspect import currentframe


def caller_stacklevel() -> int:
    """The ``stacklevel`` with which a warning, raised by who calls this, points at the line outside of this package."""
    frame, level = currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "fgac":
        frame, level = frame.f_back, level + 1
    return level


def warn_renamed(old: str, new: str) -> None:
    """Warn the caller that something public has a better name now."""
    warnings.warn(
        f"{old} is now called {new}; the old name will be removed in a later version",
        FutureWarning,
        stacklevel=caller_stacklevel(),
    )
