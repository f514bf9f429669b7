"""By how much prediction intervals have to be widened to hold their share of rows that were not trained on.

Quantiles follow the rows that they are fitted to, so of new rows an interval holds fewer than it should, or more where
rows are far apart. How far the targets of rows held out lie outside of their intervals, or inside (then it is
negative), tells what is missing: the quantile of these numbers is added on both sides (conformalised quantile
regression, with cross-validation in place of a single split).
"""

from __future__ import annotations

import numpy as np

from fgac._typing import Floats
from fgac.estimators._base import read_rows
from fgac.estimators.regressor import FGARegressor
from fgac.selection.folds import Material
from fgac.selection.grid import Parts
from fgac.tables.columns import weighted_percentile


def held_out_margin(plain: FGARegressor, material: Material) -> float:
    """What to add to both ends of the intervals of a regressor, in units of the target.

    Parameters
    ----------
    plain : FGARegressor
        With a gamma and an ``interval``; it is not changed.
    material : Material
        Table, targets, weights and folds.
    """
    y = material.y
    weight = np.ones(len(y)) if material.weight is None else material.weight
    parts = Parts(material)
    outside = []
    for train, test in material.splits:
        part = parts.of(train, test)
        state = plain._learn(part.X, part.y, weight[train], None)
        lower, upper = state.prediction_interval(read_rows(state.table, part.unseen)[0])
        outside.append(np.maximum(lower - y[test], y[test] - upper))
    tests = np.concatenate([weight[test] for _, test in material.splits])
    return share_of(np.concatenate(outside), tests, plain.interval)


def share_of(numbers: Floats, weight: Floats, share: float | None) -> float:
    """The number that a share of some numbers does not exceed, with one more that might exceed all.

    >>> share_of(np.arange(9.0), np.ones(9), 0.45), share_of(np.arange(9.0), np.ones(9), 0.95)
    (4.0, 8.0)
    """
    assert share is not None
    there = weight > 0
    level = min(1.0, share * (1.0 + 1.0 / weight.sum()))
    return float(weighted_percentile(numbers[there], np.array([100.0 * level]), weight[there])[0])
