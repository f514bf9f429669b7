"""The contract that every public estimator keeps: scikit-learn's checks, copies, errors before fit, light import."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import fgac
from support.comparison import assert_same, results_of
from support.estimators import REGISTRY, expected_failures, make, public_estimators

ALL = [(name, settings) for name, one in REGISTRY.items() for settings in one.settings]
FIRST = [(name, one.settings[0]) for name, one in REGISTRY.items()]
SETTINGS = [pytest.param(*one, id=repr(make(*one)), marks=[] if one in FIRST else pytest.mark.slow) for one in ALL]
every_setting = pytest.mark.parametrize(("name", "settings"), SETTINGS)
every_estimator = pytest.mark.parametrize("name", REGISTRY)


def test_every_public_estimator_is_registered():
    """An estimator that is left out would be checked by nobody."""
    assert sorted(REGISTRY) == sorted(public_estimators())


def test_every_registered_setting_is_another_one():
    for name, one in REGISTRY.items():
        assert len({repr(make(name, settings)) for settings in one.settings}) == len(one.settings)


def do(check, estimator):
    """Do a check, which must fail if that is expected.

    Without marks: pytest would format a traceback through scikit-learn for each, which takes longer than the check.
    """
    if check.func.__name__ in expected_failures(estimator):
        with pytest.raises((AssertionError, ValueError)):
            check(estimator)
    else:
        check(estimator)


@parametrize_with_checks([make(*one) for one in FIRST])
def test_scikit_learn_checks(estimator, check):
    """Every check of scikit-learn, for the first setting of each estimator."""
    do(check, estimator)


@pytest.mark.slow
@parametrize_with_checks([make(*one) for one in ALL if one not in FIRST])
def test_scikit_learn_checks_of_other_settings(estimator, check):
    """Every check of scikit-learn, for all the other settings."""
    do(check, estimator)


@every_setting
def test_copies_and_files(name, settings):
    """A clone has the parameters and no fitted attribute; what was pickled gives the same results."""
    model = make(name, settings)
    X, y = REGISTRY[name].data(settings)
    before = dict(vars(model))
    assert model.fit(X, y) is model
    assert {key: value for key, value in vars(model).items() if key in before} == before
    assert all(key.endswith("_") or key.startswith("_") for key in set(vars(model)) - set(before))
    copy = clone(model)
    assert type(copy) is type(model)
    assert repr(copy.get_params()) == repr(model.get_params())  # splitters have no equality
    assert vars(copy).keys() == before.keys()
    again = pickle.loads(pickle.dumps(model))
    for method in REGISTRY[name].results:
        assert_same(results_of(again, method, X), results_of(model, method, X), method)


@every_estimator
def test_parameters_are_given_by_name(name):
    make(name, {})
    with pytest.raises(TypeError):
        getattr(fgac, name)(1.0)


@every_estimator
def test_methods_need_a_fitted_model(name):
    """Before fit, and after a first fit that failed, every method says that fit is missing."""
    failed = make(name, REGISTRY[name].wrong)
    with pytest.raises((ValueError, TypeError)):
        failed.fit(*REGISTRY[name].data({}))
    explaining = ["explain"] if hasattr(failed, "explain") else []
    for model in (make(name, {}), failed):
        for method in [*REGISTRY[name].results, *explaining]:
            with pytest.raises(NotFittedError):
                getattr(model, method)([[0.0]])


def test_importing_and_making_them_compiles_nothing():
    """Kernels are imported by the functions that call them."""
    code = "import sys, fgac\n"
    for name in public_estimators():
        code += f"repr(fgac.{name}()), fgac.{name}().get_params()\n"
    code += "print('numba' in sys.modules, 'matplotlib' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False False\n"


def test_results_are_compared_to_the_last_bit():
    """The comparison that these tests rest on."""
    with pytest.raises(AssertionError):
        assert_same((np.array([1.0]),), (np.array([1.0 + 2**-52]),))
