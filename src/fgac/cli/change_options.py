"""The options of ``fgac explain`` that ask what would change predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fgac.cli import completion
from fgac.cli.errors import UsageError, few, known_column, nearest_names, pluralize

if TYPE_CHECKING:
    from fgac.cli.model_files import StoredModel

CHANGES = "What would change predictions"


@dataclass(frozen=True)
class ChangeOptions:
    """What is wanted of predictions, and what may change for it."""

    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="CLASS|COLUMN",
            help="Class that is wanted: say what would change predictions to it. Of ordered classes and numbers at "
            "least this one, or as in '<=300'. Or the column of the true classes or numbers, if there is one of this "
            "name; by default the one the model was trained on, if it is there.",
            autocompletion=completion.columns,
            rich_help_panel=CHANGES,
        ),
    ] = None
    toward: Annotated[
        str | None,
        typer.Option(
            "--toward",
            metavar="CLASS",
            help="The same, also where a column is called like the class.",
            rich_help_panel=CHANGES,
        ),
    ] = None
    changes: Annotated[
        bool,
        typer.Option(
            "--changes",
            help="Say what would change predictions, to whatever other class.",
            rich_help_panel=CHANGES,
        ),
    ] = False
    fixed: Annotated[
        list[str] | None,
        typer.Option(
            "--fixed",
            metavar="COLUMNS",
            help="Must not change: a column, or several with commas in between. Repeat.",
            autocompletion=completion.columns,
            rich_help_panel=CHANGES,
        ),
    ] = None
    direction: Annotated[
        list[str] | None,
        typer.Option(
            "--direction",
            metavar="COLUMN=WAY",
            help="May only rise or fall, as in age=up or debt=down. Repeat.",
            rich_help_panel=CHANGES,
        ),
    ] = None
    step: Annotated[
        list[str] | None,
        typer.Option(
            "--step",
            metavar="COLUMN=NUMBER",
            help="Changes in such steps only, as in income=100. Repeat.",
            rich_help_panel=CHANGES,
        ),
    ] = None
    max_features: Annotated[
        int,
        typer.Option(
            "--max-features",
            min=1,
            metavar="NUMBER",
            help="Columns that change at most, where so few can do it.",
            rich_help_panel=CHANGES,
        ),
    ] = 3

    def truth_column(self, names: Sequence[str], stored: StoredModel) -> str | None:
        """The column of true classes or numbers, if ``--target`` names one of these columns, or seems to."""
        if self.target is None or self.target in names:
            return self.target
        try:
            stored.kind.read_goal(self.target, stored.state)
        except ValueError:
            # Classes first: a column of this kind has mostly the name that the model knows anyway.
            goals = stored.kind.goals(stored.state)
            hint = nearest_names(self.target, [*goals, *names], shown=names)
            wanted = f"a class ({few(goals)})" if goals else "a number (300, or '<=300')"
            message = f"--target {self.target!r}: that is neither {wanted} nor a column of the table; {hint}"
            raise UsageError(message) from None
        return None

    def settings(self, names: Sequence[str], stored: StoredModel) -> dict[str, Any] | None:
        """What to ask of changes; None if nobody asks."""
        is_goal = self.target is not None and self.target not in names
        if is_goal and self.toward is not None:
            raise UsageError(f"--target {self.target} and --toward {self.toward} say the same; give one of them")
        goal = self.goal(names)
        narrowed = [name for name in ("fixed", "direction", "step") if getattr(self, name)]
        if goal is None and not self.changes:
            if narrowed:
                raise UsageError(
                    f"--{narrowed[0]} is about what would change predictions; add --changes, or --target CLASS"
                )
            return None
        if goal is None and not stored.kind.goals(stored.state):
            raise UsageError("--changes: say which number is wanted, as in --target 300 (at least) or --target '<=300'")
        columns = stored.feature_names or []
        fixed = [name for text in self.fixed or () for name in _columns_in(text, columns)]
        if fixed and set(fixed) == set(columns):
            raise UsageError("--fixed names all columns of the model, so nothing could change; leave one of them out")
        return {
            "target": None if goal is None else self._read(goal, stored),
            "fixed": fixed,
            "directions": _by_column("--direction", self.direction, columns, "COLUMN=up or COLUMN=down, as in age=up"),
            "steps": _numbers(_by_column("--step", self.step, columns, "COLUMN=NUMBER, as in income=100")),
            "max_features": self.max_features,
        }

    def goal(self, names: Sequence[str]) -> str | None:
        """The class or the end of a range that is wanted, as it was written; None if any other class would do."""
        return self.target if self.target is not None and self.target not in names else self.toward

    def _read(self, goal: str, stored: StoredModel) -> Any:
        try:
            return stored.kind.read_goal(goal, stored.state)
        except ValueError as error:
            raise UsageError(f"--toward {goal!r}: {error}") from None


def _columns_in(text: str, columns: Sequence[str]) -> list[str]:
    """The columns that an option names, with commas in between; a column whose own name holds them is one.

    >>> _columns_in("age, city", ["age", "city"]), _columns_in("age, city", ["age, city", "age"])
    (['age', 'city'], ['age, city'])
    """
    if text in columns or "," not in text:
        return [known_column(text, columns, "--fixed")]
    return [known_column(part.strip(), columns, "--fixed") for part in text.split(",") if part.strip()]


def read_end(text: str) -> tuple[bool, str]:
    """Whether a text says "at most", and what.

    >>> read_end("<=300"), read_end(">= good"), read_end("300")
    ((True, '300'), (False, 'good'), (False, '300'))
    """
    return text.startswith("<="), text.removeprefix("<=").removeprefix(">=").strip()


def _by_column(option: str, given: Sequence[str] | None, columns: Sequence[str], form: str) -> dict[str, str]:
    """What options such as ``--step income=100`` say, by column."""
    found = {}
    for text in given or ():
        name, equals, value = text.rpartition("=")
        if not equals or not name:
            raise UsageError(f"{option} {text!r}: expected {form}")
        found[known_column(name, columns, option)] = value
    return found


def _numbers(given: Mapping[str, str]) -> dict[str, float]:
    try:
        return {name: float(value) for name, value in given.items()}
    except ValueError:
        name, value = next((name, value) for name, value in given.items() if not _is_number(value))
        raise UsageError(f"--step {name}={value}: {value!r} is no number") from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def wanted_summary(found: Any, asked: Mapping[str, Any], goal: str | None, stored: StoredModel) -> str:
    """Of which rows a change was told, which are as wanted already, and of which none was found."""
    rows = list(found)
    as_wanted = (
        [] if goal is None else [r for r in rows if stored.kind.meets(r.prediction, asked["target"], stored.state)]
    )
    ids = {id(row) for row in as_wanted}
    others = [row for row in rows if id(row) not in ids]
    told = [row for row in others if row.counterfactuals]
    parts = [f"What would change predictions{'' if goal is None else f' to {goal}'}: told of {_counted(told, rows)}"]
    if goal is not None:
        parts.append(f"as wanted already: {_counted(as_wanted, rows, names=True)}")
    lost = [row for row in others if not row.counterfactuals]
    if lost:
        parts.append(f"none was found for {_counted(lost, rows, names=True)}")
    return "; ".join(parts) + "."


def _counted(some: Sequence[Any], rows: Sequence[Any], *, names: bool = False) -> str:
    """How many of some rows there are, and what they are called."""
    called = f" ({few([str(row.id) for row in some])})" if names and some else ""
    return f"{len(some)} of {pluralize(len(rows), 'row')}{called}"


def note_unanswered(found: Any, *, quiet: bool) -> None:
    """Say of how many rows no change was told."""
    from fgac.cli.console import note

    without = [str(item.id) for item in found if not item.counterfactuals]
    if without:
        of = f"{len(without)} of {pluralize(len(found), 'row')} ({few(without)})"
        note(f"No change is told of {of}: predicted as wanted already, or none was found.", quiet=quiet)
