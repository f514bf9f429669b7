"""The training rows as the caller knows them: their names and values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints, Label
from fgac.metrics.distances import Rows


@dataclass(frozen=True)
class TrainingRecords:
    """The training rows of positive weight, in the order of the table given to fit.

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
        Column by column what the caller gave: floats, or objects in nominal columns. None if they are not kept.
    """

    positions: Ints
    ids: NDArray[Any]
    codes: Ints
    nodes: Ints
    column_names: tuple[str, ...]
    values: tuple[NDArray[Any], ...] | None

    @cached_property
    def _by_node(self) -> tuple[Ints, Ints]:
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


def read_ids(ids: Any, X: Any, n: int) -> NDArray[Any]:
    """Names of rows: those given, or the index of a pandas frame, or positions."""
    if ids is None:
        ids = X.index if hasattr(X, "iloc") else np.arange(n)
    if getattr(getattr(ids, "dtype", None), "kind", "") == "i" and np.shape(ids) == (n,):
        return np.array(ids, dtype=np.int64)
    ids = list(ids)
    if len(ids) != n:
        raise ValueError(f"ids must name every row: X has {n} rows, got {len(ids)} ids")
    array = np.empty(n, dtype=object)
    array[:] = [plain_name(name) for name in ids]
    kinds = {type(name) for name in array}
    try:
        return array.astype(kinds.pop()) if len(kinds) == 1 else array.astype(str)
    except OverflowError:  # whole numbers too long for 64 bits
        return array.astype(str)


def plain_name(name: Any) -> Label:
    """A label or id as a plain Python value; anything unusual (dates, tuples) as its text.

    >>> plain_name(np.int64(3)), plain_name(np.str_("a")), plain_name((1, 2))
    (3, 'a', '(1, 2)')
    """
    if isinstance(name, np.generic):
        name = name.item()
    plain = isinstance(name, str | int | bool) or (isinstance(name, float) and math.isfinite(name))
    return name if plain else str(name)


class TrainingRows(NamedTuple):
    """The training rows of positive weight.

    ``codes`` are their classes as positions in ``classes_``, ``positions`` where they stand in the table of
    ``n_rows`` rows that was given, ``values`` the columns of that table as they were read.
    """

    rows: Rows
    values: list[Any]
    codes: Ints
    weights: Floats
    positions: Ints
    n_rows: int
