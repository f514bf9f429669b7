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
    group: str | None = None
    nominal: Sequence[str] = ()
    numeric: Sequence[str] = ()
    date: Sequence[str] = ()
    keep: Sequence[str] = ()
    drop: Sequence[str] = ()
    drop_missing: bool = False
    missing: Sequence[str] | None = None

    def check(self, names: list[str]) -> None:
        """Refuse columns that do not exist, or that are to be two things at once."""
        known = set(names)
        self._check_one_target(known)
        said: dict[str, str] = {}  # the option that named a column first
        dates = self.dates(names)
        for option in ("target", "id", "weight", "group", "nominal", "numeric", "date", "drop"):
            given = dates if option == "date" else getattr(self, option)
            for name in [given] if isinstance(given, str) else given or ():
                if name not in known:
                    known_column(name, names, f"--{option}")
                # Rows may be called by the name of their group.
                if said.setdefault(name, option) != option and (said[name], option) != ("id", "group"):
                    raise UsageError(f"column {name!r} cannot be both --{said[name]} and --{option}; choose one")

        for name in self.keep:
            known_column(name, names, "--keep")
            if said.get(name) in ("target", "id", "weight", "group", "drop"):
                raise UsageError(f"column {name!r} cannot be both --{said[name]} and --keep; choose one")

    def _check_one_target(self, known: set[str]) -> None:
        """Refuse several columns that are written as one."""
        parts = [part.strip() for part in self.target.split(",")]
        if self.target not in known and len(parts) > 1 and known.issuperset(parts):
            one_target(parts)

    def dates(self, names: list[str]) -> dict[str, str | None]:
        """The columns of dates, each with the pattern that dates are written after, as in when=%d.%m.%Y, or None."""
        found: dict[str, str | None] = {}
        for given in self.date:
            name, _, pattern = given.partition("=") if given not in names else (given, "", "")
            if pattern and "%" not in pattern:
                raise UsageError(f"--date {given!r}: expected a pattern such as %d.%m.%Y behind the =")
            found[known_column(name, names, "--date")] = pattern or None
        return found

    @property
    def asked(self) -> set[str]:
        """The columns that the user wants, whatever they look like."""
        return {*self.nominal, *self.numeric, *self.keep, *(name.partition("=")[0] for name in self.date), *self.date}

    @property
    def no_features(self) -> set[str | None]:
        """The columns that are no features: what is predicted, and what rows are called, weigh and belong to."""
        return {self.target, self.id, self.weight, self.group}

    def features(self, names: list[str]) -> list[str]:
        """The columns that the classifier is to look at."""
        apart = self.no_features | set(self.drop)
        features = [name for name in names if name not in apart]
        if not features:
            raise UsageError(f"no columns are left to learn from: {len(names)} in the table, all of them set apart")
        return features


def one_target(names: Sequence[str]) -> str:
    """The column to predict, if it is one; otherwise say how to predict several."""
    if len(names) == 1:
        return names[0]
    others = " ".join(f"--drop {name!r}" for name in names[1:])
    raise UsageError(
        f"--target names {len(names)} columns, {', '.join(map(repr, names))}; expected one, for a model predicts one "
        f"column: fit one model for each, as with --target {names[0]!r} {others}"
    )
