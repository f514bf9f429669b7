"""Sums of the first weights of an ordered weighted average over rows that count more than once, or in part.

Weights belong to ranks. A row that stands m times takes m ranks, so what it needs to know of them is their sum
``W(r)`` up to each rank r: after r others it has the weight ``W(r + m) - W(r)``. The families of :mod:`fgac.fuzzy.owa`
say what W is between whole numbers, too: r is then a mass of rows, and n of them need be no whole number. Weights given
one by one are taken as spread evenly over their rank.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fgac._typing import Floats
from fgac.fuzzy.owa import FAMILIES, cumulative_owa, resolve_owa


class CumulatedWeights(Protocol):
    """``W`` of one set of rows."""

    @property
    def reach(self) -> int:
        """How many rows, each standing there at least once, have weight at most."""

    def at(self, numbers: Floats) -> Floats:
        """``W`` at numbers of rows."""


@dataclass(frozen=True, eq=False)
class WholeRanks:
    """``W`` at whole numbers of rows: ``sums`` at 0, 1, 2, ..., up to the first that is 1."""

    sums: Floats

    @property
    def reach(self) -> int:
        """The number of rows from which on the sum is 1."""
        return len(self.sums) - 1

    def at(self, numbers: Floats) -> Floats:
        """``W`` at whole numbers of rows."""
        return self.sums.take(np.asarray(numbers, dtype=np.int64), mode="clip")


@dataclass(frozen=True, eq=False)
class SpreadRanks:
    """``W`` of weights that are given one by one, at any mass: linear between the ``sums`` at whole numbers."""

    sums: Floats
    reach: int = sys.maxsize  # rows that count in part may be any number

    def at(self, numbers: Floats) -> Floats:
        """``W`` at any mass of rows."""
        return np.interp(numbers, np.arange(len(self.sums)), self.sums)


@dataclass(frozen=True)
class SmoothRanks:
    """``W`` of a family at any mass of rows, ``n`` in all; see :func:`fgac.fuzzy.owa.cumulative_owa`."""

    family: str | None
    n: float
    k: int | None
    reach: int = sys.maxsize

    def at(self, numbers: Floats) -> Floats:
        """``W`` at any mass of rows."""
        return cumulative_owa(self.family, self.n, self.k)(numbers)


def cumulated_weights(owa: Any, n: float, k: int | None = None, *, whole: bool = True) -> CumulatedWeights:
    """``W``, the sum of the first weights for n rows, as a function of their number.

    >>> cumulated_weights("additive", 3).at(np.array([0, 1, 2, 3])) * 6
    array([0., 3., 5., 6.])
    >>> cumulated_weights("exponential", 1000).reach < 60
    True
    >>> cumulated_weights([0.6, 0.3, 0.1], 2).at(np.array([0, 1, 2])) * 3
    array([0., 2., 3.])
    >>> cumulated_weights("additive", 2.5, whole=False).at(np.array([0.0, 1.5, 2.5])) * 35
    array([ 0., 27., 35.])

    Parameters
    ----------
    owa
        As in :class:`FRNNClassifier`.
    n : float
        How many rows there are.
    k : int, optional
        How many of them have a weight.
    whole : bool, default=True
        Whether every row stands there a whole number of times.
    """
    if whole:
        sums = _sums(owa, int(n), k)
        sums /= sums[-1]
        return WholeRanks(sums[: np.searchsorted(sums, 1.0) + 1])
    if owa is None or isinstance(owa, str):
        resolve_owa(owa, 1)  # which refuses unknown names
        return SmoothRanks(owa, n, k)
    sums = _sums(owa, _whole_number(n, k) if callable(owa) else math.ceil(n), k)
    # Of weights that reach beyond the rows there are, the last may count in part.
    return SpreadRanks(sums / np.interp(n, np.arange(len(sums)), sums))


def _sums(owa: Any, n: int, k: int | None) -> Floats:
    """Sums of the first 0, 1, 2, ... weights for n rows."""
    count = n if k is None else min(n, int(k))
    if owa is None or isinstance(owa, str) or callable(owa):
        return np.append(0.0, np.cumsum(resolve_owa(owa, count)))
    given = np.size(owa)
    if k is not None and given < k:
        raise ValueError(
            f"owa holds {given} weights, fewer than n_neighbors={k}; give at least {k} weights, or leave "
            "n_neighbors out to use as many neighbours as there are weights"
        )
    count = max(1, min(count, given))
    return np.append(0.0, np.cumsum(resolve_owa(owa, max(1, given), count)[:count]))


def _whole_number(n: float, k: int | None) -> int:
    """How many weights to ask a function for, if the rows weigh n in all and k of them have a weight."""
    if k is not None and k <= n:
        return int(k)
    if n != round(n):
        raise ValueError(
            f"sample_weight makes sets of {n:g} rows, but owa is a function, which is asked for a whole number of "
            f"weights; use one of {', '.join(map(repr, FAMILIES))} or an array as owa, or whole numbers as weights"
        )
    return round(n)
