"""Scores of gammas on rows that were held out: those of a grid search, for less work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import count
from numbers import Real
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from fgac._typing import Floats, Ints
from fgac.metrics.tiles import one_blas_thread
from fgac.selection.folds import KEEP, Fold, FoldModel, Material, Part
from fgac.tables.frames import take_rows
from fgac.tables.table import ReadTable

# The gammas of the paper, and larger ones, which cost next to nothing.
PAPER_GAMMAS = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
GAMMAS = (*PAPER_GAMMAS, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0)

Progress = Callable[[int, int], None]
PredictionScore = Callable[..., float]


@dataclass(frozen=True)
class Scoring:
    """How predictions of rows held out become one number.

    Attributes
    ----------
    score : function ``score(y, predicted, **params)`` or None
        Looks at predictions only. scikit-learn's checks of every call take longer than small predictions.
    scorer : function ``scorer(estimator, X, y, **params)`` or None
        What is asked where there is no such function.
    params : dict
        More for either; what has one entry per row is cut to the rows held out.
    sees_all : bool
        Whether the scorer is a function of the caller's, which may ask for anything that a fitted estimator has, and
        look into the table itself.
    """

    score: PredictionScore | None
    scorer: Callable[..., Any] | None
    params: Mapping[str, Any]
    sees_all: bool = False

    def of(self, model: FoldModel, fold: Fold, material: Material, test: Ints, precomputed_to: Ints | None) -> float:
        """The score of one model on the rows held out."""
        y, n = material.y, len(material.y)
        params = {name: _cut(value, test, n) for name, value in self.params.items()}
        if self.score is not None:
            return float(self.score(y[test], model.predict(), **params))
        assert self.scorer is not None
        if self.sees_all:
            return _number(
                self.scorer(model.whole_estimator(), take(material.X, test, precomputed_to), y[test], **params)
            )
        return _number(self.scorer(model.estimator(), fold.test_rows, y[test], **params))


def score_gammas(
    plain: Any,
    make_fold: Callable[[Any, Part], Fold],
    material: Material,
    gammas: Iterable[float],
    scoring: Scoring,
    on_progress: Progress | None = None,
) -> Floats:
    """Scores of every gamma (rows) on every held-out part (columns).

    Parameters
    ----------
    plain : estimator
        With all settings but gamma; it is not changed.
    make_fold : function
        Reads the rows of one part.
    material : Material
        Table, targets, weights and folds.
    gammas : numbers
    scoring : Scoring
    on_progress : function of two integers, optional
        Called with the number of models that are done and that there are.
    """
    gammas = [float(gamma) for gamma in gammas]
    done, total = count(1), len(set(gammas)) * len(material.splits)
    # Small folds go to threads of their own; in large ones the threads are within a fold.
    small = all((len(train) + len(test)) ** 2 <= KEEP for train, test in material.splits)
    n_jobs = effective_n_jobs(plain.n_jobs) if small else 1
    plain = copy(plain).set_params(n_jobs=1 if small else plain.n_jobs)
    parts = Parts(plain, material)

    def scores(train: Ints, test: Ints) -> list[float]:
        fold = make_fold(plain, parts.of(train, test))
        found: dict[float, float] = {}
        for model in fold.models(set(gammas)):
            found[model.gamma] = scoring.of(model, fold, material, test, train if parts.precomputed else None)
            if on_progress is not None:
                on_progress(next(done), total)
        return [found[gamma] for gamma in gammas]

    with one_blas_thread():
        found = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(scores)(*split) for split in material.splits)
    return np.array(found).T


class Parts:
    """The parts of a table that folds are made of; the table is read once for all of them."""

    def __init__(self, plain: Any, material: Material) -> None:
        self.material = material
        self.precomputed = isinstance(plain.metric, str) and plain.metric == "precomputed"
        self.read = material.X if self.precomputed else ReadTable.of(material.X, plain.categorical_features)

    def of(self, train: Ints, test: Ints) -> Part:
        """Rows to train on, and rows to judge."""
        columns = train if self.precomputed else None
        material = self.material
        return Part(
            header=material.header._replace(n_features=len(train)) if self.precomputed else material.header,
            X=take(self.read, train, columns),
            y=material.y[train],
            weight=None if material.weight is None else material.weight[train],
            unseen=take(self.read, test, columns),
        )


def take(X: Any, rows: Ints, columns: Ints | None) -> Any:
    """Some rows of a table; of distances, those to some of the rows."""
    return take_rows(X, rows) if columns is None else X[np.ix_(rows, columns)]


def _cut(value: Any, rows: Ints, n: int) -> Any:
    """Some entries of what has one for every row; anything else as it is."""
    return np.asarray(value)[rows] if hasattr(value, "__len__") and len(value) == n else value


def _number(score: Any) -> float:
    if not isinstance(score, Real):
        raise ValueError(f"scoring gave {score!r} of type {type(score).__name__}; expected one number to choose by")
    return float(score)


def accuracy(y: Any, predicted: Any, sample_weight: Any = None) -> float:
    """Share of rows whose class is predicted, as :func:`sklearn.metrics.accuracy_score`."""
    return float(np.average(predicted == y, weights=sample_weight))


def balanced_accuracy(y: Any, predicted: Any, sample_weight: Any = None) -> float:
    """Mean over the classes of the same, as :func:`sklearn.metrics.balanced_accuracy_score`."""
    weight = np.ones(len(predicted)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    codes = np.unique(y, return_inverse=True)[1]
    totals = np.bincount(codes, weight)
    right = np.bincount(codes, weight * (predicted == y))
    return float(np.mean(right[totals > 0] / totals[totals > 0]))


def label_score(scoring: Any) -> PredictionScore | None:
    """The function of true and predicted labels behind a common kind of score; None if it is another.

    >>> label_score("balanced_accuracy")(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))
    0.8333333333333333
    """
    if scoring is None:
        return accuracy
    known = {"accuracy": accuracy, "balanced_accuracy": balanced_accuracy}
    return known.get(scoring) if isinstance(scoring, str) else None
