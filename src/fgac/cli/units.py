"""Units of columns, as the user writes them."""

from __future__ import annotations

from collections.abc import Sequence

from fgac.cli.errors import UsageError, known_column


def read_units(given: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Units by column.

    >>> read_units(["age=years"], ["age"])
    {'age': 'years'}
    """
    units = {}
    for text in given:
        name, equals, unit = text.rpartition("=")
        if not equals or not name:
            raise UsageError(f"--unit {text!r}: expected COLUMN=UNIT, as in age=years")
        units[known_column(name, names, "--unit")] = unit
    return units
