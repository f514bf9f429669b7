"""The regressor with gamma chosen by cross-validation.

By how much prediction intervals have to be widened to hold their share of rows that were not trained on.

Quantiles follow the rows that they are fitted to, so of new rows an interval holds fewer than it should, or more where
rows are far apart. How far the targets of rows held out lie outside of their intervals, or inside (then it is
negative), tells what is missing: the quantile of these numbers is added on both sides (conformalised quantile
regression, with cross-validation in place of a single split).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from fgac._typing import Floats, Ints
from fgac.estimators.regressor import FGARegressor
from fgac.metrics.tiles import one_blas_thread
from fgac.selection.folds import KEEP
from fgac.selection.grid import Scorer, _cut, _number, read_once, take
from fgac.selection.search import GammaSearch
from fgac.solve import Solution
from fgac.tables.columns import weighted_percentile
from fgac.tables.targets import check_targets
from fgac.tables.validation import check_distances, check_positive, check_sample_weight

if TYPE_CHECKING:
    from fgac.estimators.regressor import FGARegressor


def held_out_margin(
    estimator: FGARegressor, X: Any, y: Floats, splits: Sequence[tuple[Ints, Ints]], weight: Floats | None
) -> float:
    """What to add to both ends of the intervals of a regressor, in units of the target.

    Parameters
    ----------
    estimator : FGARegressor
        With an ``interval``; it is not changed.
    X, y : table and targets, checked
    splits : list of (train, test)
        Positions of rows.
    weight : array of shape (n_samples,), optional
        Weights of rows.
    """
    weight = np.ones(len(y)) if weight is None else weight
    read = read_once(estimator, X)
    outside = []
    for train, test in splits:
        model = copy(estimator).fit(take(estimator, read, train, train), y[train], weight[train])
        lower, upper = model.predict_interval(take(estimator, read, test, train))
        outside.append(np.maximum(lower - y[test], y[test] - upper))
    return share_of(np.concatenate(outside), np.concatenate([weight[test] for _, test in splits]), estimator.interval)


def share_of(numbers: Floats, weight: Floats, share: float | None) -> float:
    """The number that a share of some numbers does not exceed, with one more that might exceed all.

    >>> share_of(np.arange(9.0), np.ones(9), 0.45), share_of(np.arange(9.0), np.ones(9), 0.95)
    (4.0, 8.0)
    """
    assert share is not None
    there = weight > 0
    level = min(1.0, share * (1.0 + 1.0 / weight.sum()))
    return float(weighted_percentile(numbers[there], np.array([100.0 * level]), weight[there])[0])


# Targets with noise have a larger range than what is to be learned of them, so that small gammas matter more than in
# classification.
GAMMAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0)


class FGARegressorCV(GammaSearch, FGARegressor):
    """Lipschitz regression whose gamma is chosen by cross-validation.

    It does what a grid search with :class:`FGARegressor` does, with the same result, and shares between the gammas
    what does not depend on them: tables are read and distances computed once per fold, and the solution for one gamma
    is the start for the next.

    Parameters
    ----------
    gammas : array of numbers or None, default=None
        What to try; by default seventeen numbers from 0.1 to 50.
    cv : int, splitter or iterable of splits, default=None
        As in scikit-learn; None is 5 folds, which are not shuffled: if the table is sorted by anything, give
        ``KFold(5, shuffle=True, random_state=0)``.
    scoring : str, callable or None, default=None
        A name, or a function ``scorer(estimator, X, y)``; None is the coefficient of determination. If ``fit`` is given
        weights of rows, so is the scorer, if it takes them.
    loss, quantile, interval, metric, scale, categorical_features, feature_weights, monotonic_cst, tol
        As in :class:`FGARegressor`. An interval is fitted with the gamma that was chosen, and widened on both sides by
        what it takes to hold its share of the targets of rows held out (or narrowed, if it holds more).
    n_jobs : int, default=None
        Threads: over folds as long as these are small, else within them.
    verbose : int, default=0
        Print the progress of training if positive.

    Attributes
    ----------
    gamma_ : float
        The gamma with the largest mean score; of several, the smallest: it lets more rows have a say.
    best_score_ : float
        Its mean score.
    cv_results_ : dict
        As of scikit-learn's ``GridSearchCV``: ``params``, ``param_gamma``, ``split0_test_score`` and so on,
        ``mean_test_score``, ``std_test_score``, ``rank_test_score``.
    n_splits_ : int
        Number of folds.
    interval_margin_ : float
        By how much the interval is widened on both sides, or narrowed, if negative; only if ``interval`` is given.
    fitted_, solution_, interval_solutions_, feature_weights_, n_features_in_, feature_names_in_
        Of the regressor with that gamma, fitted to all rows; see :class:`FGARegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from fgac import FGARegressorCV
    >>> model = FGARegressorCV().fit(*load_diabetes(return_X_y=True))
    >>> model.gamma_, round(model.best_score_, 3)
    (4.0, 0.421)
    """

    def __init__(
        self,
        *,
        gammas: Any = None,
        cv: Any = None,
        scoring: Any = None,
        loss: str = "squared_error",
        quantile: float = 0.5,
        interval: float | None = None,
        metric: Any = "euclidean",
        scale: str | None = "range",
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.gammas = gammas
        self.cv = cv
        self.scoring = scoring
        self.loss = loss
        self.quantile = quantile
        self.interval = interval
        self.metric = metric
        self.scale = scale
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, ids: Any = None, **params: Any) -> Self:
        """Choose gamma, and fit to all rows with it.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
        y : array of shape (n_samples,)
            Numbers.
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.
        ids : array of shape (n_samples,), optional
            What rows are called in explanations; by default the index of a pandas frame, or their positions.
        **params : dict
            Parameters of the splitter and the scorer, if metadata routing is enabled.

        Returns
        -------
        self
        """
        gammas = check_gammas(self.gammas)
        plain = self._plain(gammas[0])
        plain._check_parameters()
        table = plain._check_table(X, y, reset=True)
        if self._precomputed:
            check_distances(table, square=True)
        targets = check_targets(y, len(table))
        weight = None if sample_weight is None else check_sample_weight(sample_weight, len(table))
        routed = self._routed(params, weight)
        splits = self._splits(table, targets, routed)
        fewest = min((len(test) for _, test in splits), default=0)
        if self.scoring is None and fewest < 2:
            raise ValueError(
                f"R2 needs at least two rows to judge, and one of the {len(splits)} folds of {len(table)} rows holds "
                f"out {fewest}; give fewer folds (cv=2), another scoring, or use FGARegressor with a gamma"
            )
        scores = score_gammas(
            plain,
            table,
            targets,
            gammas,
            splits,
            self._scorer(),
            as_given=callable(self.scoring),
            weight=weight,
            score_params=routed.scorer.score,
        )
        self._choose(gammas, scores)
        super().fit(X, y, sample_weight, ids)
        if self.interval is not None:
            plain.set_params(gamma=self.gamma_)
            self.interval_margin_ = held_out_margin(plain, table, targets, splits, weight)
        return self

    def chosen(self) -> FGARegressor:
        """The plain regressor with the chosen gamma, fitted to all rows; it shares its arrays with this one.

        Returns
        -------
        FGARegressor
        """
        fitted: FGARegressor = self._chosen()
        return fitted

    def _plain(self, gamma: float) -> FGARegressor:
        return FGARegressor(gamma=gamma, **self._plain_settings())


def score_gammas(
    estimator: FGARegressor,
    X: Any,
    y: Floats,
    gammas: Iterable[float],
    splits: Sequence[tuple[Ints, Ints]],
    scorer: Scorer,
    *,
    as_given: bool = False,
    weight: Floats | None = None,
    score_params: Mapping[str, Any] | None = None,
) -> Floats:
    """Scores of every gamma (rows) on every held-out part (columns): those of a grid search, for less work.

    Parameters
    ----------
    estimator : FGARegressor
        With all settings but gamma; it is not changed.
    X, y : table and targets, checked
    gammas : numbers
    splits : list of (train, test)
        Positions of rows.
    scorer : function of an estimator, a table and targets
    as_given : bool, default=False
        Whether the scorer may look at the table itself, not only hand it to the estimator.
    weight : array of shape (n_samples,), optional
        Weights of rows in training.
    score_params : dict, optional
        More for the scorer; what has one entry per row is cut to the rows it judges.
    """
    gammas = [float(gamma) for gamma in gammas]
    small = len(y) ** 2 <= KEEP
    n_jobs = effective_n_jobs(estimator.n_jobs) if small else 1
    estimator = copy(estimator).set_params(n_jobs=1 if small else estimator.n_jobs, interval=None)
    read = read_once(estimator, X)

    def scores(train: Ints, test: Ints) -> list[float]:
        known, unseen = take(estimator, read, train, train), take(estimator, X if as_given else read, test, train)
        more = {name: _cut(value, test, len(y)) for name, value in (score_params or {}).items()}
        models = along(estimator, known, y[train], None if weight is None else weight[train], set(gammas))
        found = {gamma: _number(scorer(model, unseen, y[test], **more)) for gamma, model in models}
        return [found[gamma] for gamma in gammas]

    with one_blas_thread():
        found = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(scores)(*split) for split in splits)
    return np.array(found).T


def along(
    estimator: FGARegressor, X: Any, y: Floats, weight: Floats | None, gammas: Iterable[float]
) -> Iterator[tuple[float, FGARegressor]]:
    """The fitted model of every gamma, from large to small, each with the solution of the last as a start."""
    reader = copy(estimator)
    task = reader._task(X, y, weight, None)
    first = reader._constraints(task)
    before: tuple[float, Solution] | None = None
    for gamma in sorted(gammas, reverse=True):
        model = copy(reader)
        model.gamma = gamma
        start = None if before is None else before[1].active.scaled(gamma / before[0])
        solution = model._solve(task, first.at(gamma), start)
        before = gamma, solution
        yield gamma, model._learn(task, solution)


def check_gammas(gammas: Any) -> Floats:
    """Positive numbers to try, in the order given."""
    if gammas is None:
        return np.array(GAMMAS)
    if isinstance(gammas, str) or np.ndim(gammas) != 1 or not len(gammas):
        raise ValueError(
            f"gammas={gammas!r} must be a list of positive numbers, or None for {len(GAMMAS)} of our choice from "
            f"{GAMMAS[0]} to {GAMMAS[-1]}"
        )
    for gamma in gammas:
        check_positive("each of gammas", gamma)
    return np.array(gammas, dtype=np.float64)
