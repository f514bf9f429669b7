"""The comparison as we would make it.

The paper chooses the best of eleven settings by the same folds that then give the score, so every score is a little too
good. Here the choice is made by an inner cross-validation within each training part, and the score is that of rows that
had no say (nested cross-validation). Nothing else is taken from the protocol of the paper either: columns keep the
roles that the files give them, numbers are scaled to their range in the training part, FGAC trains on all constraints,
balances classes by weights and breaks ties by its own rule. A tree balances by weights, too; methods that know no
weights (kFRNN, kNN, LVQ) get repeated rows.

Every method has eleven settings, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from fgac._tolerances import SCORE_DIGITS
from fgac._typing import Floats, Ints
from fgac.experiments.datasets.files import DataSet
from fgac.experiments.methods.protocol import GAMMAS, NOMINAL, SEED, oversampled, splits
from fgac.experiments.methods.published import (
    DEPTHS,
    NEIGHBOURS,
    NEIGHBOURS_FRNN,
    PROTOTYPES,
    Result,
    Setting,
    accuracy,
)

Parts = tuple[Any, Ints, Any]


@dataclass(frozen=True)
class Nested:
    """A method whose setting is chosen within the training part.

    Attributes
    ----------
    name : str
    settings : tuple
        Of several equally good ones the first is taken.
    make : function of a data set and a setting
        Returns the estimator.
    parts : function of a data set and the positions of its training and test rows
        Returns training rows, their classes, and test rows, as the estimator wants them.
    """

    name: str
    settings: tuple[Setting, ...]
    make: Callable[[DataSet, Any], Any]
    parts: Callable[[DataSet, Ints, Ints], Parts]

    def effort(self, data: DataSet) -> float:
        """Of fifty-six fits and predictions."""
        return len(data.y) ** 2 * len(data.labels) * 3.0

    def result(self, data: DataSet, fold: int) -> tuple[Result, float]:
        """Choose, train, test; also the mean score of the choice in the inner cross-validation."""
        start = perf_counter()
        train, test = splits(data.y)[fold]
        inner = np.zeros(len(self.settings))
        folds = splits(data.y[train])
        for left, right in folds:
            inner += [score for score, _ in self._scores(data, train[left], train[right], self.settings)]
        inner /= len(folds)
        # Sums of the same scores in another order differ in their last digits.
        chosen = int(np.round(inner, SCORE_DIGITS).argmax())
        ((score, model),) = self._scores(data, train, test, (self.settings[chosen],))
        proof = getattr(model, "solution_", None)
        result = Result(
            self.settings[chosen],
            score,
            perf_counter() - start,
            None if proof is None else proof.n_constraints,
            None if proof is None else proof.largest_violation,
        )
        return result, float(inner[chosen])

    def _scores(self, data: DataSet, train: Ints, test: Ints, settings: tuple[Setting, ...]) -> list[tuple[float, Any]]:
        """Score and model of every setting."""
        rows, classes, others = self.parts(data, train, test)
        models = [self.make(data, setting).fit(rows, classes) for setting in settings]
        return [(accuracy(data.y[test], model.predict(others)), model) for model in models]


def tables(data: DataSet, train: Ints, test: Ints) -> Parts:
    """The rows as they are in the file."""
    return data.frame.iloc[train], data.y[train], data.frame.iloc[test]


def repeated_tables(data: DataSet, train: Ints, test: Ints) -> Parts:
    """The same with repeated training rows."""
    return tables(data, repeated(train, data.y), test)


def numbers(data: DataSet, train: Ints, test: Ints) -> Parts:
    """The rows as numbers, on the scale of the training rows."""
    rows, others = ranged(data, train, test)
    return rows, data.y[train], others


def repeated_numbers(data: DataSet, train: Ints, test: Ints) -> Parts:
    """The same with repeated training rows."""
    return numbers(data, repeated(train, data.y), test)


def repeated(train: Ints, y: Ints) -> Ints:
    """Positions of training rows, those of the smaller classes repeated at random."""
    return oversampled(train[:, None], y[train])[0][:, 0]


def ranged(data: DataSet, train: Ints, test: Ints) -> tuple[Floats, Floats]:
    """Numeric columns divided by their range; columns of categories so that two different ones are at distance 1."""
    X = data.encoded()
    n_numeric = data.frame.shape[1] - len(data.nominal)
    range_of = np.ptp(X[train], axis=0)
    unit = np.where(range_of > 0, range_of, 1.0)
    unit[n_numeric:] = 1.0 / NOMINAL["euclidean"]
    X = X / unit
    return X[train], X[test]


def fgac(data: DataSet, gamma: float) -> Any:
    """FGAC as it is when nothing is set but gamma and the weights of classes."""
    from fgac.estimators.classifier import FGAClassifier

    return FGAClassifier(gamma=gamma, class_weight="balanced", categorical_features=list(data.nominal))


def kfrnn(data: DataSet, k: int | str) -> Any:
    """Fuzzy rough nearest neighbours; it reads tables like FGAC."""
    from fgac.estimators.frnn import FRNNClassifier

    return FRNNClassifier(n_neighbors=None if k == "all" else int(k), categorical_features=list(data.nominal))


def knn(data: DataSet, k: int) -> Any:
    """Nearest neighbours."""
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(k)


def lvq(data: DataSet, n_prototypes: int) -> Any:
    """Learning vector quantisation."""
    from fgac.experiments.methods.glvq import GLVQ

    return GLVQ(n_prototypes=n_prototypes, random_state=SEED)


def cart(data: DataSet, depth: int) -> Any:
    """A decision tree."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth, class_weight="balanced", random_state=SEED)


OURS: dict[str, Nested] = {
    method.name: method
    for method in (
        Nested("fgac", tuple(sorted(GAMMAS)), fgac, tables),
        Nested("kfrnn", NEIGHBOURS_FRNN, kfrnn, repeated_tables),
        Nested("knn", NEIGHBOURS, knn, repeated_numbers),
        Nested("lvq", PROTOTYPES, lvq, repeated_numbers),
        Nested("cart", DEPTHS, cart, numbers),
    )
}
