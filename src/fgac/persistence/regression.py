"""What there is to store of a fitted regressor, as plain values and arrays; and the regressor made of them again."""

from __future__ import annotations

from typing import Any

from fgac.estimators.regressor import FGARegressor
from fgac.granular.extension import Extension
from fgac.metrics.distances import NAMED
from fgac.persistence.encoding import ModelFileError
from fgac.persistence.schema import (
    ORDERED,
    RECORDS,
    ROWS,
    Shapes,
    check_arrays,
    check_records,
    column_sizes,
    fields_of,
    inconsistent,
    name_of,
    records_of,
    records_parts,
    rows_of,
    rows_parts,
    solution_of,
    solution_parts,
    table_of,
    table_parts,
)
from fgac.query.envelope import Envelope
from fgac.tables.table import Table
from fgac.tables.targets import TargetScale

MODEL = FGARegressor
# Attributes that are stored as they are, as far as they are there.
ATTRIBUTES = ("fitted_", "interval_margin_", "n_features_in_", "feature_names_in_")

# What the arrays of a regressor must be, besides those of all models; a active constraints of one solution.
SHAPES: Shapes = {
    **ROWS,
    "targets": ("f", "n", ""),
    "attributes/fitted_": ("f", "m", ""),
    **RECORDS,
    "records/codes": ("i", "r", ""),
}


SOLUTION: Shapes = {
    "values": ("f", "n", ""),
    "active/tail": ("i", "a", "n"),
    "active/head": ("i", "a", "n"),
    "active/bound": ("f", "a", ""),
    "multipliers": ("f", "a", ""),
}


def describe(model: FGARegressor, *, values: bool) -> dict[str, Any]:
    """Everything that prediction and explanation need, and the parameters."""
    envelope, table = model._model.envelope, None if model._precomputed else model._table
    solutions = [model.solution_, *getattr(model, "interval_solutions_", ())]
    parts = {
        "params": model.get_params(deep=False),
        "metric": name_of(envelope.metric),
        "gamma": envelope.gamma,
        "n_jobs": envelope.n_jobs,
        "attributes": {name: getattr(model, name) for name in ATTRIBUTES if hasattr(model, name)},
        "table": table_parts(table),
        "rows": rows_parts(envelope.rows),
        "targets": model._targets,
        "scale": fields_of(model._target_scale),
        "solutions": [solution_parts(solution) for solution in solutions],
        "records": records_parts(model._records, values=values),
    }
    try:
        check(parts, table)
    except ModelFileError as error:  # as after a second fit that failed half-way
        raise ModelFileError(f"the fitted model {error}") from None
    return parts


def rebuild(parts: dict[str, Any]) -> FGARegressor:
    """The regressor that was described, after everything has been checked."""
    table = table_of(parts["table"])
    check(parts, table)
    model = FGARegressor(**parts["params"])
    for name in ATTRIBUTES:
        if name in parts["attributes"]:
            setattr(model, name, parts["attributes"][name])
    if table is not None:
        model._table = table
    solutions = [solution_of(part) for part in parts["solutions"]]
    envelope = Envelope(rows_of(parts["rows"]), NAMED[parts["metric"]](), parts["gamma"], parts["n_jobs"])
    model._model, *ends = (Extension(envelope, solution.values) for solution in solutions)
    model._interval = tuple(ends)
    model.solution_ = solutions[0]
    if ends:
        model.interval_solutions_ = tuple(solutions[1:])
    model._targets = parts["targets"]
    model._target_scale = TargetScale(**parts["scale"])
    model._records = records_of(parts["records"])
    return model


def check(parts: dict[str, Any], table: Table | None) -> None:
    """Refuse arrays that do not fit each other: the compiled loops trust them."""
    sizes = {"n": len(parts["targets"])}
    sizes |= column_sizes(table, parts["metric"], parts["attributes"]["n_features_in_"])
    check_arrays(parts, SHAPES | (ORDERED if sizes["u"] else {}), sizes)
    if len(parts["solutions"]) not in (1, 3):
        raise inconsistent(f"it has {len(parts['solutions'])} solutions, expected 1, or 3 with an interval")
    for number, solution in enumerate(parts["solutions"]):
        check_arrays(solution, SOLUTION, dict(sizes), f"solutions/{number}/")
    check_records(parts["records"], sizes)
