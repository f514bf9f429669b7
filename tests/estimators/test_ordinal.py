"""Ordered classes: nested boundaries, monotone predictions, the order of the classes."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from sklearn.metrics.pairwise import euclidean_distances

from fgac import FGAClassifier, FGAOrdinalClassifier, audit
from support.directed import directed_distances, extensions, monotone_cases, monotone_oracle, raised_queries
from support.property_tests import examples

LEVELS = ["poor", "fair", "good", "excellent"]


def credit(n=120, seed=0):
    """Return rows of which the first column raises the class and the second lowers it, and four classes as numbers."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    score = X[:, 0] - X[:, 1] + 0.2 * rng.standard_normal(n)
    return X, np.digitize(score, [-0.3, 0.1, 0.4])


def ordinal(**options):
    """Return a monotone classifier of these rows."""
    return FGAOrdinalClassifier(**{"gamma": 3.0, "monotonic_cst": [1, -1, 0], **options})


@given(monotone_cases(), raised_queries())
@examples(80)
def test_more_of_an_increasing_column_never_lowers_the_class(case, queries):
    """Neither the class nor any degree or bound of "at least" falls, also where sides tie."""
    clf = FGAOrdinalClassifier(**case.settings).fit(case.X, case.y, sample_weight=case.weights)
    low, high = queries
    assert (clf.predict(high) >= clf.predict(low)).all()
    for before, after in zip(clf.at_least(low), clf.at_least(high), strict=True):
        assert (after >= before - 1e-12).all()


@given(monotone_cases(), raised_queries())
@examples(50)
def test_boundaries_are_nested(case, queries):
    """What every boundary says by itself never rises from one to the next: labels, bounds and degrees."""
    clf = FGAOrdinalClassifier(**case.settings).fit(case.X, case.y, sample_weight=case.weights)
    for part in ("lower", "upper", "degree"):
        said = np.array([getattr(b.memberships(queries[0]), part)[:, 1] for b in clf.boundaries_])
        assert (np.diff(said, axis=0) <= 1e-9).all()
    above = np.array([b.predict(queries[0]) == b.classes_[1] for b in clf.boundaries_])
    assert (np.diff(above.astype(int), axis=0) <= 0).all()
    np.testing.assert_array_equal(clf.predict(queries[0]), clf.class_order_[above.sum(axis=0)])


@given(monotone_cases(), raised_queries())
@examples(25)
def test_every_boundary_is_solved_exactly(case, queries):
    """A general solver given all directed pairs of the upward union finds the same degrees."""
    options = case.settings | {"loss": "squared_error"}
    clf = FGAOrdinalClassifier(**options).fit(case.X, case.y, sample_weight=case.weights)
    gamma, metric = options["gamma"], options["metric"]
    between = directed_distances(case.X, case.X, case.X, metric)
    there = directed_distances(queries[0], case.X, case.X, metric)
    back = directed_distances(case.X, queries[0], case.X, metric)
    own = np.ones(len(case.y))
    found = clf.at_least(queries[0])
    for c in range(1, len(clf.classes_)):
        values = monotone_oracle(between, (case.y >= c).astype(float), gamma, case.weights)
        own = np.minimum(own, np.where(case.y >= c, values, 1.0 - values))
        lower, upper = extensions(values, there, back, gamma)
        np.testing.assert_allclose(found.lower[:, c - 1], lower, atol=1e-6)
        np.testing.assert_allclose(found.upper[:, c - 1], upper, atol=1e-6)
    np.testing.assert_allclose(clf.beta_, own, atol=1e-6)
    assert clf.is_optimal()
    assert len(clf.solutions_) == len(clf.classes_) - 1


@pytest.mark.parametrize("options", [{}, {"monotonic_cst": None}, {"loss": "absolute_error", "metric": "chebyshev"}])
def test_probabilities_are_falls_whose_median_is_the_prediction(options):
    """They are >= 0, sum to 1, add up to the degrees, and pass one half in the predicted class."""
    X, y = credit()
    clf = ordinal(**options).fit(X, y)
    queries = np.random.default_rng(1).uniform(-0.5, 1.5, (200, 3))
    shares, degree = clf.predict_proba(queries), clf.at_least(queries).degree
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(1.0 - np.cumsum(shares, axis=1)[:, :-1], degree, atol=1e-12)
    clear = (np.abs(degree - 0.5) > 1e-9).all(axis=1)
    median = (np.cumsum(shares, axis=1) < 0.5).sum(axis=1)
    assert clear.sum() > 50
    np.testing.assert_array_equal(clf.predict(queries)[clear], median[clear])


def test_the_prediction_need_not_be_the_most_probable_class():
    """A median between two outer classes: reported as it is."""
    far = FGAOrdinalClassifier(gamma=0.5).fit([[0.0], [0.0], [0.5], [1.0], [1.0]], [0, 0, 1, 2, 2])
    shares = far.predict_proba([[0.5]])[0]
    assert far.predict([[0.5]]) == 1
    assert shares[1] < max(shares[0], shares[2])


def test_scores_and_memberships_agree_with_the_prediction():
    """A row is of a class if it is at least of it and not of the next: the smaller degree, largest where predicted."""
    X, y = credit()
    clf = ordinal(gamma=20.0).fit(X, y)
    queries = np.random.default_rng(1).uniform(-0.5, 1.5, (300, 3))
    codes = clf.predict(queries)
    np.testing.assert_array_equal(np.argmax(clf.decision_function(queries), axis=1), codes)
    found, at_least = clf.memberships(queries), clf.at_least(queries)
    np.testing.assert_array_equal(found.degree[:, 0], 1.0 - at_least.degree[:, 0])
    np.testing.assert_array_equal(found.degree[:, 3], at_least.degree[:, 2])
    inner = np.minimum(at_least.lower[:, 0], 1.0 - at_least.upper[:, 1])
    np.testing.assert_array_equal(found.lower[:, 1], inner)
    assert (found.lower <= found.degree).all()
    assert (found.degree <= found.upper).all()
    np.testing.assert_allclose(clf.beta_, np.take_along_axis(clf.memberships(X).degree, y[:, None], 1)[:, 0])


def test_two_classes_are_the_binary_classifier():
    """The same memberships, degrees, labels and decisions."""
    X, y = credit()
    one = ordinal(class_weight="balanced").fit(X, y > 1)
    other = FGAClassifier(gamma=3.0, monotonic_cst=[1, -1, 0], class_weight="balanced").fit(X, y > 1)
    np.testing.assert_allclose(one.beta_, other.beta_, atol=1e-12)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-9)
    np.testing.assert_allclose(one.decision_function(X), other.decision_function(X), atol=1e-9)


def test_weights_of_classes_are_counted_over_all_classes():
    """Balanced is what weighting the rows by the sizes of the four classes gives."""
    X, y = credit()
    balanced = ordinal(class_weight="balanced").fit(X, y)
    weighted = ordinal().fit(X, y, sample_weight=len(y) / (4.0 * np.bincount(y)[y]))
    np.testing.assert_allclose(balanced.beta_, weighted.beta_, atol=1e-10)
    named = ordinal(class_weight={0: 3.0}).fit(X, y)
    tripled = ordinal().fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
    np.testing.assert_allclose(named.beta_, tripled.beta_, atol=1e-10)


def test_names_of_classes_do_not_matter():
    """Given their order, texts in whatever alphabetical order are what numbers are."""
    X, y = credit()
    numbers = ordinal().fit(X, y)
    texts = ordinal(class_order=LEVELS).fit(X, np.array(LEVELS)[y])
    assert texts.class_order_.tolist() == LEVELS
    assert texts.classes_.tolist() == sorted(LEVELS)
    np.testing.assert_array_equal(texts.beta_, numbers.beta_)
    columns = np.argsort(LEVELS)
    np.testing.assert_array_equal(texts.predict_proba(X), numbers.predict_proba(X)[:, columns])
    np.testing.assert_array_equal(texts.predict(X), np.array(LEVELS)[numbers.predict(X)])


def test_order_and_directions_turned_around_change_nothing():
    """What raises the class lowers it if the classes are told the other way round."""
    X, y = credit()
    one = ordinal().fit(X, y)
    other = ordinal(class_order=[3, 2, 1, 0], monotonic_cst=[-1, 1, 0]).fit(X, y)
    np.testing.assert_allclose(one.beta_, other.beta_, atol=1e-12)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_the_order_of_a_type_is_taken():
    """Ordered categoricals of pandas and Enums of polars know their order; a given order goes before."""
    X, y = credit()
    labels = np.array(LEVELS)[y]
    expected = ordinal(class_order=LEVELS).fit(X, labels)
    ordered = pd.Series(pd.Categorical(labels, categories=LEVELS, ordered=True))
    for typed in (ordered, ordered.array, pl.Series(labels, dtype=pl.Enum(LEVELS))):
        clf = ordinal().fit(X, typed)
        assert clf.class_order_.tolist() == LEVELS
        np.testing.assert_array_equal(clf.beta_, expected.beta_)
    unordered = pd.Series(pd.Categorical(labels, categories=LEVELS))
    assert ordinal().fit(X, unordered).class_order_.tolist() == sorted(LEVELS)
    assert ordinal(class_order=LEVELS[::-1]).fit(X, ordered).class_order_.tolist() == LEVELS[::-1]


def test_classes_that_do_not_occur_are_left_out():
    """Also those that occur with weight 0 only."""
    X, y = credit()
    labels = np.array(LEVELS)[y]
    clf = ordinal(class_order=["abysmal", *LEVELS]).fit(X, labels, sample_weight=(y != 2).astype(float))
    assert clf.class_order_.tolist() == ["poor", "fair", "excellent"]
    assert clf.predict_proba(X).shape == (len(y), 3)
    assert [b.classes_.tolist() for b in clf.boundaries_] == [
        ["poor", "fair or above"],
        ["below excellent", "excellent"],
    ]


def test_a_wrong_order_is_refused():
    """Errors name the class that is missing, repeated, or say what an order is."""
    X, y = credit()
    labels = np.array(LEVELS)[y]
    with pytest.raises(ValueError, match=r"\['excellent'\], which class_order=.* does not name"):
        ordinal(class_order=LEVELS[:3]).fit(X, labels)
    with pytest.raises(ValueError, match="names 'good' more than once"):
        ordinal(class_order=[*LEVELS, "good"]).fit(X, labels)
    with pytest.raises(ValueError, match="must be a list of classes"):
        ordinal(class_order="poor").fit(X, labels)
    with pytest.raises(ValueError, match="needs a metric that looks at single columns"):
        ordinal(metric="precomputed").fit(euclidean_distances(X), y)


def test_neither_the_order_of_rows_nor_threads_matter():
    """Rows in another order, two threads: the same memberships."""
    X, y = credit()
    order = np.random.default_rng(3).permutation(len(y))
    one, other = ordinal().fit(X, y), ordinal(n_jobs=2).fit(X[order], y[order])
    np.testing.assert_array_equal(one.beta_[order], other.beta_)
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


def test_a_weight_counts_rows():
    """A row of weight 2 stands there twice, one of weight 0 is absent."""
    X, y = credit(80)
    times = np.random.default_rng(4).integers(0, 3, len(y))
    weighted = ordinal(class_weight="balanced").fit(X, y, sample_weight=times)
    repeated = ordinal(class_weight="balanced").fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    assert np.isnan(weighted.beta_[times == 0]).all()
    np.testing.assert_allclose(np.repeat(weighted.beta_, times), repeated.beta_, atol=1e-10)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-10)


def test_frames_names_and_nominal_columns():
    """pandas and polars, columns by name, one of them nominal."""
    X, y = credit()
    columns = {"income": X[:, 0], "debt": X[:, 1], "region": np.where(X[:, 2] > 0.5, "north", "south")}
    options = {"gamma": 3.0, "monotonic_cst": {"debt": -1, "income": 1}}
    one = FGAOrdinalClassifier(**options).fit(pd.DataFrame(columns), y)
    other = FGAOrdinalClassifier(**options).fit(pl.DataFrame(columns), y)
    np.testing.assert_array_equal(one.beta_, other.beta_)
    np.testing.assert_array_equal(one.predict(pd.DataFrame(columns)), other.predict(pl.DataFrame(columns)))
    assert one.boundaries_[0].feature_names_in_.tolist() == list(columns)


def test_distances_will_do_without_directions():
    """Similarity alone works with distances that the caller has."""
    X, y = credit()
    distances = euclidean_distances(X)
    clf = FGAOrdinalClassifier(gamma=2.0, metric="precomputed").fit(distances, y)
    same = FGAOrdinalClassifier(gamma=2.0, metric=euclidean_distances, scale=None).fit(X, y)
    np.testing.assert_allclose(clf.beta_, same.beta_, atol=1e-9)
    np.testing.assert_array_equal(clf.predict(distances), same.predict(X))


def test_boundaries_are_classifiers():
    """Each can be audited and asked by itself."""
    X, y = credit()
    clf = ordinal().fit(X, y)
    boundary = clf.boundaries_[1]
    assert boundary.classes_.tolist() == ["below 2", "2 or above"]
    assert isinstance(boundary, FGAClassifier)
    assert boundary.solution_.is_optimal()
    assert audit(boundary)[0].label in boundary.classes_
    np.testing.assert_array_equal(boundary.memberships(X).degree[:, 1], clf.at_least(X).degree[:, 1])


def test_batches_and_pickles():
    """Batches give what the whole table gives, and the fitted model survives."""
    X, y = credit()
    clf = pickle.loads(pickle.dumps(ordinal(class_order=LEVELS).fit(X, np.array(LEVELS)[y])))
    parts = list(clf.predict_batches([X[:50], X[50:]], method="predict_proba"))
    np.testing.assert_allclose(np.concatenate(parts), clf.predict_proba(X))


def test_one_class_is_always_predicted():
    """There is no boundary then."""
    clf = FGAOrdinalClassifier().fit([[0.0], [1.0]], ["only", "only"])
    assert clf.boundaries_ == ()
    assert clf.is_optimal()
    assert clf.predict([[5.0]]).tolist() == ["only"]
    assert clf.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert clf.beta_.tolist() == [1.0, 1.0]
