"""A good gamma for predicting numbers, by one fixed rule: the same data always give the same gamma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import KFold

from fgac.calibration import held_out_margin
from fgac.distances import Floats, Ints
from fgac.regressor import FGARegressor
from fgac.regressor_cv import FGARegressorCV
from fgac.selection import N_FOLDS

# R2 needs two rows to judge.
LEAST = 2


def choose_number_gamma(
    model: FGARegressor,
    X: Any,
    y: Floats,
    weights: Floats | None = None,
    ids: Any = None,
    *,
    gammas: Sequence[float] | None = None,
    max_rows: int | None = None,
) -> FGARegressorCV:
    """The regressor with the gamma of the best cross-validated R2, fitted to all rows.

    Folds are shuffled with a fixed seed. If there are more than ``max_rows`` rows, gamma is chosen on a sample of so
    many (fixed seed). The interval, if there is one, is widened or narrowed by what held-out rows of all folds miss,
    not only those of the sample: its width depends on how near to each other the rows are.
    """
    there = np.arange(len(y)) if weights is None else np.flatnonzero(weights > 0)
    sample = there
    if max_rows is not None and len(there) > max_rows:
        sample = np.sort(np.random.default_rng(0).choice(there, max_rows, replace=False))
    settings = {name: value for name, value in model.get_params(deep=False).items() if name != "gamma"}
    search = FGARegressorCV(gammas=gammas, cv=shuffled_folds(sample, N_FOLDS), **settings)
    search.fit(X, y, sample_weight=weights, ids=ids)
    if model.interval is not None and len(sample) < len(there):
        search.interval_margin_ = held_out_margin(search.chosen(), X, y, shuffled_folds(there, N_FOLDS), weights)
    return search


def shuffled_folds(rows: Ints, n_folds: int, seed: int = 0) -> list[tuple[Ints, Ints]]:
    """Training and test rows of every fold; fewer folds if there would be less than two rows to test on.

    >>> [test.tolist() for _, test in shuffled_folds(np.arange(4), 5)]
    [[2, 3], [0, 1]]
    """
    n_folds = min(n_folds, len(rows) // LEAST)
    if n_folds < 2:
        raise ValueError(
            f"cross-validation needs at least {2 * LEAST} rows, got {len(rows)}; 'fgac fit' with --gamma needs none"
        )
    parts = KFold(n_folds, shuffle=True, random_state=seed).split(rows)
    return [(rows[train], rows[test]) for train, test in parts]
