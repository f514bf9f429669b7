"""The error that the benchmark of probabilities reports."""

import numpy as np
import pytest

from calibration import calibration_error


def test_frequencies_have_no_error_and_boasting_has_all_of_it():
    rng = np.random.default_rng(0)
    p = rng.uniform(0.5, 1.0, 20000)
    truth = (rng.random(20000) > p).astype(int)
    assert calibration_error(np.column_stack([p, 1 - p]), truth) < 0.01
    boast = np.column_stack([np.ones(20000), np.zeros(20000)])
    assert calibration_error(boast, truth) == pytest.approx(0.25, abs=0.01)
