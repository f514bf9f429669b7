"""What is asked of a change: what it is to reach, and what it may touch. Wrong questions are refused in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac.tables.columns import Column, written
from fgac.tables.labels import plain_name
from fgac.tables.validation import check_count
from fgac.tables.value_kinds import WHOLE

# From the least to the most that is wanted: positions of ordered classes, or numbers.
Span = tuple[float, float]

# How directions may be written.
WAYS = {"up": 1, "down": -1, 1: 1, -1: -1, 0: 0}


@dataclass(frozen=True)
class Question:
    """What changes may touch, and how many are wanted.

    Attributes
    ----------
    fixed : positions of columns that must not change
    directions : for some columns, by position, 1 if they may only rise, -1 if they may only fall
    steps : for some columns, by position, the step in which they change
    max_features : the largest number of columns that change, where so few can do it
    n : the largest number of changes per row
    """

    fixed: frozenset[int]
    directions: Mapping[int, int]
    steps: Mapping[int, float]
    max_features: int
    n: int

    @classmethod
    def checked(
        cls,
        columns: Sequence[Column],
        names: Sequence[str],
        *,
        fixed: Any = (),
        directions: Any = None,
        steps: Any = None,
        max_features: Any = 3,
        n: Any = 3,
    ) -> Question:
        """A question about columns of these names, as the caller puts it.

        >>> Question.checked([Column("age"), Column("debt")], ["age", "debt"], fixed=["age"], directions={"debt": -1})
        Question(fixed=frozenset({0}), directions={1: -1}, steps={}, max_features=3, n=3)
        """
        check_count("max_features", max_features)
        check_count("n", n)
        if isinstance(fixed, str) or not isinstance(fixed, Iterable):
            raise ValueError(f"fixed={fixed!r} must be a list of columns that must not change, by name or position")
        kept = frozenset(_position("fixed", each, names) for each in fixed)
        if kept and len(kept) == len(names):
            raise ValueError("fixed names all columns of the model, so nothing could change; leave one of them out")
        ways = _by_column("directions", directions, names)
        sizes = _by_column("steps", steps, names)
        return cls(
            kept,
            {j: way for j, given in ways.items() if (way := _way(names[j], columns[j], given))},
            {j: _step(names[j], columns[j], given) for j, given in sizes.items()},
            int(max_features),
            int(n),
        )

    def allows(self, columns: Any, before: Any, after: Any) -> Any:
        """Whether columns may change from some numbers (nan: unknown) to others, their steps aside."""
        columns, unknown = np.asarray(columns), np.isnan(before)
        allowed = ~np.isnan(after) & (unknown | (after != before)) & ~np.isin(columns, list(self.fixed))
        for j, way in self.directions.items():
            allowed &= (columns != j) | unknown | (way * (np.asarray(after) - before) >= 0)
        return allowed


def _by_column(what: str, given: Any, names: Sequence[str]) -> dict[int, Any]:
    """What is given by names or positions of columns, by position."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"{what}={given!r} must be a dict from columns, by name or position, as in {{'income': 1}}")
    return {_position(what, key, names): value for key, value in given.items()}


def _position(what: str, key: Any, names: Sequence[str]) -> int:
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        if 0 <= key < len(names):
            return int(key)
    elif key in names:
        return list(names).index(key)
    raise ValueError(f"{what} names {key!r}, which is no column of the model; expected some of {list(names)}")


def _way(name: str, column: Column, given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, str | int | np.integer) or given not in WAYS:
        raise ValueError(
            f"directions has {given!r} for column {name!r}; expected 1 or 'up' (it may only rise), -1 or 'down' (it "
            "may only fall), or 0 (either)"
        )
    if WAYS[given] and column.is_categorical:
        raise ValueError(
            f"directions has {given!r} for column {name!r}, which is nominal: names have no order. Leave it out, or "
            "name it in fixed"
        )
    return WAYS[given]


def _step(name: str, column: Column, given: Any) -> float:
    is_number = isinstance(given, Real) and not isinstance(given, bool)
    if not is_number or not 0 < float(given) < math.inf:
        raise ValueError(f"steps has {given!r} for column {name!r}; expected a positive number")
    if column.is_categorical:
        raise ValueError(f"steps has {given!r} for column {name!r}, which is nominal: it has no steps. Leave it out")
    step = float(given)
    if column.kind in WHOLE and step != round(step):
        raise ValueError(
            f"steps has {given!r} for column {name!r}, which holds whole numbers or days; expected a whole number"
        )
    return step


def wanted_class(target: Any, classes: NDArray[Any]) -> int | None:
    """The number of the class that is wanted; None if any other one is.

    >>> wanted_class("yes", np.array(["no", "yes"])), wanted_class(None, np.array([0, 1]))
    (1, None)
    """
    if target is None:
        return None
    labels = [plain_name(label) for label in classes]
    for same in (lambda label: _equal(label, target), lambda label: written(label) == written(target)):
        found = [k for k, label in enumerate(labels) if same(label)]
        if len(found) == 1:
            return found[0]
    raise ValueError(f"target={target!r} is no class of the model; expected one of {labels}, or None for any other one")


def _equal(label: Any, target: Any) -> bool:
    """Whether two labels are the same, True and 1 being different ones."""
    target = target.item() if isinstance(target, np.generic) else target
    return isinstance(label, bool) == isinstance(target, bool) and bool(label == target)


def wanted_classes(target: Any, classes: NDArray[Any]) -> Span | None:
    """From which to which of ordered classes is wanted; None if any other one is.

    >>> order = np.array(["poor", "fair", "good"])
    >>> wanted_classes("fair", order), wanted_classes((None, "fair"), order)
    ((1, 2), (0, 1))
    """
    if target is None:
        return None
    low, high = _ends(target)
    first, last = wanted_class(low, classes), wanted_class(high, classes)
    span = (0 if first is None else first, len(classes) - 1 if last is None else last)
    if span[0] > span[1]:
        raise ValueError(f"target={target!r} is empty: {low!r} is above {high!r}")
    return span


def wanted_numbers(target: Any) -> Span:
    """From the least to the most that is wanted of a number.

    >>> wanted_numbers(300), wanted_numbers((None, 300.0))
    ((300.0, inf), (-inf, 300.0))
    """
    if target is None:
        raise ValueError(
            "target=None: a model of numbers needs to know which number is wanted; expected a number (at least so "
            "much), or a pair such as (None, 300.0) for at most 300 and (250.0, 300.0) for a number between the two"
        )
    least, most = _ends(target)
    low, high = _number(least, target, -math.inf), _number(most, target, math.inf)
    if low > high:
        raise ValueError(f"target={target!r} is empty: {low:g} is above {high:g}")
    return low, high


def _ends(target: Any) -> tuple[Any, Any]:
    """The least and the most that is wanted, None where there is no such end; one value is the least."""
    if not isinstance(target, tuple | list):
        return target, None
    if len(target) != 2 or all(end is None for end in target):
        raise ValueError(
            f"target={target!r} must be one value (at least that), or a pair of the least and the most that is wanted, "
            "with None where there is no such end"
        )
    return target[0], target[1]


def _number(end: Any, target: Any, otherwise: float) -> float:
    if end is None:
        return otherwise
    if isinstance(end, bool | np.bool_) or not isinstance(end, Real | np.number) or not math.isfinite(float(end)):
        raise ValueError(f"target={target!r} holds {end!r}; expected finite numbers")
    return float(end)
