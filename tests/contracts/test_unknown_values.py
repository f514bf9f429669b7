"""Every public estimator takes rows of which some cells are unknown, in every use that a model has."""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import fgac
from support.comparison import assert_same, results_of
from support.estimators import LEARNED, REGISTRY, make
from support.unknown import small_survey

X, Y, SCORE = small_survey(48)
NEW = pd.concat([small_survey(9, seed=1)[0], X[:1].map(lambda _: None)], ignore_index=True).astype(X.dtypes)
SETTINGS = {
    "FGAClassifier": [{"gamma": 2.0}, LEARNED, {"loss": "absolute_error"}, {"owa": "additive"}, {"isomorphism": 2.0}],
    "FGAOrdinalClassifier": [{}, LEARNED, {"monotonic_cst": {"age": 1}, "class_order": ["no", "yes"]}],
    "FGARegressor": [
        {"interval": 0.8},
        {"loss": "quantile", **LEARNED},
        {"monotonic_cst": {"age": 1}, "interval": 0.5},
    ],
    "FRNNClassifier": [{"n_neighbors": 3}, {"metric": "chebyshev", "owa": None}, {"over": "all", "n_neighbors": 5}],
    "FGAClassifierCV": [{"gammas": [1.0, 3.0], "cv": 2}, {"gammas": "path", "cv": 2, "metric": "euclidean"}],
    "FGAOrdinalClassifierCV": [{"gammas": [1.0, 3.0], "cv": 2}],
    "FGARegressorCV": [{"gammas": [1.0, 3.0], "cv": 2}, {"gammas": [1.0], "cv": 2, "interval": 0.8}],
}
ALL = [(name, settings) for name, each in SETTINGS.items() for settings in each]
every_setting = pytest.mark.parametrize(("name", "settings"), ALL, ids=[repr(make(*one)) for one in ALL])


@pytest.fixture(scope="module")
def fitted():
    """Return a function: name and settings -> the estimator, fitted once."""
    models = {}

    def fit(name, settings):
        key = (name, str(settings))
        if key not in models:
            models[key] = make(name, settings).fit(X, target_of(name))
        return models[key]

    return fit


def target_of(name):
    """Return what an estimator is to predict."""
    return SCORE if REGISTRY[name].target == "numbers" else Y


def test_no_estimator_is_left_out():
    assert sorted(SETTINGS) == sorted(REGISTRY)


@every_setting
def test_every_result_is_known(fitted, name, settings):
    """Of rows with unknown cells, and of one of which nothing is known."""
    model = fitted(name, settings)
    for method in set(REGISTRY[name].results) - {"arguments"}:
        if method == "predict_interval" and settings.get("interval") is None:
            continue
        for part in results_of(model, method, NEW):
            assert len(part) == len(NEW)
            assert np.asarray(part).dtype.kind != "f" or np.isfinite(part).all()
    if hasattr(model, "solution_"):
        assert model.solution_.is_optimal()


@every_setting
def test_copies_give_the_same(fitted, name, settings):
    model = fitted(name, settings)
    again = pickle.loads(pickle.dumps(model))
    refitted = clone(model).fit(X, target_of(name))
    for other in (again, refitted):
        assert_same(results_of(other, "predict", NEW), results_of(model, "predict", NEW))


@every_setting
def test_explanations(fitted, name, settings):
    """They are values, JSON and back: an unknown cell is null, and the argument's cells say whether they are."""
    model = fitted(name, settings)
    if not hasattr(model, "explain"):
        return
    explanations = model.explain(NEW)
    for i, one in enumerate(explanations):
        plain = json.loads(one.to_json())
        assert type(one).from_dict(plain) == one
        if not hasattr(one, "attributes"):
            continue
        for name_of, reading in zip(X.columns, one.attributes, strict=True):
            cell = NEW.loc[i, name_of]
            assert (reading.value is None) == pd.isna(cell)
            assert reading.value is None or reading.value == cell


@pytest.mark.parametrize("name", [name for name in SETTINGS if name != "FRNNClassifier"])
def test_audits_and_paths(fitted, name):
    model = fitted(name, SETTINGS[name][0])
    found = fgac.audit(model)
    assert found is not None
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.slow
def test_the_gamma_path():
    """Training for every gamma at once finds what training for one does."""
    path = fgac.path(X, Y)
    for gamma in (0.7, 2.0, 9.0):
        np.testing.assert_allclose(path.beta(gamma), fgac.FGAClassifier(gamma=gamma).fit(X, Y).beta_, atol=1e-9)


def test_within_scikit_learn():
    """Folds, and a pipeline that hands cells on as they are."""
    for name in SETTINGS:
        model = make_pipeline(FunctionTransformer(), make(name, SETTINGS[name][0]))
        assert np.isfinite(cross_val_score(model, X, target_of(name), cv=2, error_score="raise")).all()


SEARCHES = [name for name in SETTINGS if name.endswith("CV")]


@pytest.mark.parametrize("name", SEARCHES)
def test_folds_in_which_a_column_is_not_known(name):
    """It counts there for nothing, and rows that know it are judged all the same; nobody is told of a fold's column."""
    rare = X.assign(rare=np.where(np.arange(len(X)) < 2, 1.0, np.nan))
    model = make(name, SETTINGS[name][0]).fit(rare, target_of(name))
    assert np.isfinite(model.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("name", SEARCHES)
def test_folds_in_which_nothing_is_known(name):
    """All rows are alike there, which is no reason to refuse the table."""
    rare = pd.DataFrame({"rare": np.where(np.arange(len(X)) < 3, [1.0, 2.0, 3.0] * 16, np.nan)})
    from sklearn.model_selection import KFold

    model = make(name, SETTINGS[name][0] | {"cv": KFold(3)}).fit(rare, target_of(name))
    assert np.isfinite(model.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("name", SETTINGS)
def test_a_column_without_a_known_value_is_named_once(fitted, name):
    """And the predictions are those without it."""
    wide = X.assign(notes=np.nan)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = make(name, SETTINGS[name][0]).fit(wide, target_of(name))
    told = [str(one.message) for one in caught if "nothing is known" in str(one.message)]
    assert told == ["nothing is known in columns ['notes']: they are left out of all distances"]
    expected = fitted(name, SETTINGS[name][0])
    for notes in (np.nan, 2.0, "text"):
        assert_same(results_of(found, "predict", NEW.assign(notes=notes)), results_of(expected, "predict", NEW))


@pytest.mark.parametrize("name", SETTINGS)
def test_a_table_in_which_nothing_is_known_is_refused(name):
    with pytest.raises(ValueError, match="nothing is known in any of the 3 columns"):
        make(name, SETTINGS[name][0]).fit(X.map(lambda _: None), target_of(name))
