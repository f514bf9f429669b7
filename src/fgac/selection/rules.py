"""Choosing gamma by one fixed rule for each kind of model: the same data always give the same gamma.

Classes are judged by balanced accuracy on stratified folds, ordered classes by the number of classes that predictions
are off (see :class:`fgac.FGAOrdinalClassifierCV`) on the same folds, numbers by R2 on shuffled folds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fgac._typing import Ints
from fgac.estimators._state import RegressorState, state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.selection.calibration import held_out_margin
from fgac.selection.classifier_cv import FGAClassifierCV
from fgac.selection.folds import Material
from fgac.selection.grid import Progress
from fgac.selection.ordinal_cv import FGAOrdinalClassifierCV
from fgac.selection.regressor_cv import FGARegressorCV
from fgac.tables.splits import random_sample, shuffled_folds, stratified_folds, stratified_sample

N_FOLDS = 5
MAX_ROWS = 5000

# The search of every kind of model.
SEARCHES: dict[type, Any] = {
    FGAClassifier: FGAClassifierCV,
    FGAOrdinalClassifier: FGAOrdinalClassifierCV,
    FGARegressor: FGARegressorCV,
}


def choose_gamma(
    estimator: FGAClassifier | FGAOrdinalClassifier | FGARegressor,
    X: Any,
    y: Any,
    *,
    gammas: Any = None,
    n_folds: int = N_FOLDS,
    max_rows: int | None = MAX_ROWS,
    sample_weight: Any = None,
    ids: Any = None,
    on_progress: Progress | None = None,
) -> Any:
    """The model with the gamma of the best cross-validated score, fitted to all rows.

    Folds are shuffled with a fixed seed, and stratified for classes. A class with fewer rows than folds counts in those
    folds that hold out a row of it.

    Parameters
    ----------
    estimator : FGAClassifier, FGAOrdinalClassifier or FGARegressor
        With all settings but gamma; it is not changed.
    X, y, sample_weight, ids : what ``fit`` takes
    gammas : numbers, optional
        What to try; see :class:`fgac.FGAClassifierCV`.
    n_folds : int, default=5
        Fewer if even the largest class has fewer rows, or if there would be fewer than two numbers to test on.
    max_rows : int or None, default=5000
        If there are more rows, gamma is chosen on a sample of this size (fixed seed, stratified for classes), to keep
        this a matter of seconds.
    on_progress : function of two integers, optional
        Called with the number of models that are done and that there are.

    Returns
    -------
    FGAClassifierCV, FGAOrdinalClassifierCV or FGARegressorCV
        Fitted to all rows; ``best_estimator_`` is the plain model.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> choose_gamma(FGAClassifier(), *load_iris(return_X_y=True)).gamma_
    3.0
    """
    kind = _search_of(estimator)
    weight = None if sample_weight is None else np.asarray(sample_weight)
    present = np.arange(len(y)) if weight is None else np.flatnonzero(weight > 0)
    settings = {name: value for name, value in estimator.get_params(deep=False).items() if name != "gamma"}
    if kind is not FGARegressorCV:
        labels = np.asarray(y)
        sample = stratified_sample(labels, present, max_rows)
        folds = among(sample, stratified_folds(labels[sample], n_folds))
    else:
        sample = random_sample(present, max_rows)
        folds = shuffled_folds(sample, n_folds)
    search = kind(gammas=gammas, cv=folds, **settings)
    search._fit(X, y, sample_weight, ids, {}, on_progress)
    if isinstance(search, FGARegressorCV) and estimator.interval is not None and len(sample) < len(present):
        _widen(search, X, y, sample_weight, shuffled_folds(present, n_folds))
    return search


def _search_of(estimator: Any) -> Any:
    """The class that chooses gamma for a plain estimator."""
    if type(estimator) not in SEARCHES:
        known = ", ".join(kind.__name__ for kind in SEARCHES)
        raise TypeError(f"choose_gamma takes one of {known}, got {type(estimator).__name__}")
    return SEARCHES[type(estimator)]


def among(rows: Ints, folds: list[tuple[Ints, Ints]]) -> list[tuple[Ints, Ints]]:
    """Folds of some of the rows, as positions among all rows.

    >>> among(np.array([2, 5, 7]), [(np.array([0, 1]), np.array([2]))])
    [(array([2, 5]), array([7]))]
    """
    return [(rows[train], rows[test]) for train, test in folds]


def _widen(search: FGARegressorCV, X: Any, y: Any, sample_weight: Any, folds: list[tuple[Ints, Ints]]) -> None:
    """Find the margin of the interval on all rows: its width depends on how near to each other these are."""
    state: RegressorState = state_of(search)
    plain = search.best_estimator_
    table, header = plain._check_training_table(X, y)
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    material = Material(table, header, np.asarray(y, dtype=np.float64), weight, folds)
    search._set_state(replace(state, interval_margin=held_out_margin(plain, material)))
