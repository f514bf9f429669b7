"""Whether a relation is reflexive, symmetric or transitive: asked of a matrix of degrees, or of a relation and rows.

>>> is_symmetric([[1.0, 0.5], [0.5, 1.0]])
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fgac._tolerances import DEGREE_TOL
from fgac._typing import Floats
from fgac.fuzzy.connectives import IDENTITY, Isomorphism, ResidualTriplet
from fgac.fuzzy.relation_base import Relation, as_rows
from fgac.metrics.tiles import spans

# Rows and columns of the blocks in which properties are checked, so that no more than 64 thousand degrees are held.
SIDE = 256

Block = Callable[[slice, slice], Floats]
Conjunction = Callable[[Floats, Floats], Floats]


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
    relation: Any,
    t_norm: Conjunction | ResidualTriplet,
    rows: Any = None,
    *,
    tol: float = DEGREE_TOL,
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
    t_norm : TNorm, ResidualTriplet or its ``t_norm``, or another function of two arrays
        T. That of a triplet is compared on the scale of its isomorphism, on which T is computed: rounding errors are
        small there.
    rows : Rows or matrix
        With a Relation: the data to check it on.
    tol : float
        How far a degree may be too small.
    """
    n, block = _on_data(relation, rows)
    conjunction, phi = _on_scale(t_norm)
    for down, across in _tiles(n):
        direct = phi(block(down, across)) + tol
        # All v between u and w, a block at a time: no array ever has three axes.
        for between in spans(n, SIDE):
            first, second = phi(block(down, between)), phi(block(between, across))
            for v in range(first.shape[1]):
                if not (conjunction(first[:, v, None], second[None, v, :]) <= direct).all():
                    return False
    return True


def _on_scale(t_norm: Conjunction | ResidualTriplet) -> tuple[Conjunction, Isomorphism]:
    """The T and phi of a ``T_phi``, because ``T_phi(x, y) <= z`` is ``T(phi(x), phi(y)) <= phi(z)``."""
    if isinstance(t_norm, ResidualTriplet):
        return t_norm.generator, t_norm.isomorphism
    triplet = getattr(t_norm, "__self__", None)  # of its method t_norm
    return _on_scale(triplet) if isinstance(triplet, ResidualTriplet) else (t_norm, IDENTITY)
