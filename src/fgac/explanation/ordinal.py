"""The explanation of a predicted class among ordered ones: why at least this class, and why not the next.

Each of the two is the explanation of a binary classifier, that of the boundary below the predicted class and that of
the one above it, with all its arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.audit_ordinal import OrdinalAudit
from fgac.explanation.base import ClassExplanation, ExplanationList
from fgac.explanation.classification import Argument, Explanation, FeatureValue, Membership, ModelSummary
from fgac.explanation.counterfactual import Counterfactual
from fgac.explanation.reliability import Reliability


@dataclass(frozen=True)
class OrdinalCase:
    """What is said about one of several ordered classes for one row.

    The fields are those of :class:`OrdinalExplanation` of the same names.

    Examples
    --------
    >>> from fgac import FGAOrdinalClassifier
    >>> model = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=3.0)
    >>> model = model.fit([[0.0], [0.5], [1.0]], ["poor", "fair", "good"])
    >>> case = model.explain([[0.4]], alternatives=True)[0].alternatives[0]
    >>> case.label, round(case.degree, 2)
    ('poor', 0.15)
    """

    label: Label
    lower: float
    upper: float
    degree: float
    at_least: Explanation | None
    at_most: Explanation | None


@dataclass(frozen=True)
class OrdinalExplanation(ClassExplanation):
    """One prediction of ordered classes and its reasons.

    Attributes
    ----------
    index, id : position among the explained rows, and what the caller calls the row
    prediction : the predicted class
    truth : the class that the row really has, if the caller knows
    lower, upper, degree : how much it is at least of this class, or of the one that the explanation is ``about``, AND
        not of the next; the smaller of both
    margin : by how much the closer one of the two boundaries is decided; 1 if there is only one class
    certified_radius : how far the row may move, in the distance of the model, before the class can change
    levels : for every boundary, from the lowest, how much the row is above it; none rises from one to the next
    at_least : why it is, or is not, at least of the same class; None if there is no lower one
    at_most : why it is, or is not, at most of the same class; None if there is no higher one
    attributes : the features of the row itself, and what each alone may do without changing the class
    target : the name of what is predicted, if the model knows it
    unknown : names of the features whose value is unknown in this row
    beyond : names of the features whose value lies beyond those of all training rows, and counts as if at their edge
    reliability : how often such predictions were right, if the model was calibrated on rows held out
    counterfactuals : small changes of the row that change the prediction, if they were asked for
    about : the class whose bounds, degree and boundaries these are, if that is not the predicted one; ``subject`` is
        the class in any case. All else is about the prediction
    alternatives : the same about other classes, the largest degree first, if they were asked for

    Examples
    --------
    >>> from fgac import FGAOrdinalClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["poor", "poor", "fair", "good", "good"]
    >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"], gamma=4.0, monotonic_cst=[1]).fit(X, y)
    >>> why = clf.explain([[3.2]])[0]
    >>> [(level.label, round(level.degree, 2)) for level in why.levels]
    [('fair or above', 1.0), ('good', 0.2)]
    >>> [(argument.id, round(argument.strength, 2)) for argument in why.at_least.arguments_for]
    [(2, 1.0), (3, 0.2)]
    """

    _side_columns = ("boundary", "side")
    _argument_type = Argument
    _case_type = OrdinalCase

    index: int
    id: Label
    prediction: Label
    truth: Label | None
    lower: float
    upper: float
    degree: float
    margin: float
    certified_radius: float | None
    levels: tuple[Membership, ...]
    at_least: Explanation | None
    at_most: Explanation | None
    attributes: tuple[FeatureValue, ...]
    target: str | None = omit_if_default(None)
    unknown: tuple[str, ...] = omit_if_default(())
    beyond: tuple[str, ...] = omit_if_default(())
    reliability: Reliability | None = omit_if_default(None)  # noqa: RUF009 (the value of a field)
    counterfactuals: tuple[Counterfactual, ...] = omit_if_default(())
    about: Label | None = omit_if_default(None)  # noqa: RUF009
    alternatives: tuple[OrdinalCase, ...] = omit_if_default(())

    @property
    def boundaries(self) -> tuple[Explanation, ...]:
        """The explanations there are, that of the lower boundary first."""
        return tuple(e for e in (self.at_least, self.at_most) if e is not None)

    @property
    def closest(self) -> Explanation | None:
        """The explanation of the boundary that is decided by less."""
        return min(self.boundaries, key=lambda e: e.margin, default=None)

    @property
    def tied(self) -> bool:
        """Whether only the rule for ties decides one of the boundaries."""
        return any(e.tied for e in self.boundaries)

    @property
    def resembles_nothing(self) -> bool:
        """Whether no training row is similar enough to be an argument about any boundary."""
        return bool(self.boundaries) and all(e.resembles_nothing for e in self.boundaries)

    def text(self) -> str:
        """The explanation in plain English."""
        from fgac.text.ordinal import describe

        return describe(self)

    def _sides(self) -> Iterator[tuple[tuple[str, ...], Sequence[Argument]]]:
        for boundary, part in (("at least", self.at_least), ("at most", self.at_most)):
            for side, arguments in part._sides() if part is not None else ():
                yield (boundary, *side), arguments

    def _html(self) -> str:
        from fgac.report import explanation_html

        return explanation_html(self)


@dataclass(frozen=True)
class OrdinalExplanations(ExplanationList[OrdinalExplanation]):
    """Explanations of several rows by one model; if asked for, the most contradicted training rows of every boundary.

    >>> from fgac import FGAOrdinalClassifier
    >>> clf = FGAOrdinalClassifier(gamma=2.0).fit([[1.0], [2.0], [3.0], [4.0]], [1, 2, 2, 3])
    >>> reasons = clf.explain([[1.4], [3.6]])
    >>> [item.prediction for item in reasons]
    [1, 3]
    >>> OrdinalExplanations.from_json(reasons.to_json()) == reasons
    True
    """

    _item_type = OrdinalExplanation

    items: tuple[OrdinalExplanation, ...]
    model: ModelSummary
    audit: OrdinalAudit | None = omit_if_default(None)  # noqa: RUF009

    def _page(self, **settings: Any) -> str:
        from fgac.report import report_html

        return report_html(self, **settings)
