"""Weights of rows in FGAClassifierCV: they count in training and in scoring, as they are routed."""

import numpy as np
import pytest
import sklearn
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from fgac import FGAClassifier, FGAClassifierCV
from support.grid_search import GAMMAS, PLAIN_CLASSES, assert_like_a_grid_search, certainty, default_score, scores_of
from support.strategies import overlapping

FOLDS = StratifiedKFold(3)
WEIGHTS = {
    "whole": np.random.default_rng(0).integers(1, 5, 60).astype(float),
    "real": np.random.default_rng(1).uniform(0.1, 9.0, 60),
    "some zero": np.random.default_rng(2).integers(0, 3, 60).astype(float),
}


def weighted_by_hand(X, y, weights, gamma, scoring, **settings):
    """Return the scores of all folds, weights used in training and in scoring."""
    scores = []
    for train, test in FOLDS.split(X, y):
        model = FGAClassifier(gamma=gamma, **settings).fit(X[train], y[train], sample_weight=weights[train])
        judge = default_score(y) if scoring is None else get_scorer(scoring)
        scores.append(judge(model, X[test], y[test], sample_weight=weights[test]))
    return scores


@pytest.mark.slow
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("scoring", [None, "balanced_accuracy"])
@pytest.mark.parametrize("setting", [{}, {"loss": "absolute_error"}, {"class_weight": "balanced", "scale": "robust"}])
def test_weights_count_in_training_and_in_scoring(setting, scoring, weights):
    X, y = overlapping()
    found = FGAClassifierCV(gammas=GAMMAS, scoring=scoring, cv=FOLDS, **{**PLAIN_CLASSES, **setting}).fit(
        X, y, sample_weight=weights
    )
    expected = [weighted_by_hand(X, y, weights, gamma, scoring, **setting) for gamma in GAMMAS]
    np.testing.assert_allclose(scores_of(found.cv_results_), expected, atol=1e-12)
    assert found.gamma_ == GAMMAS[np.argmax(np.mean(expected, axis=1))]
    direct = FGAClassifier(gamma=found.gamma_, **setting).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(found.beta_, direct.beta_, atol=1e-9)


def test_one_weight_for_all_rows():
    """A single number is what it is for the classifier: the same as none."""
    X, y = overlapping()
    weighted = FGAClassifierCV(gammas=GAMMAS).fit(X, y, sample_weight=2.0)
    plain = FGAClassifierCV(gammas=GAMMAS).fit(X, y)
    np.testing.assert_allclose(scores_of(weighted.cv_results_), scores_of(plain.cv_results_), atol=1e-12)


def test_a_score_that_takes_no_weights_gets_none():
    """A function of three arguments is called with three."""
    X, y = overlapping()
    found = FGAClassifierCV(gammas=GAMMAS, scoring=certainty, cv=StratifiedKFold(5), **PLAIN_CLASSES).fit(
        X, y, sample_weight=WEIGHTS["whole"]
    )
    for gamma, scores in zip(GAMMAS, scores_of(found.cv_results_), strict=True):
        for (train, test), score in zip(StratifiedKFold(5).split(X, y), scores, strict=True):
            model = FGAClassifier(gamma=gamma).fit(X[train], y[train], sample_weight=WEIGHTS["whole"][train])
            assert certainty(model, X[test], y[test]) == pytest.approx(score, abs=1e-12)


def test_routed_weights():
    """With metadata routing a scorer that asks for weights gets them, as in a grid search."""
    X, y = overlapping()
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = get_scorer("accuracy").set_score_request(sample_weight=True)
        plain = FGAClassifier().set_fit_request(sample_weight=True)
        search = GridSearchCV(plain, {"gamma": GAMMAS}, scoring=scoring).fit(X, y, sample_weight=WEIGHTS["real"])
        found = FGAClassifierCV(gammas=GAMMAS, scoring=scoring, cv=StratifiedKFold(5), **PLAIN_CLASSES).fit(
            X, y, sample_weight=WEIGHTS["real"]
        )
    assert_like_a_grid_search(found, search)


def test_routed_weights_that_the_scorer_does_not_want():
    """They count in training only."""
    X, y = overlapping()
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = get_scorer("accuracy").set_score_request(sample_weight=False)
        plain = FGAClassifier().set_fit_request(sample_weight=True)
        search = GridSearchCV(plain, {"gamma": GAMMAS}, scoring=scoring).fit(X, y, sample_weight=WEIGHTS["real"])
        found = FGAClassifierCV(gammas=GAMMAS, scoring=scoring, cv=StratifiedKFold(5), **PLAIN_CLASSES).fit(
            X, y, sample_weight=WEIGHTS["real"]
        )
    assert_like_a_grid_search(found, search)


def test_weights_without_a_score_of_ones_own_need_no_request():
    """The default score is ours, and takes the weights of fit whether or not routing is enabled."""
    X, y = overlapping()
    expected = FGAClassifierCV(gammas=GAMMAS).fit(X, y, sample_weight=WEIGHTS["real"]).cv_results_
    with sklearn.config_context(enable_metadata_routing=True):
        found = FGAClassifierCV(gammas=GAMMAS).fit(X, y, sample_weight=WEIGHTS["real"]).cv_results_
    np.testing.assert_allclose(scores_of(found), scores_of(expected), atol=1e-12)
