"""Random problems for the property tests: small integer grids, so that ties and duplicates are the rule."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

GAMMAS = (0.3, 0.5, 1.0, 1.7, 4.0)


class RegressionCase(NamedTuple):
    """Rows on a grid with real targets."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    gamma: float


class DifferenceCase(NamedTuple):
    """An explicit list of directed difference constraints that has a solution."""

    y: np.ndarray
    weights: np.ndarray
    tail: np.ndarray
    head: np.ndarray
    bound: np.ndarray


class TableCase(NamedTuple):
    """A labelled numeric table."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    gamma: float


def _integers(draw, shape, low, high):
    """Draw an array of whole numbers, as floats."""
    return draw(hnp.arrays(np.int64, shape, elements=st.integers(low, high))).astype(float)


@st.composite
def regression_cases(draw, n_features=2, max_rows=14):
    """Draw a Lipschitz regression problem with repeated rows, repeated targets and unequal weights."""
    n = draw(st.integers(1, max_rows))
    return RegressionCase(
        X=_integers(draw, (n, n_features), 0, 3),
        y=_integers(draw, n, -4, 4) / 2.0,
        weights=_integers(draw, n, 1, 5) / 2.0,
        gamma=draw(st.sampled_from(GAMMAS)),
    )


@st.composite
def difference_cases(draw, max_nodes=12):
    """Draw directed constraints with bounds of any sign; a hidden potential keeps them feasible."""
    n = draw(st.integers(2, max_nodes))
    m = draw(st.integers(0, 3 * n))
    tail = _integers(draw, m, 0, n - 1).astype(int)
    step = _integers(draw, m, 1, n - 1).astype(int)
    head = (tail + step) % n
    potential = _integers(draw, n, -2, 2)
    slack = _integers(draw, m, 0, 2)
    return DifferenceCase(
        y=_integers(draw, n, -4, 4),
        weights=_integers(draw, n, 1, 5),
        tail=tail,
        head=head,
        bound=potential[tail] - potential[head] + slack,
    )


@st.composite
def table_cases(draw, n_classes=None, max_rows=16, n_features=2):
    """Draw a labelled table of 2 to 6 classes whose rows repeat, within classes and across them."""
    k = n_classes or draw(st.integers(2, 6))
    n = draw(st.integers(k, max_rows))
    labels = np.concatenate([np.arange(k), _integers(draw, n - k, 0, k - 1)]).astype(int)
    return TableCase(
        X=_integers(draw, (n, n_features), 0, 3),
        y=labels,
        weights=_integers(draw, n, 1, 4),
        gamma=draw(st.sampled_from(GAMMAS)),
    )


def queries(seed=0, n=12, n_features=2):
    """Return points to classify: on the grid, between its points, and far away."""
    rng = np.random.default_rng(seed)
    on_grid = rng.integers(0, 4, size=(n // 3, n_features)).astype(float)
    between = rng.uniform(-1.0, 4.0, size=(n // 3, n_features))
    far = rng.uniform(50.0, 100.0, size=(n // 3, n_features))
    return np.vstack([on_grid, between, far])


def overlapping(n=60, n_classes=3, seed=0, n_features=2):
    """Return real-valued rows and labels of classes that overlap; no two distances are equal."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    return rng.normal(size=(n, n_features)) + 0.7 * y[:, None], y
