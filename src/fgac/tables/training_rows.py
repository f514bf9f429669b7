"""The training rows of positive weight: as fit reads them, and as explanations, audits and model files keep them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._serialize import FieldsOnly
from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows
from fgac.tables.column_values import ReadColumn


class TrainingRows(NamedTuple):
    """The training rows of positive weight, as they have been read in fit.

    ``codes`` are their classes as positions in ``classes_``, ``positions`` where they stand in the table of
    ``n_rows`` rows that was given, ``values`` the columns of that table as they were read.
    """

    rows: Rows
    values: list[ReadColumn]
    codes: Ints
    weights: Floats
    positions: Ints
    n_rows: int


@dataclass(frozen=True)
class TrainingRecords(FieldsOnly):
    """The training rows of positive weight, in the order of the table given to fit, as a fitted model keeps them.

    Attributes
    ----------
    positions : (n,) array
        Where they stand in that table.
    ids : (n,) array
        What the caller calls them.
    codes : (n,) array
        Their classes as positions in ``classes_``.
    nodes : (n,) array
        The node of the solved problem that stands for each.
    column_names : tuple of str
        Columns; empty if there are only distances.
    values : tuple of (n,) arrays, or None
        Column by column what the caller gave: floats, or objects in categorical columns. None if they are not kept.
    """

    positions: Ints
    ids: NDArray[Any]
    codes: Ints
    nodes: Ints
    column_names: tuple[str, ...]
    values: tuple[NDArray[Any], ...] | None

    @cached_property
    def _by_node(self) -> tuple[Ints, Ints]:
        """The rows sorted by node, and where those of each node start."""
        # A stable sort, so that the rows of one node stay in the order of the table.
        order = np.argsort(self.nodes, kind="stable")
        return order, np.searchsorted(self.nodes[order], np.arange(self.nodes.max(initial=-1) + 2))

    def first_positions(self) -> Ints:
        """For every node the position of the first row that it stands for."""
        order, starts = self._by_node
        return self.positions[order[starts[:-1]]]

    def of_node(self, node: int) -> Ints:
        """Numbers of the rows that a node stands for, in their order."""
        order, starts = self._by_node
        return order[starts[node] : starts[node + 1]]
