"""What is said about a predicted number, as typed values: text, pictures and report only render them.

Everything here re-adds to the prediction: it is the middle of ``lower`` and ``upper``; ``lower`` is what the first
argument of ``at_least`` says, ``upper`` what the first of ``at_most`` says (with monotone columns, no less than
``floor`` and no more than ``ceiling``); and what an argument says is its ``fitted`` value minus, or plus, its
``allowance``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fgac._serialize import omit_if_default
from fgac._typing import Label
from fgac.explanation.audit import RegressionAudit
from fgac.explanation.base import BaseExplanation, ExplanationList
from fgac.explanation.classification import FeatureComparison, Value


@dataclass(frozen=True)
class FeatureEffect:
    """One attribute of the explained row, and what a change of it alone can do to the prediction.

    Attributes
    ----------
    name, value, unit, is_nominal : the attribute
    direction : 1 if more of it can only raise the prediction, -1 if it can only lower it, else 0
    step : a change of this attribute worth telling, in its own unit: a tenth of what counts as a difference of 1,
        rounded; None for a nominal attribute, of which any other category is a change
    change : the most by which the prediction changes with it; None where nothing is guaranteed
    weight : how much a difference in it counts (``feature_weights``), given or learned
    """

    name: str
    value: Value
    unit: str
    is_nominal: bool
    direction: int
    step: float | None
    change: float | None
    weight: float = omit_if_default(1.0)


@dataclass(frozen=True)
class Bound:
    """A training row that says of the explained row: at least, or at most, so much.

    Attributes
    ----------
    index, id : position in the training table, and what the caller calls the row
    target : what was observed for it
    fitted : the value it is taken to have, given all other rows; it differs from the target if those contradict it
    distance, similarity : to the explained row; the similarity is ``max(0, 1 - gamma distance)``
    allowance : by how much the two may differ: gamma times the range of the targets times the distance
    says : ``fitted - allowance`` (at least), or ``fitted + allowance`` (at most)
    strength : what it rules out, as a share of the range of the training targets, from 0 to 1: where these range from
        0 to 100, "at least 41" has the strength 0.41, and "at most 41" has 0.59. The strongest is the bound; 0 says
        nothing that is not known of every row.
    attributes : the row's values and what they contribute; empty if there are only distances
    alike : ids of the training rows that say the same: equal or nearly equal rows
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


@dataclass(frozen=True)
class Span:
    """An interval that should hold a share of the targets of rows like this one."""

    share: float
    lower: float
    upper: float


# Columns of the frames of arguments.
BOUND_COLUMNS = tuple(f.name for f in dataclasses.fields(Bound) if f.name not in ("attributes", "alike"))


def _frame(rows: list[dict[str, Any]], first: list[str]) -> Any:
    import pandas as pd

    return pd.DataFrame(rows, columns=[*first, *BOUND_COLUMNS, "alike"])


@dataclass(frozen=True)
class RegressionExplanation(BaseExplanation):
    """One predicted number and its reasons.

    Attributes
    ----------
    index, id : position among the explained rows, and what the caller calls the row
    prediction : the middle between the bounds
    truth : the value it has, if the caller knows
    lower, upper : what the training rows leave room for
    interval : the ends of the prediction interval; only if the model was fitted with one
    least, most : the smallest and the largest training target
    floor, ceiling : the smallest and the largest fitted value, where bounds are cut off at them (monotone columns),
        else None
    slope : by how much the prediction changes at most over a distance of 1; None where nothing is guaranteed
    at_least, at_most : the arguments, strongest first
    attributes : the row itself
    unit : of the target

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
    at_least: tuple[Bound, ...]
    at_most: tuple[Bound, ...]
    attributes: tuple[FeatureEffect, ...]
    unit: str

    @property
    def width(self) -> float:
        """Room between the bounds, as a share of the range of the training targets; 0 if these are all equal.

        >>> from fgac import FGARegressor
        >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
        >>> model.explain([[2.0]])[0].width
        0.375
        """
        return (self.upper - self.lower) / (self.most - self.least) if self.most > self.least else 0.0

    def text(self) -> str:
        """The explanation in plain English."""
        from fgac.text.regression import tell_number

        return tell_number(self)

    def to_frame(self) -> Any:
        """The arguments as a pandas frame, one row each, strongest first, "at least" before "at most"."""
        return _frame(list(self._argument_rows()), ["side"])

    def _argument_rows(self) -> Iterator[dict[str, Any]]:
        for side, arguments in (("at least", self.at_least), ("at most", self.at_most)):
            for argument in arguments:
                told = {name: getattr(argument, name) for name in BOUND_COLUMNS}
                yield {"side": side, **told, "alike": len(argument.alike)}

    def _html(self) -> str:
        from fgac.report.regression import explanation_html

        return explanation_html(self)


@dataclass(frozen=True)
class RegressionSummary:
    """The model behind some explanations: what it was trained on, how, and the proof that it is optimal."""

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


@dataclass(frozen=True)
class RegressionExplanations(ExplanationList[RegressionExplanation]):
    """Explanations of several predictions by one model, and the training rows whose targets it contradicts most.

    >>> from fgac import FGARegressor
    >>> model = FGARegressor(gamma=2.0).fit([[0.0], [3.0], [4.0], [8.0]], [10.0, 20.0, 40.0, 50.0])
    >>> reasons = model.explain([[2.0], [8.0]])
    >>> len(reasons), reasons[1].prediction
    (2, 50.0)
    >>> RegressionExplanations.from_json(reasons.to_json()) == reasons
    True
    """

    items: tuple[RegressionExplanation, ...]
    model: RegressionSummary
    contradictions: RegressionAudit | None = None

    def to_frame(self) -> Any:
        """All arguments as one pandas frame, with the explained row and its prediction beside each."""
        rows = [
            {"row": item.id, "prediction": item.prediction, **row}
            for item in self.items
            for row in item._argument_rows()
        ]
        return _frame(rows, ["row", "prediction", "side"])

    def _page(self, title: str | None, note: str | None) -> str:
        from fgac.report.regression import report_html

        return report_html(self, title=title, note=note)
