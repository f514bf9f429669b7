"""Probabilities from degrees: they add up, rise with the degree, and tell how often predictions were right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fgac.explanation.reliability import Reliability
from fgac.granular.calibration import Calibration, excess
from support.property_tests import examples

GROUPS = (np.array([0.5, 0.8]), np.array([10, 20, 30]), np.array([4, 15, 30]))
NONE = np.empty(0)


def curve(knots, levels):
    """Return a calibration of two classes by a curve."""
    return Calibration(np.empty((0, 0)), NONE, np.array(knots), np.array(levels), *GROUPS)


def logistic(coefficients, intercepts):
    """Return a calibration by a logistic model."""
    return Calibration(np.array(coefficients), np.array(intercepts), NONE, NONE, *GROUPS)


def test_a_curve_is_linear_between_its_knots_and_level_beyond():
    found = curve([-0.5, 0.0, 0.5], [0.1, 0.2, 0.9])
    second = [-0.9, -0.5, -0.25, 0.0, 0.25, 0.5, 0.9]
    degrees = np.array([[0.5 - x / 2, 0.5 + x / 2] for x in second])
    expected = [0.1, 0.1, 0.15, 0.2, 0.55, 0.9, 0.9]
    np.testing.assert_allclose(found.probabilities(degrees)[:, 1], expected, atol=1e-12)
    np.testing.assert_allclose(found.probabilities(degrees).sum(axis=1), 1.0, atol=1e-15)


def test_one_degree_of_ordered_classes_is_compared_with_one_half():
    np.testing.assert_allclose(excess(np.array([[0.75], [0.5], [0.0]])), [0.5, 0.0, -1.0])
    np.testing.assert_allclose(excess(np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])), [0.5, 0.0, -1.0])


@examples(20)
@given(
    st.lists(st.lists(st.floats(-30, 30), min_size=3, max_size=3), min_size=2, max_size=2),
    st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=2), min_size=1, max_size=5),
)
def test_probabilities_of_a_logistic_model_add_up(coefficients, degrees):
    """Also where the logits are large."""
    found = logistic(coefficients, [700.0, 0.0, -700.0]).probabilities(np.array(degrees))
    assert found.shape == (len(degrees), 3)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)


def test_a_logistic_model_in_numbers():
    found = logistic([[0.0, 2.0]], [0.0, -1.0]).probabilities(np.array([[0.5], [1.0]]))
    np.testing.assert_allclose(found[:, 1], [0.5, 1 / (1 + np.exp(-1))], atol=1e-12)


@pytest.mark.parametrize(
    ("confidence", "cases", "right"), [(0.1, 10, 4), (0.5, 10, 4), (0.51, 20, 15), (0.8, 20, 15), (0.99, 30, 30)]
)
def test_predictions_are_compared_with_those_of_the_same_group(confidence, cases, right):
    """A limit belongs to the group below it."""
    found = curve([0.0], [0.5]).reliability(confidence)
    assert found == Reliability(confidence, cases, right)


@pytest.mark.parametrize(
    ("cases", "right", "of_100"),
    [(40, 37, 92), (1000, 999, 99), (1000, 1, 1), (1000, 1000, 100), (30, 0, 0), (2, 1, 50)],
)
def test_all_of_100_are_told_only_where_all_were_right(cases, right, of_100):
    assert Reliability(0.5, cases, right).right_of_100 == of_100
