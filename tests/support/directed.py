"""Monotone tables and what is known about them, written from the formulas alone; nothing here imports ``fgac``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog

from support.oracles import difference_oracle, ordered_pairs
from support.strategies import GAMMAS, _integers

# More of the first column raises the class, more of the second lowers it, the third is a number, the fourth a name.
DIRECTIONS = np.array([1, -1, 0, 0])
NOMINAL = [3]
METRICS = ("euclidean", "manhattan", "chebyshev")


class MonotoneCase(NamedTuple):
    """Rows on a grid, two ordered columns, one plain and one nominal, with contradicting labels, and settings."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    settings: dict


@st.composite
def monotone_cases(draw, n_classes=None, max_rows=14):
    """Draw a labelled table; classes are 0 to k - 1, and all of them occur."""
    k = n_classes or draw(st.integers(2, 4))
    n = draw(st.integers(k, max_rows))
    X = _integers(draw, (n, 4), 0, 3)
    X[:, 3] %= 2
    settings = {
        "gamma": draw(st.sampled_from(GAMMAS)),
        "metric": draw(st.sampled_from(METRICS)),
        "loss": draw(st.sampled_from(["squared_error", "absolute_error"])),
        "ties": draw(st.sampled_from(["nearest", "first"])),
        "monotonic_cst": DIRECTIONS.tolist(),
        "categorical_features": NOMINAL,
    }
    labels = np.concatenate([np.arange(k), _integers(draw, n - k, 0, k - 1)]).astype(int)
    return MonotoneCase(X, labels, _integers(draw, n, 1, 3), settings)


@st.composite
def raised_queries(draw, n=8):
    """Draw rows, and the same rows with more of the first column or less of the second."""
    low = _integers(draw, (n, 4), -1, 5) / draw(st.sampled_from([1.0, 2.0]))
    low[:, 3] = np.round(low[:, 3]) % 3  # one category that training never sees
    high = low.copy()
    high[:, :2] += DIRECTIONS[:2] * _integers(draw, (n, 2), 0, 3)
    return low, high


def directed_distances(left, right, training, metric, directions=DIRECTIONS, nominal=NOMINAL):
    """Return d(u -> v) for all rows of ``left`` and ``right``: in ordered columns, how far u is above v."""
    spread = np.ptp(training, axis=0)
    spread[spread == 0] = 1.0
    out = np.zeros((len(left), len(right)))
    n_columns = sum(len(np.unique(training[:, q])) if q in nominal else 1 for q in range(training.shape[1]))
    for i, u in enumerate(left):
        for j, v in enumerate(right):
            difference = (u - v) / spread
            parts = [
                float(u[q] != v[q]) if q in nominal else max(0.0, directions[q] * d) if directions[q] else abs(d)
                for q, d in enumerate(difference)
            ]
            out[i, j] = {
                "euclidean": np.sqrt(np.sum(np.square(parts)) / n_columns),
                "manhattan": np.sum(parts) / n_columns,
                "chebyshev": np.max(parts),
            }[metric]
    return out


def monotone_oracle(distances, targets, gamma, weights):
    """Solve least squares subject to ``a_u - a_v <= gamma d(u -> v)`` for ALL ordered pairs of rows."""
    tail, head = ordered_pairs(len(targets))
    return difference_oracle(targets, tail, head, gamma * distances[tail, head], weights)


def extensions(values, to_training, from_training, gamma):
    """Return the lower and the upper bound of new rows, between 0 and 1.

    ``to_training[i, u]`` is d(x_i -> u), ``from_training[u, i]`` is d(u -> x_i).
    """
    lower = np.clip((values[:, None] - gamma * from_training).max(axis=0), 0.0, 1.0)
    upper = np.clip((values[None, :] + gamma * to_training).min(axis=1), 0.0, 1.0)
    return lower, upper


def dominated_pairs(X):
    """Return u and v of all pairs in which u is nowhere above v."""
    below = (X[:, None, :] <= X[None, :, :]).all(axis=2) & ~np.eye(len(X), dtype=bool)
    return np.nonzero(below)


def isotonic_separation(X, y, weights):
    """Return the least weighted number of misplaced rows over all isotonic values, by a linear program.

    Minimise sum w |a - y| subject to 0 <= a <= 1 and ``a_u <= a_v`` wherever u is nowhere above v.
    """
    n = len(y)
    u, v = dominated_pairs(X)
    cost = np.where(y == 1, -weights, weights)  # |a - y| is 1 - a or a
    rows = np.zeros((len(u), n))
    rows[np.arange(len(u)), u] = 1.0
    rows[np.arange(len(u)), v] = -1.0
    answer = linprog(cost, A_ub=rows if len(u) else None, b_ub=np.zeros(len(u)) if len(u) else None, bounds=(0, 1))
    return answer.fun + weights[y == 1].sum()
