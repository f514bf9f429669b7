"""Fuzzy relations: degrees by hand and by loops, and their properties on data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.fuzzy import relation_properties, relations
from fgac.fuzzy.connectives import LUKASIEWICZ, MINIMUM, PRODUCT, T_NORMS, ResidualTriplet, power
from fgac.fuzzy.relations import (
    Inverse,
    Isomorphic,
    MetricSimilarity,
    TriangularDominance,
    TriangularSimilarity,
    coordinate_ranges,
    euclidean_similarity,
    inverse,
    is_reflexive,
    is_symmetric,
    is_transitive,
)
from fgac.metrics.distances import Blockwise, Chebyshev, Euclidean, Manhattan, Rows
from support.strategies import table_cases

RAW = np.array([[0.0, 10.0], [1.0, 30.0], [4.0, 20.0]])
RANGES = (4.0, 20.0)


def rows_with_names():
    """Return rows of one numeric and one nominal attribute, whose mismatch counts half."""
    return Rows(np.array([[0.0], [0.0], [1.0]]), np.array([[0], [1], [1]], dtype=np.int32), np.array([0.5]))


def test_ranges():
    """Largest minus smallest; a constant attribute gets 1."""
    assert coordinate_ranges(RAW) == RANGES
    assert coordinate_ranges([[2.0, 1.0], [2.0, 4.0]]) == (1.0, 3.0)


def test_similarity_by_hand():
    """The least of the attributes decides."""
    expected = [[1, 0, 0], [0, 1, 0.25], [0, 0.25, 1]]
    np.testing.assert_allclose(TriangularSimilarity(1.0, RANGES).matrix(RAW), expected)
    np.testing.assert_allclose(TriangularSimilarity(0.5, RANGES).matrix(RAW)[0], [1, 0.5, 0.5])


def test_dominance_by_hand():
    """R(u, v) is 1 where u is at least v on every attribute."""
    expected = [[1, 0, 0], [1, 1, 0.25], [1, 0.5, 1]]
    np.testing.assert_allclose(TriangularDominance(1.0, RANGES).matrix(RAW), expected)


def test_nominal_attributes():
    """A mismatch is a difference, on which dominance knows no order."""
    expected = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    np.testing.assert_array_equal(TriangularSimilarity(1.0, (1.0,)).matrix(rows_with_names()), expected)
    expected = [[1, 0.5, 0], [0.5, 1, 0], [0.5, 1, 1]]
    np.testing.assert_array_equal(TriangularDominance(1.0, (1.0,)).matrix(rows_with_names()), expected)
    expected = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
    np.testing.assert_array_equal(MetricSimilarity(Chebyshev(), 1.0).matrix(rows_with_names()), expected)


@given(table_cases())
def test_supremum_similarity_is_of_the_metric_family(case):
    """The least triangular similarity is the one of the largest scaled difference."""
    ranges = coordinate_ranges(case.X)
    triangular = TriangularSimilarity(case.gamma, ranges).matrix(case.X)
    metric = MetricSimilarity(Chebyshev(), case.gamma, ranges).matrix(case.X)
    np.testing.assert_allclose(triangular, metric, atol=1e-12)


@given(table_cases())
def test_euclidean_similarity_by_loops(case):
    """1 - gamma d / sqrt|Q| on scaled attributes, cut off at 0."""
    spread = np.ptp(case.X, axis=0)
    ranges = np.where(spread > 0, spread, 1.0)
    degrees = euclidean_similarity(case.gamma, coordinate_ranges(case.X)).matrix(case.X)
    for i, u in enumerate(case.X):
        for j, v in enumerate(case.X):
            distance = np.sqrt((((u - v) / ranges) ** 2).sum()) / np.sqrt(2)
            assert degrees[i, j] == pytest.approx(max(0.0, 1.0 - case.gamma * distance), abs=1e-12)


def test_number_of_attributes_can_be_given():
    """After one-hot encoding there may be more of them than numeric ones."""
    degrees = euclidean_similarity(1.0, (1.0,), n_coordinates=4).block([[0.0]], [[1.0]])
    np.testing.assert_allclose(degrees, [[0.5]])


def test_blocks_are_parts_of_the_matrix():
    """Two sets of rows, in the order left, right."""
    X = np.random.default_rng(0).random((7, 2))
    ranges = coordinate_ranges(X)
    for relation in (
        TriangularSimilarity(2.0, ranges),
        TriangularDominance(2.0, ranges),
        MetricSimilarity(Manhattan(), 1.0, ranges),
        MetricSimilarity(Blockwise(lambda A, B: np.abs(A[:, None, 0] - B[None, :, 0])), 1.0),
        TriangularDominance(2.0, ranges).inverse,
        Isomorphic(TriangularDominance(2.0, ranges), power(2)),
    ):
        np.testing.assert_allclose(relation.block(X[:3], X[3:]), relation.matrix(X)[:3, 3:], atol=1e-12)
        assert relation.block(X[:0], X).shape == (0, 7)


def test_inverse():
    """Sides exchanged; twice is the relation itself."""
    dominance = TriangularDominance(1.0, RANGES)
    np.testing.assert_array_equal(dominance.inverse.matrix(RAW), dominance.matrix(RAW).T)
    np.testing.assert_array_equal(inverse(dominance.matrix(RAW)), dominance.matrix(RAW).T)
    assert inverse(dominance) == Inverse(dominance)
    assert inverse(inverse(dominance)) == dominance


@pytest.mark.parametrize("gamma", [0.0, -1.0, np.nan, np.inf])
def test_gamma_is_positive(gamma):
    """All families say so."""
    for make in (
        lambda: TriangularSimilarity(gamma, (1.0,)),
        lambda: TriangularDominance(gamma, (1.0,)),
        lambda: MetricSimilarity(Euclidean(), gamma),
    ):
        with pytest.raises(ValueError, match="gamma must be a positive number"):
            make()


def test_refusals():
    """Ranges of 0, rows that do not fit, degrees without rows, matrices that are not square."""
    with pytest.raises(ValueError, match="ranges must be positive"):
        TriangularSimilarity(1.0, (0.0,))
    with pytest.raises(ValueError, match="2 numeric attributes, but there are 1 ranges"):
        TriangularSimilarity(1.0, (1.0,)).matrix(RAW)
    with pytest.raises(ValueError, match="2 numeric attributes, but there are 1 ranges"):
        MetricSimilarity(Euclidean(), 1.0, (1.0,)).matrix(RAW)
    with pytest.raises(ValueError, match="give rows="):
        is_reflexive(TriangularSimilarity(1.0, (1.0,)))
    with pytest.raises(ValueError, match=r"must be square.*\(1, 2\)"):
        is_symmetric([[1.0, 0.5]])


sixteenths = st.integers(0, 16).map(lambda k: k / 16)


@st.composite
def matrices(draw, max_rows=5):
    """Draw a square matrix of degrees that often has some of the properties."""
    n = draw(st.integers(1, max_rows))
    R = np.array(draw(st.lists(st.lists(sixteenths, min_size=n, max_size=n), min_size=n, max_size=n)))
    if draw(st.booleans()):
        np.fill_diagonal(R, 1.0)
    if draw(st.booleans()):
        R = np.maximum(R, R.T)
    t_norm = draw(st.sampled_from([None, *T_NORMS.values()]))
    for v in range(n if t_norm else 0):
        R = np.maximum(R, t_norm(R[:, v, None], R[None, v, :]))
    return R


@pytest.mark.parametrize("t_norm", T_NORMS.values(), ids=T_NORMS)
@given(R=matrices())
def test_properties_of_a_matrix_by_loops(t_norm, R):
    """What all pairs and all triples say, in blocks as well as at once."""
    every = range(len(R))
    expected = (
        all(R[u, u] == 1 for u in every),
        all(R[u, v] == R[v, u] for u in every for v in every),
        all(t_norm(R[u, v], R[v, w]) <= R[u, w] for u in every for v in every for w in every),
    )
    assert (is_reflexive(R), is_symmetric(R), is_transitive(R, t_norm)) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relation_properties, "SIDE", 2)
        assert (is_reflexive(R), is_symmetric(R), is_transitive(R, t_norm)) == expected


def test_no_degree_is_no_property():
    """A matrix with a hole in it has none of the properties."""
    R = np.full((2, 2), np.nan)
    assert not is_reflexive(R)
    assert not is_symmetric(R)
    assert not is_transitive(R, LUKASIEWICZ)


def test_a_single_fault_is_found_in_any_block(monkeypatch):
    """Rows far apart are compared too."""
    monkeypatch.setattr(relation_properties, "SIDE", 4)
    n = 11
    for u, v in ((0, 10), (10, 0), (5, 6), (3, 4)):
        R = np.ones((n, n))
        R[u, v] = 0.5
        assert is_reflexive(R)
        assert not is_symmetric(R)
        assert not is_transitive(R, MINIMUM)
        R[v, v] = 0.9
        assert not is_reflexive(R)


def test_degrees_are_computed_in_blocks():
    """No more than a block of distances is ever asked for."""
    largest = []

    def difference(A, B):
        largest.append(len(A) * len(B))
        return np.abs(A[:, None, 0] - B[None, :, 0])

    X = np.linspace(0.0, 1.0, 600)[:, None]
    relation = MetricSimilarity(Blockwise(difference), 1.0)
    assert is_reflexive(relation, X)
    assert is_symmetric(relation, X)
    assert is_transitive(relation, LUKASIEWICZ, X)
    assert not is_transitive(relation, PRODUCT, X)
    assert max(largest) <= relation_properties.SIDE**2


@given(table_cases(max_rows=8), st.sampled_from([0.5, 2.0]))
def test_isomorphic_relations(case, exponent):
    """phi^-1(R) is transitive for T_phi where R is for T."""
    relation = Isomorphic(TriangularDominance(case.gamma, coordinate_ranges(case.X)), power(exponent))
    assert is_reflexive(relation, case.X)
    assert is_transitive(relation, ResidualTriplet(LUKASIEWICZ, power(exponent)).t_norm, case.X, tol=1e-7)


def test_old_names_still_work_and_warn():
    with pytest.warns(
        FutureWarning, match=r"relations\.attribute_ranges is now called fgac\.fuzzy\.relations\.coordinate_ranges"
    ):
        assert relations.attribute_ranges(RAW) == RANGES
    with pytest.warns(FutureWarning, match="n_coordinates"):
        assert euclidean_similarity(1.0, (1.0,), n_attributes=4) == euclidean_similarity(1.0, (1.0,), 4)
    with pytest.raises(AttributeError, match="has no attribute 'ranges'"):
        relations.ranges  # noqa: B018 (asking for it is the test)
