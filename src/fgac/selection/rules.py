"""Choosing gamma for a plain estimator, as the searches do by default: the same rows always give the same gamma."""

from __future__ import annotations

from typing import Any

from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.selection.classifier_cv import FGAClassifierCV
from fgac.selection.default_folds import MAX_ROWS, N_FOLDS
from fgac.selection.grid import Progress
from fgac.selection.ordinal_cv import FGAOrdinalClassifierCV
from fgac.selection.regressor_cv import FGARegressorCV
from fgac.selection.search import fit_search

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
    groups: Any = None,
    on_progress: Progress | None = None,
) -> Any:
    """The model with the gamma of the best cross-validated score, fitted to all rows.

    It is the search of that kind with the settings of the estimator and the folds and scores of the search:
    ``choose_gamma(FGAClassifier(...), X, y)`` is ``FGAClassifierCV(...).fit(X, y)``. A class with fewer rows than folds
    counts in those folds that hold out a row of it.

    Parameters
    ----------
    estimator : FGAClassifier, FGAOrdinalClassifier or FGARegressor
        With all settings but gamma; it is not changed.
    X, y, sample_weight, ids, groups : what ``fit`` of the search takes
    gammas : numbers, optional
        What to try; see :class:`fgac.FGAClassifierCV`.
    n_folds : int, default=5
        Fewer if even the largest class has fewer rows, if there are fewer groups, or if there would be fewer than two
        numbers to test on.
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
    4.0
    """
    settings = {name: value for name, value in estimator.get_params(deep=False).items() if name != "gamma"}
    search = _search_of(estimator)(gammas=gammas, cv=n_folds, max_rows=max_rows, **settings)
    return fit_search(search, X, y, sample_weight=sample_weight, ids=ids, groups=groups, on_progress=on_progress)


def _search_of(estimator: Any) -> Any:
    """The class that chooses gamma for a plain estimator."""
    if type(estimator) not in SEARCHES:
        known = ", ".join(kind.__name__ for kind in SEARCHES)
        raise TypeError(f"choose_gamma takes one of {known}, got {type(estimator).__name__}")
    return SEARCHES[type(estimator)]
