"""Approximations, granules and adjacency: values by hand and by loops, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac.fuzzy import roughsets
from fgac.fuzzy.connectives import LUKASIEWICZ, MINIMUM, T_NORMS, ResidualTriplet, power
from fgac.fuzzy.owa import resolve_owa, reversal
from fgac.fuzzy.relations import TriangularDominance, TriangularSimilarity, coordinate_ranges
from fgac.fuzzy.roughsets import (
    adjacent_degrees,
    are_adjacent,
    complement,
    granule,
    inverse_granule,
    is_granularly_representable,
    lower_approximation,
    upper_approximation,
)

# Directed: the first row is related to the second by 0.25, the second to the first by 0.5.
R = np.array([[1.0, 0.25], [0.5, 1.0]])
OWAS = (None, "additive", "exponential", "inverse_additive")


def sixteenths(*shape):
    """Draw arrays of degrees."""
    return hnp.arrays(float, shape, elements=st.integers(0, 16).map(lambda k: k / 16))


def test_approximations_by_hand():
    """min I(R(v, u), A(v)) and max T(R(u, v), A(v)): the directions differ."""
    np.testing.assert_array_equal(lower_approximation([1.0, 0.25], R), [0.75, 0.25])
    np.testing.assert_array_equal(upper_approximation([1.0, 0.25], R), [1.0, 0.5])
    np.testing.assert_array_equal(lower_approximation([0.0, 1.0], R), [0.0, 0.75])
    np.testing.assert_array_equal(upper_approximation([0.0, 1.0], R), [0.25, 1.0])


def owa(values, weights):
    """Return the paper's OWA: the i-th weight for the i-th largest value."""
    return float(np.sort(values)[::-1] @ weights)


@pytest.mark.parametrize("t_norm", T_NORMS.values(), ids=T_NORMS)
@given(relation=sixteenths(4, 4), A=sixteenths(4), name=st.sampled_from(OWAS), k=st.sampled_from([None, 2]))
def test_approximations_by_loops(t_norm, relation, A, name, k):
    """Any t-norm, any matrix, with minimum and maximum or their soft versions."""
    weights = resolve_owa(name, 4, None if name is None else k)
    lower = lower_approximation(A, relation, ResidualTriplet(t_norm), owa=name, k=k)
    upper = upper_approximation(A, relation, ResidualTriplet(t_norm), owa=name, k=k)
    for u in range(4):
        inner = [t_norm.implicator(relation[v, u], A[v]) for v in range(4)]
        outer = [t_norm(relation[u, v], A[v]) for v in range(4)]
        assert lower[u] == pytest.approx(owa(inner, reversal(weights)), abs=1e-14)
        assert upper[u] == pytest.approx(owa(outer, weights), abs=1e-14)


@pytest.mark.parametrize("name", OWAS)
def test_relations_and_matrices_agree(name, monkeypatch):
    """A relation on rows is its matrix, at all rows and at others, in chunks or at once."""
    rng = np.random.default_rng(0)
    X, Q, A = rng.random((9, 2)), rng.random((5, 2)), rng.random(9)
    relation = TriangularDominance(1.5, coordinate_ranges(X))
    for chunk in (2**21, 20, 1):
        monkeypatch.setattr(roughsets, "CHUNK", chunk)
        for approximation, at_queries in (
            (lower_approximation, relation.block(X, Q)),
            (upper_approximation, relation.block(Q, X)),
        ):
            everywhere = approximation(A, relation, rows=X, owa=name)
            np.testing.assert_array_equal(everywhere, approximation(A, relation.matrix(X), owa=name))
            elsewhere = approximation(A, relation, rows=X, queries=Q, owa=name)
            np.testing.assert_array_equal(elsewhere, approximation(A, at_queries, owa=name))
            assert elsewhere.shape == (5,)


def test_no_rows():
    """The minimum of nothing is 1, the maximum 0; nowhere is an empty array."""
    np.testing.assert_array_equal(lower_approximation([], np.empty((0, 2))), [1, 1])
    np.testing.assert_array_equal(upper_approximation([], np.empty((2, 0))), [0, 0])
    assert lower_approximation([0.5], np.empty((1, 0))).shape == (0,)
    assert upper_approximation([0.5], np.empty((0, 1))).shape == (0,)


def test_granules_by_hand():
    """What is related to u, and what u is related to."""
    np.testing.assert_array_equal(granule(0, 0.75, R), [0.75, 0.25])
    np.testing.assert_array_equal(inverse_granule(0, 0.75, R), [0.75, 0.0])
    np.testing.assert_array_equal(granule(0, 0.75, R, ResidualTriplet(MINIMUM)), [0.75, 0.5])
    X = np.array([[0.0], [1.0], [4.0]])
    dominance = TriangularDominance(1.0, (4.0,))
    np.testing.assert_array_equal(granule(1, 1.0, dominance, rows=X), [0.75, 1.0, 1.0])
    np.testing.assert_array_equal(inverse_granule(1, 1.0, dominance, rows=X), [1.0, 1.0, 0.25])


@given(sixteenths(4, 4), sixteenths(4))
def test_representable_means_union_of_granules(relation, A):
    """By definition; for a reflexive relation also by all pairs."""
    union = np.max([granule(u, A[u], relation) for u in range(4)], axis=0)
    assert is_granularly_representable(A, relation) == bool((union == A).all())
    np.fill_diagonal(relation, 1.0)
    pairs = all(LUKASIEWICZ(relation[v, u], A[u]) <= A[v] for u in range(4) for v in range(4))
    assert is_granularly_representable(A, relation) == pairs


def test_representable_on_rows():
    """A relation with rows, and a tolerance."""
    X = np.array([[0.0], [1.0], [4.0]])
    relation = TriangularSimilarity(1.0, (4.0,))
    assert is_granularly_representable([1.0, 0.75, 0.0], relation, rows=X)
    assert not is_granularly_representable([1.0, 0.74, 0.0], relation, rows=X)
    assert is_granularly_representable([1.0, 0.74, 0.0], relation, rows=X, tol=0.02)


def test_adjacency_by_hand():
    """Two rows of different classes touch where neither could move alone."""
    similar = np.array([[1.0, 0.75], [0.75, 1.0]])
    for degree in (0.5, 0.75, 1.0):
        assert are_adjacent([degree, degree - 0.25], [True, False], similar)
    assert not are_adjacent([0.25, 0.25], [True, False], similar)
    assert are_adjacent([0.5, 0.26], [True, False], similar, tol=0.1)
    np.testing.assert_array_equal(adjacent_degrees([1.0, 0.5], [True, True], similar), [1.0, 1.0])
    np.testing.assert_array_equal(adjacent_degrees([1.0, 0.5], [False, False], similar), [0.0, 0.0])


@pytest.mark.parametrize("t_norm", T_NORMS.values(), ids=T_NORMS)
@given(relation=sixteenths(5, 5), A=sixteenths(5), members=hnp.arrays(bool, 5))
def test_adjacency_by_loops(t_norm, relation, A, members):
    """Members see the others, the others see the members."""
    for u, degree in enumerate(adjacent_degrees(A, members, relation, ResidualTriplet(t_norm))):
        if members[u]:
            others = [t_norm.implicator(relation[w, u], A[w]) for w in range(5) if not members[w]]
            assert degree == min(others, default=1.0)
        else:
            others = [t_norm(relation[u, w], A[w]) for w in range(5) if members[w]]
            assert degree == max(others, default=0.0)


def test_adjacency_on_rows():
    """A relation with rows is its matrix."""
    rng = np.random.default_rng(3)
    X, A, members = rng.random((8, 2)), rng.random(8), rng.random(8) < 0.5
    relation = TriangularDominance(1.0, coordinate_ranges(X))
    on_rows = adjacent_degrees(A, members, relation, rows=X)
    np.testing.assert_array_equal(on_rows, adjacent_degrees(A, members, relation.matrix(X)))


def test_complement():
    """N of every degree."""
    np.testing.assert_allclose(complement([0.0, 0.6, 1.0], ResidualTriplet(LUKASIEWICZ, power(2))), [1.0, 0.8, 0.0])
    np.testing.assert_array_equal(complement([0.0, 0.6, 1.0], ResidualTriplet(MINIMUM)), [1.0, 0.0, 0.0])


def test_refusals():
    """Sets that are no sets, and shapes that do not fit."""
    with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
        lower_approximation([1.0, 1.5], R)
    with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
        complement([np.nan])
    with pytest.raises(ValueError, match="list of degrees"):
        upper_approximation(R, R)
    with pytest.raises(ValueError, match="each of the 3"):
        upper_approximation([0.0, 0.5, 1.0], R)
    with pytest.raises(ValueError, match="give rows="):
        upper_approximation([0.0, 0.5], TriangularSimilarity(1.0, (1.0,)))
    with pytest.raises(ValueError, match="give rows="):
        granule(0, 1.0, TriangularSimilarity(1.0, (1.0,)))
    with pytest.raises(ValueError, match="2 degrees, but there are 3 rows"):
        upper_approximation([0.0, 0.5], TriangularSimilarity(1.0, (1.0,)), rows=[[0.0], [0.5], [1.0]])
    with pytest.raises(ValueError, match=r"one bool per degree \(2\)"):
        adjacent_degrees([0.0, 0.5], [True], R)
