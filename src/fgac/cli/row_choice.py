"""The rows of a table that ``fgac explain`` explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from fgac.cli.errors import UsageError, pluralize

if TYPE_CHECKING:
    from fgac.cli.io.new_rows import NewRows
    from fgac.cli.model_files import StoredModel


# Rows that are explained unless the user says which, by the suffix of the output: more text than this nobody reads.
N_DEFAULT = {"": 5, ".txt": 5, ".html": 50}


@dataclass(frozen=True)
class RowChoice:
    """The options ``--row``, ``--first`` and ``--doubtful``, of which at most one is given."""

    row: Annotated[
        list[str] | None,
        typer.Option(
            "--row",
            "--rows",
            metavar="ID",
            help="Explain this row: its id if there is an id column, else its number from 1. Repeat for several.",
        ),
    ] = None
    first: Annotated[int | None, typer.Option("--first", min=1, metavar="NUMBER", help="Explain the first rows.")] = (
        None
    )
    doubtful: Annotated[
        int | None,
        typer.Option(
            "--doubtful",
            min=1,
            metavar="NUMBER",
            help="Explain the rows with the least margin, of numbers those with the widest bounds.",
        ),
    ] = None

    @property
    def is_default(self) -> bool:
        """Whether the user left the choice to us."""
        return not (self.row or self.first or self.doubtful)

    def check(self) -> None:
        """Refuse two ways of choosing rows at once."""
        options = (("--row", self.row), ("--first", self.first), ("--doubtful", self.doubtful))
        given = [name for name, value in options if value]
        if len(given) > 1:
            raise UsageError(f"{' and '.join(given)} exclude each other; choose one")

    def positions(self, stored: StoredModel, rows: NewRows, suffix: str) -> list[int]:
        """Positions of the chosen rows; ``suffix`` is that of the output."""
        n = len(rows)
        if self.row:
            return [position for name in self.row for position in find_rows(name, rows)]
        if self.doubtful:
            import numpy as np

            # A stable sort keeps rows that are equally doubtful in the order of the table.
            certainty = stored.kind.certainty(stored.kind.predictions(stored.state, rows)).to_numpy()
            return np.argsort(certainty, kind="stable")[: self.doubtful].tolist()
        return list(range(min(n, self.first or N_DEFAULT.get(suffix, n))))

    def describe(self, n: int, n_rows: int, source: str, least_certain: str) -> str:
        """Which rows of a table are explained, in words.

        >>> RowChoice().describe(50, 150, "new.csv", "the least margin")
        'first 50 of 150 rows of new.csv'
        """
        if self.row:
            return f"{n} of {pluralize(n_rows, 'row')} of {source}, chosen by hand"
        if self.doubtful:
            return f"the {n} of {pluralize(n_rows, 'row')} of {source} with {least_certain}"
        if n == n_rows > 1:
            return f"all {n_rows} rows of {source}"
        return f"first {n} of {pluralize(n_rows, 'row')} of {source}"


def find_rows(name: str, rows: NewRows) -> list[int]:
    """Positions of the rows with an id; ids may be joined by commas."""
    names = [str(each) for each in rows.ids]
    parts = [name] if name in names or "," not in name else [part.strip() for part in name.split(",")]
    unknown = [part for part in parts if part not in names]
    if unknown:
        shown = ", ".join(names[:5]) + (f", ... {names[-1]}" if len(names) > 5 else "")
        raise UsageError(f"--row {unknown[0]!r}: there is no such row; the rows are called {shown}")
    return [position for part in parts for position, each in enumerate(names) if each == part]
