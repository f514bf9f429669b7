"""The angle between rows: a metric on directions, right in all digits, whatever the lengths of rows are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac.fuzzy.connectives import power
from fgac.granular.dissimilarity import Dissimilarity
from fgac.metrics.angular import Angular, directions
from fgac.metrics.distances import Rows, resolve_metric
from support.angles import angle, angles
from support.property_tests import examples

# Small whole numbers, so that rows of zeros, equal rows, multiples and opposite rows are the rule; and any numbers.
GRIDS = hnp.arrays(np.float64, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=st.integers(-2, 2))
SIZES = st.floats(-1e70, 1e70, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-70)
TABLES = hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=SIZES)


def distances(A, B=None):
    """Return all distances between two tables."""
    left, right = (Rows.from_numeric(table) for table in (A, A if B is None else B))
    out = np.full((len(left), len(right)), np.nan)
    Angular().block(left, right, out)
    return out


@pytest.mark.parametrize("tables", [GRIDS, TABLES], ids=["grids", "any numbers"])
@examples(100)
@given(data=st.data())
def test_it_is_a_pseudometric(tables, data):
    """Over all triples of rows, with rows of zeros, duplicates, multiples and opposite rows among them."""
    X = data.draw(tables)
    X = np.vstack([X, -X[:2], 3.0 * X[:2], X[:1], np.zeros((1, X.shape[1]))])
    D = distances(X)
    assert (D >= 0).all()
    assert (D <= 1).all()
    np.testing.assert_allclose(D, D.T, atol=1e-15)
    assert (np.diag(D) == 0).all()
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + 1e-13).all()


@examples(60)
@given(X=GRIDS, Y=GRIDS)
def test_it_is_the_angle(X, Y):
    p = min(X.shape[1], Y.shape[1])
    np.testing.assert_allclose(distances(X[:, :p], Y[:, :p]), angles(X[:, :p], Y[:, :p]), atol=1e-15)


def test_rows_of_zeros():
    """They have no direction: half a distance from all that have one, and none from each other."""
    X = np.array([[1.0, 2.0, -3.0], [-1.0, -2.0, 3.0], [0.0, 0.0, 0.0], [-0.0, 0.0, 0.0]])
    D = distances(X)
    assert (D[2:, :2] == 0.5).all()
    assert (D[2:, 2:] == 0.0).all()
    assert D[0, 1] == 1.0


def test_multiples_are_at_distance_0():
    """To the last bit, where the multiple itself is no other row by rounding."""
    X = np.random.default_rng(0).integers(-9, 10, (30, 20)).astype(float)
    for factor in (3.0, 7.0, 1024.0, 2.0**-900, 2.0**400):
        assert (np.diag(distances(X, factor * X)) == 0).all()
    assert np.diag(distances(X, 0.1 * X)).max() < 1e-15


@pytest.mark.parametrize("n_columns", [2, 40, 300])
@pytest.mark.parametrize("tiny", [1e-3, 1e-8, 1e-15, 1e-150])
def test_small_angles_keep_their_digits(n_columns, tiny):
    """The arccosine of an inner product would give 0 for anything below 1e-8; near opposite rows likewise."""
    x, y = np.zeros((2, 1, n_columns))
    x[0, 0], y[0, :2] = 2.0, (5.0, 5.0 * tiny)
    expected = np.arctan(tiny) / np.pi
    assert distances(x, y)[0, 0] == pytest.approx(expected, rel=1e-14)
    assert 1 - distances(x, -y)[0, 0] == pytest.approx(expected, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize("unit", [1.0, 1e-300, 1e140])
def test_errors_are_within_their_bound(unit):
    """In all columns there are, among rows that are near, far and opposite."""
    rng = np.random.default_rng(0)
    for n_columns in (1, 2, 9, 64, 300):
        X = rng.normal(size=(12, n_columns))
        X = np.vstack([X, X + 1e-7 * rng.normal(size=X.shape), X + 0.1 * rng.normal(size=X.shape), -X[:4]]) * unit
        X[0] = 0.0
        D = distances(X)
        rows, share = Angular().rounding(Rows.from_numeric(X))
        assert rows[0] == 0.0
        error = np.abs(D - angles(X, X))
        assert (error <= rows[:, None] + rows[None, :] + share * D).all()
        assert rows.max() < 1e-14


def test_lengths_do_not_matter():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 20, 30))
    lengths = 10.0 ** rng.uniform(-120, 120, (20, 1))
    np.testing.assert_allclose(distances(lengths * X, Y), distances(X, Y), atol=1e-14)


def test_it_is_known_by_its_name():
    assert resolve_metric("angular") == Angular()


def test_columns_that_are_not_there():
    """In a fold in which nothing is known, all rows are alike."""
    assert (distances(np.empty((2, 0))) == 0).all()
    assert directions(np.empty((2, 0))).shape == (2, 0)


def test_rows_that_share_a_direction():
    """They are at distance 0 and not equal, which a proof must know; an isomorphism changes nothing about it."""
    same, other = Rows.from_numeric([[1.0, 2.0], [3.0, 6.0]]), Rows.from_numeric([[1.0, 2.0], [1.0, 2.0], [2.0, 1.0]])
    for metric in (Angular(), Dissimilarity(Angular(), 2.0, power(2))):
        assert metric.merges(same)
        assert not metric.merges(other)


@examples(60)
@given(X=TABLES)
def test_directions_have_the_length_1(X):
    units = directions(X)
    has_direction = X.any(axis=1)
    np.testing.assert_allclose(np.linalg.norm(units, axis=1), has_direction, atol=1e-14)
    for unit, row in zip(units, X, strict=True):
        assert angle(unit, row) < 1e-14
