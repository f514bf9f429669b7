"""From the state of a fitted classifier of ordered classes and new rows to explanations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._progress import steps
from fgac.estimators._state import OrdinalState
from fgac.explainers.about import Questions, ranked_classes
from fgac.explainers.audit_classification import audit_boundaries
from fgac.explainers.base import N_SUSPECTS, ExplainedRow, Options, check_truths, explained_rows
from fgac.explainers.classification import ClassificationExplainer, with_reliability
from fgac.explainers.counterfactuals import with_counterfactuals
from fgac.explainers.summary import summarise
from fgac.explanation.classification import Explanation, FeatureValue, Membership
from fgac.explanation.ordinal import OrdinalCase, OrdinalExplanation, OrdinalExplanations
from fgac.granular.boundaries import memberships_of, summed_up
from fgac.granular.membership import Memberships
from fgac.metrics.distances import Rows
from fgac.tables.column_values import ReadColumn
from fgac.tables.labels import plain_name

# How far a row may move, times gamma, if there is no other class to move to: half of the largest lead there can be.
RADIUS_OF_ONE_CLASS = 0.5


def explain(
    state: OrdinalState,
    rows: Rows,
    values: Sequence[ReadColumn],
    ids: NDArray[Any],
    *,
    n_arguments: int,
    y: Any,
    units: Mapping[str, str] | None,
    merge_similarity: float,
    audit: bool,
    about: Any = None,
    alternatives: Any = False,
    counterfactuals: Any = None,
) -> OrdinalExplanations:
    """Explain the predictions of rows that an estimator has read; see :meth:`fgac.FGAOrdinalClassifier.explain`."""
    options = Options.checked(n_arguments, merge_similarity, units, state.column_names)
    explained = explained_rows(state, rows, values, ids, check_truths(y, len(rows)))
    explainer = OrdinalExplainer(state, rows, options)
    questions = Questions.checked(about, alternatives, explainer.classes, len(rows))
    ranked = [explainer.ranked(i) for i in range(len(rows))]
    items = [
        explainer.explain(row, questions.others(row.index, int(explainer.winners[row.index]), order))
        for row, order in steps("explaining", list(zip(explained, ranked, strict=True)))
    ]
    # Before they are turned: how often such predictions were right does not depend on what else is asked.
    items = with_reliability(items, state.calibration, explainer.levels.degree, explainer.winners)
    items = with_counterfactuals(items, state, values, counterfactuals, units)
    items = [questions.turned(item, explainer.classes, order) for item, order in zip(items, ranked, strict=True)]
    suspects = audit_boundaries(state, N_SUSPECTS) if audit else None
    return OrdinalExplanations(tuple(items), summarise(state), suspects)


class OrdinalExplainer:
    """Explains predicted classes by the two boundaries next to them, each of which has an explainer of its own.

    All boundaries are asked about all rows at once, when the explainer is made.
    """

    def __init__(self, state: OrdinalState, rows: Rows, options: Options) -> None:
        self.classes, self.gamma = [plain_name(label) for label in state.classes], state.gamma
        self.above = [plain_name(boundary.classes[1]) for boundary in state.boundaries]
        self.target = state.target_name
        self.explainers = [ClassificationExplainer(boundary, options) for boundary in state.boundaries]
        answers = [boundary.predictor.memberships_and_scores(rows) for boundary in state.boundaries]
        self.of_boundary = [memberships for memberships, _ in answers]
        self.levels, self.winners = summed_up(answers, len(rows))
        self.memberships = memberships_of(self.levels)

    def ranked(self, i: int) -> list[int]:
        """All classes, that of row i first, then by falling degree; of equal ones the nearer, and then the lower."""
        c, degrees = int(self.winners[i]), self.memberships.degree[i]
        places = np.arange(len(self.classes))
        return ranked_classes(c, degrees, -np.abs(places - c).astype(np.float64), places)

    def explain(self, row: ExplainedRow, others: Sequence[int] = ()) -> OrdinalExplanation:
        """Explain the class of one row, and why it is none of some others."""
        i, c = row.index, int(self.winners[row.index])
        case = self._case(row, c)
        below, above = case.at_least, case.at_most
        found = [e for e in (below, above) if e is not None]
        levels = [part[i].tolist() for part in self.levels]
        return OrdinalExplanation(
            index=i,
            id=row.id,
            prediction=self.classes[c],
            truth=row.truth,
            lower=case.lower,
            upper=case.upper,
            degree=case.degree,
            margin=min((e.margin for e in found), default=1.0),
            certified_radius=self._radius(found),
            levels=tuple(Membership(*level) for level in zip(self.above, *levels, strict=True)),
            at_least=below,
            at_most=above,
            attributes=_within_both(below, above),
            target=self.target,
            unknown=next((e.unknown for e in found), ()),
            beyond=row.beyond,
            alternatives=tuple(self._case(row, other) for other in others),
        )

    def _case(self, row: ExplainedRow, c: int) -> OrdinalCase:
        """What there is to say about class c: whether a row is at least of it, and at most."""
        lower, upper, degree = (float(part[row.index, c]) for part in self.memberships)
        below, above = self._boundary(c - 1, 1, row), self._boundary(c, 0, row)
        return OrdinalCase(self.classes[c], lower, upper, degree, below, above)

    def _boundary(self, b: int, side: int, row: ExplainedRow) -> Explanation | None:
        """Why a row is on one side of a boundary, or why it is not, if there is such a boundary."""
        if not 0 <= b < len(self.explainers):
            return None
        seen = Memberships(*(part[row.index] for part in self.of_boundary[b]))
        explainer, found = self.explainers[b], int(b < self.winners[row.index])
        # The truth is a class, not a side of a boundary.
        told = explainer.explain(replace(row, truth=None), seen, found, [side] if side != found else [])
        return replace(told.about_class(explainer.labels[side]), alternatives=())

    def _radius(self, boundaries: list[Explanation]) -> float | None:
        """How far a row may move without crossing any of some boundaries; None if one of them guarantees nothing."""
        radii = [e.certified_radius for e in boundaries if e.certified_radius is not None]
        if len(radii) < len(boundaries):
            return None
        return min(radii, default=RADIUS_OF_ONE_CLASS / self.gamma)


def _within_both(below: Explanation | None, above: Explanation | None) -> tuple[FeatureValue, ...]:
    """The features of a row, and what each alone may do without crossing any of two boundaries."""
    if below is None or above is None:
        only = below or above
        return () if only is None else only.attributes
    return tuple(map(_smaller_radius, below.attributes, above.attributes))


def _smaller_radius(one: FeatureValue, other: FeatureValue) -> FeatureValue:
    """One feature with the smaller of two radii; a rise that is free below is not above, so no way is without limit."""
    radii = [value.radius for value in (one, other) if value.radius is not None]
    return replace(one, radius=min(radii, default=None), direction=0)
