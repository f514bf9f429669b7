"""Gammas beyond those that were tried, where the best of them is the smallest or the largest.

The unit of gamma is the scale of the targets, but how steep a function of the columns is depends on the distance, too,
and nobody knows it beforehand. If scores still rise where the list of gammas ends, the best one lies beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac._warnings import warn_caller
from fgac.selection.choice import GammaChoice, best_gamma
from fgac.selection.grid import GridScores

# How the list goes on, as multiples of its last number, and how often.
FURTHER = (2.0, 5.0, 10.0)
MOST = 2
# Scores still rise at the end of a list if its last one is better than the one before it by this share of what the
# scores of all gammas differ by.
RISING = 0.01
# Of fewer gammas somebody has thought.
FEWEST = 5


def best_within(gammas: Floats, score: Callable[[Floats], GridScores], slack: float, *, goes_on: bool) -> GammaChoice:
    """The best of some gammas, and of more where scores still rise at an end of them.

    Parameters
    ----------
    gammas : array
    score : function
        Scores of gammas.
    slack : float
        Means that differ by no more are the same score.
    goes_on : bool
        Whether more gammas may be tried; otherwise the caller is warned.
    """
    seen = score(gammas)
    choice = best_gamma(gammas, seen, slack)
    rounds = 0
    while goes_on and rounds < MOST and (end := rising_end(choice)):
        edge = gammas.max() if end > 0 else gammas.min()
        more = edge * np.array(FURTHER) ** end
        gammas, seen = _joined(gammas, seen, more, score(more))
        choice, rounds = best_gamma(gammas, seen, slack), rounds + 1
    if len(gammas) >= FEWEST and (end := rising_end(choice)):
        _warn(choice, end, goes_on=goes_on)
    return choice


def rising_end(choice: GammaChoice) -> int:
    """Whether scores still rise at the largest of the gammas that were tried (1), at the smallest (-1), or at none."""
    results: dict[str, Any] = choice.cv_results
    order = np.argsort(results["param_gamma"])
    gammas, mean = results["param_gamma"][order], results["mean_test_score"][order]
    if len(gammas) < 2 or not np.isfinite(mean).all() or choice.gamma not in (gammas[0], gammas[-1]):
        return 0
    end = 1 if choice.gamma == gammas[-1] else -1
    last, before = mean[::-end][:2]
    return end if last - before > RISING * np.ptp(mean) else 0


def _joined(gammas: Floats, seen: GridScores, more: Floats, found: GridScores) -> tuple[Floats, GridScores]:
    """Two lists of gammas as one, in rising order, with their scores."""
    both = np.append(gammas, more)
    order = np.argsort(both)
    scores, shares, strengths = (np.concatenate(parts)[order] for parts in zip(seen[:3], found[:3], strict=True))
    degrees, numbers = ([a | b for a, b in zip(*parts, strict=True)] for parts in zip(seen[3:], found[3:], strict=True))
    return both[order], GridScores(scores, shares, strengths, degrees, numbers)


def _warn(choice: GammaChoice, end: int, *, goes_on: bool) -> None:
    which, better = ("largest", "larger") if end > 0 else ("smallest", "smaller")
    what = f"gamma={choice.gamma:g} is the {which} that was tried, and scores best ({choice.best_score:.3g})"
    instead = "" if goes_on else ", or None for ours"
    warn_caller(f"{what}; {better} ones may be better: give some in gammas{instead}")
