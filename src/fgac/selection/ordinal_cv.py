"""The classifier of ordered classes with gamma chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fgac.estimators._state import FittedState
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.selection.choice import GammaChoice
from fgac.selection.class_calibration import with_calibration
from fgac.selection.default_folds import MAX_ROWS
from fgac.selection.folds import Material, Part, changed
from fgac.selection.grid import GAMMAS
from fgac.selection.held_out import HeldOutScore, argued_minus_classes_off, label_score
from fgac.selection.ordinal_fold import OrdinalFold
from fgac.selection.search import GammaSearch
from fgac.tables.class_order import full_order
from fgac.tables.validation import check_labels


class FGAOrdinalClassifierCV(GammaSearch, FGAOrdinalClassifier):
    """Classifier of ordered classes whose gamma is chosen by cross-validation.

    It does what a grid search with :class:`FGAOrdinalClassifier` does, with the same result, and shares between the
    gammas what does not depend on them: tables are read and distances computed once per fold and boundary, and the
    solution for one gamma is the start for the next.

    Parameters
    ----------
    gammas : array of numbers or None, default=None
        What to try; by default seventeen numbers from 0.5 to 100. One gamma serves all boundaries.
    cv : int, splitter or iterable of splits, default=None
        None is 5 folds, and a number that many: stratified, shuffled with a fixed seed, the same for the same rows in
        whatever order they stand and whatever the classes are called; fewer where there are too few rows or groups.
        Splitters and splits are as in scikit-learn. With ``groups`` in ``fit``, folds are of whole groups.
    scoring : str, callable or None, default=None
        A name, or a function ``scorer(estimator, X, y)``. None is minus the number of classes that predictions are off,
        in the mean over the true classes: every class counts the same, and a near miss is better than a far one. Where
        no training row argues for a prediction, it is off as far as the middle class would be, whatever it is. With two
        classes the score is that of :class:`FGAClassifierCV` minus 1. If ``fit`` is given weights of rows, so is the
        scorer, if it takes them.
    max_rows : int or None, default=5000
        Of more rows, gamma is chosen on a stratified sample of this size, drawn with a fixed seed; the model is fitted
        to all rows. None takes all. Groups are whole in it, unless they are few. It does not apply to folds of the
        caller's own.
    calibrate : bool, default=True
        Whether ``predict_proba`` gives probabilities that are calibrated on the rows held out. Degrees, predictions and
        explanations stay as they are, but explanations also say how often such predictions were right.
    class_order, loss, metric, scale, categorical_features, feature_weights, monotonic_cst, class_weight, ties, tol
        As in :class:`FGAOrdinalClassifier`.
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
    best_estimator_ : FGAOrdinalClassifier
        The plain classifier with that gamma, fitted to all rows.
    classes_, class_order_, boundaries_, beta_, solutions_, feature_weights_, n_features_in_, feature_names_in_
        Of the classifier with that gamma, fitted to all rows; see :class:`FGAOrdinalClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAOrdinalClassifierCV
    >>> X, y = load_iris(return_X_y=True)  # setosa, versicolor, virginica: by the size of the petals
    >>> clf = FGAOrdinalClassifierCV(monotonic_cst=[0, 0, 1, 1]).fit(X, y)
    >>> clf.gamma_, round(clf.best_score_, 3)
    (4.0, -0.033)
    """

    _PLAIN = FGAOrdinalClassifier
    _GAMMAS = GAMMAS
    _SCORE_NAME, _SCORE_SIGN = "classes off", -1

    def __init__(
        self,
        *,
        gammas: Any = None,
        cv: Any = None,
        scoring: Any = None,
        max_rows: int | None = MAX_ROWS,
        calibrate: bool = True,
        class_order: Sequence[Any] | None = None,
        loss: str = "squared_error",
        metric: Any = "learned",
        scale: str | None = "auto",
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
        self.class_order = class_order
        self.loss = loss
        self.metric = metric
        self.scale = scale
        self.categorical_features = categorical_features
        self.feature_weights = feature_weights
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.ties = ties
        self.tol = tol
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _calibrated(self, plain: Any, state: Any, material: Material, choice: GammaChoice) -> FittedState:
        return with_calibration(state, material, choice) if self.calibrate else state

    def _check_target(self, y: Any, n: int) -> Any:
        return check_labels(y, n)

    def _for_folds(self, plain: Any, y: Any, material: Material) -> Any:
        # A fold has neither the type of the labels, which may know their order, nor perhaps all of them.
        return changed(plain, class_order=full_order(self.class_order, y))

    def _fold(self, plain: Any, part: Part) -> OrdinalFold:
        return OrdinalFold.of(plain, part)

    def _held_out_score(self, plain: Any, material: Material) -> HeldOutScore | None:
        if self.scoring is None:
            return argued_minus_classes_off(plain.class_order)
        return label_score(self.scoring)
