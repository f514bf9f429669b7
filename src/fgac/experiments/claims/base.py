"""A conclusion of the paper, what it is drawn from, and how tables of scores are asked about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from fgac.experiments.results import published
from fgac.experiments.results.nn_study import Study
from fgac.experiments.results.published import statement
from fgac.experiments.results.score_table import ScoreTable, Tables, together
from fgac.experiments.results.statistics import LEAST_ROWS, SIGNIFICANT, average_ranks, recompute
from fgac.experiments.results.tables import Scores


@dataclass(frozen=True)
class Reading:
    """What some tables say about a conclusion: the numbers, and whether it holds; None is "does not say"."""

    value: str = ""
    holds: bool | None = None


SILENT = Reading()


@dataclass(frozen=True)
class Conclusion:
    """A conclusion of the paper.

    Attributes
    ----------
    name, section, claim : str
    stated : str
        The numbers that the text gives.
    printed : Reading
        From the tables that the paper prints.
    as_published, as_we_would : Reading
        From our two runs.
    note : str
    """

    name: str
    section: str
    claim: str
    stated: str
    printed: Reading = SILENT
    as_published: Reading = SILENT
    as_we_would: Reading = SILENT
    note: str = ""

    @property
    def verdict(self) -> str:
        """What our runs say: confirmed, not confirmed, in one run only, or not tested."""
        said = {reading.holds for reading in (self.as_published, self.as_we_would)} - {None}
        if not said:
            return "not tested"
        if len(said) == 2:
            return "in one run only"
        return "confirmed" if True in said else "not confirmed"


@dataclass(frozen=True)
class Evidence:
    """All that conclusions are drawn from; tables hold the data sets of the paper only."""

    ours: Tables
    nested: ScoreTable
    scores: Scores = field(default_factory=lambda: Scores([]))
    study: Study | None = None
    ionosphere: dict[str, Any] | None = None

    @property
    def printed(self) -> dict[str, ScoreTable]:
        """The tables of the paper."""
        return {name: table.only(published.PAPER) for name, table in published.tables().items()}


def tested(name: str, tables: Tables, holds: Callable[[float], bool]) -> Reading:
    """A reading of one p-value."""
    value = recompute(statement(name), tables)
    return Reading(f"p = {p_value(value)}", holds(value)) if value == value else SILENT


def all_tested(names: Sequence[str], tables: Tables, holds: Sequence[Callable[[float], bool]]) -> Reading:
    """A reading of several p-values at once."""
    values = [recompute(statement(name), tables) for name in names]
    if any(value != value for value in values):
        return SILENT
    text = ", ".join(p_value(value) for value in values)
    return Reading(f"p = {text}", all(one(value) for one, value in zip(holds, values, strict=True)))


def different(p: float) -> bool:
    """Whether a p-value is significant."""
    return p < SIGNIFICANT


def alike(p: float) -> bool:
    """Whether a p-value is not significant."""
    return p >= SIGNIFICANT


def p_value(p: float) -> str:
    """A p-value to read.

    >>> p_value(0.0452), p_value(0.0000296)
    ('0.045', '3.0e-05')
    """
    return f"{p:.3f}" if p >= 0.0005 else f"{p:.1e}"


def best_rank(tables: Tables, columns: Sequence[str], expected: str) -> Reading:
    """Average ranks of columns, and whether the expected one has the best."""
    table = together(tables, columns)
    if len(table.rows) < LEAST_ROWS:
        return SILENT
    ranks = dict(zip(table.columns, average_ranks(table.values).tolist(), strict=True))
    best = min(ranks, key=lambda column: ranks[column])
    return Reading(", ".join(f"{ranks[column]:.2f}" for column in columns), best == expected)


def stated(*names: str) -> str:
    """Numbers as the text gives them."""
    return ", ".join(statement(name).rounded(statement(name).stated) for name in names)
