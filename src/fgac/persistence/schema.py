"""What the arrays of a model must be, so that no index of a changed file points outside of one.

The compiled loops trust the arrays that they are given. So everything that is read from a file is checked here first,
and everything that is written, too: what cannot be read again should not be written.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fgac.persistence.encoding import ModelFileError
from fgac.persistence.parts import Parts, rebuild_table
from fgac.tables.table import Table


class ArraySpec(NamedTuple):
    """What one array must be.

    Attributes
    ----------
    kinds : str
        Kinds of dtype that it may have, in NumPy's letters.
    axes : str
        A letter for every axis; equal letters are equal lengths.
    numbered : str
        The letter of the axis that its entries number, if they are indices.
    """

    kinds: str
    axes: str
    numbered: str = ""


# By their paths among the parts. The letters of the axes: n nodes, k classes, p numeric, q categorical and u ordered
# columns, at most c categories, d mismatches of categories, m rows of the table given to fit, r of them of
# positive weight, s starts of classes, o by w opposition of classes to nodes, v values and a active constraints of a
# solution.
Schema = dict[str, ArraySpec]

ROWS: Schema = {
    "rows/numeric": ArraySpec("f", "np"),
    "rows/codes": ArraySpec("i", "nq", "c"),
    "rows/mismatch": ArraySpec("f", "d"),
}
# There only if columns are ordered.
ORDERED: Schema = {"rows/ordered": ArraySpec("f", "nu"), "rows/facing": ArraySpec("f", "n")}
RECORDS: Schema = {
    "records/positions": ArraySpec("i", "r", "m"),
    "records/ids": ArraySpec("biufU", "r"),
    "records/nodes": ArraySpec("i", "r", "n"),
}
CLASSIFIER: Schema = {
    **ROWS,
    "model/beta": ArraySpec("f", "n"),
    "model/starts": ArraySpec("i", "s"),
    "model/opposition": ArraySpec("f", "ow"),
    "model/rank": ArraySpec("i", "k", "k"),
    "attributes/beta_": ArraySpec("f", "m"),
    "solution/values": ArraySpec("f", "v"),
    "solution/active/tail": ArraySpec("i", "a", "v"),
    "solution/active/head": ArraySpec("i", "a", "v"),
    "solution/active/bound": ArraySpec("f", "a"),
    "solution/multipliers": ArraySpec("f", "a"),
    **RECORDS,
    "records/codes": ArraySpec("i", "r", "k"),
}
OWA: Schema = {"soft/times": ArraySpec("f", "n")}
ORDINAL: Schema = {"attributes/beta_": ArraySpec("f", "m")}
REGRESSOR: Schema = {
    **ROWS,
    "targets": ArraySpec("f", "n"),
    "attributes/fitted_": ArraySpec("f", "m"),
    **RECORDS,
    "records/codes": ArraySpec("i", "r"),
}
# Of one solution of a regressor, which has a value per node.
REGRESSOR_SOLUTION: Schema = {
    "values": ArraySpec("f", "n"),
    "active/tail": ArraySpec("i", "a", "n"),
    "active/head": ArraySpec("i", "a", "n"),
    "active/bound": ArraySpec("f", "a"),
    "multipliers": ArraySpec("f", "a"),
}


# ----------------------------------------------------------------------------------------------------
# Kinds of models
# ----------------------------------------------------------------------------------------------------


def check_classifier(parts: Parts, table: Table | None) -> None:
    """Refuse parts of a classifier that do not fit each other."""
    k, n = len(parts["attributes"]["classes_"]), len(parts["model"]["beta"])
    # A problem of two classes has one variable per node, a problem of more has two.
    sizes = {"k": k, "s": k + 1, "n": n, "v": n if k == 2 else 2 * n, "o": k, "w": n}
    if k == 2:  # the other class's beta is what opposes
        sizes |= {"o": 0, "w": 0}
    sizes |= column_sizes(table, parts["metric"], parts["attributes"]["n_features_in_"])
    schema = CLASSIFIER | (ORDERED if sizes["u"] else {}) | ({} if parts["soft"] is None else OWA)
    check_arrays(parts, schema, sizes)
    starts = parts["model"]["starts"]
    if starts[0] != 0 or starts[-1] != sizes["n"] or (np.diff(starts) < 0).any():
        raise inconsistent(f"its classes start at {starts.tolist()}, but it has {sizes['n']} nodes")
    check_records(parts["records"], sizes)


def check_ordinal(parts: Parts, table: Table | None) -> None:
    """Refuse boundaries that do not fit the classes and each other."""
    known, boundaries = parts["attributes"], parts["boundaries"]
    for boundary in boundaries:
        check_classifier(boundary, rebuild_table(boundary["table"]))
    check_arrays(parts, ORDINAL, {})
    if len(boundaries) != len(known["classes_"]) - 1:
        raise inconsistent(f"it has {len(boundaries)} boundaries between {len(known['classes_'])} classes")
    for boundary in boundaries:
        other = boundary["attributes"]
        same = len(other["beta_"]) == len(known["beta_"]) and other["n_features_in_"] == known["n_features_in_"]
        if not same or rebuild_table(boundary["table"]) != table:
            raise inconsistent("its boundaries are of different tables")


def check_regressor(parts: Parts, table: Table | None) -> None:
    """Refuse parts of a regressor that do not fit each other."""
    sizes = {"n": len(parts["targets"])}
    sizes |= column_sizes(table, parts["metric"], parts["attributes"]["n_features_in_"])
    check_arrays(parts, REGRESSOR | (ORDERED if sizes["u"] else {}), sizes)
    if len(parts["solutions"]) not in (1, 3):
        raise inconsistent(f"it has {len(parts['solutions'])} solutions, expected 1, or 3 with an interval")
    for number, solution in enumerate(parts["solutions"]):
        # Every solution has its own number of active constraints, so none may settle that of the next.
        check_arrays(solution, REGRESSOR_SOLUTION, dict(sizes), f"solutions/{number}/")
    check_records(parts["records"], sizes)


# ----------------------------------------------------------------------------------------------------
# What kinds share
# ----------------------------------------------------------------------------------------------------


def column_sizes(table: Table | None, metric: str, n_columns: int) -> dict[str, int]:
    """Lengths of the axes that the columns settle."""
    if (table is None) != (metric == "precomputed"):
        raise inconsistent("it has columns exactly if it has only distances")
    if table is None:  # a row holds its distances to all rows of the training table, and its number among them
        return {"p": n_columns, "q": 1, "d": 0, "c": n_columns, "u": 0}
    categories = [list(column.categories.values()) for column in table.columns if column.categories is not None]
    if table.keeps_column_order or len(table.columns) != n_columns or any(c != list(range(len(c))) for c in categories):
        raise inconsistent("its columns are not numbered as they should be")
    q, u = len(categories), sum(column.direction != 0 for column in table.columns)
    return {"p": n_columns - q - u, "q": q, "d": q, "c": max(map(len, categories), default=0), "u": u}


def check_arrays(parts: Any, schema: Schema, sizes: dict[str, int], where: str = "") -> None:
    """Refuse arrays of other types or shapes than expected, or with entries that point outside.

    ``sizes`` are the lengths of axes that are known; the first array that has an axis of any other letter settles its
    length. ``where`` stands before the paths in errors.
    """
    for path, (kinds, axes, numbered) in schema.items():
        array = _at(parts, path)
        lengths = tuple(sizes.setdefault(*axis) for axis in zip(axes, array.shape, strict=False))
        if array.dtype.kind not in kinds or array.ndim != len(axes) or array.shape != lengths:
            given = f"an array of {array.dtype} and shape {array.shape}"
            raise inconsistent(f"{where}{path} is {given}, which does not fit")
        if numbered and array.size and not 0 <= array.min() <= array.max() < sizes[numbered]:
            raise inconsistent(f"{where}{path} points outside of the {sizes[numbered]} entries there are")


def check_records(records: Parts, sizes: dict[str, int]) -> None:
    """Refuse nodes without rows, and values of too many rows or too few."""
    values, names = records["values"], records["names"]
    if not np.bincount(records["nodes"], minlength=sizes["n"]).all():
        raise inconsistent("it has nodes that stand for no row")
    if values is not None and [part.shape for part in values] != [(sizes["r"],)] * len(names):
        raise inconsistent(f"the values of its columns {names} are not {sizes['r']} each")


def inconsistent(what: str) -> ModelFileError:
    """The error for parts that do not fit each other."""
    return ModelFileError(f"is inconsistent: {what}; fit it and save it again")


def _at(parts: Any, path: str) -> Any:
    """The part at a path."""
    for step in path.split("/"):
        parts = parts[step]
    return parts
