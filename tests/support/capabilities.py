"""What can be asked of an estimator, each as a check: it passes where the answer is yes, and raises where it is no.

The first line of a check's docstring is what a yes means on the page of contracts (:mod:`support.contracts`).
"""

from __future__ import annotations

import importlib
import pickle
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import fgac
from support.estimators import REGISTRY, expected_failures, make

COLUMNS = ["width", "height", "depth"]


def first_setting(name: str, **more: Any) -> Any:
    """Return an estimator with the settings in which the quick contract tests run it, and others."""
    return make(name, {**REGISTRY[name].settings[0], **more})


def plain_setting(name: str, gamma: float = 2.0, **more: Any) -> Any:
    """Return an estimator with one gamma, a plain distance and nothing that folds decide."""
    if name.endswith("CV"):
        folds = {"calibrate": False} if REGISTRY[name].target == "classes" else {}
        return make(name, {"gammas": [gamma], "cv": 2, "metric": "euclidean", **folds, **more})
    return make(name, {"gamma": gamma, **more})


def answers(model: Any, X: Any) -> Any:
    """Return what a model says of rows, in numbers."""
    return np.asarray(model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X))


def same(first: Any, second: Any, X: Any) -> None:
    """Refuse two models that do not say the same to the last bit."""
    np.testing.assert_array_equal(first.predict(X), second.predict(X))
    np.testing.assert_array_equal(answers(first, X), answers(second, X))


def close(first: Any, second: Any, X: Any) -> None:
    """Refuse two models that do not say the same but for rounding."""
    if hasattr(first, "classes_"):
        np.testing.assert_array_equal(first.predict(X), second.predict(X))
    np.testing.assert_allclose(answers(first, X), answers(second, X), atol=1e-8)


# ----------------------------------------------------------------------------------------------------
# scikit-learn
# ----------------------------------------------------------------------------------------------------


def passes_check_estimator(name: str) -> None:
    """It passes all checks of scikit-learn's `check_estimator`, but for those that are named below."""
    model = first_setting(name)
    results = check_estimator(model, expected_failed_checks=expected_failures(model), on_fail=None, on_skip=None)
    failed = {one["check_name"] for one in results if one["status"] in ("failed", "xfail")}
    assert failed == set(expected_failures(model))


def can_be_pickled(name: str) -> None:
    """A fitted model that was pickled and read again predicts the same."""
    X, y = REGISTRY[name].data({})
    model = first_setting(name).fit(X, y)
    same(pickle.loads(pickle.dumps(model)), model, X)


def can_be_cloned(name: str) -> None:
    """`sklearn.base.clone` gives an unfitted copy with the same parameters, which fits the same."""
    X, y = REGISTRY[name].data({})
    model = first_setting(name).fit(X, y)
    copy = clone(model)
    assert not hasattr(copy, "n_features_in_")
    same(copy.fit(X, y), model, X)


def has_set_output(name: str) -> None:
    """`set_output` says in which container it returns tables."""
    first_setting(name).set_output(transform="pandas")


def routes_metadata(name: str) -> None:
    """A pipeline hands it `sample_weight` if `set_fit_request` asks for that."""
    X, y = REGISTRY[name].data({})
    weights = np.random.default_rng(1).uniform(0.1, 5.0, len(X))
    with config_context(enable_metadata_routing=True):
        model = first_setting(name).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, model).fit(X, y, sample_weight=weights)
    scaled = StandardScaler().fit_transform(X)
    same(pipeline[-1], clone(model).fit(scaled, y, sample_weight=weights), scaled)
    assert not np.array_equal(answers(pipeline[-1], scaled), answers(clone(model).fit(scaled, y), scaled))


# ----------------------------------------------------------------------------------------------------
# Tables
# ----------------------------------------------------------------------------------------------------


def reads(make_frame: Callable[[dict[str, Any]], Any], select: Callable[[Any, list[str]], Any], name: str) -> None:
    """Refuse an estimator that does not read columns by their names, and texts as categories."""
    X, y = REGISTRY[name].data({})
    values = dict(zip(COLUMNS, X.T, strict=True))
    frame = make_frame(values)
    model = first_setting(name).fit(frame, y)
    assert list(model.feature_names_in_) == COLUMNS
    np.testing.assert_array_equal(np.asarray(model.predict(frame)), first_setting(name).fit(X, y).predict(X))
    with pytest.raises(ValueError, match="order"):
        model.predict(select(frame, COLUMNS[::-1]))
    texts = make_frame({**values, "colour": np.where(X[:, 0] > 0, "red", "blue")})
    assert len(first_setting(name).fit(texts, y).predict(texts)) == len(X)


def reads_pandas(name: str) -> None:
    """It takes frames of pandas: columns by name, texts as categories."""
    import pandas as pd

    reads(pd.DataFrame, lambda frame, columns: frame[columns], name)
    X, y = REGISTRY[name].data({})
    scaler = StandardScaler().set_output(transform="pandas")
    behind = make_pipeline(scaler, first_setting(name)).fit(pd.DataFrame(X, columns=COLUMNS), y)
    assert list(behind[-1].feature_names_in_) == COLUMNS


def reads_polars(name: str) -> None:
    """It takes frames of polars: columns by name, texts as categories."""
    import polars as pl

    reads(pl.DataFrame, lambda frame, columns: frame.select(columns), name)


def reads_pyarrow(name: str) -> None:
    """It takes tables of pyarrow: columns by name, texts as categories."""
    import pyarrow as pa

    reads(lambda values: pa.table(values), lambda table, columns: table.select(columns), name)


def takes_missing_values(name: str) -> None:
    """Cells may be missing, in training rows and in new ones; nothing is filled in."""
    X, y = REGISTRY[name].data({})
    X[np.random.default_rng(2).uniform(size=X.shape) < 0.2] = np.nan
    model = first_setting(name)
    assert get_tags(model).input_tags.allow_nan
    predicted = model.fit(X, y).predict(np.vstack([X, np.full((1, 3), np.nan)]))
    assert set(predicted) <= set(y) if REGISTRY[name].target == "classes" else np.isfinite(predicted).all()


def weighs_rows(name: str) -> None:
    """A row of `sample_weight` 2 counts as two rows, and one of 0 as none (where folds decide nothing)."""
    X, y = REGISTRY[name].data({}, n=40)
    counts = np.random.default_rng(3).integers(0, 4, len(X))
    weighted = plain_setting(name).fit(X, y, sample_weight=counts)
    repeated = plain_setting(name).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    close(weighted, repeated, X)


def is_monotone(name: str) -> None:
    """`monotonic_cst` names columns of which more can only raise the prediction, or only lower it."""
    direction = {"monotonic_cst": {0: 1}}
    X, y = REGISTRY[name].data(direction)
    model = plain_setting(name, **direction).fit(X, y)
    for row in X[:20]:
        ascending = np.tile(row, (30, 1))
        ascending[:, 0] = np.linspace(-4, 4, 30)
        predicted = model.predict(ascending)
        assert list(predicted) == sorted(predicted)


# ----------------------------------------------------------------------------------------------------
# What is ours
# ----------------------------------------------------------------------------------------------------


def explains(name: str) -> None:
    """`explain` names the training rows that argue for and against each prediction, in values and in words."""
    X, y = REGISTRY[name].data({})
    model = first_setting(name).fit(X, y)
    explanations = model.explain(X[:3])
    assert len(explanations) == 3
    predicted = model.predict(X[:3])
    for explanation, prediction in zip(explanations, predicted, strict=True):
        assert explanation.prediction == prediction
        assert "training row" in explanation.text()


def can_be_saved(name: str) -> None:
    """`save_model` and `load_model` keep it in a file that executes nothing; it predicts the same."""
    X, y = REGISTRY[name].data({})
    model = first_setting(name).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.fgac")
        fgac.save_model(model, file)
        same(fgac.load_model(file), model, X)


def has_a_path(name: str) -> None:
    """Solutions are known exactly for all gammas: by `fgac.path`, in a search by `gammas="path"`."""
    X, y = REGISTRY[name].data({}, n=30)
    if name.endswith("CV"):
        assert make(name, {"gammas": "path", "cv": 2, "metric": "euclidean"}).fit(X, y).gamma_ > 0
        return
    order = {"class_order": ["a", "b", "c"]} if "Ordinal" in name else {}
    own = {"owa": make(name, {}).owa} if name.startswith("FRNN") else {}
    path = fgac.path(X, y, **order, **own)
    for gamma in (0.5, 1.0, 3.0):
        np.testing.assert_allclose(path.classifier(gamma).beta_, make(name, {"gamma": gamma}).fit(X, y).beta_)


def fits_on_dask(name: str) -> None:
    """With Dask, it is fitted to a table that no single machine holds, and predicts the same."""
    import dask.array as da
    from distributed import Client, LocalCluster

    estimator = getattr(importlib.import_module("fgac.dask"), f"Dask{name}")
    X, y = REGISTRY[name].data({}, n=40)
    plain = plain_setting(name)
    settings = {key: value for key, value in plain.get_params().items() if key in estimator().get_params()}
    rows, targets = da.from_array(X, chunks=(20, 3)), da.from_array(y, chunks=20)
    with LocalCluster(processes=False, n_workers=1, dashboard_address=None) as cluster, Client(cluster):
        predicted = np.asarray(estimator(**settings).fit(rows, targets).predict(rows))
    if REGISTRY[name].target == "classes":
        np.testing.assert_array_equal(predicted, plain.fit(X, y).predict(X))
    else:
        np.testing.assert_allclose(predicted, plain.fit(X, y).predict(X), atol=1e-8)


def is_on_dask(name: str) -> bool:
    """Whether ``fgac.dask`` is part of this version and has such an estimator."""
    return find_spec("fgac.dask") is not None and hasattr(importlib.import_module("fgac.dask"), f"Dask{name}")
