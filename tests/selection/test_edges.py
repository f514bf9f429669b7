"""Gammas beyond those that were tried."""

import numpy as np
import pytest

from fgac.selection.choice import best_gamma
from fgac.selection.edges import best_within, rising_end
from fgac.selection.grid import GridScores

TRIED = np.array([0.5, 1.0, 2.0, 4.0, 8.0])


def scored(function):
    """Scores of gammas on two folds, by a function of gamma; and a list of all that were asked for."""
    asked = []

    def score(gammas):
        asked.append(gammas.tolist())
        scores = np.array([[function(gamma)] * 2 for gamma in gammas])
        numbers = [{gamma: np.array([gamma]) for gamma in gammas.tolist()} for _ in range(2)]
        return GridScores(scores, np.ones_like(scores), np.ones_like(scores), [{}, {}], numbers)

    return score, asked


def test_a_best_gamma_within_is_taken():
    score, asked = scored(lambda gamma: -abs(gamma - 2))
    assert best_within(TRIED, score, 0.0, goes_on=True).gamma == 2.0
    assert len(asked) == 1


@pytest.mark.parametrize(("best", "found"), [(40.0, 40.0), (0.1, 0.1), (16.0, 16.0)])
def test_more_are_tried_where_scores_rise(best, found):
    score, asked = scored(lambda gamma: -abs(np.log(gamma / best)))
    choice = best_within(TRIED, score, 0.0, goes_on=True)
    assert choice.gamma == pytest.approx(found)
    assert len(asked) == 2
    assert (np.diff(choice.cv_results["param_gamma"]) > 0).all()
    assert [part.tolist() for part in choice.numbers] == [[choice.gamma]] * 2


def test_it_ends_and_warns():
    score, asked = scored(lambda gamma: gamma)
    with pytest.warns(UserWarning, match="gamma=800 is the largest that was tried"):
        assert best_within(TRIED, score, 0.0, goes_on=True).gamma == 800.0
    assert len(asked) == 3
    with pytest.warns(UserWarning, match="larger ones may be better: give some in gammas, or None for ours"):
        assert best_within(TRIED, score, 0.0, goes_on=False).gamma == 8.0
    assert best_within(TRIED[:3], score, 0.0, goes_on=False).gamma == 2.0  # of so few somebody has thought


def test_equal_scores_do_not_rise():
    score, _ = scored(lambda gamma: 1.0)
    assert rising_end(best_gamma(TRIED, score(TRIED))) == 0
    score, _ = scored(lambda gamma: float("nan") if gamma > 4 else gamma)
    assert rising_end(best_gamma(TRIED, score(TRIED))) == 0
