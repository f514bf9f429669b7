"""A fold for classifiers: distances, which do not depend on gamma, are computed once, where they fit into memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fgac._typing import Floats
from fgac.estimators._base import read_rows
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import judged_classes
from fgac.estimators._training import TrainingSet
from fgac.estimators.classifier import FGAClassifier
from fgac.fuzzy.connectives import resolve_isomorphism
from fgac.granular.dissimilarity import bent_metric
from fgac.granular.judged import Judged
from fgac.granular.predictor import ClassPredictor
from fgac.granular.training import form, memberships_of
from fgac.metrics.distances import Metric, Precomputed, Rows, resolve_metric
from fgac.metrics.tiles import one_blas_thread, rows_per_block, spans
from fgac.selection.folds import KEEP, Part, changed
from fgac.solve import MetricConstraints, Problem, Solution, solve


@dataclass(frozen=True)
class ClassifierFold:
    """A fold for classifiers.

    ``rows`` are the training nodes and ``test_rows`` the rows to judge, as ``metric`` knows them in prediction: where
    distances are kept, a row is the list of its distances to all nodes.
    """

    plain: FGAClassifier
    training: TrainingSet
    rows: Rows
    test_rows: Rows
    metric: Metric

    @classmethod
    def of(cls, plain: FGAClassifier, part: Part) -> ClassifierFold:
        """Learn to read as ``fit`` does, and compute the distances that all gammas share."""
        training = plain._prepare(part.X, part.y, part.weight, None)
        training = training._replace(read=training.read._replace(header=part.header))
        return cls.on(plain, training, read_rows(training.read.table, part.unseen)[0])

    @classmethod
    def on(cls, plain: FGAClassifier, training: TrainingSet, test_rows: Rows) -> ClassifierFold:
        """A fold whose rows have been read."""
        metric, rows = resolve_metric(plain.metric), training.nodes.rows
        n = len(rows)
        # Averages over rows that are compared one way for a class and the other way for the other need both distances.
        both_ways = rows.ordered is not None and plain.owa is not None
        if n * (n + len(test_rows)) > KEEP or isinstance(metric, Precomputed) or both_ways:
            return cls(plain, training, rows, test_rows, metric)
        # With two classes no distance between training rows is asked for in prediction.
        known = np.empty((n, 0)) if len(training.classes) == 2 else distances(metric, rows, rows)
        kept = Rows(known, np.arange(n, dtype=np.int32)[:, None], np.empty(0))
        return cls(plain, training, kept, as_distances(metric, test_rows, rows), Precomputed())

    def models(self, gammas: Iterable[float]) -> Iterator[ClassifierFoldModel]:
        """The model of every gamma."""
        return self._exact(gammas) if self.plain.n_neighbors is None else self._approximate(gammas)

    def _exact(self, gammas: Iterable[float]) -> Iterator[ClassifierFoldModel]:
        """From large gammas to small ones, each with the solution of the last as a start."""
        nodes = self.training.nodes
        targets, weights, groups = form(nodes, self.plain.loss)
        metric, isomorphism = resolve_metric(self.plain.metric), resolve_isomorphism(self.plain.isomorphism)
        first = MetricConstraints(nodes.rows, metric, 1.0, groups, self.plain.n_jobs)
        before: tuple[float, Solution] | None = None
        for gamma in sorted(gammas, reverse=True):
            plain = changed(self.plain, gamma=gamma)
            bent, factor = bent_metric(metric, gamma, isomorphism)
            if bent is metric:
                constraints = first.at(factor)
            else:  # the isomorphism bends distances, for every gamma in another way
                constraints, before = MetricConstraints(nodes.rows, bent, factor, groups, plain.n_jobs), None
            start = None if before is None else before[1].active.scaled(gamma / before[0])
            problem = Problem(targets, constraints, weights, loss=plain.loss)
            solution = solve(problem, start=start, tol=plain.tol, verbose=plain.verbose)
            before = gamma, solution
            yield ClassifierFoldModel(self, plain, memberships_of(nodes, solution.values), solution)

    def _approximate(self, gammas: Iterable[float]) -> Iterator[ClassifierFoldModel]:
        """With the paper's approximation of training, one by one."""
        for gamma in gammas:
            plain = changed(self.plain, gamma=gamma)
            yield ClassifierFoldModel(self, plain, *plain._solve(self.training))

    def predictor(self, plain: FGAClassifier, beta: Floats) -> ClassPredictor:
        """What predicts the classes of the rows to judge, from the memberships of the nodes."""
        return plain._predictor(self.training, beta, self.rows, self.metric)

    def reach(self) -> float:
        """The gamma beyond which no row to judge resembles any other at a different place: labels change no more."""
        nearest = np.inf
        for span in spans(len(self.test_rows), rows_per_block(len(self.rows))):
            some = distances(self.metric, self.test_rows[span], self.rows)
            nearest = min(nearest, float(some[some > 0].min(initial=np.inf)))
        return 1.0 / nearest


@dataclass(frozen=True)
class ClassifierFoldModel:
    """A classifier of one fold: its settings with their gamma, and the memberships of the training nodes."""

    fold: ClassifierFold
    plain: FGAClassifier
    beta: Floats
    solution: Solution
    constant: ClassVar[None] = None

    @property
    def gamma(self) -> float:
        """The gamma."""
        return float(self.plain.gamma)

    @cached_property
    def predictor(self) -> ClassPredictor:
        """What predicts the classes of the rows held out."""
        return self.fold.predictor(self.plain, self.beta)

    def judge(self) -> Judged:
        """Classes of the rows held out, and what they rest on."""
        return judged_classes(self.predictor, self.fold.training.classes, self.fold.test_rows)

    def estimator(self) -> Any:
        """The fitted estimator on distances that are known already."""
        state = self.plain._state_from(self.fold.training, self.beta, self.solution)
        return plain_estimator(replace(state, predictor=self.predictor))

    def whole_estimator(self) -> Any:
        """The fitted estimator as ``fit`` makes it."""
        return plain_estimator(self.plain._state_from(self.fold.training, self.beta, self.solution))


def as_distances(metric: Metric, rows: Rows, nodes: Rows) -> Rows:
    """Rows as lists of their distances to all nodes."""
    return Rows(distances(metric, rows, nodes), np.empty((len(rows), 0), dtype=np.int32), np.empty(0))


def distances(metric: Metric, left: Rows, right: Rows) -> Floats:
    """All distances between two sets of rows."""
    out = np.empty((len(left), len(right)))
    with one_blas_thread():
        metric.block(left, right, out)
    return out
