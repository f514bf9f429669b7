"""Whole numbers beyond 2**53 are rounded when they are read, and the proof knows."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from fgac import FGAClassifier


def test_rounding_that_no_distance_notices_is_part_of_the_proof():
    """Nanoseconds of two years: rounded by up to 128, in a range of 6e16."""
    rng = np.random.default_rng(0)
    X = 1_700_000_000_000_000_000 + rng.integers(0, 6 * 10**16, (60, 1))
    model = FGAClassifier(gamma=2.0).fit(X, rng.integers(0, 2, 60))
    assert model.solution_.is_optimal()
    assert model.solution_.rounding == pytest.approx(2.0 * 2 * 128 / np.ptp(X), rel=0.5)


def test_one_large_number_is_no_matter():
    """Equal numbers are rounded alike: their differences are right."""
    assert FGAClassifier().fit(np.full((3, 1), 2**63 - 29), [0, 1, 0]).solution_.is_optimal()


def test_rounding_that_a_distance_notices_is_told():
    """Nanoseconds of one second: rounded by up to 128, in a range of 1e9."""
    rng = np.random.default_rng(0)
    X = 1_700_000_000_000_000_000 + rng.integers(0, 10**9, (60, 1))
    with pytest.warns(ConvergenceWarning, match=r"2\*\*53"):
        assert not FGAClassifier(gamma=2.0).fit(X, rng.integers(0, 2, 60)).solution_.is_optimal()


def test_identifiers_that_floats_cannot_tell_apart_are_refused():
    """They used to be one row, and that was proved to be optimal."""
    with pytest.raises(ValueError, match="column 0"):
        FGAClassifier().fit(np.array([[2**63 - 1], [2**63 - 51], [2**63 - 101]]), [0, 1, 0])
