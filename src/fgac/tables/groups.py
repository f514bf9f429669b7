"""Rows that belong together, such as those of one person, and folds and samples that keep them together.

A model that has seen other rows of a person can know the person by its features, and what it says of further rows then
tells nothing about new people. So no group may have rows on both sides of a fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fgac._typing import Floats, Ints
from fgac._warnings import warn_caller
from fgac.tables.containers import listed
from fgac.tables.labels import is_missing, plain_name
from fgac.tables.splits import MIN_TEST_ROWS

# The group of rows that are absent.
NO_GROUP = -1
# Costs of folds that differ in later digits are the same: the digits depend on the order in which classes are added.
DIGITS = 12
# A sample of fewer whole groups than this says less than one of rows of all groups.
FEWEST_SAMPLED = 20


def check_groups(groups: Any, n: int, weight: Floats | None = None) -> Ints:
    """The group of every row as a number, -1 in rows of weight 0, which are absent; an error if a row has none.

    >>> check_groups(["b", "a", "b"], 3), check_groups(["b", "a", None], 3, np.array([1.0, 2.0, 0.0]))
    (array([0, 1, 0]), array([ 0,  1, -1]))
    """
    if isinstance(groups, str):
        raise TypeError(f"groups={groups!r} is a text; expected one value per row, such as the column X[{groups!r}]")
    if not hasattr(type(groups), "__len__"):
        raise TypeError(f"groups is of type {type(groups).__name__}; expected one value per row")
    values = listed(groups, "groups")
    if len(values) != n:
        raise ValueError(f"X has {n} rows and groups has {len(values)} values; expected as many values as rows")
    rows = np.arange(n) if weight is None else np.flatnonzero(weight > 0)
    _check_known([row for row in rows.tolist() if is_missing(values[row])])
    number: dict[Any, int] = {}
    found = np.full(n, NO_GROUP)
    try:
        found[rows] = [number.setdefault(values[row], len(number)) for row in rows.tolist()]
    except TypeError:
        raise ValueError(
            f"groups holds values of type {type(values[0]).__name__}; expected one number, text or date per row"
        ) from None
    if len(number) < 2:
        raise ValueError(
            f"all rows belong to one group ({plain_name(values[rows[0]])!r}), so none can be held out; expected two "
            "groups or more"
        )
    return found


def _check_known(missing: Sequence[int]) -> None:
    """Refuse rows whose group nobody knows."""
    if missing:
        raise ValueError(
            f"groups has missing values in {len(missing)} rows, the first at position {missing[0]}; leave these rows "
            "out, or give each a group of its own"
        )


def nameless_groups(groups: Ints, *keys: Any) -> Ints:
    """Groups under numbers that come from the rows they hold, and not from their names or the order of the rows.

    ``keys`` describe the rows; the first counts most. Groups whose rows are equal are interchangeable.

    >>> nameless_groups(np.array([0, 1, 0]), np.array([7, 3, 5]))
    array([1, 0, 1])
    """
    # First by their sizes, then by their first rows, their second ones and so on.
    order = np.lexsort([*keys[::-1], groups])
    parts = np.split(order, np.cumsum(np.bincount(groups))[:-1])
    held = [(len(part), *(column[part].tolist() for column in map(np.asarray, keys))) for part in parts]
    number = np.empty(len(parts), dtype=np.int64)
    number[sorted(range(len(parts)), key=held.__getitem__)] = np.arange(len(parts))
    return number[groups]


def groups_of_classes(groups: Ints, classes: Ints) -> Ints:
    """In how many groups each class occurs.

    >>> groups_of_classes(np.array([0, 0, 1]), np.array([0, 1, 1]))
    array([1, 2])
    """
    return np.bincount(np.unique(np.column_stack([groups, classes]), axis=0)[:, 1])


def group_folds(groups: Ints, classes: Ints, n_folds: int, seed: int = 0) -> list[tuple[Ints, Ints]]:
    """Training and test rows of every fold: groups are whole, and classes spread as evenly as groups allow.

    Groups are shuffled and dealt out one by one, each to the fold which has least of its classes so far, large groups
    first. Large is meant by powers of two, so that another seed gives other folds. Numbers to predict are one class:
    then folds are of about the same size. There are fewer folds if there are fewer groups, or if there would be fewer
    than two rows to test on. (scikit-learn's folds of groups are not used: those of numbers do not look at sizes if
    they are shuffled, and those of classes are shuffled in another way by every other version.)

    Parameters
    ----------
    groups : array of shape (n_samples,)
        Numbers from 0 on, all of which are there.
    classes : array of shape (n_samples,)
        The same of classes.
    n_folds, seed : int

    >>> [test.tolist() for _, test in group_folds(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1]), 5)]
    [[4, 5], [0, 1], [2, 3]]
    """
    counts = np.zeros((groups.max() + 1, classes.max() + 1))
    np.add.at(counts, (groups, classes), 1.0)
    if classes.any() and groups_of_classes(groups, classes).max() < 2:
        raise ValueError(
            "every class occurs in one group only: a model that is to predict a group has not seen its class. Give "
            "groups that hold several classes, or leave groups out"
        )
    n_folds = min(n_folds, len(counts))
    fold = _dealt(counts, n_folds, seed)[groups]
    while n_folds > 2 and np.bincount(fold).min() < MIN_TEST_ROWS:
        n_folds -= 1
        fold = _dealt(counts, n_folds, seed)[groups]
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds)]


def _dealt(counts: Floats, n_folds: int, seed: int) -> Ints:
    """The fold of every group, whose rows of every class are counted."""
    shares = counts / counts.sum(axis=0)
    order = np.random.default_rng(seed).permutation(len(counts))
    size = np.frexp(shares.max(axis=1))[1]
    folds, held, n_rows = np.empty(len(counts), dtype=np.int64), np.zeros((n_folds, shares.shape[1])), np.zeros(n_folds)
    for group in order[np.argsort(-size[order], kind="stable")]:
        # By twice this, and by what is the same for all folds, the sum of all squared shares would grow.
        cost = (held @ shares[group]).round(DIGITS)
        best = np.lexsort([n_rows, cost])[0]
        folds[group] = best
        held[best] += shares[group]
        n_rows[best] += counts[group].sum()
    return folds


def sample_of_groups(groups: Ints, classes: Ints, size: int | None, seed: int = 0) -> Ints | None:
    """Rows of whole groups, at most ``size`` of them, sorted; None if that would be too few groups.

    Groups come in random order, but for every class one that holds it comes first, so that none is left out.

    >>> sample_of_groups(np.arange(1000) // 10, np.zeros(1000, dtype=int), 500).size
    500
    """
    if size is None or len(groups) <= size:
        return np.arange(len(groups))
    order = np.random.default_rng(seed).permutation(groups.max() + 1)
    place = np.argsort(order)[groups]
    firsts = [place[classes == number].min() for number in range(int(classes.max()) + 1)]
    taken = order[np.argsort(~np.isin(np.arange(len(order)), firsts), kind="stable")]
    n_taken = int(np.searchsorted(np.cumsum(np.bincount(groups)[taken]), size, side="right"))
    return np.flatnonzero(np.isin(groups, taken[:n_taken])) if n_taken >= FEWEST_SAMPLED else None


def parted_fold(splits: Sequence[tuple[Ints, Ints]], groups: Ints) -> int | None:
    """The number of the first fold that has rows of one group on both sides; None if all groups are whole.

    >>> parted_fold([(np.array([0, 1]), np.array([2])), (np.array([0, 2]), np.array([1]))], np.array([5, 5, 6]))
    1
    """
    for number, (train, test) in enumerate(splits):
        both = np.intersect1d(groups[train], groups[test])
        if (both != NO_GROUP).any():
            return number
    return None


def warn_of_parted_groups(splits: Sequence[tuple[Ints, Ints]], groups: Ints) -> None:
    """Warn of folds of the caller's own that have rows of a group on both sides."""
    parted = parted_fold(splits, groups)
    if parted is not None:
        warn_caller(
            f"groups were given, but cv puts rows of one group on both sides of fold {parted}: scores are of groups "
            "that are known. Use a splitter such as GroupKFold, or leave cv out"
        )
