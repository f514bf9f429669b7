"""FGAClassifierCV as an estimator: parameters, results, the chosen model, files, and errors in words."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fgac import FGAClassifier, FGAClassifierCV, audit, load_model, save_model
from support.strategies import overlapping, queries

Q = queries(9, n=30)
X, Y = overlapping()
FEW = [1.0, 3.0]
PATH = {"gammas": "path", "metric": "euclidean", "scoring": "accuracy"}


@pytest.fixture(scope="module")
def fitted():
    """Return an instance fitted on three classes that overlap."""
    return FGAClassifierCV(gammas=[0.5, 1.0, 2.0, 5.0], cv=3, ties="first", metric="euclidean", class_weight=None).fit(
        X, Y
    )


# ----------------------------------------------------------------------------------------------------
# Parameters and attributes
# ----------------------------------------------------------------------------------------------------


def test_parameters_are_those_of_the_classifier_without_gamma():
    """Five of its own, two with defaults of its own, the others as they are, all by name."""
    own = {"gammas": None, "cv": None, "scoring": None, "max_rows": 5000, "calibrate": True}
    plain = FGAClassifier().get_params()
    del plain["gamma"]
    assert FGAClassifierCV().get_params() == {**own, **plain, "metric": "learned", "class_weight": "balanced"}
    with pytest.raises(TypeError):
        FGAClassifierCV([1.0])
    with pytest.raises(TypeError):
        FGAClassifierCV(gamma=1.0)
    with pytest.raises(ValueError, match="gamma"):
        FGAClassifierCV().set_params(gamma=1.0)


def test_it_is_a_classifier_of_this_kind(fitted):
    assert is_classifier(fitted)
    assert isinstance(fitted, FGAClassifier)
    assert repr(FGAClassifierCV(gammas=FEW, cv=3)) == "FGAClassifierCV(cv=3, gammas=[1.0, 3.0])"


def test_results_are_shaped_like_those_of_a_grid_search(fitted):
    """In the order of the gammas as given, ranks from 1."""
    results = fitted.cv_results_
    assert results["params"] == [{"gamma": gamma} for gamma in (0.5, 1.0, 2.0, 5.0)]
    for kind in ("test_score", "argued_share", "median_strength"):
        assert [name for name in results if name.endswith(kind) and name.startswith("split")] == [
            f"split{i}_{kind}" for i in range(3)
        ]
    splits = np.array([results[f"split{i}_test_score"] for i in range(3)])
    np.testing.assert_allclose(results["mean_test_score"], splits.mean(axis=0), atol=1e-15)
    np.testing.assert_allclose(results["std_test_score"], splits.std(axis=0), atol=1e-15)
    assert min(results["rank_test_score"]) == 1
    assert fitted.best_score_ == max(results["mean_test_score"])
    assert fitted.gamma == fitted.gamma_
    assert type(fitted.gamma_) is float
    assert len(pd.DataFrame(results)) == 4


def test_results_keep_the_order_of_the_gammas():
    """Given in any order, as any numbers; of equally good ones the smallest is chosen."""
    falling = FGAClassifierCV(gammas=np.array([5, 2, 1])).fit(X, Y)
    rising = FGAClassifierCV(gammas=(1, 2, 5)).fit(X, Y)
    assert [params["gamma"] for params in falling.cv_results_["params"]] == [5.0, 2.0, 1.0]
    np.testing.assert_array_equal(falling.cv_results_["mean_test_score"][::-1], rising.cv_results_["mean_test_score"])
    assert falling.gamma_ == rising.gamma_


@pytest.mark.parametrize("gammas", [[2e6, 1e6, 4e6], [1e6, 2e6]])
def test_of_equal_gammas_the_smallest_is_chosen(gammas):
    """Very large gammas all give the nearest row's label."""
    found = FGAClassifierCV(gammas=gammas).fit(X, Y)
    assert len(set(found.cv_results_["mean_test_score"])) == 1
    assert set(found.cv_results_["rank_test_score"]) == {1}
    assert found.gamma_ == 1e6


def test_the_gammas_of_the_paper_are_among_the_defaults():
    found = FGAClassifierCV(cv=2).fit(X, Y)
    tried = [params["gamma"] for params in found.cv_results_["params"]]
    assert tried[:11] == [0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0]
    assert tried == sorted(set(tried))


def test_fit_leaves_parameters_alone():
    gammas = [3.0, 1.0]
    model = FGAClassifierCV(gammas=gammas, class_weight="balanced")
    before = dict(vars(model))
    assert model.fit(X, Y) is model
    assert {name: value for name, value in vars(model).items() if name in before} == before
    assert all(name.endswith("_") or name.startswith("_") for name in set(vars(model)) - set(before))
    assert gammas == [3.0, 1.0]


def test_a_second_fit_forgets_the_first():
    model = FGAClassifierCV(gammas=FEW, cv=4).fit(X, Y)
    model.set_params(cv=2, gammas=[2.0]).fit(X[:40], np.array(["a", "b"])[Y[:40] % 2])
    fresh = FGAClassifierCV(gammas=[2.0], cv=2).fit(X[:40], np.array(["a", "b"])[Y[:40] % 2])
    assert model.n_splits_ == 2
    assert set(model.cv_results_) == set(fresh.cv_results_)
    np.testing.assert_array_equal(model.predict_proba(Q), fresh.predict_proba(Q))


# ----------------------------------------------------------------------------------------------------
# The chosen model
# ----------------------------------------------------------------------------------------------------


def test_the_chosen_model_is_a_plain_one(fitted):
    """All that the CV estimator says after fit, the plain classifier with that gamma says."""
    chosen, direct = fitted.best_estimator_, FGAClassifier(gamma=fitted.gamma_, ties="first").fit(X, Y)
    assert type(chosen) is FGAClassifier
    assert chosen.get_params() == direct.get_params()
    np.testing.assert_array_equal(fitted.predict(Q), chosen.predict(Q))
    np.testing.assert_array_equal(fitted.predict_proba(Q), chosen.predict_proba(Q))
    np.testing.assert_array_equal(fitted.decision_function(Q), chosen.decision_function(Q))
    np.testing.assert_allclose(chosen.memberships(Q).degree, direct.memberships(Q).degree, atol=1e-9)
    np.testing.assert_allclose(chosen.beta_, direct.beta_, atol=1e-9)
    assert chosen.solution_.is_optimal()
    assert fitted.solution_.is_optimal()
    assert fitted.score(X, Y) == chosen.score(X, Y)


@pytest.mark.parametrize("setting", [{}, PATH, {"gammas": FEW, "owa": "additive"}], ids=str)
def test_copies(setting):
    """Clones have the settings and nothing else; pickles have everything."""
    model = FGAClassifierCV(cv=2, **setting).fit(X, Y)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not [name for name in vars(copy) if name.endswith("_")]
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(Q), model.predict_proba(Q))
    assert again.gamma_ == model.gamma_
    assert again.cv_results_["params"] == model.cv_results_["params"]


def test_explanations_audits_and_arguments(fitted):
    """What explains a plain classifier explains this one, in the same words."""
    chosen = fitted.best_estimator_
    assert [str(one) for one in fitted.explain(Q)] == [str(one) for one in chosen.explain(Q)]
    assert audit(fitted).text() == audit(chosen).text()
    np.testing.assert_array_equal(fitted.arguments(Q).arguments_for.indices, chosen.arguments(Q).arguments_for.indices)
    np.testing.assert_array_equal(fitted.memberships(Q).lower, chosen.memberships(Q).lower)


def test_ids_name_the_training_rows():
    ids = [f"case {i}" for i in range(len(Y))]
    model = FGAClassifierCV(gammas=FEW).fit(X, Y, ids=ids)
    assert model.explain(Q)[0].arguments_for[0].id in ids


@pytest.mark.parametrize("setting", [{"gammas": FEW}, PATH, {"gammas": FEW, "owa": "additive"}], ids=str)
def test_a_model_file_holds_the_chosen_model(setting, tmp_path):
    """What is loaded is the plain classifier."""
    model = FGAClassifierCV(cv=2, **setting).fit(X, Y)
    save_model(model, tmp_path / "model.fgac")
    loaded = load_model(tmp_path / "model.fgac")
    assert type(loaded) is FGAClassifier
    assert loaded.get_params() == model.best_estimator_.get_params()
    assert loaded.gamma == model.gamma_
    np.testing.assert_array_equal(loaded.predict_proba(Q), model.predict_proba(Q))
    np.testing.assert_array_equal(loaded.beta_, model.beta_)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [{}, PATH, {"gammas": FEW, "loss": "absolute_error"}], ids=str)
def test_number_of_threads(setting):
    one, two = (FGAClassifierCV(n_jobs=n_jobs, cv=2, **setting).fit(X, Y) for n_jobs in (1, 2))
    assert one.gamma_ == two.gamma_
    np.testing.assert_allclose(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"], atol=1e-12)
    np.testing.assert_allclose(one.beta_, two.beta_, atol=1e-9)


def test_inside_other_tools():
    """As the end of a pipeline, cross-validated in turn; precomputed matrices are cut on both sides."""
    nested = cross_validate(make_pipeline(StandardScaler(), FGAClassifierCV(gammas=FEW, cv=2)), X, Y, cv=3)
    assert nested["test_score"].mean() > 0.4
    matrix = euclidean_distances(X) / np.sqrt(2.0)
    folds = StratifiedKFold(2)  # our own go by what rows hold, which distances tell otherwise
    search = FGAClassifierCV(gammas=FEW, cv=folds, metric="euclidean", scale=None)
    plain = cross_validate(search, X, Y, cv=3)["test_score"]
    cut = cross_validate(clone(search).set_params(metric="precomputed"), matrix, Y, cv=3)["test_score"]
    np.testing.assert_allclose(cut, plain)


# ----------------------------------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------------------------------


def test_without_fit_nothing_is_chosen():
    with pytest.raises(NotFittedError):
        _ = FGAClassifierCV().best_estimator_


def message(table=X, labels=Y, given=None, **parameters):
    """Return the message of the error that must come; constructing never fails."""
    model = FGAClassifierCV(**parameters)
    with pytest.raises((ValueError, TypeError)) as caught:
        model.fit(table, labels, **(given or {}))
    return str(caught.value)


@pytest.mark.parametrize("gammas", [[], (), np.array([]), "paths", "", 3.0, [[1.0, 2.0]], object], ids=repr)
def test_gammas_are_numbers_or_path(gammas):
    """The message names the parameter and offers the word that is understood."""
    told = message(gammas=gammas)
    assert "gammas" in told
    assert "path" in told


@pytest.mark.parametrize("wrong", [-1.0, 0.0, np.nan, np.inf, "1", None, True])
def test_each_gamma_is_a_positive_number(wrong):
    told = message(gammas=[1.0, wrong])
    assert "gamma" in told
    assert str(wrong) in told


def test_unknown_scores():
    assert "nonsense" in message(scoring="nonsense")
    assert "scoring" in message(scoring=3)
    assert "scoring" in message(scoring=["accuracy", "f1_macro"])  # one number is needed, to choose by


def test_unknown_folds():
    assert "cv" in message(cv="nonsense")
    assert "n_splits=40" in message(cv=StratifiedKFold(40))  # more folds than any class has rows
    assert "at least 2 folds" in message(cv=1)


WRONG = [
    {"metric": "nonsense"},
    {"ties": "nonsense"},
    {"loss": "nonsense"},
    {"owa": "nonsense"},
    {"n_neighbors": -1},
    {"class_weight": "nonsense"},
    {"given": {"sample_weight": -np.ones(60)}},
    {"given": {"sample_weight": np.zeros(60)}},
    {"given": {"ids": ["a"]}},
    {"labels": Y[:-1]},
    {"labels": Y + 0.25},
    {"table": np.where(X.max() == X, np.inf, X)},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: str(wrong)[:30])
def test_the_rest_is_checked_as_in_fit(wrong):
    """The same words come from both, before any fold is fitted."""
    parameters = {name: wrong[name] for name in wrong if name not in ("given", "labels", "table")}
    plain = FGAClassifier(**parameters)
    with pytest.raises((ValueError, TypeError)) as caught:
        plain.fit(wrong.get("table", X), wrong.get("labels", Y), **wrong.get("given", {}))
    assert message(**wrong).replace("FGAClassifierCV", "FGAClassifier") == str(caught.value)
