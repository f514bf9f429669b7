"""Rounding of distances is bounded, and the bound is part of the proof."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from fgac import FGAClassifier, FGARegressor
from fgac.metrics.distances import FARTHEST, Chebyshev, Euclidean, Manhattan, Rows
from fgac.solve import MetricConstraints, PairConstraints, Problem, solve


def exact_squares(X):
    """Return the squares of all Euclidean distances, as fractions of whole numbers."""
    rows = [[Fraction(float(x)) for x in row] for row in X]
    return [[sum((a - b) ** 2 for a, b in zip(u, v, strict=True)) for v in rows] for u in rows]


@pytest.mark.parametrize("n_columns", [1, 3, 8, 9, 40])
@pytest.mark.parametrize("spread", [1.0, 1e-6])
def test_distances_are_right_to_the_share_that_is_claimed(n_columns, spread):
    """Also where rows are near to each other and far from the origin, and distances come from a product."""
    rng = np.random.default_rng(n_columns)
    X = 1.0 + spread * rng.random((12, n_columns))
    rows = Rows.from_numeric(X)
    out = np.empty((12, 12))
    Euclidean().block(rows, rows, out)
    share = Fraction(Euclidean().rounding(rows).share)
    for i, line in enumerate(exact_squares(X)):
        for j, square in enumerate(line):
            computed = Fraction(float(out[i, j]))
            assert square * (1 - share) ** 2 <= computed**2 <= square * (1 + share) ** 2


@given(st.floats(0.1, 1e12), st.integers(2, 40), st.sampled_from([Euclidean, Manhattan, Chebyshev]), st.integers(0, 99))
def test_the_bound_covers_errors_of_coordinates(gamma, n, metric, seed):
    """Coordinates that are off by two roundings violate no constraint by more than the bound."""
    rng = np.random.default_rng(seed)
    X, y = rng.random((n, 2)), rng.random(n)
    constraints = MetricConstraints(Rows.from_numeric(X), metric(), gamma)
    values = solve(Problem(y, constraints), tol=1e-6).values if gamma < 1e4 else y
    rounding = constraints.rounding(values, 0.0)
    moved = MetricConstraints(Rows.from_numeric(X * (1 + rng.choice([-2, 0, 2], X.shape) * 2.0**-53)), metric(), gamma)
    assert moved.price(values, 1).largest <= constraints.price(values, 1).largest + rounding + 1e-15


def test_a_list_of_constraints_is_the_problem_itself():
    """Bounds that the caller gives are exact, unless the caller says how far they may be off."""
    assert solve(Problem([1.0, 0.0], PairConstraints([0], [1], [0.5]))).rounding == 0.0
    with pytest.warns(ConvergenceWarning, match="not proved"):
        assert solve(Problem([1.0, 0.0], PairConstraints([0], [1], [0.5], error=0.01))).rounding == pytest.approx(0.01)


def test_a_gamma_for_which_rounding_decides_is_told():
    """Rows 1e-9 apart and gamma 1e9: the last digits of the coordinates are digits of the result."""
    X, y = [[0.0], [1.0], [1.0 + 1e-9]], [0, 1, 0]
    with pytest.warns(ConvergenceWarning, match="gamma is so large"):
        model = FGAClassifier(gamma=0.5e9).fit(X, y)
    assert not model.solution_.is_optimal()


@pytest.mark.parametrize("gamma", [1e7, 1e12, 1e75])
def test_huge_gammas_are_proved_where_rows_are_apart(gamma):
    """Rows that are far apart, or equal, have nothing to round."""
    model = FGAClassifier(gamma=gamma).fit([[0.1], [0.1], [0.7], [0.3]], [0, 1, 1, 0])
    assert model.solution_.is_optimal()
    np.testing.assert_allclose(model.beta_, [0.5, 0.5, 1.0, 1.0])


def test_numbers_that_scaling_makes_equal_are_noticed():
    """0.3 and 0.1 + 0.2 are one coordinate; a gamma that would tell them apart proves nothing."""
    X = [[0.0], [0.3], [0.1 + 0.2], [3.7]]
    assert FGAClassifier(gamma=2.0).fit(X, [0, 1, 0, 1]).solution_.is_optimal()
    with pytest.warns(ConvergenceWarning, match="not proved"):
        assert not FGAClassifier(gamma=1e15).fit(X, [0, 1, 0, 1]).solution_.is_optimal()


@pytest.mark.parametrize("estimator", [FGAClassifier, FGARegressor])
@pytest.mark.parametrize("settings", [{"scale": None}, {"feature_weights": [1e160]}])
def test_distances_that_are_not_representable_are_refused(estimator, settings):
    """They used to be infinite, and never violated."""
    with pytest.raises(ValueError, match="double precision holds distances up to"):
        estimator(**settings).fit([[2e154], [0.0], [0.0]], [0, 1, 0])


def test_new_rows_may_be_as_far_away_as_they_like():
    """They are brought to where nothing counts any more, and get finite degrees."""
    model = FGAClassifier(gamma=1e75, scale=None).fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"])
    degrees = model.memberships([[1.7e308, -1.7e308], [1e300, 1e300]])
    assert np.isfinite(np.stack(degrees)).all()
    assert np.isfinite(model.predict_proba([[1.7e308, 0.0]])).all()


def test_rows_must_have_finite_distances():
    """The engine is asked directly, too."""
    with pytest.raises(ValueError, match="distances are finite"):
        Rows.from_numeric([[2 * FARTHEST]])


def test_a_violation_that_is_not_a_number_is_no_proof():
    """A metric that goes wrong after it was checked stops the search."""

    class Broken(type(Manhattan())):
        def block(self, left, right, out):
            super().block(left, right, out)
            out[0, -1] = np.nan

    constraints = MetricConstraints(Rows.from_numeric([[0.0], [1.0], [2.0]]), Broken("manhattan"), 1.0)
    with pytest.raises(ValueError, match="not a finite number"):
        constraints.price(np.zeros(3), 1)
