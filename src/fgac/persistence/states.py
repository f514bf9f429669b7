"""Everything that is stored of a fitted state, as plain values and arrays; and the state made of them again.

One pair of functions, :func:`describe` and :func:`rebuild`, serves all kinds of models; :data:`KINDS` says what each
kind stores beside what all have. Names in a file outlive names in the code: they are written out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fgac.estimators._plain import DEFAULTS
from fgac.estimators._spread import Spread
from fgac.estimators._state import ClassifierState, FittedState, OrdinalState, RegressorState
from fgac.estimators._training import Header
from fgac.explanation.held_out import HeldOut
from fgac.fuzzy.connectives import IDENTITY, power
from fgac.granular.calibration import Calibration
from fgac.granular.dissimilarity import bent, bent_metric
from fgac.granular.extension import Extension
from fgac.granular.membership import GranularModel
from fgac.granular.owa_bounds import OwaBounds
from fgac.granular.predictor import ClassPredictor
from fgac.metrics.distances import NAMED
from fgac.persistence.declarations import MODELS
from fgac.persistence.encoding import exponent_of
from fgac.persistence.errors import ModelFileError
from fgac.persistence.parts import (
    describe_records,
    describe_rows,
    describe_solution,
    describe_table,
    fields_of,
    metric_name,
    rebuild_records,
    rebuild_rows,
    rebuild_solution,
    rebuild_table,
)
from fgac.persistence.schema import check
from fgac.persistence.schema_base import Parts, shown
from fgac.query.envelope import Envelope
from fgac.tables.table import Table
from fgac.tables.targets import TargetScale


def describe(state: FittedState, *, values: bool) -> Parts:
    """Everything that prediction and explanation need, and the parameters.

    ``values`` says whether the values of the training rows go into the file, as they were given.
    """
    name = next(name for name, kind in KINDS.items() if type(state) is kind.state)
    more = {part: getattr(state, part, None) for part in ("selection", "calibration")}
    known = {part: fields_of(value) for part, value in more.items() if value is not None}
    return {"kind": name, **KINDS[name].describe(state, values), **known}


def check_parts(parts: Any) -> str:
    """The kind of model that some parts are, after everything that is declared of it has been checked."""
    if not isinstance(parts, dict):
        raise ModelFileError("holds no model; save it again")
    # The first files held nothing but classifiers, and did not say so.
    name = parts.get("kind", "classifier")
    if not isinstance(name, str) or name not in MODELS:
        raise ModelFileError(f"holds a model of the unknown kind {shown(name)}; a newer fgac may know it")
    check(MODELS[name], {part: value for part, value in parts.items() if part != "kind"})
    return name


def rebuild(parts: Parts) -> FittedState:
    """The state that was described, after everything has been checked: the compiled loops trust its arrays."""
    name = check_parts(parts)
    if name not in KINDS:
        raise ModelFileError(
            f"holds a gamma {name}, of which there is one model for every gamma; expected a single model. Load it with "
            "fgac.load_model, and save what its classifier(gamma) returns"
        )
    rows = parts["boundaries"][0]["rows"] if parts.get("boundaries") else parts.get("rows", {})
    return KINDS[name].rebuild(parts, rebuild_table(parts["table"], rows))


# ----------------------------------------------------------------------------------------------------
# All kinds
# ----------------------------------------------------------------------------------------------------


def _attributes(state: FittedState, learned: Parts) -> Parts:
    """What scikit-learn calls fitted attributes: those of one kind of model, and the columns."""
    names = {} if state.header.names is None else {"feature_names_in_": state.header.names}
    target = {} if state.target_name is None else {"target_name": state.target_name}
    return {**learned, "n_features_in_": state.header.n_features, **names, **target}


def _rebuild_common(kind: type[FittedState], parts: Parts, table: Table | None) -> Parts:
    """Arguments that the states of all kinds take."""
    known = parts["attributes"]
    header = Header(known["n_features_in_"], known.get("feature_names_in_"))
    # A parameter that is newer than the file has its default.
    newer = {name: value for name, value in DEFAULTS[kind].items() if name not in parts["params"]}
    calibration = {"calibration": Calibration(**parts["calibration"])} if "calibration" in parts else {}
    return {
        "params": {**parts["params"], **newer},
        "header": header,
        "table": table,
        "target_name": known.get("target_name"),
        "selection": HeldOut(**parts["selection"]) if "selection" in parts else None,
        **calibration,
    }


# ----------------------------------------------------------------------------------------------------
# Classes
# ----------------------------------------------------------------------------------------------------


def _describe_classifier(state: ClassifierState, values: bool) -> Parts:
    model, owa_bounds = state.predictor.model, state.predictor.owa_bounds
    return {
        "params": dict(state.params),
        "metric": metric_name(state.metric),
        "gamma": model.gamma,
        "exponent": exponent_of(model.isomorphism, "isomorphism"),
        "n_jobs": model.envelope.n_jobs,
        "attributes": _attributes(state, {"classes_": state.classes, "beta_": state.beta}),
        "table": describe_table(state.table),
        "rows": describe_rows(model.envelope.rows),
        "model": {
            "beta": model.beta,
            "starts": model.starts,
            "opposition": model.opposition,
            "rank": model.tie_order,
        },
        "soft": None if owa_bounds is None else {"times": owa_bounds.multiplicity, "owa": owa_bounds.owa},
        **({} if model.bends_similarity or model.isomorphism == IDENTITY else {"bent": False}),
        "solution": describe_solution(state.solution),
        "records": describe_records(state.records, values=values),
        **({} if state.held_out is None else {"held_out": state.held_out}),
    }


def _rebuild_classifier(parts: Parts, table: Table | None) -> ClassifierState:
    plain, isomorphism, known = NAMED[parts["metric"]](), power(parts["exponent"]), parts["model"]
    # The metric of the envelope is bent by the isomorphism; a file stores the two apart, because only they have names.
    # Files that do not say so are of versions that bent by every isomorphism, also one for which bounds may cross then.
    make = bent if parts.get("bent", True) else bent_metric
    metric, gamma = make(plain, parts["gamma"], isomorphism)
    envelope = Envelope(rebuild_rows(parts["rows"]), metric, gamma, parts["n_jobs"])
    model = GranularModel(
        envelope, known["beta"], known["starts"], known["opposition"], tie_order=known["rank"], isomorphism=isomorphism
    )
    soft = parts["soft"]
    owa_bounds = soft and OwaBounds(envelope, model.degrees(), soft["times"], soft["owa"], isomorphism)
    return ClassifierState(
        **_rebuild_common(ClassifierState, parts, table),
        classes=parts["attributes"]["classes_"],
        metric=plain,
        records=rebuild_records(parts["records"]),
        predictor=ClassPredictor(model, owa_bounds, parts["params"]["ties"]),
        solution=rebuild_solution(parts["solution"]),
        beta=parts["attributes"]["beta_"],
        held_out=parts.get("held_out"),
    )


# ----------------------------------------------------------------------------------------------------
# Ordered classes
# ----------------------------------------------------------------------------------------------------


def _describe_ordinal(state: OrdinalState, values: bool) -> Parts:
    return {
        "params": dict(state.params),
        "attributes": _attributes(state, {"classes_": state.classes, "beta_": state.beta}),
        "table": describe_table(state.table),
        "boundaries": [_describe_classifier(boundary, values) for boundary in state.boundaries],
    }


def _rebuild_ordinal(parts: Parts, table: Table | None) -> OrdinalState:
    # All boundaries are of one table.
    boundaries = [_rebuild_classifier(part, table) for part in parts["boundaries"]]
    return OrdinalState(
        **_rebuild_common(OrdinalState, parts, table),
        classes=parts["attributes"]["classes_"],
        boundaries=tuple(boundaries),
        beta=parts["attributes"]["beta_"],
    )


# ----------------------------------------------------------------------------------------------------
# Numbers
# ----------------------------------------------------------------------------------------------------


def _describe_regressor(state: RegressorState, values: bool) -> Parts:
    envelope = state.extension.envelope
    # Files do not hold a margin of no interval.
    margin = {"interval_margin_": state.interval_margin} if state.interval_ends else {}
    return {
        "params": dict(state.params),
        "metric": metric_name(envelope.metric),
        "gamma": envelope.gamma,
        "n_jobs": envelope.n_jobs,
        "attributes": _attributes(state, {"fitted_": state.fitted_values, **margin}),
        "table": describe_table(state.table),
        "rows": describe_rows(envelope.rows),
        "targets": state.targets,
        "scale": fields_of(state.scale),
        **({} if state.spread is None else {"spread": _describe_spread(state.spread, values)}),
        "solutions": [describe_solution(solution) for solution in (state.solution, *state.interval_solutions)],
        "records": describe_records(state.records, values=values),
        **({} if state.held_out is None else {"held_out": state.held_out}),
    }


def _rebuild_regressor(parts: Parts, table: Table | None) -> RegressorState:
    known = parts["attributes"]
    solution, *ends = (rebuild_solution(part) for part in parts["solutions"])
    envelope = Envelope(rebuild_rows(parts["rows"]), NAMED[parts["metric"]](), parts["gamma"], parts["n_jobs"])
    # Values of nodes are not stored beside the solutions that they are: extensions take them from there.
    return RegressorState(
        **_rebuild_common(RegressorState, parts, table),
        records=rebuild_records(parts["records"]),
        scale=TargetScale(**parts["scale"]),
        targets=parts["targets"],
        extension=Extension(envelope, solution.values),
        solution=solution,
        fitted_values=known["fitted_"],
        interval_ends=tuple(Extension(envelope, end.values) for end in ends),
        interval_solutions=tuple(ends),
        interval_margin=known.get("interval_margin_", 0.0),
        held_out=parts.get("held_out"),
        spread=_rebuild_spread(parts["spread"]) if "spread" in parts else None,
    )


def _describe_spread(spread: Spread, values: bool) -> Parts:
    numbers = {"below": spread.below, "above": spread.above, "least": spread.least}
    return {**numbers, "state": _describe_regressor(spread.state, values)}


def _rebuild_spread(parts: Parts) -> Spread:
    # It has a distance of its own, and so a table.
    inner = parts["state"]
    state = _rebuild_regressor(inner, rebuild_table(inner["table"], inner["rows"]))
    return Spread(state=state, **{name: parts[name] for name in ("below", "above", "least")})


class Kind(NamedTuple):
    """How the states of one kind of model are taken apart and put together."""

    state: type[FittedState]
    describe: Callable[[Any, bool], Parts]
    rebuild: Callable[[Parts, Table | None], FittedState]


# By their names in files.
KINDS = {
    "classifier": Kind(ClassifierState, _describe_classifier, _rebuild_classifier),
    "regressor": Kind(RegressorState, _describe_regressor, _rebuild_regressor),
    "ordinal": Kind(OrdinalState, _describe_ordinal, _rebuild_ordinal),
}
