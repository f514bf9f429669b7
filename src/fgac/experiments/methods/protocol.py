"""The published protocol: folds, oversampling, scaling and distances.

Rows are split into five stratified folds. Of every training part rows of the smaller classes are repeated at random
until all classes are equally large. Then numeric columns are divided by the range between their 1st and 99th
percentile (so the published script; the text says by their range); columns of 0 and 1, which one-hot encoding makes of
nominal columns, count ``1 / sqrt(2)`` under the root of the Euclidean distance, so that two different categories add 1,
and 1 in the supremum.

Which columns hold only 0 and 1 is seen in the training part and holds for the test part. (The published script looks at
both parts anew; on these data that makes no difference.)
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import RobustScaler

from fgac._typing import Floats, Ints
from fgac.experiments._extra import needed
from fgac.experiments.datasets.files import DataSet

Numbers = TypeVar("Numbers", Floats, Ints)

SEED = 10
N_FOLDS = 5
GAMMAS = (10.0, 7.0, 5.0, 4.0, 3.0, 2.0, 1.5, 1.0, 0.8, 0.7, 0.5)
RELATIONS = ("supremum", "euclidean")
# What a column of 0 and 1 is multiplied by.
NOMINAL = {"supremum": 1.0, "euclidean": float(np.sqrt(0.5))}
# Numbers this near to 0 or 1 are 0 or 1.
EPSILON = 1e-5


class Fold(NamedTuple):
    """Training and test rows as numbers ready for distances, and their classes."""

    train: Floats
    train_y: Ints
    test: Floats
    test_y: Ints


def splits(y: Ints, n_folds: int = N_FOLDS) -> list[tuple[Ints, Ints]]:
    """Positions of the training and test rows of every fold."""
    return list(StratifiedKFold(n_folds, shuffle=True, random_state=SEED).split(np.zeros((len(y), 1)), y))


def oversampled(X: Numbers, y: Ints) -> tuple[Numbers, Ints]:
    """Repeat rows at random until every class has as many as the largest."""
    sampler = needed("imblearn.over_sampling").RandomOverSampler(random_state=SEED)
    return sampler.fit_resample(X, y)


def scaled(train: Floats, test: Floats, relation: str) -> tuple[Floats, Floats]:
    """Both parts, on a scale that only the training part decides.

    >>> train, test = np.array([[0.0, 0.0], [1.0, 50.0], [1.0, 100.0]]), np.array([[1.0, 75.0]])
    >>> scaled(train, test, "euclidean")[1].round(3)
    array([[0.707, 0.255]])
    """
    binary = np.all((abs(train) < EPSILON) | (abs(train - 1.0) < EPSILON), axis=0)
    parts = train.copy(), test.copy()
    if not binary.all():
        scaler = RobustScaler(quantile_range=(1, 99)).fit(train[:, ~binary])
        for part in parts:
            part[:, ~binary] = scaler.transform(part[:, ~binary])
    for part in parts:
        part[:, binary] *= NOMINAL[relation]
    return parts


def published_fold(data: DataSet, fold: int, relation: str) -> Fold:
    """One fold as the published experiments saw it."""
    train, test = splits(data.y)[fold]
    X = data.encoded()
    rows, classes = oversampled(X[train], data.y[train])
    left, right = scaled(rows, X[test], relation)
    return Fold(left, classes, right, data.y[test])


def distances(left: Floats, right: Floats, relation: str) -> Floats:
    """Distances of the paper's two relations; the Euclidean one is divided by the root of the number of columns.

    >>> distances(np.array([[0.0, 0.0]]), np.array([[0.6, 0.8]]), "supremum")
    array([[0.8]])
    >>> distances(np.array([[0.0, 0.0]]), np.array([[0.6, 0.8]]), "euclidean").round(4)
    array([[0.7071]])
    """
    if relation == "supremum":
        return cdist(left, right, "chebyshev")
    return cdist(left, right) / np.sqrt(left.shape[1])
