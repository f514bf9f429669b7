"""Scores of gammas on parts of the data that were held out, and ways to cut data into parts.

Scores without ceremony: scikit-learn's checks of every call take longer than small predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from itertools import count
from numbers import Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from fgac._typing import Floats, Ints
from fgac.estimators.classifier import FGAClassifier
from fgac.metrics.tiles import one_blas_thread
from fgac.selection.folds import KEEP, Fold
from fgac.tables.frames import take_rows
from fgac.tables.table import ReadTable

LabelScore = Callable[..., float]
Scorer = Callable[..., float]


def accuracy(y: Any, predicted: Any, weight: Any = None) -> float:
    """Share of rows whose class is predicted, as :func:`sklearn.metrics.accuracy_score`."""
    return float(np.average(predicted == y, weights=weight))


def balanced_accuracy(y: Any, predicted: Any, weight: Any = None) -> float:
    """Mean over the classes of the same, as :func:`sklearn.metrics.balanced_accuracy_score`."""
    weight = np.ones(len(predicted)) if weight is None else np.asarray(weight, dtype=np.float64)
    codes = np.unique(y, return_inverse=True)[1]
    totals = np.bincount(codes, weight)
    right = np.bincount(codes, weight * (predicted == y))
    return float(np.mean(right[totals > 0] / totals[totals > 0]))


def label_score(scoring: Any) -> LabelScore | None:
    """The function of true and predicted labels behind a common kind of score; None if it is another.

    >>> label_score("balanced_accuracy")(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))
    0.8333333333333333
    """
    if scoring is None:
        return accuracy
    return (
        {"accuracy": accuracy, "balanced_accuracy": balanced_accuracy}.get(scoring)
        if isinstance(scoring, str)
        else None
    )


def quick_scorer(scoring: Any) -> Scorer | None:
    """The scorer of a common kind of score; None if it is another."""
    score = label_score(scoring)

    def scorer(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        assert score is not None
        return score(y, estimator.predict(X), sample_weight)

    return scorer if score is not None else None


# The gammas of the paper, and larger ones, which cost next to nothing.
PAPER_GAMMAS = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
GAMMAS = (*PAPER_GAMMAS, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0)
N_FOLDS = 5
MAX_ROWS = 5000

Progress = Callable[[int, int], None]


def score_gammas(
    estimator: FGAClassifier,
    X: Any,
    y: NDArray[Any],
    gammas: Iterable[float],
    splits: Sequence[tuple[Ints, Ints]],
    scorer: Scorer,
    *,
    whole: bool = False,
    weight: Floats | None = None,
    score_params: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Scores of every gamma (rows) on every held-out part (columns): those of a grid search, for less work.

    Parameters
    ----------
    estimator : FGAClassifier
        With all settings but gamma; it is not changed.
    X, y : table and labels, checked
    gammas : numbers
    splits : list of (train, test)
        Positions of rows.
    scorer : function of an estimator, a table and labels
    whole : bool, default=False
        Whether the scorer may ask for anything that a fitted FGAClassifier has, not only for predictions.
    weight : array of shape (n_samples,), optional
        Weights of rows in training.
    score_params : dict, optional
        More for the scorer; what has one entry per row is cut to the rows it judges.
    progress : function of two integers, optional
        Called with the number of models that are done and that there are.
    """
    gammas = [float(gamma) for gamma in gammas]
    done, total = count(1), len(set(gammas)) * len(splits)
    small = len(y) ** 2 <= KEEP
    n_jobs = effective_n_jobs(estimator.n_jobs) if small else 1
    estimator = copy(estimator).set_params(n_jobs=1 if small else estimator.n_jobs)
    read = read_once(estimator, X)

    def scores(train: Ints, test: Ints) -> list[float]:
        unseen = take(estimator, X, test, train)
        fold = Fold.of(
            estimator,
            take(estimator, read, train, train),
            y[train],
            None if weight is None else weight[train],
            take(estimator, read, test, train),
            unseen,
        )
        more = {name: _cut(value, test, len(y)) for name, value in (score_params or {}).items()}
        found: dict[float, float] = {}
        for gamma, model in fold.models(set(gammas)):
            found[gamma] = _number(scorer(model.whole() if whole else model, unseen, y[test], **more))
            if progress is not None:
                progress(next(done), total)
        return [found[gamma] for gamma in gammas]

    with one_blas_thread():
        found = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(scores)(*split) for split in splits)
    return np.array(found).T


def read_once(estimator: FGAClassifier, X: Any) -> Any:
    """A table that need not be read again for every part of it; distances as they are."""
    return X if estimator._precomputed else ReadTable.of(X, estimator.categorical_features)


def take(estimator: FGAClassifier, X: Any, rows: Ints, columns: Ints) -> Any:
    """Some rows of a table; of distances, those to some of the rows."""
    return X[np.ix_(rows, columns)] if estimator._precomputed else take_rows(X, rows)


def _cut(value: Any, rows: Ints, n: int) -> Any:
    """Some entries of what has one for every row; anything else as it is."""
    return np.asarray(value)[rows] if hasattr(value, "__len__") and len(value) == n else value


def _number(score: Any) -> float:
    if not isinstance(score, Real):
        raise ValueError(f"scoring gave {score!r} of type {type(score).__name__}; expected one number to choose by")
    return float(score)
