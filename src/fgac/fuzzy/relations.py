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

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._renamed import renamed_attribute, warn_renamed
from fgac._typing import Floats
from fgac.fuzzy.isomorphisms import Isomorphism
from fgac.fuzzy.relation_base import Inverse, Relation, as_rows, inverse
from fgac.fuzzy.relation_properties import is_reflexive, is_symmetric, is_transitive
from fgac.metrics.distances import UNKNOWN, Euclidean, Metric, Rows

__all__ = [
    "Inverse",
    "Isomorphic",
    "MetricSimilarity",
    "Relation",
    "TriangularDominance",
    "TriangularSimilarity",
    "as_rows",
    "coordinate_ranges",
    "euclidean_similarity",
    "inverse",
    "is_reflexive",
    "is_symmetric",
    "is_transitive",
    "triangular_dominance",
    "triangular_similarity",
]


def coordinate_ranges(rows: Any) -> tuple[float, ...]:
    """Largest minus smallest value of every numeric coordinate; 1 for a constant one, whose differences are all 0.

    >>> coordinate_ranges([[0.0, 5.0], [4.0, 5.0]])
    (4.0, 1.0)
    """
    spread = np.ptp(as_rows(rows).numeric, axis=0)
    return tuple(np.where(spread > 0, spread, 1.0).tolist())


def triangular_similarity(u: ArrayLike, v: ArrayLike, gamma: float, span: float) -> Floats:
    """Similarity on one coordinate of the given range, ``max(0, 1 - gamma |u - v| / range)``.

    >>> triangular_similarity(3.0, [3.0, 4.0, 2.0], gamma=2.0, span=8.0)
    array([1.  , 0.75, 0.75])
    """
    return np.maximum(0.0, 1.0 - gamma * np.abs(np.subtract(u, v)) / span)


def triangular_dominance(u: ArrayLike, v: ArrayLike, gamma: float, span: float) -> Floats:
    """How far u is at least v on one coordinate, ``max(0, min(1, 1 - gamma (v - u) / range))``.

    >>> triangular_dominance(3.0, [3.0, 4.0, 2.0], gamma=2.0, span=8.0)
    array([1.  , 0.75, 1.  ])
    """
    return np.clip(1.0 - gamma * np.subtract(v, u) / span, 0.0, 1.0)


@dataclass(frozen=True)
class _Triangular(Relation):
    """The least degree over all coordinates, each with its own range; a categorical one counts its mismatch."""

    gamma: float
    ranges: tuple[float, ...]

    def __post_init__(self) -> None:
        _check_gamma(self.gamma)
        _check_ranges(self.ranges)

    @staticmethod
    @abstractmethod
    def degree(u: ArrayLike, v: ArrayLike, gamma: float, span: float) -> Floats:
        """Degree on one coordinate."""

    def block(self, left: Any, right: Any) -> Floats:
        """Array of ``R(u, v)`` for u in ``left`` (down) and v in ``right`` (across)."""
        left, right = as_rows(left), as_rows(right)
        _check_columns(self.ranges, left, right)
        least = np.ones((len(left), len(right)))
        # One matrix at a time: an array of all coordinates of all pairs would take |Q| times the memory.
        for q, span in enumerate(self.ranges):
            u, v = left.numeric[:, q, None], right.numeric[None, :, q]
            np.minimum(least, self.degree(u, v, self.gamma, span), out=least)
        for f, mismatch in enumerate(left.mismatch):
            u, v = left.codes[:, f, None], right.codes[None, :, f]
            differ = np.where((u == UNKNOWN) | (v == UNKNOWN), 0.5 * mismatch, mismatch) * (u != v)
            np.minimum(least, np.maximum(0.0, 1.0 - self.gamma * differ), out=least)
        return least


@dataclass(frozen=True)
class TriangularSimilarity(_Triangular):
    """The least :func:`triangular_similarity` over all coordinates: a Łukasiewicz equivalence.

    >>> TriangularSimilarity(gamma=1.0, ranges=(4.0, 10.0)).block([[0.0, 0.0]], [[1.0, 0.0], [1.0, 9.0]]).round(3)
    array([[0.75, 0.1 ]])

    Parameters
    ----------
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats
        The range of every numeric coordinate, see :func:`coordinate_ranges`.
    """

    degree = staticmethod(triangular_similarity)


@dataclass(frozen=True)
class TriangularDominance(_Triangular):
    """The least :func:`triangular_dominance` over all coordinates: a Łukasiewicz preorder.

    >>> TriangularDominance(gamma=1.0, ranges=(4.0,)).matrix([[0.0], [1.0]])
    array([[1.  , 0.75],
           [1.  , 1.  ]])

    Parameters
    ----------
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats
        The range of every numeric coordinate, see :func:`coordinate_ranges`. Categorical coordinates have no order; on
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
        What numeric coordinates are divided by before; ``None`` for rows that have been scaled already.
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
        if degrees.size:  # metrics expect rows on both sides
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


def euclidean_similarity(
    gamma: float, ranges: tuple[float, ...], n_coordinates: int | None = None, *, n_attributes: int | None = None
) -> MetricSimilarity:
    """The paper's Euclidean similarity, ``max(0, 1 - gamma d(u, v) / sqrt|Q|)`` on coordinates divided by their ranges.

    >>> euclidean_similarity(1.0, ranges=(1.0, 1.0)).block([[0.0, 0.0]], [[1.0, 1.0], [0.5, 0.5]]).round(12)
    array([[0. , 0.5]])

    Parameters
    ----------
    gamma : float
        How fast the degree falls; positive.
    ranges : tuple of floats
        The range of every numeric coordinate, see :func:`coordinate_ranges`.
    n_coordinates : int, optional
        ``|Q|``; the number of numeric coordinates by default. A categorical coordinate counts once per category.
    n_attributes : int, optional
        The old name of ``n_coordinates``.
    """
    if n_attributes is not None:
        warn_renamed("n_attributes of euclidean_similarity")
        n_coordinates = n_attributes
    q = len(ranges) if n_coordinates is None else n_coordinates
    return MetricSimilarity(Euclidean(), gamma / float(np.sqrt(q)), ranges)


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


def __getattr__(name: str) -> Any:
    return renamed_attribute(__name__, name)
