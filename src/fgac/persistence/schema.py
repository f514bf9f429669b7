"""The words in which is declared what a model file holds, and the checks behind them.

A declaration is data: a part is a :class:`Number` from here to there, an :class:`Array` of this type along these axes,
a :class:`Record` of named parts. :mod:`fgac.persistence.declarations` says with these words what every kind of model
is made of. ``check`` goes through the plain values of a file, or of a model that is to become one, and refuses the
first that is something else. The compiled loops trust the arrays that they are given: nothing is built of values that
have not been checked.

>>> import numpy as np
>>> from fgac.persistence.schema_values import Array
>>> pair = Record({"beta": Array("f8", "n", low=0.0, high=1.0), "starts": Array("i8", "k", numbers="n")})
>>> check(pair, {"beta": np.array([0.5, 1.0]), "starts": np.array([0, 1])})
>>> check(pair, {"beta": np.array([0.5, 1.0]), "starts": np.array([0, 2])})
Traceback (most recent call last):
fgac.persistence.errors.ModelFileError: is inconsistent: starts points outside of the 2 entries there are; fit it and \
save it again
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fgac.persistence.errors import ModelFileError
from fgac.persistence.schema_base import Context, Part, Relation, inconsistent, misfit, shown


def check(declared: Part, parts: Any) -> None:
    """Refuse parts that are not as declared; the error is one line, and names the part."""
    declared.check(parts, "", Context(parts))


@dataclass(frozen=True)
class Either:
    """Any one of several."""

    options: tuple[Part, ...]

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse what is none of them."""
        for option in self.options:
            try:
                option.check(value, where, context)
            except ModelFileError:
                continue
            return
        raise misfit(where, value, "one of the kinds of values that save_model writes there")


@dataclass(frozen=True)
class Maybe:
    """Some part, or None. If ``only_with`` names an axis, it is None exactly where that axis has no length."""

    part: Part
    only_with: str = ""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse a value that is there and should not be, or is not there and should be."""
        if self.only_with and (value is None) == (context.length(self.only_with) > 0):
            raise misfit(where, value, "nothing" if value is not None else "something, for there are such columns")
        if value is not None:
            self.part.check(value, where, context)


@dataclass(frozen=True)
class Many:
    """A list or a tuple of equal parts, from ``low`` to ``high`` of them, or as many as an axis is long."""

    part: Part
    kinds: tuple[type, ...] = (list, tuple)
    low: int = 0
    high: int = 2**62
    axis: str = ""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if type(value) not in self.kinds:
            raise misfit(where, value, f"a {' or a '.join(kind.__name__ for kind in self.kinds)}")
        low, high = (context.length(self.axis, len(value)),) * 2 if self.axis else (self.low, self.high)
        if not low <= len(value) <= high:
            expected = f"{low}" if low == high else f"{low} to {high}"
            raise inconsistent(f"{where} has {len(value)} entries, expected {expected}")
        for place, part in enumerate(value):
            self.part.check(part, f"{where}/{place}", context)


@dataclass(frozen=True)
class Tuple:
    """A tuple of certain parts."""

    parts: tuple[Part, ...]

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if type(value) is not tuple or len(value) != len(self.parts):
            raise misfit(where, value, f"a tuple of {len(self.parts)}")
        for place, (part, entry) in enumerate(zip(self.parts, value, strict=True)):
            part.check(entry, f"{where}/{place}", context)


@dataclass(frozen=True)
class Dict:
    """A dict of any keys and values of these kinds."""

    key: Part
    value: Part

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if type(value) is not dict:
            raise misfit(where, value, "a dict")
        for key, part in value.items():
            self.key.check(key, f"a key of {where}", context)
            self.value.check(part, f"{where}/{shown(key)}", context)


@dataclass(frozen=True)
class Record:
    """A dict of certain names, their parts in the order in which they are checked, and what relates them.

    Attributes
    ----------
    parts : dict of Part
    optional : tuple of str
        Names that may be missing, as those of files that are older than the part.
    relations : tuple of Relation
        Checked last, when every single part is as it should be.
    rules : dict of functions
        Lengths of axes that follow from parts that stand before those that have the axes. A record with rules is a
        model: its letters are its own.
    own : str
        Letters that mean another length in every record of this kind.
    """

    parts: Mapping[str, Part]
    optional: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    rules: Mapping[str, Callable[[Context], int]] = field(default_factory=dict)
    own: str = ""

    def check(self, value: Any, where: str, context: Context) -> None:
        """Refuse anything else."""
        if type(value) is not dict:
            raise misfit(where or "the model", value, "a dict of parts")
        unknown = [name for name in value if name not in self.parts]
        missing = [name for name in self.parts if name not in value and name not in self.optional]
        if unknown:
            raise inconsistent(f"{where or 'it'} has a part {shown(unknown[0])} too much; a newer fgac may know it")
        if missing:
            raise inconsistent(f"{where or 'it'} lacks the part {missing[0]!r}")
        context = Context(value, self.rules) if self.rules else context
        for letter in self.own:
            context.lengths.pop(letter, None)
        for name, part in self.parts.items():
            if name in value:
                part.check(value[name], f"{where}/{name}" if where else name, context)
        for relation in self.relations:
            if not relation.holds(value, context):
                raise inconsistent(f"{where}: {relation.otherwise}" if where else relation.otherwise)
