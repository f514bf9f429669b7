"""FGARegressorCV chooses as a grid search does, and is a regressor with the gamma that it chose."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.metrics import make_scorer, mean_absolute_error, r2_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold

from fgac import FGARegressor, FGARegressorCV
from fgac.selection.regressor_cv import GAMMAS
from support.grid_search import PLAIN

FEW = [0.2, 2.0, 20.0]


def default_score(model, X, y):
    """Return R2 where a guess is the mean of the training targets, found the slow way."""
    state = model._state
    seen = state.targets[state.records.nodes]
    bounds, predicted = model.predict_bounds(X), model.predict(X)
    # With monotone columns bounds are cut off at the fitted values, which are no arguments.
    fitted = model.fitted_values_
    ends = model.target_scale
    floor, ceiling = (max(ends[0], fitted.min()), min(ends[1], fitted.max())) if model.monotonic_cst else ends
    slack = 1e-9 * (seen.max() - seen.min())
    guess = (bounds.lower <= floor + slack) & (bounds.upper >= ceiling - slack)
    return r2_score(y, np.where(guess, seen.mean(), predicted))


@pytest.fixture(scope="module")
def data():
    """Return every third row of the diabetes data."""
    X, y = load_diabetes(return_X_y=True)
    return X[::3], y[::3]


def test_parameters_are_those_of_the_regressor_without_gamma():
    """And four of its own; distances are learned by default, and the scale of the targets is that of the usual ones."""
    own = FGARegressorCV().get_params()
    assert [own.pop(name) for name in ("gammas", "cv", "scoring")] == [None] * 3
    assert own.pop("max_rows") == 5000
    plain = FGARegressor(metric="learned", target_scale="robust").get_params()
    del plain["gamma"]
    assert own == plain
    assert is_regressor(FGARegressorCV())


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"loss": "absolute_error"},
        {"loss": "quantile", "quantile": 0.3},
        {"metric": "manhattan", "scale": "robust"},
        {"monotonic_cst": {2: 1, 8: 1}},
    ],
)
@pytest.mark.parametrize("scale", ["range", "robust"])
def test_scores_are_those_of_a_grid_search(data, settings, scale):
    """The same folds, the same models, the same choice; what gamma counts in is the scale of all rows in every fold."""
    X, y = data
    settings = {**PLAIN, **settings}
    found = FGARegressorCV(gammas=FEW, cv=KFold(3), target_scale=scale, **settings).fit(X, y)
    ends = {"range": [0, 100], "robust": [5, 95]}[scale]
    ends = tuple(np.percentile(y, ends, method="averaged_inverted_cdf"))
    plain = FGARegressor(target_scale=ends, **settings)
    grid = GridSearchCV(plain, {"gamma": FEW}, cv=KFold(3), scoring=default_score).fit(X, y)
    for name in ("split0_test_score", "split2_test_score", "mean_test_score", "std_test_score"):
        np.testing.assert_allclose(found.cv_results_[name], grid.cv_results_[name], atol=1e-9)
    assert found.cv_results_["params"] == grid.cv_results_["params"]
    assert found.gamma == found.gamma_ == grid.best_params_["gamma"]
    assert found.best_score_ == pytest.approx(grid.best_score_)
    assert found.n_splits_ == 3
    np.testing.assert_allclose(found.predict(X), grid.predict(X), atol=1e-9)


def test_weights_count_in_training_and_in_scores(data):
    """A row of weight 0 is neither trained on nor scored."""
    X, y = data
    weight = np.arange(len(y)) % 3
    there = weight > 0
    folds = [(np.flatnonzero(np.arange(len(y)) % 2 == k), np.flatnonzero(np.arange(len(y)) % 2 != k)) for k in (0, 1)]
    place = np.cumsum(there) - 1
    fewer = [tuple(place[rows[there[rows]]] for rows in fold) for fold in folds]
    one = FGARegressorCV(gammas=FEW, cv=folds).fit(X, y, sample_weight=weight)
    other = FGARegressorCV(gammas=FEW, cv=fewer).fit(X[there], y[there], sample_weight=weight[there])
    np.testing.assert_allclose(one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], atol=1e-9)


def test_of_equal_scores_the_smallest_gamma_is_chosen():
    """Where gamma makes no difference."""
    model = FGARegressorCV(gammas=[5.0, 2.0, 3.0], cv=2, scoring="neg_mean_absolute_error")
    model.fit([[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 1.0, 1.0])
    assert model.gamma_ == 2.0
    assert model.cv_results_["rank_test_score"].tolist() == [1, 1, 1]


def test_a_scorer_of_the_users_sees_the_table_as_it_was_given(data):
    """Also if it is a frame, and the model is a whole FGARegressor."""
    X, y = pd.DataFrame(data[0]).add_prefix("c"), data[1]
    seen = []

    def scorer(estimator, part, truth):
        seen.append((type(estimator), list(part.columns), estimator.solution_.is_optimal()))
        return -mean_absolute_error(truth, estimator.predict(part))

    own = FGARegressorCV(gammas=FEW, cv=2, scoring=scorer).fit(X, y)
    named = FGARegressorCV(gammas=FEW, cv=2, scoring="neg_mean_absolute_error").fit(X, y)
    np.testing.assert_allclose(own.cv_results_["mean_test_score"], named.cv_results_["mean_test_score"])
    assert seen == [(FGARegressor, list(X.columns), True)] * 6


def test_intervals_are_made_of_rows_held_out(data):
    """Errors and spreads are found by a loop over the folds, and two quantiles of their ratios by sorting."""
    X, y = data
    model = FGARegressorCV(gammas=FEW, cv=KFold(3), interval=0.8, **PLAIN).fit(X, y)
    usual = tuple(np.percentile(y, [5, 95], method="averaged_inverted_cdf"))
    plain = FGARegressor(gamma=model.gamma_, target_scale=usual)
    errors = np.concatenate([y[b] - plain.fit(X[a], y[a]).predict(X[b]) for a, b in KFold(3).split(X)])
    sizes = np.abs(errors)
    np.testing.assert_allclose(model.spread_._state.targets[model.spread_._state.records.nodes], sizes)
    spread = FGARegressor(gamma=model.spread_.gamma, target_scale="robust")
    found = np.concatenate([spread.fit(X[a], sizes[a]).predict(X[b]) for a, b in KFold(3).split(X)])
    found = np.maximum(found, 0.05 * sizes.mean())
    place = int(np.ceil(0.9 * (len(y) + 1))) - 1
    ratios = np.sort(errors / found), np.sort(-errors / found)
    assert model.interval_factors_ == pytest.approx((-ratios[1][place], ratios[0][place]))
    width = np.maximum(spread.fit(X, sizes).predict(X), 0.05 * sizes.mean())
    for end, factor in zip(model.predict_interval(X), model.interval_factors_, strict=True):
        np.testing.assert_allclose(end, np.clip(model.predict(X) + factor * width, y.min(), y.max()))
    np.testing.assert_array_equal(model.best_estimator_.predict_interval(X), model.predict_interval(X))
    assert model.interval_solutions_[0].is_optimal()


@pytest.mark.parametrize("noise", [0.05, 1.0])
def test_intervals_hold_their_share_of_new_rows(noise):
    """Whether rows are full of noise, or hardly have any."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 3))
    y = X[:, 0] + np.sin(2 * X[:, 1]) + noise * rng.normal(size=700)
    model = FGARegressorCV(gammas=FEW, cv=5, interval=0.8, **PLAIN).fit(X[:400], y[:400])
    lower, upper = model.predict_interval(X[400:])
    assert (lower <= upper).all()
    assert 0.74 <= np.mean((lower <= y[400:]) & (y[400:] <= upper)) <= 0.86


def test_intervals_are_wide_where_rows_are_noisy_and_narrow_where_not():
    """A fifth of the rows has ten times the noise, by a column that says nothing of the target itself."""
    rng = np.random.default_rng(1)
    X = rng.random((1000, 4))
    noisy = X[:, 1] > 0.8
    y = 5 * X[:, 0] + np.where(noisy, 3.0, 0.3) * rng.normal(size=1000)
    model = FGARegressorCV(interval=0.9).fit(X[:500], y[:500])
    lower, upper = model.predict_interval(X[500:])
    inside, noisy = (lower <= y[500:]) & (y[500:] <= upper), noisy[500:]
    assert inside[noisy].mean() > 0.8
    assert inside[~noisy].mean() > 0.85
    assert np.median((upper - lower)[noisy]) > 4 * np.median((upper - lower)[~noisy])


def test_intervals_widen_beyond_all_training_rows():
    """Where predictions stay what they are at the edge, the truth may go on; within, nothing is wider."""
    rng = np.random.default_rng(2)
    X = rng.random((300, 2))
    y = 4 * X[:, 0] + 0.1 * rng.normal(size=300)
    model = FGARegressorCV(interval=0.9).fit(X, y)
    far = np.column_stack([np.array([0.5, 1.5, 2.0, 3.0]), np.full(4, 0.5)])
    lower, upper = model.predict_interval(far)
    assert (np.diff(upper - lower) > 0).all()
    assert ((lower <= 4 * far[:, 0]) & (4 * far[:, 0] <= upper)).all()
    reasons = model.explain(far)
    assert [why.interval.room > 0 for why in reasons] == [False, True, True, True]
    assert "is wider by" in reasons[1].text()
    assert "is wider by" not in reasons[0].text()


def test_weights_count_for_intervals(data):
    """A row of weight 0 is not there, a row of weight 2 is there twice."""
    X, y = data
    weight = np.arange(len(y)) % 3
    again = np.repeat(np.arange(len(y)), weight)
    parts = np.arange(len(y)) % 2
    folds = [(np.flatnonzero(parts == k), np.flatnonzero(parts != k)) for k in (0, 1)]
    other = [(np.flatnonzero(parts[again] == k), np.flatnonzero(parts[again] != k)) for k in (0, 1)]
    one = FGARegressorCV(gammas=[2.0], cv=folds, interval=0.8).fit(X, y, sample_weight=weight)
    two = FGARegressorCV(gammas=[2.0], cv=other, interval=0.8).fit(X[again], y[again])
    assert one.interval_factors_ == pytest.approx(two.interval_factors_)


def test_one_target_far_off_does_not_spoil_the_others(data):
    """It changes neither the unit of gamma nor, but for its neighbours, what is predicted."""
    X, y = data
    wrong = y.copy()
    wrong[7] = 1e6
    one, other = (FGARegressorCV(**PLAIN).fit(X, target) for target in (y, wrong))
    assert 0.5 <= one.gamma_ / other.gamma_ <= 2
    assert np.median(np.abs(one.predict(X) - other.predict(X))) < 0.2 * y.std()


def test_gammas_go_on_where_scores_still_rise():
    """A function of twenty steps is steeper than any gamma of ours; nothing at all is flatter."""
    x = np.linspace(0, 1, 400)[:, None]
    steps = np.floor(20 * x[:, 0]) % 2
    model = FGARegressorCV(**PLAIN).fit(x, steps)
    assert model.gamma_ > 50
    assert (np.diff(model.cv_results_["param_gamma"]) > 0).all()
    assert len(model.cv_results_["params"]) == len(model.cv_results_["split0_test_score"]) > 17
    noise = np.random.default_rng(0).normal(size=400)
    assert FGARegressorCV(**PLAIN).fit(x, noise).gamma_ < 0.1
    with pytest.warns(UserWarning, match="larger ones may be better: give some in gammas"):
        FGARegressorCV(gammas=[0.1, 0.2, 0.5, 0.7, 1.0], **PLAIN).fit(x, steps)


def test_precomputed_distances(data):
    """Both sides of the matrix are cut."""
    X, y = data
    matrix = euclidean_distances(X) / np.sqrt(X.shape[1])
    one = FGARegressorCV(gammas=FEW, cv=KFold(2), metric="precomputed").fit(matrix, y)
    other = FGARegressorCV(gammas=FEW, cv=KFold(2), metric="euclidean", scale=None).fit(X, y)
    np.testing.assert_allclose(one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], atol=1e-9)


def test_chosen_is_the_plain_regressor(data):
    """It predicts and explains the same, and can be saved and loaded."""
    X, y = data
    model = FGARegressorCV(gammas=FEW, cv=2).fit(X, y)
    plain = model.best_estimator_
    assert type(plain) is FGARegressor
    assert repr(plain) == f"FGARegressor(gamma={model.gamma_}, metric='learned', target_scale='robust')"
    assert not hasattr(plain, "cv_results_")
    np.testing.assert_array_equal(plain.predict(X), model.predict(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(model).get_params() == model.get_params()


def test_nothing_was_chosen_before_fit():
    """Neither gamma nor a regressor."""
    with pytest.raises(NotFittedError):
        _ = FGARegressorCV().gamma
    with pytest.raises(NotFittedError):
        _ = FGARegressorCV().best_estimator_


def test_default_gammas_and_threads(data):
    """Seventeen numbers; two threads choose what one chooses."""
    X, y = data
    one, two = (FGARegressorCV(cv=2, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["param_gamma"], GAMMAS)
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


def test_metadata_are_routed(data):
    """Groups to the splitter, weights to the scorer."""
    X, y = data
    groups, weight = np.arange(len(y)) % 4, np.arange(len(y)) % 3 + 1.0
    scorer = make_scorer(mean_absolute_error, greater_is_better=False)
    with sklearn.config_context(enable_metadata_routing=True):
        model = FGARegressorCV(
            gammas=FEW,
            cv=GroupKFold(2),
            scoring=scorer.set_score_request(sample_weight=True),
            target_scale="range",
            **PLAIN,
        ).set_fit_request(sample_weight=True)
        model.fit(X, y, sample_weight=weight, groups=groups)
    train, test = next(GroupKFold(2).split(X, y, groups))
    plain = FGARegressor(gamma=FEW[0], target_scale=(y.min(), y.max()))
    plain.fit(X[train], y[train], sample_weight=weight[train])
    expected = -mean_absolute_error(y[test], plain.predict(X[test]), sample_weight=weight[test])
    assert model.cv_results_["split0_test_score"][0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"gammas": "path"}, "gammas='path' must be a list of positive numbers"),
        ({"gammas": []}, "must be a list of positive numbers"),
        ({"gammas": [1.0, -1.0]}, "each of gammas=-1.0 must be a positive finite number"),
        ({"scoring": 5}, "scoring=5 must be a name"),
        ({"scoring": lambda model, X, y: "good"}, "scoring gave 'good' of type str"),
        ({"loss": "log"}, "loss='log' is unknown"),
    ],
)
def test_wrong_settings_are_refused_in_words(data, settings, told):
    """Every error says what was expected."""
    with pytest.raises(ValueError, match=told):
        FGARegressorCV(cv=2, **{"gammas": FEW, **settings}).fit(*data)


def test_folds_too_small_for_r2_are_refused():
    """Of eight rows five folds of the caller's hold out one or two; other scores can be had, and ours are larger."""
    X, y = np.arange(8.0)[:, None], np.arange(8.0)
    with pytest.raises(ValueError, match=r"R2 needs at least two rows.* give fewer folds"):
        FGARegressorCV(cv=KFold(5)).fit(X, y)
    other = FGARegressorCV(cv=KFold(5), scoring="neg_mean_absolute_error", gammas=[1.0, 2.0])
    assert other.fit(X, y).gamma_ in (1.0, 2.0)
    assert FGARegressorCV(gammas=[1.0]).fit(X, y).n_splits_ == 4
