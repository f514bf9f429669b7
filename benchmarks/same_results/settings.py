"""Settings: estimators of all kinds with their data."""

from __future__ import annotations

from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
from numpy.random import default_rng
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.metrics import make_scorer, recall_score
from sklearn.model_selection import KFold, StratifiedKFold

import fgac
from fgac import (
    FGAClassifier,
    FGAClassifierCV,
    FGAOrdinalClassifier,
    FGARegressor,
    FGARegressorCV,
    FRNNClassifier,
    load_model,
    save_model,
)
from same_results.data import (
    Case,
    Distances,
    by_distance,
    census,
    distances,
    drawn,
    embedded,
    grid,
    measured,
    numbered,
    repeated,
)


class Setting(NamedTuple):
    """How to learn, and from what; of large data only the most doubted rows are recorded."""

    learn: Callable[[Case], Any]
    case: Case
    large: bool = False


def of(model: Any, case: Case, *, large: bool = False) -> Setting:
    """An estimator that is fitted as usual."""
    return Setting(lambda case: model.fit(case.X, case.y, **case.fit), case, large)


def through_file(model: Any, case: Case) -> Any:
    """Fit, write without the values of the training rows, and read."""
    with TemporaryDirectory() as folder:
        save_model(model.fit(case.X, case.y, **case.fit), f"{folder}/m.fgac", values=False, notes={"target": "y"})
        return load_model(f"{folder}/m.fgac")


def classifier_variants() -> dict[str, Setting]:
    """The classifier with two and with three classes: gammas, metrics, scales, losses, variants of the paper."""
    two, three, C = drawn(), drawn(75, 3, 3, 1), FGAClassifier
    variants: dict[str, dict[str, Any]] = {
        "manhattan": {"metric": "manhattan"},
        "chebyshev": {"metric": "chebyshev"},
        "function": {"metric": distances, "scale": None},
        "robust": {"scale": "robust"},
        "rank": {"scale": "rank", "metric": "manhattan"},
        "unscaled": {"scale": None, "gamma": 0.7},
        "absolute": {"loss": "absolute_error"},
        "neighbors": {"n_neighbors": 3},
        "share": {"n_neighbors": 0.1, "gamma": 1.0},
        "additive": {"owa": "additive"},
        "exponential": {"owa": "exponential"},
        "inverse_additive": {"owa": "inverse_additive"},
        "owa_pair": {"owa": ("additive", 10)},
        "power": {"isomorphism": 2.0},
        "root": {"isomorphism": 0.5},
        "balanced": {"class_weight": "balanced"},
        "first": {"ties": "first", "gamma": 20.0},
        "learned": {"feature_weights": "learned"},
    }
    gammas = {f"classifier_gamma_{gamma:g}": of(C(gamma=gamma), two) for gamma in (0.1, 0.5, 1.0, 5.0, 50.0)}
    return gammas | {
        f"classifier_{name}_{len(np.unique(case.y))}": of(C(**{"gamma": 2.0, **given}), case)
        for case in (two, three)
        for name, given in variants.items()
    }


def classifier_parameters() -> dict[str, Setting]:
    """The classifier with functions, distances, and weights of columns, classes and rows."""
    two, three, C = drawn(), drawn(75, 3, 3, 1), FGAClassifier
    rng = default_rng(7)
    counts = rng.integers(0, 4, 75)
    return {
        "classifier_metric_object": of(C(gamma=1.5, metric=Distances()), three),
        "classifier_precomputed_2": of(C(metric="precomputed"), by_distance(two)),
        "classifier_precomputed_3": of(C(metric="precomputed", gamma=2.0), by_distance(three)),
        "classifier_owa_array": of(C(owa=np.arange(60, 0, -1) / 1830.0), two),
        "classifier_owa_function": of(C(owa=lambda n: np.full(n, 1.0 / n)), two),
        "classifier_power_owa": of(C(gamma=2.0, isomorphism=1.5, owa=("exponential", 5)), three),
        "classifier_isomorphism_pair": of(C(isomorphism=(np.square, np.sqrt), gamma=2.0), two),
        "classifier_weights_list": of(C(gamma=3.0, feature_weights=[2.0, 0.0, 0.5]), three),
        "classifier_class_weight": of(C(class_weight={"class a": 3.0, "class b": 0.5, "class c": 1.0}), three),
        "classifier_counts": of(C(gamma=2.0), three.given(sample_weight=counts)),
        "classifier_fractions": of(
            C(class_weight="balanced", gamma=2.0), two.given(sample_weight=rng.random(60) * (np.arange(60) % 5 > 0))
        ),
        "classifier_counts_owa": of(C(owa="additive", loss="absolute_error"), three.given(sample_weight=counts)),
        "classifier_learned_weighted": of(
            C(feature_weights="learned", metric="chebyshev", class_weight="balanced"), three.given(sample_weight=counts)
        ),
        "classifier_monotone_list": of(C(gamma=4.0, monotonic_cst=[1, 0, -1]), two),
        "classifier_monotone_absolute": of(C(monotonic_cst=[1, 1, 1], loss="absolute_error", metric="chebyshev"), two),
        "classifier_tol": of(C(gamma=0.3, tol=1e-4), three),
        "classifier_tol_too_small": of(C(gamma=0.1, tol=1e-20), three),
        "classifier_no_categories": of(C(categorical_features=[], gamma=2.0), two),
    }


def classifier_rows() -> dict[str, Setting]:
    """The classifier on many rows, few rows, equal rows, and many classes."""
    two, three, C = drawn(), drawn(75, 3, 3, 1), FGAClassifier
    four = drawn(6000, 3, 4, 11)  # large enough for screens and leaves, which small tables go without
    large_two = four._replace(y=four.y == "class a", new=drawn(2500, 3, 4, 12).X)
    return {
        "classifier_iris": of(C(gamma=3.0), embedded(load_iris, frame=True)),
        "classifier_wine": of(C(gamma=5.0), embedded(load_wine)),
        "classifier_breast_cancer": of(C(gamma=4.0, n_jobs=2), embedded(load_breast_cancer, 4, frame=True)),
        "classifier_many_classes": of(C(gamma=3.0), drawn(100, 4, 12, 2, spread=2.0)),
        "classifier_ids": of(C(), two.given(ids=[f"row {i}" for i in range(60)])),
        "classifier_ids_numbers": of(C(gamma=3.0), numbered(two).given(ids=1000 + np.arange(60)[::-1])),
        "classifier_truth_values": of(C(gamma=2.0), two._replace(y=two.y == "class a")),
        **{f"classifier_grid_{k}": of(C(gamma=1.5), grid(k)) for k in (2, 3)},
        "classifier_grid_first": of(C(gamma=30.0, ties="first"), grid(3)),
        "classifier_one_class": of(C(), two._replace(y=["only"] * 60)),
        "classifier_one_row": of(C(), two._replace(X=two.X[:1], y=["only"])),
        "classifier_two_rows": of(C(gamma=0.2), two._replace(X=two.X[:2], y=[True, False])),
        "classifier_repeated": of(C(gamma=2.0), repeated()),
        "classifier_contradictory": of(C(), two._replace(X=np.vstack([two.X] * 2), y=[*two.y, *two.y[::-1]])),
        "classifier_constant": of(C(gamma=2.0), two._replace(X=two.X * [1.0, 0.0, 1.0] + 5.0)),
        "classifier_all_equal": of(C(), two._replace(X=np.ones((60, 3)))),
        "classifier_again": Setting(lambda case: C(gamma=2.0).fit(two.X, two.y).fit(case.X, case.y), three),
        "classifier_large": of(C(gamma=3.0), large_two, large=True),
        "classifier_large_threads": of(
            C(gamma=8.0, n_jobs=2), drawn(4200, 4, 3, 13)._replace(new=drawn(2500, 4, 3, 14).X), large=True
        ),
    }


def classifier_frames() -> dict[str, Setting]:
    """The classifier on tables with names, of pandas and polars."""
    C = FGAClassifier
    return {
        "classifier_weights_dict": of(C(gamma=3.0, feature_weights={"age": 0.3, "city": 2.0}), census()),
        "classifier_pandas": of(C(gamma=2.0), census()),
        "classifier_polars": of(C(gamma=2.0), census("three", "polars")),
        "classifier_polars_manhattan": of(C(gamma=3.0, metric="manhattan", scale="rank"), census("two", "polars")),
        "classifier_pandas_chebyshev": of(C(gamma=1.2, metric="chebyshev"), census("three")),
        "classifier_named_categories": of(C(categorical_features=["age", "city", "job"]), census("three")),
        "classifier_object_array": of(C(gamma=1.5, categorical_features=[2, 4, 5]), as_objects(census("three"))),
        "classifier_learned_mixed": of(
            C(gamma=3.0, metric="manhattan", scale="rank", feature_weights="learned"), census("three", n=120)
        ),
        "classifier_monotone": of(C(gamma=2.0, monotonic_cst={"income": 1, "debt": -1}), census()),
        "classifier_monotone_learned": of(
            C(
                gamma=3.0,
                monotonic_cst={"income": 1, "age": 1},
                metric="manhattan",
                scale="rank",
                feature_weights="learned",
            ),
            census(library="polars", n=120),
        ),
        "classifier_doubtful_columns": of(C(gamma=2.0), suspicious(census(n=60))),
        "classifier_without_values": Setting(lambda case: through_file(C(gamma=2.0), case), census("three")),
        "classifier_large_mixed": of(C(gamma=4.0), census("two", "polars", 3200, 15), large=True),
    }


def as_objects(case: Case) -> Case:
    """A frame as an array of objects."""
    return case._replace(X=case.X.to_numpy(dtype=object), new=case.new.to_numpy(dtype=object), explain={})


def suspicious(case: Case) -> Case:
    """The same with names that hardly are names, of which ``fit`` warns: codes written as text, and an identifier."""
    known = case.X.assign(code=[str(i % 5) for i in range(len(case.X))], key=[f"k{i}" for i in range(len(case.X))])
    return case._replace(X=known, new=case.new.assign(code="3", key="k7"))


def searches() -> dict[str, Setting]:
    """Gamma chosen by cross-validation, for classes and for numbers."""
    two, three, mixed = drawn(), drawn(75, 3, 3, 1), census("number")
    weight = default_rng(8).integers(0, 3, 75)
    folds = [(np.arange(20, 60), np.arange(20)), (np.arange(40), np.arange(40, 60))]
    shuffled = KFold(4, shuffle=True, random_state=1)
    recall = make_scorer(recall_score, pos_label="class a")
    CV, RCV = FGAClassifierCV, FGARegressorCV
    diabetes = embedded(load_diabetes, 3)
    return {
        "classifier_cv": of(CV(), embedded(load_iris, frame=True)),
        "classifier_cv_gammas": of(CV(gammas=[5.0, 0.5, 2.0, 2.0], cv=3), two.given(ids=np.arange(60) * 2)),
        "classifier_cv_path": of(CV(gammas="path"), two),
        "classifier_cv_path_balanced": of(CV(gammas="path", scoring="balanced_accuracy", cv=3), census()),
        "classifier_cv_balanced": of(CV(scoring="balanced_accuracy", class_weight="balanced"), census("three")),
        "classifier_cv_weights": of(
            CV(cv=StratifiedKFold(3, shuffle=True, random_state=0)), three.given(sample_weight=weight)
        ),
        "classifier_cv_folds": of(CV(cv=folds, metric="manhattan", n_jobs=2), two),
        "classifier_cv_scorer": of(CV(scoring=recall, cv=shuffled, gammas=(1.0, 3.0)), two),
        "classifier_cv_log_loss": of(CV(scoring="neg_log_loss", gammas=(1.0, 3.0, 10.0)), three),
        "classifier_cv_variants": of(CV(gammas=(1.0, 4.0), owa="additive", n_neighbors=5, isomorphism=2.0), three),
        "classifier_cv_absolute": of(CV(loss="absolute_error", gammas=(0.5, 1.0, 4.0), scale="rank"), three),
        "classifier_cv_learned": of(CV(feature_weights="learned", cv=3), census("two", "polars")),
        "classifier_cv_monotone": of(CV(monotonic_cst={"income": 1, "debt": -1}, cv=3), census()),
        "classifier_cv_precomputed": of(CV(metric="precomputed"), by_distance(three)),
        "regressor_cv": of(RCV(), diabetes),
        "regressor_cv_interval": of(RCV(interval=0.8, cv=shuffled), mixed),
        "regressor_cv_gammas": of(RCV(gammas=[3.0, 0.2, 1.0], scoring="neg_mean_absolute_error"), measured()),
        "regressor_cv_weights": of(
            RCV(cv=3, loss="absolute_error", interval=0.5, gammas=(0.5, 2.0)), measured(75).given(sample_weight=weight)
        ),
        "regressor_cv_learned": of(RCV(feature_weights="learned", scale="rank", cv=3, n_jobs=2), mixed),
        "regressor_cv_precomputed": of(RCV(metric="precomputed", cv=3), by_distance(measured(40))),
    }


def ordinals() -> dict[str, Setting]:
    """Ordered classes."""
    O = FGAOrdinalClassifier  # noqa: E741
    grades, order = census("grades"), ["poor", "fair", "good"]
    five = measured(90, 2, 5)
    five = five._replace(y=np.digitize(five.y, np.quantile(five.y, [0.2, 0.4, 0.6, 0.8])) * 10)
    typed = pd.Series(pd.Categorical(grades.y, categories=["none", *order], ordered=True), index=grades.X.index)
    counts = default_rng(9).integers(0, 3, 90)
    return {
        "ordinal_grades": of(O(class_order=order, gamma=3.0), grades),
        "ordinal_sorted": of(O(gamma=2.0), grades),
        "ordinal_monotone": of(O(class_order=order, gamma=3.0, monotonic_cst={"income": 1, "debt": -1}), grades),
        "ordinal_typed": of(O(gamma=2.0, class_weight="balanced"), grades._replace(y=typed)),
        "ordinal_enum": of(
            O(gamma=2.0), census("grades", "polars")._replace(y=pl.Series(grades.y, dtype=pl.Enum(order)))
        ),
        "ordinal_two": of(O(class_order=["reject", "approve"], gamma=2.0), census()),
        "ordinal_two_monotone": of(O(class_order=["reject", "approve"], monotonic_cst={"income": 1}), census()),
        "ordinal_five": of(O(gamma=4.0), five),
        "ordinal_five_monotone": of(O(gamma=4.0, monotonic_cst=[0, 1], metric="manhattan"), five),
        "ordinal_five_weights": of(
            O(gamma=2.0, class_weight={0: 1.0, 10: 2.0, 20: 0.5, 30: 1.0, 40: 4.0}), five.given(sample_weight=counts)
        ),
        "ordinal_absolute_first": of(O(gamma=15.0, loss="absolute_error", ties="first"), five),
        "ordinal_learned": of(
            O(class_order=order, feature_weights="learned", scale="rank", monotonic_cst={"income": 1}, gamma=3.0),
            census("grades", "polars", 120),
        ),
        "ordinal_precomputed": of(O(metric="precomputed", gamma=2.0), by_distance(five)),
        "ordinal_one_class": of(O(), five._replace(y=[3] * 90)),
        "ordinal_iris": of(
            O(gamma=3.0, monotonic_cst=[0, 0, 1, 1], class_order=["setosa", "versicolor", "virginica"]),
            embedded(load_iris, frame=True),
        ),
        "ordinal_ids": of(O(gamma=2.0), five.given(ids=[f"H{i}" for i in range(90)])),
    }


def regressors() -> dict[str, Setting]:
    """Numbers instead of classes."""
    plain, mixed, R = measured(), census("number"), FGARegressor
    rng = default_rng(10)
    counts = rng.integers(0, 4, 60)
    line = Case(np.sort(rng.random((50, 1)), axis=0), np.linspace(0, 3, 50) + rng.normal(0, 1, 50), rng.random((8, 1)))
    twice = plain._replace(X=np.vstack([plain.X, plain.X[:20]]), y=np.append(plain.y, plain.y[20:40]))
    settings = {f"regressor_gamma_{gamma:g}": of(R(gamma=gamma), plain) for gamma in (0.1, 1.0, 5.0, 50.0)}
    return settings | {
        "regressor_absolute": of(R(loss="absolute_error", gamma=2.0), plain),
        "regressor_quantile": of(R(loss="quantile", quantile=0.8), plain),
        "regressor_interval": of(R(interval=0.9, gamma=0.7), plain),
        "regressor_interval_absolute": of(R(interval=0.5, loss="absolute_error", metric="manhattan"), mixed),
        "regressor_monotone": of(R(monotonic_cst={"income": 1, "debt": -1}, gamma=2.0), mixed),
        "regressor_monotone_interval": of(R(monotonic_cst=[0, 1, 0], interval=0.8, scale="rank"), plain),
        "regressor_isotonic": of(R(monotonic_cst=[1], gamma=1e6), line),
        "regressor_counts": of(R(gamma=2.0), plain.given(sample_weight=counts)),
        "regressor_fractions": of(R(loss="quantile", quantile=0.3), plain.given(sample_weight=rng.random(60) + 0.1)),
        "regressor_weights_list": of(R(feature_weights=[1.0, 0.5, 0.0]), plain),
        "regressor_weights_dict": of(R(feature_weights={"job": 0.1, "income": 3.0}, gamma=3.0), mixed),
        "regressor_learned": of(R(feature_weights="learned", gamma=3.0), plain),
        "regressor_learned_mixed": of(
            R(feature_weights="learned", metric="manhattan", scale="rank", monotonic_cst={"income": 1}),
            census("number", "polars", 120),
        ),
        "regressor_equal_targets": of(R(interval=0.9), plain._replace(y=np.full(60, 7.0))),
        "regressor_repeated": of(R(gamma=3.0), twice),
        "regressor_one_row": of(R(), plain._replace(X=plain.X[:1], y=[3.0])),
        "regressor_grid": of(R(gamma=1.5, interval=0.6), grid(5)),
        "regressor_pandas": of(R(gamma=1.5, interval=0.8), mixed),
        "regressor_polars": of(R(gamma=1.5), census("number", "polars")),
        "regressor_precomputed": of(R(metric="precomputed", interval=0.8), by_distance(plain)),
        "regressor_function": of(R(metric=distances, gamma=1.5), plain),
        "regressor_chebyshev": of(R(metric="chebyshev", scale="robust"), plain),
        "regressor_unscaled": of(R(scale=None, gamma=0.01), plain),
        "regressor_huge_targets": of(R(gamma=2.0), plain._replace(y=1e12 * plain.y + 1e15)),
        "regressor_ids": of(R(), plain.given(ids=[f"flat {i}" for i in range(60)])),
        "regressor_diabetes": of(R(gamma=3.0, interval=0.9), embedded(load_diabetes, 3)),
        "regressor_again": Setting(
            lambda case: R(interval=0.5).fit(case.X, case.y).set_params(interval=None).fit(case.X, case.y), plain
        ),
        "regressor_doubtful_columns": of(R(gamma=2.0), suspicious(census("number", n=60))),
        "regressor_without_values": Setting(lambda case: through_file(R(gamma=2.0, interval=0.7), case), mixed),
        "regressor_large": of(R(gamma=2.0), measured(2200, 3, 16)._replace(new=measured(300, 3, 17).X), large=True),
        "regressor_large_mixed": of(R(gamma=3.0, n_jobs=2), census("number", "polars", 1800, 18), large=True),
    }


def neighbours() -> dict[str, Setting]:
    """Fuzzy rough nearest neighbours."""
    two, three, N = drawn(), drawn(75, 3, 3, 1), FRNNClassifier
    counts = default_rng(11).integers(0, 4, 75)
    return {
        "neighbours": of(N(), two),
        "neighbours_5": of(N(n_neighbors=5, gamma=2.0), three),
        "neighbours_exponential": of(N(owa="exponential", metric="manhattan"), three),
        "neighbours_inverse": of(N(owa="inverse_additive", n_neighbors=20, scale="rank"), census("three")),
        "neighbours_strict": of(N(owa=None, gamma=20.0), grid(3)),
        "neighbours_array": of(N(owa=[0.6, 0.3, 0.1]), census("two", "polars")),
        "neighbours_function": of(N(owa=lambda n: np.full(n, 1.0 / n), metric=distances), two),
        "neighbours_counts": of(N(n_neighbors=4), three.given(sample_weight=counts)),
        "neighbours_precomputed": of(N(metric="precomputed"), by_distance(three)),
        "neighbours_learned": of(N(feature_weights="learned", n_neighbors=3), census("three")),
        "neighbours_one_class": of(N(), two._replace(y=[1] * 60)),
        "neighbours_large": of(
            N(n_neighbors=10, n_jobs=2), drawn(3000, 4, 3, 13)._replace(new=drawn(300, 4, 3, 14).X), large=True
        ),
    }


def paths() -> dict[str, Setting]:
    """Classifiers that are taken from the path of all gammas."""
    two, three = drawn(), drawn(75, 3, 3, 1)
    weight = default_rng(12).integers(0, 3, 75)

    def on_path(gamma: float, **given: Any) -> Callable[[Case], Any]:
        return lambda case: fgac.path(case.X, case.y, **given, **case.fit).classifier(gamma)

    return {
        "path_classifier_2": Setting(on_path(2.0), two),
        "path_classifier_3": Setting(on_path(0.8, metric="manhattan", class_weight="balanced"), three),
        "path_classifier_counts": Setting(on_path(3.0, scale="rank"), three.given(sample_weight=weight)),
        "path_classifier_mixed": Setting(on_path(1.0, monotonic_cst={"income": 1}, ties="first"), census()),
    }


def settings() -> dict[str, Setting]:
    """All estimators with their data."""
    parts = (
        *(classifier_variants, classifier_parameters, classifier_rows, classifier_frames, searches, ordinals),
        *(regressors, neighbours, paths),
    )
    return {name: setting for part in parts for name, setting in part().items()}
