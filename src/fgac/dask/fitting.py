"""The steps of a fit on a cluster: learn how to read the table, gather its nodes in cells, and prove the solution.

Through this process go facts about columns and classes, the class, weight and value of every node, and violated pairs.
Rows stay where they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import getitem
from typing import Any, NamedTuple

import numpy as np
from dask.delayed import delayed
from distributed import Client
from numpy.typing import NDArray

from fgac._tolerances import PROOF_TOL, SLIGHT_ROUNDING
from fgac._typing import Floats, Ints
from fgac.dask.blocks import Head, Reading, column_of, look, object_kinds, read_block, tallies, tally_targets
from fgac.dask.cells import SHOWN_PER_CELL, CellFacts, gather_cell, make_tree, pieces, place, shown
from fgac.dask.clients import threads_of
from fgac.dask.learning import Sample, Wanted, assembled, learn_columns, learn_more, sampled
from fgac.dask.parts import Parts, names_of
from fgac.estimators._base import ReadingSettings
from fgac.estimators._header import header_of
from fgac.estimators._training import Header
from fgac.metrics.distances import Metric
from fgac.solve import Solution
from fgac.tables.column_values import NumericColumn
from fgac.tables.feature_settings import directions_of, feature_weights_of
from fgac.tables.frames import dtypes_of, is_frame
from fgac.tables.roles import categorical_mask
from fgac.tables.table import Table
from fgac.tables.targets import TargetScale
from fgac.tables.validation import class_weights, comparable_weights

# Tasks of a round for every thread: a few, so that all are busy to the end.
TASKS_PER_THREAD = 8
MOST_CELLS = 64
# Nodes of a cell at least.
FEWEST_PER_CELL = 256
# The part of a worker's memory that one cell may fill: a task has two, and the lists of what it finds.
PART_OF_MEMORY = 1.0 / 16.0
# Columns are learned by so many tasks for each thread.
GROUPS_PER_THREAD = 2


@dataclass(frozen=True)
class ReadParts:
    """A training table on a cluster, once it is known how to read it.

    ``blocks`` are delayed, read anew by whoever asks; ``firsts`` are the positions of their first rows.
    """

    client: Client
    parts: Parts
    groups: list[Any]
    blocks: list[Any]
    how: Reading
    header: Header
    settings: ReadingSettings
    heads: list[Head]
    table: Table
    marks: list[Any]
    rounding: float

    @property
    def n_rows(self) -> int:
        """Rows of the whole table."""
        return sum(head.n_rows for head in self.heads)

    @property
    def firsts(self) -> list[int]:
        """Where the blocks begin."""
        return [0, *np.cumsum([head.n_rows for head in self.heads]).tolist()][:-1]


class Cells(NamedTuple):
    """The nodes of a table on a cluster: futures of cells and of their members, and what is known of each here."""

    cells: list[Any]
    members: list[Any]
    facts: list[CellFacts]

    @property
    def levels(self) -> NDArray[Any]:
        """Class numbers or targets of all nodes, cell by cell."""
        return np.concatenate([fact.levels for fact in self.facts])

    @property
    def weights(self) -> Floats:
        """Weights of all nodes."""
        return np.concatenate([fact.weights for fact in self.facts])

    def split(self, values: NDArray[Any]) -> list[NDArray[Any]]:
        """Values of all nodes, cell by cell."""
        return np.split(values, np.cumsum([len(fact.weights) for fact in self.facts])[:-1])


def read_parts(client: Client, parts: Parts, settings: ReadingSettings) -> ReadParts:
    """Learn of a table what a column alone can say: its role, its scale or its categories; and count rows."""
    header = header_of(parts.meta)
    if not header.n_features:
        raise ValueError("X has no columns besides y; expected some")
    names = names_of(parts.meta)
    threads = threads_of(client)
    groups = parts.groups()
    mask = _mask(client, parts, groups, names, settings)
    how = Reading(parts.features, names, mask, settings.regression, settings.names_columns)
    blocks = [delayed(read_block)(*group, how) for group in groups]
    wanted = _wanted(names, mask, settings)
    decides = settings.categorical_features == "from_dtype" if isinstance(settings.categorical_features, str) else False
    decides = decides and is_frame(parts.meta)
    spans = np.array_split(np.arange(len(names)), min(len(names), GROUPS_PER_THREAD * threads))
    places = [span.tolist() for span in spans]
    tallied = [delayed(tallies, nout=len(places))(block, places) for block in blocks]
    warns = isinstance(settings.categorical_features, str)
    learned = [
        delayed(learn_columns)([one[k] for one in tallied], [wanted[j] for j in place], settings, decides, warns)
        for k, place in enumerate(places)
    ]
    heads = [delayed(look)(block, how) for block in blocks]
    found = client.gather(client.compute([*heads, *learned]))
    heads, learned = found[: len(blocks)], [one for group in found[len(blocks) :] for one in group]
    _check_heads(heads)
    table, marks = assembled(learned, settings.metric)
    rounding = table.column_factor * sum(
        one.rounding * column.weight / column.scale
        for one, column in zip(learned, table.columns, strict=True)
        if not column.is_categorical and column.ranks is None
    )
    return ReadParts(client, parts, groups, blocks, how, header, settings, heads, table, marks, rounding)


def _mask(client: Client, parts: Parts, groups: list[Any], names: list[str], settings: ReadingSettings) -> list[bool]:
    """Which columns are categorical; those of Python objects are looked at, in every block."""
    mask = categorical_mask(parts.meta, names, settings.categorical_features)
    if not is_frame(parts.meta) or not isinstance(settings.categorical_features, str):
        return mask
    unclear = [j for j, dtype in enumerate(dtypes_of(parts.meta)) if str(dtype) == "object"]
    if unclear:
        columns = [parts.meta.columns[j] for j in unclear]
        found = client.gather(client.compute([delayed(object_kinds)(group[0], columns) for group in groups]))
        for place, j in enumerate(unclear):
            known = [quantities for block in found for some, quantities in [block[place]] if some]
            mask[j] = not (known and all(known))
    return mask


def _wanted(names: list[str], mask: list[bool], settings: ReadingSettings) -> list[Wanted]:
    weights = feature_weights_of(settings.feature_weights, names)
    directions = directions_of(settings.monotonic_cst, names, mask)
    return [Wanted(*one) for one in zip(names, weights.tolist(), directions, strict=True)]


def _check_heads(heads: Sequence[Head]) -> None:
    """Refuse tables without rows, and weights that cannot be added up."""
    if not any(head.n_rows for head in heads):
        raise ValueError("Found 0 sample(s) in X: all partitions are empty; expected some rows")
    if not any(head.n_present for head in heads):
        raise ValueError("sample_weight is zero for every row; at least one row must have a positive weight")
    ends = [end for head in heads if head.n_present for end in (head.least_weight, head.largest_weight)]
    comparable_weights(np.array(ends), "sample_weight")


def classes_of(read: ReadParts, class_weight: Any) -> tuple[NDArray[Any], Floats, Floats]:
    """The classes, their weights, and the factors by which the weights of their rows are multiplied."""
    some = [head for head in read.heads if len(head.labels)]
    classes, codes = np.unique(np.concatenate([head.labels for head in some]), return_inverse=True)
    totals = np.bincount(codes, np.concatenate([head.label_weights for head in some]), len(classes))
    factors = class_weights(class_weight, classes, np.arange(len(classes)), totals.astype(np.float64))
    return classes, totals.astype(np.float64), factors


def target_scale(read: ReadParts, scale: Any) -> TargetScale:
    """The scale of targets that are numbers."""
    parts = [delayed(tally_targets)(block) for block in read.blocks]
    return read.client.compute(delayed(_chosen_scale)(parts, scale)).result()


def _chosen_scale(parts: Sequence[Any], scale: Any) -> TargetScale:
    column, weights = column_of(parts)
    assert isinstance(column, NumericColumn)
    return TargetScale.chosen(scale, column.values, weights)


def with_learned_weights(read: ReadParts, target_of: Any, sample_rows: int) -> ReadParts:
    """The same with weights of columns and a score, if they are wanted."""
    if not (read.settings.learns_weights or read.settings.learns_score):
        return read
    size = None if sum(head.n_present for head in read.heads) <= sample_rows else sample_rows
    samples = [delayed(sampled)(block, size) for block in read.blocks]
    more = delayed(learn_more)(read.table, read.marks, samples, size, read.settings, target_of)
    return replace(read, table=read.client.compute(more).result())


class ClassesOf(NamedTuple):
    """Class numbers of the labels of a sample, and factors that give every class the weight it has in the table."""

    classes: NDArray[Any]
    totals: Floats
    factors: Floats

    def __call__(self, sample: Sample) -> tuple[Ints, Floats]:
        """Number and factor of every row."""
        codes = np.searchsorted(self.classes, sample.targets)
        if not len(sample.digests):
            return codes, self.factors[codes]
        found = np.bincount(codes, sample.weights, len(self.classes))
        return codes, (self.factors * self.totals / found)[codes]


class TargetsOf(NamedTuple):
    """Targets of a sample as they are learned, those that are far off moved nearer."""

    scale: TargetScale

    def __call__(self, sample: Sample) -> tuple[Floats, float]:
        """Target of every row, and a factor of 1."""
        return self.scale.near(sample.targets), 1.0


def gathered(read: ReadParts, labels: NDArray[Any] | None, metric: Metric) -> Cells:
    """The nodes of the table, in cells that stay on the workers."""
    client, settings = read.client, read.settings
    placed = client.compute(
        [
            delayed(place)(block, read.table, read.marks, labels, first, settings.by_direction)
            for block, first in zip(read.blocks, read.firsts, strict=True)
        ]
    )
    n_cells = _n_cells(client, sum(head.n_present for head in read.heads), len(read.table.columns))
    each = -(-n_cells * SHOWN_PER_CELL // len(placed))
    some = [client.submit(shown, one, each, pure=False) for one in placed]
    tree = client.submit(make_tree, some, n_cells, pure=False).result()
    cut = [client.submit(pieces, one, tree, n_cells, pure=False) for one in placed]
    cells: list[Any] = []
    members: list[Any] = []
    facts: list[Any] = []
    for k in range(n_cells):
        parts = [client.submit(getitem, one, k, pure=False) for one in cut]
        cell = client.submit(gather_cell, parts, read.table, metric, settings.regression, pure=False)
        for place_, into in enumerate((cells, members, facts)):
            into.append(client.submit(getitem, cell, place_, pure=False))
    known = client.gather(facts)
    kept = [k for k, fact in enumerate(known) if len(fact.weights)]
    return Cells([cells[k] for k in kept], [members[k] for k in kept], [known[k] for k in kept])


def _n_cells(client: Client, n: int, n_columns: int) -> int:
    """How many cells: enough for all threads to be busy, and for two of them to fit into a worker."""
    threads = threads_of(client)
    limits = [w["memory_limit"] for w in client.scheduler_info(n_workers=-1)["workers"].values() if w["memory_limit"]]
    by_memory = 8.0 * n * (n_columns + 4) / (min(limits) * PART_OF_MEMORY) if limits else 1.0
    wanted = max(np.ceil(np.sqrt(TASKS_PER_THREAD * threads)), np.ceil(by_memory))
    return int(max(1, min(wanted, MOST_CELLS, n // FEWEST_PER_CELL)))


def proved(read: ReadParts, solution: Solution, cells: Cells, gamma: float, tol: float) -> Solution:
    """A solution with a proof for the table as it was given, as :func:`fgac.estimators._training.proved_for` writes it.

    Whether rounding has made rows equal is not looked at: where it might matter, it is taken for granted.
    """
    from fgac.solve.solution import warn_if_unproved

    hidden = gamma * read.rounding
    largest, share = max(f.rounding for f in cells.facts), max(f.share for f in cells.facts)
    of_scaling = 2 * gamma * largest + share * 2 * solution.scale
    if of_scaling > SLIGHT_ROUNDING * PROOF_TOL * solution.scale:
        hidden += of_scaling
    if hidden == 0:
        return solution
    solution = replace(solution, rounding=solution.rounding + hidden)
    warn_if_unproved(solution, tol)
    return solution


def check_local(metric: Any) -> None:
    """Refuse distances, which need all rows in one place."""
    if isinstance(metric, str) and metric == "precomputed":
        raise ValueError(
            "metric='precomputed' needs the distances of all rows in memory; on a cluster give coordinates and a "
            "metric that computes them"
        )
