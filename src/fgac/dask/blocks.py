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
from fgac.tables.frames import beyond_exact, columns_of, holds_quantities
from fgac.tables.labels import is_missing, read_ids
from fgac.tables.reading import ReadTable, read_columns
from fgac.tables.targets import check_targets
from fgac.tables.validation import check_labels


class Reading(NamedTuple):
    """How blocks are read: names and kinds of the columns, whether the target is a number, and a table without rows."""

    names: list[str]
    is_categorical: list[bool]
    regression: bool
    meta: Any
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
    """

    values: Any
    weights: Floats | None
    counts: Ints
    n_unknown: int
    rounding: float
    beyond: bool
    kind: str


def read_block(xs: Sequence[Any], ys: Sequence[Any], ws: Sequence[Any] | None, how: Reading) -> Block:
    """Read some partitions, and leave rows of weight 0 out."""
    for number, (x, y) in enumerate(zip(xs, ys, strict=True)):
        if len(x) != len(y):
            raise ValueError(f"a partition of X has {len(x)} rows and that of y has {len(y)} (number {number} of some)")
    kept = [i for i, x in enumerate(xs) if len(x)]
    targets = check_targets if how.regression else check_labels
    if not kept:
        empty = [CategoricalColumn.unknown_in(0) if c else NumericColumn(np.empty(0)) for c in how.is_categorical]
        none = np.empty(0)
        return Block(ReadTable(how.names, empty), none, none, np.empty(0, dtype=np.int64), 0)
    X = frame_or_array(_joined([xs[i] for i in kept]), None, distances=False, names=how.names_allowed)
    n = len(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is to be said of the target is said of all of it
        target = targets(_joined([ys[i] for i in kept]), n)
    weight = np.ones(n) if ws is None else _weights(_joined([ws[i] for i in kept]), n)
    read = ReadTable(how.names, read_columns(X, how.names, how.is_categorical))
    present = np.flatnonzero(weight > 0)
    if len(present) < n:
        read, target, weight = read[present], target[present], weight[present]
    return Block(read, target, weight, present, n)


def _joined(parts: Sequence[Any]) -> Any:
    """Partitions one below the other."""
    if len(parts) == 1:
        return parts[0]
    if hasattr(parts[0], "iloc"):
        import pandas as pd

        return pd.concat(list(parts))
    return np.concatenate([np.asarray(part) for part in parts])


def _weights(given: Any, n: int) -> Floats:
    weight = np.asarray(given, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"sample_weight has shape {weight.shape} in a block of {n} rows; expected one weight per row")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("sample_weight must hold finite numbers >= 0")
    return weight


def object_kinds(xs: Sequence[Any], columns: Sequence[int]) -> list[tuple[bool, bool]]:
    """Whether columns of Python objects hold anything known, and whether that is quantities."""
    found = []
    for j in columns:
        values = [value for x in xs for value in columns_of(x)[j] if not is_missing(value)]
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
        values[starts], None if equal else held[starts], counts, n_unknown, column.rounding, beyond, column.kind
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
            codes.append(np.repeat(np.array(places, dtype=np.int64), part.counts))
        column = CategoricalColumn(np.concatenate([*codes, np.full(n_unknown, -1)]), tuple(numbered))
        return column, np.ones(len(column))
    values = [np.repeat(part.values, part.counts) for part in parts]
    weights = [
        np.ones(part.counts.sum()) if part.weights is None else np.repeat(part.weights, part.counts) for part in parts
    ]
    numbers = np.concatenate([*values, np.full(n_unknown, np.nan)])
    rounding = max((part.rounding for part in parts), default=0.0)
    if len(parts) > 1 and any(part.beyond for part in parts) and any(p.kind == "whole" for p in parts):
        # Every block knows how far its own numbers are off; together, by the distance of two floats at most.
        rounding = max(rounding, float(np.spacing(np.nanmax(np.abs(numbers)))))
    kinds = [part.kind for part in parts if len(part.values)] or ["number"]
    kind: Any = next((k for k in kinds if k != "number"), "number")
    return NumericColumn(numbers, rounding, kind), np.concatenate([*weights, np.ones(n_unknown)])


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


def ids_of(xs: Sequence[Any], n_rows: int, first: int) -> NDArray[Any]:
    """What the rows of a block are called: by the index of a frame, or by their positions in the whole table."""
    kept = [x for x in xs if len(x)]
    if kept and hasattr(kept[0], "iloc"):
        return read_ids(None, _joined(kept), n_rows)
    return np.arange(first, first + n_rows)
