"""How a classifier learns, step by step: check, read, solve, and make a state of it.

``fit`` takes all steps at once. A search over gammas takes them one by one, because only some depend on gamma.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.estimators._abstain import AbstainingClassifier
from fgac.estimators._state import ClassifierState, column_names
from fgac.estimators._training import TrainingSet, TrainingTable, proved_for, renumbered, scattered
from fgac.fuzzy.connectives import resolve_isomorphism
from fgac.fuzzy.owa import FAMILIES
from fgac.granular.dissimilarity import bent_metric
from fgac.granular.nodes import make_records, merge, orient_classes
from fgac.granular.predictor import ClassPredictor, class_predictor
from fgac.granular.training import memberships_of, own_memberships
from fgac.metrics.distances import Metric, Rows, resolve_metric
from fgac.solve import Solution
from fgac.solve.nearest import AMONG, check_neighbors
from fgac.tables.labels import read_ids
from fgac.tables.validation import check_option, check_positive, class_weights

LOSSES = ("squared_error", "absolute_error")
TIES = ("nearest", "first")


class ClassifierSteps(AbstainingClassifier):
    """The steps of ``FGAClassifier.fit``, for an estimator that has its parameters."""

    loss: str
    n_neighbors: float | None
    neighbors_among: str
    owa: Any
    isomorphism: Any
    class_weight: Any
    ties: str
    tol: float
    verbose: int
    _state: ClassifierState

    def _learn(self, X: Any, y: Any, sample_weight: Any, ids: Any) -> ClassifierState:
        """What ``fit`` learns; the estimator itself stays as it is."""
        self._check_parameters()
        training = self._prepare(X, y, sample_weight, ids)
        return self._state_from(training, *self._solve(training))

    def _prepare(self, X: Any, y: Any, sample_weight: Any, ids: Any) -> TrainingSet:
        """Read the training table, and gather equal rows into nodes."""
        read, classes = self._read_classes(X, y, sample_weight)
        if self.monotonic_cst is not None and len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported with monotonic_cst. The type of the target is multiclass: "
                f"there are {len(classes)} classes. For ordered classes use FGAOrdinalClassifier"
            )
        rows = read.rows
        factors = class_weights(self.class_weight, classes, rows.codes, rows.weights)
        return self._gather(read, classes, read_ids(ids, X, rows.n_rows)[rows.positions], factors)

    def _gather(self, read: TrainingTable, classes: NDArray[Any], names: NDArray[Any], factors: Floats) -> TrainingSet:
        """Gather equal rows into nodes, whose weights are multiplied by the factors of their classes."""
        rows = read.rows
        weights = rows.weights * factors[rows.codes]
        nodes = orient_classes(merge(rows.rows, rows.codes, len(classes), weights, distinct=self._precomputed))
        # A row of the class with the least factor counts once where rows are counted.
        return TrainingSet(read, classes, names, nodes, nodes.weights / factors.min())

    def _solve(self, training: TrainingSet) -> tuple[Floats, Solution]:
        """Estimate the memberships of the nodes."""
        isomorphism = resolve_isomorphism(self.isomorphism)
        metric, gamma = bent_metric(resolve_metric(self.metric), float(self.gamma), isomorphism)
        beta, solution = own_memberships(
            training.nodes,
            metric,
            gamma,
            loss=self.loss,
            n_neighbors=self.n_neighbors,
            neighbors_among=self.neighbors_among,
            multiplicity=training.multiplicity,
            tol=self.tol,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
        )
        return beta, proved_for(training.read, solution, metric, gamma, self.tol)

    def _predictor(self, training: TrainingSet, beta: Floats, rows: Rows, metric: Metric) -> ClassPredictor:
        """What prediction needs, from the memberships of the nodes; ``rows`` are the nodes as the metric knows them."""
        return class_predictor(
            training.nodes,
            beta,
            rows,
            metric,
            float(self.gamma),
            coordinates=not self._precomputed,
            multiplicity=training.multiplicity,
            isomorphism=resolve_isomorphism(self.isomorphism),
            owa=self.owa,
            ties=self.ties,
            n_jobs=self.n_jobs,
        )

    def _state_from(self, training: TrainingSet, beta: Floats, solution: Solution) -> ClassifierState:
        """What is known once the memberships of the nodes are."""
        (header, table, rows, name), nodes = training.read, training.nodes
        metric = resolve_metric(self.metric)
        predictor = self._predictor(training, beta, nodes.rows, metric)
        memberships = predictor.model.isomorphism.inverse(beta)[nodes.node_of_row]
        return ClassifierState(
            params=self.get_params(deep=False),
            header=header,
            table=table,
            target_name=name,
            classes=training.classes,
            metric=metric,
            records=make_records(rows, nodes, training.ids, column_names(header, table)),
            predictor=predictor,
            solution=solution,
            beta=scattered(memberships, rows),
        )

    def _check_parameters(self) -> None:
        """Refuse wrong parameters before anything is computed."""
        self._check_common_parameters()
        check_positive("tol", self.tol)
        check_option("loss", self.loss, LOSSES)
        check_option("ties", self.ties, TIES)
        check_neighbors(self.n_neighbors)
        check_option("neighbors_among", self.neighbors_among, AMONG)
        resolve_isomorphism(self.isomorphism)
        check_owa(self.owa)
        if not isinstance(self.verbose, int | np.integer):
            raise ValueError(f"verbose={self.verbose!r} must be a whole number; 0 is silent")


def solved_elsewhere(
    estimator: ClassifierSteps,
    read: TrainingTable,
    classes: NDArray[Any],
    names: NDArray[Any],
    factors: Floats,
    solution: Solution,
    solved: Ints,
) -> ClassifierState:
    """What a fit would know of rows whose problem has been solved elsewhere, its nodes in another order.

    ``factors`` multiply the weights of the classes, and ``solved`` is the node of the solution that each row is.
    """
    training = estimator._gather(read, classes, names, factors)
    nodes = training.nodes
    solution = renumbered(solution, solved, nodes.node_of_row, copies=1 if len(classes) == 2 else 2)
    return estimator._state_from(training, memberships_of(nodes, solution.values), solution)


def check_owa(owa: Any) -> None:
    """Refuse unknown families and pairs whose second part is no number of weights."""
    family, k = owa if isinstance(owa, tuple) and len(owa) == 2 else (owa, 1)
    if isinstance(family, str):
        check_option("owa", family, tuple(FAMILIES))
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"owa={owa!r} must hold a whole number >= 1, the number of weights that are not zero")
