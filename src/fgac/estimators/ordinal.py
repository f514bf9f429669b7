"""Ordered classes: one exact classifier for every boundary between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats, Ints
from fgac.estimators._base import RowClassifier
from fgac.estimators.classifier import FGAClassifier, Task
from fgac.granular.membership import Memberships, nudge_winners
from fgac.granular.nodes import merge, orient_classes
from fgac.metrics.distances import Rows
from fgac.solve import Solution
from fgac.tables.class_order import boundary_labels, order_classes
from fgac.tables.labels import read_ids
from fgac.tables.training_rows import TrainingRows
from fgac.tables.validation import class_weights

if TYPE_CHECKING:
    from fgac.explanation.ordinal import OrdinalExplanations


class AtLeast(NamedTuple):
    """How true it is that rows are of a class or above, arrays of shape (rows, classes - 1).

    Column i is about class i + 1 in the order of ``classes_``: every row is at least of the lowest class.
    """

    lower: Floats
    upper: Floats
    degree: Floats


class FGAOrdinalClassifier(RowClassifier):
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
        The classes that occur in training, from the lowest to the highest.
    boundaries_ : tuple of n_classes - 1 fitted FGAClassifier
        Number i tells whether a row is of class i + 1 or above; its second class is that side. They can do all that
        a classifier can: ``explain``, ``arguments``, :func:`fgac.audit`.
    beta_ : array of shape (n_samples,)
        Estimated membership of every training row in its own class: the least that any boundary leaves to it. nan for
        rows of weight 0.
    solutions_ : tuple of Solution
        The solved problem of every boundary, with its proof.
    feature_weights_ : array of shape (n_features_in_,)
        How much a difference in each column counts, learned or as given.
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features_in_,)
        Only if X has column names.

    Notes
    -----
    gamma is one number for all boundaries: with different ones their answers would contradict each other. Choose it
    with scikit-learn's ``GridSearchCV``.

    Columns of ``predict_proba`` are in the order of ``classes_``. Scores of scikit-learn that take probabilities, as
    the log loss, expect them in sorted order, which is another one where ``class_order`` is not sorted.

    Examples
    --------
    >>> from fgac import FGAOrdinalClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["poor", "poor", "fair", "good", "good"]
    >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=4.0, monotonic_cst=[1]).fit(X, y)
    >>> clf.predict([[0.0], [3.2], [9.0]])
    array(['poor', 'fair', 'good'], dtype='<U4')
    >>> clf.at_least([[3.2]]).degree.round(2)  # fair or above, good
    array([[1. , 0.2]])
    >>> clf.predict_proba([[3.2]]).round(2)
    array([[0. , 0.8, 0.2]])
    """

    boundaries_: tuple[FGAClassifier, ...]

    def __init__(
        self,
        *,
        class_order: Sequence[Any] | None = None,
        gamma: float = 1.0,
        loss: str = "squared_error",
        metric: Any = "euclidean",
        scale: str | None = "range",
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
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.
        ids : array of shape (n_samples,), optional
            What rows are called in explanations; by default the index of a pandas frame, or their positions.

        Returns
        -------
        self
        """
        self._plain()._check_parameters()
        read = self._read(X, y, sample_weight)
        self.classes_, codes = order_classes(self.class_order, y, self.classes_, read.codes)
        read = read._replace(codes=codes)
        names = read_ids(ids, X, read.n_rows)[read.positions]
        weights = read.weights * class_weights(self.class_weight, self.classes_, codes, read.weights)[codes]
        boundaries = range(1, len(self.classes_))
        self.boundaries_ = tuple(self._boundary(c, read, names, weights) for c in boundaries)
        own = np.array([boundary.beta_ for boundary in self.boundaries_]).reshape(-1, read.n_rows)
        self.beta_ = np.full(read.n_rows, np.nan)
        self.beta_[read.positions] = own[:, read.positions].min(axis=0, initial=1.0)
        return self

    def _boundary(self, c: int, read: TrainingRows, names: NDArray[Any], weights: Floats) -> FGAClassifier:
        """Learn whether rows are of class c or above, from rows that have been read."""
        clf = self._plain()
        shared = ("n_features_in_", "feature_names_in_", "_table")
        clf.__dict__.update({name: value for name, value in vars(self).items() if name in shared})
        clf.classes_ = boundary_labels(self.classes_, c)
        above = (read.codes >= c).astype(np.int64)
        nodes = orient_classes(merge(read.rows, above, 2, weights, distinct=self._precomputed))
        task = Task(read._replace(codes=above), names, nodes, nodes.weights)
        return clf._learn(task, *clf._solve(task))

    def _plain(self) -> FGAClassifier:
        """A binary classifier with the same settings; weights of classes are counted over all of them, before."""
        settings = self.get_params(deep=False)
        return FGAClassifier(**{k: v for k, v in settings.items() if k not in ("class_order", "class_weight")})

    @property
    def solutions_(self) -> tuple[Solution, ...]:
        """The solved problems."""
        check_is_fitted(self)
        return tuple(boundary.solution_ for boundary in self.boundaries_)

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
            Named tuple ``(lower, upper, degree)`` of arrays of shape (n_samples, n_classes - 1). None of them rises
            from one class to the next.
        """
        return self._at_least(self._rows(X))

    def predict_proba(self, X: Any) -> Floats:
        """By how much the degrees of "at least this class" fall from one class to the next.

        They are degrees of truth, not calibrated frequencies, and sum to 1. The prediction is their median: the
        class in which, counted from the lowest, their sum passes one half. It need not be the largest of them.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples, n_classes)
        """
        degree = self.at_least(X).degree
        return _from_lowest(degree) - _to_highest(degree)

    def explain(
        self,
        X: Any,
        n_arguments: int = 3,
        *,
        y: Any = None,
        ids: Any = None,
        units: Any = None,
        alike: float = 0.95,
    ) -> OrdinalExplanations:
        """Explain predictions: why at least this class, and why not the next.

        Parameters
        ----------
        X, n_arguments, y, ids, units, alike
            As in :meth:`fgac.FGAClassifier.explain`.

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
        from fgac.explainers.ordinal import explain

        return explain(self, X, n_arguments, y=y, ids=ids, units=units, alike=alike)

    def _at_least(self, rows: Rows) -> AtLeast:
        """What all boundaries say."""
        return nested([boundary._memberships(rows) for boundary in self.boundaries_], len(rows))

    def _judge(self, rows: Rows) -> tuple[AtLeast, Ints]:
        """What all boundaries say, and the numbers of the classes that are predicted, by looking at the rows once."""
        return summed_up([boundary._judge(rows) for boundary in self.boundaries_], len(rows))

    def _memberships(self, rows: Rows) -> Memberships:
        return memberships_of(self._at_least(rows))

    def _scores(self, rows: Rows) -> Floats:
        at_least, winners = self._judge(rows)
        degree = memberships_of(at_least).degree
        tied = np.flatnonzero(np.argmax(degree, axis=1) != winners)
        return nudge_winners(degree, tied, winners[tied]) if len(tied) else degree

    def _winners(self, rows: Rows) -> Ints:
        """How many boundaries a row is above, which is monotone because every single answer is."""
        counts = np.zeros(len(rows), dtype=np.int64)
        for boundary in self.boundaries_:
            counts += boundary._winners(rows)
        return counts

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "boundaries_")


def nested(boundaries: list[Memberships], n_rows: int) -> AtLeast:
    """What some boundaries say of rows; they are nested but for rounding, which is taken out."""
    parts = []
    for name in AtLeast._fields:
        columns = np.empty((n_rows, len(boundaries)))
        for i, memberships in enumerate(boundaries):
            columns[:, i] = getattr(memberships, name)[:, 1]
        parts.append(np.minimum.accumulate(columns, axis=1))
    return AtLeast(*parts)


def summed_up(judged: list[tuple[Memberships, Floats]], n_rows: int) -> tuple[AtLeast, Ints]:
    """What some boundaries, which were asked one by one, say of rows, and how many of them each row is above."""
    winners = np.zeros(n_rows, dtype=np.int64)
    for _, scores in judged:
        winners += np.argmax(scores, axis=1)
    return nested([memberships for memberships, _ in judged], n_rows), winners


def memberships_of(at_least: AtLeast) -> Memberships:
    """A row is of class c if it is at least of c AND not at least of the next class: the smaller of both."""
    lower, upper, degree = at_least

    def both(this: Floats, following: Floats) -> Floats:
        return np.minimum(_from_lowest(this), 1.0 - _to_highest(following))

    return Memberships(both(lower, upper), both(upper, lower), both(degree, degree))


def _from_lowest(at_least: Floats) -> Floats:
    """Degrees of "at least" for every class; for the lowest it is 1."""
    return np.pad(at_least, ((0, 0), (1, 0)), constant_values=1.0)


def _to_highest(at_least: Floats) -> Floats:
    """Degrees of "at least the next class" for every class; after the highest there is none."""
    return np.pad(at_least, ((0, 0), (0, 1)), constant_values=0.0)
