"""What there is to store of a fitted classifier, as plain values and arrays; and the classifier made of them again."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from fgac.classifier import FGAClassifier
from fgac.connectives import IDENTITY, power
from fgac.dissimilarity import Dissimilarity
from fgac.distances import NAMED, Metric, Rows
from fgac.envelope import Envelope
from fgac.files.encoding import ModelFileError, exponent_of
from fgac.membership import GranularModel
from fgac.records import Records
from fgac.soft import SoftBounds
from fgac.solve.constraints import Pairs
from fgac.solve.solution import Solution
from fgac.tables import Column, Table

# Attributes that are stored as they are; feature_names_in_ is there only if the table had names.
ATTRIBUTES = ("classes_", "beta_", "n_features_in_", "feature_names_in_")

# What the arrays must be, so that no index of a changed file points outside of them: kinds of dtype, the axes (equal
# letters are equal lengths), and the axis that the entries number, if they are indices. n nodes, k classes,
# p numeric, q nominal and u ordered columns, at most c categories, m rows of the table given to fit, r of positive
# weight.
SHAPES = {
    "rows/numeric": ("f", "np", ""),
    "rows/codes": ("i", "nq", "c"),
    "rows/mismatch": ("f", "d", ""),
    "rows/ordered": ("f", "nu", ""),
    "rows/facing": ("f", "n", ""),
    "model/beta": ("f", "n", ""),
    "model/starts": ("i", "s", ""),
    "model/opposition": ("f", "ow", ""),
    "model/rank": ("i", "k", "k"),
    "soft/times": ("f", "n", ""),
    "attributes/beta_": ("f", "m", ""),
    "solution/values": ("f", "v", ""),
    "solution/active/tail": ("i", "a", "v"),
    "solution/active/head": ("i", "a", "v"),
    "solution/active/bound": ("f", "a", ""),
    "solution/multipliers": ("f", "a", ""),
    "records/positions": ("i", "r", "m"),
    "records/ids": ("biufU", "r", ""),
    "records/codes": ("i", "r", "k"),
    "records/nodes": ("i", "r", "n"),
}

# There only if columns are ordered.
ORDERED = ("rows/ordered", "rows/facing")


def describe(clf: FGAClassifier, *, values: bool) -> dict[str, Any]:
    """Everything that prediction and explanation need, and the parameters."""
    model, soft, solution = clf._model, clf._soft, clf.solution_
    cones, table = model.cones, None if clf._precomputed else clf._table
    parts = {
        "params": clf.get_params(deep=False),
        "metric": _name_of(clf._plain_metric),
        "gamma": model.gamma,
        "exponent": exponent_of(model.isomorphism, "isomorphism"),
        "n_jobs": cones.n_jobs,
        "attributes": {name: getattr(clf, name) for name in ATTRIBUTES if hasattr(clf, name)},
        "table": None if table is None else _table_parts(table),
        "rows": _parts(cones.rows),
        "model": {name: getattr(model, name) for name in ("beta", "starts", "opposition", "rank")},
        "soft": None if soft is None else {"times": soft.times, "owa": soft.owa},
        "solution": {**_parts(solution), "active": solution.active._asdict()},
        "records": {**_parts(clf._records), **({} if values else {"values": None})},
    }
    try:
        check(parts, table)
    except ModelFileError as error:  # as after a second fit that failed half-way
        raise ModelFileError(f"the fitted model {error}") from None
    return parts


def _parts(value: Any) -> dict[str, Any]:
    """The fields of a dataclass."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _name_of(metric: Metric) -> str:
    for name, make in NAMED.items():
        if make() == metric:
            return name
    raise ModelFileError(
        f"the metric {getattr(metric, 'function', metric)!r} is code, which a model file cannot hold; "
        "use a named metric, or compute the distances and use metric='precomputed'"
    )


def _table_parts(table: Table) -> dict[str, Any]:
    for column in table.columns:
        for category in column.categories or ():
            if not isinstance(category, str | int | float | np.generic):
                raise ModelFileError(
                    f"column {column.name} has the category {category!r} of type {type(category).__name__}; a model "
                    "file holds texts, numbers and bools: turn the column into text before fit"
                )
    return {"columns": [_parts(column) for column in table.columns], "unit": table.unit, "in_order": table.in_order}


def rebuild(parts: dict[str, Any]) -> FGAClassifier:
    """The classifier that was described, after everything has been checked."""
    table = parts["table"]
    if table is not None:
        table = Table(**{**table, "columns": tuple(Column(**column) for column in table["columns"])})
    check(parts, table)
    clf = FGAClassifier(**parts["params"])
    for name in ATTRIBUTES:
        if name in parts["attributes"]:
            setattr(clf, name, parts["attributes"][name])
    if table is not None:
        clf._table = table
    clf._plain_metric = NAMED[parts["metric"]]()
    metric, gamma, phi = clf._plain_metric, parts["gamma"], power(parts["exponent"])
    if phi != IDENTITY:
        metric, gamma = Dissimilarity(metric, gamma, phi), 1.0
    cones = Envelope(Rows(**parts["rows"]), metric, gamma, parts["n_jobs"])
    clf._model = GranularModel(cones, **parts["model"], isomorphism=phi)
    soft = parts["soft"]
    clf._soft = soft and SoftBounds(cones, clf._model.degrees(), soft["times"], soft["owa"], phi)
    clf.solution_ = Solution(**{**parts["solution"], "active": Pairs(**parts["solution"]["active"])})
    clf._records = Records(**parts["records"])
    return clf


def check(parts: dict[str, Any], table: Table | None) -> None:
    """Refuse arrays that do not fit each other: the compiled loops trust them."""
    sizes = _sizes(parts, table)
    for path, (kinds, axes, numbered) in SHAPES.items():
        if (path == "soft/times" and parts["soft"] is None) or (path in ORDERED and not sizes["u"]):
            continue
        array = _at(parts, path)
        lengths = tuple(sizes.setdefault(*axis) for axis in zip(axes, array.shape, strict=False))
        if array.dtype.kind not in kinds or array.ndim != len(axes) or array.shape != lengths:
            raise _inconsistent(f"{path} is an array of {array.dtype} and shape {array.shape}, which does not fit")
        if numbered and array.size and not 0 <= array.min() <= array.max() < sizes[numbered]:
            raise _inconsistent(f"{path} points outside of the {sizes[numbered]} entries there are")
    starts, values, names = parts["model"]["starts"], parts["records"]["values"], parts["records"]["names"]
    if starts[0] != 0 or starts[-1] != sizes["n"] or (np.diff(starts) < 0).any():
        raise _inconsistent(f"its classes start at {starts.tolist()}, but it has {sizes['n']} nodes")
    if not np.bincount(parts["records"]["nodes"], minlength=sizes["n"]).all():
        raise _inconsistent("it has nodes that stand for no row")
    if values is not None and [part.shape for part in values] != [(sizes["r"],)] * len(names):
        raise _inconsistent(f"the values of its columns {names} are not {sizes['r']} each")


def _sizes(parts: dict[str, Any], table: Table | None) -> dict[str, int]:
    """Lengths of the axes that are known beforehand."""
    k, n = len(parts["attributes"]["classes_"]), len(parts["model"]["beta"])
    sizes = {"k": k, "s": k + 1, "n": n, "v": n if k == 2 else 2 * n, "o": k, "w": n}
    if k == 2:  # the other class's beta is what opposes
        sizes |= {"o": 0, "w": 0}
    n_columns = parts["attributes"]["n_features_in_"]
    if (table is None) != (parts["metric"] == "precomputed"):
        raise _inconsistent("it has columns exactly if it has only distances")
    if table is None:
        return sizes | {"p": n_columns, "q": 1, "d": 0, "c": n_columns, "u": 0}
    categories = [list(column.categories.values()) for column in table.columns if column.categories is not None]
    if table.in_order or len(table.columns) != n_columns or any(c != list(range(len(c))) for c in categories):
        raise _inconsistent("its columns are not numbered as they should be")
    q, c = len(categories), max(map(len, categories), default=0)
    u = sum(column.direction != 0 for column in table.columns)
    return sizes | {"p": n_columns - q - u, "q": q, "d": q, "c": c, "u": u}


def _at(parts: Any, path: str) -> Any:
    """What stands at a path."""
    for step in path.split("/"):
        parts = parts[step]
    return parts


def _inconsistent(what: str) -> ModelFileError:
    return ModelFileError(f"is inconsistent: {what}; fit it and save it again")
