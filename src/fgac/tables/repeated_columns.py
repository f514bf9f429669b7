"""Columns that repeat each other: what a table says several times shall count once.

A column may come twice, in another unit, as its logarithm, turned round (age and year of birth), or, if it holds
categories, under other names. Trees cannot tell such columns apart, but draw them more often than others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Bools, Ints


def repeated(rows: NDArray[Any], is_categorical: Bools) -> Ints:
    """For every column of a matrix, the first one that says the same: its own number, if there is none before it.

    Numbers say the same if their order, or the reverse of it, is the same; categories, which are numbers here, if they
    tell the same rows apart. Constant columns say nothing.

    >>> x = np.array([3.0, 1.0, 2.0])
    >>> repeated(np.column_stack([x, np.log(x), x * 0, x * 0, -x, x == 2]), np.zeros(6, dtype=bool))
    array([0, 0, 2, 3, 0, 5])
    >>> repeated(np.array([[0, 5], [0, 5], [3, 1]]), np.array([True, True]))
    array([0, 0])
    """
    seen: dict[tuple[bool, bytes], int] = {}
    found = np.arange(rows.shape[1])
    for j, part in enumerate(rows.T):
        if part.min() < part.max():
            found[j] = seen.setdefault((bool(is_categorical[j]), _content(part, bool(is_categorical[j]))), j)
    return found


def _content(column: NDArray[Any], is_categorical: bool) -> bytes:
    """What a column says, whatever its numbers are."""
    _, first, numbers = np.unique(column, return_index=True, return_inverse=True)
    if is_categorical:  # in the order in which they come
        return np.argsort(np.argsort(first))[numbers].tobytes()
    return min(numbers.tobytes(), (numbers.max() - numbers).tobytes())


def n_copies(rows: NDArray[Any], *, is_categorical: bool) -> Ints:
    """How many columns of a matrix, of numbers or of categories, say the same as each.

    >>> n_copies(np.array([[1.0, 2.0, 6.0], [3.0, 1.0, 8.0], [2.0, 3.0, 7.0]]), is_categorical=False)
    array([2, 1, 2])
    """
    first = repeated(rows, np.full(rows.shape[1], is_categorical))
    return np.bincount(first, minlength=len(first))[first]
