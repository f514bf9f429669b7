"""The explanation of a predicted class, as frozen values: text, pictures, report and command line only render them.

Everything here re-adds to the prediction: ``degree`` is the mean of ``lower`` and ``upper`` (on the scale of the
isomorphism, if there is one), ``lower`` is the sum of ``weight * strength`` over the arguments for, plus
``rest_for``, and ``1 - upper`` the same over the arguments against, plus ``rest_against`` (with an isomorphism, an
argument against takes ``1 - N(strength)`` from the upper bound, N being its negator). Without OWA the strongest
argument has the weight 1, all others 0, and the rests are 0. Where the two sums would cross, because training left
constraints out or distances break the triangle inequality, ``lower`` is the smaller of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.arguments import BaseArgument, FeatureComparison, Value
from fgac.explanation.audit import Audit
from fgac.explanation.base import ClassExplanation, ExplanationList
from fgac.explanation.contrast import Contrast
from fgac.explanation.counterfactual import Counterfactual
from fgac.explanation.held_out import HeldOut
from fgac.explanation.reliability import Reliability

# Kinds of numbers of which a part of one is no change.
WHOLE_KINDS = ("whole", "binary", "date")


@dataclass(frozen=True)
class Membership:
    """How much a row belongs to one class, and the bounds of that degree.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> memberships = clf.explain([[0.75, 5.25]])[0].memberships
    >>> [(each.label, round(each.lower, 2), round(each.upper, 2)) for each in memberships]
    [('high', 0.26, 1.0), ('low', 0.0, 0.74)]
    """

    label: Label
    lower: float
    upper: float
    degree: float


@dataclass(frozen=True)
class FeatureValue:
    """One feature of the explained row.

    Attributes
    ----------
    name, value, unit : the feature; a value of None is unknown
    is_nominal : whether its values are categories, which are equal or not
    radius : by how much this feature alone may change before the label can change, in its own units: 0 for a
        categorical feature whose change might change the label, None if no change of it ever can. It is 0 for all
        features if the explanation has no ``certified_radius``
    direction : 1 if more of the feature can only be for the prediction, -1 if less can (``monotonic_cst``): that way it
        may change by any amount, and ``radius`` is about the other way. 0 for all other features
    weight : how much a difference in the feature counts (``feature_weights``), given or learned
    kind : what its numbers are: "number", "whole", "binary" (0 and 1), "date", "datetime", "moment" (a date with a time
        zone, told in UTC), "duration" (in days) or "time" (of day, in hours). The value of a date is its text. Of whole
        numbers and dates, ``radius`` is the largest whole change that is safe, 0 if none is; of 0 and 1 it is None if
        the other one is safe
    score : by how much the feature changes the log-odds of two classes at most, in the score of a learned distance; 0
        without a score

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> [(each.name, each.value, round(each.radius, 2)) for each in clf.explain([[0.75, 5.25]])[0].attributes]
    [('x0', 0.75, 0.09), ('x1', 5.25, 0.05)]
    """

    name: str
    value: Value | None
    unit: str
    is_nominal: bool
    radius: float | None
    direction: int = omit_if_default(0)
    weight: float = omit_if_default(1.0)
    kind: str = omit_if_default("number")
    score: float = omit_if_default(0.0)

    @property
    def is_whole(self) -> bool:
        """Whether it changes by whole numbers, or days, only."""
        return self.kind in WHOLE_KINDS


@dataclass(frozen=True)
class Argument(BaseArgument):
    """A training row that is a reason for, or against, membership in the predicted class.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    label : its own class
    distance, similarity : to the explained row
    membership : its membership in its own class
    degree : how much it is in the predicted class (for), or is not (against)
    strength : "similar AND in the class": ``max(0, similarity + degree - 1)``, or what the isomorphism makes of it
    weight : how much the strength counts in the bound
    attributes : the row's values and what they contribute to the distance; empty if there are only distances
    alike : ids of the training rows that are the same argument: equal or nearly equal rows of the same class
    unknown_cost : by how much the strength would be larger, were the two rows equal wherever a value is unknown in one

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> argument = clf.explain([[0.75, 5.25]])[0].arguments_for[0]
    >>> argument.id, argument.label, round(argument.similarity, 2), round(argument.strength, 2)
    (2, 'high', 0.26, 0.26)
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
    unknown_cost: float = omit_if_default(0.0)


@dataclass(frozen=True)
class ClassCase:
    """What is said about one class for one row: bounds, degree, arguments, and what decides between it and another one.

    The fields are those of :class:`Explanation` of the same names.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> case = clf.explain([[0.75, 5.25]], alternatives=True)[0].alternatives[0]
    >>> case.label, round(case.degree, 2), [argument.id for argument in case.arguments_for]
    ('low', 0.37, [])
    """

    label: Label
    lower: float
    upper: float
    degree: float
    arguments_for: tuple[Argument, ...]
    arguments_against: tuple[Argument, ...]
    rest_for: float
    rest_against: float
    contrast: Contrast | None = omit_if_default(None)  # noqa: RUF009 (the value of a field)


@dataclass(frozen=True)
class Explanation(ClassExplanation):
    """One prediction and its reasons.

    Attributes
    ----------
    index, id : position among the explained rows, and what the caller calls the row
    prediction : the predicted class
    truth : the class that the row really has, if the caller knows
    lower, upper, degree : membership in the predicted class, or in the one that the explanation is ``about``
    margin : degree of the predicted class minus the largest degree of another; 1 if there is only one class
    runner_up : the class with that degree; None if there is only one class
    certified_radius : how far the row may move, in the distance of the model, before the label can change;
        None where the settings allow no such guarantee
    memberships : bounds and degree of every class, in the order of ``classes_``
    arguments_for, arguments_against : of membership in the same class, strongest first; rows of strength 0 are none
    rest_for, rest_against : what all rows that are no argument here add to the bounds (OWA only)
    tied : the classes that share the largest degree, if there are several
    resembles_nothing : whether no training row is similar enough to be an argument about any class
    nearest : the training row that comes nearest to being an argument; only if ``resembles_nothing``
    attributes : the features of the row itself
    threshold : the degree that is neither more true than false nor more false than true, at which words change: 0.5, or
        what the isomorphism makes of it
    target : the name of what is predicted, if the model knows it
    unknown : names of the features whose value is unknown in this row
    beyond : names of the features whose value lies beyond those of all training rows, and counts as if at their edge
    reliability : how often such predictions were right, if the model was calibrated on rows held out
    counterfactuals : small changes of the row that change the prediction, if they were asked for
    about : the class that bounds, degree and arguments are about, if that is not the predicted one; ``subject`` is the
        class that they are about in any case. All else is about the prediction
    contrast : what decides between the predicted class and the runner-up, or the class that the explanation is about;
        None if there is only one class
    alternatives : the same about other classes, the largest degree first, if they were asked for

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

    _argument_type = Argument
    _case_type = ClassCase

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
    threshold: float = omit_if_default(0.5)
    target: str | None = omit_if_default(None)
    unknown: tuple[str, ...] = omit_if_default(())
    beyond: tuple[str, ...] = omit_if_default(())
    reliability: Reliability | None = omit_if_default(None)  # noqa: RUF009 (the value of a field)
    counterfactuals: tuple[Counterfactual, ...] = omit_if_default(())
    about: Label | None = omit_if_default(None)  # noqa: RUF009
    contrast: Contrast | None = omit_if_default(None)  # noqa: RUF009
    alternatives: tuple[ClassCase, ...] = omit_if_default(())

    @property
    def predicted(self) -> Membership:
        """The membership in the predicted class, whatever the explanation is about."""
        return next(part for part in self.memberships if part.label == self.prediction)

    def text(self) -> str:
        """The explanation in plain English."""
        from fgac.text.classification import describe

        return describe(self)

    def _sides(self) -> Iterator[tuple[tuple[str, ...], Sequence[Argument]]]:
        yield ("for",), self.arguments_for
        yield ("against",), self.arguments_against

    def _html(self) -> str:
        from fgac.report import explanation_html

        return explanation_html(self)


@dataclass(frozen=True)
class ModelSummary:
    """The model behind some explanations: what it was trained on, how, and the proof that it is optimal.

    ``target`` is the name of what it predicts, ``selection`` how its gamma did on rows held out; None if nobody knows.

    Examples
    --------
    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0, 5.0], [1.0, 5.5], [0.9, 5.0]], ["low", "high", "high"])
    >>> summary = clf.explain([[0.75, 5.25]]).model
    >>> summary.gamma, summary.n_rows
    (2.0, 3)
    """

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
    target: str | None = omit_if_default(None)
    selection: HeldOut | None = omit_if_default(None)  # noqa: RUF009


@dataclass(frozen=True)
class Explanations(ExplanationList[Explanation]):
    """Explanations of several rows by one model; if asked for, the training rows with the most contradicted labels.

    >>> from fgac import FGAClassifier
    >>> clf = FGAClassifier(gamma=2.0).fit([[0.0], [0.1], [0.9], [1.0]], ["low", "low", "high", "high"])
    >>> reasons = clf.explain([[0.2], [0.8]])
    >>> len(reasons), reasons[1].prediction
    (2, 'high')
    >>> Explanations.from_json(reasons.to_json()) == reasons
    True
    """

    _item_type = Explanation

    items: tuple[Explanation, ...]
    model: ModelSummary
    # Written to JSON also where it is None: files had this key before an audit had to be asked for.
    audit: Audit | None = None

    def _page(self, **settings: Any) -> str:
        from fgac.report import report_html

        return report_html(self, **settings)
