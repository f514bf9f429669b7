"""What the explainers of all kinds of models share: from training rows ranked by strength to arguments.

An explainer has the state of one fitted model. Its *nodes* are the distinct training rows (of one class, or with one
target), numbered as in the solved problem; ``state.records`` knows which rows of the caller's table a node stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fgac._renamed import warn_renamed
from fgac._tolerances import STRENGTH_DIGITS
from fgac._typing import Bools, Floats, Ints, Label
from fgac.estimators._state import ClassifierState, FittedState, RegressorState
from fgac.explainers.feature_shares import FeatureShares
from fgac.explainers.radius import Moves
from fgac.explanation.arguments import FeatureComparison, Value
from fgac.metrics.angular import Angular
from fgac.metrics.distances import Rows
from fgac.tables.column_values import NumericColumn, ReadColumn
from fgac.tables.columns import Column
from fgac.tables.containers import listed, one_target
from fgac.tables.labels import is_missing, plain_name, plain_or_unknown
from fgac.tables.training_rows import TrainingRecords
from fgac.tables.turns import Turns
from fgac.tables.validation import check_count
from fgac.tables.value_kinds import UNITS, plain_value

# The number of suspects in the audit that comes with explanations.
N_SUSPECTS = 10


@dataclass(frozen=True)
class Options:
    """How rows are to be explained.

    Attributes
    ----------
    n_arguments : the largest number of arguments on each side
    merge_similarity : training rows that are at least this similar to each other are one argument
    units : units of columns by their names
    """

    n_arguments: int
    merge_similarity: float
    units: Mapping[str, str]

    @classmethod
    def checked(
        cls,
        n_arguments: Any,
        merge_similarity: Any,
        units: Mapping[str, str] | None,
        names: tuple[str, ...],
        target: str | None = None,
    ) -> Options:
        """Options for a model with columns of these names, and a target of that name; wrong ones are refused."""
        check_count("n_arguments", n_arguments)
        check_similarity("merge_similarity", merge_similarity)
        return cls(int(n_arguments), float(merge_similarity), check_units(units, names, target))


@dataclass(frozen=True)
class ExplainedRow:
    """One row to explain, as the estimator has read it.

    Attributes
    ----------
    index : its position among the explained rows
    point : the row alone, as the metric sees it
    values : the values of its columns, None where one is unknown; none if there are only distances
    id, truth : what the caller calls it, and its true class or number, if the caller knows that
    beyond : names of the columns whose number lies beyond those of all training rows, where ranks end
    """

    index: int
    point: Rows
    values: list[Value | None]
    id: Label
    truth: Any
    beyond: tuple[str, ...]


def explained_rows(
    state: FittedState, rows: Rows, values: Sequence[ReadColumn], ids: NDArray[Any], truths: list[Any]
) -> list[ExplainedRow]:
    """Rows one by one; ``values`` are the columns of the table that was read, none of distances."""
    columns = () if state.table is None else state.table.columns
    numeric = [
        (name, column, part.values)
        for name, column, part in zip(state.column_names, columns, values, strict=False)
        if isinstance(part, NumericColumn)
    ]
    return [
        ExplainedRow(
            i,
            rows[i : i + 1],
            [column.value(i) for column in values],
            plain_name(ids[i]),
            truths[i],
            tuple(name for name, column, numbers in numeric if column.beyond(float(numbers[i]))),
        )
        for i in range(len(rows))
    ]


def named_rows(records: TrainingRecords, rows: Ints) -> dict[str, Any]:
    """The fields of a :class:`~fgac.explanation.arguments.RowReference`: the first of some rows, and the others."""
    first, *others = rows
    return {
        "index": int(records.positions[first]),
        "id": plain_name(records.ids[first]),
        "alike": tuple(plain_name(records.ids[other]) for other in others),
    }


def check_similarity(name: str, similarity: Any) -> None:
    """Refuse anything but a similarity that rows can have."""
    if isinstance(similarity, bool) or not isinstance(similarity, Real) or not 0 < float(similarity) <= 1:
        what = "must be a similarity in (0, 1]; 1 tells only equal rows as one argument"
        raise ValueError(f"{name}={similarity!r} {what}")


def similarity_of(merge_similarity: Any, alike: Any) -> Any:
    """The parameter ``merge_similarity``, which callers may still give by its old name."""
    if alike is None:
        return merge_similarity
    warn_renamed("alike")
    check_similarity("alike", alike)
    return alike


def check_truths(y: Any, n: int, *, what: str = "label", read: Callable[[Any], Any] = plain_name) -> list[Any]:
    """One known label, or number, per explained row; None where it is not known."""
    if y is None:
        return [None] * n
    truths = listed(_flat(one_target(y)), "y")
    if len(truths) != n:
        raise ValueError(f"y must hold one {what} per explained row: X has {n} rows, got {len(truths)} {what}s")
    return [None if is_missing(truth) else read(truth) for truth in truths]


def _flat(y: Any) -> Any:
    """An array of shape (n, 1) as one of n entries."""
    return y.ravel() if isinstance(y, np.ndarray) else y


def check_units(
    units: Mapping[str, str] | None, names: tuple[str, ...], target: str | None = None
) -> Mapping[str, str]:
    """Units of columns that there are, or of the target, if it has a name among them."""
    unknown = [name for name in units or {} if name not in names and name != target]
    if unknown:
        hint = "" if target is None else f"; the target is called {target!r}"
        raise ValueError(f"units names {unknown}, which are not columns of the model: {list(names)}{hint}")
    return units or {}


class BaseExplainer:
    """Explains rows by the training rows of one fitted model.

    A subclass says how strong the nodes are as arguments, in which order they come, and makes the explanation.

    Parameters
    ----------
    state : ClassifierState or RegressorState
    nodes : Rows
        The training nodes, as the metric sees them.
    options : Options
    """

    # Longer distances are cut off here, so that all numbers made of them are finite.
    largest_distance: ClassVar[float]

    def __init__(self, state: ClassifierState | RegressorState, nodes: Rows, options: Options) -> None:
        self.records, self.metric, self.gamma = state.records, state.metric, state.gamma
        self.nodes, self.options = nodes, options
        self.table, self.target = state.table, state.target_name
        self.columns = () if state.table is None else state.table.columns
        self.shares = None if state.table is None else FeatureShares(state.table, nodes, state.metric)
        self._near: dict[int, Ints] = {}

    def distances(self, point: Rows, others: Rows) -> Floats:
        """Distances from one row to some others."""
        out = np.empty((1, len(others)))
        self.metric.block(point, others, out)
        return np.minimum(out[0], self.largest_distance)

    def similarity(self, distance: float) -> float:
        """How similar rows at this distance are."""
        return max(0.0, 1.0 - self.gamma * distance)

    def by_strength(self, nodes: Ints, strengths: Floats, *tie_breakers: NDArray[Any]) -> Ints:
        """The order of some nodes by falling strength; of equally strong ones, the smaller tie-breaker comes first.

        Strengths are rounded, because the order of sums must not depend on that of the rows. The number of the node
        decides last: nodes are sorted by their values, whatever the order of the table.
        """
        return np.lexsort((nodes, *reversed(tie_breakers), -np.round(strengths, STRENGTH_DIGITS)))

    def groups(self, ranked: Ints) -> list[Ints]:
        """Positions in a ranking of nodes, one group per argument: the strongest node, then its near-duplicates.

        A node that is in a group is in no later one, so that three arguments are three different ones.
        """
        found: list[Ints] = []
        left = np.arange(len(ranked))
        while len(left) and len(found) < self.options.n_arguments:
            same = self._is_merged(int(ranked[left[0]]), ranked[left])
            found.append(left[same])
            left = left[~same]
        return found

    def mergeable(self, node: int) -> tuple[int, int]:
        """The range of nodes that can be the same argument as one: first number, and the one after the last."""
        raise NotImplementedError

    def _is_merged(self, node: int, others: Ints) -> Bools:
        """Which of some nodes are one argument with another one."""
        # The node itself counts whatever its distance to itself, which a metric of the user's own may not keep at 0.
        return (others == node) | np.isin(others, self._near_duplicates(node))

    def _near_duplicates(self, node: int) -> Ints:
        """Nodes that are nearly equal to one, itself included; remembered, for it may argue about many rows."""
        if node not in self._near:
            start, stop = self.mergeable(node)
            # Near in all columns: with ordered columns as well, a row that is only higher is another row.
            rows = self.nodes[start:stop].without_direction()
            distances = self.distances(rows[node - start : node - start + 1], rows)
            near = max(1.0, self.gamma) * distances <= 1.0 - self.options.merge_similarity
            self._near[node] = start + np.flatnonzero(near)
        return self._near[node]

    def argument_parts(self, row: ExplainedRow, nodes: Rows, group: Ints, distance: float) -> dict[str, Any]:
        """The fields that arguments of all kinds have, but for their strength.

        ``group`` are nodes that are one argument, the strongest first; ``nodes`` all of them, as seen from the row.
        """
        node = int(group[0])
        rows = np.concatenate([self.records.of_node(int(other)) for other in group])
        return {
            **named_rows(self.records, rows),
            "distance": distance,
            "similarity": self.similarity(distance),
            "attributes": self._comparisons(row.point, nodes[node : node + 1], int(rows[0])),
        }

    def known_distance(self, row: ExplainedRow, node: Rows, compared: Sequence[FeatureComparison]) -> float | None:
        """The distance to a node, were the two equal wherever a value is unknown in one; None if all are known."""
        pairs = zip(row.values, compared, strict=False)
        unknown = [j for j, (value, comparison) in enumerate(pairs) if (value is None) != comparison.unknown]
        if self.shares is None or not unknown:
            return None
        return float(self.distances(self.shares.made_equal(row.point, node, unknown), node)[0])

    def moves(self, row: ExplainedRow) -> Moves | None:
        """How far an explained row moves when one of its columns changes; None if there are only distances."""
        if self.table is None or not isinstance(self.metric, Angular):
            return self.table
        return Turns.of(self.table, row.values)

    def unknown_names(self, row: ExplainedRow) -> tuple[str, ...]:
        """The features whose value is unknown in an explained row."""
        return tuple(name for name, value in zip(self.records.column_names, row.values, strict=False) if value is None)

    def _told(self, j: int, kept: NDArray[Any], row: int) -> Value | None:
        """The value that was kept of a training row in column j, as it is told: days as dates, None if unknown."""
        told: Value | None = plain_value(self.columns[j].kind, plain_or_unknown(kept[row]))
        return told

    def unit_of(self, column: Column, name: str) -> str:
        """The unit of a column: what the caller says, or days where it holds dates or durations."""
        return self.options.units.get(name, UNITS.get(column.kind, ""))

    def _comparisons(self, point: Rows, node: Rows, first: int) -> tuple[FeatureComparison, ...]:
        """The features of a node, represented by the training row ``first``, beside those of the explained row."""
        if self.shares is None:
            return ()
        close, apart, scored = (part[0].tolist() for part in self.shares.compare(point, node))
        # A node with an orientation counts differences to one side only; being on the other side is no difference.
        side = 0 if node.orientation is None else -int(node.orientation[0])
        kept = self.records.values
        values = [None] * len(self.columns) if kept is None else [self._told(*part, first) for part in enumerate(kept)]
        directions = [side * column.direction for column in self.columns]
        names = self.records.column_names
        unknown = [kept is not None and value is None for value in values]
        parts = zip(names, values, close, apart, directions, unknown, scored, strict=True)
        return tuple(FeatureComparison(*part) for part in parts)
