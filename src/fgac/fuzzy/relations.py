"""Fuzzy relations: how far one row is similar to another, or at least as good as another.

A :class:`Relation` computes degrees between two sets of rows (a matrix of numbers, or
:class:`~fgac.metrics.distances.Rows`):

>>> similarity = TriangularSimilarity(gamma=1.0, ranges=(4.0,))
>>> similarity.matrix([[0.0], [1.0], [4.0]])
array([[1.  , 0.75, 0.  ],
       [0.75, 1.  , 0.25],
       [0.  , 0.25, 1.  ]])

Whether a relation is reflexive, symmetric or transitive can be asked of data, for a matrix of degrees as well as for
a relation and rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._tolerances import DEGREE_TOL
from fgac._typing import Floats
from fgac.fuzzy.connectives import Isomorphism
from fgac.metrics.distances import Euclidean, Metric, Rows
from fgac.metrics.tiles import spans

# Rows and columns of the blocks in which properties are checked.
SIDE = 256


def as_rows(rows: Any) -> Rows:
    """Rows as they are, a matrix of numbers as rows."""
    if rows is None:
        raise ValueError("a relation has degrees between rows only: give rows=")
    return rows if isinstance(rows, Rows) else Rows.from_numeric(rows)


def attribute_ranges(rows: Any) -> tuple[float, ...]:
    """Largest minus smallest value of every numeric attribute; 1 for a constant one, whose differences are all 0.

    >>> attribute_ranges([[0.0, 5.0], [4.0, 5.0]])
    (4.0, 1.0)
    """
    spread = np.ptp(as_rows(rows).numeric, axis=0)
    return tuple(np.where(spread > 0, spread, 1.0).tolist())


def triangular_similarity(u: ArrayLike, v: ArrayLike, gamma: float, span: float) -> Floats:
    """Similarity on one attribute of the given range, ``max(0, 1 - gamma |u - v| / range)``.

    >>> triangular_similarity(3.0, [3.0, 4.0, 2.0], gamma=2.0, span=8.0)
    array([1.  , 0.75, 0.75])
    """
    return np.maximum(0.0, 1.0 - gamma * np.abs(np.subtract(u, v)) / span)


def triangular_dominance(u: ArrayLike, v: ArrayLike, gamma: float, span: float) -> Floats:
    """How far u is at least v on one attribute, ``max(0, min(1, 1 - gamma (v - u) / range))``.

    >>> triangular_dominance(3.0, [3.0, 4.0, 2.0], gamma=2.0, span=8.0)
    array([1.  , 0.75, 1.  ])
    """
    return np.clip(1.0 - gamma * np.subtract(v, u) / span, 0.0, 1.0)


class Relation(ABC):
    """Degrees in [0, 1] between every row of one set and every row of another."""

    @abstractmethod
    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(u, v)`` for u in ``left`` (down) and v in ``right`` (across)."""

    def matrix(self, rows: Any) -> Floats:
        """Array of ``R(u, v)`` for all pairs of rows."""
        return self.block(rows, rows)

    @property
    def inverse(self) -> Relation:
        """The relation with its sides exchanged, ``R^-1(u, v) = R(v, u)``."""
        return Inverse(self)


@dataclass(frozen=True)
class _Triangular(Relation):
    """The least degree over all attributes, each with its own range; a nominal one counts its mismatch."""

    gamma: float
    ranges: tuple[float, ...]

    def __post_init__(self) -> None:
        _check_gamma(self.gamma)
        _check_ranges(self.ranges)

    @staticmethod
    @abstractmethod
    def degree(u: ArrayLike, v: ArrayLike, gamma: float, span: float) -> Floats:
        """Degree on one attribute."""

    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(u, v)`` for u in ``left`` (down) and v in ``right`` (across)."""
        left, right = as_rows(left), as_rows(right)
        _check_columns(self.ranges, left, right)
        least = np.ones((len(left), len(right)))
        for q, span in enumerate(self.ranges):
            u, v = left.numeric[:, q, None], right.numeric[None, :, q]
            np.minimum(least, self.degree(u, v, self.gamma, span), out=least)
        for f, mismatch in enumerate(left.mismatch):
            differ = left.codes[:, f, None] != right.codes[None, :, f]
            np.minimum(least, np.where(differ, max(0.0, 1.0 - self.gamma * mismatch), 1.0), out=least)
        return least


@dataclass(frozen=True)
class TriangularSimilarity(_Triangular):
    """The least :func:`triangular_similarity` over all attributes: a Łukasiewicz equivalence.

    >>> TriangularSimilarity(gamma=1.0, ranges=(4.0, 10.0)).block([[0.0, 0.0]], [[1.0, 0.0], [1.0, 9.0]]).round(3)
    array([[0.75, 0.1 ]])

    Parameters
    ----------
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats
        The range of every numeric attribute, see :func:`attribute_ranges`.
    """

    degree = staticmethod(triangular_similarity)


@dataclass(frozen=True)
class TriangularDominance(_Triangular):
    """The least :func:`triangular_dominance` over all attributes: a Łukasiewicz preorder.

    >>> TriangularDominance(gamma=1.0, ranges=(4.0,)).matrix([[0.0], [1.0]])
    array([[1.  , 0.75],
           [1.  , 1.  ]])

    Parameters
    ----------
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats
        The range of every numeric attribute, see :func:`attribute_ranges`. Nominal attributes have no order; on
        them the degree is that of similarity.
    """

    degree = staticmethod(triangular_dominance)


@dataclass(frozen=True)
class MetricSimilarity(Relation):
    """Similarity that falls with a distance, ``max(0, 1 - gamma d(u, v))``: a Łukasiewicz equivalence.

    >>> from fgac.metrics.distances import Manhattan
    >>> MetricSimilarity(Manhattan(), gamma=0.5).block([[0.0, 0.0]], [[0.5, 0.5], [1.0, 0.25], [3.0, 0.0]])
    array([[0.5  , 0.375, 0.   ]])

    Parameters
    ----------
    metric : Metric
        Of :mod:`fgac.metrics.distances`.
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats, optional
        What numeric attributes are divided by before; ``None`` for rows that have been scaled already.
    """

    metric: Metric
    gamma: float
    ranges: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        _check_gamma(self.gamma)
        if self.ranges is not None:
            _check_ranges(self.ranges)

    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(u, v)`` for u in ``left`` (down) and v in ``right`` (across)."""
        left, right = self._scaled(left), self._scaled(right)
        degrees = np.empty((len(left), len(right)))
        if degrees.size:
            self.metric.block(left, right, degrees)
        np.multiply(degrees, -self.gamma, out=degrees)
        degrees += 1.0
        return np.maximum(degrees, 0.0, out=degrees)

    def _scaled(self, rows: Any) -> Rows:
        rows = as_rows(rows)
        if self.ranges is None:
            return rows
        _check_columns(self.ranges, rows)
        return Rows(rows.numeric / np.array(self.ranges), rows.codes, rows.mismatch)


def euclidean_similarity(gamma: float, ranges: tuple[float, ...], n_attributes: int | None = None) -> MetricSimilarity:
    """The paper's Euclidean similarity, ``max(0, 1 - gamma d(u, v) / sqrt|Q|)`` on attributes divided by their ranges.

    >>> euclidean_similarity(1.0, ranges=(1.0, 1.0)).block([[0.0, 0.0]], [[1.0, 1.0], [0.5, 0.5]]).round(12)
    array([[0. , 0.5]])

    Parameters
    ----------
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats
        The range of every numeric attribute, see :func:`attribute_ranges`.
    n_attributes : int, optional
        |Q|; the number of numeric attributes by default. A nominal attribute counts once per category.
    """
    q = len(ranges) if n_attributes is None else n_attributes
    return MetricSimilarity(Euclidean(), gamma / float(np.sqrt(q)), ranges)


@dataclass(frozen=True)
class Inverse(Relation):
    """A relation with its sides exchanged.

    >>> TriangularDominance(gamma=1.0, ranges=(4.0,)).inverse.matrix([[0.0], [1.0]])
    array([[1.  , 1.  ],
           [0.75, 1.  ]])
    """

    relation: Relation

    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(v, u)`` for u in ``left`` (down) and v in ``right`` (across)."""
        return self.relation.block(right, left).T

    @property
    def inverse(self) -> Relation:
        """The relation itself."""
        return self.relation


@dataclass(frozen=True)
class Isomorphic(Relation):
    """``phi^-1(R(u, v))``: if R is T-transitive, this is ``T_phi``-transitive.

    >>> from fgac.fuzzy.connectives import power
    >>> Isomorphic(TriangularSimilarity(1.0, (1.0,)), power(0.5)).block([[0.0]], [[0.5]])
    array([[0.25]])
    """

    relation: Relation
    isomorphism: Isomorphism

    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``phi^-1(R(u, v))`` for u in ``left`` (down) and v in ``right`` (across)."""
        return self.isomorphism.inverse(self.relation.block(left, right))


def _check_gamma(gamma: float) -> None:
    if not (np.isfinite(gamma) and gamma > 0):
        raise ValueError(f"gamma must be a positive number, got {gamma!r}")


def _check_ranges(ranges: tuple[float, ...]) -> None:
    if not all(np.isfinite(span) and span > 0 for span in ranges):
        raise ValueError(f"ranges must be positive numbers, got {ranges}; give a constant attribute a range of 1")


def _check_columns(ranges: tuple[float, ...], *sides: Rows) -> None:
    for rows in sides:
        if rows.numeric.shape[1] != len(ranges):
            raise ValueError(
                f"rows have {rows.numeric.shape[1]} numeric attributes, but there are {len(ranges)} ranges"
            )


def inverse(relation: Any) -> Any:
    """``R^-1(u, v) = R(v, u)`` of a relation or of a matrix of degrees.

    >>> inverse([[1.0, 0.25], [0.5, 1.0]])
    array([[1.  , 0.5 ],
           [0.25, 1.  ]])
    """
    return relation.inverse if isinstance(relation, Relation) else np.asarray(relation, dtype=np.float64).T


Block = Callable[[slice, slice], Floats]


def _on_data(relation: Any, rows: Any) -> tuple[int, Block]:
    """Number of rows, and a function that gives any block of the matrix of degrees between them."""
    if isinstance(relation, Relation):
        data = as_rows(rows)
        return len(data), lambda down, across: relation.block(data[down], data[across])
    degrees = np.asarray(relation, dtype=np.float64)
    if degrees.ndim != 2 or degrees.shape[0] != degrees.shape[1]:
        raise ValueError(f"a matrix of degrees must be square, one row and one column each, got shape {degrees.shape}")
    return len(degrees), lambda down, across: degrees[down, across]


def _tiles(n: int) -> Iterator[tuple[slice, slice]]:
    return ((down, across) for down in spans(n, SIDE) for across in spans(n, SIDE))


def is_reflexive(relation: Any, rows: Any = None, *, tol: float = DEGREE_TOL) -> bool:
    """Whether ``R(u, u) = 1`` for every row.

    >>> is_reflexive([[1.0, 0.5], [0.0, 1.0]]), is_reflexive([[1.0, 0.5], [0.0, 0.9]])
    (True, False)

    Parameters
    ----------
    relation : Relation or (n, n) array
        A relation, or the degrees themselves.
    rows : Rows or matrix
        With a Relation: the data to check it on.
    tol : float
        How far a degree may be off.
    """
    n, block = _on_data(relation, rows)
    return all(bool((np.abs(np.diagonal(block(span, span)) - 1.0) <= tol).all()) for span in spans(n, SIDE))


def is_symmetric(relation: Any, rows: Any = None, *, tol: float = DEGREE_TOL) -> bool:
    """Whether ``R(u, v) = R(v, u)`` for all pairs of rows; parameters as in :func:`is_reflexive`.

    >>> is_symmetric([[1.0, 0.5], [0.5, 1.0]]), is_symmetric([[1.0, 0.5], [0.0, 1.0]])
    (True, False)
    """
    n, block = _on_data(relation, rows)
    pairs = ((down, across) for down, across in _tiles(n) if down.start <= across.start)
    return all(bool((np.abs(block(a, b) - block(b, a).T) <= tol).all()) for a, b in pairs)


def is_transitive(
    relation: Any, t_norm: Callable[[Floats, Floats], Floats], rows: Any = None, *, tol: float = DEGREE_TOL
) -> bool:
    """Whether ``T(R(u, v), R(v, w)) <= R(u, w)`` for all triples of rows.

    It looks at all n^3 triples, a block of pairs (u, w) at a time, and stops at the first that fails.

    >>> from fgac.fuzzy.connectives import LUKASIEWICZ, MINIMUM
    >>> degrees = [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    >>> is_transitive(degrees, LUKASIEWICZ), is_transitive(degrees, MINIMUM)
    (True, False)

    Parameters
    ----------
    relation : Relation or (n, n) array
        A relation, or the degrees themselves.
    t_norm : TNorm, or the ``t_norm`` of a ResidualTriplet
        T.
    rows : Rows or matrix
        With a Relation: the data to check it on.
    tol : float
        How far a degree may be too small.
    """
    n, block = _on_data(relation, rows)
    for down, across in _tiles(n):
        direct = block(down, across) + tol
        for between in spans(n, SIDE):
            first, second = block(down, between), block(between, across)
            for v in range(first.shape[1]):
                if not (t_norm(first[:, v, None], second[None, v, :]) <= direct).all():
                    return False
    return True
