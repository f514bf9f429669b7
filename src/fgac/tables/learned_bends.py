"""What columns add to a score, by a boosted model: lines with bends, and a step for every category.

Boosting adds up small trees, each of which looks at one column alone, so what the model says is a sum over the columns,
and of any shape: a threshold, a hill, a few categories that differ from all others. The trees see numbers in bins of
about equal weight. What a column adds changes from one bin to the next, here along a line from the largest training
value in the one to the smallest in the other, so that rows which hardly differ have scores which hardly differ.

A model agrees too well with the rows it has seen. So the rows are cut into halves, several times over, a model is
boosted on every half, and their mean is what counts: every row is then scored by as many models that have not seen it
as by models that have. (Trees of one column are found by loops of our own: the halves take less time together than
general boosting takes once, and no other library's version changes a score.)

Rows come sorted and merged (:func:`fgac.tables.learned_scores.merged`), so their order and repetitions do not matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fgac._tolerances import WHOLE_PLACES_TOL
from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows
from fgac.tables.splits import halves

N_ROUNDS = 120
N_LEAVES = 4
RATE = 0.1
SMALLEST_LEAF = 5
# By what squares of leaves are punished, in units of the mean weight of a row.
PENALTY = 1.0
N_BINS = 64
# How often the rows are cut into halves; fewer times in tables of more rows times columns times classes than this.
N_PAIRS = 4
MOST_CELLS = 2**20
# The trees take no more categories than this; the rows of the rarer ones count as unknown.
MOST_CATEGORIES = 250
# Columns times classes beyond which boosting would take longer than everything else: there are no bends then.
MOST_TREES = 2000


class Bends(NamedTuple):
    """What the model adds; see :class:`fgac.tables.scores.Score`, whose arrays these are."""

    intercepts: Floats
    knots: tuple[Floats, ...]
    heights: tuple[Floats, ...]
    steps: tuple[Floats, ...]


def learn_bends(
    rows: Rows, kept: list[Ints], n_categories: list[int], targets: Any, weight: Floats, *, regression: bool
) -> Bends:
    """Boost trees of single columns, and read off what they add.

    Parameters
    ----------
    rows : Rows
        Without the coordinates of a score.
    kept : list of arrays
        Numbers of the categories that may count, of every column that has codes.
    n_categories : list of int
        How many there are.
    targets : array
        Class numbers from 0 on, all of which are there, or numbers to predict.
    weight : array
        Weights of the rows.

    >>> rows = Rows.from_numeric(np.arange(100.0)[:, None])
    >>> found = learn_bends(rows, [], [], np.arange(100) >= 50, np.ones(100), regression=False)
    >>> found.knots[0][found.heights[0][:, 1] > 0.5].min()
    np.float64(50.0)
    """
    targets = np.asarray(targets)
    n_sums = 1 if regression else int(targets.max()) + 1
    bins = [bins_of(part, weight) for part in rows.numeric.T]
    used = [j for j, starts in enumerate(bins) if len(starts) > 1]
    kept = [_most(part, codes) for part, codes in zip(kept, rows.codes.T, strict=True)]
    inputs: list[Ints] = [np.searchsorted(bins[j], rows.numeric[:, j], side="right") - 1 for j in used]
    inputs += [_numbers(held, codes) for held, codes in zip(kept, rows.codes.T, strict=True)]
    # Unknown and rare categories are one more where there are any: being unknown may say something.
    others = [bool((part == len(held)).any()) for part, held in zip(inputs[len(used) :], kept, strict=True)]
    sizes = [len(bins[j]) for j in used] + [len(held) + more for held, more in zip(kept, others, strict=True)]
    knots, heights = [np.empty(0) for _ in bins], [np.empty((0, n_sums)) for _ in bins]
    steps = [np.zeros((n, n_sums)) for n in n_categories]
    if not any(sizes) or len(sizes) * n_sums > MOST_TREES:
        return Bends(np.zeros(n_sums), tuple(knots), tuple(heights), tuple(steps))
    boosted = Boosted(np.array(inputs, dtype=np.int16), np.append(0, np.cumsum(sizes)), len(kept))
    intercepts, found = boosted.fitted(targets, weight / weight.mean(), n_sums, regression)
    parts = np.split(found, boosted.first[1:-1])
    for j, part in zip(used, parts, strict=False):
        knots[j], heights[j] = _ramps(rows.numeric[:, j], bins[j], part)
    for step, held, part in zip(steps, kept, parts[len(used) :], strict=True):
        # A score adds nothing for unknown categories: what these add goes to the intercept, and comes off all others.
        unknown = part[len(held) :].sum(axis=0)
        intercepts = intercepts + unknown
        step[held] = part[: len(held)] - unknown
    return Bends(intercepts, tuple(knots), tuple(heights), tuple(steps))


class Boosted(NamedTuple):
    """What a boosted model is fitted to.

    ``bins`` are those of all rows in every column; the bins of all columns are numbered one after the other, those of
    column j from ``first[j]`` on; the last ``n_categorical`` columns hold categories.
    """

    bins: NDArray[np.int16]
    first: Ints
    n_categorical: int

    def fitted(self, targets: Any, weight: Floats, n_sums: int, regression: bool) -> tuple[Floats, Floats]:
        """What the sums start from, and what every bin adds to each of them: the mean over halves of the rows."""
        from fgac._kernels.boosting import boost

        classes = np.zeros(len(targets), dtype=np.int64) if regression else targets.astype(np.int64)
        start = np.array([np.average(targets, weights=weight)]) if regression else log_odds(classes, weight, n_sums)
        is_categorical = np.arange(len(self.bins)) >= len(self.bins) - self.n_categorical
        cells = len(targets) * len(self.bins) * n_sums
        n_pairs = int(np.clip(N_PAIRS * MOST_CELLS // cells, 1, N_PAIRS))
        found = [
            boost(
                np.ascontiguousarray(self.bins[:, half]),
                self.first,
                is_categorical,
                targets[half].astype(np.float64),
                weight[half],
                start,
                N_ROUNDS,
                N_LEAVES,
                RATE,
                PENALTY,
                SMALLEST_LEAF,
                regression,
            )
            for half in halves(classes, n_pairs)
        ]
        mean = np.mean(found, axis=0)
        if regression or n_sums > 2:
            return start, mean
        # Of two classes the model knows the second one's log-odds alone; halves of them say the same of both.
        both = np.array([-0.5, 0.5])
        return start * both, mean * both


def log_odds(classes: Ints, weight: Floats, n_classes: int) -> Floats:
    """Logarithms of the shares of the classes, from their mean, or the log-odds of the second one of two.

    >>> log_odds(np.array([0, 1, 1]), np.array([1.0, 0.5, 0.5]), 2)
    array([0.])
    """
    logs = np.log(np.maximum(np.bincount(classes, weight, n_classes) / weight.sum(), np.finfo(np.float64).tiny))
    return logs[1:] - logs[0] if n_classes == 2 else logs - logs.mean()


def bins_of(values: Floats, weight: Floats) -> Floats:
    """The smallest value of every bin: bins of about equal weight, or of single values where these are few.

    >>> bins_of(np.array([3.0, 1.0, 1.0, 2.0]), np.ones(4))
    array([1., 2., 3.])
    """
    found, numbers = np.unique(values, return_inverse=True)
    if len(found) <= N_BINS:
        return found
    below = np.cumsum(np.bincount(numbers, weight)) - np.bincount(numbers, weight)
    # Sums of weights are rounded: where a bin ends with a value, the value after it begins the next one.
    bins = np.floor(N_BINS * (below / weight.sum() + WHOLE_PLACES_TOL))
    return found[np.append(True, np.diff(bins) > 0)]


def _most(held: Ints, codes: Any) -> Ints:
    """The most frequent ones of the categories that may count, if they are too many."""
    if len(held) <= MOST_CATEGORIES:
        return held
    counts = np.bincount(codes[codes >= 0], minlength=held.max() + 1)[held]
    return np.sort(held[np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]])


def _numbers(held: Ints, codes: Any) -> Ints:
    """Codes as numbers of the categories that count; all others are one more."""
    found = np.full(int(max(codes.max(initial=-1), held.max(initial=-1))) + 2, len(held))
    found[held] = np.arange(len(held))
    return found[np.where(codes >= 0, codes, len(found) - 1)]


def _ramps(values: Floats, starts: Floats, heights: Floats) -> tuple[Floats, Floats]:
    """Knots at both ends of every bin, but for those on a level with their neighbours; none if all are."""
    values = np.unique(values)
    ends = values[np.append(np.searchsorted(values, starts[1:]), len(values)) - 1]
    knots, found = np.column_stack([starts, ends]).reshape(-1), np.repeat(heights, 2, axis=0)
    is_apart = np.append(True, np.diff(knots) > 0)  # the ends of a bin of one value are one
    knots, found = knots[is_apart], found[is_apart]
    changes = (np.diff(found, axis=0) != 0).any(axis=1)
    needed = np.append(changes, False) | np.append(False, changes)
    return knots[needed], np.ascontiguousarray(found[needed])
