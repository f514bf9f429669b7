"""Which classes explanations are about: the predicted ones, those that a caller asks about, and others beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple, TypeVar

import numpy as np

from fgac._tolerances import STRENGTH_DIGITS
from fgac._typing import Floats, Ints, Label
from fgac.explanation.classification import Explanation
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.tables.containers import listed
from fgac.tables.labels import is_missing, plain_name

# Classes that an error names.
MOST_NAMED = 10

Item = TypeVar("Item", Explanation, OrdinalExplanation)


class Questions(NamedTuple):
    """What is asked about some rows.

    Attributes
    ----------
    subjects : the number of the class that each row is asked about; None for the predicted one
    n_alternatives : how many other classes are told about as well
    """

    subjects: list[int | None]
    n_alternatives: int

    @classmethod
    def checked(cls, about: Any, alternatives: Any, labels: Sequence[Label], n_rows: int) -> Questions:
        """Questions about a model with these classes; wrong ones are refused."""
        return cls(read_about(about, labels, n_rows), read_alternatives(alternatives, len(labels)))

    def others(self, i: int, predicted: int, ranked: Sequence[int]) -> list[int]:
        """The classes beside the predicted one that are to be told about for row i; all classes come ranked."""
        subject = predicted if self.subjects[i] is None else self.subjects[i]
        told = [c for c in ranked if c != subject][: self.n_alternatives]
        return [c for c in dict.fromkeys([*told, subject]) if c is not None and c != predicted]

    def turned(self, item: Item, labels: Sequence[Label], ranked: Sequence[int]) -> Item:
        """An explanation of the prediction, turned to the class that was asked about, with what else is told."""
        subject = self.subjects[item.index]
        turned = item if subject is None else item.about_class(labels[subject])
        if not self.n_alternatives:
            return replace(turned, alternatives=())
        order = {labels[c]: place for place, c in enumerate(ranked)}
        cases = sorted(turned.alternatives, key=lambda case: order[case.label])
        return replace(turned, alternatives=tuple(cases[: self.n_alternatives]))


def read_about(about: Any, labels: Sequence[Label], n_rows: int) -> list[int | None]:
    """The number of the class that each row is asked about: one class for all of them, or one for each.

    >>> read_about("b", ["a", "b"], 2), read_about(["b", None], ["a", "b"], 2)
    ([1, 1], [1, None])
    """
    if about is None:
        return [None] * n_rows
    if isinstance(about, str | bytes) or not hasattr(type(about), "__len__") or np.shape(about) == ():
        return [_number(about, labels)] * n_rows
    given = listed(about, "about")
    if len(given) != n_rows:
        raise ValueError(
            f"about must be one class, or one per explained row: X has {n_rows} rows, got {len(given)} classes"
        )
    return [None if is_missing(label) else _number(label, labels) for label in given]


def _number(label: Any, labels: Sequence[Label]) -> int:
    """The number of a class."""
    label = plain_name(label.item() if isinstance(label, np.ndarray) else label)
    for number, known in enumerate(labels):
        if known == label:
            return number
    known_ones = ", ".join(map(repr, labels[:MOST_NAMED])) + (", ..." if len(labels) > MOST_NAMED else "")
    raise ValueError(
        f"about={label!r} is no class of the model; expected one of {known_ones}, or a list with one of these per row"
    )


def read_alternatives(alternatives: Any, n_classes: int) -> int:
    """How many other classes are told about: a number, or True for all.

    >>> read_alternatives(True, 4), read_alternatives(False, 4), read_alternatives(9, 4)
    (3, 0, 3)
    """
    if isinstance(alternatives, bool | np.bool_):
        return n_classes - 1 if alternatives else 0
    if not isinstance(alternatives, Integral) or alternatives < 0:
        raise ValueError(
            f"alternatives={alternatives!r} must be a number of classes, 0 or more, or True for all of them"
        )
    return min(int(alternatives), n_classes - 1)


def ranked_classes(predicted: int, degrees: Floats, support: Floats, tie_order: Ints) -> list[int]:
    """All classes, the predicted one first, then by falling degree; names of classes decide nothing.

    >>> ranked_classes(2, np.array([0.1, 0.3, 0.6, 0.3]), np.array([0.0, 0.1, 0.6, 0.2]), np.arange(4))
    [2, 3, 1, 0]
    """
    keys = (-np.round(part, STRENGTH_DIGITS) for part in (support, degrees))
    order = np.lexsort((tie_order, *keys, np.arange(len(degrees)) != predicted))
    return [int(c) for c in order]
