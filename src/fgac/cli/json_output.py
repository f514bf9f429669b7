"""``--json``: one document on standard output for machines; whatever else is said goes to standard error.

Without ``-o`` the document is the result itself, as a file that ends in .json would have it. With ``-o`` the result is
in that file, and the document says what was written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fgac._atomic import is_stream


def finite(value: Any) -> Any:
    """The same value, with None in place of numbers that JSON does not have.

    >>> finite({"radius": float("inf"), "gammas": (1.0, float("nan"))})
    {'radius': None, 'gammas': [1.0, None]}
    """
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): finite(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite(part) for part in value]
    return value.item() if hasattr(value, "item") else value


def print_json(document: Any) -> None:
    """Write a document to standard output."""
    from fgac.cli.io.writing import json_text, write_string

    write_string(json_text(finite(document)), None)


def print_written(output: Path | str | None, **about: Any) -> None:
    """Say as a document what was written where, unless that is a stream, which may be standard output."""
    if not isinstance(output, Path) or not is_stream(output):
        print_json({"output": None if output is None else str(output), **about})
