"""The nearest rows: how many they are, and among whom they are counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier, granular_approximation
from fgac.fuzzy.relations import TriangularDominance, TriangularSimilarity
from fgac.metrics.distances import Precomputed, Rows
from fgac.solve.nearest import nearest_pairs, places
from support.oracles import beta_oracle, difference_oracle, table_distances
from support.property_tests import examples
from support.strategies import table_cases


@given(percent=st.integers(1, 100), n=st.integers(1, 3000))
def test_a_decimal_share_of_rows_is_what_it_is_on_paper(percent, n):
    """Whole percents of whole numbers, computed in whole numbers."""
    assert places(percent / 100, float(n)) == max(1, percent * n // 100)


def test_places_by_hand():
    """0.29 times 100 is 29, also where 100 is a sum of weights; whole numbers stay as they are."""
    assert places(0.29, 100) == 29
    assert places(0.29, float(np.full(1000, 0.1).sum())) == 29
    assert places(0.2899, 100) == 28
    assert places(1e-9, 100) == 1
    assert places(7, 3) == 7


def literal_pairs(D, y, M, among):
    """Return which pairs of different labels the rule names; of equally near rows all are taken."""
    chosen = np.zeros(D.shape, dtype=bool)
    for u in range(len(y)):
        counted = np.arange(len(y)) if among == "all" else np.flatnonzero(y != y[u])
        if len(counted):
            last = np.sort(D[u, counted])[min(M, len(counted)) - 1]
            near = counted[D[u, counted] <= last + 1e-12]
            chosen[u, near[y[near] != y[u]]] = True
    return chosen


@pytest.mark.parametrize("among", ["others", "all"])
@pytest.mark.parametrize("M", [1, 2, 5, 30])
@examples(20)
@given(case=table_cases())
def test_pairs_of_other_labels(case, M, among):
    """Among the rows of other labels, or among all rows, the row itself and its own label included."""
    D = table_distances(case.X, case.X, case.X)
    rows = Rows(D, np.arange(len(D), dtype=np.int32)[:, None], np.empty(0))
    u, v, d = nearest_pairs(rows, Precomputed(), np.ones(len(D)), M, case.y, among)
    found = np.zeros(D.shape, dtype=bool)
    found[u, v] = True
    np.testing.assert_array_equal(found, literal_pairs(D, case.y, M, among))
    np.testing.assert_array_equal(d, D[u, v])


@pytest.mark.parametrize("M", [1, 3, 6])
@examples(15)
@given(case=table_cases())
def test_training_with_the_literal_reading(case, M):
    """beta is the optimum under the constraints with the M nearest of all rows, repeated rows counted each."""
    model = FGAClassifier(gamma=case.gamma, n_neighbors=M, neighbors_among="all").fit(case.X, case.y)
    D = table_distances(case.X, case.X, case.X)
    chosen = literal_pairs(D, case.y, M, "all")
    far = np.where(chosen | chosen.T, D, 10.0 / case.gamma)
    np.testing.assert_allclose(model.beta_, beta_oracle(far, case.y, case.gamma), atol=1e-7)


@given(case=table_cases())
def test_all_rows_are_exact_and_fewer_count_more(case):
    """As many neighbours as rows is exact among both; the literal reading never keeps more constraints."""
    exact = FGAClassifier(gamma=case.gamma).fit(case.X, case.y)
    every = FGAClassifier(gamma=case.gamma, n_neighbors=1.0, neighbors_among="all").fit(case.X, case.y)
    np.testing.assert_allclose(every.beta_, exact.beta_, atol=1e-8)
    some = [
        FGAClassifier(gamma=case.gamma, n_neighbors=3, neighbors_among=among).fit(case.X, case.y).solution_.objective
        for among in ("all", "others")
    ]
    assert some[0] <= some[1] + 1e-9
    assert some[1] <= exact.solution_.objective + 1e-9


@pytest.mark.parametrize("relation", [TriangularSimilarity, TriangularDominance])
@pytest.mark.parametrize(("among", "counted"), [("others", 3), ("all", 4)])
def test_the_general_problem_counts_itself_only_among_all(relation, among, counted):
    """The three most similar others are the four most similar of all, one of which is the element itself."""
    rng = np.random.default_rng(0)
    X, observed = rng.random((20, 2)), rng.random(20)
    R = relation(gamma=1.5, ranges=(1.0, 1.0)).matrix(X)
    found = granular_approximation(observed, R, n_neighbors=counted, neighbors_among=among).membership
    tail, head = [], []
    for u in range(20):
        others = np.delete(np.arange(20), u)
        # Where several are as similar as the last, all are taken: dominance often has degree 1.
        if among == "others":
            near = others[R[u, others] >= np.sort(R[u, others])[-3] - 1e-12]
        else:
            near = others[R[u, others] >= np.sort(R[u])[-4] - 1e-12]
        tail.extend(near)
        head.extend([u] * len(near))
    expected = difference_oracle(observed, np.array(tail), np.array(head), 1.0 - R[head, tail])
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_unknown_words_are_named():
    """The message says which there are."""
    with pytest.raises(ValueError, match=r"neighbors_among='same'.*'others'.*'all'"):
        FGAClassifier(n_neighbors=2, neighbors_among="same").fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match=r"neighbors_among='same'.*'others'.*'all'"):
        granular_approximation([0.0, 1.0], np.eye(2), n_neighbors=1, neighbors_among="same")
    for wrong in (0, -1, 1.5, True, "all"):
        with pytest.raises(ValueError, match=f"n_neighbors={wrong!r}"):
            granular_approximation([0.0, 1.0], np.eye(2), n_neighbors=wrong)
