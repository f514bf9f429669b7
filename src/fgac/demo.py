"""What ``fgac demo`` shows, as plain values: one fit, one sure and one doubtful prediction.

The wine data come with scikit-learn. A quarter of the rows is held out, gamma is chosen by
cross-validation on the other three quarters only, and the two predictions are the ones with the
largest and the smallest lead of the first class over the second. :mod:`fgac.cli` renders the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_wine
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split

from fgac import FGAClassifier

GAMMAS = (0.5, 0.7, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
N_FOLDS = 5
N_FEATURES_SHOWN = 5


@dataclass(frozen=True)
class Argument:
    """A training row that argues for, or against, "the new row belongs to the class".

    With A(u) the membership of the row in the class asked about, its strength is
    ``max(0, similarity + A(u) - 1)`` when it argues for the class ("similar AND belongs") and
    ``max(0, similarity - A(u))`` when it argues against ("similar AND does not belong").
    """

    row: int
    label: str
    similarity: float
    own_membership: float
    membership: float
    strength: float


@dataclass(frozen=True)
class FeatureValue:
    """One feature of the new row beside those of the strongest argument for and against.

    ``pull`` is the squared difference to the row against minus that to the row for, in units of the
    feature's range: positive when this feature makes the new row look like the argument for.
    """

    name: str
    value: float
    favour: float
    against: float
    pull: float


@dataclass(frozen=True)
class Case:
    """A prediction and its reasons. ``lower`` and ``1 - upper`` are the strongest arguments' strengths."""

    row: int
    predicted: str
    truth: str
    lower: float
    upper: float
    degree: float
    runner_up: str
    runner_up_degree: float
    favour: tuple[Argument, ...]
    against: tuple[Argument, ...]
    features: tuple[FeatureValue, ...]


@dataclass(frozen=True)
class Demo:
    """Everything the demonstration reports."""

    n_train: int
    n_test: int
    n_features: int
    classes: tuple[str, ...]
    gamma: float
    balanced_accuracy: float
    n_mistakes: int
    largest_violation: float
    duality_gap: float
    is_optimal: bool
    sure: Case
    doubtful: Case


@dataclass(frozen=True)
class _Split:
    """The wine data, cut in two, with the names of features and classes."""

    X_train: NDArray[np.float64]
    X_test: NDArray[np.float64]
    y_train: NDArray[np.str_]
    y_test: NDArray[np.str_]
    feature_names: list[str]


def _split() -> _Split:
    wine = load_wine()
    labels = np.asarray(wine.target_names)[wine.target]
    X_train, X_test, y_train, y_test = train_test_split(
        wine.data, labels, test_size=0.25, stratify=labels, random_state=0
    )
    return _Split(X_train, X_test, y_train, y_test, list(wine.feature_names))


def _choose_gamma(split: _Split) -> float:
    """Return the gamma with the best cross-validated balanced accuracy on the training rows alone."""
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    search = GridSearchCV(FGAClassifier(), {"gamma": list(GAMMAS)}, scoring="balanced_accuracy", cv=folds, refit=False)
    search.fit(split.X_train, split.y_train)
    return float(search.best_params_["gamma"])


def run() -> Demo:
    """Fit, score and explain; the same result every time."""
    split = _split()
    model = FGAClassifier(gamma=_choose_gamma(split)).fit(split.X_train, split.y_train)
    predicted = model.predict(split.X_test)
    memberships = model.memberships(split.X_test)
    degrees = np.sort(memberships.degree, axis=1)
    lead = degrees[:, -1] - degrees[:, -2]
    has_argument = memberships.lower.max(axis=1) > 0  # a row like no other is undecided, not doubtful
    solution = model.solution_
    return Demo(
        n_train=len(split.X_train),
        n_test=len(split.X_test),
        n_features=model.n_features_in_,
        classes=tuple(str(name) for name in model.classes_),
        gamma=model.gamma,
        balanced_accuracy=float(balanced_accuracy_score(split.y_test, predicted)),
        n_mistakes=int(np.sum(predicted != split.y_test)),
        largest_violation=float(solution.largest_violation),
        duality_gap=float(solution.duality_gap),
        is_optimal=bool(solution.is_optimal()),
        sure=_explain(model, split, int(np.argmax(lead))),
        doubtful=_explain(model, split, int(np.argmin(np.where(has_argument, lead, np.inf)))),
    )


def _explain(model: FGAClassifier, split: _Split, row: int) -> Case:
    """Collect the bounds of one held-out row in its predicted class and the arguments behind them."""
    x = split.X_test[[row]]
    label = model.predict(x)[0]
    k = int(np.flatnonzero(model.classes_ == label)[0])
    lower, upper, degree = (part[0] for part in model.memberships(x))
    runner_up = int(np.argmax(np.where(np.arange(len(degree)) == k, -np.inf, degree)))
    arguments = model.arguments(x, n_arguments=3)
    pair = (int(arguments.favour.indices[0, k, 0]), int(arguments.against.indices[0, k, 0]))
    return Case(
        row=row,
        predicted=str(label),
        truth=str(split.y_test[row]),
        lower=float(lower[k]),
        upper=float(upper[k]),
        degree=float(degree[k]),
        runner_up=str(model.classes_[runner_up]),
        runner_up_degree=float(degree[runner_up]),
        favour=_arguments(model, split, arguments.favour, k),
        against=_arguments(model, split, arguments.against, k),
        features=_telling_features(split, x[0], *pair),
    )


def _arguments(model: FGAClassifier, split: _Split, table: Any, k: int) -> tuple[Argument, ...]:
    """Read the arguments about class k of the only row in ``table``; those of strength 0 say nothing."""
    found = []
    for position, row in enumerate(table.indices[0, k]):
        strength = float(table.strengths[0, k, position])
        if row < 0 or strength <= 0:
            continue
        own_membership = float(model.beta_[row])
        own_class = split.y_train[row] == model.classes_[k]
        membership = own_membership if own_class else model.memberships(split.X_train[[row]]).lower[0, k]
        found.append(
            Argument(
                row=int(row),
                label=str(split.y_train[row]),
                similarity=float(table.similarities[0, k, position]),
                own_membership=own_membership,
                membership=float(membership),
                strength=strength,
            )
        )
    return tuple(found)


def _telling_features(split: _Split, x: NDArray[np.float64], favour: int, against: int) -> tuple[FeatureValue, ...]:
    """Return the features that most set the new row's likeness to one argument apart from the other."""
    ranges = np.ptp(split.X_train, axis=0)
    to_favour = (x - split.X_train[favour]) / ranges
    to_against = (x - split.X_train[against]) / ranges
    pull = to_against**2 - to_favour**2
    order = np.argsort(-np.abs(pull), kind="stable")[:N_FEATURES_SHOWN]
    return tuple(
        FeatureValue(
            name=split.feature_names[j],
            value=float(x[j]),
            favour=float(split.X_train[favour, j]),
            against=float(split.X_train[against, j]),
            pull=float(pull[j]),
        )
        for j in order
    )
