"""Changes of one column: of every column the nearest number, or the best category, that is predicted as wanted.

Numbers are found by halving ranges. Of every range the number in its middle is judged. If it is not as wanted, a
prediction cannot be so before the row has moved by the *reach* of the verdict, and where no number of the range is as
far away as that, all of the range is ruled out; else its two halves are looked at. A number that is as wanted rules out
whatever is further away. What is left at the end is the nearest number on each side, to a step of the column's lattice,
and nothing nearer was overlooked: the answer is the optimum, and not merely some local one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fgac._tolerances import STRENGTH_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.explainers.changes.cells import Cells, Tree
from fgac.explainers.changes.lattice import Lattice
from fgac.explainers.changes.search import Found, Search

# Ranges of one column of one row that are looked at in one round; where more are left, those nearest to the row are.
# So many are only left where the reach is next to nothing all along the column.
MOST_RANGES = 64
# Where nothing is guaranteed, so many rounds look everywhere, and those after them next to what they have found.
BLIND_ROUNDS = 6
# Numbers that are no more steps apart than this are neighbours.
BESIDE = 1.5


class Tasks(NamedTuple):
    """Ranges to look at: row, column, and range."""

    row: Ints
    column: Ints
    cell: Ints

    def take(self, which: Bools | Ints) -> Tasks:
        """Some of them."""
        return Tasks(*(part[which] for part in self))


class Pulls(NamedTuple):
    """For every row and column the value that comes nearest to what is wanted, and how far it still is; or nan."""

    values: Floats
    reach: Floats


class OneColumn:
    """The search for changes of one column, of all rows of a search at once.

    ``nearest`` has for every row, column and side (0: above, 1: below) the nearest number found, nan if there is none,
    and ``distance`` how far the row moves to it.
    """

    def __init__(self, search: Search) -> None:
        self.search, self.question = search, search.question
        shape = (*search.space.asked.shape, 2)
        self.nearest, self.distance = np.full(shape, np.nan), np.full(shape, np.inf)
        self.pulls = Pulls(np.full(shape[:2], np.nan), np.full(shape[:2], np.inf))
        self.here, self.scaled = search.here, np.zeros(shape[:2])
        for j in search.free:
            column = search.space.columns[j].column
            if not column.is_categorical:
                self.scaled[:, j] = column.scaled(self.here[:, j])
        self.cells = Cells()
        table = search.space.table
        self.factors = np.array([table.factor(j) if search.adds_up else 0.0 for j in range(shape[1])])
        self.ways = np.array([self.question.directions.get(j, 0) for j in range(shape[1])])
        self.found: list[Found] = []

    def run(self, rows: Ints) -> list[list[Found]]:
        """For each of some rows its changes of one column, at most one per column, the n nearest ones for certain."""
        self._try_categories(rows)
        self._try_ends(rows)
        tasks, turn = self._first(rows), 0
        while len(tasks.row):
            tasks = self._round(tasks, is_blind=turn >= BLIND_ROUNDS)
            turn += 1
        for i in rows.tolist():
            for j in self.search.free:
                side = int(np.argmin(self.distance[i, j]))
                if np.isfinite(self.distance[i, j, side]) and self.search.space.columns[j].lattice:
                    value = float(self.nearest[i, j, side])
                    self.found.append(Found(i, (j,), (value,), float(self.distance[i, j, side])))
        by_row: dict[int, list[Found]] = {i: [] for i in rows.tolist()}
        for each in self.found:
            by_row[each.row].append(each)
        return list(by_row.values())

    # ------------------------------------------------------------------------------------------------
    # Categories
    # ------------------------------------------------------------------------------------------------

    def _try_categories(self, rows: Ints) -> None:
        """Judge every category of every column, and keep the nearest one of each."""
        columns = self.search.space.columns
        tried = [(i, j, c) for j in self.search.free for c in range(columns[j].n_known) for i in rows.tolist()]
        if not tried:
            return
        of, j, numbers = np.array(tried, dtype=np.int64).T
        other = self.search.space.asked[of, j] != numbers
        of, j, numbers = of[other], j[other], numbers[other].astype(np.float64)
        _, distances = self._look(of, j, numbers)
        good = np.flatnonzero(distances < np.inf)
        of, j, numbers, distances = of[good], j[good], numbers[good], distances[good]
        best: dict[tuple[int, int], Found] = {}
        parts = of.tolist(), j.tolist(), numbers.tolist(), distances.tolist()
        for i, column, number, distance in zip(*parts, strict=True):
            new = Found(i, (column,), (number,), distance)
            if (i, column) not in best or new.order < best[i, column].order:
                best[i, column] = new
            self.distance[i, column, 0] = min(self.distance[i, column, 0], distance)
        self.found += best.values()

    # ------------------------------------------------------------------------------------------------
    # Numbers
    # ------------------------------------------------------------------------------------------------

    def _try_ends(self, rows: Ints) -> None:
        """Judge the least and the largest number of every column, which often do most."""
        lattices = {j: self.search.space.columns[j].lattice for j in self.search.free}
        ends = [(j, end) for j, each in lattices.items() if each for end in (each.least, each.most)]
        if not ends:
            return
        of = np.repeat(rows, len(ends))
        j = np.tile(np.array([column for column, _ in ends]), len(rows))
        numbers = np.tile(np.array([end for _, end in ends]), len(rows))
        # Steps may not lead to the ends.
        allowed = self.search.allows(of, j, numbers) & ~np.isin(j, list(self.question.steps))
        self._look_and_keep(of[allowed], j[allowed], numbers[allowed])

    def _first(self, rows: Ints) -> Tasks:
        """The whole range of every column of every row."""
        planted = [(j, tree, of) for j in self.search.free for tree, of in self._trees(j, rows)]
        cells = self.cells.plant([tree for _, tree, _ in planted])
        sizes = [len(of) for _, _, of in planted]
        columns = np.array([j for j, _, _ in planted], dtype=np.int64)
        row = np.concatenate([of for _, _, of in planted]) if planted else columns
        return Tasks(row, np.repeat(columns, sizes), np.repeat(cells, sizes))

    def _trees(self, j: int, rows: Ints) -> Iterator[tuple[Tree, Ints]]:
        """What ranges of a column are cut from, and for which rows: for all of them, unless steps or angles differ."""
        each, step, factor = self.search.space.columns[j], self.question.steps.get(j), float(self.factors[j])
        if each.lattice is None:
            return
        if step is None and not self.search.moves_differ:
            yield Tree(self.search.moves(int(rows[0])), j, each.column, each.lattice, factor), rows
            return
        for i, here in zip(rows.tolist(), self.here[rows, j].tolist(), strict=True):
            lattice = each.lattice
            if step is not None:
                lattice = Lattice.in_steps(lattice.least, lattice.most, here, step)
            if lattice.ends[0] <= lattice.ends[1]:
                yield Tree(self.search.moves(i), j, each.column, lattice, factor), np.array([i])

    def _round(self, tasks: Tasks, *, is_blind: bool) -> Tasks:
        """Look at the middle of every range, and give the ranges that are left."""
        numbers = self.cells.numbers[tasks.cell, 1]
        allowed = self.search.allows(tasks.row, tasks.column, numbers)
        reach = np.zeros(len(numbers))
        reach[allowed] = self._look_and_keep(tasks.row[allowed], tasks.column[allowed], numbers[allowed])
        # What a column counts by itself often says that a range is too wide, without a look at its score.
        left = reach <= self.cells.least_reach[tasks.cell]
        left[~left] = reach[~left] <= self.cells.reach(tasks.cell[~left])
        return self._left(tasks.take(left), is_blind=is_blind and not self.search.wanted.holds)

    def _look(self, of: Ints, j: Ints, numbers: Floats) -> tuple[Floats, Floats]:
        """Judge numbers: the reach of each, 0 where it is as wanted, and its distance, infinite where it is not."""
        verdict, distances = self.search.judge_and_measure(self.search.changed(of, j, numbers), of)
        self._remember(of, j, numbers, np.where(verdict.wanted, np.inf, verdict.reach))
        return np.where(verdict.wanted, 0.0, verdict.reach), distances

    def _look_and_keep(self, of: Ints, j: Ints, numbers: Floats) -> Floats:
        """Judge numbers and keep the nearest ones that are as wanted; the reach of all."""
        reach, distances = self._look(of, j, numbers)
        good = np.flatnonzero(distances < np.inf)
        self._keep(of[good], j[good], numbers[good], distances[good])
        return reach

    def _remember(self, of: Ints, j: Ints, numbers: Floats, reach: Floats) -> None:
        """Remember the values that come nearest to what is wanted."""
        order = np.lexsort((numbers, -reach))  # the nearest is written last
        order = order[reach[order] < self.pulls.reach[of[order], j[order]]]
        self.pulls.values[of[order], j[order]] = numbers[order]
        self.pulls.reach[of[order], j[order]] = reach[order]

    def _keep(self, of: Ints, columns: Ints, numbers: Floats, distances: Floats) -> None:
        """Remember numbers that are as wanted, where they are nearer than those before."""
        here_of = self.here[of, columns].tolist()
        parts = of.tolist(), columns.tolist(), numbers.tolist(), distances.tolist(), here_of
        for i, j, number, distance, here in zip(*parts, strict=True):
            side = int(number < here)
            known = self.nearest[i, j, side]
            if np.isnan(known) or abs(number - here) < abs(known - here):
                self.nearest[i, j, side], self.distance[i, j, side] = number, distance

    def _left(self, tasks: Tasks, *, is_blind: bool) -> Tasks:
        """The halves of some ranges, without those that cannot hold a better number than what is known."""
        children = self.cells.children(tasks.cell).ravel()
        there = children >= 0
        halves = Tasks(np.repeat(tasks.row, 2)[there], np.repeat(tasks.column, 2)[there], children[there])
        keep, way = self._may_be_better(halves, is_blind=is_blind)
        return _nearest_ranges(halves.take(keep), way[keep])

    def _may_be_better(self, tasks: Tasks, *, is_blind: bool) -> tuple[Bools, Floats]:
        """Which ranges may hold a better number than what is known, and how far from the row they begin."""
        i, j = tasks.row, tasks.column
        here, scaled_here, direction = self.here[i, j], self.scaled[i, j], self.ways[j]
        (low, _, high), scaled = self.cells.numbers[tasks.cell].T, self.cells.scaled[tasks.cell]
        above, below = self.nearest[i, j].T
        keep = ~((low >= above) | (high <= below))
        keep &= ~((direction > 0) & (high <= here) | (direction < 0) & (low >= here)) | np.isnan(
            self.search.space.asked[i, j]
        )
        gap = np.maximum(np.maximum(scaled[:, 0] - scaled_here, scaled_here - scaled[:, 2]), 0.0)
        if self.search.adds_up:
            keep &= (
                self.factors[j] * gap
                <= np.minimum(self._worst_needed()[i], self.distance[i, j].min(axis=1)) + STRENGTH_TOL
            )
        # The ranges next to what was found, on the way to it, are looked at whatever is left elsewhere.
        steps = self.cells.steps[self.cells.tree[tasks.cell]]
        is_next = (np.abs(high - above) <= BESIDE * steps) | (np.abs(low - below) <= BESIDE * steps)
        return keep & (is_next | (not is_blind)), np.where(is_next, -1.0, gap)

    def _worst_needed(self) -> Floats:
        """For every row the distance of the last change that is needed: that of the nth best column."""
        by_column = self.distance.min(axis=2)
        n = min(self.question.n, by_column.shape[1])
        return np.asarray(np.partition(by_column, n - 1, axis=1)[:, n - 1])


def _nearest_ranges(tasks: Tasks, way: Floats) -> Tasks:
    """Tasks without those of a row and a column that are furthest from the row, where there are very many of them."""
    order = np.lexsort((way, tasks.column, tasks.row))
    tasks = tasks.take(order)
    is_first = np.append(True, (np.diff(tasks.row) != 0) | (np.diff(tasks.column) != 0))[: len(order)]
    place = np.arange(len(order)) - np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))
    return tasks.take(place < MOST_RANGES)
