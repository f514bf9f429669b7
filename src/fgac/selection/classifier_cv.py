"""The classifier with gamma chosen by cross-validation."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from fgac._tolerances import SCORE_TOL
from fgac._typing import Floats
from fgac.estimators.classifier import FGAClassifier
from fgac.selection.grid import GAMMAS, LabelScore, Progress, label_score, quick_scorer, score_gammas
from fgac.selection.path_scores import score_steps
from fgac.selection.search import GammaSearch
from fgac.tables.validation import check_distances, check_labels, check_positive, check_sample_weight


class FGAClassifierCV(GammaSearch, FGAClassifier):
    """Fuzzy granular approximation classifier whose gamma is chosen by cross-validation.

    It does what a grid search with :class:`FGAClassifier` does, with the same result, and shares between the gammas
    what does not depend on them: tables are read and distances computed once per fold, and the solution for one gamma
    is the start for the next.

    Parameters
    ----------
    gammas : array of numbers, "path" or None, default=None
        What to try; by default seventeen numbers from 0.5 to 100. With "path", all from 0.5 on: accuracy and balanced
        accuracy are step functions of gamma, their steps are found by following the labels of the rows held out along
        the exact path (at every bend, and never more than 2 % apart), and ``cv_results_`` has a gamma of every step.
        This takes squared error, no ``n_neighbors``, ``owa`` or ``isomorphism``, and longer.
    cv : int, splitter or iterable of splits, default=None
        As in scikit-learn; None is 5 stratified folds.
    scoring : str, callable or None, default=None
        A name, or a function ``scorer(estimator, X, y)``; None is accuracy. If ``fit`` is given weights of rows, so is
        the scorer, if it takes them.
    loss, metric, scale, n_neighbors, owa, isomorphism, categorical_features, feature_weights, monotonic_cst,
    class_weight, ties, tol
        As in :class:`FGAClassifier`.
    n_jobs : int, default=None
        Threads: over folds as long as these are small, else within them.
    verbose : int, default=0
        Print the progress of training if positive.

    Attributes
    ----------
    gamma_ : float
        The gamma with the largest mean score; of several, the smallest: it lets more rows have a say.
    best_score_ : float
        Its mean score.
    cv_results_ : dict
        As of scikit-learn's ``GridSearchCV``: ``params``, ``param_gamma``, ``split0_test_score`` and so on,
        ``mean_test_score``, ``std_test_score``, ``rank_test_score``.
    n_splits_ : int
        Number of folds.
    classes_, beta_, solution_, feature_weights_, n_features_in_, feature_names_in_
        Of the classifier with that gamma, fitted to all rows; see :class:`FGAClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifierCV
    >>> clf = FGAClassifierCV().fit(*load_iris(return_X_y=True))
    >>> clf.gamma_, round(clf.best_score_, 3)
    (5.0, 0.973)
    """

    def __init__(
        self,
        *,
        gammas: Any = None,
        cv: Any = None,
        scoring: Any = None,
        loss: str = "squared_error",
        metric: Any = "euclidean",
        scale: str | None = "range",
        n_neighbors: float | None = None,
        owa: Any = None,
        isomorphism: Any = None,
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        class_weight: Any = None,
        ties: str = "nearest",
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.gammas = gammas
        self.cv = cv
        self.scoring = scoring
        self.loss = loss
        self.metric = metric
        self.scale = scale
        self.n_neighbors = n_neighbors
        self.owa = owa
        self.isomorphism = isomorphism
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.ties = ties
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None, ids: Any = None, **params: Any) -> Self:
        """Choose gamma, and fit to all rows with it.

        Parameters
        ----------
        X : frame or array of shape (n_samples, n_features), or (n_samples, n_samples) distances
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
            A row of weight 2 counts as if it stood there twice, a row of weight 0 as if it were absent.
        ids : array of shape (n_samples,), optional
            What rows are called in explanations; by default the index of a pandas frame, or their positions.
        **params : dict
            Parameters of the splitter and the scorer, if metadata routing is enabled.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, ids, params)

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, ids: Any, params: dict[str, Any], progress: Progress | None = None
    ) -> Self:
        gammas = check_gammas(self.gammas)
        plain = self._plain(GAMMAS[0] if gammas is None else gammas[0])
        plain._check_parameters()
        X = plain._check_table(X, y, reset=True)
        if self._precomputed:
            check_distances(X, square=True)
        labels = check_labels(y, len(X))
        weight = None if sample_weight is None else check_sample_weight(sample_weight, len(X))
        routed = self._routed(params, weight)
        splits = self._splits(X, labels, routed)
        slack = 0.0  # as a grid search, which takes rounding for a difference
        if gammas is None:
            floor, score, slack = float(plain.gamma), self._score_along_path(), SCORE_TOL
            gammas, scores = score_steps(plain, X, labels, splits, score, floor=floor, weight=weight, progress=progress)
        else:
            scores = score_gammas(
                plain,
                X,
                labels,
                gammas,
                splits,
                quick_scorer(self.scoring) or self._scorer(),
                whole=callable(self.scoring),
                weight=weight,
                score_params=routed.scorer.score,
                progress=progress,
            )
        self._choose(gammas, scores, slack)
        return super().fit(X, y, sample_weight, ids)

    def chosen(self) -> FGAClassifier:
        """The plain classifier with the chosen gamma, fitted to all rows; it shares its arrays with this one.

        Returns
        -------
        FGAClassifier
        """
        fitted: FGAClassifier = self._chosen()
        return fitted

    def _plain(self, gamma: float) -> FGAClassifier:
        return FGAClassifier(gamma=gamma, **self._plain_settings())

    def _score_along_path(self) -> LabelScore:
        """The score to follow along the path; not every setting has one."""
        bent = ["loss"] * (self.loss != "squared_error") + [
            name for name in ("n_neighbors", "owa", "isomorphism") if getattr(self, name) is not None
        ]
        if bent:
            raise ValueError(
                f"gammas='path' needs memberships that are piecewise linear in gamma, which {bent[0]}="
                f"{getattr(self, bent[0])!r} are not; give numbers as gammas"
            )
        score = label_score(self.scoring)
        if score is None:
            raise ValueError(
                f"gammas='path' needs scoring=None, 'accuracy' or 'balanced_accuracy', got {self.scoring!r}; give "
                "numbers as gammas"
            )
        return score


def check_gammas(gammas: Any) -> Floats | None:
    """Positive numbers to try, in the order given; None for the path."""
    if gammas is None:
        return np.array(GAMMAS)
    if isinstance(gammas, str) and gammas == "path":
        return None
    if isinstance(gammas, str) or np.ndim(gammas) != 1 or not len(gammas):
        raise ValueError(
            f"gammas={gammas!r} must be a list of positive numbers, 'path' for all from {GAMMAS[0]} on, or None for "
            f"{len(GAMMAS)} of our choice"
        )
    for gamma in gammas:
        check_positive("each of gammas", gamma)
    return np.array(gammas, dtype=np.float64)
