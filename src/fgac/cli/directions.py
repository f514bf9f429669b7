"""Columns of which more can only speak for one class, or only raise or lower a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fgac.cli.errors import UsageError, known_column, warn

if TYPE_CHECKING:
    from fgac.cli.io.training_table import TrainingTable


@dataclass(frozen=True)
class Directions:
    """The columns of ``--increasing`` and ``--decreasing``."""

    increasing: Sequence[str] = ()
    decreasing: Sequence[str] = ()

    def of(self, table: TrainingTable) -> dict[str, int] | None:
        """The direction of every column that has one, 1 or -1; None if there are none."""
        # Without those that were set apart, which cannot be meant.
        kinds = {column.name: column.kind for column in table.columns}
        found: dict[str, int] = {}
        for option, direction in (("increasing", 1), ("decreasing", -1)):
            for name in getattr(self, option):
                if name not in kinds:
                    known_column(name, list(kinds), f"--{option}")
                if kinds[name] == "nominal":
                    raise UsageError(f"--{option} {name!r}: the column holds names, which have no order")
                if found.setdefault(name, direction) != direction:
                    raise UsageError(f"column {name!r} cannot be both --increasing and --decreasing; choose one")
        return found or None

    def check_two_classes(self, labels: Sequence[Any]) -> None:
        """Refuse directions if there are more than two classes, and nobody said in which order."""
        if not (self.increasing or self.decreasing):
            return
        classes = set(labels)
        if len(classes) > 2:
            raise UsageError(
                f"--increasing and --decreasing need two classes, and there are {len(classes)}; if these have an "
                "order, name them from the lowest to the highest (--order)"
            )
        # The estimator takes the second class for the higher one; whoever reads names only may mean the opposite.
        from fgac.tables.class_order import alphabet_sentence

        low, high = sorted(classes)
        warn(
            f"{alphabet_sentence([low, high])}: --increasing columns can only speak for it. If {low!r} is higher, say "
            f"--order {high},{low}"
        )
