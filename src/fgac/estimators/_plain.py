"""Between a fitted state and the plain estimator that it is the state of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fgac.estimators._state import ClassifierState, FittedState, OrdinalState, RegressorState, state_of


def plain_estimator(state: FittedState) -> Any:
    """The plain fitted estimator of a state: FGAClassifier, FGAOrdinalClassifier or FGARegressor.

    It shares its arrays with the state.
    """
    estimator = _kind(state)(**state.params)
    estimator._set_state(state)
    return estimator


def current_state(estimator: Any) -> FittedState:
    """The state of a fitted estimator, with the parameters that it has now.

    Parameters that were set after ``fit`` are the caller's; what was learned does not depend on them.
    """
    state: FittedState = state_of(estimator)
    return replace(state, params=estimator._plain_params())


def _kind(state: FittedState) -> Any:
    # Inside of the function, because all of these modules need this one.
    if isinstance(state, ClassifierState):
        from fgac.estimators.classifier import FGAClassifier

        return FGAClassifier
    if isinstance(state, OrdinalState):
        from fgac.estimators.ordinal import FGAOrdinalClassifier

        return FGAOrdinalClassifier
    if isinstance(state, RegressorState):
        from fgac.estimators.regressor import FGARegressor

        return FGARegressor
    raise TypeError(f"there is no plain estimator of a {type(state).__name__}")
