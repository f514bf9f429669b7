"""From a fitted classifier and new rows to :class:`~fgac.explanation.classification.Explanation` values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fgac._tolerances import STRENGTH_DIGITS, STRENGTH_TOL
from fgac._typing import Bools, Floats, Ints
from fgac.explainers.attributes import AttributeShares
from fgac.explainers.audit_classification import audit_labels
from fgac.explainers.base import FARTHEST, N_SUSPECTS, check_alike, check_truths, check_units
from fgac.explainers.radius import RobustnessRadius, allowance
from fgac.explainers.summary import summarise
from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.classification import (
    Argument,
    Explanation,
    Explanations,
    FeatureValue,
    Membership,
)
from fgac.granular.dissimilarity import bend
from fgac.granular.membership import Memberships, tied_classes
from fgac.metrics.distances import Rows
from fgac.tables.labels import plain_name, read_ids
from fgac.tables.validation import check_count

if TYPE_CHECKING:
    from fgac.estimators.classifier import FGAClassifier


@dataclass(frozen=True)
class Ranking:
    """Nodes that argue on one side about one row, strongest first, with the weights of their strengths."""

    nodes: Ints
    strengths: Floats
    weights: Floats


def explain(
    clf: FGAClassifier,
    X: Any,
    n_arguments: int = 3,
    *,
    y: Any = None,
    ids: Any = None,
    units: Mapping[str, str] | None = None,
    alike: float = 0.95,
) -> Explanations:
    """Explain the predictions of some rows; see :meth:`fgac.FGAClassifier.explain`."""
    check_count("n_arguments", n_arguments)
    check_alike(alike)
    rows, values = clf._read_rows_and_values(X)
    names = read_ids(ids, X, len(rows))
    truths = check_truths(y, len(rows))
    witness = ClassificationExplainer(
        clf, int(n_arguments), float(alike), check_units(units, clf._state.records.column_names)
    )
    memberships, scores = clf._state.predictor.memberships_and_scores(rows)
    items = []
    for i in range(len(rows)):
        seen = Memberships(*(part[i] for part in memberships))
        readings = [part.value(i) for part in values]
        items.append(
            witness.explain(i, rows[i : i + 1], readings, seen, int(np.argmax(scores[i])), names[i], truths[i])
        )
    return Explanations(tuple(items), summarise(clf), audit_labels(clf, N_SUSPECTS, "membership"))


class ClassificationExplainer:
    """A fitted classifier that is asked for its reasons, row by row."""

    def __init__(self, clf: FGAClassifier, n_arguments: int, alike: float, units: Mapping[str, str]) -> None:
        self.clf, self.model, self.records = clf, clf._state.predictor.model, clf._state.records
        self.n_arguments, self.alike, self.units = n_arguments, alike, units
        self.labels = [plain_name(label) for label in clf.classes_]
        self.own = self.model.own
        self.envelope, self.phi = self.model.envelope, self.model.isomorphism
        self.metric, self.gamma = clf._state.metric, clf._state.predictor.model.gamma
        table = clf._state.table
        self.columns = () if table is None else table.columns
        self.shares = None if table is None else AttributeShares(table, self.envelope.rows, self.metric)
        self.near: dict[int, Ints] = {}
        self.soft = clf._state.predictor.owa_bounds
        self.degrees = self.soft.degrees if self.soft is not None else None
        self.cumulative = self.soft.cumulative() if self.soft is not None else None
        self.certificate = RobustnessRadius(self.metric, self.gamma, self.phi, soft=self.soft is not None)

    def explain(
        self, index: int, row: Rows, values: list[Any], seen: Memberships, k: int, name: Any, truth: Any
    ) -> Explanation:
        """Explain why one row was put into class k."""
        distances = self._distances(row, self.envelope.rows)
        steps = self._steps(distances)
        in_class, not_in_class = self._values_for(k), self._values_against(k)
        nothing = bool(seen.lower.max() <= STRENGTH_TOL and seen.upper.min() >= 1.0 - STRENGTH_TOL)
        second = self._second(row, seen.degree, k)
        tied = np.flatnonzero(tied_classes(seen.degree[None])[0])
        radius = self.certificate.radius(seen.degree, k, second)
        arguments_for = self._arguments(row, self._rank(in_class, steps), distances, in_class)
        arguments_against = self._arguments(row, self._rank(not_in_class, steps), distances, not_in_class)
        return Explanation(
            index=index,
            id=plain_name(name),
            prediction=self.labels[k],
            truth=truth,
            lower=float(seen.lower[k]),
            upper=float(seen.upper[k]),
            degree=float(seen.degree[k]),
            margin=1.0 if second is None else float(seen.degree[k] - seen.degree[second]),
            runner_up=None if second is None else self.labels[second],
            certified_radius=radius,
            memberships=tuple(Membership(*row) for row in zip(self.labels, *(p.tolist() for p in seen), strict=True)),
            arguments_for=arguments_for,
            arguments_against=arguments_against,
            rest_for=self._rest(seen.lower[k], [a.weight * a.strength for a in arguments_for]),
            rest_against=self._rest(1.0 - seen.upper[k], [a.weight * self._taken(a) for a in arguments_against]),
            tied=tuple(self.labels[c] for c in tied) if len(tied) > 1 else (),
            resembles_nothing=nothing,
            nearest=self._nearest(row, distances, steps, k) if nothing else None,
            attributes=self._readings(values, radius, k),
        )

    def _second(self, row: Rows, degree: Floats, k: int) -> int | None:
        """The class that would be predicted if class k were not there."""
        if len(degree) == 1:
            return None
        others = np.where(np.arange(len(degree)) == k, -np.inf, degree)[None]
        return int(np.argmax(self.model.break_ties(others, self.clf.ties, lambda _: self.model.support(row))))

    def _distances(self, row: Rows, others: Rows) -> Floats:
        out = np.empty((1, len(others)))
        self.metric.block(row, others, out)
        return np.minimum(out[0], FARTHEST)

    def _steps(self, distances: Floats) -> Floats:
        """What is taken off a value at these distances, on the scale of the isomorphism."""
        steps = self.gamma * distances
        bend(steps, self.phi)
        return steps

    def _values_for(self, k: int) -> Floats:
        """How much every node is in class k; minus infinity for nodes that cannot decide."""
        return np.where(self.own == k, self.model.beta, -np.inf) if self.degrees is None else self.degrees[k]

    def _values_against(self, k: int) -> Floats:
        """How much every node is not in class k."""
        return self.model.against(k) if self.degrees is None else 1.0 - self.degrees[k]

    def _rank(self, values: Floats, steps: Floats) -> Ranking:
        """Nodes by falling strength, with the weights that their strengths have in the bound.

        Of equally strong ones the more similar comes first; the names of the classes decide nothing.
        """
        heard = np.flatnonzero(values - steps > STRENGTH_TOL)
        strengths = (values - steps)[heard]
        keys = (
            heard,
            self.model.tie_order[self.own[heard]],
            np.round(steps[heard], STRENGTH_DIGITS),
            -np.round(strengths, STRENGTH_DIGITS),
        )
        order = np.lexsort(keys)
        nodes = heard[order]
        if self.soft is None or self.cumulative is None:
            weights = np.zeros(len(nodes))
            weights[:1] = 1.0
        else:
            weights = np.diff(self.cumulative(np.cumsum(self.soft.multiplicity[nodes])), prepend=0.0)
        return Ranking(nodes, strengths[order], weights)

    def _taken(self, argument: Argument) -> float:
        """What an argument against takes from the upper bound: its strength, or what the isomorphism makes of it."""
        return 1.0 - float(self.phi.negator(argument.strength))

    def _rest(self, bound: float, shown: list[float]) -> float:
        """What rows that are not shown add to a bound."""
        return 0.0 if self.soft is None else max(0.0, float(bound) - sum(shown))

    def _arguments(self, row: Rows, ranking: Ranking, distances: Floats, values: Floats) -> tuple[Argument, ...]:
        """The strongest arguments of one side, of rows that are nearly equal only the strongest."""
        found: list[Argument] = []
        left = np.arange(len(ranking.nodes))
        while len(left) and len(found) < self.n_arguments:
            leader = left[0]
            same = self._alike(ranking.nodes[leader], ranking.nodes[left])
            found.append(self._argument(row, ranking, leader, left[same], distances, values))
            left = left[~same]
        return tuple(found)

    def _alike(self, node: int, others: Ints) -> Bools:
        """Which of some nodes are of the same class as one and nearly equal to it."""
        if node not in self.near:
            start, stop = self.model.starts[self.own[node] : self.own[node] + 2]
            rows = self.envelope.rows[start:stop].without_direction()
            distances = self._distances(rows[node - start : node - start + 1], rows)
            self.near[node] = start + np.flatnonzero(max(1.0, self.gamma) * distances <= 1.0 - self.alike)
        return (others == node) | np.isin(others, self.near[node])

    def _argument(
        self, row: Rows, ranking: Ranking, leader: int, group: Ints, distances: Floats, values: Floats
    ) -> Argument:
        node = int(ranking.nodes[leader])
        return self._about(
            row,
            node,
            float(distances[node]),
            degree=float(self._told(values[node])),
            strength=float(self._told(ranking.strengths[leader])),
            weight=float(ranking.weights[leader]),
            alike=np.concatenate([self.records.of_node(int(other)) for other in ranking.nodes[group]]),
        )

    def _about(
        self, row: Rows, node: int, distance: float, *, degree: float, strength: float, weight: float, alike: Ints
    ) -> Argument:
        """One training row as an argument."""
        records = self.records
        first = int(records.of_node(node)[0])
        names = [plain_name(name) for name in records.ids[alike[alike != first]]]
        return Argument(
            index=int(records.positions[first]),
            id=plain_name(records.ids[first]),
            label=self.labels[int(self.own[node])],
            distance=distance,
            similarity=max(0.0, 1.0 - self.gamma * distance),
            membership=float(self._told(self.model.beta[node])),
            degree=degree,
            strength=strength,
            weight=weight,
            attributes=self._comparisons(row, node, first),
            alike=tuple(names),
        )

    def _nearest(self, row: Rows, distances: Floats, steps: Floats, k: int) -> Argument:
        """The row that comes nearest to speaking for its class, although too far away to be heard."""
        node = int(np.argmax(self.model.beta - steps))
        degree = float(self._told(self.model.degrees()[k, node]))
        rows = self.records.of_node(node)
        return self._about(row, node, float(distances[node]), degree=degree, strength=0.0, weight=0.0, alike=rows)

    def _comparisons(self, row: Rows, node: int, first: int) -> tuple[FeatureComparison, ...]:
        if self.shares is None:
            return ()
        other = self.envelope.rows[node : node + 1]
        close, apart = self.shares.compare(row, other)
        side = (
            0 if other.orientation is None else -int(other.orientation[0])
        )  # which side of the other row does not count
        kept = self.records.values
        values = [None] * len(self.columns) if kept is None else [plain_name(column[first]) for column in kept]
        directions = [side * column.direction for column in self.columns]
        parts = zip(self.records.column_names, values, close[0].tolist(), apart[0].tolist(), directions, strict=True)
        return tuple(FeatureComparison(*part) for part in parts)

    def _told(self, degree: Any) -> Any:
        return self.phi.inverse(degree)

    def _readings(self, values: list[Any], radius: float | None, k: int) -> tuple[FeatureValue, ...]:
        """The explained row itself, and how far each attribute alone may move without leaving class k."""
        table, one_class = self.clf._state.table if self.columns else None, len(self.labels) == 1
        side = 1 if k else -1  # columns are ordered for two classes only
        return tuple(
            FeatureValue(
                name,
                value,
                self.units.get(name, ""),
                column.is_categorical,
                None
                if one_class or table is None
                else allowance(column, table, radius, value, side * column.direction),
                side * column.direction,
                column.weight,
            )
            for column, name, value in zip(self.columns, self.records.column_names, values, strict=True)
        )
