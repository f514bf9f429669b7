"""From a fitted classifier of ordered classes and new rows to explanations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac.explainers.base import check_alike, check_truths, check_units
from fgac.explainers.classification import ClassificationExplainer
from fgac.explainers.summary import settings_of
from fgac.explanation.classification import Explanation, FeatureValue, Membership, ModelSummary
from fgac.explanation.ordinal import OrdinalExplanation, OrdinalExplanations
from fgac.granular.boundaries import memberships_of, summed_up
from fgac.granular.membership import Memberships
from fgac.metrics.distances import Rows
from fgac.tables.labels import plain_name, read_ids
from fgac.tables.validation import check_count

if TYPE_CHECKING:
    from fgac.estimators.ordinal import FGAOrdinalClassifier


# How far a row may move, times gamma, if there is no other class to move to.
ALONE = 0.5


def explain(
    clf: FGAOrdinalClassifier,
    X: Any,
    n_arguments: int = 3,
    *,
    y: Any = None,
    ids: Any = None,
    units: Mapping[str, str] | None = None,
    alike: float = 0.95,
) -> OrdinalExplanations:
    """Explain the predictions of some rows; see :meth:`fgac.estimators.ordinal.FGAOrdinalClassifier.explain`."""
    check_count("n_arguments", n_arguments)
    check_alike(alike)
    rows, values = clf._read_rows_and_values(X)
    names, truths = read_ids(ids, X, len(rows)), check_truths(y, len(rows))
    known = check_units(units, () if (clf._state.table is None) else clf._state.column_names)
    witnesses = [
        ClassificationExplainer(boundary, int(n_arguments), float(alike), known) for boundary in clf.boundaries_
    ]
    witness = OrdinalExplainer(clf, rows, witnesses)
    items = []
    for i in range(len(rows)):
        readings = [part.value(i) for part in values]
        items.append(witness.explain(i, readings, names[i], truths[i]))
    return OrdinalExplanations(tuple(items), summarise(clf))


class OrdinalExplainer:
    """The boundaries of a fitted classifier, asked for their reasons about some rows."""

    def __init__(self, clf: FGAOrdinalClassifier, rows: Rows, witnesses: list[ClassificationExplainer]) -> None:
        self.clf, self.rows, self.witnesses = clf, rows, witnesses
        judged = [boundary.predictor.memberships_and_scores(rows) for boundary in clf._state.boundaries]
        self.seen = [memberships for memberships, _ in judged]
        self.levels, self.winners = summed_up(judged, len(rows))
        self.memberships = memberships_of(self.levels)
        self.labels = [plain_name(boundary.classes_[1]) for boundary in clf.boundaries_]

    def explain(self, i: int, values: list[Any], name: Any, truth: Any) -> OrdinalExplanation:
        """Explain the class of one row."""
        c = int(self.winners[i])
        below, above = self._boundary(c - 1, 1, i, values, name), self._boundary(c, 0, i, values, name)
        found = [e for e in (below, above) if e is not None]
        radii = [e.certified_radius for e in found if e.certified_radius is not None]
        alone = ALONE / float(self.clf.gamma)
        levels = [part[i].tolist() for part in self.levels]
        lower, upper, degree = (float(part[i, c]) for part in self.memberships)
        return OrdinalExplanation(
            index=i,
            id=plain_name(name),
            prediction=plain_name(self.clf.classes_[c]),
            truth=truth,
            lower=lower,
            upper=upper,
            degree=degree,
            margin=min((e.margin for e in found), default=1.0),
            certified_radius=min(radii, default=alone) if len(radii) == len(found) else None,
            levels=tuple(Membership(*level) for level in zip(self.labels, *levels, strict=True)),
            at_least=below,
            at_most=above,
            attributes=readings_of(below, above),
        )

    def _boundary(self, b: int, side: int, i: int, values: list[Any], name: Any) -> Explanation | None:
        """Why a row is on one side of a boundary, if there is such a boundary."""
        if not 0 <= b < len(self.witnesses):
            return None
        seen = Memberships(*(part[i] for part in self.seen[b]))
        return self.witnesses[b].explain(i, self.rows[i : i + 1], values, seen, side, name, None)


def readings_of(below: Explanation | None, above: Explanation | None) -> tuple[FeatureValue, ...]:
    """What single attributes may do without crossing any of two boundaries."""
    if below is None or above is None:
        only = below or above
        return () if only is None else only.attributes
    return tuple(map(_within_both, below.attributes, above.attributes))


def _within_both(one: FeatureValue, other: FeatureValue) -> FeatureValue:
    """The smaller allowance of two; where a rise is free below, it is not above, so neither way is without limit."""
    radii = [reading.radius for reading in (one, other) if reading.radius is not None]
    return replace(one, radius=min(radii, default=None), direction=0)


def summarise(clf: FGAOrdinalClassifier) -> ModelSummary:
    """What a fitted classifier was trained on, how, and the least that is proved of any boundary."""
    from fgac.estimators.ordinal import FGAOrdinalClassifier

    solutions = clf.solutions_
    n_rows = int(np.isfinite(clf.beta_).sum())
    above = [n_rows, *(int(boundary._state.records.codes.sum()) for boundary in clf.boundaries_), 0]
    return ModelSummary(
        classes=tuple(plain_name(label) for label in clf.classes_),
        class_sizes=tuple(before - after for before, after in pairwise(above)),
        n_rows=n_rows,
        n_features=int(clf.n_features_in_),
        gamma=float(clf.gamma),
        settings=settings_of(clf, FGAOrdinalClassifier),
        is_optimal=clf.is_optimal(),
        largest_violation=max((s.largest_violation for s in solutions), default=0.0),
        dual_residual=max((s.dual_residual for s in solutions), default=0.0),
        duality_gap=max((abs(s.duality_gap) for s in solutions), default=0.0),
    )
