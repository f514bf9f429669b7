"""Fuzzy rough sets: approximations of a fuzzy set from inside and outside, and the granules it is made of.

A fuzzy set is an array of degrees A(u), one per row. A relation is a matrix of degrees R(u, v), or a
:class:`~fgac.fuzzy.relations.Relation` together with the rows it is to be computed on.

>>> similar = [[1.0, 0.75], [0.75, 1.0]]
>>> lower_approximation([1.0, 0.0], similar)
array([0.25, 0.  ])
>>> upper_approximation([1.0, 0.0], similar)
array([1.  , 0.75])

The row that does not belong is so similar to the one that does, that the first can belong by 0.25 only, or else the
second must belong by 0.75. Sets in which no row contradicts another in this way are *granularly representable*.

At rows that A has no degree for, the same two formulas bound the degrees that would contradict nothing: *upper
approximation* ``<= A(x) <=`` *lower approximation*. That is how a classifier predicts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._tolerances import DEGREE_TOL
from fgac._typing import Floats, Ints
from fgac.fuzzy.connectives import LUKASIEWICZ_TRIPLET, ResidualTriplet
from fgac.fuzzy.owa import resolve_owa, soft_max, soft_min
from fgac.fuzzy.relations import Relation, as_rows, inverse
from fgac.metrics.tiles import spans

__all__ = [
    "adjacent_degrees",
    "are_adjacent",
    "complement",
    "granule",
    "inverse_granule",
    "is_granularly_representable",
    "lower_approximation",
    "upper_approximation",
]

# Degrees that are worked on at a time: 16 megabytes.
CHUNK = 2**21


def lower_approximation(
    fuzzy_set: ArrayLike,
    relation: Any,
    triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET,
    *,
    rows: Any = None,
    queries: Any = None,
    owa: Any = None,
    k: int | None = None,
) -> Floats:
    """``min over v of I(R(v, u), A(v))``: how far everything that u is related to belongs to A.

    For a T-preorder with a left-continuous T it is the largest granularly representable set within A.

    >>> lower_approximation([1.0, 0.5, 0.0], [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])
    array([1. , 0.5, 0. ])

    Parameters
    ----------
    fuzzy_set : (n,) array
        A, the degrees of the n rows.
    relation : Relation or (n, m) array
        R. In an array, ``relation[v, u]`` is ``R(v, u)`` for the n rows v and for the m rows u at which the
        approximation is wanted, usually the same ones.
    triplet : ResidualTriplet
        T, I and N; Łukasiewicz's by default.
    rows : Rows or matrix of n rows
        With a Relation: what to compute it on.
    queries : Rows or matrix of m rows, optional
        With a Relation: the u at which the approximation is wanted; ``rows`` by default.
    owa, k : optional
        Weights of a soft minimum instead of the minimum, see :func:`fgac.fuzzy.owa.resolve_owa`.

    Returns
    -------
    (m,) array
    """
    degrees = _check_set(fuzzy_set)
    weights = None if owa is None else resolve_owa(owa, len(degrees), k)
    parts = []
    # The inverse relation puts v across, where the degrees of A are, so that every chunk is complete for its u.
    for related in _chunks(inverse(relation), len(degrees), rows, queries):
        values = triplet.implicator(related, degrees)
        # Without rows v nothing speaks against u: the minimum of no degrees is 1.
        parts.append(values.min(axis=-1, initial=1.0) if weights is None else soft_min(values, weights))
    return np.concatenate([np.empty(0), *parts])


def upper_approximation(
    fuzzy_set: ArrayLike,
    relation: Any,
    triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET,
    *,
    rows: Any = None,
    queries: Any = None,
    owa: Any = None,
    k: int | None = None,
) -> Floats:
    """``max over v of T(R(u, v), A(v))``: how far something that u is related to belongs to A.

    For a T-preorder it is the smallest granularly representable set that contains A.

    >>> upper_approximation([1.0, 0.0, 0.0], [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])
    array([1. , 0.5, 0. ])

    Parameters are those of :func:`lower_approximation`, but an array has shape (m, n): ``relation[u, v]`` is
    ``R(u, v)`` for the m rows u at which the approximation is wanted and the n rows v; ``owa`` makes a soft maximum.
    """
    degrees = _check_set(fuzzy_set)
    weights = None if owa is None else resolve_owa(owa, len(degrees), k)
    parts = []
    for related in _chunks(relation, len(degrees), rows, queries):
        values = triplet.t_norm(related, degrees)
        parts.append(values.max(axis=-1, initial=0.0) if weights is None else soft_max(values, weights))
    return np.concatenate([np.empty(0), *parts])


def complement(fuzzy_set: ArrayLike, triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET) -> Floats:
    """``coA(u) = N(A(u))``.

    >>> complement([1.0, 0.25])
    array([0.  , 0.75])
    """
    return triplet.negator(_check_set(fuzzy_set))


def granule(
    u: int, level: float, relation: Any, triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET, *, rows: Any = None
) -> Floats:
    """``R+_level(u)``, the fuzzy set of the v with degrees ``T(R(v, u), level)``: what is related to u.

    >>> granule(0, 0.75, [[1.0, 0.25], [0.5, 1.0]])
    array([0.75, 0.25])

    Parameters
    ----------
    u : int
        Position of the row at its centre.
    level : float
        The degree of u itself, in a set that the granule is part of.
    relation : Relation or (n, n) array
        R.
    triplet : ResidualTriplet
        T, I and N; Łukasiewicz's by default.
    rows : Rows or matrix of n rows
        With a Relation: what to compute it on.
    """
    if isinstance(relation, Relation):
        rows = as_rows(rows)
        related = relation.block(rows, rows[[u]])[:, 0]
    else:
        related = np.asarray(relation, dtype=np.float64)[:, u]
    return triplet.t_norm(related, level)


def inverse_granule(
    u: int, level: float, relation: Any, triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET, *, rows: Any = None
) -> Floats:
    """``R-_level(u)``, the fuzzy set of the v with degrees ``T(R(u, v), level)``: what u is related to.

    >>> inverse_granule(0, 0.75, [[1.0, 0.25], [0.5, 1.0]])
    array([0.75, 0.  ])

    Parameters are those of :func:`granule`.
    """
    return granule(u, level, inverse(relation), triplet, rows=rows)


def is_granularly_representable(
    fuzzy_set: ArrayLike,
    relation: Any,
    triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET,
    *,
    rows: Any = None,
    tol: float = DEGREE_TOL,
) -> bool:
    """Whether A is the union (maximum) of the granules ``R+_A(u)(u)`` of its rows.

    For a reflexive relation that is ``T(R(v, u), A(u)) <= A(v)`` for all u and v: a row that is related to another
    belongs, as far as that one does. Degrees may differ by ``tol`` on the scale of the triplet's isomorphism, on which
    they are computed: where the isomorphism is flat, the same error is much larger on the user's scale.

    >>> similar = [[1.0, 0.75], [0.75, 1.0]]
    >>> is_granularly_representable([1.0, 0.75], similar), is_granularly_representable([1.0, 0.5], similar)
    (True, False)
    """
    # The upper approximation is the union of the granules; it contains A, and is A if A is representable.
    union = upper_approximation(fuzzy_set, relation, triplet, rows=rows)
    return _equal(union, _check_set(fuzzy_set), triplet, tol)


def adjacent_degrees(
    fuzzy_set: ArrayLike,
    members: ArrayLike,
    relation: Any,
    triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET,
    *,
    rows: Any = None,
) -> Floats:
    """The degree of every row that the granules of the *other* side leave to it.

    For a member u it is ``min over w outside of I(R(w, u), A(w))``, as much as the rows outside admit; for a row v
    outside it is ``max over members w of T(R(v, w), A(w))``, as little as the members admit.

    >>> adjacent_degrees([0.5, 0.0], [True, False], [[1.0, 0.75], [0.75, 1.0]])
    array([0.25, 0.25])

    Parameters
    ----------
    fuzzy_set : (n,) array
        A, for instance the granular approximation of the crisp set.
    members : (n,) array of bools
        The crisp set that was observed.
    relation, triplet, rows
        As in :func:`is_granularly_representable`.
    """
    degrees = _check_set(fuzzy_set)
    members = np.asarray(members, dtype=bool)
    if members.shape != degrees.shape:
        raise ValueError(f"members must hold one bool per degree ({len(degrees)}), got shape {members.shape}")
    # Each side's degrees are asked of the other side only; degrees within a side are never compared.
    inside, outside = np.flatnonzero(members), np.flatnonzero(~members)
    across = _across(relation, rows, outside, inside)
    result = np.empty(len(degrees))
    result[inside] = lower_approximation(degrees[outside], across, triplet)
    result[outside] = upper_approximation(degrees[inside], across, triplet)
    return result


def are_adjacent(
    fuzzy_set: ArrayLike,
    members: ArrayLike,
    relation: Any,
    triplet: ResidualTriplet = LUKASIEWICZ_TRIPLET,
    *,
    rows: Any = None,
    tol: float = DEGREE_TOL,
) -> bool:
    """Whether the granules of members and of the others touch: every degree is its :func:`adjacent_degrees`.

    The granular approximation of a crisp set is like that: no degree could be closer to the observed one without
    another giving way. Degrees are compared as in :func:`is_granularly_representable`.

    >>> similar = [[1.0, 0.75], [0.75, 1.0]]
    >>> are_adjacent([0.5, 0.25], [True, False], similar), are_adjacent([0.5, 0.5], [True, False], similar)
    (True, False)
    """
    left = adjacent_degrees(fuzzy_set, members, relation, triplet, rows=rows)
    return _equal(left, _check_set(fuzzy_set), triplet, tol)


def _across(relation: Any, rows: Any, down: Ints, across: Ints) -> Floats:
    """Degrees between two parts of the rows."""
    if isinstance(relation, Relation):
        rows = as_rows(rows)
        return relation.block(rows[down], rows[across])
    return np.asarray(relation, dtype=np.float64)[np.ix_(down, across)]


def _chunks(relation: Any, n: int, rows: Any, queries: Any) -> Iterator[Floats]:
    """``R(u, v)`` for some u at a time and all of the n rows v."""
    height = max(1, CHUNK // max(1, n))
    if isinstance(relation, Relation):
        rows = as_rows(rows)
        queries = rows if queries is None else as_rows(queries)
        if len(rows) != n:
            raise ValueError(f"the fuzzy set has {n} degrees, but there are {len(rows)} rows")
        yield from (relation.block(queries[span], rows) for span in spans(len(queries), height))
        return
    degrees = np.asarray(relation, dtype=np.float64)
    if degrees.ndim != 2 or degrees.shape[1] != n:
        raise ValueError(f"the relation must have one degree for each of the {n} of the fuzzy set, along the axis of v")
    yield from (degrees[span] for span in spans(len(degrees), height))


def _check_set(fuzzy_set: ArrayLike) -> Floats:
    degrees = np.asarray(fuzzy_set, dtype=np.float64)
    if degrees.ndim != 1:
        raise ValueError(f"a fuzzy set must be a list of degrees, got an array of shape {degrees.shape}")
    if not ((degrees >= 0.0) & (degrees <= 1.0)).all():
        raise ValueError("the degrees of a fuzzy set must lie in [0, 1]")
    return degrees


def _equal(left: Floats, right: Floats, triplet: ResidualTriplet, tol: float) -> bool:
    # Under x^2 an error of 1e-10 in a solved degree of 0 is one of 1e-5 after the root: errors are told before it.
    phi = triplet.isomorphism
    return bool((np.abs(phi(left) - phi(right)) <= tol).all())
