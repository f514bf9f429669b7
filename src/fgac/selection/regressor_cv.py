"""The regressor with gamma chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fgac._typing import Ints
from fgac.estimators._plain import plain_estimator
from fgac.estimators._spread import Spread
from fgac.estimators._state import FittedState, RegressorState
from fgac.estimators.regressor import FGARegressor
from fgac.metrics.distances import FARTHEST
from fgac.selection.choice import GammaChoice
from fgac.selection.default_folds import MAX_ROWS
from fgac.selection.folds import Material, Part, changed
from fgac.selection.held_out import HeldOutScore, argued_r2
from fgac.selection.held_out_numbers import held_out_numbers
from fgac.selection.regressor_fold import RegressorFold
from fgac.selection.search import GammaSearch
from fgac.selection.spread import held_out_errors, learned_spread, predictions_of_folds
from fgac.tables.targets import TargetScale, check_targets

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
        What to try; by default seventeen numbers from 0.1 to 50, and more where scores still rise at an end of these.
    cv : int, splitter or iterable of splits, default=None
        None is 5 folds, and a number that many: shuffled with a fixed seed, the same for the same rows in
        whatever order they stand; fewer where there are too few rows or groups. Splitters and splits are as in
        scikit-learn. With ``groups`` in ``fit``, folds are of whole groups.
    scoring : str, callable or None, default=None
        A name, or a function ``scorer(estimator, X, y)``, as in scikit-learn. None is the coefficient of determination,
        R2; where no training row argues for a prediction, the mean of the training targets counts in its place. If
        ``fit`` is given weights of rows, so is the scorer, if it takes them.
    max_rows : int or None, default=5000
        Of more rows, gamma is chosen on a random sample of this size, drawn with a fixed seed; the model is fitted
        to all rows. None takes all. Groups are whole in it, unless they are few. It does not apply to folds of the
        caller's own.
    target_scale : {"range", "robust"} or two numbers, default="robust"
        What counts as a difference of 1 in the target, the unit of gamma and of the strengths of arguments: the range
        of the targets, that of the usual ones (from the 5th to the 95th percentile), or from the first of two numbers
        to the second; it is found once, on all rows. Targets that are more than three times that away from these ends
        are learned as if they were that far away, so that a few of them do not draw all predictions to themselves.
    loss, quantile, interval, metric, scale, categorical_features, feature_weights, monotonic_cst, tol
        As in :class:`FGARegressor`. An interval is not made of quantiles here, but of rows held out: how far their
        predictions were off is learned as a number (``spread_``), and intervals reach as many times that far below and
        above the prediction as it takes to hold their share (``interval_factors_``). Beyond all training rows they are
        wider.
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
        ``mean_test_score``, ``std_test_score``, ``rank_test_score``; ``mean_argued_share`` and that of every split,
        the share of the predictions of rows held out that some training row argues for; ``mean_median_strength`` and
        that of every split, the median over these rows of the strength of the strongest argument.
    n_splits_ : int
        Number of folds.
    best_estimator_ : FGARegressor
        The plain regressor with that gamma, fitted to all rows.
    spread_ : FGARegressor
        How far predictions are off, fitted to the absolute errors of rows held out; only if ``interval`` is given.
    interval_factors_ : tuple of two floats
        Where intervals begin and end, seen from the prediction, in multiples of the spread; only if ``interval`` is
        given.
    fitted_values_, solution_, interval_solutions_, feature_weights_, n_features_in_, feature_names_in_
        Of the regressor with that gamma, fitted to all rows; see :class:`FGARegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from fgac import FGARegressorCV
    >>> model = FGARegressorCV().fit(*load_diabetes(return_X_y=True))
    >>> model.gamma_, round(model.best_score_, 3)
    (1.5, 0.451)
    """

    _PLAIN = FGARegressor
    _GAMMAS = GAMMAS
    _SCORE_NAME = "R2"
    _LOOKS_FURTHER = True
    _state: RegressorState

    def __init__(
        self,
        *,
        gammas: Any = None,
        cv: Any = None,
        scoring: Any = None,
        max_rows: int | None = MAX_ROWS,
        loss: str = "squared_error",
        quantile: float = 0.5,
        target_scale: Any = "robust",
        interval: float | None = None,
        metric: Any = "learned",
        scale: str | None = "auto",
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
        self.max_rows = max_rows
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

    def _check_target(self, y: Any, n: int) -> Any:
        targets = check_targets(y, n)
        largest = float(np.abs(targets).max(initial=0.0))
        if self.scoring is None and largest > FARTHEST:
            raise ValueError(
                f"y holds numbers up to {largest:.3g}, and gamma is chosen by R2, which squares them: more than a "
                "float can hold. Give y in another unit"
            )
        return targets

    def _check_splits(self, splits: Sequence[tuple[Ints, Ints]], n: int) -> None:
        fewest = min((len(test) for _, test in splits), default=0)
        if self.scoring is None and fewest < 2:
            raise ValueError(
                f"R2 needs at least two rows to judge, and one of the {len(splits)} folds of {n} rows holds "
                f"out {fewest}; give fewer folds (cv=2), another scoring, or use FGARegressor with a gamma"
            )

    def _fold(self, plain: Any, part: Part) -> RegressorFold:
        return RegressorFold.of(plain, part)

    def _for_folds(self, plain: Any, y: Any, material: Material) -> Any:
        present = slice(None) if material.weight is None else material.weight > 0
        weight = np.ones(len(material.y)) if material.weight is None else material.weight
        scale = TargetScale.chosen(self.target_scale, material.y[present], weight[present])
        return changed(plain, target_scale=self.target_scale if scale.is_constant else scale.ends)

    def _held_out_score(self, plain: Any, material: Material) -> HeldOutScore | None:
        return argued_r2 if self.scoring is None else None

    def _learned(self, plain: Any, X: Any, y: Any, sample_weight: Any, ids: Any) -> FittedState:
        # The interval is made of rows held out, not of quantiles.
        state = changed(plain, interval=None)._learn(X, y, sample_weight, ids)
        return replace(state, params=plain.get_params(deep=False))

    def _calibrated(self, plain: Any, state: Any, material: Material, choice: GammaChoice) -> FittedState:
        assert isinstance(state, RegressorState)
        state = replace(state, held_out=held_out_numbers(material, choice))
        if self.interval is None:
            return state
        splits, numbers = material.splits, choice.numbers
        if self._has_default_folds and self.max_rows is not None and len(material.y) > self.max_rows:
            # How far predictions are off depends on how near to each other rows are, so all of them are needed.
            splits = self._default_folds(material.read, material.y, material.weight, None, material.groups)
            every = replace(material, splits=splits)
            (numbers,) = predictions_of_folds(self._for_folds(plain, None, every), every, [choice.gamma])
        errors = held_out_errors(material.y, splits, numbers)
        return replace(state, spread=learned_spread(plain, material, errors, self.interval))

    @property
    def spread_(self) -> FGARegressor:
        """The regressor of how far predictions are off."""
        found: FGARegressor = plain_estimator(self._spread("spread_").state)
        return found

    @property
    def interval_factors_(self) -> tuple[float, float]:
        """How far the interval reaches below and above the prediction, in multiples of the spread."""
        spread = self._spread("interval_factors_")
        return spread.below, spread.above

    def _spread(self, name: str) -> Spread:
        self._check_interval(name)
        assert self._state.spread is not None
        return self._state.spread
