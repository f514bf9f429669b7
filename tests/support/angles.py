"""Angles between rows, written from the definition alone, pair by pair and in extended precision."""

from __future__ import annotations

import numpy as np

Long = np.longdouble
PI = 4 * np.arctan(Long(1))


def angle(x, y):
    """Return the angle between two rows divided by pi; rows of zeros are perpendicular to all others."""
    x, y = (np.nan_to_num(np.asarray(row, dtype=Long)) for row in (x, y))
    lengths = [np.sqrt((row * row).sum()) for row in (x, y)]
    if not all(lengths):
        return 0.0 if lengths[0] == lengths[1] else 0.5
    x, y = x / lengths[0], y / lengths[1]
    if (x * y).sum() >= 0:
        return float(2 * np.arcsin(np.sqrt(((x - y) ** 2).sum()) / 2) / PI)
    return float(1 - 2 * np.arcsin(np.sqrt(((x + y) ** 2).sum()) / 2) / PI)


def angles(A, B, weights=1.0):
    """Return all angles between two tables of numbers, unknown ones (nan) being 0."""
    A, B = (np.asarray(table, dtype=float) * weights for table in (A, B))
    return np.array([[angle(x, y) for y in B] for x in A])


def on_sphere(n=60, n_columns=8, n_classes=3, seed=0, spread=0.6):
    """Return rows of classes that differ in their directions, of any length, and their labels."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    centres = rng.normal(size=(n_classes, n_columns))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    X = centres[y] + spread * rng.normal(size=(n, n_columns)) / np.sqrt(n_columns)
    return X * rng.uniform(0.2, 5.0, (n, 1)), y
