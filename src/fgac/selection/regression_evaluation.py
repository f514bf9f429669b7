"""How well a regressor does on rows it has not seen, beside two baselines on the same parts of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.neighbors import KNeighborsRegressor

from fgac._typing import Floats
from fgac.estimators.regressor import FGARegressor
from fgac.selection.evaluation import Interval, interval, nearest_neighbours, within
from fgac.selection.grid import MAX_ROWS, Progress
from fgac.selection.rules import choose_number_gamma
from fgac.tables.frames import take_rows
from fgac.tables.splits import shuffled_folds


@dataclass(frozen=True)
class NumberScore:
    """Scores of one method, or the differences of two."""

    r2: Interval
    absolute_error: Interval


@dataclass(frozen=True)
class NumberEvaluation:
    """Cross-validated scores of the regressor and of what it must beat.

    ``gammas`` holds the gamma of every test part; ``lead`` is the difference to the nearest neighbours, part by part;
    ``mean`` are the scores of always saying the mean of the training part.
    """

    n_rows: int
    n_folds: int
    n_repeats: int
    gammas: tuple[float, ...]
    fgac: NumberScore
    neighbours: NumberScore
    mean: NumberScore
    lead: NumberScore


def cross_validate_numbers(
    estimator: FGARegressor,
    X: Any,
    y: Floats,
    *,
    gamma: float | None,
    n_folds: int,
    n_repeats: int,
    sample_weight: Floats | None = None,
    progress: Progress | None = None,
) -> NumberEvaluation:
    """Repeated cross-validation; gamma is chosen inside every training part, unless it is given."""
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    rows = np.flatnonzero(weight > 0)
    parts = [part for seed in range(n_repeats) for part in shuffled_folds(rows, n_folds, seed)]
    gammas, scores = [], []
    for number, (train, test) in enumerate(parts):
        model = _train(estimator, take_rows(X, train), y[train], weight[train], gamma)
        gammas.append(float(model.gamma))
        mean = np.full(len(test), np.average(y[train], weights=weight[train]))
        theirs = nearest_neighbours(model, X, y, train, test, KNeighborsRegressor)
        predicted = (model.predict(take_rows(X, test)), theirs, mean)
        scores.append([_scores(y[test], each, weight[test]) for each in predicted])
        if progress is not None:
            within(progress, number, len(parts))(1, 1)
    n_folds = len(parts) // n_repeats
    ours, theirs, mean = np.array(scores).transpose(1, 2, 0)
    return NumberEvaluation(
        n_rows=len(rows),
        n_folds=n_folds,
        n_repeats=n_repeats,
        gammas=tuple(gammas),
        fgac=_score(ours, n_folds),
        neighbours=_score(theirs, n_folds),
        mean=_score(mean, n_folds),
        lead=_score(ours - theirs, n_folds, (-np.inf, np.inf)),
    )


def _train(estimator: FGARegressor, X: Any, y: Floats, weight: Floats, gamma: float | None) -> FGARegressor:
    if gamma is None:
        return choose_number_gamma(estimator, X, y, weight, max_rows=MAX_ROWS).chosen()
    return clone(estimator).set_params(gamma=gamma).fit(X, y, sample_weight=weight)


def _scores(truth: Floats, predicted: Floats, weight: Floats) -> tuple[float, float]:
    """R2 and the mean absolute error."""
    return (
        float(r2_score(truth, predicted, sample_weight=weight)),
        float(mean_absolute_error(truth, predicted, sample_weight=weight)),
    )


def _score(parts: Floats, n_folds: int, limits: tuple[float, float] | None = None) -> NumberScore:
    """Means and intervals of the scores of every part; an error is not below 0, R2 not above 1."""
    ratio = 1 / (n_folds - 1)
    return NumberScore(
        r2=interval(parts[0], ratio, limits or (-np.inf, 1.0)),
        absolute_error=interval(parts[1], ratio, limits or (0.0, np.inf)),
    )
