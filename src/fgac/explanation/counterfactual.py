"""What would change a prediction: rows near an explained one that are predicted otherwise, as frozen values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, overload

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.arguments import RowReference, Value
from fgac.explanation.base import JsonCollection


@dataclass(frozen=True)
class Change:
    """One feature that changes, in the caller's units.

    ``before`` is None where the value was unknown. ``kind`` says what its numbers are, see
    :class:`~fgac.explanation.classification.FeatureValue`; dates are told as their text.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> best = clf.counterfactuals([[0.75, 5.25]], "low")[0][0]
    >>> change = best.changes[0]
    >>> change.column, change.before, round(change.after, 2)
    ('x0', 0.75, 0.45)
    """

    column: str
    before: Value | None
    after: Value
    unit: str = omit_if_default("")
    kind: str = omit_if_default("number")


@dataclass(frozen=True)
class Goal(RowReference):
    """The training row toward which a changed row goes, and its class or target.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> goal = clf.counterfactuals([[0.75, 5.25]], "low")[0][0].toward
    >>> goal.id, goal.label
    (0, 'low')
    """

    index: int
    id: Label
    label: Label
    alike: tuple[Label, ...] = omit_if_default(())


@dataclass(frozen=True)
class Counterfactual:
    """A row that differs from an explained one in few features and is predicted as wanted.

    Attributes
    ----------
    changes : the features that change, and nothing else does
    row : all values of the changed row by the names of their columns; None where a value stays unknown
    distance : how far the row moved, in the distance of the model
    prediction : the class or number that is predicted for the changed row
    toward : the training row that it goes to
    lower_bound : no change that moves the row by less can do it; None where nothing is guaranteed
    is_number : whether it is a number that is predicted, and not a class

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> best = clf.counterfactuals([[0.75, 5.25]], "low")[0][0]
    >>> best.prediction, len(best.changes), 0 <= best.lower_bound <= best.distance
    ('low', 1, True)
    """

    changes: tuple[Change, ...]
    row: dict[str, Value | None]
    distance: float
    prediction: Label
    toward: Goal
    lower_bound: float | None
    is_number: bool = omit_if_default(False)

    @property
    def gap(self) -> float | None:
        """By how much a smaller change might still do it, in the distance of the model; None without a bound."""
        return None if self.lower_bound is None else max(0.0, self.distance - self.lower_bound)

    def text(self) -> str:
        """The change in plain English."""
        from fgac.text.counterfactual import describe

        return describe(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_change, or_none

        return or_none(of_change, self)

    def to_frame(self) -> Any:
        """The changes as a pandas frame, one row each."""
        import pandas as pd

        return pd.DataFrame(list(self.frame_rows()), columns=list(CHANGE_COLUMNS))

    def frame_rows(self) -> Iterator[dict[str, Any]]:
        """The changes as records: what changes, and what all of it together comes to."""
        for change in self.changes:
            yield dict(
                zip(
                    CHANGE_COLUMNS,
                    (
                        *(change.column, change.before, change.after, change.unit),
                        *(self.prediction, self.distance, self.lower_bound, self.toward.id),
                    ),
                    strict=True,
                )
            )


# Columns of a frame of changes.
CHANGE_COLUMNS = ("column", "before", "after", "unit", "prediction", "distance", "lower_bound", "toward")


@dataclass(frozen=True)
class Counterfactuals(JsonCollection, Sequence[tuple[Counterfactual, ...]]):
    """What would change the predictions of several rows: for each row a tuple, the best change first.

    A tuple is empty if the row is predicted as wanted already, or if no change was found.

    Attributes
    ----------
    items : the tuples, one per row
    ids : what the caller calls the rows
    target : the name of what is predicted, if the model knows it
    unit : of predicted numbers

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> found = clf.counterfactuals([[0.2], [0.8]], "high")
    >>> len(found), found[0][0].changes[0].after, found[1]
    (2, 0.500001, ())
    >>> Counterfactuals.from_json(found.to_json()) == found
    True
    """

    items: tuple[tuple[Counterfactual, ...], ...]
    ids: tuple[Label, ...]
    target: str | None = omit_if_default(None)
    unit: str = omit_if_default("")

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> tuple[Counterfactual, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> tuple[Counterfactual, ...] | Self:
        """The changes of one row, or a collection of some of them."""
        if isinstance(index, slice):
            return replace(self, items=self.items[index], ids=self.ids[index])
        return self.items[index]

    def __iter__(self) -> Iterator[tuple[Counterfactual, ...]]:
        return iter(self.items)

    def text(self) -> str:
        """All changes in plain English, a paragraph for every row."""
        from fgac.text.counterfactual import describe_all

        return describe_all(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str | None:
        from fgac.report.notebook import of_changes, or_none

        return or_none(of_changes, self)

    def to_frame(self) -> Any:
        """All changes as one pandas frame, behind the row and the number of the change among those of the row."""
        import pandas as pd

        rows = [
            {"row": name, "counterfactual": k, **record}
            for name, found in zip(self.ids, self.items, strict=True)
            for k, each in enumerate(found)
            for record in each.frame_rows()
        ]
        return pd.DataFrame(rows, columns=["row", "counterfactual", *CHANGE_COLUMNS])
