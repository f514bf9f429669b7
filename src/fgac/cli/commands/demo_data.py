"""What ``fgac demo`` shows, as plain values: one fit, one sure and one doubtful prediction.

The wine data come with scikit-learn. A quarter of the rows is held out, gamma is chosen by
cross-validation on the other three quarters only, and the two predictions are those of the largest and the smallest
margin. :mod:`fgac.cli.commands.demo` renders the result.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from sklearn.datasets import load_wine
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from fgac.estimators.classifier import FGAClassifier
from fgac.explanation.classification import Explanation, ModelSummary
from fgac.selection.rules import choose_gamma


@dataclass(frozen=True)
class Demo:
    """Everything the demonstration reports."""

    model: ModelSummary
    n_test: int
    n_gammas: int
    n_folds: int
    balanced_accuracy: float
    n_mistakes: int
    sure: Explanation
    doubtful: Explanation


def run() -> Demo:
    """Fit, score and explain; the same result every time."""
    wine = load_wine()
    labels = np.asarray(wine.target_names)[wine.target]
    X_train, X_test, y_train, y_test = train_test_split(
        pl.DataFrame(wine.data, schema=wine.feature_names), labels, test_size=0.25, stratify=labels, random_state=0
    )
    model = choose_gamma(FGAClassifier(), X_train, y_train)
    explanations = model.explain(X_test, y=y_test)
    predicted = [item.prediction for item in explanations]
    # A row like no other is undecided, not doubtful.
    doubtful = [item for item in explanations if not item.resembles_nothing]
    return Demo(
        model=explanations.model,
        n_test=len(explanations),
        n_gammas=len(model.cv_results_["params"]),
        n_folds=model.n_splits_,
        balanced_accuracy=float(balanced_accuracy_score(y_test, predicted)),
        n_mistakes=int(np.sum(predicted != y_test)),
        sure=max(explanations, key=lambda item: item.margin),
        doubtful=min(doubtful, key=lambda item: item.margin),
    )
