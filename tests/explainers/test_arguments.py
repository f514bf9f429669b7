"""Arguments of an explanation: true numbers, strongest first, that add up to the bounds in every setting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGAClassifier
from fgac.fuzzy.connectives import resolve_isomorphism
from fgac.fuzzy.owa import resolve_owa
from support.explained import (
    CLOSE,
    SETTINGS,
    Brute,
    assert_adds_up,
    assert_plain_values,
    assert_true_numbers,
    distances,
    samples,
    sides,
)
from support.frames import NOMINAL, as_pandas, mixed_columns
from support.oracles import table_distances
from support.property_tests import examples
from support.strategies import queries, table_cases

MANY = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
EXTREME = {name: setting for name, setting in SETTINGS.items() if "owa" not in setting}


def brute_of(clf, X, y, Q, setting, kept=slice(None)):
    """Return the model for the loops; ``kept`` are the rows of positive weight."""
    kept = np.arange(len(y))[kept]
    return Brute(
        clf.beta_[kept],
        np.asarray(y)[kept],
        distances(X[kept], X[kept], X[kept], setting),
        distances(Q, X[kept], X[kept], setting),
        clf.gamma,
        resolve_isomorphism(clf.isomorphism),
    )


def assert_all_is_true(clf, X, y, Q, setting, n_arguments=4):
    """Check numbers and sums of all explanations."""
    brute = brute_of(clf, X, y, Q, setting)
    for e in clf.explain(Q, n_arguments, merge_similarity=1.0):
        assert_true_numbers(e, brute, np.arange(len(y)), clf.beta_)
        assert_adds_up(e, brute.phi, soft="owa" in setting)
        assert max(len(e.arguments_for), len(e.arguments_against)) <= n_arguments
        assert_plain_values(e.to_dict())
        yield e, brute


@pytest.mark.slow
@MANY
@pytest.mark.parametrize("n_classes", [2, 4])
def test_numbers_are_true_and_add_up(n_classes, setting):
    """Class, distance, similarity, membership, degree and strength are the formulas'; bounds are their sums."""
    X, y = samples(36, n_classes=n_classes, seed=n_classes)
    Q = np.vstack([samples(10, seed=11)[0], X[:3]])
    clf = FGAClassifier(gamma=1.5, **setting).fit(X, y)
    assert sum(len(e.arguments_for) for e, _ in assert_all_is_true(clf, X, y, Q, setting)) > len(Q)


@pytest.mark.slow
@pytest.mark.parametrize("setting", EXTREME.values(), ids=EXTREME)
@examples(10)
@given(case=table_cases(max_rows=10), n_arguments=st.integers(1, 5))
def test_the_strongest_rows_argue(case, n_arguments, setting):
    """For speak rows of the predicted class, against those of others, each place once, the strongest first."""
    clf = FGAClassifier(gamma=case.gamma, **setting).fit(case.X, case.y)
    places = np.array([[*row, label] for row, label in zip(case.X, case.y, strict=True)])
    if setting.get("feature_weights") == [1.0, 0.0]:
        places = places[:, [0, 2]]
    for e, brute in assert_all_is_true(clf, case.X, case.y, queries(3, n=9), setting, n_arguments):
        for side, arguments in sides(e):
            may_speak = brute.may_speak(e.prediction, side)
            strengths = brute.phi(brute.strengths(e.index, e.prediction, side))
            each = {tuple(places[u]): strengths[u] for u in np.flatnonzero(may_speak)}
            expected = sorted(each.values(), reverse=True)[:n_arguments]
            told = [float(brute.phi(a.strength)) for a in arguments]
            told += [0.0] * (len(expected) - len(told))
            np.testing.assert_allclose(told, expected, atol=CLOSE)
            assert all(may_speak[a.index] for a in arguments)
            assert len({tuple(places[a.index]) for a in arguments}) == len(arguments)


@pytest.mark.parametrize("setting", EXTREME.values(), ids=EXTREME)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_arguments_are_those_of_the_method_arguments(n_classes, setting):
    """Where no two rows are grouped, explain and arguments name the same rows with the same numbers."""
    X, y = samples(36, n_classes=n_classes, seed=2)
    Q = samples(12, seed=12)[0]
    clf = FGAClassifier(gamma=1.5, **setting).fit(X, y)
    table = clf.arguments(Q, 6)
    for i, e in enumerate(clf.explain(Q, 5, merge_similarity=1.0)):
        c = clf.classes_.tolist().index(e.prediction)
        for part, arguments in ((table.arguments_for, e.arguments_for), (table.arguments_against, e.arguments_against)):
            index, similarity, membership, strength, degree = (column[i, c] for column in part)
            np.testing.assert_allclose([a.strength for a in arguments], strength[:5][strength[:5] > 0], atol=CLOSE)
            for place, a in enumerate(arguments):
                if np.count_nonzero(np.abs(strength - a.strength) <= CLOSE) == 1:  # else equally strong rows may swap
                    assert a.index == index[place]
                    expected = [similarity[place], membership[place], degree[place]]
                    np.testing.assert_allclose([a.similarity, a.membership, a.degree], expected, atol=CLOSE)


@pytest.mark.parametrize("owa", ["additive", "exponential", "inverse_additive", ("additive", 4), "strict"], ids=str)
@examples(20)
@given(case=table_cases(max_rows=12))
def test_weights_are_those_of_the_ranks_among_all_rows(case, owa):
    """A row's weight is that of its rank among all training rows; equal rows are told once, with all their weights."""
    assert_weights_of_ranks(case.X, case.y, queries(6, n=9), owa, case.gamma)


@pytest.mark.parametrize("owa", ["additive", "exponential", ("inverse_additive", 6)], ids=str)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_weights_of_ranks_without_repetition(owa, n_classes):
    """The same where almost no two strengths are equal."""
    X, y = samples(30, n_classes=n_classes, seed=1)
    assert assert_weights_of_ranks(X, y, samples(12, seed=2)[0], owa, 1.0) > 50


def assert_weights_of_ranks(X, y, Q, owa, gamma):
    """Compare weights with the weights of the family in the order of all strengths; return how many."""
    family, k = owa if isinstance(owa, tuple) else (owa, None)
    clf = FGAClassifier(gamma=gamma, owa=owa).fit(X, y)
    brute = brute_of(clf, X, y, Q, {})
    weights = resolve_owa(family, len(y), k)
    checked = 0
    for e in clf.explain(Q, n_arguments=4, merge_similarity=1.0):
        for side, arguments in sides(e):
            strengths = brute.strengths(e.index, e.prediction, side)
            for a in arguments:
                as_strong = np.abs(strengths - a.strength) <= CLOSE
                same = (X[a.index] == X).all(axis=1) & (y == y[a.index])
                above = np.count_nonzero(strengths > a.strength + CLOSE)
                of_all = weights[above : above + np.count_nonzero(as_strong)].sum()
                assert a.weight <= of_all + CLOSE
                if (as_strong == same).all():
                    assert a.weight == pytest.approx(of_all, abs=CLOSE)
                    checked += 1
        rest = e.lower - sum(a.weight * a.strength for a in e.arguments_for)
        assert e.rest_for == pytest.approx(rest, abs=CLOSE)
    return checked


@pytest.mark.parametrize("owa", ["additive", "exponential"])
def test_nothing_is_left_where_all_rows_are_told(owa):
    """The rest is what rows add that are not told: nothing, if there are none."""
    X, y = np.array([[0.0], [0.1], [0.3], [0.6]]), np.array(["a", "a", "a", "b"])
    clf = FGAClassifier(gamma=1.0, scale=None, owa=owa).fit(X, y)
    for e in clf.explain([[0.2], [0.5]], 10, merge_similarity=1.0):
        shown = len(e.arguments_for)
        assert shown >= 3
        assert e.rest_for == pytest.approx(0.0, abs=CLOSE)
        few = clf.explain([[0.2], [0.5]], 1, merge_similarity=1.0)[e.index]
        left = sum(a.weight * a.strength for a in e.arguments_for[1:])
        assert few.rest_for == pytest.approx(left, abs=CLOSE)
        assert few.rest_for > 0.0


@pytest.mark.parametrize(("X", "gamma", "query"), [([0.1, 0.7], 1.0, -0.1), ([0.2, 0.9], 2.0, 1.4)], ids=str)
def test_rounding_is_no_argument(X, gamma, query):
    """Where similarity and membership sum to exactly 1, the strength is 0, whatever the last digit says."""
    e = FGAClassifier(gamma=gamma, scale=None).fit(np.array(X)[:, None], ["a", "b"]).explain([[query]])[0]
    assert all(a.strength > CLOSE for a in e.arguments_for + e.arguments_against)
    assert e.resembles_nothing == (max(e.lower, 1.0 - e.upper) <= CLOSE)


@MANY
def test_grouped_arguments_add_up_too(setting):
    """However rows are grouped, the sums hold."""
    X, y = samples(60, seed=4)
    clf = FGAClassifier(gamma=1.5, **setting).fit(X, y)
    phi = resolve_isomorphism(clf.isomorphism)
    for merge_similarity in (0.5, 0.8, 0.95, 1.0):
        for e in clf.explain(samples(6, seed=12)[0], 3, merge_similarity=merge_similarity):
            assert_adds_up(e, phi, soft="owa" in setting)


# ----------------------------------------------------------------------------------------------------
# Weights of rows, other distances, nominal columns
# ----------------------------------------------------------------------------------------------------


def test_rows_of_weight_zero_are_absent():
    """They neither argue nor are listed, and the others keep their places and names."""
    X, y = samples(30, seed=7)
    weight = np.arange(30) % 3 != 0
    ids = [f"r{i}" for i in range(30)]
    Q = np.vstack([samples(6, seed=1)[0], [[40.0, 40.0]]])
    clf = FGAClassifier(gamma=2.0).fit(X, y, sample_weight=weight.astype(float), ids=ids)
    brute = brute_of(clf, X, y, Q, {}, weight)
    for e in clf.explain(Q, 5, merge_similarity=0.8):
        assert_true_numbers(e, brute, np.flatnonzero(weight), clf.beta_)
        arguments = [*e.arguments_for, *e.arguments_against, *([e.nearest] if e.nearest else [])]
        assert all(a.id == ids[a.index] for a in arguments)
        told = [a.id for a in arguments] + [name for a in arguments for name in a.alike]
        assert told
        assert all(weight[ids.index(name)] for name in told)


@pytest.mark.parametrize("owa", [None, "additive", "exponential"])
@examples(15)
@given(case=table_cases(max_rows=8))
def test_a_weight_is_a_repetition(case, owa):
    """A row of weight 2 argues as a row that stands there twice."""
    times = case.weights.astype(int)
    clf = FGAClassifier(gamma=case.gamma, owa=owa)
    Q = queries(8, n=6)
    weighted = clf.fit(case.X, case.y, sample_weight=case.weights).explain(Q, merge_similarity=1.0)
    repeated = clf.fit(np.repeat(case.X, times, 0), np.repeat(case.y, times)).explain(Q, merge_similarity=1.0)
    for a, b in zip(weighted, repeated, strict=True):
        assert a.prediction == b.prediction
        for (_, left), (_, right) in zip(sides(a), sides(b), strict=True):
            n = min(len(left), len(right))
            assert all(x.strength <= CLOSE for x in (*left[n:], *right[n:]))
            np.testing.assert_allclose([x.strength for x in left[:n]], [x.strength for x in right[:n]], atol=1e-8)
        np.testing.assert_allclose([a.lower, a.upper], [b.lower, b.upper], atol=1e-8)


@pytest.mark.parametrize("setting", [{}, {"owa": "additive"}, {"isomorphism": 2.0}], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_distances_alone(n_classes, setting):
    """With precomputed distances all is as with the rows, but there are no attributes."""
    X, y = samples(30, n_classes=n_classes, seed=5)
    Q = samples(8, seed=6)[0]
    among, to_training = distances(X, X, X, {}), distances(Q, X, X, {})
    by_rows = FGAClassifier(gamma=1.5, **setting).fit(X, y).explain(Q, 4)
    clf = FGAClassifier(gamma=1.5, metric="precomputed", **setting).fit(among, y)
    for e, other in zip(clf.explain(to_training, 4), by_rows, strict=True):
        assert e.attributes == ()
        assert all(a.attributes == () for a in e.arguments_for + e.arguments_against)
        assert (e.prediction, e.runner_up) == (other.prediction, other.runner_up)
        for (_, left), (_, right) in zip(sides(e), sides(other), strict=True):
            assert [(a.index, a.alike) for a in left] == [(a.index, a.alike) for a in right]
            np.testing.assert_allclose([a.distance for a in left], [a.distance for a in right], atol=CLOSE)
            np.testing.assert_allclose([a.weight for a in left], [a.weight for a in right], atol=CLOSE)
        assert_adds_up(e, resolve_isomorphism(clf.isomorphism), soft="owa" in setting)
        assert_plain_values(e.to_dict())


def test_distances_alone_with_equal_rows_and_rows_of_weight_zero():
    """Columns of the matrix are places in the training table, also where rows are absent."""
    X, y = np.array([[0.0], [5.0], [0.0], [1.0], [1.0]]), np.array(["a", "z", "a", "b", "b"])
    D = np.abs(X - X.T)
    clf = FGAClassifier(metric="precomputed").fit(D, y, sample_weight=[1, 0, 1, 1, 1], ids=list("pqrst"))
    e = clf.explain(np.abs([[0.25]] - X.T))[0]
    assert [(a.id, a.index, a.alike) for a in e.arguments_for] == [("p", 0, ("r",))]
    assert [(a.id, a.index, a.alike) for a in e.arguments_against] == [("s", 3, ("t",))]
    assert e.arguments_for[0].distance == 0.25


@pytest.mark.parametrize("metric", [euclidean_distances, lambda A, B: np.abs(A[:, None] - B[None]).max(axis=2)])
def test_a_metric_of_ones_own(metric):
    """Distances are the function's; sums hold; rows are told with their values."""
    X, y = samples(30, seed=5)
    Q = samples(8, seed=6)[0]
    clf = FGAClassifier(gamma=1.5, metric=metric, scale=None).fit(X, y)
    brute = Brute(clf.beta_, y, metric(X, X), metric(Q, X), 1.5)
    for e in clf.explain(Q, 4, merge_similarity=1.0):
        assert_true_numbers(e, brute, np.arange(30), clf.beta_)
        assert_adds_up(e)
        assert_plain_values(e.to_dict())
        assert [r.value for r in e.attributes] == Q[e.index].tolist()
        for a in e.arguments_for:
            assert [c.value for c in a.attributes] == X[a.index].tolist()


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize("owa", [None, "additive"])
def test_nominal_columns(metric, owa):
    """Mixed tables, with a category that fit did not see."""
    columns, y = mixed_columns(36)
    asked, _ = mixed_columns(9, seed=3)
    asked["city"][0] = "Oslo"
    frame, Q = as_pandas(columns), as_pandas(asked)
    setting = {"metric": metric, "owa": owa}
    clf = FGAClassifier(gamma=0.7, **setting).fit(frame, y)
    rows, new = (table.astype(object).to_numpy() for table in (frame, Q))
    among, to_training = (table_distances(part, rows, rows, nominal=NOMINAL, metric=metric) for part in (rows, new))
    brute = Brute(clf.beta_, y, among, to_training, 0.7)
    for e in clf.explain(Q, 4, merge_similarity=1.0):
        assert_true_numbers(e, brute, np.arange(36), clf.beta_)
        assert_adds_up(e, soft=owa is not None)
        assert_plain_values(e.to_dict())
