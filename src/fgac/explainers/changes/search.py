"""What all searches for changes share: the rows, what is asked, and how far changed rows have moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fgac._tolerances import STRENGTH_DIGITS
from fgac._typing import Bools, Floats, Ints
from fgac.explainers.changes.judges import Judge, Verdict
from fgac.explainers.changes.question import Question
from fgac.explainers.changes.space import Space, SpaceColumn
from fgac.metrics.angular import Angular
from fgac.metrics.distances import Blockwise, Rows
from fgac.tables.columns import Column
from fgac.tables.turns import Turns

# Numbers are told with twelve digits; a step by a smaller share than this of the largest number would be lost.
SMALLEST_SHARE = 1e-12


@dataclass(frozen=True)
class Found:
    """A change that is predicted as wanted: of which row, the columns and their new values, how far the row moves."""

    row: int
    columns: tuple[int, ...]
    values: tuple[float, ...]
    distance: float

    @property
    def order(self) -> tuple[Any, ...]:
        """Fewest columns first, then the shortest way; what is left decides by the columns and values themselves."""
        return len(self.columns), round(self.distance, STRENGTH_DIGITS), self.columns, self.values


class Search:
    """Rows of a space, the judge of what is wanted, and the question what may change.

    Attributes
    ----------
    start : the verdict on the rows as they are
    """

    def __init__(self, space: Space, judge: Judge, question: Question) -> None:
        self.space, self.wanted, self.question = space, judge, question
        self.rows = space.rows(space.asked)
        self.points = self.rows.without_direction()
        self.start = judge.judge(self.rows, np.arange(len(self.rows)))
        self.free = [j for j in space.counting if j not in question.fixed]
        for j, step in question.steps.items():
            _check_step(space.columns[j], step)

    def judge(self, cells: Floats, of: Ints) -> Verdict:
        """The verdict on changed rows."""
        return self.wanted.judge(self.space.rows(cells), of)

    def judge_and_measure(self, cells: Floats, of: Ints) -> tuple[Verdict, Floats]:
        """The verdict on changed rows, and how far those which are as wanted have moved; infinite for the others."""
        rows, distances = self.space.rows(cells), np.full(len(of), np.inf)
        verdict = self.wanted.judge(rows, of)
        distances[verdict.wanted] = self._distances(rows[verdict.wanted], of[verdict.wanted])
        return verdict, distances

    def _distances(self, rows: Rows, of: Ints) -> Floats:
        """How far changed rows have moved from the asked rows that they were made of, in the distance of the model."""
        found = np.empty(len(of))
        if not len(of):
            return found
        rows = rows.without_direction()
        order = np.argsort(of, kind="stable")
        for part in np.split(order, np.flatnonzero(np.diff(of[order])) + 1):
            out = np.empty((1, len(part)))
            i = int(of[part[0]])
            self.wanted.metric.block(self.points[i : i + 1], rows[part], out)
            found[part] = out[0]
        return found

    def changed(self, of: Ints, j: Ints, numbers: Floats) -> Floats:
        """Asked rows with one column changed in each."""
        cells = self.space.asked[of]
        cells[np.arange(len(of)), j] = numbers
        return cells

    def allows(self, of: Ints, columns: Ints, numbers: Floats) -> Bools:
        """Whether columns of asked rows may change to some numbers, one for each."""
        return np.asarray(self.question.allows(columns, self.space.asked[of, columns], numbers))

    def moves(self, i: int) -> Any:
        """How far asked row i moves when one of its columns changes; None where nothing is known of that."""
        if isinstance(self.wanted.metric, Blockwise) or not self.wanted.holds:
            return None
        if isinstance(self.wanted.metric, Angular):
            values = [None if np.isnan(x) else x for x in self.space.asked[i].tolist()]
            return Turns.of(self.space.table, values)
        return self.space.table

    @property
    def moves_differ(self) -> bool:
        """Whether how far a row moves depends on the row."""
        return isinstance(self.wanted.metric, Angular)

    @property
    def adds_up(self) -> bool:
        """Whether a row moves at least as far as what its column alone counts."""
        return not isinstance(self.wanted.metric, Blockwise | Angular)

    @cached_property
    def here(self) -> Floats:
        """The asked rows, an unknown number standing in the middle."""
        middles = [0.0 if each.column.is_categorical else middle_of(each.column) for each in self.space.columns]
        return np.where(np.isnan(self.space.asked), middles, self.space.asked)


def _check_step(each: SpaceColumn, step: float) -> None:
    """Refuse a step that is lost in the rounding of numbers."""
    largest = 0.0 if each.lattice is None else max(abs(each.lattice.least), abs(each.lattice.most))
    if step < SMALLEST_SHARE * largest:
        raise ValueError(
            f"steps has {step!r} for column {each.name!r}, whose numbers are as large as {largest:g}: so small a step "
            "is lost in their rounding. Leave it out, and numbers change by about a millionth of their range"
        )


def middle_of(column: Column) -> float:
    """The number at which an unknown one stands.

    >>> middle_of(Column("age", scale=40.0, origin=20.0, middle=0.25))
    30.0
    """
    if column.ranks is not None:
        knots, shares = column.ranks
        return float(np.interp(column.middle, shares, knots))
    return column.middle * column.scale + column.origin


def best(found: Sequence[Found], n: int) -> list[Found]:
    """The best of some changes of one row, at most one for the same columns, none that needs more than another one."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda one: one.order):
        if not any(set(other.columns) <= set(each.columns) for other in kept):
            kept.append(each)
    return kept[:n]
