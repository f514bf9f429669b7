"""The search in leaves gives what a plain computation over all rows gives."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from fgac import FGAClassifier
from fgac._kernels.layouts import SIZE
from fgac.metrics.distances import Blockwise, Chebyshev, Euclidean, Manhattan, Rows
from fgac.query import leaves
from fgac.query.envelope import Envelope, Query
from support.property_tests import examples

METRICS = {"euclidean": Euclidean(), "manhattan": Manhattan(), "chebyshev": Chebyshev()}
KINDS = [("euclidean", "box"), ("euclidean", "product"), ("manhattan", "box"), ("chebyshev", "box")]


def force(patch, bounds):
    """Let every query be a search in leaves, with the bounds of one's choice."""
    for name in ("MANY_ROWS", "MANY_POINTS", "MANY_DISTANCES"):
        patch.setattr(leaves, name, 1)
    patch.setattr(leaves.Search, "choose", lambda *_: bounds)


@pytest.fixture
def forced(monkeypatch):
    return lambda bounds: force(monkeypatch, bounds)


def plain_values(points, rows, metric, values, gamma):
    gaps = np.abs(points.numeric[:, None] - rows.numeric[None])
    mismatches = (points.codes[:, None] != rows.codes[None]) * rows.mismatch
    gaps = np.concatenate([gaps, mismatches], axis=2)
    order = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}[metric]
    distances = np.linalg.norm(gaps, order, axis=2) if gaps.shape[2] else np.zeros(gaps.shape[:2])
    return values - gamma * distances


def searched(metric, rows, gamma, points, values, starts, **options):
    envelope = Envelope(rows, METRICS[metric], gamma, n_jobs=options.pop("n_jobs", None))
    return envelope.maxima(points, [Query(values, np.asarray(starts))], **options)


def check(metric, rows, gamma, points, values, starts):
    """Compare maxima, and the rows that attain them, where these are no matter of rounding."""
    plain = plain_values(points, rows, metric, values, gamma)
    best, where = searched(metric, rows, gamma, points, values, starts)
    scale = np.abs(plain[np.isfinite(plain)]).max(initial=1.0)
    for s, (start, stop) in enumerate(pairwise(starts)):
        part = plain[:, start:stop]
        expected = part.max(axis=1, initial=-np.inf)
        none = expected == -np.inf
        assert (best[none, s] == -np.inf).all()
        assert (where[none, s] == -1).all()
        np.testing.assert_allclose(best[~none, s], expected[~none], rtol=0, atol=1e-13 * scale)
        assert ((where[~none, s] >= start) & (where[~none, s] < stop)).all()
        attained = plain[np.flatnonzero(~none), where[~none, s]]
        np.testing.assert_allclose(attained, expected[~none], rtol=0, atol=1e-13 * scale)


def table(rng, n, p, q, *, grid=False):
    numeric = rng.integers(0, 3, size=(n, p)).astype(float) if grid else rng.normal(size=(n, p))
    codes = rng.integers(0, 4, size=(n, q)).astype(np.int32)
    return numeric, codes


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "bounds"), KINDS)
@pytest.mark.parametrize(("n", "p", "q"), [(1, 1, 0), (63, 2, 0), (500, 3, 0), (700, 5, 2), (300, 0, 3), (400, 30, 1)])
@pytest.mark.parametrize("grid", [False, True])
def test_maxima_are_those_of_all_rows(forced, metric, bounds, n, p, q, grid):
    forced(bounds)
    rng = np.random.default_rng(n + p)
    mismatch = rng.uniform(0.5, 1.5, size=q)
    rows = Rows(*table(rng, n, p, q, grid=grid), mismatch)
    points = Rows(*table(rng, 90, p, q, grid=grid), mismatch)
    points.codes[::7] = -1
    values = rng.uniform(size=n)
    values[rng.uniform(size=n) < 0.1] = -np.inf
    check(metric, rows, 0.7, points, values, [0, n // 3, n // 3, n])


@examples(40)
@given(
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(KINDS),
    gamma=st.sampled_from([1e-12, 1e-4, 1.0, 1e4, 1e9]),
    spread=st.sampled_from([1e-6, 1.0, 1e6]),
    shift=st.sampled_from([0.0, 1e3, -1e8]),
    copies=st.integers(1, 40),
    constant=st.booleans(),
)
def test_nasty_numbers(seed, kind, gamma, spread, shift, copies, constant):
    """Far from the origin, tiny and huge slopes, an outlier, duplicates and constant columns."""
    metric, bounds = kind
    rng = np.random.default_rng(seed)
    X = np.repeat(shift + spread * rng.normal(size=(8, 3)), copies, axis=0)
    X[0] += 1e3 * spread
    X[:, 2] = shift if constant else X[:, 2]
    rows, values = Rows.from_numeric(X), rng.choice([0.0, 0.5, 1.0], size=len(X))
    points = Rows.from_numeric(np.concatenate([X[::3], shift + spread * rng.normal(size=(20, 3))]))
    with pytest.MonkeyPatch.context() as patch:
        force(patch, bounds)
        check(metric, rows, gamma, points, values, [0, len(X) // 2, len(X)])


@pytest.mark.parametrize(("metric", "bounds"), KINDS)
def test_ties_go_to_the_first_row(forced, metric, bounds):
    forced(bounds)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(1000, 3)).astype(float)
    rows, values = Rows.from_numeric(X), rng.choice([0.5, 1.0], size=len(X))
    _, where = searched(metric, rows, 1.0, rows, values, [0, 400, 1000])
    plain = plain_values(rows, rows, metric, values, 1.0)
    np.testing.assert_array_equal(where[:, 0], plain[:, :400].argmax(axis=1))
    np.testing.assert_array_equal(where[:, 1], 400 + plain[:, 400:].argmax(axis=1))


@pytest.mark.parametrize(("metric", "bounds"), KINDS)
@pytest.mark.parametrize("k", [1, 3, 2 * SIZE])
def test_top_is_that_of_all_rows(forced, metric, bounds, k):
    forced(bounds)
    rng = np.random.default_rng(1)
    rows, points = (Rows.from_numeric(rng.integers(0, 4, size=(n, 2))) for n in (600, 80))
    values = rng.choice([-np.inf, 0.25, 0.5, 1.0], size=600)
    best, where = Envelope(rows, METRICS[metric], 0.25).top(points, values, k)
    plain = plain_values(points, rows, metric, values, 0.25)
    order = np.argsort(-plain, axis=1, kind="stable")[:, :k]
    np.testing.assert_allclose(best, np.take_along_axis(plain, order, axis=1), rtol=0, atol=1e-14)
    exact = metric != "euclidean"  # roots may be rounded differently
    if exact:
        np.testing.assert_array_equal(where, order)


def test_top_tells_where_there_are_fewer_rows(forced):
    forced("box")
    rng = np.random.default_rng(2)
    rows = Rows.from_numeric(rng.normal(size=(200, 2)))
    values = np.full(200, -np.inf)
    values[[7, 190]] = 1.0, 0.5
    best, where = Envelope(rows, Euclidean(), 1.0).top(rows, values, 3)
    assert (np.sort(where, axis=1) == [-1, 7, 190]).all()
    assert (best[:, 2] == -np.inf).all()


@pytest.mark.parametrize("bounds", ["box", "product"])
def test_several_queries_in_one_search(forced, bounds):
    forced(bounds)
    rng = np.random.default_rng(3)
    rows, points = (Rows.from_numeric(rng.normal(size=(n, 4))) for n in (500, 70))
    first, second = rng.uniform(size=(2, 500))
    second[100:200] = -np.inf
    envelope = Envelope(rows, Euclidean(), 0.5)
    best, where = envelope.maxima(points, [Query(first, np.array([0, 200, 500])), envelope.query(second)])
    plain = [plain_values(points, rows, "euclidean", values, 0.5) for values in (first, second)]
    expected = [plain[0][:, :200].max(axis=1), plain[0][:, 200:].max(axis=1), plain[1].max(axis=1)]
    np.testing.assert_allclose(best, np.stack(expected, axis=1), rtol=0, atol=1e-14)
    np.testing.assert_array_equal(where[:, 2], plain[1].argmax(axis=1))


@pytest.mark.parametrize("bounds", ["box", "product"])
def test_what_is_not_within_may_only_come_out_lower(forced, bounds):
    forced(bounds)
    rng = np.random.default_rng(4)
    rows, points = (Rows.from_numeric(rng.normal(size=(n, 3))) for n in (900, 200))
    values = rng.uniform(size=900)
    full = searched("euclidean", rows, 1.0, points, values, [0, 450, 900])[0]
    part = searched("euclidean", rows, 1.0, points, values, [0, 450, 900], within=0.05)[0]
    needed = full >= full.max(axis=1, keepdims=True) - 0.05
    np.testing.assert_array_equal(part[needed], full[needed])
    assert (part <= full).all()


@pytest.mark.parametrize(("metric", "bounds"), KINDS)
def test_threads_change_nothing(forced, metric, bounds):
    forced(bounds)
    rng = np.random.default_rng(5)
    rows, points = (Rows.from_numeric(rng.normal(size=(n, 4))) for n in (6000, 1500))
    values = rng.uniform(size=6000)
    one, two = (searched(metric, rows, 2.0, points, values, [0, 3000, 6000], n_jobs=n) for n in (1, 2))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)


def test_leaves_are_used_by_themselves_and_only_where_they_pay(monkeypatch):
    rng = np.random.default_rng(6)
    tried = []
    run = leaves.Search.run

    def spy(self, points, bounds, *rest):
        tried.append((len(points), bounds))
        return run(self, points, bounds, *rest)

    monkeypatch.setattr(leaves.Search, "run", spy)
    few, many = (Rows.from_numeric(rng.normal(size=(8000, p))) for p in (2, 40))
    values = rng.uniform(size=5000)
    for rows in (few, many):
        envelope, points = Envelope(rows[:5000], Euclidean(), 0.5), rows[6000:]
        best, _ = envelope.maxima(points, [envelope.query(values)])
        plain = values - 0.5 * cdist(points.numeric, envelope.rows.numeric)
        np.testing.assert_allclose(best[:, 0], plain.max(axis=1), rtol=0, atol=1e-12)
    tries = leaves.TRIED
    assert tried == [(tries, "box"), (2000, "box"), (tries, "box"), (tries, "product"), (2000, "product")]
    tried.clear()
    own = Envelope(few[:5000], Blockwise(cdist), 0.5)
    own.maxima(few[6000:], [own.query(values)])
    huge = Envelope(Rows.from_numeric(few.numeric[:5000] * 1e100), Euclidean(), 0.5)
    huge.maxima(few[6000:], [huge.query(values)])
    assert tried == []
    # Once rows are in leaves, a few points are searched there, too.
    envelope.maxima(many[:10], [envelope.query(values)])
    assert tried == [(10, "product")]


@pytest.mark.parametrize("ties", ["nearest", "first"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("grid", [False, True])
def test_labels_need_not_know_the_loser(forced, ties, n_classes, grid):
    """Far points, grids full of ties and noise: the labels are those of the full degrees."""
    rng = np.random.default_rng(7)
    X = rng.integers(0, 5, size=(300, 2)).astype(float) if grid else rng.normal(size=(300, 2))
    y = (X[:, 0] > (2 if grid else 0)).astype(int)
    y[rng.uniform(size=300) < 0.2] = n_classes - 1
    Q = np.concatenate([X, X + 0.5, 100 * rng.integers(-1, 2, size=(50, 2))])
    clf = FGAClassifier(gamma=1.5, ties=ties).fit(X, y)
    expected = clf.predict(Q)
    for bounds in ("box", "product"):
        forced(bounds)
        np.testing.assert_array_equal(
            clf.classes_[clf._state.predictor.model.winners(clf._read_rows(Q), ties)], expected
        )


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_classifier_does_not_notice(forced, n_classes):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(400, 3))
    y = rng.integers(0, n_classes, size=400)
    clf = FGAClassifier(gamma=3.0).fit(X, y)
    Q = rng.normal(size=(150, 3))
    before, reasons = clf.memberships(Q), clf.arguments(Q)
    forced("box")
    again = FGAClassifier(gamma=3.0).fit(X, y)
    for a, b in zip(before, again.memberships(Q), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)
    found = clf.arguments(Q)
    np.testing.assert_array_equal(reasons.arguments_for.indices, found.arguments_for.indices)
    np.testing.assert_array_equal(reasons.arguments_against.indices, found.arguments_against.indices)
