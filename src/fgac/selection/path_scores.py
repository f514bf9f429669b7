"""Scores for every gamma at once: labels change at single gammas only, so a score is a step function of gamma.

The labels of the rows that were held out are followed along the path: looked at wherever the solution bends, and in
between where bends are far apart. Where two looks differ, the gamma of the change is found by halving. One gamma within
every step is then scored. What changes and changes back between two looks, which are never further apart than the
factor ``FARTHEST``, goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import GAMMA_TOL
from fgac._typing import Floats, Ints
from fgac.estimators.classifier import FGAClassifier
from fgac.granular.training import memberships_of, whole_path
from fgac.metrics.distances import resolve_metric
from fgac.selection.folds import Fold, FoldModel
from fgac.selection.grid import LabelScore, Progress, read_once, take

# Factors between the gammas of two looks, at least and at most, and within which a change is located.
NEAREST, FARTHEST, LOCATED = 1.002, 1.02, 1.0 + GAMMA_TOL

Labels = NDArray[Any]


def score_steps(
    estimator: FGAClassifier,
    X: Any,
    y: NDArray[Any],
    splits: Sequence[tuple[Ints, Ints]],
    score: LabelScore,
    *,
    floor: float,
    weight: Floats | None = None,
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """A gamma of every step, rising from the floor, and its scores on every held-out part (columns)."""
    followers, changes = [], [floor]
    read = read_once(estimator, X)
    for number, (train, test) in enumerate(splits):
        known, unseen = take(estimator, read, train, train), take(estimator, read, test, train)
        fold = Fold.of(estimator, known, y[train], None if weight is None else weight[train], unseen, unseen)
        followers.append(Follower(fold, floor))
        changes += followers[-1].changes()
        if progress is not None:
            progress(number + 1, len(splits))
    gammas = _within(np.unique(changes))
    scores = np.empty((len(gammas), len(splits)))
    for column, (follower, (_, test)) in enumerate(zip(followers, splits, strict=True)):
        weights = None if weight is None else weight[test]
        scores[:, column] = [score(y[test], follower.labels(gamma), weights) for gamma in gammas]
    return gammas, scores


class Follower:
    """Follows the labels of the rows that a fold holds out, as gamma changes."""

    def __init__(self, fold: Fold, floor: float) -> None:
        estimator = fold.estimator
        self.fold, self.floor = fold, floor
        self.path = whole_path(fold.task.nodes, resolve_metric(estimator.metric), floor, estimator.n_jobs)

    def labels(self, gamma: float) -> Labels:
        """The labels for one gamma."""
        task = self.fold.task
        model = FoldModel.of(self.fold, float(gamma))
        beta = memberships_of(task.nodes, self.path.forest(float(gamma)).a)
        model._grasp(task, beta, self.fold.rows, self.fold.metric)
        return model.predict(self.fold.test)

    def changes(self) -> Iterator[float]:
        """Gammas at which a label changes, rising."""
        gamma, before = self.floor, self.labels(self.floor)
        for look in _looks(self.path.breakpoints(), self.floor, max(self.path.largest_gamma, self.fold.reach())):
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


def _looks(bends: Floats, floor: float, top: float) -> Iterator[float]:
    """Gammas above the floor at which to look, rising: the bends, thinned, and what fills gaps up to the top.

    >>> [round(look, 3) for look in _looks(np.array([1.05, 1.0005]), 1.0, 1.06)]
    [1.02, 1.04, 1.05, 1.071, 1.081]
    """
    gamma = floor
    for bend in [*bends[::-1], max(top, floor) * FARTHEST]:
        while bend > gamma * FARTHEST:
            gamma *= FARTHEST
            yield gamma
        if bend >= gamma * NEAREST:
            gamma = float(bend)
            yield gamma
