"""A fitted classifier in a few lines: what it was trained on, how, and the proof of its optimality."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from fgac.estimators.classifier import FGAClassifier
from fgac.explanation.classification import ModelSummary
from fgac.tables.labels import plain_name


def summarise(clf: FGAClassifier) -> ModelSummary:
    """What a fitted classifier was trained on, how, and the proof of its optimality."""
    solution, records = clf.solution_, clf._state.records
    sizes = np.bincount(records.codes, minlength=len(clf.classes_))
    return ModelSummary(
        classes=tuple(plain_name(label) for label in clf.classes_),
        class_sizes=tuple(int(size) for size in sizes),
        n_rows=len(records.positions),
        n_features=int(clf.n_features_in_),
        gamma=clf._state.predictor.model.gamma,
        # How gamma was chosen, which FGAClassifierCV knows as well, is no setting of the model.
        settings=settings_of(clf, FGAClassifier),
        is_optimal=solution.is_optimal(),
        largest_violation=float(solution.largest_violation),
        dual_residual=float(solution.dual_residual),
        duality_gap=float(solution.duality_gap),
    )


def settings_of(estimator: Any, kind: type) -> dict[str, Any]:
    """The parameters of this kind of estimator, but gamma, that are not at their defaults."""
    parameters = inspect.signature(kind).parameters.values()
    settings = {p.name: getattr(estimator, p.name) for p in parameters}
    changed = [p.name for p in parameters if _differs(settings[p.name], p.default)]
    return {name: _plain_setting(settings[name]) for name in changed if name != "gamma"}


def _differs(value: Any, default: Any) -> bool:
    return type(value) is not type(default) or isinstance(value, np.ndarray) or value != default


def _plain_setting(value: Any) -> Any:
    """A parameter as JSON can hold it; functions and objects by their description."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain_setting(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain_setting(part) for key, part in value.items()}
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return getattr(value, "__qualname__", None) or type(value).__qualname__
