"""A score learned from the training rows: the mean of what two simple models make of their coordinates.

One adds up lines: logistic regression, or ridge regression of numbers, of the rows as the metric sees them: numeric
coordinates in their standard deviations, categories as 0 or 1, marks of unknown values. The other adds up bends and
steps, which boosting finds (:mod:`fgac.tables.learned_bends`). Both are sums over the columns, and so is their mean.

A model agrees too well with the rows it was fitted to, and here new rows are compared with these. So coefficients are
no larger than rows that are held out bear (:mod:`fgac.tables.learned_lines`), and trees are few and small: then rows
that the model has seen have nearly the scores that it would give them unseen. Scores by models that have not seen the
rows they score were hardly better when tried, and a new row that equals a training row would not be at distance 0 from
it.

As with weights (:mod:`fgac.tables.learned_weights`), the models see equal rows of a class once, with their weights
added, in the order of their coordinates, and classes under numbers that do not come from their names. In large tables
they see some of the rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows
from fgac.tables.canonical import nameless_classes
from fgac.tables.column_values import ReadColumn
from fgac.tables.learned_bends import learn_bends
from fgac.tables.learned_lines import learn_lines
from fgac.tables.learned_weights import TrainingSample, mean_difference, subsample, unit_range
from fgac.tables.repeated_columns import n_copies
from fgac.tables.scores import Score
from fgac.tables.table import Table

# The part that the score has in the mean distance of two training rows,
SHARE = 0.5
# unless scores hardly differ: it counts no more than if they differed by this in the mean (of numbers: by this part of
# what targets differ by, and of their range), lest noise be made large.
LEAST_DIFFERENCE = 0.1
LEAST_OF_TARGETS = 0.2
LEAST_OF_RANGE = 1e-3
# The part of the boosted model in the sums.
BENT = 0.5
# Categories of fewer rows have no coefficient.
FEWEST = 3


def with_score(
    table: Table,
    values: list[ReadColumn],
    target: Any,
    weight: Floats,
    *,
    regression: bool = False,
    ordered: bool = False,
) -> Table:
    """A table with a score that is learned from its training rows; as it was if there is nothing to learn.

    Parameters
    ----------
    table : Table
        What fit has decided about the columns, their weights included.
    values : list of columns
        As ``table`` has read them, of the training rows of positive weight.
    target : array of shape (n_samples,)
        Class numbers from 0 on, or numbers to predict.
    weight : array of shape (n_samples,)
        Weights of rows, those of their classes included.
    regression : bool, default=False
        Whether the target is a number to predict.
    ordered : bool, default=False
        Whether class numbers rise with an order of the classes.
    """
    smaller = replace(table, column_factor=table.column_factor * (1.0 - SHARE))
    n_categories = [len(column.categories) for column in table.columns if column.categories is not None]
    rows = smaller.training_rows(values)
    score = learn_score(rows, n_categories, target, weight, regression=regression, ordered=ordered)
    return table if score is None else replace(smaller, score=score)


def learn_score(
    rows: Rows,
    n_categories: list[int],
    target: Any,
    weight: Floats,
    *,
    regression: bool = False,
    ordered: bool = False,
) -> Score | None:
    """The score of some rows whose codes are of columns with so many categories; None if it tells no rows apart.

    Its classes are numbered by the rows they hold while it is learned: distances of scores are the same for every order
    of the classes, but for rounding. Of ordered ones the sums stand in their order then.

    >>> rows = Rows.from_numeric(np.linspace(0.0, 0.5, 40)[:, None])
    >>> score = learn_score(rows, [], np.arange(40) // 20, np.ones(40))
    >>> score.probabilities(rows)[[0, -1]].round(1)
    array([[1., 0.],
           [0., 1.]])
    """
    first, numbers = distinct_rows(rows)
    targets = unit_range(target) if regression else nameless_classes(numbers, target, weight)
    some, everything = rows[first], merged(numbers, targets, weight)
    if np.ptp(targets) == 0:
        return None
    found = fitted(some, n_categories, subsample(everything, regression), regression)
    if not any(part.any() for part in (found.slopes, *found.steps, *found.heights)):
        return None
    if ordered and len(found.intercepts) > 2:  # either of two is as far from the other
        found = in_order(found, targets[np.unique(target, return_index=True)[1]].astype(np.int64))
    added = np.bincount(everything.rows, everything.weights).astype(np.float64)
    least = LEAST_DIFFERENCE
    if regression:
        between_targets = mean_difference(everything.targets, everything.weights, is_categorical=False)
        least = max(LEAST_OF_TARGETS * between_targets, LEAST_OF_RANGE)
    return replace(found, weight=weight_of_score(found, some, added, least))


def in_order(score: Score, places: Ints) -> Score:
    """A score of classes that have an order, whose sums stand at these places in another one.

    >>> score = Score(1.0, np.array([0.0, 1.0, 2.0]), np.zeros((0, 3)), ())
    >>> in_order(score, np.array([2, 0, 1])).intercepts
    array([2., 0., 1.])
    """
    return replace(
        score,
        intercepts=score.intercepts[places],
        slopes=np.ascontiguousarray(score.slopes[:, places]),
        steps=tuple(np.ascontiguousarray(part[:, places]) for part in score.steps),
        heights=tuple(np.ascontiguousarray(part[:, places]) for part in score.heights),
        is_ordered=True,
    )


def distinct_rows(rows: Rows) -> tuple[Ints, Ints]:
    """The position of a row of every kind, in the order of their coordinates, and the kind of every row.

    Columns that do not count make no two rows differ.
    """
    everything = np.column_stack([rows.numeric, rows.codes[:, rows.mismatch > 0]])
    _, first, numbers = np.unique(everything, axis=0, return_index=True, return_inverse=True)
    return first, numbers.reshape(-1)


def merged(numbers: Ints, targets: Any, weight: Floats) -> TrainingSample:
    """Equal rows of equal targets once, with added weights, in the order of their numbers, which stand for the rows."""
    # Weights are added in their own order, so that rounding does not depend on the order of the rows.
    order = np.lexsort([weight, targets, numbers])
    differs = (np.diff(numbers[order]) != 0) | (np.diff(targets[order]) != 0)
    starts = np.flatnonzero(np.append(True, differs))
    first = order[starts]
    return TrainingSample(numbers[first], targets[first], np.add.reduceat(weight[order], starts))


def fitted(rows: Rows, n_categories: list[int], sample: TrainingSample, regression: bool) -> Score:
    """The score that is found on a sample of some rows, with a weight of 1."""
    some = rows[sample.rows]
    centres, units = centres_and_units(some.numeric, sample.weights)
    codes = list(zip(some.codes.T, n_categories, strict=True))
    kept = [frequent(part, n if counts else 0) for (part, n), counts in zip(codes, rows.mismatch > 0, strict=True)]
    indicators = [part[:, None] == held for (part, _), held in zip(codes, kept, strict=True)]
    inputs = np.hstack([(some.numeric - centres) / units, *indicators])
    sizes = [len(held) for held in kept]
    copies = np.append(
        n_copies(some.numeric, is_categorical=False), np.repeat(n_copies(some.codes, is_categorical=True), sizes)
    )
    lines = learn_lines(inputs, copies, sample.targets, sample.weights, regression=regression)
    slopes, *others = np.split(lines.slopes, len(units) + np.cumsum([0, *sizes])[:-1])
    slopes = np.ascontiguousarray(slopes / units[:, None])
    bends = learn_bends(some, kept, n_categories, sample.targets, sample.weights, regression=regression)
    steps = tuple(BENT * part for part in bends.steps)
    for part, held, found in zip(steps, kept, others, strict=True):
        part[held] += (1.0 - BENT) * found
    intercepts = (1.0 - BENT) * (lines.intercepts - centres @ slopes) + BENT * bends.intercepts
    heights = tuple(BENT * part for part in bends.heights)
    return Score(1.0, intercepts, (1.0 - BENT) * slopes, steps, bends.knots, heights)


def frequent(codes: Ints, n: int) -> Ints:
    """Which of the first n categories have rows enough.

    >>> frequent(np.array([0, 0, 1, -1, 0, 3, 3, 3, 3]), 3)
    array([0])
    """
    return np.flatnonzero(np.bincount(codes[codes >= 0], minlength=n)[:n] >= FEWEST)


def centres_and_units(coordinates: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Means and standard deviations of coordinates; 1 for those that do not vary."""
    share = weight / weight.sum()
    centres = share @ coordinates
    units = np.sqrt(share @ (coordinates - centres) ** 2)
    return centres, np.where(units > 0, units, 1.0)


def weight_of_score(score: Score, rows: Rows, weight: Floats, least: float) -> float:
    """What a score, which has a weight of 1 itself, must count to have its share in the mean distance of two rows."""
    differences = [mean_difference(part, weight, is_categorical=False) for part in rows.numeric.T]
    mismatches = [mean_difference(part, weight, is_categorical=True) for part in rows.codes.T]
    coordinates = score.added(rows).numeric[:, rows.numeric.shape[1] :]
    between_scores = sum(mean_difference(part, weight, is_categorical=False) for part in coordinates.T)
    between_rows = sum(differences) + float(np.dot(mismatches, rows.mismatch))
    return SHARE / (1.0 - SHARE) * between_rows / max(between_scores, least)
