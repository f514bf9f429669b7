"""Whether changed rows are predicted as wanted, and how far others are from that at least.

A prediction changes by no more than the distance that a row moves allows: degrees by gamma times that distance,
numbers by gamma times the scale of the targets. So a row that is not predicted as wanted has a *reach*: no change that
moves it by less can do it (see :mod:`fgac.explainers.radius`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from fgac._tolerances import TIE_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.estimators._state import ClassifierState, OrdinalState, RegressorState
from fgac.explainers.changes.question import Span
from fgac.explainers.radius import RobustnessRadius
from fgac.fuzzy.connectives import IDENTITY
from fgac.granular.membership import Memberships
from fgac.metrics.distances import Blockwise, Metric, Rows


class Verdict(NamedTuple):
    """What a model says of some rows: which are as wanted, how far the others are from it at least, what it predicts.

    ``reach`` is 0 where nothing is guaranteed. ``found`` are numbers of classes, or numbers.
    """

    wanted: Bools
    reach: Floats
    found: Any


class Judge(ABC):
    """What is wanted of rows, and what a model says of them.

    A row is one of the asked rows with some changes; ``of`` says of which, for what is wanted may depend on that.

    Attributes
    ----------
    metric : the distance of the model
    gamma : how fast strength falls with distance
    holds : whether anything is guaranteed
    strengths : how strongly each training row speaks for what it is predicted as
    """

    metric: Metric
    gamma: float
    holds: bool

    @abstractmethod
    def judge(self, rows: Rows, of: Ints) -> Verdict:
        """Judge changed rows."""

    @abstractmethod
    def goals(self, i: int) -> Floats:
        """How strongly every training row speaks for what is wanted of an asked row; minus infinity if it does not."""

    @abstractmethod
    def supports(self, found: Any) -> Floats:
        """How strongly every training row speaks for a prediction as wanted; minus infinity if it does not."""


class ClassJudge(Judge):
    """Classes: another one than that of the row, or a certain one."""

    def __init__(self, state: ClassifierState, rows: Rows, target: int | None) -> None:
        self.state, self.metric, self.gamma, self.target = state, state.metric, state.gamma, target
        self.robustness = robustness_of(state)
        self.holds = self.robustness.holds
        self.codes = state.records.codes
        self.beta = state.beta[state.records.positions]
        self.threshold = state.predictor.model.isomorphism.threshold
        self.own = state.predictor.winners(rows)

    def judge(self, rows: Rows, of: Ints) -> Verdict:
        """Judge changed rows."""
        memberships, winners, gap = self._winners(rows)
        own, each = self.own[of], np.arange(len(rows))
        wanted = winners != own if self.target is None else winners == self.target
        degree = self.robustness.phi(memberships.degree)
        if self.target is None:
            others = degree.copy()
            others[each, own] = -np.inf
            second = others.max(axis=1)
        else:
            second = degree[:, self.target]
        first = degree[each, winners]
        # With one class only there is no other.
        lead = np.where(np.isfinite(second), first - np.where(np.isfinite(second), second, 0.0), np.inf)
        return Verdict(wanted, np.maximum(self.robustness.reach(lead), gap), winners)

    def _winners(self, rows: Rows) -> tuple[Memberships, Ints, Floats]:
        """Memberships, predicted classes, and how far rows are from another one at least by the support of these.

        Of two classes the one with more support is predicted, also where neither has an argument and their degrees are
        equal; and support, too, changes by gamma times the distance at most.
        """
        predictor = self.state.predictor
        model = predictor.model
        simple = predictor.owa_bounds is None and model.n_classes == 2 and model.isomorphism == IDENTITY
        if not simple or predictor.ties != "nearest" or not self.holds:
            memberships, scores = predictor.memberships_and_scores(rows)
            return memberships, scores.argmax(axis=1), np.zeros(len(rows))
        memberships, support = model.memberships(rows)
        scores = model.break_ties(memberships.degree, predictor.ties, lambda tied: support[tied])
        gap = np.abs(support[:, 1] - support[:, 0]) - TIE_TOL
        return memberships, scores.argmax(axis=1), np.maximum(gap, 0.0) / (2.0 * self.gamma)

    def goals(self, i: int) -> Floats:
        """Memberships of the training rows of wanted classes in these."""
        is_wanted = self.codes != self.own[i] if self.target is None else self.codes == self.target
        return strong(is_wanted, self.beta, self.threshold)

    def supports(self, found: Any) -> Floats:
        """Memberships of the training rows of the class."""
        return np.where(self.codes == found, self.beta, -np.inf)


class OrderJudge(Judge):
    """Ordered classes: another one than that of the row, or one of those between two."""

    def __init__(self, state: OrdinalState, rows: Rows, span: Span | None) -> None:
        self.state, self.span, self.gamma = state, span, state.gamma
        self.boundaries = state.boundaries
        first = self.boundaries[0]
        self.metric = first.metric
        self.robustness = [robustness_of(boundary) for boundary in self.boundaries]
        self.holds = all(each.holds for each in self.robustness)
        self.codes = np.sum([boundary.records.codes for boundary in self.boundaries], axis=0)
        self.beta = state.beta[first.records.positions]
        self.threshold = first.predictor.model.isomorphism.threshold
        self.own = state.winners(rows)

    def judge(self, rows: Rows, of: Ints) -> Verdict:
        """Judge changed rows."""
        sides, reaches = [], []
        for boundary, robustness in zip(self.boundaries, self.robustness, strict=True):
            memberships, scores = boundary.predictor.memberships_and_scores(rows)
            below, above = robustness.phi(memberships.degree).T
            sides.append(scores.argmax(axis=1))
            reaches.append(robustness.reach(np.abs(above - below)))
        above, reach = np.array(sides).T, np.array(reaches).T
        winners = above.sum(axis=1)
        if self.span is None:
            return Verdict(winners != self.own[of], reach.min(axis=1), winners)
        low, high = self.span
        missing = np.maximum(low - winners, winners - high)
        # So many boundaries must be crossed, of those that the row is on the other side of.
        crossed = np.sort(np.where(above == (winners > high)[:, None], reach, np.inf), axis=1)
        last = np.clip(missing - 1, 0, len(self.boundaries) - 1).astype(np.int64)
        return Verdict(missing <= 0, crossed[np.arange(len(rows)), last], winners)

    def goals(self, i: int) -> Floats:
        """Memberships of the training rows of wanted classes in these."""
        low, high = (0, len(self.boundaries)) if self.span is None else self.span
        is_wanted = (self.codes >= low) & (self.codes <= high)
        if self.span is None:
            is_wanted &= self.codes != self.own[i]
        return strong(is_wanted, self.beta, self.threshold)

    def supports(self, found: Any) -> Floats:
        """Memberships of the training rows of the class."""
        return np.where(self.codes == found, self.beta, -np.inf)


class NumberJudge(Judge):
    """Numbers between two."""

    def __init__(self, state: RegressorState, span: Span) -> None:
        self.state, self.metric, self.gamma = state, state.metric, state.gamma
        self.low, self.high = span
        self.holds = not isinstance(state.metric, Blockwise)
        self.fitted = state.fitted_values[state.records.positions]
        self.unit = state.scale.span or 1.0

    def judge(self, rows: Rows, of: Ints) -> Verdict:
        """Judge changed rows."""
        found = self.state.bounds(rows).prediction
        off = np.maximum(self.low - found, found - self.high)
        slope = self.state.slope
        with np.errstate(over="ignore"):
            reach = np.maximum(off, 0.0) / slope if slope else np.where(off > 0, np.inf, 0.0)
        return Verdict(off <= 0, reach if self.holds else np.zeros(len(rows)), found)

    def goals(self, i: int) -> Floats:
        """How far within what is wanted the training rows are, as a share of the scale of the targets."""
        within = np.minimum(self.fitted - self.low, self.high - self.fitted) / self.unit
        # What is far beyond speaks no more strongly than what is well beyond; neither is nearer.
        return np.where(within >= 0, np.minimum(within, 1.0), -np.inf)

    def supports(self, found: Any) -> Floats:
        """The same: the training rows that are as wanted."""
        return self.goals(0)


def strong(is_wanted: Bools, memberships: Floats, threshold: float) -> Floats:
    """Memberships of training rows that are wanted: only of those above the threshold, if there are any.

    At such a row its class is predicted, so that a way there ends as wanted.

    >>> strong(np.array([True, True, False]), np.array([0.4, 0.6, 0.9]), 0.5)
    array([-inf,  0.6, -inf])
    """
    is_strong = is_wanted & (memberships > threshold)
    return np.where(is_strong if is_strong.any() else is_wanted, memberships, -np.inf)


def robustness_of(state: ClassifierState) -> RobustnessRadius:
    """How far rows may move without another class, for a classifier."""
    predictor = state.predictor
    return RobustnessRadius(
        state.metric,
        state.gamma,
        predictor.model.isomorphism,
        averaged=predictor.owa_bounds is not None,
        bent=predictor.model.bends_similarity,
    )
