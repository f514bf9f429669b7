"""Warnings of this package: they name the caller's line, however deep they arise, and filters know them as its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import currentframe
from types import FrameType

# Frames that are not the caller's: this package's own, and those of the machinery that imports modules.
INSIDE = ("fgac", "importlib", "_frozen_importlib", "_frozen_importlib_external")


# What is said once of a target with very many classes: by scikit-learn, of which every tree would say it again, ...
MANY_CLASSES = "The number of unique classes is greater than 50%"
# ... and by this package, of numbers that are taken for classes.
NUMBERS_AS_CLASSES = "y holds .* different numbers"
# And once of a table of which rows seem to belong together.
REPEATED_IDENTIFIERS = ".* may name what rows belong to"


@contextmanager
def already_warned(*messages: str) -> Iterator[None]:
    """Leave out warnings that begin like these patterns, because the caller has been told."""
    with warnings.catch_warnings():
        for message in messages:
            warnings.filterwarnings("ignore", message=message, category=UserWarning)
        yield


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, naming the line outside of this package that led here.

    That line may be another library's, as it is for fits in its cross-validation. Filters see the module ``fgac`` all
    the same: ``warnings.filterwarnings("ignore", module="fgac")`` silences this package, whoever calls it.
    """
    caller = _caller()
    warnings.warn_explicit(
        message,
        category,
        filename=caller.f_code.co_filename,
        lineno=caller.f_lineno,
        module="fgac",
        registry=caller.f_globals.setdefault("__warningregistry__", {}),
    )


def _caller() -> FrameType:
    """The innermost frame outside of this package; the outermost of all if there is none."""
    frame = currentframe()
    assert frame is not None, "CPython has frames"
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in INSIDE:
        frame = frame.f_back
    return frame
