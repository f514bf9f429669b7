"""What columns add to a score, by a boosted model: lines with bends, and a step for every category.

Boosting adds up small trees, each of which looks at one column alone, so what the model says is a sum over the columns,
and of any shape: a threshold, a hill, a few categories that differ from all others. The trees see numbers in bins of
about equal weight. What a column adds changes from one bin to the next, here along a line from the largest training
value in the one to the smallest in the other, so that rows which hardly differ have scores which hardly differ.

Rows come sorted and merged (:func:`fgac.tables.learned_scores.merged`), so their order and repetitions do not matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fgac._typing import Floats, Ints
from fgac.metrics.distances import Rows
from fgac.metrics.tiles import one_thread

N_ROUNDS = 60
N_LEAVES = 4
RATE = 0.1
SMALLEST_LEAF = 10
# By what squares of leaves are punished, in units of the mean weight of a row.
PENALTY = 1.0
N_BINS = 64
# The trees take no more categories than this; the rows of the rarer ones count as unknown.
MOST_CATEGORIES = 250
# Columns times classes beyond which boosting would take longer than everything else: there are no bends then.
MOST_TREES = 2000
# Numbers that are handed over at once.
BLOCK = 2**21


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
    n_sums = 1 if regression else int(targets.max()) + 1
    bins = [bins_of(part, weight) for part in rows.numeric.T]
    used = [j for j, starts in enumerate(bins) if len(starts) > 1]
    kept = [_most(part, codes) for part, codes in zip(kept, rows.codes.T, strict=True)]
    inputs: list[Any] = [np.searchsorted(bins[j], rows.numeric[:, j], side="right") - 1.0 for j in used]
    inputs += [_numbers(held, codes) for held, codes in zip(kept, rows.codes.T, strict=True)]
    sizes = [len(bins[j]) for j in used] + [len(held) for held in kept]
    knots, heights = [np.empty(0) for _ in bins], [np.empty((0, n_sums)) for _ in bins]
    steps = [np.zeros((n, n_sums)) for n in n_categories]
    if not any(sizes) or len(sizes) * n_sums > MOST_TREES:
        return Bends(np.zeros(n_sums), tuple(knots), tuple(heights), tuple(steps))
    with one_thread():  # several add up in another order
        model = _boosted(inputs, targets, weight, len(kept), regression)
        intercepts, *parts = _read_off(model, sizes, len(used))
    for j, part in zip(used, parts, strict=False):
        knots[j], heights[j] = _ramps(rows.numeric[:, j], bins[j], part)
    for found, held, part in zip(steps, kept, parts[len(used) :], strict=True):
        found[held] = part
    return Bends(intercepts, tuple(knots), tuple(heights), tuple(steps))


def bins_of(values: Floats, weight: Floats) -> Floats:
    """The smallest value of every bin: bins of about equal weight, or of single values where these are few.

    >>> bins_of(np.array([3.0, 1.0, 1.0, 2.0]), np.ones(4))
    array([1., 2., 3.])
    """
    found, numbers = np.unique(values, return_inverse=True)
    if len(found) <= N_BINS:
        return found
    below = np.cumsum(np.bincount(numbers, weight)) - np.bincount(numbers, weight)
    bins = np.floor(N_BINS * below / weight.sum())
    return found[np.append(True, np.diff(bins) > 0)]


def _most(held: Ints, codes: Any) -> Ints:
    """The most frequent ones of the categories that may count, if they are too many."""
    if len(held) <= MOST_CATEGORIES:
        return held
    counts = np.bincount(codes[codes >= 0], minlength=held.max() + 1)[held]
    return np.sort(held[np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]])


def _numbers(held: Ints, codes: Any) -> Floats:
    """Codes as numbers of the categories that count, nan for all others."""
    found = np.full(int(max(codes.max(initial=-1), held.max(initial=-1))) + 2, np.nan)
    found[held] = np.arange(len(held))
    return found[np.where(codes >= 0, codes, len(found) - 1)]


def _boosted(inputs: list[Any], targets: Any, weight: Floats, n_categorical: int, regression: bool) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingRegressor if regression else HistGradientBoostingClassifier
    model = kind(
        max_iter=N_ROUNDS,
        max_leaf_nodes=N_LEAVES,
        learning_rate=RATE,
        min_samples_leaf=SMALLEST_LEAF,
        l2_regularization=PENALTY,
        interaction_cst="no_interactions",
        categorical_features=np.arange(len(inputs)) >= len(inputs) - n_categorical,
        early_stopping=False,
        random_state=0,
    )
    return model.fit(np.column_stack(inputs), targets, weight / weight.mean())


def _read_off(model: Any, sizes: list[int], n_numeric: int) -> list[Floats]:
    """What the model says of the first bins and unknown categories, and what every bin and category changes of it."""
    first = np.where(np.arange(len(sizes)) < n_numeric, 0.0, np.nan)
    columns = np.repeat(np.arange(len(sizes)), sizes)
    numbers = np.concatenate([np.arange(size) for size in sizes])
    found = [_sums(model, first[None])]
    size = max(1, BLOCK // len(sizes))
    for start in range(0, len(columns), size):
        part = slice(start, start + size)
        trials = np.tile(first, (len(columns[part]), 1))
        trials[np.arange(len(trials)), columns[part]] = numbers[part]
        found.append(_sums(model, trials) - found[0])
    return [found[0][0], *np.split(np.vstack(found[1:]), np.cumsum(sizes)[:-1])]


def _sums(model: Any, inputs: Floats) -> Floats:
    """Logits of all classes, or predictions, one row each."""
    if not hasattr(model, "classes_"):
        return np.asarray(model.predict(inputs))[:, None]
    found = np.asarray(model.decision_function(inputs))
    # Of two classes the model knows the second one's logit alone; halves of it say the same of both.
    return found[:, None] * np.array([-0.5, 0.5]) if found.ndim == 1 else found


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
