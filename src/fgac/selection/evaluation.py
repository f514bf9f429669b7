"""How well a model does on rows it has not seen, beside two baselines on the same parts of the data.

Repeated cross-validation; gamma is chosen anew inside every training part, unless it is given. The baselines are the
nearest neighbours, for the distances of the trained model, and what could be said without looking at any column.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from fgac._typing import Floats, Ints
from fgac._warnings import REPEATED_IDENTIFIERS, already_warned
from fgac.estimators._base import read_new_rows
from fgac.estimators._state import ClassState, state_of
from fgac.estimators.classifier import FGAClassifier
from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.estimators.regressor import FGARegressor
from fgac.granular.judged import Judged
from fgac.selection.baselines import check_metric, nearest_neighbours
from fgac.selection.comparison import PartScores, compare, other_model, own_gamma
from fgac.selection.coverage import SHARES, accuracy_at, coverage_scores
from fgac.selection.default_folds import default_folds
from fgac.selection.folds import changed
from fgac.selection.grid import Progress
from fgac.selection.interval_scores import Boosting, interval_numbers, interval_scores
from fgac.selection.rules import choose_gamma
from fgac.selection.scores import (
    ClassScores,
    Evaluation,
    IntervalEvaluation,
    OrderedScores,
    RegressionEvaluation,
    RegressionScores,
    interval,
)
from fgac.selection.search import GammaSearch, fit_search, with_gamma
from fgac.tables.class_order import full_order, order_classes
from fgac.tables.containers import as_table
from fgac.tables.frames import is_frame, take_rows
from fgac.tables.groups import check_groups, groups_of_classes
from fgac.tables.reading import ReadTable
from fgac.tables.repeated_identifiers import warn_of_repeated_identifiers
from fgac.tables.splits import shuffled_folds, stratified_folds
from fgac.tables.targets import check_targets, target_name
from fgac.tables.validation import check_gamma, check_labels, check_sample_weight, check_several_classes

# One group to test on, and two of which each can be predicted by the other.
FEWEST_GROUPS = 3


def evaluate(
    estimator: FGAClassifier | FGAOrdinalClassifier | FGARegressor,
    X: Any,
    y: Any,
    *,
    gamma: float | None = None,
    n_folds: int = 5,
    n_repeats: int = 1,
    sample_weight: Any = None,
    groups: Any = None,
    against: Any = None,
    on_progress: Progress | None = None,
) -> Evaluation | RegressionEvaluation:
    """Measure a model on rows it has not seen, beside nearest neighbours and a constant prediction.

    Parameters
    ----------
    estimator : FGAClassifierCV, FGAOrdinalClassifierCV, FGARegressorCV, or a plain estimator
        With a named metric other than "precomputed"; it is not changed. A search is fitted to every training part. A
        plain FGAClassifier, FGAOrdinalClassifier or FGARegressor has all settings but gamma.
    X, y, sample_weight : what ``fit`` takes
    groups : array of shape (n_samples,), optional
        What rows belong together, such as those of one person. No group has rows in both a training and a test part,
        here and where gamma is chosen, so that scores are of new groups. Without them, they are of further rows of the
        same people.
    gamma : float, optional
        By default gamma is chosen inside every training part: by the search, or by :func:`fgac.choose_gamma`.
    n_folds : int, default=5
        Fewer if the smallest class has fewer rows (or is in fewer groups), or if there would be fewer than two numbers
        to test on.
    n_repeats : int, default=1
        How often the table is cut into folds, each time with another fixed seed.
    against : estimator, or pair of an estimator and its table, optional
        Another model of the same kind and target, to be compared with: it is fitted with its own settings to the same
        training parts and judged on the same test parts. One that is fitted already, as those of model files are,
        takes the columns of X that it was fitted to; gamma is chosen anew in every part if it had been chosen, and
        kept if it had been given. The pair is for a table of the same rows with other columns.
    on_progress : function of two integers, optional
        Called with how much is done and how much there is.

    Returns
    -------
    Evaluation or RegressionEvaluation
        Means with 95 % intervals; with ``against`` also by how much the model is better than the other one
        (``against``, and ``against.text()`` in words).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from fgac import FGAClassifier, evaluate
    >>> found = evaluate(FGAClassifier(), *load_iris(return_X_y=True), gamma=3.0)
    >>> round(found.fgac.balanced_accuracy.mean, 3), round(found.neighbours.balanced_accuracy.mean, 3)
    (0.967, 0.96)
    """
    if gamma is not None:
        check_gamma("gamma", gamma)
    check_metric(estimator.metric)
    X = as_table(X)
    X = X if is_frame(X) else np.asarray(X)
    kind = _NumbersOnFolds if isinstance(estimator, FGARegressor) else _ClassesOnFolds
    folds = kind(estimator, X, y, sample_weight, groups)
    if against is None:
        return folds.evaluate(gamma, n_folds, n_repeats, on_progress)
    model, table = other_model(against, estimator, X, y)
    check_metric(model.metric)
    table = table if is_frame(table) else np.asarray(table)
    others = kind(model, as_table(table), y, sample_weight, groups)
    first, second = (None if on_progress is None else within(on_progress, half, 2) for half in range(2))
    found = folds.evaluate(gamma, n_folds, n_repeats, first)
    others.cut = folds.cut
    beside = others.evaluate(own_gamma(model, gamma), n_folds, n_repeats, second)
    return replace(found, against=compare(folds.compared(), others.compared(), found.n_folds, beside.gammas))


class _OnFolds:
    """A model that is trained and judged on folds; kinds of models say what folds, scores and baselines are.

    ``cut`` are the training and test parts, those of another model if it is compared with that; ``part_scores`` its own
    scores on each of them.
    """

    cut: list[tuple[Ints, Ints]] | None = None
    part_scores: Floats

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        self.estimator, self.X, self.y = estimator, X, self._check_target(y, len(X))
        self.weight = check_sample_weight(sample_weight, len(X))
        self.groups = None if groups is None else check_groups(groups, len(X), self.weight)
        if groups is None and is_frame(X):
            read = ReadTable.of(X, estimator.categorical_features)
            warn_of_repeated_identifiers(X, read, None, estimator.categorical_features, self.weight)

    def evaluate(self, gamma: float | None, n_folds: int, n_repeats: int, on_progress: Progress | None) -> Any:
        """Train and judge on every part, and sum up."""
        n_groups = None if self.groups is None else int(self.groups.max()) + 1
        if n_groups == FEWEST_GROUPS - 1 and gamma is None:
            raise ValueError(
                f"there are {n_groups} groups; to test on one and choose gamma on others takes at least "
                f"{FEWEST_GROUPS}. Give a gamma, or more groups"
            )
        parts = self.cut or [part for seed in range(n_repeats) for part in self._folds(n_folds, seed)]
        self.cut = parts
        gammas, scores, rest_on, covered = [], [], [], []
        for number, (train, test) in enumerate(parts):
            model = self._trained(
                train, gamma, None if on_progress is None else within(on_progress, number, len(parts))
            )
            gammas.append(float(model.gamma))
            judged = state_of(model).judged(read_new_rows(model, take_rows(self.X, test))[0])
            predicted = [judged.predicted, *self._baselines(model, train, test)]
            scores.append([self._scores(test, each) for each in predicted])
            covered.append(self._covered(model, judged, train, test))
            rest_on.append((judged.argued_share(self.weight[test]), judged.median_strength(self.weight[test])))
        self.part_scores = np.array(scores)[:, 0]
        found = self._summary(np.array(scores).swapaxes(0, 1), tuple(gammas), len(parts) // n_repeats, n_repeats)
        argued_share, median_strength = np.mean(rest_on, axis=0).tolist()
        found = replace(found, argued_share=argued_share, median_strength=median_strength, n_groups=n_groups)
        return self._with_coverage(found, np.array(covered))

    def _trained(self, train: Ints, gamma: float | None, on_progress: Progress | None) -> Any:
        X, y, weight = take_rows(self.X, train), self.y[train], self.weight[train]
        estimator = self.estimator
        if gamma is not None and isinstance(estimator, GammaSearch) and getattr(estimator, "interval", None):
            # There is nothing to choose, but intervals are made of rows held out.
            estimator, gamma = clone(estimator).set_params(gammas=[gamma]), None
        if gamma is None:
            groups = None if self.groups is None else self.groups[train]
            more: dict[str, Any] = {"sample_weight": weight, "groups": groups, "on_progress": on_progress}
            with already_warned(REPEATED_IDENTIFIERS):  # above, of all rows
                if isinstance(estimator, GammaSearch):
                    return fit_search(clone(estimator), X, y, **more)
                return choose_gamma(estimator, X, y, **more)
        model = with_gamma(estimator, gamma).fit(X, y, sample_weight=weight)
        if on_progress is not None:
            on_progress(1, 1)
        return model

    def _check_target(self, y: Any, n: int) -> NDArray[Any]:
        raise NotImplementedError

    def _folds(self, n_folds: int, seed: int) -> list[tuple[Ints, Ints]]:
        raise NotImplementedError

    def _group_folds(self, n_folds: int, seed: int, *, classes: bool) -> list[tuple[Ints, Ints]]:
        """Folds of whole groups."""
        read = ReadTable.of(self.X, self.estimator.categorical_features)
        how: dict[str, Any] = {"groups": self.groups, "max_rows": None, "seed": seed}
        return default_folds(read, self.y, self.weight, classes=classes, n_folds=n_folds, **how)

    def _baselines(self, model: Any, train: Ints, test: Ints) -> list[NDArray[Any]]:
        """What other methods predict."""
        raise NotImplementedError

    def _scores(self, test: Ints, predicted: NDArray[Any]) -> Floats:
        """Some numbers of one method on one test part."""
        raise NotImplementedError

    def compared(self) -> PartScores:
        """The scores of every part by which two models are compared, and whether more is better."""
        raise NotImplementedError

    def _covered(self, model: Any, judged: Judged, train: Ints, test: Ints) -> Floats:
        """Accuracy and least confidence of the most confident predictions of one test part; of numbers, intervals."""
        raise NotImplementedError

    def _with_coverage(self, found: Any, covered: Floats) -> Any:
        """The evaluation, with what the test parts say of the most confident predictions, or of intervals."""
        raise NotImplementedError

    def _summary(self, scores: Floats, gammas: tuple[float, ...], n_folds: int, n_repeats: int) -> Any:
        """Means and intervals; ``scores`` has axes methods, test parts, numbers."""
        raise NotImplementedError


class _ClassesOnFolds(_OnFolds):
    """Classes, ordered or not."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any, groups: Any) -> None:
        super().__init__(estimator, X, y, sample_weight, groups)
        present = np.flatnonzero(self.weight > 0)
        self.X, self.y, self.weight = take_rows(self.X, present), self.y[present], self.weight[present]
        self.groups = None if self.groups is None else self.groups[present]
        check_several_classes(self.y, target=target_name(y))
        self.classes, self.codes = np.unique(self.y, return_inverse=True)
        self.ordered = isinstance(estimator, FGAOrdinalClassifier)
        if self.ordered:
            # Parts of the labels are arrays, which have lost what a typed column knows of the order.
            self.estimator = changed(estimator, class_order=full_order(estimator.class_order, y))
            self.classes, self.codes = order_classes(estimator.class_order, y, self.classes, self.codes)
        self.sizes = np.bincount(self.codes)
        # How many parts a class can be cut into.
        self.parts = self.sizes if self.groups is None else groups_of_classes(self.groups, self.codes)
        if self.parts.min() < 2:
            what = "has one row only" if self.groups is None else "occurs in one group only"
            raise ValueError(
                f"class {self.classes[self.parts.argmin()]!s} {what}, which cannot be both learned from and "
                "tested; leave it out of the table"
            )

    def _check_target(self, y: Any, n: int) -> NDArray[Any]:
        return check_labels(y, n)

    def _folds(self, n_folds: int, seed: int) -> list[tuple[Ints, Ints]]:
        n_folds = min(n_folds, int(self.parts.min()))
        if self.groups is not None:
            return self._group_folds(n_folds, seed, classes=True)
        return stratified_folds(self.codes, n_folds, seed)

    def _baselines(self, model: Any, train: Ints, test: Ints) -> list[NDArray[Any]]:
        return [nearest_neighbours(model, self.X, self.y, train, test, KNeighborsClassifier)]

    def _scores(self, test: Ints, predicted: NDArray[Any]) -> Floats:
        """Accuracy, the number of classes that predictions are off, then the recall of every class.

        Groups that are held out may lack a class, which then has no recall (nan).
        """
        codes, weight, classes = self.codes[test], self.weight[test], self.classes
        right = weight * (classes[codes] == predicted)
        place = {label: i for i, label in enumerate(classes.tolist())}
        off = weight * np.abs(codes - np.array([place[label] for label in predicted.tolist()]))
        n = len(classes)
        of_class = np.bincount(codes, weight, minlength=n)
        recalls = np.full(n, np.nan)
        np.divide(np.bincount(codes, right, minlength=n), of_class, out=recalls, where=of_class > 0)
        return np.concatenate([[right.sum() / weight.sum(), off.sum() / weight.sum()], recalls])

    def compared(self) -> PartScores:
        """Balanced accuracy, accuracy and, of ordered classes, by how many predictions are off."""
        scores = self.part_scores
        found = {"balanced accuracy": (np.nanmean(scores[:, 2:], axis=1), True), "accuracy": (scores[:, 0], True)}
        return found | ({"classes off": (scores[:, 1], False)} if self.ordered else {})

    def _covered(self, model: Any, judged: Judged, train: Ints, test: Ints) -> Floats:
        state: ClassState = state_of(model)
        right = self.y[test] == judged.predicted
        return accuracy_at(SHARES, state.confidence(judged), right, self.weight[test])

    def _with_coverage(self, found: Evaluation, covered: Floats) -> Evaluation:
        return replace(found, coverage=coverage_scores(SHARES, covered, found.n_folds))

    def _summary(self, scores: Floats, gammas: tuple[float, ...], n_folds: int, n_repeats: int) -> Evaluation:
        ours, theirs = scores
        lead = np.nanmean(ours[:, 2:], axis=1) - np.nanmean(theirs[:, 2:], axis=1)
        return Evaluation(
            classes=tuple(self.classes.tolist()),
            class_sizes=tuple(self.sizes.tolist()),
            n_rows=len(self.y),
            n_folds=n_folds,
            n_repeats=n_repeats,
            gammas=gammas,
            fgac=self._method(ours, n_folds),
            neighbours=self._method(theirs, n_folds),
            lead=interval(lead, 1 / (n_folds - 1)),
            majority=1 / len(self.classes),
        )

    def _method(self, table: Floats, n_folds: int) -> ClassScores:
        ratio = 1 / (n_folds - 1)
        balanced = interval(np.nanmean(table[:, 2:], axis=1), ratio, (0.0, 1.0))
        accuracy = interval(table[:, 0], ratio, (0.0, 1.0))
        recalls = tuple(np.nanmean(table[:, 2:], axis=0).tolist())
        if not self.ordered:
            return ClassScores(balanced, accuracy, recalls)
        return OrderedScores(balanced, accuracy, recalls, interval(table[:, 1], ratio, (0.0, math.inf)))


class _NumbersOnFolds(_OnFolds):
    """Numbers."""

    def _check_target(self, y: Any, n: int) -> NDArray[Any]:
        return check_targets(y, n)

    def _folds(self, n_folds: int, seed: int) -> list[tuple[Ints, Ints]]:
        if self.groups is not None:
            return self._group_folds(n_folds, seed, classes=False)
        return shuffled_folds(np.flatnonzero(self.weight > 0), n_folds, seed)

    def _baselines(self, model: Any, train: Ints, test: Ints) -> list[NDArray[Any]]:
        mean = np.full(len(test), np.average(self.y[train], weights=self.weight[train]))
        return [nearest_neighbours(model, self.X, self.y, train, test, KNeighborsRegressor), mean]

    def _scores(self, test: Ints, predicted: NDArray[Any]) -> Floats:
        """R2 and the mean absolute error."""
        truth, weight = self.y[test], self.weight[test]
        r2 = r2_score(truth, predicted, sample_weight=weight)
        return np.array([r2, mean_absolute_error(truth, predicted, sample_weight=weight)])

    def compared(self) -> PartScores:
        """R2 and the mean absolute error."""
        return {"R2": (self.part_scores[:, 0], True), "mean absolute error": (self.part_scores[:, 1], False)}

    def _covered(self, model: Any, judged: Judged, train: Ints, test: Ints) -> Floats:
        """What is to be said of intervals, ours and those of boosted trees."""
        share = self.estimator.interval
        if share is None:
            return np.empty(0)
        ours = model.predict_interval(take_rows(self.X, test))
        theirs = self._boosting.intervals(self.y, self.weight, train, test, share)
        part = self.y[test], self.weight[test]
        return np.array([interval_numbers(*part, found, share) for found in (ours, theirs)])

    @cached_property
    def _boosting(self) -> Boosting:
        return Boosting(self.X, self.estimator.categorical_features)

    def _with_coverage(self, found: RegressionEvaluation, covered: Floats) -> RegressionEvaluation:
        share = self.estimator.interval
        if share is None:
            return found
        ours, theirs = (interval_scores(part, found.n_folds) for part in covered.swapaxes(0, 1))
        return replace(found, intervals=IntervalEvaluation(float(share), ours, theirs))

    def _summary(self, scores: Floats, gammas: tuple[float, ...], n_folds: int, n_repeats: int) -> RegressionEvaluation:
        ours, theirs, mean = scores
        return RegressionEvaluation(
            n_rows=int((self.weight > 0).sum()),
            n_folds=n_folds,
            n_repeats=n_repeats,
            gammas=gammas,
            fgac=self._method(ours, n_folds),
            neighbours=self._method(theirs, n_folds),
            mean=self._method(mean, n_folds),
            lead=self._method(ours - theirs, n_folds, (-math.inf, math.inf)),
        )

    def _method(self, table: Floats, n_folds: int, limits: tuple[float, float] | None = None) -> RegressionScores:
        """Means and intervals of the scores of every part; an error is not below 0, R2 not above 1."""
        ratio = 1 / (n_folds - 1)
        return RegressionScores(
            r2=interval(table[:, 0], ratio, limits or (-math.inf, 1.0)),
            absolute_error=interval(table[:, 1], ratio, limits or (0.0, math.inf)),
        )


def within(on_progress: Progress, number: int, n_parts: int) -> Progress:
    """Progress within one part, in hundredths of it, as progress of all parts."""
    return lambda done, total: on_progress(100 * number + 100 * done // total, 100 * n_parts)
