"""The folds on which gamma is chosen unless the caller has others: the same for the same rows, whatever their order.

Rows are put into an order that depends on nothing but what they hold (:mod:`fgac.tables.canonical`), then shuffled with
a fixed seed, and stratified for classes. Of many rows a sample is taken first, in the same way. Rows that belong
together stay together (:mod:`fgac.tables.groups`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fgac._typing import Floats, Ints
from fgac.tables.canonical import canonical_order, distance_numbers, nameless_classes, row_numbers
from fgac.tables.groups import group_folds, nameless_groups, sample_of_groups
from fgac.tables.reading import ReadTable
from fgac.tables.splits import random_sample, shuffled_folds, stratified_folds, stratified_sample

N_FOLDS = 5
# Gamma chosen on more rows is hardly another, and takes longer than the fit to all of them.
MAX_ROWS = 5000


def default_folds(
    read: ReadTable | Floats,
    target: NDArray[Any],
    weight: Floats | None,
    *,
    classes: bool,
    n_folds: int = N_FOLDS,
    max_rows: int | None = MAX_ROWS,
    groups: Ints | None = None,
    seed: int = 0,
) -> list[tuple[Ints, Ints]]:
    """Positions of the rows to train on and to judge, of every fold.

    Parameters
    ----------
    read : ReadTable, or distances between all rows
    target : array of shape (n_samples,)
        Labels, or numbers.
    weight : array of shape (n_samples,) or None
        Weights of rows; those of weight 0 are in no fold.
    classes : bool
        Whether the target holds classes, which all folds are to have in the same shares.
    n_folds : int, default=5
        Fewer if even the largest class has fewer rows, or if there would be fewer than two numbers to test on.
    max_rows : int or None, default=5000
        The size of the sample, if there are more rows; None for all.
    groups : array of shape (n_samples,) or None, default=None
        Numbers of the groups whose rows stay together; there are no more folds than groups.
    seed : int, default=0
        For other folds of the same groups.
    """
    weight = np.ones(len(target)) if weight is None else weight
    present = np.flatnonzero(weight > 0)
    numbers = (
        row_numbers(read[present].columns)
        if isinstance(read, ReadTable)
        else distance_numbers(read[np.ix_(present, present)])
    )
    weight, target = weight[present], target[present]
    if groups is not None:
        codes = nameless_classes(numbers, target, weight) if classes else np.zeros(len(target), dtype=np.int64)
        keys = (numbers, codes if classes else target, weight)
        groups = nameless_groups(groups[present], *keys)
        places = np.lexsort([groups, *keys[::-1]])
        found = folds_of_groups(groups[places], codes[places], n_folds, max_rows, seed)
        return [(present[places[train]], present[places[test]]) for train, test in found]
    if not classes:
        order = present[canonical_order(numbers, target, weight)]
        return shuffled_folds(order[random_sample(np.arange(len(order)), max_rows)], n_folds)
    codes = nameless_classes(numbers, target, weight)
    places = canonical_order(numbers, codes, weight)
    order, codes = present[places], codes[places]
    sample = stratified_sample(codes, np.arange(len(order)), max_rows)
    return [(order[sample[train]], order[sample[test]]) for train, test in stratified_folds(codes[sample], n_folds)]


def folds_of_groups(
    groups: Ints, codes: Ints, n_folds: int, max_rows: int | None, seed: int
) -> list[tuple[Ints, Ints]]:
    """Folds of whole groups: of a sample of these if there are many rows, or of rows of all if groups are large."""
    sample = sample_of_groups(groups, codes, max_rows)
    if sample is None:
        sample = stratified_sample(codes, np.arange(len(codes)), max_rows)
    groups, codes = (np.unique(part[sample], return_inverse=True)[1] for part in (groups, codes))
    return [(sample[train], sample[test]) for train, test in group_folds(groups, codes, n_folds, seed)]
