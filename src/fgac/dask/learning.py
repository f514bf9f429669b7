"""What fit decides about the columns of a table on a cluster: exactly what it would decide about the table in memory.

A scale, ranks, categories and the middle of a column depend on that column alone, so every column goes, as a tally, to
one worker, where the functions of :mod:`fgac.tables` decide about it. Learned weights and a score depend on all of them
together: they come from all rows if there are no more than ``sample_rows``, and else from a sample that depends on
nothing but what the rows hold.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats
from fgac._warnings import warn_caller
from fgac.dask.blocks import Block, Tally, column_of, joined_tables
from fgac.estimators._base import ReadingSettings
from fgac.tables.column_values import CategoricalColumn
from fgac.tables.columns import Column, learn_column
from fgac.tables.directions import counted_from_zero, directed_columns
from fgac.tables.reading import ReadTable, untyped
from fgac.tables.roles import keep, marked, warn_of_type
from fgac.tables.table import Table, check_empty, table_of


class Wanted(NamedTuple):
    """What the user says of a column."""

    name: str
    weight: float
    direction: int


class Learned(NamedTuple):
    """What a worker has decided about a column: as it is, and if it names the rows and is to be left out."""

    kept: Column
    counts: bool
    left_out: bool
    why: Any
    rounding: float
    warnings: tuple[tuple[str, type[Warning]], ...]


def learn_columns(
    groups: Sequence[Sequence[Tally]], wanted: Sequence[Wanted], settings: ReadingSettings, decides: bool, warns: bool
) -> list[Learned]:
    """Decide about some columns; ``groups`` are their tallies, block by block."""
    return [
        _learn([group[place] for group in groups], want, settings, decides, warns) for place, want in enumerate(wanted)
    ]


def _learn(parts: Sequence[Tally], want: Wanted, settings: ReadingSettings, decides: bool, warns: bool) -> Learned:
    column, weights = column_of(parts)
    known_metric = isinstance(settings.metric, str)
    tagged = marked(column, want.name) if decides and known_metric else column
    left_out: Any = tagged.left_out
    if settings.by_direction:
        column = directed_columns([want.name], [tagged], np.array([want.weight]))[0]
        column = keep(column)
    found = learn_column(
        want.name,
        column,
        scale=settings.scale,
        weight=want.weight,
        direction=want.direction,
        sample_weight=weights,
        moves=known_metric and not settings.by_direction,
    )
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        if warns:
            warn_of_type(want.name, tagged)
    notes = tuple((str(one.message), one.category) for one in said)
    rounding = 0.0 if isinstance(column, CategoricalColumn) else column.rounding
    found = counted_from_zero(found) if settings.by_direction else found
    return Learned(found, column.counts, bool(left_out), left_out, rounding, notes)


def assembled(learned: Sequence[Learned], metric: Any) -> tuple[Table, list[Any]]:
    """The table of columns that workers have decided about, and marks of those that are left out."""
    drops = any(one.counts and not one.left_out for one in learned)  # all stay if no other would remain
    columns = [
        replace(one.kept, weight=0.0, unknown_weight=0.0) if one.left_out and drops else one.kept for one in learned
    ]
    for one in learned:
        for message, category in one.warnings if drops or not one.left_out else ():
            warn_caller(message, category)
    check_empty(columns)
    counts = [one.counts and not (one.left_out and drops) for one in learned]
    return table_of(columns, counts, metric), [one.why if drops else type(one.why)() for one in learned]


def with_marks(read: ReadTable, table: Table, marks: Sequence[Any]) -> ReadTable:
    """A block with the marks of columns that are left out, which only the whole table shows."""
    columns = [
        replace(column, left_out=mark) if mark else column for column, mark in zip(read.columns, marks, strict=True)
    ]
    return ReadTable(read.names, untyped(columns, table.columns))


# ----------------------------------------------------------------------------------------------------
# Rows that weights and scores are learned from
# ----------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """Rows with their targets and weights, and what they are drawn by."""

    read: ReadTable
    targets: NDArray[Any]
    weights: Floats
    digests: NDArray[np.uint64]


def sampled(block: Block, size: int | None) -> Sample:
    """The distinct rows of a block with the smallest digests, their weights added; all rows as they are for None."""
    if size is None:
        return Sample(block.read, block.targets, block.weights, np.empty(0, dtype=np.uint64))
    found = digests(block.read, block.targets)
    return _smallest(Sample(block.read, block.targets, block.weights, found), size)


def _smallest(sample: Sample, size: int) -> Sample:
    """The distinct rows with the smallest digests, some of every class if targets are classes."""
    distinct, first, which = np.unique(sample.digests, return_index=True, return_inverse=True)
    weights = np.bincount(which, sample.weights, len(distinct)).astype(np.float64)
    targets = sample.targets[first]
    taken = np.zeros(len(distinct), dtype=bool)
    taken[:size] = True
    if targets.dtype.kind != "f":  # classes: of each the first few, lest one be missed
        for label in np.unique(targets):
            taken[np.flatnonzero(targets == label)[:FEWEST]] = True
    first = first[taken]
    return Sample(sample.read[first], targets[taken], weights[taken], distinct[taken])


# Distinct rows of every class that are in a sample, if there are so many.
FEWEST = 100


def joined_sample(parts: Sequence[Sample], size: int | None) -> Sample:
    """One sample of those of all blocks."""
    parts = [part for part in parts if len(part.targets)]
    read = joined_tables([part.read for part in parts])
    columns = (np.concatenate(c) for c in zip(*(part[1:] for part in parts), strict=True))
    joined = Sample(read, *columns)
    return joined if size is None else _smallest(joined, size)


def digests(read: ReadTable, targets: NDArray[Any]) -> NDArray[np.uint64]:
    """A number of every row that looks random, and depends on nothing but what the row holds.

    >>> from fgac.tables.column_values import NumericColumn
    >>> table = ReadTable(["a"], [NumericColumn(np.array([1.0, 2.0, 1.0, -0.0, 0.0]))])
    >>> found = digests(table, np.zeros(5))
    >>> bool(found[0] == found[2] != found[1]), bool(found[3] == found[4])
    (True, True)
    """
    found = np.full(len(targets), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in read.columns:
        if isinstance(column, CategoricalColumn):
            values = np.array([*(_of_text(value) for value in column.categories), 1], dtype=np.uint64)[column.codes]
        else:
            values = _of_numbers(column.values)
        found = _mixed(found ^ values)
    if targets.dtype.kind in "fiub":
        return _mixed(found ^ _of_numbers(targets.astype(np.float64)))
    labels, codes = np.unique(targets, return_inverse=True)
    return _mixed(found ^ np.array([_of_text(label) for label in labels.tolist()], dtype=np.uint64)[codes])


def _of_numbers(values: Floats) -> NDArray[np.uint64]:
    numbers = np.where(np.isnan(values), np.nan, values + 0.0)  # one nan, and one zero
    return _mixed(numbers.view(np.uint64))


def _of_text(value: Any) -> int:
    from hashlib import blake2b

    return int.from_bytes(blake2b(f"{type(value).__name__} {value}".encode(), digest_size=8).digest(), "little")


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter numbers of 64 bits, one to one (the finaliser of splitmix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def learn_more(
    table: Table,
    marks: Sequence[Any],
    parts: Sequence[Sample],
    size: int | None,
    settings: ReadingSettings,
    target_of: Any,
) -> Table:
    """The table with weights and a score, as far as they are wanted, learned from a sample.

    ``target_of`` makes class numbers and factors of labels, or targets that are not far off of numbers.
    """
    sample = joined_sample(parts, size)
    read = with_marks(sample.read, table, marks)
    target, factors = target_of(sample)
    weight = sample.weights * factors
    if settings.learns_weights:
        from fgac.tables.learned_weights import learn_weights

        weights = learn_weights(table, read.columns, target, weight, settings.metric, regression=settings.regression)
        table = table.weighted(*weights)
    if settings.learns_score:
        from fgac.tables.learned_scores import with_score

        table = with_score(table, read.columns, target, weight, regression=settings.regression)
    return table
