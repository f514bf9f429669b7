"""The fuzzy granular approximation classifier on a Dask cluster."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from fgac._typing import Floats
from fgac.dask.assembly import Recipe
from fgac.dask.base import SAMPLE_ROWS, Fitted, OnCluster, plain_parameters
from fgac.dask.clients import client_of, most_blocks
from fgac.dask.constraints import CellConstraints
from fgac.dask.fitting import (
    ClassesOf,
    ReadParts,
    check_local,
    classes_of,
    gathered,
    proved,
    read_parts,
    with_learned_weights,
)
from fgac.dask.parts import parts_of
from fgac.estimators._base import check_parameters, reading_settings
from fgac.estimators.classifier import FGAClassifier
from fgac.fuzzy.connectives import resolve_isomorphism
from fgac.granular.dissimilarity import bent_metric
from fgac.granular.membership import Memberships
from fgac.metrics.distances import resolve_metric
from fgac.solve import Problem, solve
from fgac.tables.validation import check_count


class DaskFGAClassifier(ClassifierMixin, OnCluster):
    """:class:`fgac.FGAClassifier` for tables on a Dask cluster: the same model, whatever the number of workers.

    Training rows stay on the workers. In every round of training the client sends the value of every node (8 bytes) and
    gets violated pairs back; it never has the table. The solution is unique, so it is that of the local estimator, up
    to rounding, for any number of workers and any partitions.

    Parameters
    ----------
    client : distributed.Client, optional
        The current one by default.
    sample_rows : int, default=100000
        Weights of columns and a score that are learned (``metric="learned"``) are those of the local estimator if the
        table has no more rows than this. Of a larger one they come from a sample of so many distinct rows, which
        depends on nothing but what rows hold.
    gamma, loss, metric, scale, owa, isomorphism, categorical_features, feature_weights, monotonic_cst, class_weight,
    ties, tol, verbose
        As in :class:`fgac.FGAClassifier`; distances cannot be precomputed.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    beta_ : array of shape (n_samples,)
        Estimated membership of every training row in its own class; nan for rows of weight 0.
    solution_ : Solution
        The solved problem with its proof; its nodes go cell by cell.
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
    >>> from fgac.dask import DaskFGAClassifier
    >>> client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None)
    >>> X = da.from_array(np.array([[0.0], [0.1], [0.9], [1.0]]), chunks=(2, 1))
    >>> y = da.from_array(np.array(["low", "low", "high", "high"]), chunks=2)
    >>> clf = DaskFGAClassifier(gamma=2.0).fit(X, y)
    >>> clf.predict(X).compute()
    array(['low', 'low', 'high', 'high'], dtype='<U4')
    >>> clf.to_local().predict([[0.2]])
    array(['low'], dtype='<U4')
    >>> client.close()
    """

    def __init__(
        self,
        *,
        client: Any = None,
        sample_rows: int = SAMPLE_ROWS,
        gamma: float = 1.0,
        loss: str = "squared_error",
        metric: Any = "euclidean",
        scale: str | None = "auto",
        owa: Any = None,
        isomorphism: Any = None,
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        class_weight: Any = None,
        ties: str = "nearest",
        tol: float = 1e-10,
        verbose: int = 0,
    ) -> None:
        self.client = client
        self.sample_rows = sample_rows
        self.gamma = gamma
        self.loss = loss
        self.metric = metric
        self.scale = scale
        self.owa = owa
        self.isomorphism = isomorphism
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.ties = ties
        self.tol = tol
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Estimate the memberships of the training rows.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file
        y : dask Series or Array, or name of a column of X
        sample_weight : dask Series or Array, or name of a column of X, optional

        Returns
        -------
        self
        """
        plain = FGAClassifier(**plain_parameters(self, FGAClassifier))
        check_parameters(plain)
        check_local(plain.metric)
        check_count("sample_rows", self.sample_rows)
        client = client_of(self.client)
        parts = parts_of(X, y, sample_weight, most_blocks(client), "FGAClassifier")
        self._learn(plain, read_parts(client, parts, reading_settings(plain)))
        return self

    def _learn(self, plain: FGAClassifier, read: ReadParts, calibration: Any = None, selection: Any = None) -> None:
        """Learn what the local estimator would learn."""
        classes, totals, factors = classes_of(read, plain.class_weight)
        if plain.monotonic_cst is not None and len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported with monotonic_cst. The type of the target is multiclass: "
                f"there are {len(classes)} classes"
            )
        read = with_learned_weights(read, ClassesOf(classes, totals, factors), self.sample_rows)
        metric, gamma = bent_metric(
            resolve_metric(plain.metric), float(plain.gamma), resolve_isomorphism(plain.isomorphism)
        )
        cells = gathered(read, classes, metric)
        levels, weights, two = cells.levels, cells.weights * factors[cells.levels], len(classes) == 2
        constraints = CellConstraints(
            read.client, cells.cells, cells.facts, metric, gamma, "two classes" if two else "many classes"
        )
        targets = levels.astype(np.float64) if two else np.repeat([1.0, 0.0], len(levels))
        problem = Problem(targets, constraints, weights if two else np.tile(weights, 2), loss=plain.loss)
        solution = solve(problem, tol=plain.tol, verbose=plain.verbose)
        solution = proved(read, solution, cells, gamma, plain.tol)
        a, n = solution.values, len(levels)
        beta = np.clip(np.where(levels == 1, a, 1 - a) if two else 0.5 * (a[:n] + 1 - a[n:]), 0.0, 1.0)
        header, name = read.header, read.parts.target_name
        recipe = Recipe(plain, header, read.table, read.marks, name, classes, factors, None, calibration, selection)
        messages = {"values_sent": constraints.sent, "pairs_received": constraints.received}
        self._keep(Fitted(read, cells, recipe, (solution,), beta, messages))

    @property
    def classes_(self) -> NDArray[Any]:
        """Labels of the classes."""
        check_is_fitted(self)
        classes = self._fitted.recipe.classes
        assert classes is not None
        return classes

    @property
    def beta_(self) -> Floats:
        """Estimated membership of every training row in its own class."""
        check_is_fitted(self)
        isomorphism = resolve_isomorphism(self._fitted.recipe.estimator.isomorphism)
        return self._of_rows(isomorphism.inverse(self._fitted.values))

    def predict(self, X: Any) -> Any:
        """Predict the class with the largest degree of membership, lazily.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file

        Returns
        -------
        dask Series or Array
        """
        check_is_fitted(self)
        return self._judged(X, "predict", self.classes_[:0])

    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the classes, lazily, as :meth:`fgac.FGAClassifier.predict_proba` has them.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file

        Returns
        -------
        dask DataFrame with a column for every class, or dask Array
        """
        check_is_fitted(self)
        return self._judged(X, "predict_proba", np.empty((0, len(self.classes_))), self.classes_)

    def memberships(self, X: Any) -> Memberships:
        """Lower bound, upper bound and degree of membership in every class, lazily.

        Parameters
        ----------
        X : dask DataFrame, dask Array or path of a Parquet file

        Returns
        -------
        Memberships
            Named tuple ``(lower, upper, degree)`` of dask DataFrames with a column for every class, or dask Arrays.
        """
        check_is_fitted(self)
        none = np.empty((0, len(self.classes_)))
        found: Memberships = self._judged(X, "memberships", Memberships(none, none, none), self.classes_)
        return found
