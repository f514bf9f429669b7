"""Nodes on a cluster: every training row goes to the cell of space that it lies in, where equal rows meet.

The *cells* are the boxes of a k-d tree of some rows. Which cell a row is in depends on its coordinates alone, so equal
rows are in one cell, in whatever partitions they stood, and become one node there as they do in memory
(:mod:`fgac.granular.nodes`). Cells are compact and of about equal size, and stay on the workers; the client knows of
each node its class or target, and its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.dask.blocks import Block
from fgac.dask.learning import with_marks
from fgac.granular.nodes import merge
from fgac.metrics.distances import Metric, Rows
from fgac.metrics.rounding import Rounding
from fgac.tables.directions import check_lengths
from fgac.tables.table import Table

# Rows of which the tree is made: so many for every cell.
SHOWN_PER_CELL = 256


class Split(NamedTuple):
    """A cut through space: rows with a smaller coordinate are on one side. A leaf is the number of a cell."""

    column: int
    value: float
    below: Split | int
    above: Split | int


class Placed(NamedTuple):
    """Rows with what they are to be, their weights, and where they stand in the whole table."""

    rows: Rows
    levels: NDArray[Any]
    weights: Floats
    positions: Ints


class Cell(NamedTuple):
    """The nodes of a cell: rows as the metric sees them, with their classes or targets, sorted by these."""

    rows: Rows
    levels: NDArray[Any]
    weights: Floats


class Members(NamedTuple):
    """The training rows of a cell: where they stand in the whole table, and the node of each."""

    positions: Ints
    nodes: Ints


class CellFacts(NamedTuple):
    """What the client knows of the nodes of a cell."""

    levels: NDArray[Any]
    weights: Floats
    rounding: float
    share: float


def own_table(table: Table) -> Table:
    """The table without its score: rows that are equal without it have equal scores."""
    return replace(table, score=None)


def place(
    block: Block, table: Table, marks: Sequence[Any], labels: NDArray[Any] | None, first: int, by_direction: bool
) -> Placed:
    """The rows of a block as points; ``labels`` number the classes, ``first`` is the position of its first row."""
    read = with_marks(block.read, table, marks)
    rows = own_table(table).training_rows(read.columns)
    if by_direction and len(rows):
        check_lengths(rows, table.columns, read.columns)
    levels = block.targets
    if labels is not None:
        levels = np.searchsorted(labels, levels).astype(np.int32) if len(rows) else np.empty(0, dtype=np.int32)
    return Placed(rows, levels, block.weights, first + block.positions)


def points_of(rows: Rows) -> Floats:
    """Coordinates to cut space by; categories stand where their numbers are."""
    plain = rows.without_direction()
    return np.column_stack([plain.numeric, plain.codes * plain.mismatch])


def shown(placed: Placed, n: int) -> Floats:
    """Some points of a block, for a tree to be made of."""
    points = points_of(placed.rows)
    if len(points) <= n:
        return points
    return points[np.random.default_rng(len(points)).choice(len(points), n, replace=False)]


def make_tree(parts: Sequence[Floats], n_cells: int) -> Split | int:
    """A tree with about so many cells, each of which holds about as many of these points.

    >>> make_tree([np.array([[0.0], [1.0], [2.0], [3.0]])], 2)
    Split(column=0, value=1.5, below=0, above=1)
    """
    points = np.concatenate([part for part in parts if len(part)])
    return _branch(points, n_cells, 0)


def _branch(points: Floats, n_cells: int, first: int) -> Split | int:
    if n_cells <= 1:
        return first
    spread = np.quantile(points, [0.1, 0.9], axis=0) if len(points) else np.zeros((2, points.shape[1]))
    column = int(np.argmax(spread[1] - spread[0])) if points.shape[1] else 0
    low = n_cells // 2
    if not points.size or points[:, column].min() == points[:, column].max():
        return first  # nothing tells them apart, so the other cells stay empty
    values = np.sort(points[:, column])
    at = min(max(1, len(values) * low // n_cells), len(values) - 1)
    value = 0.5 * values[at - 1] + 0.5 * values[at]
    if not (values[0] < value):  # many equal values at the lower end
        value = values[np.searchsorted(values, values[0], side="right")]
    is_below = points[:, column] < value
    return Split(
        column,
        float(value),
        _branch(points[is_below], low, first),
        _branch(points[~is_below], n_cells - low, first + low),
    )


def cell_of(points: Floats, tree: Split | int) -> Ints:
    """The number of the cell of every point."""
    found = np.zeros(len(points), dtype=np.int64)

    def descend(tree: Split | int, rows: Ints) -> None:
        if not isinstance(tree, Split):
            found[rows] = tree
            return
        is_below = points[rows, tree.column] < tree.value
        descend(tree.below, rows[is_below])
        descend(tree.above, rows[~is_below])

    descend(tree, np.arange(len(points)))
    return found


def pieces(placed: Placed, tree: Split | int, n_cells: int) -> list[Placed]:
    """The rows of a block, cell by cell."""
    cells = cell_of(points_of(placed.rows), tree)
    order = np.argsort(cells, kind="stable")
    cuts = np.searchsorted(cells[order], np.arange(n_cells + 1))
    found = []
    for start, stop in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        part = order[start:stop]
        found.append(Placed(placed.rows[part], placed.levels[part], placed.weights[part], placed.positions[part]))
    return found


def joined_rows(parts: Sequence[Rows]) -> Rows:
    """Rows one below the other."""
    first = parts[0]
    if len(parts) == 1:
        return first
    numeric, codes = (np.concatenate([getattr(part, name) for part in parts]) for name in ("numeric", "codes"))
    if first.ordered is None:
        return Rows(numeric, codes, first.mismatch)
    ordered = np.concatenate([part.ordered for part in parts if part.ordered is not None])
    orientation = np.concatenate([part.orientation for part in parts if part.orientation is not None])
    return Rows(numeric, codes, first.mismatch, ordered, orientation)


def gather_cell(
    parts: Sequence[Placed], table: Table, metric: Metric, regression: bool
) -> tuple[Cell, Members, CellFacts]:
    """The nodes of a cell, of the pieces of all blocks."""
    rows = joined_rows([part.rows for part in parts])
    levels, weights, positions = (np.concatenate(c) for c in zip(*(part[1:] for part in parts), strict=True))
    distinct, codes = np.unique(levels, return_inverse=True)
    nodes = merge(rows, codes, len(distinct), weights)
    points = nodes.rows if table.score is None else table.score.added(nodes.rows)
    held = distinct[nodes.classes] if len(distinct) else levels
    # As a local fit orients its nodes: a row argues for its class, or its target, wherever it may.
    points = points.oriented(1.0 if regression else np.where(held == 0, 1.0, -1.0))
    errors = metric.rounding(points) if len(points) else Rounding.none(0)
    facts = CellFacts(held, nodes.weights, float(errors.rows.max(initial=0.0)), errors.share)
    return Cell(points, held, nodes.weights), Members(positions, nodes.node_of_row), facts
