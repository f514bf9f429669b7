"""Choosing gamma: a fixed rule, folds that keep the classes, and what happens to small ones."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import balanced_accuracy_score, pairwise_distances

from fgac import FGAClassifier, FRNNClassifier
from fgac.selection import (
    FURTHER,
    GAMMAS,
    GammaScores,
    choose_gamma,
    compare_gammas,
    stratified_folds,
    stratified_sample,
)


@pytest.fixture(scope="module")
def moons():
    return make_moons(80, noise=0.3, random_state=0)


def by_hand(X, y, gamma, n_folds=5):
    """Balanced accuracy of out-of-fold predictions, fold by fold."""
    predicted = np.empty_like(y)
    for train, test in stratified_folds(y, n_folds):
        predicted[test] = FGAClassifier(gamma=gamma).fit(X[train], y[train]).predict(X[test])
    return balanced_accuracy_score(y, predicted)


def test_scores_are_those_of_out_of_fold_predictions(moons):
    X, y = moons
    found = compare_gammas(FGAClassifier(), X, y, gammas=[5.0, 1.0, 2.0])
    assert found.gammas == (1.0, 2.0, 5.0)
    assert found.scores == pytest.approx([by_hand(X, y, gamma) for gamma in found.gammas])
    assert (found.n_folds, found.n_rows) == (5, 80)


def test_best_is_the_largest_score_and_of_equals_the_smallest_gamma():
    assert GammaScores((1.0, 2.0, 3.0), (0.5, 0.9, 0.9 + 1e-15), 5, 10).best == 2.0
    assert GammaScores((1.0, 2.0, 3.0), (0.5, 0.9, 0.91), 5, 10).best == 3.0
    assert GammaScores((1.0, 2.0), (0.5, 0.5), 5, 10).best == 1.0


def test_the_end_of_the_list_is_noticed():
    assert GammaScores((1.0, 2.0), (0.5, 0.6), 5, 10).at_the_end
    assert not GammaScores((1.0, 2.0), (0.6, 0.6), 5, 10).at_the_end
    assert not GammaScores((1.0,), (0.6,), 5, 10).at_the_end


def test_larger_gammas_are_tried_only_while_the_largest_is_best():
    rng = np.random.default_rng(0)
    X = np.linspace(0, 1, 200)[:, None]
    fine = (np.arange(200) // 4) % 2  # stripes that only a large gamma can tell apart
    found = compare_gammas(FGAClassifier(), X, fine)
    assert found.gammas[: len(GAMMAS)] == GAMMAS
    assert len(GAMMAS) < len(found.gammas) <= len(GAMMAS) + len(FURTHER)
    noise = compare_gammas(FGAClassifier(), rng.normal(size=(60, 2)), np.arange(60) % 2, gammas=GAMMAS)
    assert noise.gammas == GAMMAS


def test_the_estimator_is_not_changed_and_the_choice_is_repeatable(moons):
    X, y = moons
    model = FGAClassifier(gamma=123.0, metric="manhattan")
    before = clone(model).get_params()
    first = choose_gamma(model, X, y)
    assert first == choose_gamma(model, X, y)
    assert model.get_params() == before
    assert not hasattr(model, "beta_")


def test_frames_arrays_and_distances_give_the_same_choice(moons):
    X, y = moons
    frame = pl.DataFrame(X, schema=["a", "b"])
    settings = {"gammas": [1.0, 3.0, 9.0], "max_rows": 50}
    of_array = compare_gammas(FGAClassifier(scale=None), X, y, **settings)
    assert compare_gammas(FGAClassifier(scale=None), frame, y, **settings) == of_array
    distances = pairwise_distances(X) / np.sqrt(2)
    of_distances = compare_gammas(FGAClassifier(metric="precomputed"), distances, y, **settings)
    assert of_distances.scores == pytest.approx(of_array.scores)


def test_nominal_columns_and_text_labels_work():
    frame = pl.DataFrame({"colour": ["red", "red", "blue", "blue"] * 5, "size": [1.0, 2.0, 3.0, 4.0] * 5})
    labels = np.array(["no", "no", "yes", "yes"] * 5)
    found = compare_gammas(FGAClassifier(), frame, labels, gammas=[1.0])
    assert found.scores == (1.0,)


def test_other_estimators_with_a_gamma_work(moons):
    assert choose_gamma(FRNNClassifier(), *moons, gammas=[0.5, 1.0]) in (0.5, 1.0)


def test_weights_count_in_training_and_in_scoring(moons):
    """Rows of weight 0 count as absent, and whole weights as repetitions in the score."""
    X, y = moons
    weight = np.where(np.arange(80) < 60, 1.0, 0.0)
    with_zeros = compare_gammas(FGAClassifier(), X, y, gammas=[1.0, 3.0], sample_weight=weight)
    without = compare_gammas(FGAClassifier(), X[:60], y[:60], gammas=[1.0, 3.0])
    assert with_zeros.scores == pytest.approx(without.scores)
    heavy = np.where(y == 1, 2.0, 1.0)  # the same weight within a class does not change its recall
    assert compare_gammas(FGAClassifier(), X, y, gammas=[30.0], sample_weight=heavy).scores[0] > 0.5


def test_a_class_smaller_than_the_folds_still_counts():
    X, y = load_iris(return_X_y=True)
    few = np.flatnonzero((y != 0) | (np.arange(150) < 3))
    found = compare_gammas(FGAClassifier(), X[few], y[few], gammas=[3.0])
    assert found.n_folds == 5
    assert found.scores == pytest.approx([by_hand(X[few], y[few], 3.0)])


def test_a_class_of_one_row_does_not_stop_the_choice():
    X, y = load_iris(return_X_y=True)
    one = np.flatnonzero((y != 0) | (np.arange(150) < 1))
    assert compare_gammas(FGAClassifier(), X[one], y[one], gammas=[3.0]).score < 0.7


def test_two_rows_of_a_class_give_two_folds():
    found = compare_gammas(FGAClassifier(), [[0.0], [1.0], [0.1]], ["a", "b", "a"], gammas=[1.0])
    assert found.n_folds == 2


def test_too_few_rows_say_what_to_do():
    with pytest.raises(ValueError, match=r"class of at least 2 rows.*got 2 rows.*set gamma yourself"):
        choose_gamma(FGAClassifier(), [[0.0], [1.0]], ["a", "b"])


def test_progress_counts_the_gammas(moons):
    seen = []
    compare_gammas(FGAClassifier(), *moons, gammas=[1.0, 2.0], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_many_rows_are_sampled(moons):
    found = compare_gammas(FGAClassifier(), *moons, gammas=[2.0], max_rows=20)
    assert found.n_rows == 20


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
