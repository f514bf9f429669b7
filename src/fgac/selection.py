"""Scores of gammas on parts of the data that were held out, and ways to cut data into parts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from itertools import count
from numbers import Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.parallel import Parallel, delayed

from fgac.classifier import FGAClassifier
from fgac.distances import Floats, Ints
from fgac.folds import KEEP, Fold
from fgac.frames import take_rows
from fgac.tables import ReadTable
from fgac.tiles import one_blas_thread

# The gammas of the paper, and larger ones, which cost next to nothing.
PAPER_GAMMAS = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
GAMMAS = (*PAPER_GAMMAS, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0)
N_FOLDS = 5
MAX_ROWS = 5000

Progress = Callable[[int, int], None]
Scorer = Callable[..., float]


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


def stratified_folds(labels: Any, n_folds: int, seed: int = 0) -> list[tuple[Ints, Ints]]:
    """Training and test rows of every fold, classes spread evenly; fewer folds if no class has that many rows."""
    codes = np.unique(labels, return_inverse=True)[1]
    n_folds = min(n_folds, int(np.bincount(codes).max(initial=0)))
    if n_folds < 2:
        raise ValueError(
            f"cross-validation needs a class of at least 2 rows and 2 folds, got {len(codes)} rows and {n_folds} "
            "folds; set gamma yourself"
        )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(codes, codes))


def stratified_sample(labels: Any, rows: Ints, size: int | None, seed: int = 0) -> Ints:
    """At most ``size`` of these rows, sorted, every class in proportion, none left out entirely.

    >>> stratified_sample(np.array(list("aaaaaabb")), np.arange(8), 4).size
    4
    """
    if size is None or len(rows) <= size:
        return rows
    rng = np.random.default_rng(seed)
    codes = np.unique(labels[rows], return_inverse=True)[1]
    # A random place within its class, as a fraction of the class: the smallest fractions of all classes together are
    # a stratified sample, and the first row of every class comes before all others.
    shuffled = rng.permutation(len(rows))
    order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    counts = np.bincount(codes)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    fraction = np.where(place == 0, 0.0, (place + 0.5) / np.repeat(counts, counts))
    return np.sort(rows[order[np.argsort(fraction, kind="stable")[:size]]])
