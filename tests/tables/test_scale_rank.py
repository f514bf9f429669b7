"""``scale="rank"``: two values differ by the share of the training rows between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fgac import FGAClassifier, FGAOrdinalClassifier, FGARegressor, FRNNClassifier, load_model, save_model

METRICS = ("euclidean", "manhattan", "chebyshev")
# Increasing, but nothing like a straight line; exact on small whole numbers, so that ties stay ties.
CURVES = (lambda c: c**3 - 7.0, lambda c: 2.0**c, lambda c: -1.0 / (c + 9.0), lambda c: 1e200 * c)


def places(training, values, weight=None):
    """Return where values stand: the share of rows below them, plus half of those equal to them.

    Between two training values the share grows in proportion, beyond the last ones it does not.
    """
    training = np.asarray(training, dtype=float)
    weight = np.ones(len(training)) if weight is None else np.asarray(weight, dtype=float)
    known = np.unique(training[weight > 0])
    below = [weight[training < v].sum() + weight[training == v].sum() / 2.0 for v in known]
    return np.interp(values, known, np.array(below) / weight.sum())


def distances(left, right, training, metric, weight=None):
    """Return the distances of rows whose columns were turned into places one by one."""
    columns = range(np.shape(training)[1])
    a, b = (np.column_stack([places(training[:, j], t[:, j], weight) for j in columns]) for t in (left, right))
    parts = np.abs(a[:, None, :] - b[None, :, :])
    if metric == "chebyshev":
        return parts.max(axis=2)
    return parts.mean(axis=2) if metric == "manhattan" else np.sqrt((parts**2).mean(axis=2))


def grid(seed, n=24, n_features=2):
    """Return rows of whole numbers with many ties, labels of three classes, and rows to judge, some far outside."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, n_features)).astype(float) ** 2
    queries = np.vstack([rng.uniform(-5.0, 40.0, (10, n_features)), rng.choice([-1e9, 1e9], (2, n_features)), X[:4]])
    return X, rng.permutation(np.arange(n) % 3), queries


# ----------------------------------------------------------------------------------------------------
# What it is
# ----------------------------------------------------------------------------------------------------


def test_two_values_differ_by_the_share_of_rows_between_them():
    X = [[0.0], [1.0], [2.0], [3.0], [1000.0]]
    model = FGARegressor(gamma=1.0, scale="rank").fit(X, [0.0, 1.0, 2.0, 3.0, 4.0])
    why = model.explain([[2.0]], n_arguments=5, merge_similarity=1.0)[0]
    apart = {argument.index: argument.distance for argument in (*why.at_least, *why.at_most)}
    assert {row: round(d, 12) for row, d in apart.items()} == {0: 0.4, 1: 0.2, 2: 0.0, 3: 0.2, 4: 0.4}


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_distance_between_places(metric, seed):
    """The same matrix of distances, made by a plain loop and given as it is, yields the same model."""
    X, y, queries = grid(seed)
    ranked = FGAClassifier(gamma=3.0, scale="rank", metric=metric).fit(X, y)
    plain = FGAClassifier(gamma=3.0, metric="precomputed").fit(distances(X, X, X, metric), y)
    assert_allclose(ranked.beta_, plain.beta_, atol=1e-9)
    degrees = plain.memberships(distances(queries, X, X, metric)).degree
    assert_allclose(ranked.memberships(queries).degree, degrees, atol=1e-9)


def test_values_beyond_the_training_rows_count_as_their_last_ones():
    X, y, _ = grid(0)
    clf = FGAClassifier(gamma=3.0, scale="rank").fit(X, y)
    least, most = X.min(axis=0), X.max(axis=0)
    expected = clf.decision_function([least, most, [least[0], most[1]]])
    assert_array_equal(clf.decision_function([least - 1.0, most + 1e300, [-1e300, 1e9]]), expected)


def test_a_single_value_says_nothing_about_other_values():
    X = np.column_stack([np.full(6, 7.0), np.arange(6.0)])
    clf = FGAClassifier(gamma=3.0, scale="rank").fit(X, [0, 0, 0, 1, 1, 1])
    degrees = clf.memberships([[7.0, 2.2], [-1e6, 2.2], [1e6, 2.2]]).degree
    assert_array_equal(degrees, np.tile(degrees[0], (3, 1)))


@pytest.mark.parametrize("model", [FGAClassifier(scale="rank"), FGARegressor(scale="rank")])
def test_one_row(model):
    model.fit([[3.0, 4.0]], [5])
    assert_array_equal(model.predict([[3.0, 4.0], [1e9, -1e9]]), [5, 5])


# ----------------------------------------------------------------------------------------------------
# What it does not depend on
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("metric", METRICS)
def test_increasing_transformations_change_nothing(curve, metric):
    """At rows whose values occur in training: between these the share grows in proportion to the value."""
    X, y, _ = grid(1)
    rng = np.random.default_rng(1)
    queries = np.column_stack([rng.choice(X[:, 0], 20), rng.choice(X[:, 1], 20)])
    settings = {"gamma": 4.0, "scale": "rank", "metric": metric}
    for make, target in ((FGAClassifier, y), (FGARegressor, y.astype(float)), (FGAOrdinalClassifier, y)):
        plain, bent = make(**settings).fit(X, target), make(**settings).fit(curve(X), target)
        assert_array_equal(bent.predict(curve(queries)), plain.predict(queries))
        if make is FGAClassifier:
            assert_array_equal(bent.beta_, plain.beta_)


def test_decreasing_transformations_turn_a_column_round():
    X, y, _ = grid(2)
    plain = FGARegressor(gamma=2.0, scale="rank", monotonic_cst=[1, 0]).fit(X, y)
    turned = FGARegressor(gamma=2.0, scale="rank", monotonic_cst=[-1, 0]).fit(X * [-1.0, 1.0], y)
    assert_allclose(turned.predict(X * [-1.0, 1.0]), plain.predict(X), atol=1e-9)


def test_with_very_many_values_transformations_change_little():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 1))
    y = np.sin(2.0 * X[:, 0])
    plain, bent = (FGARegressor(gamma=3.0, scale="rank").fit(Z, y) for Z in (X, np.exp(3.0 * X)))
    assert_allclose(bent.predict(np.exp(3.0 * X)), plain.predict(X), atol=3.0 * 2.0 / 100.0)


def test_256_distinct_values_are_taken_as_they_are():
    rng = np.random.default_rng(0)
    X = rng.permutation(np.arange(256.0))[:, None]
    y = rng.normal(size=256)
    plain, bent = (FGARegressor(gamma=9.0, scale="rank").fit(Z, y) for Z in (X, X**5))
    assert_allclose(bent.predict(X**5), plain.predict(X), atol=1e-9)


@given(st.integers(0, 10_000))
def test_a_weight_is_a_number_of_rows(seed):
    X, y, queries = grid(seed, n=12)
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 4, 12)
    weight[:3] += 1
    rows = rng.permutation(np.repeat(np.arange(12), weight))
    for model in (FGAClassifier(gamma=2.0, scale="rank"), FGARegressor(gamma=2.0, scale="rank")):
        weighted = model.fit(X, y, sample_weight=weight).predict(queries)
        assert_allclose(model.fit(X[rows], y[rows]).predict(queries), weighted, atol=1e-7)


def test_class_weights_do_not_move_the_places():
    """They say how much an error costs, not how many rows there are."""
    X, y, queries = grid(3)
    balanced = FGAClassifier(gamma=2.0, scale="rank", class_weight={0: 5.0, 1: 1.0, 2: 1.0}).fit(X, y)
    plain = FGAClassifier(gamma=2.0, metric="precomputed", class_weight={0: 5.0, 1: 1.0, 2: 1.0})
    plain.fit(distances(X, X, X, "euclidean"), y)
    degrees = plain.memberships(distances(queries, X, X, "euclidean")).degree
    assert_allclose(balanced.memberships(queries).degree, degrees, atol=1e-9)


# ----------------------------------------------------------------------------------------------------
# What explanations promise
# ----------------------------------------------------------------------------------------------------


def steps_of(reading):
    """Return changes of one attribute that its explanation calls safe."""
    if reading.radius is None:
        return [-1e6, -3.0, -0.1, 0.1, 3.0, 1e6]
    inside = [share * reading.radius for share in (0.01, 0.3, 0.7, 0.999)]
    if reading.direction == 0:
        return [sign * step for step in inside for sign in (-1, 1)]
    return [-reading.direction * step for step in inside] + [reading.direction * step for step in (0.1, 5.0, 1e9)]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("directions", [None, [1, 0], [-1, 1]])
@pytest.mark.parametrize("make", [FGAClassifier, FGAOrdinalClassifier])
def test_safe_changes_of_one_attribute_are_safe(make, metric, directions):
    X, y, queries = grid(4)
    y = np.minimum(y, 1) if make is FGAClassifier and directions else y
    clf = make(gamma=3.0, scale="rank", metric=metric, monotonic_cst=directions).fit(X, y)
    for x, why in zip(queries, clf.explain(queries), strict=True):
        for j, reading in enumerate(why.attributes):
            if reading.radius == 0.0 and reading.direction == 0:
                continue
            moved = np.tile(x, (len(steps_of(reading)), 1))
            moved[:, j] += steps_of(reading)
            assert_array_equal(clf.predict(moved), [why.prediction] * len(moved))


@pytest.mark.parametrize("metric", METRICS)
def test_the_certified_radius_holds(metric):
    X, y, queries = grid(5)
    clf = FGAClassifier(gamma=2.0, scale="rank", metric=metric).fit(X, y)
    rng = np.random.default_rng(5)
    n_inside = 0
    for x, why in zip(queries, clf.explain(queries), strict=True):
        near = x + rng.normal(size=(300, 2)) * rng.choice([0.1, 1.0, 10.0], (300, 1))
        inside = distances(x[None], near, X, metric)[0] < why.certified_radius - 1e-9
        n_inside += inside.sum()
        assert (clf.predict(near)[inside] == why.prediction).all()
    assert n_inside > 300


def test_an_attribute_that_can_change_the_label_is_not_called_harmless():
    """At 0 and below the classes tie, so that rounding may decide: the safe move ends there, it is not unlimited."""
    clf = FGAClassifier(gamma=1.0, scale="rank", loss="absolute_error")
    clf.fit([[0.0], [1.0]], [0, 1], sample_weight=[1, 2])
    assert clf.explain([[1.0]])[0].attributes[0].radius == pytest.approx(1.0)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("directions", [None, [1, 0], [-1, 1]])
def test_regression_effects_are_true(metric, directions):
    X, y, queries = grid(6)
    target = y + 0.3 * X[:, 0] ** 0.5
    model = FGARegressor(gamma=2.0, scale="rank", metric=metric, monotonic_cst=directions).fit(X, target)
    for x, why in zip(queries, model.explain(queries), strict=True):
        for j, effect in enumerate(why.attributes):
            moved = np.tile(x, (6, 1))
            moved[:, j] += effect.step * np.array([-1.0, -0.5, -0.01, 0.01, 0.5, 1.0])
            change = model.predict(moved) - why.prediction
            assert np.abs(change).max() <= effect.change + 1e-9
            assert (effect.direction * change * np.sign(moved[:, j] - x[j]) >= -1e-9).all()


# ----------------------------------------------------------------------------------------------------
# With everything else
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("directions", [[1, -1], [1, 0]])
def test_predictions_stay_monotone(directions):
    X, y, queries = grid(7)
    rng = np.random.default_rng(7)
    better = queries + np.abs(rng.normal(size=queries.shape)) * 10.0 * directions
    for model in (FGAOrdinalClassifier, FGARegressor):
        model = model(gamma=3.0, scale="rank", monotonic_cst=directions).fit(X, y)
        assert (model.predict(better) >= model.predict(queries)).all()


def test_nominal_columns_are_compared_as_ever():
    X, y, _ = grid(8)
    X[:, 1] = X[:, 1] ** 0.5 % 3
    clf = FGAClassifier(gamma=3.0, scale="rank", metric="manhattan", categorical_features=[1]).fit(X, y)
    numeric = distances(X[:, :1], X[:, :1], X[:, :1], "manhattan")
    names = X[:, None, 1] != X[None, :, 1]
    plain = FGAClassifier(gamma=3.0, metric="precomputed").fit((numeric + names) / 4.0, y)  # 1 number, 3 categories
    assert_allclose(clf.beta_, plain.beta_, atol=1e-9)


def test_nearest_neighbours_take_it_too():
    X, y, queries = grid(9)
    ranked = FRNNClassifier(scale="rank", n_neighbors=3).fit(X, y)
    plain = FRNNClassifier(metric="precomputed", n_neighbors=3).fit(distances(X, X, X, "euclidean"), y)
    degrees = plain.memberships(distances(queries, X, X, "euclidean")).degree
    assert_allclose(ranked.memberships(queries).degree, degrees, atol=1e-9)


@pytest.mark.parametrize("values", [True, False])
@pytest.mark.parametrize("make", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_files_keep_the_places(tmp_path, make, values):
    X, y, queries = grid(10)
    model = make(gamma=3.0, scale="rank").fit(X, y)
    save_model(model, tmp_path / "model.fgac", values=values)
    again = load_model(tmp_path / "model.fgac")
    assert again.scale == "rank"
    assert_array_equal(again.predict(queries), model.predict(queries))
    if values:
        assert again.explain(queries).to_json() == model.explain(queries).to_json()


def test_an_unknown_scale_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="rank"):
        FGAClassifier(scale="ranks").fit([[0.0], [1.0]], [0, 1])
