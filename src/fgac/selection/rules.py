"""Choosing gamma by one fixed rule: the same data always give the same gamma.

A good gamma for predicting numbers, by one fixed rule: the same data always give the same gamma.

A good gamma for ordered classes, by one fixed rule: the same data always give the same gamma.

Gammas are judged by how many classes predictions are off, in the mean over the classes: every class counts the same,
as in balanced accuracy, which this is (1 minus it) for two classes; and a near miss is better than a far one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from fgac._tolerances import SCORE_TOL
from fgac._typing import Floats, Ints
from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.metrics.tiles import one_blas_thread
from fgac.selection.classifier_cv import FGAClassifierCV
from fgac.selection.grid import GAMMAS, MAX_ROWS, N_FOLDS, Progress, take
from fgac.selection.regressor_cv import FGARegressorCV, held_out_margin
from fgac.selection.search import GammaSearch
from fgac.tables.frames import is_frame, take_rows
from fgac.tables.splits import shuffled_folds, stratified_folds, stratified_sample

if TYPE_CHECKING:
    from fgac import FGAClassifier, FGAClassifierCV
    from fgac.selection.grid import Progress
    from fgac.selection.search import GammaSearch


def choose_gamma(
    estimator: FGAClassifier,
    X: Any,
    y: Any,
    *,
    gammas: Any = None,
    n_folds: int = N_FOLDS,
    max_rows: int | None = MAX_ROWS,
    sample_weight: Any = None,
    ids: Any = None,
    progress: Progress | None = None,
) -> FGAClassifierCV:
    """The classifier with the gamma of the best cross-validated balanced accuracy.

    Folds are stratified and shuffled with a fixed seed. A class with fewer rows than folds counts in those folds that
    hold out a row of it.

    Parameters
    ----------
    estimator : FGAClassifier
        With all settings but gamma; it is not changed.
    X, y, sample_weight, ids : what ``fit`` takes
    gammas : numbers, optional
        What to try; see :class:`fgac.FGAClassifierCV`.
    n_folds : int, default=5
        Fewer if even the largest class has fewer rows.
    max_rows : int or None, default=5000
        If there are more rows, a stratified sample of this size (fixed seed) is used, to keep this a matter of seconds.
    progress : function of two integers, optional
        Called with the number of models that are done and that there are.

    Returns
    -------
    FGAClassifierCV
        Fitted to the rows that were used: all, or the sample.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> choose_gamma(FGAClassifier(), *load_iris(return_X_y=True)).gamma_
    3.0
    """
    labels = np.asarray(y)
    rows = np.arange(len(labels)) if sample_weight is None else np.flatnonzero(np.asarray(sample_weight) > 0)
    rows = stratified_sample(labels, rows, max_rows)
    if len(rows) < len(labels):
        X = take(estimator, X if is_frame(X) else np.asarray(X), rows, rows)
        labels = labels[rows]
        sample_weight, ids = (None if given is None else np.asarray(given)[rows] for given in (sample_weight, ids))
    settings = {name: value for name, value in estimator.get_params(deep=False).items() if name != "gamma"}
    folds = stratified_folds(labels, n_folds)
    chooser = FGAClassifierCV(gammas=gammas, cv=folds, scoring="balanced_accuracy", **settings)
    return chooser._fit(X, labels, sample_weight, ids, {}, progress)


def fitted_to_all(chooser: FGAClassifierCV, X: Any, y: Any, weights: Any, ids: Any = None) -> FGAClassifier:
    """The classifier with the chosen gamma; it is trained again if gamma was chosen on some of the rows only."""
    from sklearn.base import clone

    model = chooser.chosen()
    return model if len(model.beta_) == len(y) else clone(model).fit(X, y, sample_weight=weights, ids=ids)


def choose_number_gamma(
    model: FGARegressor,
    X: Any,
    y: Floats,
    weights: Floats | None = None,
    ids: Any = None,
    *,
    gammas: Sequence[float] | None = None,
    max_rows: int | None = None,
) -> FGARegressorCV:
    """The regressor with the gamma of the best cross-validated R2, fitted to all rows.

    Folds are shuffled with a fixed seed. If there are more than ``max_rows`` rows, gamma is chosen on a sample of so
    many (fixed seed). The interval, if there is one, is widened or narrowed by what held-out rows of all folds miss,
    not only those of the sample: its width depends on how near to each other the rows are.
    """
    there = np.arange(len(y)) if weights is None else np.flatnonzero(weights > 0)
    sample = there
    if max_rows is not None and len(there) > max_rows:
        sample = np.sort(np.random.default_rng(0).choice(there, max_rows, replace=False))
    settings = {name: value for name, value in model.get_params(deep=False).items() if name != "gamma"}
    search = FGARegressorCV(gammas=gammas, cv=shuffled_folds(sample, N_FOLDS), **settings)
    search.fit(X, y, sample_weight=weights, ids=ids)
    if model.interval is not None and len(sample) < len(there):
        search.interval_margin_ = held_out_margin(search.chosen(), X, y, shuffled_folds(there, N_FOLDS), weights)
    return search


def choose_order_gamma(
    model: FGAOrdinalClassifier,
    X: Any,
    y: NDArray[Any],
    weights: Floats | None = None,
    *,
    max_rows: int | None = MAX_ROWS,
    progress: Progress | None = None,
) -> GammaSearch:
    """Find the one gamma for all boundaries with which cross-validated predictions are off by the fewest classes.

    Folds are stratified and shuffled with a fixed seed. If there are more than ``max_rows`` rows, a stratified sample
    of so many (fixed seed) is used. Nothing is fitted to all rows: see :func:`trained_with`.
    """
    weights = np.ones(len(y)) if weights is None else weights
    rows = stratified_sample(y, np.flatnonzero(weights > 0), max_rows)
    X, y, weights = take_rows(X, rows), y[rows], weights[rows]
    splits = stratified_folds(y, N_FOLDS)
    done, total = count(1), len(splits) * len(GAMMAS)
    n_jobs = effective_n_jobs(model.n_jobs)

    def scores(train: Ints, test: Ints) -> list[float]:
        known, unseen = take_rows(X, train), take_rows(X, test)
        clf, found = clone(model).set_params(n_jobs=1), []
        for gamma in GAMMAS:
            clf.set_params(gamma=gamma).fit(known, y[train], sample_weight=weights[train])
            clf.set_params(feature_weights=clf.feature_weights_)  # if learned, once: they do not depend on gamma
            found.append(-classes_off(clf, y[test], clf.predict(unseen), weights[test]))
            if progress is not None:
                progress(next(done), total)
        return found

    with one_blas_thread():
        parts = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(scores)(*split) for split in splits)
    search = GammaSearch()
    search._choose(np.array(GAMMAS), np.array(parts).T, SCORE_TOL)
    return search


def classes_off(clf: FGAOrdinalClassifier, truth: NDArray[Any], predicted: NDArray[Any], weights: Floats) -> float:
    """By how many classes predictions are off, in the mean over the classes that occur.

    >>> clf = FGAOrdinalClassifier(class_order=["poor", "fair", "good"])
    >>> classes_off(clf, np.array(["poor", "poor", "good"]), np.array(["poor", "fair", "poor"]), np.ones(3))
    1.25
    """
    place = {label: i for i, label in enumerate(clf.class_order or ())}
    codes, others = (np.array([place[label] for label in labels.tolist()]) for labels in (truth, predicted))
    off = np.bincount(codes, weights * np.abs(codes - others))
    sizes = np.bincount(codes, weights)
    return float((off[sizes > 0] / sizes[sizes > 0]).mean())


def trained_with(
    gamma: float, model: FGAOrdinalClassifier, X: Any, y: NDArray[Any], weights: Floats | None, ids: Any = None
) -> FGAOrdinalClassifier:
    """The model with a gamma, fitted to all rows."""
    return clone(model).set_params(gamma=gamma).fit(X, y, sample_weight=weights, ids=ids)
