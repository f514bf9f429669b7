"""FGAClassifierCV chooses as GridSearchCV would: the same folds, scores and gamma, for all settings."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone
from sklearn.metrics import make_scorer, pairwise_distances
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, ShuffleSplit, StratifiedKFold

from fgac import FGAClassifier, FGAClassifierCV, audit
from support.frames import as_objects, as_pandas, as_polars, mixed_columns
from support.grid_search import (
    GAMMAS,
    PLAIN_CLASSES,
    assert_like_a_grid_search,
    certainty,
    default_score,
    scores_of,
)
from support.strategies import overlapping

FOLDS = StratifiedKFold(3)
PAPER = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)


def compare(X, y, gammas=GAMMAS, cv=None, scoring=None, **settings):
    """Fit both on the same table and compare them; return ours."""
    cv, settings = FOLDS if cv is None else cv, {**PLAIN_CLASSES, **settings}
    slow = default_score(y) if scoring is None else scoring
    search = GridSearchCV(FGAClassifier(**settings), {"gamma": list(gammas)}, cv=cv, scoring=slow).fit(X, y)
    found = FGAClassifierCV(gammas=gammas, cv=cv, scoring=scoring, **settings).fit(X, y)
    assert_like_a_grid_search(found, search)
    return found


# ----------------------------------------------------------------------------------------------------
# Settings of the classifier
# ----------------------------------------------------------------------------------------------------


SETTINGS = {
    "plain": {},
    "manhattan": {"metric": "manhattan"},
    "chebyshev, first": {"metric": "chebyshev", "ties": "first"},
    "callable": {"metric": pairwise_distances},
    "robust": {"scale": "robust"},
    "unscaled": {"scale": None},
    "balanced": {"class_weight": "balanced"},
    "class weights": {"class_weight": {0: 4.0}},
    "feature weights": {"feature_weights": [1.0, 0.2]},
    "absolute error": {"loss": "absolute_error"},
    "isomorphism": {"isomorphism": 2.0},
    "isomorphism, balanced": {"isomorphism": 0.5, "class_weight": "balanced"},
    "owa": {"owa": "exponential"},
    "owa of few": {"owa": ("additive", 4), "ties": "first"},
    "owa and isomorphism": {"owa": "additive", "isomorphism": 2.0},
    "neighbours": {"n_neighbors": 3},
    "part of neighbours": {"n_neighbors": 0.2, "loss": "absolute_error"},
    "threads": {"n_jobs": 2},
}


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_every_setting(setting, n_classes):
    """Parameters of the classifier mean what they mean there."""
    compare(*overlapping(n=74, n_classes=n_classes, seed=3), **setting)  # no two gammas have equal scores


@pytest.mark.parametrize("setting", [{}, {"loss": "absolute_error"}, {"owa": "additive"}])
def test_precomputed_distances(setting):
    """Both sides of the matrix are cut, for training and for testing."""
    X, y = overlapping()
    compare(pairwise_distances(X) / 4.0, y, metric="precomputed", **setting)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("setting", [{}, {"loss": "absolute_error"}, {"scale": "robust"}, {"ties": "first"}])
def test_rows_on_a_grid(setting, n_classes):
    """Ties in distances, equal rows within classes and across them, in training and between training and test."""
    rng = np.random.default_rng(n_classes)
    X, y = rng.integers(0, 4, size=(90, 2)).astype(float), rng.integers(0, n_classes, 90)
    compare(X, y, **setting)


@pytest.mark.slow
@pytest.mark.parametrize(
    "form",
    [
        lambda columns: as_pandas(columns),
        lambda columns: as_pandas(columns, "object"),
        lambda columns: as_polars(columns),
        lambda columns: as_polars(columns, "Categorical"),
    ],
    ids=["pandas", "pandas objects", "polars", "polars categories"],
)
def test_frames_with_nominal_columns(form):
    """The columns of each fold are learned from its training rows: scales, categories and how many there are."""
    columns, y = mixed_columns(n=60)
    found = compare(form(columns), y)
    plain = compare(as_objects(columns), y, categorical_features=[2, 3, 4])
    assert found.gamma_ == plain.gamma_
    assert list(found.feature_names_in_) == list(columns)


def test_a_category_that_only_one_fold_holds():
    """Its training rows do not know it, so it is new to the model, and not counted as a column."""
    X = pd.DataFrame({"size": np.arange(30.0), "colour": ["red", "green"] * 14 + ["blue", "blue"]})
    y = (np.arange(30) // 3) % 2
    compare(X, y, cv=KFold(5))


@pytest.mark.parametrize("labels", [np.array, lambda y: pd.Series(y, dtype="category"), pl.Series, list])
def test_text_labels(labels):
    X, y = overlapping()
    y = labels(np.array(["setosa", "virginica", "versicolor"])[y].tolist())
    found = compare(X, y)
    assert list(found.classes_) == ["setosa", "versicolor", "virginica"]
    assert set(found.predict(X)) <= set(found.classes_)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["haberman", "glass", "balance"])
def test_published_data(published, name):
    """The paper's gammas on shuffled folds."""
    X, y = published(name)
    compare(X, y, gammas=PAPER, cv=StratifiedKFold(5, shuffle=True, random_state=0))


# ----------------------------------------------------------------------------------------------------
# Folds and scores
# ----------------------------------------------------------------------------------------------------


SCORES = {
    "default": None,
    "accuracy": "accuracy",
    "balanced": "balanced_accuracy",
    "loss": "neg_log_loss",
    "callable": certainty,
    "made": make_scorer(sklearn.metrics.f1_score, average="macro"),
}


@pytest.mark.slow
@pytest.mark.parametrize("scoring", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_kind_of_score(scoring, n_classes):
    compare(*overlapping(n=72, n_classes=n_classes), scoring=scoring)


@pytest.mark.slow
def test_scores_that_need_degrees_of_two_classes():
    X, y = overlapping(n=72, n_classes=2)
    compare(X, y, scoring="roc_auc")
    compare(X, y, scoring="roc_auc", loss="absolute_error")
    compare(X, np.array(["no", "yes"])[y], scoring="roc_auc")
    compare(*overlapping(n=72, n_classes=3), scoring="roc_auc_ovr")


def inquisitive(estimator, X, y):
    """Return a number made of everything that a fitted classifier tells."""
    told = [estimator.gamma, len(estimator.classes_), estimator.n_features_in_, np.nanmean(estimator.beta_)]
    told += [estimator.solution_.objective, estimator.arguments(X).arguments_for.strengths.mean()]
    told += [np.mean([why.degree for why in estimator.explain(X)]), np.mean(estimator.predict(X[::2]) == y[::2])]
    told += [clone(estimator).fit(X, y).score(X, y), len(audit(estimator))]
    return float(np.sum(told))


@pytest.mark.slow
@pytest.mark.parametrize("setting", [{}, {"owa": "additive"}, {"isomorphism": 2.0}, {"n_neighbors": 3}], ids=str)
def test_scorers_may_ask_the_model_anything(setting):
    """What is judged is a fitted classifier, whatever it was made from."""
    X, y = overlapping()
    gammas, how = GAMMAS[1:3], {"cv": StratifiedKFold(2), "scoring": inquisitive}
    search = GridSearchCV(FGAClassifier(**setting), {"gamma": gammas}, **how).fit(X, y)
    found = FGAClassifierCV(gammas=gammas, **how, **PLAIN_CLASSES, **setting).fit(X, y)
    np.testing.assert_allclose(scores_of(found.cv_results_), scores_of(search.cv_results_), atol=1e-8)


def test_a_scorer_gets_what_it_asks_for():
    """Metadata that are routed to the scorer are cut to the rows it judges."""
    X, y = overlapping()
    amounts = np.random.default_rng(0).uniform(1.0, 100.0, 60)
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = make_scorer(lambda y, predicted, amount: np.sum(amount * (y == predicted)))
        scoring = scoring.set_score_request(amount=True)
        search = GridSearchCV(FGAClassifier(), {"gamma": GAMMAS}, scoring=scoring, cv=FOLDS).fit(X, y, amount=amounts)
        found = FGAClassifierCV(gammas=GAMMAS, scoring=scoring, cv=FOLDS, **PLAIN_CLASSES).fit(X, y, amount=amounts)
    np.testing.assert_allclose(scores_of(found.cv_results_), scores_of(search.cv_results_), rtol=1e-12)
    assert found.gamma_ == search.best_params_["gamma"]


CVS = {
    "three": StratifiedKFold(3),
    "splitter": KFold(4),
    "shuffled": StratifiedKFold(3, shuffle=True, random_state=5),
    "random": ShuffleSplit(4, test_size=0.3, random_state=0),
    "list": list(KFold(3).split(np.zeros(60))),
    "bootstrap": [(np.arange(60) // 2, np.arange(30, 60)), (np.arange(59, 0, -1), np.arange(0, 20, 3))],
    "all rows turned round": [(np.arange(60)[::-1], np.arange(10))],
    "masks": [(np.arange(60) % 3 != 0, np.arange(60) % 3 == 0), (np.arange(60) % 2 == 0, np.arange(60) % 2 == 1)],
}


@pytest.mark.parametrize("cv", CVS.values(), ids=CVS)
def test_every_kind_of_folds(cv):
    """Numbers, splitters, splits that overlap, repeat rows, leave rows out, or come as masks."""
    compare(*overlapping(), cv=cv)


def test_folds_may_come_one_by_one():
    X, y = overlapping()
    settings = {"scoring": "accuracy", **PLAIN_CLASSES}
    found = FGAClassifierCV(gammas=GAMMAS, cv=KFold(3).split(X, y), **settings).fit(X, y)
    assert_like_a_grid_search(found, GridSearchCV(FGAClassifier(), {"gamma": GAMMAS}, cv=KFold(3)).fit(X, y))


def test_random_folds_are_drawn_once():
    """All gammas are judged on the same folds: two that give the same model have the same score in each."""
    X, y = overlapping()
    found = FGAClassifierCV(gammas=[1e6, 1.0, 2e6], cv=StratifiedKFold(5, shuffle=True)).fit(X, y)
    scores = scores_of(found.cv_results_)
    np.testing.assert_array_equal(scores[0], scores[2])


def test_groups_are_routed_to_the_splitter():
    X, y = overlapping()
    groups = np.arange(60) // 7
    folds = list(GroupKFold(3).split(X, y, groups))
    search = GridSearchCV(FGAClassifier(), {"gamma": GAMMAS}, cv=folds).fit(X, y)
    with sklearn.config_context(enable_metadata_routing=True):
        settings = {"scoring": "accuracy", **PLAIN_CLASSES}
        found = FGAClassifierCV(gammas=GAMMAS, cv=GroupKFold(3), **settings).fit(X, y, groups=groups)
    assert_like_a_grid_search(found, search)
    assert_like_a_grid_search(
        FGAClassifierCV(gammas=GAMMAS, cv=GroupKFold(3), **settings).fit(X, y, groups=groups), search
    )
    with pytest.raises(ValueError, match="enable_metadata_routing"):
        FGAClassifierCV(gammas=GAMMAS, cv=GroupKFold(3)).fit(X, y, groups=groups, amount=groups)


@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize("rare", [1, 2])
def test_a_class_with_fewer_rows_than_folds(rare):
    """In some folds its rows are not trained on, in most not tested."""
    X, y = overlapping(n_classes=3)
    keep = np.flatnonzero((y != 2) | (np.arange(60) < 3 * rare))
    assert np.sum(y[keep] == 2) == rare
    found = compare(X[keep], y[keep], cv=StratifiedKFold(5))
    assert list(found.classes_) == [0, 1, 2]
