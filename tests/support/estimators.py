"""Every public estimator, with the settings in which the common contract tests run it.

Every value of a parameter that takes a way of its own is in some setting, beside others that it has nothing to do with:
a setting goes through some 60 checks. Searches that are about other parameters have two gammas and a plain distance.

A new estimator of the package is one more entry of ``REGISTRY``; a test fails as long as it is not there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import KFold, StratifiedKFold, StratifiedShuffleSplit

import fgac

FEW_GAMMAS = [1.0, 3.0]
OTHER_FOLDS = {"gammas": FEW_GAMMAS, "scoring": "accuracy", "cv": StratifiedKFold(2), "n_jobs": 2}
ONE_SPLIT = StratifiedShuffleSplit(1, test_size=0.3, random_state=0)
OTHER_ERRORS = {"gammas": FEW_GAMMAS, "cv": 2, "loss": "absolute_error"}
LEARNED = {"scale": "rank", "feature_weights": "learned", "metric": "manhattan"}


@dataclasses.dataclass(frozen=True)
class OwnMetric:
    """A metric of the user's, as a value: it can be cloned, compared and pickled."""

    def __call__(self, A: Any, B: Any) -> Any:
        """Return a block of distances."""
        return euclidean_distances(A, B)


def no_failures(_: Any) -> dict[str, str]:
    """All checks hold."""
    return {}


@dataclasses.dataclass(frozen=True)
class Registered:
    """What the contract tests must know of an estimator."""

    settings: Sequence[dict[str, Any]]
    """Settings that the checks of scikit-learn run on; the first of them in the quick tests too."""
    target: Literal["classes", "numbers"]
    results: Sequence[str]
    """Methods that take rows and return arrays, or tuples of arrays."""
    wrong: Mapping[str, Any]
    """A parameter with which ``fit`` fails."""
    expected_failures: Callable[[Any], dict[str, str]] = no_failures
    """Checks that cannot hold for an estimator, each with its reason."""

    def data(self, settings: Mapping[str, Any], n: int = 60) -> tuple[Any, Any]:
        """Return rows, or their distances if the settings ask for them, and targets."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, 3))
        y = X[:, 0] + np.abs(X[:, 1]) + 0.2 * rng.normal(size=n)
        if self.target == "classes":
            # Classes without an order can be monotone only if they are two.
            limits = [0.7] if "monotonic_cst" in settings else [0.3, 1.2]
            y = np.array(["a", "b", "c"])[np.digitize(y, limits)]
        return (euclidean_distances(X) if settings.get("metric") == "precomputed" else X), y


# ----------------------------------------------------------------------------------------------------
# Checks of scikit-learn that hand over what a setting is not for
# ----------------------------------------------------------------------------------------------------

NO_DISTANCES = "the check hands over a matrix that is no matrix of distances"
NEITHER_SYMMETRIC_NOR_SQUARE = dict.fromkeys(
    [
        "check_classifiers_one_label_sample_weights",  # random numbers, not symmetric
        "check_decision_proba_consistency",  # coordinates, not square
    ],
    NO_DISTANCES,
)
WITH_DISTANCES = {
    **NEITHER_SYMMETRIC_NOR_SQUARE,
    "check_class_weight_classifiers": NO_DISTANCES,  # a kernel, largest on the diagonal
}
STEEP = "with a steep gamma a row speaks for its neighbourhood only, whatever its weight"
STEEP_FOLDS = "the folds may choose a steep gamma, with which a row speaks for its neighbourhood only"
BY_DEGREE = "predictions go by degree, in which small classes weigh more, and calibrated probabilities by frequency"
MEDIAN = "three classes in no order are hard to learn as if they had one, and the median need not be the most probable"


def failures_of_the_classifier(estimator: Any) -> dict[str, str]:
    """Distances that are none, and weights of classes under a steep gamma."""
    if estimator.metric == "precomputed":
        return WITH_DISTANCES
    return {"check_class_weight_classifiers": STEEP} if estimator.gamma >= 5.0 else {}


def failures_of_the_search(estimator: Any) -> dict[str, str]:
    """As of the classifier, whose gamma the folds choose; and the most probable class need not be the prediction."""
    calibrated = {"check_classifiers_train": BY_DEGREE} if estimator.calibrate else {}
    if estimator.metric == "precomputed":
        return {**WITH_DISTANCES, **calibrated}
    steep = {"check_class_weight_classifiers": STEEP_FOLDS} if estimator.gammas in (None, "path") else {}
    return {**calibrated, **steep}


def failures_of_neighbours(estimator: Any) -> dict[str, str]:
    """Distances that are none."""
    return NEITHER_SYMMETRIC_NOR_SQUARE if estimator.metric == "precomputed" else {}


def failures_of_an_order(_: Any) -> dict[str, str]:
    """Classes that have no order."""
    return {"check_classifiers_train": MEDIAN}


def failures_of_an_ordered_search(estimator: Any) -> dict[str, str]:
    """Classes that have no order, and weights of classes where the folds choose gamma."""
    steep = {"check_class_weight_classifiers": STEEP_FOLDS} if estimator.gammas is None else {}
    return {**failures_of_an_order(estimator), **steep}


# ----------------------------------------------------------------------------------------------------
# The estimators
# ----------------------------------------------------------------------------------------------------

OF_CLASSES = ("predict", "predict_proba", "decision_function", "memberships", "confidence", "arguments")

REGISTRY = {
    "FGAClassifier": Registered(
        settings=[
            {},
            {"metric": "manhattan", "gamma": 5.0},
            {"metric": "angular", "gamma": 3.0},
            {"metric": "precomputed"},
            {"metric": OwnMetric()},
            {"scale": None, "gamma": 0.02},
            {"class_weight": "balanced", "n_jobs": 2},
            {"loss": "absolute_error"},
            {"owa": "exponential", "n_neighbors": 0.5},
            {"isomorphism": 2.0},
            {"isomorphism": 0.5, "n_neighbors": 5, "neighbors_among": "all"},
            {"owa": "additive", "monotonic_cst": {0: 1}},
            {"monotonic_cst": {0: 1}},
            {"metric": "chebyshev", "ties": "first", "scale": "robust", "class_weight": "balanced", "gamma": 0.5},
            LEARNED,
        ],
        target="classes",
        results=OF_CLASSES,
        wrong={"gamma": -1.0},
        expected_failures=failures_of_the_classifier,
    ),
    "FGAClassifierCV": Registered(
        settings=[
            {"gammas": FEW_GAMMAS, "cv": 2},
            {"gammas": FEW_GAMMAS, "cv": 2, "metric": "euclidean", "calibrate": False},
            {"cv": 2, "metric": "precomputed"},
            # A path takes time for every row that is held out, and more where guesses count, as they do by default.
            {"gammas": "path", "cv": ONE_SPLIT, "metric": "euclidean", "scoring": "accuracy", "max_rows": 30},
            {**OTHER_FOLDS, "metric": "chebyshev", "loss": "absolute_error"},
            {"gammas": FEW_GAMMAS, "cv": 2, "metric": "angular"},
            {"gammas": FEW_GAMMAS, "cv": 2, "owa": "exponential", "ties": "first", **LEARNED},
        ],
        target="classes",
        results=OF_CLASSES,
        wrong={"gammas": [-1.0]},
        expected_failures=failures_of_the_search,
    ),
    "FGAOrdinalClassifier": Registered(
        settings=[
            {},
            {"metric": "manhattan", "monotonic_cst": {0: 1}},
            {"class_weight": "balanced", "loss": "absolute_error"},
            {"metric": "angular", "gamma": 3.0},
            LEARNED,
        ],
        target="classes",
        results=("predict", "predict_proba", "confidence", "at_least"),
        wrong={"gamma": -1.0},
        expected_failures=failures_of_an_order,
    ),
    "FGAOrdinalClassifierCV": Registered(
        settings=[
            {"gammas": FEW_GAMMAS, "cv": 2},
            {"cv": ONE_SPLIT, "metric": "euclidean"},
            {**OTHER_FOLDS, "metric": "euclidean", "loss": "absolute_error", "monotonic_cst": {0: 1}},
            {"gammas": FEW_GAMMAS, "cv": 2, **LEARNED},
        ],
        target="classes",
        results=("predict", "predict_proba", "confidence", "at_least"),
        wrong={"gammas": [-1.0]},
        expected_failures=failures_of_an_ordered_search,
    ),
    "FGARegressor": Registered(
        settings=[
            {"gamma": 2.0},
            {"metric": "chebyshev"},
            {"metric": "angular", "gamma": 3.0, "interval": 0.9},
            {"metric": "manhattan", "gamma": 5.0, "interval": 0.9},
            {"metric": "precomputed"},
            {"metric": OwnMetric(), "scale": None, "gamma": 0.1},
            {"loss": "absolute_error", "scale": "robust"},
            {"loss": "quantile", "quantile": 0.3, "n_jobs": 2},
            {"monotonic_cst": {0: 1}, "interval": 0.5},
            LEARNED,
        ],
        target="numbers",
        results=("predict", "predict_bounds", "predict_interval"),
        wrong={"gamma": -1.0},
    ),
    "FGARegressorCV": Registered(
        settings=[
            {"gammas": FEW_GAMMAS, "cv": 2},
            {"cv": 2, "metric": "precomputed"},
            {"gammas": FEW_GAMMAS, "cv": KFold(2), "metric": "chebyshev", "scoring": "neg_mean_absolute_error"},
            {**OTHER_ERRORS, "metric": "euclidean", "interval": 0.8, "n_jobs": 2},
            {"gammas": FEW_GAMMAS, "loss": "quantile", "quantile": 0.4, "monotonic_cst": {0: 1}, "cv": 2},
        ],
        target="numbers",
        results=("predict", "predict_bounds", "predict_interval"),
        wrong={"gammas": [-1.0]},
    ),
    "FRNNClassifier": Registered(
        settings=[
            {},
            {"n_neighbors": 1},
            {"n_neighbors": 5, "owa": "exponential", "metric": "manhattan"},
            {"owa": "inverse_additive", "metric": "chebyshev", "n_jobs": 2},
            {"owa": None, "gamma": 3.0, "scale": "robust"},
            {"n_neighbors": 3, "scale": None, "gamma": 0.02},
            {"n_neighbors": 3, "metric": "precomputed"},
            {"n_neighbors": 3, "metric": "angular"},
            {"over": "all", "n_neighbors": 10},
        ],
        target="classes",
        results=("predict", "predict_proba", "decision_function", "memberships"),
        wrong={"n_neighbors": 0},
        expected_failures=failures_of_neighbours,
    ),
}


def public_estimators() -> list[str]:
    """Names of all estimators that the package exports."""
    exported = {name: getattr(fgac, name) for name in fgac.__all__}
    return [name for name, one in exported.items() if isinstance(one, type) and issubclass(one, BaseEstimator)]


def make(name: str, settings: Mapping[str, Any]) -> Any:
    """Return an estimator by its name."""
    return getattr(fgac, name)(**settings)


def expected_failures(estimator: Any) -> dict[str, str]:
    """Return the checks of scikit-learn that cannot hold for an estimator, each with its reason."""
    return REGISTRY[type(estimator).__name__].expected_failures(estimator)
