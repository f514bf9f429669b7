"""What tests of fuzzy rough nearest neighbours share: settings, rows to classify, and comparisons."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from support.strategies import queries

FAMILIES = ["additive", "exponential", "inverse_additive", None]
NEIGHBOURS = [1, 3, None]
Q = queries(3, n=15)


def assert_close(memberships, expected, atol=1e-9):
    """Compare lower, upper and degree."""
    for part, wanted in zip(memberships, expected, strict=True):
        np.testing.assert_allclose(part, wanted, rtol=0.0, atol=atol)


def rms(A, B):
    """Return the Euclidean distance divided by the root of the number of columns."""
    return cdist(A, B) / np.sqrt(A.shape[1])
