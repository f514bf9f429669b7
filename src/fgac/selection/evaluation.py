"""How well a classifier does on rows it has not seen, beside two baselines on the same parts of the data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

from fgac._typing import Floats, Ints
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.metrics.distances import Rows
from fgac.selection.grid import Progress
from fgac.selection.rules import choose_gamma, choose_order_gamma, fitted_to_all, trained_with
from fgac.tables.class_order import order_classes
from fgac.tables.frames import take_rows
from fgac.tables.splits import stratified_folds

if TYPE_CHECKING:
    from fgac import FGAClassifier
    from fgac.estimators._base import RowEstimator


N_NEIGHBOURS = 5
CONFIDENCE = 0.95

# What a nominal coordinate is multiplied by so that two different categories, each in a coordinate of its own, are
# one mismatch apart.
ONE_HOT = {"euclidean": math.sqrt(0.5), "manhattan": 0.5, "chebyshev": 1.0}


@dataclass(frozen=True)
class Interval:
    """A mean over test parts and its confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """Scores of one method; ``recalls`` in the order of the classes."""

    balanced_accuracy: Interval
    accuracy: Interval
    recalls: tuple[float, ...]


@dataclass(frozen=True)
class OrderedScore(Score):
    """The same of classes that have an order: also by how many of them predictions are off."""

    classes_off: Interval


@dataclass(frozen=True)
class Evaluation:
    """Cross-validated scores of the classifier and of what it must beat.

    ``gammas`` holds the gamma of every test part; ``lead`` is the difference in balanced accuracy to the nearest
    neighbours, part by part; ``majority`` the balanced accuracy of always saying the largest class.
    """

    classes: tuple[Any, ...]
    class_sizes: tuple[int, ...]
    n_rows: int
    n_folds: int
    n_repeats: int
    gammas: tuple[float, ...]
    fgac: Score
    neighbours: Score
    lead: Interval
    majority: float


def cross_validate(
    estimator: FGAClassifier | FGAOrdinalClassifier,
    X: Any,
    y: NDArray[Any],
    *,
    gamma: float | None,
    n_folds: int,
    n_repeats: int,
    sample_weight: Floats | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Repeated stratified cross-validation; gamma is chosen inside every training part, unless it is given."""
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    present = np.flatnonzero(weight > 0)
    X, y, weight = take_rows(X, present), y[present], weight[present]
    classes, codes = np.unique(y, return_inverse=True)
    score = _score
    if isinstance(estimator, FGAOrdinalClassifier):
        score = _ordered_score
        classes, codes = order_classes(estimator.class_order, y, classes, codes)
    sizes = np.bincount(codes)
    if sizes.min() < 2:
        raise ValueError(
            f"class {classes[sizes.argmin()]!s} has one row only, which cannot be both learned from and tested; leave "
            "it out of the table"
        )
    n_folds = min(n_folds, int(sizes.min()))
    parts = [part for seed in range(n_repeats) for part in stratified_folds(codes, n_folds, seed)]
    gammas, ours, theirs = [], [], []
    for number, (train, test) in enumerate(parts):
        tell = None if progress is None else within(progress, number, len(parts))
        model = _train(estimator, take_rows(X, train), y[train], weight[train], gamma, tell)
        gammas.append(float(model.gamma))
        predicted = model.predict(take_rows(X, test)), nearest_neighbours(model, X, y, train, test)
        ours.append(_scores(codes[test], predicted[0], weight[test], classes))
        theirs.append(_scores(codes[test], predicted[1], weight[test], classes))
    lead = np.array([a[2:].mean() - b[2:].mean() for a, b in zip(ours, theirs, strict=True)])
    return Evaluation(
        classes=tuple(classes.tolist()),
        class_sizes=tuple(sizes.tolist()),
        n_rows=len(y),
        n_folds=n_folds,
        n_repeats=n_repeats,
        gammas=tuple(gammas),
        fgac=score(np.array(ours), n_folds),
        neighbours=score(np.array(theirs), n_folds),
        lead=interval(lead, 1 / (n_folds - 1)),
        majority=1 / len(classes),
    )


def _train(
    estimator: FGAClassifier | FGAOrdinalClassifier,
    X: Any,
    y: NDArray[Any],
    weight: Floats,
    gamma: float | None,
    tell: Progress | None,
) -> FGAClassifier | FGAOrdinalClassifier:
    if isinstance(estimator, FGAOrdinalClassifier):
        found = gamma or choose_order_gamma(estimator, X, y, weight, progress=tell).gamma_
        return trained_with(found, estimator, X, y, weight)
    if gamma is None:
        return fitted_to_all(choose_gamma(estimator, X, y, sample_weight=weight, progress=tell), X, y, weight)
    if tell is not None:
        tell(1, 1)
    return clone(estimator).set_params(gamma=gamma).fit(X, y, sample_weight=weight)


def within(progress: Progress, number: int, n_parts: int) -> Progress:
    """Progress within one part, in hundredths of it, as progress of all parts."""
    return lambda done, total: progress(100 * number + 100 * done // total, 100 * n_parts)


def nearest_neighbours(
    model: RowEstimator, X: Any, y: NDArray[Any], train: Ints, test: Ints, kind: Any = KNeighborsClassifier
) -> NDArray[Any]:
    """Predictions of the nearest neighbours, for the distances of a trained model."""
    known, new = (model._rows(take_rows(X, part)).without_direction() for part in (train, test))
    sizes = known.codes.max(axis=0, initial=-1) + 1
    neighbours = kind(min(N_NEIGHBOURS, len(train)), metric=model.metric)
    neighbours.fit(coordinates(known, sizes, model.metric), y[train])
    predicted: NDArray[Any] = neighbours.predict(coordinates(new, sizes, model.metric))
    return predicted


def coordinates(rows: Rows, sizes: NDArray[Any], metric: str) -> Floats:
    """Rows as points of a plain space with the same distances; ``sizes`` are the numbers of categories.

    The first coordinate of a nominal column is for categories that training did not see.

    >>> rows = Rows(np.array([[0.3], [0.3]]), np.array([[0], [-1]], dtype=np.int32), np.array([1.0]))
    >>> coordinates(rows, np.array([2]), "manhattan")
    array([[0.3, 0. , 0.5, 0. ],
           [0.3, 0.5, 0. , 0. ]])
    """
    parts = [rows.numeric]
    for codes, size, mismatch in zip(rows.codes.T, sizes, rows.mismatch, strict=True):
        parts.append(np.eye(size + 1)[codes + 1] * (mismatch * ONE_HOT[metric]))
    return np.hstack(parts)


def _scores(codes: Ints, predicted: NDArray[Any], weight: Floats, classes: NDArray[Any]) -> Floats:
    """Accuracy, the number of classes that predictions are off, then the recall of every class."""
    right = weight * (classes[codes] == predicted)
    place = {label: i for i, label in enumerate(classes.tolist())}
    off = weight * np.abs(codes - np.array([place[label] for label in predicted.tolist()]))
    n = len(classes)
    recalls = np.bincount(codes, right, minlength=n) / np.bincount(codes, weight, minlength=n)
    return np.concatenate([[right.sum() / weight.sum(), off.sum() / weight.sum()], recalls])


def _score(table: Floats, n_folds: int) -> Score:
    ratio = 1 / (n_folds - 1)
    return Score(
        balanced_accuracy=interval(table[:, 2:].mean(axis=1), ratio, (0.0, 1.0)),
        accuracy=interval(table[:, 0], ratio, (0.0, 1.0)),
        recalls=tuple(table[:, 2:].mean(axis=0).tolist()),
    )


def _ordered_score(table: Floats, n_folds: int) -> Score:
    plain = _score(table, n_folds)
    off = interval(table[:, 1], 1 / (n_folds - 1), (0.0, math.inf))
    return OrderedScore(plain.balanced_accuracy, plain.accuracy, plain.recalls, off)


def interval(scores: Floats, ratio: float, limits: tuple[float, float] = (-1.0, 1.0)) -> Interval:
    """Mean and 95 % interval by the corrected resampled t of Nadeau and Bengio.

    Training parts overlap, so scores vary together and the usual interval is too narrow: the variance of the mean
    of J scores is taken as ``(1 / J + ratio)`` times theirs, where ``ratio`` is that of test to training rows.

    >>> found = interval(np.array([0.5, 0.75, 1.0]), ratio=0.25)
    >>> found.mean, round(found.low, 2), found.high
    (0.75, -0.07, 1.0)
    """
    mean = float(scores.mean())
    spread = math.sqrt((1 / len(scores) + ratio) * scores.var(ddof=1))
    reach = float(stdtrit(len(scores) - 1, 0.5 + CONFIDENCE / 2)) * spread
    return Interval(mean, max(limits[0], mean - reach), min(limits[1], mean + reach))
