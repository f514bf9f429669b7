"""FGARegressor against other ways to compute the same: general solvers, the classifier, isotonic regression, loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import cdist
from sklearn.datasets import load_diabetes
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LinearRegression

from fgac import FGAClassifier, FGARegressor
from support.oracles import difference_oracle, ordered_pairs
from support.strategies import queries, regression_cases

Q = queries(3, n=30)
LOSSES = [("squared_error", 0.5), ("absolute_error", 0.5), ("quantile", 0.2), ("quantile", 0.001), ("quantile", 0.999)]


def slope(case):
    """Return by how much values of a case may differ over a distance of 1."""
    return case.gamma * np.ptp(case.y)


def fit(case, **settings):
    """Return the regressor of a case, on distances as they are."""
    model = FGARegressor(gamma=case.gamma, scale=None, metric=cdist, **settings)
    return model.fit(case.X, case.y, sample_weight=case.weights)


def excess(values, distances, steepness):
    """Return the largest violation of the constraints."""
    return (values[:, None] - values[None, :] - steepness * distances).max(initial=0.0)


def pinball(y, values, weights, quantile):
    """Return the weighted quantile loss."""
    return np.sum(weights * np.maximum(quantile * (y - values), (quantile - 1) * (y - values)))


# ----------------------------------------------------------------------------------------------------
# Training
# ----------------------------------------------------------------------------------------------------


@given(regression_cases())
def test_fitted_values_solve_the_quadratic_program(case):
    """Repeated rows with other targets, ties, constant targets and unequal weights are among the cases."""
    tail, head = ordered_pairs(len(case.y))
    expected = difference_oracle(case.y, tail, head, slope(case) * cdist(case.X, case.X)[tail, head], case.weights)
    model = fit(case)
    np.testing.assert_allclose(model.fitted_values_, expected, atol=1e-7)
    assert model.solution_.is_optimal()


@given(regression_cases(), st.sampled_from(LOSSES[1:]))
def test_absolute_and_quantile_loss_reach_the_optimum_of_the_linear_program(case, loss):
    """Both losses as linear programs, by HiGHS; the values also satisfy every constraint."""
    name, quantile = loss
    n, steepness, distances = len(case.y), slope(case), cdist(case.X, case.X)
    tail, head = ordered_pairs(n)
    pairs = np.zeros((len(tail), 3 * n))
    pairs[np.arange(len(tail)), tail], pairs[np.arange(len(tail)), head] = 1.0, -1.0
    cost = np.concatenate([np.zeros(n), quantile * case.weights, (1 - quantile) * case.weights])
    best = linprog(
        cost,
        A_ub=pairs if len(tail) else None,
        b_ub=steepness * distances[tail, head] if len(tail) else None,
        A_eq=np.hstack([np.eye(n), np.eye(n), -np.eye(n)]),
        b_eq=case.y,
        bounds=[(None, None)] * n + [(0, None)] * (2 * n),
    )
    model = fit(case, loss=name, quantile=quantile)
    assert pinball(case.y, model.fitted_values_, case.weights, quantile) == pytest.approx(best.fun, abs=1e-7)
    assert excess(model.fitted_values_, distances, steepness) <= 1e-8
    assert model.solution_.is_optimal()


@given(regression_cases(), st.sampled_from(LOSSES))
def test_weights_are_repetitions_and_order_does_not_matter(case, loss):
    """A row of weight 2 is two rows, a row of weight 0 none, also for the scales of columns and targets."""
    settings = {"gamma": case.gamma, "loss": loss[0], "quantile": loss[1], "interval": 0.8}
    times = np.arange(len(case.y)) % 3
    times[0] = 2
    weighted = FGARegressor(**settings).fit(case.X, case.y, sample_weight=times)
    again = np.random.default_rng(0).permutation(np.repeat(np.arange(len(times)), times))
    repeated = FGARegressor(**settings).fit(case.X[again], case.y[again])
    np.testing.assert_allclose(weighted.predict(Q), repeated.predict(Q), atol=1e-9)
    np.testing.assert_allclose(weighted.predict_interval(Q), repeated.predict_interval(Q), atol=1e-9)
    np.testing.assert_array_equal(np.isnan(weighted.fitted_values_), times == 0)
    np.testing.assert_allclose(repeated.fitted_values_, weighted.fitted_values_[again], atol=1e-9)


@given(regression_cases(), st.floats(-1e3, 1e3), st.sampled_from([1e-200, 1e-3, 7.0, 1e150]))
def test_units_of_the_target_do_not_matter(case, shift, factor):
    """Gamma is told per range of the targets, so predictions follow a change of units."""
    plain = FGARegressor(gamma=case.gamma).fit(case.X, case.y)
    other = FGARegressor(gamma=case.gamma).fit(case.X, factor * (case.y + shift))
    atol = 1e-9 * factor * max(1.0, abs(shift))
    np.testing.assert_allclose(other.predict(Q), factor * (plain.predict(Q) + shift), atol=atol)


def test_one_row_and_equal_targets_are_constant():
    """There is nothing that could vary, near or far."""
    for X, y in [([[1.0, 2.0]], [7.0]), ([[0.0], [1.0], [5.0]], [7.0, 7.0, 7.0])]:
        model = FGARegressor(interval=0.9).fit(X, y)
        far = np.full((2, len(X[0])), [[0.0], [1e6]])
        np.testing.assert_array_equal(model.predict(far), [7.0, 7.0])
        np.testing.assert_array_equal(model.predict_interval(far), np.full((2, 2), 7.0))
        assert model.solution_.is_optimal()


def test_equal_rows_with_different_targets_get_one_value():
    """The mean for squared error, the median for absolute error, a quantile for quantile loss."""
    X, y = np.zeros((5, 2)), [1.0, 2.0, 3.0, 10.0, 100.0]
    np.testing.assert_allclose(FGARegressor().fit(X, y).fitted_values_, 23.2)
    np.testing.assert_allclose(FGARegressor(loss="absolute_error").fit(X, y).fitted_values_, 3.0)
    np.testing.assert_allclose(FGARegressor(loss="quantile", quantile=0.9).fit(X, y).fitted_values_, 100.0)


@pytest.mark.parametrize("loss", LOSSES)
def test_extreme_gammas(loss):
    """A tiny gamma gives one constant; a huge one keeps every target and predicts that of the nearest row."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    settings = {"loss": loss[0], "quantile": loss[1]}
    flat = FGARegressor(gamma=1e-12, **settings).fit(X, y)
    assert np.ptp(flat.fitted_values_) < 1e-9
    if loss[0] == "squared_error":
        np.testing.assert_allclose(flat.fitted_values_, y.mean(), atol=1e-9)
    steep = FGARegressor(gamma=1e9, **settings).fit(X, y)
    np.testing.assert_allclose(steep.fitted_values_, y, atol=1e-12)
    new, scales = rng.normal(size=(20, 3)), np.ptp(X, axis=0)
    nearest = cdist(new / scales, X / scales).argmin(axis=1)
    np.testing.assert_allclose(steep.predict(new), y[nearest], atol=1e-12)
    assert flat.solution_.is_optimal()
    assert steep.solution_.is_optimal()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("gamma", [0.2, 1.0, 4.0])
def test_grids_full_of_ties(gamma, directed):
    """Sixty rows on a small grid, few targets, equal rows that disagree, a constant column and rows of weight 0."""
    rng = np.random.default_rng(7)
    X = np.column_stack([rng.integers(0, 4, size=(60, 2)), np.full(60, 3)]).astype(float)
    y, weights = rng.integers(0, 4, 60).astype(float), rng.integers(0, 4, 60).astype(float)
    there = weights > 0
    tail, head = ordered_pairs(there.sum())
    step = (X[there][tail] - X[there][head]) / 3.0
    if directed:
        step[:, 0] = np.maximum(step[:, 0], 0.0)
    distances = np.sqrt((step**2).sum(axis=1) / 3.0)
    expected = difference_oracle(y[there], tail, head, gamma * 3.0 * distances, weights[there])
    model = FGARegressor(gamma=gamma, monotonic_cst={0: 1} if directed else None).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.fitted_values_[there], expected, atol=1e-7)
    assert model.solution_.is_optimal()


def test_many_rows_with_repetitions_are_solved_and_proved():
    """Beyond the size where distances are kept, with equal rows whose targets differ."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 12, size=(4000, 3)).astype(float)
    y = np.sin(X[:, 0]) + 0.1 * X[:, 1] + 0.2 * rng.normal(size=4000)
    model = FGARegressor(gamma=2.0, interval=0.8).fit(X, y)
    assert model.solution_.is_optimal()
    assert all(end.is_optimal() for end in model.interval_solutions_)
    lower, upper = model.predict_interval(X)
    assert 0.7 <= np.mean((lower <= y) & (y <= upper)) <= 0.9


# ----------------------------------------------------------------------------------------------------
# Prediction
# ----------------------------------------------------------------------------------------------------


@given(regression_cases())
def test_envelope_is_what_all_rows_say(case):
    """The bounds by plain loops over rows; the prediction is their middle."""
    model = fit(case)
    steps = slope(case) * cdist(Q, case.X)
    found = model.predict_bounds(Q)
    np.testing.assert_allclose(found.lower, (model.fitted_values_ - steps).max(axis=1), atol=1e-8)
    np.testing.assert_allclose(found.upper, (model.fitted_values_ + steps).min(axis=1), atol=1e-8)
    np.testing.assert_allclose(found.prediction, 0.5 * (found.lower + found.upper), atol=1e-8)
    np.testing.assert_array_equal(model.predict(Q), found.prediction)


@given(regression_cases(), st.sampled_from(LOSSES))
def test_training_rows_get_their_fitted_values(case, loss):
    """At a training row both bounds meet."""
    model = fit(case, loss=loss[0], quantile=loss[1])
    for part in model.predict_bounds(case.X):
        np.testing.assert_allclose(part, model.fitted_values_, atol=1e-8)


@given(regression_cases(), st.sampled_from(["euclidean", "manhattan", "chebyshev"]))
def test_predictions_change_by_no_more_than_the_slope(case, metric):
    """The certificate: |f(x) - f(x')| <= gamma range d(x, x'), for predictions and for both ends of intervals."""
    model = FGARegressor(gamma=case.gamma, metric=metric, interval=0.9, scale=None).fit(case.X, case.y)
    rows = np.vstack([Q, case.X])
    name = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}[metric]
    distances = cdist(rows, rows, name) / {"euclidean": np.sqrt(2), "manhattan": 2, "chebyshev": 1}[metric]
    for values in (model.predict(rows), *model.predict_interval(rows)):
        assert excess(values, distances, slope(case)) <= 1e-8


def test_targets_0_and_1_are_the_classifier():
    """Bounds are those of the classifier, labels too, and degrees wherever a training row speaks on both sides."""
    rng = np.random.default_rng(5)
    X, new = rng.normal(size=(80, 3)), rng.normal(size=(200, 3))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    for gamma in (0.7, 2.0, 8.0):
        model, classifier = FGARegressor(gamma=gamma).fit(X, y), FGAClassifier(gamma=gamma).fit(X, y)
        np.testing.assert_allclose(
            np.where(y == 1, model.fitted_values_, 1 - model.fitted_values_), classifier.beta_, atol=1e-12
        )
        expected = classifier.memberships(new)
        lower, upper = model.predict_interval(new)
        np.testing.assert_allclose(lower, expected.lower[:, 1], atol=1e-12)
        np.testing.assert_allclose(upper, expected.upper[:, 1], atol=1e-12)
        np.testing.assert_array_equal(model.predict(new) > 0.5, classifier.predict(new) == 1)
        spoken = (lower > 0) & (upper < 1)
        np.testing.assert_allclose(model.predict(new)[spoken], expected.degree[spoken, 1], atol=1e-12)


def test_one_column_between_rows_that_agree_is_the_classical_interpolation():
    """Where no target is contradicted, values at rows are targets, and the middle lies between two neighbours."""
    x, y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 1.0, 1.0, 3.0])
    model = FGARegressor(gamma=2.0, scale=None).fit(x[:, None], y)
    np.testing.assert_allclose(model.fitted_values_, y)
    found = model.predict_bounds([[0.5], [3.0]])
    np.testing.assert_allclose(found.lower, [-2.0, -3.0])
    np.testing.assert_allclose(found.upper, [3.0, 7.0])
    np.testing.assert_allclose(found.prediction, [0.5, 2.0])


@given(regression_cases(), st.lists(st.floats(0.01, 0.99), min_size=2, max_size=4, unique=True))
def test_quantiles_do_not_cross(case, quantiles):
    """Neither at training rows nor elsewhere, for any number of quantiles."""
    models = [fit(case, loss="quantile", quantile=quantile) for quantile in sorted(quantiles)]
    for before, after in pairwise(models):
        assert (before.fitted_values_ <= after.fitted_values_ + 1e-8).all()
        for low, high in zip(before.predict_bounds(Q), after.predict_bounds(Q), strict=True):
            assert (low <= high + 1e-8).all()


@given(regression_cases(), st.floats(0.01, 0.99))
def test_intervals_are_made_of_two_quantiles(case, share):
    """From the lower extension of the one to the upper of the other, no further than the targets reach."""
    model = fit(case, interval=share)
    ends = [fit(case, loss="quantile", quantile=q) for q in (0.5 - 0.5 * share, 0.5 + 0.5 * share)]
    lower, upper = model.predict_interval(Q)
    least, most = case.y.min(), case.y.max()
    np.testing.assert_allclose(lower, np.clip(ends[0].predict_bounds(Q).lower, least, most), atol=1e-8)
    np.testing.assert_allclose(upper, np.clip(ends[1].predict_bounds(Q).upper, least, most), atol=1e-8)
    assert (lower <= upper).all()


def test_refit_without_interval_forgets_it():
    """Attributes tell of the last fit."""
    X, y = [[0.0], [1.0], [2.0]], [0.0, 5.0, 1.0]
    model = FGARegressor(interval=0.5).fit(X, y)
    assert len(model.interval_solutions_) == 2
    assert not hasattr(model.set_params(interval=None).fit(X, y), "interval_solutions_")


def test_real_data_are_predicted():
    """About as well as linear regression on data that are nearly linear and full of noise."""
    X, y = load_diabetes(return_X_y=True)
    model, linear = FGARegressor(gamma=3.0).fit(X[::2], y[::2]), LinearRegression().fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.8 * linear.score(X[1::2], y[1::2])


# ----------------------------------------------------------------------------------------------------
# Monotone columns
# ----------------------------------------------------------------------------------------------------


@given(regression_cases(n_features=1), st.sampled_from([1, -1]))
def test_one_monotone_column_and_a_huge_gamma_are_isotonic_regression(case, direction):
    """Equal at the training rows and beyond them."""
    model = FGARegressor(gamma=1e7, monotonic_cst=[direction]).fit(case.X, case.y, sample_weight=case.weights)
    isotonic = IsotonicRegression(increasing=direction > 0, out_of_bounds="clip")
    isotonic.fit(case.X[:, 0], case.y, sample_weight=case.weights)
    np.testing.assert_allclose(model.predict(case.X), isotonic.predict(case.X[:, 0]), atol=1e-8)
    outside = np.array([[-1.0], [9.0]])
    np.testing.assert_allclose(model.predict(outside), isotonic.predict(outside[:, 0]), atol=1e-8)


@given(regression_cases(n_features=3), st.sampled_from(["euclidean", "manhattan", "chebyshev"]))
def test_predictions_are_monotone(case, metric):
    """More of the first column never lowers, more of the second never raises what is predicted."""
    model = FGARegressor(gamma=case.gamma, metric=metric, interval=0.8, monotonic_cst=[1, -1, 0]).fit(case.X, case.y)
    rows = queries(1, n=30, n_features=3)
    better = rows + np.array([0.7, -0.3, 0.0])
    for before, after in zip(
        (model.predict(rows), *model.predict_interval(rows)),
        (model.predict(better), *model.predict_interval(better)),
        strict=True,
    ):
        assert (before <= after + 1e-9).all()


@given(regression_cases(n_features=2))
def test_monotone_training_solves_the_quadratic_program(case):
    """Only being above counts in a monotone column."""
    tail, head = ordered_pairs(len(case.y))
    spans = np.where(np.ptp(case.X, axis=0) > 0, np.ptp(case.X, axis=0), 1.0)
    step = (case.X[tail] - case.X[head]) / spans
    distances = np.hypot(np.maximum(step[:, 0], 0.0), step[:, 1]) / np.sqrt(2)
    expected = difference_oracle(case.y, tail, head, slope(case) * distances, case.weights)
    model = FGARegressor(gamma=case.gamma, monotonic_cst={0: 1}).fit(case.X, case.y, sample_weight=case.weights)
    np.testing.assert_allclose(model.fitted_values_, expected, atol=1e-7)
    for part in model.predict_bounds(case.X):
        np.testing.assert_allclose(part, model.fitted_values_, atol=1e-8)


@given(regression_cases(n_features=2))
def test_bounds_of_monotone_columns_end_where_fitted_values_do(case):
    """A row that has nothing below it, or nothing above, is still predicted in the middle of its bounds."""
    model = FGARegressor(gamma=50.0, monotonic_cst=[1, 1]).fit(case.X, case.y)
    found = model.predict_bounds(Q)
    assert found.lower.min() >= model.fitted_values_.min() - 1e-12
    assert found.upper.max() <= model.fitted_values_.max() + 1e-12
    np.testing.assert_allclose(found.prediction, 0.5 * (found.lower + found.upper), atol=1e-9)


def test_old_names_warn():
    model = FGARegressor().fit([[0.0], [1.0]], [1.0, 2.0])
    with pytest.warns(FutureWarning, match="fitted_ is now called fitted_values_"):
        assert model.fitted_ is model.fitted_values_
    with pytest.warns(FutureWarning, match=r"envelope\(X\) is now called predict_bounds\(X\)"):
        np.testing.assert_array_equal(model.envelope([[0.5]]), model.predict_bounds([[0.5]]))
