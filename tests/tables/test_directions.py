"""Tables whose rows are compared by direction: what numbers are, what is unknown, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac import FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor, FRNNClassifier
from fgac.estimators._state import state_of
from fgac.metrics.angular import Angular
from support.angles import angles
from support.property_tests import examples

Y = np.array(["a", "b"] * 4)
CELLS = st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, np.nan])


def rows_of(model, X):
    """Return what a fitted model reads of a table."""
    return model._read_rows(X).numeric


def distances(model, X):
    """Return the distances between the rows of a table, as a fitted model has them."""
    rows = model._read_rows(X)
    out = np.empty((len(rows), len(rows)))
    Angular().block(rows, rows, out)
    return out


@examples(100)
@given(X=hnp.arrays(np.float64, (8, 3), elements=CELLS))
def test_unknown_numbers_are_0_and_distances_stay_a_pseudometric(X):
    """In all triples of rows, whatever is unknown of each; a row of which nothing is known is one of zeros."""
    X[:2] = [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
    X[2] = np.nan
    model = FGAClassifier(metric="angular").fit(X, Y)
    D = distances(model, X)
    np.testing.assert_allclose(D, angles(X, X), atol=1e-14)
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + 1e-13).all()
    assert D[1, 2] == 0.0
    assert model.solution_.is_optimal()


def test_numbers_are_compared_as_they_are():
    """No scale and no origin, however far from 0 they lie; being unknown is no coordinate."""
    X = np.array([[1e6, 1.0], [1e6 + 1, 2.0], [1e6 + 2, np.nan], [1e6 + 3, 4.0]] * 2)
    model = FGAClassifier(metric="angular").fit(X, Y)
    np.testing.assert_array_equal(rows_of(model, X), np.nan_to_num(X))
    columns = state_of(model).table.columns
    assert {(c.scale, c.origin, c.middle, c.unknown_weight) for c in columns} == {(1.0, 0.0, 0.0, 0.0)}


@pytest.mark.parametrize("scale", ["range", "robust"])
def test_a_scale_divides_and_moves_nothing(scale):
    X = np.random.default_rng(0).uniform(100.0, 104.0, (8, 3))
    model = FGAClassifier(metric="angular", scale=scale).fit(X, Y)
    scales = [c.scale for c in state_of(model).table.columns]
    np.testing.assert_allclose(rows_of(model, X), X / scales)
    assert max(scales) < 4.0


def test_weights_multiply_columns():
    X = np.random.default_rng(0).normal(size=(8, 3))
    model = FGAClassifier(metric="angular", feature_weights=[2.0, 0.0, 0.5]).fit(X, Y)
    np.testing.assert_allclose(distances(model, X), angles(X, X, [2.0, 0.0, 0.5]), atol=1e-14)


def test_learned_weights():
    """A column that says nothing gets none."""
    rng = np.random.default_rng(0)
    X = rng.normal([3.0, 0.0, 0.0], 1.0, (200, 3))
    y = X[:, 1] > 0
    model = FGAClassifier(metric="angular", feature_weights="learned", gamma=3.0).fit(X, y)
    assert model.feature_weights_[1] > 3 * max(model.feature_weights_[[0, 2]])
    assert model.solution_.is_optimal()


@pytest.mark.parametrize(
    "column", [["u", "v"] * 4, [True, False] * 4, pd.Categorical(["u", "v"] * 4)], ids=["text", "bool", "category"]
)
def test_categories_are_refused(column):
    """By name, with what to do; one that counts for nothing may stay."""
    frame = pd.DataFrame({"x": np.arange(1.0, 9.0), "z": np.arange(8.0, 0.0, -1.0), "kind": column})
    with pytest.raises(ValueError, match=r"columns \['kind'\] hold categories.*OneHotEncoder.*weight 0"):
        FGAClassifier(metric="angular").fit(frame, Y)
    without = FGAClassifier(metric="angular").fit(frame[["x", "z"]], Y)
    with_it = FGAClassifier(metric="angular", feature_weights={"kind": 0.0}).fit(frame, Y)
    np.testing.assert_array_equal(with_it.beta_, without.beta_)
    assert with_it.explain(frame[:1])[0].attributes[2].radius is None


def test_dates_are_refused():
    frame = pd.DataFrame({"x": np.arange(8.0), "day": pd.date_range("2024-01-01", periods=8)})
    with pytest.raises(ValueError, match=r"columns \['day'\] hold dates; give durations"):
        FGAClassifier(metric="angular").fit(frame, Y)
    durations = frame.assign(day=frame["day"] - frame["day"][0])
    assert FGAClassifier(metric="angular").fit(durations, Y).solution_.is_optimal()


ESTIMATORS = [FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FRNNClassifier]


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_ranks_are_refused(kind):
    with pytest.raises(ValueError, match=r"scale='rank' with metric='angular'.*expected 'auto' or None"):
        kind(metric="angular", scale="rank").fit(np.ones((8, 2)), Y)


@pytest.mark.parametrize("kind", [FGAClassifier, FGAClassifierCV, FGAOrdinalClassifier, FGARegressor])
def test_monotone_columns_are_refused(kind):
    """More of a column turns a row, up to where it turns no further: there is no better direction."""
    y = np.arange(8.0) if kind is FGARegressor else Y
    with pytest.raises(ValueError, match=r"monotonic_cst needs a metric that looks at single columns.*'angular'"):
        kind(metric="angular", monotonic_cst=[1, 0]).fit(np.ones((8, 2)), y)


def test_rows_that_are_too_small_are_refused():
    """Where weights make nothing of all that a row has; not where it has nothing, or some of it is left."""
    X = np.array([[1.0, 1.0], [1e-200, 0.0]] * 4)
    with pytest.raises(ValueError, match=r"some rows hold no number but such as are lost.*another unit"):
        FGAClassifier(metric="angular", feature_weights=[1e-150, 1.0]).fit(X, Y)
    for small in ([0.0, 0.0], [1e-200, 1.0], [np.nan, 0.0]):
        X[1] = small
        X[3::2] = [2.0, 1.0]
        assert FGAClassifier(metric="angular", feature_weights=[1e-60, 1.0]).fit(X, Y).solution_.is_optimal()


def test_a_column_in_which_nothing_is_known():
    X = np.random.default_rng(0).normal(size=(8, 3))
    X[:, 1] = np.nan
    with pytest.warns(UserWarning, match="nothing is known in columns"):
        model = FGAClassifier(metric="angular", gamma=2.0).fit(X, Y)
    expected = FGAClassifier(metric="angular", gamma=2.0).fit(X[:, [0, 2]], Y)
    np.testing.assert_array_equal(model.beta_, expected.beta_)


def test_whole_numbers_beyond_floats():
    """They are off by a share of themselves, which no direction notices."""
    X = np.array([[2**60 + 1, 2**59], [2**60, 2**61 + 3], [5, 2**62 + 1], [2**62 - 1, 7]] * 2, dtype=np.int64)
    model = FGAClassifier(metric="angular").fit(X, Y)
    assert model.solution_.is_optimal()
    assert model.solution_.rounding < 1e-12
