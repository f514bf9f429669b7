"""Fuzzy rough nearest neighbours: the formulas, what must not matter, the contract, and the errors."""

from __future__ import annotations

import pickle
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
import sklearn
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import DistanceMetric
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.utils.estimator_checks import parametrize_with_checks

from fgac.estimators import frnn as neighbours
from fgac.estimators.frnn import FRNNClassifier, cumulated_weights
from fgac.fuzzy.roughsets import lower_approximation, upper_approximation
from support.frames import NOMINAL, as_codes, as_objects, as_pandas, as_polars, mixed_columns
from support.oracles import table_distances
from support.strategies import queries, table_cases
from support.unsuitable import NO_DISTANCES

FAMILIES = ["additive", "exponential", "inverse_additive", None]
NEIGHBOURS = [1, 3, None]
METRICS = ["euclidean", "manhattan", "chebyshev"]
Q = queries(3, n=15)


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


def assert_close(memberships, expected, atol=1e-9):
    """Compare lower, upper and degree."""
    for part, wanted in zip(memberships, expected, strict=True):
        np.testing.assert_allclose(part, wanted, rtol=0.0, atol=atol)


def assert_predicts(model, X, degree):
    """The predicted class has the largest degree, but for rounding."""
    column = np.searchsorted(model.classes_, model.predict(X))
    assert (degree[np.arange(len(degree)), column] >= degree.max(axis=1) - 1e-8).all()


@pytest.mark.parametrize("k", NEIGHBOURS)
@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=25)
@given(case=table_cases())
def test_formulas(case, family, k):
    """Two to six classes, ties and duplicates: both approximations and the label are those of the loops."""
    model = FRNNClassifier(n_neighbors=k, owa=family, gamma=case.gamma).fit(case.X, case.y)
    expected = Naive(case.y, family, k, case.gamma).memberships(table_distances(Q, case.X, case.X))
    assert_close(model.memberships(Q), expected)
    assert_predicts(model, Q, expected[2])


@pytest.mark.parametrize("k", NEIGHBOURS)
@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=15)
@given(case=table_cases())
def test_metrics(case, metric, k):
    """Every named metric, with weights of features."""
    weights = [0.5, 2.0]
    model = FRNNClassifier(n_neighbors=k, gamma=case.gamma, metric=metric, feature_weights=weights)
    model.fit(case.X, case.y)
    distances = table_distances(Q, case.X, case.X, metric=metric, feature_weights=weights)
    assert_close(model.memberships(Q), Naive(case.y, k=k, gamma=case.gamma).memberships(distances))


def rms(A, B):
    """Return the Euclidean distance divided by the root of the number of columns."""
    return cdist(A, B) / np.sqrt(A.shape[1])


@pytest.mark.parametrize("k", NEIGHBOURS)
@settings(max_examples=15)
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
@settings(max_examples=15)
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
    assert len(cumulated_weights("exponential", 10**6)) <= 60
    assert len(cumulated_weights("additive", 1000)) == 1001
    assert len(cumulated_weights("additive", 1000, 7)) == 8


# ----------------------------------------------------------------------------------------------------
# What must not matter
# ----------------------------------------------------------------------------------------------------

SETTINGS = [
    {},
    {"n_neighbors": 1},
    {"n_neighbors": 3, "owa": "exponential"},
    {"owa": "inverse_additive", "metric": "chebyshev"},
    {"owa": None, "scale": "robust"},
]


@pytest.mark.parametrize("parameters", SETTINGS)
@settings(max_examples=25)
@given(case=table_cases())
def test_repetition_is_weight(case, parameters):
    """A row of weight 3 is the row three times: the same approximations, labels and ties."""
    times = case.weights.astype(int)
    weighted = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y, sample_weight=case.weights)
    repeated = clone(weighted).fit(np.repeat(case.X, times, axis=0), np.repeat(case.y, times))
    assert_close(weighted.memberships(Q), repeated.memberships(Q), atol=1e-12)
    np.testing.assert_array_equal(weighted.predict(Q), repeated.predict(Q))


@settings(max_examples=25)
@given(table_cases())
def test_repetition_is_weight_in_a_matrix(case):
    """The same where rows are known by their distances only, and equal rows are not seen to be equal."""
    times = case.weights.astype(int)
    X = np.repeat(case.X, times, axis=0)
    model = FRNNClassifier(gamma=case.gamma, n_neighbors=4, metric="precomputed")
    weighted = clone(model).fit(rms(case.X, case.X), case.y, sample_weight=case.weights)
    repeated = clone(model).fit(rms(X, X), np.repeat(case.y, times))
    assert_close(weighted.memberships(rms(Q, case.X)), repeated.memberships(rms(Q, X)))


@pytest.mark.parametrize("parameters", SETTINGS)
@settings(max_examples=25)
@given(case=table_cases())
def test_weight_zero_is_absence(case, parameters):
    """Rows of weight 0, an outlier and a class of its own among them, change nothing."""
    X = np.vstack([case.X, [[1000.0, -1000.0], [1.0, 1.0]]])
    y, weights = np.append(case.y, [0, 99]), np.append(case.weights, [0.0, 0.0])
    plain = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y, sample_weight=case.weights)
    padded = clone(plain).fit(X, y, sample_weight=weights)
    assert_close(padded.memberships(Q), plain.memberships(Q), atol=0.0)
    np.testing.assert_array_equal(padded.predict(Q), plain.predict(Q))


def test_heavy_rows_cost_no_memory():
    """A million repetitions are counted, not made."""
    heavy = FRNNClassifier(n_neighbors=2).fit([[0.0], [1.0]], [0, 1], sample_weight=[10**6, 3 * 10**6])
    np.testing.assert_allclose(heavy.memberships([[0.25]]).upper, [[0.75, 0.25]])


@pytest.mark.parametrize("parameters", SETTINGS)
@settings(max_examples=25)
@given(case=table_cases(), random=st.randoms(use_true_random=False))
def test_order_of_rows(case, random, parameters):
    """Shuffled rows: the same approximations and labels."""
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    plain = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y)
    shuffled = clone(plain).fit(case.X[order], case.y[order])
    assert_close(shuffled.memberships(Q), plain.memberships(Q), atol=0.0)
    np.testing.assert_array_equal(shuffled.predict(Q), plain.predict(Q))


@pytest.mark.parametrize("names", [["f", "e", "d", "c", "b", "a"], ["b", "d", "a", "f", "c", "e"]])
@pytest.mark.parametrize("parameters", SETTINGS)
@settings(max_examples=25)
@given(case=table_cases())
def test_names_of_classes(case, names, parameters):
    """Renamed classes: the same approximations and labels, ties included, if there is anything to tell them by."""
    contents = [sorted(map(tuple, case.X[case.y == k])) for k in np.unique(case.y)]
    assume(all(contents.count(rows) == 1 for rows in contents))
    names = np.array(names)
    plain = FRNNClassifier(gamma=case.gamma, **parameters).fit(case.X, case.y)
    renamed = clone(plain).fit(case.X, names[case.y])
    columns = np.searchsorted(renamed.classes_, names[plain.classes_])
    assert_close([part[:, columns] for part in renamed.memberships(Q)], plain.memberships(Q))
    np.testing.assert_array_equal(renamed.predict(Q), names[plain.predict(Q)])


LETTERS = np.array(["a", "a", "a", "b", "b", "b"])
SIDES = np.array([[0.0], [1.0], [2.0], [8.0], [9.0], [10.0]])


@pytest.mark.parametrize("k", NEIGHBOURS)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("labels", [LETTERS, LETTERS[::-1]], ids=["letters", "swapped"])
def test_a_far_row_goes_to_the_class_on_its_side(labels, family, k):
    """It resembles nothing, so both degrees are 1/2, but one class is nearer."""
    model = FRNNClassifier(owa=family, n_neighbors=k).fit(SIDES, labels)
    far = [[-1000.0], [1000.0]]
    np.testing.assert_array_equal(model.memberships(far).degree, np.full((2, 2), 0.5))
    np.testing.assert_array_equal(model.predict(far), [labels[0], labels[-1]])
    np.testing.assert_array_equal(model.decision_function(far) > 0, labels[[0, -1]] == "b")


def test_the_larger_class_wins_where_distances_cannot_tell():
    """At a place that both classes share."""
    model = FRNNClassifier().fit(np.zeros((3, 1)), ["a", "b", "b"])
    np.testing.assert_array_equal(model.predict([[0.0], [50.0]]), ["b", "b"])


@settings(max_examples=25)
@given(table_cases())
def test_scores_and_probabilities_agree_with_predictions(case):
    """Their argmax is the prediction; probabilities are degrees brought to a sum of 1."""
    model = FRNNClassifier(gamma=case.gamma).fit(case.X, case.y)
    labels, proba, degree = model.predict(Q), model.predict_proba(Q), model.memberships(Q).degree
    np.testing.assert_array_equal(model.classes_[np.argmax(proba, axis=1)], labels)
    np.testing.assert_allclose(proba, degree / degree.sum(axis=1, keepdims=True), atol=1e-9)
    decision = model.decision_function(Q)
    chosen = (decision > 0).astype(int) if len(model.classes_) == 2 else np.argmax(decision, axis=1)
    np.testing.assert_array_equal(model.classes_[chosen], labels)


# ----------------------------------------------------------------------------------------------------
# The contract of scikit-learn
# ----------------------------------------------------------------------------------------------------

CONTRACT = [
    {},
    {"n_neighbors": 1},
    {"n_neighbors": 5, "owa": "exponential", "metric": "manhattan"},
    {"owa": "inverse_additive", "metric": "chebyshev", "n_jobs": 2},
    {"owa": None, "gamma": 3.0, "scale": "robust"},
    {"n_neighbors": 3, "scale": None, "gamma": 0.02},
    {"n_neighbors": 3, "metric": "precomputed"},
]


def expected_failures(estimator):
    """Return the checks that cannot hold for a setting, each with its reason."""
    if estimator.metric != "precomputed":
        return {}
    checks = [
        "check_classifiers_one_label_sample_weights",  # random numbers, not symmetric
        "check_decision_proba_consistency",  # coordinates, not square
    ]
    return dict.fromkeys(checks, NO_DISTANCES)


@parametrize_with_checks([FRNNClassifier(**s) for s in CONTRACT], expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    """Every check of scikit-learn, for each of the settings."""
    check(estimator)


@pytest.fixture(scope="module")
def iris():
    """Return 75 rows of iris."""
    X, y = load_iris(return_X_y=True)
    return X[::2], y[::2]


def test_parameters_are_keyword_only_with_these_defaults():
    """The signature is a promise."""
    assert FRNNClassifier().get_params() == {
        "n_neighbors": None,
        "owa": "additive",
        "gamma": 1.0,
        "metric": "euclidean",
        "scale": "range",
        "categorical_features": "from_dtype",
        "feature_weights": None,
        "n_jobs": None,
    }
    with pytest.raises(TypeError):
        FRNNClassifier(3)


def test_pickle_round_trip(iris):
    """A model from a file predicts what the model in memory predicts."""
    X, y = iris
    model = FRNNClassifier(n_neighbors=3, owa=lambda n: np.ones(n) / n).fit(X, y)
    model.owa = None  # a lambda cannot be pickled, and the fitted model no longer needs it
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_search_over_neighbours_and_weights(iris):
    """Parameters can be searched, and the result is a plain fit with those found."""
    X, y = iris
    search = GridSearchCV(FRNNClassifier(), {"n_neighbors": [1, 5, None], "owa": [None, "additive"]}, cv=3)
    search.fit(X, y)
    direct = FRNNClassifier(**search.best_params_).fit(X, y)
    np.testing.assert_array_equal(search.predict_proba(X), direct.predict_proba(X))
    assert search.best_score_ > 0.9


def test_cross_validation_slices_a_precomputed_matrix(iris):
    """scikit-learn must know that the metric is pairwise, and cut both sides of the matrix."""
    X, y = iris
    folds = StratifiedKFold(3)
    matrix = euclidean_distances(X) / 2.0
    precomputed = cross_validate(FRNNClassifier(metric="precomputed"), matrix, y, cv=folds)["test_score"]
    plain = cross_validate(FRNNClassifier(scale=None), X, y, cv=folds)["test_score"]
    np.testing.assert_allclose(precomputed, plain)


# ----------------------------------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------------------------------

SMALL_X, SMALL_Y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function", "memberships"])
def test_methods_need_a_fitted_model(method):
    """Before fit, and after a fit that failed, every method says that fit is missing."""
    with pytest.raises(NotFittedError):
        getattr(FRNNClassifier(), method)([[0.0]])
    failed = FRNNClassifier(owa="nonsense")
    with pytest.raises(ValueError, match="owa"):
        failed.fit(SMALL_X, SMALL_Y)
    with pytest.raises(NotFittedError):
        getattr(failed, method)([[0.0]])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_neighbors": 0}, "n_neighbors=0"),
        ({"n_neighbors": 2.0}, "n_neighbors=2.0"),
        ({"n_neighbors": True}, "n_neighbors=True"),
        ({"n_neighbors": "all"}, "n_neighbors='all'.*None"),
        ({"owa": "nonsense"}, "owa='nonsense'.*additive.*exponential.*inverse_additive"),
        ({"owa": 3}, "owa"),
        ({"owa": []}, "owa"),
        ({"owa": [0.7, 0.7]}, "owa.*sum to 1"),
        ({"owa": [1.5, -0.5]}, "owa.*>= 0"),
        ({"owa": [0.5, 0.5], "n_neighbors": 3}, "owa holds 2 weights.*n_neighbors=3"),
        ({"owa": lambda n: [1.0] * (n + 1)}, "owa.*weights"),
        ({"gamma": 0}, "gamma=0"),
        ({"gamma": "1"}, "gamma='1'"),
        ({"metric": "nonsense"}, "metric='nonsense'.*euclidean"),
        ({"scale": "nonsense"}, "scale='nonsense'.*range"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"feature_weights": [1.0, 2.0]}, "feature_weights"),
        ({"metric": "precomputed", "feature_weights": [1.0]}, "feature_weights.*precomputed"),
        ({"categorical_features": "nonsense"}, "categorical_features"),
    ],
)
def test_wrong_parameters(parameters, words):
    """The message names the parameter and what came."""
    model = FRNNClassifier(**parameters)
    with pytest.raises((ValueError, TypeError), match=words):
        model.fit(SMALL_X, SMALL_Y)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, 0.5, 1.0, 1.0], "sample_weight holds 0.5.*whole numbers"),
        ([1.0, -1.0, 1.0, 1.0], "negative"),
        ([0.0, 0.0, 0.0, 0.0], "zero for every row"),
        ([1.0, 1.0], "sample_weight"),
        ([1e15, 1.0, 1.0, 1.0], "sample_weight repeats rows"),
    ],
)
def test_weights_that_make_no_sense(weights, words):
    """A weight is a number of repetitions."""
    with pytest.raises(ValueError, match=words):
        FRNNClassifier().fit(SMALL_X, SMALL_Y, sample_weight=weights)


def test_missing_values_are_refused_by_column():
    """The message names the column."""
    with pytest.raises(ValueError, match=r"missing values in columns \['1'\]"):
        FRNNClassifier().fit([[0.0, 1.0], [1.0, np.nan]], [0, 1])
