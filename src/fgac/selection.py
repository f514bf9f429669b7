"""Choosing gamma by cross-validation, by one fixed rule: the same data always give the same gamma."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils import get_tags

from fgac.distances import Floats, Ints
from fgac.frames import is_frame, take_rows

GAMMAS = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
FURTHER = (15.0, 20.0, 30.0, 50.0, 70.0, 100.0)
N_FOLDS = 5
MAX_ROWS = 5000

# Two scores that differ by rounding only are the same score.
SLACK = 1e-12

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class GammaScores:
    """Cross-validated balanced accuracy of every gamma that was tried.

    >>> GammaScores((1.0, 2.0, 3.0), (0.8, 0.9, 0.9), n_folds=5, n_rows=100).best
    2.0

    Attributes
    ----------
    gammas, scores : what was tried, in increasing order, and what came of it
    n_folds : parts that took turns in being held out
    n_rows : rows that took part; fewer than given if there were too many
    """

    gammas: tuple[float, ...]
    scores: tuple[float, ...]
    n_folds: int
    n_rows: int

    @property
    def best(self) -> float:
        """The gamma with the largest score; of several, the smallest: it lets more rows have a say."""
        return next(g for g, score in zip(self.gammas, self.scores, strict=True) if score >= self.score - SLACK)

    @property
    def score(self) -> float:
        """The largest score."""
        return max(self.scores)

    @property
    def at_the_end(self) -> bool:
        """Whether the best gamma is the largest that was tried, so that a larger one might be better still."""
        return len(self.gammas) > 1 and self.best == self.gammas[-1]


def choose_gamma(estimator: Any, X: Any, y: Any, **how: Any) -> float:
    """The gamma with the best cross-validated balanced accuracy; :func:`compare_gammas` explains the rule.

    Parameters
    ----------
    estimator : FGAClassifier or FRNNClassifier
        With all settings but gamma; it is not changed.
    X, y : what ``estimator.fit`` takes
    **how
        See :func:`compare_gammas`.

    Returns
    -------
    float

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifier
    >>> choose_gamma(FGAClassifier(), *load_iris(return_X_y=True))
    3.0
    """
    return compare_gammas(estimator, X, y, **how).best


def compare_gammas(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    gammas: Sequence[float] | None = None,
    n_folds: int = N_FOLDS,
    max_rows: int | None = MAX_ROWS,
    sample_weight: Any = None,
    progress: Progress | None = None,
) -> GammaScores:
    """Score gammas by the balanced accuracy of out-of-fold predictions.

    Folds are stratified, shuffled with a fixed seed and the same for every gamma. The predictions of all folds are
    scored together, so a class with fewer rows than folds counts as every other class does. A class of one row
    is predicted wrongly whatever gamma is, and does not influence the choice.

    Parameters
    ----------
    estimator : FGAClassifier or FRNNClassifier
    X, y : what ``estimator.fit`` takes
    gammas : numbers, optional
        What to try. By default those in ``GAMMAS``, and then, while the largest is the best, those in ``FURTHER``.
    n_folds : int, default=5
        Fewer if even the largest class has fewer rows.
    max_rows : int or None, default=5000
        If there are more rows, a stratified sample of this size (fixed seed) is used, to keep this a matter of seconds.
    sample_weight : array of shape (n_samples,), optional
        Used in training and in scoring.
    progress : function of two integers, optional
        Called with the number of gammas that are done and that there are.

    Returns
    -------
    GammaScores
    """
    labels = np.asarray(y)
    rows = np.arange(len(labels)) if sample_weight is None else np.flatnonzero(np.asarray(sample_weight) > 0)
    rows = stratified_sample(labels, rows, max_rows)
    X, labels = _take(estimator, X, rows), labels[rows]
    weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)[rows]
    folds = stratified_folds(labels, n_folds)
    scores: dict[float, float] = {}
    for gamma in _candidates(gammas, scores):
        model = clone(estimator).set_params(gamma=gamma)
        scores[gamma] = _score(model, X, labels, folds, weight)
        if progress is not None:
            progress(len(scores), max(len(scores), len(GAMMAS if gammas is None else set(gammas))))
    return GammaScores(tuple(scores), tuple(scores.values()), len(folds), len(rows))


def _candidates(gammas: Sequence[float] | None, scores: dict[float, float]) -> Iterator[float]:
    """The gammas to try, in increasing order; reads ``scores`` to see how far to go."""
    yield from sorted({float(gamma) for gamma in (GAMMAS if gammas is None else gammas)})
    if gammas is None:
        for gamma in FURTHER:
            *others, last = scores.values()
            if last <= max(others) + SLACK:
                return
            yield gamma


def _score(model: Any, X: Any, labels: Any, folds: list[tuple[Ints, Ints]], weight: Floats | None) -> float:
    params = None if weight is None else {"sample_weight": weight}
    predicted = cross_val_predict(model, X, labels, cv=folds, params=params)
    return float(balanced_accuracy_score(labels, predicted, sample_weight=weight))


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


def _take(estimator: Any, X: Any, rows: Ints) -> Any:
    X = X if is_frame(X) else np.asarray(X)
    if len(rows) == len(X):
        return X
    return X[np.ix_(rows, rows)] if get_tags(estimator).input_tags.pairwise else take_rows(X, rows)
