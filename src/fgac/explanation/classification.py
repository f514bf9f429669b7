"""What is said about a prediction, as typed values: text, pictures, report and command line only render them.

Everything here re-adds to the prediction: ``degree`` is the mean of ``lower`` and ``upper`` (on the scale of the
isomorphism, if there is one), ``lower`` is the sum of ``weight * strength`` over the arguments for, plus
``rest_for``, and ``1 - upper`` the same over the arguments against, plus ``rest_against`` (with an isomorphism, an
argument against takes ``1 - N(strength)`` from the upper bound, N being its negator). Without OWA the strongest
argument has the weight 1, all others 0, and the rests are 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.audit import Audit
from fgac.explanation.base import BaseExplanation, ExplanationList

Value = Label


@dataclass(frozen=True)
class Membership:
    """How much a row belongs to one class, and the bounds of that degree."""

    label: Label
    lower: float
    upper: float
    degree: float


@dataclass(frozen=True)
class FeatureValue:
    """One attribute of the explained row.

    ``radius`` is by how much this attribute alone may change before the label can change, in its own units:
    0 for a nominal attribute whose change might change the label, None if no change of it ever can.
    Where ``certified_radius`` is None, nothing is certified and this is 0.

    ``direction`` is 1 if more of the attribute can only speak for the prediction, -1 if less can (``monotonic_cst``):
    that way it may change by any amount, and ``radius`` is about the other way. It is 0 for all other attributes.

    ``weight`` says how much a difference in the attribute counts (``feature_weights``), given or learned.
    """

    name: str
    value: Value
    unit: str
    is_nominal: bool
    radius: float | None
    direction: int = omit_if_default(0)
    weight: float = omit_if_default(1.0)


@dataclass(frozen=True)
class FeatureComparison:
    """One attribute of an argument's row, beside that of the explained row.

    ``apart`` is its share in what keeps the two rows apart, ``close`` its share in what they agree on. Each sums to
    1 over the attributes, except that rows which are equal have nothing that keeps them apart, and rows which differ
    entirely nothing that brings them close. ``value`` is None if the model keeps no values.

    ``direction`` is 1 if only being lower than this value keeps the explained row apart, -1 if only being higher does
    (``monotonic_cst``), 0 if both do.
    """

    name: str
    value: Value | None
    close: float
    apart: float
    direction: int = omit_if_default(0)


@dataclass(frozen=True)
class Argument:
    """A training row that speaks for, or against, membership in the predicted class.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    label : its own class
    distance, similarity : to the explained row
    membership : its membership in its own class
    degree : how much it is in the predicted class (for), or is not (against)
    strength : "similar AND in the class": ``max(0, similarity + degree - 1)``, or what the isomorphism makes of it
    weight : how much the strength counts in the bound
    attributes : the row's values and what they contribute; empty if there are only distances
    alike : ids of the training rows that say the same: equal or nearly equal rows of the same class
    """

    index: int
    id: Label
    label: Label
    distance: float
    similarity: float
    membership: float
    degree: float
    strength: float
    weight: float
    attributes: tuple[FeatureComparison, ...]
    alike: tuple[Label, ...]


# Columns of the frames of arguments.
ARGUMENT_COLUMNS = tuple(f.name for f in dataclasses.fields(Argument) if f.name not in ("attributes", "alike"))


def argument_frame(rows: list[dict[str, Any]], first: list[str]) -> Any:
    """Arguments as a pandas frame, with some columns before those that all arguments have."""
    import pandas as pd

    return pd.DataFrame(rows, columns=[*first, *ARGUMENT_COLUMNS, "alike"])


@dataclass(frozen=True)
class Explanation(BaseExplanation):
    """One prediction and its reasons.

    Attributes
    ----------
    index, id : position among the explained rows, and what the caller calls the row
    prediction : the predicted class
    truth : the class it has, if the caller knows
    lower, upper, degree : membership in the predicted class
    margin : degree of the predicted class minus the largest degree of another; 1 if there is only one class
    runner_up : the class with that degree; None if there is only one class
    certified_radius : how far the row may move, in the distance of the model, before the label can change;
        None where the settings allow no such guarantee
    memberships : bounds and degree of every class, in the order of ``classes_``
    arguments_for, arguments_against : strongest first; rows of strength 0 are no arguments
    rest_for, rest_against : what all rows that are not shown add to the bounds (OWA only)
    tied : the classes that share the largest degree, if there are several
    resembles_nothing : whether no training row is similar enough to say anything
    nearest : the training row that comes nearest to being an argument; only if nothing resembles the row
    attributes : the row itself

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> why = clf.explain([[0.2]])[0]
    >>> why.prediction, why.arguments_for[0].id, round(why.lower, 2)
    ('low', 1, 0.8)
    >>> print(why.text().splitlines()[2])
    Nothing speaks against it.
    """

    index: int
    id: Label
    prediction: Label
    truth: Label | None
    lower: float
    upper: float
    degree: float
    margin: float
    runner_up: Label | None
    certified_radius: float | None
    memberships: tuple[Membership, ...]
    arguments_for: tuple[Argument, ...]
    arguments_against: tuple[Argument, ...]
    rest_for: float
    rest_against: float
    tied: tuple[Label, ...]
    resembles_nothing: bool
    nearest: Argument | None
    attributes: tuple[FeatureValue, ...]

    def text(self) -> str:
        """The explanation in plain English."""
        from fgac.text import tell

        return tell(self)

    def to_frame(self) -> Any:
        """The arguments as a pandas frame, one row each, strongest first, those in favour before those against."""
        return argument_frame([{"side": side, **row} for side, row in self._argument_rows()], ["side"])

    def _argument_rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for side, arguments in (("for", self.arguments_for), ("against", self.arguments_against)):
            for argument in arguments:
                yield (
                    side,
                    {**{name: getattr(argument, name) for name in ARGUMENT_COLUMNS}, "alike": len(argument.alike)},
                )

    def _html(self) -> str:
        from fgac.report import explanation_html

        return explanation_html(self)


@dataclass(frozen=True)
class ModelSummary:
    """The model behind some explanations: what it was trained on, how, and the proof that it is optimal."""

    classes: tuple[Label, ...]
    class_sizes: tuple[int, ...]
    n_rows: int
    n_features: int
    gamma: float
    settings: dict[str, Any]
    is_optimal: bool
    largest_violation: float
    dual_residual: float
    duality_gap: float


@dataclass(frozen=True)
class Explanations(ExplanationList[Explanation]):
    """Explanations of several rows by one model, and the training rows whose labels it doubts most.

    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> reasons = clf.explain([[0.2], [0.8]])
    >>> len(reasons), reasons[1].prediction
    (2, 'high')
    >>> Explanations.from_json(reasons.to_json()) == reasons
    True
    """

    items: tuple[Explanation, ...]
    model: ModelSummary
    audit: Audit | None = None

    def to_frame(self) -> Any:
        """All arguments as one pandas frame, with the explained row and its prediction beside each."""
        rows = [
            {"row": item.id, "prediction": item.prediction, "side": side, **row}
            for item in self.items
            for side, row in item._argument_rows()
        ]
        return argument_frame(rows, ["row", "prediction", "side"])

    def _page(self, title: str | None, note: str | None) -> str:
        from fgac.report import report_html

        return report_html(self, title=title, note=note)
