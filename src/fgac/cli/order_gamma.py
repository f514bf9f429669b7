"""A good gamma for ordered classes, by one fixed rule: the same data always give the same gamma.

Gammas are judged by how many classes predictions are off, in the mean over the classes: every class counts the same,
as in balanced accuracy, which this is (1 minus it) for two classes; and a near miss is better than a far one.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from fgac.distances import Floats, Ints
from fgac.frames import take_rows
from fgac.gamma_search import GammaSearch
from fgac.ordinal import FGAOrdinalClassifier
from fgac.selection import GAMMAS, MAX_ROWS, N_FOLDS, Progress, stratified_folds, stratified_sample
from fgac.tiles import one_blas_thread

# Scores that differ by less are the same.
ROUNDING = 1e-12


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
    search._choose(np.array(GAMMAS), np.array(parts).T, ROUNDING)
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
