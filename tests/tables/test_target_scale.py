"""The scale of targets: what gamma counts in."""

import numpy as np
import pytest

from fgac import FGARegressor
from fgac.tables.targets import TargetScale

RNG = np.random.default_rng(0)
X = RNG.random((80, 2))
Y = X[:, 0] + 0.1 * RNG.normal(size=80)


def test_a_pair_of_numbers_is_the_unit_of_gamma():
    one = FGARegressor(gamma=2.0, target_scale=(0.0, 0.5)).fit(X, Y)
    other = FGARegressor(gamma=2.0 * 0.5 / np.ptp(Y)).fit(X, Y)
    np.testing.assert_allclose(one.fitted_values_, other.fitted_values_, atol=1e-9)
    np.testing.assert_allclose(one.predict_bounds(X[:5] + 0.1), other.predict_bounds(X[:5] + 0.1), atol=1e-9)


def test_robust_is_the_range_of_the_usual_targets():
    ends = tuple(np.percentile(Y, [5, 95], method="averaged_inverted_cdf"))
    one, other = (FGARegressor(target_scale=scale).fit(X, Y) for scale in ("robust", ends))
    np.testing.assert_array_equal(one.fitted_values_, other.fitted_values_)
    reasons = one.explain(X[:1])[0]
    assert reasons.usual == pytest.approx(ends)
    assert "of the range of the usual targets" in reasons.text() or "no room" in reasons.text()
    assert FGARegressor().fit(X, Y).explain(X[:1])[0].usual is None


def test_targets_far_off_are_learned_as_if_they_were_nearer():
    wrong = Y.copy()
    wrong[3] = 1e9
    ends = TargetScale.chosen("robust", wrong, np.ones(80)).ends
    nearer = np.where(wrong == 1e9, ends[1] + 3 * (ends[1] - ends[0]), wrong)
    one = FGARegressor(target_scale="robust").fit(X, wrong)
    other = FGARegressor(target_scale=ends).fit(X, nearer)
    np.testing.assert_allclose(one.fitted_values_, other.fitted_values_, atol=1e-9)
    assert one.explain(X[3:4])[0].most == 1e9


@pytest.mark.parametrize("y", [np.full(80, 3.0), np.append(np.zeros(79), 1.0), np.append(np.zeros(79), 1e100)])
def test_where_most_targets_are_equal_it_is_the_range(y):
    one, other = (FGARegressor(target_scale=scale).fit(X, y) for scale in ("robust", "range"))
    np.testing.assert_array_equal(one.predict(X), other.predict(X))


@pytest.mark.parametrize("scale", ["iqr", (1.0, 1.0), (2.0, 1.0), (0.0, np.inf), (0.0,), 3.0, None, ("a", "b")])
def test_other_scales_are_refused(scale):
    with pytest.raises(ValueError, match=r"target_scale=.* must be 'range' or 'robust', or two numbers"):
        FGARegressor(target_scale=scale).fit(X, Y)
