"""The order of classes, as the user writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fgac.cli.failure import Misused, counted, warn


def read_order(given: Sequence[str], labels: Sequence[Any]) -> list[Any]:
    """The classes of a table from the lowest to the highest, as the labels are written.

    A single text is cut at its commas; of several, each is a class.

    >>> read_order(["1, 2,10"], [2, 1, 10, 2]), read_order(["so, so", "good"], ["good", "so, so"])
    ([1, 2, 10], ['so, so', 'good'])
    """
    names = [name.strip() for name in (given[0].split(",") if len(given) == 1 else given)]
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise Misused(f"--order names {twice[0]!r} more than once; expected every class once")
    classes = {str(label): label for label in labels}
    absent = [name for name in classes if name not in names]
    unused = [name for name in names if name not in classes]
    if absent:
        n = sum(str(label) in absent for label in labels)
        strange = f", and {', '.join(map(repr, unused))} is no class" if unused else ""
        raise Misused(
            f"--order does not name {', '.join(map(repr, absent[:5]))} ({counted(n, 'row')}){strange}; name every "
            "class once, from the lowest to the highest"
        )
    if unused:
        warn(f"--order names {', '.join(map(repr, unused))}, which no row has; left out")
    return [classes[name] for name in names if name in classes]
