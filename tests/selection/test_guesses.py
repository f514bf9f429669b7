"""A guess is worth a guess: predictions without an argument score what a constant would, and are counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, r2_score

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifierCV,
    FGARegressorCV,
    evaluate,
    load_model,
    save_model,
)
from fgac.estimators._state import state_of
from fgac.explanation.held_out import HeldOut
from fgac.granular.judged import Judged
from fgac.selection.held_out import argued_balanced_accuracy, argued_minus_classes_off, argued_r2, r2
from support.grid_search import PLAIN, PLAIN_CLASSES

LABELS = np.array(["poor", "fair", "good"])


def clusters(n=60, seed=0):
    """Return rows around three places that are far from each other, and their classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return np.column_stack([y + 0.05 * rng.normal(size=n), rng.random(n)]), y


# ----------------------------------------------------------------------------------------------------
# Scores
# ----------------------------------------------------------------------------------------------------


@st.composite
def judged_rows(draw):
    """Return true labels, predictions with guesses among them, and weights."""
    n = draw(st.integers(1, 12))
    codes = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    guess = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    weight = np.array(draw(st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n)))
    return LABELS[draw(codes)], Judged(LABELS[draw(codes)], guess, np.where(guess, 0.0, 0.5)), weight


@given(judged_rows())
def test_what_was_guessed_does_not_matter(case):
    """Whatever class is put in place of a guess, the score is the same."""
    y, judged, weight = case
    for score in (argued_balanced_accuracy(3), argued_minus_classes_off(LABELS.tolist())):
        found = {
            round(
                score(y, judged._replace(predicted=np.where(judged.guess, label, judged.predicted)), None, weight), 12
            )
            for label in LABELS
        }
        assert len(found) == 1


@given(judged_rows())
def test_guessing_everything_is_worth_the_best_constant(case):
    """All guesses together score what always saying the same would, with every class present."""
    y = np.concatenate([case[0], LABELS])
    all_guesses = Judged(y, np.ones(len(y), dtype=bool), np.zeros(len(y)))
    constants = [balanced_accuracy_score(y, np.full(len(y), label)) for label in LABELS]
    assert argued_balanced_accuracy(3)(y, all_guesses, None) == pytest.approx(max(constants))
    off = argued_minus_classes_off(LABELS.tolist())
    said = [off(y, Judged(np.full(len(y), label), ~all_guesses.guess, all_guesses.strength), None) for label in LABELS]
    assert off(y, all_guesses, None) == pytest.approx(max(said))


def test_of_two_classes_both_scores_agree():
    y, guess = np.array(["a", "a", "b"]), np.array([False, True, True])
    judged = Judged(np.array(["b", "a", "a"]), guess, np.ones(3))
    assert argued_minus_classes_off(["a", "b"])(y, judged, None) == argued_balanced_accuracy(2)(y, judged, None) - 1


def test_a_guessed_number_is_the_mean_of_the_training_targets():
    y, predicted = np.array([1.0, 2.0, 4.0]), np.array([1.5, 99.0, 3.0])
    judged = Judged(predicted, np.array([False, True, False]), np.ones(3))
    assert argued_r2(y, judged, 2.5) == r2_score(y, [1.5, 2.5, 3.0])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5)), min_size=2, max_size=9),
    st.sampled_from([1.0, 2.0**900]),
)
def test_r2_is_that_of_scikit_learn(rows, unit):
    y, predicted, weight = np.array(rows, dtype=float).T
    assert r2(unit * y, unit * predicted, weight) == pytest.approx(r2_score(y, predicted, sample_weight=weight))
    assert r2(unit * y, unit * predicted) == pytest.approx(r2_score(y, predicted))


# ----------------------------------------------------------------------------------------------------
# The choice of gamma
# ----------------------------------------------------------------------------------------------------


def test_a_gamma_without_arguments_is_not_chosen():
    """By accuracy alone all gammas are perfect; with guesses worth guesses, the steep ones are not."""
    X, y = clusters()
    found = FGAClassifierCV(gammas=[1000.0, 3.0], cv=3, **PLAIN_CLASSES).fit(X, y)
    results = found.cv_results_
    assert found.gamma_ == 3.0
    assert results["mean_argued_share"][0] < 0.2 < 1.0 == results["mean_argued_share"][1]
    assert results["mean_test_score"][0] == pytest.approx(1 / 3, abs=0.15)
    by_accuracy = FGAClassifierCV(gammas=[1000.0, 3.0], cv=3, scoring="accuracy", **PLAIN_CLASSES).fit(X, y)
    assert by_accuracy.cv_results_["mean_test_score"].min() > 0.95
    np.testing.assert_array_equal(by_accuracy.cv_results_["mean_argued_share"], results["mean_argued_share"])


@pytest.mark.parametrize("weighted", [False, True])
def test_shares_and_strengths_are_those_of_single_fits(weighted):
    X, y = clusters()
    weight = np.where(np.arange(60) % 4 == 0, 3.0, 1.0) if weighted else None
    folds = [(np.flatnonzero(np.arange(60) % 2 == k), np.flatnonzero(np.arange(60) % 2 != k)) for k in (0, 1)]
    found = FGAClassifierCV(gammas=[20.0, 3.0], cv=folds, **PLAIN_CLASSES).fit(X, y, sample_weight=weight)
    for k, (train, test) in enumerate(folds):
        part = None if weight is None else weight[train]
        for i, gamma in enumerate([20.0, 3.0]):
            lower = FGAClassifier(gamma=gamma).fit(X[train], y[train], part).memberships(X[test]).lower.max(axis=1)
            times = np.ones(len(test), dtype=int) if weight is None else weight[test].astype(int)
            share, strength = np.average(lower > 1e-9, weights=times), np.median(np.repeat(lower, times))
            assert found.cv_results_[f"split{k}_argued_share"][i] == pytest.approx(share)
            assert found.cv_results_[f"split{k}_median_strength"][i] == pytest.approx(strength)
    results = found.cv_results_
    mean = 0.5 * (results["split0_median_strength"] + results["split1_median_strength"])
    np.testing.assert_allclose(results["mean_median_strength"], mean)


SEARCHES = {
    "classes": (FGAClassifierCV(gammas=[30.0, 3.0], cv=3, **PLAIN_CLASSES), "balanced accuracy"),
    "path": (FGAClassifierCV(gammas="path", cv=3, **PLAIN_CLASSES), "balanced accuracy"),
    "named": (FGAClassifierCV(gammas=[3.0], cv=3, scoring="neg_log_loss", **PLAIN_CLASSES), "neg_log_loss"),
    "order": (FGAOrdinalClassifierCV(gammas=[30.0, 3.0], cv=3, **PLAIN_CLASSES), "classes off"),
    "numbers": (FGARegressorCV(gammas=[30.0, 3.0], cv=3, **PLAIN), "R2"),
}


@pytest.mark.parametrize(("search", "name"), SEARCHES.values(), ids=SEARCHES)
def test_the_model_remembers_how_it_was_chosen(search, name, tmp_path):
    """In its state, and through a file."""
    X, y = clusters()
    found = search.fit(X, y)
    summary = state_of(found).selection
    chosen = list(found.cv_results_["param_gamma"]).index(found.gamma_)
    assert summary == HeldOut(
        score_name=name,
        score=abs(found.best_score_) if name == "classes off" else found.best_score_,
        n_folds=3,
        n_rows=60,
        argued_share=found.cv_results_["mean_argued_share"][chosen],
        median_strength=found.cv_results_["mean_median_strength"][chosen],
    )
    save_model(found, tmp_path / "model.fgac")
    assert state_of(load_model(tmp_path / "model.fgac")).selection == summary
    assert state_of(found.best_estimator_).selection == summary


def test_a_gamma_that_was_given_was_not_chosen(tmp_path):
    model = FGAClassifier().fit(*clusters())
    assert state_of(model).selection is None
    save_model(model, tmp_path / "model.fgac")
    assert state_of(load_model(tmp_path / "model.fgac")).selection is None


def test_an_infinite_score_can_be_saved(tmp_path):
    found = FGAClassifierCV(gammas=[1.0], cv=2, scoring=lambda model, X, y: 1e308).fit(*clusters())
    assert state_of(found).selection.score == np.finfo(float).max  # the mean of two such numbers is infinite
    save_model(found, tmp_path / "model.fgac")


@pytest.mark.parametrize("gamma", [3.0, 1000.0])
def test_an_evaluation_counts_arguments(gamma):
    found = evaluate(FGAClassifier(), *clusters(), gamma=gamma)
    assert found.argued_share == (1.0 if gamma == 3.0 else pytest.approx(0.0, abs=0.1))
    assert (found.median_strength > 0.5) == (gamma == 3.0)
