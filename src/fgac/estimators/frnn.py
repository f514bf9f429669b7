"""Fuzzy rough nearest neighbours (the paper's kFRNN) as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

from fgac._typing import Floats
from fgac.estimators._base import RowClassifier
from fgac.estimators._state import ClassState
from fgac.granular.membership import Memberships
from fgac.granular.nodes import merge
from fgac.granular.rough_neighbours import OVER, RoughModel, rough_model
from fgac.metrics.distances import Rows, resolve_metric
from fgac.tables.validation import check_option

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
        its lower approximation. None is all. Where there are fewer, all of them have one (see ``over``).
    owa : {"additive", "exponential", "inverse_additive", "strict"}, None, array or callable, default="additive"
        Weights of the nearest row, the next, and so on (:mod:`fgac.fuzzy.owa`). None, or "strict", looks at the
        nearest row only. A callable returns m weights when called with m. An array holds the weights of as many nearest
        rows as it is long, or of the ``n_neighbors`` first; where there are fewer rows, the first weights,
        brought to a sum of 1.
    over : {"class", "all"}, default="class"
        How many rows the weights are made for: those of the class (upper approximation) and those of all other classes
        (lower approximation), or all training rows, as in the paper's kFRNN. There the rows outside of the class
        take part in the average as well, with the value 0 (lower: rows of the class, with 1). It makes no difference
        where ``n_neighbors`` is at most the size of the smallest class, nor with "strict". With more neighbours a class
        cannot belong further than its share of the rows allows, and the largest class wins nearly everywhere, which is
        why "class" is the default.
    gamma : float, default=1.0
        How fast similarity ``max(0, 1 - gamma * distance)`` falls.
    metric : {"euclidean", "manhattan", "chebyshev", "angular", "learned", "precomputed"}, callable or object
        Distance between rows after scaling, as in :class:`~fgac.FGAClassifier`; "euclidean" by default.
    scale : {"auto", "range", "robust", "rank", None}, default="auto"
        What counts as a difference of 1 in a numeric column: its range, the range between its 1st and 99th
        percentile, or the number 1; with "rank", values differ by the share of the training rows between them.
        "auto" is "rank" with the metric "learned", None with "angular", else "range".
    categorical_features : "from_dtype", list of names, positions or bools, or None, default="from_dtype"
        Nominal columns, whose values are equal (difference 0) or not (difference 1). By default the category, string
        and bool columns of a frame, and those of objects that are not all numbers.
    feature_weights : array of shape (n_features,), dict, Series or "learned", default=None
        Multiplies the difference in each column; by the names of columns, those not named weigh 1. With "learned", a
        forest grown on the training rows says how much each column counts, see :mod:`fgac.tables.learned_weights`. None
        is 1 for every column, and "learned" with the metric of that name.
    n_jobs : int, default=None
        Threads; None is 1 unless in a :func:`joblib.parallel_config` context, -1 is all.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    feature_weights_ : array of shape ``(n_features_in_,)``
        How much a difference in each column counts, learned or as given.
    n_features_in_ : int
    feature_names_in_ : array of shape ``(n_features_in_,)``
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

    Notes
    -----
    ``memberships`` returns the lower and the upper approximation under the names ``lower`` and ``upper``. Unlike the
    bounds of :class:`~fgac.FGAClassifier` they limit nothing, and either can be the larger one: far from all rows the
    lower approximation of every class is 1 and the upper one 0.
    """

    _state: RoughState

    def __init__(
        self,
        *,
        n_neighbors: int | None = None,
        owa: Any = "additive",
        over: str = "class",
        gamma: float = 1.0,
        metric: Any = "euclidean",
        scale: str | None = "auto",
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.owa = owa
        self.over = over
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
            Cells of a table may be missing (nan, None, NA), here and in new rows; distances may not.
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            How often each row stands there. Weight 2 is exactly the row repeated, also where neighbours are counted;
            weight 0 is absence. Weights need not be whole numbers: rows then take parts of ranks, and what a part of a
            rank weighs follows from the formulas of the families, or, for an array, from the weight of that rank
            (:mod:`fgac.granular.rank_weights`). A callable ``owa`` needs whole numbers.

        Returns
        -------
        self
        """
        self._check_common_parameters()
        _check_neighbors(self.n_neighbors)
        check_option("over", self.over, OVER)
        (header, table, rows, name), classes = self._read_classes(X, y, sample_weight)
        _check_repetitions(rows.weights)
        nodes = merge(rows.rows, rows.codes, len(classes), rows.weights, distinct=self._precomputed)
        model = rough_model(
            nodes,
            resolve_metric(self.metric),
            float(self.gamma),
            owa=self.owa,
            n_neighbors=self.n_neighbors,
            over=self.over,
            n_jobs=self.n_jobs,
            coordinates=not self._precomputed,
        )
        # Nothing makes an estimator of this state, and a function among the parameters could not be pickled.
        params = {"gamma": float(self.gamma)}
        self._set_state(
            RoughState(params=params, header=header, table=table, target_name=name, classes=classes, model=model)
        )
        return self

    def _memberships(self, rows: Rows) -> Memberships:
        return self._state.model.memberships(rows)

    def _scores(self, rows: Rows) -> Floats:
        return self._state.model.scores(rows)


@dataclass(frozen=True, kw_only=True)
class RoughState(ClassState):
    """A fitted FRNNClassifier."""

    model: RoughModel


def _check_neighbors(n_neighbors: Any) -> None:
    if n_neighbors is None:
        return
    if isinstance(n_neighbors, bool) or not isinstance(n_neighbors, Integral) or n_neighbors < 1:
        raise ValueError(f"n_neighbors={n_neighbors!r} must be a whole number >= 1, or None for all rows")


def _check_repetitions(weights: Floats) -> None:
    """Refuse weights that repeat rows more often than there is room for OWA weights."""
    if weights.sum() > MOST_ROWS:
        raise ValueError(f"sample_weight repeats rows to {weights.sum():.3g} in all; expected at most {MOST_ROWS:.0e}")
