"""Prediction intervals from rows held out: how far predictions were off there, learned as a number.

Cross-validation has predicted every row without having seen it. By how much these predictions were off depends on the
row, and is learned like any other number: by a regressor with a distance of its own, the *spread* of a row. Errors are
then told in multiples of the spread that folds predicted of their rows without having seen them. Of these multiples,
two quantiles hold the share that is asked for between them, one for each end, since errors may be lopsided; an interval
reaches as many spreads from the prediction (normalised conformal prediction, with cross-validation in place of a single
split).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._progress import as_a_whole
from fgac._tolerances import WHOLE_PLACES_TOL
from fgac._typing import Floats, Ints
from fgac.estimators._spread import Spread
from fgac.estimators.regressor import FGARegressor
from fgac.selection.folds import Material, changed
from fgac.selection.grid import Scoring, score_gammas
from fgac.selection.regressor_fold import RegressorFold
from fgac.tables.canonical import distance_numbers, row_numbers
from fgac.tables.reading import ReadTable

# Spreads that hardly differ from row to row, up to those that follow single rows.
GAMMAS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
# A spread is at least this share of the mean one: of rows that were met by chance nobody knows that they always are.
LEAST = 0.05
# Digits of errors, relative to the largest, that mean something.
SIZE_DIGITS = 11


def learned_spread(plain: FGARegressor, material: Material, errors: Floats, share: float) -> Spread:
    """Learn by how much predictions are off, and how many times that the interval of a share reaches.

    Parameters
    ----------
    plain : FGARegressor
        The settings of the model that predicts.
    material : Material
        Table, weights and folds.
    errors : array of shape (n_samples,)
        Targets minus predictions of rows held out, nan of rows that never were.
    share : float
        Of the targets of new rows that intervals are to hold.
    """
    weight = np.ones(len(errors)) if material.weight is None else material.weight
    weight = np.where(np.isnan(errors), 0.0, weight)
    sizes = without_last_digits(np.abs(np.nan_to_num(errors)))
    material = replace(material, y=sizes, weight=weight)
    plain = changed(plain, loss="squared_error", target_scale="robust", interval=None, monotonic_cst=None, verbose=0)
    least = LEAST * float(np.average(sizes, weights=weight)) or float(np.finfo(np.float64).tiny)
    n_rows = effective_rows(material)
    predicted = predictions_of_folds(plain, material, GAMMAS)
    tests = np.concatenate([test for _, test in material.splits])
    judged = Judgement(errors[tests], weight[tests], n_rows, share)
    spreads = [np.maximum(least, np.concatenate(parts)) for parts in predicted]
    best = int(np.argmin([judged.score(spread) for spread in spreads]))  # of equal scores the smallest gamma
    below, above = judged.reach(spreads[best])
    state = changed(plain, gamma=GAMMAS[best])._learn(material.X, sizes, weight, None)
    return Spread(state=state, below=below, above=above, least=least)


def without_last_digits(sizes: Floats) -> Floats:
    """Sizes up to rounding: last digits depend on the order of rows and the unit of weights, what is learned must not.

    >>> without_last_digits(np.array([0.1 + 0.2, 0.3])).tolist()
    [0.3, 0.3]
    """
    power = int(np.frexp(sizes.max(initial=0.0))[1])  # powers of two change no digit
    return np.asarray(np.ldexp(np.ldexp(sizes, -power).round(SIZE_DIGITS), power))


def predictions_of_folds(plain: FGARegressor, material: Material, gammas: Sequence[float]) -> list[list[Floats]]:
    """Of every gamma, what folds predict of the rows that they hold out."""
    # Predictions are judged all together, not fold by fold.
    scoring = Scoring(lambda *_, **__: 0.0, None, {})
    with as_a_whole("predicting rows held out") as report:
        seen = score_gammas(plain, RegressorFold.of, material, gammas, scoring, report)
    return [[part[gamma] for part in seen.numbers] for gamma in gammas]


class Judgement(NamedTuple):
    """Errors of rows held out, by which spreads of these rows are judged.

    Attributes
    ----------
    errors, weight : arrays of shape (rows,)
    n_rows : float
        How many rows these are worth.
    share : float
        What share of them intervals are to hold.
    """

    errors: Floats
    weight: Floats
    n_rows: float
    share: float

    def reach(self, spread: Floats) -> tuple[float, float]:
        """From where to where intervals reach, in multiples of the spread.

        >>> errors, ones = np.array([-2.0, 1.0, 4.0, 3.0] * 5), np.ones(20)
        >>> Judgement(errors, ones, 20, 0.4).reach(ones)
        (1.0, 3.0)
        """
        outside = 0.5 - 0.5 * self.share
        multiples = self.errors / spread
        ends = (quantile(sign * multiples, self.weight, self.n_rows, 1.0 - outside) for sign in (-1.0, 1.0))
        below, above = ends
        return -below, above

    def score(self, spread: Floats) -> float:
        """The mean interval score: the width, and what targets are outside of it, times 2 over the share outside."""
        below, above = self.reach(spread)
        missed = np.maximum(0.0, np.maximum(below * spread - self.errors, self.errors - above * spread))
        scores = (above - below) * spread + 2.0 / (1.0 - self.share) * missed
        return float(np.average(scores, weights=self.weight))


def quantile(numbers: Floats, weight: Floats, n_rows: float, share: float) -> float:
    """The number that a share of some numbers does not exceed, with one more that might exceed all.

    >>> quantile(np.arange(9.0), np.ones(9), 9, 0.5), quantile(np.arange(9.0), np.ones(9), 9, 0.95)
    (4.0, 8.0)
    """
    order = np.argsort(numbers, kind="stable")
    below = np.cumsum(weight[order]) / weight.sum()
    level = share * (1.0 + 1.0 / n_rows)
    # Sums of shares are rounded: where one ends with a number, the number after it is not meant.
    place = int(np.searchsorted(below, min(1.0, level) * (1.0 - WHOLE_PLACES_TOL)))
    return float(numbers[order[min(place, len(order) - 1)]])


def effective_rows(material: Material) -> float:
    """How many rows of equal weight are worth as much as these: weights have no unit, and copies say nothing new.

    Kish's effective sample size of the distinct rows; of groups of rows that belong together, since further rows of one
    say little about another.
    """
    assert material.weight is not None
    present = np.flatnonzero(material.weight > 0)
    if material.groups is not None:
        return kish(np.bincount(material.groups[present], material.weight[present] / material.weight.max()))
    read = material.read
    numbers = (
        row_numbers(read[present].columns)
        if isinstance(read, ReadTable)
        else distance_numbers(read[np.ix_(present, present)])
    )
    pairs = np.unique(np.column_stack([numbers, material.y[present]]), axis=0, return_inverse=True)[1]
    return kish(np.bincount(pairs.reshape(-1), material.weight[present] / material.weight.max()))


def kish(weight: NDArray[Any]) -> float:
    """How many equal weights are worth as much as these.

    >>> kish(np.array([2.0, 2.0, 0.0]))
    2.0
    """
    return float(weight.sum() ** 2 / (weight @ weight))


def held_out_errors(y: Floats, splits: Sequence[tuple[Ints, Ints]], numbers: Sequence[Floats]) -> Floats:
    """Targets minus what was predicted of rows held out, nan of rows that never were; the first counts, if several.

    >>> held_out_errors(np.array([1.0, 2.0, 3.0]), [(np.array([1, 2]), np.array([0]))], [np.array([0.25])])
    array([0.75,  nan,  nan])
    """
    errors = np.full(len(y), np.nan)
    for (_, test), found in zip(splits, numbers, strict=True):
        new = np.isnan(errors[test])
        errors[test[new]] = y[test[new]] - found[new]
    return errors
