"""What a task does with some partitions: read them as fit reads a table in memory, and tell what they hold.

A *block* is a few neighbouring partitions. It is read by whoever needs it, and nobody keeps it: twice in a fit, once
for what is learned of the columns, once for the rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.estimators._table_checks import frame_or_array
from fgac.tables.column_values import CategoricalColumn, NumericColumn, ReadColumn
from fgac.tables.frames import beyond_exact, holds_quantities
from fgac.tables.labels import is_missing, read_ids
from fgac.tables.reading import ReadTable, read_columns
from fgac.tables.targets import check_targets
from fgac.tables.validation import check_labels


class Reading(NamedTuple):
    """How blocks are read: which columns of a frame, their names and kinds, and whether the target is a number."""

    features: list[Any] | None
    names: list[str]
    is_categorical: list[bool]
    regression: bool
    names_allowed: bool


class Block(NamedTuple):
    """Rows of positive weight of some partitions, as they were read; ``positions`` count all rows of the block."""

    read: ReadTable
    targets: NDArray[Any]
    weights: Floats
    positions: Ints
    n_rows: int


class Head(NamedTuple):
    """What of a block goes to the client: counts, classes with their weights, and the range of the weights."""

    n_rows: int
    n_present: int
    labels: NDArray[Any]
    label_weights: Floats
    least_weight: float
    largest_weight: float


class Tally(NamedTuple):
    """The known values of a column and how often each occurs, with the weights of the rows that have them.

    Numbers are sorted; ``values`` of categories are as they were given. It is the column but for the order of its rows.
    Weights, and counts, that are all 1 are None.
    """

    values: Any
    weights: Floats | None
    counts: Ints | None
    n_unknown: int
    rounding: float
    beyond: bool
    kind: str


def read_block(table: Any, y: Any, weight: Any, how: Reading) -> Block:
    """Read a partition, and leave rows of weight 0 out; y and the weight may be names of its columns."""
    X = features_of(table, how.features)
    y, weight = (table[column] if isinstance(column, str) else column for column in (y, weight))
    n = len(X)
    if n != len(y):
        raise ValueError(f"a partition of X has {n} rows and that of y has {len(y)}; expected as many")
    if not n:
        empty = [CategoricalColumn.unknown_in(0) if c else NumericColumn(np.empty(0)) for c in how.is_categorical]
        none = np.empty(0)
        return Block(ReadTable(how.names, empty), none, none, np.empty(0, dtype=np.int64), 0)
    X = frame_or_array(X, None, distances=False, names=how.names_allowed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is to be said of the target is said of all of it
        target = check_targets(y, n) if how.regression else check_labels(y, n)
    weight = np.ones(n) if weight is None else _weights(weight, n)
    read = ReadTable(how.names, read_columns(X, how.names, how.is_categorical))
    present = np.flatnonzero(weight > 0)
    if len(present) < n:
        read, target, weight = read[present], target[present], weight[present]
    return Block(read, target, weight, present, n)


def features_of(table: Any, features: list[Any] | None) -> Any:
    """The columns of a partition that a model sees."""
    return table if features is None else table[features]


def _weights(given: Any, n: int) -> Floats:
    weight = np.asarray(given, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"sample_weight has shape {weight.shape} in a block of {n} rows; expected one weight per row")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("sample_weight must hold finite numbers >= 0")
    return weight


def object_kinds(table: Any, columns: Sequence[Any]) -> list[tuple[bool, bool]]:
    """Whether columns of Python objects hold anything known, and whether that is quantities."""
    found = []
    for name in columns:
        values = [value for value in table[name] if not is_missing(value)]
        found.append((bool(values), holds_quantities(values)))
    return found


def look(block: Block, how: Reading) -> Head:
    """What the client learns of a block."""
    labels, codes = np.unique(np.empty(0) if how.regression else block.targets, return_inverse=True)
    added = np.bincount(codes, block.weights, len(labels)) if len(labels) else np.empty(0)
    weights = block.weights
    least, largest = (float(weights.min()), float(weights.max())) if len(weights) else (np.inf, 0.0)
    return Head(block.n_rows, len(weights), labels, added.astype(np.float64), least, largest)


def tallies(block: Block, groups: Sequence[Sequence[int]]) -> list[list[Tally]]:
    """Tallies of the columns, group by group."""
    return [[tally(block.read.columns[j], block.weights) for j in group] for group in groups]


def tally_targets(block: Block) -> Tally:
    """The tally of targets that are numbers."""
    return tally(NumericColumn(block.targets), block.weights)


def tally(column: ReadColumn, weights: Floats) -> Tally:
    """The tally of one column of a block."""
    known = ~column.unknown
    n_unknown = int(len(known) - np.count_nonzero(known))
    if isinstance(column, CategoricalColumn):
        counts = np.bincount(column.codes[known], minlength=len(column.categories))
        return Tally(column.categories, None, counts, n_unknown, 0.0, False, "category")
    values, held = column.values[known], weights[known]
    equal = bool((held == 1.0).all())
    order = np.argsort(values, kind="stable") if equal else np.lexsort([held, values])
    values, held = values[order], held[order]
    new = np.ones(len(values), dtype=bool)
    new[1:] = (values[1:] != values[:-1]) | (held[1:] != held[:-1])
    starts = np.flatnonzero(new)
    counts = np.diff(np.append(starts, len(values)))
    beyond = bool(beyond_exact(values).any())
    return Tally(
        values[starts],
        None if equal else held[starts],
        None if len(starts) == len(values) else counts,
        n_unknown,
        column.rounding,
        beyond,
        column.kind,
    )


def column_of(parts: Sequence[Tally]) -> tuple[ReadColumn, Floats]:
    """A column, its rows in another order, and their weights: those of unknown values, which come last, are 1.

    >>> one = tally(NumericColumn(np.array([2.0, np.nan, 2.0])), np.ones(3))
    >>> column_of([one, tally(NumericColumn(np.array([1.0])), np.array([3.0]))])[0].values
    array([ 2.,  2.,  1., nan])
    >>> column_of([one])[1]
    array([1., 1., 1.])
    """
    n_unknown = sum(part.n_unknown for part in parts)
    if any(part.kind == "category" for part in parts):
        numbered: dict[Any, int] = {}
        codes = []
        for part in parts:
            places = [numbered.setdefault(value, len(numbered)) for value in part.values]
            codes.append(_repeated(np.array(places, dtype=np.int64), part.counts))
        column = CategoricalColumn(np.concatenate([*codes, np.full(n_unknown, -1)]), tuple(numbered))
        return column, np.ones(len(column))
    values = [_repeated(part.values, part.counts) for part in parts]
    weights = [
        np.ones(len(held)) if part.weights is None else _repeated(part.weights, part.counts)
        for part, held in zip(parts, values, strict=True)
    ]
    numbers = np.concatenate([*values, np.full(n_unknown, np.nan)])
    rounding = max((part.rounding for part in parts), default=0.0)
    if len(parts) > 1 and any(part.beyond for part in parts) and any(p.kind == "whole" for p in parts):
        # Every block knows how far its own numbers are off; together, by the distance of two floats at most.
        rounding = max(rounding, float(np.spacing(np.nanmax(np.abs(numbers)))))
    kinds = [part.kind for part in parts if len(part.values)] or ["number"]
    kind: Any = next((k for k in kinds if k != "number"), "number")
    return NumericColumn(numbers, rounding, kind), np.concatenate([*weights, np.ones(n_unknown)])


def _repeated(values: Any, counts: Ints | None) -> Any:
    """Every value as often as it is counted."""
    return values if counts is None else np.repeat(values, counts)


def joined_columns(parts: Sequence[ReadColumn]) -> ReadColumn:
    """Columns one below the other."""
    first = parts[0]
    if not isinstance(first, CategoricalColumn):
        kinds = [part.kind for part in parts if len(part) and isinstance(part, NumericColumn)] or ["number"]
        kind: Any = next((k for k in kinds if k != "number"), "number")
        values = np.concatenate([part.values for part in parts if isinstance(part, NumericColumn)])
        return NumericColumn(values, max(p.rounding for p in parts if isinstance(p, NumericColumn)), kind)
    numbered: dict[Any, int] = {}
    codes = []
    for part in parts:
        assert isinstance(part, CategoricalColumn)
        numbers = [*(numbered.setdefault(value, len(numbered)) for value in part.categories), -1]
        codes.append(np.array(numbers, dtype=np.int64)[part.codes])
    return CategoricalColumn(np.concatenate(codes), tuple(numbered))


def joined_tables(parts: Sequence[ReadTable]) -> ReadTable:
    """Tables one below the other."""
    columns = zip(*(part.columns for part in parts), strict=True)
    return ReadTable(parts[0].names, [joined_columns(column) for column in columns])


def ids_of(table: Any, first: int) -> NDArray[Any]:
    """What the rows of a partition are called: by the index of a frame, or by their positions in the whole table."""
    n = len(table)
    return read_ids(None, table, n) if n and hasattr(table, "iloc") else np.arange(first, first + n)
