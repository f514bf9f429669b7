"""Searches in leaves give what comparing all rows gives, to the last bit, for nasty rows, points and values."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.metrics.distances import UNKNOWN, UNSEEN, Chebyshev, Euclidean, Manhattan, Rows
from fgac.query import leaves
from fgac.query.envelope import Envelope, Query
from support.property_tests import examples

METRICS = {"euclidean": Euclidean(), "manhattan": Manhattan(), "chebyshev": Chebyshev()}
WAYS = [("euclidean", "box"), ("euclidean", "product"), ("manhattan", "box"), ("chebyshev", "box")]
NUMBERS = ["normal", "grid", "equal", "outlier", "tiny", "few"]


def force(patch, bounds):
    """Let every query be a search in leaves, with the bounds of one's choice."""
    for name in ("MANY_ROWS", "MANY_POINTS", "MANY_DISTANCES"):
        patch.setattr(leaves, name, 1)
    patch.setattr(leaves.Search, "choose", lambda *_: bounds)


def numbers(rng, kind, n, p):
    """Return coordinates of one nasty kind."""
    X = rng.normal(size=(n, p))
    if kind == "grid":
        return np.round(X)
    if kind == "equal":
        return np.full((n, p), 0.1)
    if kind == "outlier":
        X[:: max(1, n // 3)] *= 1e6
    if kind == "tiny":
        return 1e6 + 1e-7 * X
    if kind == "few":
        return X[rng.integers(0, max(1, n // 20), size=n)]
    return X


def codes(rng, n, q, *, unseen):
    """Return codes of categories, some unknown, some perhaps unseen."""
    drawn = rng.integers(UNSEEN if unseen else 0, 4, size=(n, q))
    drawn[rng.random((n, q)) < 0.2] = UNKNOWN
    return drawn.astype(np.int32)


def problem(seed, n, p, q, kind):
    """Return rows, points and values of them."""
    rng = np.random.default_rng(seed)
    mismatch = np.array([1.0, 0.3])[:q]
    rows = Rows(numbers(rng, kind, n, p), codes(rng, n, q, unseen=False), mismatch)
    points = Rows(numbers(rng, kind, 40, p), codes(rng, 40, q, unseen=True), mismatch)
    points.numeric[:5] = rows.numeric[rng.integers(0, n, size=5)]
    points.numeric[5:7] *= 1e4
    values = rng.choice([0.0, 0.3, 1.0, -np.inf], size=n) if seed % 2 else rng.uniform(size=n)
    return rows, points, values


def equal(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("metric", "bounds"), WAYS)
@examples(40)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([1, 17, 64, 700, 2300]),
    p=st.sampled_from([0, 1, 4, 9, 13]),
    q=st.sampled_from([0, 2]),
    kind=st.sampled_from(NUMBERS),
    gamma=st.sampled_from([1e-3, 0.7, 1e3]),
)
def test_every_bit_is_that_of_all_rows(metric, bounds, seed, n, p, q, kind, gamma):
    rows, points, values = problem(seed, n, p, q, kind)
    starts = np.unique([0, n // 5, n // 2, n])
    rng = np.random.default_rng(seed)
    other = rng.uniform(size=n)
    queries = [Query(values, starts), Query(other, np.array([0, n])), Query(-other, np.array([0, n]))]
    plain = Envelope(rows, METRICS[metric], gamma)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "MANY_ROWS", np.inf)
        maxima, heights, top = (
            plain.maxima(points, queries),
            plain.heights(points, queries),
            plain.top(points, values, 7),
        )
    with pytest.MonkeyPatch.context() as patch:
        force(patch, bounds)
        envelope = Envelope(rows, METRICS[metric], gamma)
        equal(envelope.maxima(points, queries), maxima)
        equal([envelope.heights(points, queries)], [heights])
        equal(envelope.top(points, values, 7), top)
        # The rows in leaves are remembered; what is asked later needs other segments, or has other values.
        equal(envelope.maxima(points, queries[:1]), [part[:, : len(starts) - 1] for part in maxima])
        alone = [envelope.maxima(points[i : i + 1], queries) for i in range(10)]
        equal([np.concatenate(parts) for parts in zip(*alone, strict=True)], [part[:10] for part in maxima])


@pytest.mark.parametrize(("metric", "bounds"), WAYS)
@examples(20)
@given(seed=st.integers(0, 2**32 - 1), kind=st.sampled_from(NUMBERS), within=st.sampled_from([0.0, 1e-6, 0.3]))
def test_what_is_near_the_largest_is_right(metric, bounds, seed, kind, within):
    """Maxima further below may come out lower, but never higher."""
    rows, points, values = problem(seed, 900, 3, 1, kind)
    query = Query(values, np.array([0, 300, 900]))
    plain, _ = Envelope(rows, METRICS[metric], 1.0).maxima(points, [query])
    with pytest.MonkeyPatch.context() as patch:
        force(patch, bounds)
        found, _ = Envelope(rows, METRICS[metric], 1.0).maxima(points, [query], within=within)
    near = plain >= plain.max(axis=1, keepdims=True) - within
    np.testing.assert_array_equal(found[near], plain[near])
    assert (found <= plain).all()


@pytest.mark.parametrize(("metric", "bounds"), WAYS)
def test_neither_threads_nor_the_order_of_rows_matter(monkeypatch, metric, bounds):
    force(monkeypatch, bounds)
    rows, points, values = problem(3, 5000, 3, 2, "few")
    many = points[np.arange(2000) % len(points)]
    shuffled = np.random.default_rng(0).permutation(len(rows))
    answers = [
        Envelope(some, METRICS[metric], 2.0, n_jobs=n_jobs).maxima(many, [Query(v, np.array([0, 5000]))])
        for some, v, n_jobs in ((rows, values, 1), (rows, values, 2), (rows[shuffled], values[shuffled], 2))
    ]
    equal(answers[0], answers[1])
    equal(answers[0][:1], answers[2][:1])


def test_an_envelope_is_copied_without_its_leaves(monkeypatch):
    force(monkeypatch, "box")
    rows, points, values = problem(4, 500, 2, 0, "normal")
    envelope = Envelope(rows, Euclidean(), 1.0)
    before = envelope.maxima(points, [envelope.query(values)])
    copy = pickle.loads(pickle.dumps(envelope))
    assert len(pickle.dumps(envelope)) < 2 * rows.numeric.nbytes
    equal(copy.maxima(points, [copy.query(values)]), before)


def test_changed_values_are_noticed(monkeypatch):
    force(monkeypatch, "box")
    rows, points, values = problem(5, 500, 2, 0, "normal")
    values = np.abs(np.where(np.isfinite(values), values, 0.0))
    envelope = Envelope(rows, Euclidean(), 1.0)
    before, _ = envelope.maxima(points, [envelope.query(values)])
    values += 1.0
    after, _ = envelope.maxima(points, [envelope.query(values)])
    np.testing.assert_allclose(after, before + 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("gamma", [1e-300, 1e-40, 1.0, 1e30, 1e150])
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e20, 1e150])
def test_numbers_beyond_single_precision_are_compared_one_by_one(monkeypatch, metric, gamma, scale):
    """Without a warning of overflow, too."""
    rng = np.random.default_rng(0)
    rows = Rows(scale * rng.normal(size=(50, 3)), codes(rng, 50, 1, unseen=False), np.array([scale]))
    values = rng.uniform(size=50)
    expected = Envelope(rows, METRICS[metric], gamma)
    plain = expected.maxima(rows, [expected.query(values)])
    force(monkeypatch, "box")
    envelope = Envelope(rows, METRICS[metric], gamma)
    equal(envelope.maxima(rows, [envelope.query(values)]), plain)
