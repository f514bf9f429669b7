"""The numbers that a column may change to: equal steps between the smallest and the largest that training saw.

Whole numbers change by 1, dates by a day, dates with a time by a second, and what the caller gives a step by that step,
counted from where the row is. Numbers that training knows with a few decimals only keep to as many: a mark of 69.6 does
not become 69.61004. All others are decimals so fine that nobody misses what lies between two of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.tables.value_kinds import MANY_WHOLE, SECONDS, WHOLE

# A column without steps of its own is divided into at least so many parts.
N_PARTS = 10**6
# Powers of ten up to here are exact, so that dividing by them gives the decimal that is nearest.
LARGEST_POWER = 15
# Places of a lattice further from its origin than this are counted from the smallest number instead.
FARTHEST_PLACE = 2.0**50
# Digits that are left of a number after some steps of the caller's, so that 2.4 - 7 * 0.1 is 1.7.
STEP_DIGITS = 12
# A number that is off a lattice by this part of a step is on it.
ON_LATTICE = 1e-9


@dataclass(frozen=True)
class Lattice:
    """Numbers in equal steps: ``origin + place * step`` for whole places, cut off at ``least`` and ``most``.

    ``power`` is that of the step where this is a power of ten and the origin 0: then numbers are decimals.

    >>> lattice = Lattice.of("number", 0.5, 12.0)
    >>> lattice.step, lattice.numbers(np.array([172300, 1723000]))
    (1e-05, array([ 1.723, 12.   ]))
    """

    least: float
    most: float
    step: float
    origin: float = 0.0
    power: int | None = None
    rounds: bool = False

    @classmethod
    def of(cls, kind: str, least: float, most: float, seen: Floats | None = None) -> Lattice:
        """The lattice of a kind of numbers, between the smallest and the largest that training saw.

        ``seen`` are the numbers of the training rows, which tell how many decimals they have.
        """
        if kind in WHOLE:
            return cls(least, most, 1.0, power=0)
        if kind in ("datetime", "moment"):
            return cls(least, most, 1.0 / SECONDS)
        width = most - least
        power = math.floor(math.log10(width / N_PARTS)) if width > N_PARTS * np.finfo(float).tiny else None
        if power is not None and kind == "number" and seen is not None:
            power = max(power, _power_of(seen, power))
        step = max(width / N_PARTS, np.finfo(float).tiny) if power is None else 10.0**power
        if power is not None and abs(power) <= LARGEST_POWER and max(abs(least), abs(most)) / step < FARTHEST_PLACE:
            return cls(least, most, step, power=power)
        return cls(least, most, step, origin=least)

    @classmethod
    def in_steps(cls, least: float, most: float, origin: float, step: float) -> Lattice:
        """The lattice of steps that the caller gives, from the number of a row."""
        return cls(least, most, step, origin, rounds=True)

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last place; none is between them if the last is before the first."""
        first, last = (self.least - self.origin) / self.step, (self.most - self.origin) / self.step
        if self.rounds:  # what is beyond the training rows is no step
            return math.ceil(first - ON_LATTICE), math.floor(last + ON_LATTICE)
        # Numbers are cut off, so that the first and the last one are the ends themselves.
        return math.floor(first), math.ceil(last)

    def numbers(self, places: Ints | Sequence[int]) -> Floats:
        """The numbers at some places."""
        return numbers_at([self], np.zeros(len(places), dtype=np.int64), places)

    def number(self, place: int) -> float:
        """The number at a place."""
        return float(self.numbers([place])[0])

    @cached_property
    def parts(self) -> tuple[float, ...]:
        """What :func:`numbers_at` needs: numbers are ``origin + place * factor / divisor``, cut off at the ends.

        Division by a power of ten gives the nearest decimal, as a product with a fraction does not.
        """
        is_fraction = self.power is not None and self.power < 0
        scale = (1.0, 10.0 ** -(self.power or 0)) if is_fraction else (self.step, 1.0)
        return self.origin, *scale, self.least, self.most, float(self.rounds)

    def place_of(self, number: Any) -> Any:
        """Where a number stands, which may be between two places."""
        return (np.asarray(number) - self.origin) / self.step


def numbers_at(lattices: Sequence[Lattice], which: Ints, places: Ints | Sequence[int]) -> Floats:
    """The numbers at some places of some lattices.

    >>> numbers_at([Lattice.of("whole", 0.0, 9.0), Lattice.of("number", 0.5, 12.0)], np.array([0, 1]), [4, 172300])
    array([4.   , 1.723])
    """
    parts = np.array([lattice.parts for lattice in lattices]).reshape(-1, 6).T
    origin, factor, divisor, least, most, rounds = parts[:, which]
    found = origin + np.array(places, dtype=np.float64) * factor / divisor
    for k in np.flatnonzero(rounds).tolist():
        found[k] = float(f"{found[k]:.{STEP_DIGITS}g}")
    return np.asarray(np.minimum(np.maximum(found, least), most))


def _power_of(seen: Floats, finest: int) -> int:
    """The power of ten that many numbers are all multiples of, a fraction; ``finest`` if there is none above it.

    >>> _power_of(np.arange(100) / 10, -6), _power_of(np.arange(100) / 7, -6)
    (-1, -6)
    """
    if len(seen) >= MANY_WHOLE:
        for digits in range(1, min(-finest, LARGEST_POWER + 1)):
            # Dividing gives the nearest float to a decimal, which is what a decimal was read as.
            if (np.rint(seen * 10.0**digits) / 10.0**digits == seen).all():
                return -digits
    return finest
