"""What model files of all kinds have in common: rows, columns and records, and the check that their arrays fit."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from fgac.metrics.distances import NAMED, Metric, Rows
from fgac.persistence.encoding import ModelFileError
from fgac.solve.problem import Pairs
from fgac.solve.solution import Solution
from fgac.tables.columns import Column
from fgac.tables.table import Table
from fgac.tables.training_rows import TrainingRecords

Shapes = dict[str, tuple[str, str, str]]

# What the arrays must be, so that no index of a changed file points outside of them: kinds of dtype, the axes (equal
# letters are equal lengths), and the axis that the entries number, if they are indices. n nodes, k classes,
# p numeric, q nominal and u ordered columns, at most c categories, m rows of the table given to fit, r of positive
# weight.
ROWS: Shapes = {
    "rows/numeric": ("f", "np", ""),
    "rows/codes": ("i", "nq", "c"),
    "rows/mismatch": ("f", "d", ""),
}


# There only if columns are ordered.
ORDERED: Shapes = {"rows/ordered": ("f", "nu", ""), "rows/facing": ("f", "n", "")}
RECORDS: Shapes = {
    "records/positions": ("i", "r", "m"),
    "records/ids": ("biufU", "r", ""),
    "records/nodes": ("i", "r", "n"),
}


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def rows_parts(rows: Rows) -> dict[str, Any]:
    """The arrays of rows; a file calls their orientation ``facing``."""
    return {"facing" if name == "orientation" else name: array for name, array in fields_of(rows).items()}


def rows_of(parts: dict[str, Any]) -> Rows:
    """The rows that were taken apart."""
    return Rows(**{"orientation" if name == "facing" else name: array for name, array in parts.items()})


def name_of(metric: Metric) -> str:
    """The name of a metric that is not code."""
    for name, make in NAMED.items():
        if make() == metric:
            return name
    raise ModelFileError(
        f"the metric {getattr(metric, 'function', metric)!r} is code, which a model file cannot hold; "
        "use a named metric, or compute the distances and use metric='precomputed'"
    )


def table_parts(table: Table | None) -> dict[str, Any] | None:
    """How columns are read."""
    if table is None:
        return None
    for column in table.columns:
        for category in column.categories or ():
            if not isinstance(category, str | int | float | np.generic):
                raise ModelFileError(
                    f"column {column.name} has the category {category!r} of type {type(category).__name__}; a model "
                    "file holds texts, numbers and bools: turn the column into text before fit"
                )
    columns = [fields_of(column) for column in table.columns]
    return {"columns": columns, "unit": table.column_factor, "in_order": table.keeps_column_order}


def table_of(parts: dict[str, Any] | None) -> Table | None:
    """The table that was taken apart."""
    if parts is None:
        return None
    columns = tuple(Column(**column) for column in parts["columns"])
    return Table(columns, column_factor=parts["unit"], keeps_column_order=parts["in_order"])


def records_parts(records: TrainingRecords, *, values: bool) -> dict[str, Any]:
    """Which training rows there are, and what they hold unless their values are to be left out."""
    return {
        "positions": records.positions,
        "ids": records.ids,
        "codes": records.codes,
        "nodes": records.nodes,
        "names": records.column_names,
        "values": records.values if values else None,
    }


def records_of(parts: dict[str, Any]) -> TrainingRecords:
    """The records that were taken apart."""
    renamed = {"column_names" if name == "names" else name: part for name, part in parts.items()}
    return TrainingRecords(**renamed)


def solution_parts(solution: Solution) -> dict[str, Any]:
    """A solved problem with its proof."""
    return {**fields_of(solution), "active": solution.active._asdict()}


def solution_of(parts: dict[str, Any]) -> Solution:
    """The solution that was taken apart."""
    return Solution(**{**parts, "active": Pairs(**parts["active"])})


def column_sizes(table: Table | None, metric: str, n_columns: int) -> dict[str, int]:
    """Lengths of the axes that the columns settle."""
    if (table is None) != (metric == "precomputed"):
        raise inconsistent("it has columns exactly if it has only distances")
    if table is None:
        return {"p": n_columns, "q": 1, "d": 0, "c": n_columns, "u": 0}
    categories = [list(column.categories.values()) for column in table.columns if column.categories is not None]
    if table.keeps_column_order or len(table.columns) != n_columns or any(c != list(range(len(c))) for c in categories):
        raise inconsistent("its columns are not numbered as they should be")
    q, u = len(categories), sum(column.direction != 0 for column in table.columns)
    return {"p": n_columns - q - u, "q": q, "d": q, "c": max(map(len, categories), default=0), "u": u}


def check_arrays(parts: Any, shapes: Shapes, sizes: dict[str, int], where: str = "") -> None:
    """Refuse arrays of other types or shapes than expected, or with entries that point outside."""
    for path, (kinds, axes, numbered) in shapes.items():
        array = _at(parts, path)
        lengths = tuple(sizes.setdefault(*axis) for axis in zip(axes, array.shape, strict=False))
        if array.dtype.kind not in kinds or array.ndim != len(axes) or array.shape != lengths:
            given = f"an array of {array.dtype} and shape {array.shape}"
            raise inconsistent(f"{where}{path} is {given}, which does not fit")
        if numbered and array.size and not 0 <= array.min() <= array.max() < sizes[numbered]:
            raise inconsistent(f"{where}{path} points outside of the {sizes[numbered]} entries there are")


def check_records(records: dict[str, Any], sizes: dict[str, int]) -> None:
    """Refuse nodes without rows, and values of too many rows or too few."""
    values, names = records["values"], records["names"]
    if not np.bincount(records["nodes"], minlength=sizes["n"]).all():
        raise inconsistent("it has nodes that stand for no row")
    if values is not None and [part.shape for part in values] != [(sizes["r"],)] * len(names):
        raise inconsistent(f"the values of its columns {names} are not {sizes['r']} each")


def inconsistent(what: str) -> ModelFileError:
    """Parts that do not fit each other."""
    return ModelFileError(f"is inconsistent: {what}; fit it and save it again")


def _at(parts: Any, path: str) -> Any:
    """What stands at a path."""
    for step in path.split("/"):
        parts = parts[step]
    return parts
