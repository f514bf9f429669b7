"""By how much prediction intervals have to be widened to hold their share of rows that were not trained on.

Quantiles follow the rows that they are fitted to, so of new rows an interval holds fewer than it should, or more where
rows are far apart. How far the targets of rows held out lie outside of their intervals, or inside (then it is
negative), tells what is missing: the quantile of these numbers is added on both sides (conformalised quantile
regression, with cross-validation in place of a single split).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac.distances import Floats, Ints
from fgac.selection import read_once, take
from fgac.tables import weighted_percentile

if TYPE_CHECKING:
    from fgac.regressor import FGARegressor


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
