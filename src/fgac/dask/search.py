"""What a task does with two cells: search the pairs of their nodes for violated constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.dask.cells import Cell, joined_rows
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.tiles import one_blas_thread
from fgac.solve.constraints import largest_hidden_by
from fgac.solve.pairs import Blocks, Group
from fgac.solve.pricing import GroupSearch
from fgac.solve.problem import Pairs, Pricing

# Which nodes constrain which: those of the higher of two classes the others, those of different classes each other
# (with two variables each), or all each other.
Form = Literal["two classes", "many classes", "numbers"]


class Question(NamedTuple):
    """What is asked about all pairs of nodes."""

    metric: Metric
    gamma: float
    form: Form
    per_node: int
    floor: float


class Violated(NamedTuple):
    """Pairs by variables of the whole problem, and by how much each is violated."""

    pairs: Pairs
    violation: Floats

    def worst(self, owner: Ints, per_node: int) -> Violated:
        """The worst pairs of every owner."""
        chosen = worst(owner, self.violation, per_node)
        tail, head, bound = self.pairs
        return Violated(Pairs(tail[chosen], head[chosen], bound[chosen]), self.violation[chosen])


class Found(NamedTuple):
    """Violated pairs of two cells: the worst of every tail, and of every head, and the largest violation of all."""

    of_tails: Violated
    of_heads: Violated
    largest: float


class Side(NamedTuple):
    """The values of the tails, or of the heads, of a cell, and the number of the first of them in the problem."""

    values: Floats
    first: int


NONE = Violated(Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)), np.empty(0))


def pair_group(tails: Cell, heads: Cell, form: Form, same: bool) -> tuple[Rows, Group]:
    """The rows of two cells, and the pairs of their nodes; heads are numbered behind the tails."""
    n, m = len(tails.rows), len(heads.rows)
    rows = joined_rows([tails.rows, heads.rows])
    first, second = np.arange(n), np.arange(n, n + m)
    if form == "two classes":
        first, second = first[tails.levels == 1], second[heads.levels == 0]
        return rows, Group(first, first, second, second)
    if form == "many classes":
        return rows, Group(first, first, second, second, labels=np.append(tails.levels, heads.levels).astype(np.int64))
    # A node forms no pair with itself.
    return rows, Group(first, first, second, second, labels=np.append(first, first) if same else None)


def search(tails: Cell, heads: Cell, over: Side, under: Side, same: bool, asked: Question) -> Found:
    """Search the pairs between the tails of one cell and the heads of another."""
    rows, group = pair_group(tails, heads, asked.form, same)
    if not len(group.tail_rows) or not len(group.head_rows):
        return Found(NONE, NONE, 0.0)
    values = np.append(over.values, under.values)
    with one_blas_thread():
        found = GroupSearch(Blocks(rows, asked.metric, group)).price(values, asked.gamma, asked.per_node, asked.floor)
    pairs = distinct(found.pairs)
    violation = pairs.violation(values)
    named = Pairs(pairs.tail + over.first, pairs.head - len(tails.rows) + under.first, pairs.bound)
    both = Violated(named, violation)
    return Found(both.worst(named.tail, asked.per_node), both.worst(named.head, asked.per_node), found.largest)


def reduced(side: Literal["tails", "heads"], parts: Sequence[Found], per_node: int) -> Pricing:
    """The worst pairs of the tails, or of the heads, of one cell, of those with every other cell."""
    of_tails = side == "tails"
    lists = [part.of_tails if of_tails else part.of_heads for part in parts]
    both = Violated(Pairs.joined([one.pairs for one in lists]), np.concatenate([one.violation for one in lists]))
    few = both.worst(both.pairs.tail if of_tails else both.pairs.head, per_node)
    return Pricing(few.pairs, max(part.largest for part in parts))


def worst(owner: Ints, violation: Floats, per_node: int) -> Ints:
    """Positions of the pairs with the largest violations of every owner, each pair once.

    >>> worst(np.array([7, 7, 7, 3]), np.array([0.1, 0.3, 0.2, 0.5]), 2)
    array([3, 1, 2])
    """
    order = np.lexsort([-violation, owner])
    held = owner[order]
    starts = np.flatnonzero(np.append(True, held[1:] != held[:-1])) if len(held) else np.empty(0, np.int64)
    place = np.arange(len(held)) - np.repeat(starts, np.diff(np.append(starts, len(held))))
    return np.asarray(order[place < per_node])


def distinct(pairs: Pairs) -> Pairs:
    """Every pair once, in an order that does not depend on how they were found."""
    order = np.lexsort([pairs.head, pairs.tail])
    tail, head, bound = pairs.tail[order], pairs.head[order], pairs.bound[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (tail[1:] != tail[:-1]) | (head[1:] != head[:-1])
    return Pairs(tail[new], head[new], bound[new])


def hidden(tails: Cell, heads: Cell, over: Side, under: Side, same: bool, asked: Question) -> float:
    """The largest part of a possible violation of a pair of two cells that rounding of distances may hide."""
    rows, group = pair_group(tails, heads, asked.form, same)
    if not len(group.tail_rows) or not len(group.head_rows):
        return 0.0
    values = np.append(over.values, under.values)
    return largest_hidden_by(Blocks(rows, asked.metric, group), values, asked.gamma, asked.metric.rounding(rows))
