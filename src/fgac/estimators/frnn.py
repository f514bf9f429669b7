"""Fuzzy rough nearest neighbours (the paper's kFRNN) as a scikit-learn estimator.

Both approximations of a class at a new row x are soft maxima of similarities ``R(x, u) = max(0, 1 - gamma d(x, u))``::

    upper_k(x) =     soft maximum over u in k      of R(x, u)
    lower_k(x) = 1 - soft maximum over u not in k  of R(x, u)

The second is the soft minimum of ``I(R(x, u), 0) = 1 - R(x, u)``. If ``W(m)`` is the sum of the m first weights, the
soft maximum over a set of rows is the sum, over the levels ``v_1 >= v_2 >= ...`` at which similarities lie, of ::

    W(number of rows of the set with R >= v_j) * (v_j - v_{j+1})

so one sorted list of all similarities serves every class and its complement, and a row that stands in the table m times
counts m times.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np

from fgac._typing import Floats, Ints
from fgac.estimators._base import RowClassifier
from fgac.estimators._state import ClassState
from fgac.fuzzy.owa import resolve_owa
from fgac.granular.membership import (
    Memberships,
    class_tie_order,
    nearest_class,
    nudge_winners,
    rows_with_ties,
    tied_classes,
)
from fgac.granular.nodes import Nodes, merge
from fgac.metrics.distances import Metric, Rows, resolve_metric
from fgac.metrics.tiles import in_threads, one_blas_thread, row_of_tiles, spans, tile_area, tile_shape
from fgac.query.envelope import Envelope

# Up to so many nearest rows of a class are kept in order while distances pass by; beyond, all are sorted at the end.
FEW = 256
# Arrays as large as the sorted similarities of a block of points that are needed at a time.
ARRAYS = 8
# Rows, repetitions counted, for which OWA weights are made.
MOST_ROWS = 10**8


class FRNNClassifier(RowClassifier):
    """Fuzzy rough nearest neighbour classifier: no training, memberships from the most similar rows.

    A new row belongs to a class as far as it is similar to rows of that class (upper approximation) and not similar
    to rows of other classes (lower approximation); the class with the largest mean of the two is predicted. Both
    are ordered weighted averages, which listen to the nearest row most. Where two classes tie, as for rows that
    resemble nothing, the one with the nearer rows wins.

    Parameters
    ----------
    n_neighbors : int or None, default=None
        How many of the nearest rows have a weight: in the class for its upper, in all other classes together for
        its lower approximation. None is all. Where there are fewer, all of them have one.
    owa : {"additive", "exponential", "inverse_additive", "strict"}, None, array or callable, default="additive"
        Weights of the nearest row, the next, and so on (:mod:`fgac.fuzzy.owa`). None, or "strict", looks at the
        nearest row only. A callable returns m weights when called with m. An array holds the weights of as many nearest
        rows as it is long, or of the ``n_neighbors`` first; where there are fewer rows, the first weights,
        brought to a sum of 1.
    gamma : float, default=1.0
        How fast similarity ``max(0, 1 - gamma * distance)`` falls.
    metric : {"euclidean", "manhattan", "chebyshev", "precomputed"}, callable or object, default="euclidean"
        Distance between rows after scaling, as in :class:`~fgac.FGAClassifier`.
    scale : {"range", "robust", "rank", None}, default="range"
        What counts as a difference of 1 in a numeric column: its range, the range between its 1st and 99th
        percentile, or the number 1; with "rank", values differ by the share of the training rows between them.
    categorical_features : "from_dtype", list of names, positions or bools, or None, default="from_dtype"
        Nominal columns, whose values are equal (difference 0) or not (difference 1). By default the category,
        object, string and bool columns of pandas and polars frames.
    feature_weights : array of shape (n_features,), dict, Series or "learned", default=None
        Multiplies the difference in each column; by the names of columns, those not named weigh 1. With "learned", a
        forest grown on the training rows says how much each column counts, see :mod:`fgac.tables.learned_weights`.
    n_jobs : int, default=None
        Threads; None is 1 unless in a :func:`joblib.parallel_config` context, -1 is all.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    feature_weights_ : array of shape (n_features_in_,)
        How much a difference in each column counts, learned or as given.
    n_features_in_ : int
    feature_names_in_ : array of shape (n_features_in_,)
        Only if X has column names.

    References
    ----------
    M. Palangetić, C. Cornelis, S. Greco, R. Słowiński, "Fuzzy granular approximation classifier".

    Examples
    --------
    >>> from fgac.estimators.frnn import FRNNClassifier
    >>> clf = FRNNClassifier(n_neighbors=2).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> clf.predict([[0.2]])
    array(['low'], dtype='<U4')
    >>> clf.memberships([[0.2]]).degree.round(2)
    array([[0.2, 0.8]])
    """

    _state: RoughState

    def __init__(
        self,
        *,
        n_neighbors: int | None = None,
        owa: Any = "additive",
        gamma: float = 1.0,
        metric: Any = "euclidean",
        scale: str | None = "range",
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.owa = owa
        self.gamma = gamma
        self.metric = metric
        self.scale = scale
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn how to read tables, and remember the training rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            How often each row stands there: whole numbers. Weight 2 is exactly the row repeated, also where
            neighbours are counted; weight 0 is absence. Other weights are refused: OWA weights belong to ranks,
            and there is no rank one and a half.

        Returns
        -------
        self
        """
        self._check_common_parameters()
        _check_neighbors(self.n_neighbors)
        (header, table, rows), classes = self._read_classes(X, y, sample_weight)
        _check_repetitions(rows.weights)
        nodes = merge(rows.rows, rows.codes, len(classes), rows.weights, distinct=self._precomputed)
        model = rough_model(
            nodes,
            resolve_metric(self.metric),
            float(self.gamma),
            owa=self.owa,
            n_neighbors=self.n_neighbors,
            n_jobs=self.n_jobs,
            coordinates=not self._precomputed,
        )
        params = self.get_params(deep=False)
        self._set_state(RoughState(params=params, header=header, table=table, classes=classes, model=model))
        return self

    def _memberships(self, rows: Rows) -> Memberships:
        return self._state.model.memberships(rows)

    def _scores(self, rows: Rows) -> Floats:
        return self._state.model.scores(rows)


@dataclass(frozen=True, kw_only=True)
class RoughState(ClassState):
    """A fitted FRNNClassifier."""

    model: RoughModel


@dataclass(frozen=True)
class RoughModel:
    """What prediction needs: an envelope on the training nodes of every class, and how much each rank counts.

    Attributes
    ----------
    envelopes : tuple of K Envelopes
        On the nodes of each class.
    repeats : (n,) array
        How often each node stands in the table; nodes are sorted by class.
    own : tuple of K arrays
        ``W`` for the rows of each class, up to the number of rows from which on it is 1.
    others : tuple of K arrays
        ``W`` for the rows of all other classes; empty with two classes, whose others are each other, and with one.
    tie_order : (K,) array
        Which class wins when nothing else tells two apart; it does not depend on their names.
    n_jobs : int or None
        Threads.
    """

    envelopes: tuple[Envelope, ...]
    repeats: Ints
    own: tuple[Floats, ...]
    others: tuple[Floats, ...]
    tie_order: Ints
    n_jobs: int | None

    @property
    def starts(self) -> Ints:
        """The nodes of class k are ``starts[k]:starts[k + 1]``."""
        return np.append(0, np.cumsum([len(envelope.rows) for envelope in self.envelopes]))

    def memberships(self, points: Rows) -> Memberships:
        """Approximations and degrees."""
        own, others = self.soft_maxima(points)
        lower, upper = 1.0 - others, own
        return Memberships(lower, upper, 0.5 * (lower + upper))

    def scores(self, points: Rows) -> Floats:
        """Degrees in which ties have been broken: their largest entry is the prediction."""
        degree = self.memberships(points).degree
        tied = tied_classes(degree)
        rows = rows_with_ties(tied)
        if len(rows) == 0:
            return degree
        support = self.soft_maxima(points[rows], clip=False)[0]
        return nudge_winners(degree, rows, nearest_class(tied[rows], support, self.tie_order))

    def soft_maxima(self, points: Rows, *, clip: bool = True) -> tuple[Floats, Floats]:
        """Soft maxima of the similarities to the rows of each class, and to those of all others.

        Without ``clip`` similarities are ``1 - gamma d``, however far below 0.
        """
        n_classes = len(self.envelopes)
        own, others = np.zeros((2, len(points), n_classes))
        taken = self._taken()
        metric = self.envelopes[0].metric

        def task(span: slice) -> None:
            values, nodes = self._nearest(points[span], taken)
            self._average(np.maximum(0.0, values) if clip else values, nodes, own[span], others[span])

        area = tile_area(metric, self.n_jobs) // (ARRAYS * sum(taken))
        height = max(1, min(metric.tile[0], area))
        with one_blas_thread():
            in_threads(task, spans(len(points), height), self.n_jobs, len(points) * len(self.repeats))
        if n_classes == 2:
            others = own[:, ::-1]
        return (np.clip(own, 0.0, 1.0), np.clip(others, 0.0, 1.0)) if clip else (own, others)

    def _taken(self) -> list[int]:
        """How many of the nearest nodes of each class have a weight in some average; all, if they are not few."""
        taken = []
        for k, envelope in enumerate(self.envelopes):
            weights = [self.own[k], *(other for j, other in enumerate(self.others) if j != k)]
            most = max(len(W) - 1 for W in weights)
            taken.append(most if most <= FEW and most < len(envelope.rows) else len(envelope.rows))
        return taken

    def _nearest(self, points: Rows, taken: list[int]) -> tuple[Floats, Ints]:
        """``1 - gamma d`` of so many nearest nodes of each class in one falling order, and the nodes."""
        values, nodes = [], []
        for envelope, start, count in zip(self.envelopes, self.starts[:-1], taken, strict=True):
            n = len(envelope.rows)
            best, where = envelope.top(points, np.ones(n), count) if count < n else _every(envelope, points)
            values.append(best)
            nodes.append(start + where)
        together = np.concatenate(values, axis=1)
        order = np.argsort(-together, axis=1)
        return np.take_along_axis(together, order, axis=1), np.take_along_axis(np.hstack(nodes), order, axis=1)

    def _average(self, values: Floats, nodes: Ints, own: Floats, others: Floats) -> None:
        """Write the soft maxima of values in falling order."""
        steps = -np.diff(values, axis=1, append=0.0)
        repeats = self.repeats[nodes]
        n_at_least = np.cumsum(repeats, axis=1)
        for k, (first, last) in enumerate(zip(self.starts[:-1], self.starts[1:], strict=True)):
            in_class = (nodes >= first) & (nodes < last)
            n_in_class = np.cumsum(repeats * in_class, axis=1)
            own[:, k] = np.einsum("ij,ij->i", self.own[k].take(n_in_class, mode="clip"), steps)
            if self.others:
                n_outside = n_at_least - n_in_class
                others[:, k] = np.einsum("ij,ij->i", self.others[k].take(n_outside, mode="clip"), steps)


def _every(envelope: Envelope, points: Rows) -> tuple[Floats, Ints]:
    """``1 - gamma d`` of all nodes, and the nodes."""
    values = np.empty((len(points), len(envelope.rows)))
    width = tile_shape(envelope.metric, envelope.n_jobs)[1]
    for first, distances in row_of_tiles(envelope.metric, points, envelope.rows, width):
        values[:, first : first + distances.shape[1]] = 1.0 - envelope.gamma * distances
    return values, np.broadcast_to(np.arange(len(envelope.rows)), values.shape)


def rough_model(
    nodes: Nodes,
    metric: Metric,
    gamma: float,
    *,
    owa: Any,
    n_neighbors: int | None,
    n_jobs: int | None,
    coordinates: bool,
) -> RoughModel:
    """Build the model from nodes whose weights are repetitions.

    ``coordinates`` says that rows have coordinates of their own, not only distances.
    """
    sizes = np.bincount(nodes.classes, nodes.weights).astype(np.int64)
    parts = [slice(start, end) for start, end in zip(nodes.starts[:-1], nodes.starts[1:], strict=True)]
    n_others = sizes.sum() - sizes if len(sizes) > 2 else np.empty(0)
    return RoughModel(
        # The threads are those of soft_maxima, so each query within runs in one.
        envelopes=tuple(Envelope(nodes.rows[part], metric, gamma, n_jobs=1) for part in parts),
        repeats=nodes.weights.astype(np.int64),
        own=tuple(cumulated_weights(owa, int(n), n_neighbors) for n in sizes),
        others=tuple(cumulated_weights(owa, int(n), n_neighbors) for n in n_others),
        tie_order=class_tie_order(
            nodes, _marks(nodes.rows) if coordinates else np.ones(len(nodes.rows)), coordinates=coordinates
        ),
        n_jobs=n_jobs,
    )


def _marks(rows: Rows) -> Floats:
    """One number per row in place of a membership: it tells classes of equal size apart at little cost."""
    return rows.numeric.sum(axis=1) + rows.codes.sum(axis=1)


def cumulated_weights(owa: Any, n: int, k: int | None = None) -> Floats:
    """``W``: sums of the first 0, 1, 2, ... weights for n rows, up to the first that is 1.

    >>> cumulated_weights("additive", 3) * 6
    array([0., 3., 5., 6.])
    >>> len(cumulated_weights("exponential", 1000)) < 60
    True
    >>> cumulated_weights([0.6, 0.3, 0.1], 2) * 3
    array([0., 2., 3.])

    Parameters
    ----------
    owa
        As in :class:`FRNNClassifier`.
    n : int
        How many rows there are.
    k : int, optional
        How many of them have a weight.
    """
    count = n if k is None else min(n, int(k))
    if owa is None or isinstance(owa, str) or callable(owa):
        weights = resolve_owa(owa, count)
    else:
        given = np.size(owa)
        if k is not None and given < k:
            raise ValueError(
                f"owa holds {given} weights, fewer than n_neighbors={k}; give at least {k} weights, or leave "
                "n_neighbors out to use as many neighbours as there are weights"
            )
        count = max(1, min(count, given))
        weights = resolve_owa(owa, max(1, given), count)[:count]
    sums = np.append(0.0, np.cumsum(weights))
    sums /= sums[-1]
    return sums[: np.searchsorted(sums, 1.0) + 1]


def _check_neighbors(n_neighbors: Any) -> None:
    if n_neighbors is None:
        return
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors!r} must be a whole number >= 1, or None for all rows")


def _check_repetitions(weights: Floats) -> None:
    """Weights must say how often rows stand there."""
    broken = weights[weights != np.round(weights)]
    if len(broken):
        raise ValueError(
            f"sample_weight holds {broken[0]}, but in FRNNClassifier a weight says how often a row stands there; "
            "expected whole numbers (neighbours are ranked, and a part of a row has no rank)"
        )
    if weights.sum() > MOST_ROWS:
        raise ValueError(f"sample_weight repeats rows to {weights.sum():.3g} in all; expected at most {MOST_ROWS:.0e}")
