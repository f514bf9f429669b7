"""What would change a prediction: rows near an explained one that are predicted otherwise, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.arguments import RowReference, Value


@dataclass(frozen=True)
class Change:
    """One feature that changes, in the caller's units.

    ``before`` is None where the value was unknown. ``kind`` says what its numbers are, see
    :class:`~fgac.explanation.classification.FeatureValue`; dates are told as their text.
    """

    column: str
    before: Value | None
    after: Value
    unit: str = omit_if_default("")
    kind: str = omit_if_default("number")


@dataclass(frozen=True)
class Goal(RowReference):
    """The training row toward which a changed row goes, and its class or target."""

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
    """

    changes: tuple[Change, ...]
    row: dict[str, Value | None]
    distance: float
    prediction: Label
    toward: Goal
    lower_bound: float | None

    @property
    def gap(self) -> float | None:
        """By how much a smaller change might still do it, in the distance of the model; None without a bound."""
        return None if self.lower_bound is None else max(0.0, self.distance - self.lower_bound)
