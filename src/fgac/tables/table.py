"""From a user's table to rows of a metric space.

:func:`learn_table` decides once, in fit, which columns are categorical, on which scales numbers are compared and how
much each column counts. What it has decided is a :class:`Table`, which reads later tables of the same columns in the
same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from fgac._serialize import FieldsOnly
from fgac._typing import Floats
from fgac._warnings import warn_caller
from fgac.metrics.distances import FARTHEST, LARGEST, Rows
from fgac.tables.column_values import CategoricalColumn, NumericColumn, ReadColumn
from fgac.tables.columns import Column, learn_column
from fgac.tables.dates import check_kind
from fgac.tables.directions import compares_directions, counted_from_zero, directed_columns
from fgac.tables.feature_settings import directions_of, feature_weights_of
from fgac.tables.frames import is_frame
from fgac.tables.reading import ReadTable, read_columns, untyped
from fgac.tables.roles import keep, warn_of_type
from fgac.tables.scores import Score

Part = Literal["numeric", "codes", "ordered"]

# How a difference enters the distance, so that the number of columns does not make everything far apart.
PER_COLUMN = {
    "euclidean": lambda q: 1.0 / np.sqrt(q),
    "manhattan": lambda q: 1.0 / q,
    "learned": lambda q: 1.0 / q,
}


@dataclass(frozen=True)
class Table(FieldsOnly):
    """What fit has decided about a table: ``rows(read(X))`` are :class:`~fgac.metrics.distances.Rows`.

    Attributes
    ----------
    columns : tuple of Column
    column_factor : float
        What every difference is multiplied by, besides the weight of its column.
    keeps_column_order : bool
        Whether all columns go into one matrix in the user's order (categorical ones as category numbers), for metrics
        of the user's own.
    score : Score or None
        What a simple model makes of a row, its last numeric coordinates.
    """

    columns: tuple[Column, ...]
    column_factor: float
    keeps_column_order: bool
    score: Score | None = None

    def weighted(self, weights: Floats, unknown_weights: Floats) -> Table:
        """The same table with other weights of the columns, and of being unknown in them."""
        parts = zip(self.columns, weights.tolist(), unknown_weights.tolist(), strict=True)
        columns = (replace(column, weight=weight, unknown_weight=unknown) for column, weight, unknown in parts)
        return replace(self, columns=tuple(columns))

    @property
    def marked(self) -> tuple[int, ...]:
        """Columns in which being unknown is a coordinate, the last ones of the numeric coordinates.

        A metric of the user's own sees the columns, and nothing else.
        """
        if self.keeps_column_order:
            return ()
        return tuple(j for j, column in enumerate(self.columns) if column.unknown_weight)

    @cached_property
    def places(self) -> list[list[tuple[Part, int]]]:
        """The coordinates of every column: in which part of :class:`~fgac.metrics.distances.Rows`, and where there."""
        counts = Counter[str]()
        found: list[list[tuple[Part, int]]] = []
        for column in self.columns:
            is_code = column.is_categorical and not self.keeps_column_order
            part: Part = "ordered" if column.direction else "codes" if is_code else "numeric"
            found.append([(part, counts[part])])
            counts[part] += 1
        for j in self.marked:
            found[j].append(("numeric", counts["numeric"]))
            counts["numeric"] += 1
        return found

    def factor(self, j: int) -> float:
        """What a difference of one scale, or another category, counts in a column, its score aside."""
        return self.columns[j].weight * self.column_factor

    def step(self, j: int) -> float:
        """How far a row moves at most by another category in a column."""
        part, place = self.places[j][0]
        return self.factor(j) + (0.0 if self.score is None or part != "codes" else self.score.step(place))

    def moved(self, j: int, here: float, there: float) -> float:
        """How far a row moves at most while a number of a column goes from here to there, both on its scale."""
        return float(self.moved_each(j, np.array([here]), np.array([there]))[0])

    def moved_each(self, j: int, here: Floats, there: Floats) -> Floats:
        """The same for many ways at once."""
        factor, (part, place) = self.factor(j), self.places[j][0]
        with np.errstate(over="ignore", invalid="ignore"):  # numbers may be any number of scales away, or infinite
            own = factor * np.abs(there - here)
        if self.score is None or part != "numeric" or not factor:
            return own
        ends = (np.clip(factor * numbers, -FARTHEST, FARTHEST) for numbers in (here, there))
        return np.asarray(own + self.score.moved_each(place, *ends))

    def room(self, j: int, here: float, way: int, radius: float) -> float:
        """How far a number of a column may go on its scale, up or down, while the row moves by at most a radius."""
        factor, (part, place) = self.factor(j), self.places[j][0]
        if self.score is None or part != "numeric":
            return radius / factor
        return self.score.room(place, self.place(j, here), way, radius) / factor

    def place(self, j: int, number: float) -> float:
        """The coordinate of a number of a column on its scale, as rows have it."""
        return float(np.clip(self.factor(j) * number, -FARTHEST, FARTHEST))

    def limits(self, j: int) -> tuple[float, float]:
        """The smallest and the largest number of a column on its scale, as far as that is known of training rows."""
        column, (part, place) = self.columns[j], self.places[j][0]
        if column.ranks is not None:
            return column.ranks[1][0], column.ranks[1][-1]
        if self.score is not None and part == "numeric" and self.score.knots and len(self.score.knots[place]):
            knots = self.score.knots[place] / self.factor(j)
            return float(knots[0]), float(knots[-1])
        return column.middle, column.middle + 1.0

    def score_of_column(self, j: int) -> float:
        """By how much a column changes the score at most, within what training rows hold of it.

        Of classes, the log-odds of two of them; of numbers, the score itself.
        """
        part, place = self.places[j][0]
        if self.score is None or part == "ordered":
            return 0.0
        if part == "codes":
            return self.score.widest_step(place)
        low, high = self.limits(j)
        return self.score.widest_change(place, self.place(j, low), self.place(j, high))

    def excess(self, values: Sequence[ReadColumn]) -> Floats:
        """How far rows would be from the nearest place of training rows, did ranks go on where they end.

        A column that is beyond them by its range counts as much as its two ends are apart.
        """
        found = np.zeros(len(values[0]) if values else 0)
        for j, (column, part) in enumerate(zip(self.columns, values, strict=True)):
            if isinstance(part, NumericColumn) and column.ranks is not None and column.weight:
                found += self.moved(j, *self.limits(j)) * column.excess(part.values)
        return np.minimum(found, FARTHEST)

    def moved_from_unknown(self, j: int) -> float:
        """How far a row moves at most when an unknown value of a column becomes known, whatever it is.

        Numbers on a scale may be anything, and so may be further away than whatever counts.
        """
        column = self.columns[j]
        if column.is_categorical:
            return self.step(j)  # half of it, or its root, by the metric: never more than all
        mark = column.unknown_weight * self.column_factor
        if self.score is not None and mark:
            mark += self.score.moved(self.places[j][-1][1], mark, 0.0)
        if column.ranks is None:
            return FARTHEST if column.weight else mark
        return mark + max(self.moved(j, column.middle, end) for end in self.limits(j))

    def read(self, X: Any) -> list[ReadColumn]:
        """The columns of a table, numbers or categories, as they are."""
        if isinstance(X, ReadTable):
            return untyped(X.columns, self.columns)
        read = read_columns(X, [c.name for c in self.columns], [c.is_categorical for c in self.columns])
        for column, part in zip(self.columns, read, strict=True):
            # A column of which nothing is known has no kind, and an array of numbers does not say what they are.
            is_typed = is_frame(X) or X.dtype.kind in "mM"
            if isinstance(part, NumericColumn) and column.weight and is_typed and not part.unknown.all():
                check_kind(column.name, column.kind, part.kind)
        return read

    def training_rows(self, columns: Sequence[ReadColumn]) -> Rows:
        """The rows of the training table; an error if they are too far apart for their distances to be computed."""
        rows = self.rows(columns)
        parts = (rows.numeric, rows.mismatch, np.empty(0) if rows.ordered is None else rows.ordered)
        if all(np.abs(part).max(initial=0.0) <= LARGEST for part in parts):
            return rows
        for column, part in zip(self.columns, columns, strict=True):
            reach = column.weight * self.column_factor
            if not isinstance(part, CategoricalColumn):
                reach = float(np.abs(self._coordinates(column, part.values)).max(initial=0.0))
            if not reach <= LARGEST:
                raise ValueError(
                    f"differences in column {column.name} count up to {reach:.3g}, with a scale of {column.scale:.3g} "
                    f"and a weight of {column.weight:.3g}; double precision holds distances up to "
                    f"{LARGEST:.0e}. Give the column in another unit, use scale='range', or a smaller weight"
                )
        return rows

    def merges_numbers(self, columns: Sequence[ReadColumn]) -> bool:
        """Whether rounding makes two different numbers of a column equal.

        Division by the scale does that to numbers that differ in the last digit only.
        """
        for column, part in zip(self.columns, columns, strict=True):
            if isinstance(part, CategoricalColumn) or not column.weight:
                continue
            values = np.unique(part.known_values)
            if (np.diff(self._coordinates(column, values)) == 0).any():
                return True
        return False

    def rounding_of_integers(self, columns: Sequence[ReadColumn]) -> float:
        """By how much distances may be off because whole numbers beyond 2**53 were rounded to floats.

        Ranks are those of the rounded numbers.
        """
        return self.column_factor * sum(
            part.rounding * column.weight / column.scale
            for column, part in zip(self.columns, columns, strict=True)
            if isinstance(part, NumericColumn) and column.ranks is None
        )

    def _coordinates(self, column: Column, values: Floats) -> Floats:
        """Scaled and weighted numbers of a column, infinite where a float cannot hold them."""
        factor = column.weight * self.column_factor
        scaled: Floats = column.scaled(values)
        with np.errstate(over="ignore"):
            return scaled * factor if factor else np.zeros(len(values))

    def rows(self, columns: Sequence[ReadColumn]) -> Rows:
        """Scale and weight columns that have been read, and add the score if there is one."""
        rows = self._own_rows(columns)
        return rows if self.score is None else self.score.added(rows)

    def _own_rows(self, columns: Sequence[ReadColumn]) -> Rows:
        """Scaled and weighted columns.

        A number so far from those of the training rows that squares of differences would not be finite is brought
        nearer; it stays further away than anything that counts.
        """
        numeric, codes, mismatch, ordered = [], [], [], []
        for column, part in zip(self.columns, columns, strict=True):
            if isinstance(part, CategoricalColumn):
                if self.keeps_column_order:
                    # To a metric of the user's own, a column in which nothing was known is constant.
                    numeric.append(np.zeros(len(part)) if column.is_empty else column.codes(part).astype(np.float64))
                else:
                    codes.append(column.codes(part))
                    mismatch.append(column.weight * self.column_factor)
                continue
            coordinates = self._coordinates(column, part.values)
            if not np.abs(coordinates).max(initial=0.0) <= FARTHEST:
                coordinates = coordinates.clip(-FARTHEST, FARTHEST)
            if column.direction:
                # The sign turns the column, so that more is better in every ordered coordinate.
                ordered.append(column.direction * coordinates)
            else:
                numeric.append(coordinates)
        numeric.extend(
            np.where(columns[j].unknown, self.columns[j].unknown_weight * self.column_factor, 0.0) for j in self.marked
        )
        n = len(columns[0])
        empty = np.empty((n, 0))
        return Rows(
            np.ascontiguousarray(np.column_stack(numeric) if numeric else empty),
            np.ascontiguousarray(np.column_stack(codes) if codes else empty, dtype=np.int32),
            np.array(mismatch, dtype=np.float64),
            np.ascontiguousarray(np.column_stack(ordered)) if ordered else None,
            np.ones(n) if ordered else None,
        )


def learn_table(
    X: Any,
    *,
    metric: Any,
    scale: str | None,
    categorical_features: Any,
    feature_weights: Any,
    sample_weight: Floats,
    monotonic_cst: Any = None,
) -> tuple[Table, list[ReadColumn]]:
    """Decide roles, scales and categories from the training table (rows of weight 0 already left out), and read it.

    The parameters are those of the estimators; X is a frame, an array, or a :class:`ReadTable`.

    >>> table, columns = learn_table(
    ...     np.array([[20.0, 0.0], [60.0, 1.0]]),
    ...     metric="manhattan",
    ...     scale="range",
    ...     categorical_features=[1],
    ...     feature_weights=None,
    ...     sample_weight=np.ones(2),
    ... )
    >>> [column.scale for column in table.columns], table.columns[1].categories
    ([40.0, 1.0], {0.0: 0, 1.0: 1})
    >>> rows = table.rows(columns)
    >>> rows.numeric.round(3), rows.codes.ravel(), rows.mismatch.round(3)
    (array([[0.167],
           [0.5  ]]), array([0, 1], dtype=int32), array([0.333]))
    """
    read = ReadTable.of(X, categorical_features)
    if not isinstance(metric, str):  # it sees all columns, whatever their weights
        read = replace(read, columns=[keep(column) for column in read.columns])
    weights = feature_weights_of(feature_weights, read.names)
    by_direction = compares_directions(metric)
    if by_direction:
        read = replace(read, columns=directed_columns(read.names, read.columns, weights))
    directions = directions_of(monotonic_cst, read.names, [part.is_categorical for part in read.columns])
    columns: list[Column] = []
    for part, name, weight, direction in zip(read.columns, read.names, weights.tolist(), directions, strict=True):
        column = learn_column(
            name,
            part,
            scale=scale,
            weight=weight,
            direction=direction,
            sample_weight=sample_weight,
            moves=isinstance(metric, str) and not by_direction,
        )
        columns.append(counted_from_zero(column) if by_direction else column)
    if not isinstance(X, ReadTable):  # of parts of a table that has been read, all has been said
        _warn_of_types(read, categorical_features)
        check_empty(columns)
    return table_of(columns, [part.counts for part in read.columns], metric), untyped(read.columns, columns)


def table_of(columns: Sequence[Column], counts: Sequence[bool], metric: Any) -> Table:
    """The table of some columns, of which these count.

    A categorical column counts as many as it has categories, as it would after one-hot encoding. One that is left out,
    or in which nothing is known, counts as if it were not there.
    """
    sizes = [1 if c.categories is None else len(c.categories) for c in columns]
    n_columns = sum(size for size, counted in zip(sizes, counts, strict=True) if counted)
    known = isinstance(metric, str)
    factor = PER_COLUMN[metric](max(1, n_columns)) if known and metric in PER_COLUMN else 1.0
    return Table(tuple(columns), float(factor), keeps_column_order=not known)


def _warn_of_types(read: ReadTable, categorical_features: Any) -> None:
    """Warn of columns that are categorical by their types, not by the user's word, and should perhaps not be."""
    if isinstance(categorical_features, str):
        for part, name in zip(read.columns, read.names, strict=True):
            warn_of_type(name, part)


def check_empty(columns: Sequence[Column]) -> None:
    """Say which columns hold no known value, and are left out; an error if none does."""
    empty = [column.name for column in columns if column.is_empty]
    if len(empty) == len(columns):
        raise ValueError(
            f"Input X contains NaN or other missing values only: nothing is known in any of the {len(empty)} columns; "
            "expected some values"
        )
    if empty:
        warn_caller(f"nothing is known in columns {empty}: they are left out of all distances")
