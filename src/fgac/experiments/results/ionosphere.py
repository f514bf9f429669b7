"""Whether the win on ionosphere depends on which of the two classes is named first.

Many rows of ionosphere resemble nothing, so that both classes tie, and "the first class wins" decides. Here the two
classes swap their names, once with that rule and once with the rule that the nearer class wins.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from fgac._atomic import write_text
from fgac._tolerances import TIE_TOL
from fgac.experiments.datasets.files import DataSet, load
from fgac.experiments.methods.protocol import GAMMAS, N_FOLDS, Fold, published_fold

FILE = "ionosphere.json"
NAME = "ionosphere"
NN = 0.02
RULES = ("first", "nearest")


def measure(data: DataSet) -> dict[str, Any]:
    """Balanced accuracy of each rule for both orders of the classes, and how many test rows tie.

    Settings are chosen as published: gamma is the best of eleven on the same folds.
    """
    folds = [published_fold(data, fold, "euclidean") for fold in range(N_FOLDS)]
    swapped = [Fold(train, 1 - train_y, test, 1 - test_y) for train, train_y, test, test_y in folds]
    found: dict[str, Any] = {"dataset": data.name, "classes": list(data.labels), "nn": NN}
    for rule in RULES:
        for order, parts in (("as_named", folds), ("swapped", swapped)):
            means = np.mean([[_score(part, gamma, rule)[0] for gamma in GAMMAS] for part in parts], axis=0)
            best = int(means.argmax())
            found[f"{rule}_{order}"] = {"score": float(means[best]), "gamma": GAMMAS[best]}
    gamma = found["first_as_named"]["gamma"]
    found["tied"] = float(np.mean([_score(part, gamma, "first")[1] for part in folds]))
    return found


def _score(fold: Fold, gamma: float, rule: str) -> tuple[float, float]:
    """Balanced accuracy, and the share of test rows for which both classes tie."""
    from fgac.estimators.classifier import FGAClassifier

    model = FGAClassifier(gamma=gamma, ties=rule, scale=None, n_neighbors=int(NN * len(fold.train)))
    model.fit(fold.train, fold.train_y)
    degrees = model.memberships(fold.test).degree
    tied = np.mean(np.abs(degrees[:, 0] - degrees[:, 1]) < TIE_TOL)
    return float(balanced_accuracy_score(fold.test_y, model.predict(fold.test))), float(tied)


def write(folder: str | Path, out: str | Path) -> None:
    """Measure and keep the result beside the others, unless it is there."""
    path = Path(out) / FILE
    if not path.exists():
        (data,) = load(folder, (NAME,))
        write_text(path, json.dumps(measure(data), indent=1) + "\n")


def read(out: str | Path) -> dict[str, Any] | None:
    """What was measured, or None."""
    path = Path(out) / FILE
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
