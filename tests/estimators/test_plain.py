"""Plain estimators of fitted states."""

import inspect
from importlib import import_module

import pytest

from fgac.estimators import _state
from fgac.estimators._plain import DEFAULTS, HOMES, plain_estimator
from fgac.estimators._state import ClassState, FittedState


@pytest.mark.parametrize("kind", HOMES, ids=lambda kind: kind.__name__)
def test_defaults_are_those_of_the_constructor(kind):
    """Whoever has a state, and not its estimator, must know the same defaults in the same order."""
    module, name = HOMES[kind]
    parameters = inspect.signature(getattr(import_module(module), name)).parameters.values()
    assert list(DEFAULTS[kind].items()) == [(parameter.name, parameter.default) for parameter in parameters]


def test_every_kind_of_state_has_an_estimator():
    states = {kind for kind in vars(_state).values() if isinstance(kind, type) and issubclass(kind, FittedState)}
    assert states - {FittedState, ClassState} == set(HOMES) == set(DEFAULTS)


def test_other_states_have_no_estimator():
    with pytest.raises(TypeError, match="there is no plain estimator of a FittedState"):
        plain_estimator(FittedState(params={}, header=None, table=None))
