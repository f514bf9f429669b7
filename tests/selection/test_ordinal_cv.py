"""FGAOrdinalClassifierCV chooses as a grid search does, and is a classifier of ordered classes with that gamma."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import balanced_accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold

from fgac import FGAClassifierCV, FGAOrdinalClassifier, FGAOrdinalClassifierCV, load_model, save_model
from fgac.selection.default_folds import default_folds
from fgac.selection.grid import GAMMAS
from fgac.tables.reading import ReadTable
from support.grid_search import PLAIN_CLASSES, classes_off
from support.strategies import table_cases

FEW = [0.7, 2.0, 6.0]
FOLDS = StratifiedKFold(3)
ORDER = ["poor", "fair", "good"]


def grades(n=90, seed=0):
    """Return two columns of which more is better, one that says nothing, and grades in no alphabetical order."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    score = X[:, 0] + X[:, 1] + rng.normal(0, 0.25, n)
    return X, np.array(ORDER)[np.searchsorted([0.8, 1.2], score)]


def is_guess(model, X):
    """Return which rows no training row puts on any side of the boundaries beside their classes."""
    at_least, places = model.at_least(X), [model.class_order_.tolist().index(label) for label in model.predict(X)]
    found = []
    for i, c in enumerate(places):
        beside = [b for b in (c - 1, c) if 0 <= b < len(model.class_order_) - 1]
        silent = [at_least.lower[i, b] <= 1e-9 and at_least.upper[i, b] >= 1 - 1e-9 for b in beside]
        found.append(bool(silent) and all(silent))
    return np.array(found)


def off_score(order=ORDER):
    """Return the number of classes off as a scorer of scikit-learn."""
    return make_scorer(lambda y, predicted: -classes_off(order, np.asarray(y), np.asarray(predicted)))


def default_score(order=ORDER):
    """Return the default score, found the slow way: a guess is off as far as the middle class."""

    def score(model, X, y):
        predicted = np.where(is_guess(model, X), None, model.predict(X))
        return -classes_off(order, np.asarray(y), predicted)

    return score


def test_parameters_are_those_of_the_classifier_without_gamma():
    """And five of its own; distances are learned and classes balanced by default."""
    own = FGAOrdinalClassifierCV().get_params()
    assert [own.pop(name) for name in ("gammas", "cv", "scoring")] == [None] * 3
    assert (own.pop("max_rows"), own.pop("calibrate")) == (5000, True)
    plain = FGAOrdinalClassifier(metric="learned", class_weight="balanced").get_params()
    del plain["gamma"]
    assert own == plain
    assert is_classifier(FGAOrdinalClassifierCV())


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"loss": "absolute_error"},
        {"metric": "manhattan", "scale": "rank", "feature_weights": "learned"},
        {"monotonic_cst": [1, 1, 0]},
        {"monotonic_cst": [1, 1, 0], "class_weight": "balanced", "metric": "chebyshev", "ties": "first"},
        {"n_jobs": 2},
    ],
    ids=str,
)
def test_scores_are_those_of_a_grid_search(settings):
    """The same folds, the same models, the same choice; of equal scores the smallest gamma."""
    X, y = grades()
    settings = {**PLAIN_CLASSES, **settings}
    found = FGAOrdinalClassifierCV(gammas=FEW, cv=FOLDS, class_order=ORDER, **settings).fit(X, y)
    plain = FGAOrdinalClassifier(class_order=ORDER, **settings)
    grid = GridSearchCV(plain, {"gamma": FEW}, cv=FOLDS, scoring=default_score()).fit(X, y)
    for name in ("split0_test_score", "split2_test_score", "mean_test_score", "std_test_score"):
        np.testing.assert_allclose(found.cv_results_[name], grid.cv_results_[name], atol=1e-12)
    assert found.cv_results_["params"] == grid.cv_results_["params"]
    assert found.gamma == found.gamma_ == grid.best_params_["gamma"]
    assert found.best_score_ == pytest.approx(grid.best_score_)
    np.testing.assert_array_equal(found.predict(X), grid.predict(X))


@given(table_cases())
def test_any_table_gets_the_scores_of_a_grid_search(case):
    """Also where folds lack a class, or have one only."""
    if len(case.y) < 4:
        return
    rows = np.arange(len(case.y))
    folds = [(np.flatnonzero(rows % 2 == k), np.flatnonzero(rows % 2 != k)) for k in (0, 1)]
    order = np.unique(case.y)[::-1].tolist()
    settings = {"class_order": order, **PLAIN_CLASSES, **({"metric": case.metric} if hasattr(case, "metric") else {})}
    found = FGAOrdinalClassifierCV(gammas=FEW, cv=folds, **settings).fit(case.X, case.y)
    for k, (train, test) in enumerate(folds):
        for gamma, score in zip(FEW, found.cv_results_[f"split{k}_test_score"], strict=True):
            model = FGAOrdinalClassifier(gamma=gamma, **settings).fit(case.X[train], case.y[train])
            assert score == pytest.approx(default_score(order)(model, case.X[test], case.y[test]))


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "f1_macro", off_score()], ids=str)
def test_other_scores_are_those_of_a_grid_search(scoring):
    X, y = grades()
    settings = {"scoring": scoring, **PLAIN_CLASSES}
    found = FGAOrdinalClassifierCV(gammas=FEW, cv=FOLDS, class_order=ORDER, **settings).fit(X, y)
    grid = GridSearchCV(FGAOrdinalClassifier(class_order=ORDER), {"gamma": FEW}, cv=FOLDS, scoring=scoring).fit(X, y)
    np.testing.assert_allclose(found.cv_results_["mean_test_score"], grid.cv_results_["mean_test_score"], atol=1e-12)


def test_for_two_classes_the_score_is_the_balanced_accuracy_minus_one():
    X, y = grades()
    y = np.where(y == "good", "good", "bad")
    off = FGAOrdinalClassifierCV(gammas=[*FEW, 60.0], cv=FOLDS).fit(X, y).cv_results_
    plain = FGAClassifierCV(gammas=[*FEW, 60.0], cv=FOLDS).fit(X, y).cv_results_
    assert off["mean_argued_share"][-1] < 1
    np.testing.assert_allclose(off["mean_test_score"], plain["mean_test_score"] - 1, atol=1e-12)
    assert classes_off(["bad", "good"], y, y[::-1]) == pytest.approx(1 - balanced_accuracy_score(y, y[::-1]))


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_the_type_of_the_labels_knows_their_order_also_on_folds(kind):
    """A fold has plain labels: sorted, they would be in another order."""
    X, y = grades()
    if kind == "pandas":
        typed = pd.Series(pd.Categorical(y, categories=ORDER, ordered=True))
    else:
        typed = pl.Series(y, dtype=pl.Enum(ORDER))
    found = FGAOrdinalClassifierCV(gammas=FEW, cv=FOLDS).fit(X, typed)
    named = FGAOrdinalClassifierCV(gammas=FEW, cv=FOLDS, class_order=ORDER).fit(X, y)
    assert found.class_order_.tolist() == ORDER
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], named.cv_results_["mean_test_score"])
    assert found.best_estimator_.class_order is None


def test_weights_count_in_training_and_in_scores():
    """A row of weight 0 is neither trained on nor scored."""
    X, y = grades()
    weight = np.arange(len(y)) % 3
    there = weight > 0
    folds = [(np.flatnonzero(np.arange(len(y)) % 2 == k), np.flatnonzero(np.arange(len(y)) % 2 != k)) for k in (0, 1)]
    place = np.cumsum(there) - 1
    fewer = [tuple(place[rows[there[rows]]] for rows in fold) for fold in folds]
    settings = {"gammas": FEW, "class_order": ORDER}
    one = FGAOrdinalClassifierCV(cv=folds, **settings).fit(X, y, sample_weight=weight)
    other = FGAOrdinalClassifierCV(cv=fewer, **settings).fit(X[there], y[there], sample_weight=weight[there])
    np.testing.assert_allclose(one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], atol=1e-12)


def test_it_is_the_classifier_with_the_chosen_gamma(tmp_path):
    X, y = grades()
    ids = [f"house {i}" for i in range(len(y))]
    settings = {"class_order": ORDER, "monotonic_cst": [1, 1, 0], **PLAIN_CLASSES}
    found = FGAOrdinalClassifierCV(gammas=FEW, calibrate=False, **settings).fit(X, y, ids=ids)
    direct = FGAOrdinalClassifier(gamma=found.gamma_, **settings).fit(X, y, ids=ids)
    best = found.best_estimator_
    assert type(best) is FGAOrdinalClassifier
    assert best.get_params() == direct.get_params()
    assert found.is_optimal()
    np.testing.assert_array_equal(found.beta_, direct.beta_)
    assert found.explain(X[:3]).items == best.explain(X[:3]).items == direct.explain(X[:3]).items
    save_model(found, tmp_path / "model.fgac")
    again = load_model(tmp_path / "model.fgac")
    assert repr(again) == repr(best)
    np.testing.assert_array_equal(again.predict_proba(X), found.predict_proba(X))
    for copied in (pickle.loads(pickle.dumps(found)), clone(found).fit(X, y)):
        np.testing.assert_array_equal(copied.predict_proba(X), found.predict_proba(X))


def test_defaults():
    X, y = grades()
    found = FGAOrdinalClassifierCV(class_order=ORDER).fit(X, y)
    assert tuple(found.cv_results_["param_gamma"]) == GAMMAS
    assert found.n_splits_ == 5
    folds = default_folds(ReadTable.of(X, None), y, None, classes=True)
    explicit = {"metric": "learned", "scale": "rank", "class_weight": "balanced", "cv": folds}
    same = FGAOrdinalClassifierCV(class_order=ORDER, **explicit).fit(X, y)
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], same.cv_results_["mean_test_score"])
    np.testing.assert_allclose(found.predict_proba(X), same.predict_proba(X))


def test_groups_are_routed_to_the_splitter():
    X, y = grades()
    groups = np.arange(len(y)) // 15
    with sklearn.config_context(enable_metadata_routing=True):
        found = FGAOrdinalClassifierCV(gammas=FEW, cv=GroupKFold(3)).fit(X, y, groups=groups)
    by_hand = FGAOrdinalClassifierCV(gammas=FEW, cv=list(GroupKFold(3).split(X, y, groups))).fit(X, y)
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], by_hand.cv_results_["mean_test_score"])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gammas": "path"}, r"gammas='path' must be a list of positive numbers, or None for 17 of our choice"),
        ({"gammas": [1.0, -2.0]}, r"each of gammas=-2.0 must be a positive finite number"),
        ({"class_order": ["poor", "fair"]}, r"y holds \['good'\], which class_order"),
        ({"scoring": 3}, r"scoring=3 must be a name"),
        ({"metric": "cosine"}, r"metric='cosine' is unknown"),
    ],
)
def test_wrong_parameters_are_refused(settings, message):
    X, y = grades()
    with pytest.raises((ValueError, TypeError), match=message):
        FGAOrdinalClassifierCV(**settings).fit(X, y)


def test_the_old_name_of_best_estimator_warns():
    X, y = grades()
    found = FGAOrdinalClassifierCV(gammas=FEW).fit(X, y)
    with pytest.warns(FutureWarning, match=r"chosen\(\) is now called best_estimator_"):
        assert found.chosen().get_params() == found.best_estimator_.get_params()
    with pytest.raises(NotFittedError):
        _ = FGAOrdinalClassifierCV().best_estimator_
