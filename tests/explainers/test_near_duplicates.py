"""Near-duplicates are one argument, so that three arguments are three different ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from support.explained import CLOSE, Brute, distances, samples, sides
from support.property_tests import examples
from support.strategies import queries, table_cases


def likeness(brute, d):
    """How alike rows at a distance are: to the model, and on the plain scale of distances."""
    return 1.0 - max(1.0, brute.gamma) * d


def assert_different_ones(e, brute, ids, n_arguments, merge_similarity):
    """Check what grouping promises; ids are unique, one per training row."""
    number = {name: u for u, name in enumerate(ids)}
    kin = (likeness(brute, brute.among) >= merge_similarity - 1e-12) & (brute.labels[:, None] == brute.labels)
    for side, arguments in sides(e):
        strengths = np.where(brute.may_speak(e.prediction, side), brute.strengths(e.index, e.prediction, side), 0.0)
        chosen = [number[a.id] for a in arguments]
        assert_speakers_differ(brute, chosen, merge_similarity)
        listed = [number[name] for a in arguments for name in a.alike]
        assert len(set(listed) | set(chosen)) == len(listed) + len(chosen), "a row is told twice"
        for u, a in zip(chosen, arguments, strict=True):
            for v in (number[name] for name in a.alike):
                assert kin[u, v], "rows are grouped that are not alike"
                assert strengths[v] <= strengths[u] + CLOSE, "a group is told by its strongest row"
        least = min((a.strength for a in arguments), default=0.0) if len(arguments) == n_arguments else 0.0
        for v in np.flatnonzero(strengths > CLOSE):
            if kin[v, chosen].any():
                assert v in chosen or v in listed, "a row that says the same is not listed"
            else:
                assert strengths[v] <= least + CLOSE, "a stronger row that says something else is left out"


def assert_speakers_differ(brute, chosen, merge_similarity):
    """Check that no two arguments of one class are alike."""
    for place, u in enumerate(chosen):
        for v in chosen[:place]:
            if brute.labels[u] == brute.labels[v]:
                assert likeness(brute, brute.among[u, v]) < merge_similarity + 1e-12


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@examples(20)
@given(
    case=table_cases(max_rows=14),
    n_arguments=st.integers(1, 4),
    merge_similarity=st.sampled_from([0.3, 0.6, 0.85, 1.0]),
)
def test_arguments_are_different_ones_on_grids(case, n_arguments, merge_similarity, metric):
    """The arguments are the strongest rows that are not alike, each with all rows that say the same."""
    clf = FGAClassifier(gamma=case.gamma, metric=metric).fit(case.X, case.y)
    Q = queries(2, n=6)
    setting = {"metric": metric}
    among, to_training = (distances(part, case.X, case.X, setting) for part in (case.X, Q))
    brute = Brute(clf.beta_, case.y, among, to_training, case.gamma)
    for e in clf.explain(Q, n_arguments, merge_similarity=merge_similarity):
        assert_different_ones(e, brute, range(len(case.y)), n_arguments, merge_similarity)


@pytest.mark.parametrize("merge_similarity", [0.5, 0.7, 0.9, 0.97])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("gamma", [0.5, 2.0])
def test_arguments_are_different_ones_in_a_crowd(merge_similarity, n_classes, gamma):
    """The same for many rows, most of which are alike."""
    X, y = samples(150, n_classes=n_classes, seed=1)
    Q = samples(8, seed=2)[0]
    clf = FGAClassifier(gamma=gamma).fit(X, y, ids=np.arange(150) + 1000)
    brute = Brute(clf.beta_, y, distances(X, X, X, {}), distances(Q, X, X, {}), gamma)
    for e in clf.explain(Q, merge_similarity=merge_similarity):
        assert_different_ones(e, brute, range(1000, 1150), 3, merge_similarity)


def test_three_arguments_are_three_different_ones():
    """Three clusters of one class: one argument each, told by the row that is strongest."""
    X = np.array([[0.00], [0.01], [0.02], [0.30], [0.31], [0.60], [1.00]])
    y = ["a"] * 6 + ["b"]
    clf = FGAClassifier(gamma=1.0, scale=None).fit(X, y, ids=list("pqrstuv"))
    e = clf.explain([[0.1]])[0]
    assert [(a.id, set(a.alike)) for a in e.arguments_for] == [("r", {"p", "q"}), ("s", {"t"}), ("u", set())]
    alone = clf.explain([[0.1]], merge_similarity=1.0)[0]
    assert [a.id for a in alone.arguments_for] == ["r", "q", "p"]
    assert all(a.alike == () for a in alone.arguments_for)


def test_rows_of_different_classes_are_not_one_argument():
    """Two classes at one place speak against a third, each for itself."""
    X, y = [[0.0], [0.5], [0.5], [0.5]], ["a", "b", "c", "c"]
    e = FGAClassifier(gamma=1.0, scale=None).fit(X, y).explain([[0.1]])[0]
    assert e.prediction == "a"
    assert {(a.label, a.alike) for a in e.arguments_against} == {("b", ()), ("c", (3,))}


@pytest.mark.parametrize("merge_similarity", [0.95, 1.0])
def test_equal_rows_are_told_once_by_the_first(merge_similarity):
    """The others are listed, with merge_similarity=1.0 too."""
    X, y = [[0.0], [1.0], [0.0], [0.0], [1.0]], ["a", "b", "a", "a", "b"]
    e = FGAClassifier().fit(X, y, ids=list("pqrst")).explain([[0.25]], merge_similarity=merge_similarity)[0]
    assert [(a.index, a.id, a.alike) for a in e.arguments_for] == [(0, "p", ("r", "s"))]
    assert [(a.index, a.id, a.alike) for a in e.arguments_against] == [(1, "q", ("t",))]


def test_rows_that_differ_in_a_column_without_weight_are_equal():
    """What does not count in the distance makes no difference."""
    X, y = [[0.0, 7.0], [0.0, 8.0], [1.0, 7.0]], ["a", "a", "b"]
    e = FGAClassifier(feature_weights=[1.0, 0.0]).fit(X, y).explain([[0.1, 3.0]], merge_similarity=1.0)[0]
    assert [(a.index, a.alike) for a in e.arguments_for] == [(0, (1,))]


@pytest.mark.parametrize("owa", ["additive", "exponential"])
@pytest.mark.parametrize("merge_similarity", [0.7, 0.95])
def test_soft_arguments_are_different_ones_too(owa, merge_similarity):
    """With OWA no two arguments of one side and class are alike either."""
    X, y = samples(80, seed=3)
    Q = samples(8, seed=2)[0]
    clf = FGAClassifier(gamma=1.0, owa=owa).fit(X, y)
    brute = Brute(clf.beta_, y, distances(X, X, X, {}), distances(Q, X, X, {}), 1.0)
    for e in clf.explain(Q, merge_similarity=merge_similarity):
        for _, arguments in sides(e):
            assert len(arguments) == 3
            assert_speakers_differ(brute, [a.index for a in arguments], merge_similarity)
            told = [a.index for a in arguments] + [v for a in arguments for v in a.alike]
            assert len(told) == len(set(told))
            for a in arguments:
                assert all(likeness(brute, brute.among[a.index, v]) >= merge_similarity - 1e-12 for v in a.alike)
                assert all(y[v] == a.label for v in a.alike)


def test_grouping_never_changes_the_strongest_argument_or_the_prediction():
    """However much is grouped, the row behind each bound stays."""
    X, y = samples(60, seed=5)
    clf = FGAClassifier(gamma=1.0).fit(X, y)
    Q = samples(10, seed=6)[0]
    for apart, grouped in zip(clf.explain(Q, merge_similarity=1.0), clf.explain(Q, merge_similarity=0.5), strict=True):
        assert (apart.prediction, apart.degree, apart.margin) == (grouped.prediction, grouped.degree, grouped.margin)
        for (_, left), (_, right) in zip(sides(apart), sides(grouped), strict=True):
            assert left[0].strength == pytest.approx(right[0].strength)


def test_more_arguments_than_rows():
    """There are as many as there are."""
    X, y = samples(12, seed=5)
    e = FGAClassifier(gamma=0.1).fit(X, y).explain(X[:1], 1000, merge_similarity=1.0)[0]
    assert len(e.arguments_for) + len(e.arguments_against) <= 12
    assert len(e.arguments_for) > 3 or len(e.arguments_against) > 3
