"""Lipschitz regression as a scikit-learn estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from fgac._renamed import warn_renamed
from fgac._typing import Floats
from fgac.estimators._counterfactuals import CounterfactualMixin
from fgac.estimators._regressor_steps import RegressorSteps
from fgac.granular.extension import Bounds, Interval
from fgac.solve import Solution
from fgac.tables.labels import read_ids

if TYPE_CHECKING:
    from fgac.explanation.audit import RegressionAudit
    from fgac.explanation.regression import RegressionExplanations


class FGARegressor(CounterfactualMixin, RegressorMixin, RegressorSteps):
    """Lipschitz regression: exact, and able to say why.

    Training looks for values of the training rows that are as close to the targets as they can be while values of
    similar rows are similar: they differ by at most gamma times the range of the targets times the distance. This is
    the exact solution of a convex problem, with a proof. Every training row then says of a new row that its value is at
    least, and at most, so much; the prediction is the middle between the largest "at least" and the smallest "at most",
    and the rows behind the two are the arguments. With targets 0 and 1 it has the bounds of :class:`FGAClassifier`.

    Parameters
    ----------
    gamma : float, default=1.0
        By how much predictions may change over a distance of 1, as a multiple of ``target_scale``. Large values
        trust single rows, small ones smooth over many: the parameter to tune.
    loss : {"squared_error", "absolute_error", "quantile"}, default="squared_error"
        What is minimised between targets and fitted values. Absolute and quantile loss have many optima; the one with
        the least squared error is taken.
    quantile : float, default=0.5
        Which quantile of the targets to predict, for the quantile loss; 0.5 is the median, as for absolute error.
    target_scale : {"range", "robust"} or two numbers, default="range"
        What counts as a difference of 1 in the target, the unit of gamma and of the strengths of arguments: the range
        of the targets, that of the usual ones (from the 5th to the 95th percentile), or from the first of two numbers
        to the second. Targets that are more than three times that away from these ends are learned as if they were
        that far away, so that a few of them do not draw all predictions to themselves.
    interval : float or None, default=None
        Fit two more quantiles, for intervals that should hold this share of the targets: with 0.9 those of 0.05 and
        0.95. They do not cross.
    metric : {"euclidean", "manhattan", "chebyshev", "angular", "learned", "precomputed"}, callable or object
        Distance between rows after scaling, as in :class:`FGAClassifier`; "euclidean" by default.
    scale : {"auto", "range", "robust", "rank", None}, default="auto"
        What counts as a difference of 1 in a numeric column: its range, the range between its 1st and 99th
        percentile, or the number 1. With "rank", two values differ by the share of the training rows between them, so
        that a few values far out do not press all others together. "auto" is "rank" with the metric "learned", None
        with "angular", else "range".
    categorical_features : "from_dtype", list of names, positions or bools, or None, default="from_dtype"
        Nominal columns, whose values are equal (difference 0) or not (difference 1). By default the category, string
        and bool columns of a frame, and those of objects that are not all numbers.
    feature_weights : array of shape (n_features,), dict, Series or "learned", default=None
        Multiplies the difference in each column; by the names of columns, those not named weigh 1. With "learned", a
        forest grown on the training rows says how much each column counts, see :mod:`fgac.tables.learned_weights`. None
        is 1 for every column, and "learned" with the metric of that name.
    monotonic_cst : array of shape (n_features,), dict or None, default=None
        For every column 1, -1 or 0, in their order or by their names or positions: whether more of it can only raise
        the prediction, only lower it, or do either. With a single increasing column and a very large gamma this is
        isotonic regression.
    tol : float, default=1e-10
        Largest violation of a constraint that is accepted in training, relative to half the range of the targets.
    n_jobs : int, default=None
        Threads; None is 1 unless in a :func:`joblib.parallel_config` context, -1 is all.
    verbose : int, default=0
        Print the progress of training if positive.

    Attributes
    ----------
    fitted_values_ : array of shape (n_samples,)
        Value of every training row; nan for rows of weight 0. Where it differs from the target, other rows contradict
        that: see :func:`fgac.audit`.
    solution_ : Solution
        The solved problem with its proof: ``solution_.is_optimal()``, ``largest_violation``, ``duality_gap``. Targets
        and values are on a scale from 0 to 1, by default from the smallest target to the largest. Its nodes are the
        distinct pairs of row and target of positive weight, sorted by target and row.
    interval_solutions_ : tuple of two Solutions
        The same of the lower and the upper quantile; only if ``interval`` is given.
    interval_margin_ : float
        What is added to the interval on both sides: nothing.
    feature_weights_ : array of shape ``(n_features_in_,)``
        How much a difference in each column counts, learned or as given.
    n_features_in_ : int
    feature_names_in_ : array of shape ``(n_features_in_,)``
        Only if X has column names.

    Notes
    -----
    The middle between the two extensions of a Lipschitz function, as in U. von Luxburg and O. Bousquet,
    "Distance-based classification with Lipschitz functions" (2004), and in G. Beliakov's LibLip for scattered data.

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> model.fitted_values_
    array([10., 25., 35., 50.])
    >>> model.predict([[2.0]])
    array([22.5])
    >>> model.predict_bounds([[2.0]])
    Bounds(lower=array([15.]), upper=array([30.]), prediction=array([22.5]))
    """

    def __init__(
        self,
        *,
        gamma: float = 1.0,
        loss: str = "squared_error",
        quantile: float = 0.5,
        target_scale: Any = "range",
        interval: float | None = None,
        metric: Any = "euclidean",
        scale: str | None = "auto",
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.gamma = gamma
        self.loss = loss
        self.quantile = quantile
        self.target_scale = target_scale
        self.interval = interval
        self.metric = metric
        self.scale = scale
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, ids: Any = None) -> Self:
        """Find the values of the training rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
            Cells of a table may be missing (nan, None, NA), here and in new rows; distances may not.
        y : array of shape (n_samples,)
            Numbers.
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

    def predict(self, X: Any) -> Floats:
        """Predict the middle between what training rows say is the least and the most.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        array of shape (n_samples,)
        """
        return self.predict_bounds(X).prediction

    def predict_bounds(self, X: Any) -> Bounds:
        """What the training rows leave room for: the extensions of McShane and Whitney, and their middle.

        Bounds may lie beyond all targets, where no training row is near. With ``monotonic_cst`` they are cut off at the
        smallest and the largest fitted value, because a row may have nothing below it, or nothing above.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        Bounds
            Named tuple ``(lower, upper, prediction)`` of arrays of shape (n_samples,).
        """
        rows = self._read_rows(X)  # before the state: it says kindly that there is none
        return self._state.bounds(rows)

    def envelope(self, X: Any) -> Bounds:
        """The old name of :meth:`predict_bounds`.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        Bounds
        """
        warn_renamed("envelope(X)")
        return self.predict_bounds(X)

    def predict_interval(self, X: Any) -> Interval:
        """From the least to the most that a value may be.

        With ``interval=0.9`` from the lower extension of the fitted 0.05 quantile to the upper extension of the 0.95
        quantile: the quantiles at training rows, and wider the further away these are. Of the training targets it
        holds about 90 %, of new ones often fewer, because quantiles follow the rows that they were fitted to:
        :class:`FGARegressorCV` finds on rows held out how far intervals must reach. Without ``interval`` it is the
        envelope of the fit, which says where other functions of the same slope could run, not where targets are. No
        interval reaches beyond the targets that were seen, unless the row lies beyond all training rows.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)

        Returns
        -------
        Interval
            Named tuple ``(lower, upper)`` of arrays of shape (n_samples,).
        """
        rows, values = self._read_rows_and_values(X)
        return self._state.prediction_interval(rows, values)

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
        counterfactuals: Any = None,
        alike: float | None = None,
    ) -> RegressionExplanations:
        """Explain predictions: the training rows that say "at least" and "at most", and how near they are.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features)
        n_arguments : int, default=3
            How many on each side.
        y : array of shape (n_samples,), optional
            The true values, where they are known (nan where not): explanations then tell.
        ids : array of shape (n_samples,), optional
            What these rows are called; by default the index of a pandas frame, or their positions.
        units : dict, optional
            Units of columns, as in ``{"age": "years"}``; that of the target goes by the name ``"y"``, unless a column
            is called so.
        merge_similarity : float, default=0.95
            Training rows that are at least so similar to each other (``1 - d``, and ``1 - gamma d`` if that is less)
            are one argument, that of the strongest of them.
        audit : bool, default=False
            Whether the training rows with the most contradicted targets are added, as ``contradictions`` of the
            explanations: the first ten that :func:`fgac.audit` finds. HTML reports list them.
        counterfactuals : dict, optional
            What would change the prediction: settings of :meth:`counterfactuals`, as in ``{"target": 300.0}``.
        alike : float, optional
            Old name of ``merge_similarity``.

        Returns
        -------
        RegressionExplanations
            One :class:`~fgac.explanation.regression.RegressionExplanation` per row. Print it, or use ``to_frame()``,
            ``to_json()`` and ``to_html()``.

        Examples
        --------
        >>> from fgac import FGARegressor
        >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
        >>> why = model.explain([[2.0]])[0]
        >>> why.lower, why.prediction, why.upper
        (15.0, 22.5, 30.0)
        >>> [(row.id, row.says) for row in why.at_least], [(row.id, row.says) for row in why.at_most]
        ([(1, 15.0), (2, 15.0)], [(0, 30.0), (1, 35.0)])
        """
        from fgac.explainers.base import similarity_of
        from fgac.explainers.regression import explain

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
            counterfactuals=counterfactuals,
        )

    def contradictions(self, n_rows: int | None = None) -> RegressionAudit:
        """Old name of :func:`fgac.audit`.

        Parameters
        ----------
        n_rows : int, optional
            The largest number of suspects; all by default.

        Returns
        -------
        RegressionAudit
        """
        from fgac.explainers.audit import audit

        warn_renamed("contradictions()")
        return audit(self, n_rows)

    @property
    def fitted_values_(self) -> Floats:
        """The value of every training row."""
        check_is_fitted(self)
        return self._state.fitted_values

    @property
    def fitted_(self) -> Floats:
        """The old name of ``fitted_values_``."""
        warn_renamed("fitted_")
        return self.fitted_values_

    @property
    def solution_(self) -> Solution:
        """The solved problem, with its proof."""
        check_is_fitted(self)
        return self._state.solution

    @property
    def interval_solutions_(self) -> tuple[Solution, ...]:
        """The solved problems of both ends of the interval, or that of the spread that it is made of."""
        self._check_interval("interval_solutions_")
        spread = self._state.spread
        return self._state.interval_solutions if spread is None else (spread.state.solution,)

    @property
    def interval_margin_(self) -> float:
        """By how much the interval is widened on both sides, or narrowed, if negative."""
        self._check_interval("interval_margin_")
        if self._state.spread is not None:
            raise AttributeError("interval_margin_ differs from row to row here: see interval_factors_ and spread_")
        return self._state.interval_margin

    def _check_interval(self, name: str) -> None:
        """Refuse an attribute of intervals where none was fitted."""
        check_is_fitted(self)
        if not self._state.has_interval:
            raise AttributeError(f"{name} is there only if interval is given, which was None in fit")
