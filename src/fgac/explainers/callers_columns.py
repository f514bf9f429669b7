"""The columns of a table before a pipeline: what is told of transformed columns, told of them instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Label
from fgac.explainers.lineage import Lineage, Origin, Values
from fgac.explanation.arguments import FeatureComparison, Value
from fgac.explanation.classification import FeatureValue
from fgac.explanation.regression import FeatureEffect
from fgac.tables.containers import listed
from fgac.tables.frames import columns_of, is_frame
from fgac.tables.labels import plain_name, plain_or_unknown
from fgac.tables.training_rows import TrainingRecords

# A number that was scaled and taken back has lost its last digits; so many are told.
DIGITS = 12
# Two such numbers are the same if they differ by no more than this, relative to their size.
SAME = 1e-9

Features = Sequence[FeatureValue] | Sequence[FeatureEffect]

# What stands after the name of a column that was made of several.
TRANSFORMED = " (transformed)"


@dataclass(frozen=True)
class Cells:
    """The cells of a table, column by column, as plain values; None where one is unknown."""

    columns: tuple[list[Value | None], ...]
    n_rows: int

    @classmethod
    def of(cls, table: Any) -> Cells:
        """The cells of a frame or an array."""
        parts = columns_of(table) if is_frame(table) else list(np.asarray(table).T)
        columns = tuple([plain_or_unknown(value) for value in listed(part, "X")] for part in parts)
        return cls(columns, len(columns[0]) if columns else 0)

    def row(self, i: int) -> list[Value | None]:
        """The values of one row."""
        return [column[i] for column in self.columns]


@dataclass(frozen=True)
class TrainingCells:
    """The training rows before the pipeline.

    Attributes
    ----------
    columns : values of every column, None where they are not known
    places : where a row stands in these columns, by its position in the training table, or by its id
    by_id : whether it is the id
    names : ids in the caller's table of rows that the model knows by their position only
    is_exact : whether these are the caller's own values, and not such that were computed back
    """

    columns: tuple[Any, ...]
    places: Mapping[Any, int]
    by_id: bool
    is_exact: bool
    names: Mapping[Label, Label] = field(default_factory=dict)

    @classmethod
    def given(cls, table: Any, X_train: Any, n_rows: int, records: TrainingRecords | None) -> TrainingCells:
        """The caller's table: as many rows as the model was fitted to, or a pandas frame with their ids as index."""
        cells = Cells.of(table)
        index = X_train.index if hasattr(type(X_train), "iloc") else None
        if cells.n_rows == n_rows:
            names: dict[Label, Label] = {}
            # Arrays between the steps have lost the index.
            if index is not None and records is not None and np.array_equal(records.ids, records.positions):
                names = {i: plain_name(name) for i, name in enumerate(index)}
            return cls(cells.columns, {i: i for i in range(n_rows)}, by_id=False, is_exact=True, names=names)
        if index is None or not index.is_unique:
            raise ValueError(
                f"X_train has {cells.n_rows} rows, and the model was fitted to {n_rows}; give the table that the "
                "pipeline was fitted to, or a pandas frame whose index holds the ids of the rows"
            )
        places = {plain_name(name): i for i, name in enumerate(index)}
        return cls(cells.columns, places, by_id=True, is_exact=True)

    @classmethod
    def taken_back(cls, columns: Sequence[Values], positions: NDArray[Any]) -> TrainingCells:
        """Values that the steps of the pipeline have taken back, of rows at these positions."""
        places = {int(position): i for i, position in enumerate(positions)}
        return cls(tuple(columns), places, by_id=False, is_exact=False)

    @classmethod
    def unknown(cls, n_columns: int) -> TrainingCells:
        """Of a model that keeps no values."""
        return cls((None,) * n_columns, {}, by_id=False, is_exact=False)

    def name(self, known: Label) -> Label:
        """What the caller calls a row."""
        return self.names.get(known, known)

    def row(self, index: int, name: Label) -> list[Any]:
        """The values of one training row: in a list for each column, which is empty where nobody knows."""
        place = self.places.get(name if self.by_id else index)
        if place is None:
            return [[] for _ in self.columns]
        found = [[] if column is None else [plain_or_unknown(column[place])] for column in self.columns]
        return found if self.is_exact else [[_rounded(value) for value in values] for values in found]


def _rounded(value: Value | None) -> Value | None:
    """A number without the digits that were lost on the way to the model and back."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


@dataclass(frozen=True)
class CallersColumn:
    """One column of the caller's, and the transformed columns that were made of it; or one that was made of several.

    Attributes
    ----------
    name : what it is called
    place : its position among the caller's columns; None if it was made of several
    parts : positions of the transformed columns
    slope : how many of its units are one of the only transformed column; None if there are several, or other relations
    is_category : whether its values are categories
    """

    name: str
    place: int | None
    parts: tuple[int, ...]
    slope: float | None
    is_category: bool

    def is_unknown(self, values: Sequence[Value | None]) -> bool:
        """Whether the caller's row has no value here."""
        return self.place is not None and values[self.place] is None

    def direction(self, parts: Sequence[Any]) -> int:
        """The direction of its only transformed column, turned around if the column was."""
        if self.slope is None:
            return 0
        return int(parts[self.parts[0]].direction * np.sign(self.slope))


@dataclass(frozen=True)
class CallersColumns:
    """All columns that explanations speak of, in the caller's order, then those that were made of several."""

    columns: tuple[CallersColumn, ...]

    @classmethod
    def of(cls, chain: Lineage, names: Sequence[str], transformed: Sequence[str]) -> CallersColumns:
        """The columns of a caller, and the names of the columns that the model was given."""
        origins = chain.origins
        if len(origins) != len(transformed):  # a step that tells nothing of its columns
            origins = (Origin(None),) * len(transformed)
        made = [k for k, origin in enumerate(origins) if origin.column is None]
        found = []
        for j, name in enumerate(names):
            parts = tuple(k for k, origin in enumerate(origins) if origin.column == j)
            if parts:
                # What was made of several columns may be made of this one too: nothing is known of its change alone.
                slope = origins[parts[0]].slope if len(parts) == 1 and not made else None
                found.append(CallersColumn(name, j, parts, slope, any(origins[k].is_category for k in parts)))
        found += [CallersColumn(f"{transformed[k]}{TRANSFORMED}", None, (k,), 1.0, False) for k in made]
        return cls(tuple(found))

    def features(self, parts: Features, values: Sequence[Value | None], units: Mapping[str, str]) -> tuple[Any, ...]:
        """The explained row in the caller's columns, from what is told of it in the transformed ones."""
        return tuple(self._feature(column, parts, values, units) for column in self.columns) if parts else ()

    def _feature(
        self, column: CallersColumn, parts: Any, values: Sequence[Value | None], units: Mapping[str, str]
    ) -> Any:
        first = parts[column.parts[0]]
        value = first.value if column.place is None else values[column.place]
        is_nominal = column.is_category or isinstance(value, str) or first.is_nominal
        told = {
            "name": column.name,
            "value": value,
            "unit": units.get(column.name, ""),
            "is_nominal": is_nominal,
            "direction": column.direction(parts),
            "weight": max(parts[k].weight for k in column.parts),
            # What kind of numbers a column holds is known of one that came through as it is.
            "kind": first.kind if column.slope == 1.0 else "number",
        }
        slope = None if column.slope is None else abs(column.slope)
        if isinstance(first, FeatureEffect):
            step = None if first.step is None or slope is None else first.step * slope
            return replace(first, **told, step=step, change=None if slope is None else first.change)
        # Where nothing is guaranteed, no change is safe; a column that counts nothing may do what it likes.
        radii = [parts[k].radius for k in column.parts]
        radius = None if all(radius is None for radius in radii) else 0.0
        if slope is not None and radii[0] is not None:
            radius = radii[0] * slope
        return replace(first, **told, radius=radius)

    def compare(
        self, parts: Sequence[FeatureComparison], here: Sequence[Value | None], there: Sequence[list[Any]]
    ) -> tuple[FeatureComparison, ...]:
        """A training row in the caller's columns: what its transformed columns contribute is added up."""
        return tuple(self._compared(column, parts, here, there) for column in self.columns)

    def _compared(
        self,
        column: CallersColumn,
        parts: Sequence[FeatureComparison],
        here: Sequence[Value | None],
        there: Sequence[list[Any]],
    ) -> FeatureComparison:
        first = parts[column.parts[0]]
        shares = ("close", "apart", "scored")
        close, apart, scored = (sum(getattr(parts[k], share) for k in column.parts) for share in shares)
        if column.place is None:
            return replace(first, name=column.name)
        found = there[column.place]
        value = _same(found[0], here[column.place]) if found else None
        unknown = bool(found) and value is None
        return FeatureComparison(column.name, value, close, apart, column.direction(parts), unknown, scored)


def _same(there: Value | None, here: Value | None) -> Value | None:
    """A value of a training row, or that of the explained row if the two differ by rounding only."""
    if isinstance(there, float) and isinstance(here, int | float) and not isinstance(here, bool):
        return here if abs(there - here) <= SAME * max(abs(there), abs(here)) else there
    return there
