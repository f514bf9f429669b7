"""Ordered classes: one exact classifier for every boundary between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats, Ints
from fgac.estimators._abstain import AbstainingClassifier
from fgac.estimators._counterfactuals import CounterfactualMixin
from fgac.estimators._plain import plain_estimator
from fgac.estimators._state import ClassifierState, OrdinalState
from fgac.estimators._training import OrdinalTrainingSet, TrainingSet, TrainingTable, scattered
from fgac.estimators.classifier import FGAClassifier
from fgac.granular.boundaries import AtLeast, memberships_of
from fgac.granular.membership import Memberships, nudge_winners
from fgac.granular.nodes import merge, orient_classes
from fgac.metrics.distances import Rows
from fgac.solve import Solution
from fgac.tables.class_order import boundary_labels, order_classes
from fgac.tables.labels import read_ids
from fgac.tables.validation import class_weights

if TYPE_CHECKING:
    from fgac.explanation.ordinal import OrdinalExplanations


class FGAOrdinalClassifier(CounterfactualMixin, AbstainingClassifier):
    """Fuzzy granular approximation classifier for ordered classes, monotone where it is told to be.

    Between every two neighbouring classes lies a boundary, and one binary :class:`FGAClassifier` learns whether a row
    is above it. All of them see the same rows, weights and gamma, which makes their answers fit each other: a row is
    never above a boundary to a larger degree than it is above a lower one. The predicted class is the highest whose
    boundary the row is above.

    Parameters
    ----------
    class_order : list or None, default=None
        The classes from the lowest to the highest. None takes the order of a pandas ordered categorical or a polars
        Enum, and else sorts the labels; for texts that is the alphabet. Classes that do not occur in training are left
        out.
    gamma, loss, metric, scale, categorical_features, feature_weights, ties, tol, n_jobs, verbose
        As in :class:`FGAClassifier`. Where a row ties between the two sides of a boundary, ``ties="first"`` takes the
        lower one.
    monotonic_cst : array of shape (n_features,), dict or None, default=None
        For every column 1, -1 or 0, in their order or by their names or positions: whether more of it can only raise
        the class, only lower it, or do either. Predictions are then monotone: a row that is at least as good as
        another one in all such columns, and equal in all others, never gets a lower class. None compares rows by
        similarity alone.
    class_weight : dict, "balanced" or None, default=None
        Weights of classes.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes that occur in training, sorted, as scikit-learn expects them: columns of ``predict_proba``,
        ``decision_function`` and ``memberships`` are in this order, whatever the order of the classes is.
    class_order_ : array of shape (n_classes,)
        The same classes from the lowest to the highest: the order of ``boundaries_`` and ``at_least``.
    boundaries_ : tuple of n_classes - 1 fitted FGAClassifier
        Number i tells whether a row is of class i + 1 or above; its second class is that side. They can do all that
        a classifier can: ``explain``, ``arguments``, :func:`fgac.audit`.
    beta_ : array of shape (n_samples,)
        Estimated membership of every training row in its own class: the least that any boundary leaves to it. nan for
        rows of weight 0.
    solutions_ : tuple of Solution
        The solved problem of every boundary, with its proof.
    feature_weights_ : array of shape ``(n_features_in_,)``
        How much a difference in each column counts, learned or as given.
    n_features_in_ : int
    feature_names_in_ : array of shape ``(n_features_in_,)``
        Only if X has column names.

    Notes
    -----
    gamma is one number for all boundaries: with different ones their answers would contradict each other.
    :class:`FGAOrdinalClassifierCV` chooses it.

    Examples
    --------
    >>> from fgac import FGAOrdinalClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["poor", "poor", "fair", "good", "good"]
    >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=4.0, monotonic_cst=[1]).fit(X, y)
    >>> clf.predict([[0.0], [3.2], [9.0]])
    array(['poor', 'fair', 'good'], dtype='<U4')
    >>> clf.at_least([[3.2]]).degree.round(2)  # fair or above, good
    array([[1. , 0.2]])
    >>> clf.classes_, clf.predict_proba([[3.2]]).round(2)
    (array(['fair', 'good', 'poor'], dtype='<U4'), array([[0.8, 0.2, 0. ]]))
    """

    _state: OrdinalState
    _ordered_classes = True

    def __init__(
        self,
        *,
        class_order: Sequence[Any] | None = None,
        gamma: float = 1.0,
        loss: str = "squared_error",
        metric: Any = "euclidean",
        scale: str | None = "auto",
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        class_weight: Any = None,
        ties: str = "nearest",
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.class_order = class_order
        self.gamma = gamma
        self.loss = loss
        self.metric = metric
        self.scale = scale
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.ties = ties
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, ids: Any = None) -> Self:
        """Learn every boundary.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
            Cells of a table may be missing (nan, None, NA), here and in new rows; distances may not.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.
        ids : array of shape (n_samples,), optional
            What rows are called in explanations; by default the index of a pandas frame, or their positions.

        Returns
        -------
        self
        """
        self._set_state(self._learn(X, y, sample_weight, ids))
        return self

    def _learn(self, X: Any, y: Any, sample_weight: Any, ids: Any) -> OrdinalState:
        """What ``fit`` learns; the estimator itself stays as it is."""
        self._check_parameters()
        training = self._prepare(X, y, sample_weight, ids)
        plain = self._binary()
        return self._state_from(
            training, [plain._state_from(boundary, *plain._solve(boundary)) for boundary in training.boundaries]
        )

    def _check_parameters(self) -> None:
        """Refuse wrong parameters before anything is computed."""
        self._binary()._check_parameters()

    def _prepare(self, X: Any, y: Any, sample_weight: Any, ids: Any) -> OrdinalTrainingSet:
        """Read the training table, and make of every boundary between two classes a problem of its own."""
        read, classes = self._read_classes(X, y, sample_weight)
        rows, codes = read.rows, read.rows.codes
        names = read_ids(ids, X, rows.n_rows)[rows.positions]
        # Weights of classes are counted over all classes, not over the two sides of a boundary.
        weights = rows.weights * class_weights(self.class_weight, classes, codes, rows.weights)[codes]
        boundaries = [self._boundary(c, read, classes, names, weights) for c in range(1, len(classes))]
        return OrdinalTrainingSet(read, classes, tuple(boundaries))

    def _numbered(self, y: Any, classes: NDArray[Any], codes: Ints) -> tuple[NDArray[Any], Ints]:
        return order_classes(self.class_order, y, classes, codes, directed=self.monotonic_cst is not None)

    def _boundary(
        self, c: int, read: TrainingTable, classes: NDArray[Any], names: NDArray[Any], weights: Floats
    ) -> TrainingSet:
        """The problem of two classes whether rows are of class c or above."""
        above = (read.rows.codes >= c).astype(np.int64)
        nodes = orient_classes(merge(read.rows.rows, above, 2, weights, distinct=self._precomputed))
        read = read._replace(rows=read.rows._replace(codes=above))
        return TrainingSet(read, boundary_labels(classes, c), names, nodes, nodes.weights)

    def _state_from(self, training: OrdinalTrainingSet, boundaries: Sequence[ClassifierState]) -> OrdinalState:
        """What is known once all boundaries are."""
        (header, table, rows, name), classes, _ = training
        own = np.array([boundary.beta for boundary in boundaries]).reshape(-1, rows.n_rows)
        return OrdinalState(
            params=self.get_params(deep=False),
            header=header,
            table=table,
            target_name=name,
            classes=classes,
            boundaries=tuple(boundaries),
            beta=scattered(own[:, rows.positions].min(axis=0, initial=1.0), rows),
        )

    def _binary(self) -> FGAClassifier:
        """A binary classifier with the same settings, but without weights of classes: rows have these already."""
        settings = self.get_params(deep=False)
        return FGAClassifier(**{k: v for k, v in settings.items() if k not in ("class_order", "class_weight")})

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, sorted: the order of the columns of ``predict_proba``."""
        return np.sort(self.class_order_)

    @property
    def class_order_(self) -> NDArray[Any]:
        """The classes from the lowest to the highest."""
        check_is_fitted(self)
        return self._state.classes

    @property
    def boundaries_(self) -> tuple[FGAClassifier, ...]:
        """The boundaries as fitted classifiers, from the lowest."""
        check_is_fitted(self)
        return tuple(plain_estimator(boundary) for boundary in self._state.boundaries)

    @property
    def beta_(self) -> Floats:
        """The least membership of every training row in its side of any boundary."""
        check_is_fitted(self)
        return self._state.beta

    @property
    def solutions_(self) -> tuple[Solution, ...]:
        """The solved problems."""
        check_is_fitted(self)
        return tuple(boundary.solution for boundary in self._state.boundaries)

    def is_optimal(self, tol: float = 1e-9) -> bool:
        """Whether the solutions of all boundaries are proved optimal.

        Parameters
        ----------
        tol : float, default=1e-9
            See :meth:`fgac.solve.Solution.is_optimal`.

        Returns
        -------
        bool
        """
        return all(solution.is_optimal(tol) for solution in self.solutions_)

    def at_least(self, X: Any) -> AtLeast:
        """How true it is that rows are of a class or above, for every class but the lowest.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        AtLeast
            Named tuple ``(lower, upper, degree)`` of arrays of shape (n_samples, n_classes - 1), for the second of
            ``class_order_`` and all above it. None of them rises from one class to the next.
        """
        rows = self._read_rows(X)  # before the state: it says kindly that there is none
        return self._state.at_least(rows)

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, if the model was calibrated on rows held out; else degrees that sum to 1.

        Without calibration they are by how much the degrees of "at least this class" fall from one class to the next,
        degrees of truth. The prediction is their median: the class in which, counted from the lowest, their sum passes
        one half. It need not be the largest of them.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_classes)
            Columns are in the order of ``classes_``, which is sorted.
        """
        degree = self.at_least(X).degree
        return self._state.sorted_columns(self._state.probabilities(degree))

    def explain(
        self,
        X: Any,
        n_arguments: int = 3,
        *,
        y: Any = None,
        ids: Any = None,
        units: Any = None,
        merge_similarity: float = 0.95,
        audit: bool = False,
        about: Any = None,
        alternatives: int | bool = False,
        counterfactuals: Any = None,
        alike: float | None = None,
    ) -> OrdinalExplanations:
        """Explain predictions: why at least this class, and why not the next.

        Parameters
        ----------
        X, n_arguments, y, ids, units, merge_similarity, alike, alternatives, counterfactuals
            As in :meth:`fgac.FGAClassifier.explain`.
        about : label or array of shape (n_samples,), optional
            The class that is asked about, one for all rows or one per row: explanations are then of the boundaries next
            to it. By default, and where it is None, the predicted one.
        audit : bool, default=False
            Whether the training rows whose side of a boundary is most contradicted are added, as ``audit`` of the
            explanations: the first ten of every boundary.

        Returns
        -------
        OrdinalExplanations
            One :class:`~fgac.explanation.ordinal.OrdinalExplanation` per row. Print it, or use ``to_frame()``,
            ``to_json()`` and ``to_html()``.

        Examples
        --------
        >>> from fgac import FGAOrdinalClassifier
        >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["poor", "poor", "fair", "good", "good"]
        >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=4.0, monotonic_cst=[1]).fit(X, y)
        >>> why = clf.explain([[3.2]])[0]
        >>> why.prediction, why.at_least.prediction, why.at_most.prediction
        ('fair', 'fair or above', 'below good')
        """
        from fgac.explainers.base import similarity_of
        from fgac.explainers.ordinal import explain

        rows, values = self._read_rows_and_values(X)
        return explain(
            self._state,
            rows,
            values,
            read_ids(ids, X, len(rows)),
            n_arguments=n_arguments,
            y=y,
            units=units,
            merge_similarity=similarity_of(merge_similarity, alike),
            audit=audit,
            about=about,
            alternatives=alternatives,
            counterfactuals=counterfactuals,
        )

    def _memberships(self, rows: Rows) -> Memberships:
        found = memberships_of(self._state.at_least(rows))
        return Memberships(*(self._state.sorted_columns(part) for part in found))

    def _scores(self, rows: Rows) -> Floats:
        at_least, winners = self._state.at_least_and_winners(rows)
        degree = memberships_of(at_least).degree
        # The prediction is the median of the classes, which need not have the largest degree.
        tied = np.flatnonzero(np.argmax(degree, axis=1) != winners)
        degree = nudge_winners(degree, tied, winners[tied]) if len(tied) else degree
        return self._state.sorted_columns(degree)

    def _winners(self, rows: Rows) -> Ints:
        return self._state.winners(rows)
