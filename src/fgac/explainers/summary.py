"""A fitted model in a few numbers: what it was trained on, how, and the proof of its optimality."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, overload

import numpy as np

from fgac.estimators._plain import DEFAULTS
from fgac.estimators._state import ClassifierState, OrdinalState, RegressorState
from fgac.explanation.classification import ModelSummary
from fgac.explanation.regression import RegressionSummary
from fgac.solve import Solution
from fgac.tables.labels import plain_name


@overload
def summarise(state: ClassifierState | OrdinalState) -> ModelSummary: ...
@overload
def summarise(state: RegressorState) -> RegressionSummary: ...
def summarise(state: ClassifierState | OrdinalState | RegressorState) -> ModelSummary | RegressionSummary:
    """What a fitted model was trained on, how, and the proof of its optimality."""
    common: dict[str, Any] = {
        "n_features": int(state.header.n_features),
        "gamma": state.gamma,
        # How gamma was chosen is no setting of the model, so the plain estimator's parameters are compared.
        "settings": changed_settings(state.params, DEFAULTS[type(state)]),
        "target": state.target_name,
        "selection": state.selection,
    }
    if isinstance(state, RegressorState):
        least, most = float(state.targets.min()), float(state.targets.max())
        n_rows, proof = len(state.records.positions), _proof(state.solution)
        return RegressionSummary(n_rows=n_rows, least=least, most=most, **common, **proof)
    sizes, proof = _of_boundaries(state) if isinstance(state, OrdinalState) else _of_classes(state)
    classes = tuple(plain_name(label) for label in state.classes)
    return ModelSummary(classes=classes, class_sizes=tuple(sizes), n_rows=sum(sizes), **common, **proof)


def _of_classes(state: ClassifierState) -> tuple[list[int], dict[str, Any]]:
    """How many rows every class has, and the proof."""
    return np.bincount(state.records.codes, minlength=len(state.classes)).tolist(), _proof(state.solution)


def _of_boundaries(state: OrdinalState) -> tuple[list[int], dict[str, Any]]:
    """How many rows every class has, from those above each boundary; and the least that is proved of any boundary."""
    above = [int(np.isfinite(state.beta).sum()), *(int(each.records.codes.sum()) for each in state.boundaries), 0]
    solutions = [boundary.solution for boundary in state.boundaries]
    proof = {
        "is_optimal": all(solution.is_optimal() for solution in solutions),
        "largest_violation": max((solution.largest_violation for solution in solutions), default=0.0),
        "dual_residual": max((solution.dual_residual for solution in solutions), default=0.0),
        "duality_gap": max((abs(solution.duality_gap) for solution in solutions), default=0.0),
    }
    return [before - after for before, after in pairwise(above)], proof


def _proof(solution: Solution) -> dict[str, Any]:
    return {
        "is_optimal": solution.is_optimal(),
        "largest_violation": float(solution.largest_violation),
        "dual_residual": float(solution.dual_residual),
        "duality_gap": float(solution.duality_gap),
    }


def changed_settings(params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters, but gamma, that are not at their defaults, as JSON can hold them."""
    # A model of an older version knows nothing of later parameters, whose defaults are what it did.
    known = {**defaults, **params}
    changed = [name for name, default in defaults.items() if name != "gamma" and _differs(known[name], default)]
    return {name: plain_setting(known[name]) for name in changed}


def _differs(value: Any, default: Any) -> bool:
    # An array is no default of any parameter, and cannot be compared as a whole.
    return type(value) is not type(default) or isinstance(value, np.ndarray) or value != default


def plain_setting(value: Any) -> Any:
    """A parameter as JSON can hold it; functions and objects by their names, for their addresses say nothing."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain_setting(part) for part in value]
    if isinstance(value, dict):
        return {str(key): plain_setting(part) for key, part in value.items()}
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return getattr(value, "__qualname__", None) or type(value).__qualname__
