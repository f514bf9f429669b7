"""Which gammas are tried, and which of them is chosen by its scores on rows that were held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.selection.grid import GridScores
from fgac.tables.validation import check_gamma


@dataclass(frozen=True)
class GammaChoice:
    """Which gamma was chosen, and why.

    Attributes
    ----------
    gamma : float
        The gamma with the largest mean score; of several, the smallest.
    best_score : float
        Its mean score.
    cv_results : dict
        Scores of all gammas on all folds, as of scikit-learn's GridSearchCV.
    n_splits : int
        Number of folds.
    argued_share, median_strength : float
        Of the chosen gamma, in the mean over the folds: the share of the predictions that some training row argues for,
        and the median strength of the strongest arguments.
    degrees : list of arrays
        Degrees of the rows held out with the chosen gamma, fold by fold; empty of numbers.
    numbers : list of arrays
        Numbers predicted of the rows held out with the chosen gamma, fold by fold; empty of classes.
    """

    gamma: float
    best_score: float
    cv_results: dict[str, Any]
    n_splits: int
    argued_share: float
    median_strength: float
    degrees: list[Floats]
    numbers: list[Floats]


def check_gammas(gammas: Any, defaults: tuple[float, ...], also: str = "") -> Floats:
    """Positive numbers to try, in the order given.

    >>> check_gammas([2, 1], defaults=(0.5, 1.0))
    array([2., 1.])
    """
    if gammas is None:
        return np.array(defaults)
    if isinstance(gammas, str) or np.ndim(gammas) != 1 or not len(gammas):
        raise ValueError(
            f"gammas={gammas!r} must be a list of positive numbers, {also or _defaults_in_words(defaults)}"
        )
    for gamma in gammas:
        check_gamma("each of gammas", gamma)
    return np.array(gammas, dtype=np.float64)


def _defaults_in_words(defaults: tuple[float, ...]) -> str:
    return f"or None for {len(defaults)} of our choice from {defaults[0]} to {defaults[-1]}"


def score_name(scoring: Any) -> str:
    """What a score of the caller's is called: by its name, or as it shows itself if that says anything.

    >>> score_name("roc_auc"), score_name(best_gamma), score_name(object())
    ('roc_auc', 'best_gamma', 'object')
    """
    if isinstance(scoring, str):
        return scoring
    shown = str(getattr(scoring, "__name__", scoring))
    return shown if " at 0x" not in shown else type(scoring).__name__


def best_gamma(gammas: Floats, seen: GridScores, slack: float = 0.0) -> GammaChoice:
    """The gamma with the largest mean score.

    Of several with the largest score the smallest is taken: it lets more rows have a say. Means that differ by no more
    than ``slack`` are the same score.

    >>> scores, shares = np.array([[0.5, 0.9], [0.7, 0.7], [0.1, 0.1]]), np.ones((3, 2))
    >>> best_gamma(np.array([2.0, 1.0, 3.0]), GridScores(scores, shares, shares, [])).gamma
    1.0
    """
    scores = seen.scores
    mean = scores.mean(axis=1)
    with np.errstate(over="ignore"):  # an error score of an absurd target has no square
        std = scores.std(axis=1)
    if np.isnan(mean).all():
        raise ValueError("the scores of all gammas are nan; choose another scoring, or other folds")
    better = (mean[None, :] > mean[:, None] + slack).sum(axis=1)
    rank = 1 + better + np.where(np.isnan(mean), (~np.isnan(mean)).sum(), 0)
    results = {
        "params": [{"gamma": float(gamma)} for gamma in gammas],
        "param_gamma": gammas,
        **{f"split{i}_test_score": column for i, column in enumerate(scores.T)},
        "mean_test_score": mean,
        "std_test_score": std,
        "rank_test_score": rank.astype(np.int32),
        **_by_split("argued_share", seen.argued_share),
        **_by_split("median_strength", seen.median_strength),
    }
    best = float(gammas[mean >= np.nanmax(mean) - slack].min())
    at = int(np.flatnonzero(gammas == best)[0])
    return GammaChoice(
        gamma=best,
        best_score=float(np.nanmax(mean)),
        cv_results=results,
        n_splits=scores.shape[1],
        argued_share=float(seen.argued_share[at].mean()),
        median_strength=float(seen.median_strength[at].mean()),
        degrees=[part[best] for part in seen.degrees if part],
        numbers=[part[best] for part in seen.numbers if part],
    )


def _by_split(name: str, values: Floats) -> dict[str, Floats]:
    """Columns of results: one per fold, and their mean."""
    return {
        **{f"split{i}_{name}": column for i, column in enumerate(values.T)},
        f"mean_{name}": values.mean(axis=1),
    }
