"""Equal rows of one class are one node with their weights added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fgac.distances import Floats, Ints, Rows


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
    """Gather equal rows of one class; ``distinct`` says that none are equal."""
    keys = [] if distinct else [*rows.codes.T[::-1], *rows.numeric.T[::-1]]
    order = np.lexsort([*keys, classes])
    new = np.ones(len(order), dtype=bool)
    if not distinct:
        before, after = order[:-1], order[1:]
        new[1:] = (
            (classes[before] != classes[after])
            | (rows.numeric[before] != rows.numeric[after]).any(axis=1)
            | (rows.codes[before] != rows.codes[after]).any(axis=1)
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
