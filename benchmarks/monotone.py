"""What do monotone features cost, and what do they give? Ordered classes, against boosting with the same constraints.

    python benchmarks/monotone.py DATA_FOLDER            # some minutes
    python benchmarks/monotone.py DATA_FOLDER --quick    # drawn customers only; nothing is written

Nested cross-validation on data whose classes have an order and whose features have a direction. Beside errors it counts
how often a prediction goes against a direction: in pairs of test rows, and in test rows of which one feature is raised.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.utils.class_weight import compute_sample_weight
from threadpoolctl import threadpool_limits

from fgac.estimators.ordinal import FGAOrdinalClassifier
from fgac.experiments.datasets.files import load
from fgac.selection.classifier_cv import FGAClassifierCV
from generated import customers
from load import OtherLoad
from report import RESULTS, Bar, bars_table, markdown_table, number, progress, provenance, publish

Ints = NDArray[np.int64]
OUTER = StratifiedKFold(5, shuffle=True, random_state=20261116)
INNER = StratifiedKFold(3, shuffle=True, random_state=0)
BOOSTING = [*product((0.1,), (30, 100), (4, 8, 31)), *product((0.03,), (100, 300), (4, 8)), (0.03, 300, 31)]
STEPS = (0.1, 0.3, 0.5, 0.7, 0.9)
QUANTILES = ", ".join(f"{100 * step:.0f}" for step in STEPS)
GAMMAS = (1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)
LISTED = ", ".join(f"{gamma:g}" for gamma in GAMMAS)
SUBJECT = "FGAC monotone"
HEADER = ["data", "classes", "model", "accuracy", "balanced", "error", "violated pairs", "violated raises", "s"]
NOTES = f"""\
- Five outer folds; in each, every model chooses one of eleven settings by the balanced accuracy of three inner folds.
  All classes weigh the same. `balanced`: balanced accuracy; `error`: mean absolute difference of class numbers; `s`:
  seconds of all fits on one thread.
- `violated pairs`: of the pairs of test rows of a fold of which one is nowhere worse in a feature with a direction,
  somewhere better, and equal in the others, those in which it gets the lower class; `the labels`: the same of all rows
  and their true classes.
- `violated raises`: every test row with one such feature moved the better way, to each of the
  {QUANTILES} % quantiles beyond its value; counted are those that then get a lower class.
- FGAC: gamma {LISTED}; Manhattan distances. FGAC monotone:
  `FGAOrdinalClassifier(monotonic_cst=...)`; learned: with `feature_weights="learned"`; FGAC ordinal: without
  directions; FGAC: `FGAClassifierCV`, which does not know the order.
- Boosting: `HistGradientBoostingClassifier`; rate, iterations, leaves. It refuses constraints with more than two
  classes: then boosting monotone is one model per boundary, and the class is how many are passed, as in ours.
- customers: drawn here; rating D < C < B < A grows with income and years in the job, falls with debt and delays; age
  and region have no direction; with two classes, B or better.
- balance: the beam tips to the left < is level < tips to the right; grows with weight and distance on the right, falls
  with those on the left; with two classes, to the right or not. It is a formula: no label goes against a direction.
- mammographic: benign < malignant; grows with age, BI-RADS, shape and margin; density has no direction."""


class Data(NamedTuple):
    """A table, class numbers in their order, and the directions of its columns (those not named have none)."""

    name: str
    X: Any
    y: Ints
    direction: dict[str, int]

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.y.max()) + 1

    def binary(self, from_class: int) -> Data:
        """Two classes: at least this one, or not."""
        return self._replace(y=(self.y >= from_class).astype(np.int64))


def all_data(folder: Path, quick: bool) -> list[Data]:
    """Return what is measured."""
    bank = Data("customers", *customers(300 if quick else 1000), {"income": 1, "years": 1, "debt": -1, "delays": -1})
    found = [bank, bank.binary(2)]
    if quick:
        return found
    scale, breast = load(folder, ("balance", "mammographic"))
    order = np.array([("L", "B", "R").index(label) for label in scale.labels])
    sides = {"Left-weight": -1, "Left-distance": -1, "Right-weight": 1, "Right-distance": 1}
    beam = Data("balance", scale.frame, order[scale.y], sides)
    growing = dict.fromkeys(("Age", "BI-RADS", "Shape", "Margin"), 1)
    return [*found, beam, beam.binary(2), Data("mammographic", breast.frame, breast.y, growing)]


class Boundaries(ClassifierMixin, BaseEstimator):
    """Boosting of ordered classes: a model of two classes per boundary; the class is how many are passed."""

    def __init__(self, setting: tuple[float, int, int] = BOOSTING[0], direction: Any = None) -> None:
        self.setting = setting
        self.direction = direction

    def fit(self, X: Any, y: Ints) -> Self:
        """Fit one model per boundary."""
        self.classes_ = np.unique(y)
        weight = compute_sample_weight("balanced", y)
        self.models_ = [boosted(self.setting, self.direction).fit(X, y >= bound, weight) for bound in self.classes_[1:]]
        return self

    def predict(self, X: Any) -> Ints:
        """Count boundaries."""
        return self.classes_[np.sum([model.predict(X) for model in self.models_], axis=0)]


class Boosting(ClassifierMixin, BaseEstimator):
    """Boosting that does not know the order."""

    def __init__(self, setting: tuple[float, int, int] = BOOSTING[0]) -> None:
        self.setting = setting

    def fit(self, X: Any, y: Ints) -> Self:
        """Fit."""
        self.model_ = boosted(self.setting).fit(X, y, compute_sample_weight("balanced", y))
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> Ints:
        """Predict classes."""
        return self.model_.predict(X)


def boosted(setting: tuple[float, int, int], direction: Any = None) -> Any:
    """Gradient boosting with a setting."""
    rate, iterations, leaves = setting
    how: dict[str, Any] = {"early_stopping": False, "random_state": 0, "categorical_features": "from_dtype"}
    return HistGradientBoostingClassifier(
        learning_rate=rate, max_iter=iterations, max_leaf_nodes=leaves, monotonic_cst=direction, **how
    )


def ordinal(direction: dict[str, int] | None, weights: Any = None) -> Any:
    """Our classifier of ordered classes."""
    how: dict[str, Any] = {"metric": "manhattan", "feature_weights": weights, "class_weight": "balanced", "n_jobs": 1}
    return tuned(FGAOrdinalClassifier(monotonic_cst=direction, **how), {"gamma": list(GAMMAS)})


def plain(direction: Any) -> Any:
    """Our classifier, which does not know the order."""
    how: dict[str, Any] = {"cv": INNER, "scoring": "balanced_accuracy", "class_weight": "balanced", "n_jobs": 1}
    return FGAClassifierCV(gammas=GAMMAS, metric="manhattan", **how)


def tuned(model: Any, grid: dict[str, list[Any]]) -> Any:
    """The setting of the best balanced accuracy in the inner folds."""
    return GridSearchCV(model, grid, cv=INNER, scoring="balanced_accuracy")


MODELS: dict[str, Callable[[dict[str, int]], Any]] = {
    SUBJECT: ordinal,
    f"{SUBJECT}, learned": lambda direction: ordinal(direction, "learned"),
    "FGAC ordinal": lambda direction: ordinal(None),
    "FGAC": plain,
    "boosting monotone": lambda direction: tuned(Boundaries(direction=direction), {"setting": BOOSTING}),
    "boosting": lambda direction: tuned(Boosting(), {"setting": BOOSTING}),
}


def violations(X: Any, y: Ints, direction: dict[str, int]) -> tuple[int, int]:
    """Count pairs in which one row is nowhere worse and somewhere better, and those in which it has a lower class.

    >>> import pandas as pd
    >>> X = pd.DataFrame({"up": [1.0, 2.0, 3.0, 3.0], "side": ["a", "a", "a", "b"]})
    >>> violations(X, np.array([0, 1, 0, 0]), {"up": 1})
    (1, 3)
    """
    n = len(X)
    nowhere_worse, somewhere_better = np.ones((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    for name in X.columns:
        if name in direction:
            values = direction[name] * X[name].to_numpy(dtype=np.float64)
            nowhere_worse &= values[:, None] >= values
            somewhere_better |= values[:, None] > values
        else:
            values = X[name].to_numpy()
            nowhere_worse &= values[:, None] == values
    comparable = nowhere_worse & somewhere_better
    return int((comparable & (y[:, None] < y)).sum()), int(comparable.sum())


def raises(model: Any, X: Any, direction: dict[str, int]) -> tuple[int, int]:
    """Count rows of which one feature is moved the better way, and those that then get a lower class."""
    before = model.predict(X)
    lower = moved = 0
    for (name, sign), step in product(direction.items(), STEPS):
        value = float(X[name].quantile(step))
        better = (sign * (value - X[name]) > 0).to_numpy()
        if better.any():
            after = model.predict(X[better].assign(**{name: value}))
            lower += int((after < before[better]).sum())
            moved += int(better.sum())
    return lower, moved


def measure(data: Data, name: str) -> list[str]:
    """Tune, predict and count in every fold."""
    errors, counts, spent = [], np.zeros((2, 2), dtype=np.int64), 0.0
    for train, test in OUTER.split(data.X, data.y):
        start = perf_counter()
        model = MODELS[name](data.direction).fit(data.X.iloc[train], data.y[train])
        spent += perf_counter() - start
        X, truth = data.X.iloc[test], data.y[test]
        predicted = model.predict(X)
        scores = [accuracy_score(truth, predicted), balanced_accuracy_score(truth, predicted)]
        errors.append([*scores, np.abs(truth - predicted).mean()])
        counts += [violations(X, predicted, data.direction), raises(model, X, data.direction)]
    means = [f"{value:.3f}" for value in np.mean(errors, axis=0)]
    row = [data.name, str(data.n_classes), name, *means, *(of(*count) for count in counts), number(spent)]
    progress(" | ".join(row))
    return row


def of(part: int, whole: int) -> str:
    """Write a part of a whole."""
    return f"{part} of {whole}"


def labels(data: Data) -> list[str]:
    """Count how often the true classes go against a direction."""
    found = of(*violations(data.X, data.y, data.direction))
    return [data.name, str(data.n_classes), "the labels", "", "", "", found, "", ""]


def bars(rows: list[list[str]]) -> list[Bar]:
    """Return what must hold beside what was measured."""
    own = [row for row in rows if row[2].startswith(SUBJECT)]
    asked = f"{SUBJECT}: predictions that go against a direction, all data, none of the "
    found = []
    for place, words in ((6, "pairs"), (7, "raises")):
        parts = [[int(word) for word in row[place].split(" of ")] for row in own]
        lower, whole = (sum(column) for column in zip(*parts, strict=True))
        found.append(Bar(asked + words, of(lower, whole), lower == 0))
    return found


def text(rows: list[list[str]], load_by_others: OtherLoad) -> str:
    """Return the whole result."""
    parts = ["# Ordered classes with monotone features", provenance(load_by_others), markdown_table(HEADER, rows)]
    return "\n\n".join([*parts, NOTES, "## Bars", bars_table(bars(rows))])


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(description="Monotone classification against boosting with the same constraints.")
    parser.add_argument("folder", type=Path, help="folder with balance and mammographic as CSV files")
    parser.add_argument("-o", "--output", type=Path, help="default: results/monotone.md; nothing with --quick")
    parser.add_argument("--quick", action="store_true", help="a few drawn customers only")
    options = parser.parse_args()
    load_by_others = OtherLoad()
    rows = []
    with threadpool_limits(1):
        for data in all_data(options.folder, options.quick):
            rows += [labels(data), *(measure(data, name) for name in MODELS)]
    publish(text(rows, load_by_others), options.output or (None if options.quick else RESULTS / "monotone.md"))


if __name__ == "__main__":
    warnings.filterwarnings("ignore", message="column .* taken as nominal", category=UserWarning)
    main()
