"""The granular approximation of any fuzzy set: the paper's general problem."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.fuzzy.connectives import resolve_isomorphism
from fgac.fuzzy.relations import Relation
from fgac.metrics.distances import Precomputed, Rows
from fgac.solve import Constraints, MetricConstraints, PairConstraints, Problem, Solution, solve
from fgac.solve.nearest import AMONG, check_neighbors, nearest_pairs, places
from fgac.tables.validation import check_option


class GranularApproximation(NamedTuple):
    """The estimated membership of every element, and the Solution with its proof."""

    membership: Floats
    solution: Solution


def granular_approximation(
    fuzzy_set: Any,
    relation: Any,
    loss: str = "squared_error",
    *,
    rows: Any = None,
    quantile: float = 0.5,
    isomorphism: Any = None,
    n_neighbors: float | None = None,
    neighbors_among: str = "others",
    sample_weight: Any = None,
    tol: float = 1e-10,
) -> GranularApproximation:
    """The granularly representable set that is nearest to a fuzzy set.

    ::

        minimise    sum_u w_u L(A(u), B(u))
        subject to  T(R(u, v), B(v)) <= B(u)   for all u, v

    for the Lukasiewicz t-norm T, or one that an isomorphism phi makes of it; then the loss compares ``phi(A(u))``
    with ``phi(B(u))``.

    Parameters
    ----------
    fuzzy_set : array of n numbers in [0, 1]
        The observed membership A.
    relation : (n, n) array of numbers in [0, 1], or Relation
        A T-preorder: ``relation[u, v]`` is R(u, v), reflexive and T-transitive, not necessarily symmetric. With an
        isomorphism it must be transitive for the t-norm that this makes: :class:`fgac.fuzzy.relations.Isomorphic` turns
        any Lukasiewicz preorder into such a relation.
    loss : {"squared_error", "absolute_error", "quantile"}
    rows : matrix or Rows
        The elements, if ``relation`` is a Relation.
    quantile : float
        For the quantile loss: p weighs what lies above the estimate, 1 - p what lies below.
    isomorphism : Isomorphism, number, pair of functions or None
        See :func:`fgac.fuzzy.connectives.resolve_isomorphism`.
    n_neighbors : int or fraction, optional
        Keep for every u only the constraints with the most similar v, that many, or that fraction of all elements: an
        approximation. All v as similar as the last one are taken.
    neighbors_among : {"others", "all"}
        Among whom the most similar v are counted: all elements but u itself, or all of them, as the text of the paper
        has it. There u fills one place, so that one constraint less remains.
    sample_weight : array of n positive numbers, optional
    tol : float

    Returns
    -------
    GranularApproximation
        ``membership`` lies between the lower and the upper approximation of the set (with all constraints).

    Examples
    --------
    >>> import numpy as np
    >>> result = granular_approximation([1.0, 0.0], np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> result.membership, result.solution.is_optimal()
    (array([0.75, 0.25]), True)
    """
    phi = resolve_isomorphism(isomorphism)
    check_neighbors(n_neighbors)
    check_option("neighbors_among", neighbors_among, AMONG)
    observed = _check_fuzzy_set(fuzzy_set)
    degrees = relation.matrix(rows) if isinstance(relation, Relation) else np.asarray(relation, dtype=np.float64)
    _check_relation(degrees, len(observed))
    # B(v) - B(u) <= 1 - R(u, v) on the scale of phi: the tail is v, so its row of bounds is a column of R.
    bounds = np.ascontiguousarray(1.0 - phi(degrees).T)
    table = Rows(bounds, np.arange(len(observed), dtype=np.int32)[:, None], np.empty(0))
    if n_neighbors is None:
        constraints: Constraints = MetricConstraints(table, Precomputed(), 1.0)
    else:
        u, v = _most_similar(degrees, n_neighbors, neighbors_among)
        constraints = PairConstraints(v, u, bounds[v, u])
    problem = Problem(phi(observed), constraints, sample_weight, loss=loss, quantile=quantile)
    solution = solve(problem, tol=tol)
    # Solved values may leave [0, 1], where phi is defined, by rounding.
    return GranularApproximation(phi.inverse(np.clip(solution.values, 0.0, 1.0)), solution)


def _most_similar(degrees: Floats, n_neighbors: float, among: str) -> tuple[Ints, Ints]:
    """Pairs (u, v) in which v is among the most similar to u."""
    n = len(degrees)
    # 1 - R is no metric if R is not symmetric, but which v are nearest to u can be asked all the same.
    table = Rows(1.0 - degrees, np.arange(n, dtype=np.int32)[:, None], np.empty(0))
    u, v, _ = nearest_pairs(table, Precomputed(), np.ones(n), places(n_neighbors, n), among=among)
    return u, v


def _check_fuzzy_set(fuzzy_set: Any) -> Floats:
    """The degrees of the fuzzy set as an array."""
    observed = np.asarray(fuzzy_set, dtype=np.float64)
    if observed.ndim != 1 or len(observed) == 0:
        raise ValueError(f"fuzzy_set must be a list of degrees, one per element, got shape {observed.shape}")
    if not ((observed >= 0) & (observed <= 1)).all():
        raise ValueError("fuzzy_set must hold degrees between 0 and 1")
    return observed


def _check_relation(degrees: Floats, n: int) -> None:
    """Refuse degrees that are no reflexive relation of n elements; transitivity would take n^3 steps to check."""
    if degrees.shape != (n, n):
        raise ValueError(f"relation must give {n} x {n} degrees, one per pair of elements, got shape {degrees.shape}")
    if not ((degrees >= 0) & (degrees <= 1)).all():
        raise ValueError("relation must hold degrees between 0 and 1")
    if not np.allclose(np.diag(degrees), 1.0):
        raise ValueError("relation must be reflexive: the degrees on its diagonal must be 1")
