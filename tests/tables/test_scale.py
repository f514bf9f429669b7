"""Scales and feature weights, against formulas written out column by column."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from fgac import FGAClassifier
from support.oracles import NaiveModel, beta_oracle, table_distances
from support.strategies import table_cases

METRICS = ["euclidean", "manhattan", "chebyshev"]
SCALES = ["range", "robust", None]


def skewed_table(n=60, seed=0):
    """Return columns of very different size, one with outliers, and two class labels."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n), rng.exponential(50.0, n), rng.integers(0, 5, n)])
    X[:2, 0] = [40.0, -30.0]
    return X, (X[:, 2] + rng.normal(size=n) > 2).astype(int)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", SCALES)
def test_scales_in_training_and_prediction(metric, scale):
    """Columns are divided by their range, their 1st-99th percentile range, or nothing, decided in fit."""
    X, y = skewed_table()
    gamma = 0.05 if scale is None else 1.5
    model = FGAClassifier(gamma=gamma, metric=metric, scale=scale).fit(X, y)
    distances = table_distances(X, X, X, metric=metric, scale=scale)
    np.testing.assert_allclose(model.beta_, beta_oracle(distances, y, gamma), atol=1e-7)
    Q, _ = skewed_table(n=20, seed=1)
    naive = NaiveModel(model.beta_, y, distances, gamma)
    to_training = table_distances(Q, X, X, metric=metric, scale=scale)
    np.testing.assert_allclose(model.memberships(Q).degree, naive.degree(to_training), atol=1e-9)


def test_the_three_scales_differ():
    """The table above tells the scales apart, so the tests above can fail."""
    X, y = skewed_table(150)
    by_range, robust, plain = (FGAClassifier(gamma=1.5, scale=scale).fit(X, y).beta_ for scale in SCALES)
    assert np.abs(by_range - robust).max() > 0.01
    assert np.abs(by_range - plain).max() > 0.01


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("scale", SCALES)
def test_feature_weights_multiply_differences(metric, scale):
    """Weights 2, 0.5 and 0 act on the scaled differences; |Q| stays the number of columns."""
    X, y = skewed_table()
    weights = [2.0, 0.5, 0.0]
    gamma = 0.05 if scale is None else 1.5
    model = FGAClassifier(gamma=gamma, metric=metric, scale=scale, feature_weights=weights).fit(X, y)
    distances = table_distances(X, X, X, metric=metric, scale=scale, feature_weights=weights)
    np.testing.assert_allclose(model.beta_, beta_oracle(distances, y, gamma), atol=1e-7)


@pytest.mark.parametrize("metric", METRICS)
def test_feature_weights_on_nominal_columns(metric):
    """A nominal mismatch counts as 1 times the column's weight."""
    table = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [1.0, 7.0]])
    y = np.array([0, 1, 0, 1, 0])
    model = FGAClassifier(metric=metric, categorical_features=[1], feature_weights=[1.0, 0.3]).fit(table, y)
    distances = table_distances(table, table, table, nominal=(1,), metric=metric, feature_weights=[1.0, 0.3])
    np.testing.assert_allclose(model.beta_, beta_oracle(distances, y, 1.0), atol=1e-7)


@given(table_cases())
def test_equal_feature_weights_are_a_steeper_gamma(case):
    """Weight 2 on every column with gamma is weight 1 with 2 gamma."""
    weighted = FGAClassifier(gamma=case.gamma, feature_weights=[2.0, 2.0]).fit(case.X, case.y)
    steeper = FGAClassifier(gamma=2.0 * case.gamma).fit(case.X, case.y)
    np.testing.assert_allclose(weighted.beta_, steeper.beta_, atol=1e-9)


@pytest.mark.parametrize(
    "wrap", [dict, pd.Series, lambda weights: pd.Series(weights)[::-1]], ids=["dict", "Series", "turned"]
)
def test_feature_weights_by_name(wrap):
    """Names decide, not positions; what is not named weighs 1."""
    X, y = skewed_table()
    frame = pd.DataFrame(X, columns=["b", "a", "c"])
    expected = FGAClassifier(gamma=2.0, feature_weights=[1.0, 3.0, 0.5]).fit(frame, y).beta_
    named = wrap({"a": 3.0, "c": 0.5})
    np.testing.assert_array_equal(FGAClassifier(gamma=2.0, feature_weights=named).fit(frame, y).beta_, expected)
    with pytest.raises(ValueError, match=r"feature_weights names \['d'\]"):
        FGAClassifier(feature_weights=wrap({"d": 1.0})).fit(frame, y)


def test_a_series_of_positions_is_a_list():
    X, y = skewed_table()
    frame = pd.DataFrame(X, columns=["b", "a", "c"])
    expected = FGAClassifier(feature_weights=[1.0, 3.0, 0.5]).fit(frame, y).beta_
    named = FGAClassifier(feature_weights=pd.Series([1.0, 3.0, 0.5])).fit(frame, y).beta_
    np.testing.assert_array_equal(named, expected)


@pytest.mark.parametrize(
    "weights",
    [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0], [1.0, -1.0, 1.0], [1.0, np.nan, 1.0], "heavy", [["a", "b", "c"]]],
    ids=["too few", "too many", "negative", "nan", "text", "table of text"],
)
def test_feature_weights_that_make_no_sense(weights):
    """One number, not negative, per column; the error names the parameter."""
    X, y = skewed_table()
    with pytest.raises((ValueError, TypeError), match="feature_weights"):
        FGAClassifier(feature_weights=weights).fit(X, y)


@pytest.mark.parametrize("scale", SCALES)
def test_a_constant_column_does_not_divide_by_zero(scale):
    """Constant in fit, different in predict: finite memberships, no warning."""
    X, y = skewed_table()
    X = np.column_stack([X, np.full(len(X), 3.0)])
    model = FGAClassifier(scale=scale).fit(X, y)
    X[:, 3] = 4.0
    for part in model.memberships(X):
        assert np.isfinite(part).all()


def test_robust_with_one_rare_value():
    """A column whose 1st and 99th percentiles coincide still works, in fit and in predict."""
    X = np.zeros((300, 2))
    X[:, 0] = np.arange(300)
    X[0, 1] = 1.0
    model = FGAClassifier(scale="robust").fit(X, np.arange(300) % 2)
    assert np.isfinite(model.beta_).all()
    assert np.isfinite(model.predict_proba(X)).all()
