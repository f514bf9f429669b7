"""The plain estimator of a fitted state, which does not choose gamma: its class, its defaults, and the estimator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from fgac.estimators._state import ClassifierState, FittedState, OrdinalState, RegressorState, state_of

# Imported when an estimator is made: these modules need this one, and scikit-learn, which a state does without.
HOMES: dict[type[FittedState], tuple[str, str]] = {
    ClassifierState: ("fgac.estimators.classifier", "FGAClassifier"),
    OrdinalState: ("fgac.estimators.ordinal", "FGAOrdinalClassifier"),
    RegressorState: ("fgac.estimators.regressor", "FGARegressor"),
}

# Defaults of the constructors, in their order, for those who have a state and no need of its estimator. The tests
# compare them with the constructors.
_TRAINING = {"gamma": 1.0, "loss": "squared_error"}
_DISTANCES = {"metric": "euclidean", "scale": "auto"}
_COLUMNS = {"categorical_features": "from_dtype", "feature_weights": None, "monotonic_cst": None}
_CLASSES = {"class_weight": None, "ties": "nearest"}
_WORK = {"tol": 1e-10, "n_jobs": None, "verbose": 0}
_VARIANTS = {"n_neighbors": None, "neighbors_among": "others", "owa": None, "isomorphism": None}
DEFAULTS: dict[type[FittedState], Mapping[str, Any]] = {
    ClassifierState: {**_TRAINING, **_DISTANCES, **_VARIANTS, **_COLUMNS, **_CLASSES, **_WORK},
    OrdinalState: {"class_order": None, **_TRAINING, **_DISTANCES, **_COLUMNS, **_CLASSES, **_WORK},
    RegressorState: {
        **_TRAINING,
        "quantile": 0.5,
        "target_scale": "range",
        "interval": None,
        **_DISTANCES,
        **_COLUMNS,
        **_WORK,
    },
}


def plain_estimator(state: FittedState) -> Any:
    """The plain fitted estimator of a state: FGAClassifier, FGAOrdinalClassifier or FGARegressor.

    It shares its arrays with the state.
    """
    if type(state) not in HOMES:
        raise TypeError(f"there is no plain estimator of a {type(state).__name__}")
    module, name = HOMES[type(state)]
    estimator = getattr(import_module(module), name)(**state.params)
    estimator._set_state(state)
    return estimator


def current_state(estimator: Any) -> FittedState:
    """The state of a fitted estimator, with the parameters that it has now.

    Parameters that were set after ``fit`` are the caller's; what was learned does not depend on them.
    """
    state: FittedState = state_of(estimator)
    return replace(state, params=estimator._plain_params())
