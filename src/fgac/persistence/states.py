"""What there is to store of a fitted state, as plain values and arrays; and the state made of them again.

One pair of functions, :func:`describe` and :func:`rebuild`, serves all kinds of models; :data:`KINDS` says what each
kind stores beside what all have. Names in a file outlive names in the code: they are written out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from fgac.estimators._state import ClassifierState, FittedState, OrdinalState, RegressorState
from fgac.estimators._training import Header
from fgac.fuzzy.connectives import power
from fgac.granular.dissimilarity import bent_metric
from fgac.granular.extension import Extension
from fgac.granular.membership import GranularModel
from fgac.granular.owa_bounds import OwaBounds
from fgac.granular.predictor import ClassPredictor
from fgac.metrics.distances import NAMED
from fgac.persistence.encoding import ModelFileError, exponent_of
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

Parts = dict[str, Any]


def describe(state: FittedState, *, values: bool) -> Parts:
    """Everything that prediction and explanation need, and the parameters.

    ``values`` says whether the values of the training rows go into the file, as they were given.
    """
    name = kind_of(state)
    parts = {"kind": name, **KINDS[name].describe(state, values)}
    try:
        KINDS[name].check(parts, state.table)
    except ModelFileError as error:  # a model that was made by hand, and not by fit
        raise ModelFileError(f"the fitted model {error}") from None
    return parts


def rebuild(parts: Parts) -> FittedState:
    """The state that was described, after everything has been checked: the compiled loops trust its arrays."""
    name = parts.get("kind", "classifier")  # the first files held nothing but classifiers, and did not say so
    if name not in KINDS:
        raise ModelFileError(f"holds a model of the unknown kind {name!r}; a newer fgac may know it")
    table = table_of(parts["table"])
    KINDS[name].check(parts, table)
    return KINDS[name].rebuild(parts, table)


def kind_of(state: FittedState) -> str:
    """The name of a kind of model in files."""
    return next(name for name, kind in KINDS.items() if type(state) is kind.state)


# ----------------------------------------------------------------------------------------------------
# What all kinds have
# ----------------------------------------------------------------------------------------------------


def _common(state: FittedState, attributes: Parts) -> Parts:
    header = state.header
    names = {} if header.names is None else {"feature_names_in_": header.names}
    return {
        "params": dict(state.params),
        "attributes": {**attributes, "n_features_in_": header.n_features, **names},
        "table": table_parts(state.table),
    }


def _rebuilt(parts: Parts, table: Table | None) -> Parts:
    """Arguments that the states of all kinds take."""
    known = parts["attributes"]
    header = Header(known["n_features_in_"], known.get("feature_names_in_"))
    return {"params": parts["params"], "header": header, "table": table}


# ----------------------------------------------------------------------------------------------------
# Classes
# ----------------------------------------------------------------------------------------------------

# What the arrays of a classifier must be, besides those of all models; v values, a active constraints.
CLASSIFIER: Shapes = {
    **ROWS,
    "model/beta": ("f", "n", ""),
    "model/starts": ("i", "s", ""),
    "model/opposition": ("f", "ow", ""),
    "model/rank": ("i", "k", "k"),
    "attributes/beta_": ("f", "m", ""),
    "solution/values": ("f", "v", ""),
    "solution/active/tail": ("i", "a", "v"),
    "solution/active/head": ("i", "a", "v"),
    "solution/active/bound": ("f", "a", ""),
    "solution/multipliers": ("f", "a", ""),
    **RECORDS,
    "records/codes": ("i", "r", "k"),
}
OWA: Shapes = {"soft/times": ("f", "n", "")}


def _describe_classifier(state: ClassifierState, values: bool) -> Parts:
    model, soft = state.predictor.model, state.predictor.owa_bounds
    return {
        **_common(state, {"classes_": state.classes, "beta_": state.beta}),
        "metric": name_of(state.metric),
        "gamma": model.gamma,
        "exponent": exponent_of(model.isomorphism, "isomorphism"),
        "n_jobs": model.envelope.n_jobs,
        "rows": rows_parts(model.envelope.rows),
        "model": {
            "beta": model.beta,
            "starts": model.starts,
            "opposition": model.opposition,
            "rank": model.tie_order,
        },
        "soft": None if soft is None else {"times": soft.multiplicity, "owa": soft.owa},
        "solution": solution_parts(state.solution),
        "records": records_parts(state.records, values=values),
    }


def _rebuild_classifier(parts: Parts, table: Table | None) -> ClassifierState:
    plain, phi, known = NAMED[parts["metric"]](), power(parts["exponent"]), parts["model"]
    metric, gamma = bent_metric(plain, parts["gamma"], phi)
    envelope = Envelope(rows_of(parts["rows"]), metric, gamma, parts["n_jobs"])
    model = GranularModel(
        envelope, known["beta"], known["starts"], known["opposition"], tie_order=known["rank"], isomorphism=phi
    )
    soft = parts["soft"]
    bounds = soft and OwaBounds(envelope, model.degrees(), soft["times"], soft["owa"], phi)
    return ClassifierState(
        **_rebuilt(parts, table),
        classes=parts["attributes"]["classes_"],
        metric=plain,
        records=records_of(parts["records"]),
        predictor=ClassPredictor(model, bounds, parts["params"]["ties"]),
        solution=solution_of(parts["solution"]),
        beta=parts["attributes"]["beta_"],
    )


def _check_classifier(parts: Parts, table: Table | None) -> None:
    k, n = len(parts["attributes"]["classes_"]), len(parts["model"]["beta"])
    sizes = {"k": k, "s": k + 1, "n": n, "v": n if k == 2 else 2 * n, "o": k, "w": n}
    if k == 2:  # the other class's beta is what opposes
        sizes |= {"o": 0, "w": 0}
    sizes |= column_sizes(table, parts["metric"], parts["attributes"]["n_features_in_"])
    shapes = CLASSIFIER | (ORDERED if sizes["u"] else {}) | ({} if parts["soft"] is None else OWA)
    check_arrays(parts, shapes, sizes)
    starts = parts["model"]["starts"]
    if starts[0] != 0 or starts[-1] != sizes["n"] or (np.diff(starts) < 0).any():
        raise inconsistent(f"its classes start at {starts.tolist()}, but it has {sizes['n']} nodes")
    check_records(parts["records"], sizes)


# ----------------------------------------------------------------------------------------------------
# Ordered classes
# ----------------------------------------------------------------------------------------------------

ORDINAL: Shapes = {"attributes/beta_": ("f", "m", "")}


def _describe_ordinal(state: OrdinalState, values: bool) -> Parts:
    boundaries = [describe(boundary, values=values) for boundary in state.boundaries]
    for boundary in boundaries:
        del boundary["kind"]  # it is always a classifier
    return {**_common(state, {"classes_": state.classes, "beta_": state.beta}), "boundaries": boundaries}


def _rebuild_ordinal(parts: Parts, table: Table | None) -> OrdinalState:
    boundaries = [_rebuild_classifier(part, table_of(part["table"])) for part in parts["boundaries"]]
    return OrdinalState(
        **_rebuilt(parts, table),
        classes=parts["attributes"]["classes_"],
        boundaries=tuple(boundaries),
        beta=parts["attributes"]["beta_"],
    )


def _check_ordinal(parts: Parts, table: Table | None) -> None:
    """Refuse boundaries that do not fit the classes and each other."""
    known, boundaries = parts["attributes"], parts["boundaries"]
    for boundary in boundaries:
        _check_classifier(boundary, table_of(boundary["table"]))
    check_arrays(parts, ORDINAL, {})
    if len(boundaries) != len(known["classes_"]) - 1:
        raise inconsistent(f"it has {len(boundaries)} boundaries between {len(known['classes_'])} classes")
    for boundary in boundaries:
        other = boundary["attributes"]
        same = len(other["beta_"]) == len(known["beta_"]) and other["n_features_in_"] == known["n_features_in_"]
        if not same or table_of(boundary["table"]) != table:
            raise inconsistent("its boundaries are of different tables")


# ----------------------------------------------------------------------------------------------------
# Numbers
# ----------------------------------------------------------------------------------------------------

# What the arrays of a regressor must be, besides those of all models; a active constraints of one solution.
REGRESSOR: Shapes = {
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


def _describe_regressor(state: RegressorState, values: bool) -> Parts:
    envelope = state.extension.envelope
    margin = {"interval_margin_": state.interval_margin} if state.interval_ends else {}
    return {
        **_common(state, {"fitted_": state.fitted_values, **margin}),
        "metric": name_of(envelope.metric),
        "gamma": envelope.gamma,
        "n_jobs": envelope.n_jobs,
        "rows": rows_parts(envelope.rows),
        "targets": state.targets,
        "scale": fields_of(state.scale),
        "solutions": [solution_parts(solution) for solution in (state.solution, *state.interval_solutions)],
        "records": records_parts(state.records, values=values),
    }


def _rebuild_regressor(parts: Parts, table: Table | None) -> RegressorState:
    known = parts["attributes"]
    solution, *ends = (solution_of(part) for part in parts["solutions"])
    envelope = Envelope(rows_of(parts["rows"]), NAMED[parts["metric"]](), parts["gamma"], parts["n_jobs"])
    return RegressorState(
        **_rebuilt(parts, table),
        records=records_of(parts["records"]),
        scale=TargetScale(**parts["scale"]),
        targets=parts["targets"],
        extension=Extension(envelope, solution.values),
        solution=solution,
        fitted_values=known["fitted_"],
        interval_ends=tuple(Extension(envelope, end.values) for end in ends),
        interval_solutions=tuple(ends),
        interval_margin=known.get("interval_margin_", 0.0),
    )


def _check_regressor(parts: Parts, table: Table | None) -> None:
    sizes = {"n": len(parts["targets"])}
    sizes |= column_sizes(table, parts["metric"], parts["attributes"]["n_features_in_"])
    check_arrays(parts, REGRESSOR | (ORDERED if sizes["u"] else {}), sizes)
    if len(parts["solutions"]) not in (1, 3):
        raise inconsistent(f"it has {len(parts['solutions'])} solutions, expected 1, or 3 with an interval")
    for number, solution in enumerate(parts["solutions"]):
        check_arrays(solution, SOLUTION, dict(sizes), f"solutions/{number}/")
    check_records(parts["records"], sizes)


class Kind(NamedTuple):
    """How the states of one kind of model are taken apart, checked, and put together."""

    state: type[FittedState]
    describe: Callable[[Any, bool], Parts]
    check: Callable[[Parts, Table | None], None]
    rebuild: Callable[[Parts, Table | None], FittedState]


KINDS = {
    "classifier": Kind(ClassifierState, _describe_classifier, _check_classifier, _rebuild_classifier),
    "regressor": Kind(RegressorState, _describe_regressor, _check_regressor, _rebuild_regressor),
    "ordinal": Kind(OrdinalState, _describe_ordinal, _check_ordinal, _rebuild_ordinal),
}
