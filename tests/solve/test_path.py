"""The gamma path: small ones worked by hand, its shape, what must not matter, and what is refused."""

import pickle
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fgac
from fgac import FGAClassifier, GammaPath
from support.frames import as_pandas, as_polars, mixed_columns
from support.property_tests import examples
from support.strategies import overlapping, queries, table_cases

Q = queries(8, n=30)


def distances_one(n):
    """Return the distances of n rows that are all 1 apart."""
    return 1.0 - np.eye(n)


def close(value):
    return pytest.approx(value, abs=1e-12)


# ----------------------------------------------------------------------------------------------------
# By hand
# ----------------------------------------------------------------------------------------------------


def test_two_rows():
    """beta_u + beta_v <= 1 + gamma: nothing to do above 1, both lose the same below."""
    path = fgac.path([[0.0], [1.0]], ["a", "b"], gamma_min=0.1)
    assert isinstance(path, GammaPath)
    assert (path.gamma_min, path.gamma_max, path.n_events) == (0.1, 1.0, 1)
    assert path.breakpoints == pytest.approx([1.0], rel=1e-9)
    assert list(path.classes_) == ["a", "b"]
    for gamma in (0.1, 0.3, 0.5, 1.0, 7.0):
        assert path.beta(gamma) == close([min(1.0, 0.5 + gamma / 2)] * 2)


def test_one_row_against_two():
    """Distances 1/2 and 1, losses s = 1 - beta.

    The nearer pair meets at gamma = 2 and shares s_a + s_b = 1 - gamma/2. The farther row joins where
    s_a = (1 - gamma/2)/2 has come up to 1 - gamma, at gamma = 2/3; from there on 3 s_a = 2 - 3/2 gamma.
    """
    path = fgac.path([[0.0], [0.5], [1.0]], ["a", "b", "b"], gamma_min=0.25)
    assert path.breakpoints == pytest.approx([2.0, 2 / 3], rel=1e-9)
    assert path.beta(1.0) == close([0.75, 0.75, 1.0])
    assert path.beta(2 / 3) == close([2 / 3, 2 / 3, 1.0])
    assert path.beta(0.4) == close([8 / 15, 2 / 3, 13 / 15])


def test_three_classes_all_one_apart():
    """An odd cycle: each pair asks for 1 - gamma, and each row gives half of it."""
    path = fgac.path(distances_one(3), ["a", "b", "c"], gamma_min=0.2, metric="precomputed")
    assert path.gamma_max == 1.0
    for gamma in (0.2, 0.6, 1.0, 3.0):
        assert path.beta(gamma) == close([min(1.0, 0.5 + gamma / 2)] * 3)


def test_one_place_of_two_classes():
    """Two rows at distance 0 share whatever gamma is; a third row joins them at gamma 1/2: 3 s_a = 2 - gamma."""
    path = fgac.path([[0.0], [0.0], [1.0]], ["a", "b", "b"], gamma_min=0.1)
    assert path.gamma_max == pytest.approx(0.5, rel=1e-9)
    assert path.breakpoints == pytest.approx([0.5], rel=1e-9)
    assert path.beta(1e6) == close([0.5, 0.5, 1.0])
    assert path.beta(0.5) == close([0.5, 0.5, 1.0])
    assert path.beta(0.2) == close([0.4, 0.6, 0.8])


def test_one_place_of_three_classes():
    """Nothing but three rows of three classes at one place: minimise 2 s^2 + 4 (1 - s)^2, whatever gamma is."""
    path = fgac.path([[5.0]] * 3, ["a", "b", "c"], sample_weight=[1.0, 1.0, 4.0], gamma_min=0.1)
    assert path.breakpoints.size == 0
    for gamma in (0.1, 1.0, 1e6):
        assert path.beta(gamma) == close([1 / 3, 1 / 3, 2 / 3])


def test_a_weight_moves_the_loss_to_the_lighter_row():
    path = fgac.path([[0.0], [1.0]], [0, 1], sample_weight=[1.0, 3.0], gamma_min=0.1)
    assert path.beta(0.2) == close([0.4, 0.8])


@pytest.mark.parametrize("n", [1, 5])
def test_one_class_has_no_events(n):
    """Nothing contradicts anything, one row included."""
    path = fgac.path(np.arange(n)[:, None], ["only"] * n)
    assert path.n_events == 0
    assert path.breakpoints.size == 0
    for gamma in (0.5, 3.0, 1e9):
        np.testing.assert_array_equal(path.beta(gamma), np.ones(n))
        assert path.solution(gamma).is_optimal()
        assert list(path.classifier(gamma).predict([[3.0]])) == ["only"]


def test_the_default_floor_is_one_half():
    assert fgac.path([[0.0], [1.0]], [0, 1]).gamma_min == 0.5


def test_a_floor_above_everything():
    """Where no event is left, the path is one constant, and still refuses what lies below its floor."""
    X, y = overlapping()
    path = fgac.path(X, y, gamma_min=1e6)
    assert path.breakpoints.size == 0
    np.testing.assert_array_equal(path.beta(1e6), np.ones(len(y)))
    np.testing.assert_array_equal(path.beta(1e9), np.ones(len(y)))
    with pytest.raises(ValueError, match="gamma_min"):
        path.beta(1.0)


# ----------------------------------------------------------------------------------------------------
# Shape
# ----------------------------------------------------------------------------------------------------


def ends(path):
    """Return the gammas between which the path is a line, falling."""
    return np.unique(np.append(path.breakpoints, path.gamma_min))[::-1]


def assert_shape(path):
    """Breakpoints fall and lie in range; between two of them lies a line; above the largest nothing happens."""
    breakpoints = path.breakpoints
    assert (np.diff(breakpoints) < 0).all()
    assert (breakpoints >= path.gamma_min).all()
    stops = ends(path)
    for high, low in pairwise(stops):
        for part in (0.5, 0.125):
            middle = low + part * (high - low)
            straight = path.beta(low) + (middle - low) / (high - low) * (path.beta(high) - path.beta(low))
            np.testing.assert_allclose(path.beta(middle), straight, atol=1e-10)
    for stop in breakpoints:
        after = max(stop * (1 - 1e-9), path.gamma_min)
        np.testing.assert_allclose(path.beta(stop * (1 + 1e-9)), path.beta(after), atol=1e-7)
    if breakpoints.size:
        assert path.gamma_max == pytest.approx(breakpoints[0], rel=1e-9)
        for above in (1.0001, 10.0, 1e6):
            np.testing.assert_allclose(path.beta(above * path.gamma_max), path.beta(path.gamma_max), atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_a_continuous_line_between_breakpoints(n_classes):
    path = fgac.path(*overlapping(n_classes=n_classes), gamma_min=0.3)
    assert path.breakpoints.size >= 60
    assert path.n_events >= path.breakpoints.size
    assert_shape(path)


@examples(20)
@given(table_cases())
def test_a_continuous_line_between_breakpoints_on_a_grid(case):
    """The same where events coincide and rows of different classes are equal."""
    assert_shape(fgac.path(case.X, case.y, sample_weight=case.weights, gamma_min=0.1))


def test_every_breakpoint_is_a_bend():
    """With two classes and no two distances equal, the slopes before and behind a breakpoint differ."""
    path = fgac.path(*overlapping(n_classes=2, n=40))
    stops = ends(path)
    slopes = [(path.beta(a) - path.beta(b)) / (a - b) for a, b in pairwise(stops)]
    slopes.insert(0, np.zeros_like(slopes[0]))
    assert all(np.abs(a - b).max() > 1e-8 for a, b in pairwise(slopes))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_loss_falls_with_gamma_in_a_convex_curve(n_classes):
    """A larger gamma loosens all constraints by a straight line: loss falls, ever more slowly, until it is least."""
    path = fgac.path(*overlapping(n_classes=n_classes), gamma_min=0.3)
    gammas = np.linspace(0.3, 1.1 * path.gamma_max, 300)
    loss = np.array([np.sum((1.0 - path.beta(gamma)) ** 2) for gamma in gammas])
    assert (np.diff(loss) <= 1e-12).all()
    assert (loss[1:-1] <= (loss[:-2] + loss[2:]) / 2 + 1e-12).all()
    factor = 0.5 if n_classes == 2 else 1.0  # two copies of every row count twice
    for gamma, expected in zip(gammas[::30], loss[::30], strict=True):
        assert path.solution(gamma).objective == pytest.approx(factor * expected, abs=1e-9)


def test_a_deeper_floor_changes_nothing_above():
    X, y = overlapping()
    deep, shallow = fgac.path(X, y, gamma_min=0.2), fgac.path(X, y, gamma_min=1.0)
    np.testing.assert_allclose(shallow.breakpoints, deep.breakpoints[deep.breakpoints > 1.0], rtol=1e-9)
    for gamma in np.linspace(1.0, 1.2 * deep.gamma_max, 20):
        np.testing.assert_allclose(shallow.beta(gamma), deep.beta(gamma), atol=1e-9)


def test_what_is_given_out_is_a_copy():
    path = fgac.path(*overlapping())
    before = path.beta(1.0).copy()
    path.beta(1.0)[:] = -1.0
    path.beta(path.gamma_min)[:] = -1.0
    path.beta(1e9)[:] = -1.0
    np.testing.assert_array_equal(path.beta(1.0), before)
    assert path.beta(1e9).min() > 0.0


def test_pickle_round_trip():
    path = fgac.path(*overlapping())
    copy = pickle.loads(pickle.dumps(path))
    np.testing.assert_array_equal(copy.beta(1.3), path.beta(1.3))
    np.testing.assert_array_equal(copy.classifier(1.3).predict(Q), path.classifier(1.3).predict(Q))


# ----------------------------------------------------------------------------------------------------
# What must not matter
# ----------------------------------------------------------------------------------------------------


def assert_same_path(one, other, of_row=slice(None), gammas=(0.1, 0.37, 0.8, 1.5, 4.0, 40.0)):
    """Both give the same memberships; row i of ``other`` is row ``of_row[i]`` of ``one``."""
    for gamma in gammas:
        np.testing.assert_allclose(other.beta(gamma), one.beta(gamma)[of_row], atol=1e-9)


@examples(20)
@given(table_cases(), st.randoms(use_true_random=False))
def test_order_of_rows(case, random):
    order = np.array(random.sample(range(len(case.y)), len(case.y)))
    plain = fgac.path(case.X, case.y, sample_weight=case.weights, gamma_min=0.1)
    shuffled = fgac.path(case.X[order], case.y[order], sample_weight=case.weights[order], gamma_min=0.1)
    assert_same_path(plain, shuffled, order)


@pytest.mark.parametrize("names", [["f", "e", "d", "c", "b", "a"], ["b", "d", "a", "f", "c", "e"]])
@examples(20)
@given(case=table_cases())
def test_names_of_classes(case, names):
    plain = fgac.path(case.X, case.y, gamma_min=0.1)
    renamed = fgac.path(case.X, np.array(names)[case.y], gamma_min=0.1)
    assert_same_path(plain, renamed)
    np.testing.assert_array_equal(renamed.classes_, np.unique(np.array(names)[case.y]))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_number_of_threads(metric):
    X, y = overlapping(n=300)
    one, two = (fgac.path(X, y, metric=metric, n_jobs=n_jobs) for n_jobs in (1, 2))
    np.testing.assert_allclose(one.breakpoints, two.breakpoints, rtol=1e-9)
    assert_same_path(one, two, gammas=(0.5, 1.0, 3.0, 10.0))


@examples(20)
@given(table_cases())
def test_repetition_is_weight_and_weight_zero_is_absence(case):
    times = case.weights.astype(int) - 1  # 0 to 3
    if times.sum() == 0:
        return
    weighted = fgac.path(case.X, case.y, sample_weight=times, gamma_min=0.1)
    repeated = fgac.path(np.repeat(case.X, times, axis=0), np.repeat(case.y, times), gamma_min=0.1)
    assert_same_path(weighted, repeated, np.repeat(np.arange(len(times)), times))
    np.testing.assert_array_equal(np.isnan(weighted.beta(1.0)), times == 0)


@examples(20)
@given(table_cases())
def test_only_ratios_of_weights_count(case):
    plain = fgac.path(case.X, case.y, sample_weight=case.weights, gamma_min=0.1)
    assert_same_path(plain, fgac.path(case.X, case.y, sample_weight=1e3 * case.weights, gamma_min=0.1))


@pytest.mark.parametrize("kind", [as_pandas, as_polars])
def test_frames_of_any_kind(kind):
    """Nominal columns are read from pandas and polars alike, and labels may be a column."""
    columns, y = mixed_columns()
    labels = pd.Series(y) if kind is as_pandas else pl.Series(y)
    path = fgac.path(kind(columns), labels, gamma_min=0.2)
    for gamma in (0.2, 0.5, 1.0, 3.0):
        direct = FGAClassifier(gamma=gamma).fit(as_pandas(columns), y)
        np.testing.assert_allclose(path.beta(gamma), direct.beta_, atol=1e-9)
        np.testing.assert_array_equal(path.classifier(gamma).predict(kind(columns)), direct.predict(as_pandas(columns)))
