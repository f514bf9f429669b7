"""Ordered weighted averages: a maximum or minimum in which the next values count too.

Weights are given once, the weight of the most extreme value first (the paper's ``W_U``). :func:`soft_max` gives
the first weight to the largest value; :func:`soft_min` gives it to the smallest, which is the paper's ``W_L``, the
reversal of ``W_U``:

>>> weights = additive(3)
>>> weights
array([0.5       , 0.33333333, 0.16666667])
>>> float(soft_max([0.0, 0.6, 0.3], weights))
0.4
>>> float(soft_min([0.0, 0.6, 0.3], weights).round(12))
0.2
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fgac._tolerances import NEGLIGIBLE_WEIGHT, WEIGHT_SUM_TOL
from fgac._typing import Floats

__all__ = [
    "FAMILIES",
    "additive",
    "cumulative_owa",
    "exponential",
    "inverse_additive",
    "resolve_owa",
    "reversal",
    "soft_max",
    "soft_max_of_repeated",
    "soft_min",
    "strict",
]

LOG_2 = float(np.log(2.0))
# The sum of 1 / i^3, a term in the series of harmonic numbers; up to this mass its first three terms are exact.
APERY = 1.2020569031595942
SMALL_MASS = 1e-4


def strict(n: int) -> Floats:
    """All weight on the most extreme value: the plain maximum or minimum.

    >>> strict(3)
    array([1., 0., 0.])
    """
    return np.eye(1, n)[0]


def additive(n: int) -> Floats:
    """Weights that fall in equal steps, ``2 (n + 1 - i) / (n (n + 1))``.

    >>> additive(4)
    array([0.4, 0.3, 0.2, 0.1])
    """
    return np.arange(2.0 * n, 0.0, -2.0) / (n * (n + 1))


def exponential(n: int) -> Floats:
    """Weights that halve from value to value, ``2^(n - i) / (2^n - 1)``.

    They are computed as ``2^-i / (1 - 2^-n)``, which no n makes too large.

    >>> exponential(3) * 7
    array([4., 2., 1.])
    >>> exponential(1_000_000)[:3]
    array([0.5  , 0.25 , 0.125])
    """
    return np.ldexp(1.0, -np.arange(1, n + 1)) / (1.0 - np.ldexp(1.0, -n))


def inverse_additive(n: int) -> Floats:
    """Weights in proportion to 1, 1/2, 1/3, ...

    >>> inverse_additive(3) * 11
    array([6., 3., 2.])
    """
    weights = 1.0 / np.arange(1, n + 1)
    return weights / weights.sum()


FAMILIES: dict[str, Callable[[int], Floats]] = {
    "strict": strict,
    "additive": additive,
    "exponential": exponential,
    "inverse_additive": inverse_additive,
}


def reversal(weights: Floats) -> Floats:
    """The complementary weights: ``W_L`` of ``W_U``, and back.

    >>> reversal(additive(4))
    array([0.1, 0.2, 0.3, 0.4])
    """
    return weights[::-1]


def resolve_owa(owa: Any, n: int, k: int | None = None) -> Floats:
    """Weights for n values, the weight of the most extreme value first.

    >>> resolve_owa("additive", 5, k=2).round(3)
    array([0.667, 0.333, 0.   , 0.   , 0.   ])

    Parameters
    ----------
    owa : None, "strict", "additive", "exponential", "inverse_additive", callable or array
        A family by its name (``None`` is "strict"), a function that returns n weights when called with n, or the
        weights themselves.
    n : int
        How many values there are to average.
    k : int, optional
        Only the k most extreme values count: the weights are those of the family for k values, followed by zeros.
        Of n weights given as an array the first k are kept and brought to a sum of 1; k weights are taken as
        they are. A k of n or more changes nothing.

    Returns
    -------
    (n,) array of numbers >= 0 that sum to 1
    """
    if n < 1:
        raise ValueError(f"there must be at least one value to average, got n={n}")
    # Weights of a family depend on how many there are: the family is asked for the head alone, not cut off after it.
    head = n if k is None else min(n, _check_count(k))
    if owa is None:
        owa = "strict"
    if isinstance(owa, str):
        if owa not in FAMILIES:
            options = ", ".join(repr(name) for name in FAMILIES)
            raise ValueError(f"owa={owa!r} is unknown; expected one of {options}, an array of weights or a callable")
        weights = FAMILIES[owa](head)
    elif callable(owa):
        weights = _check_weights(owa(head), (head,))
    else:
        weights = _first(_check_weights(owa, (n, head)), head)
    return np.concatenate([weights, np.zeros(n - head)])


def _check_count(k: Any) -> int:
    if not isinstance(k, bool) and isinstance(k, Integral) and int(k) >= 1:
        return int(k)
    raise ValueError(f"k={k!r} must be a positive whole number, the number of weights that are not zero")


def _check_weights(owa: Any, lengths: tuple[int, ...]) -> Floats:
    """Weights of the caller's: numbers >= 0 that sum to 1, as many as one of the lengths says."""
    try:
        weights = np.array(owa, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"owa weights must be numbers, got {owa!r}") from error
    if weights.ndim != 1 or len(weights) not in lengths:
        expected = " or ".join(str(length) for length in dict.fromkeys(lengths))
        raise ValueError(f"owa must give {expected} weights, one per value, got an array of shape {weights.shape}")
    if not (weights >= 0).all():
        raise ValueError(f"owa weights must be numbers >= 0, got {weights.min()}")
    if not abs(weights.sum() - 1.0) <= WEIGHT_SUM_TOL:
        raise ValueError(f"owa weights must sum to 1, got a sum of {weights.sum():.12g}")
    return weights


def _first(weights: Floats, k: int) -> Floats:
    """The first k weights, with a sum of 1."""
    if len(weights) == k:
        return weights
    total = weights[:k].sum()
    if total == 0:
        raise ValueError(f"the first {k} owa weights are all 0, so they cannot be brought to a sum of 1")
    return weights[:k] / total


def cumulative_owa(owa: Any, n: float, k: int | None = None) -> Callable[[Floats], Floats]:
    """The sum of the first r weights as a function of r, for values that count more than once.

    A value that stands m times, after r others, has the weight ``C(r + m) - C(r)``. The families give C for every
    number r, so m need not be whole; weights of the caller's are for whole numbers.

    >>> C = cumulative_owa("additive", 3)
    >>> np.diff(C(np.arange(4.0)))
    array([0.5       , 0.33333333, 0.16666667])
    """
    head = n if k is None else min(float(n), float(_check_count(k)))
    # Sums of the first r weights in closed form: r (2n + 1 - r) / (n (n + 1)), (1 - 2^-r) / (1 - 2^-n), H_r / H_n.
    smooth = {
        None: lambda r: np.minimum(r, 1.0) / min(head, 1.0),
        "strict": lambda r: np.minimum(r, 1.0) / min(head, 1.0),
        "additive": lambda r: (r / head) * ((2 * head + 1 - r) / (head + 1)),
        "exponential": lambda r: np.expm1(-r * LOG_2) / np.expm1(-head * LOG_2),
        "inverse_additive": lambda r: _harmonic(r) / _harmonic(head),
    }
    if owa is None or (isinstance(owa, str) and owa in smooth):
        curve = smooth[owa]
        return lambda r: curve(np.minimum(r, head))
    # Weights given one by one say nothing about a part of a rank.
    if n != round(n):
        raise ValueError(
            f"owa weights of your own need rows of whole-number weight, so that ranks are whole, got {n:g} rows in "
            "all; use one of 'additive', 'exponential' and 'inverse_additive', or whole numbers as weights"
        )
    sums = np.append(0.0, np.cumsum(resolve_owa(owa, round(n), k)))
    return lambda r: np.interp(r, np.arange(len(sums)), sums)


def _harmonic(r: Any) -> Any:
    """The harmonic number of r, ``1 + 1/2 + ... + 1/r``, continued to all r >= 0."""
    from scipy.special import digamma  # few models need it, and all would wait for its import

    # Near 0, where masses of rows may be, the difference would lose its digits: there, the first terms of its series.
    small = np.minimum(r, SMALL_MASS)
    series = small * (np.pi**2 / 6 - small * (APERY - small * np.pi**4 / 90))
    return np.where(np.asarray(r) < SMALL_MASS, series, digamma(r + 1) - digamma(1))[()]


def soft_max_of_repeated(values: Floats, multiplicity: Floats, cumulative: Callable[[Floats], Floats]) -> Floats:
    """:func:`soft_max` along the last axis of values that stand ``multiplicity`` times each.

    >>> C = cumulative_owa("additive", 3)
    >>> float(soft_max_of_repeated(np.array([0.6, 0.0]), np.array([1.0, 2.0]), C).round(12))
    0.3
    """
    last = np.count_nonzero(cumulative(np.arange(values.shape[-1] + 1.0)) < 1.0 - NEGLIGIBLE_WEIGHT)
    # Of values that count at least once each, no more than the first so many ranks have weight: the rest need no sort.
    if multiplicity.min() >= 1 and last < values.shape[-1]:
        chosen = np.argpartition(-values, last - 1, axis=-1)[..., :last]
        values, multiplicity = np.take_along_axis(values, chosen, axis=-1), multiplicity[chosen]
    else:
        multiplicity = np.broadcast_to(multiplicity, values.shape)
    order = np.argsort(-values, axis=-1, kind="stable")
    values, multiplicity = np.take_along_axis(values, order, axis=-1), np.take_along_axis(multiplicity, order, axis=-1)
    ends = cumulative(np.cumsum(multiplicity, axis=-1))
    weights = np.diff(ends, axis=-1, prepend=0.0)
    # Written as a distance from the maximum, the average of equal values is exactly that value.
    largest = values[..., :1]
    return largest[..., 0] - np.sum((largest - values) * weights, axis=-1) / ends[..., -1]


def soft_min(values: ArrayLike, weights: Floats, axis: int = -1) -> Floats:
    """Average along an axis in which the smallest value has the first weight.

    It is computed as ``least + sum_i w_i (v_i - least)``, so it is never below the minimum, and equal to it if all
    values are equal. Only as many of the smallest values are sorted as have weights that matter.

    >>> float(soft_min([0.5, 1.0, 0.0], exponential(3)) * 7)
    2.0

    Parameters
    ----------
    values : array
        Degrees, or other numbers of like size: an error of 1e-18 times their spread is allowed.
    weights : (n,) array
        The weight of the smallest value first; n is the length of the axis. See :func:`resolve_owa`.
    axis : int
        Which axis to average over.
    """
    values = np.moveaxis(np.asarray(values, dtype=np.float64), axis, -1)
    n = values.shape[-1]
    if weights.shape != (n,):
        raise ValueError(f"expected {n} weights, one per value along the axis, got shape {weights.shape}")
    head = _head(weights)
    if head < n:  # selecting the head takes n steps, sorting everything n log n
        values = np.partition(values, head - 1, axis=-1)[..., :head]
    values = np.sort(values, axis=-1)
    least = values[..., :1]
    return least[..., 0] + (values - least) @ weights[:head]


def soft_max(values: ArrayLike, weights: Floats, axis: int = -1) -> Floats:
    """Average along an axis in which the largest value has the first weight; never above the maximum.

    >>> float(soft_max([0.5, 1.0, 0.0], exponential(3)) * 7)
    5.0
    """
    return 0.0 - soft_min(-np.asarray(values, dtype=np.float64), weights, axis)


def _head(weights: Floats) -> int:
    """How many weights to keep so that those left out sum to next to nothing.

    >>> _head(exponential(1_000_000)), _head(additive(100)), _head(resolve_owa("additive", 100, k=5))
    (60, 100, 5)
    """
    from_here_on = np.cumsum(weights[::-1])[::-1]
    return max(1, int(np.count_nonzero(from_here_on > NEGLIGIBLE_WEIGHT)))
