"""Learned feature weights: what counts gets weight, and nothing but the rows as a weighted set decides."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.tables import learned_weights
from fgac.tables.learned_weights import learn_weights, mean_difference, subsample, unit_range
from fgac.tables.reading import ReadTable
from fgac.tables.table import learn_table
from support.property_tests import examples


def learned(X, y, weight=None, *, metric="manhattan", nominal=None, scale="range", regression=False):
    """Weights for a plain matrix or a frame."""
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, dtype=float)
    read = ReadTable.of(X if hasattr(X, "columns") else np.asarray(X, dtype=float), nominal)
    table, values = learn_table(
        read, metric=metric, scale=scale, categorical_features=nominal, feature_weights=None, sample_weight=weight
    )
    return learn_weights(table, values, np.asarray(y), weight, metric, regression=regression)[0]


def noisy(n=120, n_noise=4, seed=0):
    """One column that makes the class, one that half makes it, and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2 + n_noise))
    return X, (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)


def test_columns_that_count_get_the_weight():
    X, y = noisy()
    weights = learned(X, y)
    assert weights.argmax() == 0
    assert weights[0] > 2 * weights[1] > 2 * weights[2:].max()


def test_columns_that_tell_next_to_nothing_weigh_exactly_nothing():
    X, _ = noisy(400, 8)
    weights = learned(X, (X[:, 0] > 0).astype(int))
    assert weights[0] > 1
    assert (weights[1:] == 0).all()


def test_a_column_that_counts_only_together_with_another_is_found():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(600, 4))
    weights = learned(X, (X[:, 0] * X[:, 1] > 0).astype(int))
    assert weights[:2].min() > weights[2:].max()


def test_a_constant_column_weighs_nothing():
    X, y = noisy()
    X[:, 3] = 7.0
    assert learned(X, y)[3] == 0


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.full((30, 3), 2.0), np.arange(30) % 2),
        (np.arange(60.0).reshape(30, 2), np.zeros(30)),
        ([[1.0, 2.0]], [0]),
        ([[0.0, 1.0], [1.0, 0.0]], [0, 1]),
    ],
    ids=["constant columns", "one class", "one row", "two rows"],
)
@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
def test_where_there_is_nothing_to_learn_all_columns_weigh_1(X, y, regression, metric):
    weights = learned(X, y, regression=regression, metric=metric)
    assert (weights == 1).all()


@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
def test_a_single_column_weighs_1(metric):
    X, y = noisy(n_noise=0)
    assert learned(X[:, :1], y, metric=metric) == pytest.approx([1.0])


@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
def test_rows_that_differ_in_everything_stay_as_far_apart(metric):
    from fgac import FGAClassifier

    X, y = noisy()
    corners = np.array([X.min(axis=0), X.max(axis=0)])
    X, y = np.vstack([X, corners]), np.append(y, [0, 1])
    weights = learned(X, y, metric=metric)

    def support(feature_weights):
        """What the corner of class 1 says of the other corner, if there are no other rows."""
        clf = FGAClassifier(gamma=0.5, metric=metric, feature_weights=feature_weights, scale="range")
        return clf.fit(corners, [0, 1]).memberships(corners).lower

    assert support(weights) == pytest.approx(support(None), abs=1e-12)


def test_importance_is_a_part_of_the_mean_distance():
    """A column with a few values far out counts as much as one without, if it tells as much."""
    rng = np.random.default_rng(3)
    a, b = rng.uniform(size=(2, 500))
    y = (a + b > 1).astype(int)
    plain = learned(np.column_stack([a, b]), y)
    b[:2] *= 20
    tailed = learned(np.column_stack([a, b]), y)
    assert plain[0] / plain[1] == pytest.approx(1, abs=0.3)
    assert tailed[1] > 3 * tailed[0]


@pytest.mark.parametrize("scale", ["robust", None])
def test_what_counts_does_not_depend_on_the_scale_of_columns(scale):
    """Weight times one over the scale is, but for a factor, the same: the weights make up for the scale."""
    X, y = noisy()
    X = X * [1, 10, 100, 1000, 1, 1]
    reach = X.max(axis=0) - X.min(axis=0)
    low, high = np.percentile(X, [1, 99], axis=0, method="averaged_inverted_cdf")
    units = high - low if scale == "robust" else np.ones(6)
    expected, found = learned(X, y) / reach, learned(X, y, scale=scale) / units
    assert found / found.max() == pytest.approx(expected / expected.max(), rel=0.05)


@given(st.integers(0, 1000), st.integers(2, 4), st.booleans())
@examples(15)
def test_the_order_of_rows_does_not_matter(seed, n_classes, regression):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(60, 3)).astype(float)
    y = rng.integers(0, n_classes, size=60)
    weight = rng.uniform(0.1, 3, size=60)
    order = rng.permutation(60)
    expected = learned(X, y, weight, nominal=[2], regression=regression)
    assert (learned(X[order], y[order], weight[order], nominal=[2], regression=regression) == expected).all()


def test_equal_rows_weigh_the_same_to_the_last_digit_in_any_order():
    X, y, weight = np.zeros((3, 1)), np.zeros(3), np.array([0.1, 0.2, 0.3])
    found = {
        float(learned_weights.merge_equal_rows(X, y, weight[list(order)], regression=False).weights[0])
        for order in permutations(range(3))
    }
    assert len(found) == 1
    assert found.pop() == pytest.approx(0.6)


@given(st.integers(0, 1000), st.integers(2, 4))
@examples(15)
def test_the_names_of_classes_do_not_matter(seed, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(60, 3)).astype(float)
    y = rng.integers(0, n_classes, size=60)
    renamed = rng.permutation(n_classes)[y]
    assert (learned(X, renamed, nominal=[1]) == learned(X, y, nominal=[1])).all()


@given(st.integers(0, 1000), st.booleans())
@examples(15)
def test_a_weight_is_a_repetition(seed, regression):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 3)).round(1)
    y = rng.integers(0, 3, size=50)
    times = rng.integers(1, 4, size=50)
    repeated = np.repeat(np.arange(50), times)
    expected = learned(X[repeated], y[repeated], regression=regression)
    assert (learned(X, y, times, regression=regression) == expected).all()


def test_a_class_of_more_weight_decides_what_counts(monkeypatch):
    """The first column tells class 2 from the others, the second tells class 1 from class 0."""
    monkeypatch.setattr("fgac.tables.learned_weights.STEP", 1e-6)  # rounding would hide a small difference
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], [100, 100, 10])
    X = np.column_stack([(y == 2) + rng.normal(0, 0.1, 210), (y == 1) + rng.normal(0, 0.1, 210)])
    plain, heavy = learned(X, y), learned(X, y, np.where(y == 2, 50.0, 1.0))
    assert heavy[0] * plain[1] > plain[0] * heavy[1]


def test_a_nominal_column_has_one_weight_and_its_categories_have_no_order():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue", "grey"], size=300)
    y = np.isin(colour, ["green", "grey"]).astype(int)
    frame = pandas.DataFrame({"noise": rng.normal(size=300), "colour": pandas.Categorical(colour)})
    weights = learned(frame, y, nominal=["colour"])
    assert weights.shape == (2,)
    assert weights.tolist() == [0.0, 2.0]


def test_names_of_persons_tell_nothing():
    pandas = pytest.importorskip("pandas")
    X, y = noisy()
    frame = pandas.DataFrame({"name": [f"person {i}" for i in range(120)], "x": X[:, 0]})
    assert learned(frame, y, nominal=["name"]).tolist() == [0.0, 2.0]


def test_regression_finds_what_the_number_depends_on():
    X, _ = noisy(200)
    weights = learned(X, 1e6 * (X[:, 0] + 0.5 * X[:, 1]), regression=True)
    assert weights[0] > weights[1] > weights[2:].max()


def test_regression_does_not_depend_on_the_unit_of_the_target():
    X, _ = noisy()
    y = X[:, 0] ** 2
    # A power of two changes no digit; a rounding may decide between two splits that are as good.
    assert (learned(X, 2.0**700 * y, regression=True) == learned(X, y, regression=True)).all()


def test_values_too_large_for_the_trees_own_numbers():
    X, y = noisy()
    assert (learned(2.0**1000 * X, y) == learned(X, y)).all()


def test_places_between_values_whose_difference_no_float_can_hold():
    assert unit_range(np.array([-1.6e308, 0.0, 1.6e308])).tolist() == [0.0, 0.5, 1.0]


def test_small_differences_between_large_values_are_seen():
    """The trees compute with seven digits: the place in the range is told to them, not the value."""
    X, y = noisy()
    X = X.round(3)
    assert learned(X + 2.0**30, y) == pytest.approx(learned(X, y), rel=0.05)


def test_many_rows_are_sampled_and_no_class_is_lost(monkeypatch):
    monkeypatch.setattr(learned_weights, "MAX_ROWS", 200)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3))
    y = np.where(np.arange(3000) < 5, 2, X[:, 0] > 0)
    sample = learned_weights.merge_equal_rows(X, y, np.ones(3000), regression=False)
    few = subsample(sample, regression=False)
    assert len(few.weights) == 200
    assert np.bincount(few.targets, few.weights) == pytest.approx(np.bincount(sample.targets, sample.weights))
    order = rng.permutation(3000)
    weights = learned(X, y)
    assert weights.argmax() == 0
    assert (learned(X[order], y[order]) == weights).all()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3)), min_size=1, max_size=8))
def test_mean_difference_is_that_of_all_pairs(rows):
    values, weights = np.array(rows, dtype=float).T
    pairs = np.repeat(values, weights.astype(int))
    apart = np.abs(pairs[:, None] - pairs)
    assert mean_difference(values, weights, is_categorical=False) == pytest.approx(apart.mean())
    assert mean_difference(values, weights, is_categorical=True) == pytest.approx((apart > 0).mean())
