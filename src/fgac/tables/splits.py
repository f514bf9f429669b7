"""Folds and samples of rows, the same in every run: seeds are fixed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold

from fgac._typing import Ints

# R2 compares with the mean of the rows that are tested: one row has no variance around it.
MIN_TEST_ROWS = 2


def random_sample(rows: Ints, size: int | None, seed: int = 0) -> Ints:
    """At most ``size`` of these rows, sorted.

    >>> random_sample(np.arange(8), 3).size
    3
    """
    if size is None or len(rows) <= size:
        return rows
    return np.sort(np.random.default_rng(seed).choice(rows, size, replace=False))


def shuffled_folds(rows: Ints, n_folds: int, seed: int = 0) -> list[tuple[Ints, Ints]]:
    """Training and test rows of every fold; fewer folds if there would be less than two rows to test on.

    >>> [test.tolist() for _, test in shuffled_folds(np.arange(4), 5)]
    [[2, 3], [0, 1]]
    """
    n_folds = min(n_folds, len(rows) // MIN_TEST_ROWS)
    if n_folds < 2:
        raise ValueError(
            f"cross-validation needs at least {2 * MIN_TEST_ROWS} rows, got n_samples={len(rows)}; 'fgac fit' with "
            "--gamma needs none"
        )
    parts = KFold(n_folds, shuffle=True, random_state=seed).split(rows)
    return [(rows[train], rows[test]) for train, test in parts]


def stratified_folds(labels: Any, n_folds: int, seed: int = 0) -> list[tuple[Ints, Ints]]:
    """Training and test rows of every fold, classes spread evenly; fewer folds if no class has that many rows."""
    codes = np.unique(labels, return_inverse=True)[1]
    n_folds = min(n_folds, int(np.bincount(codes).max(initial=0)))
    if n_folds < 2:
        raise ValueError(
            f"cross-validation needs a class of at least 2 rows and 2 folds, got {len(codes)} rows and {n_folds} "
            "folds; set gamma yourself"
        )
    # scikit-learn warns of classes with fewer rows than folds; their rows are then tested in some folds only, which is
    # what is wanted.
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


def halves(classes: Ints, n_pairs: int) -> Iterator[Ints]:
    """Positions of rows, cut several times into two halves of about equally many rows of every class.

    >>> [half.tolist() for half in halves(np.array([0, 0, 1, 1]), 1)]
    [[0, 2], [1, 3]]
    """
    random = np.random.default_rng(0)
    for _ in range(n_pairs):
        shuffled = random.permutation(len(classes))
        by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
        yield np.sort(by_class[0::2])
        yield np.sort(by_class[1::2])
