"""What a sceptic asks of ``feature_weights="learned"``: no leak, no dependence on accidents, told where it counts."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGARegressor,
    FGARegressorCV,
    FRNNClassifier,
    load_model,
    save_model,
)

LEARNED = {"feature_weights": "learned", "metric": "manhattan"}
# A search scores as scikit-learn does only if it is asked to, and weighs classes unless it is asked not to.
ACCURACY = {"scoring": "accuracy", "class_weight": None}
ESTIMATORS = [FGAClassifier, FGAOrdinalClassifier, FGARegressor, FRNNClassifier]


def informative(seed=0, n=90):
    """Return rows of which the first column tells the class, the second a little; noise, and one constant."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 4)), np.full(n, 2.0)])
    y = np.digitize(2.0 * X[:, 0] + 0.7 * X[:, 1] + 0.3 * rng.normal(size=n), [-0.8, 0.8])
    return X, y


# ----------------------------------------------------------------------------------------------------
# They are what they claim to be
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", ESTIMATORS)
@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
def test_the_telling_column_counts_most_and_a_constant_one_nothing(make, metric):
    X, y = informative()
    weights = make(feature_weights="learned", metric=metric).fit(X, y).feature_weights_
    assert weights.shape == (5,)
    assert (weights >= 0.0).all()
    assert weights.argmax() == 0
    assert weights[4] == 0.0
    assert weights[0] > 2.0 * weights[2:].max()


@pytest.mark.parametrize("make", ESTIMATORS)
def test_learned_weights_act_as_the_same_weights_given(make):
    X, y = informative()
    learned = make(gamma=4.0, **LEARNED).fit(X, y)
    given = make(gamma=4.0, metric="manhattan", feature_weights=learned.feature_weights_).fit(X, y)
    assert_array_equal(learned.predict(X + 0.1), given.predict(X + 0.1))


def test_gamma_loss_and_ties_do_not_matter():
    X, y = informative()
    base = FGAClassifier(**LEARNED).fit(X, y).feature_weights_
    for other in ({"gamma": 30.0}, {"loss": "absolute_error"}, {"ties": "first"}, {"n_jobs": 2}):
        assert_array_equal(FGAClassifier(**LEARNED, **other).fit(X, y).feature_weights_, base)


def test_a_column_that_tells_nothing_raises_no_warning():
    X = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])[:, None]
    model = FGARegressor(**LEARNED).fit(X, [2.0, 2.0, 2.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 1.0])
    assert_array_equal(model.feature_weights_, [1.0])


@pytest.mark.parametrize("make", ESTIMATORS)
@pytest.mark.parametrize("rows", [[0], [0, 0], [0, 1]])
def test_hardly_any_rows(make, rows):
    X, y = np.array([[1.0, 5.0], [2.0, 5.0]])[rows], np.array([3, 4])[rows]
    model = make(**LEARNED).fit(X, y)
    assert np.isfinite(model.feature_weights_).all()
    assert model.feature_weights_.sum() > 0.0
    assert_array_equal(model.set_params(gamma=9.0).fit(X, y).predict(X), y)


# ----------------------------------------------------------------------------------------------------
# No accidents
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_weight_two_is_twice_and_weight_zero_is_absent_in_any_order(make):
    X, y = informative(n=60)
    X[:20] = X[20:40]  # equal rows, some with other classes
    rng = np.random.default_rng(1)
    weight = rng.integers(0, 3, 60)
    rows = rng.permutation(np.repeat(np.arange(60), weight))
    weighted = make(**LEARNED).fit(X, y, sample_weight=weight)
    repeated = make(**LEARNED).fit(X[rows], y[rows])
    assert_allclose(repeated.feature_weights_, weighted.feature_weights_, rtol=1e-12)
    assert_allclose(repeated.predict(X), weighted.predict(X), atol=1e-8)


def test_class_names_do_not_matter_and_class_weights_do():
    X, y = informative(1)
    base = FGAClassifier(**LEARNED).fit(X, y).feature_weights_
    for names in (["c", "a", "b"], ["a", "b", "c"], [10, -3, 0]):
        assert_array_equal(FGAClassifier(**LEARNED).fit(X, np.array(names)[y]).feature_weights_, base)
    # A class of weight w is its rows w times.
    heavy = FGAClassifier(**LEARNED, class_weight={0: 3, 1: 1, 2: 1}).fit(X, y).feature_weights_
    thrice = np.repeat(np.arange(90), np.where(y == 0, 3, 1))
    assert_allclose(FGAClassifier(**LEARNED).fit(X[thrice], y[thrice]).feature_weights_, heavy, rtol=1e-12)
    assert not np.allclose(heavy, base)


# ----------------------------------------------------------------------------------------------------
# No leak
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["range", "rank"])
def test_the_search_agrees_with_a_plain_grid_search(scale):
    """That one learns inside every fold because scikit-learn's fit sees no other rows."""
    X, y = informative(3, n=70)
    folds, grid = StratifiedKFold(3), [0.1, 2.0, 30.0]
    ours = FGAClassifierCV(gammas=grid, cv=folds, scale=scale, **ACCURACY, **LEARNED).fit(X, y)
    theirs = GridSearchCV(FGAClassifier(scale=scale, **LEARNED), {"gamma": grid}, cv=folds).fit(X, y)
    assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-12)
    plain = FGAClassifier(gamma=2.0, scale=scale, **LEARNED)
    assert_allclose(cross_val_score(plain, X, y, cv=folds).mean(), ours.cv_results_["mean_test_score"][1], atol=1e-12)
    assert_array_equal(ours.best_estimator_.feature_weights_, plain.fit(X, y).feature_weights_)


def test_the_regression_search_agrees_too():
    X, y = informative(4, n=70)
    target = y + X[:, 1]
    folds, grid = KFold(3), [0.1, 2.0, 30.0]
    ours = FGARegressorCV(gammas=grid, cv=folds, scoring="r2", **LEARNED).fit(X, target)
    usual = tuple(np.percentile(target, [5, 95], method="averaged_inverted_cdf"))  # of all rows, not of every fold
    theirs = GridSearchCV(FGARegressor(target_scale=usual, **LEARNED), {"gamma": grid}, cv=folds).fit(X, target)
    assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-9)


def test_labels_of_rows_held_out_cannot_be_seen():
    """With labels by lot, weights that had seen the rows held out would do better than chance."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 40)), np.arange(60) % 2
    settings = {"gammas": [2.0], "cv": StratifiedKFold(3), **ACCURACY}
    scores = [FGAClassifierCV(**settings, **LEARNED).fit(X, rng.permutation(y)).best_score_ for _ in range(4)]
    assert np.mean(scores) < 0.6
    # They would: the same weights, learned from all rows, are very good at rows that they have seen.
    seen = FGAClassifier(**LEARNED).fit(X, y).feature_weights_
    leaking = FGAClassifierCV(**settings, metric="manhattan", feature_weights=seen).fit(X, y)
    assert leaking.best_score_ > np.mean(scores)


def test_the_path_of_gamma_takes_learned_weights():
    X, y = informative(5, n=40)
    clf = FGAClassifierCV(gammas="path", cv=StratifiedKFold(3), **ACCURACY, **LEARNED).fit(X, y)
    again = cross_val_score(FGAClassifier(gamma=clf.gamma_, **LEARNED), X, y, cv=StratifiedKFold(3)).mean()
    assert_allclose(clf.best_score_, again, atol=1e-12)


# ----------------------------------------------------------------------------------------------------
# Monotone columns, files, words
# ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [FGAOrdinalClassifier, FGARegressor])
def test_monotone_predictions_stay_monotone(make):
    X, y = informative(6)
    model = make(gamma=4.0, monotonic_cst=[1, 0, -1, 0, 0], **LEARNED).fit(X, y)
    better = X + np.abs(np.random.default_rng(6).normal(size=X.shape)) * [1, 0, -1, 0, 0]
    assert (model.predict(better) >= model.predict(X)).all()


@pytest.mark.parametrize("make", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_a_stored_copied_or_cloned_model_knows_its_weights(make, tmp_path):
    X, y = informative(7)
    model = make(**LEARNED).fit(X, y)
    save_model(model, tmp_path / "model.fgac")
    for again in (load_model(tmp_path / "model.fgac"), pickle.loads(pickle.dumps(model))):
        assert again.feature_weights == "learned"
        assert_array_equal(again.feature_weights_, model.feature_weights_)
        assert_array_equal(again.predict(X + 0.1), model.predict(X + 0.1))
    fresh = clone(model)
    assert not hasattr(fresh, "feature_weights_")
    assert_array_equal(fresh.fit(X, y).feature_weights_, model.feature_weights_)


@pytest.mark.parametrize("make", [FGAClassifier, FGAOrdinalClassifier, FGARegressor])
def test_explanations_tell_the_weights(make, tmp_path):
    pd = pytest.importorskip("pandas")
    X, y = informative(8)
    frame = pd.DataFrame(X, columns=["age", "income", "noise", "static", "constant"])
    model = make(**LEARNED).fit(frame, y)
    reasons = model.explain(frame[:2])
    told = {reading.name: reading.weight for reading in reasons[0].attributes}
    assert list(told.values()) == model.feature_weights_.tolist()
    stored = {part["name"]: part.get("weight", 1.0) for part in reasons[0].to_dict()["attributes"]}
    assert stored == told
    assert type(reasons).from_json(reasons.to_json()) == reasons
    reasons.to_html(tmp_path / "page.html")
    for text in (reasons[0].text(), (tmp_path / "page.html").read_text(encoding="utf-8")):
        assert "age" in text
        assert re.search(r"do(es)? not count", text)


def test_distances_alone_have_no_columns_to_weigh():
    distances = np.array([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="speak of columns"):
        FGAClassifier(metric="precomputed", feature_weights="learned").fit(distances, [0, 1])


def test_another_word_is_refused():
    with pytest.raises(ValueError, match="learned"):
        FGAClassifier(feature_weights="learnt").fit([[0.0], [1.0]], [0, 1])


def test_a_model_that_is_not_fitted_has_no_weights_to_draw():
    plot = pytest.importorskip("fgac.plot")
    pytest.importorskip("matplotlib")
    with pytest.raises(NotFittedError):
        plot.WeightsDisplay.from_estimator(FGAClassifier())
    with pytest.raises(TypeError, match="expected a model of fgac"):
        plot.WeightsDisplay.from_estimator(object())
