"""Changes of several columns: those in which a row differs most from a training row that is as wanted.

Toward a training row that belongs to the wanted class to more than one half there always is a change: that of all
columns to its values. Pairs, triples and so on of the columns that keep the two rows apart most are tried, toward the
few training rows that need the fewest; then every number is brought back toward where it was as far as that goes. That
is no proof that no smaller change of several columns exists, which nobody could give in reasonable time: the certified
lower bound says how much smaller it can be at most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from fgac._typing import Bools, Floats, Ints
from fgac.explainers.changes.one_column import Pulls
from fgac.explainers.changes.search import Found, Search, best
from fgac.explainers.changes.shrinking import shrunk
from fgac.explainers.radius import Moves

# Training rows toward which every row is moved: those that need the fewest columns, and those that are nearest.
N_SPARSE, N_NEAR = 3, 1
# Columns of which all pairs, all triples, and all larger sets are tried, toward a training row.
TOWARD = {2: 6, 3: 6}
# The same where every column has the value that brings the row nearest to what is wanted.
PULLED = {2: 16, 3: 9}
# Of larger sets.
N_COLUMNS = 6
# Changes that are brought back as far as possible, as multiples of those that are wanted.
SPARE = 2


class Move(NamedTuple):
    """One way to go: an asked row, the values that its columns have there, and the columns by how much they matter.

    ``breadth`` says of how many columns all sets of a size are tried.
    """

    row: int
    values: Floats
    columns: list[int]
    breadth: Mapping[int, int] = TOWARD


class SeveralColumns:
    """The search for changes of several columns."""

    def __init__(self, search: Search) -> None:
        self.search, self.question = search, search.question
        space = search.space
        self.known, self.kept = _distinct(space.known)
        self.known_rows = space.rows(self.known).without_direction()
        self.places = self._places(self.known)
        self.influence = self._influences()
        self.here = self._places(space.asked)

    def run(self, wanted: Mapping[int, tuple[int, Collection[int]]], pulls: Pulls) -> dict[int, list[Found]]:
        """Changes of some rows, ``wanted[i]``: how many, and the columns which can do it alone and are left out.

        ``pulls`` are the values of single columns that come nearest to what is wanted.
        """
        moves = {i: self._moves(i, alone) for i, (_, alone) in wanted.items()}
        for i, (_, alone) in wanted.items():
            moves[i] += self._pulled(i, alone, pulls)
        found: dict[int, list[Found]] = {i: [] for i in wanted}
        for size in range(2, self.question.max_features + 1):
            # Larger sets are not needed where there are enough smaller ones.
            lacking = [i for i, (n, _) in wanted.items() if len(best(found[i], n)) < n]
            for each in self._subsets([move for i in lacking for move in moves[i]], size):
                found[each.row].append(each)
        # Fewer columns did not do it: all of them do, where nothing is in the way, and most are not needed.
        stuck = [move for i, (_, alone) in wanted.items() if not found[i] and not alone for move in moves[i]]
        for each in self._pruned(stuck):
            found[each.row].append(each)
        chosen = [each for i, (n, _) in wanted.items() for each in best(found[i], SPARE * n)]
        smaller = _by_row(shrunk(self.search, chosen), wanted)
        return {i: best(smaller[i], n) for i, (n, _) in wanted.items()}

    # ------------------------------------------------------------------------------------------------
    # Where to go
    # ------------------------------------------------------------------------------------------------

    def _places(self, cells: Floats) -> Floats:
        """Where values stand as they count in differences, categories as their numbers."""
        found = np.zeros(cells.shape)
        for j in self.search.free:
            column = self.search.space.columns[j].column
            found[:, j] = cells[:, j] if column.is_categorical else column.scaled(cells[:, j])
        return found

    def _influences(self) -> Floats:
        """How far a row moves at most by a change of one scale, or another category, its score included."""
        space = self.search.space
        found = np.ones(len(space.columns))
        for j in self.search.free:
            column = space.columns[j].column
            if space.table.keeps_column_order:
                continue
            if column.is_categorical:
                found[j] = space.table.step(j)
                continue
            low, high = np.nanmin(self.places[:, j]), np.nanmax(self.places[:, j])
            moves: Moves = space.table
            found[j] = moves.moved(j, float(low), float(high)) / (high - low) if high > low else 0.0
        return found

    def _moves(self, i: int, without: Collection[int]) -> list[Move]:
        """The ways to the training rows that are best to go to."""
        strengths = self.search.wanted.goals(i)[self.kept]
        goals = np.flatnonzero(np.isfinite(strengths))
        if not len(goals):
            return []
        values = self._reached(i, goals)
        apart = self._apart(i, goals, values)
        apart[:, sorted(without)] = 0.0
        out = np.empty((1, len(goals)))
        self.search.wanted.metric.block(self.search.points[i : i + 1], self.known_rows[goals], out)
        near = strengths[goals] - self.search.wanted.gamma * out[0]
        # What is left of the way once the columns that matter most have changed.
        most = min(self.question.max_features, apart.shape[1])
        largest = np.partition(apart, apart.shape[1] - most, axis=1)[:, apart.shape[1] - most :].sum(axis=1)
        sparse = strengths[goals] - self.search.wanted.gamma * (apart.sum(axis=1) - largest)
        # Only rows whose values may all be taken are sure to be as wanted.
        sure = np.where(self._blocked(i, goals, values), -np.inf, near)
        ranked = (sparse, N_SPARSE), (near, N_NEAR), (sure, N_NEAR)
        order = [np.argsort(-each, kind="stable")[:k] for each, k in ranked]
        chosen = list(dict.fromkeys(np.concatenate(order).tolist()))
        return [move for g in chosen if (move := _move(i, values[g], apart[g])).columns]

    def _pulled(self, i: int, without: Collection[int], pulls: Pulls) -> list[Move]:
        """The way on which every column has the value that brings the row nearest to what is wanted."""
        known = ~np.isnan(pulls.values[i])
        gain = np.zeros(len(known))
        gain[known] = self.search.start.reach[i] - pulls.reach[i][known]
        gain[sorted(without)] = 0.0
        move = _move(i, pulls.values[i], gain)
        return [move._replace(breadth=PULLED)] if move.columns else []

    def _reached(self, i: int, goals: Ints) -> Floats:
        """The values of some training rows, as far as the question lets an asked row go there; else its own."""
        here, values = self.search.space.asked[i], self.known[goals].copy()
        for j, step in self.question.steps.items():
            if self.search.space.columns[j].lattice is not None:
                start = float(self.search.here[i, j])
                away = np.fix((values[:, j] - start) / step) * step
                values[:, j] = np.where(np.isnan(values[:, j]), np.nan, start + away)
        columns = np.arange(len(here))
        may = self.question.allows(columns, here, values) & np.isin(columns, self.search.free)
        return np.where(may, values, here)

    def _blocked(self, i: int, goals: Ints, values: Floats) -> Bools:
        """Which of some training rows have values that an asked row may not take."""
        counting = self.search.space.counting
        there, here = self.known[goals][:, counting], values[:, counting]
        return np.asarray(((there != here) & ~(np.isnan(there) & np.isnan(here))).any(axis=1))

    def _apart(self, i: int, goals: Ints, values: Floats) -> Floats:
        """By how much every column keeps a row and some training rows apart, where it may change; else 0."""
        difference = np.abs(self.places[goals] - self.here[i])
        for j in self.search.free:
            if self.search.space.columns[j].column.is_categorical:
                difference[:, j] = difference[:, j] != 0
        here = self.search.space.asked[i]
        same = (values == here) | (np.isnan(values) & np.isnan(here))
        # A value in place of an unknown one moves the row even where it stands in the middle.
        least = np.where(np.isnan(here), np.finfo(float).tiny, 0.0)
        return np.where(same, 0.0, np.maximum(np.nan_to_num(difference), least) * np.maximum(self.influence, 1e-12))

    # ------------------------------------------------------------------------------------------------
    # Which columns to change
    # ------------------------------------------------------------------------------------------------

    def _subsets(self, moves: Sequence[Move], size: int) -> list[Found]:
        """Changes of so many columns that are as wanted, by trying all sets of those that matter most."""
        sets = [
            np.array(move.columns)[_sets(len(move.columns), move.breadth.get(size, N_COLUMNS), size)] for move in moves
        ]
        if not sum(map(len, sets)):
            return []
        of = np.repeat([move.row for move in moves], [len(part) for part in sets])
        values = np.concatenate([move.values[part] for move, part in zip(moves, sets, strict=True)])
        columns = np.concatenate(sets)
        cells = self.search.space.asked[of]
        cells[np.arange(len(of))[:, None], columns] = values
        return self._found(cells, of, columns)

    def _found(self, cells: Floats, of: Ints, columns: Any) -> list[Found]:
        """Those of some changed rows that are predicted as wanted, as changes of these columns of each."""
        verdict, distances = self.search.judge_and_measure(cells, of)
        found = []
        for k in np.flatnonzero(verdict.wanted).tolist():
            chosen = tuple(sorted(int(j) for j in columns[k]))
            found.append(Found(int(of[k]), chosen, tuple(cells[k, list(chosen)].tolist()), float(distances[k])))
        return found

    def _as_wanted(self, tried: Sequence[tuple[Move, tuple[int, ...]]]) -> list[Found]:
        """Those of some changes that are predicted as wanted."""
        if not tried:
            return []
        return self._found(*self._cells(tried), [columns for _, columns in tried])

    def _cells(self, tried: Sequence[tuple[Move, tuple[int, ...]]]) -> tuple[Floats, Ints]:
        """Rows after some changes, and of which row each of them is."""
        of = np.array([move.row for move, _ in tried], dtype=np.int64)
        cells = self.search.space.asked[of]
        for k, (move, columns) in enumerate(tried):
            cells[k, list(columns)] = move.values[list(columns)]
        return cells, of

    def _pruned(self, moves: Sequence[Move]) -> list[Found]:
        """Changes of as many columns as it takes, without those that are not needed for it."""
        needed = self._enough(moves)
        # Columns that matter least come first.
        queues = [list(columns) for columns in needed]
        while any(queues):
            some = [(k, queue.pop()) for k, queue in enumerate(queues) if queue]
            fewer = [tuple(column for column in needed[k] if column != j) for k, j in some]
            cells, of = self._cells([(moves[k], columns) for (k, _), columns in zip(some, fewer, strict=True)])
            wanted = self.search.judge(cells, of).wanted.tolist()
            for (k, _), columns, is_wanted in zip(some, fewer, wanted, strict=True):
                needed[k] = columns if is_wanted else needed[k]
        return self._as_wanted([(moves[k], columns) for k, columns in enumerate(needed) if columns])

    def _enough(self, moves: Sequence[Move]) -> list[tuple[int, ...]]:
        """Of every move the fewest of its first columns that do it; none where all of them do not."""
        tried = [
            (k, tuple(move.columns[:size])) for k, move in enumerate(moves) for size in range(1, len(move.columns) + 1)
        ]
        found: list[tuple[int, ...]] = [()] * len(moves)
        if tried:
            cells, of = self._cells([(moves[k], columns) for k, columns in tried])
            wanted = np.flatnonzero(self.search.judge(cells, of).wanted).tolist()
            for k, columns in reversed([tried[place] for place in wanted]):
                found[k] = columns
        return found


@cache
def _sets(n: int, breadth: int, size: int) -> Ints:
    """All sets of so many of the first columns, by their places.

    >>> _sets(5, 3, 2)
    array([[0, 1],
           [0, 2],
           [1, 2]])
    """
    return np.array(list(combinations(range(min(n, breadth)), size)), dtype=np.int64).reshape(-1, size)


def _by_row(found: Iterable[Found], rows: Iterable[int]) -> dict[int, list[Found]]:
    """Changes by their rows."""
    by_row: dict[int, list[Found]] = {i: [] for i in rows}
    for each in found:
        by_row[each.row].append(each)
    return by_row


def _move(i: int, values: Floats, apart: Floats) -> Move:
    """The way to a training row, its columns by how much they keep the rows apart."""
    order = np.lexsort((np.arange(len(apart)), -apart))
    return Move(i, values, [j for j in order.tolist() if apart[j] > 0])


def _distinct(cells: Floats) -> tuple[Floats, Ints]:
    """Training rows in an order that does not depend on that of the table, and their positions there."""
    order = np.lexsort(cells.T[::-1])
    return cells[order], order
