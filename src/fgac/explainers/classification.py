"""From the state of a fitted classifier and new rows to :class:`~fgac.explanation.Explanation` values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fgac._progress import steps
from fgac._tolerances import STRENGTH_DIGITS, STRENGTH_TOL
from fgac._typing import Floats, Ints
from fgac.estimators._state import ClassifierState
from fgac.explainers.about import Questions, ranked_classes
from fgac.explainers.audit_classification import audit_labels
from fgac.explainers.base import N_SUSPECTS, BaseExplainer, ExplainedRow, Options, check_truths, explained_rows
from fgac.explainers.counterfactuals import with_counterfactuals
from fgac.explainers.radius import Moves, RobustnessRadius, allowance
from fgac.explainers.summary import summarise
from fgac.explainers.views import Ranking, SeenNodes, Views
from fgac.explanation.arguments import FeatureComparison
from fgac.explanation.classification import Argument, ClassCase, Explanation, Explanations, FeatureValue, Membership
from fgac.explanation.contrast import Contrast, DecidingRow
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.granular.calibration import Calibration
from fgac.granular.dissimilarity import bend
from fgac.granular.membership import Memberships, tied_classes
from fgac.metrics.distances import Rows
from fgac.tables.column_values import ReadColumn
from fgac.tables.labels import plain_name
from fgac.tables.value_kinds import plain_value, whole_steps

Item = TypeVar("Item", Explanation, OrdinalExplanation)


def explain(
    state: ClassifierState,
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
) -> Explanations:
    """Explain the predictions of rows that an estimator has read; see :meth:`fgac.FGAClassifier.explain`."""
    options = Options.checked(n_arguments, merge_similarity, units, state.column_names)
    explained = explained_rows(state, rows, values, ids, check_truths(y, len(rows)))
    explainer = ClassificationExplainer(state, options)
    questions = Questions.checked(about, alternatives, explainer.labels, len(rows))
    memberships, scores = state.predictor.memberships_and_scores(rows)
    items = [
        explainer.answer(row, Memberships(*(part[row.index] for part in memberships)), int(np.argmax(score)), questions)
        for row, score in steps("explaining", list(zip(explained, scores, strict=True)))
    ]
    items = with_reliability(items, state.calibration, scores, scores.argmax(axis=1))
    items = with_counterfactuals(items, state, values, counterfactuals, units)
    suspects = audit_labels(state, N_SUSPECTS) if audit else None
    return Explanations(tuple(items), summarise(state), suspects)


def with_reliability(items: list[Item], calibration: Calibration | None, degrees: Floats, winners: Ints) -> list[Item]:
    """Explanations that say how often such predictions were right, if rows held out have shown it.

    There are no such cases of a guess: the rows whose predictions were as sure had arguments.
    """
    if calibration is None:
        return items
    chances = calibration.probabilities(degrees)[np.arange(len(items)), winners]
    return [
        item if item.resembles_nothing else replace(item, reliability=calibration.reliability(p))
        for item, p in zip(items, chances, strict=True)
    ]


class ClassificationExplainer(BaseExplainer):
    """Explains predicted classes by training rows for and against them."""

    largest_distance = float(np.finfo(np.float64).max)

    def __init__(self, state: ClassifierState, options: Options) -> None:
        predictor = state.predictor
        super().__init__(state, predictor.model.envelope.rows, options)
        self.model, self.owa_bounds, self.ties = predictor.model, predictor.owa_bounds, predictor.ties
        self.labels = [plain_name(label) for label in state.classes]
        self.own_class, self.isomorphism = self.model.own, self.model.isomorphism
        self.degrees = None if self.owa_bounds is None else self.owa_bounds.degrees
        self.cumulative_weight = None if self.owa_bounds is None else self.owa_bounds.cumulative()
        self.robustness = RobustnessRadius(
            self.metric,
            self.gamma,
            self.isomorphism,
            averaged=self.owa_bounds is not None,
            bent=self.model.bends_similarity,
        )

    def answer(self, row: ExplainedRow, seen: Memberships, k: int, questions: Questions) -> Explanation:
        """Explain what is asked about one row, with these memberships in all classes, that was put into class k."""
        ranked: list[int] = []
        if questions.n_alternatives:
            # Support is computed once more, but only for who asks about several classes.
            support = self.model.support(row.point)[0]
            ranked = ranked_classes(k, seen.degree, support, self.model.tie_order)
        others = questions.others(row.index, k, ranked)
        return questions.turned(self.explain(row, seen, k, others), self.labels, ranked)

    def explain(self, row: ExplainedRow, seen: Memberships, k: int, others: Sequence[int] = ()) -> Explanation:
        """Explain why one row, with these memberships in all classes, was put into class k, and not into others."""
        views = self._views(row.point)
        # Bounds of 0 and 1 in every class are those of a row without any argument, for or against.
        nothing = bool(seen.lower.max() <= STRENGTH_TOL and seen.upper.min() >= 1.0 - STRENGTH_TOL)
        second = self._second(row.point, seen.degree, k)
        tied = np.flatnonzero(tied_classes(seen.degree[None])[0])
        radius = self.robustness.radius(seen.degree, k, second)
        case = self._case(row, seen, views, k, None if second is None else (k, second))
        return Explanation(
            index=row.index,
            id=row.id,
            prediction=self.labels[k],
            truth=row.truth,
            lower=case.lower,
            upper=case.upper,
            degree=case.degree,
            margin=1.0 if second is None else float(seen.degree[k] - seen.degree[second]),
            runner_up=None if second is None else self.labels[second],
            certified_radius=radius,
            memberships=tuple(Membership(*part) for part in zip(self.labels, *(p.tolist() for p in seen), strict=True)),
            arguments_for=case.arguments_for,
            arguments_against=case.arguments_against,
            rest_for=case.rest_for,
            rest_against=case.rest_against,
            tied=tuple(self.labels[c] for c in tied) if len(tied) > 1 else (),
            resembles_nothing=nothing,
            nearest=self._nearest(row, k) if nothing else None,
            attributes=self._feature_values(row, radius, k),
            threshold=self.isomorphism.threshold,
            target=self.target,
            unknown=self.unknown_names(row),
            beyond=row.beyond,
            contrast=case.contrast,
            alternatives=tuple(self._case(row, seen, views, c, (k, c)) for c in others),
        )

    def _case(
        self, row: ExplainedRow, seen: Memberships, views: Views, c: int, pair: tuple[int, int] | None
    ) -> ClassCase:
        """What there is to say about class c, and what decides between a pair of classes."""
        side_for, side_against = views[::-1] if c else views
        arguments_for = self._arguments(row, self._in_class(c), side_for)
        arguments_against = self._arguments(row, self._not_in_class(c), side_against)
        return ClassCase(
            label=self.labels[c],
            lower=float(seen.lower[c]),
            upper=float(seen.upper[c]),
            degree=float(seen.degree[c]),
            arguments_for=arguments_for,
            arguments_against=arguments_against,
            rest_for=self._rest(seen.lower[c], [a.weight * a.strength for a in arguments_for]),
            rest_against=self._rest(1.0 - seen.upper[c], [a.weight * self._taken(a) for a in arguments_against]),
            contrast=None if pair is None else self._contrast(row, views, pair),
        )

    def _contrast(self, row: ExplainedRow, views: Views, pair: tuple[int, int]) -> Contrast:
        """What decides between two classes: the strongest row for each, and how these two compare with the row."""
        first, second = ((c, views[1] if c else views[0]) for c in pair)
        found = [self._deciding(row, c, seen) for c, seen in (first, second)]
        (one, compared_one), (other, compared_other) = found
        labels = self.labels[pair[0]], self.labels[pair[1]]
        return Contrast.between(labels, (one, other), (compared_one, compared_other))

    def _deciding(
        self, row: ExplainedRow, c: int, seen: SeenNodes
    ) -> tuple[DecidingRow, tuple[FeatureComparison, ...]]:
        """The node that speaks most strongly for class c, or comes nearest to it, and its features beside the row's."""
        degrees = self._in_class(c)
        strengths = degrees - seen.steps
        # Of equally strong nodes, the one that is ranked first among the arguments.
        best = np.flatnonzero(strengths >= strengths.max() - STRENGTH_TOL)
        node = int(best[self._order(best, strengths[best], seen.steps[best])[0]])
        parts = self._parts(row, np.array([node]), seen)
        decides = DecidingRow(
            index=parts["index"],
            id=parts["id"],
            label=self.labels[int(self.own_class[node])],
            distance=parts["distance"],
            similarity=parts["similarity"],
            membership=self._to_user_scale(degrees[node]),
            strength=self._to_user_scale(max(0.0, float(strengths[node]))),
            alike=parts["alike"],
        )
        return decides, parts["attributes"]

    def _second(self, point: Rows, degree: Floats, k: int) -> int | None:
        """The class that would be predicted if class k were not there."""
        if len(degree) == 1:
            return None
        # Support is computed once more, but only where two of the other classes tie.
        others = np.where(np.arange(len(degree)) == k, -np.inf, degree)[None]
        return int(np.argmax(self.model.break_ties(others, self.ties, lambda _: self.model.support(point))))

    def _views(self, point: Rows) -> Views:
        """The nodes as they are compared with a row that is to be in the lower class, and in the higher one.

        Only averages over ordered columns compare all of them one way for a class and the other way against it.
        """
        if self.owa_bounds is None or self.nodes.ordered is None:
            seen = self._seen(point, self.nodes)
            return seen, seen
        lower_class, higher_class = (self._seen(point, nodes) for nodes in self.owa_bounds.sides())
        return lower_class, higher_class

    def _seen(self, point: Rows, nodes: Rows) -> SeenNodes:
        """Nodes with their distances from one row."""
        distances = self.distances(point, nodes)
        return SeenNodes(nodes, distances, self._steps(distances), {})

    def _steps(self, distances: Floats) -> Floats:
        """What these distances take off a degree, on the scale of the isomorphism."""
        steps = self.gamma * distances
        if self.model.bends_similarity:
            bend(steps, self.isomorphism)
        return steps

    def similarity(self, distance: float) -> float:
        """How similar rows at this distance are, on the user's scale."""
        plain = super().similarity(distance)
        return plain if self.model.bends_similarity else self._to_user_scale(plain)

    def _in_class(self, k: int) -> Floats:
        """How much every node is in class k; minus infinity for nodes that cannot be arguments."""
        return np.where(self.own_class == k, self.model.beta, -np.inf) if self.degrees is None else self.degrees[k]

    def _not_in_class(self, k: int) -> Floats:
        """How much every node is not in class k; minus infinity for nodes that cannot be arguments."""
        return self.model.against(k) if self.degrees is None else 1.0 - self.degrees[k]

    def _rank(self, degrees: Floats, steps: Floats) -> Ranking:
        """Nodes by falling strength, with the weights that their strengths have in the bound.

        Of equally strong ones the more similar comes first; the names of the classes decide nothing.
        """
        nodes = np.flatnonzero(degrees - steps > STRENGTH_TOL)
        strengths = (degrees - steps)[nodes]
        order = self._order(nodes, strengths, steps[nodes])
        nodes = nodes[order]
        return Ranking(nodes, strengths[order], degrees[nodes], self._weights(nodes))

    def _order(self, nodes: Ints, strengths: Floats, steps: Floats) -> Ints:
        """The order of some nodes, strongest first."""
        tie_order = self.model.tie_order[self.own_class[nodes]]
        return self.by_strength(nodes, strengths, np.round(steps, STRENGTH_DIGITS), tie_order)

    def _weights(self, nodes: Ints) -> Floats:
        """Weights of the strengths of ranked nodes in the bound: all on the first, unless the bound is an average."""
        if self.owa_bounds is None or self.cumulative_weight is None:
            weights = np.zeros(len(nodes))
            weights[:1] = 1.0
            return weights
        return np.diff(self.cumulative_weight(np.cumsum(self.owa_bounds.multiplicity[nodes])), prepend=0.0)

    def _taken(self, argument: Argument) -> float:
        """What an argument against takes from the upper bound: its strength, or what the isomorphism makes of it."""
        return 1.0 - float(self.isomorphism.negator(argument.strength))

    def _rest(self, bound: float, shown: list[float]) -> float:
        """The part of a bound that the arguments shown do not account for."""
        # Without averages the bound is the first argument; any difference would be rounding.
        return 0.0 if self.owa_bounds is None else max(0.0, float(bound) - sum(shown))

    def mergeable(self, node: int) -> tuple[int, int]:
        """Rows of other classes are other arguments, however near: the nodes of the same class."""
        start, stop = self.model.starts[self.own_class[node] : self.own_class[node] + 2]
        return int(start), int(stop)

    def _arguments(self, row: ExplainedRow, degrees: Floats, seen: SeenNodes) -> tuple[Argument, ...]:
        """The strongest arguments of one side, of rows that are nearly equal only the strongest."""
        ranking = self._rank(degrees, seen.steps)
        return tuple(
            self._argument(
                row,
                ranking.nodes[group],
                seen,
                degree=float(ranking.degrees[group[0]]),
                strength=self._to_user_scale(ranking.strengths[group[0]]),
                weight=float(ranking.weights[group[0]]),
            )
            for group in self.groups(ranking.nodes)
        )

    def _argument(
        self, row: ExplainedRow, group: Ints, seen: SeenNodes, *, degree: float, strength: float, weight: float
    ) -> Argument:
        """Nodes that are one argument, the strongest first; its degree is on the scale of the isomorphism."""
        node = int(group[0])
        parts = self._parts(row, group, seen)
        nearer = self.known_distance(row, seen.nodes[node : node + 1], parts["attributes"])
        return Argument(
            **parts,
            label=self.labels[int(self.own_class[node])],
            membership=self._to_user_scale(self.model.beta[node]),
            degree=self._to_user_scale(degree),
            strength=strength,
            weight=weight,
            unknown_cost=0.0 if nearer is None else max(0.0, self._strength(degree, nearer) - strength),
        )

    def _parts(self, row: ExplainedRow, group: Ints, seen: SeenNodes) -> dict[str, Any]:
        """The fields of an argument that do not depend on the class it is about."""
        key = tuple(int(node) for node in group)
        if key not in seen.parts:
            seen.parts[key] = self.argument_parts(row, seen.nodes, group, float(seen.distances[key[0]]))
        return seen.parts[key]

    def _strength(self, degree: float, distance: float) -> float:
        """How strong a node is as an argument, were it at this distance, on the user's scale."""
        return self._to_user_scale(max(0.0, degree - float(self._steps(np.array([distance]))[0])))

    def _nearest(self, row: ExplainedRow, k: int) -> Argument:
        """The node that comes nearest to being an argument for its class, although none is near enough."""
        seen = self._seen(row.point, self.nodes)
        # By strength, were that not cut off at 0: a nearer row may belong to its class too little to matter.
        node = int(np.argmax(self.model.beta - seen.steps))
        degree = float(self.model.degrees()[k, node])
        return self._argument(row, np.array([node]), seen, degree=degree, strength=0.0, weight=0.0)

    def _to_user_scale(self, degree: float) -> float:
        return float(self.isomorphism.inverse(degree))

    def _feature_values(self, row: ExplainedRow, radius: float | None, k: int) -> tuple[FeatureValue, ...]:
        """The explained row itself, and how far each feature alone may move without leaving class k."""
        side = 1 if k else -1  # columns are ordered for two classes only
        moves = self.moves(row)
        return tuple(
            FeatureValue(
                name=name,
                value=plain_value(column.kind, value),
                unit=self.unit_of(column, name),
                is_nominal=column.is_categorical,
                radius=self._allowance(moves, j, value, radius, side * column.direction),
                direction=side * column.direction,
                weight=column.weight,
                kind=column.kind,
                score=0.0 if self.table is None else self.table.score_of_column(j),
            )
            for j, (column, name, value) in enumerate(
                zip(self.columns, self.records.column_names, row.values, strict=True)
            )
        )

    def _allowance(self, moves: Moves | None, j: int, value: Any, radius: float | None, direction: int) -> float | None:
        if moves is None or len(self.labels) == 1:
            return None
        room = allowance(moves, j, radius, value, direction)
        return whole_steps(self.columns[j].kind, room, value, direction)
