"""Random rows, groups and values for searches of all pairs, and what a search must find, by the distances of all."""

import numpy as np
import pytest

from fgac.metrics.distances import UNKNOWN, UNSEEN, Chebyshev, Euclidean, Manhattan, Rows
from fgac.solve import Group
from fgac.solve.pairs import Blocks
from fgac.solve.search import BlockSearch, Sorted
from fgac.solve.sides import comparable_rows

METRICS = {"euclidean": Euclidean(), "manhattan": Manhattan(), "chebyshev": Chebyshev()}


def any_rows(rng, n, kinds, scale=1.0, *, ordered=True):
    """Return rows with some of: numbers of any spread, ties and duplicates; codes, unknown or new; ordered numbers."""
    p, q, o = kinds
    numeric = scale * rng.choice([rng.normal(size=(n, p)), rng.integers(0, 3, (n, p)).astype(float)])
    numeric[:, : p // 2] *= rng.choice([1e-6, 1.0, 1e3])
    numeric += rng.choice([0.0, 1e5]) * scale
    numeric[rng.integers(0, n, n // 4)] = numeric[0]
    codes = rng.choice([UNKNOWN, UNSEEN, 0, 1, 2], size=(n, q)).astype(np.int32)
    mismatch = scale * rng.uniform(0, 2, q)
    if not (o and ordered):
        return Rows(numeric, codes, mismatch)
    way = np.full(n, rng.choice([-1.0, 1.0]))
    return Rows(numeric, codes, mismatch, np.round(scale * rng.normal(size=(n, o)), 1), way)


def all_distances(metric, rows, group):
    """Return all distances of a group, infinite where rows are no pair."""
    out = np.empty((len(group.tail_rows), len(group.head_rows)))
    metric.block(rows[group.tail_rows], rows[group.head_rows], out)
    if group.labels is not None:
        out[group.labels[group.tail_rows][:, None] == group.labels[group.head_rows]] = np.inf
    return out


def any_group(rng, n, form):
    """Return a group of two classes, of several with two nodes per row, or of all pairs in both directions."""
    every = np.arange(n)
    if form == "two":
        high = rng.random(n) < rng.choice([0.1, 0.5])
        return Group(np.flatnonzero(high), np.flatnonzero(high), np.flatnonzero(~high), np.flatnonzero(~high))
    labels = every if form == "all" else rng.integers(0, 3, n)
    return Group(every, every, every, every if form == "all" else n + every, labels=labels)


def in_blocks(rows, metric, group, gamma):
    """Return the search in blocks, however small the group."""
    blocks = Blocks(rows, metric, group, 2)
    return BlockSearch(Sorted(blocks, metric, comparable_rows(metric, rows, group.head_rows)), gamma)


def heights_of(group, distances, values, gamma):
    """Return how much all pairs are violated."""
    return values[group.tail_nodes][:, None] - values[group.head_nodes] - gamma * distances


def near_values(rng, group, distances, gamma, n_nodes):
    """Return values some of whose pairs are nearly tight."""
    some = distances[np.isfinite(distances) & (distances > 0)]
    step = gamma * float(np.quantile(some, rng.choice([0.02, 0.3]))) if some.size else 1.0
    values = rng.uniform(-step, step, n_nodes)
    values[rng.integers(0, n_nodes, n_nodes // 3)] = step / 2
    return values


def check_found(priced, heights, group, per_node, floor):
    """Every tail and every head has its worst pairs, and the largest violation is that of all pairs."""
    slack = 1e-12 * max(1.0, np.abs(heights[np.isfinite(heights)]).max(initial=0.0))
    assert priced.largest == pytest.approx(max(0.0, heights.max(initial=0.0)), abs=slack)
    place = {node: i for i, node in enumerate(group.tail_nodes)}, {node: j for j, node in enumerate(group.head_nodes)}
    found = np.zeros(heights.shape, dtype=bool)
    for tail, head in zip(priced.pairs.tail, priced.pairs.head, strict=True):
        found[place[0][tail], place[1][head]] = True
    assert found.sum() == len(priced.pairs.tail)  # none twice
    assert (heights[found] > floor - slack).all()
    for lines, listed in ((heights, found), (heights.T, found.T)):
        least = np.sort(lines, axis=1)[:, -min(per_node, lines.shape[1])]
        missed = (lines > np.maximum(least, floor)[:, None] + slack) & ~listed
        assert not missed.any()
