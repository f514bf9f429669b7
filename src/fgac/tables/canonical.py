"""An order of the rows of a table that depends on nothing but what they hold.

Folds and samples are drawn from rows in this order, so that the same table gives the same folds in whatever order its
rows stand and whatever its classes are called. Equal rows are interchangeable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.tables.column_values import CategoricalColumn, ReadColumn
from fgac.tables.learned_weights import number_by_rows


def canonical_order(numbers: Ints, target: NDArray[Any], weight: Floats) -> Ints:
    """Positions of rows by their numbers, then by their targets and weights.

    >>> canonical_order(np.array([1, 0, 1]), np.array([5.0, 7.0, 2.0]), np.ones(3))
    array([1, 2, 0])
    """
    return np.lexsort([weight, target, numbers])


def nameless_classes(numbers: Ints, labels: NDArray[Any], weight: Floats) -> Ints:
    """The classes of rows under numbers that come from the rows they hold, and not from their names.

    >>> nameless_classes(np.array([2, 0, 1]), np.array(["a", "b", "b"]), np.ones(3))
    array([1, 0, 0])
    """
    order = np.lexsort([weight, numbers])
    codes = np.unique(labels, return_inverse=True)[1]
    found = np.empty(len(codes), dtype=np.int64)
    found[order] = number_by_rows(codes[order], numbers[order], weight[order])
    return found


def row_numbers(columns: Sequence[ReadColumn]) -> Ints:
    """The place of every row in the lexicographic order of its values; equal rows have the same.

    Columns that are left out of distances have no say, unless there are no others: folds, and with them the gamma that
    is chosen, are those of the table without these columns.

    >>> from fgac.tables.column_values import NumericColumn
    >>> row_numbers([NumericColumn(np.array([2.0, 1.0, 2.0])), NumericColumn(np.array([0.0, np.nan, 0.0]))])
    array([1, 0, 1])
    """
    counting = [column for column in columns if column.counts]
    return _numbered([_ranks(column) for column in counting or columns])


def _ranks(column: ReadColumn) -> Ints:
    """Values as places in their order; of categories, in that of their texts. What is unknown comes last."""
    if not isinstance(column, CategoricalColumn):
        return np.unique(column.values, return_inverse=True)[1]
    texts = [(type(category).__name__, str(category)) for category in column.categories]
    place = np.empty(len(texts) + 1, dtype=np.int64)
    place[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    place[-1] = len(texts)  # which is that of the code -1
    return place[column.codes]


def distance_numbers(distances: Floats) -> Ints:
    """The place of every row in an order by its distances to all others, whichever stand first.

    >>> distance_numbers(np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]]))
    array([1, 1, 0])
    """
    ordered = np.sort(distances, axis=1)
    n = ordered.shape[1]
    # A few of the sorted distances tell nearly all rows apart, and their sum, added in their order, the rest.
    some = ordered[:, sorted({0, min(1, n - 1), n // 4, n // 2, n - 1})]
    return _numbered([np.unique(part, return_inverse=True)[1] for part in (*some.T, ordered.sum(axis=1))])


def _numbered(keys: Sequence[Ints]) -> Ints:
    """Rows numbered by some keys, the first of which counts most."""
    order = np.lexsort(list(keys)[::-1])
    differs = np.zeros(len(order), dtype=bool)
    for key in keys:
        differs[1:] |= np.diff(key[order]) != 0
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(differs)
    return numbers
