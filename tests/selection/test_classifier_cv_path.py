"""FGAClassifierCV(gammas="path"): no gamma from 0.5 on has a better score than the one it finds."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

from fgac import FGAClassifier, FGAClassifierCV
from support.frames import as_pandas, mixed_columns
from support.grid_search import PLAIN_CLASSES, default_score
from support.strategies import overlapping

pytestmark = pytest.mark.slow  # whole paths of gamma

FOLDS = StratifiedKFold(2)  # every fold is a path of its own, and takes a second


def grid():
    """Return rows on a grid with ties and duplicates across classes."""
    rng = np.random.default_rng(3)
    return rng.integers(0, 4, size=(40, 2)).astype(float), rng.integers(0, 2, 40)


TABLES = {
    "two classes": overlapping(n=30, n_classes=2),
    "three classes": overlapping(n=30, n_classes=3),
    "moons": make_moons(30, noise=0.3, random_state=0),
    "iris": tuple(part[::5] for part in load_iris(return_X_y=True)),
    "grid": grid(),
    "mixed": (as_pandas(mixed_columns(n=30)[0]), mixed_columns(n=30)[1]),
}


def brute_force(X, y, gammas, cv=FOLDS, scoring=None, **settings):
    """Return the mean scores of a grid search."""
    scoring = default_score(y) if scoring is None else scoring
    search = GridSearchCV(FGAClassifier(**settings), {"gamma": list(gammas)}, cv=cv, scoring=scoring, refit=False)
    return search.fit(X, y).cv_results_["mean_test_score"]


def assert_best(found, X, y, n=20, **how):
    """Assert that no gamma of a fine grid beats the one found, whose score is what a grid search gives it."""
    gammas = np.exp(np.random.default_rng(0).uniform(np.log(0.5), np.log(50.0), n))
    assert found.gamma_ >= 0.5
    assert found.best_score_ == pytest.approx(brute_force(X, y, [found.gamma_], **how)[0], abs=1e-12)
    assert found.best_score_ >= brute_force(X, y, [0.5, *gammas, 1e3], **how).max() - 1e-12


@pytest.fixture(scope="module", params=TABLES.values(), ids=list(TABLES))
def followed(request):
    """A table, and what was found along its path."""
    return request.param, FGAClassifierCV(gammas="path", cv=FOLDS, **PLAIN_CLASSES).fit(*request.param)


def test_no_gamma_of_a_fine_grid_is_better(followed):
    table, found = followed
    assert_best(found, *table)
    direct = FGAClassifier(gamma=found.gamma_).fit(*table)
    np.testing.assert_allclose(found.beta_, direct.beta_, atol=1e-9)
    np.testing.assert_array_equal(found.predict(table[0]), direct.predict(table[0]))


def test_results_list_gammas_with_their_scores(followed):
    """The gammas in cv_results_ have the scores that a grid search gives them; the chosen one is the smallest best."""
    table, found = followed
    results = found.cv_results_
    gammas = np.array([float(gamma) for gamma in results["param_gamma"]])
    assert results["params"] == [{"gamma": gamma} for gamma in gammas]
    some = np.unique(np.linspace(0, len(gammas) - 1, 15).astype(int))
    np.testing.assert_allclose(results["mean_test_score"][some], brute_force(*table, gammas[some]), atol=1e-12)
    best = results["mean_test_score"] >= results["mean_test_score"].max() - 1e-12
    assert found.gamma_ == gammas[best].min()
    assert results["rank_test_score"][list(gammas).index(found.gamma_)] == 1


@pytest.mark.parametrize("seed", [4, 44])
def test_gammas_are_listed_with_their_own_scores(seed):
    """Even where labels change and change back between two looks: what is listed has been scored itself."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2 + seed % 3, 60)
    folds = StratifiedKFold(3)  # with these such changes are known
    results = FGAClassifierCV(gammas="path", cv=folds, **PLAIN_CLASSES).fit(X, y).cv_results_
    listed = np.abs(np.log(results["param_gamma"] / 3.33)) < 0.1
    gammas = results["param_gamma"][listed]
    np.testing.assert_allclose(results["mean_test_score"][listed], brute_force(X, y, gammas, folds), atol=1e-12)


@pytest.mark.parametrize(
    "how",
    [
        {"scoring": "balanced_accuracy"},
        {"metric": "manhattan", "class_weight": "balanced"},
        {"metric": "chebyshev", "ties": "first"},
        {"scale": "robust", "cv": KFold(3, shuffle=True, random_state=0)},
    ],
    ids=str,
)
def test_settings(how):
    X, y = overlapping(n=30, seed=4)
    how = {"cv": FOLDS, **PLAIN_CLASSES, **how}
    assert_best(FGAClassifierCV(gammas="path", **how).fit(X, y), X, y, **how)


def test_precomputed_distances():
    X, y = overlapping(n=30)
    matrix = pairwise_distances(X) / 4.0
    found = FGAClassifierCV(gammas="path", cv=FOLDS, metric="precomputed", class_weight=None).fit(matrix, y)
    assert_best(found, matrix, y, metric="precomputed")


def test_weights():
    """A whole weight is a repeated row, in the choice as well: the folds hold copies together."""
    X, y = overlapping(n=24)
    times = np.random.default_rng(0).integers(1, 4, 24)
    owner = np.repeat(np.arange(24), times)
    folds = list(FOLDS.split(X, y))
    repeated = [(np.flatnonzero(np.isin(owner, train)), np.flatnonzero(np.isin(owner, test))) for train, test in folds]
    weighted = FGAClassifierCV(gammas="path", cv=folds, **PLAIN_CLASSES).fit(X, y, sample_weight=times.astype(float))
    copies = FGAClassifierCV(gammas="path", cv=repeated, **PLAIN_CLASSES).fit(X[owner], y[owner])
    assert weighted.gamma_ == pytest.approx(copies.gamma_, rel=1e-6)
    assert weighted.best_score_ == pytest.approx(copies.best_score_, abs=1e-12)


def test_one_class():
    with pytest.raises(ValueError, match="one class only"):
        FGAClassifierCV(gammas="path", cv=3).fit(np.arange(9.0)[:, None], ["only"] * 9)


def test_what_has_no_path_is_refused():
    """Only squared error with the plain connectives is piecewise linear; the message names the way out."""
    X, y = overlapping()
    for wrong in ({"loss": "absolute_error"}, {"isomorphism": 2.0}, {"n_neighbors": 5}, {"owa": "additive"}):
        with pytest.raises(ValueError, match=r"path") as caught:
            FGAClassifierCV(gammas="path", **wrong).fit(X, y)
        assert next(iter(wrong)) in str(caught.value)
