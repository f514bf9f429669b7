"""A fit that fails leaves the fit before it as it was: predictions, fitted attributes, explanations."""

import copy
import dataclasses
import functools
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from fgac.solve.solution import Solution
from support.comparison import assert_same, results_of
from support.estimators import REGISTRY, make

every_estimator = pytest.mark.parametrize("name", REGISTRY)


class Broken(Exception):
    """What a metric of the user's raises."""


def breaks_down(A, B):
    """A metric that fails in the middle of training."""
    raise Broken("no distance today")


def other_table(n=50):
    """Return a frame whose columns are others, and more, than those of the first fit."""
    rng = np.random.default_rng(1)
    return pd.DataFrame(rng.normal(size=(n, 5)), columns=list("vwxyz"))


def faults(name):
    """Return what makes a second fit fail: label -> (X, y, arguments of fit, parameters)."""
    one = REGISTRY[name]
    _, y = one.data({}, n=50)
    X = other_table()
    missing = X.copy()
    missing[:] = np.nan
    weights = np.ones(50)
    negative = np.where(np.arange(50) == 7, -1.0, 1.0)
    return {
        "a row of numbers": (X["v"].to_numpy(), y, {}, {}),
        "no columns": (X[[]], y, {}, {}),
        "a table in which nothing is known": (missing, y, {}, {}),
        "no targets": (X, [None] * 50, {}, {}),
        "too few targets": (X, y[:-1], {}, {}),
        "targets in two columns": (X, np.column_stack([y, y]), {}, {}),
        "a missing target": (X, np.where(np.arange(50) == 3, np.nan, 1.5), {}, {}),
        "a negative weight": (X, y, {"sample_weight": negative}, {}),
        "weights of zero": (X, y, {"sample_weight": 0.0 * weights}, {}),
        "too few weights": (X, y, {"sample_weight": weights[:-1]}, {}),
        "too few ids": (X, y, {"ids": ["a"]}, {}),
        "a wrong parameter": (X, y, {}, dict(one.wrong)),
        "an unknown metric": (X, y, {}, {"metric": "nonsense"}),
        "a metric that breaks down": (X, y, {}, {"metric": breaks_down}),
        "weights of other columns": (X, y, {}, {"feature_weights": [1.0, 2.0]}),
    }


# FRNNClassifier keeps the rows, and measures distances when it predicts.
HARMLESS = {("FRNNClassifier", "a metric that breaks down")}
CASES = [(name, fault) for name in REGISTRY for fault in faults(name) if (name, fault) not in HARMLESS]


def fitted_attributes(model):
    """Return everything that a fitted model shows under a name that ends in an underscore, and which it holds."""
    names = [name for name in dir(model) if name.endswith("_") and not name.startswith("_")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of names that have a better one by now
        return {name: plain(getattr(model, name)) for name in names if hasattr(model, name)}


def plain(value):
    """Return a value in which models are their parameters and fitted attributes, so that it can be compared."""
    if isinstance(value, BaseEstimator):
        return (type(value), repr(value.get_params()), fitted_attributes(value))
    if isinstance(value, Solution):
        return dataclasses.replace(value, seconds={})  # no two fits take the same time
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return [plain(one) for one in value]
    return value


def snapshot(name, model, X):
    """Return all that a model says of rows."""
    said = {method: results_of(model, method, X) for method in REGISTRY[name].results}
    said["attributes"] = fitted_attributes(model)
    if hasattr(model, "explain"):
        said["explanations"] = model.explain(X[:5]).to_dict()
    return said


@functools.cache
def fitted(name):
    """Return an estimator that was fitted to a frame, the frame, and what it says; what a test fits again is a copy."""
    first = pd.DataFrame(REGISTRY[name].data({})[0], columns=list("abc"))
    model = make(name, REGISTRY[name].settings[0]).fit(first, REGISTRY[name].data({})[1])
    return model, first, snapshot(name, model, first)


@pytest.mark.parametrize(("name", "fault"), CASES)
def test_the_first_fit_stays_usable(name, fault):
    """Nothing of the fit that failed is left in the model, whatever it was that failed."""
    X, y, arguments, parameters = faults(name)[fault]
    model, first, before = fitted(name)
    model = copy.deepcopy(model)
    assert len(before["attributes"]) > 2
    own = {parameter: model.get_params()[parameter] for parameter in parameters}
    with pytest.raises((ValueError, TypeError, Broken)):
        model.set_params(**parameters).fit(X, y, **arguments)
    model.set_params(**own)
    assert_same(snapshot(name, model, first), before)


@every_estimator
def test_a_fit_that_succeeds_forgets_the_one_before(name):
    """Also after one that failed in between."""
    model = make(name, REGISTRY[name].settings[0]).fit(*REGISTRY[name].data({}))
    X, (_, y) = other_table(), REGISTRY[name].data({}, n=50)
    with pytest.raises((ValueError, TypeError)):
        model.fit(X, y[:-1])
    model.fit(X, y)
    fresh = make(name, REGISTRY[name].settings[0]).fit(X, y)
    assert vars(model).keys() == vars(fresh).keys()
    assert_same(snapshot(name, model, X), snapshot(name, fresh, X))
