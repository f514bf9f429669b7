"""Scores for every gamma at once: labels change at single gammas only, so a score is a step function of gamma.

The labels of the rows that were held out are followed along the path: looked at wherever the solution bends, and in
between where bends are far apart. Where two looks differ, the gamma of the change is found by halving. A row that
changes its label and back between two looks, which are at most ``FARTHEST`` apart, goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from fgac.classifier import FGAClassifier
from fgac.distances import Floats, Ints, resolve_metric
from fgac.folds import Fold, FoldModel
from fgac.granular import form, memberships_of
from fgac.quick_scores import LabelScore
from fgac.selection import Progress, take
from fgac.solve.allpairs import AllPairs
from fgac.solve.blocks import Blocks
from fgac.solve.path import trace

# Factors between the gammas of two looks, at least and at most, and within which a change is located.
NEAREST, FARTHEST, LOCATED = 1.002, 1.02, 1.0 + 1e-7

Labels = NDArray[Any]


class Change(NamedTuple):
    """The labels of a fold for gammas from this one on, up to the next change."""

    gamma: float
    fold: int
    labels: Labels


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
    changes: list[Change] = []
    for number, (train, test) in enumerate(splits):
        known, unseen = take(estimator, X, train, train), take(estimator, X, test, train)
        fold = Fold.of(clone(estimator), known, y[train], None if weight is None else weight[train], unseen)
        changes += [Change(gamma, number, labels) for gamma, labels in _followed(fold, floor)]
        if progress is not None:
            progress(number + 1, len(splits))
    changes.sort(key=lambda change: change.gamma)
    scores = np.zeros(len(splits))
    gammas, table = [], []
    for place, change in enumerate(changes):
        test = splits[change.fold][1]
        scores[change.fold] = score(y[test], change.labels, None if weight is None else weight[test])
        end = changes[place + 1].gamma if place + 1 < len(changes) else FARTHEST * change.gamma
        if end > change.gamma * LOCATED**4:  # shorter steps are changes of several rows at once
            gammas.append(change.gamma if change.gamma == floor else float(np.sqrt(change.gamma * end)))
            table.append(scores.copy())
    return np.array(gammas), np.array(table)


def _followed(fold: Fold, floor: float) -> Iterator[tuple[float, Labels]]:
    """The gammas from which on the labels of the rows to judge are others, rising, and these labels."""
    targets, weights, groups = form(fold.task.nodes)
    rows, metric = fold.task.nodes.rows, resolve_metric(fold.estimator.metric)
    path = trace(targets, weights, AllPairs(Blocks(rows, metric, groups[0], fold.estimator.n_jobs)), floor)

    def labels(gamma: float) -> Labels:
        model = FoldModel.of(fold, gamma)
        model._grasp(fold.task, memberships_of(fold.task.nodes, path.forest(gamma).a), fold.rows, fold.metric)
        return model.predict(fold.test)

    def between(low: float, before: Labels, high: float, after: Labels) -> Iterator[tuple[float, Labels]]:
        if np.array_equal(before, after):
            return
        if high <= LOCATED * low:
            yield high, after
            return
        middle = float(np.sqrt(low * high))
        halfway = labels(middle)
        yield from between(low, before, middle, halfway)
        yield from between(middle, halfway, high, after)

    gamma, before = floor, labels(floor)
    yield gamma, before
    for look in _looks(path.bends(), floor, max(path.start, fold.reach())):
        after = labels(look)
        yield from between(gamma, before, look, after)
        gamma, before = look, after


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
