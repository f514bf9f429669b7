"""The methods that the paper compares, as published.

A method has a name, a list of settings, and gives the score of every setting on one fold; what settings share
(distances, constraints, sorted values) is computed once. All of them see the same folds.

>>> len(METHODS), METHODS["fgac_mse_euclidean_nn2"].settings[0], METHODS["kfrnn"].settings[:3]
(29, 10.0, ('all', 1, 3))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from fgac._typing import Ints
from fgac.experiments.datasets.files import DataSet
from fgac.experiments.methods.approximate import LOSSES, Training
from fgac.experiments.methods.prediction import OWA, degrees, extreme_scores, first_best, ranked_scores, soft_scores
from fgac.experiments.methods.protocol import GAMMAS, RELATIONS, SEED, distances, published_fold
from fgac.fuzzy.owa import resolve_owa

NN = {"nn100": 1.0, "nn20": 0.2, "nn2": 0.02}
NEIGHBOURS_FRNN = ("all", 1, 3, 5, 10, 15, 20, 25, 30, 40, 50)
NEIGHBOURS = (1, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50)
PROTOTYPES = tuple(range(1, 12))
DEPTHS = tuple(range(2, 13))

Setting = float | int | str


class Result(NamedTuple):
    """What one setting came to on one fold.

    ``constraints`` and ``violation`` (the largest one) are of training, where it solves a problem.
    """

    setting: Setting
    score: float
    seconds: float
    constraints: int | None = None
    violation: float | None = None


class Method(Protocol):
    """A method with its settings."""

    @property
    def name(self) -> str:
        """What it is called in results."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is tried."""

    def effort(self, data: DataSet) -> float:
        """About how long a fold takes, in any unit: long tasks are started first."""

    def scores(self, data: DataSet, fold: int) -> list[Result]:
        """Train and test every setting on a fold."""


@dataclass(frozen=True)
class PublishedFGAC:
    """FGAC with the published approximation and prediction.

    Parameters
    ----------
    loss : "mae" or "mse"
    relation : "supremum" or "euclidean"
    nn : "nn100", "nn20" or "nn2"
    owa : "add", "exp", "invadd" or None
    """

    loss: str
    relation: str
    nn: str = "nn2"
    owa: str | None = None

    @property
    def name(self) -> str:
        """For example ``fgac_mse_euclidean_nn2``, or ``fgac_mse_euclidean_add``."""
        return f"fgac_{self.loss}_{self.relation}_{self.owa or self.nn}"

    @property
    def settings(self) -> tuple[float, ...]:
        """The gammas."""
        return GAMMAS

    def effort(self, data: DataSet) -> float:
        """Of solving, which the absolute loss makes longer, and of sorting for averages."""
        share = NN[self.nn] + (0.2 if self.loss == "mae" else 0.1) + (0.5 if self.owa else 0.0)
        return balanced_size(data) ** 2 * len(data.labels) * share

    def scores(self, data: DataSet, fold: int) -> list[Result]:
        """Solve and predict for every gamma; distances and constraints are shared."""
        start = perf_counter()
        part = published_fold(data, fold, self.relation)
        training = Training.of(part.train, part.train_y, self.relation)
        chosen = training.chosen(NN[self.nn])
        to_test = training.to(part.test)
        row = training.nodes.node_of_row

        def one(gamma: float) -> Result:
            beta, solution = chosen.solve(gamma, self.loss)
            degree = degrees(beta, training.nodes, gamma * training.within)
            if self.owa is None:
                scores = extreme_scores(degree, gamma * to_test)
            else:
                scores = soft_scores(degree[:, row], gamma * to_test[:, row], self.owa)
            found = accuracy(part.test_y, first_best(scores))
            return Result(gamma, found, 0.0, len(chosen), solution.largest_violation)

        return timed(one, self.settings, perf_counter() - start)


@dataclass(frozen=True)
class PublishedFRNN:
    """Fuzzy rough nearest neighbours: the same prediction from the labels themselves, gamma = 1.

    Additive weights fall on the k most extreme values of all training rows. The paper's tables were made with the
    Euclidean relation, but for the transparent variants, whose numbers are those of the supremum.
    """

    relation: str = "euclidean"

    @property
    def name(self) -> str:
        """``kfrnn``, or ``kfrnn_supremum``."""
        return "kfrnn" if self.relation == "euclidean" else f"kfrnn_{self.relation}"

    @property
    def settings(self) -> tuple[Setting, ...]:
        """How many values have a weight."""
        return NEIGHBOURS_FRNN

    def effort(self, data: DataSet) -> float:
        """Of sorting once per class."""
        return balanced_size(data) ** 2 * len(data.labels) * 0.05

    def scores(self, data: DataSet, fold: int) -> list[Result]:
        """Sort once, average with the weights of every setting."""
        start = perf_counter()
        part = published_fold(data, fold, self.relation)
        n = len(part.train)
        weights = [resolve_owa("additive", n, None if k == "all" else int(k)) for k in self.settings]
        member = (part.train_y == np.arange(len(data.labels))[:, None]).astype(np.float64)
        steps = distances(part.test, part.train, self.relation)
        scores = ranked_scores(member, steps, np.stack(weights, axis=1))

        def one(setting: Setting) -> Result:
            predicted = first_best(scores[:, :, self.settings.index(setting)])
            return Result(setting, accuracy(part.test_y, predicted), 0.0)

        return timed(one, self.settings, perf_counter() - start)


@dataclass(frozen=True)
class Fitted:
    """An estimator with one parameter that is tuned, on the Euclidean folds."""

    name: str
    settings: tuple[Setting, ...]
    make: Callable[[Any], Any]

    def effort(self, data: DataSet) -> float:
        """Little."""
        return balanced_size(data) * 100.0

    def scores(self, data: DataSet, fold: int) -> list[Result]:
        """Fit and predict for every setting."""
        start = perf_counter()
        part = published_fold(data, fold, "euclidean")

        def one(setting: Setting) -> Result:
            model = self.make(setting).fit(part.train, part.train_y)
            return Result(setting, accuracy(part.test_y, model.predict(part.test)), 0.0)

        return timed(one, self.settings, perf_counter() - start)


def timed(one: Callable[[Any], Result], settings: tuple[Setting, ...], shared: float) -> list[Result]:
    """Results of all settings, with the seconds each of them took and its share of what they have in common."""
    results = []
    for setting in settings:
        start = perf_counter()
        result = one(setting)
        results.append(result._replace(seconds=perf_counter() - start + shared / len(settings)))
    return results


def accuracy(truth: Ints, predicted: Any) -> float:
    """Balanced accuracy: the mean share of right answers over the classes."""
    return float(balanced_accuracy_score(truth, predicted))


def balanced_size(data: DataSet) -> float:
    """Training rows of a fold after oversampling."""
    return float(0.8 * len(data.labels) * np.bincount(data.y).max())


def knn(k: int) -> Any:
    """Nearest neighbours with scikit-learn's defaults."""
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(k)


def cart(depth: int) -> Any:
    """A decision tree."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth, random_state=SEED)


def lvq(n_prototypes: int) -> Any:
    """Learning vector quantisation."""
    from fgac.experiments.methods.glvq import GLVQ

    return GLVQ(n_prototypes=n_prototypes, random_state=SEED)


def _published() -> Iterator[Method]:
    for loss, relation in product(LOSSES, RELATIONS):
        yield from (PublishedFGAC(loss, relation, nn) for nn in NN)
        yield from (PublishedFGAC(loss, relation, owa=owa) for owa in OWA)
    yield from (PublishedFRNN(relation) for relation in RELATIONS)
    yield Fitted("knn", NEIGHBOURS, knn)
    yield Fitted("lvq", PROTOTYPES, lvq)
    yield Fitted("cart", DEPTHS, cart)


METHODS: dict[str, Method] = {method.name: method for method in _published()}
