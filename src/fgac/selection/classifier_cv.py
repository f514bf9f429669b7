"""The classifier with gamma chosen by cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from fgac._tolerances import SCORE_TOL
from fgac._typing import Floats
from fgac.estimators._state import FittedState
from fgac.estimators.classifier import FGAClassifier
from fgac.selection.choice import GammaChoice, best_gamma, check_gammas
from fgac.selection.class_calibration import with_calibration
from fgac.selection.classifier_fold import ClassifierFold
from fgac.selection.default_folds import MAX_ROWS
from fgac.selection.folds import Material, Part
from fgac.selection.grid import GAMMAS, Progress
from fgac.selection.held_out import HeldOutScore, argued_balanced_accuracy, label_score
from fgac.selection.path_scores import score_steps
from fgac.selection.search import GammaSearch
from fgac.tables.validation import check_labels


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
        None is 5 folds, and a number that many: stratified, shuffled with a fixed seed, the same for the same rows in
        whatever order they stand and whatever the classes are called; fewer where there are too few rows or groups.
        Splitters and splits are as in scikit-learn. With ``groups`` in ``fit``, folds are of whole groups.
    scoring : str, callable or None, default=None
        A name, or a function ``scorer(estimator, X, y)``, as in scikit-learn. None is balanced accuracy in which a
        guess is worth a guess: where no training row argues for a prediction, it counts as one K-th of a right one, K
        being the number of classes, whatever it is (see :mod:`fgac.selection.held_out`). So the gamma that is chosen
        has something to say. If ``fit`` is given weights of rows, so is the scorer, if it takes them.
    max_rows : int or None, default=5000
        Of more rows, gamma is chosen on a stratified sample of this size, drawn with a fixed seed; the model is fitted
        to all rows. None takes all. Groups are whole in it, unless they are few. It does not apply to folds of the
        caller's own.
    calibrate : bool, default=True
        Whether ``predict_proba`` gives probabilities that are calibrated on the rows held out. Degrees, predictions and
        explanations stay as they are, but explanations also say how often such predictions were right.
    loss, metric, scale, categorical_features, feature_weights, monotonic_cst, class_weight, ties, tol
        As in :class:`FGAClassifier`.
    n_neighbors, neighbors_among, owa, isomorphism
        As there, too.
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
        ``mean_test_score``, ``std_test_score``, ``rank_test_score``; ``mean_argued_share`` and that of every split,
        the share of the predictions of rows held out that some training row argues for; ``mean_median_strength`` and
        that of every split, the median over these rows of the strength of the strongest argument.
    n_splits_ : int
        Number of folds.
    best_estimator_ : FGAClassifier
        The plain classifier with that gamma, fitted to all rows.
    classes_, beta_, solution_, feature_weights_, n_features_in_, feature_names_in_
        Of the classifier with that gamma, fitted to all rows; see :class:`FGAClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifierCV
    >>> clf = FGAClassifierCV().fit(*load_iris(return_X_y=True))
    >>> clf.gamma_, round(clf.best_score_, 3)
    (1.5, 0.967)
    """

    _PLAIN = FGAClassifier
    _GAMMAS = GAMMAS
    _SCORE_NAME = "balanced accuracy"

    def __init__(
        self,
        *,
        gammas: Any = None,
        cv: Any = None,
        scoring: Any = None,
        max_rows: int | None = MAX_ROWS,
        calibrate: bool = True,
        loss: str = "squared_error",
        metric: Any = "learned",
        scale: str | None = "auto",
        n_neighbors: float | None = None,
        neighbors_among: str = "others",
        owa: Any = None,
        isomorphism: Any = None,
        categorical_features: Any = "from_dtype",
        feature_weights: Any = None,
        monotonic_cst: Any = None,
        class_weight: Any = "balanced",
        ties: str = "nearest",
        tol: float = 1e-10,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.gammas = gammas
        self.cv = cv
        self.scoring = scoring
        self.max_rows = max_rows
        self.calibrate = calibrate
        self.loss = loss
        self.metric = metric
        self.scale = scale
        self.n_neighbors = n_neighbors
        self.neighbors_among = neighbors_among
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

    def _check_gammas(self) -> Floats | None:
        if isinstance(self.gammas, str) and self.gammas == "path":
            return None
        also = f"'path' for all from {GAMMAS[0]} on, or None for {len(GAMMAS)} of our choice"
        return check_gammas(self.gammas, GAMMAS, also)

    def _calibrated(self, plain: Any, state: Any, material: Material, choice: GammaChoice) -> FittedState:
        return with_calibration(state, material, choice) if self.calibrate else state

    def _check_target(self, y: Any, n: int) -> Any:
        return check_labels(y, n)

    def _fold(self, plain: Any, part: Part) -> ClassifierFold:
        return ClassifierFold.of(plain, part)

    def _held_out_score(self, plain: Any, material: Material) -> HeldOutScore | None:
        if self.scoring is None:
            return argued_balanced_accuracy(n_classes(material))
        return label_score(self.scoring)

    def _choose(
        self,
        plain: Any,
        gammas: Floats | None,
        material: Material,
        score_params: dict[str, Any],
        on_progress: Progress | None,
    ) -> GammaChoice:
        if gammas is not None:
            return super()._choose(plain, gammas, material, score_params, on_progress)
        score, guesses = self._score_along_path(plain, material), self.scoring is None
        found = score_steps(plain, material, score, float(plain.gamma), guesses=guesses, on_progress=on_progress)
        return best_gamma(*found, SCORE_TOL)

    def _score_along_path(self, plain: Any, material: Material) -> HeldOutScore:
        """The score to follow along the path; not every setting has one."""
        bent = ["loss"] * (self.loss != "squared_error") + [
            name for name in ("n_neighbors", "owa", "isomorphism") if getattr(self, name) is not None
        ]
        if bent:
            raise ValueError(
                f"gammas='path' needs memberships that are piecewise linear in gamma, which {bent[0]}="
                f"{getattr(self, bent[0])!r} are not; give numbers as gammas"
            )
        score = self._held_out_score(plain, material)
        if score is None:
            raise ValueError(
                f"gammas='path' needs scoring=None, 'accuracy' or 'balanced_accuracy', got {self.scoring!r}; give "
                "numbers as gammas"
            )
        return score


def n_classes(material: Material) -> int:
    """Number of the classes that rows of positive weight have."""
    return len(np.unique(material.y if material.weight is None else material.y[material.weight > 0]))
