"""The words of the schema for single values and for arrays: their types, their ranges, their axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac.persistence import limits
from fgac.persistence.schema_base import Context, inconsistent, is_real, misfit

# ----------------------------------------------------------------------------------------------------
# Single values
# ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number from ``low`` to ``high``, both included unless it lies ``between`` them.

    It is of double precision unless it may be ``typed``, as parameters are: what is computed with a float16 is one.
    """

    low: float
    high: float
    between: bool = False
    typed: bool = False

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        # As Python's number: NumPy would make a float32 of the limits before it compares one with them.
        number = value.item() if isinstance(value, np.generic) else value
        is_double = self.typed or isinstance(value, int | float)
        if not is_double or not is_real(number) or not self._holds(number):
            raise misfit(where, value, self)

    def _holds(self, number: float) -> bool:
        return self.low < number < self.high if self.between else self.low <= number <= self.high

    def __str__(self) -> str:
        if self.between:
            return f"a number between {self.low:g} and {self.high:g}"
        return f"a number from {self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Whole:
    """A whole number from ``low`` to ``high`` that is not one of ``but``."""

    low: int
    high: int = 2**62
    but: tuple[int, ...] = ()

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not is_whole or not self.low <= value <= self.high or value in self.but:
            raise misfit(where, value, self)

    def __str__(self) -> str:
        return f"a whole number from {self.low} to {self.high}" + "".join(f", not {other}" for other in self.but)


@dataclass(frozen=True)
class Flag:
    """True or False."""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if not isinstance(value, bool | np.bool_):
            raise misfit(where, value, self)

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True)
class Text:
    """A text."""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if not isinstance(value, str) or len(value) > limits.TEXT_LENGTH:
            raise misfit(where, value, self)

    def __str__(self) -> str:
        return "a text"


@dataclass(frozen=True)
class Choice:
    """One of some texts, bools or None."""

    options: tuple[Any, ...]

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if not (value is None or isinstance(value, str | bool)) or value not in self.options:
            raise misfit(where, value, self)

    def __str__(self) -> str:
        return f"one of {', '.join(map(repr, self.options))}"


@dataclass(frozen=True)
class Kind:
    """A value of a Python type that the decoder makes whole, as it makes isomorphisms."""

    kind: type

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if type(value) is not self.kind:
            raise misfit(where, value, self)

    def __str__(self) -> str:
        return f"a value of type {self.kind.__name__}"


@dataclass(frozen=True)
class Label:
    """A name of a class, a category or a column, or a value of a cell: a text, a number or a bool."""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else, and what is no name, as nan."""
        if not isinstance(value, str | bool | np.bool_) and (not is_real(value) or value != value):
            raise misfit(where, value, self)

    def __str__(self) -> str:
        return "a text, a number or a bool"


# ----------------------------------------------------------------------------------------------------
# Arrays
# ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Array:
    """An array of numbers.

    Attributes
    ----------
    dtype : str
        Its type, in NumPy's letters: compiled loops are compiled for this one.
    axes : str
        A letter for every axis; equal letters are equal lengths.
    low, high : float
        The range of its entries.
    also : float, optional
        A value outside of the range that is allowed: nan or minus infinity.
    numbers : str
        The letter of the axis that its entries number, if they are indices.
    by_column : bool
        Whether a matrix may lie in memory column by column.
    """

    dtype: str
    axes: str
    low: float = -np.inf
    high: float = np.inf
    also: float | None = None
    numbers: str = ""
    by_column: bool = False

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if not isinstance(value, np.ndarray) or value.dtype != np.dtype(self.dtype) or value.ndim != len(self.axes):
            raise misfit(where, value, f"an array of {np.dtype(self.dtype)} with {len(self.axes)} axes")
        lengths = tuple(context.length(*axis) for axis in zip(self.axes, value.shape, strict=True))
        if value.shape != lengths:
            raise misfit(where, value, f"shape {lengths}, to fit the other parts")
        if not self.by_column and not value.flags.c_contiguous:
            raise misfit(where, value, "one that lies in memory row by row")
        if self.numbers and not self._are_within(value, 0, context.length(self.numbers) - 1):
            raise inconsistent(f"{where} points outside of the {context.length(self.numbers)} entries there are")
        if not self.numbers and not self._are_within(value, self.low, self.high):
            or_else = "" if self.also is None else f", or {self.also}"
            raise inconsistent(f"{where} holds numbers that do not lie between {self.low:g} and {self.high:g}{or_else}")

    def _are_within(self, value: NDArray[Any], low: float, high: float) -> bool:
        """Whether all entries lie in a range; nan does only if it is allowed."""
        inside = (value >= low) & (value <= high)
        if self.also is not None:
            inside |= np.isnan(value) if self.also != self.also else value == self.also
        return bool(inside.all())


@dataclass(frozen=True)
class Labels:
    """An array of names or values: of one of NumPy's types, or of labels of several types.

    They are ``distinct``, or some of them None, for ``unknown``, only where that is said.
    """

    axes: str
    kinds: str
    distinct: bool = False
    unknown: bool = False

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if not isinstance(value, np.ndarray) or value.dtype.kind not in self.kinds or value.ndim != len(self.axes):
            raise misfit(where, value, f"an array of names with {len(self.axes)} axes")
        lengths = tuple(context.length(*axis) for axis in zip(self.axes, value.shape, strict=True))
        if value.shape != lengths:
            raise misfit(where, value, f"shape {lengths}, to fit the other parts")
        if value.dtype.kind == "O":
            for entry in value.ravel().tolist():
                if entry is not None or not self.unknown:
                    Label().check(entry, where, context)
        if self.distinct and (len(set(value.tolist())) < len(value) or (value != value).any()):
            raise inconsistent(f"{where} holds a name twice, or what is no name")
