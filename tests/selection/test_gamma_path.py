"""Classifiers taken from a gamma path are those that fit makes; wrong gammas and settings are refused in words."""

import inspect
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import fgac
from fgac import FGAClassifier, audit, load_model, save_model
from support.frames import as_pandas, mixed_columns
from support.strategies import overlapping, queries

Q = queries(8, n=30)
X, Y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]

SETTINGS = {
    "plain": {},
    "chebyshev, first": {"metric": "chebyshev", "ties": "first"},
    "manhattan, robust": {"metric": "manhattan", "scale": "robust"},
    "unscaled": {"scale": None},
    "balanced": {"class_weight": "balanced", "n_jobs": 2},
    "class weights": {"class_weight": {0: 3.0}},
    "feature weights": {"feature_weights": [1.0, 0.3]},
}


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_classifier_of_the_path_is_the_one_that_fit_makes(setting, n_classes):
    """Type, parameters, fitted attributes, memberships, labels and arguments."""
    rows, y = overlapping(n_classes=n_classes)
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    path = fgac.path(rows, y, sample_weight=weights, **setting)
    for gamma in (0.5, 1.7, 6.0):
        made, direct = path.classifier(gamma), FGAClassifier(gamma=gamma, **setting).fit(rows, y, sample_weight=weights)
        assert type(made) is FGAClassifier
        assert made.get_params() == direct.get_params()
        assert set(vars(made)) == set(vars(direct))
        assert made.n_features_in_ == 2
        np.testing.assert_array_equal(made.classes_, direct.classes_)
        np.testing.assert_allclose(made.beta_, direct.beta_, atol=1e-9)
        np.testing.assert_allclose(made.beta_, path.beta(gamma), atol=1e-12)
        np.testing.assert_allclose(made.memberships(Q).degree, direct.memberships(Q).degree, atol=1e-9)
        np.testing.assert_allclose(made.predict_proba(Q), direct.predict_proba(Q), atol=1e-7)
        np.testing.assert_array_equal(made.predict(Q), direct.predict(Q))
        assert made.solution_.is_optimal()
        assert [one.doubt for one in audit(made)] == pytest.approx([one.doubt for one in audit(direct)], abs=1e-9)


def test_precomputed_distances():
    rows, y = overlapping()
    matrix = np.abs(rows[:, None] - rows[None]).sum(axis=2)
    new = np.abs(Q[:, None] - rows[None]).sum(axis=2)
    made = fgac.path(matrix, y, metric="precomputed", gamma_min=0.1).classifier(0.7)
    direct = FGAClassifier(gamma=0.7, metric="precomputed").fit(matrix, y)
    np.testing.assert_allclose(made.beta_, direct.beta_, atol=1e-9)
    np.testing.assert_array_equal(made.predict(new), direct.predict(new))


def test_explanations_name_rows_and_columns():
    """The ids and the values of the training rows are those that were given."""
    columns, y = mixed_columns()
    frame, ids = as_pandas(columns), [f"person {i}" for i in range(len(y))]
    made = fgac.path(frame, y, ids=ids).classifier(1.5)
    direct = FGAClassifier(gamma=1.5).fit(frame, y, ids=ids)
    assert list(made.feature_names_in_) == list(frame.columns)
    assert [str(one) for one in made.explain(frame)] == [str(one) for one in direct.explain(frame)]
    assert made.explain(frame)[0].arguments_for[0].id in ids


def test_classifiers_of_one_path_do_not_share_state():
    """A later one leaves an earlier one as it was, and changing one's parameters changes no other."""
    path = fgac.path(*overlapping())
    first = path.classifier(0.6)
    before = first.predict_proba(Q)
    second = path.classifier(5.0)
    assert (first.gamma, second.gamma) == (0.6, 5.0)
    np.testing.assert_array_equal(first.predict_proba(Q), before)
    second.set_params(ties="first")
    second.beta_[:] = 0.0
    assert path.classifier(5.0).ties == "nearest"
    assert path.classifier(5.0).beta_.max() == 1.0


def test_copies_and_files(tmp_path):
    """It clones, refits, pickles and saves like any other."""
    rows, y = overlapping()
    made = fgac.path(rows, y).classifier(2.0)
    expected = made.predict_proba(Q)
    np.testing.assert_allclose(clone(made).fit(rows, y).predict_proba(Q), expected, atol=1e-7)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(made)).predict_proba(Q), expected)
    save_model(made, tmp_path / "model.fgac")
    np.testing.assert_array_equal(load_model(tmp_path / "model.fgac").predict_proba(Q), expected)


# ----------------------------------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------------------------------


def message(function, *arguments, **parameters):
    """Return the message of the error that must come."""
    with pytest.raises((ValueError, TypeError)) as caught:
        function(*arguments, **parameters)
    return str(caught.value)


def test_memberships_of_many_gammas():
    """One row per gamma, whatever holds them; rows of weight 0 have none."""
    rows, y = overlapping()
    weights = np.ones(len(y))
    weights[3] = 0.0
    path = fgac.path(rows, y, sample_weight=weights)
    gammas = [2.0, 0.5, 7.0, 2.0]
    expected = np.array([path.beta(gamma) for gamma in gammas])
    assert np.isnan(expected[:, 3]).all()
    for given in (gammas, tuple(gammas), np.array(gammas), pd.Series(gammas), pl.Series(gammas)):
        np.testing.assert_array_equal(path.beta(given), expected)
    assert path.beta([]).shape == (0, len(y))
    np.testing.assert_array_equal(path.beta(np.array(2.0)), path.beta(2.0))


@pytest.mark.parametrize("gamma", [[1.0, 0.0], [1.0, None], np.array([1.0, np.nan]), ["1"], [True]])
def test_every_one_of_many_gammas_is_checked(gamma):
    assert "gamma=" in message(fgac.path(X, Y).beta, gamma)


def test_gammas_have_one_axis():
    assert "shape (1, 2)" in message(fgac.path(X, Y).beta, [[1.0, 2.0]])
    assert "below gamma_min=0.5" in message(fgac.path(X, Y).beta, [1.0, 0.4])


@pytest.mark.parametrize("ask", ["beta", "solution", "classifier"])
@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, "1", None, [[1.0]], True])
def test_gamma_is_a_positive_number(gamma, ask):
    told = message(getattr(fgac.path(X, Y), ask), gamma)
    assert "gamma" in told
    assert str(gamma) in told or "shape (1, 1)" in told


@pytest.mark.parametrize("ask", ["beta", "solution", "classifier"])
def test_below_the_floor_there_is_no_answer(ask):
    """The message says what was asked, where the path ends, and how to get further."""
    path = fgac.path(X, Y, gamma_min=0.75)
    getattr(path, ask)(0.75)
    with pytest.raises(ValueError) as caught:
        getattr(path, ask)(0.7499)
    for part in ("0.7499", "gamma_min", "0.75"):
        assert part in str(caught.value)


@pytest.mark.parametrize("gamma_min", [0, -1.0, np.nan, np.inf, "1", None, [1.0]])
def test_the_floor_is_a_positive_number(gamma_min):
    told = message(fgac.path, X, Y, gamma_min=gamma_min)
    assert "gamma_min" in told
    assert str(gamma_min) in told


@pytest.mark.parametrize("gamma", [1, np.float32(1.0), np.int64(1)])
def test_any_real_number_will_do(gamma):
    path = fgac.path(X, Y, gamma_min=gamma)
    np.testing.assert_array_equal(path.beta(gamma), path.beta(1.0))
    assert path.classifier(gamma).gamma == 1.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"metric": "nonsense"},
        {"scale": "nonsense"},
        {"ties": "nonsense"},
        {"class_weight": "nonsense"},
        {"categorical_features": "nonsense"},
        {"feature_weights": [1.0, 2.0, 3.0]},
        {"tol": 0.0},
        {"n_jobs": 0},
        {"sample_weight": [1.0, -1.0, 1.0, 1.0]},
        {"sample_weight": [0.0, 0.0, 0.0, 0.0]},
        {"ids": ["a", "b"]},
    ],
    ids=str,
)
def test_settings_are_checked_as_in_fit(wrong):
    """The same words come from both."""
    given_to_fit = {name: wrong[name] for name in wrong if name in ("sample_weight", "ids")}
    parameters = {name: wrong[name] for name in wrong if name not in given_to_fit}
    model = FGAClassifier(**parameters)
    assert message(fgac.path, X, Y, **wrong) == message(model.fit, X, Y, **given_to_fit)


@pytest.mark.parametrize(
    ("table", "labels"),
    [([[0.0], [np.inf]], [0, 1]), ([[0.0], [1.0]], [0, 1, 1]), ([[0.0], [1.0]], [0.1, 0.25]), ([], []), ([1.0], [1])],
    ids=["infinite", "lengths", "targets", "empty", "flat"],
)
def test_tables_are_checked_as_in_fit(table, labels):
    first_words = slice(0, 25)
    told, expected = message(fgac.path, table, labels), message(FGAClassifier().fit, table, labels)
    assert told[first_words] == expected[first_words]


def test_the_signature_is_a_promise():
    """Everything but the table and its labels is given by name; what the path cannot do is no parameter."""
    parameters = inspect.signature(fgac.path).parameters
    assert [name for name, one in parameters.items() if one.kind is not one.KEYWORD_ONLY] == ["X", "y"]
    variants = {"loss", "n_neighbors", "neighbors_among", "owa", "isomorphism"}
    shared = set(FGAClassifier().get_params()) - {"gamma"} - variants
    assert set(parameters) == shared | {"X", "y", "gamma_min", "sample_weight", "ids"}
    defaults = FGAClassifier().get_params()
    assert all(parameters[name].default == defaults[name] for name in shared)
