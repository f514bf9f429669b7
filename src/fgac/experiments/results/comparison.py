"""Our scores beside the published ones: every difference, and whether the bars are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fgac._tolerances import PRINTED_TOL
from fgac.experiments.claims.reasons import UNKNOWN, reasons
from fgac.experiments.results import published
from fgac.experiments.results.score_table import ScoreTable, Tables

# The paper prints three decimals, so these are what is compared.
PRINTED = 3
# A difference up to this is none to speak of.
NOTED = 0.005


@dataclass(frozen=True)
class Cell:
    """One score: as printed, and ours to as many decimals."""

    table: str
    dataset: str
    column: str
    published: float
    ours: float

    @property
    def difference(self) -> float:
        """Ours minus the published one, both to three decimals.

        >>> Cell("models", "pima", "fgac", 0.736, 0.7364).difference
        0.0
        """
        return round(round(self.ours, PRINTED) - self.published, PRINTED)

    @property
    def reasons(self) -> str:
        """What may be the reason of a difference."""
        return "; ".join(reason.name for reason in reasons(self.table, self.dataset, self.column)) or UNKNOWN

    def within(self, limit: float) -> bool:
        """Whether the difference is at most this."""
        return abs(self.difference) <= limit + PRINTED_TOL


def cells(name: str, ours: ScoreTable) -> list[Cell]:
    """Every cell of a table of the paper for which we have a score."""
    printed = published.tables()[name]
    return [
        Cell(name, row, column, printed[row, column], ours[row, column])
        for row in printed.rows
        for column in printed.columns
        if (row, column) in ours and (row, column) in printed
    ]


def differences(tables: Tables) -> list[Cell]:
    """Every cell that differs from the published one by more than 0.005, largest first within a table."""
    found = []
    for name in published.TABLES:
        noted = [cell for cell in cells(name, tables[name]) if not cell.within(NOTED)]
        found += sorted(noted, key=lambda cell: -abs(cell.difference))
    return found


@dataclass(frozen=True)
class Bar:
    """What was asked of the run "as published", what came out, and of how many cells."""

    name: str
    wanted: str
    found: str
    met: bool | None


@dataclass(frozen=True)
class Agreement:
    """How near a set of cells is to the published one."""

    name: str
    n: int
    exact: int
    noted: int
    within_10: int
    within_15: int
    largest: float
    mean: float


def agreement(name: str, found: Sequence[Cell]) -> Agreement:
    """Count the cells by their difference."""
    gaps = np.array([abs(cell.difference) for cell in found])

    def within(limit: float) -> int:
        return int(np.count_nonzero(gaps <= limit + PRINTED_TOL))

    return Agreement(
        name=name,
        n=len(gaps),
        exact=within(0.0),
        noted=within(NOTED),
        within_10=within(0.010),
        within_15=within(0.015),
        largest=float(gaps.max()) if len(gaps) else float("nan"),
        mean=float(gaps.mean()) if len(gaps) else float("nan"),
    )


def agreements(tables: Tables) -> list[Agreement]:
    """Agreement of every column of every table, on the data sets that the paper names."""
    every = [cell for name in published.TABLES for cell in cells(name, tables[name].only(published.PAPER))]
    return [
        agreement(f"{name}.{column}", [cell for cell in every if (cell.table, cell.column) == (name, column)])
        for name, table in published.tables().items()
        for column in table.columns
    ]


def bars(tables: Tables) -> list[Bar]:
    """The bars that the run "as published" is held against; not decided where scores are missing."""
    models = cells("models", tables["models"].only(published.PAPER))
    n = len(published.PAPER)
    by_column = {name: agreement(name, [c for c in models if c.column == name]) for name in tables["models"].columns}
    fgac = by_column["fgac"]
    found = [
        Bar(
            "FGAC (models)",
            f"equal to three decimals on at least 14 of {n} data sets, within 0.015 on the rest",
            f"equal on {fgac.exact} of {fgac.n}, within 0.015 on {fgac.within_15}, largest {fgac.largest:.3f}",
            fgac.exact >= 14 and fgac.within_15 == n if fgac.n == n else None,
        )
    ]
    for name, title in (("kfrnn", "kFRNN"), ("knn", "kNN"), ("cart", "CART")):
        one = by_column[name]
        found.append(
            Bar(
                f"{title} (models)",
                f"within 0.010 on at least 15 of {n} data sets",
                f"within 0.010 on {one.within_10} of {one.n} (equal on {one.exact}), largest {one.largest:.3f}",
                one.within_10 >= 15 if one.n == n else None,
            )
        )
    return [*found, _squared_error(tables["nn"])]


def _squared_error(table: ScoreTable) -> Bar:
    every = [cell for cell in cells("nn", table) if cell.column.startswith("mse")]
    printed = published.tables()["nn"]
    expected = len(printed.rows) * sum(column.startswith("mse") for column in printed.columns)
    near = agreement("mse", every)
    share = near.within_15 / near.n if near.n else float("nan")
    return Bar(
        "squared error (nn)",
        "within 0.015 on at least 90 % of the cells",
        f"within 0.015 on {near.within_15} of {near.n} cells ({share:.1%}), largest {near.largest:.3f}",
        share >= 0.9 if near.n == expected else None,
    )
