"""Choosing gamma by one fixed rule: the same data always give the same gamma."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac.classifier import FGAClassifier
from fgac.classifier_cv import FGAClassifierCV
from fgac.frames import is_frame
from fgac.selection import MAX_ROWS, N_FOLDS, Progress, stratified_folds, stratified_sample, take


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
