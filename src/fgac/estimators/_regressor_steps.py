"""How a regressor learns, step by step: check, read, solve, and make a state of it.

``fit`` takes all steps at once. A search over gammas takes them one by one, because only some depend on gamma.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.estimators._base import RowEstimator
from fgac.estimators._state import RegressorState, column_names
from fgac.estimators._training import RegressionTrainingSet, TrainingTable, proved_for, renumbered, scattered
from fgac.granular.extension import Extension
from fgac.granular.nodes import make_records, merge
from fgac.metrics.distances import resolve_metric
from fgac.query.envelope import Envelope
from fgac.solve import MetricConstraints, Problem, Solution, solve
from fgac.solve.problem import LOSSES, Pairs
from fgac.tables.labels import read_ids
from fgac.tables.targets import TARGET_SCALES, TargetScale, check_targets, target_name
from fgac.tables.training_rows import TrainingRows
from fgac.tables.validation import check_option, check_positive, check_sample_weight


class RegressorSteps(RowEstimator):
    """The steps of ``FGARegressor.fit``, for an estimator that has its parameters."""

    loss: str
    quantile: float
    interval: float | None
    target_scale: Any
    tol: float
    verbose: int
    _state: RegressorState

    def _learn(self, X: Any, y: Any, sample_weight: Any, ids: Any) -> RegressorState:
        """What ``fit`` learns; the estimator itself stays as it is."""
        self._check_parameters()
        training = self._prepare(X, y, sample_weight, ids)
        constraints = self._constraints(training)
        solution = self._solve(training, constraints)
        return self._state_from(training, solution, *self._solve_interval(training, constraints))

    def _prepare(self, X: Any, y: Any, sample_weight: Any, ids: Any) -> RegressionTrainingSet:
        """Read the training table, and gather equal rows with equal targets into nodes."""
        table, header = self._check_training_table(X, y)
        n_rows = len(table)
        targets = check_targets(y, n_rows)
        weight = check_sample_weight(sample_weight, n_rows)
        present = np.flatnonzero(weight > 0)
        scale = TargetScale.chosen(self.target_scale, targets[present], weight[present])
        learned, rows, values = self._learn_rows(table, present, weight[present], scale.near(targets[present]))
        names = read_ids(ids, X, n_rows)[present]
        read_rows = TrainingRows(rows, values, np.empty(0, dtype=np.int64), weight[present], present, n_rows)
        read = TrainingTable(header, learned, read_rows, target_name(y, header.names))
        return self._gather(read, names, targets[present], scale)

    def _gather(
        self, read: TrainingTable, names: NDArray[Any], targets: Floats, scale: TargetScale
    ) -> RegressionTrainingSet:
        """Gather equal rows with equal targets into nodes."""
        levels, codes = np.unique(targets, return_inverse=True)
        rows = read.rows._replace(codes=codes)
        nodes = merge(rows.rows, codes, len(levels), rows.weights, distinct=self._precomputed)
        of_nodes = scale.to_unit_scale(scale.near(levels))[nodes.classes]
        return RegressionTrainingSet(read._replace(rows=rows), names, nodes, of_nodes, targets, scale)

    def _constraints(self, training: RegressionTrainingSet) -> MetricConstraints:
        rows = training.nodes.rows.oriented(1.0)
        return MetricConstraints(rows, resolve_metric(self.metric), float(self.gamma), n_jobs=self.n_jobs)

    def _solve(
        self, training: RegressionTrainingSet, constraints: MetricConstraints, start: Pairs | None = None
    ) -> Solution:
        """Find the values of the nodes."""
        weights, quantile = training.nodes.weights, float(self.quantile)
        problem = Problem(training.targets, constraints, weights, loss=self.loss, quantile=quantile)
        return self._proved(training, solve(problem, start=start, tol=self.tol, verbose=self.verbose))

    def _proved(self, training: RegressionTrainingSet, solution: Solution) -> Solution:
        return proved_for(training.read, solution, resolve_metric(self.metric), float(self.gamma), self.tol)

    def _solve_interval(self, training: RegressionTrainingSet, constraints: MetricConstraints) -> Iterator[Solution]:
        """Find both ends of the interval, if there is to be one."""
        if self.interval is None:
            return
        for quantile in (0.5 - 0.5 * self.interval, 0.5 + 0.5 * self.interval):
            fresh = constraints.at(constraints.gamma)  # it shares distances, but not what was nearly violated before
            problem = Problem(training.targets, fresh, training.nodes.weights, loss="quantile", quantile=quantile)
            yield self._proved(training, solve(problem, tol=self.tol, verbose=self.verbose))

    def _extension(self, training: RegressionTrainingSet, values: Floats) -> Extension:
        """From the values of the nodes to bounds of new rows."""
        envelope = Envelope(training.nodes.rows, resolve_metric(self.metric), float(self.gamma), self.n_jobs)
        return Extension(envelope, values)

    def _state_from(self, training: RegressionTrainingSet, solution: Solution, *ends: Solution) -> RegressorState:
        """What is known once the values of the nodes are."""
        (header, table, rows, name), nodes, scale = training.read, training.nodes, training.scale
        targets = np.empty(len(training.targets))
        targets[nodes.node_of_row] = training.observed
        return RegressorState(
            params=self.get_params(deep=False),
            header=header,
            table=table,
            target_name=name,
            records=make_records(rows, nodes, training.ids, column_names(header, table)),
            scale=scale,
            targets=targets,
            extension=self._extension(training, solution.values),
            solution=solution,
            fitted_values=scattered(scale.to_user_scale(solution.values)[nodes.node_of_row], rows),
            interval_ends=tuple(self._extension(training, end.values) for end in ends),
            interval_solutions=ends,
        )

    def _check_parameters(self) -> None:
        """Refuse wrong parameters before anything is computed."""
        self._check_common_parameters()
        check_positive("tol", self.tol)
        check_option("loss", self.loss, LOSSES)
        check_share("quantile", self.quantile)
        if self.interval is not None:
            check_share("interval", self.interval)
        check_target_scale(self.target_scale)
        if not isinstance(self.verbose, int | np.integer):
            raise ValueError(f"verbose={self.verbose!r} must be a whole number; 0 is silent")


def solved_elsewhere(
    estimator: RegressorSteps,
    read: TrainingTable,
    names: NDArray[Any],
    targets: Floats,
    scale: TargetScale,
    solutions: Sequence[Solution],
    solved: Ints,
) -> RegressorState:
    """What a fit would know of rows whose problems have been solved elsewhere, their nodes in another order.

    ``solutions`` are that of the values, and those of both ends of an interval, if there is one; ``solved`` is their
    node that each row is.
    """
    training = estimator._gather(read, names, targets, scale)
    numbers = training.nodes.node_of_row
    return estimator._state_from(training, *(renumbered(one, solved, numbers, copies=1) for one in solutions))


def check_target_scale(scale: Any) -> None:
    """Refuse anything but a name, or two numbers of which the second is larger."""
    if isinstance(scale, str) and scale in TARGET_SCALES:
        return
    ends = scale if isinstance(scale, tuple | list) and len(scale) == 2 else ()
    if not ends or not all(isinstance(end, Real) and np.isfinite(float(end)) for end in ends) or ends[0] >= ends[1]:
        names = " or ".join(repr(name) for name in TARGET_SCALES)
        raise ValueError(f"target_scale={scale!r} must be {names}, or two numbers of which the second is larger")


def check_share(name: str, value: Any) -> None:
    """Refuse anything but a number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise ValueError(f"{name}={value!r} must be a number between 0 and 1, such as 0.9")
