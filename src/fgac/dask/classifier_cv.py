"""The classifier on a Dask cluster with gamma chosen by cross-validation on some of the rows."""

from __future__ import annotations

from typing import Any, Self

from dask.delayed import delayed
from sklearn.utils.validation import check_is_fitted

from fgac.dask.base import SAMPLE_ROWS, plain_parameters
from fgac.dask.classifier import DaskFGAClassifier
from fgac.dask.clients import client_of, most_blocks
from fgac.dask.fitting import ReadParts, check_local, read_parts
from fgac.dask.learning import Sample, joined_sample, sampled, with_marks
from fgac.dask.parts import parts_of
from fgac.estimators._base import check_parameters, reading_settings
from fgac.estimators._state import state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.selection.classifier_cv import FGAClassifierCV
from fgac.selection.default_folds import MAX_ROWS
from fgac.tables.validation import check_count


class DaskFGAClassifierCV(DaskFGAClassifier):
    """:class:`fgac.FGAClassifierCV` for tables on a Dask cluster: gamma is chosen on a sample, and all rows are fitted.

    The folds are of ``max_rows`` distinct rows, drawn by what they hold, so that the choice depends neither on the
    order of the rows nor on how they are cut into partitions. Of a table that has no more rows, they are all, and gamma
    is that of the local search. The sample comes to this process; the rest of the table does not.

    Parameters
    ----------
    client : distributed.Client, optional
        The current one by default.
    sample_rows : int, default=100000
        As in :class:`DaskFGAClassifier`.
    gammas, cv, scoring, calibrate
        As in :class:`fgac.FGAClassifierCV`.
    max_rows : int, default=5000
        On how many rows gamma is chosen.
    loss, metric, scale, owa, isomorphism, categorical_features, feature_weights, monotonic_cst, class_weight, ties,
    tol, verbose
        As in :class:`fgac.FGAClassifierCV`; distances cannot be precomputed.
    n_jobs : int, default=None
        Threads of the search in this process.

    Attributes
    ----------
    gamma_, best_score_, cv_results_
        Of the search on the sample; see :class:`fgac.FGAClassifierCV`.
    search_ : FGAClassifierCV
        The search, fitted to the sample.
    classes_, beta_, solution_, feature_weights_, messages_, n_features_in_, feature_names_in_
        Of the classifier with that gamma, fitted to all rows; see :class:`DaskFGAClassifier`.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifierCV
    >>> from fgac.dask import DaskFGAClassifierCV
    >>> client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None)
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DaskFGAClassifierCV().fit(da.from_array(X, chunks=(50, 4)), da.from_array(y, chunks=50))
    >>> model.gamma_ == FGAClassifierCV().fit(X, y).gamma_
    True
    >>> client.close()
    """

    def __init__(
        self,
        *,
        client: Any = None,
        sample_rows: int = SAMPLE_ROWS,
        gammas: Any = None,
        cv: Any = None,
        scoring: Any = None,
        max_rows: int = MAX_ROWS,
        calibrate: bool = True,
        loss: str = "squared_error",
        metric: Any = "learned",
        scale: str | None = "auto",
        owa: Any = None,
        isomorphism: Any = None,
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        class_weight: Any = "balanced",
        ties: str = "nearest",
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.client = client
        self.sample_rows = sample_rows
        self.gammas = gammas
        self.cv = cv
        self.scoring = scoring
        self.max_rows = max_rows
        self.calibrate = calibrate
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
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose gamma on some of the rows, and fit to all rows with it.

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
        check_count("max_rows", self.max_rows)
        check_count("sample_rows", self.sample_rows)
        client = client_of(self.client)
        parts = parts_of(X, y, sample_weight, most_blocks(client), "FGAClassifierCV")
        read = read_parts(client, parts, reading_settings(plain))
        sample = _sample(read, self.max_rows)
        shares = {"max_rows": None, "categorical_features": None}
        search = FGAClassifierCV(**{**plain_parameters(self, FGAClassifierCV), **shares})
        weights = None if (sample.weights == 1.0).all() else sample.weights
        search.fit(with_marks(sample.read, read.table, read.marks), sample.targets, weights)
        state = state_of(search)
        plain.gamma = search.gamma_
        self._learn(plain, read, state.calibration, state.selection)
        self.search_ = search
        return self

    @property
    def gamma_(self) -> float:
        """The gamma with the largest mean score."""
        check_is_fitted(self)
        return float(self.search_.gamma_)

    @property
    def best_score_(self) -> float:
        """Its mean score on the rows held out of the sample."""
        check_is_fitted(self)
        return float(self.search_.best_score_)

    @property
    def cv_results_(self) -> dict[str, Any]:
        """The scores of all gammas."""
        check_is_fitted(self)
        results: dict[str, Any] = self.search_.cv_results_
        return results


def _sample(read: ReadParts, size: int) -> Sample:
    """So many of the rows of a table, all of them in their order if there are no more."""
    some = None if sum(head.n_present for head in read.heads) <= size else size
    parts = read.client.gather(read.client.compute([delayed(sampled)(block, some) for block in read.blocks]))
    return joined_sample(parts, some)
