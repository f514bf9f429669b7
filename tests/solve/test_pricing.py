"""The search of all pairs: screening in single precision loses nothing, and a start changes nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.metrics.distances import Euclidean, Manhattan, Rows
from fgac.solve import Group, MetricConstraints, Problem, pairs, path_walk, pricing, solve
from fgac.solve.pairs import AllPairs, Blocks
from fgac.solve.path import trace
from fgac.solve.screens import ProductScreen
from fgac.solve.sides import euclidean_points, sorted_side, values_of
from support.property_tests import examples

METRICS = {"euclidean": Euclidean(), "manhattan": Manhattan()}


def mixed_rows(rng, n, n_numeric=3, n_nominal=2):
    """Return rows with numbers, some of them equal, and nominal columns of different weights."""
    numeric = np.round(rng.normal(size=(n, n_numeric)), 1)
    codes = rng.integers(0, 3, size=(n, n_nominal)).astype(np.int32)
    return Rows(numeric, codes, np.linspace(0.5, 1.0, n_nominal))


def two_classes(n):
    """Return the pairs between even and odd rows."""
    odd, even = np.arange(1, n, 2), np.arange(0, n, 2)
    return Group(odd, odd, even, even)


def many_classes(rng, n):
    """Return the two-copies form: u+ is node u, u- is node n + u."""
    every = np.arange(n)
    return Group(every, every, every, n + every, labels=rng.integers(0, 4, n))


@given(
    seed=st.integers(0, 2**32 - 1),
    n_columns=st.integers(1, 30),
    scale=st.sampled_from([1e-6, 1e-2, 1.0, 1e4]),
    shift=st.sampled_from([0.0, 1.0, 1e3]),
    gamma=st.sampled_from([0.05, 0.5, 2.0, 100.0]),
)
def test_a_screen_rules_out_no_violated_pair(seed, n_columns, scale, shift, gamma):
    rng = np.random.default_rng(seed)
    x, y = (scale * (rng.normal(size=(40, n_columns)) + shift) for _ in range(2))
    over, under = rng.uniform(-0.5, 0.5, size=(2, 40))
    # values near the distances, so that many pairs are almost tight
    under += gamma * np.median(np.linalg.norm(x[:, None] - y, axis=2)) - np.median(over)
    sides = sorted_side(Rows.from_numeric(x), None), sorted_side(Rows.from_numeric(y), None)
    over, under = values_of(sides[0], over), values_of(sides[1], under)
    screen = ProductScreen(sides, gamma).at(over, under)
    if screen is None:
        return
    distances = np.linalg.norm(sides[0].numeric[:, None] - sides[1].numeric, axis=2)
    real = (sides[0].order >= 0)[:, None] & (sides[1].order >= 0)
    violated = over[:, None] + under - gamma * distances > 0
    product = screen.tails[0] @ screen.heads[0]
    assert (product <= screen.limits[0][:, None])[violated & real].all()
    assert (product > screen.limits[0][:, None])[~real].all()


def test_a_screen_is_given_up_where_single_precision_would_blur_it():
    side = sorted_side(Rows.from_numeric(np.random.default_rng(0).normal(size=(10, 2))), None)
    values = np.linspace(0, 1, 64)
    assert ProductScreen((side, side), 1.0).at(values, -values) is not None
    assert ProductScreen((side, side), 1e-6).at(values, -values) is None


def test_points_have_the_distances_of_their_rows():
    rows = mixed_rows(np.random.default_rng(0), 20)
    points = euclidean_points(Euclidean(), rows)
    expected = np.empty((20, 20))
    Euclidean().block(rows, rows, expected)
    np.testing.assert_allclose(np.linalg.norm(points[:, None] - points, axis=2), expected, atol=1e-12)


def test_only_euclidean_rows_are_points():
    rows = mixed_rows(np.random.default_rng(0), 5)
    assert euclidean_points(Manhattan(), rows) is None
    assert euclidean_points(Euclidean(), Rows(rows.numeric, rows.codes - 1, rows.mismatch)) is None
    names = np.arange(5, dtype=np.int32)[:, None] * 1000  # thousands of names would need as many coordinates
    assert euclidean_points(Euclidean(), Rows(rows.numeric, names, np.ones(1))) is None


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
@pytest.mark.parametrize("gamma", [0.02, 0.3, 1.0, 8.0])
@pytest.mark.parametrize("form", ["two", "many"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_is_kept_and_what_is_not_give_the_same(monkeypatch, metric, gamma, form, n_jobs):
    """Large groups are searched in blocks and screened; small ones keep their distances: the solution is the same."""
    rng = np.random.default_rng(7)
    n = 90
    rows = mixed_rows(rng, n)
    group = two_classes(n) if form == "two" else many_classes(rng, n)
    targets = np.arange(n) % 2.0 if form == "two" else np.repeat([1.0, 0.0], n)
    kept = solve(Problem(targets, MetricConstraints(rows, metric, gamma, [group], n_jobs)))
    monkeypatch.setattr(pairs, "MOST_KEPT", 0)
    monkeypatch.setattr(pricing, "MANY_PAIRS", 0)
    searched = solve(Problem(targets, MetricConstraints(rows, metric, gamma, [group], n_jobs)))
    assert searched.is_optimal()
    np.testing.assert_allclose(searched.values, kept.values, atol=1e-10)


def test_all_pairs_of_one_set_leave_out_pairs_of_a_node_with_itself():
    """With both directions of all pairs, the worst pairs of a node are never the pair with itself."""
    rows = Rows.from_numeric(np.linspace(0, 1, 30)[:, None])
    priced = MetricConstraints(rows, Euclidean(), 1.0).price(np.linspace(0, 0.5, 30), 4)
    assert (priced.pairs.tail != priced.pairs.head).all()


@examples(20)
@given(seed=st.integers(0, 2**32 - 1), factor=st.sampled_from([0.1, 0.7, 0.99, 1.3, 10.0]))
def test_a_start_changes_nothing(seed, factor):
    """Tight constraints of another gamma, all or some, are a start and no more."""
    rng = np.random.default_rng(seed)
    rows, group = mixed_rows(rng, 60), two_classes(60)
    targets, weights = np.arange(60) % 2.0, rng.uniform(0.5, 2.0, 60)
    constraints = MetricConstraints(rows, Euclidean(), 0.6, [group])
    other = solve(Problem(targets, constraints.at(0.6 * factor), weights))
    start = other.active.scaled(1 / factor)
    direct = solve(Problem(targets, constraints.at(0.6), weights))
    for some in (start, start.where(rng.random(len(start.bound)) < 0.5)):
        found = solve(Problem(targets, constraints.at(0.6), weights), start=some)
        assert found.is_optimal()
        np.testing.assert_allclose(found.values, direct.values, atol=1e-10)


def test_the_path_gets_over_places_where_events_do_not_end(monkeypatch):
    """Without patience, every tie is stepped over by solving anew a little further down."""
    rng = np.random.default_rng(1)
    rows = Rows.from_numeric(rng.integers(0, 4, size=(40, 2)).astype(float))
    group, targets, weights = two_classes(40), np.arange(40) % 2.0, np.ones(40)
    monkeypatch.setattr(path_walk, "PATIENCE", 0)
    path = trace(targets, weights, AllPairs(Blocks(rows, Euclidean(), group)), 0.05)
    constraints = MetricConstraints(rows, Euclidean(), 1.0, [group])
    for gamma in (0.05, 0.1, 0.17, 0.3, 0.5, 0.9, 2.0):
        direct = solve(Problem(targets, constraints.at(gamma), weights))
        np.testing.assert_allclose(path.forest(gamma).a, direct.values, atol=1e-9)


def test_the_path_of_what_is_not_kept_is_the_same(monkeypatch):
    rng = np.random.default_rng(2)
    rows, group = mixed_rows(rng, 80), two_classes(80)
    targets, weights = np.arange(80) % 2.0, rng.uniform(0.5, 2.0, 80)
    kept = trace(targets, weights, AllPairs(Blocks(rows, Euclidean(), group)), 0.1)
    monkeypatch.setattr(pairs, "MOST_KEPT", 0)
    searched = trace(targets, weights, AllPairs(Blocks(rows, Euclidean(), group)), 0.1)
    for gamma in (0.1, 0.33, 1.0, 3.0):
        np.testing.assert_allclose(searched.forest(gamma).a, kept.forest(gamma).a, atol=1e-10)
