"""Nodes: the distinct training rows of every class, of which problem, prediction and explanation are made.

Equal rows of one class are one node with their weights added. That makes a row of weight 2 the same as two rows, and
the sorted nodes make every result independent of the order of the rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows
from fgac.tables.training_rows import TrainingRecords, TrainingRows


@dataclass(frozen=True)
class Nodes:
    """Distinct training rows, sorted by class and then by value, so that the order of the rows does not matter.

    Attributes
    ----------
    rows : Rows
        One row per node.
    weights : (n,) array
        Added weights.
    starts : (K + 1,) array
        The nodes of class k are ``starts[k]:starts[k + 1]``.
    first : (n,) array
        Position of the first training row of each node.
    node_of_row : (number of rows,) array
        The node of each training row.
    """

    rows: Rows
    weights: Floats
    starts: Ints
    first: Ints
    node_of_row: Ints

    @property
    def classes(self) -> Ints:
        """Class number of every node."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def of_class(self, k: int) -> Ints:
        """Numbers of the nodes of one class."""
        return np.arange(self.starts[k], self.starts[k + 1])


def merge(rows: Rows, classes: Ints, n_classes: int, weights: Floats, *, distinct: bool = False) -> Nodes:
    """Gather equal rows of one class; ``distinct`` says that none are equal, as rows that are known by distances only.

    >>> nodes = merge(Rows.from_numeric([[2.0], [1.0], [2.0]]), np.array([0, 0, 0]), 1, np.ones(3))
    >>> nodes.rows.numeric.ravel(), nodes.weights, nodes.first, nodes.node_of_row
    (array([1., 2.]), array([1., 2.]), array([1, 0]), array([1, 0, 1]))
    """
    plain = rows.without_direction()
    keys = [] if distinct else [*plain.codes.T[::-1], *plain.numeric.T[::-1]]
    order = np.lexsort([*keys, classes])  # by class first, then by numbers, then by codes
    new = np.ones(len(order), dtype=bool)
    if not distinct:
        before, after = order[:-1], order[1:]
        new[1:] = (
            (classes[before] != classes[after])
            | (plain.numeric[before] != plain.numeric[after]).any(axis=1)
            | (plain.codes[before] != plain.codes[after]).any(axis=1)
        )
    node_of_row = np.empty(len(order), dtype=np.int64)
    node_of_row[order] = np.cumsum(new) - 1
    first = order[new]
    counts = np.bincount(classes[first], minlength=n_classes)
    return Nodes(
        rows=rows[first],
        weights=np.bincount(node_of_row, weights).astype(np.float64),
        starts=np.append(0, np.cumsum(counts)),
        first=first,
        node_of_row=node_of_row,
    )


def orient_classes(nodes: Nodes) -> Nodes:
    """Orient the rows of two classes so that a row argues for its class wherever it may.

    A row of the higher class counts by how much it is above the row that looks at it: one that is at least as good in
    all ordered columns is not below it at all. A row of the lower class counts by how much it is below. Without ordered
    columns nothing changes.
    """
    if nodes.rows.ordered is None:
        return nodes
    return replace(nodes, rows=nodes.rows.oriented(np.where(nodes.classes == 0, 1.0, -1.0)))


def make_records(read: TrainingRows, nodes: Nodes, ids: NDArray[Any], names: tuple[str, ...]) -> TrainingRecords:
    """What a fitted model keeps of the training rows: their ids, classes, nodes and values."""
    values = tuple(column.to_array() for column in read.values)
    return TrainingRecords(read.positions, ids, read.codes, nodes.node_of_row, names, values)
