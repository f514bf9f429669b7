"""T-norms, implicators, negators and isomorphisms: their values, and what is refused."""

import copy
import pickle

import numpy as np
import pytest

from fgac.fuzzy.connectives import (
    DRASTIC,
    IDENTITY,
    LUKASIEWICZ,
    MINIMUM,
    NILPOTENT_MINIMUM,
    PRODUCT,
    T_NORMS,
    Isomorphism,
    ResidualTriplet,
    power,
    resolve_isomorphism,
)

EIGHTHS = np.arange(9) / 8.0
X, Y = np.meshgrid(EIGHTHS, EIGHTHS, indexing="ij")

# T(x, y) and I(x, y) written as the table of the paper has them, one pair of numbers at a time.
TABLE = {
    "minimum": (lambda x, y: min(x, y), lambda x, y: 1.0 if x <= y else y),
    "product": (lambda x, y: x * y, lambda x, y: 1.0 if x <= y else y / x),
    "lukasiewicz": (lambda x, y: max(0.0, x + y - 1), lambda x, y: min(1.0, 1 - x + y)),
    "drastic": (lambda x, y: min(x, y) if max(x, y) == 1 else 0.0, lambda x, y: y if x == 1 else 1.0),
    "nilpotent_minimum": (
        lambda x, y: min(x, y) if x + y > 1 else 0.0,
        lambda x, y: 1.0 if x <= y else max(1 - x, y),
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_values_of_the_table(name):
    """Arrays give what the table says for every pair."""
    t_norm = T_NORMS[name]
    for x, y, conjunction, implication in zip(
        X.ravel(), Y.ravel(), t_norm(X, Y).ravel(), t_norm.implicator(X, Y).ravel(), strict=True
    ):
        assert (conjunction, implication) == (TABLE[name][0](x, y), TABLE[name][1](x, y))


@pytest.mark.parametrize("t_norm", T_NORMS.values(), ids=T_NORMS)
def test_scalars_arrays_and_broadcasting(t_norm):
    """Numbers give numbers, lists broadcast like arrays."""
    assert isinstance(t_norm(0.5, 0.75), float)
    assert isinstance(t_norm.implicator(0.5, 0.75), float)
    assert isinstance(t_norm.negator(0), float)
    assert t_norm([0.5, 1.0], [[0.25], [1.0], [0.0]]).shape == (3, 2)
    assert t_norm.implicator([0.5, 1.0], [[0.25], [1.0], [0.0]]).shape == (3, 2)


@pytest.mark.parametrize("t_norm", T_NORMS.values(), ids=T_NORMS)
def test_one_is_neutral_exactly(t_norm):
    """T(x, 1) = T(1, x) = x for every float, also for those that x + 1 - 1 would lose."""
    x = np.array([0.0, 1e-300, 1e-17, 0.1, 1 / 3, 0.7, 1 - 2**-53, 1.0])
    np.testing.assert_array_equal(t_norm(x, 1.0), x)
    np.testing.assert_array_equal(t_norm(1.0, x), x)
    np.testing.assert_array_equal(t_norm.implicator(1.0, x), x)


def test_what_is_known_of_each():
    """The facts that decide which propositions hold."""
    assert {t.name for t in T_NORMS.values() if t.is_continuous} == {"minimum", "product", "lukasiewicz"}
    assert {t.name for t in T_NORMS.values() if not t.is_left_continuous} == {"drastic"}
    assert {t.name for t in T_NORMS.values() if t.is_imtl} == {"lukasiewicz", "nilpotent_minimum"}
    for t_norm in T_NORMS.values():
        triplet = ResidualTriplet(t_norm, power(2))
        assert (triplet.is_continuous, triplet.is_left_continuous, triplet.is_imtl) == (
            t_norm.is_continuous,
            t_norm.is_left_continuous,
            t_norm.is_imtl,
        )


def test_negators():
    """1 - x for the two IMTL ones; otherwise 0 and 1 only."""
    x = np.array([0.0, 0.25, 1.0])
    for t_norm in (LUKASIEWICZ, NILPOTENT_MINIMUM):
        np.testing.assert_array_equal(t_norm.negator(x), [1.0, 0.75, 0.0])
    for t_norm in (MINIMUM, PRODUCT):
        np.testing.assert_array_equal(t_norm.negator(x), [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(DRASTIC.negator(x), [1.0, 1.0, 0.0])


def test_a_power_of_two():
    """T_phi, I_phi, N_phi, A_N and the threshold of phi(x) = x^2, by hand."""
    triplet = ResidualTriplet(LUKASIEWICZ, power(2))
    assert triplet.t_norm(0.8, 0.8) == pytest.approx(np.sqrt(0.28))
    assert triplet.implicator(0.8, 0.6) == pytest.approx(np.sqrt(0.72))
    assert triplet.negator(0.6) == pytest.approx(0.8)
    assert triplet.average(0.1, 0.7) == pytest.approx(0.5)
    assert triplet.threshold == pytest.approx(np.sqrt(0.5))
    assert triplet.negator(triplet.threshold) == pytest.approx(triplet.threshold)


def test_the_identity_changes_nothing():
    """The triplet of the identity is the t-norm itself, to the last bit."""
    for t_norm in T_NORMS.values():
        triplet = ResidualTriplet(t_norm)
        np.testing.assert_array_equal(triplet.t_norm(X, Y), t_norm(X, Y))
        np.testing.assert_array_equal(triplet.implicator(X, Y), t_norm.implicator(X, Y))
        np.testing.assert_array_equal(triplet.negator(X), t_norm.negator(X))


@pytest.mark.parametrize("t_norm", [MINIMUM, PRODUCT, DRASTIC], ids=lambda t: t.name)
def test_no_average_without_an_involution(t_norm):
    """A_N and the threshold need a negator that undoes itself."""
    with pytest.raises(ValueError, match=f"{t_norm.name} t-norm does not undo itself, so there is no average"):
        ResidualTriplet(t_norm).average(0.2, 0.4)
    with pytest.raises(ValueError, match="no threshold that treats"):
        _ = ResidualTriplet(t_norm).threshold


@pytest.mark.parametrize(
    ("forward", "backward", "message"),
    [
        (lambda x: 0.5 * x, lambda x: 2 * x, "0 to 0 and 1 to 1, got phi"),
        (lambda x: 1 - x, lambda x: 1 - x, "0 to 0 and 1 to 1, got phi"),
        (lambda x: 4 * (x - 0.5) ** 3 + 0.5, lambda x: x, "undo each other"),
        (lambda x: x + 0.4 * np.sin(2 * np.pi * x), lambda x: x, "must be increasing, got phi"),
        (lambda x: np.minimum(1, 2 * x), lambda x: x / 2, "must be increasing, got phi"),
        (np.square, np.square, "undo each other, got inverse"),
        (np.square, lambda x: np.sqrt(x) + 1e-6, "undo each other"),
        (lambda x: np.log(x), np.exp, "phi is not a finite number for x = 0"),
        (lambda x: float(x), lambda x: x, "must take an array"),
        (lambda x: x[:3], lambda x: x, r"returned shape \(3,\)"),
    ],
)
def test_what_is_no_isomorphism(forward, backward, message):
    """The error says which property fails, and where."""
    with pytest.raises(ValueError, match=message):
        Isomorphism(forward, backward)


@pytest.mark.parametrize("exponent", [0.0, -1.0, np.nan, np.inf])
def test_exponents_that_are_no_bijection(exponent):
    """Only positive powers are increasing."""
    with pytest.raises(ValueError, match="positive number"):
        power(exponent)


def test_a_power_that_floats_cannot_hold():
    """x^1000 is increasing, but not in floating point."""
    with pytest.raises(ValueError, match="must be increasing"):
        power(1000)


def test_an_isomorphism_of_the_callers():
    """A bijection of another shape works through its inverse."""
    phi = Isomorphism(lambda x: np.expm1(x) / np.expm1(1.0), lambda y: np.log1p(y * np.expm1(1.0)), "exponential")
    assert phi.threshold == pytest.approx(np.log((1 + np.e) / 2))
    assert phi.negator(phi.negator(0.3)) == pytest.approx(0.3)
    assert phi(1.0) == 1.0
    assert 0.0 <= phi.inverse(1.0) <= 1.0


def test_resolving_the_parameter():
    """All ways to name an isomorphism, and an error for the rest."""
    assert resolve_isomorphism(None) is IDENTITY
    assert resolve_isomorphism("identity") is IDENTITY
    assert resolve_isomorphism(1) is IDENTITY
    assert resolve_isomorphism(np.float64(2.0)) == power(2)
    assert resolve_isomorphism(power(3)) == power(3)
    assert resolve_isomorphism((np.square, np.sqrt))(0.5) == 0.25
    for unknown in ("squares", True, (np.square,), (1, 2), np.square):
        with pytest.raises(ValueError, match="is unknown; expected None"):
            resolve_isomorphism(unknown)


def test_objects_survive_copies():
    """Estimators are cloned and sent to other processes with their parameters."""
    for value in (*T_NORMS.values(), IDENTITY, power(2), ResidualTriplet(PRODUCT, power(0.5))):
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(value) == hash(copy.deepcopy(value))
