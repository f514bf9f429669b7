"""Class weights are row weights, and row weights are repetitions."""

import numpy as np
import pytest
from hypothesis import given

from fgac import FGAClassifier
from support.strategies import queries, table_cases

Q = queries(7, n=30)


def repeated_to_balance(case):
    """Repeat the rows of each class until all classes have the same number of rows."""
    counts = np.bincount(case.y)
    times = (np.lcm.reduce(counts) // counts)[case.y]
    return np.repeat(case.X, times, axis=0), np.repeat(case.y, times), times


@given(table_cases(max_rows=12))
def test_balanced_is_repeating_rows(case):
    """class_weight="balanced" gives the memberships and labels of a table balanced by repetition."""
    X, y, times = repeated_to_balance(case)
    balanced = FGAClassifier(gamma=case.gamma, class_weight="balanced").fit(case.X, case.y)
    repeated = FGAClassifier(gamma=case.gamma).fit(X, y)
    np.testing.assert_allclose(np.repeat(balanced.beta_, times), repeated.beta_, atol=1e-9)
    np.testing.assert_allclose(balanced.memberships(Q).degree, repeated.memberships(Q).degree, atol=1e-9)
    np.testing.assert_array_equal(balanced.predict(Q), repeated.predict(Q))


@given(table_cases())
def test_a_dictionary_of_class_weights(case):
    """Weight k + 1 for class k is repeating its rows k + 1 times; a class left out has weight 1."""
    weights = {k: k + 1 for k in range(1, 6) if k in case.y}
    times = case.y + 1
    weighted = FGAClassifier(gamma=case.gamma, class_weight=weights).fit(case.X, case.y)
    repeated = FGAClassifier(gamma=case.gamma).fit(np.repeat(case.X, times, axis=0), np.repeat(case.y, times))
    np.testing.assert_allclose(np.repeat(weighted.beta_, times), repeated.beta_, atol=1e-9)
    np.testing.assert_array_equal(weighted.predict(Q), repeated.predict(Q))


@given(table_cases())
def test_class_and_sample_weights_multiply(case):
    """A row's weight is its own times its class's."""
    weights = {k: 0.5 + k for k in np.unique(case.y)}
    both = FGAClassifier(gamma=case.gamma, class_weight=weights).fit(case.X, case.y, sample_weight=case.weights)
    product = FGAClassifier(gamma=case.gamma).fit(case.X, case.y, sample_weight=case.weights * (0.5 + case.y))
    np.testing.assert_allclose(both.beta_, product.beta_, atol=1e-9)


def test_class_weights_by_name():
    """Keys are the class labels the user knows."""
    X, y = [[0.0], [0.0]], ["no", "yes"]
    model = FGAClassifier(class_weight={"no": 1.0, "yes": 4.0}).fit(X, y)
    np.testing.assert_allclose(model.beta_, [0.2, 0.8], atol=1e-12)


def test_balanced_by_hand():
    """One row against four equal ones at the same place: balanced gives 1/2 each, unbalanced 1/5 and 4/5."""
    X, y = np.zeros((5, 1)), np.array([0, 1, 1, 1, 1])
    np.testing.assert_allclose(FGAClassifier(class_weight="balanced").fit(X, y).beta_, 0.5, atol=1e-12)
    np.testing.assert_allclose(FGAClassifier().fit(X, y).beta_, [0.2, 0.8, 0.8, 0.8, 0.8], atol=1e-12)


def test_all_rows_of_a_class_may_have_weight_zero():
    """A class without weight is never predicted, and the others are as if it were not there."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), np.repeat([0, 1, 2], 10)
    present = y != 1
    without = FGAClassifier().fit(X[present], y[present])
    weightless = FGAClassifier().fit(X, y, sample_weight=present.astype(float))
    np.testing.assert_allclose(weightless.beta_[present], without.beta_, atol=1e-9)
    np.testing.assert_array_equal(weightless.predict(Q), without.predict(Q))


@pytest.mark.parametrize(
    ("weights", "word"),
    [
        ([1.0, -1.0, 1.0], "(?i)negative|>= 0"),
        ([1.0, np.nan, 1.0], "(?i)nan|finite"),
        ([1.0, 1.0], "(?i)sample_weight|inconsistent"),
        ([0.0, 0.0, 0.0], "(?i)weight"),
    ],
    ids=["negative", "nan", "too short", "all zero"],
)
def test_weights_that_make_no_sense(weights, word):
    """Negative, missing or too few weights are refused, and so are weights that leave no row at all."""
    with pytest.raises(ValueError, match=word):
        FGAClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 0], sample_weight=weights)
