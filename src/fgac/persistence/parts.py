"""Rows, tables, records and solutions as dicts of plain values and arrays, and back.

Every kind of model is made of these, so files of all kinds share them. What a file calls a part stays what it is when
the code finds a better name: where the two differ, both are written out here.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from fgac.metrics.distances import NAMED, Metric, Rows
from fgac.persistence.errors import ModelFileError
from fgac.persistence.schema_base import Parts
from fgac.solve.problem import Pairs
from fgac.solve.solution import Solution
from fgac.tables.columns import Column
from fgac.tables.scores import Score
from fgac.tables.table import Table
from fgac.tables.training_rows import TrainingRecords

# Names of fields in the code, and in files.
ROW_NAMES = {"orientation": "facing"}
RECORD_NAMES = {"column_names": "names"}


def fields_of(value: Any) -> Parts:
    """The fields of a dataclass, in their order."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _renamed(parts: Parts, names: dict[str, str]) -> Parts:
    return {names.get(name, name): part for name, part in parts.items()}


def _inverse(names: dict[str, str]) -> dict[str, str]:
    return {in_file: in_code for in_code, in_file in names.items()}


def describe_rows(rows: Rows) -> Parts:
    """The arrays of rows of a metric space."""
    return _renamed(fields_of(rows), ROW_NAMES)


def rebuild_rows(parts: Parts) -> Rows:
    """The rows that were described."""
    return Rows(**_renamed(parts, _inverse(ROW_NAMES)))


def metric_name(metric: Metric) -> str:
    """The name of a metric that is not code."""
    for name, make in NAMED.items():
        if make() == metric:
            return name
    raise ModelFileError(
        f"the metric {getattr(metric, 'function', metric)!r} is code, which a model file cannot hold; "
        "use a named metric, or compute the distances and use metric='precomputed'"
    )


def describe_table(table: Table | None) -> Parts | None:
    """How columns become rows of a metric space; None if there are only distances."""
    if table is None:
        return None
    for column in table.columns:
        # Categories are keys of a dict, and may be any hashable object: dates and intervals of pandas, for example.
        for category in column.categories or ():
            if not isinstance(category, str | int | float | np.generic):
                raise ModelFileError(
                    f"column {column.name} has the category {category!r} of type {type(category).__name__}; a model "
                    "file holds texts, numbers and bools: turn the column into text before fit"
                )
    columns = [_describe_column(column) for column in table.columns]
    parts = {"columns": columns, "unit": table.column_factor, "in_order": table.keeps_column_order}
    return parts if table.score is None else parts | {"score": _describe_score(table.score)}


def _describe_column(column: Column) -> Parts:
    """The fields of a column; what kind of numbers it holds only if that is not just numbers, as in older files."""
    return {name: part for name, part in fields_of(column).items() if name != "kind" or part != "number"}


def _describe_score(score: Score) -> Parts:
    """The fields of a score; that its classes have an order only if they do, as in older files."""
    return {name: part for name, part in fields_of(score).items() if name != "is_ordered" or part}


def rebuild_table(parts: Parts | None, rows: Parts) -> Table | None:
    """The table that was described; ``rows`` are its training rows, where older files do not say what they need."""
    if parts is None:
        return None
    columns = tuple(Column(**column) for column in parts["columns"])
    score = None if parts.get("score") is None else Score(**parts["score"])
    table = Table(columns, column_factor=parts["unit"], keeps_column_order=parts["in_order"], score=score)
    old = any("middle" not in column for column in parts["columns"])
    return replace(table, columns=_with_middles(table, rows)) if old and rows else table


def _with_middles(table: Table, rows: Parts) -> tuple[Column, ...]:
    """Columns of a file that does not know of unknown values: these stand in the middle of the nodes."""
    numeric, ordered = (iter([]) if rows[part] is None else iter(rows[part].T) for part in ("numeric", "ordered"))
    found = []
    for column in table.columns:
        if column.is_categorical:
            found.append(column)
            continue
        places, reach = next(ordered if column.direction else numeric), column.weight * table.column_factor
        middle = float(np.median(places)) * (column.direction or 1) / reach if reach else 0.0
        found.append(replace(column, middle=0.5 if column.ranks is not None else middle))
    return tuple(found)


def describe_records(records: TrainingRecords, *, values: bool) -> Parts:
    """Which training rows there are, and what they hold unless their values are to be left out."""
    parts = _renamed(fields_of(records), RECORD_NAMES)
    return parts if values else parts | {"values": None}


def rebuild_records(parts: Parts) -> TrainingRecords:
    """The records that were described."""
    return TrainingRecords(**_renamed(parts, _inverse(RECORD_NAMES)))


def describe_solution(solution: Solution) -> Parts:
    """A solved problem with its proof."""
    # Pairs are a named tuple, which would lose the names of its arrays.
    return {**fields_of(solution), "active": solution.active._asdict()}


def rebuild_solution(parts: Parts) -> Solution:
    """The solution that was described."""
    return Solution(**{**parts, "active": Pairs(**parts["active"])})
