"""Numbers far from 0 are counted from an origin, so that no digit in which they differ is lost.

Expected violations are computed from the raw table with fractions, which do not round.
"""

from fractions import Fraction

import numpy as np
import pytest

from fgac import FGAClassifier, FGARegressor
from fgac.tables.column_values import NumericColumn
from fgac.tables.columns import learn_column

RNG = np.random.default_rng(0)
FAR = {
    "epoch microseconds": 1.7e15 + RNG.integers(0, 10**6, 80),
    "epoch seconds": 1.7e9 + RNG.integers(0, 1000, 80) / 8,
    "identifiers": 1e16 + 2 * RNG.integers(0, 60, 80),
    "below zero": -1e12 + RNG.random(80),
    "one unit in the last place": 1.0 + 2.0**-52 * RNG.integers(0, 40, 80),
    "huge": 1e300 * (1.0 + 2.0**-40 * RNG.integers(0, 99, 80)),
    "tiny": 1e-310 * (1.0 + RNG.integers(0, 99, 80) / 64),
}


def true_violation(values, a, gamma, ranges, pairs):
    """Return the largest a_u - a_v - gamma |x_u - x_v| / range over some pairs, without rounding."""
    x, a = [Fraction(float(v)) for v in values], [Fraction(float(v)) for v in a]
    return float(max(a[u] - a[v] - Fraction(gamma) * abs(x[u] - x[v]) / ranges for u, v in pairs))


# Without a scale, gamma would have to be absurd for these.
ABSURD = {"huge", "tiny"}


@pytest.mark.parametrize(
    ("name", "scale"), [*((name, "range") for name in FAR), *((name, None) for name in FAR if name not in ABSURD)]
)
def test_the_claimed_violation_is_the_true_one(name, scale):
    """Of a classifier, over all pairs of different classes."""
    values, y = FAR[name], RNG.integers(0, 2, 80)
    spread = Fraction(float(values.max())) - Fraction(float(values.min()))
    unit = spread if scale == "range" else Fraction(1)
    gamma = 2.0 if scale == "range" else float(2 / spread)
    model = FGAClassifier(gamma=gamma, scale=scale).fit(values[:, None], y)
    assert model.solution_.is_optimal()
    a = np.where(y == 1, model.beta_, 1 - model.beta_)
    pairs = [(u, v) for u in np.flatnonzero(y == 1) for v in np.flatnonzero(y == 0)]
    assert true_violation(values, a, gamma, unit, pairs) <= 1e-14


@pytest.mark.parametrize("name", FAR)
def test_regressors_too(name):
    """Over all pairs of rows, on the scale of the targets."""
    values, y = FAR[name], RNG.random(80)
    model = FGARegressor(gamma=1.5).fit(values[:, None], y)
    assert model.solution_.is_optimal()
    unit = Fraction(float(values.max())) - Fraction(float(values.min()))
    pairs = [(u, v) for u in range(80) for v in range(80) if u != v]
    fitted = (model.fitted_values_ - y.min()) / (y.max() - y.min())
    assert true_violation(values, fitted, 1.5, unit, pairs) <= 1e-13


@pytest.mark.parametrize("name", FAR)
def test_an_origin_changes_nothing_else(name):
    """The same numbers counted from 0 by the caller give the same model."""
    values, y = FAR[name], RNG.integers(0, 2, 80)
    near = values - values.min()
    far, moved = FGAClassifier(gamma=3.0).fit(values[:, None], y), FGAClassifier(gamma=3.0).fit(near[:, None], y)
    np.testing.assert_allclose(far.beta_, moved.beta_, rtol=0, atol=1e-14)
    np.testing.assert_allclose(
        far.memberships(values[:, None]).degree, moved.memberships(near[:, None]).degree, atol=1e-14
    )


def origin_of(values, scale="range", moves=True):
    """Return the origin that fit decides on."""
    read = NumericColumn(np.asarray(values, dtype=float))
    weight = np.ones(len(values))
    column = learn_column("x", read, scale=scale, weight=1.0, direction=0, sample_weight=weight, moves=moves)
    return column.origin


def test_only_numbers_that_need_it_are_moved():
    """Columns around 0 stay as they are, to the last bit; constant ones become 0."""
    assert origin_of([0.0, 3.0, 5.0]) == 0.0
    assert origin_of([2.0, 3.0, 5.0]) == 0.0
    assert origin_of([100.0, 103.0]) == 100.0
    assert origin_of([-103.0, -100.0]) == -103.0
    assert origin_of([7.0, 7.0]) == 7.0
    assert origin_of([100.0, 103.0], scale="rank") == 0.0


def test_a_metric_of_the_users_own_sees_numbers_that_were_not_moved():
    """It may not care for differences alone: angles on a sphere, for example."""
    seen = []

    def metric(A, B):
        seen.extend([A.min(), B.min()])
        return np.abs(A - B.T)

    FGAClassifier(metric=metric, scale=None).fit([[100.0], [101.0]], [0, 1])
    assert min(seen) == 100.0
