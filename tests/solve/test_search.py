"""The search in blocks: screens and proofs rule out no pair that matters, whatever rows, values and gamma are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.metrics.distances import UNSEEN, Euclidean, Manhattan, Rows
from fgac.solve import MetricConstraints, Problem, constraints, pricing, search, solve
from fgac.solve.pairs import Blocks
from fgac.solve.pricing import GroupSearch
from fgac.solve.search import BlockSearch, Sorted, waves_between, waves_within
from fgac.solve.sides import comparable_rows
from support.property_tests import examples
from support.searched import (
    METRICS,
    all_distances,
    any_group,
    any_rows,
    check_found,
    heights_of,
    in_blocks,
    near_values,
)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("form", ["two", "many", "all"])
@examples(40)
@given(
    seed=st.integers(0, 2**32 - 1),
    kinds=st.sampled_from([(1, 0, 0), (5, 0, 0), (4, 2, 0), (0, 3, 0), (3, 1, 2), (0, 0, 1), (12, 2, 1)]),
    gamma=st.sampled_from([1e-6, 0.05, 1.0, 50.0, 1e6]),
    scale=st.sampled_from([1e-8, 1.0, 1e6]),
    per_node=st.sampled_from([1, 3, 8]),
)
def test_the_worst_pairs_of_every_node_are_found(name, form, seed, kinds, gamma, scale, per_node):
    rng = np.random.default_rng(seed)
    n, metric = int(rng.integers(2, 300)), METRICS[name]
    rows = any_rows(rng, n, kinds, scale, ordered=name != "euclidean")
    if name == "euclidean":
        rows = Rows(rows.numeric, np.where(rows.codes == UNSEEN, 0, rows.codes).astype(np.int32), rows.mismatch)
    group = any_group(rng, n, form)
    if not (len(group.tail_rows) and len(group.head_rows)):
        return
    distances = all_distances(metric, rows, group)
    values = near_values(rng, group, distances, gamma, 2 * n)
    floor = -float(rng.choice([0.0, 0.02])) * float(np.ptp(values))
    priced = in_blocks(rows, metric, group, gamma).price(values, per_node, floor)
    if priced is not None:  # single precision would not do; then distances are compared
        check_found(priced, heights_of(group, distances, values, gamma), group, per_node, floor)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("form", ["two", "many", "all"])
@examples(30)
@given(seed=st.integers(0, 2**32 - 1), gamma=st.sampled_from([0.1, 1.0, 20.0]))
def test_what_was_proved_before_spares_a_search_and_changes_nothing(name, form, seed, gamma):
    """Values move a little from search to search, up and down; now and then a lot."""
    rng = np.random.default_rng(seed)
    rows, metric = any_rows(rng, 260, (4, 0, 0)), METRICS[name]
    group = any_group(rng, 260, form)
    distances = all_distances(metric, rows, group)
    values = near_values(rng, group, distances, gamma, 520)
    again = in_blocks(rows, metric, group, gamma)
    for step in (0.0, 1e-4, 1e-2, 1e-3, 0.5, 1e-3):
        values = values + step * np.ptp(values) * rng.uniform(-1, 1, len(values))
        floor = -float(rng.choice([0.0, 0.01])) * float(np.ptp(values))
        found = again.price(values, 3, floor)
        if found is not None:
            check_found(found, heights_of(group, distances, values, gamma), group, 3, floor)


def test_a_second_search_of_the_same_values_looks_at_few_blocks():
    rng = np.random.default_rng(0)
    rows, group = Rows.from_numeric(rng.uniform(size=(4000, 2))), any_group(rng, 4000, "two")
    values = 0.3 * rows.numeric[:, 0]
    for metric in METRICS.values():
        one = in_blocks(rows, metric, group, 0.5)
        one.price(values, 3, -0.01)
        before = one.looked
        one.price(values, 3, 0.0)
        assert one.looked < before / 2


def test_proofs_are_given_up_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(search, "MOST_SEARCHES", 3)
    rng = np.random.default_rng(1)
    rows, group = Rows.from_numeric(rng.uniform(size=(300, 3))), any_group(rng, 300, "two")
    distances = all_distances(Manhattan(), rows, group)
    one, values = in_blocks(rows, Manhattan(), group, 1.0), rng.uniform(size=300)
    for _ in range(8):
        values = values + rng.uniform(-0.01, 0.01, 300)
        check_found(one.price(values, 2, 0.0), heights_of(group, distances, values, 1.0), group, 2, 0.0)


@pytest.mark.parametrize("ends", [(True, False), (False, True)])
@pytest.mark.parametrize("name", METRICS)
def test_the_worst_pairs_of_one_end(name, ends):
    rng = np.random.default_rng(2)
    rows, group, metric = any_rows(rng, 300, (3, 0, 0)), any_group(rng, 300, "two"), METRICS[name]
    distances = all_distances(metric, rows, group)
    values = near_values(rng, group, distances, 1.0, 300)
    heights = heights_of(group, distances, values, 1.0)
    pairs = in_blocks(rows, metric, group, 1.0).price(values, 1, 0.0, ends).pairs
    worst = np.zeros(300)
    np.maximum.at(worst, pairs.tail if ends[0] else pairs.head, pairs.violation(values))
    nodes = group.tail_nodes if ends[0] else group.head_nodes
    np.testing.assert_allclose(worst[nodes], np.maximum(0, heights.max(axis=1 if ends[0] else 0)), atol=1e-12)


@pytest.mark.parametrize("name", METRICS)
@examples(20)
@given(seed=st.integers(0, 2**32 - 1), uneven=st.sampled_from([0.0, 1e-12, 1e-9, 0.1]))
def test_a_mirrored_group_is_searched_once_for_both_directions(name, seed, uneven):
    """With values that mirror each other the same pairs are found; with others the largest violation is no less."""
    rng = np.random.default_rng(seed)
    n, metric = 200, METRICS[name]
    rows, group = any_rows(rng, n, (3, 0, 0)), any_group(rng, n, "many")
    distances = all_distances(metric, rows, group)
    half = near_values(rng, group, distances, 1.0, n)
    values = np.append(half, -half) + uneven * rng.uniform(-1, 1, 2 * n) * np.ptp(half)
    heights = heights_of(group, distances, values, 1.0)
    priced = in_blocks(rows, metric, group._replace(mirrored=True), 1.0).price(values, 3, 0.0)
    if priced is None:  # single precision would not do
        return
    assert priced.largest >= heights.max() - 1e-12
    np.testing.assert_allclose(
        priced.pairs.bound, distances[priced.pairs.tail, priced.pairs.head - n], atol=1e-9 + uneven * 0
    )
    if uneven == 0.0:
        check_found(priced, heights, group, 3, 0.0)
    elif uneven < 1e-3:
        assert priced.largest <= max(0.0, heights.max()) + 4 * uneven * np.ptp(half)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_several_classes_in_blocks_are_solved_as_by_distances(monkeypatch, metric, loss):
    rng = np.random.default_rng(3)
    n = 220
    rows, group = any_rows(rng, n, (3, 0, 0)), any_group(rng, n, "many")
    targets, weights = np.repeat([1.0, 0.0], n), np.tile(rng.uniform(0.5, 2.0, n), 2)
    kept = solve(Problem(targets, MetricConstraints(rows, metric, 0.4, [group]), weights, loss=loss))
    monkeypatch.setattr(pricing, "MANY_PAIRS", 0)
    mirrored = group._replace(mirrored=loss == "squared_error")
    searched = solve(Problem(targets, MetricConstraints(rows, metric, 0.4, [mirrored]), weights, loss=loss))
    assert searched.is_optimal()
    np.testing.assert_allclose(searched.values, kept.values, atol=1e-10)


def test_values_that_are_no_numbers_are_not_screened():
    rows, group = Rows.from_numeric(np.arange(10.0)[:, None]), any_group(np.random.default_rng(0), 10, "two")
    for metric in METRICS.values():
        for bad in (np.nan, np.inf, -np.inf):
            values = np.linspace(0, 1, 10)
            values[3] = bad
            assert in_blocks(rows, metric, group, 1.0).price(values, 1, 0.0) is None


def test_columns_that_count_in_two_directions_are_compared_by_distances(monkeypatch):
    monkeypatch.setattr(pricing, "MANY_PAIRS", 0)
    rng = np.random.default_rng(4)
    rows = any_rows(rng, 60, (1, 0, 2)).oriented(np.where(np.arange(60) % 4 < 2, 1.0, -1.0))
    group = any_group(rng, 60, "two")
    assert GroupSearch(Blocks(rows, Manhattan(), group)).sorted is None
    assert comparable_rows(Euclidean(), rows, group.head_rows) is None


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 4), (5, 2), (3, 3)])
def test_waves_hold_every_tile_once_and_no_part_twice(n, m):
    tails, heads = ([slice(i, i + 1) for i in range(k)] for k in (n, m))
    waves = list(waves_between(tails, heads))
    assert sorted((i.start, j.start) for wave in waves for i, j in wave) == list(np.ndindex(n, m))
    for wave in waves:
        assert len({i.start for i, _ in wave}) == len({j.start for _, j in wave}) == len(wave)
    within = list(waves_within(tails))
    assert sorted((i.start, j.start) for wave in within for i, j in wave) == [
        (i, j) for i in range(n) for j in range(i, n)
    ]
    for wave in within[1:]:
        assert len({part.start for tile in wave for part in tile}) == 2 * len(wave)


def test_threads_do_not_change_what_is_found(monkeypatch):
    monkeypatch.setattr(search, "MANY_PAIRS", 0)
    monkeypatch.setattr("fgac.metrics.tiles.SHARE", 1)
    rng = np.random.default_rng(5)
    rows, group = any_rows(rng, 3000, (2, 1, 0)), any_group(rng, 3000, "two")
    values = rng.uniform(0, 0.2, 3000)
    found = []
    for n_jobs in (1, 2, 4):
        sides = Sorted(Blocks(rows, Manhattan(), group, n_jobs), Manhattan(), rows)
        found.append(BlockSearch(sides, 1.0).price(values, 4, -0.01))
    for other in found[1:]:
        assert other.largest == found[0].largest
        for column, expected in zip(other.pairs, found[0].pairs, strict=True):
            np.testing.assert_array_equal(column, expected)


def test_a_large_problem_keeps_nodes_that_lie_together_together(monkeypatch):
    monkeypatch.setattr(pricing, "MANY_PAIRS", 0)
    monkeypatch.setattr(constraints, "MANY_NODES", 0)
    rng = np.random.default_rng(6)
    rows, group = any_rows(rng, 200, (2, 0, 0)), any_group(rng, 200, "many")
    query = MetricConstraints(rows, Manhattan(), 0.5, [group])
    assert sorted(query.node_order()) == list(range(400))
    few = group._replace(tail_nodes=group.tail_nodes + 3, head_nodes=group.head_nodes + 3)
    query = MetricConstraints(rows, Manhattan(), 0.5, [few])
    targets = np.append([0.5, 0.5, 0.5], np.repeat([1.0, 0.0], 200))
    solution = solve(Problem(targets, query))
    assert solution.is_optimal()
    np.testing.assert_array_equal(solution.values[:3], 0.5)


def test_a_tiny_gamma_says_nothing_of_single_precision():
    """Values divided by it are too large for that, but narrow numbers need no such quotient."""
    rows, group = Rows.from_numeric(np.arange(10.0)[:, None]), any_group(np.random.default_rng(0), 10, "two")
    values = np.linspace(0, 1, 10)
    priced = in_blocks(rows, Manhattan(), group, 1e-70).price(values, 1, 0.0)
    heights = values[group.tail_nodes][:, None] - values[group.head_nodes]
    assert priced.largest == pytest.approx(max(0.0, heights.max()))
