"""Narrow numbers are never below the truth, and the vectors that compare them do what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac._kernels import vectors
from fgac.solve.pairs import Blocks
from fgac.solve.screens import NarrowScreen
from fgac.solve.search import Sorted
from fgac.solve.sides import comparable_rows
from support.searched import METRICS, all_distances, any_group, any_rows


@pytest.mark.parametrize("name", ["manhattan", "chebyshev"])
@given(seed=st.integers(0, 2**32 - 1), kinds=st.sampled_from([(1, 0, 0), (5, 2, 0), (3, 2, 2), (0, 0, 3)]))
def test_narrow_heights_are_never_below_the_truth(name, seed, kinds):
    """Not even where differences go round the numbers, or are cut off."""
    rng = np.random.default_rng(seed)
    rows, metric = any_rows(rng, 150, kinds), METRICS[name]
    group = any_group(rng, 150, "two")
    gamma, reach = float(rng.choice([1e-3, 1.0, 300.0])), float(rng.choice([0.1, 1.0]))
    found = Sorted(Blocks(rows, metric, group), metric, comparable_rows(metric, rows, group.head_rows))
    over, under = rng.uniform(0, reach, (2, 2**9))
    tails, heads = found.sides
    over, under = over[: len(tails.order)], under[: len(heads.order)] - reach / 2
    depth = reach / 10
    narrow = NarrowScreen(found.sides, gamma, found.mismatch, reach, depth, name == "chebyshev").at(over, under)
    assert narrow is not None
    distances = all_distances(metric, rows, group)
    compare = twins(name)
    for i, j in np.ndindex(*found.n_blocks):
        heights = np.empty((64, 64), dtype=np.uint16)
        compare(narrow.tails[i], narrow.heads[j], heights, narrow.n_numbers, narrow.n_ordered)
        a, b = slice(64 * i, 64 * i + 64), slice(64 * j, 64 * j + 64)
        truth = over[a, None] + under[b] - gamma * distances[tails.order[a][:, None], heads.order[b]]
        real = (tails.order[a][:, None] >= 0) & (heads.order[b] >= 0)
        assert (heights[real] * narrow.step - narrow.depth >= np.maximum(truth, -narrow.depth)[real]).all()
        assert (heights[~real] == 0).all()


def twins(name):
    """Return a slow and readable twin of the compiled comparison of a block."""

    def compare(tails, heads, out, n_numbers, n_ordered):
        x, y = tails.astype(int)[:, :, None], heads.astype(int)
        split = 1 + n_numbers
        around = (x[:, 1:split] - y[1:split] + 2**15) % 2**16 - 2**15
        above = np.maximum(0, x[:, split : split + n_ordered] - y[split : split + n_ordered])
        x_codes, y_codes = x[:, split + n_ordered :], y[split + n_ordered :]
        apart = np.where(x_codes[:, ::2] == y_codes[::2], 0, np.minimum(x_codes[:, 1::2], y_codes[1::2]))
        gaps = np.concatenate([abs(around), above, apart], axis=1)
        total = gaps.sum(axis=1) if name == "manhattan" else gaps.max(axis=1, initial=0)
        out[:] = np.maximum(0, np.maximum(0, x[:, 0] - y[0]) - total)

    return compare


@pytest.mark.parametrize("name", ["manhattan", "chebyshev"])
@given(seed=st.integers(0, 2**32 - 1), kinds=st.sampled_from([(1, 0, 0), (7, 0, 0), (2, 3, 2), (0, 1, 0), (0, 0, 0)]))
def test_vectors_say_what_their_twins_say(name, seed, kinds):
    from numba import njit

    p, q, o = kinds
    rng = np.random.default_rng(seed)
    width = 1 + p + o + 2 * q
    tails, heads = (rng.integers(0, 2**16, shape).astype(np.uint16) for shape in ((64, width), (width, 64)))
    for f in range(1 + p + o, width, 2):  # codes are often equal
        tails[:, f] %= 3
        heads[f] %= 3
    tails[:, 1 + p : 1 + p + o] %= 2**15
    found, expected = np.empty((64, 64), np.uint16), np.empty((64, 64), np.uint16)
    peak = compiled(name, njit)(tails, heads, found, p, o)
    twins(name)(tails, heads, expected, p, o)
    np.testing.assert_array_equal(found, expected)
    assert peak == expected.max()


def compiled(name, njit, known={}):  # noqa: B006  (compiled once)
    """Return a function that Python can call."""
    inner = vectors.narrow_sums if name == "manhattan" else vectors.narrow_maxima
    if name not in known:
        known[name] = njit(lambda tails, heads, out, p, o: inner(tails, heads, out, p, o))
    return known[name]
