"""The explanation of a predicted number, as frozen values: text, pictures and report only render them.

Everything here re-adds to the prediction: it is the middle of ``lower`` and ``upper``; ``lower`` is the bound ``says``
of the first argument in ``at_least``, ``upper`` that of the first in ``at_most`` (with monotone columns, no less than
``floor`` and no more than ``ceiling``); and the bound of an argument is its ``fitted`` value minus, or plus, its
``allowance``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.arguments import BaseArgument, FeatureComparison, Value
from fgac.explanation.audit import RegressionAudit
from fgac.explanation.base import BaseExplanation, ExplanationList
from fgac.explanation.counterfactual import Counterfactual
from fgac.explanation.held_out import HeldOut


@dataclass(frozen=True)
class FeatureEffect:
    """One feature of the explained row, and what a change of it alone can do to the prediction.

    Attributes
    ----------
    name, value, unit : the feature; its value is None where it is unknown
    is_nominal : whether its values are categories, which are equal or not
    direction : 1 if more of the feature can only raise the prediction, -1 if it can only lower it, else 0
    step : a change of this feature for which ``change`` holds, in its own unit: a tenth of what counts as a difference
        of 1, rounded; None for a categorical feature, of which any other category is a change, and for an unknown
        value: what it may turn out to be is no change
    change : the most by which the prediction changes with that step; None where nothing is guaranteed
    weight : how much a difference in the feature counts (``feature_weights``), given or learned
    kind : what its numbers are, see :class:`~fgac.explanation.classification.FeatureValue`; the value of a date is its
        text, and the step of whole numbers and dates is whole
    score : by how much the feature changes the score of a learned distance at most, a prediction in the unit of the
        target; 0 without a score

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=1.0).fit([[0.0], [0.5], [1.0]], [10.0, 30.0, 20.0])
    >>> effect = model.explain([[0.3]])[0].attributes[0]
    >>> effect.name, effect.value
    ('x0', 0.3)
    """

    name: str
    value: Value | None
    unit: str
    is_nominal: bool
    direction: int
    step: float | None
    change: float | None
    weight: float = omit_if_default(1.0)
    kind: str = omit_if_default("number")
    score: float = omit_if_default(0.0)


@dataclass(frozen=True)
class RegressionArgument(BaseArgument):
    """A training row that bounds the value of the explained row, from below or from above.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target : the number that was observed for it
    fitted : the value it is taken to have, given all other rows; it differs from the target if those contradict it
    distance, similarity : to the explained row; the similarity is ``max(0, 1 - gamma distance)``
    allowance : by how much the values of the two rows may differ: gamma times the scale of the targets times
        the distance
    says : the bound: ``fitted - allowance`` (at least), or ``fitted + allowance`` (at most)
    strength : the share of the range of the (usual) training targets that the bound rules out, from 0 to 1: where they
        range from 0 to 100, "at least 41" has the strength 0.41, and "at most 41" has 0.59. The strongest argument is
        the bound of the prediction; a strength of 0 rules out none of these targets.
    attributes : the row's values and what they contribute to the distance; empty if there are only distances
    alike : ids of the training rows that are the same argument: equal or nearly equal rows
    unknown_cost : by how much the strength would be larger, were the two rows equal wherever a value is unknown in one

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=1.0).fit([[0.0], [0.5], [1.0]], [10.0, 30.0, 20.0])
    >>> argument = model.explain([[0.3]])[0].at_least[0]
    >>> argument.id, round(argument.fitted, 2), round(argument.says, 2)
    (1, 25.0, 21.0)
    """

    index: int
    id: Label
    target: float
    fitted: float
    distance: float
    similarity: float
    allowance: float
    says: float
    strength: float
    attributes: tuple[FeatureComparison, ...]
    alike: tuple[Label, ...]
    unknown_cost: float = omit_if_default(0.0)


@dataclass(frozen=True)
class Span:
    """An interval that should hold a share of the targets of rows like this one.

    Attributes
    ----------
    share, lower, upper : the share, and the ends of the interval
    is_tested : whether it is known from rows held out that intervals hold that share; else training rows alone do
    off : by how much predictions of such rows were off, in the mean, when they were held out; None if nobody knows
    room : by how much it is wider on both sides because the row lies beyond all training rows

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=1.0, interval=0.8).fit([[0.0], [0.5], [1.0]], [10.0, 30.0, 20.0])
    >>> span = model.explain([[0.3]])[0].interval
    >>> span.lower <= span.upper
    True
    """

    share: float
    lower: float
    upper: float
    is_tested: bool = omit_if_default(True)
    off: float | None = omit_if_default(None)
    room: float = omit_if_default(0.0)


@dataclass(frozen=True)
class RegressionExplanation(BaseExplanation):
    """One predicted number and its reasons.

    Attributes
    ----------
    index, id : position among the explained rows, and what the caller calls the row
    prediction : the middle between the bounds
    truth : the value that the row really has, if the caller knows
    lower, upper : bounds of the value, given the training rows
    interval : the ends of the prediction interval; only if the model was fitted with one
    least, most : the smallest and the largest training target
    floor, ceiling : the smallest and the largest fitted value, where bounds are cut off at them (monotone columns),
        else None
    slope : by how much the prediction changes at most over a distance of 1; None where nothing is guaranteed
    at_least, at_most : the arguments, strongest first
    attributes : the features of the row itself
    unit : of the target
    target : the name of what is predicted, if the model knows it
    unknown : names of the features whose value is unknown in this row
    beyond : names of the features whose value lies beyond those of all training rows, and counts as if at their edge
    usual : the ends of the usual training targets, between which strengths are told; None if it is all targets
    counterfactuals : small changes of the row that change the prediction, if they were asked for

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> why = model.explain([[2.0]])[0]
    >>> why.at_least[0].id, why.at_least[0].fitted, why.at_least[0].allowance, why.at_least[0].says
    (1, 25.0, 10.0, 15.0)
    >>> print(why.text().splitlines()[0])
    Prediction for row 0: 22.5 (at least 15, at most 30).
    """

    _argument_type = RegressionArgument

    index: int
    id: Label
    prediction: float
    truth: float | None
    lower: float
    upper: float
    interval: Span | None
    least: float
    most: float
    floor: float | None
    ceiling: float | None
    slope: float | None
    at_least: tuple[RegressionArgument, ...]
    at_most: tuple[RegressionArgument, ...]
    attributes: tuple[FeatureEffect, ...]
    unit: str
    target: str | None = omit_if_default(None)
    unknown: tuple[str, ...] = omit_if_default(())
    beyond: tuple[str, ...] = omit_if_default(())
    usual: tuple[float, float] | None = omit_if_default(None)
    counterfactuals: tuple[Counterfactual, ...] = omit_if_default(())

    @property
    def ends(self) -> tuple[float, float]:
        """Between which targets strengths are told: the usual ones, or all."""
        return (self.least, self.most) if self.usual is None else self.usual

    @property
    def shown(self) -> tuple[float, float]:
        """The part of the number line that is worth drawing: with the prediction, and what bears on it."""
        values = [*self.ends, self.prediction]
        values += [argument.fitted for argument in (*self.at_least, *self.at_most)]
        values += [] if self.interval is None else [self.interval.lower, self.interval.upper]
        return min(values), max(values)

    @property
    def width(self) -> float:
        """Room between the bounds, as a share of that between the ``ends``; 0 if all targets are equal.

        >>> from fgac import FGARegressor
        >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
        >>> model.explain([[2.0]])[0].width
        0.375
        """
        low, high = self.ends
        return (self.upper - self.lower) / (high - low) if high > low else 0.0

    @property
    def resembles_nothing(self) -> bool:
        """Whether no training row rules out any (usual) target that was seen: there is no comparable case."""
        low, high = self.ends
        return high > low and self.lower <= low and self.upper >= high

    def text(self) -> str:
        """The explanation in plain English."""
        from fgac.text.regression import describe

        return describe(self)

    def _sides(self) -> Iterator[tuple[tuple[str, ...], Sequence[RegressionArgument]]]:
        yield ("at least",), self.at_least
        yield ("at most",), self.at_most

    def _html(self) -> str:
        from fgac.report.regression import explanation_html

        return explanation_html(self)


@dataclass(frozen=True)
class RegressionSummary:
    """The model behind some explanations: what it was trained on, how, and the proof that it is optimal.

    ``target`` is the name of what it predicts, ``selection`` how its gamma did on rows held out; None if nobody knows.

    Examples
    --------
    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=1.0).fit([[0.0], [0.5], [1.0]], [10.0, 30.0, 20.0])
    >>> summary = model.explain([[0.3]]).model
    >>> summary.gamma, summary.n_rows
    (1.0, 3)
    """

    n_rows: int
    n_features: int
    least: float
    most: float
    gamma: float
    settings: dict[str, Any]
    is_optimal: bool
    largest_violation: float
    dual_residual: float
    duality_gap: float
    target: str | None = omit_if_default(None)
    selection: HeldOut | None = omit_if_default(None)  # noqa: RUF009


@dataclass(frozen=True)
class RegressionExplanations(ExplanationList[RegressionExplanation]):
    """Explanations of several rows by one model; if asked for, the training rows with the most contradicted targets.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> reasons = model.explain([[2.0], [8.0]])
    >>> len(reasons), reasons[1].prediction
    (2, 50.0)
    >>> RegressionExplanations.from_json(reasons.to_json()) == reasons
    True
    """

    _item_type = RegressionExplanation

    items: tuple[RegressionExplanation, ...]
    model: RegressionSummary
    # The name is that of the key in JSON files, which are older than the audits of classes and numbers by one function.
    contradictions: RegressionAudit | None = None

    def _page(self, **settings: Any) -> str:
        from fgac.report.regression import report_html

        return report_html(self, **settings)
