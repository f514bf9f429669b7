"""What a sceptic asks of the regressor: laws that hold between fits, and words that are true of the numbers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fgac import FGAClassifier, FGARegressor, audit

LOSSES = [{"loss": "squared_error"}, {"loss": "absolute_error"}, {"loss": "quantile", "quantile": 0.8}]
SETTINGS = st.fixed_dictionaries(
    {
        "gamma": st.sampled_from([0.1, 0.7, 2.0, 20.0]),
        "metric": st.sampled_from(["euclidean", "manhattan", "chebyshev"]),
        "scale": st.sampled_from(["range", "rank", None]),
        "monotonic_cst": st.sampled_from([None, [1, 0], [-1, 1]]),
    }
)


def noisy(seed, n=18):
    """Return rows on a grid, so that many are equal, targets with errors far out, and rows to judge."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (n, 2)).astype(float)
    y = X[:, 0] - 0.5 * X[:, 1] + rng.standard_t(2, n)
    return X, y, np.vstack([X[:5], rng.uniform(-2.0, 7.0, (10, 2))])


def mirrored(settings):
    """Return the settings that see the negated targets."""
    turned = dict(settings)
    if turned["monotonic_cst"] is not None:
        turned["monotonic_cst"] = [-direction for direction in turned["monotonic_cst"]]
    if turned["loss"] == "quantile":
        turned["quantile"] = 1.0 - turned["quantile"]
    return turned


# ----------------------------------------------------------------------------------------------------
# Laws between fits
# ----------------------------------------------------------------------------------------------------


@given(st.integers(0, 9999), SETTINGS, st.sampled_from(LOSSES))
def test_negated_targets_are_mirrored(seed, settings, loss):
    X, y, queries = noisy(seed)
    settings = settings | loss | {"interval": 0.7}
    model, mirror = FGARegressor(**settings).fit(X, y), FGARegressor(**mirrored(settings)).fit(X, -y)
    slack = 1e-7 * np.ptp(y)
    assert_allclose(mirror.predict(queries), -model.predict(queries), atol=slack)
    assert_allclose(mirror.predict_bounds(queries).lower, -model.predict_bounds(queries).upper, atol=slack)
    assert_allclose(mirror.predict_interval(queries).lower, -model.predict_interval(queries).upper, atol=slack)


@given(st.integers(0, 9999), SETTINGS)
def test_quantiles_and_intervals_do_not_cross_at_new_rows(seed, settings):
    X, y, queries = noisy(seed)
    slack = 1e-8 * np.ptp(y)
    fits = [
        FGARegressor(loss="quantile", quantile=q, **settings).fit(X, y).predict_bounds(queries) for q in (0.1, 0.5, 0.9)
    ]
    for low, high in pairwise(fits):
        assert (np.array(low) <= np.array(high) + slack).all()
    narrow, wide = (FGARegressor(interval=s, **settings).fit(X, y).predict_interval(queries) for s in (0.4, 0.8))
    assert (wide.lower <= narrow.lower + slack).all()
    assert (narrow.lower <= narrow.upper + slack).all()
    assert (narrow.upper <= wide.upper + slack).all()


@given(st.integers(0, 9999), SETTINGS, st.sampled_from(LOSSES))
def test_a_row_that_agrees_with_the_prediction_changes_nothing(seed, settings, loss):
    """A function that fits the other rows best, and this one without any error, fits all of them best."""
    X, y, queries = noisy(seed)
    settings = settings | loss | {"scale": None}
    model = FGARegressor(**settings).fit(X, y)
    told = np.clip(model.predict(queries), y.min(), y.max())  # gamma counts in ranges of the targets
    inside = np.flatnonzero(told == model.predict(queries))[:3]
    again = FGARegressor(**settings).fit(np.vstack([X, queries[inside]]), np.concatenate([y, told[inside]]))
    assert_allclose(again.fitted_values_[: len(y)], model.fitted_values_, atol=1e-6 * np.ptp(y))
    assert_allclose(again.predict(queries[inside]), told[inside], atol=1e-6 * np.ptp(y))


@given(st.integers(0, 9999), SETTINGS)
def test_steeper_models_are_never_further_from_their_targets(seed, settings):
    X, y, _ = noisy(seed)
    errors = [
        ((FGARegressor(**settings | {"gamma": g}).fit(X, y).fitted_values_ - y) ** 2).sum() for g in (0.1, 0.5, 2, 9)
    ]
    assert (np.diff(errors) <= 1e-7 * np.ptp(y) ** 2).all()


@given(st.integers(0, 9999), SETTINGS)
def test_targets_0_and_1_are_the_monotone_classifier(seed, settings):
    X, y, queries = noisy(seed)
    labels = (y > np.median(y)).astype(int)
    bounds = FGAClassifier(**settings).fit(X, labels).memberships(queries)
    lower, upper = FGARegressor(**settings).fit(X, labels).predict_interval(queries)
    if settings["monotonic_cst"] is None:  # else bounds are cut off at the fitted values, too
        assert_allclose(lower, bounds.lower[:, 1], atol=1e-8)
        assert_allclose(upper, bounds.upper[:, 1], atol=1e-8)
    assert (lower >= bounds.lower[:, 1] - 1e-8).all()
    assert (upper <= bounds.upper[:, 1] + 1e-8).all()


def test_two_monotone_columns_and_a_huge_gamma_are_isotonic_in_both():
    """Minimise the squared error over all functions that rise in both columns, by trying all sets.

    The value of isotonic regression at a row is the largest, over the upper sets that hold it, of the smallest mean
    over the lower sets that hold it; with four cells there are few of both.
    """
    cells = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    rng = np.random.default_rng(0)
    X, y = np.repeat(cells, 5, axis=0), rng.normal(size=20)
    below = (cells[:, None, :] <= cells[None, :, :]).all(axis=2)
    sets = [np.array([bool(number >> i & 1) for i in range(4)]) for number in range(1, 16)]
    upper = [s for s in sets if all(s[j] for i in range(4) if s[i] for j in range(4) if below[i, j])]
    lower = [s for s in sets if all(s[i] for j in range(4) if s[j] for i in range(4) if below[i, j])]
    means = y.reshape(4, 5).mean(axis=1)
    expected = [max(min(means[u & v].mean() for v in lower if v[i]) for u in upper if u[i]) for i in range(4)]
    model = FGARegressor(gamma=1e9, monotonic_cst=[1, 1]).fit(X, y)
    assert_allclose(model.predict(cells), expected, atol=1e-9)


# ----------------------------------------------------------------------------------------------------
# True words
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
def test_contradictors_are_rows_whose_constraints_bind(loss):
    X, y = np.array([1.0, 4.0, 5.0, 5.0, 0.0, 3.0])[:, None], np.array([2.0, 2.0, 1.0, 8.0, 2.0, 4.0])
    model = FGARegressor(gamma=0.5, **loss).fit(X, y)
    slope = 0.5 * np.ptp(y) / np.ptp(X)
    assert len(audit(model)) > 0
    for row in audit(model):
        assert row.contradicted_by
        pull = np.sign(row.fitted - row.target)
        for by in row.contradicted_by:
            apart = slope * abs(X[row.index, 0] - X[by.index, 0])
            assert_allclose(pull * (by.fitted - row.fitted), apart, atol=1e-8)


def test_targets_are_told_as_they_were_given():
    y = np.array([851369.4558260095, -105438.64081749394, 1149061.2889534624, 378654.9470375643, -1591781.7059936556])
    model = FGARegressor(gamma=0.5).fit([[1.0], [1.0], [2.0], [0.0], [0.0]], y)
    why = model.explain([[1.0]], n_arguments=5)[0]
    assert all(bound.target == y[bound.index] for bound in (*why.at_least, *why.at_most))
    assert all(row.target == y[row.index] for row in audit(model))


@given(st.integers(0, 9999), SETTINGS, st.sampled_from(LOSSES))
def test_the_slope_that_is_told_bounds_every_change(seed, settings, loss):
    """The told distance to a training row, times the slope, bounds how far predictions at the two rows are apart."""
    X, y, queries = noisy(seed)
    model = FGARegressor(**settings, **loss).fit(X, y)
    at_rows = model.predict(X)
    for why in model.explain(queries, n_arguments=18, merge_similarity=1.0):
        for bound in why.at_least:
            assert at_rows[bound.index] - why.prediction <= why.slope * bound.distance + 1e-7 * np.ptp(y)
        for bound in why.at_most:
            assert why.prediction - at_rows[bound.index] <= why.slope * bound.distance + 1e-7 * np.ptp(y)


def test_rows_of_weight_zero_are_nobodys_argument():
    X, y, queries = noisy(3)
    weight = np.ones(len(y))
    weight[::3] = 0.0
    model = FGARegressor(gamma=0.7).fit(X, y, sample_weight=weight)
    told = {b.index for why in model.explain(queries, n_arguments=18) for b in (*why.at_least, *why.at_most)}
    told |= {row.index for row in audit(model)}
    told |= {by.index for row in audit(model) for by in row.contradicted_by}
    assert told
    assert not told & set(range(0, len(y), 3))
    assert_array_equal(np.isnan(model.fitted_values_), weight == 0.0)


def test_the_unit_of_equal_targets_does_not_matter():
    """Gamma counts in ranges of the targets: nothing is "at least -0.5" where all targets are 1 nm, told in metres."""
    in_metres, in_nanometres = (FGARegressor().fit([[1.0], [2.0]], [y, y]).predict_bounds([[1.5]]) for y in (1e-9, 1.0))
    assert_allclose(np.array(in_metres) * 1e9, np.array(in_nanometres))
