"""Distances the user brings: a matrix, a function, an object."""

import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.distance import cdist
from sklearn.metrics import DistanceMetric

from fgac import FGAClassifier
from support.oracles import NaiveModel
from support.strategies import queries, table_cases

Q = queries(8, n=30)


def rms(A, B):
    """Return the Euclidean distance divided by sqrt|Q|, as the library has it without scaling."""
    return cdist(A, B) / np.sqrt(A.shape[1])


def assert_same_model(model, other, Q_model, Q_other):
    """Compare memberships of training rows and queries."""
    np.testing.assert_allclose(model.beta_, other.beta_, atol=1e-8)
    for part, other_part in zip(model.memberships(Q_model), other.memberships(Q_other), strict=True):
        np.testing.assert_allclose(part, other_part, atol=1e-8)


@given(table_cases())
def test_a_matrix_of_distances(case):
    """metric="precomputed" with the user's own Euclidean distances is metric="euclidean"."""
    built_in = FGAClassifier(gamma=case.gamma, scale=None).fit(case.X, case.y, sample_weight=case.weights)
    precomputed = FGAClassifier(gamma=case.gamma, metric="precomputed")
    precomputed.fit(rms(case.X, case.X), case.y, sample_weight=case.weights)
    assert_same_model(precomputed, built_in, rms(Q, case.X), Q)
    settled = NaiveModel(built_in.beta_, case.y, rms(case.X, case.X), case.gamma).acceptable(rms(Q, case.X))
    settled = settled.sum(axis=1) == 1  # a perfect tie may be broken by coordinates, which a matrix does not have
    np.testing.assert_array_equal(precomputed.predict(rms(Q, case.X))[settled], built_in.predict(Q)[settled])
    assert precomputed.n_features_in_ == len(case.y)


@given(table_cases())
def test_a_matrix_with_rows_of_weight_zero(case):
    """Absent rows are absent in a matrix too; their columns are still expected in predict."""
    weights = np.append(case.weights, 0.0)
    X, y = np.vstack([case.X, [[9.0, 9.0]]]), np.append(case.y, 0)
    plain = FGAClassifier(gamma=case.gamma, scale=None).fit(case.X, case.y, sample_weight=case.weights)
    padded = FGAClassifier(gamma=case.gamma, metric="precomputed").fit(rms(X, X), y, sample_weight=weights)
    np.testing.assert_allclose(padded.beta_[:-1], plain.beta_, atol=1e-8)
    np.testing.assert_allclose(padded.memberships(rms(Q, X)).degree, plain.memberships(Q).degree, atol=1e-8)


def test_arguments_of_a_matrix():
    """Arguments point at the rows of the matrix."""
    X, y = np.array([[0.0], [1.0], [9.0], [10.0]]), np.array(["a", "a", "b", "b"])
    model = FGAClassifier(gamma=0.12, metric="precomputed").fit(rms(X, X), y)
    arguments = model.arguments(rms(np.array([[1.5]]), X), n_arguments=2)
    np.testing.assert_array_equal(arguments.arguments_for.indices[0, 0], [1, 0])
    np.testing.assert_array_equal(arguments.arguments_against.indices[0, 0], [2, 3])


def damaged(change):
    """Return a good 4 x 4 matrix after ``change``."""
    matrix = cdist(np.arange(4.0)[:, None], np.arange(4.0)[:, None])
    return change(matrix)


def put(i, j, value):
    """Return a change of one entry."""

    def change(matrix):
        matrix[i, j] = value
        return matrix

    return change


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda matrix: matrix[:, :3], "(?i)square"),
        (lambda matrix: -matrix, "(?i)negative|>= 0"),
        (put(0, 1, 5.0), "(?i)symmetric"),
        (put(0, 1, np.nan), "(?i)nan"),
        (put(0, 1, np.inf), "(?i)inf"),
    ],
    ids=["not square", "negative", "asymmetric", "nan", "infinite"],
)
def test_matrices_that_are_no_distances(change, word):
    """The error says what is wrong with the matrix."""
    with pytest.raises(ValueError, match=word):
        FGAClassifier(metric="precomputed").fit(damaged(change), [0, 1, 0, 1])


def test_negative_distances_to_new_rows():
    """A negative distance is refused in predict as in fit."""
    model = FGAClassifier(metric="precomputed").fit(damaged(lambda matrix: matrix), [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"(?i)negative|>= 0"):
        model.predict([[-1.0, 1.0, 1.0, 1.0]])


@pytest.mark.parametrize("metric", [rms, lambda A, B: np.abs(A[:, None, :] - B[None, :, :]).max(axis=2)])
@given(case=table_cases())
def test_a_function_of_blocks(case, metric):
    """A callable gives the same model as its own matrix of distances."""
    model = FGAClassifier(gamma=case.gamma, metric=metric, scale=None).fit(case.X, case.y)
    matrix = FGAClassifier(gamma=case.gamma, metric="precomputed").fit(metric(case.X, case.X), case.y)
    assert_same_model(model, matrix, Q, metric(Q, case.X))


@given(table_cases())
def test_a_function_like_a_built_in(case):
    """The callable Euclidean / sqrt|Q| is metric="euclidean"."""
    own = FGAClassifier(gamma=case.gamma, metric=rms, scale=None).fit(case.X, case.y)
    built_in = FGAClassifier(gamma=case.gamma, scale=None).fit(case.X, case.y)
    assert_same_model(own, built_in, Q, Q)


@given(table_cases())
def test_a_distance_metric_of_scikit_learn(case):
    """DistanceMetric objects are used as they are: Chebyshev is the built-in one."""
    metric = DistanceMetric.get_metric("chebyshev")
    own = FGAClassifier(gamma=case.gamma, metric=metric, scale=None).fit(case.X, case.y)
    built_in = FGAClassifier(gamma=case.gamma, metric="chebyshev", scale=None).fit(case.X, case.y)
    assert_same_model(own, built_in, Q, Q)


@pytest.mark.parametrize("scale", ["range", "robust"])
@given(case=table_cases())
def test_own_metrics_see_scaled_and_weighted_columns(case, scale):
    """Scales and feature weights come before the metric, the user's as well as a built-in one."""
    parameters = {"gamma": case.gamma, "scale": scale, "feature_weights": [2.0, 0.5]}
    own = FGAClassifier(metric=DistanceMetric.get_metric("chebyshev"), **parameters).fit(case.X, case.y)
    built_in = FGAClassifier(metric="chebyshev", **parameters).fit(case.X, case.y)
    assert_same_model(own, built_in, Q, Q)


@pytest.mark.parametrize(
    "metric",
    [
        lambda A, B: cdist(A, B)[:, :-1],
        lambda A, B: cdist(A, B).ravel(),
        lambda A, B: 1.0,
        lambda A, B: cdist(A, B)[:-1],
    ],
    ids=["column short", "flat", "one number", "row short"],
)
def test_a_function_of_the_wrong_shape(metric):
    """The error tells the shape that came and the shape expected."""
    with pytest.raises(ValueError, match=r"(?i)shape"):
        FGAClassifier(metric=metric).fit([[0.0], [1.0], [2.0]], [0, 1, 0])


@pytest.mark.parametrize("value", [np.nan, -1.0], ids=["nan", "negative"])
def test_a_function_that_gives_no_distances(value):
    """Numbers that are no distances are refused rather than solved."""
    with pytest.raises(ValueError, match=r"(?i)nan|negative|finite"):
        FGAClassifier(metric=lambda A, B: np.full((len(A), len(B)), value)).fit([[0.0], [1.0]], [0, 1])
