"""Lipschitz regression on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats
from fgac.dask.assembly import Recipe
from fgac.dask.base import SAMPLE_ROWS, Fitted, OnCluster, plain_parameters
from fgac.dask.clients import client_of, most_blocks
from fgac.dask.constraints import CellConstraints
from fgac.dask.fitting import (
    Cells,
    ReadParts,
    TargetsOf,
    check_local,
    gathered,
    proved,
    read_parts,
    target_scale,
    with_learned_weights,
)
from fgac.dask.parts import parts_of
from fgac.estimators._base import check_parameters, reading_settings
from fgac.estimators.regressor import FGARegressor
from fgac.granular.extension import Bounds, Interval
from fgac.metrics.distances import resolve_metric
from fgac.solve import Problem, Solution, solve
from fgac.tables.targets import TargetScale
from fgac.tables.validation import check_count


class DaskFGARegressor(RegressorMixin, OnCluster):
    """:class:`fgac.FGARegressor` for tables on a Dask cluster: the same model, whatever the number of workers.

    Parameters
    ----------
    client : distributed.Client, optional
        The current one by default.
    sample_rows : int, default=100000
        As in :class:`DaskFGAClassifier`.
    gamma, loss, quantile, target_scale, interval, metric, scale, categorical_features, feature_weights, monotonic_cst,
    tol, verbose
        As in :class:`fgac.FGARegressor`; distances cannot be precomputed.

    Attributes
    ----------
    fitted_values_ : array of shape (n_samples,)
        Value of every training row; nan for rows of weight 0.
    solution_ : Solution
        The solved problem with its proof; its nodes go cell by cell.
    interval_solutions_ : tuple of two Solutions
        The same of the lower and the upper quantile; only if ``interval`` is given.
    feature_weights_ : array of shape ``(n_features_in_,)``
    messages_ : dict
        How many values were sent and violated pairs received in all rounds.
    n_features_in_ : int
    feature_names_in_ : array of shape ``(n_features_in_,)``
        Only if X has column names.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from fgac.dask import DaskFGARegressor
    >>> client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None)
    >>> X = da.from_array(np.array([[0.0], [3.0], [4.0], [8.0]]), chunks=(2, 1))
    >>> model = DaskFGARegressor(gamma=2.0).fit(X, da.from_array(np.array([10.0, 20.0, 40.0, 50.0]), chunks=2))
    >>> model.fitted_values_
    array([10., 25., 35., 50.])
    >>> model.predict(X).compute()
    array([10., 25., 35., 50.])
    >>> client.close()
    """

    def __init__(
        self,
        *,
        client: Any = None,
        sample_rows: int = SAMPLE_ROWS,
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
        verbose: int = 0,
    ) -> None:
        self.client = client
        self.sample_rows = sample_rows
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
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the values of the training rows.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file
        y : dask Series or Array, or name of a column of X
        sample_weight : dask Series or Array, or name of a column of X, optional

        Returns
        -------
        self
        """
        plain = FGARegressor(**plain_parameters(self, FGARegressor))
        check_parameters(plain)
        check_local(plain.metric)
        check_count("sample_rows", self.sample_rows)
        client = client_of(self.client)
        parts = parts_of(X, y, sample_weight, most_blocks(client), "FGARegressor")
        read = read_parts(client, parts, reading_settings(plain))
        scale = target_scale(read, plain.target_scale)
        read = with_learned_weights(read, TargetsOf(scale), self.sample_rows)
        metric = resolve_metric(plain.metric)
        cells = gathered(read, None, metric)
        constraints = CellConstraints(client, cells.cells, cells.facts, metric, float(plain.gamma), "numbers")
        solutions = tuple(_solutions(plain, read, cells, constraints, scale))
        recipe = Recipe(plain, read.header, read.table, read.marks, parts.target_name, None, None, scale, None, None)
        messages = {"values_sent": constraints.sent, "pairs_received": constraints.received}
        self._keep(Fitted(read, cells, recipe, solutions, solutions[0].values, messages))
        return self

    @property
    def fitted_values_(self) -> Floats:
        """Value of every training row."""
        check_is_fitted(self)
        scale = self._fitted.recipe.scale
        assert scale is not None
        return self._of_rows(scale.to_user_scale(self._fitted.values))

    @property
    def interval_solutions_(self) -> tuple[Solution, ...]:
        """The solved problems of both quantiles."""
        check_is_fitted(self)
        if len(self._fitted.solutions) == 1:
            raise AttributeError("interval_solutions_: it was fitted without an interval; set interval=0.9, say")
        return self._fitted.solutions[1:]

    def predict(self, X: Any) -> Any:
        """Predict numbers, lazily.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file

        Returns
        -------
        dask Series or Array
        """
        check_is_fitted(self)
        return self._judged(X, "predict", np.empty(0))

    def predict_bounds(self, X: Any) -> Bounds:
        """The least and the most that training rows leave room for, and the prediction between them, lazily.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file

        Returns
        -------
        Bounds
            Named tuple ``(lower, upper, prediction)`` of dask Series or Arrays.
        """
        check_is_fitted(self)
        none = np.empty(0)
        found: Bounds = self._judged(X, "predict_bounds", Bounds(none, none, none))
        return found

    def predict_interval(self, X: Any) -> Interval:
        """Between which numbers values should lie, lazily.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file

        Returns
        -------
        Interval
            Named tuple ``(lower, upper)`` of dask Series or Arrays.
        """
        check_is_fitted(self)
        found: Interval = self._judged(X, "predict_interval", Interval(np.empty(0), np.empty(0)))
        return found


def _solutions(
    plain: FGARegressor, read: ReadParts, cells: Cells, constraints: CellConstraints, scale: TargetScale
) -> Iterator[Solution]:
    """The solution of the values, and of both ends of an interval if there is to be one."""
    targets, weights = scale.to_unit_scale(scale.near(cells.levels)), cells.weights
    asked: list[tuple[str, float]] = [(plain.loss, float(plain.quantile))]
    if plain.interval is not None:
        asked += [("quantile", 0.5 - 0.5 * plain.interval), ("quantile", 0.5 + 0.5 * plain.interval)]
    for loss, quantile in asked:
        constraints.start_again()
        problem = Problem(targets, constraints, weights, loss=loss, quantile=quantile)
        solution = solve(problem, tol=plain.tol, verbose=plain.verbose)
        yield proved(read, solution, cells, float(plain.gamma), plain.tol)
