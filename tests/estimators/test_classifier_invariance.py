"""What must not matter: order of rows, names of classes, number of threads, how weight is written."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fgac import FGAClassifier
from support.oracles import NaiveModel, table_distances
from support.strategies import queries, table_cases

Q = queries(6, n=30)


def fit(case, X=None, y=None, weights=None, **parameters):
    """Fit the case, or a variant of it."""
    X = case.X if X is None else X
    y = case.y if y is None else y
    return FGAClassifier(gamma=case.gamma, **parameters).fit(X, y, sample_weight=weights)


def without_perfect_ties(model, case):
    """Mark the queries whose label is settled by degrees and distances, without a last resort."""
    present = ~np.isnan(model.beta_)
    X, y = case.X[present], case.y[present]
    naive = NaiveModel(model.beta_[present], y, table_distances(X, X, X), case.gamma)
    return naive.acceptable(table_distances(Q, X, X)).sum(axis=1) == 1


@given(table_cases(), st.randoms(use_true_random=False))
def test_order_of_rows(case, random):
    """Shuffled rows keep their memberships, queries their labels (but for perfect symmetry)."""
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    plain = fit(case, weights=case.weights)
    shuffled = fit(case, case.X[order], case.y[order], case.weights[order])
    np.testing.assert_allclose(shuffled.beta_, plain.beta_[order], atol=1e-9)
    np.testing.assert_allclose(shuffled.memberships(Q).degree, plain.memberships(Q).degree, atol=1e-9)
    clear = without_perfect_ties(plain, case)
    np.testing.assert_array_equal(shuffled.predict(Q)[clear], plain.predict(Q)[clear])


def contents(case, k):
    """Return the places of class ``k`` with the weight at each."""
    weights = Counter()
    for row, weight in zip(case.X[case.y == k], case.weights[case.y == k], strict=True):
        weights[tuple(row)] += weight
    return frozenset(weights.items())


def classes_differ(case):
    """Tell whether no two classes consist of the same rows with the same weights."""
    classes = np.unique(case.y)
    return len({contents(case, k) for k in classes}) == len(classes)


@pytest.mark.parametrize("names", [["f", "e", "d", "c", "b", "a"], ["b", "d", "a", "f", "c", "e"]])
@given(case=table_cases())
def test_names_of_classes(case, names):
    """Renamed classes: the same memberships and labels, ties included, if there is anything to tell by."""
    assume(classes_differ(case))
    names = np.array(names)
    plain, renamed = fit(case, weights=case.weights), fit(case, y=names[case.y], weights=case.weights)
    np.testing.assert_allclose(renamed.beta_, plain.beta_, atol=1e-9)
    np.testing.assert_array_equal(renamed.predict(Q), names[plain.predict(Q)])
    columns = np.searchsorted(renamed.classes_, names[plain.classes_])
    np.testing.assert_allclose(renamed.memberships(Q).degree[:, columns], plain.memberships(Q).degree, atol=1e-9)


@pytest.mark.parametrize("scale", ["range", "robust", None])
@given(case=table_cases())
def test_repetition_is_weight(case, scale):
    """Repeating a row three times is giving it weight 3."""
    times = case.weights.astype(int)
    repeated = fit(case, np.repeat(case.X, times, axis=0), np.repeat(case.y, times), scale=scale)
    weighted = fit(case, weights=case.weights, scale=scale)
    np.testing.assert_allclose(repeated.beta_, np.repeat(weighted.beta_, times), atol=1e-9)
    np.testing.assert_allclose(repeated.memberships(Q).degree, weighted.memberships(Q).degree, atol=1e-9)
    np.testing.assert_array_equal(repeated.predict(Q), weighted.predict(Q))


@pytest.mark.parametrize("scale", ["range", "robust", None])
@given(case=table_cases())
def test_weight_zero_is_absence(case, scale):
    """Rows of weight 0, an outlier among them, change nothing; their own beta is nan."""
    X = np.vstack([case.X, [[1000.0, -1000.0], [1.0, 1.0]]])
    y = np.append(case.y, [0, 1])
    weights = np.append(case.weights, [0.0, 0.0])
    plain, padded = fit(case, weights=case.weights, scale=scale), fit(case, X, y, weights, scale=scale)
    np.testing.assert_allclose(padded.beta_[:-2], plain.beta_, atol=1e-9)
    assert np.isnan(padded.beta_[-2:]).all()
    np.testing.assert_allclose(padded.memberships(Q).degree, plain.memberships(Q).degree, atol=1e-9)
    np.testing.assert_array_equal(padded.predict(Q), plain.predict(Q))


@given(table_cases(), st.sampled_from([1e-3, 0.5, 1e3]))
def test_only_ratios_of_weights_count(case, factor):
    """All weights times one number change nothing."""
    plain, scaled = fit(case, weights=case.weights), fit(case, weights=factor * case.weights)
    np.testing.assert_allclose(scaled.beta_, plain.beta_, atol=1e-9)


@given(table_cases())
def test_no_weights_are_equal_weights(case):
    """Leaving sample_weight out is giving every row the weight 1."""
    np.testing.assert_array_equal(fit(case).beta_, fit(case, weights=np.ones(len(case.y))).beta_)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@given(case=table_cases())
def test_number_of_threads(case, metric):
    """Two threads give what one gives."""
    one, two = (fit(case, metric=metric, n_jobs=n_jobs) for n_jobs in (1, 2))
    np.testing.assert_allclose(one.beta_, two.beta_, atol=1e-9)
    np.testing.assert_array_equal(one.predict(Q), two.predict(Q))


def test_number_of_threads_on_many_rows():
    """The same where the work is really shared out: 800 rows, 1000 queries."""
    rng = np.random.default_rng(0)
    X, y, many = rng.normal(size=(800, 5)), rng.integers(0, 3, 800), rng.normal(size=(1000, 5))
    one, two = (FGAClassifier(n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    np.testing.assert_allclose(one.beta_, two.beta_, atol=1e-9)
    np.testing.assert_array_equal(one.predict(many), two.predict(many))


@given(table_cases(), st.randoms(use_true_random=False))
def test_order_of_columns(case, random):
    """The columns' order changes no distance."""
    plain, swapped = fit(case), fit(case, X=case.X[:, ::-1])
    np.testing.assert_allclose(swapped.beta_, plain.beta_, atol=1e-9)


@given(table_cases(), st.sampled_from([0.01, 3.0, 1e4]), st.sampled_from([-7.0, 0.0, 1e3]))
def test_units_of_columns(case, factor, offset):
    """With scale="range" a column may be written in any unit and from any zero."""
    plain, converted = fit(case), fit(case, X=factor * case.X + offset)
    np.testing.assert_allclose(converted.beta_, plain.beta_, atol=1e-7)
