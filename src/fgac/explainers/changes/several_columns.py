"""Changes of several columns: those in which a row differs most from a training row that is as wanted.

Toward a training row that belongs to the wanted class to more than one half there always is a change: that of all
columns to its values. Pairs, triples and so on of the columns that keep the two rows apart most are tried, toward the
few training rows that need the fewest; then every number is brought back toward where it was as far as that goes. That
is no proof that no smaller change of several columns exists, which nobody could give in reasonable time: the certified
lower bound says how much smaller it can be at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.explainers.changes.search import Found, Search, best
from fgac.explainers.changes.shrinking import shrunk
from fgac.explainers.radius import Moves

# Training rows toward which every row is moved: those that need the fewest columns, and those that are nearest.
N_SPARSE, N_NEAR = 5, 2
# Columns of which all pairs, triples and so on are tried.
N_COLUMNS = 6
# Changes that are brought back as far as possible, as multiples of those that are wanted.
SPARE = 2


class Move(NamedTuple):
    """One way to go: an asked row, the values that its columns have there, and the columns by how much they matter."""

    row: int
    values: Floats
    columns: list[int]


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

    def run(self, i: int, n_wanted: int, without: set[int], found: int) -> list[Found]:
        """Changes of one row that leave out the columns which can do it alone; ``found`` says how many these are."""
        moves = self._moves(i, without)
        if not moves:
            return []
        most = self.question.max_features
        changes = self._subsets(moves, most) if most > 1 else []
        if not changes and not found:
            # Fewer columns did not do it: all of them do, where nothing is in the way, and most are not needed.
            changes = self._pruned(moves)
        chosen = best(changes, SPARE * n_wanted)
        return best([smaller for each in chosen for smaller in shrunk(self.search, each)], n_wanted)

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

    def _moves(self, i: int, without: set[int]) -> list[Move]:
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
        order = [np.argsort(-each, kind="stable")[:k] for each, k in ((sparse, N_SPARSE), (near, N_NEAR))]
        chosen = list(dict.fromkeys(np.concatenate(order).tolist()))
        return [move for g in chosen if (move := _move(i, values[g], apart[g])).columns]

    def _reached(self, i: int, goals: Ints) -> Floats:
        """The values of some training rows, as far as the question lets an asked row go there; else its own."""
        here, values = self.search.space.asked[i], self.known[goals].copy()
        for j in range(len(here)):
            step, each = self.question.steps.get(j), self.search.space.columns[j]
            if step is not None and each.lattice is not None:
                start = float(self.search.here(np.array([i]), j)[0])
                away = np.fix((values[:, j] - start) / step) * step
                values[:, j] = np.where(np.isnan(values[:, j]), np.nan, start + away)
            stays = ~self.question.allows(j, np.full(len(goals), here[j]), values[:, j])
            if j not in self.search.free:
                stays[:] = True
            values[stays, j] = here[j]
        return values

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

    def _subsets(self, moves: Sequence[Move], most: int) -> list[Found]:
        """Changes of at most so many columns, by trying all sets of those that matter most."""
        tried = [
            (move, part)
            for move in moves
            for size in range(2, most + 1)
            for part in combinations(move.columns[:N_COLUMNS], size)
        ]
        return self._as_wanted(tried)

    def _as_wanted(self, tried: Sequence[tuple[Move, tuple[int, ...]]]) -> list[Found]:
        """Those of some changes that are predicted as wanted."""
        if not tried:
            return []
        of = np.array([move.row for move, _ in tried])
        cells = self.search.space.asked[of]
        for k, (move, columns) in enumerate(tried):
            cells[k, list(columns)] = move.values[list(columns)]
        wanted = np.flatnonzero(self.search.judge(cells, of).wanted)
        distances = self.search.distances(cells[wanted], of[wanted]).tolist()
        found = []
        for k, distance in zip(wanted.tolist(), distances, strict=True):
            move, columns = tried[k]
            columns = tuple(sorted(columns))
            found.append(Found(move.row, columns, tuple(move.values[list(columns)].tolist()), distance))
        return found

    def _pruned(self, moves: Sequence[Move]) -> list[Found]:
        """Changes of as many columns as it takes, without those that are not needed for it."""
        found = []
        for move in moves:
            whole = tuple(move.columns)
            firsts = self._as_wanted([(move, whole[: k + 1]) for k in range(len(whole))])
            if not firsts:
                continue
            needed = min(firsts, key=lambda one: one.order).columns
            for j in reversed([j for j in move.columns if j in needed]):
                fewer = tuple(k for k in needed if k != j)
                if fewer and self._as_wanted([(move, fewer)]):
                    needed = fewer
            found += self._as_wanted([(move, needed)])
        return found


def _move(i: int, values: Floats, apart: Floats) -> Move:
    """The way to a training row, its columns by how much they keep the rows apart."""
    order = np.lexsort((np.arange(len(apart)), -apart))
    return Move(i, values, [j for j in order.tolist() if apart[j] > 0])


def _distinct(cells: Floats) -> tuple[Floats, Ints]:
    """Training rows in an order that does not depend on that of the table, and their positions there."""
    order = np.lexsort(cells.T[::-1])
    return cells[order], order
