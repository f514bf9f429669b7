"""Fuzzy rough nearest neighbours against the formulas in plain loops."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import DistanceMetric

from fgac.estimators.frnn import FRNNClassifier
from fgac.fuzzy.roughsets import lower_approximation, upper_approximation
from fgac.granular import rough_neighbours as neighbours
from fgac.granular.rank_weights import cumulated_weights
from support.frames import NOMINAL, as_codes, as_objects, as_pandas, as_polars, mixed_columns
from support.neighbours import FAMILIES, NEIGHBOURS, Q, assert_close, rms
from support.oracles import table_distances
from support.property_tests import examples
from support.strategies import table_cases

METRICS = ["euclidean", "manhattan", "chebyshev"]


# ----------------------------------------------------------------------------------------------------
# The formulas, in plain loops
# ----------------------------------------------------------------------------------------------------


@cache
def lower_weights(family, n):
    """Return the paper's W_L for n values, the weight of the largest value first."""
    if family is None:
        return [0.0] * (n - 1) + [1.0]
    if family == "additive":
        return [2 * i / (n * (n + 1)) for i in range(1, n + 1)]
    if family == "exponential":
        return [2 ** (i - 1) / (2**n - 1) for i in range(1, n + 1)]
    total = sum(1 / i for i in range(1, n + 1))
    return [1 / ((n - i + 1) * total) for i in range(1, n + 1)]


def owa(weights, values):
    """Return the ordered weighted average, the first weight for the largest value."""
    return sum(w * v for w, v in zip(weights, sorted(values, reverse=True), strict=True))


class Naive(NamedTuple):
    """Both approximations of every class from distances to the training rows."""

    labels: np.ndarray
    family: str | None = "additive"
    k: int | None = None
    gamma: float = 1.0

    def weights(self, n):
        """Return W_L for n values of which only the k smallest have a weight."""
        k = n if self.k is None else min(self.k, n)
        return [0.0] * (n - k) + lower_weights(self.family, k)

    def lower(self, distances, label):
        """Return the soft minimum of I(R, 0) = 1 - R over the rows of other classes; 1 if there are none."""
        values = 1.0 - np.maximum(0.0, 1.0 - self.gamma * distances[self.labels != label])
        return owa(self.weights(len(values)), values) if len(values) else 1.0

    def upper(self, distances, label):
        """Return the soft maximum of T(R, 1) = R over the rows of the class."""
        values = np.maximum(0.0, 1.0 - self.gamma * distances[self.labels == label])
        return owa(self.weights(len(values))[::-1], values)

    def memberships(self, distances):
        """Return lower, upper and degree for a matrix of distances, one row per query."""
        classes = np.unique(self.labels)
        lower = np.array([[self.lower(row, k) for k in classes] for row in distances])
        upper = np.array([[self.upper(row, k) for k in classes] for row in distances])
        return lower, upper, (lower + upper) / 2.0


def assert_predicts(model, X, degree):
    """The predicted class has the largest degree, but for rounding."""
    column = np.searchsorted(model.classes_, model.predict(X))
    assert (degree[np.arange(len(degree)), column] >= degree.max(axis=1) - 1e-8).all()


@pytest.mark.parametrize("k", NEIGHBOURS)
@pytest.mark.parametrize("family", FAMILIES)
@examples(15)
@given(case=table_cases())
def test_formulas(case, family, k):
    """Two to six classes, ties and duplicates: both approximations and the label are those of the loops."""
    model = FRNNClassifier(n_neighbors=k, owa=family, gamma=case.gamma).fit(case.X, case.y)
    expected = Naive(case.y, family, k, case.gamma).memberships(table_distances(Q, case.X, case.X))
    assert_close(model.memberships(Q), expected)
    assert_predicts(model, Q, expected[2])


@pytest.mark.parametrize("k", NEIGHBOURS)
@pytest.mark.parametrize("metric", METRICS)
@examples(15)
@given(case=table_cases())
def test_metrics(case, metric, k):
    """Every named metric, with weights of features."""
    weights = [0.5, 2.0]
    model = FRNNClassifier(n_neighbors=k, gamma=case.gamma, metric=metric, feature_weights=weights)
    model.fit(case.X, case.y)
    distances = table_distances(Q, case.X, case.X, metric=metric, feature_weights=weights)
    assert_close(model.memberships(Q), Naive(case.y, k=k, gamma=case.gamma).memberships(distances))


@pytest.mark.parametrize("k", NEIGHBOURS)
@examples(15)
@given(case=table_cases())
def test_metrics_of_the_user(case, k):
    """A matrix, a function and an object of scikit-learn give what their distances give."""
    plain = FRNNClassifier(n_neighbors=k, gamma=case.gamma, scale=None).fit(case.X, case.y, case.weights)
    expected = plain.memberships(Q)
    matrix = clone(plain).set_params(metric="precomputed").fit(rms(case.X, case.X), case.y, case.weights)
    assert_close(matrix.memberships(rms(Q, case.X)), expected)
    function = clone(plain).set_params(metric=rms).fit(case.X, case.y, case.weights)
    assert_close(function.memberships(Q), expected)
    root = np.sqrt(case.X.shape[1])
    thing = clone(plain).set_params(metric=DistanceMetric.get_metric("euclidean"), gamma=case.gamma / root)
    assert_close(thing.fit(case.X, case.y, case.weights).memberships(Q), expected)


@pytest.mark.parametrize("scale", ["range", "robust", None])
@examples(15)
@given(case=table_cases())
def test_scales(case, scale):
    """What counts as a difference of 1."""
    model = FRNNClassifier(n_neighbors=3, scale=scale, gamma=case.gamma).fit(case.X, case.y)
    distances = table_distances(Q, case.X, case.X, scale=scale)
    assert_close(model.memberships(Q), Naive(case.y, k=3, gamma=case.gamma).memberships(distances))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("k", NEIGHBOURS)
def test_nominal_columns_in_every_form(metric, k):
    """Frames of pandas and polars, objects and codes give the distances that count mismatches."""
    columns, y = mixed_columns()
    table = as_objects(columns)
    distances = table_distances(table[:10], table, table, nominal=NOMINAL, metric=metric)
    expected = Naive(y, k=k, gamma=1.5).memberships(distances)
    settings = {"n_neighbors": k, "gamma": 1.5, "metric": metric}
    for frame in (as_pandas(columns), as_pandas(columns, "object"), as_polars(columns)):
        model = FRNNClassifier(**settings).fit(frame, y)
        assert_close(model.memberships(frame[:10]), expected)
        assert list(model.feature_names_in_) == list(columns)
    for array in (table, as_codes(columns)):
        model = FRNNClassifier(**settings, categorical_features=list(NOMINAL)).fit(array, y)
        assert_close(model.memberships(array[:10]), expected)


def test_by_hand():
    """Similarities 1 and 0.75 to one class, 0.25 and 0 to the other; additive weights 2/3 and 1/3."""
    model = FRNNClassifier(scale=None).fit([[0.75], [0.5], [1.25], [2.0]], ["a", "a", "b", "b"])
    lower, upper, degree = model.memberships([[0.5]])
    np.testing.assert_allclose(upper, [[(2 * 1.0 + 0.75) / 3, 2 * 0.25 / 3]])
    np.testing.assert_allclose(lower, 1.0 - upper[:, ::-1])
    np.testing.assert_allclose(degree, (lower + upper) / 2)


@given(table_cases())
def test_plain_maximum_is_the_fuzzy_rough_approximation(case):
    """Without OWA the approximations of a class are those of its crisp set among all training rows."""
    model = FRNNClassifier(owa=None, gamma=case.gamma, scale=None).fit(case.X, case.y)
    lower, upper, _ = model.memberships(Q)
    similarity = np.maximum(0.0, 1.0 - case.gamma * rms(Q, case.X))
    for column, k in enumerate(model.classes_):
        crisp = (case.y == k).astype(float)
        np.testing.assert_allclose(lower[:, column], lower_approximation(crisp, similarity.T), atol=1e-9)
        np.testing.assert_allclose(upper[:, column], upper_approximation(crisp, similarity), atol=1e-9)


@given(table_cases())
def test_one_neighbour_needs_no_family(case):
    """With one neighbour every family is the plain maximum."""
    strict = FRNNClassifier(owa=None, gamma=case.gamma).fit(case.X, case.y).memberships(Q)
    for family in ("additive", "exponential", "inverse_additive", "strict", [1.0], lambda n: np.ones(n) / n):
        model = FRNNClassifier(n_neighbors=1, owa=family, gamma=case.gamma).fit(case.X, case.y)
        assert_close(model.memberships(Q), strict, atol=1e-12)


@given(table_cases())
def test_too_many_neighbours_are_all(case):
    """More neighbours than rows: the family of the length that there is."""
    many = FRNNClassifier(n_neighbors=1000, gamma=case.gamma).fit(case.X, case.y)
    every = FRNNClassifier(gamma=case.gamma).fit(case.X, case.y)
    assert_close(many.memberships(Q), every.memberships(Q), atol=1e-12)


@given(table_cases(), st.integers(1, 5))
def test_weights_of_the_user(case, k):
    """An array and a callable of the additive weights are the additive weights."""
    expected = FRNNClassifier(n_neighbors=k, gamma=case.gamma).fit(case.X, case.y).memberships(Q)

    def additive(n):
        return lower_weights("additive", n)[::-1]

    by_call = FRNNClassifier(n_neighbors=k, owa=additive, gamma=case.gamma).fit(case.X, case.y)
    assert_close(by_call.memberships(Q), expected)
    counts = np.bincount(case.y)
    if counts.min() >= k:  # otherwise the first k weights are not those of a shorter family
        by_array = FRNNClassifier(owa=additive(k), gamma=case.gamma).fit(case.X, case.y)
        assert_close(by_array.memberships(Q), expected)


def test_an_array_is_cut_to_what_there_is():
    """The first weights, brought to a sum of 1, where there are fewer rows or neighbours."""
    X, y, weights = [[0.0], [0.2], [1.0]], [0, 0, 1], [0.5, 0.3, 0.2]
    upper = FRNNClassifier(owa=weights, scale=None).fit(X, y).memberships([[0.0]]).upper
    np.testing.assert_allclose(upper, [[(0.5 * 1.0 + 0.3 * 0.8) / 0.8, 0.0]])
    cut = FRNNClassifier(owa=weights, n_neighbors=1, scale=None).fit(X, y).memberships([[0.2]]).upper
    np.testing.assert_allclose(cut, [[1.0, 0.2]])


def test_one_class():
    """There is nothing else: the lower approximation is 1, and the class is predicted everywhere."""
    model = FRNNClassifier().fit([[0.0], [1.0]], ["only", "only"])
    memberships = model.memberships([[0.0], [50.0]])
    np.testing.assert_array_equal(memberships.lower, [[1.0], [1.0]])
    np.testing.assert_allclose(memberships.upper, [[2 / 3], [0.0]])
    np.testing.assert_array_equal(model.predict([[0.0], [50.0]]), ["only", "only"])
    np.testing.assert_array_equal(model.predict_proba([[50.0]]), [[1.0]])


# ----------------------------------------------------------------------------------------------------
# Many rows
# ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many():
    """Return 400 rows of four classes of unequal size, some of them equal, and 60 queries."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3)).round(1)
    return X, rng.choice(4, 400, p=[0.55, 0.3, 0.14, 0.01]), rng.normal(size=(60, 3))


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("k", [1, 3, 50, 300, None])
@pytest.mark.parametrize("family", FAMILIES)
def test_formulas_on_many_rows(many, family, k, n_classes):
    """Where only some neighbours are looked for, and where all are: k on both sides of every class's size."""
    X, y, new = many
    y = y % n_classes
    model = FRNNClassifier(owa=family, n_neighbors=k, gamma=2.0).fit(X, y)
    expected = Naive(y, family, k, 2.0).memberships(table_distances(new, X, X))
    assert_close(model.memberships(new), expected)
    assert_predicts(model, new, expected[2])


@pytest.mark.parametrize("family", FAMILIES)
def test_both_ways_of_finding_neighbours_agree(many, family, monkeypatch):
    """Neighbours kept while distances pass by, or sorted at the end."""
    X, y, new = many
    model = FRNNClassifier(owa=family, n_neighbors=20).fit(X, y)
    kept = model.memberships(new)
    monkeypatch.setattr(neighbours, "FEW", 0)
    assert_close(model.memberships(new), kept, atol=1e-12)


def test_a_class_may_need_fewer_neighbours_than_its_complement(many):
    """Weights of the user's that look at one row of a class, but at twenty of all others."""
    X, y, new = many
    size = np.bincount(y).max()

    def lopsided(n):
        counted = 1 if n <= size else 20
        return np.repeat([1.0 / counted, 0.0], [counted, n - counted])

    lower, upper, _ = FRNNClassifier(owa=lopsided).fit(X, y).memberships(new)
    similarity = np.maximum(0.0, 1.0 - table_distances(new, X, X))
    for k in range(4):
        np.testing.assert_allclose(upper[:, k], similarity[:, y == k].max(axis=1), atol=1e-9)
        against = np.sort(similarity[:, y != k], axis=1)
        width = 20 if (y != k).sum() > size else 1
        np.testing.assert_allclose(lower[:, k], 1.0 - against[:, -width:].mean(axis=1), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("k", [5, None])
@pytest.mark.parametrize("metric", [*METRICS, rms])
def test_little_memory_and_many_threads(many, metric, k):
    """Blocks of any size, in any thread, give the same."""
    X, y, new = many
    model = FRNNClassifier(n_neighbors=k, metric=metric).fit(X, y)
    expected = model.memberships(new)
    with sklearn.config_context(working_memory=0.01):
        assert_close(model.memberships(new), expected, atol=1e-12)
    threads = FRNNClassifier(n_neighbors=k, metric=metric, n_jobs=2).fit(X, y)
    assert_close(threads.memberships(np.tile(new, (100, 1))), [np.tile(part, (100, 1)) for part in expected], 1e-12)


def test_exponential_weights_need_few_neighbours():
    """Weights below the rounding of 1 are not looked at, and no number of rows overflows."""
    assert cumulated_weights("exponential", 10**6).reach < 60
    assert cumulated_weights("additive", 1000).reach == 1000
    assert cumulated_weights("additive", 1000, 7).reach == 7
