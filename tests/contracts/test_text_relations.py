"""Sections 2.2 and 2.5 of the paper, written down again (``support/paper/relations.py``), against the library.

Relations of the library are asked directly, and through its estimators: with one training row of every class far from
the rest, a lower bound is a similarity.
"""

import numpy as np
import pytest

from fgac import FGAClassifier
from fgac.fuzzy.connectives import LUKASIEWICZ, ResidualTriplet, power
from fgac.fuzzy.relations import (
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
    triangular_dominance,
    triangular_similarity,
)
from fgac.metrics.distances import Chebyshev, Rows
from support.paper import relations as text
from support.paper.connectives import Triplet
from support.paper.connectives import power as text_power
from support.paper.tables import GAMMAS, cases, for_each, told

CLOSE = {"rtol": 0, "atol": 1e-12}
gammas = pytest.mark.parametrize("gamma", GAMMAS)
NUMERIC = [case for case in cases(kinds=("numeric", "distinct"), class_counts=(2,)) if len(case.rows) > 1]
NOMINAL = [case for case in cases(kinds=("nominal", "mixed"), class_counts=(2,)) if len(case.rows) > 1]


@gammas
def test_relations_on_one_attribute(gamma):
    values = [-1.0, 0.0, 0.125, 0.5, 2.0, 2.0, 7.0]
    for u in values:
        for v in values:
            assert triangular_similarity(u, v, gamma, 8.0) == text.triangular_similarity(u, v, gamma, 8.0)
            assert triangular_dominance(u, v, gamma, 8.0) == text.triangular_dominance(u, v, gamma, 8.0)


@for_each(NUMERIC)
def test_relations_over_all_attributes(case):
    """Minimum over attributes, supremum similarity and Euclidean similarity; ranges are those of the rows."""
    attributes = text.describe(case.rows)
    ranges = coordinate_ranges(case.X)
    np.testing.assert_array_equal(ranges, [extent for _, extent in attributes])
    everything = case.rows + case.queries
    table = np.array(everything)
    least = text.matrix(text.least_over_attributes(case.gamma, attributes), everything)
    supremum = text.matrix(text.supremum_similarity(case.gamma, attributes), everything)
    euclidean = text.matrix(text.euclidean_similarity(case.gamma, attributes), everything)
    dominance = text.matrix(text.least_over_attributes(case.gamma, attributes, [1, 1, 1]), everything)
    np.testing.assert_allclose(least, supremum, **CLOSE)
    expected = [
        (TriangularSimilarity(case.gamma, ranges), least),
        (MetricSimilarity(Chebyshev(), case.gamma, ranges), supremum),
        (euclidean_similarity(case.gamma, ranges), euclidean),
        (TriangularDominance(case.gamma, ranges), dominance),
        (TriangularDominance(case.gamma, ranges).inverse, text.transposed(dominance)),
    ]
    for relation, R in expected:
        np.testing.assert_allclose(relation.matrix(table), R, rtol=0, atol=1e-12 * max(1.0, case.gamma))
    np.testing.assert_array_equal(inverse(np.array(dominance)), text.transposed(dominance))


def as_rows(case, rows, attributes):
    """Return rows as points of the library: scaled numbers, and codes of categories whose mismatch counts 1."""
    numeric = [q for q, (kind, _) in enumerate(attributes) if kind == "numeric"]
    names = sorted({row[q] for row in case.rows + case.queries for q in case.nominal})
    numbers = np.array([[row[q] for q in numeric] for row in rows], dtype=float).reshape(len(rows), len(numeric))
    codes = np.array([[names.index(row[q]) for q in case.nominal] for row in rows], dtype=np.int32)
    return Rows(numbers, codes, np.ones(len(case.nominal)))


@for_each(NOMINAL)
def test_nominal_attributes(case):
    """A category that differs counts 1; |Q| is the number of columns after One Hot Encoding."""
    attributes = text.describe(case.rows, case.nominal)
    ranges = tuple(extent for kind, extent in attributes if kind == "numeric")
    rows = as_rows(case, case.rows, attributes)
    size = text.size_of(attributes)
    relation = euclidean_similarity(case.gamma, ranges, n_coordinates=size)
    expected = text.matrix(text.euclidean_similarity(case.gamma, attributes), case.rows)
    np.testing.assert_allclose(relation.matrix(rows), expected, rtol=0, atol=1e-12 * max(1.0, case.gamma))
    if ranges:
        least = text.matrix(text.least_over_attributes(case.gamma, attributes), case.rows)
        np.testing.assert_allclose(TriangularSimilarity(case.gamma, ranges).matrix(rows), least, **CLOSE)
    supremum = text.matrix(text.supremum_similarity(case.gamma, attributes), case.rows)
    np.testing.assert_allclose(MetricSimilarity(Chebyshev(), case.gamma, ranges).matrix(rows), supremum, **CLOSE)


@for_each(cases(class_counts=(2,)))
def test_similarities_of_the_classifier(case):
    """The similarity of an argument is R(x, u), for numbers and categories, seen in training or not."""
    attributes = text.describe(case.rows, case.nominal)
    for metric, make in (("euclidean", text.euclidean_similarity), ("chebyshev", text.supremum_similarity)):
        relation = make(case.gamma, attributes)
        model = FGAClassifier(gamma=case.gamma, metric=metric).fit(case.X, case.y)
        for side in model.arguments(case.Q, n_arguments=len(case.rows)):
            for i, x in enumerate(case.queries):
                expected = [relation(x, case.rows[u]) for u in side.indices[i].ravel() if u >= 0]
                with told(metric, x):
                    assert side.similarities[i].ravel()[side.indices[i].ravel() >= 0] == pytest.approx(
                        expected, abs=1e-12
                    )


@for_each(cases(class_counts=(2,), gammas=(0.3, 1.7, 4.0), seeds=(0, 1)))
def test_the_paper_s_relations_are_preorders(case):
    """Reflexive and T_L-transitive on all triples; similarities are symmetric. The library agrees with the loops."""
    attributes = text.describe(case.rows, case.nominal)
    everything = case.rows if len(case.rows) == 1 else case.rows + case.queries
    directions = [0 if q in case.nominal else 1 for q in range(len(attributes))]
    for relation, symmetric in (
        (text.supremum_similarity(case.gamma, attributes), True),
        (text.euclidean_similarity(case.gamma, attributes), True),
        (text.least_over_attributes(case.gamma, attributes, directions), all(d == 0 for d in directions)),
        (text.euclidean_dominance(case.gamma, attributes, directions), all(d == 0 for d in directions)),
    ):
        R = text.matrix(relation, everything)
        assert text.worst_intransitivity(R, Triplet()) <= 1e-12
        assert text.is_reflexive(R)
        assert is_reflexive(R)
        assert is_transitive(R, LUKASIEWICZ)
        assert is_symmetric(R, tol=0.0) == text.is_symmetric(R)
        assert text.is_symmetric(R) or not symmetric


@pytest.mark.parametrize("exponent", [0.3, 0.5, 2.0, 3.0])
def test_transitivity_under_isomorphisms(exponent):
    """phi^-1(R) is transitive for T_phi; R itself is for exponents of at least 1, not always below."""
    rows = [(0.0,), (0.25,), (0.5,), (1.0,)]
    R = np.array(text.matrix(text.euclidean_similarity(1.0, text.describe(rows)), rows))
    phi = text_power(exponent)
    moved = [[phi.inverse(r) for r in row] for row in R]
    theirs, ours = Triplet("lukasiewicz", phi), ResidualTriplet(LUKASIEWICZ, power(exponent))
    relation = Isomorphic(euclidean_similarity(1.0, (1.0,)), power(exponent))
    np.testing.assert_allclose(relation.matrix(np.array(rows)), moved, **CLOSE)
    assert text.worst_intransitivity(moved, theirs) <= 1e-12
    assert (text.worst_intransitivity(R, theirs) <= 1e-12) == (exponent >= 1)
    assert is_transitive(R, ours.t_norm) == (exponent >= 1)


@pytest.mark.parametrize("exponent", [0.3, 0.5, 2.0, 3.0])
def test_transitivity_is_found_under_isomorphisms(exponent):
    """``is_transitive`` says so of phi^-1(R), which is transitive but for rounding on the scale of phi."""
    rows = np.array([[0.0], [0.25], [0.5], [1.0]])
    relation = Isomorphic(euclidean_similarity(1.0, (1.0,)), power(exponent))
    assert is_transitive(relation, ResidualTriplet(LUKASIEWICZ, power(exponent)).t_norm, rows)


def test_relations_that_are_not_transitive_are_found():
    degrees = [[1.0, 0.75, 0.25], [0.75, 1.0, 0.75], [0.25, 0.75, 1.0]]
    assert text.worst_intransitivity(degrees, Triplet()) == 0.25
    assert not is_transitive(degrees, LUKASIEWICZ)
