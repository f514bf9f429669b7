"""Choosing gamma: scores on what was held out, a fixed rule, folds that keep the classes, and small classes."""

import threading
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import accuracy_score, balanced_accuracy_score, get_scorer

from fgac import FGAClassifier, FGAClassifierCV
from fgac.estimators._training import Header
from fgac.selection.classifier_fold import ClassifierFold
from fgac.selection.default_folds import default_folds
from fgac.selection.folds import Material
from fgac.selection.grid import GAMMAS, PAPER_GAMMAS, Scoring, score_gammas
from fgac.selection.rules import choose_gamma
from fgac.tables.reading import ReadTable
from fgac.tables.splits import stratified_folds, stratified_sample
from support.grid_search import default_score


@pytest.fixture(scope="module")
def moons():
    return make_moons(80, noise=0.3, random_state=0)


def by_hand(X, y, gammas, folds, score=accuracy_score, **settings):
    """Return the score of every gamma (rows) on every fold (columns), each by a fit of its own."""
    return [
        [
            score(y[test], FGAClassifier(gamma=gamma, **settings).fit(X[train], y[train]).predict(X[test]))
            for train, test in folds
        ]
        for gamma in gammas
    ]


# ----------------------------------------------------------------------------------------------------
# score_gammas
# ----------------------------------------------------------------------------------------------------

ACCURACY = get_scorer("accuracy")


def grid_scores(model, X, y, gammas, splits, scorer, *, weight=None, params=None, **more):
    """Return the scores of every gamma (rows) on every part (columns), with a scorer that wants an estimator."""
    material = Material(X, Header(X.shape[1], None), y, weight, splits, ReadTable.of(X, None))
    scoring = Scoring(None, scorer, params or {}, sees_all=True)
    return score_gammas(model, ClassifierFold.of, material, gammas, scoring, **more).scores


@pytest.mark.parametrize(
    "settings", [{}, {"metric": "manhattan"}, {"loss": "absolute_error"}, {"n_neighbors": 5}, {"n_jobs": 2}], ids=str
)
def test_scores_are_those_of_single_fits(moons, settings):
    """In the order of the gammas as given, even where one is given twice."""
    X, y = moons
    gammas, folds = [5.0, 1.0, 2.0, 1.0], stratified_folds(y, 3)
    found = grid_scores(FGAClassifier(**settings), X, y, gammas, folds, ACCURACY)
    np.testing.assert_allclose(found, by_hand(X, y, gammas, folds, **settings), atol=1e-12)


def test_parts_may_be_any_rows(moons):
    """Some rows are judged twice, some never, some are neither judged nor learned from."""
    X, y = moons
    parts = [(np.arange(0, 40), np.arange(40, 60)), (np.arange(79, 20, -1), np.array([3, 1, 2]))]
    found = grid_scores(FGAClassifier(), X, y, [2.0, 0.7], parts, ACCURACY)
    np.testing.assert_allclose(found, by_hand(X, y, [2.0, 0.7], parts), atol=1e-12)


def test_weights_of_training_and_parameters_of_the_scorer_are_cut_to_the_part(moons):
    X, y = moons
    weight, parts = np.linspace(0.5, 4.0, 80), stratified_folds(y, 2)
    seen = []

    def scorer(model, X, y, sample_weight, name):
        seen.append((sample_weight, name))
        return model.score(X, y, sample_weight)

    params = {"sample_weight": weight, "name": "n"}
    found = grid_scores(FGAClassifier(), X, y, [2.0], parts, scorer, weight=weight, params=params)
    for (train, test), score, (given_weight, name) in zip(parts, found[0], seen, strict=True):
        direct = FGAClassifier(gamma=2.0).fit(X[train], y[train], weight[train])
        assert score == pytest.approx(direct.score(X[test], y[test], weight[test]))
        np.testing.assert_array_equal(given_weight, weight[test])
        assert name == "n"


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_progress_counts_the_models(moons, n_jobs):
    """Every gamma once for every fold, however many threads there are."""
    X, y = moons
    seen, lock = [], threading.Lock()

    def tell(done, total):
        with lock:
            seen.append((done, total))

    parts = stratified_folds(y, 3)
    grid_scores(FGAClassifier(n_jobs=n_jobs), X, y, [1.0, 2.0, 2.0], parts, ACCURACY, on_progress=tell)
    assert sorted(seen) == [(i, 6) for i in range(1, 7)]


# ----------------------------------------------------------------------------------------------------
# choose_gamma
# ----------------------------------------------------------------------------------------------------


def folds_of(X, y, weight=None, **how):
    """Return the folds that are taken by default."""
    return default_folds(ReadTable.of(X, None), y, weight, classes=True, **how)


def test_the_choice_is_by_mean_balanced_accuracy(moons):
    X, y = moons
    gammas = [1.0, 2.0, 5.0]
    found = choose_gamma(FGAClassifier(), X, y, gammas=gammas)
    scores = by_hand(X, y, gammas, folds_of(X, y), balanced_accuracy_score)
    means = np.mean(scores, axis=1)
    np.testing.assert_allclose(found.cv_results_["mean_test_score"], means)
    assert found.gamma_ == gammas[np.argmax(means)]
    assert found.best_score_ == pytest.approx(means.max())
    assert found.n_splits_ == 5


def test_it_is_fitted_to_all_rows(moons):
    X, y = moons
    ids = [f"row {i}" for i in range(80)]
    found = choose_gamma(FGAClassifier(metric="manhattan", class_weight="balanced"), X, y, ids=ids)
    direct = FGAClassifier(gamma=found.gamma_, metric="manhattan", class_weight="balanced").fit(X, y)
    assert isinstance(found, FGAClassifierCV)
    assert found.best_estimator_.get_params() == direct.get_params()
    np.testing.assert_allclose(found.beta_, direct.beta_, atol=1e-9)
    assert found.explain(X[:1])[0].arguments_for[0].id in ids


def test_larger_gammas_than_the_papers_are_tried():
    """Stripes that only a large gamma can tell apart."""
    X = np.linspace(0, 1, 200)[:, None]
    found = choose_gamma(FGAClassifier(), X, (np.arange(200) // 4) % 2)
    assert GAMMAS[: len(PAPER_GAMMAS)] == PAPER_GAMMAS
    assert tuple(found.cv_results_["param_gamma"]) == GAMMAS == tuple(sorted(GAMMAS))
    assert found.gamma_ > PAPER_GAMMAS[-1]


def test_the_estimator_is_not_changed_and_the_choice_is_repeatable(moons):
    X, y = moons
    model = FGAClassifier(gamma=123.0, metric="manhattan")
    before = clone(model).get_params()
    first = choose_gamma(model, X, y)
    assert first.gamma_ == choose_gamma(model, X, y).gamma_ != 123.0
    assert model.get_params() == before
    assert not hasattr(model, "beta_")


def test_frames_and_arrays_give_the_same_choice(moons):
    X, y = moons

    def scores(table):
        found = choose_gamma(FGAClassifier(scale=None), table, y, gammas=[1.0, 3.0, 9.0], max_rows=50)
        return found.cv_results_["mean_test_score"]

    np.testing.assert_array_equal(scores(pl.DataFrame(X, schema=["a", "b"])), scores(X))


def test_lists_work():
    found = choose_gamma(FGAClassifier(), [[0.0], [1.0], [0.1]], ["a", "b", "a"], gammas=[1.0])
    assert found.n_splits_ == 2, "two rows of the largest class give two folds"


def test_nominal_columns_and_text_labels_work():
    frame = pl.DataFrame({"colour": ["red", "red", "blue", "blue"] * 5, "size": [1.0, 2.0, 3.0, 4.0] * 5})
    labels = np.array(["no", "no", "yes", "yes"] * 5)
    assert choose_gamma(FGAClassifier(), frame, labels, gammas=[1.0]).best_score_ == 1.0


def test_rows_of_weight_0_are_absent(moons):
    X, y = moons
    weight = np.where(np.arange(80) < 60, 1.0, 0.0)
    with_zeros = choose_gamma(FGAClassifier(), X, y, gammas=[1.0, 3.0], sample_weight=weight)
    without = choose_gamma(FGAClassifier(), X[:60], y[:60], gammas=[1.0, 3.0])
    np.testing.assert_allclose(with_zeros.cv_results_["mean_test_score"], without.cv_results_["mean_test_score"])
    assert np.isnan(with_zeros.beta_[60:]).all()
    np.testing.assert_array_equal(with_zeros.beta_[:60], without.beta_)


def test_weights_count_in_training_and_in_scoring(moons):
    """On every fold, the balanced accuracy of the weighted rows by a model of the weighted rows."""
    X, y = moons
    weight = np.random.default_rng(0).uniform(0.2, 5.0, 80)
    found = choose_gamma(FGAClassifier(), X, y, gammas=[2.0], sample_weight=weight)
    for i, (train, test) in enumerate(folds_of(X, y, weight)):
        predicted = FGAClassifier(gamma=2.0).fit(X[train], y[train], weight[train]).predict(X[test])
        expected = balanced_accuracy_score(y[test], predicted, sample_weight=weight[test])
        assert found.cv_results_[f"split{i}_test_score"][0] == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 3])
def test_a_class_smaller_than_the_folds_counts_where_it_is_held_out(n):
    X, y = load_iris(return_X_y=True)
    few = np.flatnonzero((y != 0) | (np.arange(150) < n))
    X, y = X[few], y[few]
    found = choose_gamma(FGAClassifier(), X, y, gammas=[3.0])
    recalls = []
    for train, test in folds_of(X, y):
        model = FGAClassifier(gamma=3.0).fit(X[train], y[train])
        recalls.append(default_score(y)(model, X[test], y[test]))
    assert found.best_score_ == pytest.approx(np.mean(recalls))


def test_too_few_rows_say_what_to_do():
    with pytest.raises(ValueError, match=r"class of at least 2 rows.*got 2 rows.*set gamma yourself"):
        choose_gamma(FGAClassifier(), [[0.0], [1.0]], ["a", "b"])


def test_many_rows_are_sampled(moons):
    """Gamma is chosen on the same sample every time, with the weights of its rows; the model is fitted to all rows."""
    X, y = moons
    weight, ids = np.linspace(1, 2, 80), [f"row {i}" for i in range(80)]
    found = choose_gamma(FGAClassifier(), X, y, gammas=[2.0, 4.0], max_rows=20, sample_weight=weight, ids=ids)
    kept = np.concatenate([test for _, test in folds_of(X, y, weight, max_rows=20)])
    assert len(set(kept)) == len(kept) == 20
    direct = choose_gamma(FGAClassifier(), X[kept], y[kept], gammas=[2.0, 4.0], sample_weight=weight[kept])
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], direct.cv_results_["mean_test_score"])
    assert found.gamma_ == direct.gamma_
    whole = FGAClassifier(gamma=found.gamma_).fit(X, y, sample_weight=weight, ids=ids)
    np.testing.assert_array_equal(found.beta_, whole.beta_)
    # Only what was held out can say how often such predictions are right.
    told = tuple(replace(item, reliability=None) for item in found.explain(X[:5]))
    assert told == whole.explain(X[:5]).items


# ----------------------------------------------------------------------------------------------------
# Parts of the data
# ----------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 3), min_size=5, max_size=60), st.integers(4, 20))
def test_a_sample_keeps_every_class_in_proportion(labels, size):
    labels = np.array(labels)
    rows = stratified_sample(labels, np.arange(len(labels)), size)
    assert len(rows) == min(size, len(labels))
    assert (np.diff(rows) > 0).all()
    assert set(labels[rows]) == set(labels)
    for label in set(labels):
        share = np.mean(labels == label) * len(rows)
        # one row of every class is certain, so a common class gives up to three places to rare ones
        assert share - 4 <= np.sum(labels[rows] == label) <= share + 2


@given(st.lists(st.integers(0, 2), min_size=4, max_size=40), st.integers(2, 6))
def test_folds_part_the_rows(labels, n_folds):
    labels = np.array(labels)
    if np.bincount(labels).max() < 2:
        return
    folds = stratified_folds(labels, n_folds)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(labels)))
    for train, test in folds:
        assert not set(train) & set(test)
        assert len(train) + len(test) == len(labels)
