"""Codes of unknown categories: every way to compute a distance agrees with a loop over the codes."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.fuzzy.relations import TriangularDominance, TriangularSimilarity
from fgac.metrics.distances import UNKNOWN, UNSEEN, Chebyshev, Euclidean, Manhattan, Rows, code_differences
from fgac.selection.baselines import coordinates
from fgac.solve import Group, pricing
from fgac.solve.pairs import Blocks
from fgac.solve.pricing import GroupSearch
from fgac.solve.sides import euclidean_points
from support.property_tests import examples

METRICS = {"euclidean": Euclidean(), "manhattan": Manhattan(), "chebyshev": Chebyshev()}
# None, few, and so many that Euclidean distances come from a product.
N_NUMERIC = (0, 3, 12)


def random_rows(rng, n, p, q, *, unseen=False):
    """Return rows whose codes are often unknown; mismatches differ, and one of them may be 0."""
    numeric = np.round(rng.normal(size=(n, p)), 1)
    codes = rng.choice([UNKNOWN, UNSEEN, 0, 1, 2] if unseen else [UNKNOWN, 0, 1, 2], size=(n, q)).astype(np.int32)
    return Rows(numeric, codes, np.array([1.0, 0.3, 0.0, 2.5])[:q])


def slow_block(left, right, metric):
    """Loop over rows and columns."""
    out = np.zeros((len(left), len(right)))
    for i, j in itertools.product(range(len(left)), range(len(right))):
        parts = [abs(x - y) for x, y in zip(left.numeric[i], right.numeric[j], strict=True)]
        for code, other, mismatch in zip(left.codes[i], right.codes[j], left.mismatch, strict=True):
            part = 0.0 if code == other else mismatch
            if code != other and UNKNOWN in (code, other):
                part *= np.sqrt(0.5) if metric == "euclidean" else 0.5
            parts.append(part)
        norm = {"euclidean": lambda x: np.sqrt(np.sum(np.square(x))), "manhattan": np.sum, "chebyshev": np.max}[metric]
        out[i, j] = norm(parts) if parts else 0.0
    return out


@pytest.mark.parametrize("n_numeric", N_NUMERIC)
@pytest.mark.parametrize("name", METRICS)
@examples(20)
@given(seed=st.integers(0, 2**32 - 1), n_codes=st.integers(0, 4))
def test_kernels(name, n_numeric, seed, n_codes):
    rng = np.random.default_rng(seed)
    left = random_rows(rng, 7, n_numeric, n_codes, unseen=True)
    right = random_rows(rng, 9, n_numeric, n_codes)
    found = np.empty((7, 9))
    METRICS[name].block(left, right, found)
    np.testing.assert_allclose(found, slow_block(left, right, name), rtol=0, atol=1e-13)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("n_numeric", N_NUMERIC)
def test_triangle_inequality(name, n_numeric):
    rows = random_rows(np.random.default_rng(0), 60, n_numeric, 4, unseen=True)
    d = np.empty((60, 60))
    METRICS[name].block(rows, rows, d)
    assert (np.diag(d) == 0).all()
    np.testing.assert_allclose(d, d.T, rtol=0, atol=1e-14)
    assert (d[:, None, :] <= d[:, :, None] + d[None, :, :] + 1e-13).all()


def test_less_than_half_would_break_the_triangle_inequality():
    """Two categories are a mismatch apart, and the way over an unknown one is no shorter."""
    rows = Rows(np.empty((3, 0)), np.array([[0], [UNKNOWN], [1]], dtype=np.int32), np.array([1.0]))
    for metric in (Manhattan(), Chebyshev()):
        d = np.empty((3, 3))
        metric.block(rows, rows, d)
        assert d[0, 2] == d[0, 1] + d[1, 2] == 1.0


@pytest.mark.parametrize("name", METRICS)
def test_differences_of_features_are_what_the_metric_counts(name):
    """Each column by itself, as explanations tell it."""
    rng = np.random.default_rng(1)
    rows = random_rows(rng, 30, 0, 3)
    for f in range(3):
        one = Rows(rows.numeric, rows.codes[:, [f]], rows.mismatch[[f]])
        expected = slow_block(one[:1], one, name)[0]
        np.testing.assert_allclose(code_differences(rows[:1], rows, name)[:, f], expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", METRICS)
def test_coordinates_for_nearest_neighbours(name):
    """One coordinate per category: a point in between is as far from all of them as an unknown code is."""
    rng = np.random.default_rng(2)
    known, new = random_rows(rng, 25, 2, 4), random_rows(rng, 15, 2, 4, unseen=True)
    sizes = known.codes.max(axis=0, initial=-1) + 1
    x, y = (coordinates(rows, sizes, name) for rows in (new, known))
    order = {"euclidean": 2, "manhattan": 1, "chebyshev": np.inf}[name]
    found = np.linalg.norm(x[:, None] - y[None], order, axis=2)
    np.testing.assert_allclose(found, slow_block(new, known, name), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_numeric", N_NUMERIC)
def test_points_of_the_screen(n_numeric):
    rows = random_rows(np.random.default_rng(3), 40, n_numeric, 4)
    points = euclidean_points(Euclidean(), rows)
    found = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.testing.assert_allclose(found, slow_block(rows, rows, "euclidean"), rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_numeric", N_NUMERIC)
@pytest.mark.parametrize("gamma", [0.1, 1.0])
def test_the_screen_finds_what_a_comparison_of_all_pairs_finds(monkeypatch, n_numeric, gamma):
    """Single precision rules no violated pair out, whatever is unknown."""
    rng = np.random.default_rng(4)
    rows, values = random_rows(rng, 160, n_numeric, 3), rng.uniform(size=160)
    odd, even = np.arange(1, 160, 2), np.arange(0, 160, 2)
    group = Group(odd, odd, even, even)
    monkeypatch.setattr(pricing, "MANY_PAIRS", 1)
    screened = GroupSearch(Blocks(rows, Euclidean(), group))
    assert screened.sorted is not None
    monkeypatch.setattr(pricing, "MANY_PAIRS", 10**9)
    compared = GroupSearch(Blocks(rows, Euclidean(), group))
    one, two = (search.at(gamma).price(values, 4, 0.0) for search in (screened, compared))
    expected = values[odd][:, None] - values[even] - gamma * slow_block(rows[odd], rows[even], "euclidean")
    assert one.largest == pytest.approx(max(0.0, expected.max()), abs=1e-12)
    assert two.largest == pytest.approx(one.largest, abs=1e-12)
    # Of pairs that are equally violated, either may be taken.
    violations = [np.unique(each.pairs.violation(values).round(9)) for each in (one, two)]
    np.testing.assert_array_equal(*violations)


@pytest.mark.parametrize("relation", [TriangularSimilarity, TriangularDominance])
def test_relations_by_the_least_degree(relation):
    """A triangular relation counts as the largest difference does, so it is transitive for unknown codes too."""
    rng = np.random.default_rng(5)
    rows = random_rows(rng, 20, 0, 3)
    degrees = relation(gamma=0.3, ranges=()).matrix(rows)
    np.testing.assert_allclose(degrees, np.maximum(0.0, 1.0 - 0.3 * slow_block(rows, rows, "chebyshev")), atol=1e-15)
    chained = np.maximum(0.0, degrees[:, :, None] + degrees[None, :, :] - 1.0)
    assert (chained.max(axis=1) <= degrees + 1e-15).all()
