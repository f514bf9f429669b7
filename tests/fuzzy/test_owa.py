"""Weights of ordered weighted averages, and the averages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from fgac.fuzzy.owa import (
    additive,
    cumulative_owa,
    exponential,
    inverse_additive,
    resolve_owa,
    reversal,
    soft_max,
    soft_min,
    strict,
)

NAMES = ("strict", "additive", "exponential", "inverse_additive")


def test_weights_by_hand():
    """The formulas of the paper, for four values."""
    np.testing.assert_allclose(reversal(additive(4)), [2 / 20, 4 / 20, 6 / 20, 2 / 5])
    np.testing.assert_allclose(reversal(exponential(4)), [1 / 15, 2 / 15, 4 / 15, 8 / 15])
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4
    np.testing.assert_allclose(reversal(inverse_additive(4)), np.array([1 / 4, 1 / 3, 1 / 2, 1]) / harmonic)
    np.testing.assert_array_equal(reversal(strict(4)), [0, 0, 0, 1])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [1, 2, 3, 60, 1100, 1_000_000])
def test_weights_of_any_length(name, n):
    """Finite, falling and of sum 1, whatever the length."""
    weights = resolve_owa(name, n)
    assert weights.shape == (n,)
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    assert (np.diff(weights) <= 0).all()
    assert weights.sum() == pytest.approx(1.0, abs=1e-12)


def test_exponential_weights_are_exact_powers():
    """Up to 2^53 - 1 the quotient of whole numbers is the weight; beyond, the weights are powers of two."""
    for n in (1, 2, 10, 40):
        np.testing.assert_allclose(exponential(n), [2.0 ** (n - i) / (2.0**n - 1) for i in range(1, n + 1)], rtol=1e-15)
    np.testing.assert_array_equal(exponential(2000)[:100], 0.5 ** np.arange(1, 101))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", [1, 3, 7, 100])
def test_only_the_first_k(name, k):
    """The weights of the family for k values, then zeros; a k beyond n is n."""
    weights = resolve_owa(name, 7, k)
    head = min(k, 7)
    np.testing.assert_array_equal(weights[:head], resolve_owa(name, head))
    np.testing.assert_array_equal(weights[head:], 0.0)


def test_the_callers_weights():
    """Arrays and functions are taken as they are; a longer array is cut and rescaled."""
    np.testing.assert_array_equal(resolve_owa([0.5, 0.25, 0.25], 3), [0.5, 0.25, 0.25])
    np.testing.assert_array_equal(resolve_owa([0.5, 0.25, 0.25], 3, k=2), [2 / 3, 1 / 3, 0])
    np.testing.assert_array_equal(resolve_owa([0.75, 0.25], 3, k=2), [0.75, 0.25, 0])
    np.testing.assert_array_equal(resolve_owa(lambda n: np.full(n, 1 / n), 4), [0.25] * 4)
    np.testing.assert_array_equal(resolve_owa(lambda n: np.full(n, 1 / n), 4, k=2), [0.5, 0.5, 0, 0])
    assert resolve_owa(None, 3).tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("owa", "message"),
    [
        ("subtractive", "owa='subtractive' is unknown"),
        ([0.5, 0.5], r"must give 3 weights.*\(2,\)"),
        ([[1.0, 0.0, 0.0]], r"got an array of shape \(1, 3\)"),
        ([1.5, -0.5, 0.0], "numbers >= 0, got -0.5"),
        ([0.5, 0.2, 0.2], "sum to 1, got a sum of 0.9"),
        ([np.nan, 0.5, 0.5], "numbers >= 0"),
        ([np.inf, 0.0, 0.0], "sum to 1"),
        (["a", "b", "c"], "must be numbers"),
        (lambda n: [1.0], "must give 3 weights"),
        (lambda n: np.full(n, 0.5), "sum to 1, got a sum of 1.5"),
    ],
)
def test_weights_that_are_refused(owa, message):
    """The error says what is wrong with them."""
    with pytest.raises(ValueError, match=message):
        resolve_owa(owa, 3)


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "3"])
def test_a_k_that_is_refused(k):
    """k counts weights."""
    with pytest.raises(ValueError, match="positive whole number"):
        resolve_owa("additive", 3, k)


def test_other_refusals():
    """No values, a head without weight, and weights that do not fit."""
    with pytest.raises(ValueError, match="at least one value"):
        resolve_owa("additive", 0)
    with pytest.raises(ValueError, match="first 1 owa weights are all 0"):
        resolve_owa([0.0, 1.0], 2, k=1)
    with pytest.raises(ValueError, match="expected 3 weights"):
        soft_max([1.0, 2.0, 3.0], additive(2))


def owa(values, weights):
    """Return the paper's OWA: the i-th weight for the i-th largest value."""
    return sum(w * v for w, v in zip(weights, sorted(values, reverse=True), strict=True))


degrees = hnp.arrays(float, st.integers(1, 90), elements=st.integers(0, 8).map(lambda k: k / 8))


@given(degrees, st.sampled_from(NAMES), st.none() | st.integers(1, 100))
def test_averages_equal_the_definition(values, name, k):
    """Partial sorting gives what sorting everything gives; W_U for the soft maximum, W_L for the soft minimum."""
    weights = resolve_owa(name, len(values), k)
    assert soft_max(values, weights) == pytest.approx(owa(values, weights), abs=1e-14)
    assert soft_min(values, weights) == pytest.approx(owa(values, reversal(weights)), abs=1e-14)


@given(hnp.arrays(float, (3, 5, 4), elements=st.floats(-1, 1, width=16)), st.sampled_from([-3, -2, -1, 0, 1, 2]))
def test_any_axis(values, axis):
    """An axis is averaged, the others stay."""
    weights = additive(values.shape[axis])
    expected = np.apply_along_axis(owa, axis, values, weights)
    np.testing.assert_allclose(soft_max(values, weights, axis), expected, atol=1e-14)
    np.testing.assert_allclose(soft_min(values, weights, axis), -soft_max(-values, weights, axis), atol=1e-14)


@given(st.floats(0, 1), st.integers(1, 200), st.sampled_from(NAMES))
def test_equal_values_are_their_own_average(value, n, name):
    """To the last bit, whatever the weights."""
    values, weights = np.full(n, value), resolve_owa(name, n)
    assert soft_max(values, weights) == value
    assert soft_min(values, weights) == value


def test_strict_weights_are_maximum_and_minimum():
    """To the last bit."""
    values = np.random.default_rng(0).random((20, 30))
    np.testing.assert_array_equal(soft_max(values, strict(30)), values.max(axis=1))
    np.testing.assert_array_equal(soft_min(values, strict(30)), values.min(axis=1))


def test_many_values():
    """A million values, of which the exponential weights see sixty."""
    values = np.random.default_rng(1).random(1_000_000)
    largest = np.sort(values)[::-1][:200]
    assert soft_max(values, exponential(len(values))) == pytest.approx(largest @ 0.5 ** np.arange(1, 201), abs=1e-15)
    nearest = resolve_owa("additive", len(values), k=200)
    assert soft_max(values, nearest) == pytest.approx(largest @ additive(200), abs=1e-14)


def test_the_input_is_left_alone():
    """Sorting happens in a copy."""
    values = np.array([0.3, 0.1, 0.2])
    soft_max(values, additive(3))
    soft_min(values, resolve_owa("additive", 3, k=2))
    np.testing.assert_array_equal(values, [0.3, 0.1, 0.2])


@pytest.mark.parametrize("family", ["strict", "additive", "exponential", "inverse_additive"])
@pytest.mark.parametrize("n", [5e-324, 1e-200, 1e-12, 0.3, 5.0, 1e8, 1e200])
def test_sums_of_weights_for_any_mass(family, n):
    """From 0 to 1 without a jump or a number that is none, however little or much there is to average."""
    sums = cumulative_owa(family, n)(n * np.linspace(0.0, 1.0, 11))
    assert sums[0] == 0.0
    assert sums[-1] == pytest.approx(1.0, abs=1e-12)
    assert (np.diff(sums) >= 0.0).all()


def test_harmonic_numbers_between_and_near_whole_ones():
    """H_r = H_(r - 1) + 1 / r, also where the series for small r meets the other formula."""
    for r in (1e-9, 0.99e-4, 1.01e-4, 0.5, 3.0):
        C = cumulative_owa("inverse_additive", r + 1.0)
        ratio = float(C(np.array(r)))
        # H_(r + 1) = H_r + 1 / (r + 1), so H_r = q / (1 - q) / (r + 1) for q = H_r / H_(r + 1).
        whole = ratio / (1 - ratio) / (r + 1.0)
        direct = sum(1.0 / k - 1.0 / (k + r) for k in range(1, 200001)) + r / 200000.5
        assert whole == pytest.approx(direct, rel=1e-8)
