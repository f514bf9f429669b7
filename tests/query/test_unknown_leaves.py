"""The search in leaves with unknown codes: bounds rule out no row that matters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac import FGAClassifier
from fgac.metrics.distances import UNKNOWN, UNSEEN, Chebyshev, Euclidean, Manhattan, Rows
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


def random_rows(rng, n, p, q, *, share, unseen=False):
    """Return rows of which a share of the codes is unknown."""
    codes = rng.integers(UNSEEN if unseen else 0, 4, size=(n, q))
    codes[rng.random((n, q)) < share] = UNKNOWN
    return Rows(np.round(rng.normal(size=(n, p)), 1), codes.astype(np.int32), np.array([1.0, 0.4, 2.0])[:q])


def plain_values(points, rows, metric, values, gamma):
    """Compute values minus gamma times distances, of all pairs."""
    unequal = points.codes[:, None] != rows.codes[None]
    half = (points.codes[:, None] == UNKNOWN) | (rows.codes[None] == UNKNOWN)
    part = np.where(half, np.sqrt(0.5) if metric == "euclidean" else 0.5, 1.0) * unequal * rows.mismatch
    gaps = np.concatenate([np.abs(points.numeric[:, None] - rows.numeric[None]), part], axis=2)
    order = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}[metric]
    return values - gamma * np.linalg.norm(gaps, order, axis=2)


@pytest.mark.parametrize(("metric", "bounds"), KINDS)
@examples(20)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([1, 63, 300, 700]),
    n_numeric=st.sampled_from([0, 2, 11]),
    share=st.sampled_from([0.02, 0.3, 1.0]),
    gamma=st.sampled_from([0.05, 0.7, 20.0]),
)
def test_maxima_are_those_of_all_rows(metric, bounds, seed, n, n_numeric, share, gamma):
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, n, n_numeric, 3, share=share)
    points = random_rows(rng, 60, n_numeric, 3, share=0.3, unseen=True)
    values = rng.choice([0.0, 0.3, 1.0], size=n)
    with pytest.MonkeyPatch.context() as patch:
        force(patch, bounds)
        best, where = Envelope(rows, METRICS[metric], gamma).maxima(points, [Query(values, np.array([0, n // 2, n]))])
    plain = plain_values(points, rows, metric, values, gamma)
    for s, part in enumerate((slice(0, n // 2), slice(n // 2, n))):
        expected = plain[:, part].max(axis=1, initial=-np.inf)
        np.testing.assert_allclose(best[:, s], expected, rtol=0, atol=1e-12 * max(1.0, gamma))
        found = where[:, s] >= 0
        assert found.all() or part.start == part.stop
        np.testing.assert_allclose(
            plain[np.flatnonzero(found), where[found, s]], expected[found], rtol=0, atol=1e-12 * max(1.0, gamma)
        )


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_leaves_by_themselves(metric):
    """So many rows and points that nobody needs to ask for leaves."""
    rng = np.random.default_rng(0)
    rows, points = random_rows(rng, 6000, 2, 3, share=0.2), random_rows(rng, 2500, 2, 3, share=0.2)
    values = rng.uniform(size=6000)
    envelope = Envelope(rows, METRICS[metric], 1.0)
    best, _ = envelope.maxima(points, [envelope.query(values)])
    for part in np.array_split(np.arange(len(points)), 10):
        plain = plain_values(points[part], rows, metric, values, 1.0)
        np.testing.assert_allclose(best[part, 0], plain.max(axis=1), rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "learned"])
def test_a_classifier_does_not_notice(monkeypatch, metric):
    """Numbers and names, unknown in training rows and in new ones: with leaves or without."""
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(size=(500, 3)), rng.integers(0, 4, size=(500, 2))])
    y = (X[:, 0] + (X[:, 3] == 1) + 0.3 * rng.normal(size=500) > 0.3).astype(int)
    X[rng.random(X.shape) < 0.15] = np.nan
    Q = X[rng.permutation(500)[:200]] + np.array([0.1, 0.0, -0.2, 0.0, 0.0])
    settings = {"metric": metric, "gamma": 3.0, "categorical_features": [3, 4]}
    before = FGAClassifier(**settings).fit(X, y).memberships(Q)
    for bounds in ["box", "product"] if metric == "euclidean" else ["box"]:
        with monkeypatch.context() as patch:
            force(patch, bounds)
            found = FGAClassifier(**settings).fit(X, y).memberships(Q)
        for a, b in zip(before, found, strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)
