"""What the columns of a table are for, as the user says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fgac.cli.errors import UsageError, known_column


@dataclass(frozen=True)
class Roles:
    """What the user says about columns."""

    target: str
    id: str | None = None
    weight: str | None = None
    nominal: Sequence[str] = ()
    numeric: Sequence[str] = ()
    drop: Sequence[str] = ()
    drop_missing: bool = False
    missing: Sequence[str] | None = None

    def check(self, names: list[str]) -> None:
        """Refuse columns that do not exist, or that are to be two things at once."""
        known = set(names)
        said: dict[str, str] = {}  # the option that named a column first
        for option in ("target", "id", "weight", "nominal", "numeric", "drop"):
            given = getattr(self, option)
            for name in [given] if isinstance(given, str) else given or ():
                if name not in known:
                    known_column(name, names, f"--{option}")
                if said.setdefault(name, option) != option:
                    raise UsageError(f"column {name!r} cannot be both --{said[name]} and --{option}; choose one")

    def features(self, names: list[str]) -> list[str]:
        """The columns that the classifier is to look at."""
        apart = {self.target, self.id, self.weight, *self.drop}
        features = [name for name in names if name not in apart]
        if not features:
            raise UsageError(f"no columns are left to learn from: {len(names)} in the table, all of them set apart")
        return features
