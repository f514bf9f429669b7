"""The training problems of the benchmark: tables, their embedded rows, and the constraint lists of the peers.

The constraint lists are built here without any help of ``fgac``, so that equal answers are evidence:

    minimise    sum_u (1 - beta_u)^2
    subject to  beta_u + beta_v <= 1 + gamma d(u, v)   for all u and v of different classes.

Since beta <= 1 at the optimum, a pair with ``gamma d >= 1`` can never bind. Such pairs are left out of every
list, which spares the general solvers work that they would otherwise do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.datasets import make_classification
from sklearn.utils import gen_batches

SYNTHETIC = "make_classification(n_samples=n, n_features=10, flip_y=0.1, random_state=0)"
BLOCK = 1000  # rows per block of distances: 160 MB at n = 20000


class Dataset(NamedTuple):
    """A table as a user would give it to ``fit``, and the same rows as plain vectors of equal distances."""

    name: str
    X: Any
    """The table: a data frame with category columns, or a float matrix."""
    labels: NDArray[np.int64]
    """Class numbers 0 .. K-1."""
    rows: NDArray[np.float64]
    """Embedded rows: the plain Euclidean distance between them is the distance of the model."""

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.labels)


class Pairs(NamedTuple):
    """Constraints ``beta[u] + beta[v] <= 1 + gamma * distance``, every unordered pair once."""

    u: NDArray[np.int64]
    v: NDArray[np.int64]
    distance: NDArray[np.float64]


def synthetic(n: int) -> Dataset:
    """Two overlapping classes in 10 numeric columns; the exact call is the constant ``SYNTHETIC``."""
    X, labels = make_classification(n_samples=n, n_features=10, flip_y=0.1, random_state=0)
    return Dataset(f"make_classification {n}", X, labels.astype(np.int64), embed(pd.DataFrame(X)))


def from_folder(folder: Path, name: str) -> Dataset:
    """Read ``name*.csv``: header suffix (N) nominal, (R) or (I) numeric, the last column is the class.

    The rest of a file's name may tell its shape, as in ``pima768(8_0_0)2.csv``.
    """
    found = [path for path in sorted(folder.glob("*.csv")) if re.fullmatch(rf"{name}(\d.*)?", path.stem)]
    if not found:
        raise SystemExit(f"no file {name}*.csv in {folder}: give the folder that holds the data sets")
    table = pd.read_csv(found[0], dtype=str)
    X = table.iloc[:, :-1].copy()
    for column in X.columns:
        X[column] = X[column].astype("category" if column.endswith("(N)") else "float64")
    labels = np.unique(table.iloc[:, -1].to_numpy(dtype=str), return_inverse=True)[1]
    return Dataset(name, X, labels.astype(np.int64), embed(X))


def embed(X: pd.DataFrame) -> NDArray[np.float64]:
    """Divide numeric columns by their range, one-hot encode nominal ones, divide all by sqrt|Q|.

    One-hot columns are divided by sqrt(2), so that two different categories differ by 1 under the root; |Q|
    counts the columns after the encoding.
    """
    numeric = X.select_dtypes("number").to_numpy(dtype=np.float64)
    span = np.ptp(numeric, axis=0) if numeric.shape[1] else np.ones(0)
    scaled = numeric / np.where(span > 0, span, 1.0)
    nominal = X.select_dtypes("category")
    encoded = pd.get_dummies(nominal).to_numpy(dtype=np.float64) if nominal.shape[1] else np.empty((len(X), 0))
    both = np.hstack([scaled, encoded / np.sqrt(2.0)])
    return np.ascontiguousarray(both / np.sqrt(both.shape[1]))


def full_blocks(dataset: Dataset, gamma: float) -> Iterator[Pairs]:
    """Yield, block by block, every pair of different classes that can bind."""
    rows, labels = dataset.rows, dataset.labels
    for k in range(labels.max()):
        own, higher = np.flatnonzero(labels == k), np.flatnonzero(labels > k)
        for block in gen_batches(len(own), BLOCK):
            distance = cdist(rows[own[block]], rows[higher])
            i, j = np.nonzero(gamma * distance < 1)
            yield Pairs(own[block][i], higher[j], distance[i, j])


def full_pairs(dataset: Dataset, gamma: float) -> Pairs:
    """Return the full constraint set (without the pairs that can never bind)."""
    return Pairs(*map(np.concatenate, zip(*full_blocks(dataset, gamma), strict=True)))


def n_full_pairs(dataset: Dataset, gamma: float) -> int:
    """Return the size of the full constraint set without storing it."""
    return sum(len(block.u) for block in full_blocks(dataset, gamma))


def reduced_pairs(dataset: Dataset, gamma: float, share: float = 0.02) -> Pairs:
    """Return the paper's reduced set: each row with its ``int(share * n)`` nearest rows of other classes.

    A pair is kept if either of its rows chose the other.
    """
    rows, labels, n = dataset.rows, dataset.labels, dataset.n
    m = max(1, int(share * n))
    found: list[Pairs] = []
    for k in range(labels.max() + 1):
        own, rest = np.flatnonzero(labels == k), np.flatnonzero(labels != k)
        for block in gen_batches(len(own), BLOCK):
            distance = cdist(rows[own[block]], rows[rest])
            near = np.argpartition(distance, min(m, len(rest)) - 1, axis=1)[:, :m]
            u, v = np.repeat(own[block], near.shape[1]), rest[near].ravel()
            found.append(Pairs(np.minimum(u, v), np.maximum(u, v), np.take_along_axis(distance, near, 1).ravel()))
    u, v, distance = map(np.concatenate, zip(*found, strict=True))
    first = np.unique(u * n + v, return_index=True)[1]
    first = first[gamma * distance[first] < 1]
    return Pairs(u[first], v[first], distance[first])
