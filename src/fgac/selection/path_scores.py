"""Scores for every gamma at once: labels change at single gammas only, so a score is a step function of gamma.

The labels of the rows that were held out are followed along the path: looked at wherever the solution bends, and in
between where bends are far apart. Where two looks differ, the gamma of the change is found by halving. One gamma within
every step is then scored. What changes and changes back between two looks, which are never further apart than the
factor ``FARTHEST``, goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import GAMMA_TOL
from fgac._typing import Floats
from fgac.estimators._state import judged_classes
from fgac.estimators.classifier import FGAClassifier
from fgac.granular.judged import Judged
from fgac.granular.predictor import ClassPredictor
from fgac.granular.training import memberships_of, whole_path
from fgac.metrics.distances import resolve_metric
from fgac.selection.classifier_fold import ClassifierFold
from fgac.selection.folds import Material, changed
from fgac.selection.grid import GridScores, ModelScore, Parts, Progress, gathered
from fgac.selection.held_out import HeldOutScore

# Factors between the gammas of two looks, at least and at most, and within which a change is located.
NEAREST, FARTHEST, LOCATED = 1.002, 1.02, 1.0 + GAMMA_TOL

Labels = NDArray[Any]


def score_steps(
    plain: FGAClassifier,
    material: Material,
    score: HeldOutScore,
    floor: float,
    *,
    guesses: bool,
    on_progress: Progress | None = None,
) -> tuple[Floats, GridScores]:
    """A gamma of every step, rising from the floor, and what is seen with it on every held-out part.

    ``guesses`` says whether the score also steps where a prediction becomes a guess.
    """
    trackers, changes = [], [floor]
    parts = Parts(material)
    for number, split in enumerate(material.splits):
        trackers.append(LabelTracker(ClassifierFold.of(plain, parts.of(*split)), floor, guesses=guesses))
        changes += trackers[-1].changes()
        if on_progress is not None:
            on_progress(number + 1, len(material.splits))
    gammas = _within(np.unique(changes))
    seen = []
    for tracker, (_, test) in zip(trackers, material.splits, strict=True):
        weight = None if material.weight is None else material.weight[test]
        part = {}
        for gamma in gammas.tolist():
            judged = tracker.judge(gamma)
            part[gamma] = ModelScore.of(score(material.y[test], judged, None, sample_weight=weight), judged, weight)
        seen.append(part)
    return gammas, gathered(seen, gammas.tolist())


class LabelTracker:
    """Follows the labels of the rows that a fold holds out, and if asked which are guesses, as gamma changes."""

    def __init__(self, fold: ClassifierFold, floor: float, *, guesses: bool = False) -> None:
        self.fold, self.floor, self.guesses = fold, floor, guesses
        metric, n_jobs = resolve_metric(fold.plain.metric), fold.plain.n_jobs
        self.path = whole_path(fold.training.nodes, metric, floor, n_jobs)

    def judge(self, gamma: float) -> Judged:
        """What is predicted with one gamma, and what it rests on."""
        fold = self.fold
        return judged_classes(self._predictor(gamma), fold.training.classes, fold.test_rows)

    def labels(self, gamma: float) -> Labels:
        """What must not change within a step, for one gamma: labels, and beside them which of them are guesses."""
        if not self.guesses:
            winners: Labels = self._predictor(gamma).winners(self.fold.test_rows)
            return winners
        memberships, scores = self._predictor(gamma).memberships_and_scores(self.fold.test_rows)
        return np.where(memberships.resembles_nothing(), -1, np.argmax(scores, axis=1))

    def _predictor(self, gamma: float) -> ClassPredictor:
        fold, gamma = self.fold, float(gamma)
        beta = memberships_of(fold.training.nodes, self.path.forest(gamma).a)
        return fold.predictor(changed(fold.plain, gamma=gamma), beta)

    def changes(self) -> Iterator[float]:
        """Gammas at which a label changes, rising."""
        gamma, before = self.floor, self.labels(self.floor)
        for look in _probe_gammas(self.path.breakpoints(), self.floor, max(self.path.largest_gamma, self.fold.reach())):
            after = self.labels(look)
            yield from self._between(gamma, before, look, after)
            gamma, before = look, after

    def _between(self, low: float, before: Labels, high: float, after: Labels) -> Iterator[float]:
        if np.array_equal(before, after):
            return
        if high <= LOCATED * low:
            yield high
            return
        middle = float(np.sqrt(low * high))
        halfway = self.labels(middle)
        yield from self._between(low, before, middle, halfway)
        yield from self._between(middle, halfway, high, after)


def _within(changes: Floats) -> Floats:
    """The first number, and one within every step between two others that is not too short to be one.

    >>> _within(np.array([0.5, 1.0, 1.0 + 1e-9, 4.0])).round(3)
    array([0.5 , 2.  , 4.08])
    """
    ends = np.append(changes[1:], changes[-1] * FARTHEST**2)
    long = ends > changes * LOCATED**4  # shorter ones are changes of several labels at once
    inside = np.sqrt(changes * ends)
    inside[0] = changes[0]
    return inside[long | (np.arange(len(changes)) == 0)]


def _probe_gammas(breakpoints: Floats, floor: float, top: float) -> Iterator[float]:
    """Gammas above the floor at which to look, rising: the bends, thinned, and what fills gaps up to the top.

    >>> [round(look, 3) for look in _probe_gammas(np.array([1.05, 1.0005]), 1.0, 1.06)]
    [1.02, 1.04, 1.05, 1.071, 1.081]
    """
    gamma = floor
    for bend in [*breakpoints[::-1], max(top, floor) * FARTHEST]:
        while bend > gamma * FARTHEST:
            gamma *= FARTHEST
            yield gamma
        if bend >= gamma * NEAREST:
            gamma = float(bend)
            yield gamma
