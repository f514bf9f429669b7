"""A search on a cluster finds what a search in memory finds."""

import numpy as np
import pytest

from fgac.dask.cells import Cell, CellFacts, cell_of, make_tree, points_of
from fgac.dask.constraints import CellConstraints
from fgac.dask.search import worst
from fgac.metrics.distances import Euclidean, Manhattan, Rows
from fgac.solve import Group, MetricConstraints

GAMMA = 2.0


def constraints_of(client, form, metric, n=120):
    """The constraints of some rows in cells, those in memory, and the places of the nodes of the first."""
    rng = np.random.default_rng(0)
    rows = Rows.from_numeric(rng.normal(size=(n, 3)))
    levels = rng.integers(0, 2 if form == "two classes" else 3, n).astype(np.int32)
    cells = cell_of(points_of(rows), make_tree([points_of(rows)], 5))
    order = np.argsort(cells, kind="stable")
    parts = [Cell(rows[cells == k], levels[cells == k], np.ones((cells == k).sum())) for k in range(5)]
    largest = [float(metric.rounding(part.rows).rows.max()) for part in parts]
    share = metric.rounding(rows).share
    facts = [CellFacts(one.levels, one.weights, most, share) for one, most in zip(parts, largest, strict=True)]
    there = CellConstraints(client, [client.submit(lambda x: x, part) for part in parts], facts, metric, GAMMA, form)
    nodes = np.arange(n)
    sorted_rows, sorted_levels = rows[order], levels[order]
    high, low = nodes[sorted_levels == 1], nodes[sorted_levels == 0]
    groups = {
        "two classes": [Group(high, high, low, low)],
        "many classes": [Group(nodes, nodes, nodes, n + nodes, labels=sorted_levels.astype(np.int64))],
        "numbers": None,
    }
    return there, MetricConstraints(sorted_rows, metric, GAMMA, groups[form])


def sorted_pairs(pairs):
    """The pairs as a set."""
    return set(zip(pairs.tail.tolist(), pairs.head.tolist(), pairs.bound.round(9).tolist(), strict=True))


@pytest.mark.parametrize("metric", [Euclidean(), Manhattan()], ids=["euclidean", "manhattan"])
@pytest.mark.parametrize("form", ["two classes", "many classes", "numbers"])
def test_price_is_that_of_a_search_in_memory(client, form, metric):
    there, here = constraints_of(client, form, metric)
    assert there.n_nodes == here.n_nodes
    values = np.random.default_rng(1).random(there.n_nodes)
    for _ in range(2):
        found, expected = there.price(values, 3), here.price(values, 3)
        assert found.largest == pytest.approx(expected.largest, abs=1e-12)
        known = sorted_pairs(expected.pairs)
        violated = {pair for pair in known if values[pair[0]] - values[pair[1]] - pair[2] > 1e-9}
        assert violated <= sorted_pairs(found.pairs)
        assert found.pairs.violation(values).max() == pytest.approx(found.largest, abs=1e-12)


@pytest.mark.parametrize("form", ["two classes", "many classes", "numbers"])
def test_rounding_is_bounded_as_in_memory(client, form):
    there, here = constraints_of(client, form, Euclidean())
    values = np.random.default_rng(1).random(there.n_nodes)
    assert there.rounding(values, 1.0) == pytest.approx(here.rounding(values, 1.0), rel=1e-9)
    assert there.rounding(values, 0.0) == pytest.approx(here.rounding(values, 0.0), rel=1e-6)


def test_a_violation_that_is_no_number_is_refused(client):
    there, _ = constraints_of(client, "numbers", Euclidean())
    values = np.zeros(there.n_nodes)
    there.price(values, 3)  # after which it is known what is near
    values[3] = np.nan
    with pytest.raises(ValueError, match="not a finite number"):
        there.price(values, 3)


def test_ties_of_the_worst_pairs_are_broken_by_their_order():
    assert worst(np.array([0, 0, 0]), np.zeros(3), 2).tolist() == [0, 1]
    assert worst(np.empty(0, dtype=np.int64), np.empty(0), 2).tolist() == []
