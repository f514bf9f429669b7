"""One part of a cross-validation: train on some rows and judge the others, for many gammas.

Distances do not depend on gamma, so they are computed once, where they fit into memory; and the solution for one gamma
is the start for the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from fgac._typing import Floats
from fgac.estimators.classifier import FGAClassifier, Task
from fgac.granular.training import form, memberships_of
from fgac.metrics.distances import Metric, Precomputed, Rows, resolve_metric
from fgac.metrics.tiles import one_blas_thread, rows_per_block, spans
from fgac.solve import MetricConstraints, Problem, Solution, solve

# Distances of a part up to this number (128 MB) are kept.
KEEP = 16_000_000


@dataclass(frozen=True)
class Fold:
    """Rows to train on, as a task, and rows to judge.

    ``rows`` are the nodes of the task and ``test_rows`` the rows to judge, as ``metric`` knows them in prediction:
    where distances are kept, a row is the list of its distances to all nodes.
    """

    estimator: FGAClassifier
    task: Task
    test: Any
    rows: Rows
    test_rows: Rows
    metric: Metric

    @classmethod
    def of(cls, estimator: FGAClassifier, train: Any, y: Any, weight: Any, unseen: Any, test: Any) -> Fold:
        """Learn to read as ``fit`` does, and compute the distances that all gammas share.

        ``train`` and ``unseen`` are tables that may have been read; ``test`` is what a scorer will be given for the
        latter.
        """
        estimator = copy(estimator)
        task = estimator._task(train, y, weight, None)
        metric, rows, test_rows = resolve_metric(estimator.metric), task.nodes.rows, estimator._read_rows(unseen)[0]
        n = len(rows)
        if n * (n + len(test_rows)) > KEEP or isinstance(metric, Precomputed):
            return cls(estimator, task, test, rows, test_rows, metric)
        # With two classes no distance between training rows is asked for in prediction.
        known = np.empty((n, 0)) if len(estimator.classes_) == 2 else distances(metric, rows, rows)
        kept = Rows(known, np.arange(n, dtype=np.int32)[:, None], np.empty(0))
        return cls(estimator, task, test, kept, as_distances(metric, test_rows, rows), Precomputed())

    def models(self, gammas: Iterable[float]) -> Iterator[tuple[float, FoldModel]]:
        """The model of every gamma."""
        return self._exact(gammas) if self.estimator.n_neighbors is None else self._approximate(gammas)

    def _exact(self, gammas: Iterable[float]) -> Iterator[tuple[float, FoldModel]]:
        """From large gammas to small ones, each with the solution of the last as a start."""
        targets, weights, groups = form(self.task.nodes)
        rows, plain = self.task.nodes.rows, resolve_metric(self.estimator.metric)
        first = MetricConstraints(rows, plain, 1.0, groups, self.estimator.n_jobs)
        before: tuple[float, Solution] | None = None
        for gamma in sorted(gammas, reverse=True):
            model = FoldModel.of(self, gamma)
            metric, factor, _ = model._relation(plain)
            if metric is plain:
                constraints = first.at(factor)
            else:  # the isomorphism bends distances, for every gamma in another way
                constraints, before = MetricConstraints(rows, metric, factor, groups, model.n_jobs), None
            start = None if before is None else before[1].active.scaled(gamma / before[0])
            problem = Problem(targets, constraints, weights, loss=model.loss)
            solution = solve(problem, start=start, tol=model.tol, verbose=model.verbose)
            before = gamma, solution
            yield gamma, model.having_learned(memberships_of(self.task.nodes, solution.values), solution)

    def reach(self) -> float:
        """The gamma beyond which no row to judge resembles any other at a different place: labels change no more."""
        nearest = np.inf
        for span in spans(len(self.test_rows), rows_per_block(len(self.rows))):
            some = distances(self.metric, self.test_rows[span], self.rows)
            nearest = min(nearest, float(some[some > 0].min(initial=np.inf)))
        return 1.0 / nearest

    def _approximate(self, gammas: Iterable[float]) -> Iterator[tuple[float, FoldModel]]:
        """With the paper's approximation of training, one by one."""
        for gamma in gammas:
            model = FoldModel.of(self, gamma)
            yield gamma, model.having_learned(*model._solve(self.task))


class FoldModel(FGAClassifier):
    """The classifier of a fold for one gamma, for scorers; the rows to judge have been read already."""

    _fold: Fold
    _learned: tuple[Floats, Solution]

    @classmethod
    def of(cls, fold: Fold, gamma: float) -> FoldModel:
        """A classifier that has read the tables of a fold, but learned nothing yet."""
        model = cls()
        model.__dict__.update(vars(fold.estimator), gamma=gamma, _fold=fold)
        return model

    def having_learned(self, beta: Floats, solution: Solution) -> FoldModel:
        """The same, with memberships of the training rows."""
        self._learned = beta, solution
        self._grasp(self._fold.task, beta, self._fold.rows, self._fold.metric)
        return self

    def whole(self) -> FGAClassifier:
        """The classifier as ``fit`` makes it."""
        fitted = copy(self._fold.estimator)
        fitted.gamma = self.gamma
        return fitted._learn(self._fold.task, *self._learned)

    def _rows(self, X: Any) -> Rows:
        fold = self._fold
        if X is fold.test:
            return fold.test_rows
        rows = super()._rows(X)
        kept = isinstance(fold.metric, Precomputed) and not self._precomputed
        return as_distances(resolve_metric(self.metric), rows, fold.task.nodes.rows) if kept else rows


def as_distances(metric: Metric, rows: Rows, nodes: Rows) -> Rows:
    """Rows as lists of their distances to all nodes."""
    return Rows(distances(metric, rows, nodes), np.empty((len(rows), 0), dtype=np.int32), np.empty(0))


def distances(metric: Metric, left: Rows, right: Rows) -> Floats:
    """All distances between two sets of rows."""
    out = np.empty((len(left), len(right)))
    with one_blas_thread():
        metric.block(left, right, out)
    return out
