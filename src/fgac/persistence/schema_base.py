"""What all words of the schema share: the lengths that are known, relations, and the errors of what does not fit."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from fgac.persistence.errors import ModelFileError

Parts = dict[str, Any]


class Part(Protocol):
    """What some part of a file must be."""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse any other value; ``where`` is its path, for the error."""


@dataclass
class Context:
    """What is known while a model is checked: the lengths of the axes, by their letters.

    The first array that has an axis of a letter settles its length, unless a rule says what follows from parts that
    have been checked before.
    """

    parts: Parts
    rules: Mapping[str, Callable[[Context], int]] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)

    def length(self, letter: str, found: int | None = None) -> int:
        """The length of an axis; if nothing is known of it, the one found. A dot is any length."""
        if letter == "." and found is not None:
            return found
        if letter not in self.lengths:
            known = self.rules[letter](self) if letter in self.rules else found
            if known is None:
                raise KeyError(letter)
            self.lengths[letter] = known
        return self.lengths[letter]


class Relation(NamedTuple):
    """What parts must be to each other: what is said if they are not, and the test."""

    otherwise: str
    holds: Callable[[Any, Context], Any]


def inconsistent(what: str) -> ModelFileError:
    """The error for parts that are not as they should be."""
    return ModelFileError(f"is inconsistent: {what}; fit it and save it again")


def misfit(where: str, value: Any, expected: Any) -> ModelFileError:
    """The error for a part that is something else."""
    return inconsistent(f"{where} is {shown(value)}, which does not fit: expected {expected}")


def shown(value: Any) -> str:
    """A value in a few letters of one line."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and shape {value.shape}"
    return " ".join(reprlib.repr(value)[:100].split())


def is_real(value: Any) -> bool:
    """Whether a value is a number, and no bool."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
