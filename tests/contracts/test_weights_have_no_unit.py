"""Multiplying the weights of all rows by any number changes nothing, in any estimator.

(But for `n_neighbors` and `owa`, which count rows: there a row of weight 2 is two of them.)
"""

import numpy as np
import pandas as pd
import pytest

from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGAOrdinalClassifierCV,
    FGARegressor,
    FGARegressorCV,
    evaluate,
)

FACTORS = (1 / 600, 3.0, 2e5)
RNG = np.random.default_rng(0)
N = 90
FRAME = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.random(N), "c": RNG.choice(["x", "y", "z"], N)})
FRAME.loc[::9, "b"] = np.nan
NUMBERS = FRAME["a"] + RNG.normal(size=N)
CLASSES = np.digitize(NUMBERS, [-0.5, 0.8])
WEIGHT = np.tile([0.0, 1.0, 2.0, 0.5, 3.0], N // 5)
NEW = FRAME.sample(40, random_state=1)


def numbers_of(model):
    """Return all that a model says of new rows."""
    found = [model.predict(NEW)]
    if hasattr(model, "predict_proba"):
        found.append(model.predict_proba(NEW))
    if getattr(model, "interval", None):
        found += list(model.predict_interval(NEW))
    return found


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(
    ("model", "y"),
    [
        (FGAClassifier(scale="robust", class_weight="balanced"), CLASSES),
        (FGAClassifier(metric="learned"), CLASSES),
        (FGAClassifierCV(cv=3), CLASSES),
        (FGAOrdinalClassifier(metric="manhattan", loss="absolute_error"), CLASSES),
        (FGAOrdinalClassifierCV(cv=3), CLASSES),
        (FGARegressor(interval=0.8, target_scale="robust", scale="robust"), NUMBERS),
        (FGARegressor(loss="quantile", quantile=0.3, metric="manhattan", scale="rank"), NUMBERS),
        (FGARegressorCV(interval=0.9, cv=3), NUMBERS),
        (FGARegressorCV(interval=0.5, cv=3, metric="euclidean", loss="absolute_error"), NUMBERS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_weights_have_no_unit(model, y, factor):
    one = numbers_of(model.fit(FRAME, y, sample_weight=WEIGHT))
    other = numbers_of(model.fit(FRAME, y, sample_weight=factor * WEIGHT))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(np.asarray(a, dtype=float), np.asarray(b, dtype=float), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(("model", "y"), [(FGAClassifier(), CLASSES), (FGARegressorCV(interval=0.8), NUMBERS)])
def test_nor_have_they_one_in_evaluations(model, y, factor):
    one, other = (evaluate(model, FRAME, y, gamma=2.0, sample_weight=c * WEIGHT) for c in (1.0, factor))
    if hasattr(one, "intervals"):
        assert one.fgac.r2.mean == pytest.approx(other.fgac.r2.mean)
        for method in ("fgac", "boosting"):
            a, b = getattr(one.intervals, method), getattr(other.intervals, method)
            assert a.coverage.mean == pytest.approx(b.coverage.mean)
            assert a.score.mean == pytest.approx(b.score.mean, rel=1e-4)
    else:
        assert one.fgac.balanced_accuracy.mean == pytest.approx(other.fgac.balanced_accuracy.mean)
