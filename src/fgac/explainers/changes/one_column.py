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
from fgac.explainers.changes.cells import Cells
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
    """Ranges to look at: row, column, tree of ranges, and range in that tree."""

    row: Ints
    column: Ints
    tree: Ints
    cell: Ints

    def take(self, which: Bools | Ints) -> Tasks:
        """Some of them."""
        return Tasks(*(part[which] for part in self))

    @classmethod
    def of(cls, tasks: list[tuple[int, int, int, int]]) -> Tasks:
        """Tasks from a list of them."""
        return cls(*np.array(tasks, dtype=np.int64).reshape(-1, 4).T)


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
        self.here, self.scaled = np.zeros(shape[:2]), np.zeros(shape[:2])
        for j in search.free:
            column = search.space.columns[j].column
            if not column.is_categorical:
                self.here[:, j] = search.here(np.arange(shape[0]), j)
                self.scaled[:, j] = column.scaled(self.here[:, j])
        self.trees: list[Cells] = []
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
        good, cells, _ = self._look(Tasks(of[other], j[other], j[other], j[other]), numbers[other].astype(np.float64))
        of, j, numbers = good.row, good.column, cells[np.arange(len(cells)), good.column]
        distances = self.search.distances(cells, of)
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
        some = Tasks(of, j, j, j).take(allowed)
        good, cells, _ = self._look(some, numbers[allowed])
        self._keep(good, cells)

    def _first(self, rows: Ints) -> Tasks:
        """The whole range of every column of every row."""
        return Tasks.of([(i, j, tree, 0) for j in self.search.free for i, tree in self._trees(j, rows)])

    def _trees(self, j: int, rows: Ints) -> Iterator[tuple[int, int]]:
        """The tree of ranges of a column for each row: the same for all rows, unless steps or angles differ."""
        each, step = self.search.space.columns[j], self.question.steps.get(j)
        if each.lattice is None:
            return
        here = self.search.here(rows, j).tolist()
        shared = -1
        for i, number in zip(rows.tolist(), here, strict=True):
            lattice = each.lattice
            if step is not None:
                lattice = Lattice.in_steps(lattice.least, lattice.most, number, step)
            if lattice.ends[0] > lattice.ends[1]:
                continue
            if shared < 0 or step is not None or self.search.moves_differ:
                factor = self.search.space.table.factor(j) if self.search.adds_up else 0.0
                self.trees.append(Cells(self.search.moves(i), j, each.column, lattice, factor))
                shared = len(self.trees) - 1
            yield i, shared

    def _round(self, tasks: Tasks, *, is_blind: bool) -> Tasks:
        """Look at the middle of every range, and give the ranges that are left."""
        pairs = list(zip(tasks.tree.tolist(), tasks.cell.tolist(), strict=True))
        numbers = np.array([self.trees[t].number[c] for t, c in pairs])
        allowed = self.search.allows(tasks.row, tasks.column, numbers)
        reach = np.zeros(len(numbers))
        good, cells, reach[allowed] = self._look(tasks.take(allowed), numbers[allowed])
        self._keep(good, cells)
        # What a column counts by itself often says that a range is too wide, without a look at its score.
        left = reach <= np.array([self.trees[t].least_reach[c] for t, c in pairs])
        for k in np.flatnonzero(~left).tolist():
            tree, cell = pairs[k]
            left[k] = reach[k] <= self.trees[tree].reach(cell)
        return self._left(tasks.take(left), is_blind=is_blind and not self.search.wanted.holds)

    def _look(self, tasks: Tasks, numbers: Floats) -> tuple[Tasks, Floats, Floats]:
        """Judge numbers: those that are as wanted, the rows that they make, and the reach of all, 0 where wanted."""
        cells = self.search.changed(tasks.row, tasks.column, numbers)
        wanted, reach, _ = self.search.judge(cells, tasks.row)
        self._remember(tasks.row, tasks.column, numbers, np.where(wanted, np.inf, reach))
        return tasks.take(wanted), cells[wanted], np.where(wanted, 0.0, reach)

    def _remember(self, of: Ints, j: Ints, numbers: Floats, reach: Floats) -> None:
        """Remember the values that come nearest to what is wanted."""
        order = np.lexsort((numbers, -reach))  # the nearest is written last
        order = order[reach[order] < self.pulls.reach[of[order], j[order]]]
        self.pulls.values[of[order], j[order]] = numbers[order]
        self.pulls.reach[of[order], j[order]] = reach[order]

    def _keep(self, tasks: Tasks, cells: Floats) -> None:
        """Remember numbers that are as wanted, where they are nearer than those before."""
        distances = self.search.distances(cells, tasks.row)
        numbers = cells[np.arange(len(cells)), tasks.column]
        here_of = self._here(tasks.row, tasks.column).tolist()
        parts = tasks.row.tolist(), tasks.column.tolist(), numbers.tolist(), distances.tolist(), here_of
        for i, j, number, distance, here in zip(*parts, strict=True):
            side = int(number < here)
            known = self.nearest[i, j, side]
            if np.isnan(known) or abs(number - here) < abs(known - here):
                self.nearest[i, j, side], self.distance[i, j, side] = number, distance

    def _left(self, tasks: Tasks, *, is_blind: bool) -> Tasks:
        """The halves of some ranges, without those that cannot hold a better number than what is known."""
        children = [
            (i, j, t, child)
            for i, j, t, c in zip(*(part.tolist() for part in tasks), strict=True)
            for child in self.trees[t].children(c)
            if child >= 0
        ]
        halves = Tasks.of(children)
        if not len(halves.row):
            return halves
        ends = np.array([self.trees[t].ends[c] for _, _, t, c in children])
        keep, way = self._may_be_better(halves, ends, is_blind=is_blind)
        return _nearest_ranges(halves.take(keep), way[keep])

    def _here(self, rows: Ints, columns: Ints) -> Floats:
        """Where numbers stand in asked rows, unknown ones in the middle."""
        return np.asarray(self.here[rows, columns])

    def _may_be_better(self, tasks: Tasks, ends: Floats, *, is_blind: bool) -> tuple[Bools, Floats]:
        """Which ranges may hold a better number than what is known, and how far from the row they begin."""
        i, j = tasks.row, tasks.column
        here, scaled_here = self._here(i, j), self.scaled[i, j]
        low, high = ends.T
        above, below = self.nearest[i, j].T
        direction = np.array([self.question.directions.get(column, 0) for column in j.tolist()])
        keep = ~((low >= above) | (high <= below))
        keep &= ~((direction > 0) & (high <= here) | (direction < 0) & (low >= here)) | np.isnan(
            self.search.space.asked[i, j]
        )
        scaled = np.array(
            [self.trees[t].scaled[c] for t, c in zip(tasks.tree.tolist(), tasks.cell.tolist(), strict=True)]
        )
        gap = np.maximum(np.maximum(scaled[:, 0] - scaled_here, scaled_here - scaled[:, 2]), 0.0)
        if self.search.adds_up:
            factor = np.array([self.search.space.table.factor(column) for column in j.tolist()])
            keep &= factor * gap <= np.minimum(self._worst_needed()[i], self.distance[i, j].min(axis=1)) + STRENGTH_TOL
        # The ranges next to what was found, on the way to it, are looked at whatever is left elsewhere.
        steps = np.array([self.trees[t].lattice.step for t in tasks.tree.tolist()])
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
