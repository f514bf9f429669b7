"""What would change predictions: from a state, rows and a question to :class:`~fgac.explanation.Counterfactuals`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fgac._progress import steps
from fgac._typing import Floats, Ints
from fgac.estimators._state import ClassifierState, ClassState, FittedState, OrdinalState, RegressorState
from fgac.explainers.base import check_units, named_rows
from fgac.explainers.changes.judges import ClassJudge, Judge, NumberJudge, OrderJudge
from fgac.explainers.changes.one_column import OneColumn
from fgac.explainers.changes.question import Question, wanted_class, wanted_classes, wanted_numbers
from fgac.explainers.changes.search import Found, Search, best
from fgac.explainers.changes.several_columns import SeveralColumns
from fgac.explainers.changes.space import Space
from fgac.explanation.classification import Explanation
from fgac.explanation.counterfactual import Change, Counterfactual, Counterfactuals, Goal
from fgac.explanation.ordinal import OrdinalExplanation
from fgac.explanation.regression import RegressionExplanation
from fgac.metrics.distances import Rows
from fgac.tables.column_values import ReadColumn
from fgac.tables.labels import plain_name
from fgac.tables.training_rows import TrainingRecords
from fgac.tables.value_kinds import UNITS

Item = TypeVar("Item", Explanation, OrdinalExplanation, RegressionExplanation)

# Rows are asked about so many at a time.
CHUNK = 200
# What explanations may be asked about changes, which have the units of the explanation unless they are given others.
SETTINGS = ("target", "fixed", "directions", "steps", "max_features", "n", "units")
# What the target is called among units.
TARGET = "y"


def counterfactuals(
    state: FittedState,
    values: Sequence[ReadColumn],
    ids: NDArray[Any],
    *,
    target: Any = None,
    units: Mapping[str, str] | None = None,
    **question: Any,
) -> Counterfactuals:
    """Changes of rows that an estimator has read; see :meth:`fgac.FGAClassifier.counterfactuals`."""
    if isinstance(state, OrdinalState) and not state.boundaries:
        return Counterfactuals(((),) * len(ids), tuple(plain_name(name) for name in ids), state.target_name)
    records = _records(state)
    assert state.table is not None
    assert records.values is not None
    asked = Question.checked(state.table.columns, state.column_names, **question)
    known_units = check_units(units, state.column_names, TARGET)
    wanted = _wanted(state, target)
    items: list[tuple[Counterfactual, ...]] = []
    for start in steps("looking for what would change predictions", range(0, len(ids), CHUNK)):
        part = [column[start : start + CHUNK] for column in values]
        space = Space.of(state.table, state.column_names, records.values, part)
        judge = _judge(state, space.rows(space.asked), wanted)
        items += _Answers(state, Search(space, judge, asked), known_units).all()
    unit = known_units.get(TARGET, "") if isinstance(state, RegressorState) else ""
    names = tuple(plain_name(name) for name in ids)
    return Counterfactuals(tuple(items), names, state.target_name, unit)


def with_counterfactuals(
    items: list[Item],
    state: FittedState,
    values: Sequence[ReadColumn],
    asked: Any,
    units: Mapping[str, str] | None,
) -> list[Item]:
    """Explanations that say what would change the prediction, if that is asked: True, or a dict of settings."""
    if asked is None or asked is False:
        return items
    if asked is not True and not isinstance(asked, Mapping):
        raise ValueError(
            f"counterfactuals={asked!r} must be True, or a dict of settings of counterfactuals(), as in "
            "{'target': 'yes', 'fixed': ['age']}"
        )
    unknown = [name for name in ({} if asked is True else asked) if name not in SETTINGS]
    if unknown:
        raise ValueError(
            f"counterfactuals={asked!r} has {unknown[0]!r}, which is no setting of counterfactuals(); expected some of "
            f"{', '.join(SETTINGS)}"
        )
    ids = np.array([item.id for item in items], dtype=object)
    found = counterfactuals(state, values, ids, **{"units": units, **({} if asked is True else asked)})
    return [replace(item, counterfactuals=changes) for item, changes in zip(items, found.items, strict=True)]


def can_change(state: FittedState) -> bool:
    """Whether a model can say what would change its predictions: it keeps the values of its training rows."""
    try:
        _records(state)
    except ValueError:
        return False
    return True


def _records(state: FittedState) -> TrainingRecords:
    """The training rows of a state, with their values; an error where they have none."""
    if state.table is None:
        raise ValueError(
            "this model was fitted to distances (metric='precomputed'), so there are no values that could change; fit "
            "it to a table, with another metric"
        )
    if isinstance(state, OrdinalState):
        records = state.boundaries[0].records
    elif isinstance(state, ClassifierState | RegressorState):
        records = state.records
    else:
        raise TypeError(f"there are no counterfactuals of a {type(state).__name__}")
    if records.values is None:
        raise ValueError("this model does not keep the values of its training rows; fit it again")
    return records


def _wanted(state: FittedState, target: Any) -> Any:
    """What is wanted, as the judge of this kind of model takes it."""
    if isinstance(state, RegressorState):
        return wanted_numbers(target)
    if isinstance(state, OrdinalState):
        return wanted_classes(target, state.classes)
    assert isinstance(state, ClassifierState)
    return wanted_class(target, state.classes)


def _judge(state: FittedState, rows: Rows, wanted: Any) -> Judge:
    if isinstance(state, RegressorState):
        return NumberJudge(state, wanted)
    if isinstance(state, OrdinalState):
        return OrderJudge(state, rows, wanted)
    assert isinstance(state, ClassifierState)
    return ClassJudge(state, rows, wanted)


class _Answers:
    """The changes of the rows of a search, as values."""

    def __init__(self, state: FittedState, search: Search, units: Mapping[str, str]) -> None:
        self.state, self.search, self.units = state, search, units
        self.records = _records(state)
        self.labels = [plain_name(label) for label in state.classes] if isinstance(state, ClassState) else []

    def all(self) -> list[tuple[Counterfactual, ...]]:
        """What would change every row; nothing where it is as wanted already."""
        rows = np.flatnonzero(~self.search.start.wanted)
        found = self._found(rows) if len(rows) else []
        values = self._values(found)
        return [
            tuple(value for value, each in zip(values, found, strict=True) if value is not None and each.row == i)
            for i in range(len(self.search.rows))
        ]

    def _found(self, rows: Ints) -> list[Found]:
        """Changes of one column, and of several where these are too few; the best of every row first."""
        n, most = self.search.question.n, self.search.question.max_features
        one_column = OneColumn(self.search)
        singles = dict(zip(rows.tolist(), one_column.run(rows), strict=True))
        found = {i: best(each, n) for i, each in singles.items()}
        # Several columns that leave out those which can do it alone.
        lacking = {
            i: (n - len(each), {one.columns[0] for one in singles[i]})
            for i, each in found.items()
            if not each or (len(each) < n and most > 1)
        }
        more = SeveralColumns(self.search).run(lacking, one_column.pulls) if lacking else {}
        return [each for i in found for each in best([*found[i], *more.get(i, ())], n)]

    def _values(self, found: Sequence[Found]) -> list[Counterfactual | None]:
        """Changes as values; None of one that is not as wanted once all of them are predicted anew."""
        if not found:
            return []
        of = np.array([each.row for each in found])
        cells = self.search.space.asked[of]
        for k, each in enumerate(found):
            cells[k, list(each.columns)] = each.values
        verdict = self.search.judge(cells, of)
        goals = self._goals(cells, verdict.found)
        return [
            self._value(each, cells[k], verdict.found[k], int(goals[k])) if verdict.wanted[k] else None
            for k, each in enumerate(found)
        ]

    def _goals(self, cells: Floats, predicted: Any) -> Ints:
        """For changed rows the training row that speaks for what is predicted most strongly."""
        space, judge = self.search.space, self.search.wanted
        known, rows = space.rows(space.known).without_direction(), space.rows(cells).without_direction()
        distances = np.empty((len(rows), len(known)))
        judge.metric.block(rows, known, distances)
        # Of rows that are as strong, the first by its values, whatever the order of the table.
        order = np.lexsort(space.known.T[::-1])
        strengths = [judge.supports(each)[order] for each in predicted]
        pairs = zip(strengths, distances, strict=True)
        nearest = [np.argmax(strength - judge.gamma * way[order]) for strength, way in pairs]
        return np.asarray(order[np.array(nearest)])

    def _value(self, found: Found, cells: Floats, predicted: Any, goal: int) -> Counterfactual:
        space, start = self.search.space, self.search.start
        before = space.told(space.asked[found.row])
        after = space.told(cells)
        bound = float(start.reach[found.row]) if self.search.wanted.holds else None
        return Counterfactual(
            changes=tuple(self._change(j, before, after) for j in found.columns),
            row=after,
            distance=found.distance,
            prediction=self.labels[int(predicted)] if self.labels else float(predicted),
            toward=self._goal(goal),
            # Rounding may put the two in the wrong order where they are the same.
            lower_bound=None if bound is None else min(bound, found.distance),
            is_number=not self.labels,
        )

    def _change(self, j: int, before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
        each = self.search.space.columns[j]
        unit = self.units.get(each.name, UNITS.get(each.column.kind, ""))
        return Change(each.name, before[each.name], after[each.name], unit, each.column.kind)

    def _goal(self, row: int) -> Goal:
        """A training row, and those that are equal to it."""
        known = self.search.space.known
        same = ((known == known[row]) | (np.isnan(known) & np.isnan(known[row]))).all(axis=1)
        label = self._label(row)
        alike = [k for k in np.flatnonzero(same).tolist() if self._label(k) == label]
        return Goal(label=label, **named_rows(self.records, np.array(alike)))

    def _label(self, row: int) -> Any:
        """The class or the target of a training row."""
        if isinstance(self.state, RegressorState):
            return float(self.state.targets[self.records.nodes[row]])
        if isinstance(self.state, OrdinalState):
            return self.labels[sum(int(boundary.records.codes[row]) for boundary in self.state.boundaries)]
        return self.labels[int(self.records.codes[row])]
