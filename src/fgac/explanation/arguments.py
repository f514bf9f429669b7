"""Training rows as they are named in explanations and audits, and how their features compare with a row.

A class in this file that is no dataclass lists what several dataclasses have in common. Each of those declares all of
its fields itself: their order is the order of the keys in JSON, of the columns in frames and of the arguments of the
constructor, and a field that was inherited would come first in all three.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label

Value = Label


@dataclass(frozen=True)
class FeatureComparison:
    """One feature of an argument's row, beside that of the explained row.

    ``apart`` is its share in the distance between the two rows, ``close`` its share in what the rows agree on. Each
    sums to 1 over the features, except that nothing keeps rows apart which are equal, and nothing brings rows close
    which differ entirely. ``value`` is None if the model keeps no values, or if it is ``unknown``: missing in this row.

    ``direction`` is 1 if only being lower than this value keeps the explained row apart, -1 if only being higher does
    (``monotonic_cst``), 0 if both do. ``scored`` is the part of ``apart`` that comes from the score of the rows, if the
    model has one.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> argument = clf.explain([[0.75, 5.25]])[0].arguments_for[0]
    >>> [(each.name, each.value, round(each.apart, 2)) for each in argument.attributes]
    [('x0', 0.9, 0.08), ('x1', 5.0, 0.92)]
    """

    name: str
    value: Value | None
    close: float
    apart: float
    direction: int = omit_if_default(0)
    unknown: bool = omit_if_default(False)
    scored: float = omit_if_default(0.0)


class RowReference:
    """A training row that an explanation or audit names.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    alike : ids of other training rows for which the same holds
    """

    index: int
    id: Label
    alike: tuple[Label, ...]


class BaseArgument(RowReference):
    """A training row that is a reason for a prediction.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    distance : to the explained row
    similarity : to the explained row, ``max(0, 1 - gamma distance)``, or what an isomorphism makes of it
    strength : how much the argument decides, from 0 to 1; the strongest argument is the bound of the prediction
    attributes : the row's values and what they contribute to the distance; empty if there are only distances
    alike : ids of the training rows that are the same argument: equal or nearly equal rows
    unknown_cost : by how much the strength would be larger, were the two rows equal wherever a value is unknown in one

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> from fgac.explanation import BaseArgument
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> argument = clf.explain([[0.75, 5.25]])[0].arguments_for[0]
    >>> isinstance(argument, BaseArgument), argument.id, round(argument.distance, 2)
    (True, 2, 0.37)
    """

    distance: float
    similarity: float
    strength: float
    attributes: tuple[FeatureComparison, ...]
    unknown_cost: float

    def frame_row(self) -> dict[str, Any]:
        """The numbers and names of the argument, and how many other rows are the same argument."""
        return {**{name: getattr(self, name) for name in argument_columns(type(self))}, "alike": len(self.alike)}


def argument_columns(kind: type[BaseArgument]) -> list[str]:
    """The fields of a kind of argument that hold one number or name each."""
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    return [field.name for field in fields if field.name not in ("attributes", "alike", "unknown_cost")]
